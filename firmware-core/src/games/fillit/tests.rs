//! The sentences of the manual and the choices of `RULES.md`, one by
//! one.

use std::vec::Vec;

use protocol::{Layout, Outcome, Point, Side};

use super::*;
use crate::games::testing;
use crate::minds::pace::EARLIEST_MS;

type TestedGame = testing::TestedGame<u128, FillIt<u128>>;

fn at(mode: u8, turn: Side, rows: &[&str]) -> TestedGame {
    TestedGame::drawn(mode, turn, rows).unwrap()
}

fn start(mode: u8, seed: u64) -> TestedGame {
    TestedGame::begin(Layout::MALDOO, mode, seed).unwrap()
}

/// A 9x9 board that is dark except for these rows, from row 9 (top) downwards.
fn board(rows: &[&'static str]) -> Vec<&'static str> {
    let mut all = rows.to_vec();
    all.resize(9, ".........");
    all
}

/// True if every point is lit.
fn full(table: &TestedGame) -> bool {
    table.score().iter().sum::<u32>() == 81
}

// Maldoo manual, FillIt: "when a player presses a point, points which are empty
// or in the other player's colour and are two points away from the touched
// point in any of the 8 directions change their colour to the player's colour"

#[test]
fn a_touch_lights_its_point_and_the_eight_points_two_away() {
    for mode in [0, 1] {
        let mut table = at(mode, Side::Green, &board(&[]));
        assert_eq!(table.tap_at("e5"), Touch::Move(8));
        let expected = board(&[
            ".........",
            ".........",
            "..g.g.g..",
            ".........",
            "..g.g.g..",
            ".........",
            "..g.g.g..",
        ]);
        assert_eq!(table.drawing(), expected);
        assert_eq!(table.game.turn(), Some(Side::Red));
    }
}

#[test]
fn only_the_opponents_points_two_away_change_colour() {
    let rows = [
        "r.r.r....",
        "rrrrr....",
        "rr.rr....",
        "rrrrr....",
        "r.r.r...r",
    ];
    let mut table = at(0, Side::Green, &board(&rows));
    assert_eq!(table.tap_at("c7"), Touch::Move(8));
    let expected = [
        "g.g.g....",
        "rrrrr....",
        "grgrg....",
        "rrrrr....",
        "g.g.g...r",
    ];
    assert_eq!(table.drawing(), board(&expected));
}

// "... and points that are near the touched point and in the player's colour
// change their colour to the other colour."

#[test]
fn own_points_beside_the_touched_one_change_sides() {
    let rows = [
        ".........",
        ".ggg.....",
        ".g.g.....",
        ".g.r.....",
        "....g....",
    ];
    let mut table = at(1, Side::Green, &board(&rows));
    // c7: six own neighbours change, including b6 and b7, because diagonals count; d6
    // stays red.
    let Touch::Move(changed) = table.tap_at("c7") else {
        panic!("c7 is dark")
    };
    let expected = [
        "g.g.g....",
        ".rrr.....",
        "grgrg....",
        ".r.r.....",
        "g.g.g....",
    ];
    assert_eq!(table.drawing(), board(&expected));
    // Six change to red, and of the eight two away all except e5, which was green, change
    // to green.
    assert_eq!(changed, 6 + 7);
}

#[test]
fn dark_points_beside_the_touched_one_stay_dark() {
    let mut table = at(0, Side::Red, &board(&[]));
    table.tap_at("a9");
    assert_eq!(
        table.drawing(),
        board(&["r.r......", ".........", "r.r......"])
    );
}

// "When the board is full, the player with more points in their colour wins."

#[test]
fn a_full_board_ends_the_filling_game_after_either_side() {
    for turn in Side::BOTH {
        // a9 is next to green a8 and red b9 and b8; c9, c7 and a7 are green.
        let mut rows = ["grgrgrgrg"; 9];
        rows[0] = ".rgrgrgrg";
        let mut table = at(0, turn, &rows);
        table.tap_at("a9");
        let score = match turn {
            Side::Green => [44, 37],
            Side::Red => [43, 38],
        };
        assert_eq!(table.score(), score);
        assert_eq!(table.game.outcome(), Some(Outcome::by_score(score)));
    }
}

#[test]
fn equal_numbers_are_a_draw() {
    let full = ["grgrgr"; 6];
    let table = at(0, Side::Green, &full);
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
}

#[test]
fn a_colour_may_vanish_from_the_filling_game_and_come_back() {
    let mut table = at(0, Side::Green, &board(&["..r......"]));
    table.tap_at("a9");
    assert_eq!(table.score()[1], 0);
    assert_eq!(table.game.turn(), Some(Side::Red));
}

// "Only empty points are legal moves."

#[test]
fn in_modes_0_and_1_touching_a_lit_point_is_ignored() {
    for mode in [0, 1] {
        let mut table = at(mode, Side::Green, &board(&["gr......."]));
        let before = table.game.clone();
        for name in ["a9", "b9"] {
            assert_eq!(table.tap_at(name), Touch::Ignored);
        }
        assert_eq!(table.game, before);
        assert_eq!(table.legal().len(), 79);
    }
}

// "If a player misses a turn, when the other player plays his next move none of
// his points are changed, so it is never a good idea to miss a turn."

#[test]
fn a_missed_turn_spares_the_opponents_own_points_once() {
    for mode in [0, 1] {
        let rows = board(&[".........", ".ggg.....", ".g.g....."]);
        let mut table = at(mode, Side::Red, &rows);
        table.time_out();
        assert_eq!(table.game.turn(), Some(Side::Green));
        table.tap_at("c7");
        assert_eq!(table.drawing()[1], ".ggg.....");
        assert_eq!(table.drawing()[2], "ggggg....");
        // This happens only once.
        table.tap_at("i1");
        table.tap_at("b9");
        assert_eq!(table.drawing()[1], ".rrg.....");
    }
}

#[test]
fn a_missed_turn_does_not_spare_the_points_two_away() {
    let mut table = at(0, Side::Red, &board(&["..r......"]));
    table.time_out();
    table.tap_at("a9");
    assert_eq!(table.drawing()[0], "g.g......");
}

#[test]
fn the_favour_of_a_missed_turn_lasts_until_the_next_move() {
    let rows = board(&[
        ".........",
        ".ggg.....",
        ".g.g.....",
        ".........",
        "rrr......",
    ]);
    let mut table = at(0, Side::Red, &rows);
    // Red misses a turn, then green does: each has a spared move.
    table.time_out();
    table.time_out();
    table.tap_at("b4");
    assert_eq!(table.drawing()[4], "rrr......");
    table.tap_at("c7");
    assert_eq!(table.drawing()[1], ".ggg.....");
}

#[test]
fn a_missed_turn_has_no_further_effect_in_modes_2_to_4() {
    for mode in 2..5 {
        let rows = board(&[
            "r........",
            ".........",
            "..g......",
            ".........",
            "....g....",
        ]);
        let mut missed = at(mode, Side::Red, &rows);
        missed.time_out();
        assert_eq!(missed.game.turn(), Some(Side::Green));
        assert_eq!(missed.game, at(mode, Side::Green, &rows).game);
    }
}

// "Mode 1 exactly like mode 0, except that the game starts with completely
// empty board."

#[test]
fn mode_1_starts_dark_and_mode_0_with_equal_colours() {
    assert_eq!(start(1, 1).score(), [0, 0]);
    assert_eq!(MODES[0].task, MODES[1].task);
    let mut pictures = Vec::new();
    for seed in 0..50 {
        let table = start(0, seed);
        assert_eq!(table.score(), [9, 9]);
        assert_eq!(table.game.turn(), Some(Side::Green));
        pictures.push(table.drawing());
    }
    pictures.dedup();
    assert_eq!(pictures.len(), 50);
}

#[test]
fn random_games_of_modes_0_and_1_fill_the_board() {
    for mode in [0, 1] {
        for seed in 0..50 {
            let mut table = start(mode, seed);
            assert!(table.play_at_random(81) < 81);
            assert!(full(&table));
        }
    }
}

// "Modes 2,3,4 ... When a player touches a point, it turns off points of the
// other player's colour which are a chess knight away from the touched point
// ..., and points of the current player's colour which are another one diagonal
// move away ("long knight" ...)."

/// A board of red points.
const ALL_RED: [&str; 9] = ["rrrrrrrrr"; 9];
/// A board of green points; see [`ALL_RED`].
const ALL_GREEN: [&str; 9] = ["ggggggggg"; 9];

#[test]
fn in_mode_2_the_opponents_points_a_knight_away_go_off() {
    let mut table = at(2, Side::Red, &ALL_GREEN);
    assert_eq!(table.tap_at("e5"), Touch::Move(8));
    let off = "ggggggggg";
    let (narrow, wide) = ("ggg.g.ggg", "gg.ggg.gg");
    let expected = [off, off, narrow, wide, off, wide, narrow, off, off];
    assert_eq!(table.drawing(), expected);
}

#[test]
fn in_mode_2_own_points_a_long_knight_away_go_off() {
    let mut rows = ALL_RED;
    rows[0] = "rrrrrrrrg";
    let mut table = at(2, Side::Red, &rows);
    assert_eq!(table.tap_at("e5"), Touch::Move(8));
    let (narrow, wide) = ("rr.rrr.rr", "r.rrrrr.r");
    let expected = [
        "rrrrrrrrg",
        narrow,
        wide,
        "rrrrrrrrr",
        "rrrrrrrrr",
        "rrrrrrrrr",
        wide,
        narrow,
        "rrrrrrrrr",
    ];
    assert_eq!(table.drawing(), expected);
}

#[test]
fn the_touched_point_stays_as_it_is_dark_or_lit() {
    for rows in [
        ["....r....", "g........"],
        ["....g....", "r........"],
        ["g........", "r........"],
    ] {
        let mut table = at(2, Side::Green, &board(&rows));
        table.tap_at("e9");
        assert_eq!(table.drawing()[0], rows[0]);
    }
}

#[test]
fn in_mode_2_every_point_may_be_touched() {
    for seed in 0..5 {
        let mut table = start(2, seed);
        assert_eq!(table.legal().len(), 81);
        let lit = table.game.lit[Side::Red].first().unwrap();
        assert!(matches!(table.touch(lit), Touch::Move(_)));
    }
}

#[test]
fn points_in_between_do_not_matter() {
    let rows = ["rrr......", "rrr......", "rgr......"];
    let mut table = at(2, Side::Red, &board(&rows));
    // a9 is a knight's move from b7, over red points.
    assert_eq!(table.tap_at("a9"), Touch::Move(1));
    assert_eq!(table.drawing()[2], "r.r......");
}

// "In mode 3, the rules are the same, except that instead of switching off
// points of the current player's colour that are "long knight" away, they are
// switched to the other player's colour."

/// When green touches e5, it hits red d7 (a knight's move away) and green b7 (a long
/// knight's move away).
const HITS: [&str; 9] = [
    "....r....",
    "....g....",
    ".g.r.....",
    ".........",
    ".........",
    ".........",
    ".........",
    "....g....",
    "....r....",
];

#[test]
fn modes_2_to_4_differ_in_the_effect_on_hit_points() {
    // Row 7 after green has touched e5.
    for (mode, row) in [(2, "........."), (3, ".r......."), (4, "...g.....")] {
        let mut table = at(mode, Side::Green, &HITS);
        assert_eq!(table.tap_at("e5"), Touch::Move(2), "mode {mode}");
        assert_eq!(table.drawing()[2], row, "mode {mode}");
    }
}

// "In mode 3 and 4, only moves that actually remove some points of the board
// are legal."

#[test]
fn in_mode_3_a_move_must_put_out_a_point_of_the_opponents() {
    let rows = board(&["....r....", "........."]);
    let mut rows = rows;
    rows[8] = "g........";
    let mut table = at(3, Side::Green, &rows);
    assert_eq!(table.names(table.legal()), ["c8", "g8", "d7", "f7"]);
    let before = table.game.clone();
    assert_eq!(table.tap_at("e5"), Touch::Illegal);
    assert_eq!(table.game, before);
}

#[test]
fn in_mode_4_a_move_must_put_out_a_point_of_the_players_own() {
    let mut rows = board(&["....r....", "........."]);
    rows[8] = "g........";
    let mut table = at(4, Side::Green, &rows);
    assert_eq!(table.names(table.legal()), ["c4", "d3"]);
    assert_eq!(table.tap_at("d7"), Touch::Illegal);
    assert_eq!(
        <FillIt<u128> as Rules<u128>>::ABOUT.illegal,
        Illegal::FlashLegal
    );
}

// "The game ends after a red move when all the points of one of the colours
// have been switched off, and the other player is the winner."

/// Green can put out the last red point, e9, by touching d7.
fn last_red(green: &'static str) -> Vec<&'static str> {
    let mut rows = board(&["....r....", "........."]);
    rows[8] = green;
    rows
}

#[test]
fn after_greens_clearing_move_red_has_one_more_turn() {
    for mode in 2..4 {
        let mut table = at(mode, Side::Green, &last_red("g.......g"));
        table.tap_at("d7");
        assert_eq!(table.score()[1], 0);
        assert_eq!(table.game.turn(), Some(Side::Red), "mode {mode}");
        table.tap_at("c2");
        let score = table.score();
        assert_eq!(table.game.outcome(), Some(Outcome::by_score(score)));
        assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    }
}

#[test]
fn both_colours_gone_after_the_red_move_is_a_draw() {
    for mode in 2..4 {
        let mut table = at(mode, Side::Green, &last_red("g........"));
        table.tap_at("d7");
        table.tap_at("c2");
        assert_eq!(table.score(), [0, 0]);
        assert_eq!(table.game.outcome(), Some(Outcome::Draw), "mode {mode}");
    }
}

#[test]
fn the_game_ends_if_red_misses_its_last_turn() {
    let mut table = at(2, Side::Green, &last_red("g........"));
    table.tap_at("d7");
    table.time_out();
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    // In mode 4, red without points can never move and is passed over.
    let mut rows = last_red("........g");
    rows[4] = "g........";
    let mut table = at(4, Side::Green, &rows);
    assert_eq!(table.tap_at("d7"), Touch::Move(2));
    assert_eq!(table.score(), [2, 0]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(table.game.turn(), None);
}

#[test]
fn a_red_move_that_clears_green_ends_the_game_at_once() {
    let mut rows = board(&["....g....", "........."]);
    rows[8] = "r.......r";
    for mode in 2..4 {
        let mut table = at(mode, Side::Red, &rows);
        table.tap_at("d7");
        assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
    }
}

#[test]
fn putting_out_ones_own_last_point_loses() {
    let mut rows = board(&["....g....", "........."]);
    rows[8] = "r........";
    let mut table = at(2, Side::Red, &rows);
    // d3 is a long knight's move from a1, and hits no point of green.
    table.tap_at("d3");
    assert_eq!(table.score(), [1, 0]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn a_side_without_a_move_is_skipped() {
    // In mode 4 green has no points and therefore no move, but red has not had its turn
    // yet.
    let mut rows = board(&["....r....", "........."]);
    rows[8] = "....r....";
    let table = at(4, Side::Red, &rows);
    assert_eq!(table.game.turn(), Some(Side::Red));
    let table = at(4, Side::Green, &rows);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
    // Red has no move in its turn either: it is passed over, and the game is over.
    let mut rows = board(&["....g....", "........."]);
    rows[8] = "....g....";
    let table = at(4, Side::Red, &rows);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn modes_2_to_4_start_with_18_points_of_each_colour() {
    for mode in 2..5 {
        for seed in 0..20 {
            let table = start(mode, seed);
            assert_eq!(table.score(), [18, 18]);
            assert_eq!(table.game.turn(), Some(Side::Green));
        }
    }
}

#[test]
fn random_games_of_modes_2_to_4_end_with_a_colour_gone() {
    for mode in 2..5 {
        let mut draws = 0;
        for seed in 0..100 {
            let mut table = start(mode, seed);
            assert!(table.play_at_random(2_000) < 2_000);
            assert!(table.score().contains(&0), "{:?}", table.score());
            draws += usize::from(table.game.outcome() == Some(Outcome::Draw));
        }
        assert!(draws < 40, "mode {mode}: {draws} draws");
    }
}

#[test]
fn any_board_from_6x6_on_will_do() {
    for mode in 0..5 {
        for (columns, rows, fits) in [(5, 6, false), (6, 5, false), (6, 6, true), (6, 16, true)] {
            let layout = Layout::grid(columns, rows).unwrap();
            assert_eq!(
                TestedGame::begin(layout, mode, 1).is_some(),
                fits,
                "{columns}x{rows}"
            );
        }
    }
    assert!(TestedGame::begin(Layout::MALDOO, 5, 1).is_none());
    assert!(TestedGame::drawn(0, Side::Green, &board(&["a........"])).is_none());
}

// The levels: Maldoo manual, "Buttons", Level.

#[test]
fn every_level_answers_in_time_with_a_legal_point() {
    for mode in 0..5 {
        for level in 1..=4 {
            let mut table = start(mode, 3);
            let point = table.touch_of_board(level);
            assert!(table.now >= EARLIEST_MS);
            assert!(table.legal().has(point));
        }
    }
}

#[test]
fn the_board_always_takes_something_in_the_clearing_game() {
    for level in 1..=4 {
        let mut table = start(2, 3);
        let before = table.score();
        let point = table.touch_of_board(level);
        table.touch(point);
        assert!(table.score()[1] < before[1]);
    }
}

/// A side without a move has no points, or the opponent has none, and the game is over.
#[test]
fn each_touch_passes_the_turn_without_a_pass_event() {
    let mut touches = 0;
    for (mode, seed) in (0..5).flat_map(|mode| (0..20).map(move |seed| (mode, seed))) {
        let mut table = start(mode, seed);
        let mut chance = crate::rng::Rng::new(seed);
        for _ in 0..120 {
            let Some(side) = table.game.turn() else { break };
            table.touch(chance.pick(table.legal()).unwrap());
            let next = table.game.turn();
            assert!(next.is_none_or(|next| next == side.other()), "mode {mode}");
            assert_eq!(table.events, [], "mode {mode}");
            touches += 1;
        }
    }
    assert!(touches > 2_000, "{touches}");
}

#[test]
fn a_lead_is_the_difference_of_points() {
    let view = FillItView::<u128> {
        own: [1, 2, 3, 4, 5].into_iter().map(Point).collect(),
        other: [9, 8].into_iter().map(Point).collect(),
        ..FillItView::default()
    };
    assert_eq!(view.lead(), 3);
    assert_eq!(view.turned().lead(), -3);
}

/// The touches of the clearing game that remove or change a point of the opponent.
#[test]
fn useful_touches_hit_a_point_of_the_opponent() {
    let mut seen = [0; 2];
    for (mode, seed) in (0..5).flat_map(|mode| (0..20).map(move |seed| (mode, seed))) {
        let mut table = start(mode, seed);
        table.play_at_random(seed as usize);
        let Some(side) = table.game.turn() else {
            continue;
        };
        let grid = table.ground.grid();
        let (moves, view) = (table.game.moves(grid), table.game.view(side));
        let useful = moves.useful(&view);
        for point in table.legal() {
            let after = moves.after(&view, point);
            let acts = !view.other.without(after.own).is_empty();
            let is_fill = matches!(moves.task(), Task::Fill);
            assert_eq!(useful.has(point), is_fill || acts, "mode {mode}");
            seen[usize::from(acts)] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}
