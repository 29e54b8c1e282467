//! Deeds: what can be done to a board. Wire, sessions, shell, mirror and window share
//! this one list.
//!
//! Loading a saved board is not on the list. A state does not fit into one message, so it
//! is sent in pieces ([`Command::Write`], then [`Command::Load`]), and the host keeps the
//! bytes.
//!
//! [`Command::Write`]: crate::Command::Write
//! [`Command::Load`]: crate::Command::Load

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{Input, Layout, Position, Settings};

/// A change of a board at one tick, made by a user or a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Deed {
    /// A touch, a button, a pass. No board refuses it.
    Input(Input),
    /// Chooses this game, as the Game button does: speed and mode are those that the
    /// board remembers for the game.
    Choose(u8),
    /// Sets all settings, as if the buttons had been pressed.
    Settings(Settings),
    /// Sets up a position of the chosen game, for tests and analysis.
    Position(Position),
    /// Restarts the board as if just switched on, at tick 0 and event 0.
    Reset {
        /// The seed of all random numbers of the board.
        seed: u64,
        /// The layout that the board gets.
        layout: Layout,
    },
}

impl Deed {
    /// True if the board restarts.
    #[must_use]
    pub const fn restarts(&self) -> bool {
        match self {
            Deed::Reset { .. } => true,
            Deed::Input(_) | Deed::Choose(_) | Deed::Settings(_) | Deed::Position(_) => false,
        }
    }
}

impl From<Input> for Deed {
    fn from(input: Input) -> Deed {
        Deed::Input(input)
    }
}
