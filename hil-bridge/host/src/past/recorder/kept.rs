//! A past that outlives its recorder: the session of a board, and some of its keyframes,
//! from which another recorder continues, for example after a window was closed.
//!
//! Repeating a long session takes time, so a kept past ends with the state of the present,
//! and going back in it starts from the nearest of its states.
//!
//! Invariants: the first state is that of the session's header, the last one that of the
//! present, and each lies at a place in the session that is not before the last one's;
//! [`KeptPast::of_parts`] refuses everything else. A kept past has at most
//! [`KEPT_STATES`] states and, besides them, about [`KEPT_BYTES`]; if a longer one was
//! wanted, it says so.

use firmware_core::board::origin_of_snapshot;
use protocol::{Deed, Tick};

use super::{Keyframe, Recorder, RecordingDriver};
use crate::driver::{Driver, DriverError};
use crate::session::{Header, Session, SessionEntry, SessionItem, tick_of};

/// The maximum number of states in a kept past.
pub const KEPT_STATES: usize = 48;

/// The maximum size of a kept session as a text, in bytes: several hours of play.
pub const KEPT_BYTES: usize = 2 << 20;

/// The usual size of an entry as a line of text, in bytes.
const ENTRY_BYTES: usize = 40;
/// The size of an entry that may contain a position or a drawn layout, in bytes.
const LARGE_ENTRY_BYTES: usize = 8 << 10;

/// A past that another recorder can continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPast {
    session: Session,
    /// States of the board, each with the number of entries before it.
    states: Vec<(usize, Vec<u8>)>,
    /// The session time of its recorder minus its own.
    earlier_ms: Tick,
    /// True if it was to begin earlier, but would have been too long.
    is_cut: bool,
}

impl KeptPast {
    /// A past of this session with these states, each after a number of entries.
    ///
    /// # Errors
    /// If they do not belong together, or a state is not one of a board.
    pub fn of_parts(
        session: Session,
        states: Vec<(usize, Vec<u8>)>,
    ) -> Result<KeptPast, &'static str> {
        let is_whole = states.first().is_some_and(|(number, state)| {
            *number == 0 && session.header.state.as_ref() == Some(state)
        });
        let is_last = |(number, _): &(usize, _)| *number == session.entries.len();
        if !is_whole || !states.last().is_some_and(is_last) || states.len() > KEPT_STATES {
            return Err("its states do not fit its session");
        }
        let past = KeptPast {
            session,
            states,
            earlier_ms: 0,
            is_cut: false,
        };
        let keyframes = past.keyframes().ok_or("one of its states is damaged")?;
        let moments = keyframes
            .iter()
            .map(|keyframe| (keyframe.next, keyframe.time()));
        match moments.is_sorted_by(|one, other| one.0 <= other.0 && one.1 <= other.1) {
            true => Ok(past),
            false => Err("its states are not in order"),
        }
    }

    /// A past that consists of its present only; `None` if these bytes are no state.
    #[must_use]
    pub fn of_state(state: Vec<u8>) -> Option<KeptPast> {
        let (layout, roster) = origin_of_snapshot(&state)?;
        let mut header = Header::new(layout, 0, "").with_games(roster);
        header.state = Some(state.clone());
        KeptPast::of_parts(Session::new(header), vec![(0, state)]).ok()
    }

    /// The session: it begins with the first state.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The states, each with the number of entries before it.
    #[must_use]
    pub fn states(&self) -> &[(usize, Vec<u8>)] {
        &self.states
    }

    /// The state of the present.
    #[must_use]
    pub fn present(&self) -> &[u8] {
        self.states.last().map_or(&[], |(_, state)| state)
    }

    /// The time of this past at a session time of the recorder that it is from; `None` if
    /// that is before its beginning.
    #[must_use]
    pub fn time_of(&self, time: Tick) -> Option<Tick> {
        let (_, first) = self.states.first()?;
        let time = time.checked_sub(self.earlier_ms)?;
        (time >= tick_of(first)?).then_some(time)
    }

    /// True if it was to begin earlier, but would have been too long.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The states as keyframes; `None` if one of them is not a state.
    fn keyframes(&self) -> Option<Vec<Keyframe>> {
        let mut clock = crate::session::SessionClock::default();
        let mut passed = 0;
        let keyframe = |(next, state): &(usize, Vec<u8>)| {
            for entry in self.session.entries.get(passed..*next)? {
                clock.pass(entry);
            }
            passed = *next;
            Some(Keyframe {
                tick: tick_of(state)?,
                state: state.clone(),
                next: *next,
                clock,
            })
        };
        self.states.iter().map(keyframe).collect()
    }
}

