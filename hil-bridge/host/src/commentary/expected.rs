//! The line of moves that a board's player expects, as far as it is legal.
//!
//! A search stores the best recent move for each depth, and these moves may come from
//! different lines. So they are played one after the other on a copy of the board, and
//! the line ends at the first illegal one.
//!
//! Invariants: each move is legal after those before it; the board is not changed.

use firmware_core::thought::Thought;
use firmware_core::{AnyBoard, silent};
use protocol::{Deed, Input, Point, Settings, Tick};

/// The longest time that a board shows a move before the next one can be made, in
/// ticks.
const SHOWN_MS: Tick = 3_000;

/// The moves that this thought expects, beginning with the player's own.
#[must_use]
pub fn line(board: &AnyBoard, thought: &Thought) -> Vec<Point> {
    let first = thought.best.into_iter();
    let moves = first.chain(thought.line.iter().copied().skip(1));
    let mut copy = board.clone();
    // Two people play on the copy, so that its own player makes no moves.
    let settings = Settings {
        level: 0,
        ..copy.settings()
    };
    if copy
        .carry_out(&Deed::Settings(settings), &mut silent)
        .is_err()
    {
        return thought.best.into_iter().collect();
    }
    let mut line = Vec::new();
    for point in moves {
        if !is_legal_soon(&mut copy, point) {
            break;
        }
        copy.input(Input::Touch(point), &mut silent);
        copy.input(Input::Release(point), &mut silent);
        line.push(point);
    }
    line
}

/// Waits until this move is legal; false if it never becomes legal.
fn is_legal_soon(board: &mut AnyBoard, point: Point) -> bool {
    let begin = board.tick();
    loop {
        let mut is_legal = false;
        board.legal(|legal| is_legal |= legal == point);
        let is_over = board.outcome().is_some() || board.tick() - begin >= SHOWN_MS;
        if is_legal || is_over {
            return is_legal;
        }
        let mut any = false;
        board.legal(|_| any = true);
        if any {
            return false;
        }
        board.advance(20, &mut silent);
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Layout};

    use super::*;

    #[test]
    fn every_move_of_the_line_can_be_made_after_those_before_it() {
        let mut board = AnyBoard::new(Layout::MALDOO, 5).unwrap();
        let settings = Settings {
            level: 4,
            ..Settings::default()
        };
        board
            .carry_out(&Deed::Settings(settings), &mut silent)
            .unwrap();
        board.input(Input::Press(Button::Start), &mut silent);
        board.advance(500, &mut silent);
        let mut first = None;
        board.legal(|point| first = first.or(Some(point)));
        board.input(Input::Touch(first.unwrap()), &mut silent);
        let (mut lines, mut longest) = (0, 0);
        for _ in 0..1_000 {
            board.advance(1, &mut silent);
            let Some(thought) = board.thought().filter(|thought| !thought.is_empty()) else {
                continue;
            };
            let line = line(&board, &thought);
            assert_eq!(line.first().copied(), thought.best);
            lines += 1;
            longest = longest.max(line.len());
        }
        assert!(
            lines > 50 && longest >= 2,
            "{lines} lines, at most {longest} moves"
        );
    }
}
