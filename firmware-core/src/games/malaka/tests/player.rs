//! The board's own player answers in time and legally, and each level is better than the
//! one below.

use std::eprintln;
use std::vec::Vec;

use protocol::Layout;

use super::*;
use crate::game::{BoardTurn, Player};
use crate::games::malaka::player::LEVELS;
use crate::games::testing::{self, Series, play_out};
use crate::minds::pace::{EARLIEST_MS, LATEST_MS};
use crate::word::Wide;

type TestedGame = testing::TestedGame<Wide, Malaka<Wide>>;

fn begin(mode: u8, seed: u64) -> TestedGame {
    let side = Variant::of_mode(mode).unwrap().side();
    TestedGame::begin(Layout::grid(side, side).unwrap(), mode, seed).unwrap()
}

/// Plays a whole turn of the side to move, and returns how long it took.
fn turn(table: &mut TestedGame, level: u8) -> Tick {
    let (began, side) = (table.now, table.game.turn());
    table.hand = Default::default();
    while table.game.turn() == side {
        assert!(table.now <= began + LATEST_MS, "level {level} is too slow");
        let at = Player::<Wide, Malaka<Wide>>::wakes_at(&table.hand).max(table.now);
        if let Some(wake) = table.game.wakes_at() {
            table.now = wake;
            table.with(|game, _, context| game.wake(context));
            continue;
        }
        table.now = at;
        match table.with(|game, hand, context| hand.wake(game, level, context)) {
            BoardTurn::Wait => table.now += 1,
            BoardTurn::Pass => panic!("nobody passes"),
            BoardTurn::Touch(point) => assert!(table.touch(point).is_accepted()),
        }
    }
    table.now - began
}

#[test]
fn every_level_answers_in_time_on_every_board() {
    for mode in [0, 5, 9, 15] {
        for level in 1..=4 {
            let mut table = begin(mode, 5);
            for _ in 0..14 {
                let passes = table.game.is_passing();
                let took = turn(&mut table, level);
                assert!(passes || took >= EARLIEST_MS, "{took}");
                if table.game.outcome().is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn the_player_wins_if_one_turn_wins() {
    let own = |words: &[(&str, Side, u8)], dice| {
        let pile = |(name, side, count): &(&str, Side, u8)| {
            let pile = Pile {
                side: *side,
                count: *count,
                pins: false,
            };
            (name.parse().unwrap(), pile)
        };
        let mut piles: Vec<_> = words.iter().map(pile).collect();
        piles.sort_by_key(|(place, _)| *place);
        let own = Own {
            turn: Side::Red,
            is_first: false,
            dice,
            piles: piles.into_iter().collect(),
        };
        own.bytes()
    };
    // b3-b1 pins a piece on its home edge.
    let bytes = own(
        &[
            ("b1", Side::Green, 1),
            ("a9", Side::Green, 3),
            ("b3", Side::Red, 1),
            ("i9", Side::Red, 4),
        ],
        Dice::two(2, 4),
    );
    for level in 2..=4 {
        let mut table = begin(0, 1);
        table.game = table
            .with(|_, _, context| Malaka::own_position(0, &bytes, context))
            .unwrap();
        turn(&mut table, level);
        assert_eq!(
            table.game.outcome(),
            Some(Outcome::Won(Side::Red)),
            "{level}"
        );
    }
}

/// The tables in `RULES.md` are based on more games.
#[test]
fn each_level_beats_the_one_below() {
    for higher in 2..=LEVELS.len() as u8 {
        let series = Series::of(60, higher, |seed, levels| {
            let table = begin(0, seed);
            let end = play_out(table, levels, 36_000_000).expect("an end");
            end.game.outcome().unwrap()
        });
        eprintln!("level {higher} against {}: {series:?}", higher - 1);
        assert!(series.won > series.lost, "level {higher}: {series:?}");
    }
}
