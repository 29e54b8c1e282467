//! The rules on boards of every shape, and the laws.

use protocol::Layout;

use super::*;
use crate::games::testing::{self, hexagon};

type Table = testing::Table<u128, Col<u128>>;

// Few of its states are sound: each point that is lit forbids others.
testing::laws!(
    Col,
    testing::in_turns,
    Floors {
        forgeries: 8,
        ..Floors::USUAL
    }
);

fn names(table: &Table, points: Points<u128>) -> std::vec::Vec<std::string::String> {
    let layout = table.ground.layout();
    points
        .map(|point| std::format!("{}", layout.name(point)))
        .collect()
}

fn play(table: &mut Table, moves: &str) {
    for name in moves.split_whitespace() {
        let point = table.ground.layout().point(name).unwrap();
        assert_eq!(table.touch(point), Touch::Move(0), "{name}");
    }
}

#[test]
fn in_col_a_point_does_not_touch_one_of_its_own_colour() {
    let mut table = Table::begin(Layout::grid(3, 1).unwrap(), 0, 1).unwrap();
    play(&mut table, "b1");
    assert_eq!(names(&table, table.legal()), ["a1", "c1"]);
    play(&mut table, "a1");
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn in_snort_a_point_does_not_touch_one_of_the_other_colour() {
    let mut table = Table::begin(Layout::grid(3, 1).unwrap(), 1, 1).unwrap();
    play(&mut table, "b1");
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn corners_do_not_touch_on_a_rectangle() {
    let mut table = Table::begin(Layout::grid(2, 2).unwrap(), 1, 1).unwrap();
    play(&mut table, "a1 b2");
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn on_a_hexagon_a_point_touches_six() {
    let mut table = Table::begin(hexagon(), 0, 1).unwrap();
    play(&mut table, "e5 a1");
    let dark = table.ground.all().len() - 2;
    assert_eq!(table.legal().len(), dark - 6);
    let refused = ["d5", "f5", "e6", "f6", "d4", "e4"];
    for name in refused {
        let point = table.ground.layout().point(name).unwrap();
        assert_eq!(table.touch(point), Touch::Illegal, "{name}");
    }
    assert_eq!(table.score(), [1, 1]);
}
