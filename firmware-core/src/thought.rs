//! The intermediate results of the board's own player, for hosts that show them.
//!
//! A player that looks ahead has a best move, a value of that move, and a measure of its
//! work: depth, or the number of random games. A simulated hand that merely reacts has
//! none of these. Firmware images do not contain this module.
//!
//! Invariants: reading the results changes neither the move nor the digest.

use heapless::Vec;
use protocol::{Point, Tick};

/// The maximum number of moves in a line: no search looks further ahead.
pub const LONGEST_LINE: usize = 12;

/// The value of a move to the player who considers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// In the units of the game's own evaluation; above 0 is good for the player.
    Value(i32),
    /// The share, in thousandths, of the random games through this move that were won; a
    /// draw counts half.
    WonPermille(u16),
}

/// The intermediate results of a player in its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The move that the player would make now.
    pub best: Option<Point>,
    /// The value of that move to the player.
    pub worth: Option<Worth>,
    /// The depth of the search in moves; 0 if the player does not look ahead.
    pub depth: u8,
    /// The number of random games played.
    pub playouts: u32,
    /// The moves that the player considers best from here on, starting with its own.
    /// Later ones may come from a different line that it examined.
    pub line: Vec<Point, LONGEST_LINE>,
    /// The number of positions in each tick of thinking; 0 if the player does not count
    /// them.
    pub positions_per_tick: u32,
    /// The play time in ticks at which the player's turn began.
    pub began: Option<Tick>,
}

impl Thought {
    /// True if nothing was found, because the player does not look ahead or has only
    /// begun.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.best.is_none() && self.playouts == 0
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Deed, Event, Input, Layout, Roster, Settings};

    use super::*;
    use crate::any_board::AnyBoard;
    use crate::board::Board;
    use crate::event_sink::silent;
    use crate::games;
    use crate::games::number::{ISHIDO, REVERSI, SPEEDGO};
    use crate::word::Word;

    /// True if the side to move, which may be the board, may touch this point.
    fn is_legal(board: &AnyBoard, point: Point) -> bool {
        fn on<W: Word>(board: &Board<W>, point: Point) -> bool {
            let playing = board.playing();
            playing.is_some_and(|playing| playing.game().legal(board.ground()).has(point))
        }
        match board {
            AnyBoard::Small(board) => on(board, point),
            AnyBoard::Medium(board) => on(board, point),
            AnyBoard::Large(board) => on(board, point),
        }
    }

    /// A game of mode 0 against the board, in which the first player moved at once.
    fn begun(game: u8) -> AnyBoard {
        let about = games::about(game).unwrap();
        let layout = Layout::Grid((about.made_for)(0));
        let mut board = AnyBoard::with_games(layout, Roster::of(&[game]), 7).unwrap();
        let settings = Settings {
            game,
            level: 3,
            ..Settings::default()
        };
        board
            .carry_out(&Deed::Settings(settings), &mut silent)
            .unwrap();
        board.input(Input::Press(Button::Start), &mut silent);
        board.advance(1_000, &mut silent);
        let mut first = None;
        board.legal(|point| first = first.or(Some(point)));
        if let Some(point) = first {
            board.input(Input::Touch(point), &mut silent);
        }
        board
    }

    #[test]
    fn reading_a_thought_shows_a_legal_move_and_disturbs_nothing() {
        for game in [REVERSI, SPEEDGO, ISHIDO] {
            let mut board = begun(game);
            let mut undisturbed = board.clone();
            let mut found = 0;
            for _ in 0..3_000 {
                if let Some(thought) = board.thought().filter(|thought| !thought.is_empty()) {
                    found += 1;
                    let best = thought.best.filter(|best| !is_legal(&board, *best));
                    assert_eq!(best, None, "game {game}: {thought:?}");
                    assert!(thought.began.is_some(), "game {game}: {thought:?}");
                }
                board.advance(1, &mut silent);
            }
            undisturbed.advance(3_000, &mut silent);
            assert!(found > 100, "game {game}: {found}");
            assert_eq!(board.digest(), undisturbed.digest());
        }
    }

    #[test]
    fn the_last_thought_of_a_turn_is_the_move() {
        let mut board = begun(REVERSI);
        let mut last = None;
        let mut moved = None;
        while moved.is_none() && board.tick() < 20_000 {
            last = board.thought().and_then(|thought| thought.best).or(last);
            board.advance(1, &mut |_, event| {
                if let Event::Move { point, .. } = event {
                    moved = Some(point);
                }
            });
        }
        assert!(last.is_some());
        assert_eq!(moved, last);
    }

    #[test]
    fn a_board_just_switched_on_has_no_thought() {
        assert_eq!(AnyBoard::new(Layout::MALDOO, 1).unwrap().thought(), None);
    }
}
