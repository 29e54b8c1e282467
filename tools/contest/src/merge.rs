//! `contest merge`: puts the folders of all shards of a contest together.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

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
/// A sentence, if the folders are not of one contest, or a game is missing.
pub fn run(options: &Options) -> Result<(), String> {
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
fn merged(folders: &[PathBuf]) -> Result<(Contest, BTreeMap<u32, FinishedGame>), String> {
    let mut found: Option<(Contest, BTreeMap<u32, FinishedGame>)> = None;
    for folder in folders {
        let (contest, games) = read_finished(&Places::new(folder).journal())?;
        let (first, records) = found.get_or_insert_with(|| (contest.clone(), BTreeMap::new()));
        if *first != contest {
            return Err(format!(
                "{} is the folder of another contest: merge shards with the same bots and options",
                folder.display()
            ));
        }
        for (number, record) in games {
            let other = records.insert(number, record);
            if other.is_some_and(|other| records.get(&number) != Some(&other)) {
                return Err(format!(
                    "game {number} was played twice: leave out {}, or another folder with that game",
                    folder.display()
                ));
            }
        }
    }
    found.ok_or_else(|| "there is nothing to merge: name the folders of all shards".to_owned())
}

/// The standing after all games.
fn standing(contest: &Contest, records: &BTreeMap<u32, FinishedGame>) -> Result<Standing, String> {
    let plan = contest.plan;
    let names = || contest.bots.iter().map(|bot| bot.name.as_str());
    let mut standing = Standing::new(contest.bots.len());
    let mut played = 0;
    for number in 0..plan.rounds {
        let round = plan.round(number, played, &standing);
        for game in &round.games {
            let record = records.get(&game.number);
            if !record.is_some_and(|record| is_of(record, game, names())) {
                return Err(format!(
                    "game {} is in none of the folders: let its shard finish first",
                    game.number
                ));
            }
        }
        count(&mut standing, &plan, &round, records)?;
        played += u32::try_from(round.games.len()).unwrap_or(u32::MAX);
    }
    Ok(standing)
}
