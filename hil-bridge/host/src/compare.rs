//! Finds the first field in which two boards differ, with both values.
//!
//! Unequal digests only show that two states differ, so both states are read and compared
//! field by field.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use firmware_core::AnyBoard;
use protocol::Tick;

use crate::divergence::{NamedDifference, frame_difference};
use crate::driver::{Driver, DriverError};
use crate::state_fields::{StateField, fields_of};

/// A field with different values on a board and its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The tick at which the field differs.
    pub tick: Tick,
    /// The path of the field in the state: `referee.turn_time_ms`.
    pub field: String,
    /// The value on the twin.
    pub twin: String,
    /// The value on the board.
    pub board: String,
}

impl Difference {
    /// The difference found at this tick.
    #[must_use]
    pub fn at(tick: Tick, named: NamedDifference) -> Difference {
        let NamedDifference { field, twin, board } = named;
        Difference {
            tick,
            field,
            twin,
            board,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            tick,
            field,
            twin,
            board,
        } = self;
        write!(
            f,
            "tick {tick}: {field}: {board} on the board, {twin} on its twin"
        )
    }
}

/// Compares a board with its twin at this moment; `None` if they are equal.
///
/// # Errors
/// When the board cannot be reached.
pub fn compare(twin: &AnyBoard, board: &mut dyn Driver) -> Result<Option<Difference>, DriverError> {
    let digest = board.digest()?;
    compare_with(twin, board, digest)
}

/// [`compare`] for a board whose digest is already known.
///
/// # Errors
/// When the board cannot be reached.
pub fn compare_with(
    twin: &AnyBoard,
    board: &mut dyn Driver,
    digest: u64,
) -> Result<Option<Difference>, DriverError> {
    let tick = twin.tick();
    if digest == twin.digest() {
        let frame = frame_difference(twin.layout(), twin.frame(), board.frame());
        return Ok(frame.map(|named| Difference::at(tick, named)));
    }
    let state = board.save()?;
    let mut other = twin.clone();
    let found = match other.load(&state) {
        Ok(()) => state_difference(twin, &other)
            .or_else(|| frame_difference(twin.layout(), twin.frame(), board.frame())),
        Err(_) => Some(NamedDifference::new(
            "state",
            "a state",
            "bytes that are not a state",
        )),
    };
    let named = found.unwrap_or_else(|| digest_difference(twin.digest(), digest));
    Ok(Some(Difference::at(tick, named)))
}

/// A difference between two digests, in the form of a field.
#[must_use]
pub fn digest_difference(twin: u64, board: u64) -> NamedDifference {
    let [twin, board] = [twin, board].map(|digest| format!("{digest:016x}"));
    NamedDifference::new("digest", twin, board)
}

/// All fields in which two states differ, in the order of their paths: the path and
/// both values, `none` for a missing field.
#[must_use]
pub fn state_differences(twin: &AnyBoard, board: &AnyBoard) -> Vec<NamedDifference> {
    let [twin, board] = [twin, board].map(|board| {
        let fields = fields_of(board, board.layout()).into_iter();
        let named = fields.map(|field| (field.path, field.value));
        named.collect::<BTreeMap<String, String>>()
    });
    let paths: BTreeSet<&String> = twin.keys().chain(board.keys()).collect();
    let value = |of: &BTreeMap<String, String>, path| {
        let value = of.get(path).map_or("none", String::as_str);
        value.to_owned()
    };
    let both = paths
        .into_iter()
        .map(|path| NamedDifference::new(path, value(&twin, path), value(&board, path)));
    both.filter(|named| named.twin != named.board).collect()
}

/// The first field in which two states differ: its path and both values.
#[must_use]
pub fn state_difference(twin: &AnyBoard, board: &AnyBoard) -> Option<NamedDifference> {
    let [twin, board] = [twin, board].map(|board| fields_of(board, board.layout()));
    let nothing = StateField::default();
    let longer = twin.len().max(board.len());
    let pairs = (0..longer).map(|place| {
        let of = |fields: &'_ [StateField]| fields.get(place).cloned();
        (of(&twin), of(&board))
    });
    for (twin, board) in pairs {
        if twin == board {
            continue;
        }
        let twin = twin.unwrap_or_else(|| nothing.clone());
        let board = board.unwrap_or_else(|| nothing.clone());
        // A field may be a structure in one state and absent in the other.
        let place = if board.path.starts_with(&twin.path) || twin.path.len() < board.path.len() {
            &twin.path
        } else {
            &board.path
        };
        let value = |field: &StateField| match field.path == *place {
            true => field.value.clone(),
            false => format!("{}: {}", field.path, field.value),
        };
        return Some(NamedDifference::new(place, value(&twin), value(&board)));
    }
    None
}

#[cfg(test)]
mod tests {
    use firmware_core::silent;
    use protocol::{Button, Deed, Input, Layout, Point, Settings};

    use super::*;
    use crate::driver::CoreDriver;

    fn board() -> AnyBoard {
        AnyBoard::new(Layout::MALDOO, 7).unwrap()
    }

    #[test]
    fn equal_boards_have_no_difference() {
        assert_eq!(state_difference(&board(), &board()), None);
        assert!(fields_of(&board(), Layout::MALDOO).len() > 20);
    }

    #[test]
    fn the_first_field_is_named_with_both_values() {
        let (twin, mut other) = (board(), board());
        let settings = Settings {
            level: 3,
            ..Settings::default()
        };
        other
            .carry_out(&Deed::Settings(settings), &mut silent)
            .unwrap();
        let found = state_difference(&twin, &other).unwrap();
        assert_eq!(
            found,
            NamedDifference::new("panel.settings.level", "0", "3")
        );
    }

    #[test]
    fn all_differing_fields_are_named() {
        let (twin, mut other) = (board(), board());
        let settings = Settings {
            level: 3,
            time: 2,
            ..Settings::default()
        };
        other
            .carry_out(&Deed::Settings(settings), &mut silent)
            .unwrap();
        let found = state_differences(&twin, &other);
        let paths: Vec<&str> = found.iter().map(|named| named.field.as_str()).collect();
        for path in ["panel.settings.level", "panel.settings.time"] {
            assert!(paths.contains(&path), "{found:?}");
        }
        assert_eq!(state_differences(&twin, &twin), []);
    }

    #[test]
    fn a_structure_on_one_board_only_is_named() {
        // A board shows its game's name until a game begins, or for a while.
        let (mut twin, mut other) = (board(), board());
        other.input(Input::Press(Button::Start), &mut silent);
        other.input(Input::Lift(Button::Start), &mut silent);
        let found = state_difference(&twin, &other);
        let name = NamedDifference::new("panel.notice", "panel.notice.0: Name", "none");
        assert_eq!(found, Some(name));
        for board in [&mut twin, &mut other] {
            board.advance(3_000, &mut silent);
        }
        let found = state_difference(&twin, &other).unwrap();
        assert_eq!((&*found.field, &*found.twin), ("referee", "none"));
        assert!(found.board.starts_with("referee."), "{found:?}");
    }

    #[test]
    fn a_driver_is_compared_in_everything_it_shows() {
        let mut driver = CoreDriver::new(Layout::MALDOO, 7).unwrap();
        assert_eq!(compare(&board(), &mut driver).unwrap(), None);
        driver.step(&[Input::Touch(Point(3))], 0).unwrap();
        let found = compare(&board(), &mut driver).unwrap().unwrap();
        assert!(found.field.starts_with("fingers"), "{found}");
    }
}
