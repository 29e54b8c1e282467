//! The sentences of the manual and the choices of `RULES.md`, one by one; the laws; and
//! matches between levels.

use std::collections::HashSet;
use std::eprintln;
use std::vec::Vec as StdVec;

use law::{Judged, Weight, law};
use proptest::collection;
use proptest::prelude::*;
use protocol::{Colour, Event, Layout, Packed};

use super::*;
use crate::game::{BoardTurn, Player};
use crate::games::testing::{self, Series, Whole, deeds, layouts};
use crate::word::Wide;

mod hand;
mod positions;

type TestedGame = testing::TestedGame<u128, TouchIt<u128>>;

// Its picture rarely consists of two whole chains, which have a law of their own.
testing::laws!(
    TouchIt,
    |_| {},
    Floors {
        positions: 0,
        ..Floors::USUAL
    }
);

/// The time between points at speed 5.
const GAP: Tick = 600;

/// Green b9-c9-d9 and red f5-g5-h5, whose first points have just lit up.
fn rows(mode: u8, rows: &[&str]) -> TestedGame {
    TestedGame::position(mode, Side::Green, rows).unwrap()
}

fn straight() -> TestedGame {
    rows(0, &[".ggg", "", "", "", ".....rrr"])
}

fn begin_next_display(table: &mut TestedGame) {
    while !matches!(table.game.phase, TouchItPhase::Show { .. }) {
        table.wait_for_wake();
    }
}

/// The step from the first to the second point and from there to the third.
fn steps(chain: Chain, table: &TestedGame) -> [(i8, i8); 2] {
    let layout = table.ground.layout();
    let place = |point| (layout.column(point) as i8, layout.row(point) as i8);
    let [a, b, c] = chain.0.map(place);
    [(b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1)]
}

// "the board displays few neighboring points"

#[test]
fn two_chains_grow_point_by_point_and_go_off_together() {
    let mut table = straight();
    for shown in 1..=3 {
        for (colour, first) in [(Colour::GREEN, (1, 0)), (Colour::RED, (5, 4))] {
            let points = (0..shown).map(|step| table.at(first.0 + step, first.1));
            assert_eq!(table.shown(colour), points.collect());
        }
        table.wait(GAP - 1);
        assert_eq!(table.shown(Colour::GREEN).len(), usize::from(shown));
        table.wait(1);
    }
    assert_eq!(table.shown(Colour::OFF).len(), 81);
    assert_eq!(table.score(), [0, 0]);
}

#[test]
fn neither_side_has_a_turn_or_a_clock() {
    let table = straight();
    assert_eq!(table.game.turn(), None);
    assert_eq!(
        <TouchIt<u128> as Rules<u128>>::ABOUT.time_out,
        TimeOut::None
    );
    assert!(!table.clone().pass());
}

#[test]
fn between_displays_all_is_dark_for_one_to_two_seconds() {
    let mut pauses = StdVec::new();
    for seed in 0..50 {
        let table = TestedGame::start(0, seed);
        assert_eq!(table.shown(Colour::OFF).len(), 81);
        assert!(table.legal().is_empty());
        pauses.push(table.game.wakes_at().unwrap());
    }
    assert!(
        pauses.iter().all(|pause| (1_000..2_000).contains(pause)),
        "{pauses:?}"
    );
    assert!(pauses.iter().max().unwrap() - pauses.iter().min().unwrap() > 700);
}

#[test]
fn the_two_chains_are_mirrored_and_never_meet() {
    for mode in 0..4 {
        let mut table = TestedGame::start(mode, 5);
        for _ in 0..30 {
            begin_next_display(&mut table);
            let [green, red] = table.game.chains;
            assert_eq!(red, Chain(green.0.map(|point| Point(80 - point.0))));
            let points: Points<u128> = green.0.into_iter().chain(red.0).collect();
            assert_eq!(points.len(), 6);
            table.wait(3 * GAP);
        }
    }
}

// "Modes: [...] the third point appears with respect to the first two points"

