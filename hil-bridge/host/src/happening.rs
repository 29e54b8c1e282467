//! The reports of a board at the end of a line, in order: sessions are recorded from
//! them, and twins follow them.
//!
//! Other crates own the lines. A host that owns a line passes on each thing it receives
//! as one happening. A happening that names a layout also owns the drawing, because the
//! board may have a different layout by the time the happening is read.

use firmware_core::Faults;
use protocol::{Deed, Hello, KnownLayout, Severity, StampedEvent, Tick};

use crate::note_kind::NoteKind;

/// Which run of the board answered a greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetRun {
    /// The first run that this client meets.
    First,
    /// The same run as before: only the line had been interrupted.
    Known,
    /// A new run: the board was switched off and on, reset by another host, or replaced.
    /// Its earlier game and state are lost, and its ticks start again from 0.
    Anew {
        /// The last tick that the earlier run reported.
        before: Tick,
    },
}

impl MetRun {
    /// True if everything known about the board's state is outdated.
    #[must_use]
    pub fn is_new(self) -> bool {
        self != MetRun::Known
    }
}

/// What happened on a board or its line, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// The line is open, and the board has answered the greeting.
    Connected {
        /// The board's hello.
        hello: Box<Hello>,
        /// The board's layout.
        layout: KnownLayout,
        /// Which run of the board answered.
        run: MetRun,
    },
    /// The line was lost, for this reason.
    Lost(String),
    /// Something happened on the board.
    Event(StampedEvent),
    /// The board carried out a deed of this host, other than an input, after all earlier
    /// happenings and before all later ones.
    Carried {
        /// The board's tick at the deed.
        tick: Tick,
        /// The deed that the board carried out.
        deed: Box<Deed>,
        /// The board's new layout, if the deed was a reset.
        layout: Option<KnownLayout>,
    },
    /// The whole state of the board, requested by a host or loaded into the board, after
    /// all earlier happenings and before all later ones.
    Snapshot {
        /// The board's tick at the snapshot.
        tick: Tick,
        /// The bytes of the state.
        state: Vec<u8>,
    },
    /// In lockstep: the digest of the board's state at the tick that a step reached,
    /// after all earlier happenings and before all later ones. Only for steps that
    /// requested a digest.
    Stepped {
        /// The tick that the board has reached.
        tick: Tick,
        /// The digest of its state at that tick.
        digest: u64,
    },
    /// A board with simulated contacts has these faults, as a host asked for or set them.
    /// Faults of the line and of lamps are not among them.
    Faults {
        /// The board's tick at its answer.
        tick: Tick,
        /// The faults.
        faults: Box<Faults>,
    },
    /// Events were lost, so a snapshot is needed to know the board's state.
    Missed,
    /// A debugger halted the chip (`true`), or let it continue (`false`).
    Halted(bool),
    /// The board sent a line for the log.
    Log {
        /// How much it matters.
        severity: Severity,
        /// The line.
        text: String,
    },
    /// The firmware panicked with this message, and restarts.
    Panicked(String),
}

impl Happening {
    /// The sentence for the user about the line, if there is one: the board is lost,
    /// found again or restarted, or sent a line for the log.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        match self {
            Happening::Lost(why) => Some(why.clone()),
            Happening::Connected { hello, run, .. } => match run {
                MetRun::First => None,
                MetRun::Known => Some(format!("the board answers again, at tick {}", hello.tick)),
                MetRun::Anew { before } => Some(format!(
                    "the board restarted: its state at tick {before} is lost, and it is now at tick {}",
                    hello.tick
                )),
            },
            Happening::Missed => {
                Some("some events of the board were lost: there was no room to keep them".into())
            }
            Happening::Halted(true) => {
                Some("a debugger has halted the chip: the board answers when it goes on".into())
            }
            Happening::Halted(false) => Some("the chip goes on".into()),
            Happening::Log { severity, text } => Some(format!("{severity}{text}")),
            // The panic message is repeated as the reason why the line was lost.
            Happening::Panicked(_)
            | Happening::Event(_)
            | Happening::Carried { .. }
            | Happening::Snapshot { .. }
            | Happening::Stepped { .. }
            | Happening::Faults { .. } => None,
        }
    }

    /// The remark as a session notes it, with the kind of the note.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let kind = match self {
            Happening::Lost(_) => NoteKind::Lost,
            Happening::Connected {
                run: MetRun::Anew { .. },
                ..
            } => NoteKind::Restarted,
            Happening::Connected { .. } => NoteKind::Found,
            _ => NoteKind::Mark,
        };
        Some(kind.note(&self.remark()?))
    }
}
