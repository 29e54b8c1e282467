//! Keyframes: whole states from which a moment is found again.

use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::Tick;

use super::Recorder;
use crate::session::{SessionClock, SessionEntry, SessionItem};

/// The minimum time between two keyframes, in ms. Where no keyframe is missing, going to
/// a moment repeats at most this much board time.
pub const KEYFRAME_MS: Tick = 1_000;

/// The maximum number of keyframes: one a second for the last half hour of board time, and
/// increasingly sparse ones before that, in about 30 MB.
pub(super) const KEYFRAMES: usize = 3_600;

/// The whole state of a board at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyframe {
    /// The tick of the state.
    pub tick: Tick,
    /// The bytes of the state.
    pub state: Vec<u8>,
    /// The index of the first entry that had not been carried out.
    pub(super) next: usize,
    /// The session clock at the keyframe.
    pub(super) clock: SessionClock,
}

impl Keyframe {
    /// The session time of the keyframe, in ms.
    #[must_use]
    pub fn time(&self) -> Tick {
        self.clock.time(self.tick)
    }
}

impl Recorder {
    /// True if the board is exactly at this keyframe: same tick, and no entry since.
    pub(super) fn is_now(&self, keyframe: &Keyframe, tick: Tick) -> bool {
        keyframe.tick == tick && keyframe.next == self.next
    }

    /// Expects that the next state that the board reports is the last keyframe, at this
    /// tick.
    pub(super) fn expect_now(&mut self, tick: Tick) {
        self.jump = self.keyframe_before(self.time(tick)).cloned();
    }

    /// The tick from which a keyframe is due, on a board at tick `now`; `None` if no
    /// keyframes are kept.
    #[must_use]
    pub fn keyframe_due(&self, now: Tick) -> Option<Tick> {
        if self.is_in_log() {
            return None;
        }
        let last = self.keyframe_before(self.time(now));
        Some(last.map_or(now, |last| self.clock.tick(last.time() + KEYFRAME_MS)))
    }

    /// Keeps a state as a keyframe, and records its digest, which a replay of the session
    /// compares.
    pub fn keep(&mut self, tick: Tick, state: Vec<u8>, digest: u64) {
        if !self.has_more() {
            let item = SessionItem::Digest(digest);
            self.entries.push(SessionEntry { tick, item });
            self.go_on_to(self.entries.len());
        }
        let keyframe = Keyframe {
            tick,
            state,
            next: self.next,
            clock: self.clock,
        };
        let time = keyframe.time();
        let place = self.keyframes_until(time);
        let is_known = |kept: &Keyframe| kept.time() == time && kept.next == keyframe.next;
        let mut before = self.keyframes.range(..place);
        if before.next_back().is_some_and(is_known) {
            return;
        }
        self.keyframes.insert(place, keyframe);
        if self.keyframes.len() > KEYFRAMES {
            self.thin_out();
        }
    }

    /// The number of keyframes up to this session time.
    fn keyframes_until(&self, time: Tick) -> usize {
        self.keyframes.partition_point(|kept| kept.time() <= time)
    }

    /// Makes room: thins out the older half to evenly spaced keyframes, and keeps the
    /// first one.
    fn thin_out(&mut self) {
        let half = KEYFRAMES / 2;
        let [Some(first), Some(middle)] = [0, half].map(|index| self.keyframes.get(index)) else {
            return;
        };
        let gap = (middle.time() - first.time()) / (half as Tick / 2);
        let (mut index, mut next) = (0, first.time());
        self.keyframes.retain(|keyframe| {
            index += 1;
            let stays = index > half || keyframe.time() >= next;
            if stays {
                next = keyframe.time() + gap;
            }
            stays
        });
    }

    /// The earliest session time that can be gone back to; `None` without a keyframe.
    #[must_use]
    pub fn earliest(&self) -> Option<Tick> {
        self.keyframes.front().map(Keyframe::time)
    }

    /// The last keyframe at this session time or before it, or else the first keyframe.
    #[must_use]
    pub fn keyframe_before(&self, time: Tick) -> Option<&Keyframe> {
        let until = self.keyframes_until(time);
        self.keyframes.get(until.saturating_sub(1))
    }

    /// True if going from a tick of the board to a time of the session loads a keyframe
    /// instead of running the board: the time lies in the past, or a later keyframe is
    /// closer.
    #[must_use]
    pub fn jumps_to(&self, now: Tick, time: Tick) -> bool {
        let now = self.time(now);
        let keyframe = self.keyframe_before(time);
        time < now || keyframe.is_some_and(|keyframe| keyframe.time() > now + KEYFRAME_MS)
    }

    /// Notes that the board is at this keyframe: all entries after it are ahead.
    pub fn return_to(&mut self, keyframe: &Keyframe) {
        (self.next, self.clock) = (keyframe.next, keyframe.clock);
        self.aside.clear();
    }

    pub(super) fn keep_board(&mut self, board: Option<&AnyBoard>, digest: Option<u64>) {
        let Some(board) = board else { return };
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        if let Some(state) = board.save(&mut buffer) {
            let digest = digest.unwrap_or_else(|| board.digest());
            self.keep(board.tick(), state.to_vec(), digest);
        }
    }
}
