//! Runs a board to the very tick at which a condition is met.

use firmware_core::AnyBoard;
use protocol::{StampedEvent, Tick};

use super::names::no_path;
use super::{Signal, SignalCondition, SignalError, SignalReader, SignalReading, SignalWatch};
use crate::compare::{Difference, compare_with};
use crate::driver::{Driver, DriverError};
use crate::pieces::board_of_state;
use crate::session::{SessionEntry, SessionItem};
use crate::state_fields::fields_of;

/// Where a board stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The tick at which it stopped.
    pub tick: Tick,
    /// After how many ms; 0 if the condition was met already.
    pub after_ms: Tick,
    /// The signals of the condition there, by name.
    pub values: Vec<SignalReading>,
}

/// Why a board did not stop where it was to.
#[derive(Debug, thiserror::Error)]
pub enum UntilError {
    /// The condition was not met in time, for which the board has run.
    #[error(
        "{condition}: not within {within_ms} ms; at tick {tick} {}",
        values_in_words(values)
    )]
    NotWithin {
        /// The condition that was not met.
        condition: String,
        /// For how long it was waited, in ms.
        within_ms: Tick,
        /// The tick of the board now.
        tick: Tick,
        /// The signals of the condition now, by name.
        values: Vec<SignalReading>,
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

/// The values of signals in words: `turn is red, legal is 4`.
#[must_use]
pub fn values_in_words(values: &[SignalReading]) -> String {
    let each = values
        .iter()
        .map(|SignalReading { name, value }| format!("{name} is {value}"));
    each.collect::<Vec<_>>().join(", ")
}

/// Takes in what the contacts of this board did, and hands it on.
fn sense(board: &mut dyn Driver, counted: &mut SignalReader) -> Vec<SessionItem> {
    let Some(sensed) = board.take_sensed() else {
        return Vec::new();
    };
    counted.know_contacts();
    let items: Vec<SessionItem> = sensed
        .into_iter()
        .map(|stamped| SessionEntry::from(stamped).item)
        .collect();
    items.iter().for_each(|item| counted.sense(item));
    items
}

/// A copy of a board in this process.
fn copy_of(board: &mut dyn Driver) -> Result<AnyBoard, UntilError> {
    let state = board.save()?;
    board_of_state(&state).ok_or_else(|| UntilError::Unreadable(board.at().to_owned()))
}

/// Checks that the board has a signal: a field of its state exists, contacts are told, and
/// it is not one of the line.
fn check_signal(
    signal: &Signal,
    twin: &AnyBoard,
    counted: &SignalReader,
) -> Result<(), UntilError> {
    if signal.is_contact() && !counted.knows_contacts() {
        return Err(SignalError::NoContacts(signal.name(twin.layout())).into());
    }
    if signal.is_of_line() {
        return Err(SignalError::NoLine(signal.name(twin.layout())).into());
    }
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
    sense(board, counted);
    for signal in condition.signals() {
        check_signal(&signal, &twin, counted)?;
    }
    let begin = twin.tick();
    let end = begin.saturating_add(within_ms);
    counted.know_faults(&board.faults().board);
    let mut watch = SignalWatch::new(condition.clone(), counted);
    let is_faulty = !board.faults().board.are_none();
    let is_met = loop {
        let is_met = watch.poll(&twin);
        if is_met || twin.tick() >= end {
            break is_met;
        }
        if is_faulty {
            twin = live_a_tick(board, counted, &mut watch.reader, heard)?;
        } else {
            let next = watch.next_look(&twin, end);
            let ticks = next.max(twin.tick() + 1) - twin.tick();
            twin.step(ticks, &mut |_, event| watch.reader.count(&event));
        }
    };
    let values = watch.values(&twin);
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
            values,
        }),
        false => Err(UntilError::NotWithin {
            condition: condition.to_string(),
            within_ms,
            tick,
            values,
        }),
    }
}
