//! The moves of the board's player, their timing, and whether a higher level is stronger.
//!
//! The numbers of games are small here, so that the tests are quick. For reliable figures
//! run, for each pair of levels: `cargo run --release -p arena -- match --game SpeedGo
//! --mode 1 --games 100`.

use std::vec::Vec;

use postcard::experimental::max_size::MaxSize;
use protocol::{Outcome, Side, Tick};

use super::SpeedGo;
use super::player::Sampler;
use super::tests::{TestedGame, board};
use crate::game::{BoardTurn, Context, Game, Player, Rules};
use crate::games::testing::Series;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::{Wide, Word};

/// The decision of the player, and its time. The player is called in every tick.
fn asks<W: Word>(
    table: &TestedGame<W>,
    game: &SpeedGo<W>,
    level: u8,
    seed: u64,
    mut each: impl FnMut(&mut Sampler<W>),
) -> (BoardTurn, Tick) {
    let mut thinker = Sampler::<W>::default();
    let (mut rng, mut events) = (Rng::new(seed), heapless::Vec::new());
    for now in 1_000..6_000 {
        if thinker.wakes_at() > now {
            continue;
        }
        each(&mut thinker);
        let mut context = Context {
            ground: &table.ground,
            rng: &mut rng,
            now,
            speed: 5,
            events: &mut events,
        };
        let act = thinker.wake(game, level, &mut context);
        if act != BoardTurn::Wait {
            return (act, now - 1_000);
        }
    }
    panic!("no move within five seconds");
}

fn answer<W: Word>(table: &TestedGame<W>, game: &SpeedGo<W>, level: u8) -> BoardTurn {
    asks(table, game, level, 3, |_| {}).0
}

/// A game between two levels from an empty 5x5 board: green's level first.
fn contest(levels: [u8; 2], seed: u64) -> Outcome {
    let mut table = TestedGame::<u64>::new(5, 5, seed);
    let mut game = SpeedGo::start(1, &mut table.context()).unwrap();
    // The games differ from their first stone on.
    let point = table.rng.clone().pick(table.ground.all()).unwrap();
    game.touch(point, &mut table.context());
    let mut turns = seed << 16;
    while let Some(side) = game.turn() {
        turns += 1;
        match asks(&table, &game, levels[side.index()], turns, |_| {}).0 {
            BoardTurn::Touch(point) => {
                assert!(game.legal(&table.ground).has(point));
                game.touch(point, &mut table.context());
            }
            _ => assert!(game.pass(&mut table.context())),
        }
    }
    game.outcome().unwrap()
}

#[test]
fn level_2_beats_level_1_beyond_chance_on_a_small_board() {
    // The first stone is the same in both games of a pair.
    let series = Series::of(16, 2, |seed, levels| contest(levels, seed / 2));
    assert!(series.is_beyond_chance(), "{series:?}");
}

#[test]
fn a_move_comes_between_400_ms_and_the_shortest_time() {
    for level in 1..=4 {
        let mut table = TestedGame::<u128>::new(9, 9, 1);
        let game = SpeedGo::start(0, &mut table.context()).unwrap();
        let (act, after_ms) = asks(&table, &game, level, 1, |_| {});
        assert!(matches!(act, BoardTurn::Touch(_)));
        assert!(
            (400..4_800).contains(&after_ms),
            "level {level}: {after_ms} ms"
        );
    }
    let mut table = TestedGame::<Wide>::new(16, 16, 1);
    let game = SpeedGo::start(1, &mut table.context()).unwrap();
    let (act, after_ms) = asks(&table, &game, 4, 1, |_| {});
    assert!(matches!(act, BoardTurn::Touch(_)));
    assert!((400..4_800).contains(&after_ms), "{after_ms} ms");
}

#[test]
fn the_player_captures_before_it_is_captured() {
    // The last liberty of both groups is b4: either red's three stones are captured, or
    // green's two.
    let (table, game) = board("g.rg grrg rggg ....", Side::Red);
    for level in 2..=4 {
        let act = answer(&table, &game, level);
        assert_eq!(act, BoardTurn::Touch(table.point("b4")), "level {level}");
    }
}

#[test]
fn a_leading_player_plays_on_while_a_border_is_open() {
    let (mut table, game) = board("..... ..... .rr.. ..... ....g", Side::Green);
    let (mut passed, mut late) = (game.clone(), game);
    table.play(&mut passed, "pass");
    late.time_out(&mut table.context());
    for level in 1..=4 {
        for game in [&passed, &late] {
            let act = answer(&table, game, level);
            assert!(matches!(act, BoardTurn::Touch(_)), "level {level}");
        }
    }
}

#[test]
fn the_player_passes_once_the_result_is_certain() {
    // Red could still try to live in the upper left, but has won without that.
    let rows = "...grr.rr ...grrrrr ...gr.rrr ggggrrrrr .g.grrrrr";
    let (table, game) = board(rows, Side::Red);
    for level in 1..=4 {
        assert_eq!(
            answer(&table, &game, level),
            BoardTurn::Pass,
            "level {level}"
        );
    }
}

#[test]
fn a_leading_player_passes_rather_than_play_into_capture() {
    // Each side has a living group at its edge. The two groups in the middle share the
    // points between them, and a side that fills one of them is captured.
    let (table, game) = board(".g.gr.gr.r.r ggggr.grrrrr", Side::Red);
    for level in 1..=4 {
        assert_eq!(
            answer(&table, &game, level),
            BoardTurn::Pass,
            "level {level}"
        );
    }
}

