//! The sentences of the manual and the choices of `RULES.md`, one by one; the
//! laws; and the levels against each other.

use std::eprintln;
use std::vec::Vec as StdVec;

use protocol::{Event, Layout, Packed};

use super::*;
use crate::game::{BoardTurn, Player};
use crate::games::testing::{self, Series, Whole, play_out};

mod hand;
mod sound;

type TestedGame = testing::TestedGame<u128, FindThem<u128>>;

// The hidden points are only shown at the start, and both sides have equally many.
testing::laws!(
    FindThem,
    |_| {},
    Floors {
        positions: 3,
        ..Floors::USUAL
    }
);

/// 15 green points in the top rows and 15 red ones in the bottom rows.
const HALVES: [&str; 9] = [
    "ggggggggg",
    "gggggg...",
    "",
    "",
    "",
    "",
    "",
    "...rrrrrr",
    "rrrrrrrrr",
];

/// The pattern of the two halves, hidden, with this side to move.
fn hidden(mode: u8, turn: Side) -> TestedGame {
    let mut table = TestedGame::position(mode, turn, &HALVES).unwrap();
    table.wait_for_wake();
    table
}

/// Finds this many more points for the side to move, with misses of the other side in
/// between; ends after a turn of the other side.
fn find(table: &mut TestedGame, count: usize) {
    for _ in 0..count {
        let side = table.game.turn.index();
        let own = table.game.hidden[side].without(table.game.found[side]);
        table.touch(own.first().unwrap());
        table.time_out();
    }
}

/// Maldoo manual, FindThem: "displays a random arrangement of points for a
/// short period of time, and then switches them off", and its Modes.
#[test]
fn the_pattern_of_each_mode_is_shown_and_goes_dark() {
    for (mode, count) in [(0, 24), (1, 30), (2, 15), (3, 21)] {
        let mut table = TestedGame::start(mode, 3);
        assert_eq!(table.shown(Colour::GREEN).len(), count);
        assert_eq!(table.shown(Colour::RED).len(), count);
        assert!(!table.game.clock_runs());
        table.wait(9_999);
        assert_eq!(table.shown(Colour::RED).len(), count);
        table.wait(1);
        assert_eq!(table.shown(Colour::OFF).len(), 81);
        assert_eq!(table.game.turn(), Some(Side::Green));
        assert!(table.game.clock_runs());
    }
}

#[test]
fn each_seed_gives_another_arrangement() {
    let patterns = (0..20).map(|seed| TestedGame::start(0, seed).game.hidden);
    let different: std::collections::HashSet<_> = patterns.collect();
    assert_eq!(different.len(), 20);
}

/// Every point has the same probability of being green, red or dark.
#[test]
fn no_point_is_favoured() {
    let mut counts = [[0; 2]; 81];
    for seed in 0..2_000 {
        let table = TestedGame::start(0, seed);
        for side in Side::BOTH {
            for point in table.game.hidden[side.index()] {
                counts[point.index()][side.index()] += 1;
            }
        }
    }
    // 2000 * 24 / 81 = 593, with a standard deviation of 20.
    assert!(
        counts
            .iter()
            .flatten()
            .all(|count| (493..693).contains(count)),
        "{counts:?}"
    );
}

/// Maldoo manual, FindThem: "controlled by the Speed (higher value less time)".
#[test]
fn a_higher_speed_shows_the_pattern_for_a_shorter_time() {
    let shown_ms = |speed| {
        let table: TestedGame = TestedGame::begin_at_speed(Layout::MALDOO, 0, 1, speed).unwrap();
        table.game.wakes_at().unwrap()
    };
    let times: StdVec<Tick> = (0..10).map(shown_ms).collect();
    assert!(times.is_sorted_by(|long, short| long > short), "{times:?}");
    assert_eq!((times[0], times[5], times[9]), (30_500, 10_000, 4_100));
}

#[test]
fn presses_are_ignored_while_the_pattern_is_shown() {
    let mut table = TestedGame::position(0, Side::Green, &HALVES).unwrap();
    assert!(table.legal().is_empty());
    assert_eq!(table.tap(0, 0), Touch::Ignored);
    assert!(!table.pass());
    table.wait_for_wake();
    assert_eq!(table.legal().len(), 81);
}

