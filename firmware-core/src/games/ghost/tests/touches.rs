//! What each touch does: a catch and its rings, a point beside the ghost, a wrong touch.

use protocol::Colour;

use super::*;
use crate::game::Touch;

#[test]
fn green_begins_and_the_ghost_shows_whose_turn_it_is() {
    let mut table = TestedGame::start(0, 1);
    assert_eq!(table.game.turn(), Some(Side::Green));
    let ghost = table.ghost();
    assert!(
        ghost
            .into_iter()
            .all(|point| table.picture().get(point) == Colour::GREEN)
    );
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(
        ghost
            .into_iter()
            .all(|point| table.picture().get(point) == Colour::RED)
    );
}

// "The players try to 'catch the ghost' by pressing one of the four points
// while it is on. When this happens, the current player gets a point."

#[test]
fn in_modes_0_and_2_each_of_the_four_points_catches_the_ghost() {
    for mode in [0, 2] {
        for (column, row) in [(4, 4), (5, 4), (4, 5), (5, 5)] {
            let mut table = TestedGame::middle(mode);
            assert_eq!(table.tap(column, row), Touch::Move(0));
            assert_eq!(table.score(), [1, 0]);
            assert_eq!(table.game.turn(), Some(Side::Red));
            assert!(table.game.lit().is_empty());
        }
    }
}

#[test]
fn a_point_the_ghost_has_left_catches_nothing() {
    let mut table = TestedGame::middle(0);
    let before = table.ghost();
    table.wait(500);
    let left = before.without(table.ghost()).first().unwrap();
    assert_eq!(table.touch(left), Touch::Move(0));
    assert_eq!(table.score(), [0, 0]);
}

#[test]
fn red_gets_the_point_in_reds_turn() {
    let mut table = TestedGame::position(0, Side::Red, &["aa", "aa"]).unwrap();
    table.tap(0, 0);
    assert_eq!(table.score(), [0, 1]);
    assert_eq!(table.game.turn(), Some(Side::Green));
}

// "When a player presses a point which is not of the ghost, the board switches
// it on, and the ghost does not go through it, and the 'Ghost' becomes slower."

#[test]
fn in_modes_0_and_1_a_wrong_touch_lights_its_point_for_good() {
    for mode in [0, 1] {
        let mut table = TestedGame::middle(mode);
        assert_eq!(table.tap(0, 0), Touch::Move(0));
        table.wait(100);
        assert_eq!(table.tap(0, 8), Touch::Move(0));
        assert_eq!(table.score(), [0, 0]);
        for _ in 0..10 {
            table.wait_until_out();
            let target = table
                .game
                .targets(table.walk().corner, table.ground.grid())
                .first()
                .unwrap();
            table.touch(target);
        }
        table.wait_until_out();
        assert_eq!(table.picture().get(table.at(0, 0)), Colour::GREEN);
        assert_eq!(table.picture().get(table.at(0, 8)), Colour::RED);
        assert_eq!(table.game.lit().len(), 2);
    }
}

#[test]
fn in_modes_2_and_3_a_wrong_touch_lights_nothing() {
    for mode in [2, 3] {
        let mut table = TestedGame::middle(mode);
        assert_eq!(table.tap(0, 0), Touch::Move(0));
        assert!(table.game.lit().is_empty());
        assert_eq!(table.picture().get(table.at(0, 0)), Colour::OFF);
        assert_eq!(table.game.turn(), Some(Side::Red));
    }
}

/// Nobody can see the board's finger.
#[test]
fn in_modes_2_and_3_a_miss_of_the_board_is_briefly_amber() {
    for mode in 0..4 {
        let mut table = TestedGame::middle(mode);
        let (miss, amber) = (table.at(0, 0), table.points(&["a"]));
        table.tap(8, 8);
        assert!(table.shown(Colour::AMBER).is_empty(), "a person's own");
        table.wait(DEAF_MS);
        table.with(|game, _, context| game.announce(miss, context));
        assert_eq!(table.touch(miss), Touch::Move(0));
        if mode < 2 {
            assert!(table.shown(Colour::AMBER).is_empty(), "it is lit in red");
            continue;
        }
        assert_eq!(table.shown(Colour::AMBER), amber);
        table.wait(PRESS_MS - 1);
        assert_eq!(table.shown(Colour::AMBER), amber);
        table.wait(1);
        assert!(table.shown(Colour::AMBER).is_empty());
    }
}

