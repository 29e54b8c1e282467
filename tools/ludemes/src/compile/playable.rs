//! A compiled game as a layout that brings it with it: what a board becomes.

use protocol::{DrawingError, GAME_BYTES, Layout, MAX_POINTS, Sketch};

use super::Compiled;
use crate::layout::TooManySites;

/// The most players of a game on a board of lights: it has two sides.
const MOST_PLAYERS: u8 = 2;

/// Why a game that compiles is not played on a board of lights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The board has too many sites.
    #[error(transparent)]
    Sites(#[from] TooManySites),
    /// With its hands it has too many.
    #[error("the board and the hands have {0} sites: a board of lights has room for 256 of both")]
    Hands(usize),
    /// Too many players.
    #[error("this game is for {0} players: a board of lights has two sides")]
    Players(u8),
    /// Too long.
    #[error("the game takes {0} bytes: a board of lights keeps 4,608 of one")]
    Bytes(usize),
    /// The board cannot be drawn.
    #[error("the board cannot be drawn: {0}")]
    Drawing(DrawingError),
}

impl Compiled {
    /// The board, drawn, with the game.
    ///
    /// # Errors
    /// Why it is not played on a board of lights.
    pub fn sketch(&self) -> Result<Sketch, Unplayable> {
        if self.players > MOST_PLAYERS {
            return Err(Unplayable::Players(self.players));
        }
        let drawn = self.board.drawn()?;
        if self.sites > MAX_POINTS {
            return Err(Unplayable::Hands(self.sites));
        }
        let mut sketch = drawn.sketch;
        sketch.game = drawn.sites.iter().map(|site| *site as u8).collect();
        sketch.game.extend(drawn.points.iter().map(|point| point.0));
        sketch.game.extend(&self.bytes);
        if sketch.game.len() > GAME_BYTES {
            return Err(Unplayable::Bytes(sketch.game.len()));
        }
        Ok(sketch)
    }

    /// The layout with the game, known to this program from now on.
    ///
    /// # Errors
    /// As [`Compiled::sketch`].
    pub fn layout(&self) -> Result<Layout, Unplayable> {
        self.sketch()?.keep().map_err(Unplayable::Drawing)
    }
}
