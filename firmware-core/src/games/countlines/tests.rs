//! The sentences of the manual and the choices of `RULES.md`, one by
//! one.

use std::string::String;
use std::vec::Vec;

use protocol::{Layout, Outcome, Side};

use super::*;
use crate::games::testing;
use crate::minds::pace::EARLIEST_MS;

type TestedGame = testing::TestedGame<u128, CountLines<u128>>;

fn at(mode: u8, turn: Side, rows: &[&str]) -> TestedGame {
    TestedGame::drawn(mode, turn, rows).unwrap()
}

fn start(mode: u8) -> TestedGame {
    TestedGame::begin(Layout::MALDOO, mode, 1).unwrap()
}

/// A 9x9 board that is dark except for these rows at the top.
fn board(rows: &[&'static str]) -> Vec<&'static str> {
    let mut all = rows.to_vec();
    all.resize(9, ".........");
    all
}

/// Places stones in turn, all of them legally.
fn play(table: &mut TestedGame, names: &[&str]) {
    for name in names {
        assert_eq!(table.tap_at(name), Touch::Move(0), "{name}");
    }
}

/// The dark points that are illegal for the side to move.
fn barred(table: &TestedGame) -> Vec<String> {
    table.names(
        table
            .game
            .stones
            .dark(table.ground.grid())
            .without(table.legal()),
    )
}

// Maldoo manual, CountLines: "In this game the players switch-on points in
// turns."

#[test]
fn the_board_is_dark_green_begins_and_stones_stay() {
    let mut table = start(0);
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert_eq!(table.legal().len(), 81);
    play(&mut table, &["a9", "i1"]);
    assert_eq!(table.game.turn(), Some(Side::Green));
    let picture = table.drawing();
    assert_eq!(
        (picture[0].as_str(), picture[8].as_str()),
        ("g........", "........r")
    );
}

// "A player gets a point for each straight continuous line of 4 stones. Lines
// can be horizontal, vertical or diagonal, and can overlap. E.g. a 5 stones
// line earns the player two points ... a six stones line earns the player 3
// points etc."

#[test]
fn a_line_of_n_stones_is_n_less_3_points() {
    let rows = [
        "ggg......",
        "gggg.....",
        "ggggg....",
        "gggggg...",
        "ggggggggg",
    ];
    for (row, lines) in rows.into_iter().zip([0, 1, 2, 3, 6]) {
        assert_eq!(
            at(0, Side::Red, &board(&[row])).score(),
            [lines, 0],
            "{row}"
        );
    }
}

#[test]
fn lines_are_horizontal_vertical_or_diagonal() {
    let lines: [&[&str]; 4] = [
        &["..rrrr..."],
        &["..r......", "..r......", "..r......", "..r......"],
        &["r........", ".r.......", "..r......", "...r....."],
        &["...r.....", "..r......", ".r.......", "r........"],
    ];
    for rows in lines {
        assert_eq!(at(0, Side::Green, &board(rows)).score(), [0, 1], "{rows:?}");
    }
}

#[test]
fn a_stone_counts_in_every_line_that_it_is_in() {
    let cross = ["..g......", "..g......", "gggg.....", "..g......"];
    assert_eq!(at(0, Side::Red, &board(&cross)).score(), [2, 0]);
    // Three stones, the new one, and three more: four lines at once.
    let mut table = at(0, Side::Green, &board(&["ggg.ggg.."]));
    play(&mut table, &["d9"]);
    assert_eq!(table.score(), [4, 0]);
}

#[test]
fn a_line_is_continuous_one_coloured_and_does_not_wrap() {
    assert_eq!(
        at(0, Side::Red, &board(&["gg.gg....", "ggrgg...."])).score(),
        [0, 0]
    );
    assert_eq!(
        at(0, Side::Red, &board(&[".......gg", "gg......."])).score(),
        [0, 0]
    );
    let round = ["........g", "g........", ".g.......", "..g......"];
    assert_eq!(at(0, Side::Red, &board(&round)).score(), [0, 0]);
}

// "Additional rule is that the player is not allowed to put a stone too close
// to the stone that he put in the previous move. The minimum distance is 3
// points (geometrically)."

#[test]
fn a_stone_keeps_three_points_from_the_players_last_one() {
    for mode in [0, 1, 3] {
        let mut table = start(mode);
        play(&mut table, &["e5", "a1"]);
        // Two along and two up is 2.83 away, which is too close; three along is not.
        let mut near = Vec::new();
        for row in ["7", "6", "5", "4", "3"] {
            near.extend(["c", "d", "e", "f", "g"].map(|column| String::from(column) + row));
        }
        near.retain(|name| name != "e5");
        assert_eq!(barred(&table), near, "mode {mode}");
        for name in near {
            assert_eq!(table.tap_at(&name), Touch::Illegal);
        }
        play(&mut table, &["h5"]);
        // Red has to keep away from its own last stone, not from green's.
        assert_eq!(
            barred(&table),
            ["a3", "b3", "c3", "a2", "b2", "c2", "b1", "c1"]
        );
        play(&mut table, &["h6"]);
        // And green only from its own last stone.
        assert!(!barred(&table).contains(&"e6".into()));
    }
}

// "When a player presses an illegal point, the board highlights all the points
// that are legal move."

#[test]
fn a_lit_or_too_close_point_is_refused_with_a_flash() {
    let mut table = start(0);
    play(&mut table, &["e5", "a1"]);
    let before = table.game.clone();
    for name in ["e5", "a1", "e6"] {
        assert_eq!(table.tap_at(name), Touch::Illegal);
        assert_eq!(table.game, before);
    }
    assert_eq!(
        <CountLines<u128> as Rules<u128>>::ABOUT.illegal,
        Illegal::FlashLegal
    );
}

// "The restriction is removed in the end of the game when the player doesn't
// have other legal moves."

#[test]
fn a_player_with_only_close_points_left_may_take_them() {
    // Two dark points in the corner, and one that is far away.
    let mut rows = ["grgrgrgrg"; 9];
    rows[8] = "...rgrgr.";
    let mut table = at(0, Side::Green, &rows);
    play(&mut table, &["a1", "i1"]);
    assert_eq!(table.names(table.legal()), ["b1", "c1"]);
    play(&mut table, &["c1"]);
    assert_eq!(table.names(table.legal()), ["b1"]);
}

#[test]
fn the_restriction_comes_back_when_there_is_a_choice_again() {
    let mut rows = ["grgrgrgrg"; 9];
    rows[8] = "....grgr.";
    let mut table = at(0, Side::Green, &rows);
    play(&mut table, &["c1", "i1"]);
    // a1, b1 and d1 are all too close.
    assert_eq!(table.names(table.legal()), ["a1", "b1", "d1"]);
    play(&mut table, &["a1"]);
    // Red's last stone is far away; green's next choice is only d1.
    play(&mut table, &["b1"]);
    assert_eq!(table.names(table.legal()), ["d1"]);
}

// "In modes 1 and 3, the games stops when one player makes one line
// (ConnectFour)."

#[test]
fn modes_1_and_3_stop_with_the_first_line_and_its_maker_wins() {
    for mode in 0..5 {
        let mut table = at(mode, Side::Red, &board(&["rrr......", "gg......."]));
        play(&mut table, &["d9"]);
        assert_eq!(table.score(), [0, 1]);
        let expected = [1, 3].contains(&mode).then_some(Outcome::Won(Side::Red));
        assert_eq!(table.game.outcome(), expected, "mode {mode}");
        assert_eq!(table.game.turn().is_none(), expected.is_some());
    }
}

#[test]
fn two_lines_at_once_are_shown_as_two() {
    let mut table = at(1, Side::Green, &board(&["ggg.g...."]));
    play(&mut table, &["d9"]);
    assert_eq!(table.score(), [2, 0]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn stones_do_not_fall_down() {
    let mut table = start(1);
    play(&mut table, &["e9"]);
    assert_eq!(table.drawing()[0], "....g....");
}

#[test]
fn modes_1_and_3_keep_the_distance() {
    for mode in [1, 3] {
        assert_eq!(MODES[mode].close, Close::Forbidden);
    }
}

// "In modes 2 and 4, the restriction of minimum distance is removed."

#[test]
fn in_modes_2_and_4_every_dark_point_is_legal() {
    for mode in [2, 4] {
        let mut table = start(mode);
        play(&mut table, &["e5", "a1", "e6", "a2"]);
        assert_eq!(barred(&table), Vec::<String>::new());
        assert_eq!(table.tap_at("e5"), Touch::Illegal);
    }
}

// The manual defines neither an end nor a winner for modes 0, 2 and 4.

#[test]
fn modes_0_2_and_4_end_with_a_full_board_and_more_lines_win() {
    for mode in [0, 2, 4] {
        let mut rows = ["ggrrggrrg"; 9];
        rows[0] = "ggg.rrrgr";
        let before = at(mode, Side::Green, &rows);
        let mut table = before.clone();
        play(&mut table, &["d9"]);
        let [green, red] = table.score();
        assert_eq!(green, before.score()[0] + 1);
        assert_eq!(table.game.outcome(), Some(Outcome::by_score([green, red])));
    }
    for mode in 0..5 {
        let mut table = start(mode);
        let moves = table.play_at_random(81);
        assert!(moves == 81 || mode % 2 == 1);
    }
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let rows = ["ggrr", "rrgg", "ggrr", "rrg."];
    for mode in 0..5 {
        let mut table = at(mode, Side::Green, &rows);
        play(&mut table, &["d1"]);
        assert_eq!(table.score(), [0, 0]);
        assert_eq!(table.game.outcome(), Some(Outcome::Draw));
    }
}

#[test]
fn a_missed_turn_is_lost_and_the_previous_stone_stays() {
    let mut table = start(0);
    play(&mut table, &["e5", "a1"]);
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    play(&mut table, &["a9"]);
    assert_eq!(table.tap_at("e6"), Touch::Illegal);
    assert_eq!(
        <CountLines<u128> as Rules<u128>>::ABOUT.time_out,
        TimeOut::Pass
    );
}

#[test]
fn any_board_with_room_for_a_line_will_do() {
    for (columns, rows, fits) in [(3, 3, false), (1, 3, false), (4, 1, true), (1, 4, true)] {
        let layout = Layout::grid(columns, rows).unwrap();
        assert_eq!(
            TestedGame::begin(layout, 0, 1).is_some(),
            fits,
            "{columns}x{rows}"
        );
    }
    assert!(TestedGame::begin(Layout::MALDOO, 5, 1).is_none());
}

#[test]
fn positions_need_two_colours_and_a_line_ends_mode_1() {
    assert!(TestedGame::drawn(0, Side::Green, &board(&["a........"])).is_none());
    let table = at(1, Side::Green, &board(&["rrrr....."]));
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

// The levels: Maldoo manual, "Buttons", Level.

#[test]
fn every_level_answers_in_time_with_a_legal_point() {
    for mode in 0..5 {
        for level in 1..=4 {
            let rows = board(&[".........", ".........", "...gg.r.."]);
            let mut table = at(mode, Side::Red, &rows);
            let point = table.touch_of_board(level);
            assert!(table.now >= EARLIEST_MS);
            assert!(table.legal().has(point));
        }
    }
}

#[test]
fn every_level_wins_and_levels_3_and_4_defend() {
    for mode in [1, 3] {
        for level in 1..=4 {
            let mut table = at(mode, Side::Red, &board(&["rrr......", "ggg......"]));
            let point = table.touch_of_board(level);
            assert_eq!(table.names(Points::one(point)), ["d9"]);
        }
        for level in 3..=4 {
            let mut table = at(mode, Side::Red, &board(&["rr.......", "ggg......"]));
            let point = table.touch_of_board(level);
            assert_eq!(table.names(Points::one(point)), ["d8"]);
        }
    }
}
