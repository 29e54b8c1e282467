//! The moving pattern that celebrates a point: rings that spread from the
//! place where it was made.
//!
//! Invariants: it ends after [`PICTURES`] pictures, and paints no point
//! that is not on the board.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::Canvas;
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// How long each picture is seen.
const PICTURE_MS: Tick = 125;

/// How many there are: one second together.
const PICTURES: u8 = 8;

/// From one ring to the next.
const GAP: u8 = 3;

/// Rings that spread from a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Rings {
    centre: Point,
    side: Side,
    picture: u8,
    turns_at: Tick,
}

impl Rings {
    /// Rings in the colour of this side, which begin to spread now.
    pub fn begin(centre: Point, side: Side, now: Tick) -> Rings {
        Rings {
            centre,
            side,
            picture: 0,
            turns_at: now.saturating_add(PICTURE_MS),
        }
    }

    /// When the next picture is due.
    pub fn wakes_at(self) -> Tick {
        self.turns_at
    }

    /// What is seen next, or `None` when they are over.
    pub fn next(self, now: Tick) -> Option<Rings> {
        let picture = self.picture.saturating_add(1);
        (picture < PICTURES).then(|| Rings {
            picture,
            turns_at: now.saturating_add(PICTURE_MS),
            ..self
        })
    }

    /// Paints them over what is there.
    pub fn paint<W: Word>(self, canvas: &mut Canvas<'_, W>) {
        let grid = canvas.ground().grid();
        let mut disc = Points::NONE;
        let mut next = Points::one(self.centre) & grid.all();
        for radius in 0..=self.picture.min(PICTURES) {
            if (self.picture.abs_diff(radius)).is_multiple_of(GAP) {
                canvas.fill(next, self.side.into());
            }
            disc |= next;
            next = grid.neighbours(disc);
        }
    }

    /// False for what cannot come from play.
    pub fn is_sound<W: Word>(self, grid: &Grid<W>) -> bool {
        self.picture < PICTURES && grid.sides().has(self.centre)
    }
}
