//! What is to be told: what happened, and what a command has to say besides.

use protocol::{StampedEvent, Tick};
use touchboard_host::malaka::tale::Did;
use touchboard_host::pieces::Pieces;
use touchboard_host::signals::SignalValue;
use touchboard_host::touches::Touches;

use crate::command::HelpEntry;

/// What a command has to say besides what happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Extra {
    /// The answer has nothing to add.
    #[default]
    None,
    /// A `set` that changed nothing: the settings are these already.
    AsBefore,
    /// The whole board, with what lies on it where lights do not tell all of that.
    Board(Option<Pieces>),
    /// The points that are moves now, and services besides.
    Legal(Touches),
    /// The score of both sides.
    Score,
    /// The best scores of a mode.
    Best,
    /// How the chosen game and mode are played.
    Rules,
    /// The digest of the board's state.
    Digest(u64),
    /// The position, as it is written.
    Position(String),
    /// What signals are now, by their names.
    Signals(Vec<(String, SignalValue)>),
    /// The groups of signals, how many are in each, and the name of the first.
    SignalNames(Vec<(String, usize, String)>),
    /// The board stopped where this signal is so.
    Stopped {
        /// The name and value of the signal.
        signal: (String, SignalValue),
        /// The board time that passed, in milliseconds.
        after_ms: Tick,
    },
    /// What is wrong with the board.
    Faults(String),
    /// The entries of all commands, or of one.
    Help(Option<&'static HelpEntry>),
}

/// An event, and what the touch in it did, if that is known.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The event that the board reported.
    pub event: StampedEvent,
    /// The effect of the touch, if it is known.
    pub did: Option<Did>,
}
