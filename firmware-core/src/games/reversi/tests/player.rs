//! The board's own player answers in time and legally, identically on all boards and
//! after any interruption, and each level is better than the one below.

use core::mem::size_of;
use std::vec::Vec;

use law::{Judged, Weight, law};
use postcard::experimental::max_size::MaxSize;
use proptest::prelude::*;
use protocol::{Layout, Outcome, Point};

use crate::game::{BoardTurn, Context, Game, Player, Rules, Touch};
use crate::games::reversi::kernel::{Bitboards, Kernel};
use crate::games::reversi::line::Views;
use crate::games::reversi::{MODES, Reversi};
use crate::games::testing::Series;
use crate::ground::Ground;
use crate::minds::alphabeta::AlphaBeta;
use crate::minds::pace::EARLIEST_MS;
use crate::minds::thinker::{LATEST_MS, ThinkerOf, Thoughtful};
use crate::points::Points;
use crate::rng::Rng;
use crate::table::Table;
use crate::word::{Wide, Word};

type Searcher<W> = ThinkerOf<W, Reversi<W>>;

/// A board with a game on it.
#[derive(Clone)]
struct TestedGame<W: Word> {
    board: Table<W>,
    rng: Rng,
    game: Reversi<W>,
}

impl<W: Word> TestedGame<W> {
    fn new(columns: u8, rows: u8, mode: u8, seed: u64) -> TestedGame<W> {
        let board = Table::new(Layout::grid(columns, rows).unwrap(), 5).unwrap();
        let mut rng = Rng::new(seed);
        let game = board.with(&mut rng, |context| Reversi::start(mode, context));
        TestedGame {
            board,
            rng,
            game: game.unwrap(),
        }
    }

