//! The sentences of the manual and the choices of `RULES.md`, one by one.

use std::vec::Vec as List;

use protocol::{Colour, Layout, Outcome, Point, Side, Tick};

use super::*;
use crate::game::{BoardTurn, Game, Player, TimeOut, Touch};
use crate::games::testing;
use crate::rng::Rng;
use crate::word::Wide;

type Table = testing::Table<u128, Ghost<u128>>;

impl Table {
    /// A game with green to move and the ghost in the middle: e4, f4, e5 and f5 (rows 4
    /// and 5 from the top, columns 4 and 5 from the left, counted from 0).
    fn middle(mode: u8) -> Table {
        Table::position(mode, Side::Green, &["", "", "", "", "....aa", "....aa"]).unwrap()
    }

    /// Waits until the ghost is out and touches count.
    fn wait_until_out(&mut self) {
        while self.game.turn().is_some() && self.legal().is_empty() {
            let at = self.game.wakes_at().unwrap();
            self.wait(at - self.now);
        }
    }

    fn walk(&self) -> Walk {
        let Phase::Walk(walk) = self.game.phase else {
            panic!("the ghost is away")
        };
        walk
    }

    fn ghost(&self) -> Points<u128> {
        block(self.walk().corner, self.ground.grid())
    }

    /// The time between the ghost's next step and the one after it.
    fn pace_ms(&mut self) -> Tick {
        let first = self.walk().steps_at;
        self.wait(first - self.now);
        self.walk().steps_at - first
    }

    /// A dark point far away from the ghost.
    fn far(&self) -> Point {
        let around_ghost = self.ghost() | self.ground.neighbours(self.ghost());
        self.legal().without(around_ghost).first().unwrap()
    }
}

// "The board moves around the board four points (the Ghost)."

#[test]
fn the_ghost_is_four_points_that_move_over_the_board() {
    for seed in 0..20 {
        let mut table = Table::start(0, seed);
        let mut seen = Points::NONE;
        for _ in 0..200 {
            assert_eq!(table.ghost().len(), 4);
            let before = table.ghost();
            table.wait(500);
            assert_ne!(table.ghost(), before);
            assert!(
                table
                    .ghost()
                    .meets(before | table.ground.neighbours(before))
            );
            seen |= table.ghost();
        }
        assert!(
            seen.len() > 60,
            "it hardly leaves its place: {} points",
            seen.len()
        );
    }
}

#[test]
fn it_goes_in_all_eight_directions_and_mostly_straight_on() {
    let mut table = Table::start(0, 3);
    let (mut taken, mut straight) = ([0; 8], 0);
    for _ in 0..2000 {
        let heading = table.walk().heading;
        table.wait(500);
        taken[usize::from(table.walk().heading)] += 1;
        straight += u32::from(table.walk().heading == heading);
    }
    assert!(taken.iter().all(|count| *count > 100), "{taken:?}");
    assert!(
        (800..1700).contains(&straight),
        "{straight} of 2000 steps straight on"
    );
}

#[test]
fn it_starts_away_from_the_edges_and_not_always_at_the_same_place() {
    let mut corners = Points::<u128>::NONE;
    for seed in 0..200 {
        let table = Table::start(0, seed);
        corners.insert(table.walk().corner);
        for point in table.ghost() {
            let layout = table.ground.layout();
            assert!((1..8).contains(&layout.column(point)) && (1..8).contains(&layout.row(point)));
        }
    }
    assert!(corners.len() > 20);
}

#[test]
fn green_begins_and_the_ghost_shows_whose_turn_it_is() {
    let mut table = Table::start(0, 1);
    assert_eq!(table.game.turn(), Some(Side::Green));
    let ghost = table.ghost();
    assert!(
        ghost
            .into_iter()
            .all(|point| table.picture().get(point) == Colour::GREEN)
    );
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(
        ghost
            .into_iter()
            .all(|point| table.picture().get(point) == Colour::RED)
    );
}

#[test]
fn each_speed_has_its_step_time_and_a_change_counts_from_the_next_step_on() {
    for (speed, step_ms) in [1525, 1220, 975, 780, 625, 500, 400, 320, 255, 205]
        .into_iter()
        .enumerate()
    {
        let mut table = Table::middle(0);
        table.speed = speed as u8;
        assert_eq!(
            table.walk().steps_at,
            500,
            "the step under way keeps its time"
        );
        assert_eq!(table.pace_ms(), step_ms);
    }
}

