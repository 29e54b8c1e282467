//! Mode 1, Life2: the war.

use super::*;

/// Maldoo manual, Life, mode 1: "Note that the board is symmetrical, so will
/// end up in a draw unless at least one point is pressed."
#[test]
fn an_unplayed_war_stays_symmetrical_and_is_a_draw() {
    for seed in 0..40 {
        let mut table = TestedGame::start(1, seed);
        for _ in 0..200 {
            let [green, red] = table.war().stones;
            let opposite = green.map(|point| Point(80 - point.0)).collect();
            assert_eq!(red, opposite);
            table.wait(GENERATION);
        }
        table.wait(1_000 * GENERATION);
        assert_eq!(table.game.outcome(), Some(Outcome::Draw), "seed {seed}");
    }
}

/// Maldoo manual, Life, mode 1: "In most of the cases one press is enough to
/// make one side win".
#[test]
fn one_press_mostly_makes_one_side_win() {
    let mut won = 0;
    for seed in 0..100 {
        let mut table = TestedGame::start(1, seed);
        let stones = table.war().stones;
        let near = table.ground.neighbours(stones[0] | stones[1]);
        let point = table.rng.clone().pick(near).unwrap();
        table.touch(point);
        table.wait(1_100 * GENERATION);
        won += u32::from(matches!(table.game.outcome(), Some(Outcome::Won(_))));
    }
    assert!(won >= 60, "{won} of 100");
}

/// Maldoo manual, Life, mode 1: "if it is occupied by either colour it becomes
/// empty, whatever was its colour. When a player presses an empty point, it
/// become alive with the player's colour."
#[test]
fn a_press_removes_any_stone_and_fills_an_empty_point() {
    for (side, own) in [(Side::Green, Colour::GREEN), (Side::Red, Colour::RED)] {
        let table = TestedGame::position(1, side, &["gg", "gg", "", "", "", "", "", "rr", "rr"]);
        for (column, row, after) in [(0, 0, Colour::OFF), (0, 8, Colour::OFF), (5, 5, own)] {
            let mut table = table.clone().unwrap();
            assert_eq!(table.tap(column, row), Touch::Move(0));
            assert_eq!(table.picture().get(table.at(column, row)), after);
            assert_eq!(table.game.turn(), Some(side.other()));
        }
    }
}

/// Maldoo manual, Life, mode 1: "Each player has 2 plays, which they can use
/// whenever it is their turn."
#[test]
fn each_player_has_two_plays_in_the_whole_game() {
    let mut table = blocks();
    for (column, side) in [
        (3, Side::Green),
        (4, Side::Red),
        (5, Side::Green),
        (6, Side::Red),
    ] {
        assert_eq!(table.game.turn(), Some(side));
        assert!(table.game.clock_runs());
        assert_eq!(table.tap(column, 4), Touch::Move(0));
        table.wait(GENERATION);
    }
    assert_eq!(table.game.turn(), None);
    assert!(!table.game.clock_runs());
    assert!(table.legal().is_empty());
    assert_eq!(table.tap(0, 0), Touch::Ignored);
    assert!(!table.pass());
}

#[test]
fn time_that_runs_out_passes_the_turn_and_loses_no_play() {
    let mut table = blocks();
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(table.pass());
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert_eq!(table.war().plays, [2, 2]);
}

#[test]
fn a_player_without_plays_is_skipped() {
    let mut table = blocks();
    table.tap(3, 4);
    table.time_out();
    table.tap(4, 4);
    assert_eq!(table.game.turn(), Some(Side::Red));
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red), "green has no play left");
    table.tap(5, 4);
    table.tap(6, 4);
    assert_eq!(table.game.turn(), None);
}

/// Maldoo manual, Life, mode 1: "until one of the colours wins".
#[test]
fn the_last_colour_wins_after_a_generation_or_a_press() {
    let mut table = position(1, &["gg", "gg", "", "", "", "", "", "", "........r"]);
    assert_eq!(table.score(), [4, 1]);
    let mut pressed = table.clone();
    table.wait(GENERATION);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!((table.game.turn(), table.game.wakes_at()), (None, None));
    pressed.tap(8, 8);
    assert_eq!(pressed.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn both_colours_dying_in_the_same_generation_is_a_draw() {
    let mut table = position(1, &["g", "", "", "", "", "", "", "", "........r"]);
    table.wait(GENERATION);
    assert_eq!(
        (table.game.outcome(), table.score()),
        (Some(Outcome::Draw), [0, 0])
    );
}

#[test]
fn a_repeated_board_is_a_draw_if_no_play_is_left() {
    let mut draws = 0;
    for seed in 0..40 {
        let mut table = TestedGame::start(1, seed);
        let mut with_plays = table.clone();
        table.war().plays = [0, 0];
        let mut seen = StdVec::new();
        while table.game.outcome().is_none() && seen.len() < 400 {
            seen.push(table.war().stones);
            table.wait(GENERATION);
        }
        let last = table.war().stones;
        if table.game.outcome().is_none() || table.score() == [0, 0] {
            continue;
        }
        assert_eq!(table.game.outcome(), Some(Outcome::Draw));
        assert!(seen.contains(&last), "seed {seed}");
        with_plays.wait(table.now);
        assert_eq!(with_plays.game.outcome(), None);
        assert_eq!(with_plays.war().stones, last);
        draws += 1;
    }
    assert!(draws >= 10, "{draws} of 40 boards come back");
}

#[test]
fn a_war_is_a_draw_after_999_quiet_generations() {
    let mut table = blocks();
    table.war().quiet = 998;
    assert_eq!(table.game.outcome(), None);
    table.wait(GENERATION);
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
    assert!(table.score() != [0, 0]);
}
