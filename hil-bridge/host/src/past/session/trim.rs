//! Cuts a span out of a session, and adds notes.
//!
//! ```text
//! hil-bridge trim game.session --from 61000 --until 64000 --note "62500: no light here"
//! ```
//!
//! Times are session times: ticks that continue to count after a reset or a loaded state.
//!
//! Invariants: the result begins with the whole state, repeats the actions of the span at
//! the same ticks, and ends with the digest at its end, so it replays exactly if the
//! session does. The session is replayed for this, and each of its digests is compared.

use protocol::{Deed, Tick};

use super::{Header, Mismatch, Replay, Session, SessionEntry, SessionItem, faults_of_note};
use crate::driver::{CoreDriver, DriverError};

/// The span to cut out, in session time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSpan {
    /// The start in ms, at most the session's beginning if that is later. Actions at this
    /// time are included.
    pub from_ms: Tick,
    /// The end in ms; `None` for the end of the session.
    pub until_ms: Option<Tick>,
    /// Notes for the reader, with their session times in ms.
    pub notes: Vec<(Tick, String)>,
}

/// Why a session cannot be trimmed.
#[derive(Debug, thiserror::Error)]
pub enum TrimError {
    /// The span ends before it begins.
    #[error("a span from {0} to {1} ms ends before it begins: swap --from and --until")]
    Backwards(Tick, Tick),
    /// The session does not contain the whole span.
    #[error(
        "the span from {from_ms} to {until_ms} ms is not in the session: it lasts from {begins_ms} to {ends_ms} ms"
    )]
    Nothing {
        /// The start of the requested span.
        from_ms: Tick,
        /// The end of the requested span.
        until_ms: Tick,
        /// The start of the session.
        begins_ms: Tick,
        /// The end of the session.
        ends_ms: Tick,
    },
    /// A note is outside of the span.
    #[error(
        "the note at {0} ms is not in the span that is cut out: choose a longer span, or leave the note out"
    )]
    Note(Tick),
    /// The session does not replay in this program.
    #[error("{}: it was recorded from other firmware; cut it with the version that recorded it", .0.sentence("here"))]
    Differs(Mismatch),
    /// The session cannot be repeated on a local board.
    #[error(transparent)]
    Driver(#[from] DriverError),
}

impl Session {
    /// Cuts out a span.
    ///
    /// # Errors
    /// A [`TrimError`].
    pub fn trimmed(&self, span: &SessionSpan) -> Result<Session, TrimError> {
        if let Some(until_ms) = span.until_ms.filter(|until_ms| *until_ms < span.from_ms) {
            return Err(TrimError::Backwards(span.from_ms, until_ms));
        }
        let header = &self.header;
        let mut board = CoreDriver::with_games(*header.layout, header.roster, header.seed)?;
        let replay = Replay::begin(&mut board, header)?;
        let begins_ms = replay.tick();
        let ends_ms = self
            .times()
            .last()
            .map_or(begins_ms, |ms| begins_ms.max(*ms));
        let until_ms = span.until_ms.unwrap_or(ends_ms);
        if span.from_ms > ends_ms || until_ms < begins_ms || until_ms > ends_ms {
            return Err(TrimError::Nothing {
                from_ms: span.from_ms,
                until_ms,
                begins_ms,
                ends_ms,
            });
        }
        let mut cutter = Cutter {
            session: self,
            replay,
            span,
            from_ms: span.from_ms.max(begins_ms),
            is_at_beginning: span.from_ms <= begins_ms,
            seed: header.seed,
            later: 0,
            faults: None,
            cut: None,
            noted: 0,
        };
        cutter.notes_in_order()?;
        for (number, entry) in self.entries.iter().enumerate() {
            let time = entry.tick + cutter.later;
            if time > until_ms {
                break;
            }
            if time >= cutter.from_ms {
                cutter.begin()?;
            }
            cutter.follow(number, entry)?;
        }
        cutter.end(until_ms)
    }
}

/// Replays a session and writes the span.
struct Cutter<'a> {
    session: &'a Session,
    replay: Replay<'a>,
    span: &'a SessionSpan,
    from_ms: Tick,
    is_at_beginning: bool,
    seed: u64,
    /// The difference between session time and tick, in ms.
    later: Tick,
    /// The note of the faults that the board has.
    faults: Option<String>,
    cut: Option<Session>,
    /// The number of notes written so far.
    noted: usize,
}

