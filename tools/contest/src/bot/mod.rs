//! Bots, and how they are asked for moves.
//!
//! A [`Bot`] takes part in a contest; a [`Seat`] is a bot in one game. Every game has new
//! seats, so nothing is carried over from one game to the next.
//!
//! Invariants: whatever a bot does, its seat returns a move or a fault within the time
//! limit; a bot cannot harm this process.

mod error;
pub mod folder;
pub mod level;
pub mod process;
mod random;
pub mod tail;
mod wasm;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use firmware_core::games::ticdabtoe::{self, Block, Position};
use protocol::{Outcome, Point, Side};

use crate::fault::{BotFault, BotFaultKind};
use crate::limits::Limits;
use crate::sandbox::BotProgram;

pub use error::BotFileError;

/// Columns and rows of the board.
pub const SIDE: u8 = 16;

/// A participant in a contest.
#[derive(Clone)]
pub struct Bot {
    /// The name of the bot in tables.
    pub name: String,
    /// A checksum of its file; a bot with another checksum is a different bot.
    pub digest: String,
    body: Body,
}

#[derive(Clone)]
enum Body {
    /// A WebAssembly module, or the reason why it cannot play.
    Wasm(Arc<Result<wasm::Module, BotFault>>),
    Process(BotProgram),
    /// The board's own player at this level.
    Level(u8),
    Random,
}

/// A request for a move: the position and its context.
pub struct TurnRequest<'a> {
    /// The position; it is not over.
    pub position: &'a Position,
    /// Moves of both before this one.
    pub moves: u16,
    /// The time for the turn.
    pub time: Duration,
}

/// The resources that a bot used for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The fuel used by a WebAssembly bot.
    pub fuel: u64,
    /// The largest memory of a WebAssembly bot so far, in bytes.
    pub memory_bytes: usize,
}

/// A bot in a game.
pub trait Seat {
    /// Asks for a move.
    ///
    /// # Errors
    /// A fault, which ends the game.
    fn play(&mut self, turn: &TurnRequest<'_>) -> Result<Point, BotFault>;

    /// The resources used by the last move.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// Tells the bot that the game is over. Returns the last lines that it wrote for its
    /// author.
    fn end(&mut self, result: &Ending) -> Vec<String> {
        let _ = result;
        Vec::new()
    }
}

/// How a game ended, as one side sees it.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// Whether the bot won, drew or lost.
    pub verdict: Verdict,
    /// The points of the bot and of its opponent.
    pub points: [u16; 2],
}

/// A bot's result in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The bot won the game.
    Won,
    /// The game was a draw.
    Drawn,
    /// The bot lost the game.
    Lost,
}

impl Verdict {
    /// The verdict for this side.
    #[must_use]
    pub fn of(outcome: Outcome, side: Side) -> Verdict {
        match outcome {
            Outcome::Won(winner) if winner == side => Verdict::Won,
            Outcome::Won(_) => Verdict::Lost,
            Outcome::Draw => Verdict::Drawn,
        }
    }

    /// The verdict in one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Won => "won",
            Verdict::Drawn => "drawn",
            Verdict::Lost => "lost",
        }
    }
}

impl Bot {
    /// A bot that needs no file: `level1` to `level4`, the board's own players, or
    /// `random`.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Bot> {
        if name == "random" {
            return Some(Bot::random());
        }
        let level = name.strip_prefix("level")?.parse().ok()?;
        let is_level = (1..=4).contains(&level);
        is_level.then(|| Bot::without_file(name, Body::Level(level)))
    }

    /// The bot that makes random moves.
    #[must_use]
    pub fn random() -> Bot {
        Bot::without_file("random", Body::Random)
    }

    fn without_file(name: &str, body: Body) -> Bot {
        Bot {
            name: name.to_owned(),
            digest: format!("built in, {}", env!("CARGO_PKG_VERSION")),
            body,
        }
    }

    /// True if the bot is a program in its own process.
    #[must_use]
    pub fn is_process(&self) -> bool {
        matches!(self.body, Body::Process(_))
    }

    /// Hides these files and folders from the bot, if it could see files at all.
    pub fn hide(&mut self, files: &[PathBuf]) {
        if let Body::Process(program) = &mut self.body {
            let folder = program.path.parent().unwrap_or(Path::new("/"));
            let is_beside = |file: &&PathBuf| file.parent() == Some(folder);
            program.hidden = files.iter().filter(is_beside).cloned().collect();
        }
    }

    /// The fault known before the bot plays: its module cannot be loaded.
    #[must_use]
    pub fn fault(&self) -> Option<&BotFault> {
        match &self.body {
            Body::Wasm(module) => module.as_ref().as_ref().err(),
            _ => None,
        }
    }

    /// Seats the bot on this side of a new game. It is started with its first move, so
    /// that a fault at its start belongs to that move.
    #[must_use]
    pub fn sit(&self, side: Side, seed: u64, limits: &Limits) -> Box<dyn Seat> {
        match &self.body {
            Body::Wasm(module) => {
                let module = Arc::clone(module);
                Box::new(wasm::WasmPlayer::new(module, side, seed, limits))
            }
            Body::Process(program) => Box::new(process::ProcessPlayer::new(
                program.clone(),
                side,
                seed,
                limits,
            )),
            Body::Level(level) => Box::new(level::LevelPlayer::new(*level, seed)),
            Body::Random => Box::new(random::RandomPlayer::new(seed)),
        }
    }
}

/// The usual mark of each side.
#[must_use]
pub const fn mark(side: Side) -> char {
    match side {
        Side::Green => 'x',
        Side::Red => 'o',
    }
}

/// The row from the top and the column of a cell, from 0.
#[must_use]
pub const fn row_and_column(point: Point) -> (u8, u8) {
    (point.0 / SIDE, point.0 % SIDE)
}

/// The cell at this row and column.
///
/// # Errors
/// A fault, if it is not on the board or may not be marked.
pub fn cell_at(position: &Position, row: i64, column: i64) -> Result<Point, BotFault> {
    let refuse = |why: &str| {
        let reason = format!("it marked row {row}, column {column}, {why}");
        Err(BotFault::new(BotFaultKind::Move, reason))
    };
    let number = |number: i64| u8::try_from(number).ok().filter(|number| *number < SIDE);
    let (Some(row_number), Some(column_number)) = (number(row), number(column)) else {
        return refuse("which is not on the board: both are 0 to 15");
    };
    let point = Point(row_number * SIDE + column_number);
    match position.allows(point) {
        Ok(()) => Ok(point),
        Err(ticdabtoe::IllegalMark::Taken) => refuse("which has a mark already"),
        Err(ticdabtoe::IllegalMark::Closed) => refuse("whose block is not open to it"),
        Err(ticdabtoe::IllegalMark::Over) => refuse("but the game is over"),
    }
}

/// The state of a block from the point of view of a side: 0 in play, 1 own, 2 the
/// opponent's, 3 drawn.
#[must_use]
pub fn block_seen(block: Block, side: Side) -> u8 {
    match block {
        Block::InPlay => 0,
        Block::Won(winner) if winner == side => 1,
        Block::Won(_) => 2,
        Block::Drawn => 3,
    }
}
