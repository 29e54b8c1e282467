//! The rules of the contest and the choices of `RULES.md`, one by one.

use std::string::String;
use std::vec::Vec;

use protocol::{Event, Layout};

use super::squares::{LINES, completing};
use super::*;
use crate::games::testing::{self, play_out};
use crate::minds::pace::EARLIEST_MS;
use crate::word::Wide;

type TestedGame = testing::TestedGame<Wide, TicDabToe<Wide>>;

testing::laws!(
    TicDabToe,
    testing::in_turns,
    Floors {
        // A state stores most facts twice, and its picture is stored separately from
        // its positions.
        forgeries: 3,
        positions: 4,
        ..Floors::USUAL
    }
);

fn board() -> Layout {
    Layout::grid(BOARD_SIDE, BOARD_SIDE).unwrap()
}

fn start(mode: u8) -> TestedGame {
    TestedGame::begin(board(), mode, 1).unwrap()
}

/// The game with these marks: for each block, the cells of green and of red.
fn at(marks: &[(usize, Squares, Squares)], mover: Side, last: Option<Point>) -> Option<TestedGame> {
    let mut all = [[0; 2]; PLACES];
    for (block, green, red) in marks {
        all[*block] = [*green, *red];
    }
    let position = Position::of(all, mover, last)?;
    let mut table = start(0);
    table.game.position = position;
    assert!(table.is_sound());
    Some(table)
}

fn set(marks: &[(usize, Squares, Squares)], mover: Side) -> TestedGame {
    at(marks, mover, None).expect("a position")
}

/// The green cells of a block that is full and has no line.
const DRAWN_GREEN: Squares = 0b0011_1100_0011_1100;

fn blocks_of(points: Points<Wide>) -> Squares {
    points.fold(0, |blocks, point| blocks | place(block_of(point)))
}

fn touch(table: &mut TestedGame, block: usize, cell: usize) {
    assert_eq!(
        table.touch(point_of(block, cell)),
        Touch::Move(0),
        "{block} {cell}"
    );
}

// TicDabToe, "[FIRST MOVE]": any cell of the whole board is valid.

#[test]
fn the_first_move_may_be_made_anywhere() {
    let table = start(0);
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert_eq!(table.legal().len(), 256);
    assert_eq!(table.game.position().open_block(), None);
}

// "[CORRESPONDENCE RULE]": the cell of the last move tells the block of the next; "top
// left cell", "right center cell".

#[test]
fn a_mark_in_a_cell_opens_the_block_at_the_same_place() {
    for index in 0..=u8::MAX {
        let mut table = start(0);
        assert_eq!(table.touch(Point(index)), Touch::Move(0));
        let (row, column) = (usize::from(index) / 16, usize::from(index) % 16);
        let opened = row % 4 * 4 + column % 4;
        assert_eq!(table.game.position().open_block(), Some(opened));
        assert_eq!(blocks_of(table.legal()), place(opened));
        let taken = usize::from(row / 4 * 4 + column / 4 == opened);
        assert_eq!(table.legal().len(), 16 - taken);
        assert_eq!(table.game.turn(), Some(Side::Red));
    }
}

#[test]
fn the_top_left_cell_of_any_block_opens_the_top_left_block() {
    for name in ["a16", "e16", "i12", "m4"] {
        let mut table = start(0);
        table.tap_at(name);
        let open = table.names(table.legal());
        for corner in ["d16", "a13", "d13"] {
            assert!(open.contains(&String::from(corner)), "{name} {corner}");
        }
        assert_eq!(table.tap_at("e16"), Touch::Illegal);
        assert_eq!(table.tap_at("d13"), Touch::Move(0));
    }
}

#[test]
fn a_touch_outside_the_open_block_is_illegal_and_flashes() {
    let mut table = start(0);
    table.tap_at("b15");
    let before = table.game.clone();
    // The marked cell, a cell of another block, and one at the other end of the board.
    for name in ["b15", "i16", "p1"] {
        assert_eq!(table.tap_at(name), Touch::Illegal, "{name}");
        assert_eq!(table.game, before);
    }
    assert_eq!(
        <TicDabToe<Wide> as Rules<Wide>>::ABOUT.illegal,
        Illegal::FlashLegal
    );
}

