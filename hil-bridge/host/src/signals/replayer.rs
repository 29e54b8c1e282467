//! Computes the waveforms of a session by repeating it.

use protocol::{KnownLayout, StampedEvent, Tick};

use super::{Signal, SignalReader, SignalValue};
use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Header, Session, SessionClock, SessionEntry, SessionItem};

/// The values of a signal over a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waveform {
    /// The signal that was recorded.
    pub signal: Signal,
    /// The values, each with the ms at which it begins; no two successive ones are equal.
    pub changes: Vec<(Tick, SignalValue)>,
}

impl Waveform {
    /// The value at this time; `None` before the first one.
    #[must_use]
    pub fn at(&self, ms: Tick) -> Option<&SignalValue> {
        let after = self.changes.partition_point(|(since, _)| *since <= ms);
        let (_, value) = self.changes.get(after.checked_sub(1)?)?;
        Some(value)
    }

    /// The value at the beginning of a span, and the changes within it.
    pub fn within(&self, from: Tick, until: Tick) -> impl Iterator<Item = (Tick, &SignalValue)> {
        let first = self.changes.partition_point(|(since, _)| *since <= from);
        let begin = first.saturating_sub(1);
        let changes = self.changes[begin..].iter();
        changes
            .take_while(move |(since, _)| *since <= until)
            .map(move |(since, value)| ((*since).max(from), value))
    }

    /// True if all its values are bits.
    #[must_use]
    pub fn is_bits(&self) -> bool {
        let is_bit = |value: &SignalValue| matches!(value, SignalValue::Bit(_));
        self.changes.iter().all(|(_, value)| is_bit(value))
    }

    /// Sets the value from this time on.
    pub(super) fn set(&mut self, ms: Tick, value: SignalValue) {
        // A value that lasted for no time is dropped.
        self.changes.pop_if(|(since, _)| *since == ms);
        if self.changes.last().is_none_or(|(_, last)| *last != value) {
            self.changes.push((ms, value));
        }
    }
}

/// Waveforms of the same stretch of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waveforms {
    /// The layout, for the names of points.
    pub layout: KnownLayout,
    /// Ms at which they begin.
    pub from: Tick,
    /// Ms up to which they were computed.
    pub until: Tick,
    /// A waveform for each signal.
    pub waves: Vec<Waveform>,
}

impl Waveforms {
    /// The part between two times, as far as it was computed.
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

    /// Drops the waveforms that never change.
    pub fn drop_constant(&mut self) {
        self.waves.retain(|wave| wave.changes.len() > 1);
    }

    /// The changes of all waveforms in the order of time, each with the index of its
    /// waveform.
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

/// Follows a session, and keeps a waveform of each signal, in the time of the session
/// ([`SessionClock`]).
pub struct SignalReplayer {
    header: Header,
    board: CoreDriver,
    reader: SignalReader,
    found: Waveforms,
    /// The entries of the session that were repeated so far.
    done: Vec<SessionEntry>,
    clock: SessionClock,
    events: Vec<StampedEvent>,
    restarts: u32,
}

impl SignalReplayer {
    /// A recorder for sessions with this header.
    ///
    /// # Errors
    /// When no board in this process can begin as the header says.
    pub fn new(header: &Header, signals: Vec<Signal>) -> Result<SignalReplayer, DriverError> {
        let mut board = CoreDriver::with_games(*header.layout, header.roster, header.seed)?;
        header.begin(&mut board)?;
        let waves = signals.iter().map(|signal| Waveform {
            signal: signal.clone(),
            changes: Vec::new(),
        });
        let from = board.tick();
        let mut recorder = SignalReplayer {
            header: header.clone(),
            found: Waveforms {
                layout: board.layout().into(),
                from,
                until: from,
                waves: waves.collect(),
            },
            board,
            reader: SignalReader::new(signals),
            done: Vec::new(),
            clock: SessionClock::default(),
            events: Vec::new(),
            restarts: 0,
        };
        // Events before the first tick belong to no signal.
        recorder.board.take_events();
        recorder.collect();
        Ok(recorder)
    }

    /// The waveforms of these signals over a whole session.
    ///
    /// # Errors
    /// As [`SignalReplayer::new`].
    pub fn whole(session: &Session, signals: Vec<Signal>) -> Result<Waveforms, DriverError> {
        let mut recorder = SignalReplayer::new(&session.header, signals)?;
        recorder.follow(session, usize::MAX)?;
        Ok(recorder.found)
    }

