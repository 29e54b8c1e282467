//! Some rules of Reversi, as a player experiences them.

use own_tests::reversi;
use protocol::{Colour, Outcome, Rhythm, Side};
use touchboard_testing::EventKind;

#[test]
fn a_stone_turns_what_it_catches() {
    let mut board = reversi();
    board.expect_light("d5", Colour::GREEN);
    board
        .expect_light("e5", Colour::RED)
        .expect_turn(Side::Green);
    board.tap("d7");
    board.expect_event(EventKind::Move);
    board.expect_light("d7", Colour::GREEN).expect_score([4, 1]);
}

#[test]
fn a_stone_that_catches_nothing_is_refused() {
    let mut board = reversi();
    board.tap("a1");
    board.expect_event(EventKind::Illegal);
    board.expect_score([2, 2]).expect_turn(Side::Green);
}

#[test]
fn red_answers_green() {
    let mut board = reversi();
    board.tap("d7").expect_turn(Side::Red);
    board.wait(700);
    board.tap("e7");
    // The points that red may touch also blink in red.
    board.expect_rhythm("e7", Colour::RED, Rhythm::Steady);
    board.expect_turn(Side::Green);
}

#[test]
fn thinking_too_long_loses_the_turn() {
    let mut board = reversi();
    board.tap("d7").expect_turn(Side::Red);
    board.run_until("event.timed-out");
    board.expect_turn(Side::Green);
}

#[test]
fn the_game_ends_when_neither_side_can_move() {
    let mut board = reversi();
    board.obey("position .rg....../........./........./........./........./........./........./........./......... turn green");
    board.tap("a9");
    board.run_until("winner = green");
    board.expect_winner(Outcome::Won(Side::Green));
    board.expect_event(EventKind::Over);
}
