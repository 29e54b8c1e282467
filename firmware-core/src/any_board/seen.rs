//! The visible parts of a game besides the lights, for games with pieces, dice and hands.
//! Each game reports what a person at a real board would see.

#[cfg(feature = "cartridge")]
use protocol::List;

use super::AnyBoard;
use crate::games;

/// The visible parts of this game; `None` if a different game is on the board.
macro_rules! playing {
    ($any:expr, $game:ident, ($round:ident, $board:ident) => $seen:expr) => {
        each!($any, $board => match $board.playing()? {
            games::Playing::$game($round) => $seen,
            #[allow(unreachable_patterns, reason = "a build may have this game alone")]
            _ => None,
        })
    };
}

impl AnyBoard {
    /// The number of the game that is on the board, which may be over; `None` without one.
    #[must_use]
    pub fn game_played(&self) -> Option<u8> {
        each!(self, board => board.playing().map(games::Playing::number))
    }

    /// The piles and dice of the game of Malaka that is on the board.
    #[cfg(feature = "malaka")]
    #[must_use]
    pub fn malaka(&self) -> Option<&games::malaka::Position> {
        playing!(self, Malaka, (round, board) => Some(round.game.position()))
    }

    /// The pile that is picked up in the game of Malaka that is on the board, if one is.
    #[cfg(feature = "malaka")]
    #[must_use]
    pub fn malaka_picked(&self) -> Option<games::malaka::MalakaPoint> {
        playing!(self, Malaka, (round, board) => round.game.picked())
    }

    /// The stones of the game of Ishido that is on the board.
    #[cfg(feature = "ishido")]
    #[must_use]
    pub fn ishido(&self) -> Option<games::ishido::VisibleStones> {
        let sides = self.layout().sides()?;
        playing!(self, Ishido, (round, board) => Some(round.game.seen(sides)))
    }

    /// The cells and blocks of the game of TicDabToe that is on the board.
    #[cfg(feature = "ticdabtoe")]
    #[must_use]
    pub fn ticdabtoe(&self) -> Option<games::ticdabtoe::Position> {
        playing!(self, TicDabToe, (round, board) => Some(*round.game.position()))
    }

    /// The pieces on the points, in the layout's own game.
    #[cfg(feature = "cartridge")]
    #[must_use]
    pub fn written(&self) -> Option<games::written::VisiblePieces> {
        playing!(self, Written, (round, board) => round.game.seen(board.ground()))
    }

    /// What ended the layout's own game; `None` while it goes on.
    #[cfg(all(feature = "cartridge", feature = "host"))]
    #[must_use]
    pub fn written_end(&self) -> Option<games::written::WrittenEnd> {
        playing!(self, Written, (round, board) => round.game.ended(board.ground()))
    }

    /// What forbids the moves that a touch of this point would go on with, in the
    /// layout's own game, where it is the position after them.
    #[cfg(all(feature = "cartridge", feature = "host"))]
    #[must_use]
    pub fn forbidden(&self, point: protocol::Point) -> Option<games::written::Forbidden> {
        playing!(self, Written, (round, board) => round.game.forbidden(point, board.ground()))
    }

    /// The position of the layout's own game, in the form in which it is set up;
    /// `None` if there is no such game, it is over, or it needs more than `N` bytes.
    #[cfg(feature = "cartridge")]
    #[must_use]
    pub fn written_position<const N: usize>(&self) -> Option<List<u8, N>> {
        playing!(self, Written, (round, board) => round.game.laid(board.ground()))
    }
}
