//! The sentences of the manual and the choices of `RULES.md`, one by one; the laws; and
//! matches between levels. A generation is compared with a simple count of neighbours,
//! point by point.

mod of_the_race;
mod of_the_war;
mod sound;

use std::eprintln;
use std::vec::Vec as StdVec;

use proptest::prelude::*;
use protocol::{Colour, Event, Layout};

use super::generation::{Aged, LIFETIME, hostile, plain};
use super::*;
use crate::game::{BoardTurn, Player};
use crate::games::testing::{self, Series, Whole, layouts, play_out};
use crate::word::Wide;

type TestedGame = testing::TestedGame<u128, Life<u128>>;

testing::laws!(Life);

/// A generation at speed 5.
const GENERATION: Tick = 700;

/// The dark time before a turn of the race.
const PAUSE: Tick = race::PAUSE_MS;

fn position(mode: u8, rows: &[&str]) -> TestedGame {
    TestedGame::position(mode, Side::Green, rows).unwrap()
}

fn blocks() -> TestedGame {
    position(
        1,
        &["gg", "gg", "", "", "", "", "", ".......rr", ".......rr"],
    )
}

impl TestedGame {
    fn race(&mut self) -> &mut Race<u128> {
        match &mut self.game {
            Life::Race(race) => race,
            Life::War(_) => panic!("this is the war"),
        }
    }

    fn war(&mut self) -> &mut War<u128> {
        match &mut self.game {
            Life::War(war) => war,
            Life::Race(_) => panic!("this is the race"),
        }
    }

    fn alive(&self) -> Points<u128> {
        self.ground.all().without(self.shown(Colour::OFF))
    }

    /// Kills the last points of this turn, three in each generation, and waits for the
    /// next turn.
    fn kill_all(&mut self) {
        let turn = self.game.turn();
        while self.game.turn() == turn && !self.alive().is_empty() {
            match self.alive().first().filter(|_| !self.legal().is_empty()) {
                Some(point) => {
                    self.touch(point);
                }
                None => self.wait_for_wake(),
            }
        }
    }
}

/// The number of living neighbours of a point, counted one by one.
fn count<W: Word>(point: Point, alive: Points<W>, grid: &Grid<W>) -> i32 {
    let steps = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
    steps
        .filter(|step| *step != (0, 0))
        .filter_map(|(x, y)| grid.offset(point, x, y))
        .filter(|near| alive.has(*near))
        .count() as i32
}

fn sets() -> impl Strategy<Value = (Layout, StdVec<bool>, StdVec<u8>)> {
    (
        layouts(1),
        proptest::collection::vec(any::<bool>(), 256),
        proptest::collection::vec(0..6_u8, 256),
    )
}

proptest! {
    /// Maldoo manual, Life: "If the number of 'alive' neighbors is not 2 or 3,
    /// the point becomes or stays 'dead' [...]. If the point is empty and has
    /// three alive neighbors, it becomes alive."
    #[test]
    fn a_plain_generation_equals_counting((layout, alive, _) in sets()) {
        let grid: Grid<Wide> = Grid::new(layout).unwrap();
        let alive: Points<Wide> =
            layout.iter().filter(|point| alive[point.index()]).collect();
        let expected = layout.iter().filter(|point| {
            matches!((alive.has(*point), count(*point, alive, &grid)), (true, 2 | 3) | (false, 3))
        });
        prop_assert_eq!(plain(alive, &grid), expected.collect());
    }

    /// As above, with ages: "When a point reaches 6 generations it dies even if it has 2
    /// or 3 neighbors."
    #[test]
    fn a_generation_with_ages_equals_counting((layout, starts, presses) in sets()) {
        let grid: Grid<Wide> = Grid::new(layout).unwrap();
        let mut ages: StdVec<Option<u8>> =
            starts.iter().map(|alive| alive.then_some(0)).collect();
        let mut cells =
            Aged::new(layout.iter().filter(|point| starts[point.index()]).collect());
        for generation in 0..12 {
            let alive = cells.alive();
            let mut next = ages.clone();
            for point in layout.iter() {
                let old = ages[point.index()];
                next[point.index()] = match (old, count(point, alive, &grid)) {
                    (Some(age), 2 | 3) => Some(age + 1).filter(|age| *age < LIFETIME),
                    (None, 3) => Some(0),
                    _ => None,
                };
            }
            ages = next;
            cells = cells.next(&grid);
            let pressed = layout.iter().filter(|point| presses[point.index()] == generation % 6);
            for point in pressed.take(2) {
                let age = &mut ages[point.index()];
                *age = if age.is_some() { None } else { Some(0) };
                cells.reverse(Points::one(point));
            }
            let expected = layout.iter().filter(|point| ages[point.index()].is_some());
            prop_assert_eq!(cells.alive(), expected.collect());
            prop_assert!(cells.is_sound(&grid));
        }
    }

    /// Maldoo manual, Life, mode 1: "neighbors that are occupied by 'stones' of
    /// the other colour are counted as -2 each. A point stays alive if it has a
    /// neighbor count of 2 or 3. For an empty point, if the difference between
    /// the number of neighbors of each colour is 2 [...], the point becomes
    /// alive with the colour of the majority."
    #[test]
    fn a_hostile_generation_equals_counting((layout, _, stones) in sets()) {
        let grid: Grid<Wide> = Grid::new(layout).unwrap();
        let of = |stone: u8| layout.iter().filter(|point| stones[point.index()] == stone).collect();
        let before: [Points<Wide>; 2] = [of(0), of(1)];
        let counts = |point| before.map(|stones| count(point, stones, &grid));
        let expected = [0, 1].map(|side: usize| {
            let lives = |point: &Point| {
                let [own, other] = [counts(*point)[side], counts(*point)[1 - side]];
                if before[side].has(*point) {
                    matches!(own - 2 * other, 2 | 3)
                } else {
                    !before[1 - side].has(*point) && own - other == 2
                }
            };
            layout.iter().filter(lives).collect::<Points<Wide>>()
        });
        prop_assert_eq!(hostile(before, &grid), expected);
    }
}

