//! Laws of SpeedGo in arbitrary games: the general laws hold, a slow implementation of
//! the rules agrees, the player's fast board plays the same game, and no play can change
//! what is considered alive or clear.

use std::vec::Vec;

use proptest::prelude::*;
use protocol::{Layout, Outcome, Point, Side};

use super::area::{alive, is_clear};
use super::playout::{LARGE, MEDIUM, PlayoutBoard, SMALL, Style};
use super::reference::Slow;
use super::stones::{Stones, beside, parts};
use super::tests::TestedGame;
use super::{REMEMBERED, SpeedGo};
use crate::game::{Game, Rules, Touch};
use crate::games::testing;
use crate::grid::Grid;
use crate::points::Points;
use crate::word::{Wide, Word};

testing::laws!(SpeedGo, testing::in_turns);

/// Cases that once broke a law: the smallest boards, on which a move captures the last
/// stones.
#[test]
fn tiny_boards_keep_the_laws_of_every_game() {
    use testing::LawStep::{Hand, Legal, Touch};
    let board = |columns, rows| Layout::grid(columns, rows).unwrap();
    let deeds = [Legal(66), Legal(107), Legal(108), Legal(0), Touch(0)];
    for (layout, mode) in [(board(2, 3), 1), (board(2, 2), 0), (board(2, 2), 1)] {
        if let Some(mut table) = testing::TestedGame::<Wide, SpeedGo<Wide>>::begin(layout, mode, 0)
        {
            for deed in deeds {
                table.tries_every_point();
                table.does(deed);
                table.does(Hand(4));
                table = table.copied();
            }
        }
    }
    assert!(testing::TestedGame::<Wide, SpeedGo<Wide>>::begin(board(2, 3), 1, 0).is_some());
}

/// A game and its slow copy.
fn slow_copy<W: Word>(table: &TestedGame<W>, game: &SpeedGo<W>) -> Slow {
    let layout = table.ground.layout();
    let cells = layout.iter().map(|p| {
        Side::BOTH
            .into_iter()
            .find(|side| game.stones().of(*side).has(p))
    });
    Slow::new(layout, cells.collect(), game.turn().unwrap())
}

/// Plays moves that the numbers select, a point or a pass each, and compares.
fn plays_as_the_slow_rules<W: Word>(columns: u8, rows: u8, mode: u8, numbers: &[u16]) {
    let mut table = TestedGame::<W>::new(columns, rows, u64::from(numbers[0]));
    let mut game = SpeedGo::start(mode, &mut table.context()).unwrap();
    let mut slow = slow_copy(&table, &game);
    for number in numbers {
        let Some(side) = game.turn() else { break };
        let legal = game.legal(&table.ground);
        assert_eq!(slow.turn, side);
        assert_eq!(
            legal.collect::<Vec<_>>(),
            slow.legal().into_iter().collect::<Vec<_>>()
        );
        assert_eq!(game.score(&table.ground), slow.score().map(u32::from));
        if number % 16 == 0 || legal.is_empty() {
            assert!(game.pass(&mut table.context()));
            slow.pass();
        } else {
            let point = legal.nth(usize::from(number / 16) % legal.len()).unwrap();
            game.touch(point, &mut table.context());
            slow = slow.after(point.index()).unwrap();
        }
        // The game may have ended for a reason other than passes.
        if game.outcome().is_some() && game.passes < 2 {
            break;
        }
        // The board passes for a side without a move.
        while slow.passes < 2 && slow.legal().is_empty() {
            slow.pass();
        }
        assert_eq!(game.passes >= 2, slow.passes >= 2);
    }
    if let Some(outcome) = game.outcome() {
        assert_eq!(outcome, Outcome::by_score(slow.count()));
    }
}

fn numbers(length: usize) -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 1..length)
}

