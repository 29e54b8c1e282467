//! Matches between hands of two levels, without a board around them.

use std::eprintln;
use std::vec::Vec as StdVec;

use heapless::Vec;
use protocol::{Layout, Outcome, Side};

use super::{Ghost, GhostHand};
use crate::game::{BoardTurn, Context, Game, Player, Rules, Touch};
use crate::games::testing::Series;
use crate::ground::Ground;
use crate::rng::Rng;
use crate::table::TURN_MS;

/// Plays a game between hands of these levels, `[green, red]`.
fn play(seed: u64, mode: u8, speed: u8, levels: [u8; 2]) -> (Outcome, [u32; 2]) {
    let ground: Ground<u128> = Ground::new(Layout::MALDOO).unwrap();
    let mut rng = Rng::new(seed);
    let mut events = Vec::new();
    let mut now = 0;
    macro_rules! context {
        () => {
            &mut Context {
                ground: &ground,
                rng: &mut rng,
                now,
                speed,
                events: &mut events,
            }
        };
    }
    let mut game = Ghost::start(mode, context!()).unwrap();
    let mut hand = GhostHand::default();
    let mut side = Side::Green;
    let mut ends_at = TURN_MS;
    while game.outcome().is_none() {
        let Some(turn) = game.turn() else {
            now = game.wakes_at().unwrap();
            game.wake(context!());
            continue;
        };
        if turn != side {
            (side, hand, ends_at) = (turn, GhostHand::default(), now + TURN_MS);
        }
        let hand_wakes = Player::<u128, Ghost<u128>>::wakes_at(&hand).max(now);
        let game_wakes = game.wakes_at().unwrap();
        now = hand_wakes.min(game_wakes);
        if game_wakes <= now {
            game.wake(context!());
            continue;
        }
        if now >= ends_at && game.clock_runs() {
            game.time_out(context!());
            continue;
        }
        if let BoardTurn::Touch(point) = hand.wake(&game, levels[side.index()], context!()) {
            assert!(matches!(game.touch(point, context!()), Touch::Move(_)));
        }
    }
    (game.outcome().unwrap(), game.score(&ground))
}

#[test]
fn every_level_beats_the_one_below_in_all_modes_and_speeds() {
    let mut doubtful = StdVec::new();
    for speed in [0, 5, 9] {
        for mode in 0..4 {
            for higher in 2..=4 {
                let series = Series::of(200, higher, |seed, levels| {
                    play(seed, mode, speed, levels).0
                });
                eprintln!(
                    "speed {speed} mode {mode}: level {higher} against {}: {series:?}",
                    higher - 1
                );
                if !series.is_beyond_chance() {
                    doubtful.push((speed, mode, higher));
                }
            }
        }
    }
    assert!(doubtful.is_empty(), "(speed, mode, level): {doubtful:?}");
}

#[test]
fn the_same_seed_gives_the_same_match() {
    for seed in 0..10 {
        assert_eq!(play(seed, 1, 5, [1, 4]), play(seed, 1, 5, [1, 4]));
    }
}