/// Maldoo manual, FindThem: "When a player presses a point of his colour [...],
/// it is switched on."
#[test]
fn a_point_of_the_own_colour_lights_up_and_the_turn_passes() {
    for (side, row, colour) in [(Side::Green, 0, Colour::GREEN), (Side::Red, 8, Colour::RED)] {
        let mut table = hidden(0, side);
        assert_eq!(table.tap(4, row), Touch::Move(0));
        assert_eq!(table.picture().get(table.at(4, row)), colour);
        assert_eq!(table.score()[side.index()], 1);
        assert_eq!(table.game.turn(), Some(side.other()));
        assert_eq!(table.tap(4, row), Touch::Ignored, "a lit point");
        assert_eq!(table.game.turn(), Some(side.other()));
        assert_eq!(table.legal().len(), 80);
    }
}

/// Maldoo manual, FindThem: "an empty point or a point of the other colour,
/// nothing happens, but the point becomes silent for one move".
#[test]
fn a_wrongly_pressed_point_is_silent_for_one_turn() {
    for (column, row) in [(4, 4), (4, 8)] {
        let mut table = hidden(0, Side::Green);
        let point = table.at(column, row);
        assert_eq!(table.touch(point), Touch::Move(0));
        assert_eq!(table.shown(Colour::OFF).len(), 81, "nothing happens");
        assert_eq!(table.score(), [0, 0]);
        assert_eq!(table.game.turn(), Some(Side::Red));

        assert_eq!(
            table.legal(),
            table.ground.grid().all().without(Points::one(point))
        );
        assert_eq!(table.touch(point), Touch::Ignored);
        assert_eq!(
            table.game.turn(),
            Some(Side::Red),
            "the press was not noticed"
        );

        table.tap(0, 8);
        assert!(table.legal().has(point), "open to the one who missed there");
        table.tap(0, 0);
        assert!(
            table.legal().has(point),
            "and to the other in his next turn"
        );
        assert_eq!(table.touch(point), Touch::Move(0));
        assert_eq!(table.score()[1], if row == 8 { 2 } else { 1 });
    }
}

#[test]
fn a_time_out_ends_the_silence() {
    let mut table = hidden(0, Side::Green);
    table.tap(4, 8);
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert_eq!(table.legal().len(), 81);
    table.time_out();
    assert!(table.legal().has(table.at(4, 8)));
}

#[test]
fn two_wrong_presses_leave_one_silent_point() {
    let mut table = hidden(0, Side::Green);
    table.tap(4, 4);
    table.tap(5, 5);
    assert_eq!(
        table.legal(),
        table
            .ground
            .grid()
            .all()
            .without(Points::one(table.at(5, 5)))
    );
}

#[test]
fn a_time_out_loses_the_turn_without_a_press() {
    let mut table = hidden(0, Side::Green);
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert_eq!((table.score(), table.legal().len()), ([0, 0], 81));
    assert_eq!(
        <FindThem<u128> as Rules<u128>>::ABOUT.time_out,
        TimeOut::Pass
    );
}

/// Maldoo manual, FindThem, modes 0-3: 9, 15, 9 and 15 points are needed; "The
/// game ends after a red move".
#[test]
fn green_wins_with_all_its_points_after_reds_next_move() {
    for (mode, needed) in [(0, 9), (1, 15), (2, 9), (3, 15)] {
        let mut table = hidden(mode, Side::Green);
        find(&mut table, needed - 1);
        assert_eq!(table.game.outcome(), None);
        let own = table.game.hidden[0].without(table.game.found[0]);
        table.touch(own.first().unwrap());
        assert_eq!(table.score(), [needed as u32, 0]);
        assert_eq!(
            table.game.outcome(),
            None,
            "mode {mode}: red has a move left"
        );
        table.tap(4, 4);
        assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
        assert_eq!(table.game.turn(), None);
        assert!(table.legal().is_empty());
    }
}