/// The size of an entry in a text, roughly.
fn bytes_of(item: &SessionItem) -> usize {
    match item {
        SessionItem::Load(state) => ENTRY_BYTES + 2 * state.len(),
        SessionItem::Note(words) => ENTRY_BYTES + words.len(),
        SessionItem::Do(Deed::Reset { .. } | Deed::Position(_)) => LARGE_ENTRY_BYTES,
        _ => ENTRY_BYTES,
    }
}

impl Recorder {
    /// The past up to the present, which is at this tick and has this state and digest;
    /// it begins with the last keyframe that is not after session time `from`. `None` if
    /// there is no keyframe.
    fn kept(&self, from: Tick, tick: Tick, (state, digest): (Vec<u8>, u64)) -> Option<KeptPast> {
        let now = self.time(tick);
        let is_past = |keyframe: &&Keyframe| keyframe.next <= self.next && keyframe.time() <= now;
        let past: Vec<&Keyframe> = self.keyframes.iter().filter(is_past).collect();
        let wanted = past.iter().rposition(|keyframe| keyframe.time() <= from);
        let wanted = wanted.unwrap_or(0);
        let fitting = self.first_that_fits();
        let begins = wanted.max(past.partition_point(|keyframe| keyframe.next < fitting));
        // At the present itself there is always room.
        let begins = begins.min(past.len().checked_sub(1)?);
        let first = *past.get(begins)?;
        let states = thinned(&past[begins..], now);
        let (entries, states) = self.without_digests(first.next, &states);
        let (layout, roster) = origin_of_snapshot(&first.state)?;
        let mut header = Header::new(layout, self.seed_before(first.next), &self.header.note);
        header.firmware.clone_from(&self.header.firmware);
        header.state = Some(first.state.clone());
        let mut session = Session::with_entries(header.with_games(roster), entries);
        session.push(tick, SessionItem::Digest(digest));
        let end = session.entries.len();
        Some(KeptPast {
            session,
            states: states.into_iter().chain([(end, state)]).collect(),
            earlier_ms: first.time().saturating_sub(first.tick),
            is_cut: begins > wanted,
        })
    }

    /// The index of the first entry from which on all of them fit into a kept past.
    fn first_that_fits(&self) -> usize {
        let mut bytes = 0;
        let is_too_much = |entry: &SessionEntry| {
            if !matches!(entry.item, SessionItem::Digest(_)) {
                bytes += bytes_of(&entry.item);
            }
            bytes > KEPT_BYTES
        };
        let last = self.entries().iter().rposition(is_too_much);
        last.map_or(0, |last| last + 1)
    }

    /// The entries that were carried out from this one on, with the digests of these
    /// keyframes only; and the keyframes' states, each with the number of entries before it.
    fn without_digests(
        &self,
        first: usize,
        keyframes: &[&Keyframe],
    ) -> (Vec<SessionEntry>, Vec<(usize, Vec<u8>)>) {
        let (mut entries, mut states) = (Vec::new(), Vec::new());
        let mut keyframes = keyframes.iter().peekable();
        for index in first..=self.next {
            while let Some(keyframe) = keyframes.next_if(|keyframe| keyframe.next <= index) {
                states.push((entries.len(), keyframe.state.clone()));
            }
            let Some(entry) = self.entries().get(index) else {
                break;
            };
            let is_kept = |keyframe: &&&Keyframe| keyframe.next == index + 1;
            let is_digest = matches!(entry.item, SessionItem::Digest(_));
            if !is_digest || keyframes.peek().is_some_and(is_kept) {
                entries.push(entry.clone());
            }
        }
        (entries, states)
    }

