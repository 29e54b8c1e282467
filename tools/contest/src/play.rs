//! `contest play`: plays one game and prints it move by move.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use firmware_core::games::ticdabtoe::{Block, Position};
use protocol::{Layout, Point, Side};
use touchboard_links::SessionInFile;

use crate::bot::folder::bot;
use crate::bot::{SIDE, mark, row_and_column};
use crate::error::ContestError;
use crate::game::{Lost, play};
use crate::limits::Limits;
use crate::record::{self, Title};
use crate::sandbox;

/// Options of `contest play`.
#[derive(Args)]
pub struct Options {
    /// The bot with x, which moves first: a file, random, or level1 to level4
    x: String,
    /// The bot with o
    o: String,
    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Save the game as a session, which the window can open
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// Plays and prints the game.
///
/// # Errors
/// If a bot cannot be read, bots that are programs cannot be run here, or the session
/// cannot be written.
pub fn run(options: &Options) -> Result<(), ContestError> {
    let (x, mut o) = (bot(&options.x)?, bot(&options.o)?);
    if x.name == o.name {
        o.name.push_str("-2");
    }
    if let Some(path) = &options.session {
        touchboard_host::Session::check_saving(path)?;
    }
    if x.is_process() || o.is_process() {
        sandbox::prepare()?;
    }
    let mut number = 0;
    let mut watch = |position: &Position, point: Point, took: Duration| {
        number += 1;
        crate::print(&move_line(number, position, point, Some(took)));
    };
    let played = play([&x, &o], options.seed, &options.limits, &mut watch);
    let title = Title {
        what: "a game of contest play",
        names: [&x.name, &o.name],
        seed: options.seed,
    };
    print_end(&title, &played.moves, played.lost.as_ref(), &played.words);
    if let Some(path) = &options.session {
        record::session(&title, &played.moves, played.lost.as_ref())?.save(path)?;
    }
    Ok(())
}

/// The line for a move: `  7  x d4  row 12, column 3  14 ms`.
#[must_use]
pub fn move_line(number: usize, after: &Position, point: Point, took: Option<Duration>) -> String {
    let side = if number % 2 == 1 {
        Side::Green
    } else {
        Side::Red
    };
    let (row, column) = row_and_column(point);
    let layout = Layout::grid(SIDE, SIDE).unwrap_or(Layout::MALDOO);
    let name = layout.name(point).to_string();
    let took = took.map_or(String::new(), |took| format!("  {} ms", took.as_millis()));
    let block = firmware_core::games::ticdabtoe::block_of(point);
    let won = match after.block(block) {
        Block::Won(side) => format!("  block {} won by {}", block + 1, mark(side)),
        Block::Drawn => format!("  block {} drawn", block + 1),
        Block::InPlay => String::new(),
    };
    format!(
        "{number:>3}  {}  {name:<3}  row {row:>2}, column {column:>2}{took}{won}\n",
        mark(side)
    )
}

/// Prints the final board, the result, and the lines that the bots wrote for their
/// authors.
pub fn print_end(
    title: &Title<'_>,
    moves: &[Point],
    lost: Option<&Lost>,
    words: &[Vec<String>; 2],
) {
    if let Some(position) = crate::game::position_after(moves) {
        crate::print(&format!("\n{}\n", board(&position)));
    }
    for (name, words) in title.names.iter().zip(words) {
        for line in words {
            crate::print(&format!("{name} wrote: {line}\n"));
        }
    }
    crate::print(&format!("{}\n", record::ending(title, moves, lost)));
}

/// The board as text, with its blocks next to it.
#[must_use]
pub fn board(position: &Position) -> String {
    let mut text = String::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let gap = if column % 4 == 0 && column > 0 {
                "  "
            } else {
                " "
            };
            let cell = position.mark_at(Point(row * SIDE + column));
            text.push_str(if column == 0 { "" } else { gap });
            text.push(cell.map_or('.', mark));
        }
        if (2..6).contains(&row) {
            text.push_str("     ");
            for block in 0..4 {
                text.push(' ');
                text.push(match position.block(usize::from(row - 2) * 4 + block) {
                    Block::InPlay => '.',
                    Block::Won(side) => mark(side),
                    Block::Drawn => '=',
                });
            }
        }
        text.push_str(if row % 4 == 3 && row + 1 < SIDE {
            "\n\n"
        } else {
            "\n"
        });
    }
    text
}
