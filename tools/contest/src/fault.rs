//! Faults, by which a bot loses a game other than by the rules.

use serde::{Deserialize, Serialize};

use crate::plain::plain;

/// The kind of a fault. The table counts faults by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BotFaultKind {
    /// The bot cannot be started: it is neither a WebAssembly module nor a program.
    Start,
    /// The bot lacks a required part of the interface.
    Interface,
    /// The bot imports a function that is not available, such as a system call, or one
    /// with a wrong type.
    Import,
    /// The bot imports threads or shared memory.
    Threads,
    /// The bot made a system call that is not allowed.
    SystemCall,
    /// The bot executed an instruction that traps.
    Trap,
    /// The bot used up the fuel of a move.
    Fuel,
    /// The bot used up the time of a move.
    Time,
    /// The bot requested more memory than allowed.
    Memory,
    /// The bot chose a cell that it may not mark.
    Move,
    /// The bot wrote a line that is not an answer.
    Line,
    /// The bot ended during a game.
    Exit,
}

impl BotFaultKind {
    /// The kind as one word for a table.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            BotFaultKind::Start => "start",
            BotFaultKind::Interface => "interface",
            BotFaultKind::Import => "import",
            BotFaultKind::Threads => "threads",
            BotFaultKind::SystemCall => "system call",
            BotFaultKind::Trap => "trap",
            BotFaultKind::Fuel => "fuel",
            BotFaultKind::Time => "time",
            BotFaultKind::Memory => "memory",
            BotFaultKind::Move => "move",
            BotFaultKind::Line => "line",
            BotFaultKind::Exit => "exit",
        }
    }
}

/// A fault of one bot: its opponent wins 16-0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct BotFault {
    /// The kind of the fault.
    pub kind: BotFaultKind,
    /// A sentence about the bot, without its name: `it marked ...`.
    pub reason: String,
}

impl BotFault {
    /// A fault with its reason. The reason may contain names from outside, which are made
    /// safe to show.
    pub fn new(kind: BotFaultKind, reason: impl Into<String>) -> BotFault {
        let reason = plain(&reason.into());
        BotFault { kind, reason }
    }
}
