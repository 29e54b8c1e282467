//! What a board's own player has found so far, for whoever watches it think.
//!
//! A player that looks ahead has a best move, what it holds that move to be worth, and
//! how it got there: moves ahead, or games played at random. A hand that merely reacts
//! has none of it. An image on a chip has no use for this, so only hosts ask.
//!
//! Invariants: asking changes nothing, neither the move that is found nor the digest.

use heapless::Vec;
use protocol::{Point, Tick};

/// The most moves of a line that are told: no search looks further ahead.
pub const LONGEST_LINE: usize = 12;

/// What a move is worth to the player that considers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// In the units of the game's own evaluation; above 0 is good for the player.
    Value(i32),
    /// The share of the random games through it that were won, in thousandths; a draw
    /// counts half.
    WonPermille(u16),
}

/// What a player has found so far in its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The move that it would make now.
    pub best: Option<Point>,
    /// What that move is worth to it.
    pub worth: Option<Worth>,
    /// How many moves it looks ahead, 0 if it does not.
    pub depth: u8,
    /// How many games it played at random.
    pub playouts: u32,
    /// The moves that it holds to be best from here on, beginning with its own. The
    /// later ones may belong to another line that it looked at.
    pub line: Vec<Point, LONGEST_LINE>,
    /// How many positions a tick of thinking pays for, 0 if it does not count them.
    pub positions_per_tick: u32,
    /// The tick of play at which its turn began.
    pub began: Option<Tick>,
}

impl Thought {
    /// True if nothing was found: the player does not look ahead, or not yet.
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
    use crate::games;
    use crate::games::number::{ISHIDO, REVERSI, SPEEDGO};
    use crate::word::Word;

    fn silent(_: Tick, _: Event) {}

    /// True if whoever's turn it is may move here, the board too.
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

    /// A game of mode 0 against the board, in which whoever is first moved at once.
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
    fn a_player_that_looks_ahead_tells_a_legal_move_and_is_not_disturbed() {
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
    fn nobody_thinks_on_a_board_that_was_just_switched_on() {
        assert_eq!(AnyBoard::new(Layout::MALDOO, 1).unwrap().thought(), None);
    }
}
