//! The sentences of the manual and the choices of `RULES.md`, one by one; and
//! the laws.

use std::collections::HashSet;
use std::vec::Vec as StdVec;

use protocol::Layout;

use super::*;
use crate::games::testing::{self, Whole};
use crate::word::Wide;

type TestedGame = testing::TestedGame<u128, Symmetry<u128>>;

// Only one side plays, for a limited time, so a game is often over.
testing::laws!(
    Symmetry,
    |_| {},
    Floors {
        moves: 38,
        waits: 20,
        forgeries: 4,
        positions: 20,
    }
);

fn rows(mode: u8, rows: &[&str]) -> Option<TestedGame> {
    TestedGame::position(mode, Side::Green, rows)
}

/// A pattern of four points that none of the operations maps to itself.
const PATTERN: [&str; 4] = ["gg", "......g", "", "...g"];

/// Touches all missing points.
fn press_all(table: &mut TestedGame) {
    for point in table.game.missing() {
        assert_eq!(table.touch(point), Touch::Move(0));
    }
}

// "The board displays a pattern in the 'top' four lines", "16 vs. 12"

#[test]
fn the_pattern_has_12_or_16_points_in_the_top_four_lines() {
    for mode in 0..8 {
        for seed in 0..50 {
            let table = TestedGame::start(mode, seed);
            let pattern = table.shown(Colour::GREEN);
            assert_eq!(pattern.len(), if mode < 4 { 12 } else { 16 });
            assert!(
                pattern
                    .into_iter()
                    .all(|point| table.ground.layout().row(point) < 4)
            );
            assert_eq!(table.shown(Colour::OFF).len() + pattern.len(), 81);
        }
    }
}

#[test]
fn patterns_vary_and_use_every_point_of_the_four_lines() {
    let patterns: HashSet<_> = (0..100)
        .map(|seed| TestedGame::start(0, seed).game.pattern)
        .collect();
    assert_eq!(patterns.len(), 100);
    let union = patterns
        .into_iter()
        .fold(Points::NONE, |all, pattern| all | pattern);
    assert_eq!(union.len(), 36);
}

// "Modes: The modes change the symmetry operation to use"

#[test]
fn each_mode_maps_the_pattern_as_in_the_manual() {
    let mirror = ["", "", "", "", "", "...g", "", "......g", "gg"];
    let translation = ["", "", "", "", "", "gg", "......g", "", "...g"];
    let rotation = ["", "", "", "", "", ".....g", "", "..g", ".......gg"];
    let both = ["", "", "", "", "", ".......gg", "..g", "", ".....g"];
    for (mode, image) in [mirror, translation, rotation, both]
        .into_iter()
        .enumerate()
    {
        for mode in [mode, mode + 4] {
            let table = rows(mode as u8, &PATTERN).unwrap();
            assert_eq!(table.game.targets, table.points(&image), "mode {mode}");
        }
    }
}

/// Maldoo manual, Symmetry: "point in the top-left corner is mapped to the
/// bottom-left corner"; mode 1: "line 0 maps to line 5"; mode 2, around the
/// center; mode 3: "the leftmost point of line 0 maps to the rightmost point
/// of line 5".
#[test]
fn the_top_left_corner_is_mapped_as_in_the_manual() {
    for (mode, column, row) in [(0, 0, 8), (1, 0, 5), (2, 8, 8), (3, 8, 5)] {
        let mut table = rows(mode, &["gg"]).unwrap();
        assert!(table.game.targets.has(table.at(column, row)), "mode {mode}");
        table.tap(column, row);
        assert_eq!(table.score(), [1, 0]);
    }
}

// "If the player presses a correct point, it becomes green. If the player
// presses a wrong point, it becomes red."

#[test]
fn a_correct_point_becomes_green() {
    let mut table = rows(0, &PATTERN).unwrap();
    assert_eq!(table.tap(0, 8), Touch::Move(0));
    assert_eq!(table.picture().get(table.at(0, 8)), Colour::GREEN);
    assert_eq!(table.score(), [1, 0]);
}

