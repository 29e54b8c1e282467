//! Deeds: what can be done to a board. Wire, sessions, shell, mirror and window share
//! this one list.
//!
//! Loading a saved board is not on it. A state does not fit one message, so it is sent
//! in pieces ([`Command::Write`], then [`Command::Load`]), and the host keeps the bytes.
//!
//! [`Command::Write`]: crate::Command::Write
//! [`Command::Load`]: crate::Command::Load

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{Input, Layout, Position, Settings};

/// One thing that is done to a board, at one tick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Deed {
    /// A touch, a button, a pass. No board refuses it.
    Input(Input),
    /// Choose this game, as its button does: it comes with the speed and the
    /// mode that the board remembers of it.
    Choose(u8),
    /// Use these settings, as if the buttons had been pressed.
    Settings(Settings),
    /// Set up a position of the chosen game, for tests and analysis.
    Position(Position),
    /// Begin as if just switched on, at tick 0 and event 0.
    Reset {
        /// What all chance follows from.
        seed: u64,
        /// The layout that the board gets.
        layout: Layout,
    },
}

impl Deed {
    /// True if it is done to any board alike, whatever was on it; false if it is
    /// meant for the game that is there.
    #[must_use]
    pub const fn begins_anew(&self) -> bool {
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