// "[WIN RULE]": four cells in a row, a column or a diagonal win the block.

#[test]
fn each_of_the_ten_lines_wins_a_block_for_either_side() {
    for block in 0..PLACES {
        for line in LINES {
            for side in Side::BOTH {
                for last in places(line) {
                    let before = match side {
                        Side::Green => (block, line & !place(last), 0),
                        Side::Red => (block, 0, line & !place(last)),
                    };
                    let mut table = set(&[before], side);
                    assert_eq!(table.game.position().block(block), Block::InPlay);
                    touch(&mut table, block, last);
                    assert_eq!(table.game.position().block(block), Block::Won(side));
                    let mut score = [0, 0];
                    score[side.index()] = 1;
                    assert_eq!(table.score(), score);
                }
            }
        }
    }
}

#[test]
fn four_in_a_row_across_blocks_do_not_count() {
    // The two right cells of a row, and the two left cells of the block beside it.
    let mut table = set(&[(5, 0b1100, 0), (6, 0b0001, 0)], Side::Green);
    touch(&mut table, 6, 1);
    assert_eq!(table.game.position().blocks(), [Block::InPlay; 16]);
}

#[test]
fn a_full_block_without_a_line_is_drawn() {
    let mut table = set(&[(3, DRAWN_GREEN & !place(2), !DRAWN_GREEN)], Side::Green);
    touch(&mut table, 3, 2);
    assert_eq!(table.game.position().block(3), Block::Drawn);
    assert_eq!(table.score(), [0, 0]);
}

// "[ABANDON RULE]": nobody plays in a block that was won.

#[test]
fn a_won_block_cannot_be_played() {
    // Green wins block 6 with its cell 1; in block 1 red may then send green to block 6.
    let mut table = set(&[(6, 0b1101, 0)], Side::Green);
    touch(&mut table, 6, 1);
    assert_eq!(table.game.position().open_block(), Some(1));
    touch(&mut table, 1, 6);
    assert_eq!(table.game.position().open_block(), None);
    assert_eq!(blocks_of(table.legal()), !place(6));
    let before = table.game.clone();
    for cell in 0..16 {
        assert_eq!(table.touch(point_of(6, cell)), Touch::Illegal);
    }
    assert_eq!(table.game, before);
    touch(&mut table, 15, 15);
}

// "[FREE MOVE RULE]": a player who is sent to a block that is full or won moves
// anywhere.

#[test]
fn being_sent_to_a_full_block_opens_all_blocks() {
    let full = (9, DRAWN_GREEN, !DRAWN_GREEN);
    let mut table = set(&[full, (2, 0x000F, 0)], Side::Red);
    touch(&mut table, 0, 9);
    assert_eq!(table.game.position().open_block(), None);
    assert_eq!(blocks_of(table.legal()), !(place(9) | place(2)));
    // All cells of 14 blocks except the one that was just taken.
    assert_eq!(table.legal().len(), 14 * 16 - 1);
}

#[test]
fn a_mark_that_wins_the_block_it_opens_makes_the_next_move_free() {
    let mut table = set(&[(0, 0b1110, 0)], Side::Green);
    touch(&mut table, 0, 0);
    assert_eq!(table.game.position().open_block(), None);
    assert_eq!(table.legal().len(), 15 * 16);
}

// "[WIN RULE]": four blocks in a row, a column or a diagonal win the game. Scoring: 16
// points.

#[test]
fn each_line_of_blocks_wins_the_game_by_16_to_0() {
    for line in LINES {
        for side in Side::BOTH {
            for last in places(line) {
                let own = |line: Squares| match side {
                    Side::Green => (line, 0),
                    Side::Red => (0, line),
                };
                // The other side also has a block, which does not count in the end.
                let other = places(!line).next().unwrap();
                let row = match side {
                    Side::Green => (other, 0, 0xF000),
                    Side::Red => (other, 0xF000, 0),
                };
                let mut marks = Vec::from([row]);
                for block in places(line) {
                    let (green, red) = own(if block == last { 0x0007 } else { 0x000F });
                    marks.push((block, green, red));
                }
                let mut table = set(&marks, side);
                let mut score = [1; 2];
                score[side.index()] = 3;
                assert_eq!(table.score(), score);
                touch(&mut table, last, 3);
                assert_eq!(table.game.outcome(), Some(Outcome::Won(side)));
                assert_eq!(table.score(), points_of_a_win(side).map(u32::from));
                assert_eq!(table.game.turn(), None);
                assert!(table.legal().is_empty());
                assert_eq!(table.touch(point_of(other, 0)), Touch::Ignored);
            }
        }
    }
}

