//! The laws of every mind: it answers in time, stays within its budget, gives the same
//! results after any interruption, and finds the right ones.

use std::collections::BTreeMap;
use std::vec::Vec;

use postcard::experimental::max_size::MaxSize;
use proptest::prelude::*;
use protocol::{Point, Side};
use serde::{Deserialize, Serialize};

use super::alphabeta::{AlphaBeta, RootMove, SearchGame, Then};
use super::arena::{NODES, WHOLE};
use super::at_level;
use super::pace::{Due, EARLIEST_MS, LATEST_MS, ThinkingTime};
use super::positions::{Ahead, Along, Next, PositionKey, Positions};
use super::thinker::{Aim, ThinkingLevel};
use super::tree::{Rollout, Tree};
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;

proptest! {
    #[test]
    fn answers_are_due_between_the_earliest_and_latest_moment(
        began in 0..1_000_000_u64,
        think_ms in 0..10_000_u64,
        knows_after_ms in 0..10_000_u64,
        late_ms in prop::collection::vec(0..50_u64, 1..40),
    ) {
        let mut pace = ThinkingTime::default();
        prop_assert!(pace.begins(began));
        let (mut now, mut late_ms) = (began, late_ms.into_iter().cycle());
        let answered_ms = loop {
            let knows = now - began >= knows_after_ms;
            match pace.due(now, knows, think_ms) {
                Due::Answer => break now - began,
                Due::Think => prop_assert!(!knows && now - began < think_ms.min(LATEST_MS)),
                Due::Rest => prop_assert_eq!(pace.wakes_at(), began + EARLIEST_MS),
            }
            now = pace.wakes_at().max(now + 1) + late_ms.next().unwrap_or(0);
            prop_assert!(!pace.begins(now));
        };
        prop_assert!(answered_ms >= EARLIEST_MS);
        // If it is asked in time, it answers in time; if it is asked late, no later than
        // that.
        prop_assert!(answered_ms <= LATEST_MS.max(EARLIEST_MS) + 50);
    }
}

#[test]
fn an_undecided_mind_answers_at_its_last_moment() {
    for think_ms in [0, 1_000, 100_000] {
        let mut pace = ThinkingTime::default();
        assert!(pace.begins(7));
        let due = (7..).find(|now| pace.due(*now, false, think_ms) == Due::Answer);
        let answered_ms = due.expect("it answers") - 7;
        assert_eq!(answered_ms, think_ms.clamp(EARLIEST_MS, LATEST_MS));
    }
}

#[test]
fn an_unknown_level_becomes_the_nearest_one() {
    let levels = ["one", "two", "three", "four"];
    let named = [0, 1, 2, 4, 5, 255].map(|number| *at_level(&levels, number));
    assert_eq!(named, ["one", "one", "two", "four", "four", "four"]);
}

/// A random tree as a game: the continuations of a position are derived from its number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct Spot(u64);

impl Spot {
    fn mixed(self, with: u64) -> Spot {
        Spot(u64::from(
            Rng::new(self.0 ^ (with + 1).wrapping_mul(0x9E37_79B9)).next(),
        ))
    }

    /// The moves at the position, at most six.
    fn moves(self) -> Points<u64> {
        Points(self.0 & (self.0 >> 8) & 0x3F)
    }

    fn value(self) -> i16 {
        (self.0 >> 20) as i16 % 64
    }
}

impl PositionKey<u64> for Spot {
    fn is_sound(&self, _grid: &Grid<u64>) -> bool {
        true
    }
}

struct Chance;

impl Ahead<u64> for Chance {
    type Position = Spot;

    fn next(&self, spot: &Spot) -> Next<u64, Spot> {
        let turned = spot.mixed(99);
        match (spot.moves().is_empty(), turned.moves().is_empty()) {
            (false, _) => Next::Moves(spot.moves()),
            (true, false) => Next::Passed(turned, turned.moves()),
            (true, true) => Next::Over(spot.value()),
        }
    }

    fn after(&self, spot: &Spot, point: Point) -> Spot {
        spot.mixed(point.0.into())
    }

    fn evaluate(&self, spot: &Spot) -> i16 {
        spot.value()
    }

    fn urgent(&self, spot: &Spot, moves: Points<u64>) -> Points<u64> {
        moves & Points(spot.0 >> 40)
    }