// "The players try to 'catch the ghost' by pressing one of the four points
// while it is on. When this happens, the current player gets a point."

#[test]
fn in_modes_0_and_2_each_of_the_four_points_catches_the_ghost() {
    for mode in [0, 2] {
        for (column, row) in [(4, 4), (5, 4), (4, 5), (5, 5)] {
            let mut table = Table::middle(mode);
            assert_eq!(table.tap(column, row), Touch::Move(0));
            assert_eq!(table.score(), [1, 0]);
            assert_eq!(table.game.turn(), Some(Side::Red));
            assert!(table.game.lit().is_empty());
        }
    }
}

#[test]
fn a_point_that_the_ghost_has_left_catches_nothing() {
    let mut table = Table::middle(0);
    let before = table.ghost();
    table.wait(500);
    let left = before.without(table.ghost()).first().unwrap();
    assert_eq!(table.touch(left), Touch::Move(0));
    assert_eq!(table.score(), [0, 0]);
}

#[test]
fn red_gets_the_point_in_reds_turn() {
    let mut table = Table::position(0, Side::Red, &["aa", "aa"]).unwrap();
    table.tap(0, 0);
    assert_eq!(table.score(), [0, 1]);
    assert_eq!(table.game.turn(), Some(Side::Green));
}

// "The board also signals it by drawing a moving pattern for a short interval."

#[test]
fn after_a_catch_rings_of_the_scorers_colour_spread_for_1_2_seconds_without_a_ghost() {
    let mut table = Table::middle(0);
    table.tap(4, 4);
    let mut pictures = List::new();
    assert_eq!(u64::from(RINGS) * RING_MS, 1200);
    for ring in 0..RINGS {
        let picture = table.picture();
        assert_ne!(
            pictures.last(),
            Some(&picture),
            "picture {ring} does not move"
        );
        for point in table.ground.layout().iter() {
            let (column, row) = (
                table.ground.layout().column(point),
                table.ground.layout().row(point),
            );
            let away = column.abs_diff(4).max(row.abs_diff(4));
            let lit = away <= ring && (ring - away) % 3 == 0;
            assert_eq!(
                picture.get(point),
                if lit { Colour::GREEN } else { Colour::OFF }
            );
        }
        pictures.push(picture);
        assert!(!table.game.clock_runs());
        table.wait(150);
    }
    assert!(table.game.clock_runs());
    assert_eq!(table.ghost().len(), 4);
}

#[test]
fn touches_and_passes_mean_nothing_while_the_pattern_is_drawn() {
    let mut table = Table::middle(0);
    table.tap(4, 4);
    assert!(table.legal().is_empty());
    for point in table.ground.layout().iter() {
        let before = table.game.clone();
        assert_eq!(table.touch(point), Touch::Ignored);
        assert!(!table.pass());
        assert_eq!(table.game, before);
    }
}

#[test]
fn after_the_pattern_the_ghost_comes_out_away_from_the_touch_and_on_no_lit_point() {
    for seed in 0..50 {
        let rows = [
            "g.......r",
            "",
            "..r...g..",
            "",
            "....aa...",
            "....aa...",
            "..g...r",
        ];
        let mut table = Table::position(0, Side::Green, &rows).unwrap();
        table.rng = Rng::new(seed);
        table.tap(4, 4);
        table.wait(1200);
        let touched = Points::one(table.at(4, 4));
        assert!(
            !table
                .ghost()
                .meets(touched | table.ground.neighbours(touched))
        );
        assert!(!table.ghost().meets(table.game.lit()));
        assert_eq!(
            table.walk().steps_at,
            1700,
            "a whole step time until it goes on"
        );
    }
}

// "When a player presses a point which is not of the ghost, the board switches
// it on, and the ghost does not go through it, and the 'Ghost' becomes slower."

#[test]
fn in_modes_0_and_1_a_wrong_touch_lights_the_point_in_the_players_colour_to_the_end() {
    for mode in [0, 1] {
        let mut table = Table::middle(mode);
        assert_eq!(table.tap(0, 0), Touch::Move(0));
        table.wait(100);
        assert_eq!(table.tap(0, 8), Touch::Move(0));
        assert_eq!(table.score(), [0, 0]);
        for _ in 0..10 {
            table.wait_until_out();
            let target = table
                .game
                .targets(table.walk().corner, table.ground.grid())
                .first()
                .unwrap();
            table.touch(target);
        }
        table.wait_until_out();
        assert_eq!(table.picture().get(table.at(0, 0)), Colour::GREEN);
        assert_eq!(table.picture().get(table.at(0, 8)), Colour::RED);
        assert_eq!(table.game.lit().len(), 2);
    }
}

