//! Matches between the levels, and of the best level against a simple program of the kind
//! that won such contests: it looks a few moves ahead, and only considers won blocks and
//! open lines.

use std::vec::Vec;

use protocol::{Layout, Outcome, Point, Side};

use super::squares::{LINES, PLACES, Squares};
use super::{Position, TicDabToe};
use crate::game::{Game, Touch};
use crate::games::testing::{self, Series, play_out};
use crate::rng::Rng;
use crate::word::Wide;

type TestedGame = testing::TestedGame<Wide, TicDabToe<Wide>>;

/// A game after `moves` random moves.
fn begun(seed: u64, moves: usize) -> TestedGame {
    let layout = Layout::grid(16, 16).unwrap();
    let mut table = TestedGame::begin(layout, 0, seed).unwrap();
    table.play_at_random(moves);
    table
}

/// A bound above any sum of lines.
const WON: i32 = 100_000;
/// The values of an open line with 0-4 blocks in it, of one with 0-4 marks in it, and of
/// a won block.
const BLOCKS_IN_LINE: [i32; 5] = [1, 10, 60, 400, 0];
const MARKS_IN_LINE: [i32; 5] = [0, 1, 4, 16, 0];
const BLOCK: i32 = 100;

fn open_lines(own: Squares, shut: Squares, worth: [i32; 5]) -> i32 {
    let mut sum = 0;
    for line in LINES {
        if shut & line == 0 {
            sum += worth[(own & line).count_ones() as usize];
        }
    }
    sum
}

/// The value of a side's blocks and lines.
fn plain_worth(position: &Position, side: Side) -> i32 {
    let won = position.won(side);
    let shut = position.won(side.other()) | position.drawn();
    let blocks = (0..PLACES).filter(|block| position.in_play() & 1 << block != 0);
    let marks = blocks.map(|block| {
        let marks = position.marks(block);
        open_lines(
            marks[side.index()],
            marks[side.other().index()],
            MARKS_IN_LINE,
        )
    });
    BLOCK * won.count_ones() as i32 + open_lines(won, shut, BLOCKS_IN_LINE) + marks.sum::<i32>()
}

/// The value of a position for the side to move, by plain alpha-beta.
fn plain_value(position: &Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    let mover = position.mover();
    match position.outcome() {
        Some(Outcome::Won(_)) => return -WON - depth as i32,
        Some(Outcome::Draw) => return 0,
        None if depth == 0 => {
            return plain_worth(position, mover) - plain_worth(position, mover.other());
        }
        None => {}
    }
    for point in position.legal() {
        alpha = alpha.max(-plain_value(
            &position.after(point),
            depth - 1,
            -beta,
            -alpha,
        ));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

fn plain_move(position: &Position, depth: u32, rng: &mut Rng) -> Point {
    let mut moves: Vec<Point> = position.legal().collect();
    for last in (1..moves.len()).rev() {
        moves.swap(last, rng.below(last as u32 + 1) as usize);
    }
    let mut best = (-2 * WON, moves[0]);
    for point in moves {
        let value = -plain_value(&position.after(point), depth - 1, -2 * WON, -best.0);
        if value > best.0 {
            best = (value, point);
        }
    }
    best.1
}

/// A game between level 4, which plays this side, and the simple program.
fn against_plain(seed: u64, level_4: Side, depth: u32) -> Outcome {
    let mut table = begun(seed, 4);
    let mut rng = Rng::new(seed);
    while let Some(side) = table.game.turn() {
        let point = if side == level_4 {
            table.touch_of_board(4)
        } else {
            plain_move(table.game.position(), depth, &mut rng)
        };
        assert_eq!(table.touch(point), Touch::Move(0));
    }
    table.game.outcome().expect("nobody is to move")
}

/// The numbers of wins of level 4, of draws, and of wins of the simple program.
fn series_against_plain(games: u64, depth: u32) -> [u32; 3] {
    let mut tally = [0; 3];
    for seed in 0..games {
        let side = Side::BOTH[(seed % 2) as usize];
        let place = match against_plain(seed / 2, side, depth) {
            Outcome::Won(winner) => {
                if winner == side {
                    0
                } else {
                    2
                }
            }
            Outcome::Draw => 1,
        };
        tally[place] += 1;
    }
    tally
}

#[test]
fn level_4_beats_a_plain_search_of_four_moves() {
    let [won, drawn, lost] = series_against_plain(8, 4);
    assert!(won >= 5 && lost <= 1, "{won} - {drawn} - {lost}");
}

#[test]
fn a_higher_level_beats_the_one_below() {
    for (higher, games) in [(2, 120), (3, 40), (4, 16)] {
        let series = Series::of(games, higher, |seed, levels| {
            let table = play_out(begun(seed / 2, 4), levels, 36_000_000);
            table.expect("it ends").game.outcome().unwrap()
        });
        assert!(series.is_beyond_chance(), "level {higher}: {series:?}");
        // A lead in blocks only gives a draw: most games must end with a line of blocks.
        assert!(
            u64::from(2 * series.won) > games,
            "level {higher}: {series:?}"
        );
    }
}