#[test]
fn the_mode_determines_the_third_point() {
    for mode in 0..4 {
        let mut seen = [0; 3];
        for seed in 0..300 {
            let table = TestedGame::start(mode, seed);
            for chain in table.game.chains {
                let [(x, y), next] = steps(chain, &table);
                assert_eq!(x.abs() + y.abs(), 1, "neighbours along a row or column");
                // Rows are counted downwards, so this is the turn to the right.
                let turns = [(x, y), (-y, x), (y, -x)];
                let turn = turns.iter().position(|turn| *turn == next);
                seen[turn.expect("straight, right or left")] += 1;
            }
        }
        match mode {
            0 => assert_eq!(seen, [600, 0, 0]),
            1 => assert_eq!(seen, [0, 600, 0]),
            2 => assert_eq!(seen, [0, 0, 600]),
            _ => assert!(
                seen.iter().all(|count| (140..260).contains(count)),
                "{seen:?}"
            ),
        }
    }
}

#[test]
fn turning_right_is_clockwise_on_the_picture() {
    let picture = ["gg", ".g", "", "", "", "", "", ".......r", ".......rr"];
    let table = rows(1, &picture);
    let [green, red] = table.game.chains;
    assert_eq!(
        green.0,
        [(0, 0), (1, 0), (1, 1)].map(|(x, y)| table.at(x, y))
    );
    assert_eq!(red.0, [(8, 8), (7, 8), (7, 7)].map(|(x, y)| table.at(x, y)));
    let table = rows(2, &picture);
    let [green, red] = table.game.chains;
    assert_eq!(
        green.0,
        [(1, 1), (1, 0), (0, 0)].map(|(x, y)| table.at(x, y))
    );
    assert_eq!(red.0, [(7, 7), (7, 8), (8, 8)].map(|(x, y)| table.at(x, y)));
}

#[test]
fn chains_appear_everywhere_and_in_every_direction() {
    let mut starts = HashSet::new();
    let mut headings = HashSet::new();
    for seed in 0..3_000 {
        let table = TestedGame::start(3, seed);
        starts.insert(table.game.chains[0].0[0]);
        headings.insert(steps(table.game.chains[0], &table)[0]);
    }
    assert_eq!(headings.len(), 4);
    assert!(starts.len() >= 79, "{} first points", starts.len());
}

// "touch any of the points before the next point is turned on, or the last
// point before they all disappear, this player wins the turn"

#[test]
fn a_touch_of_the_newest_point_wins_the_turn_for_its_colour() {
    for (side, first) in [(Side::Green, (1, 0)), (Side::Red, (5, 4))] {
        for shown in 0..3 {
            let mut table = straight();
            table.wait(u64::from(shown) * GAP + GAP - 1);
            let point = table.at(first.0 + shown, first.1);
            assert!(table.legal().has(point));
            assert_eq!(table.game.side_of(point), Some(side));
            assert_eq!(table.touch(point), Touch::Move(0));
            assert_eq!(table.score()[side.index()], 1);
            assert_eq!(table.score()[side.other().index()], 0);
        }
    }
}

#[test]
fn touching_older_or_dark_points_is_ignored() {
    let mut table = straight();
    table.wait(GAP);
    assert_eq!(table.legal().len(), 2);
    for (column, row) in [(1, 0), (5, 4), (3, 0), (0, 8)] {
        assert_eq!(table.tap(column, row), Touch::Ignored);
    }
    table.wait(2 * GAP);
    assert_eq!(table.tap(3, 0), Touch::Ignored, "they have disappeared");
    assert_eq!(table.score(), [0, 0]);
}

#[test]
fn the_first_touch_wins_and_the_second_one_comes_too_late() {
    let mut table = straight();
    table.tap(5, 4);
    assert_eq!(table.tap(1, 0), Touch::Ignored);
    assert_eq!(table.score(), [0, 1]);
}

// "The player gets a point, and the board display a pattern in the player's
// colour"

