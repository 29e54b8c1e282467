//! `contest merge`: puts the folders of all shards of a contest together.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::{ContestError, MergeError};
use crate::journal::{Contest, FinishedGame, Journal, read_finished};
use crate::run::{LookOptions, Places, count, is_of, publish, save_session};
use crate::standing::Standing;

/// Options of `contest merge`.
#[derive(Args)]
pub struct Options {
    /// The folders of all shards
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The folder for the journal, the games and the table
    #[arg(long, value_name = "FOLDER", default_value = "contest-results")]
    out: PathBuf,
    /// Do not write a session file for each game; `contest game` can do that later
    #[arg(long)]
    no_games: bool,
    #[command(flatten)]
    look: LookOptions,
}

/// Merges the journals of the folders, and prints the table that one machine would have
/// printed.
///
/// # Errors
/// If the folders are not of one contest, or a game is missing.
pub fn run(options: &Options) -> Result<(), ContestError> {
    let (contest, records) = merged(&options.folders)?;
    let standing = standing(&contest, &records)?;
    let places = Places::new(&options.out);
    places.make()?;
    let opened = Journal::open(&places.journal(), &contest)?;
    let mut journal = opened.journal;
    for (number, record) in &records {
        if !opened.records.contains_key(number) {
            journal.add(record)?;
        }
        if !options.no_games {
            save_session(&places, &contest, record)?;
        }
    }
    journal.sync()?;
    let form = options.look.form();
    publish(&places, &contest, &standing, &records, form)
}

/// The contest of these folders, and all games in them.
fn merged(folders: &[PathBuf]) -> Result<(Contest, BTreeMap<u32, FinishedGame>), ContestError> {
    let read = |folder: &Path| read_finished(&Places::new(folder).journal());
    let (first, others) = folders.split_first().ok_or(MergeError::Nothing)?;
    let (contest, mut records) = read(first)?;
    for folder in others {
        let (other, games) = read(folder)?;
        if other != contest {
            return Err(MergeError::OtherContest(folder.clone()).into());
        }
        for (number, record) in games {
            match records.entry(number) {
                Entry::Vacant(place) => drop(place.insert(record)),
                Entry::Occupied(known) if *known.get() == record => {}
                Entry::Occupied(_) => {
                    let folder = folder.clone();
                    return Err(MergeError::Twice { number, folder }.into());
                }
            }
        }
    }
    Ok((contest, records))
}

/// The standing after all games.
fn standing(
    contest: &Contest,
    records: &BTreeMap<u32, FinishedGame>,
) -> Result<Standing, ContestError> {
    let names = || contest.bots.iter().map(|bot| bot.name.as_str());
    let mut standing = Standing::new(contest.bots.len());
    let mut rounds = contest.plan.rounds();
    while let Some(round) = rounds.next(&standing) {
        for game in &round.games {
            let record = records.get(&game.number);
            if !record.is_some_and(|record| is_of(record, game, names())) {
                return Err(MergeError::Missing(game.number).into());
            }
        }
        count(&mut standing, &contest.plan, &round, records)?;
    }
    Ok(standing)
}