/// Tests every possible number of neighbours of both colours; arbitrary boards rarely
/// have seven or eight.
#[test]
fn all_surroundings_of_a_point_are_right() {
    let grid: Grid<u64> = Grid::new(Layout::grid(3, 3).unwrap()).unwrap();
    for code in 0..3_usize.pow(9) {
        let stone = |point: &Point| code / 3_usize.pow(u32::from(point.0)) % 3;
        let of = |colour| {
            grid.sides()
                .iter()
                .filter(|point| stone(point) == colour)
                .collect()
        };
        let before: [Points<u64>; 2] = [of(1), of(2)];
        let middle = Point(4);
        let [green, red] = before.map(|stones| count(middle, stones, &grid));
        let expected = match stone(&middle) {
            1 => [matches!(green - 2 * red, 2 | 3), false],
            2 => [false, matches!(red - 2 * green, 2 | 3)],
            _ => [green - red == 2, red - green == 2],
        };
        let after = hostile(before, &grid).map(|stones| stones.has(middle));
        assert_eq!(
            after,
            expected,
            "{green} green and {red} red around {}",
            stone(&middle)
        );
    }
}

// Tests of positions that are set up.

#[test]
fn an_impossible_position_is_refused() {
    for (mode, rows, possible) in [
        (0, ["ggg", ""], true),
        (0, ["ggg", "r"], false),
        (0, ["", "r"], false),
        (0, ["", ""], false),
        (0, ["gga", ""], false),
        (1, ["ggg", "rrr"], true),
        (1, ["ggg", ""], false),
        (1, ["", "rrr"], false),
        (2, ["ggg", "rrr"], false),
    ] {
        let table = TestedGame::position(mode, Side::Green, &rows);
        assert_eq!(table.is_some(), possible, "mode {mode}: {rows:?}");
    }
    let mut table = TestedGame::position(0, Side::Red, &["rrr"]).unwrap();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert_eq!(table.race().pattern.len(), 3);
}

#[test]
fn a_board_is_large_enough_from_4x4_on() {
    for (columns, rows, fits) in [(3, 16, false), (16, 3, false), (4, 4, true), (8, 8, true)] {
        let layout = Layout::grid(columns, rows).unwrap();
        for mode in 0..2 {
            let table = testing::TestedGame::<u64, Life<u64>>::begin(layout, mode, 1);
            assert_eq!(table.is_some(), fits, "mode {mode} on {layout}");
        }
    }
}

// Tests of the board's player.

#[test]
fn the_hand_computes_no_more_generations_than_its_budget() {
    for skill in player::RACE {
        let generations = u16::from(skill.tries) * u16::from(skill.depth);
        assert!(generations <= player::GENERATIONS_A_TICK);
    }
}

#[test]
fn the_hand_plays_red_in_both_modes() {
    let mut whole = Whole::with(
        2,
        0,
        4,
        Side::Red,
        &["rrr", "rrr", "", "", "rr.rr", "rr.rr"],
    );
    whole.wait(10_000);
    let score = whole.board.score().unwrap();
    assert!(score[1] <= 5, "{score:?}");
    assert_eq!(whole.board.turn(), Some(Side::Green));
    for level in 1..=4 {
        let rows = [
            "gg.gg", "g.g.g", "..gg", "", "", "", "..rr", "r.r.r", "rr.rr",
        ];
        let mut whole = Whole::with(2, 1, level, Side::Red, &rows);
        whole.wait(1_000);
        let by_red = whole.events.iter().any(|(_, event)| {
            matches!(
                event,
                Event::Move {
                    side: Side::Red,
                    ..
                } | Event::Passed { side: Side::Red }
            )
        });
        assert!(by_red, "level {level}: {:?}", whole.events);
    }
}

#[test]
fn a_hand_that_has_no_turn_is_not_asked_again() {
    let mut table = blocks();
    table.war().plays = [0, 0];
    let act = table.with(|game, hand, context| hand.wake(game, 4, context));
    assert_eq!(act, BoardTurn::Wait);
    assert_eq!(Player::<u128, Life<u128>>::wakes_at(&table.hand), Tick::MAX);
}

fn play(mode: u8, seed: u64, levels: [u8; 2]) -> Outcome {
    let table = TestedGame::start(mode, seed);
    let table = play_out(table, levels, 100_000_000).expect("it ends");
    table.game.outcome().expect("it has ended")
}

#[test]
fn every_level_beats_the_one_below_in_both_modes() {
    let mut doubtful = StdVec::new();
    for mode in 0..2 {
        for higher in 2..=4 {
            let series = Series::of(400, higher, |seed, levels| play(mode, seed, levels));
            eprintln!(
                "mode {mode}: level {higher} against {}: {series:?}",
                higher - 1
            );
            if !series.is_beyond_chance() {
                doubtful.push((mode, higher));
            }
        }
    }
    assert!(doubtful.is_empty(), "(mode, level): {doubtful:?}");
}
