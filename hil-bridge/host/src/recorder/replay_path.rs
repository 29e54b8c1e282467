//! The way from one moment to another, on a board at the end of a line.
//!
//! What is worked out here is what has to be done; whoever has the line does it
//! (`touchboard_links::go_to`).

use protocol::Tick;

use super::Recorder;
use crate::session::TimedItem;

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To this tick.
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
            keyframe_due: self.keyframe_due(now),
            to,
        }
    }

    /// The path back to this tick; `None` if nothing is known of that time. It is
    /// followed next.
    pub fn path_back(&mut self, tick: Tick) -> Option<ReplayPath> {
        let keyframe = self.keyframe_before(tick)?.clone();
        let ahead = self.entries.get(keyframe.next..).unwrap_or_default();
        let path = ReplayPath {
            state: Some(keyframe.state.clone()),
            ahead: ahead.to_vec(),
            keyframe_due: self.keyframe_due(keyframe.tick),
            to: To::At(tick),
        };
        self.jump = Some(keyframe);
        Some(path)
    }

    /// The path that was followed has ended, wherever it led.
    pub fn arrived(&mut self) {
        self.jump = None;
    }
}