#[test]
fn the_player_passes_when_all_points_are_settled() {
    let (table, game) = board(".ggr. ggrrr .grr. gggrr", Side::Red);
    for level in 1..=4 {
        assert_eq!(
            answer(&table, &game, level),
            BoardTurn::Pass,
            "level {level}"
        );
    }
}

#[test]
fn the_player_does_not_play_into_settled_areas() {
    // Green's area from a6 to b5 is large enough for stones, but not for life.
    let (table, game) = board("..gg.g ..gggg gggg.g ggggg. rrrrrr ....r.", Side::Red);
    for level in 1..=4 {
        let act = answer(&table, &game, level);
        let theirs = table.points("a6 b6 a5 b5 e6 e4");
        assert!(
            !matches!(act, BoardTurn::Touch(point) if theirs.has(point)),
            "{act:?}"
        );
    }
}

#[test]
fn the_player_never_fills_its_own_eyes() {
    for seed in 0..3 {
        let mut table = TestedGame::<u64>::new(5, 5, seed);
        let mut game = SpeedGo::start(1, &mut table.context()).unwrap();
        while let Some(side) = game.turn() {
            let act = asks(&table, &game, 1, seed, |_| {}).0;
            let BoardTurn::Touch(point) = act else {
                game.pass(&mut table.context());
                continue;
            };
            let own = game.stones().of(side);
            let around = table.ground.neighbours(Points::one(point));
            assert!(!around.without(own).is_empty(), "{point:?} is an eye");
            game.touch(point, &mut table.context());
        }
    }
}

#[test]
fn equal_seeds_give_equal_moves_and_others_may_differ() {
    let mut table = TestedGame::<u128>::new(9, 9, 1);
    let game = SpeedGo::start(2, &mut table.context()).unwrap();
    let moves: Vec<BoardTurn> = (0..8)
        .map(|seed| asks(&table, &game, 1, seed, |_| {}).0)
        .collect();
    let again = asks(&table, &game, 1, 0, |_| {}).0;
    assert_eq!(moves[0], again);
    assert!(moves.iter().any(|act| *act != moves[0]));
}

#[test]
fn a_player_saved_in_every_tick_makes_the_same_move() {
    let mut table = TestedGame::<Wide>::new(12, 12, 1);
    let game = SpeedGo::start(0, &mut table.context()).unwrap();
    let plain = asks(&table, &game, 2, 5, |_| {});
    let mut buffer = std::vec![0; Sampler::<Wide>::POSTCARD_MAX_SIZE];
    let mut asked = 0;
    let saved = asks(&table, &game, 2, 5, |thinker| {
        assert!(thinker.is_sound(&table.ground));
        let bytes = postcard::to_slice(thinker, &mut buffer).unwrap();
        *thinker = postcard::from_bytes(bytes).unwrap();
        asked += 1;
    });
    assert_eq!(plain, saved);
    assert!(
        asked > 240,
        "the games of this board take two ticks: {asked}"
    );
}

#[test]
fn a_hurried_player_plays_the_best_move_so_far() {
    let mut table = TestedGame::<u128>::new(9, 9, 1);
    let game = SpeedGo::start(2, &mut table.context()).unwrap();
    let mut fresh = Sampler::<u128>::default();
    let act = fresh.hurry(&game, 4, &mut table.context());
    let legal = game.legal(&table.ground);
    assert!(matches!(act, BoardTurn::Touch(point) if legal.has(point)));
}

#[test]
fn the_player_takes_at_most_6_kb() {
    assert!(size_of::<Sampler<u64>>() <= 6_144);
    assert!(size_of::<Sampler<u128>>() <= 6_144);
    assert!(size_of::<Sampler<Wide>>() <= 6_144);
    const { assert!(Sampler::<u64>::POSTCARD_MAX_SIZE <= 6_144) };
    const { assert!(Sampler::<u128>::POSTCARD_MAX_SIZE <= 6_144) };
    const { assert!(Sampler::<Wide>::POSTCARD_MAX_SIZE <= 6_144) };
}

#[test]
fn a_forged_player_state_is_refused_or_harmless() {
    // Every byte of a real state is changed. If the state still counts as valid, play
    // must continue without harm.
    let mut table = TestedGame::<u64>::new(5, 5, 1);
    let game = SpeedGo::start(1, &mut table.context()).unwrap();
    let mut states = Vec::new();
    asks(&table, &game, 1, 5, |thinker| states.push(thinker.clone()));
    let mut buffer = [0; 4096];
    let bytes = postcard::to_slice(&states[40], &mut buffer).unwrap();
    for index in 0..bytes.len() {
        for wrong in [0, 1, 7, 0x55, 0x7F] {
            let mut changed = bytes.to_vec();
            changed[index] ^= wrong;
            let Ok(mut thinker) = postcard::from_bytes::<Sampler<u64>>(&changed) else {
                continue;
            };
            if !thinker.is_sound(&table.ground) {
                continue;
            }
            for now in 1_040..1_050 {
                let mut context = table.context();
                context.now = now;
                thinker.wake(&game, 1, &mut context);
            }
            thinker.hurry(&game, 1, &mut table.context());
        }
    }
}