#[test]
fn in_modes_2_and_3_a_wrong_touch_lights_nothing() {
    for mode in [2, 3] {
        let mut table = Table::middle(mode);
        assert_eq!(table.tap(0, 0), Touch::Move(0));
        assert!(table.game.lit().is_empty());
        assert_eq!(table.picture().get(table.at(0, 0)), Colour::OFF);
        assert_eq!(table.game.turn(), Some(Side::Red));
    }
}

/// Nobody can see the board's finger.
#[test]
fn in_modes_2_and_3_the_boards_wrong_touch_is_amber_for_half_a_second() {
    for mode in 0..4 {
        let mut table = Table::middle(mode);
        let (miss, amber) = (table.at(0, 0), table.points(&["a"]));
        table.tap(8, 8);
        assert!(table.shown(Colour::AMBER).is_empty(), "a person's own");
        table.wait(DEAF_MS);
        table.with(|game, _, context| game.announce(miss, context));
        assert_eq!(table.touch(miss), Touch::Move(0));
        if mode < 2 {
            assert!(table.shown(Colour::AMBER).is_empty(), "it is lit in red");
            continue;
        }
        assert_eq!(table.shown(Colour::AMBER), amber);
        table.wait(PRESS_MS - 1);
        assert_eq!(table.shown(Colour::AMBER), amber);
        table.wait(1);
        assert!(table.shown(Colour::AMBER).is_empty());
    }
}

#[test]
fn a_catch_of_the_boards_shows_its_rings_and_nothing_else() {
    let mut table = Table::middle(2);
    table.tap(8, 8);
    table.wait(DEAF_MS);
    let on = table.at(4, 4);
    table.with(|game, _, context| game.announce(on, context));
    assert_eq!(table.touch(on), Touch::Move(0));
    assert_eq!(table.score(), [0, 1]);
    assert!(table.shown(Colour::AMBER).is_empty());
}

#[test]
fn the_ghost_does_not_go_through_lit_points() {
    let rows = ["..g.....", "aag", "aar", "ggr"];
    let mut table = Table::position(0, Side::Green, &rows).unwrap();
    for _ in 0..500 {
        table.wait(500);
        let corner = table.walk().corner;
        assert!(table.ground.layout().column(corner) == 0 && table.ground.layout().row(corner) < 2);
    }
}

#[test]
fn the_ghost_may_squeeze_between_two_lit_points_at_a_corner() {
    let rows = ["aag", "aa", "g...", "....", "...."];
    let mut table = Table::position(0, Side::Green, &rows).unwrap();
    assert_eq!(
        table.game.steps(table.at(0, 0), table.ground.grid()),
        Points::one(table.at(1, 1))
    );
    table.wait(500);
    assert_eq!(table.walk().corner, table.at(1, 1));
}

#[test]
fn in_every_mode_each_wrong_touch_makes_it_slower_by_a_tenth_from_the_next_step_on() {
    for mode in 0..4 {
        let mut table = Table::middle(mode);
        let steps_at = table.walk().steps_at;
        let far = table.far();
        table.touch(far);
        assert_eq!(
            table.walk().steps_at,
            steps_at,
            "the step under way keeps its time"
        );
        assert_eq!(table.pace_ms(), 550);
        let far = table.far();
        table.touch(far);
        assert_eq!(table.pace_ms(), 600);
    }
}

#[test]
fn a_catch_does_not_slow_it_and_does_not_make_it_recover() {
    let mut table = Table::middle(0);
    table.tap(0, 0);
    table.wait(100);
    table.tap(4, 4);
    table.wait_until_out();
    assert_eq!(table.pace_ms(), 550);
}

#[test]
fn it_gets_at_most_three_times_as_slow() {
    let mut table = Table::middle(2);
    for _ in 0..TURNS - 1 {
        table.wait_until_out();
        let far = table.far();
        table.touch(far);
    }
    assert_eq!(table.game.wrong, 31);
    assert_eq!(table.pace_ms(), 1500);
}

