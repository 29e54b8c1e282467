//! The contents of an answer: events, and the result of a command.

use protocol::{StampedEvent, Tick};
use touchboard_host::malaka::tale::Did;
use touchboard_host::pieces::Pieces;
use touchboard_host::signals::SignalReading;
use touchboard_host::touches::Touches;

use crate::command::HelpEntry;

/// The result that a command adds to the events.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Extra {
    /// The answer has nothing to add.
    #[default]
    None,
    /// A `set` that changed nothing, because the settings had these values already.
    AsBefore,
    /// The whole board, with its pieces if the lights do not show everything.
    Board(Option<Pieces>),
    /// The points that are moves now, and those that are services.
    Legal(Touches),
    /// The scores of both sides.
    Score,
    /// The best scores of a mode.
    Best,
    /// The rules of the chosen game and mode.
    Rules,
    /// The digest of the board's state.
    Digest(u64),
    /// The position as it is written in the language.
    Position(String),
    /// The current values of signals, by name.
    Signals(Vec<SignalReading>),
    /// The groups of signals: for each its name, the number of its signals, and the name
    /// of the first.
    SignalNames(Vec<SignalGroup>),
    /// The board stopped because these signals met the condition.
    Stopped {
        /// The signals of the condition, by name.
        signals: Vec<SignalReading>,
        /// The board time that passed, in milliseconds.
        after_ms: Tick,
    },
    /// The faults of the board.
    Faults(String),
    /// The entries of all commands, or of one.
    Help(Option<&'static HelpEntry>),
}

/// The signals whose names have the same first word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalGroup {
    /// The first word.
    pub name: String,
    /// The number of signals.
    pub count: usize,
    /// The name of the first signal.
    pub first: String,
}

/// An event, and the effect of the touch in it, if that is known.
#[derive(Clone, Debug)]
pub struct HeardEvent {
    /// The event that the board reported.
    pub event: StampedEvent,
    /// The effect of the touch, if it is known.
    pub did: Option<Did>,
}
