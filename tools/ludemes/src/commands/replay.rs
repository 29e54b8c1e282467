//! `ludemes replay`: replays recorded games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use ludemes::replay::{compiled, excerpt, replay};
use shards::{MergeOptions, ShardOptions, merged};

use crate::commands::load;
use crate::records;
use crate::replay_all::{self, Came, RecordDifference, Replayed};

/// The command in the files of shards.
pub const COMMAND: &str = "ludemes replay --all";

/// What to play again.
#[derive(Args)]
pub struct Options {
    /// The text; with `--all`, the folder of texts.
    game: PathBuf,
    /// The record, as a table or as lines, possibly gzipped; with `--all`, the folder of
    /// records.
    trial: PathBuf,
    /// Write an excerpt of some of the games to this file.
    #[arg(long)]
    excerpt: Option<PathBuf>,
    /// Replay the records of all texts in a folder; those of a text are in the folder of
    /// the same name.
    #[arg(long)]
    all: bool,
    /// The number of threads, two at most.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// At a difference, list the moves that are legal here.
    #[arg(long)]
    legal: bool,
    #[command(flatten)]
    shards: ShardOptions,
}

/// Replays the games. The exit code is 1 if there is a difference.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    if options.all {
        let threads = options.threads.clamp(1, 2);
        let (game, trial) = (&options.game, &options.trial);
        let came = replay_all::all(game, trial, threads, COMMAND, &options.shards);
        Ok(print_all(&came.map_err(|error| error.to_string())?))
    } else if options.shards.out.is_some() {
        Err("the records of one text are one job: give --all, or leave out --out".to_owned())
    } else {
        replay_one(
            &options.game,
            &options.trial,
            options.excerpt.as_deref(),
            options.legal,
        )
    }
}

/// The number of games in an excerpt.
const EXCERPT: usize = 3;

fn replay_one(
    game: &Path,
    records: &Path,
    kept: Option<&Path>,
    legal: bool,
) -> Result<ExitCode, String> {
    let text = load(game)?;
    let trials = records::read(records);
    let trials = trials.map_err(|error| format!("{}: {error}", records.display()))?;
    if let Some(kept) = kept {
        let some = trials.get(..EXCERPT).unwrap_or(&trials);
        let excerpt = excerpt::excerpt(some);
        let excerpt = excerpt.ok_or("the record does not list the legal moves one by one")?;
        let written = touchboard_files::whole_file::write(kept, excerpt.as_bytes());
        written.map_err(|error| format!("{}: {error}", kept.display()))?;
    }
    let mut moves = 0;
    for (index, trial) in trials.iter().enumerate() {
        let compiled = compiled(&text, &trial.options);
        let compiled = compiled.map_err(|what| format!("{}: {what}", game.display()))?;
        match replay(&compiled, trial) {
            Ok(many) => moves += many,
            Err(difference) => {
                println!("game {index}, {difference}");
                if legal {
                    difference.legal.iter().for_each(|one| println!("{one}"));
                    if let Some(recorded) = trial.moves.get(difference.ply) {
                        println!("in the record: {}", recorded.actions.join(", "));
                    }
                }
                return Ok(ExitCode::from(1));
            }
        }
    }
    println!("{} games, {moves} moves: all agree", trials.len());
    Ok(ExitCode::SUCCESS)
}

/// Prints the results of the shards of `--all`, as one machine would have.
///
/// # Errors
/// If a file cannot be used, or texts are missing.
pub fn merge(files: &MergeOptions) -> Result<ExitCode, String> {
    let whole: Replayed = merged(files, COMMAND).map_err(|error| error.to_string())?;
    Ok(print_all(&whole))
}

fn print_all(replayed: &Replayed) -> ExitCode {
    let (mut agree, mut trials, mut moves) = (0, 0, 0);
    let found: Vec<_> = replayed.results.values().flatten().collect();
    for game in &found {
        let path = game.path.display();
        match &game.came {
            Came::Agrees(replays) => {
                agree += 1;
                trials += replays.games;
                moves += replays.moves;
                println!("AGREES\t{path}\t{}\t{}", replays.games, replays.moves);
            }
            Came::Differs(RecordDifference { file, words }) => {
                println!("DIFFERS\t{path}\t{file}\t{words}");
            }
            Came::NotCompiled(what) => println!("UNKNOWN\t{path}\t{what}"),
            Came::Unreadable(what) => println!("UNREADABLE\t{path}\t{what}"),
        }
    }
    println!(
        "{agree} of {} games agree from first to last: {trials} records, {moves} moves",
        found.len()
    );
    match agree == found.len() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    }
}