    /// A recorder of a board that is at the end of this past, and the keyframe of that
    /// moment; `None` if a state cannot be read.
    fn of_kept(past: KeptPast) -> Option<(Recorder, Keyframe)> {
        let keyframes = past.keyframes()?;
        let present = keyframes.last()?.clone();
        let mut recorder = Recorder::new(past.session);
        recorder.keyframes = keyframes.into();
        recorder.return_to(&present);
        Some((recorder, present))
    }
}

/// The first of these keyframes, and as many others, evenly spaced up to now, as a kept
/// past has room for beside the present.
fn thinned<'a>(keyframes: &[&'a Keyframe], now: Tick) -> Vec<&'a Keyframe> {
    let begin = keyframes.first().map_or(now, |first| first.time());
    let gap = now.saturating_sub(begin) / (KEPT_STATES as Tick - 1) + 1;
    let mut next = begin;
    let mut thinned = Vec::new();
    for keyframe in keyframes {
        if keyframe.time() >= next {
            thinned.push(*keyframe);
            next = keyframe.time() + gap;
        }
    }
    thinned
}

impl<D: Driver> RecordingDriver<D> {
    /// The past from the last keyframe that is not after session time `from`.
    ///
    /// # Errors
    /// When the board cannot be reached, or there is no keyframe.
    pub fn kept(&mut self, from: Tick) -> Result<KeptPast, DriverError> {
        let present = (self.inner.save()?, self.inner.digest()?);
        let past = self.recorder.kept(from, self.inner.tick(), present);
        past.ok_or_else(|| DriverError::Impossible(NO_PAST.into()))
    }

    /// Brings the board to the end of this past, and continues it. The fingers that were
    /// on the board then are lifted.
    ///
    /// # Errors
    /// When the board cannot be reached, or refuses the state.
    pub fn resume(&mut self, past: KeptPast) -> Result<(), DriverError> {
        let resumed = Recorder::of_kept(past);
        let (recorder, present) = resumed.ok_or_else(|| DriverError::Impossible(NO_PAST.into()))?;
        recorder.header.fits(self.inner.roster())?;
        self.do_both(&|board| board.load(&present.state))?;
        self.recorder = recorder;
        self.begin_comparing_anew();
        self.inner.take_events();
        self.events.clear();
        for lift in self.recorder.lifts() {
            self.act(SessionItem::from(lift))?;
        }
        Ok(())
    }
}

/// The refusal if a past has no state to begin with.
const NO_PAST: &str = "the board's past is not known";

#[cfg(test)]
mod tests {
    use law::{Judged, Weight, law};
    use proptest::prop_assert_eq;
    use protocol::{Button, Input, Layout};

    use super::*;
    use crate::driver::CoreDriver;
    use crate::recorder::KEYFRAME_MS;

    fn board() -> RecordingDriver<CoreDriver> {
        let board = CoreDriver::new(Layout::MALDOO, 5).unwrap();
        RecordingDriver::from_now(board, 5, "a test").unwrap()
    }

