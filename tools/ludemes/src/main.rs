//! The command `ludemes`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use ludemes::replay::pool::{self, Came};
use ludemes::replay::{replay, trial};

/// Games written in a language of ludemes.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compiles a text to a cartridge, and says how large it is.
    Compile {
        /// The text.
        file: PathBuf,
        /// Where the cartridge goes.
        #[arg(short)]
        output: Option<PathBuf>,
        /// Options, each as `Heading/Item`.
        #[arg(long)]
        option: Vec<String>,
    },
    /// Plays recorded games again and finds the first difference.
    Replay {
        /// The text; with `--all`, the folder of texts.
        game: PathBuf,
        /// The record, as a table or as lines, gzipped or not; with `--all`, the
        /// folder of records.
        trial: PathBuf,
        /// All texts of a folder, each with the records in the folder of its name.
        #[arg(long)]
        all: bool,
        /// On how many threads.
        #[arg(long, default_value_t = 1)]
        threads: usize,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Compile {
            file,
            output,
            option,
        } => compile(&file, output.as_deref(), &option),
        Command::Replay {
            game,
            trial,
            all: true,
            threads,
        } => replay_all(&game, &trial, threads),
        Command::Replay { game, trial, .. } => replay_one(&game, &trial),
    }
}

/// Bad input: a sentence, and 2.
fn bad(sentence: impl std::fmt::Display) -> ExitCode {
    eprintln!("{sentence}");
    ExitCode::from(2)
}

fn compile(file: &std::path::Path, output: Option<&std::path::Path>, options: &[String]) -> ExitCode {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return bad(format_args!("{}: {error}", file.display())),
    };
    let compiled = match pool::compiled(&text, options) {
        Ok(compiled) => compiled,
        Err(what) => return bad(format_args!("{}: {what}", file.display())),
    };
    if let Some(output) = output
        && let Err(error) = std::fs::write(output, &compiled.bytes)
    {
        return bad(format_args!("{}: {error}", output.display()));
    }
    println!(
        "{} bytes, {} words of program, {} sites, {} kinds of pieces",
        compiled.bytes.len(),
        compiled.words,
        compiled.sites,
        compiled.pieces.len() - 1
    );
    ExitCode::SUCCESS
}

fn replay_one(game: &std::path::Path, records: &std::path::Path) -> ExitCode {
    let text = match std::fs::read_to_string(game) {
        Ok(text) => text,
        Err(error) => return bad(format_args!("{}: {error}", game.display())),
    };
    let trials = match trial::read(records) {
        Ok(trials) => trials,
        Err(error) => return bad(format_args!("{}: {error}", records.display())),
    };
    let mut moves = 0;
    for (index, trial) in trials.iter().enumerate() {
        let compiled = match pool::compiled(&text, &trial.options) {
            Ok(compiled) => compiled,
            Err(what) => return bad(format_args!("{}: {what}", game.display())),
        };
        match replay(&compiled, trial) {
            Ok(many) => moves += many,
            Err(difference) => {
                println!("game {index}, {difference}");
                return ExitCode::from(1);
            }
        }
    }
    println!("{} games, {moves} moves: all agree", trials.len());
    ExitCode::SUCCESS
}

fn replay_all(games: &std::path::Path, records: &std::path::Path, threads: usize) -> ExitCode {
    let found = match pool::all(games, records, threads.clamp(1, 2)) {
        Ok(found) => found,
        Err(error) => return bad(format_args!("{}: {error}", games.display())),
    };
    let (mut agree, mut trials, mut moves) = (0, 0, 0);
    for game in &found {
        let path = game.path.display();
        match &game.came {
            Came::Agrees(many, played) => {
                agree += 1;
                trials += many;
                moves += played;
                println!("AGREES\t{path}\t{many}\t{played}");
            }
            Came::Differs(record, difference) => {
                println!("DIFFERS\t{path}\t{record}\t{difference}");
            }
            Came::NotCompiled(what) => println!("UNKNOWN\t{path}\t{what}"),
            Came::Unreadable(what) => println!("UNREADABLE\t{path}\t{what}"),
        }
    }
    println!(
        "{agree} of {} games agree from first to last: {trials} records, {moves} moves",
        found.len()
    );
    if agree == found.len() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}