// Scoring: without a pattern both get as many points as they have blocks.

/// Blocks of green and of red without a line, and the drawn ones between them.
const BLOCKS: [Squares; 2] = [0b0011_0100_0001_1100, 0b1100_1000_0010_0010];

#[test]
fn a_game_without_open_blocks_is_a_draw() {
    let mut marks: Vec<_> = (0..PLACES)
        .map(
            |block| match BLOCKS.map(|blocks| blocks & place(block) != 0) {
                [true, _] => (block, 0x000F, 0),
                [_, true] => (block, 0, 0x000F),
                _ => (block, DRAWN_GREEN, !DRAWN_GREEN),
            },
        )
        .collect();
    // One block is in play, with one free cell in it.
    let last = places(!(BLOCKS[0] | BLOCKS[1])).next().unwrap();
    marks[last] = (last, DRAWN_GREEN & !place(2), !DRAWN_GREEN);
    let mut table = set(&marks, Side::Green);
    assert_eq!(table.legal().len(), 1);
    touch(&mut table, last, 2);
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
    assert_eq!(table.score(), BLOCKS.map(|blocks| blocks.count_ones()));
    assert_ne!(table.score()[0], table.score()[1]);
}

// Scoring: who "exceeds time limit" gets nothing and the opponent 16.

#[test]
fn a_time_out_loses_the_game_with_all_points() {
    for first in 0..2 {
        let mut table = start(0);
        for _ in 0..first {
            table.tap_at("f6");
        }
        let side = table.game.turn().unwrap();
        assert!(!table.pass());
        assert_eq!(table.game.turn(), Some(side));
        table.time_out();
        assert_eq!(table.game.outcome(), Some(Outcome::Won(side.other())));
        assert_eq!(table.score(), points_of_a_win(side.other()).map(u32::from));
        assert_eq!(table.game.late(), Some(side));
        assert!(table.legal().is_empty());
        assert_eq!(table.tap_at("a1"), Touch::Ignored);
        assert!(table.is_sound());
    }
}

// "A coin is flipped to decide" who moves first.

#[test]
fn green_begins_in_mode_0_and_a_coin_decides_in_mode_1() {
    let first = |mode, seed| TestedGame::begin(board(), mode, seed).unwrap().game.turn();
    assert!((0..40).all(|seed| first(0, seed) == Some(Side::Green)));
    let red = (0..400)
        .filter(|seed| first(1, *seed) == Some(Side::Red))
        .count();
    assert!((160..=240).contains(&red), "{red} of 400");
    assert!(TestedGame::begin(board(), 2, 1).is_none());
}

#[test]
fn ticdabtoe_is_played_on_16x16_points_only() {
    for (columns, rows) in [(9, 9), (16, 15), (15, 16), (1, 1)] {
        assert!(TestedGame::begin(Layout::grid(columns, rows).unwrap(), 0, 1).is_none());
    }
    assert_eq!(made_for(0), board().sides().unwrap());
}

// Tests of the display of the board.

#[test]
fn blocks_are_chequered_and_open_ones_are_lit() {
    let mut table = start(0);
    let colour = |table: &TestedGame, block, cell| table.picture().get(point_of(block, cell));
    for block in 0..PLACES {
        assert_eq!(colour(&table, block, 0), GROUND[1][shade(block)]);
        let beside = [(1, block % SIDE < 3), (SIDE, block < PLACES - SIDE)];
        for (step, _) in beside.into_iter().filter(|(_, is_there)| *is_there) {
            assert_ne!(shade(block), shade(block + step));
        }
    }
    touch(&mut table, 5, 10);
    for block in 0..PLACES {
        let is_open = usize::from(block == 10);
        assert_eq!(colour(&table, block, 0), GROUND[is_open][shade(block)]);
    }
    let grounds: Vec<Colour> = GROUND.into_iter().flatten().collect();
    for taken in [Colour::GREEN, Colour::RED, DRAWN] {
        assert!(!grounds.contains(&taken));
    }
}