/// Tries all orders in which only the attacker places stones. True if it ever captures
/// something, or lives in an area that did not belong to it.
fn something_can_change<W: Word>(
    table: &TestedGame<W>,
    stones: &Stones<W>,
    attacker: Side,
    seen: &mut Vec<Stones<W>>,
    before: &Stones<W>,
) -> bool {
    if seen.contains(stones) {
        return false;
    }
    seen.push(*stones);
    let gained = alive(table.ground.grid(), stones, attacker).without(before.of(attacker));
    let next_to_own = super::area::area(table.ground.grid(), before)[attacker.index()];
    if !gained.without(next_to_own).is_empty() {
        return true;
    }
    table.ground.all().any(|point| {
        stones
            .place(table.ground.grid(), attacker, point)
            .is_some_and(|(next, caught)| {
                !caught.is_empty() || something_can_change(table, &next, attacker, seen, before)
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn games_on_small_boards_follow_the_slow_rules(numbers in numbers(150)) {
        plays_as_the_slow_rules::<u64>(2, 2, 1, &numbers);
        plays_as_the_slow_rules::<u64>(3, 3, 1, &numbers);
        plays_as_the_slow_rules::<u128>(4, 3, 1, &numbers);
        plays_as_the_slow_rules::<Wide>(2, 7, 1, &numbers);
        plays_as_the_slow_rules::<u64>(5, 5, 1, &numbers);
    }

    #[test]
    fn games_from_starts_with_stones_follow_the_slow_rules(numbers in numbers(60)) {
        plays_as_the_slow_rules::<u64>(6, 6, 2, &numbers);
        plays_as_the_slow_rules::<u64>(8, 8, 0, &numbers);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn games_on_large_boards_follow_the_slow_rules(numbers in numbers(40)) {
        plays_as_the_slow_rules::<u128>(9, 9, 0, &numbers);
        plays_as_the_slow_rules::<u128>(11, 11, 2, &numbers);
        plays_as_the_slow_rules::<Wide>(16, 16, 1, &numbers);
    }
}

/// The board never ends a game while something can still be captured or invaded.
#[test]
fn clear_ownership_survives_any_play() {
    let mut clear_ends = 0;
    for (seed, (columns, rows)) in (0..400).flat_map(|s| [(4, 4), (5, 4), (3, 5)].map(|b| (s, b))) {
        let mut table = TestedGame::<u64>::new(columns, rows, seed);
        let mut game = SpeedGo::start(1, &mut table.context()).unwrap();
        while game.outcome().is_none() {
            // Own eyes of one point are not filled, so that groups can live.
            let (legal, own) = (game.legal(&table.ground), game.turn().unwrap());
            let walls = !game.stones().of(own);
            let open = |p: &Point| {
                let near = table.ground.straight_neighbours(Points::one(*p));
                near.meets(walls)
            };
            let point = table
                .rng
                .clone()
                .pick(legal.filter(open).collect::<Points<u64>>());
            table.rng.next();
            match point {
                Some(point) => assert_ne!(game.touch(point, &mut table.context()), Touch::Illegal),
                None => assert!(game.pass(&mut table.context())),
            }
        }
        if !is_clear(table.ground.grid(), game.stones()) {
            continue;
        }
        clear_ends += 1;
        for side in Side::BOTH {
            let stones = game.stones();
            assert!(!something_can_change(
                &table,
                stones,
                side,
                &mut Vec::new(),
                stones
            ));
        }
    }
    assert!(clear_ends > 100, "{clear_ends} games came to a clear end");
}

/// The size of a saved game is bounded, and small on the board of the manual.
#[test]
fn a_written_game_is_small() {
    use postcard::experimental::max_size::MaxSize;
    const { assert!(SpeedGo::<u128>::POSTCARD_MAX_SIZE <= 40 * REMEMBERED) };
    assert!(size_of::<SpeedGo<u128>>() <= 34 * REMEMBERED);
}

/// Plays random games on the fast board and on sets of points in parallel.
fn fast_board_is_the_same_game<W: Word, const CELLS: usize>(columns: u8, rows: u8, style: Style) {
    for seed in 0..40 {
        let mut table = TestedGame::<W>::new(columns, rows, seed);
        let grid = table.ground;
        let mut stones = Stones::<W>::default();
        let mut fast = PlayoutBoard::<CELLS>::new(grid.grid(), &stones, Side::Green, None);
        let (mut before, mut played) = (None, [Points::<W>::NONE; 2]);
        for turn in 0..3 * grid.layout().points() {
            let side = fast.turn();
            // The fast board only knows earlier positions through the ko.
            let moves = stones.moves(grid.grid(), side).filter(|point| {
                let (next, _) = stones.place(grid.grid(), side, *point).unwrap();
                Some(next) != before
            });
            let allowed = grid.all().filter(|point| fast.allows(*point));
            assert_eq!(allowed.collect::<Vec<_>>(), moves.collect::<Vec<_>>());
            if turn % 16 == 0 {
                // A board that is suspended and resumed is the same board.
                let left = fast.leave(grid.grid());
                assert!(left.is_sound(grid.grid()));
                fast = PlayoutBoard::resume(grid.grid(), &left);
            }
            fast.each_first(grid.grid(), |index, side| {
                assert!(played[side.index()].has(Point(index as u8)));
            });
            let sensible = grid.all().filter(|point| fast.is_sensible(*point));
            let sensible: Points<W> = sensible.collect();
            let next = match fast.step(style, &mut table.rng) {
                Some(point) => {
                    if !(played[0] | played[1]).has(point) {
                        played[side.index()].insert(point);
                    }
                    assert!(style != Style::Light || sensible.has(point));
                    stones.place(grid.grid(), side, point).unwrap().0
                }
                None => {
                    assert!(sensible.is_empty());
                    stones
                }
            };
            assert_eq!(fast.stones(grid.grid()), next);
            before = (next != stones).then_some(stones);
            stones = next;
            if fast.is_over() {
                let [green, red] = super::area::count(grid.grid(), &stones).map(i32::from);
                assert_eq!(i32::from(fast.lead()), green - red);
                break;
            }
        }
    }
}

#[test]
fn the_fast_board_plays_the_same_game() {
    for style in [Style::Light, Style::Answering] {
        fast_board_is_the_same_game::<u64, SMALL>(3, 3, style);
        fast_board_is_the_same_game::<u64, SMALL>(16, 4, style);
        fast_board_is_the_same_game::<u64, SMALL>(2, 5, style);
        fast_board_is_the_same_game::<u128, SMALL>(9, 9, style);
        fast_board_is_the_same_game::<u128, MEDIUM>(8, 16, style);
        fast_board_is_the_same_game::<Wide, LARGE>(16, 16, style);
    }
}

#[test]
fn random_moves_are_equally_likely() {
    let table = TestedGame::<u64>::new(3, 3, 0);
    let empty = PlayoutBoard::<SMALL>::new(
        table.ground.grid(),
        &Stones::<u64>::default(),
        Side::Green,
        None,
    );
    let (mut rng, mut seen) = (crate::rng::Rng::new(5), [0; 9]);
    for _ in 0..9_000 {
        seen[empty.clone().step(Style::Light, &mut rng).unwrap().index()] += 1;
    }
    assert!(
        seen.iter().all(|count| (850..1_150).contains(count)),
        "{seen:?}"
    );
}

/// Benson's definition, group by group and region by region.
/// [`alive`](super::area::alive) computes the same for the whole board at once.
fn alive_by_filling<W: Word>(grid: &Grid<W>, stones: &Stones<W>, side: Side) -> Points<W> {
    let own = stones.of(side);
    let mut living = own;
    loop {
        let keeps = |group: Points<W>, region: Points<W>| {
            let walls = beside(grid, region) & own;
            let is_enclosed = walls.without(living).is_empty();
            let liberties = beside(grid, group);
            is_enclosed && (region & stones.empty(grid)).without(liberties).is_empty()
        };
        let lives = |group: &Points<W>| {
            let regions = parts(grid, grid.all().without(own));
            regions.filter(|region| keeps(*group, *region)).count() >= 2
        };
        let next = parts(grid, living)
            .filter(lives)
            .fold(Points::NONE, |next, group| next | group);
        if next == living {
            return living;
        }
        living = next;
    }
}

/// Plays random games to their ends, where the boards are full of eyes.
fn life_is_what_benson_says<W: Word, const CELLS: usize>(columns: u8, rows: u8) -> usize {
    let mut living = 0;
    for seed in 0..60 {
        let mut table = TestedGame::<W>::new(columns, rows, seed);
        let grid = table.ground;
        let empty = Stones::<W>::default();
        let mut fast = PlayoutBoard::<CELLS>::new(grid.grid(), &empty, Side::Green, None);
        for _ in 0..3 * grid.layout().points() {
            fast.step(Style::Light, &mut table.rng);
            let stones = fast.stones(grid.grid());
            for side in Side::BOTH {
                let alive = alive(grid.grid(), &stones, side);
                assert_eq!(alive, alive_by_filling(grid.grid(), &stones, side));
                living += alive.len();
            }
            if fast.is_over() {
                break;
            }
        }
    }
    living
}

#[test]
fn living_stones_equal_bensons_definition() {
    assert!(life_is_what_benson_says::<u64, SMALL>(5, 5) > 0);
    assert!(life_is_what_benson_says::<u128, MEDIUM>(9, 9) > 0);
    assert!(life_is_what_benson_says::<Wide, LARGE>(4, 16) > 0);
}
