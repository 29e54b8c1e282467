//! The board's simulated hand.

use std::vec::Vec as StdVec;

use super::*;
use crate::game::{BoardTurn, Player};

#[test]
fn the_hand_presses_only_scoring_points() {
    for level in 1..=4 {
        let mut table = TestedGame::middle(0);
        let mut hand = GhostHand::default();
        table.tap(4, 4);
        let mut presses = 0;
        while table.now < 10_000 && presses == 0 {
            table.wait(1);
            if Player::<u128, Ghost<u128>>::wakes_at(&hand) > table.now {
                continue;
            }
            if let BoardTurn::Touch(point) =
                table.with(|game, _, context| hand.wake(game, level, context))
            {
                assert!(table.now > 1200, "while the pattern was drawn");
                assert!(table.legal().has(point));
                presses += 1;
            }
        }
        assert_eq!(
            presses, 1,
            "level {level} within the shortest time for a turn"
        );
    }
}

#[test]
fn a_higher_level_is_faster() {
    let mut means = StdVec::new();
    for level in 1..=4 {
        let mut total_ms = 0;
        for seed in 0..100 {
            let mut table = TestedGame::start(0, seed);
            let mut hand = GhostHand::default();
            while table.game.turn().is_some() {
                let at = Player::<u128, Ghost<u128>>::wakes_at(&hand).max(table.now);
                let ms = at - table.now;
                table.wait(ms);
                if table.with(|game, _, context| hand.wake(game, level, context)) != BoardTurn::Wait
                {
                    break;
                }
            }
            total_ms += table.now;
        }
        means.push(total_ms / 100);
    }
    assert!(means.is_sorted_by(|slow, fast| slow > fast), "{means:?}");
}