#[test]
fn a_lit_point_that_scores_nothing_does_nothing() {
    for mode in 0..4 {
        let rows = ["g.......r", "", "", "", "....aa", "....aa"];
        let mut table = Table::position(mode, Side::Green, &rows).unwrap();
        for (column, row) in [(0, 0), (8, 0)] {
            let before = table.game.clone();
            assert!(!table.legal().has(table.at(column, row)));
            assert_eq!(table.tap(column, row), Touch::Ignored);
            assert_eq!(table.game, before);
        }
    }
}

#[test]
fn in_modes_0_and_2_a_lit_point_beside_the_ghost_does_nothing() {
    for mode in [0, 2] {
        let rows = ["", "", "", "...g", "....aa", "....aa"];
        let mut table = Table::position(mode, Side::Green, &rows).unwrap();
        assert_eq!(table.tap(3, 3), Touch::Ignored);
    }
}

#[test]
fn a_second_touch_within_100_ms_of_a_wrong_one_is_dropped() {
    let mut table = Table::middle(0);
    table.tap(0, 0);
    assert_eq!(table.game.wakes_at(), Some(100));
    table.wait(99);
    let before = table.game.clone();
    assert!(table.legal().is_empty());
    assert_eq!(table.tap(4, 4), Touch::Ignored);
    assert_eq!(table.game, before);
    table.wait(1);
    assert_eq!(table.tap(4, 4), Touch::Move(0));
    assert_eq!(table.score(), [0, 1]);
}

#[test]
fn the_ghost_goes_on_while_a_second_touch_is_dropped() {
    let mut table = Table::middle(2);
    table.wait(450);
    table.tap(0, 0);
    let before = table.ghost();
    table.wait(50);
    assert_ne!(table.ghost(), before);
    assert!(table.legal().is_empty());
    table.wait(50);
    assert!(!table.legal().is_empty());
}

// "The game stops after 32 and the player with larger score wins."

#[test]
fn the_game_stops_after_32_turns_of_catches() {
    for mode in 0..4 {
        let mut table = Table::start(mode, u64::from(mode));
        for turn in 0..32 {
            table.wait_until_out();
            assert_eq!(table.game.outcome(), None);
            let side = Side::BOTH[turn % 2];
            assert_eq!(table.game.turn(), Some(side));
            let target = table
                .game
                .targets(table.walk().corner, table.ground.grid())
                .first()
                .unwrap();
            assert_eq!(table.touch(target), Touch::Move(0));
        }
        assert_eq!(table.score(), [16, 16]);
        // The last catch has its pattern, during which it is nobody's turn.
        for _ in 0..8 {
            assert!(matches!(table.game.phase, Phase::Pattern(_)));
            assert_eq!((table.game.turn(), table.game.outcome()), (None, None));
            assert!(!table.shown(Colour::RED).is_empty());
            assert_eq!(table.tap(4, 4), Touch::Ignored);
            assert!(!table.clone().pass());
            table.wait(150);
        }
        assert_eq!(table.game.outcome(), Some(Outcome::Draw));
        assert_eq!((table.game.turn(), table.game.wakes_at()), (None, None));
        assert!(table.legal().is_empty());
    }
}

