//! The steps from one moment to another on a board at the end of a line.
//!
//! This module only computes the steps; `touchboard_links::go_to` carries them out over
//! the line.

use protocol::Tick;

use super::{KEYFRAME_MS, Recorder};
use crate::session::{SessionClock, SessionEntry};

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To this session time, in ms.
    At(Tick),
    /// By this many ticks.
    On(Tick),
}

/// The steps from one moment to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TripPath {
    /// The state to load first; `None` to start from the board's current state.
    pub state: Option<Vec<u8>>,
    /// The entries to carry out on the way.
    pub ahead: Vec<SessionEntry>,
    /// The session clock at the start of the path.
    pub clock: SessionClock,
    /// The tick from which the next keyframe is due; `None` if no keyframes are kept.
    pub keyframe_due: Option<Tick>,
    /// The end of the path.
    pub to: To,
}

impl Recorder {
    /// The path forward from this tick, through the entries that are ahead.
    #[must_use]
    pub fn path_on(&self, now: Tick, to: To) -> TripPath {
        TripPath {
            state: None,
            ahead: self.entries.get(self.next..).unwrap_or_default().to_vec(),
            clock: self.clock,
            keyframe_due: self.keyframe_due(now),
            to,
        }
    }

    /// The path to this time over the last keyframe before it, back or on
    /// ([`Recorder::jumps_to`]); `None` if nothing is known of it. It is followed next.
    pub fn path_over_keyframe(&mut self, time: Tick) -> Option<TripPath> {
        let keyframe = self.keyframe_before(time)?.clone();
        let ahead = self.entries.get(keyframe.next..).unwrap_or_default();
        let path = TripPath {
            state: Some(keyframe.state.clone()),
            ahead: ahead.to_vec(),
            clock: keyframe.clock,
            keyframe_due: Some(keyframe.tick + KEYFRAME_MS),
            to: To::At(time),
        };
        self.jump = Some(keyframe);
        Some(path)
    }

    /// Notes that the path has ended, at its end or before.
    pub fn arrived(&mut self) {
        self.jump = None;
    }
}
