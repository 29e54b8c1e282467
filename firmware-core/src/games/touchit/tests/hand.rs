//! The board's simulated hand, and its levels against each other.

use super::*;

#[test]
fn the_hand_touches_only_reds_newest_point() {
    for level in 1..=4 {
        let mut table = TestedGame::start(3, 2);
        let mut touched = 0;
        while table.now < 120_000 {
            table.wait(1);
            if Player::<u128, TouchIt<u128>>::wakes_at(&table.hand) > table.now {
                continue;
            }
            let act = table.with(|game, hand, context| hand.wake(game, level, context));
            if let BoardTurn::Touch(point) = act {
                assert_eq!(table.game.side_of(point), Some(Side::Red));
                table.touch(point);
                table.hand = TouchItHand::default();
                touched += 1;
            }
        }
        assert!(touched > 3, "level {level}: {touched}");
    }
}

/// The shortest and the longest of many random delays of a hand of this level, and how
/// many different ones there were. The place of the third point is known in mode 0.
fn delays(level: u8, shown: u8) -> (Tick, Tick, usize) {
    let mut delays = HashSet::new();
    for seed in 0..4_000 {
        let mut table = straight();
        table.rng = crate::rng::Rng::new(seed);
        table.game.phase = TouchItPhase::Show {
            shown,
            next_at: 10_000,
        };
        let act = table.with(|game, hand, context| hand.wake(game, level, context));
        assert_eq!(act, BoardTurn::Wait);
        delays.insert(Player::<u128, TouchIt<u128>>::wakes_at(&table.hand));
    }
    let ends = (delays.iter().min(), delays.iter().max());
    (*ends.0.unwrap(), *ends.1.unwrap(), delays.len())
}

#[test]
fn a_known_point_takes_three_fifths_of_the_reaction_time() {
    for (level, [least, most]) in (1..).zip(player::REACTION_MS) {
        let (least, most) = (Tick::from(least), Tick::from(most));
        let close = |found: Tick, expected: Tick| found.abs_diff(expected) <= 3;
        let (shortest, longest, _) = delays(level, 1);
        assert!(shortest >= least && longest <= most, "level {level}");
        assert!(close(shortest, least) && close(longest, most));
        let (shortest, longest, different) = delays(level, 3);
        let (least, most) = (least * 3 / 5, most * 3 / 5);
        assert!(shortest >= least && longest <= most, "level {level}");
        assert!(close(shortest, least) && close(longest, most));
        // One for each millisecond, except for some that were not drawn.
        assert!(different as Tick > (most - least) * 9 / 10, "{different}");
    }
}

/// Plays a game between hands of these levels, `[green, red]`.
fn play(mode: u8, speed: u8, seed: u64, levels: [u8; 2]) -> Outcome {
    let mut table = TestedGame::begin_at_speed(Layout::MALDOO, mode, seed, speed).unwrap();
    let mut hands = [TouchItHand::default(), TouchItHand::default()];
    while let Some(game_at) = table.game.wakes_at() {
        let wakes_at = Player::<u128, TouchIt<u128>>::wakes_at;
        let next = hands.iter().map(wakes_at).min().unwrap().min(game_at);
        table.now = next.max(table.now);
        if game_at <= table.now {
            table.with(|game, _, context| game.wake(context));
            if table.game.outcome().is_some() {
                break;
            }
        }
        // If both touch in the same tick, they take turns to be first.
        let order = if table.now.is_multiple_of(2) {
            [0, 1]
        } else {
            [1, 0]
        };
        for side in order {
            let hand = &mut hands[side];
            if wakes_at(hand) > table.now {
                continue;
            }
            let act = table.with(|game, _, context| {
                let game = if side == 0 {
                    game.exchanged()
                } else {
                    game.clone()
                };
                hand.wake(&game, levels[side], context)
            });
            if let BoardTurn::Touch(_) = act {
                if let Some(newest) = table.game.newest() {
                    table.touch(newest[side]);
                    hands = [TouchItHand::default(), TouchItHand::default()];
                }
                break;
            }
        }
    }
    table.game.outcome().unwrap()
}

#[test]
fn every_level_beats_the_one_below_in_modes_and_speeds() {
    let mut doubtful = StdVec::new();
    for speed in [0, 5, 8] {
        for mode in 0..4 {
            for higher in 2..=4 {
                let series =
                    Series::of(200, higher, |seed, levels| play(mode, speed, seed, levels));
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
