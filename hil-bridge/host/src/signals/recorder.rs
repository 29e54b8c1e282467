//! Waveforms of a session, worked out by doing it again.

use protocol::{KnownLayout, StampedEvent, Tick};

use super::{Signal, SignalReader, SignalValue};
use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Header, Session, SessionItem, TimedItem};

/// What a signal was, from its first tick on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waveform {
    /// Of what.
    pub signal: Signal,
    /// Each value and the ms from which on it was so, in order, no two equal ones in a row.
    pub changes: Vec<(Tick, SignalValue)>,
}

impl Waveform {
    /// What it was at this time; `None` before the first.
    #[must_use]
    pub fn at(&self, ms: Tick) -> Option<&SignalValue> {
        let after = self.changes.partition_point(|(since, _)| *since <= ms);
        let (_, value) = self.changes.get(after.checked_sub(1)?)?;
        Some(value)
    }

    /// The changes within a span, and what it is as the span begins.
    pub fn within(&self, from: Tick, until: Tick) -> impl Iterator<Item = (Tick, &SignalValue)> {
        let first = self.changes.partition_point(|(since, _)| *since <= from);
        let begin = first.saturating_sub(1);
        let changes = self.changes[begin..].iter();
        changes
            .take_while(move |(since, _)| *since <= until)
            .map(move |(since, value)| ((*since).max(from), value))
    }

    /// True if it is never anything but a bit.
    #[must_use]
    pub fn is_bits(&self) -> bool {
        let is_bit = |value: &SignalValue| matches!(value, SignalValue::Bit(_));
        self.changes.iter().all(|(_, value)| is_bit(value))
    }

    /// From this time on it is so.
    fn set(&mut self, ms: Tick, value: SignalValue) {
        // What was so for no time at all was not so.
        self.changes.pop_if(|(since, _)| *since == ms);
        if self.changes.last().is_none_or(|(_, last)| *last != value) {
            self.changes.push((ms, value));
        }
    }
}

/// Waveforms of the same stretch of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waveforms {
    /// Names points.
    pub layout: KnownLayout,
    /// Ms at which they begin.
    pub from: Tick,
    /// Ms up to which they are known.
    pub until: Tick,
    /// One for each signal.
    pub waves: Vec<Waveform>,
}

impl Waveforms {
    /// The part from one time to another; both are cut to what is known.
    #[must_use]
    pub fn span(&self, from: Tick, until: Tick) -> Waveforms {
        let until = until.min(self.until);
        let from = from.max(self.from).min(until);
        let cut = |wave: &Waveform| Waveform {
            signal: wave.signal.clone(),
            changes: wave
                .within(from, until)
                .map(|(since, value)| (since, value.clone()))
                .collect(),
        };
        Waveforms {
            layout: self.layout.clone(),
            from,
            until,
            waves: self.waves.iter().map(cut).collect(),
        }
    }

    /// Leaves out what is the same all the time.
    pub fn drop_constant(&mut self) {
        self.waves.retain(|wave| wave.changes.len() > 1);
    }

    /// All changes in the order of time, each with the number of its waveform.
    #[must_use]
    pub fn in_order(&self) -> Vec<(Tick, usize, &SignalValue)> {
        let each = self.waves.iter().enumerate();
        let mut all: Vec<_> = each
            .flat_map(|(index, wave)| {
                let changes = wave.changes.iter();
                changes.map(move |(since, value)| (*since, index, value))
            })
            .collect();
        all.sort_by_key(|(since, index, _)| (*since, *index));
        all
    }
}

/// What becomes of time where the ticks of a board do not count on: after a reset, or a
/// state that was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtJump {
    /// It counts on, as a clock on the wall does: for files.
    CountOn,
    /// It is the board's again, and what was before is dropped: for a timeline.
    BeginAnew,
}

/// Follows a session, and keeps a waveform for each of its signals.
pub struct SignalRecorder {
    header: Header,
    at_jump: AtJump,
    board: CoreDriver,
    reader: SignalReader,
    found: Waveforms,
    /// What was done so far.
    done: Vec<TimedItem>,
    /// What is added to a tick of the board for the time of a waveform.
    offset_ms: i64,
    events: Vec<StampedEvent>,
}

impl SignalRecorder {
    /// A recorder of sessions that begin so.
    ///
    /// # Errors
    /// When no board in this process can begin so.
    pub fn new(
        header: &Header,
        signals: Vec<Signal>,
        at_jump: AtJump,
    ) -> Result<SignalRecorder, DriverError> {
        let mut board = CoreDriver::with_games(*header.layout, header.roster, header.seed)?;
        header.begin(&mut board)?;
        let waves = signals.iter().map(|signal| Waveform {
            signal: signal.clone(),
            changes: Vec::new(),
        });
        let from = board.tick();
        let mut recorder = SignalRecorder {
            header: header.clone(),
            at_jump,
            found: Waveforms {
                layout: board.layout().into(),
                from,
                until: from,
                waves: waves.collect(),
            },
            board,
            reader: SignalReader::new(signals),
            done: Vec::new(),
            offset_ms: 0,
            events: Vec::new(),
        };
        // Events of the beginning are nobody's.
        recorder.board.take_events();
        recorder.look();
        Ok(recorder)
    }