    /// The waveforms recorded so far.
    #[must_use]
    pub fn found(&self) -> &Waveforms {
        &self.found
    }

    /// The events so far, stamped with the time of the waveforms.
    #[must_use]
    pub fn events(&self) -> &[StampedEvent] {
        &self.events
    }

    /// The number of times that a session did not continue the one before. Each time, the
    /// waveforms and events began anew.
    #[must_use]
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// The board, at the end of the waveforms.
    #[must_use]
    pub fn board(&self) -> &CoreDriver {
        &self.board
    }

    /// Follows a session, with at most this many looks at the board; true once its end is
    /// reached. A session that does not continue the one followed so far is followed from
    /// its beginning.
    ///
    /// # Errors
    /// As [`SignalReplayer::new`].
    pub fn follow(&mut self, session: &Session, most_looks: usize) -> Result<bool, DriverError> {
        let goes_on = session.header == self.header && session.entries.starts_with(&self.done);
        if !goes_on {
            let signals = self.reader.signals().to_vec();
            let restarts = self.restarts.wrapping_add(1);
            *self = SignalReplayer::new(&session.header, signals)?;
            self.restarts = restarts;
        }
        let mut looks_left = most_looks;
        while let Some(entry) = session.entries.get(self.done.len()) {
            if !self.pass_to(entry.tick, &mut looks_left)? {
                return Ok(false);
            }
            // The session may have grown by the next call.
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

    fn do_next(&mut self, entry: SessionEntry) -> Result<(), DriverError> {
        self.sense(&entry.item);
        self.clock.pass(&entry);
        if entry.item.is_done() {
            match entry.item.carry_out(&mut self.board) {
                // The board refused the same when it was recorded.
                Ok(()) | Err(DriverError::Refused(_)) => {}
                Err(error) => return Err(error),
            }
            if entry.item.jumps() {
                self.found.layout = self.board.layout().into();
            }
            self.collect();
        }
        self.done.push(entry);
        Ok(())
    }

    /// Takes in what contacts did at this tick, and faults.
    fn sense(&mut self, item: &SessionItem) {
        self.reader.sense(item);
        match item {
            SessionItem::Contact(_) => self.begin_contacts(),
            SessionItem::Note(_) => {}
            _ => return,
        }
        self.collect();
    }

    /// Begins the waveforms of contacts, unless they have begun.
    fn begin_contacts(&mut self) {
        for wave in &mut self.found.waves {
            // Until the first one closed, all were open.
            if wave.signal.is_contact() && wave.changes.is_empty() {
                wave.set(self.found.from, SignalValue::Bit(false));
            }
        }
    }

    /// Lets time pass up to a tick of the board; false if the looks run out.
    fn pass_to(&mut self, tick: Tick, looks_left: &mut usize) -> Result<bool, DriverError> {
        while self.board.tick() < tick {
            let Some(left) = looks_left.checked_sub(1) else {
                return Ok(false);
            };
            *looks_left = left;
            let next = next_look(self.board.board(), &self.reader, tick);
            self.board.step(&[], next - self.board.tick())?;
            self.collect();
        }
        Ok(true)
    }

    /// The time of the waveforms.
    fn now(&self) -> Tick {
        self.clock.time(self.board.tick())
    }

    fn collect(&mut self) {
        let now = self.now();
        for event in self.board.take_events() {
            self.reader.count(&event.event);
            self.events.push(StampedEvent { tick: now, ..event });
        }
        for (index, value) in self.reader.read(self.board.board()) {
            self.found.waves[index].set(now, value);
        }
        self.found.until = now;
    }
}

/// The next tick at which one of these signals may change without an input, and `until` at
/// most.
pub(super) fn next_look(
    board: &firmware_core::AnyBoard,
    reader: &SignalReader,
    until: Tick,
) -> Tick {
    let now = board.tick();
    let wake = board.wakes_at().unwrap_or(until);
    let blink = match reader.has_blinking() {
        true => board.frame().changes_in_ms(now),
        false => None,
    };
    let blink = blink.map_or(until, |in_ms| now + Tick::from(in_ms));
    // The tick is a part of the state, so the hash changes with every tick.
    let hash = match reader.signals().contains(&Signal::Hash) {
        true => now + 1,
        false => until,
    };
    wake.min(blink).min(hash).max(now + 1).min(until)
}
