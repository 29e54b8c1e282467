//! Why a bot lost a game that it did not lose by the rules of play.

use serde::{Deserialize, Serialize};

use crate::plain::plain;

/// What a fault is of: the table counts by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It cannot be started: no WebAssembly, no program.
    Start,
    /// It lacks what the interface asks of a bot.
    Interface,
    /// It asks for a function that no bot gets, like a system call, or for one by
    /// another type.
    Import,
    /// It asks for threads or for memory that is shared between some.
    Threads,
    /// It asked the system for what no bot may have.
    SystemCall,
    /// It broke down: a trap.
    Trap,
    /// It used up the fuel of a move.
    Fuel,
    /// It used up the time of a move.
    Time,
    /// It asked for more memory than a bot may have.
    Memory,
    /// It named a cell that it may not mark.
    Move,
    /// It wrote something that is no answer.
    Line,
    /// It ended in the midst of a game.
    Exit,
}

impl Kind {
    /// One word for a table.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Start => "start",
            Kind::Interface => "interface",
            Kind::Import => "import",
            Kind::Threads => "threads",
            Kind::SystemCall => "system call",
            Kind::Trap => "trap",
            Kind::Fuel => "fuel",
            Kind::Time => "time",
            Kind::Memory => "memory",
            Kind::Move => "move",
            Kind::Line => "line",
            Kind::Exit => "exit",
        }
    }
}

/// A fault of one bot: the other one wins 16-0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct Fault {
    /// The kind of the fault.
    pub kind: Kind,
    /// A sentence about the bot, without its name: `it marked ...`.
    pub reason: String,
}

impl Fault {
    /// A fault with its reason, in which a name from outside may stand.
    pub fn new(kind: Kind, reason: impl Into<String>) -> Fault {
        let reason = plain(&reason.into());
        Fault { kind, reason }
    }
}
