//! Events: what happened on a board, in order and without gaps.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{Input, Outcome, Point, Settings, Side, Tick};

/// Why a game stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Stop {
    /// A different game or mode was chosen.
    Settings,
    /// The Start button was pressed again.
    Restart,
    /// The layout or a position cannot be played.
    Impossible,
}

/// Something that happened on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Event {
    /// The settings are now these.
    Settings(Settings),
    /// The board took this input: from its own sensors or from the host.
    Taken(Input),
    /// The digest of the whole state, sent from time to time in free-running mode.
    Digest(u64),
    /// A game started, with these settings.
    Started(Settings),
    /// A game stopped without a winner.
    Stopped(Stop),
    /// The game is paused by Stop/Cont (`true`) or continues.
    Paused(bool),
    /// A side made a move, such as setting a stone or catching a ghost. `changed`
    /// counts the other points that changed, such as caught stones.
    Move {
        /// The side that moved.
        side: Side,
        /// The point of the move.
        point: Point,
        /// The number of other points that changed with the move.
        changed: u16,
    },
    /// A side touched a part of a move that takes several touches, or took one
    /// back.
    Part {
        /// The side that touched.
        side: Side,
        /// The point that was touched.
        point: Point,
    },
    /// A touch that the rules do not allow.
    Illegal {
        /// The side whose turn it was.
        side: Side,
        /// The point that was touched.
        point: Point,
    },
    /// A side gave its turn away, or was passed over because it had no move. A side whose
    /// time ran out gets [`TimedOut`](Event::TimedOut) instead.
    Passed {
        /// The side that passed.
        side: Side,
    },
    /// A side ran out of time. The consequence is reported next: a move that the board
    /// makes for that side, or the turn of the other side.
    TimedOut {
        /// The side whose time ran out.
        side: Side,
    },
    /// This side is to move.
    Turn(Side),
    /// The score is now `[green, red]`.
    Score([u32; 2]),
    /// The game ended by its rules.
    Over(Outcome),
    /// The finished game is now among the best scores of its mode.
    Best {
        /// Its place among them, counted from 1.
        place: u8,
        /// The points of the finished game.
        points: u32,
    },
    /// The beeper began to sound, at this many hertz.
    Bleep(u16),
    /// A side took its last move back: it is its turn, as before that move.
    TakenBack {
        /// The side whose move was taken back.
        side: Side,
        /// The point of that move.
        point: Point,
    },
    /// A contact closed ([`Input::Touch`], [`Input::Press`]) or opened, as the scan of
    /// this tick read it, bouncing and ghosts included. Only a board that simulates its
    /// contacts tells of them; what it felt is [`Taken`](Event::Taken).
    Contact(Input),
}

/// Whom an event concerns, from the fewest to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Programs that watch a board which runs by itself: nothing happened to it.
    Observers,
    /// Programs that follow what is done to a board.
    Followers,
    /// People near the board, and such programs; it says nothing about the game.
    Listeners,
    /// Everybody who follows the game.
    Everybody,
}

impl Event {
    /// Whom the event concerns. Code that leaves out events for some of its readers asks
    /// this, and has no list of its own.
    #[must_use]
    pub fn audience(&self) -> Audience {
        match self {
            Event::Digest(_) | Event::Contact(_) => Audience::Observers,
            Event::Taken(_) => Audience::Followers,
            Event::Bleep(_) => Audience::Listeners,
            Event::Settings(_)
            | Event::Started(_)
            | Event::Stopped(_)
            | Event::Paused(_)
            | Event::Move { .. }
            | Event::Part { .. }
            | Event::Illegal { .. }
            | Event::Passed { .. }
            | Event::TimedOut { .. }
            | Event::Turn(_)
            | Event::Score(_)
            | Event::Over(_)
            | Event::Best { .. }
            | Event::TakenBack { .. } => Audience::Everybody,
        }
    }

    /// True if people are told of the event, too, and not only programs.
    #[must_use]
    pub fn is_for_people(&self) -> bool {
        self.audience() >= Audience::Listeners
    }
}

/// An event, its place in the order, and its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct StampedEvent {
    /// Increases by one from 0 after each reset; a gap means that events were lost.
    pub number: u32,
    /// The tick at which the event happened.
    pub tick: Tick,
    /// The event that happened.
    pub event: Event,
}
