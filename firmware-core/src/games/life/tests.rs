//! The sentences of the manual and the choices of `RULES.md`, one by one; the
//! laws; and the levels against each other. One generation is compared with a
//! plain count of neighbours, point by point.

use std::eprintln;
use std::vec::Vec as List;

use proptest::prelude::*;
use protocol::{Colour, Event, Layout};

use super::generation::{Aged, LIFETIME, hostile, plain};
use super::*;
use crate::game::{Act, Player};
use crate::games::testing::{self, Series, Whole, layouts, play_out};
use crate::word::Wide;

type Table = testing::Table<u128, Life<u128>>;

testing::laws!(Life);

/// A generation at speed 5.
const GENERATION: Tick = 700;

/// The dark time before a turn of the race.
const PAUSE: Tick = race::PAUSE_MS;

fn position(mode: u8, rows: &[&str]) -> Table {
    Table::position(mode, Side::Green, rows).unwrap()
}

impl Table {
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

    /// Kills the last points of this turn, three a generation, and waits for
    /// the next one.
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

/// Living neighbours of a point, counted one by one.
fn count<W: Word>(point: Point, alive: Points<W>, grid: &Grid<W>) -> i32 {
    let steps = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
    steps
        .filter(|step| *step != (0, 0))
        .filter_map(|(x, y)| grid.offset(point, x, y))
        .filter(|near| alive.has(*near))
        .count() as i32
}

fn sets() -> impl Strategy<Value = (Layout, List<bool>, List<u8>)> {
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
    fn a_plain_generation_is_what_counting_gives((layout, alive, _) in sets()) {
        let grid: Grid<Wide> = Grid::new(layout).unwrap();
        let alive: Points<Wide> =
            layout.iter().filter(|point| alive[point.index()]).collect();
        let expected = layout.iter().filter(|point| {
            matches!((alive.has(*point), count(*point, alive, &grid)), (true, 2 | 3) | (false, 3))
        });
        prop_assert_eq!(plain(alive, &grid), expected.collect());
    }

    /// The same with ages: "When a point reaches 6 generations it dies even if
    /// it has 2 or 3 neighbors."
    #[test]
    fn a_generation_with_ages_is_what_counting_gives((layout, starts, presses) in sets()) {
        let grid: Grid<Wide> = Grid::new(layout).unwrap();
        let mut ages: List<Option<u8>> =
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
    fn a_hostile_generation_is_what_counting_gives((layout, _, stones) in sets()) {
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

/// Every number of neighbours that there can be, of both colours, comes out
/// right: arbitrary boards seldom have seven or eight.
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

// Mode 0, Life1.

#[test]
fn a_turn_begins_with_a_third_of_the_points_in_the_colour_of_the_player() {
    let table = Table::start(0, 1);
    assert_eq!(table.shown(Colour::GREEN).len(), 27);
    assert_eq!(table.shown(Colour::OFF).len(), 54);
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert!(!table.game.clock_runs());
}

/// Maldoo manual, Life: "Each 'generation' (700 milliseconds at speed 5)".
#[test]
fn a_generation_lasts_700_milliseconds_at_speed_5() {
    for mode in 0..2 {
        let mut table = Table::start(mode, 1);
        let before = table.picture();
        table.wait(699);
        assert_eq!(table.picture(), before);
        table.wait(1);
        assert_ne!(table.picture(), before);
        assert_eq!(table.game.wakes_at(), Some(1_400));
    }
    assert!(GENERATION_MS.is_sorted_by(|slow, fast| slow > fast));
    let mut table = Table::start(0, 1);
    table.speed = 9;
    table.wait(GENERATION);
    assert_eq!(
        table.game.wakes_at(),
        Some(GENERATION + 285),
        "speed acts at once"
    );
}

/// A block keeps itself alive, but only for six generations.
#[test]
fn a_point_is_seen_for_six_generations_and_then_dies_with_2_or_3_neighbors() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    for generation in 0..6 {
        assert_eq!(table.alive().len(), 4, "in generation {generation}");
        assert_eq!(table.score(), [generation, 0]);
        table.wait(GENERATION);
    }
    assert_eq!(table.score(), [6, 0]);
    assert_eq!(table.game.turn(), Some(Side::Red));
}

#[test]
fn a_pressed_point_is_new_again() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    table.wait(5 * GENERATION);
    table.tap(1, 1);
    table.tap(1, 1);
    table.wait(GENERATION);
    assert_eq!(table.alive(), Points::one(table.at(1, 1)));
}

/// Maldoo manual, Life: "When the player presses a point, it reverses its
/// status, i.e. an empty point becomes 'alive', while a 'live' point dies."
#[test]
fn a_press_reverses_a_point_at_once() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    assert_eq!(table.tap(1, 1), Touch::Move(0));
    assert_eq!(table.picture().get(table.at(1, 1)), Colour::OFF);
    assert_eq!(table.tap(8, 8), Touch::Move(0));
    assert_eq!(table.picture().get(table.at(8, 8)), Colour::GREEN);
    assert_eq!(table.game.turn(), Some(Side::Green));
}

/// Maldoo manual, Life: "The number of plays a player can perform per
/// generation is 3."
#[test]
fn three_plays_a_generation_and_no_more() {
    let mut table = Table::start(0, 1);
    for generation in 0..3 {
        assert_eq!(table.legal().len(), 81);
        for column in 0..3 {
            assert_eq!(
                table.tap(column, 8),
                Touch::Move(0),
                "in generation {generation}"
            );
        }
        assert!(table.legal().is_empty());
        assert_eq!(table.tap(5, 5), Touch::Ignored);
        table.wait(GENERATION);
    }
    table.tap(0, 0);
    table.wait(GENERATION);
    for column in 0..3 {
        assert_eq!(table.tap(column, 8), Touch::Move(0));
    }
    assert_eq!(table.tap(3, 8), Touch::Ignored, "plays are not saved up");
}

/// Maldoo manual, Life: "Each player in their turn tries to 'kill' all the
/// points as fast as possible."
#[test]
fn the_press_that_kills_the_last_point_ends_the_turn_at_once() {
    let mut table = position(0, &["g", "....g", "........g"]);
    table.tap(0, 0);
    table.tap(4, 1);
    assert_eq!(table.game.turn(), Some(Side::Green));
    table.tap(8, 2);
    assert_eq!(
        table.score(),
        [0, 0],
        "before the first generation was over"
    );
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(table.alive().is_empty());
    assert!(table.legal().is_empty());
}

#[test]
fn both_players_of_a_round_get_the_same_pattern_and_the_next_round_another_one() {
    let mut table = Table::start(0, 6);
    let pattern = table.shown(Colour::GREEN);
    table.kill_all();
    assert_eq!(table.game.turn(), Some(Side::Red));
    table.wait(PAUSE - 1);
    assert!(table.alive().is_empty());
    table.wait(1);
    assert_eq!(table.shown(Colour::RED), pattern);
    assert_eq!(table.legal().len(), 81);
    table.kill_all();
    assert_eq!(table.game.turn(), Some(Side::Green));
    table.wait(PAUSE);
    assert_eq!(table.shown(Colour::GREEN).len(), 27);
    assert_ne!(table.shown(Colour::GREEN), pattern);
}

/// Maldoo manual, Life: "The board accumulates the number of generations for
/// each player".
#[test]
fn the_generations_of_all_turns_of_a_player_add_up() {
    let mut table = position(0, &["", ".gg", ".gg"]);
    let mut expected = [0, 0];
    for round in 0..4 {
        for side in 0..2 {
            assert_eq!(table.game.turn(), Some(Side::BOTH[side]));
            table.race().cells = Aged::new(Points::one(Point(0)));
            table.wait(GENERATION);
            expected[side] += 1;
            assert_eq!(table.score(), expected, "round {round}");
            table.wait(PAUSE);
        }
    }
}

/// Maldoo manual, Life: "when after a red turn either of the player has more
/// than 100 generations the player with less generation wins".
#[test]
fn the_race_ends_after_a_red_turn_when_somebody_has_more_than_100() {
    for (turn, totals, result) in [
        (Side::Green, [150, 20], None),
        (Side::Red, [100, 99], None),
        (Side::Red, [101, 20], Some(Outcome::Won(Side::Red))),
        (Side::Red, [20, 100], Some(Outcome::Won(Side::Green))),
        (Side::Red, [20, 99], None),
        (Side::Red, [101, 100], Some(Outcome::Draw)),
    ] {
        let letter = if turn == Side::Green { "g" } else { "r" };
        let mut table = Table::position(0, turn, &[letter]).unwrap();
        table.race().totals = totals;
        // A single point dies in the generation that is under way.
        table.wait(GENERATION);
        assert_eq!(table.game.outcome(), result, "{totals:?} after {turn:?}");
    }
}

/// Some patterns live for ever, ages or not.
#[test]
fn a_turn_ends_after_100_generations_without_a_press() {
    let everlasting = (0..200)
        .map(|seed| Table::start(0, seed))
        .find_map(|mut table| {
            table.wait(99 * GENERATION);
            (table.game.turn() == Some(Side::Green)).then_some(table)
        });
    let mut table = everlasting.expect("one of 200 patterns");
    assert_eq!(table.score(), [99, 0]);
    let mut pressed = table.clone();
    table.wait(GENERATION);
    assert_eq!(
        (table.score(), table.game.turn()),
        ([100, 0], Some(Side::Red))
    );
    assert!(table.alive().is_empty());
    pressed.tap(0, 0);
    pressed.tap(0, 0);
    pressed.wait(GENERATION);
    assert_eq!(pressed.game.turn(), Some(Side::Green), "somebody is there");
}

#[test]
fn a_turn_ends_when_the_player_has_999_generations() {
    let mut table = Table::start(0, 1);
    table.race().totals = [998, 3];
    table.wait(GENERATION);
    assert_eq!(
        (table.score(), table.game.turn()),
        ([999, 3], Some(Side::Red))
    );
}

#[test]
fn a_race_that_nobody_plays_ends() {
    for seed in 0..20 {
        let mut table = Table::start(0, seed);
        table.wait(210 * (110 * GENERATION + PAUSE));
        assert!(table.game.outcome().is_some());
    }
}

#[test]
fn a_turn_of_the_race_cannot_be_given_away() {
    let mut table = Table::start(0, 1);
    assert!(!table.pass());
    assert!(!table.game.clock_runs());
}

// Mode 1, Life2.

/// Maldoo manual, Life, mode 1: "Note that the board is symmetrical, so will
/// end up in a draw unless at least one point is pressed."
#[test]
fn the_war_begins_symmetrical_and_is_a_draw_if_nobody_presses() {
    for seed in 0..40 {
        let mut table = Table::start(1, seed);
        for _ in 0..200 {
            let [green, red] = table.war().stones;
            let opposite = green.map(|point| Point(80 - point.0)).collect();
            assert_eq!(red, opposite);
            table.wait(GENERATION);
        }
        table.wait(1_000 * GENERATION);
        assert_eq!(table.game.outcome(), Some(Outcome::Draw), "seed {seed}");
    }
}

/// Maldoo manual, Life, mode 1: "In most of the cases one press is enough to
/// make one side win".
#[test]
fn one_press_mostly_makes_one_side_win() {
    let mut won = 0;
    for seed in 0..100 {
        let mut table = Table::start(1, seed);
        let stones = table.war().stones;
        let near = table.ground.neighbours(stones[0] | stones[1]);
        let point = table.rng.clone().pick(near).unwrap();
        table.touch(point);
        table.wait(1_100 * GENERATION);
        won += u32::from(matches!(table.game.outcome(), Some(Outcome::Won(_))));
    }
    assert!(won >= 60, "{won} of 100");
}

/// Maldoo manual, Life, mode 1: "if it is occupied by either colour it becomes
/// empty, whatever was its colour. When a player presses an empty point, it
/// become alive with the player's colour."
#[test]
fn a_press_empties_a_stone_of_either_colour_and_fills_an_empty_point() {
    for (side, own) in [(Side::Green, Colour::GREEN), (Side::Red, Colour::RED)] {
        let table = Table::position(1, side, &["gg", "gg", "", "", "", "", "", "rr", "rr"]);
        for (column, row, after) in [(0, 0, Colour::OFF), (0, 8, Colour::OFF), (5, 5, own)] {
            let mut table = table.clone().unwrap();
            assert_eq!(table.tap(column, row), Touch::Move(0));
            assert_eq!(table.picture().get(table.at(column, row)), after);
            assert_eq!(table.game.turn(), Some(side.other()));
        }
    }
}

fn blocks() -> Table {
    position(
        1,
        &["gg", "gg", "", "", "", "", "", ".......rr", ".......rr"],
    )
}

/// Maldoo manual, Life, mode 1: "Each player has 2 plays, which they can use
/// whenever it is their turn."
#[test]
fn each_player_has_two_plays_in_the_whole_game() {
    let mut table = blocks();
    for (column, side) in [
        (3, Side::Green),
        (4, Side::Red),
        (5, Side::Green),
        (6, Side::Red),
    ] {
        assert_eq!(table.game.turn(), Some(side));
        assert!(table.game.clock_runs());
        assert_eq!(table.tap(column, 4), Touch::Move(0));
        table.wait(GENERATION);
    }
    assert_eq!(table.game.turn(), None);
    assert!(!table.game.clock_runs());
    assert!(table.legal().is_empty());
    assert_eq!(table.tap(0, 0), Touch::Ignored);
    assert!(!table.pass());
}

#[test]
fn time_that_runs_out_passes_the_turn_and_loses_no_play() {
    let mut table = blocks();
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(table.pass());
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert_eq!(table.war().plays, [2, 2]);
}

#[test]
fn a_player_without_plays_is_skipped() {
    let mut table = blocks();
    table.tap(3, 4);
    table.time_out();
    table.tap(4, 4);
    assert_eq!(table.game.turn(), Some(Side::Red));
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red), "green has no play left");
    table.tap(5, 4);
    table.tap(6, 4);
    assert_eq!(table.game.turn(), None);
}

