//! The rules on boards of every shape, and the laws.

use protocol::Layout;

use super::*;
use crate::games::testing::{self, hexagon};

type TestedGame = testing::TestedGame<u128, Col<u128>>;

// Few states are sound, because each lit point makes others illegal.
testing::laws!(
    Col,
    testing::in_turns,
    Floors {
        forgeries: 8,
        ..Floors::USUAL
    }
);

fn names(table: &TestedGame, points: Points<u128>) -> std::vec::Vec<std::string::String> {
    let layout = table.ground.layout();
    points
        .map(|point| std::format!("{}", layout.name(point)))
        .collect()
}

fn play(table: &mut TestedGame, moves: &str) {
    for name in moves.split_whitespace() {
        let point = table.ground.layout().point(name).unwrap();
        assert_eq!(table.touch(point), Touch::Move(0), "{name}");
    }
}

#[test]
fn in_col_a_point_does_not_touch_one_of_its_own_colour() {
    let mut table = TestedGame::begin(Layout::grid(3, 1).unwrap(), 0, 1).unwrap();
    play(&mut table, "b1");
    assert_eq!(names(&table, table.legal()), ["a1", "c1"]);
    play(&mut table, "a1");
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn in_snort_a_point_does_not_touch_one_of_the_other_colour() {
    let mut table = TestedGame::begin(Layout::grid(3, 1).unwrap(), 1, 1).unwrap();
    play(&mut table, "b1");
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn corners_do_not_touch_on_a_rectangle() {
    let mut table = TestedGame::begin(Layout::grid(2, 2).unwrap(), 1, 1).unwrap();
    play(&mut table, "a1 b2");
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn on_a_hexagon_a_point_touches_six() {
    let mut table = TestedGame::begin(hexagon(), 0, 1).unwrap();
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

#[test]
fn a_diagram_with_forbidden_contacts_is_refused() {
    let set_up = |mode, rows: &[&str]| TestedGame::drawn(mode, Side::Green, rows).is_some();
    for (rows, in_col, in_snort) in [
        (["gr..", "...."], true, false),
        (["gg..", "...."], false, true),
        (["..r.", "..r."], false, true),
        (["grg.", "...."], true, false),
        (["g..r", ".r.."], true, true),
        (["g..a", "...."], false, false),
    ] {
        assert_eq!(set_up(0, &rows), in_col, "Col: {rows:?}");
        assert_eq!(set_up(1, &rows), in_snort, "Snort: {rows:?}");
        assert!(!set_up(2, &rows), "there is no third game");
    }
}

#[test]
fn a_side_without_points_has_lost_and_touches_are_ignored() {
    let mut table = TestedGame::drawn(0, Side::Red, &["r.r"]).unwrap();
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(table.game.turn(), None);
    assert!(table.legal().is_empty());
    assert_eq!(table.tap_at("b1"), Touch::Ignored);
    assert!(!table.pass());
    assert_eq!(table.score(), [0, 2], "points lit");
    let mut table = TestedGame::drawn(0, Side::Green, &["r.r"]).unwrap();
    assert_eq!(table.game.outcome(), None, "green may light the middle");
    assert_eq!(table.names(table.legal()), ["b1"]);
    assert_eq!(table.tap_at("b1"), Touch::Move(0));
    assert_eq!(table.drawing(), ["rgr"]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(table.score(), [1, 2]);
}

#[test]
fn impossible_states_are_refused() {
    let changes: &[testing::Change<Col<u128>>] = &[
        ("nothing", true, |_| {}),
        ("a mode that there is not", false, |col| col.mode = 2),
        ("a point off the board", false, |col| {
            col.lit[0].insert(Point(100))
        }),
        ("a point of both colours", false, |col| {
            col.lit = [Points::one(Point(5)); 2]
        }),
        ("two green points that touch", false, |col| {
            col.lit[0] = Points::one(Point(0)) | Points::one(Point(1));
        }),
        ("two red points that touch", false, |col| {
            col.lit[1] = Points::one(Point(0)) | Points::one(Point(1));
        }),
        ("a green and a red one that touch", true, |col| {
            col.lit = [0, 1].map(|point| Points::one(Point(point)));
        }),
        ("the same in Snort", false, |col| {
            col.mode = 1;
            col.lit = [0, 1].map(|point| Points::one(Point(point)));
        }),
        ("an end while points are left", false, |col| {
            col.outcome = Some(Outcome::Won(Side::Red));
        }),
    ];
    let table = TestedGame::begin(Layout::grid(4, 4).unwrap(), 0, 1).unwrap();
    for (what, expected, change) in changes {
        let mut game = table.game.clone();
        change(&mut game);
        assert_eq!(game.is_sound(&table.ground), *expected, "{what}");
    }
}