    fn moves_left(&self, _spot: &Spot) -> usize {
        usize::MAX
    }
}

/// The value of each move, found by searching all branches.
fn minimax(spot: Spot, depth: u8) -> BTreeMap<u8, i16> {
    fn worth(spot: Spot, depth: u8) -> i16 {
        match Chance.next(&spot) {
            _ if depth == 0 => spot.value(),
            Next::Over(value) => value,
            Next::Moves(_) => minimax(spot, depth).into_values().max().unwrap(),
            Next::Passed(turned, _) => -minimax(turned, depth).into_values().max().unwrap(),
        }
    }
    let moves = spot.moves();
    moves
        .map(|point| (point.0, -worth(Chance.after(&spot, point), depth - 1)))
        .collect()
}

/// A line that counts how often it is called.
struct Counted<L> {
    line: L,
    tried: u32,
}

impl<L: SearchGame<u64>> SearchGame<u64> for Counted<L> {
    fn moves_left(&self) -> usize {
        self.line.moves_left()
    }
    fn begin(&mut self) -> Points<u64> {
        self.line.begin()
    }
    fn go(&mut self, point: Point, is_last: bool) -> Then<u64> {
        self.tried += 1;
        self.line.go(point, is_last)
    }
    fn back(&mut self) {
        self.line.back();
    }
    fn first(&self, untried: Points<u64>) -> Points<u64> {
        self.line.first(untried)
    }
}

const DEEP: u8 = 6;

/// Searches this many moves from a position, in calls of some positions each; with
/// `saves`, the search is saved and loaded between calls.
fn searched(spot: Spot, slip: u16, portions: &[u32], saves: bool) -> (Vec<RootMove>, u64) {
    type Held = (AlphaBeta<u64, [u8; DEEP as usize]>, Positions<u64, Spot>);
    let (mut held, mut rng) = (Held::default(), Rng::new(spot.0));
    let mut buffer = [0; 2_048];
    let (mut found, mut tried) = (Vec::new(), 0);
    let mut portions = portions.iter().cycle();
    for depth in 1..=DEEP {
        let mut begins = true;
        loop {
            if saves {
                let bytes = postcard::to_slice(&held, &mut buffer).unwrap();
                held = postcard::from_bytes(bytes).unwrap();
            }
            let (search, positions) = &mut held;
            let along = Along {
                ahead: Chance,
                from: spot,
                positions,
            };
            let mut line = Counted {
                line: along,
                tried: 0,
            };
            let mut search = search.on(&mut line, slip, &mut rng);
            if core::mem::take(&mut begins) {
                search.begin_iteration(depth);
            } else if !search.is_under_way() {
                found.push(search.best().expect("there is a move"));
                break;
            }
            let most = *portions.next().unwrap();
            let left = search.run(most);
            assert_eq!(line.tried, most - left, "it tells what it looked at");
            tried += u64::from(line.tried);
        }
    }
    (found, tried)
}

fn spots() -> impl Strategy<Value = Spot> {
    any::<u64>()
        .prop_map(|seed| Spot(seed).mixed(0))
        .prop_filter("the game begins", |spot| !spot.moves().is_empty())
}

