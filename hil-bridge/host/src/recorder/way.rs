//! The way from one moment to another, on a board at the end of a line.
//!
//! What is worked out here is what has to be done; whoever has the line does it
//! (`touchboard_links::way`).

use protocol::Tick;

use super::Recorder;
use crate::session::TimedItem;

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To this tick.
    At(Tick),
    /// So many ticks on.
    On(Tick),
}

/// A way.
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
    /// The way on from this tick, with what lies ahead.
    #[must_use]
    pub fn way_on(&self, now: Tick, to: To) -> ReplayPath {
        ReplayPath {
            state: None,
            ahead: self.entries.get(self.next..).unwrap_or_default().to_vec(),
            keyframe_due: self.keyframe_due(now),
            to,
        }
    }

    /// The way back to this tick; `None` if nothing is known of that time. It is
    /// gone next.
    pub fn way_back(&mut self, tick: Tick) -> Option<ReplayPath> {
        let keyframe = self.keyframe_before(tick)?.clone();
        let ahead = self.entries.get(keyframe.next..).unwrap_or_default();
        let way = ReplayPath {
            state: Some(keyframe.state.clone()),
            ahead: ahead.to_vec(),
            keyframe_due: self.keyframe_due(keyframe.tick),
            to: To::At(tick),
        };
        self.jump = Some(keyframe);
        Some(way)
    }

    /// The way that was gone has ended, wherever it led.
    pub fn arrived(&mut self) {
        self.jump = None;
    }
}
