//! Mode 0, Life1: the race.

use super::*;

#[test]
fn a_turn_begins_with_a_third_of_the_points_lit() {
    let table = TestedGame::start(0, 1);
    assert_eq!(table.shown(Colour::GREEN).len(), 27);
    assert_eq!(table.shown(Colour::OFF).len(), 54);
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert!(!table.game.clock_runs());
}

/// Maldoo manual, Life: "Each 'generation' (700 milliseconds at speed 5)".
#[test]
fn a_generation_lasts_700_milliseconds_at_speed_5() {
    for mode in 0..2 {
        let mut table = TestedGame::start(mode, 1);
        let before = table.picture();
        table.wait(699);
        assert_eq!(table.picture(), before);
        table.wait(1);
        assert_ne!(table.picture(), before);
        assert_eq!(table.game.wakes_at(), Some(1_400));
    }
    assert!(GENERATION_MS.is_sorted_by(|slow, fast| slow > fast));
    let mut table = TestedGame::start(0, 1);
    table.speed = 9;
    table.wait(GENERATION);
    assert_eq!(
        table.game.wakes_at(),
        Some(GENERATION + 285),
        "speed acts at once"
    );
}

/// A block keeps itself alive, but only for six generations.
#[test]
fn a_point_dies_after_six_generations() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    for generation in 0..6 {
        assert_eq!(table.alive().len(), 4, "in generation {generation}");
        assert_eq!(table.score(), [generation, 0]);
        table.wait(GENERATION);
    }
    assert_eq!(table.score(), [6, 0]);
    assert_eq!(table.game.turn(), Some(Side::Red));
}

#[test]
fn a_pressed_point_is_new_again() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    table.wait(5 * GENERATION);
    table.tap(1, 1);
    table.tap(1, 1);
    table.wait(GENERATION);
    assert_eq!(table.alive(), Points::one(table.at(1, 1)));
}

/// Maldoo manual, Life: "When the player presses a point, it reverses its
/// status, i.e. an empty point becomes 'alive', while a 'live' point dies."
#[test]
fn a_press_inverts_a_point_immediately() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    assert_eq!(table.tap(1, 1), Touch::Move(0));
    assert_eq!(table.picture().get(table.at(1, 1)), Colour::OFF);
    assert_eq!(table.tap(8, 8), Touch::Move(0));
    assert_eq!(table.picture().get(table.at(8, 8)), Colour::GREEN);
    assert_eq!(table.game.turn(), Some(Side::Green));
}

/// Maldoo manual, Life: "The number of plays a player can perform per
/// generation is 3."
#[test]
fn three_plays_a_generation_and_no_more() {
    let mut table = TestedGame::start(0, 1);
    for generation in 0..3 {
        assert_eq!(table.legal().len(), 81);
        for column in 0..3 {
            assert_eq!(
                table.tap(column, 8),
                Touch::Move(0),
                "in generation {generation}"
            );
        }
        assert!(table.legal().is_empty());
        assert_eq!(table.tap(5, 5), Touch::Ignored);
        table.wait(GENERATION);
    }
    table.tap(0, 0);
    table.wait(GENERATION);
    for column in 0..3 {
        assert_eq!(table.tap(column, 8), Touch::Move(0));
    }
    assert_eq!(table.tap(3, 8), Touch::Ignored, "plays are not saved up");
}

/// Maldoo manual, Life: "Each player in their turn tries to 'kill' all the
/// points as fast as possible."
#[test]
fn the_press_that_kills_the_last_point_ends_the_turn_at_once() {
    let mut table = position(0, &["g", "....g", "........g"]);
    table.tap(0, 0);
    table.tap(4, 1);
    assert_eq!(table.game.turn(), Some(Side::Green));
    table.tap(8, 2);
    assert_eq!(
        table.score(),
        [0, 0],
        "before the first generation was over"
    );
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(table.alive().is_empty());
    assert!(table.legal().is_empty());
}