proptest! {
    #[test]
    fn alpha_beta_equals_minimax(spot in spots()) {
        for (depth, best) in (1..).zip(searched(spot, 0, &[1_000], false).0) {
            let all = minimax(spot, depth);
            prop_assert_eq!(Some(&best.value), all.values().max(), "depth {}", depth);
            prop_assert_eq!(all.get(&best.point.0), Some(&best.value), "depth {}", depth);
        }
    }

    #[test]
    fn a_mistaken_first_move_is_worse_by_less_than_the_slip(spot in spots(), slip in 1..40_u16) {
        for (depth, best) in (1..).zip(searched(spot, slip, &[1_000], false).0) {
            let all = minimax(spot, depth);
            let lost = all.values().max().unwrap() - all[&best.point.0];
            prop_assert!(lost < slip as i16, "depth {}: {} lost", depth, lost);
        }
    }

    #[test]
    fn a_search_is_the_same_in_any_portions_and_after_any_load(
        spot in spots(),
        slip in 0..9_u16,
        portions in prop::collection::vec(1..20_u32, 1..8),
    ) {
        let whole = searched(spot, slip, &[u32::MAX], false);
        prop_assert_eq!(&searched(spot, slip, &portions, false), &whole);
        prop_assert_eq!(&searched(spot, slip, &portions, true), &whole);
    }

    #[test]
    fn a_tick_of_search_stays_within_its_positions(
        spot in spots(),
        positions in 1..30_u32,
        look in 0..2_u32,
        depth in 1..=DEEP,
    ) {
        let level = ThinkingLevel { depth, solve: 0, think_ms: 1_000, slip: 0 };
        let aim = Aim { level: &level, sure: 60, leap: None, look };
        let mut search = AlphaBeta::<u64, [u8; DEEP as usize]>::default();
        let (mut held, mut rng) = (Positions::default(), Rng::new(1));
        for _ in 0..100_000 {
            let line = Along { ahead: Chance, from: spot, positions: &mut held };
            let mut line = Counted { line, tried: 0 };
            // Called through a pointer, as in an image.
            let pointer: &mut dyn SearchGame<u64> = &mut line;
            let is_through = aim.think(&mut search.on(pointer, 0, &mut rng), positions);
            prop_assert!(line.tried <= positions);
            if is_through {
                return Ok(());
            }
        }
        prop_assert!(false, "it thinks for ever");
    }
}

/// A game of a fixed number of turns. The side with the higher point at the end of the
/// first turn wins, so red's best move at the root is the last one.
struct Climb {
    points: u8,
    turn: Side,
    moves: Vec<Point>,
}

impl Rollout<u64> for Climb {
    fn turn(&self) -> Side {
        self.turn
    }
    fn open(&self) -> Points<u64> {
        let taken: Points<u64> = self.moves.iter().copied().collect();
        Points((1 << self.points) - 1).without(taken)
    }
    fn allows(&self, point: Point) -> bool {
        self.open().has(point)
    }
    fn is_sensible(&self, point: Point) -> bool {
        self.allows(point)
    }
    fn promise(&self, _point: Point) -> i32 {
        0
    }
    fn play(&mut self, point: Point) {
        self.moves.push(point);
        self.turn = self.turn.other();
    }
    fn effort(&self) -> u32 {
        0
    }
    fn charge(&self, _steps: u32) {}
    fn worth(&self, side: Side) -> u16 {
        let [red, green] = [0, 1].map(|n| self.moves.get(n).map_or(0, |point| point.0));
        let won = (red > green) == (side == Side::Red);
        if won { WHOLE } else { 0 }
    }
    fn was_first(&self, point: Point, side: Side) -> bool {
        let number = self.moves.iter().position(|made| *made == point);
        number.is_some_and(|number| (number % 2 == 0) == (side == Side::Red))
    }
    fn each_first(&self, tell: &mut dyn FnMut(usize, Side)) {
        for (number, point) in self.moves.iter().enumerate() {
            let side = [Side::Red, Side::Green][number % 2];
            tell(point.index(), side);
        }
    }
}

#[test]
fn a_tree_with_a_full_pool_keeps_learning() {
    const POINTS: u8 = 24;
    let grid = Grid::<u64>::new(protocol::Layout::grid(6, 4).unwrap()).unwrap();
    let mut tree = Tree::default();
    tree.plant(POINTS.into());
    let mut rng = Rng::new(3);
    let mut full_for = 0;
    let mut before = None;
    for _ in 0..20_000 {
        let (turn, moves) = (Side::Red, Vec::new());
        let mut game = Climb {
            points: POINTS,
            turn,
            moves,
        };
        let path = tree.descend(&mut game, grid.all());
        while let Some(point) = rng.pick(game.open()) {
            game.play(point);
        }
        tree.learn(&path, Side::Red, &game);
        assert!(tree.len() <= NODES && tree.is_sound(POINTS.into()));
        assert!(tree.has_path(&path));
        if tree.len() == NODES {
            full_for += 1;
            let now = Some(tree.clone());
            assert_ne!(before, now, "it learns from each game");
            before = now;
        }
    }
    assert!(
        full_for > 1_000,
        "the pool was full for {full_for} games only"
    );
    assert_eq!(
        tree.favourite().map(|(point, _)| point),
        Some(Point(POINTS - 1))
    );
}