#[test]
fn the_game_ends_as_well_when_red_lets_the_time_run_out() {
    let mut table = hidden(2, Side::Green);
    find(&mut table, 9);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn red_wins_at_once_as_the_game_ends_after_a_red_move() {
    for (mode, needed) in [(0, 9), (1, 15), (2, 9), (3, 15)] {
        let mut table = hidden(mode, Side::Red);
        find(&mut table, needed - 1);
        let own = table.game.hidden[1].without(table.game.found[1]);
        table.touch(own.first().unwrap());
        assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
        assert_eq!(table.score(), [0, needed as u32]);
    }
}

/// Maldoo manual, FindThem: "unless both players reached 9 points in the same
/// move".
#[test]
fn both_reaching_the_number_in_the_same_move_is_a_draw() {
    let mut table = hidden(0, Side::Green);
    for column in 0..9 {
        assert_eq!(table.game.outcome(), None);
        table.tap(column, 0);
        assert_eq!(table.game.outcome(), None);
        table.tap(column, 8);
    }
    assert_eq!(table.score(), [9, 9]);
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
}

#[test]
fn the_whole_pattern_is_seen_at_the_end_and_the_score_stays() {
    let mut table = hidden(0, Side::Green);
    find(&mut table, 9);
    assert_eq!(table.shown(Colour::GREEN), table.game.hidden[0]);
    assert_eq!(table.shown(Colour::RED), table.game.hidden[1]);
    assert_eq!(table.score(), [9, 0]);
    assert_eq!(table.tap(4, 4), Touch::Ignored);
    assert!(!table.pass());
}

/// Maldoo manual, FindThem: "the board flashes the point it 'presses'".
#[test]
fn presses_of_the_board_flash_amber_and_hits_stay_lit() {
    for (row, afterwards) in [(8, Colour::RED), (4, Colour::OFF), (0, Colour::OFF)] {
        let mut table = hidden(0, Side::Red);
        let point = table.at(4, row);
        table.with(|game, _, context| game.announce(point, context));
        table.touch(point);
        let mut seen = StdVec::new();
        for _ in 0..8 {
            seen.push(table.picture().get(point));
            table.wait(124);
            assert_eq!(seen.last(), Some(&table.picture().get(point)));
            table.wait(1);
        }
        let [on, off] = [Colour::AMBER, Colour::OFF];
        assert_eq!(seen, [on, off, on, off, on, off, on, off]);
        assert_eq!(table.picture().get(point), afterwards);
        assert_eq!(table.game.wakes_at(), None);
    }
}

#[test]
fn a_press_of_a_person_does_not_flash() {
    let mut table = hidden(0, Side::Green);
    table.tap(4, 4);
    assert_eq!(table.game.wakes_at(), None);
    assert!(table.shown(Colour::AMBER).is_empty());
}

#[test]
fn a_board_with_fewer_points_than_the_pattern_is_refused() {
    for (mode, columns, rows, fits) in [
        (0, 8, 6, true),
        (0, 16, 1, false),
        (0, 9, 5, false),
        (1, 10, 6, true),
        (1, 8, 7, false),
        (2, 6, 5, true),
        (2, 7, 4, false),
        (3, 6, 7, true),
        (3, 8, 5, false),
        (4, 8, 8, false),
    ] {
        let layout = Layout::grid(columns, rows).unwrap();
        let table = testing::TestedGame::<u64, FindThem<u64>>::begin(layout, mode, 1);
        assert_eq!(table.is_some(), fits, "mode {mode} on {layout}");
    }
}

#[test]
fn a_position_is_the_hidden_pattern_and_its_turn() {
    let table = TestedGame::position(1, Side::Red, &HALVES).unwrap();
    assert_eq!(table.shown(Colour::GREEN), table.points(&HALVES[..2]));
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(matches!(table.game.phase, FindThemPhase::Show { .. }));
}

#[test]
fn a_position_that_a_side_cannot_finish_is_refused() {
    let eight: [&str; 2] = ["gggggggg.", "rrrrrrrrr"];
    assert!(TestedGame::position(0, Side::Green, &eight).is_none());
    let nine: [&str; 2] = ["ggggggggg", "rrrrrrrrr"];
    assert!(TestedGame::position(0, Side::Green, &nine).is_some());
    assert!(TestedGame::position(1, Side::Green, &nine).is_none());
    let amber: [&str; 3] = ["ggggggggg", "rrrrrrrrr", "a"];
    assert!(TestedGame::position(0, Side::Green, &amber).is_none());
    let outside = Packed::default();
    let position = Diagram {
        points: outside,
        turn: Side::Green,
    };
    assert!(TestedGame::set_up(Layout::MALDOO, 0, &position).is_none());
}