    /// Calls a function with the game and the player's context.
    fn with<T>(&mut self, now: u64, ask: impl FnOnce(&Reversi<W>, &mut Context<'_, W>) -> T) -> T {
        self.board.now = now;
        let game = &self.game;
        self.board.with(&mut self.rng, |context| ask(game, context))
    }

    fn play(&mut self, point: Point) {
        let mut game = self.game.clone();
        let touch = self.with(0, |_, context| game.touch(point, context));
        assert!(matches!(touch, Touch::Move(_)), "{point:?} is not a move");
        self.game = game;
    }

    fn play_random(&mut self, moves: u32) {
        for _ in 0..moves {
            if let Some(point) = self.rng.pick(self.game.legal(&self.board.ground)) {
                self.play(point);
            }
        }
    }

    /// The point that the player of this level touches, and the number of ticks that it
    /// takes.
    fn think(&mut self, level: u8, begin: u64) -> (Point, u64) {
        let mut player = Searcher::default();
        let mut now = begin;
        loop {
            match self.with(now, |game, context| player.wake(game, level, context)) {
                BoardTurn::Touch(point) => return (point, now - begin),
                BoardTurn::Pass => panic!("it never passes"),
                BoardTurn::Wait => now = wakes_at(&player).max(now + 1),
            }
            assert!(now < begin + LATEST_MS, "it thinks on");
        }
    }
}

fn wakes_at<W: Word>(player: &Searcher<W>) -> u64 {
    Player::<W, Reversi<W>>::wakes_at(player)
}

fn is_sound<W: Word>(player: &Searcher<W>, ground: &Ground<W>) -> bool {
    Player::<W, Reversi<W>>::is_sound(player, ground)
}

#[test]
fn the_player_answers_legally_and_in_time_everywhere() {
    fn check<W: Word>(columns: u8, rows: u8) {
        for mode in 0..6 {
            for level in 1..=4 {
                let mut table = TestedGame::<W>::new(columns, rows, mode, 5);
                for round in 0..3 {
                    table.play_random(round * 20 + 1);
                    if table.game.turn().is_none() {
                        break;
                    }
                    let (point, ticks) = table.think(level, 77_000);
                    assert!(table.game.legal(&table.board.ground).has(point));
                    assert!((EARLIEST_MS..LATEST_MS).contains(&ticks), "{ticks} ms");
                }
            }
        }
    }
    check::<u64>(2, 2);
    check::<u64>(8, 8);
    check::<u64>(16, 4);
    check::<u128>(9, 9);
    check::<Wide>(12, 12);
    check::<Wide>(16, 16);
}

#[test]
fn a_forced_move_is_answered_right_after_the_pause() {
    let mut table = TestedGame::<u64>::new(3, 2, 0, 1);
    table.play_random(1);
    assert_eq!(table.game.legal(&table.board.ground).len(), 1);
    let (_, ticks) = table.think(4, 0);
    assert_eq!(ticks, EARLIEST_MS);
}

#[test]
fn the_move_is_the_same_in_every_word() {
    fn moves<W: Word>(columns: u8, rows: u8, mode: u8) -> Vec<(Point, u64)> {
        let mut table = TestedGame::<W>::new(columns, rows, mode, 8);
        let levels = [4, 2, 3, 1];
        levels
            .into_iter()
            .map(|level| {
                table.play_random(7);
                table.think(level, 100)
            })
            .collect()
    }
    for mode in 0..6 {
        let narrow = moves::<u64>(8, 8, mode);
        assert_eq!(narrow, moves::<u128>(8, 8, mode));
        assert_eq!(narrow, moves::<Wide>(8, 8, mode));
        assert_eq!(moves::<u128>(9, 9, mode), moves::<Wide>(9, 9, mode));
    }
}

#[test]
fn saving_and_loading_within_a_thought_changes_nothing() {
    for mode in [0, 3, 4] {
        let mut table = TestedGame::<u128>::new(9, 9, mode, 2);
        table.play_random(31);
        let mut other = table.clone();
        let mut player = Searcher::default();
        let mut loaded = player.clone();
        let mut buffer = [0; Searcher::<u128>::POSTCARD_MAX_SIZE];
        let mut now = 0;
        let mut act = BoardTurn::Wait;
        while act == BoardTurn::Wait {
            act = table.with(now, |game, context| player.wake(game, 4, context));
            if now % 7 == 0 {
                let bytes = postcard::to_slice(&loaded, &mut buffer).unwrap();
                loaded = postcard::from_bytes(bytes).unwrap();
                assert!(is_sound(&loaded, &table.board.ground), "at tick {now}");
            }
            let same = other.with(now, |game, context| loaded.wake(game, 4, context));
            assert_eq!((act, &player), (same, &loaded), "at tick {now}");
            assert!(now < LATEST_MS, "no answer in mode {mode}");
            now = wakes_at(&player).max(now + 1);
        }
    }
}

#[test]
fn a_hurried_player_has_a_legal_move_at_any_tick() {
    for hurried_at in [0, 1, 2, 5, 50, 399, 1_000] {
        let mut table = TestedGame::<u128>::new(9, 9, 2, hurried_at);
        table.play_random(9);
        let legal = table.game.legal(&table.board.ground);
        let mut player = Searcher::default();
        for now in 0..hurried_at {
            let _ = table.with(now, |game, context| player.wake(game, 4, context));
        }
        match table.with(hurried_at, |game, context| player.hurry(game, 4, context)) {
            BoardTurn::Touch(point) => assert!(legal.has(point)),
            act => panic!("{act:?}"),
        }
    }
}

#[test]
fn the_state_of_the_player_is_small() {
    let sizes = [
        (
            Searcher::<u128>::POSTCARD_MAX_SIZE,
            size_of::<Searcher<u128>>(),
            1_024,
        ),
        (
            Searcher::<Wide>::POSTCARD_MAX_SIZE,
            size_of::<Searcher<Wide>>(),
            1_792,
        ),
    ];
    for (saved, held, limit) in sizes {
        assert!(saved.max(held) <= limit, "{saved} and {held} bytes");
    }
}

#[test]
fn a_tick_visits_no_more_positions_than_its_portion() {
    let table = TestedGame::<u64>::new(8, 8, 0, 1);
    let count = |portion: u32| {
        let mut views = Views::default();
        let mut search = AlphaBeta::<u64, [u8; 7]>::default();
        let mut rng = Rng::new(1);
        let mut positions = 0;
        let mut is_new = true;
        loop {
            let mut line = table
                .game
                .line(&mut views, table.board.ground.grid())
                .unwrap();
            let mut search = search.on(&mut line, 0, &mut rng);
            if core::mem::take(&mut is_new) {
                search.begin_iteration(7);
            } else if !search.is_under_way() {
                break;
            }
            positions += portion - search.run(portion);
        }
        (positions, (search, views))
    };
    let (whole, search) = count(u32::MAX);
    assert!(whole > 1_000, "{whole}");
    for portion in [1, 2, 3, 7, 1_000] {
        assert_eq!(count(portion), (whole, search.clone()));
    }
}

/// The result for the side to move if both sides play perfectly.
fn minimax<W: Word>(kernel: &Kernel<W>, view: Bitboards<W>) -> i32 {
    let turned = view.turned();
    let legal = kernel.legal(view);
    if legal.is_empty() {
        return if kernel.legal(turned).is_empty() {
            view.own.len() as i32 - view.other.len() as i32
        } else {
            -minimax(kernel, turned)
        };
    }
    legal
        .map(|point| {
            let stone = Points::one(point);
            -minimax(kernel, view.after(stone, kernel.caught(view, stone)))
        })
        .max()
        .unwrap_or(0)
}

#[test]
fn the_player_finds_the_best_move_near_the_end() {
    for mode in 0..6 {
        for seed in 0..25 {
            let mut table = TestedGame::<u64>::new(5, 4, mode, seed);
            table.play_random(10 + seed as u32 % 3);
            let Some(side) = table.game.turn() else {
                continue;
            };
            let kernel = table.game.kernel(table.board.ground.grid());
            let view = table.game.view(side);
            let best = minimax(&kernel, view);
            let (point, _) = table.think(4, 0);
            let stone = Points::one(point);
            let after = view.after(stone, kernel.caught(view, stone));
            assert_eq!(-minimax(&kernel, after), best, "mode {mode}, seed {seed}");
        }
    }
}

/// A game between these levels, `[green, red]`, after four random moves, which are the
/// same in both games of a pair.
fn contest(mode: u8, seed: u64, levels: [u8; 2]) -> Outcome {
    let mut table = TestedGame::<u64>::new(8, 8, mode, seed / 2);
    table.play_random(4);
    while let Some(turn) = table.game.turn() {
        let (point, _) = table.think(levels[turn.index()], 0);
        table.play(point);
    }
    table.game.outcome().expect("nobody can move")
}

#[test]
fn each_level_beats_the_one_below_over_all_modes() {
    for (higher, games) in [(2, 30), (3, 30), (4, 8)] {
        let mut series = Series::default();
        for mode in 0..6 {
            series += Series::of(games, higher, |seed, levels| contest(mode, seed, levels));
        }
        assert!(series.is_beyond_chance(), "level {higher}: {series:?}");
    }
}

#[test]
fn a_damaged_state_is_refused_or_does_no_harm() {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4);
    let like = (0..MODES.len() as u8, 1..200u64, damage);
    law(Weight::of(256, 10), like, |(mode, thought, damage)| {
        let mut table = TestedGame::<u64>::new(6, 7, mode, thought);
        table.play_random(thought as u32 % 30);
        prop_assume!(table.game.turn().is_some());
        let mut player = Searcher::default();
        for now in 0..thought {
            let _ = table.with(now, |game, context| player.wake(game, 4, context));
        }
        let mut buffer = [0; Searcher::<u64>::POSTCARD_MAX_SIZE];
        let bytes = postcard::to_slice(&player, &mut buffer).unwrap();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        let Ok(mut damaged) = postcard::from_bytes::<Searcher<u64>>(bytes) else {
            return Ok(Judged::Nothing);
        };
        if !is_sound(&damaged, &table.board.ground) || damaged == player {
            return Ok(Judged::Nothing);
        }
        let legal = table.game.legal(&table.board.ground);
        for now in thought..thought + 100 {
            match table.with(now, |game, context| damaged.wake(game, 4, context)) {
                BoardTurn::Touch(point) => prop_assert!(legal.has(point)),
                act => prop_assert_eq!(act, BoardTurn::Wait),
            }
        }
        Ok(Judged::Something)
    });
}