#[test]
fn both_players_of_a_round_get_the_same_pattern() {
    let mut table = TestedGame::start(0, 6);
    let pattern = table.shown(Colour::GREEN);
    table.kill_all();
    assert_eq!(table.game.turn(), Some(Side::Red));
    table.wait(PAUSE - 1);
    assert!(table.alive().is_empty());
    table.wait(1);
    assert_eq!(table.shown(Colour::RED), pattern);
    assert_eq!(table.legal().len(), 81);
    table.kill_all();
    assert_eq!(table.game.turn(), Some(Side::Green));
    table.wait(PAUSE);
    assert_eq!(table.shown(Colour::GREEN).len(), 27);
    assert_ne!(table.shown(Colour::GREEN), pattern);
}

/// Maldoo manual, Life: "The board accumulates the number of generations for
/// each player".
#[test]
fn the_generations_of_all_turns_of_a_player_add_up() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    let mut expected = [0, 0];
    for round in 0..4 {
        for side in 0..2 {
            assert_eq!(table.game.turn(), Some(Side::BOTH[side]));
            table.race().cells = Aged::new(Points::one(Point(0)));
            table.wait(GENERATION);
            expected[side] += 1;
            assert_eq!(table.score(), expected, "round {round}");
            table.wait(PAUSE);
        }
    }
}

/// Maldoo manual, Life: "when after a red turn either of the player has more
/// than 100 generations the player with less generation wins".
#[test]
fn the_race_ends_after_a_red_turn_above_100_generations() {
    for (turn, totals, result) in [
        (Side::Green, [150, 20], None),
        (Side::Red, [100, 99], None),
        (Side::Red, [101, 20], Some(Outcome::Won(Side::Red))),
        (Side::Red, [20, 100], Some(Outcome::Won(Side::Green))),
        (Side::Red, [20, 99], None),
        (Side::Red, [101, 100], Some(Outcome::Draw)),
    ] {
        let letter = if turn == Side::Green { "g" } else { "r" };
        let mut table = TestedGame::position(0, turn, &[letter]).unwrap();
        table.race().totals = totals;
        // A single point dies at the end of the current generation.
        table.wait(GENERATION);
        assert_eq!(table.game.outcome(), result, "{totals:?} after {turn:?}");
    }
}

/// Some patterns live for ever, even with ages.
#[test]
fn a_turn_ends_after_100_generations_without_a_press() {
    let everlasting = (0..200)
        .map(|seed| TestedGame::start(0, seed))
        .find_map(|mut table| {
            table.wait(99 * GENERATION);
            (table.game.turn() == Some(Side::Green)).then_some(table)
        });
    let mut table = everlasting.expect("one of 200 patterns");
    assert_eq!(table.score(), [99, 0]);
    let mut pressed = table.clone();
    table.wait(GENERATION);
    assert_eq!(
        (table.score(), table.game.turn()),
        ([100, 0], Some(Side::Red))
    );
    assert!(table.alive().is_empty());
    pressed.tap(0, 0);
    pressed.tap(0, 0);
    pressed.wait(GENERATION);
    assert_eq!(pressed.game.turn(), Some(Side::Green), "somebody is there");
}

#[test]
fn a_turn_ends_when_the_player_has_999_generations() {
    let mut table = TestedGame::start(0, 1);
    table.race().totals = [998, 3];
    table.wait(GENERATION);
    assert_eq!(
        (table.score(), table.game.turn()),
        ([999, 3], Some(Side::Red))
    );
}

#[test]
fn an_unplayed_race_ends() {
    for seed in 0..20 {
        let mut table = TestedGame::start(0, seed);
        table.wait(210 * (110 * GENERATION + PAUSE));
        assert!(table.game.outcome().is_some());
    }
}

#[test]
fn a_turn_of_the_race_cannot_be_given_away() {
    let mut table = TestedGame::start(0, 1);
    assert!(!table.pass());
    assert!(!table.game.clock_runs());
}
