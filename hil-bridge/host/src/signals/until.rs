//! Runs a board to the very tick at which a condition is met.

use firmware_core::AnyBoard;
use protocol::{StampedEvent, Tick};

use super::names::no_path;
use super::replayer::next_look;
use super::{Signal, SignalCondition, SignalError, SignalReader, SignalValue, SignalWatch};
use crate::compare::{Difference, compare_with};
use crate::driver::{Driver, DriverError};
use crate::pieces::board_of_state;
use crate::session::{SessionItem, TimedItem};
use crate::state_fields::fields_of;

/// Where a board stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The tick at which it stopped.
    pub tick: Tick,
    /// After how many ms; 0 if the condition was met already.
    pub after_ms: Tick,
    /// The value of the signal there.
    pub value: SignalValue,
}

/// Why a board did not stop where it was to.
#[derive(Debug, thiserror::Error)]
pub enum UntilError {
    /// The condition was not met in time, for which the board has run.
    #[error("{condition}: not within {within_ms} ms; at tick {tick} {signal} is {value}")]
    NotWithin {
        /// The condition that was not met.
        condition: String,
        /// For how long it was waited, in ms.
        within_ms: Tick,
        /// The tick of the board now.
        tick: Tick,
        /// The name of the signal.
        signal: String,
        /// The last value of the signal.
        value: SignalValue,
    },
    /// The board is not in the state that was computed for it.
    #[error("the board is not in the state that was computed: {0}")]
    Differs(Difference),
    /// There is no such signal.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// The board could not be driven.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// Its state cannot be read in this process.
    #[error(
        "the state of the board at {0} cannot be read here: it has games that this program lacks"
    )]
    Unreadable(String),
}

/// Takes in what the contacts of this board did, and hands it on.
fn sense(board: &mut dyn Driver, counted: &mut SignalReader) -> Vec<SessionItem> {
    let Some(sensed) = board.take_sensed() else {
        return Vec::new();
    };
    counted.know_contacts();
    let items: Vec<SessionItem> = sensed
        .into_iter()
        .map(|stamped| TimedItem::from(stamped).item)
        .collect();
    items.iter().for_each(|item| counted.sense(item));
    items
}

impl SignalWatch {
    /// The next tick at which the condition may become true without an input, and `until`
    /// at most.
    #[must_use]
    pub fn next_look(&self, board: &AnyBoard, reader: &SignalReader, until: Tick) -> Tick {
        let next = next_look(board, reader, until);
        self.meets_at().map_or(next, |at| at.min(next))
    }
}

/// A copy of a board in this process.
fn copy_of(board: &mut dyn Driver) -> Result<AnyBoard, UntilError> {
    let state = board.save()?;
    board_of_state(&state).ok_or_else(|| UntilError::Unreadable(board.at().to_owned()))
}

/// Checks that a field of the state exists, if the signal is one.
fn check_path(signal: &Signal, twin: &AnyBoard) -> Result<(), UntilError> {
    let Signal::State(path) = signal else {
        return Ok(());
    };
    let fields = fields_of(twin, twin.layout());
    match fields.iter().any(|field| field.path == *path) {
        true => Ok(()),
        false => Err(no_path(path, twin).into()),
    }
}

/// Lets a tick pass on a board with faults. Returns a copy of the board.
fn live_a_tick(
    board: &mut dyn Driver,
    counted: &mut SignalReader,
    reader: &mut SignalReader,
    heard: &mut Vec<StampedEvent>,
) -> Result<AnyBoard, UntilError> {
    board.step(&[], 1)?;
    for item in sense(board, counted) {
        reader.sense(&item);
    }
    let events = board.take_events();
    events.iter().for_each(|event| reader.count(&event.event));
    heard.extend(events);
    copy_of(board)
}

/// Lets time pass on a board until a condition is met, for `within_ms` at most. Counts of
/// events continue from those of `counted`; new events are appended to `heard`.
///
/// The tick is computed on a board in this process. So a board at the end of a line is
/// stepped once, and stops exactly there. A board with faults may feel touches that nobody
/// made, so its state is read at each tick instead.
///
/// # Errors
/// An [`UntilError`].
pub fn run_until(
    board: &mut dyn Driver,
    condition: &SignalCondition,
    within_ms: Tick,
    counted: &mut SignalReader,
    heard: &mut Vec<StampedEvent>,
) -> Result<Stopped, UntilError> {
    let mut twin = copy_of(board)?;
    check_path(condition.signal(), &twin)?;
    sense(board, counted);
    if condition.signal().is_contact() && !counted.knows_contacts() {
        let name = condition.signal().name(twin.layout());
        return Err(SignalError::NoContacts(name).into());
    }
    let begin = twin.tick();
    let end = begin.saturating_add(within_ms);
    counted.know_faults(&board.faults().board);
    let mut reader = counted.of(vec![condition.signal().clone()]);
    let mut watch = SignalWatch::new(condition.clone());
    let is_faulty = !board.faults().board.are_none();
    let (is_met, value) = loop {
        let Some((_, value)) = reader.read(&twin).next() else {
            break (false, SignalValue::Bit(false));
        };
        let is_met = watch.update(twin.tick(), &value);
        if is_met || twin.tick() >= end {
            break (is_met, value);
        }
        if is_faulty {
            twin = live_a_tick(board, counted, &mut reader, heard)?;
        } else {
            let next = watch.next_look(&twin, &reader, end);
            let ticks = next.max(twin.tick() + 1) - twin.tick();
            twin.step(ticks, &mut |_, event| reader.count(&event));
        }
    };
    if !is_faulty {
        let digest = board.step_and_digest(&[], twin.tick() - begin)?;
        heard.extend(board.take_events());
        if let Some(difference) = compare_with(&twin, board, digest)? {
            return Err(UntilError::Differs(difference));
        }
    }
    let tick = twin.tick();
    match is_met {
        true => Ok(Stopped {
            tick,
            after_ms: tick - begin,
            value,
        }),
        false => Err(UntilError::NotWithin {
            condition: condition.to_string(),
            within_ms,
            tick,
            signal: condition.signal().name(twin.layout()),
            value,
        }),
    }
}
