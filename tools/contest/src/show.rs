//! `contest game`: prints a game of a contest from its journal.

use std::path::PathBuf;

use clap::Args;
use firmware_core::games::ticdabtoe::Position;

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
/// A sentence that says what to do.
pub fn run(options: &Options) -> Result<(), String> {
    let (contest, records) = read_finished(&Places::new(&options.results).journal())?;
    let last = records.keys().last().copied().unwrap_or(0);
    let record = records.get(&options.game).ok_or_else(|| {
        format!(
            "there is no game {} in the journal: they have the numbers 1 to {last}",
            options.game
        )
    })?;
    let moves = record.moves().unwrap_or_default();
    let mut position = Position::start();
    for (point, number) in moves.iter().zip(1..) {
        position = position.play(*point).map_err(|_| {
            format!(
                "move {number} of game {} is illegal: the journal is of another program",
                options.game
            )
        })?;
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
    touchboard_files::whole_file::write(path, text.as_bytes()).map_err(|error| {
        let why = touchboard_files::why_no_file(&error);
        format!("{} cannot be written: {why}", path.display())
    })
}