    /// Presses START and touches a legal point for each of these waits.
    fn play(board: &mut RecordingDriver<CoreDriver>, waits: &[Tick]) {
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            board.step(&[input], 300).unwrap();
        }
        for (turn, wait) in waits.iter().enumerate() {
            let legal = board.legal().unwrap();
            let Some(point) = legal.get(turn % legal.len().max(1)).copied() else {
                return;
            };
            board.step(&[Input::Touch(point)], 70).unwrap();
            board.step(&[Input::Release(point)], *wait).unwrap();
        }
    }

    /// The board and the session time at which its past is kept, and the resumed board.
    fn resumed(board: &mut RecordingDriver<CoreDriver>, from: Tick) -> RecordingDriver<CoreDriver> {
        let past = board.kept(from).unwrap();
        let parts = KeptPast::of_parts(past.session.clone(), past.states.clone()).unwrap();
        let other = CoreDriver::new(board.layout(), 77).unwrap();
        let mut other = RecordingDriver::from_now(other, 77, "").unwrap();
        other.resume(parts).unwrap();
        other
    }

    fn restart(board: &mut RecordingDriver<CoreDriver>) {
        let (seed, layout) = (6, Layout::MALDOO);
        board.carry_out(&Deed::Reset { seed, layout }).unwrap();
    }

    #[test]
    fn a_resumed_board_has_the_past_of_the_board_that_was_left() {
        let case = (
            proptest::collection::vec(200..9_000_u64, 1..14),
            proptest::collection::vec(200..9_000_u64, 0..6),
            (0..20_000_u64, 0..100_u64),
        );
        law(
            Weight::of(24, 60),
            case,
            |(waits, others, (from, percent))| {
                let mut left = board();
                play(&mut left, &waits);
                if !others.is_empty() {
                    restart(&mut left);
                    play(&mut left, &others);
                }
                let past = left.kept(from).unwrap();
                let mut resumed = resumed(&mut left, from);
                prop_assert_eq!(resumed.digest().unwrap(), left.digest().unwrap());
                let (begin, end) = (resumed.recorder().earliest().unwrap(), resumed.time());
                prop_assert_eq!(past.time_of(left.time()), Some(end));
                let later = left.time() - end;
                let time = begin + (end - begin) * percent / 100;
                // There, and back to the present.
                for time in [time, end] {
                    resumed.go_to(time).unwrap();
                    left.go_to(time + later).unwrap();
                    prop_assert_eq!(resumed.digest().unwrap(), left.digest().unwrap());
                }
                prop_assert_eq!(resumed.compared().1, None);
                Ok(Judged::if_any(time > begin && time < end))
            },
        );
    }

    #[test]
    fn a_kept_past_begins_at_the_keyframe_before_the_time_asked_for() {
        let mut board = board();
        play(&mut board, &[2_000; 12]);
        let from = 9_500;
        let resumed = resumed(&mut board, from);
        let earliest = resumed.recorder().earliest().unwrap();
        assert!(
            (from - KEYFRAME_MS..=from).contains(&earliest),
            "{earliest}"
        );
        let past = board.kept(from).unwrap();
        assert_eq!(past.time_of(earliest - 1), None);
        assert!(!past.is_cut());
    }

    #[test]
    fn fingers_of_the_board_that_was_left_are_lifted() {
        let mut board = board();
        play(&mut board, &[]);
        let point = board.legal().unwrap()[0];
        board.step(&[Input::Touch(point)], 70).unwrap();
        let resumed = resumed(&mut board, 0);
        assert_eq!(resumed.recorder().lifts(), []);
        let last = resumed.recorder().entries().last().unwrap();
        assert_eq!(last.item, Input::Release(point).into());
    }

    #[test]
    fn a_past_that_is_too_long_says_so_and_is_bounded() {
        let mut board = board();
        let words = "x".repeat(KEPT_BYTES / 16);
        for _ in 0..20 {
            board.step(&[], 1_100).unwrap();
            board.mark(words.clone());
        }
        let past = board.kept(0).unwrap();
        assert!(past.is_cut());
        assert!(past.states.len() <= KEPT_STATES);
        let length = past.session.to_text().len();
        assert!(
            (KEPT_BYTES / 2..=KEPT_BYTES * 2).contains(&length),
            "{length}"
        );
    }
}