impl Cutter<'_> {
    fn notes_in_order(&self) -> Result<(), TrimError> {
        let SessionSpan {
            from_ms,
            until_ms,
            notes,
        } = self.span;
        let span = *from_ms..=until_ms.unwrap_or(Tick::MAX);
        let outside = notes.iter().find(|(ms, _)| !span.contains(ms));
        outside.map_or(Ok(()), |(ms, _)| Err(TrimError::Note(*ms)))
    }

    /// Begins the span, unless it has begun.
    fn begin(&mut self) -> Result<(), TrimError> {
        if self.cut.is_some() {
            return Ok(());
        }
        self.replay
            .advance(self.from_ms.saturating_sub(self.later))?;
        let own = &self.session.header;
        if self.is_at_beginning {
            self.cut = Some(Session::new(own.clone()));
            return Ok(());
        }
        let board = self.replay.board();
        let note = format!("{} (from {} ms)", own.note, self.from_ms);
        self.cut = Some(Session::new(Header {
            firmware: own.firmware.clone(),
            state: Some(board.save()?),
            ..Header::new(board.layout(), self.seed, &note).with_games(board.roster())
        }));
        if let (Some(cut), Some(words)) = (&mut self.cut, &self.faults) {
            let tick = self.from_ms.saturating_sub(self.later);
            cut.push(tick, SessionItem::Note(words.clone()));
        }
        Ok(())
    }

    /// Carries out an entry, and writes it if it is in the span.
    fn follow(&mut self, number: usize, entry: &SessionEntry) -> Result<(), TrimError> {
        let SessionEntry { tick, item } = entry;
        if *item == SessionItem::End {
            return Ok(());
        }
        self.note_before(tick + self.later);
        let found = self.replay.act(*tick, item)?;
        if let (SessionItem::Digest(recorded), Some(found)) = (item, found)
            && *recorded != found
        {
            return Err(TrimError::Differs(Mismatch {
                entry: number,
                tick: *tick,
                recorded: *recorded,
                found,
            }));
        }
        if let SessionItem::Note(words) = item
            && faults_of_note(words).is_some()
        {
            self.faults = Some(words.clone());
        }
        if let SessionItem::Do(Deed::Reset { seed, .. }) = item {
            self.seed = *seed;
        }
        if item.jumps() {
            self.later = (tick + self.later).saturating_sub(self.replay.tick());
        }
        if let Some(cut) = &mut self.cut {
            cut.push(*tick, item.clone());
        }
        Ok(())
    }

    /// Writes the notes from before this time.
    fn note_before(&mut self, time: Tick) {
        let Some(cut) = &mut self.cut else { return };
        let mut notes: Vec<_> = self.span.notes.iter().collect();
        notes.sort_by_key(|(ms, _)| *ms);
        let due = notes
            .iter()
            .skip(self.noted)
            .take_while(|(ms, _)| *ms < time);
        for (ms, words) in due {
            let tick = ms.saturating_sub(self.later);
            cut.push(tick, SessionItem::Note(words.clone()));
            self.noted += 1;
        }
    }

    /// Ends the span at this time, with the digest at that moment.
    fn end(mut self, until_ms: Tick) -> Result<Session, TrimError> {
        self.begin()?;
        self.note_before(Tick::MAX);
        let tick = until_ms.saturating_sub(self.later);
        self.replay.advance(tick)?;
        let digest = self.replay.board().digest()?;
        let mut cut = self.cut.unwrap_or_else(|| self.session.clone());
        cut.push(tick, SessionItem::Digest(digest));
        cut.push(tick, SessionItem::End);
        Ok(cut)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::{Button, Input, Layout};

    use super::super::RecordedFaults;
    use super::*;
    use crate::driver::Driver;

    /// A board, and the session of the actions on it.
    struct Tape {
        board: CoreDriver,
        session: Session,
    }

    impl Tape {
        fn act(&mut self, item: SessionItem) {
            self.session.push(self.board.tick(), item.clone());
            item.carry_out(&mut self.board).unwrap();
        }

        /// Plays a game. Returns the state in the middle of it.
        fn play(&mut self) -> Vec<u8> {
            self.act(Input::Press(Button::Start).into());
            self.act(Input::Lift(Button::Start).into());
            self.board.step(&[], 333).unwrap();
            let mut saved = Vec::new();
            for number in 0..6_u8 {
                let legal = self.board.legal().unwrap();
                let point = legal[usize::from(number) % legal.len()];
                self.act(Input::Touch(point).into());
                self.board.step(&[], 20).unwrap();
                self.act(Input::Release(point).into());
                self.board.step(&[], 180 + 50 * u64::from(number)).unwrap();
                if number == 2 {
                    saved = self.board.save().unwrap();
                }
            }
            let digest = self.board.digest().unwrap();
            self.act(SessionItem::Digest(digest));
            saved
        }
    }

    /// A session with a game, a reset to a different layout, a second game, and a
    /// loaded state, after which a third game follows.
    fn session() -> Session {
        let mut tape = Tape {
            board: CoreDriver::new(Layout::MALDOO, 3).unwrap(),
            session: Session::new(Header::new(Layout::MALDOO, 3, "a session")),
        };
        let saved = tape.play();
        let layout = Layout::grid(8, 8).unwrap();
        tape.act(Deed::Reset { seed: 4, layout }.into());
        tape.play();
        tape.act(SessionItem::Load(saved));
        tape.play();
        tape.act(SessionItem::End);
        tape.session
    }

    /// The digest at the end of a session, checked by a replay.
    fn digest_at_end(session: &Session) -> u64 {
        let header = &session.header;
        let mut board = CoreDriver::with_games(*header.layout, header.roster, header.seed).unwrap();
        let mismatch = session.replay(&mut board, &mut |_| {}).unwrap();
        assert_eq!(mismatch, None);
        board.digest().unwrap()
    }

    fn span(from_ms: Tick, until_ms: Option<Tick>) -> SessionSpan {
        SessionSpan {
            from_ms,
            until_ms,
            notes: Vec::new(),
        }
    }

    fn length_ms(session: &Session) -> Tick {
        let error = session.trimmed(&span(Tick::MAX, None)).unwrap_err();
        match error {
            TrimError::Nothing { ends_ms, .. } => ends_ms,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_trimmed_span_ends_as_the_session_does_there() {
        let session = session();
        let whole = length_ms(&session);
        assert!(whole > 5_000, "{whole} ms");
        proptest!(|(one in 0..=whole, other in 0..=whole)| {
            let (from, until) = (one.min(other), one.max(other));
            let beginning = session.trimmed(&span(0, Some(until))).unwrap();
            let cut = session.trimmed(&span(from, Some(until))).unwrap();
            prop_assert_eq!(digest_at_end(&cut), digest_at_end(&beginning));
            // A span of a span is also a valid session.
            let again = Session::parse(cut.to_text().as_bytes()).unwrap();
            prop_assert_eq!(&again, &cut);
        });
    }

    #[test]
    fn an_impossible_span_is_refused_with_the_true_length() {
        let session = session();
        let whole = length_ms(&session);
        let refused = |from, until| session.trimmed(&span(from, Some(until))).unwrap_err();
        assert!(matches!(refused(700, 500), TrimError::Backwards(700, 500)));
        for (from, until) in [(0, whole + 1), (whole + 1, whole + 2)] {
            assert!(matches!(
                refused(from, until),
                TrimError::Nothing { ends_ms, .. } if ends_ms == whole
            ));
        }
    }

    #[test]
    fn a_span_after_a_fault_begins_with_its_note() {
        let mut session = session();
        let note = SessionItem::Note("faults: dead-led d6".into());
        session.entries.insert(
            0,
            SessionEntry {
                tick: 0,
                item: note,
            },
        );
        let cut = session.trimmed(&span(700, None)).unwrap();
        let known = RecordedFaults {
            since_ms: 700,
            faults: "dead-led d6".parse().unwrap(),
        };
        assert_eq!(cut.recorded_faults(), [known]);
    }

    #[test]
    fn trimming_to_the_whole_adds_only_the_final_digest() {
        let session = session();
        let whole = session.trimmed(&SessionSpan::default()).unwrap();
        assert_eq!(whole.header, session.header);
        assert_eq!(whole.acts(), session.acts());
        assert_eq!(digest_at_end(&whole), digest_at_end(&session));
    }

    #[test]
    fn a_span_before_the_beginning_starts_at_it() {
        let session = session();
        let late = session.trimmed(&span(700, None)).unwrap();
        assert_eq!(
            late.trimmed(&SessionSpan::default()).unwrap().header,
            late.header
        );
    }

    #[test]
    fn notes_are_inserted_at_their_ticks_in_order() {
        let session = session();
        let notes = vec![
            (900, "second".to_owned()),
            (500, "first".to_owned()),
            (2_600, "later".to_owned()),
        ];
        let cut = session
            .trimmed(&SessionSpan {
                from_ms: 400,
                until_ms: Some(2_600),
                notes,
            })
            .unwrap();
        let lines: Vec<String> = cut.to_text().lines().skip(1).map(str::to_owned).collect();
        insta::assert_snapshot!(lines.join("\n"));
        let outside = SessionSpan {
            from_ms: 400,
            until_ms: Some(600),
            notes: vec![(700, "too late".to_owned())],
        };
        assert!(matches!(
            session.trimmed(&outside),
            Err(TrimError::Note(700))
        ));
    }

    #[test]
    fn trimming_a_session_of_other_firmware_is_refused() {
        let mut other = Session::new(session().header);
        other.push(600, SessionItem::Digest(5));
        let error = other
            .trimmed(&SessionSpan::default())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("tick 600: the digest is "), "{error}");
        assert!(error.contains("recorded from other firmware"), "{error}");
    }

    #[test]
    fn a_span_outside_the_session_is_refused() {
        let session = session();
        let error = session
            .trimmed(&span(1_000_000, None))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("the span from 1000000 to "), "{error}");
        assert!(session.trimmed(&span(500, Some(400))).is_err());
    }
}
