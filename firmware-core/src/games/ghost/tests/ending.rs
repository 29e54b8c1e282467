//! When the game ends, and who has won.

use protocol::{Colour, Outcome};

use super::*;
use crate::game::{Game, TimeOut, Touch};

// "The game stops after 32 and the player with larger score wins."

#[test]
fn the_game_stops_after_32_turns_of_catches() {
    for mode in 0..4 {
        let mut table = TestedGame::start(mode, u64::from(mode));
        for turn in 0..32 {
            table.wait_until_out();
            assert_eq!(table.game.outcome(), None);
            let side = Side::BOTH[turn % 2];
            assert_eq!(table.game.turn(), Some(side));
            let target = table
                .game
                .targets(table.walk().corner, table.ground.grid())
                .first()
                .unwrap();
            assert_eq!(table.touch(target), Touch::Move(0));
        }
        assert_eq!(table.score(), [16, 16]);
        // The last catch has its pattern, during which it is nobody's turn.
        for _ in 0..8 {
            assert!(matches!(table.game.phase, GhostPhase::Pattern(_)));
            assert_eq!((table.game.turn(), table.game.outcome()), (None, None));
            assert!(!table.shown(Colour::RED).is_empty());
            assert_eq!(table.tap(4, 4), Touch::Ignored);
            assert!(!table.clone().pass());
            table.wait(150);
        }
        assert_eq!(table.game.outcome(), Some(Outcome::Draw));
        assert_eq!((table.game.turn(), table.game.wakes_at()), (None, None));
        assert!(table.legal().is_empty());
    }
}

#[test]
fn a_timed_out_turn_counts_and_scores_nothing() {
    let mut table = TestedGame::middle(0);
    table.tap(4, 4);
    table.wait_until_out();
    for _ in 0..31 {
        assert_eq!(table.game.outcome(), None);
        table.time_out();
    }
    assert_eq!(table.score(), [1, 0]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(Ghost::<u128>::ABOUT.time_out, TimeOut::Pass);
}

#[test]
fn the_final_position_stays_visible() {
    let mut table = TestedGame::middle(0);
    for _ in 0..32 {
        table.time_out();
    }
    assert_eq!(table.picture().get(table.at(4, 4)), Colour::GREEN);
    assert!(!table.pass());
    assert_eq!(table.tap(4, 4), Touch::Ignored);
}

// "The game also finishes if the ghost is totally surrounded so it cannot move
// at all."

#[test]
fn a_trapped_ghost_ends_the_game_and_the_higher_score_wins() {
    let mut table = TestedGame::position(0, Side::Green, &["aag", "aa", "..g"]).unwrap();
    table.game.score = [0, 1];
    assert_eq!(
        table.game.steps(table.at(0, 0), table.ground.grid()),
        Points::one(table.at(0, 1))
    );
    assert_eq!(table.tap(0, 2), Touch::Move(0));
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
    assert_eq!((table.game.turn(), table.game.wakes_at()), (None, None));
    assert_eq!(table.picture().get(table.at(0, 0)), Colour::RED);
}

#[test]
fn four_points_trap_the_ghost_and_three_do_not() {
    let rows = ["", "", "", ".....g", "...raa", "....aag"];
    let mut table = TestedGame::position(0, Side::Green, &rows).unwrap();
    assert_eq!(
        table.game.steps(table.at(4, 4), table.ground.grid()).len(),
        2
    );
    table.tap(4, 6);
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
}

#[test]
fn a_ghost_in_a_small_cage_keeps_the_game_going() {
    let rows = ["..g.....", "aag", "aar", "gr."];
    let mut table = TestedGame::position(0, Side::Green, &rows).unwrap();
    table.tap(8, 8);
    assert_eq!(table.game.outcome(), None);
    assert!(table.game.wakes_at().is_some());
}

/// Maldoo manual, Ghost: after so many turns the game ends; the number of turns left
/// is reported.
#[test]
fn the_turns_left_are_reported() {
    let mut table = TestedGame::middle(0);
    let left = |table: &TestedGame| Game::<u128>::turns_left(&table.game);
    assert_eq!(left(&table), Some(u16::from(TURNS)));
    for turns in 0..=TURNS {
        table.game.turns = turns;
        assert_eq!(left(&table), Some(u16::from(TURNS - turns)));
    }
}