#[test]
fn a_won_turn_shows_a_pattern_in_the_winners_colour() {
    let mut table = straight();
    table.tap(1, 0);
    let mut pictures = HashSet::new();
    for _ in 0..8 {
        assert!(matches!(table.game.phase, TouchItPhase::Won(_)));
        assert!(!table.shown(Colour::GREEN).is_empty());
        assert!(table.shown(Colour::RED).is_empty());
        assert!(table.legal().is_empty());
        pictures.insert(table.shown(Colour::GREEN));
        table.wait(125);
    }
    assert_eq!(pictures.len(), 8);
    assert!(matches!(table.game.phase, TouchItPhase::Pause { .. }));
    begin_next_display(&mut table);
    assert_eq!(table.legal().len(), 2);
}

// "The time between displaying the points is determined by the Speed"

#[test]
fn a_higher_speed_shortens_the_time_between_points() {
    let gaps: StdVec<u16> = (0..10).map(gap_ms).collect();
    assert!(gaps.is_sorted_by(|long, short| long > short));
    assert_eq!(u64::from(gap_ms(5)), GAP);
    assert_eq!(gap_ms(200), gap_ms(9));
}

#[test]
fn a_change_of_speed_counts_from_the_next_display_on() {
    let mut table = straight();
    table.speed = 9;
    table.wait(GAP);
    assert_eq!(table.game.wakes_at(), Some(2 * GAP));
    table.wait(2 * GAP);
    begin_next_display(&mut table);
    assert_eq!(table.game.wakes_at(), Some(table.now + 245));
}

// "The game ends after 40 turns."

#[test]
fn the_game_ends_after_40_displays_won_or_not() {
    let mut table = straight();
    for display in 0..40 {
        assert_eq!(table.game.outcome(), None);
        begin_next_display(&mut table);
        let newest = table.game.newest().unwrap();
        match display % 4 {
            0 | 1 => assert_eq!(table.touch(newest[0]), Touch::Move(0)),
            2 => assert_eq!(table.touch(newest[1]), Touch::Move(0)),
            _ => table.wait(3 * GAP),
        }
    }
    assert_eq!(table.score(), [20, 10]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(table.game.wakes_at(), None);
    assert!(table.legal().is_empty());
}

#[test]
fn the_last_won_turn_shows_its_pattern_before_the_end() {
    let mut table = straight();
    for _ in 1..40 {
        begin_next_display(&mut table);
        table.wait(3 * GAP);
    }
    begin_next_display(&mut table);
    let newest = table.game.newest().unwrap();
    assert_eq!(table.touch(newest[1]), Touch::Move(0));
    for _ in 0..8 {
        assert_eq!(table.game.outcome(), None);
        assert!(!table.shown(Colour::RED).is_empty());
        table.holds();
        table.wait(125);
    }
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn an_untouched_game_ends_in_a_draw() {
    let mut table = TestedGame::start(2, 1);
    table.wait(40 * (2_000 + 3 * GAP));
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
}

#[test]
fn a_move_belongs_to_the_colour_of_its_point() {
    for (side, point) in [(Side::Green, Point(1)), (Side::Red, Point(41))] {
        let rows = [".ggg", "", "", "", ".....rrr"];
        let mut whole = Whole::with(3, 0, 0, Side::Green, &rows);
        assert_eq!(whole.board.frame().turn, [false, false]);
        whole.tap(point);
        let changed = 0;
        let told = Event::Move {
            side,
            point,
            changed,
        };
        assert!(whole.events.contains(&(0, told)), "{:?}", whole.events);
    }
}

#[test]
fn at_level_4_the_board_scores_for_red_by_itself() {
    let rows = [".ggg", "", "", "", ".....rrr"];
    let mut whole = Whole::with(3, 0, 4, Side::Green, &rows);
    whole.wait(20_000);
    let [green, red] = whole.board.score().unwrap();
    assert_eq!(green, 0);
    assert!(red >= 3, "{red}");
}

/// Maldoo manual, TouchIt: a game has 40 turns; the number left is reported.
#[test]
fn the_displays_left_are_reported() {
    let mut table = straight();
    assert_eq!(table.game.turns_left(), Some(40));
    for shown in 1..=40 {
        let before = table.game.displays;
        while table.game.displays == before {
            table.wait_for_wake();
        }
        assert_eq!(table.game.turns_left(), Some(40 - shown));
    }
}