#[test]
fn every_other_dark_point_is_wrong_and_becomes_red() {
    let table = rows(0, &PATTERN).unwrap();
    let wrong = table
        .ground
        .all()
        .without(table.game.pattern | table.game.targets);
    assert_eq!(wrong.len(), 73);
    for point in wrong {
        let mut table = table.clone();
        assert_eq!(table.touch(point), Touch::Move(0));
        assert_eq!(table.picture().get(point), Colour::RED);
        assert_eq!(table.score(), [0, 1]);
        assert_eq!(table.game.outcome(), None);
        assert_eq!(table.touch(point), Touch::Ignored, "a second time");
    }
}

#[test]
fn touching_the_pattern_or_a_found_point_is_ignored() {
    let mut table = rows(0, &PATTERN).unwrap();
    table.tap(0, 8);
    for (column, row) in [(0, 0), (3, 3), (0, 8)] {
        assert_eq!(table.tap(column, row), Touch::Ignored);
    }
    assert_eq!(table.score(), [1, 0]);
}

// "needs to press all the points [...] within a given time"

#[test]
fn finding_all_points_in_time_wins_for_green_at_once() {
    for mode in 0..8 {
        let mut table = TestedGame::start(mode, 4);
        table.tap(0, 4);
        table.tap(5, 4);
        table.wait(20_000);
        press_all(&mut table);
        assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
        assert_eq!(table.score(), [if mode < 4 { 12 } else { 16 }, 2]);
        assert_eq!((table.game.turn(), table.game.wakes_at()), (None, None));
        assert!(table.shown(Colour::AMBER).is_empty());
    }
}

#[test]
fn a_time_out_flashes_the_missing_points_and_red_wins() {
    let mut table = rows(0, &PATTERN).unwrap();
    table.tap(0, 8);
    table.wait(29_999);
    assert_eq!(table.game.turn(), Some(Side::Green));
    table.wait(1);
    assert_eq!((table.game.turn(), table.game.outcome()), (None, None));
    assert!(table.legal().is_empty());
    assert_eq!(table.tap(1, 8), Touch::Ignored);
    for flash in 0..8 {
        assert_eq!(
            table.shown(Colour::AMBER).len(),
            if flash % 2 == 0 { 3 } else { 0 }
        );
        assert_eq!(table.game.outcome(), None);
        table.wait(250);
    }
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
    assert_eq!(table.shown(Colour::AMBER), table.game.missing());
}

