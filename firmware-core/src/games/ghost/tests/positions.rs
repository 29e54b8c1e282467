//! Positions that are set up, and the boards that are large enough.

use protocol::{Colour, Layout, Outcome};

use super::*;
use crate::game::Game;
use crate::word::Wide;

#[test]
fn a_position_sets_ghost_lit_points_and_turn() {
    let rows = ["g.......r", "", "", "", "....aa", "....aa"];
    let table = TestedGame::position(1, Side::Red, &rows).unwrap();
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
fn a_position_without_ghost_gets_one_on_dark_points() {
    let rows = [
        "ggggggggg",
        "r.r.r.r.r",
        "ggggggggg",
        "rrrrrrrrr",
        "g...ggggg",
        "r...rrrrr",
    ];
    let table = TestedGame::position(0, Side::Green, &rows).unwrap();
    assert!(!table.ghost().meets(table.game.lit()));
}

#[test]
fn an_impossible_position_is_refused() {
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
        assert!(
            TestedGame::position(0, Side::Green, rows).is_none(),
            "{rows:?}"
        );
    }
    assert!(
        TestedGame::position(4, Side::Green, &["aa", "aa"]).is_none(),
        "no such mode"
    );
}

#[test]
fn a_position_with_the_ghost_shut_in_is_the_end_of_a_game() {
    let table = TestedGame::position(0, Side::Green, &["aag", "aa", "g.g"]).unwrap();
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

fn begins(columns: u8, rows: u8, mode: u8) -> Option<testing::TestedGame<Wide, Ghost<Wide>>> {
    testing::TestedGame::begin(Layout::grid(columns, rows).unwrap(), mode, 1)
}

#[test]
fn inner_points_are_those_off_the_edge() {
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
