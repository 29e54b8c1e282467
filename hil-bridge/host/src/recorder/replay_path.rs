//! The way from one moment to another, on a board at the end of a line.
//!
//! What is worked out here is what has to be done; whoever has the line does it
//! (`touchboard_links::go_to`).

use protocol::Tick;

use super::{KEYFRAME_MS, Recorder};
use crate::session::{SessionClock, TimedItem};

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To this time of the session.
    At(Tick),
    /// This many ticks later.
    On(Tick),
}

/// The steps from one moment to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayPath {
    /// The state to begin from, if it is not the one that the board is in.
    pub state: Option<Vec<u8>>,
    /// What lies ahead.
    pub ahead: Vec<TimedItem>,
    /// What time it is where the path begins.
    pub clock: SessionClock,
    /// The tick at which the next keyframe is wanted.
    pub keyframe_due: Option<Tick>,
    /// Where it leads.
    pub to: To,
}

impl Recorder {
    /// The path on from this tick, with what lies ahead.
    #[must_use]
    pub fn path_on(&self, now: Tick, to: To) -> ReplayPath {
        ReplayPath {
            state: None,
            ahead: self.entries.get(self.next..).unwrap_or_default().to_vec(),
            clock: self.clock,
            keyframe_due: self.keyframe_due(now),
            to,
        }
    }

    /// The path back to this time; `None` if nothing is known of it. It is followed next.
    pub fn path_back(&mut self, time: Tick) -> Option<ReplayPath> {
        let keyframe = self.keyframe_before(time)?.clone();
        let ahead = self.entries.get(keyframe.next..).unwrap_or_default();
        let path = ReplayPath {
            state: Some(keyframe.state.clone()),
            ahead: ahead.to_vec(),
            clock: keyframe.clock,
            keyframe_due: Some(keyframe.tick + KEYFRAME_MS),
            to: To::At(time),
        };
        self.jump = Some(keyframe);
        Some(path)
    }

    /// The path that was followed has ended, wherever it led.
    pub fn arrived(&mut self) {
        self.jump = None;
    }
}