#[test]
fn the_last_point_in_the_last_millisecond_counts() {
    let mut table = TestedGame::start(5, 9);
    let all_but_one = table
        .game
        .missing()
        .without(Points::one(table.game.missing().first().unwrap()));
    for point in all_but_one {
        table.touch(point);
    }
    let until = table.game.wakes_at().unwrap();
    table.wait(until - 1);
    press_all(&mut table);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

// "The Speed determine how much time the player has"

#[test]
fn the_time_falls_with_speed_and_rises_with_16_points() {
    let time_ms = |mode, speed| {
        let table = TestedGame::begin_at_speed(Layout::MALDOO, mode, 1, speed).unwrap();
        table.game.wakes_at().unwrap()
    };
    let times: StdVec<Tick> = (0..10).map(|speed| time_ms(0, speed)).collect();
    assert!(times.is_sorted_by(|long, short| long > short), "{times:?}");
    assert_eq!(times[5], 30_000);
    for mode in 0..8 {
        assert_eq!(time_ms(mode, 5), if mode < 4 { 30_000 } else { 40_000 });
    }
}

#[test]
fn a_change_of_speed_leaves_the_time_of_this_pattern() {
    let mut table = TestedGame::start(0, 1);
    let until = table.game.wakes_at();
    table.speed = 9;
    table.wait(5_000);
    table.tap(0, 8);
    assert_eq!(table.game.wakes_at(), until);
}

/// Maldoo manual, Symmetry: "A single player game."
#[test]
fn the_board_does_not_play_and_passing_is_impossible() {
    let about = crate::games::about(4).unwrap();
    assert_eq!((about.name, about.board_can_play), ("Symmetry", false));
    assert!(!TestedGame::start(0, 1).pass());
    let mut whole = Whole::with(4, 0, 4, Side::Green, &PATTERN);
    whole.wait(29_999);
    assert_eq!(whole.board.score(), Some([0, 0]));
    assert_eq!(whole.board.frame().turn, [true, false]);
    whole.tap(Point(8 * 9));
    assert_eq!(whole.board.score(), Some([1, 0]));
}

// Tests of positions that are set up.

#[test]
fn a_position_has_pattern_finds_and_mistakes() {
    let mut picture = PATTERN.to_vec();
    picture.extend(["..r", "", "", "", "g"]);
    let table = rows(0, &picture).unwrap();
    assert_eq!(table.score(), [1, 1]);
    assert_eq!(table.game.missing().len(), 3);
    picture[8] = "gg";
    picture[7] = "......g";
    picture[5] = "...g";
    let table = rows(0, &picture).unwrap();
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn an_impossible_position_is_refused() {
    let nothing: &[&str] = &[];
    let no_pattern: &[&str] = &["", "", "", "", "r"];
    let not_its_image: &[&str] = &["g", "", "", "", "g"];
    let red_in_its_place: &[&str] = &["g", "", "", "", "", "", "", "", "r"];
    let amber: &[&str] = &["ga"];
    for picture in [nothing, no_pattern, not_its_image, red_in_its_place, amber] {
        assert!(rows(0, picture).is_none(), "{picture:?}");
    }
    assert!(rows(8, &["g"]).is_none(), "no such mode");
}

#[test]
fn other_boards_map_the_top_four_lines_to_the_bottom_four() {
    for (rows, line) in [(8, 4), (9, 5), (10, 6), (16, 12)] {
        let layout = Layout::grid(10, rows).unwrap();
        for mode in 0..8 {
            let table =
                testing::TestedGame::<Wide, Symmetry<Wide>>::begin(layout, mode, 3).unwrap();
            let targets = table.game.targets;
            assert_eq!(targets.len(), MODES[usize::from(mode)].points);
            assert!(targets.into_iter().all(|point| layout.row(point) >= line));
        }
    }
}

#[test]
fn a_board_that_is_too_small_for_the_pattern_is_refused() {
    for (mode, columns, rows, fits) in [
        (0, 8, 7, false),
        (0, 3, 8, true),
        (0, 2, 16, false),
        (4, 3, 8, false),
        (4, 4, 8, true),
        (8, 8, 8, false),
    ] {
        let layout = Layout::grid(columns, rows).unwrap();
        let table = testing::TestedGame::<u64, Symmetry<u64>>::begin(layout, mode, 1);
        assert_eq!(table.is_some(), fits, "mode {mode} on {layout}");
    }
}

#[test]
fn time_left_and_points_to_find_are_reported() {
    for mode in 0..8 {
        let mut table = TestedGame::start(mode, 3);
        let count = table.game.targets.len() as u16;
        assert!(count == 12 || count == 16, "{count}");
        assert_eq!(table.game.to_find(), Some(count));
        let clock = |table: &TestedGame| table.game.clock(table.now);
        let full = clock(&table).expect("it runs");
        assert_eq!(full.left_ms, full.of_ms);
        table.wait(1_500);
        let later = clock(&table).expect("it runs");
        assert_eq!(
            (later.left_ms, later.of_ms),
            (full.left_ms - 1_500, full.of_ms)
        );
        table.wait_for_wake();
        assert_eq!(clock(&table), None, "what is missing is shown");
    }
}

#[test]
fn an_early_wake_changes_nothing() {
    let mut table = TestedGame::start(0, 3);
    let before = table.game.clone();
    table.with(|game, _, context| game.wake(context));
    assert_eq!(table.game, before);
}
