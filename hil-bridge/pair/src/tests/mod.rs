//! The laws of a table: whatever happens to its lines, the boards stay equal.

mod bounds;
mod hostile;
mod lines;
mod messages;
mod rules;
mod table;

use proptest::prelude::*;
use protocol::{Button, Input, Point, Settings};

use crate::message::{TableDeed, TableSeat};

/// A deed: mostly touches, so that games go on.
fn deed() -> impl Strategy<Value = TableDeed> {
    let point = || (0_u8..81).prop_map(Point);
    let button = || prop::sample::select(Button::ALL.to_vec());
    let settings = (0_u8..4, 0_u8..10).prop_map(|(game, speed)| Settings {
        game,
        speed,
        ..Settings::default()
    });
    let input = prop_oneof![
        6 => point().prop_map(Input::Touch),
        3 => point().prop_map(Input::Release),
        2 => Just(Input::Press(Button::Start)),
        1 => button().prop_map(Input::Press),
        2 => button().prop_map(Input::Lift),
        1 => Just(Input::Pass),
    ];
    prop_oneof![
        12 => input.prop_map(TableDeed::Input),
        1 => settings.prop_map(TableDeed::Settings),
    ]
}

fn seat() -> impl Strategy<Value = TableSeat> {
    prop::sample::select(TableSeat::ALL.to_vec())
}