#[test]
fn a_won_block_has_its_winners_colour_and_a_drawn_one_is_amber() {
    let red = (7, 0x0100, 0x000F);
    let table = set(&[red, (8, DRAWN_GREEN, !DRAWN_GREEN)], Side::Green);
    for cell in 0..16 {
        assert_eq!(table.picture().get(point_of(7, cell)), Colour::RED);
        assert_eq!(table.picture().get(point_of(8, cell)), Colour::AMBER);
    }
}

#[test]
fn the_last_mark_winks_and_the_winning_line_blinks() {
    let mut table = set(
        &[(1, 0xF, 0), (2, 0xF, 0), (3, 0xF, 0), (0, 0xE, 0)],
        Side::Green,
    );
    let dark = |table: &mut TestedGame| {
        let mut dark = Points::NONE;
        for now in (0..1_000).step_by(50) {
            table.now = now;
            dark |= table.shown(Colour::OFF);
        }
        dark
    };
    touch(&mut table, 0, 0);
    let line = (0..4).fold(Points::NONE, |all, block| all | points_of(block, ALL));
    let blinking = dark(&mut table) & line;
    assert_eq!(blinking, line);
    // Two lines with a common block, which are completed by the same mark.
    let won = [1, 2, 3, 4, 8, 12].map(|block| (block, 0xF, 0));
    let mut table = set(&[&won[..], &[(0, 0xE, 0)]].concat(), Side::Green);
    touch(&mut table, 0, 0);
    let lines = [0, 1, 2, 3, 4, 8, 12].into_iter();
    let lines = lines.fold(Points::NONE, |all, block| all | points_of(block, ALL));
    assert_eq!(dark(&mut table) & lines, lines);
    let mut table = set(&[(1, 0xF, 0)], Side::Red);
    touch(&mut table, 4, 7);
    let lit = Points::one(point_of(4, 7));
    assert!(dark(&mut table).meets(lit));
    table.now = 900;
    assert_eq!(table.shown(Colour::RED), lit);
}

// Tests of positions that are set up.

#[test]
fn a_position_that_play_cannot_reach_is_refused() {
    let refused = |marks: &[(usize, Squares, Squares)], mover, last| {
        assert!(at(marks, mover, last).is_none(), "{marks:?}");
    };
    // Two marks in a cell; a line for each side; two lines without a common cell.
    refused(&[(0, 1, 1)], Side::Green, None);
    refused(&[(0, 0x000F, 0x00F0)], Side::Green, None);
    refused(&[(0, 0x00FF, 0)], Side::Green, None);
    assert!(at(&[(0, 0x111F, 0)], Side::Green, None).is_some());
    // The same with blocks: two rows of blocks, and one row for each side.
    let rows = |red| -> Vec<_> {
        (0..8)
            .map(|block| {
                if red && block > 3 {
                    (block, 0, 0xF)
                } else {
                    (block, 0xF, 0)
                }
            })
            .collect()
    };
    refused(&rows(false), Side::Red, None);
    refused(&rows(true), Side::Red, None);
    assert!(at(&rows(false)[..4], Side::Red, None).is_some());
    // The last move has to be a mark of the side that does not move, ...
    let last = Some(point_of(3, 2));
    refused(&[(3, 0, 0)], Side::Red, last);
    refused(&[(3, 4, 0)], Side::Green, last);
    assert!(at(&[(3, 4, 0)], Side::Red, last).is_some());
    // ... that was made before its block was won, ...
    refused(&[(3, 0x00F4, 0)], Side::Red, last);
    assert!(at(&[(3, 0x0447 | 0x4000, 0)], Side::Red, last).is_some());
    refused(&[(3, 0x0004, 0x00F0)], Side::Red, last);
    // ... and before the game was.
    let mut won = Vec::from(&rows(false)[..4]);
    won.push((9, 4, 0));
    refused(&won, Side::Red, Some(point_of(9, 2)));
    assert!(at(&won, Side::Red, Some(point_of(2, 2))).is_some());
}

