//! The reports of a board at the end of a line, in order: sessions are recorded from
//! them, and twins follow them.
//!
//! Other crates own the lines. A host that owns a line passes on what it receives as
//! happenings, each once. A happening that names a layout owns its drawing, since the
//! board may have a different one by the time it is read.

use protocol::{Deed, Hello, KnownLayout, StampedEvent, Tick};

/// The run of the board that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// The first that this client meets.
    First,
    /// The known run: only the line had been interrupted.
    Known,
    /// A new run: the board was switched off and on, reset by another host, or
    /// replaced. Its game and state are lost, and its ticks count from 0 again.
    Anew {
        /// The newest tick that the earlier run reported.
        before: Tick,
    },
}

impl Run {
    /// True if everything known about the board's state is outdated.
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
    /// The board carried out a deed of this host, other than an input, after all
    /// earlier happenings and before all later ones.
    Carried {
        /// The board's tick at the deed.
        tick: Tick,
        /// The deed that the board carried out.
        deed: Box<Deed>,
        /// The layout that it has now, if the deed was a reset.
        layout: Option<KnownLayout>,
    },
    /// The whole state of the board, after all events before this one and before all
    /// that follow: either requested by a host, or loaded into the board.
    Snapshot {
        /// The board's tick at the snapshot.
        tick: Tick,
        /// The bytes of the state.
        state: Vec<u8>,
    },
    /// In lockstep: the board has reached this tick and its state has this digest,
    /// after all earlier happenings and before all later ones. Reported for a step
    /// that asked for a digest.
    Stepped {
        /// The tick that the board has reached.
        tick: Tick,
        /// The digest of its state at that tick.
        digest: u64,
    },
    /// Events were lost: only a snapshot shows the current state.
    Missed,
    /// A debugger has halted the chip, or (`false`) lets it continue.
    Halted(bool),
    /// The board sent this line for the log.
    Log(String),
    /// The firmware panicked and restarts.
    Panicked(String),
}

impl Happening {
    /// The sentence for the user about the line: the board is lost, found again, or
    /// restarted, or its own line of the log. `None` for everything else.
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
            // The last words follow as the reason why the line was lost.
            Happening::Panicked(_)
            | Happening::Event(_)
            | Happening::Carried { .. }
            | Happening::Snapshot { .. }
            | Happening::Stepped { .. } => None,
        }
    }
}
