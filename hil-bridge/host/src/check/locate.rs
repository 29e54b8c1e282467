//! The first tick at which a board and its twin differ.

use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::Tick;

use super::{CheckStep, Evidence, Pair};
use crate::compare::Difference;
use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Header, SessionItem};

/// Starts both boards from the state before the failing step, and bisects the time to
/// find the first tick at which they differ. Once they differ, they stay different.
/// `None` if they do not differ this time.
///
/// # Errors
/// When the board cannot be reached.
pub fn first(
    board: &mut dyn Driver,
    before: &AnyBoard,
    items: &[SessionItem],
    ticks: Tick,
) -> Result<Option<Difference>, DriverError> {
    let mut buffer = vec![0; SNAPSHOT_BYTES];
    let Some(state) = before.save(&mut buffer) else {
        return Ok(None);
    };
    // Tries the actions of the step one by one, since the last ones may be irrelevant.
    for end in 0..items.len() {
        let (done, _) = items.split_at(end + 1);
        if let Some(found) = differs_after(board, state, done, 0)? {
            return Ok(Some(found));
        }
    }
    let mut wrong = match differs_after(board, state, items, ticks)? {
        Some(found) => found,
        None => return Ok(None),
    };
    let (mut right, mut at) = (0, ticks);
    while at - right > 1 {
        let middle = right + (at - right) / 2;
        match differs_after(board, state, items, middle)? {
            Some(found) => (at, wrong) = (middle, found),
            None => right = middle,
        }
    }
    Ok(Some(wrong))
}

fn differs_after(
    board: &mut dyn Driver,
    state: &[u8],
    items: &[SessionItem],
    ticks: Tick,
) -> Result<Option<Difference>, DriverError> {
    let mut twin = CoreDriver::with_games(board.layout(), board.roster(), 0)?;
    for driver in [&mut twin as &mut dyn Driver, &mut *board] {
        match driver.load(state) {
            Err(DriverError::Refused(_)) => return Ok(None),
            done => done?,
        }
        driver.take_events();
    }
    let mut pair = Pair {
        twin,
        board,
        told: Vec::new(),
    };
    let sign: Option<Evidence> = pair.step(items, ticks)?;
    sign.map(|sign| pair.explain(&sign)).transpose()
}

/// The number of steps after which these show a difference; `None` if they show none.
///
/// # Errors
/// When the board cannot be reached.
pub fn shows(
    board: &mut dyn Driver,
    header: &Header,
    steps: &[CheckStep],
) -> Result<Option<usize>, DriverError> {
    let mut pair = Pair::begin(board, header)?;
    for (step, number) in steps.iter().zip(1..) {
        if pair.step(&step.items, step.ticks)?.is_some() {
            return Ok(Some(number));
        }
    }
    Ok(None)
}