#[test]
fn a_turn_that_passed_counts_for_the_32_and_brings_no_point() {
    let mut table = Table::middle(0);
    table.tap(4, 4);
    table.wait_until_out();
    for _ in 0..31 {
        assert_eq!(table.game.outcome(), None);
        table.time_out();
    }
    assert_eq!(table.score(), [1, 0]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(Ghost::<u128>::ABOUT.time_out, TimeOut::Pass);
}

#[test]
fn the_last_picture_stays_after_the_end() {
    let mut table = Table::middle(0);
    for _ in 0..32 {
        table.time_out();
    }
    assert_eq!(table.picture().get(table.at(4, 4)), Colour::GREEN);
    assert!(!table.pass());
    assert_eq!(table.tap(4, 4), Touch::Ignored);
}

// "The game also finishes if the ghost is totally surrounded so it cannot move
// at all."

#[test]
fn the_game_ends_when_no_step_is_left_and_the_larger_score_wins() {
    let mut table = Table::position(0, Side::Green, &["aag", "aa", "..g"]).unwrap();
    table.game.score = [0, 1];
    assert_eq!(
        table.game.steps(table.at(0, 0), table.ground.grid()),
        Points::one(table.at(0, 1))
    );
    assert_eq!(table.tap(0, 2), Touch::Move(0));
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
    assert_eq!((table.game.turn(), table.game.wakes_at()), (None, None));
    assert_eq!(table.picture().get(table.at(0, 0)), Colour::RED);
}

#[test]
fn four_points_around_it_are_enough_and_three_are_not() {
    let rows = ["", "", "", ".....g", "...raa", "....aag"];
    let mut table = Table::position(0, Side::Green, &rows).unwrap();
    assert_eq!(
        table.game.steps(table.at(4, 4), table.ground.grid()).len(),
        2
    );
    table.tap(4, 6);
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
}

#[test]
fn a_ghost_in_a_small_cage_keeps_the_game_going() {
    let rows = ["..g.....", "aag", "aar", "gr."];
    let mut table = Table::position(0, Side::Green, &rows).unwrap();
    table.tap(8, 8);
    assert_eq!(table.game.outcome(), None);
    assert!(table.game.wakes_at().is_some());
}

// "In modes 1 and 3 [...] the players need to touch a point near the ghost, but
// not the ghost itself. If a player touches the ghost itself, the other player
// gets a point."

#[test]
fn in_modes_1_and_3_each_of_the_twelve_points_around_the_ghost_scores() {
    for mode in [1, 3] {
        let around_ghost = Table::middle(mode);
        let near = around_ghost.ground.neighbours(around_ghost.ghost());
        assert_eq!(near.len(), 12);
        for point in near {
            let mut table = Table::middle(mode);
            assert_eq!(table.touch(point), Touch::Move(0));
            assert_eq!(table.score(), [1, 0]);
            assert_eq!(table.game.turn(), Some(Side::Red));
            assert_eq!((table.game.wrong, table.game.lit()), (0, Points::NONE));
            assert_eq!(table.picture().get(point), Colour::GREEN, "the pattern");
        }
    }
}

#[test]
fn in_modes_1_and_3_the_ghost_itself_gives_the_point_and_the_pattern_to_the_other_player() {
    for mode in [1, 3] {
        for (column, row) in [(4, 4), (5, 4), (4, 5), (5, 5)] {
            let mut table = Table::middle(mode);
            assert_eq!(table.tap(column, row), Touch::Move(0));
            assert_eq!(table.score(), [0, 1]);
            assert_eq!(table.game.turn(), Some(Side::Red));
            assert_eq!((table.game.wrong, table.game.lit()), (0, Points::NONE));
            assert_eq!(table.picture().get(table.at(column, row)), Colour::RED);
        }
    }
}

#[test]
fn in_modes_1_and_3_a_lit_point_near_the_ghost_scores_and_stays_lit() {
    for mode in [1, 3] {
        let rows = ["", "", "", "...r", "....aa", "....aa"];
        let mut table = Table::position(mode, Side::Green, &rows).unwrap();
        assert!(table.legal().has(table.at(3, 3)));
        assert_eq!(table.tap(3, 3), Touch::Move(0));
        assert_eq!(table.score(), [1, 0]);
        table.wait(1200);
        assert_eq!(table.picture().get(table.at(3, 3)), Colour::RED);
    }
}

#[test]
fn in_modes_1_and_3_two_points_away_is_not_near() {
    for mode in [1, 3] {
        let mut table = Table::middle(mode);
        assert_eq!(table.tap(2, 4), Touch::Move(0));
        assert_eq!((table.score(), table.game.wrong), ([0, 0], 1));
        assert_eq!(table.game.lit().len(), usize::from(mode == 1));
    }
}

#[test]
fn in_modes_0_and_2_a_point_near_the_ghost_is_a_wrong_one() {
    for mode in [0, 2] {
        let mut table = Table::middle(mode);
        assert_eq!(table.tap(3, 3), Touch::Move(0));
        assert_eq!((table.score(), table.game.wrong), ([0, 0], 1));
        assert_eq!(table.game.lit().len(), usize::from(mode == 0));
    }
}

// Tests of positions that are set up.

#[test]
fn a_position_has_its_ghost_its_lit_points_and_its_turn() {
    let rows = ["g.......r", "", "", "", "....aa", "....aa"];
    let table = Table::position(1, Side::Red, &rows).unwrap();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert_eq!(table.walk().corner, table.at(4, 4));
    assert_eq!(table.picture().get(table.at(0, 0)), Colour::GREEN);
    assert_eq!(table.picture().get(table.at(8, 0)), Colour::RED);
    assert_eq!(
        table.picture().get(table.at(5, 5)),
        Colour::RED,
        "the ghost in red's turn"
    );
    assert_eq!(table.score(), [0, 0]);
}

#[test]
fn a_position_without_a_ghost_gets_one_on_dark_points() {
    let rows = [
        "ggggggggg",
        "r.r.r.r.r",
        "ggggggggg",
        "rrrrrrrrr",
        "g...ggggg",
        "r...rrrrr",
    ];
    let table = Table::position(0, Side::Green, &rows).unwrap();
    assert!(!table.ghost().meets(table.game.lit()));
}

#[test]
fn a_position_that_cannot_be_is_refused() {
    let impossible: [&[&str]; 10] = [
        &["", "", "", "", "", "", "", "", "....aa"],
        &["", "", "", "........a", "........a"],
        &["a"],
        &["aaa"],
        &["aaaa"],
        &["aaa", "aaa"],
        &["aa.......", ".aa"],
        &["........a", "a.......a", "a........"],
        &["4"],
        &[
            "ggggggggg",
            "ggggggggg",
            "rrrrrrrrr",
            "ggggggggg",
            "gg..ggggg",
            "gg..ggggg",
            "rrrrrrrrr",
            "ggggggggg",
            "ggggggggg",
        ],
    ];
    for rows in impossible {
        assert!(Table::position(0, Side::Green, rows).is_none(), "{rows:?}");
    }
    assert!(
        Table::position(4, Side::Green, &["aa", "aa"]).is_none(),
        "no such mode"
    );
}

#[test]
fn a_position_with_the_ghost_shut_in_is_the_end_of_a_game() {
    let table = Table::position(0, Side::Green, &["aag", "aa", "g.g"]).unwrap();
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
    assert!(<Ghost<u128> as Game<u128>>::is_sound(
        &table.game,
        &table.ground
    ));
}

#[test]
fn a_board_is_large_enough_from_4x4_on() {
    for (columns, rows) in [(3, 3), (3, 16), (16, 3), (1, 1), (1, 16)] {
        assert!(begins(columns, rows, 0).is_none(), "{columns}x{rows}");
    }
    for (columns, rows) in [(4, 4), (4, 16), (16, 4), (9, 9), (16, 16)] {
        assert!(begins(columns, rows, 3).is_some(), "{columns}x{rows}");
        assert!(begins(columns, rows, 4).is_none(), "no such mode");
    }
}

fn begins(columns: u8, rows: u8, mode: u8) -> Option<testing::Table<Wide, Ghost<Wide>>> {
    testing::Table::begin(Layout::grid(columns, rows).unwrap(), mode, 1)
}

// States read from outside.

#[test]
fn a_state_that_cannot_come_from_play_is_not_sound() {
    type Change = fn(&mut Ghost<u128>, &mut Walk);
    let changes: [(&str, Change); 12] = [
        ("no such mode", |game, _| game.mode = 4),
        ("too many turns", |game, _| game.turns = 33),
        ("on after the last turn", |game, _| game.turns = 32),
        ("more points than turns", |game, _| game.score = [2, 2]),
        ("more wrong touches than turns", |game, _| game.wrong = 4),
        ("green and red at once", |game, _| {
            game.lit.0 = [Points::one(Point(0)); 2]
        }),
        ("lit off the board", |game, _| {
            game.lit[Side::Green] = Points::one(Point(81))
        }),
        ("ghost off the board", |_, walk| walk.corner = Point(255)),
        ("ghost over the edge", |_, walk| walk.corner = Point(8)),
        ("ghost on a lit point", |game, _| {
            game.lit[Side::Green] = Points::one(Point(50))
        }),
        ("no such direction", |_, walk| walk.heading = 8),
        ("shut in", |game, walk| {
            // c1, c3 and a3: see the test of the last step.
            game.lit[Side::Green] = [2, 20, 18].into_iter().map(Point).collect();
            walk.corner = Point(0);
        }),
    ];
    let sound = Table::middle(0);
    let is_sound = |game: &Ghost<u128>| Game::<u128>::is_sound(game, &sound.ground);
    for (what, change) in changes {
        let (mut game, mut walk) = (sound.game.clone(), sound.walk());
        game.turns = 3;
        assert!(is_sound(&game));
        change(&mut game, &mut walk);
        game.phase = Phase::Walk(walk);
        assert!(!is_sound(&game), "{what}");
    }
    let pattern = Pattern {
        centre: Point(80),
        side: Side::Red,
        ring: 7,
        next_at: 0,
    };
    let phases = [
        (Phase::Pattern(pattern), true),
        (
            Phase::Pattern(Pattern {
                centre: Point(81),
                ..pattern
            }),
            false,
        ),
        (Phase::Pattern(Pattern { ring: 8, ..pattern }), false),
        (Phase::Over(None), false),
        (Phase::Over(Some(Point(40))), false),
    ];
    for (phase, expected) in phases {
        let game = Ghost {
            phase,
            turns: 3,
            ..sound.game.clone()
        };
        assert_eq!(is_sound(&game), expected, "{phase:?}");
    }
    let full = [sound.ground.all(), Points::NONE];
    assert!(!is_sound(&Ghost {
        phase: phases[0].0,
        lit: TwoColours(full),
        turns: 3,
        ..sound.game.clone()
    }));
    assert!(is_sound(&Ghost {
        phase: phases[4].0,
        turns: 32,
        ..sound.game.clone()
    }));
    let small = Ground::new(Layout::grid(3, 16).unwrap()).unwrap();
    assert!(!Game::<u128>::is_sound(&sound.game, &small));
}

// Tests of the board's simulated hand.

#[test]
fn the_hand_presses_what_counts_and_only_when_it_counts() {
    for level in 1..=4 {
        let mut table = Table::middle(0);
        let mut hand = GhostHand::default();
        table.tap(4, 4);
        let mut presses = 0;
        while table.now < 10_000 && presses == 0 {
            table.wait(1);
            if Player::<u128, Ghost<u128>>::wakes_at(&hand) > table.now {
                continue;
            }
            if let BoardTurn::Touch(point) =
                table.with(|game, _, context| hand.wake(game, level, context))
            {
                assert!(table.now > 1200, "while the pattern was drawn");
                assert!(table.legal().has(point));
                presses += 1;
            }
        }
        assert_eq!(
            presses, 1,
            "level {level} within the shortest time for a turn"
        );
    }
}

#[test]
fn a_higher_level_is_faster() {
    let mut means = List::new();
    for level in 1..=4 {
        let mut total_ms = 0;
        for seed in 0..100 {
            let mut table = Table::start(0, seed);
            let mut hand = GhostHand::default();
            while table.game.turn().is_some() {
                let at = Player::<u128, Ghost<u128>>::wakes_at(&hand).max(table.now);
                let ms = at - table.now;
                table.wait(ms);
                if table.with(|game, _, context| hand.wake(game, level, context)) != BoardTurn::Wait
                {
                    break;
                }
            }
            total_ms += table.now;
        }
        means.push(total_ms / 100);
    }
    assert!(means.is_sorted_by(|slow, fast| slow > fast), "{means:?}");
}

/// Maldoo manual, Ghost: after so many turns the game ends; the number of turns left
/// is reported.
#[test]
fn the_turns_that_are_left_are_told() {
    let mut table = Table::middle(0);
    let left = |table: &Table| Game::<u128>::turns_left(&table.game);
    assert_eq!(left(&table), Some(u16::from(TURNS)));
    for turns in 0..=TURNS {
        table.game.turns = turns;
        assert_eq!(left(&table), Some(u16::from(TURNS - turns)));
    }
}

#[test]
fn a_pattern_grows_at_its_time_and_not_before() {
    let mut table = Table::middle(0);
    let pattern = Pattern {
        centre: Point(40),
        side: Side::Red,
        ring: 1,
        next_at: table.now + 50,
    };
    table.game.phase = Phase::Pattern(pattern);
    let before = table.game.clone();
    table.with(|game, _, context| Game::<u128>::wake(game, context));
    assert_eq!(table.game, before);
    table.wait(50);
    assert_ne!(table.game, before);
}

#[test]
fn inner_are_the_points_that_do_not_lie_at_an_edge() {
    for (columns, rows) in [(4, 4), (9, 9), (5, 16), (16, 5), (16, 16)] {
        let layout = Layout::grid(columns, rows).unwrap();
        let grid: Grid<Wide> = Grid::new(layout).unwrap();
        let is_inner = |point: &Point| {
            let (column, row) = (layout.column(*point), layout.row(*point));
            (1..columns - 1).contains(&column) && (1..rows - 1).contains(&row)
        };
        let expected: Points<Wide> = layout.iter().filter(is_inner).collect();
        assert_eq!(inner(&grid), expected, "{layout}");
    }
}
