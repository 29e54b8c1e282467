use std::vec::Vec;

use proptest::prelude::*;

use super::*;

/// A mode whose best are kept, and one whose are not.
const ISHIDO: (u8, u8) = (11, 0);
const OFFICIAL: (u8, u8) = (11, 1);
const FOR_TWO: (u8, u8) = (11, 2);

fn entry(points: u32, game: u64) -> BestScore {
    BestScore { points, game }
}

fn entered(scores: &[(u32, u64)]) -> BestScores {
    let mut best = BestScores::new();
    for (points, game) in scores {
        best.enter(ISHIDO.0, ISHIDO.1, entry(*points, *game));
    }
    best
}

fn points(best: &BestScores) -> Vec<u32> {
    best.of(ISHIDO.0, ISHIDO.1)
        .iter()
        .map(|entry| entry.points)
        .collect()
}

fn saved(best: &BestScores) -> Vec<u8> {
    best.save(&mut [0; BEST_BYTES]).expect("room").to_vec()
}

fn scores() -> impl Strategy<Value = Vec<(u32, u64)>> {
    let points = prop_oneof![0..6_u32, any::<u32>()];
    proptest::collection::vec((points, 0..20_u64), 0..30)
}

#[test]
fn equal_scores_are_listed_in_order_of_arrival() {
    let mut best = entered(&[(50, 1), (70, 2), (50, 3)]);
    let [game, mode] = [ISHIDO.0, ISHIDO.1];
    assert_eq!(best.enter(game, mode, entry(50, 4)), Some(4));
    let games: Vec<u64> = best.of(game, mode).iter().map(|entry| entry.game).collect();
    assert_eq!(games, [2, 1, 3, 4]);
    assert_eq!(best.enter(game, mode, entry(50, 5)), Some(5));
    // The table is full: a score that only equals the last one comes too late.
    assert_eq!(best.enter(game, mode, entry(50, 6)), None);
    assert_eq!(best.enter(game, mode, entry(51, 7)), Some(2));
    assert_eq!(points(&best), [70, 51, 50, 50, 50]);
}

#[test]
fn a_game_enters_once_and_zero_points_never() {
    let mut best = entered(&[(50, 1)]);
    assert_eq!(best.enter(ISHIDO.0, ISHIDO.1, entry(50, 1)), None);
    assert_eq!(best.enter(ISHIDO.0, ISHIDO.1, entry(0, 2)), None);
    assert_eq!(points(&best), [50]);
}

#[test]
fn each_mode_for_one_has_its_own_best_scores() {
    let mut best = entered(&[(50, 1)]);
    assert_eq!(best.enter(OFFICIAL.0, OFFICIAL.1, entry(900, 1)), Some(1));
    assert_eq!(best.enter(FOR_TWO.0, FOR_TWO.1, entry(900, 2)), None);
    assert_eq!(best.enter(0, 0, entry(64, 3)), None);
    assert_eq!(best.points(ISHIDO.0, ISHIDO.1), [50, 0, 0, 0, 0]);
    assert_eq!(best.points(OFFICIAL.0, OFFICIAL.1), [900, 0, 0, 0, 0]);
    assert_eq!(best.points(0, 0), [0; BEST_PLACES]);
    best.clear();
    assert!(best.is_empty() && best.is_sound());
}

#[test]
fn the_best_scores_of_all_games_fit() {
    let mut best = BestScores::new();
    let mut game = 0;
    for number in games::BUILT.iter() {
        for mode in 0..32 {
            for _ in 0..2 * BEST_PLACES {
                game += 1;
                let entered = best.enter(number, mode, entry(u32::MAX, u64::MAX - game));
                let is_first = best.of(number, mode).len() < BEST_PLACES;
                assert_eq!(
                    entered.is_none() && is_first,
                    !games::keeps_best(number, mode)
                );
            }
        }
    }
    assert_eq!(best.tables.len(), games::MODES_KEPT);
    assert!(saved(&best).len() <= BEST_BYTES);
    assert_eq!(BestScores::load(&saved(&best)), Some(best));
}

#[test]
fn impossible_best_scores_are_refused() {
    let sound = entered(&[(70, 1), (50, 2)]);
    assert!(sound.is_sound());
    let wrong: [fn(&mut Table); 6] = [
        |table| table.entries.reverse(),
        |table| table.entries[1].points = 0,
        |table| table.entries[1].game = 1,
        |table| table.entries.clear(),
        |table| table.mode = FOR_TWO.1,
        |table| table.game = 200,
    ];
    for (place, break_it) in wrong.into_iter().enumerate() {
        let mut best = sound.clone();
        break_it(&mut best.tables[0]);
        assert!(!best.is_sound(), "{place}");
        // The seal is valid, but the content is not.
        assert_eq!(BestScores::load(&saved(&best)), None, "{place}");
    }
    let mut twice = sound.clone();
    let again = sound.tables[0].clone();
    twice.tables.push(again).expect("room");
    assert!(!twice.is_sound());
}

proptest! {
    /// The expected result: all scores sorted, each game counted once.
    #[test]
    fn the_best_scores_are_the_highest_of_all(scores in scores()) {
        let mut all: Vec<(u32, u64)> = Vec::new();
        let mut best = BestScores::new();
        for (points, game) in &scores {
            let before = best.clone();
            let place = best.enter(ISHIDO.0, ISHIDO.1, entry(*points, *game));
            prop_assert!(best.is_sound());
            let is_known = before.of(ISHIDO.0, ISHIDO.1).iter().any(|other| other.game == *game);
            if *points > 0 && !is_known {
                let at = all.partition_point(|(other, _)| other >= points);
                all.insert(at, (*points, *game));
                all.truncate(BEST_PLACES);
                prop_assert_eq!(place, (at < BEST_PLACES).then_some(at as u8 + 1));
            } else {
                prop_assert_eq!(place, None);
            }
            if place.is_none() {
                prop_assert_eq!(&best, &before);
            }
            let kept: Vec<(u32, u64)> = best
                .of(ISHIDO.0, ISHIDO.1)
                .iter()
                .map(|entry| (entry.points, entry.game))
                .collect();
            prop_assert_eq!(&kept, &all);
        }
        prop_assert_eq!(BestScores::load(&saved(&best)), Some(best));
    }

    #[test]
    fn changed_bytes_of_best_scores_are_refused(
        scores in scores(),
        flip in (any::<prop::sample::Index>(), 1..=255_u8),
        length in any::<prop::sample::Index>(),
    ) {
        let bytes = saved(&entered(&scores));
        let mut damaged = bytes.clone();
        damaged[flip.0.index(bytes.len())] ^= flip.1;
        prop_assert_eq!(BestScores::load(&damaged), None);
        prop_assert_eq!(BestScores::load(&bytes[..length.index(bytes.len())]), None);
        let mut longer = bytes.clone();
        longer.push(flip.1);
        prop_assert_eq!(BestScores::load(&longer), None);
    }

    #[test]
    fn reading_any_bytes_does_not_panic(bytes: Vec<u8>) {
        prop_assert_eq!(BestScores::load(&bytes), None);
    }
}