/// Maldoo manual, Life, mode 1: "until one of the colours wins".
#[test]
fn the_last_colour_wins_after_a_generation_or_a_press() {
    let mut table = position(1, &["gg", "gg", "", "", "", "", "", "", "........r"]);
    assert_eq!(table.score(), [4, 1]);
    let mut pressed = table.clone();
    table.wait(GENERATION);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!((table.game.turn(), table.game.wakes_at()), (None, None));
    pressed.tap(8, 8);
    assert_eq!(pressed.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn both_colours_dying_in_the_same_generation_is_a_draw() {
    let mut table = position(1, &["g", "", "", "", "", "", "", "", "........r"]);
    table.wait(GENERATION);
    assert_eq!(
        (table.game.outcome(), table.score()),
        (Some(Outcome::Draw), [0, 0])
    );
}

#[test]
fn a_board_that_comes_back_is_a_draw_if_no_play_is_left_and_goes_on_if_one_is() {
    let mut draws = 0;
    for seed in 0..40 {
        let mut table = Table::start(1, seed);
        let mut with_plays = table.clone();
        table.war().plays = [0, 0];
        let mut seen = List::new();
        while table.game.outcome().is_none() && seen.len() < 400 {
            seen.push(table.war().stones);
            table.wait(GENERATION);
        }
        let last = table.war().stones;
        if table.game.outcome().is_none() || table.score() == [0, 0] {
            continue;
        }
        assert_eq!(table.game.outcome(), Some(Outcome::Draw));
        assert!(seen.contains(&last), "seed {seed}");
        with_plays.wait(table.now);
        assert_eq!(with_plays.game.outcome(), None);
        assert_eq!(with_plays.war().stones, last);
        draws += 1;
    }
    assert!(draws >= 10, "{draws} of 40 boards come back");
}

#[test]
fn a_war_in_which_nobody_presses_is_a_draw_after_999_generations_even_with_plays_left() {
    let mut table = blocks();
    table.war().quiet = 998;
    assert_eq!(table.game.outcome(), None);
    table.wait(GENERATION);
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
    assert!(table.score() != [0, 0]);
}

// Set-up.

#[test]
fn a_position_that_cannot_be_is_refused() {
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
        let table = Table::position(mode, Side::Green, &rows);
        assert_eq!(table.is_some(), possible, "mode {mode}: {rows:?}");
    }
    let mut table = Table::position(0, Side::Red, &["rrr"]).unwrap();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert_eq!(table.race().pattern.len(), 3);
}

#[test]
fn a_board_is_large_enough_from_4x4_on() {
    for (columns, rows, fits) in [(3, 16, false), (16, 3, false), (4, 4, true), (8, 8, true)] {
        let layout = Layout::grid(columns, rows).unwrap();
        for mode in 0..2 {
            let table = testing::Table::<u64, Life<u64>>::begin(layout, mode, 1);
            assert_eq!(table.is_some(), fits, "mode {mode} on {layout}");
        }
    }
}

// The board's player.

#[test]
fn the_hand_never_works_out_more_generations_than_its_budget() {
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
    assert_eq!(act, Act::Wait);
    assert_eq!(Player::<u128, Life<u128>>::wakes_at(&table.hand), Tick::MAX);
}

fn play(mode: u8, seed: u64, levels: [u8; 2]) -> Outcome {
    let table = Table::start(mode, seed);
    let table = play_out(table, levels, 30_000, 100_000_000).expect("it ends");
    table.game.outcome().expect("it has ended")
}

#[test]
fn every_level_beats_the_one_below_beyond_chance_in_both_modes() {
    let mut doubtful = List::new();
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

// What cannot come from play.

/// A board on which these lie, of so many columns and rows.
fn ground(columns: u8, rows: u8) -> Ground<u128> {
    Ground::new(Layout::grid(columns, rows).unwrap()).unwrap()
}

#[test]
fn ages_of_points_that_do_not_live_or_are_too_old_are_refused() {
    let grid = Grid::<u128>::new(Layout::MALDOO).unwrap();
    let [here, elsewhere] = [Points::one(Point(40)), Points::one(Point(41))];
    let with = |age| Aged {
        age,
        ..Aged::new(here)
    };
    let none = Points::NONE;
    for age in [
        [none; 3],
        [here, none, none],
        [here, here, none],
        [here, none, here],
    ] {
        assert!(with(age).is_sound(&grid), "{age:?}");
    }
    for bit in 0..3 {
        let mut age = [none; 3];
        age[bit] = elsewhere;
        assert!(!with(age).is_sound(&grid), "a dead point has the age {bit}");
        age = [elsewhere; 3];
        age[bit] = none;
        assert!(
            !with(age).is_sound(&grid),
            "a dead point has all ages but {bit}"
        );
    }
    // Two of these cancel each other, three do not.
    assert!(!with([elsewhere, elsewhere, none]).is_sound(&grid));
    assert!(
        !with([none, here, here]).is_sound(&grid),
        "it lived too long"
    );
    assert!(!Aged::new(Points::one(Point(81))).is_sound(&grid));
    assert!(!Aged::new(here | Points::one(Point(81))).is_sound(&grid));
}

#[test]
fn a_race_that_cannot_come_from_play_is_refused() {
    let changes: &[testing::Change<Race<u128>>] = &[
        ("nothing", true, |_| {}),
        ("off the board", false, |race| {
            race.cells.reverse(Points::one(Point(81)))
        }),
        ("no pattern", false, |race| race.pattern = Points::NONE),
        ("a pattern off the board", false, |race| {
            race.pattern.insert(Point(81))
        }),
        ("no plays left", true, |race| race.plays = 0),
        ("too many plays", false, |race| race.plays = race::PLAYS + 1),
        ("nobody for long", true, |race| {
            race.idle = race::DESERTED_GENERATIONS - 1
        }),
        ("nobody for too long", false, |race| {
            race.idle = race::DESERTED_GENERATIONS
        }),
        ("many generations", true, |race| {
            race.totals = [race::MOST_GENERATIONS; 2]
        }),
        ("too many of green", false, |race| {
            race.totals[0] = race::MOST_GENERATIONS + 1
        }),
        ("too many of red", false, |race| {
            race.totals[1] = race::MOST_GENERATIONS + 1
        }),
        ("nothing lives", false, |race| {
            race.cells = Aged::new(Points::NONE)
        }),
        ("a pause", true, |race| {
            race.cells = Aged::new(Points::NONE);
            race.phase = race::Phase::Pause { until: 9 };
        }),
        ("a pause of what lives", false, |race| {
            race.phase = race::Phase::Pause { until: 9 };
        }),
        ("the end", true, race_is_over),
        ("an end after 100", false, |race| {
            race_is_over(race);
            race.totals = [race::RACE_GENERATIONS; 2];
        }),
        ("an end after green", false, |race| {
            race_is_over(race);
            race.turn = Side::Green;
        }),
        ("an end of what lives", false, |race| {
            race_is_over(race);
            race.cells = Aged::new(Points::one(Point(1)));
        }),
    ];
    let begun = Table::start(0, 1);
    for (what, expected, change) in changes {
        let mut race = match &begun.game {
            Life::Race(race) => race.clone(),
            Life::War(_) => panic!("this is the war"),
        };
        change(&mut race);
        let life = Life::Race(race);
        assert_eq!(life.is_sound(&begun.ground), *expected, "{what}");
    }
    let small = Table::position(0, Side::Green, &["", "", "", "", "", "", "", "", "g"]);
    let mut small = small.unwrap();
    let first = Points::one(Point(0));
    (small.race().pattern, small.race().cells) = (first, Aged::new(first));
    for (columns, rows, expected) in [(4, 4, true), (3, 4, false), (4, 3, false)] {
        assert_eq!(small.game.is_sound(&ground(columns, rows)), expected);
    }
}

/// As it is after a red turn in which somebody came past the goal.
fn race_is_over(race: &mut Race<u128>) {
    race.cells = Aged::new(Points::NONE);
    race.turn = Side::Red;
    race.totals = [race::RACE_GENERATIONS + 1, 7];
    race.phase = race::Phase::Over;
}

#[test]
fn a_war_that_cannot_come_from_play_is_refused() {
    let changes: &[testing::Change<War<u128>>] = &[
        ("nothing", true, |_| {}),
        ("an end while it goes on", false, |war| {
            war.outcome = Some(Outcome::Draw)
        }),
        ("one colour alone", false, |war| {
            war.stones[0] = Points::NONE
        }),
        ("the other one alone", false, |war| {
            war.stones[1] = Points::NONE
        }),
        ("one colour has won", true, |war| {
            war.stones[1] = Points::NONE;
            war.outcome = Some(Outcome::Won(Side::Green));
        }),
        ("quiet", true, |war| war.quiet = war::QUIET_GENERATIONS - 1),
        ("too quiet", false, |war| war.quiet = war::QUIET_GENERATIONS),
        ("quiet to the end", true, |war| {
            war.quiet = war::QUIET_GENERATIONS;
            war.outcome = Some(Outcome::Draw);
        }),
        ("it comes back", true, |war| war.recall.repeats = true),
        ("no plays are left", true, |war| war.plays = [0; 2]),
        ("it comes back for ever", false, |war| {
            war.plays = [0; 2];
            war.recall.repeats = true;
        }),
        ("two stones on a point", false, |war| {
            let [green, red] = war.stones;
            war.stones = [green | red; 2];
        }),
        ("off the board", false, |war| {
            war.stones[0].insert(Point(81))
        }),
        ("too many plays", false, |war| war.plays[1] = war::PLAYS + 1),
        ("the turn of one without plays", false, |war| {
            war.plays[war.turn.index()] = 0
        }),
        ("the turn of one with a play", true, |war| {
            war.plays[war.turn.other().index()] = 0
        }),
        ("kept for too long", false, |war| {
            war.recall.since = war.recall.span
        }),
        ("kept for long", true, |war| {
            war.recall.span = 8;
            war.recall.since = 7;
        }),
    ];
    let begun = Table::start(1, 1);
    for (what, expected, change) in changes {
        let mut war = match &begun.game {
            Life::War(war) => war.clone(),
            Life::Race(_) => panic!("this is the race"),
        };
        change(&mut war);
        let life = Life::War(war);
        assert_eq!(life.is_sound(&begun.ground), *expected, "{what}");
    }
    let mut small = blocks();
    small.war().stones = [Points::one(Point(0)), Points::one(Point(1))];
    for (columns, rows, expected) in [(4, 4, true), (3, 4, false), (4, 3, false)] {
        assert_eq!(small.game.is_sound(&ground(columns, rows)), expected);
    }
}
