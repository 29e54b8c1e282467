//! The bytes that pass on the line, at the session time of the board.
//!
//! The board's time is known from its messages. A frame that names no tick, such as a
//! request, counts at the newest known one.

use touchboard_host::signals::LineWaves;
use touchboard_host::traffic::SharedRecord;

use super::Remote;
use crate::source::Source as _;

/// The traffic of a line, if it is recorded.
#[derive(Default)]
pub(super) struct RecordedTraffic {
    pub(super) record: Option<SharedRecord>,
    /// The bytes of the record, at the session time of the board.
    pub(super) passed: PassedBytes,
}

impl RecordedTraffic {
    /// This record, none of whose bytes is counted yet.
    pub(super) fn of(record: SharedRecord) -> RecordedTraffic {
        RecordedTraffic {
            record: Some(record),
            passed: PassedBytes::default(),
        }
    }
}

/// The bytes of a line at each ms of the session.
#[derive(Default)]
pub(super) struct PassedBytes {
    pub(super) waves: LineWaves,
    /// The number of frames of the record that are counted.
    seen: u64,
}

impl Remote {
    /// Counts the frames that the record has got since the last picture.
    pub(super) fn count_bytes(&mut self) {
        // After a restart, session time is only known once the board has sent its state.
        let Some(record) = self.traffic.record.clone().filter(|_| !self.is_anew) else {
            return;
        };
        let record = record.lock();
        let seen = std::mem::replace(&mut self.traffic.passed.seen, record.count());
        if self.trips.now.is_some() {
            // They bring the board to another moment, and belong to none.
            return;
        }
        let now = self.time();
        if now < self.traffic.passed.waves.until() {
            self.traffic.passed.waves.go_back(now);
        }
        for (_, frame) in record.frames_from(seen) {
            let at = frame.tick.map_or(now, |tick| self.time_of(tick)).min(now);
            let bytes = frame.bytes.len() as u64;
            self.traffic.passed.waves.pass(at, frame.direction, bytes);
        }
    }
}
