//! `contest game`: prints a game of a contest from its journal.

use std::path::PathBuf;

use clap::Args;
use firmware_core::games::ticdabtoe::Position;
use touchboard_files::whole_file;

use crate::error::ContestError;
use crate::journal::read_finished;
use crate::play::{move_line, print_end};
use crate::record::Title;
use crate::run::{Places, session_of};

/// Options of `contest game`.
#[derive(Args)]
pub struct Options {
    /// The folder of the contest: what was given to `contest run` as --out
    results: PathBuf,
    /// The number of the game
    game: u32,
    /// Save the game as a session, which the window can open
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
}

/// Prints a game.
///
/// # Errors
/// If the journal does not have the game, or the session cannot be written.
pub fn run(options: &Options) -> Result<(), ContestError> {
    let game = options.game;
    let (contest, records) = read_finished(&Places::new(&options.results).journal())?;
    let last = records.keys().last().copied().unwrap_or(0);
    let record = records.get(&game);
    let record = record.ok_or(ContestError::NoGame { game, last })?;
    let moves = record.moves().unwrap_or_default();
    let mut position = Position::start();
    for (point, number) in moves.iter().zip(1..) {
        position = position
            .play(*point)
            .map_err(|_| ContestError::IllegalMove { game, number })?;
        crate::print(&move_line(number, &position, *point, None));
    }
    let title = Title {
        what: "",
        names: [&record.names[0], &record.names[1]],
        seed: record.seed,
    };
    print_end(&title, &moves, record.lost.as_ref(), &record.words);
    let Some(path) = &options.session else {
        return Ok(());
    };
    let text = session_of(record, contest.plan.seed)?;
    whole_file::write(path, text.as_bytes()).map_err(ContestError::file(path))
}