#[test]
fn own_position_bytes_read_back_and_others_are_refused() {
    let mut table = start(0);
    table.play_at_random(100);
    let own = |bytes: &[u8]| {
        let mut table = start(0);
        table.with(|_, _, context| TicDabToe::<Wide>::own_position(0, bytes, context))
    };
    let bytes = table.game.position().bytes();
    assert_eq!(own(&bytes), Some(table.game.clone()));
    assert_eq!(own(&bytes[1..]), None);
    assert_eq!(own(&[&bytes[..], &[0]].concat()), None);
    for head in [4, 6, 255] {
        let mut bytes = bytes;
        bytes[0] = head;
        assert_eq!(own(&bytes), None);
    }
    // The side to move, the last move, and for each block and each side one bit for each
    // cell.
    assert_eq!(bytes.len(), 1 + 1 + 16 * 2 * 16 / 8);
    assert!(bytes.len() <= protocol::POSITION_BYTES);
}

#[test]
fn own_position_bytes_may_have_no_last_move() {
    let mut table = start(0);
    let mut own =
        |bytes: &[u8]| table.with(|_, _, context| TicDabToe::own_position(0, bytes, context));
    for mover in Side::BOTH {
        let position = Position::start_of(mover);
        let mut bytes = position.bytes();
        let game: TicDabToe<Wide> = own(&bytes).unwrap();
        assert_eq!(*game.position(), position);
        assert_eq!(game.position().last(), None);
        assert_eq!(game.position().legal().count(), 256);
        bytes[1] = 7;
        assert_eq!(own(&bytes), None, "a place of no move");
    }
}

#[test]
fn a_diagram_is_a_position_in_which_the_next_move_is_free() {
    let mut rows = ["................"; 16];
    rows[0] = "gggg.r..........";
    let table = TestedGame::drawn(0, Side::Red, &rows).unwrap();
    assert_eq!(table.game.position().block(0), Block::Won(Side::Green));
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert_eq!(table.legal().len(), 15 * 16 - 1);
    rows[1] = "rrrr............";
    assert!(TestedGame::drawn(0, Side::Red, &rows).is_none());
    rows[1] = "a...............";
    assert!(TestedGame::drawn(0, Side::Red, &rows).is_none());
}

// The levels: Maldoo manual, "Buttons", Level.

#[test]
fn every_level_answers_in_time_with_a_legal_point() {
    for mode in 0..MODES.len() as u8 {
        for level in 1..=4 {
            let mut table = start(mode);
            table.play_at_random(37);
            let point = table.touch_of_board(level);
            assert!(table.now >= EARLIEST_MS);
            assert!(table.legal().has(point));
        }
    }
}

#[test]
fn levels_2_to_4_win_if_they_can() {
    for level in 2..=4 {
        let mut table = set(
            &[(4, 0, 0xF), (5, 0, 0xF), (6, 0, 0xF), (7, 1, 0x8420)],
            Side::Red,
        );
        let point = table.touch_of_board(level);
        table.touch(point);
        assert_eq!(
            table.game.outcome(),
            None,
            "green's mark is in the way: {level}"
        );
        let mut table = set(
            &[(4, 0, 0xF), (5, 0, 0xF), (6, 0, 0xF), (7, 0, 0x8420)],
            Side::Red,
        );
        let point = table.touch_of_board(level);
        assert_eq!(point, point_of(7, 0), "level {level}");
    }
}

#[test]
fn level_4_does_not_open_the_block_that_loses_the_game() {
    // Green wins with block 7, to which it is sent by any cell 7, or which it may choose
    // in a free move.
    let green = [(4, 0xF, 0), (5, 0xF, 0), (6, 0xF, 0), (7, 0x7, 0x80)];
    let mut table = at(
        &[&green[..], &[(0, 0x4, 0)]].concat(),
        Side::Red,
        Some(point_of(0, 2)),
    )
    .unwrap();
    for level in 3..=4 {
        let point = table.touch_of_board(level);
        assert!(![4, 5, 6, 7].contains(&cell_of(point)), "level {level}");
    }
    assert_eq!(completing(0x7), 0x8);
}

#[test]
fn two_levels_play_a_game_to_its_end() {
    let table = play_out(start(0), [3, 2], 3_600_000).expect("it ends");
    assert!(table.game.outcome().is_some());
    assert!(
        !table
            .events
            .iter()
            .any(|event| matches!(event, Event::Illegal { .. }))
    );
}