    /// The waveforms of a whole session. Which signals is decided when the board stands
    /// where the session begins.
    ///
    /// # Errors
    /// As [`SignalRecorder::new`].
    pub fn whole(session: &Session, signals: Vec<Signal>) -> Result<Waveforms, DriverError> {
        let mut recorder = SignalRecorder::new(&session.header, signals, AtJump::CountOn)?;
        recorder.follow(session, usize::MAX)?;
        Ok(recorder.found)
    }

    /// What is known so far.
    #[must_use]
    pub fn found(&self) -> &Waveforms {
        &self.found
    }

    /// What happened so far, each event at its time.
    #[must_use]
    pub fn events(&self) -> &[StampedEvent] {
        &self.events
    }

    /// The board, at the end of what is known.
    #[must_use]
    pub fn board(&self) -> &CoreDriver {
        &self.board
    }

    /// Follows a session as far as it goes, with at most so many looks at the board.
    /// Returns true if it came to its end. A session that is not the one so far, but
    /// longer, is followed from its beginning.
    ///
    /// # Errors
    /// As [`SignalRecorder::new`].
    pub fn follow(&mut self, session: &Session, most_looks: usize) -> Result<bool, DriverError> {
        let goes_on = session.header == self.header && session.entries.starts_with(&self.done);
        if !goes_on {
            let signals = self.reader.signals().to_vec();
            *self = SignalRecorder::new(&session.header, signals, self.at_jump)?;
        }
        let mut looks_left = most_looks;
        while let Some(entry) = session.entries.get(self.done.len()) {
            if !self.pass_to(entry.tick, &mut looks_left)? {
                return Ok(false);
            }
            // More may follow where this session ends.
            if entry.item == SessionItem::End {
                break;
            }
            self.do_next(entry.clone())?;
        }
        Ok(true)
    }

    #[cfg(test)]
    pub(super) fn done_so_far(&self) -> usize {
        self.done.len()
    }

    fn do_next(&mut self, entry: TimedItem) -> Result<(), DriverError> {
        if entry.item.is_done() {
            let before = self.now();
            match entry.item.carry_out(&mut self.board) {
                // What the board refuses it refused when it was recorded.
                Ok(()) | Err(DriverError::Refused(_)) => {}
                Err(error) => return Err(error),
            }
            if entry.item.jumps() {
                self.jump(before);
            }
            self.look();
        }
        self.done.push(entry);
        Ok(())
    }

    /// Lets time pass up to a tick of the board; false if there are not enough looks.
    fn pass_to(&mut self, tick: Tick, looks_left: &mut usize) -> Result<bool, DriverError> {
        while self.board.tick() < tick {
            let Some(left) = looks_left.checked_sub(1) else {
                return Ok(false);
            };
            *looks_left = left;
            let next = next_look(self.board.board(), &self.reader, tick);
            self.board.step(&[], next - self.board.tick())?;
            self.look();
        }
        Ok(true)
    }

    /// The ticks of the board are others from now on.
    fn jump(&mut self, before: Tick) {
        let now = self.board.tick();
        match self.at_jump {
            AtJump::CountOn => self.offset_ms = before.cast_signed() - now.cast_signed(),
            AtJump::BeginAnew => {
                self.found.layout = self.board.layout().into();
                self.found.from = now;
                self.found
                    .waves
                    .iter_mut()
                    .for_each(|wave| wave.changes.clear());
                self.reader.begin_anew();
                self.events.clear();
                self.board.take_events();
            }
        }
    }

    /// The time of waveforms.
    fn now(&self) -> Tick {
        self.board.tick().saturating_add_signed(self.offset_ms)
    }

    fn look(&mut self) {
        let now = self.now();
        for event in self.board.take_events() {
            self.reader.hear(&event.event);
            self.events.push(StampedEvent { tick: now, ..event });
        }
        for (index, value) in self.reader.read(self.board.board()) {
            self.found.waves[index].set(now, value);
        }
        self.found.until = now;
    }
}

/// The next tick at which some of these signals may change by themselves, and at most
/// `until`.
#[must_use]
pub fn next_look(board: &firmware_core::AnyBoard, reader: &SignalReader, until: Tick) -> Tick {
    let now = board.tick();
    let wake = board.wakes_at().unwrap_or(until);
    let blink = match reader.has_blinking() {
        true => board.frame().changes_in_ms(now),
        false => None,
    };
    let blink = blink.map_or(until, |in_ms| now + Tick::from(in_ms));
    // The tick is a part of the state, so the hash is another one at each.
    let hash = match reader.signals().contains(&Signal::Hash) {
        true => now + 1,
        false => until,
    };
    wake.min(blink).min(hash).max(now + 1).min(until)
}
