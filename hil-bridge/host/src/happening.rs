//! What a board at the end of a line tells, in order: what sessions are written
//! from, and what a Twin follows.
//!
//! Lines are of other libraries. A host that keeps a line hands in what it hears as
//! happenings, each once. One that names a layout owns its drawing, since the board may
//! have another one by the time at which it is read.

use protocol::{Deed, Hello, KnownLayout, StampedEvent, Tick};

/// Which run of the board answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// The first that this client meets.
    First,
    /// The one that it knew already: only the line had ended.
    Known,
    /// Another one: the board was switched off and on, reset by somebody else,
    /// or exchanged. What was on it is gone with its game, and its ticks count
    /// from 0 again.
    Anew {
        /// The newest tick that the run before told of.
        before: Tick,
    },
}

impl Run {
    /// True if whatever was known of the board's state counts no more.
    #[must_use]
    pub fn is_new(self) -> bool {
        self != Run::Known
    }
}

/// What happened on a board or its line, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// The line is open and the board has been greeted.
    Connected {
        /// The hello of the board.
        hello: Box<Hello>,
        /// The layout of the board.
        layout: KnownLayout,
        /// Whether it is the board that was known.
        run: Run,
    },
    /// The line ended, for this reason.
    Lost(String),
    /// Something happened on the board.
    Event(StampedEvent),
    /// The board did what this host had it do, besides inputs, after all events
    /// before this one and before all that follow.
    Carried {
        /// The board's tick at the deed.
        tick: Tick,
        /// The deed that the board carried out.
        deed: Box<Deed>,
        /// The layout that it has now, if the deed was a reset.
        layout: Option<KnownLayout>,
    },
    /// The whole state of the board, after all events before this one and
    /// before all that follow: what a host asked for, or
    /// had the board load.
    Snapshot {
        /// The board's tick at the snapshot.
        tick: Tick,
        /// The bytes of the state.
        state: Vec<u8>,
    },
    /// In lockstep: the board's time has come to this tick, and this is the digest
    /// of its whole state there, after all events before this and before all
    /// that follow. Told of a step that was to bear a digest.
    Stepped {
        /// The tick that the board has reached.
        tick: Tick,
        /// The digest of its state at that tick.
        digest: u64,
    },
    /// Events were lost for good: only a snapshot tells how things are.
    Missed,
    /// A debugger has halted the chip, or (`false`) lets it go on.
    Halted(bool),
    /// The board says this for the log.
    Log(String),
    /// The firmware panicked and restarts.
    Panicked(String),
}

impl Happening {
    /// What the user should know about the line, in a sentence: that the board is lost,
    /// found again, or restarted, or what the board itself says for the log. `None` for
    /// everything else.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        match self {
            Happening::Lost(why) => Some(why.clone()),
            Happening::Connected { hello, run, .. } => match run {
                Run::First => None,
                Run::Known => Some(format!("the board answers again, at tick {}", hello.tick)),
                Run::Anew { before } => Some(format!(
                    "the board began anew: what was on it at tick {before} is gone, its time is at tick {} now",
                    hello.tick
                )),
            },
            Happening::Missed => Some(
                "what happened on the board was lost in part: there was no room to keep it".into(),
            ),
            Happening::Halted(true) => {
                Some("a debugger has halted the chip: the board answers when it goes on".into())
            }
            Happening::Halted(false) => Some("the chip goes on".into()),
            Happening::Log(line) => Some(line.clone()),
            // Its last words are why the line was lost.
            Happening::Panicked(_)
            | Happening::Event(_)
            | Happening::Carried { .. }
            | Happening::Snapshot { .. }
            | Happening::Stepped { .. } => None,
        }
    }
}
