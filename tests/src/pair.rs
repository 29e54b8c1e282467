//! One play on two boards: the one in this process, and another anywhere.

use hil_bridge::{BridgeError, CoreDriver, Driver};
use protocol::{Input, Point, Tick};

use crate::{Deed, Play};

/// Where two boards first differed.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The deed after which they did, counted from 0; `None` before the first.
    pub deed: Option<usize>,
    /// The tick of the board in this process.
    pub tick: Tick,
    /// What was compared.
    pub what: String,
}

/// Sets both boards up and does the same to both, comparing tick, digest, frame
/// and events after every deed. `Ok(None)` if they agreed all the way.
///
/// # Errors
/// When one of the boards cannot be reached.
pub fn compare(play: &Play, other: &mut dyn Driver) -> Result<Option<Difference>, BridgeError> {
    let mut own = CoreDriver::new(play.layout, play.seed)?;
    other.reset(play.seed, play.layout)?;
    own.set_settings(play.settings)?;
    other.set_settings(play.settings)?;
    if let Some(what) = first_difference(&mut own, other)? {
        return Ok(Some(Difference {
            deed: None,
            tick: own.tick(),
            what,
        }));
    }
    for (place, deed) in play.deeds.iter().enumerate() {
        // What is legal is asked of one board and done on both: a board that
        // thinks otherwise will differ.
        let choice = match deed {
            Deed::PlayLegal(choice) => crate::legal_point(own.board(), *choice),
            _ => None,
        };
        carry_out(deed, choice, &mut own)?;
        carry_out(deed, choice, other)?;
        if let Some(what) = first_difference(&mut own, other)? {
            return Ok(Some(Difference {
                deed: Some(place),
                tick: own.tick(),
                what,
            }));
        }
    }
    Ok(None)
}

fn carry_out(
    deed: &Deed,
    choice: Option<Point>,
    board: &mut dyn Driver,
) -> Result<(), BridgeError> {
    match (deed, choice) {
        (Deed::Do(input), _) => board.step(&[*input], 0),
        (Deed::PlayLegal(_), Some(point)) => {
            board.step(&[Input::Touch(point), Input::Release(point)], 0)
        }
        (Deed::PlayLegal(_), None) => Ok(()),
        (Deed::Wait(ticks), _) => board.step(&[], *ticks),
        (Deed::Set(settings), _) => board.set_settings(*settings),
    }
}

fn first_difference(
    own: &mut CoreDriver,
    other: &mut dyn Driver,
) -> Result<Option<String>, BridgeError> {
    let (own_digest, other_digest) = (own.digest()?, other.digest()?);
    let (own_events, other_events) = (own.take_events(), other.take_events());
    Ok(if own.tick() != other.tick() {
        Some(format!("tick: {} here, {} there", own.tick(), other.tick()))
    } else if own.frame() != other.frame() {
        Some(format!(
            "frame: {:?} here, {:?} there",
            own.frame(),
            other.frame()
        ))
    } else if own_digest != other_digest {
        Some(format!(
            "digest: {own_digest:016x} here, {other_digest:016x} there"
        ))
    } else if own_events != other_events {
        Some(format!(
            "events: {own_events:?} here, {other_events:?} there"
        ))
    } else {
        None
    })
}