#[test]
fn touching_a_lit_point_without_score_is_ignored() {
    for mode in 0..4 {
        let rows = ["g.......r", "", "", "", "....aa", "....aa"];
        let mut table = TestedGame::position(mode, Side::Green, &rows).unwrap();
        for (column, row) in [(0, 0), (8, 0)] {
            let before = table.game.clone();
            assert!(!table.legal().has(table.at(column, row)));
            assert_eq!(table.tap(column, row), Touch::Ignored);
            assert_eq!(table.game, before);
        }
    }
}

#[test]
fn in_modes_0_and_2_a_lit_point_beside_the_ghost_is_ignored() {
    for mode in [0, 2] {
        let rows = ["", "", "", "...g", "....aa", "....aa"];
        let mut table = TestedGame::position(mode, Side::Green, &rows).unwrap();
        assert_eq!(table.tap(3, 3), Touch::Ignored);
    }
}

#[test]
fn a_second_touch_within_100_ms_of_a_wrong_one_is_dropped() {
    let mut table = TestedGame::middle(0);
    table.tap(0, 0);
    assert_eq!(table.game.wakes_at(), Some(100));
    table.wait(99);
    let before = table.game.clone();
    assert!(table.legal().is_empty());
    assert_eq!(table.tap(4, 4), Touch::Ignored);
    assert_eq!(table.game, before);
    table.wait(1);
    assert_eq!(table.tap(4, 4), Touch::Move(0));
    assert_eq!(table.score(), [0, 1]);
}

#[test]
fn the_ghost_moves_on_while_a_second_touch_is_dropped() {
    let mut table = TestedGame::middle(2);
    table.wait(450);
    table.tap(0, 0);
    let before = table.ghost();
    table.wait(50);
    assert_ne!(table.ghost(), before);
    assert!(table.legal().is_empty());
    table.wait(50);
    assert!(!table.legal().is_empty());
}

// "In modes 1 and 3 [...] the players need to touch a point near the ghost, but
// not the ghost itself. If a player touches the ghost itself, the other player
// gets a point."

#[test]
fn in_modes_1_and_3_the_twelve_points_around_the_ghost_score() {
    for mode in [1, 3] {
        let around_ghost = TestedGame::middle(mode);
        let near = around_ghost.ground.neighbours(around_ghost.ghost());
        assert_eq!(near.len(), 12);
        for point in near {
            let mut table = TestedGame::middle(mode);
            assert_eq!(table.touch(point), Touch::Move(0));
            assert_eq!(table.score(), [1, 0]);
            assert_eq!(table.game.turn(), Some(Side::Red));
            assert_eq!((table.game.wrong, table.game.lit()), (0, Points::NONE));
            assert_eq!(table.picture().get(point), Colour::GREEN, "the pattern");
        }
    }
}

#[test]
fn in_modes_1_and_3_touching_the_ghost_scores_for_the_opponent() {
    for mode in [1, 3] {
        for (column, row) in [(4, 4), (5, 4), (4, 5), (5, 5)] {
            let mut table = TestedGame::middle(mode);
            assert_eq!(table.tap(column, row), Touch::Move(0));
            assert_eq!(table.score(), [0, 1]);
            assert_eq!(table.game.turn(), Some(Side::Red));
            assert_eq!((table.game.wrong, table.game.lit()), (0, Points::NONE));
            assert_eq!(table.picture().get(table.at(column, row)), Colour::RED);
        }
    }
}

#[test]
fn in_modes_1_and_3_a_lit_point_near_the_ghost_scores() {
    for mode in [1, 3] {
        let rows = ["", "", "", "...r", "....aa", "....aa"];
        let mut table = TestedGame::position(mode, Side::Green, &rows).unwrap();
        assert!(table.legal().has(table.at(3, 3)));
        assert_eq!(table.tap(3, 3), Touch::Move(0));
        assert_eq!(table.score(), [1, 0]);
        table.wait(1200);
        assert_eq!(table.picture().get(table.at(3, 3)), Colour::RED);
    }
}

#[test]
fn in_modes_1_and_3_two_points_away_is_not_near() {
    for mode in [1, 3] {
        let mut table = TestedGame::middle(mode);
        assert_eq!(table.tap(2, 4), Touch::Move(0));
        assert_eq!((table.score(), table.game.wrong), ([0, 0], 1));
        assert_eq!(table.game.lit().len(), usize::from(mode == 1));
    }
}

#[test]
fn in_modes_0_and_2_a_point_near_the_ghost_is_a_miss() {
    for mode in [0, 2] {
        let mut table = TestedGame::middle(mode);
        assert_eq!(table.tap(3, 3), Touch::Move(0));
        assert_eq!((table.score(), table.game.wrong), ([0, 0], 1));
        assert_eq!(table.game.lit().len(), usize::from(mode == 0));
    }
}
