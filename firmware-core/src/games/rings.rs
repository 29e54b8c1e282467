//! The animation that celebrates a point: rings that spread from the place where it was
//! scored.
//!
//! Invariants: it ends after [`PICTURES`] pictures; no point outside of the board is
//! painted.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::Canvas;
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// How long each picture is shown, in ticks.
const PICTURE_MS: Tick = 125;

/// The number of pictures, which last one second together.
const PICTURES: u8 = 8;

/// The distance between two rings, in points.
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
    /// Rings in the colour of this side, starting now.
    pub fn begin(centre: Point, side: Side, now: Tick) -> Rings {
        Rings {
            centre,
            side,
            picture: 0,
            turns_at: now.saturating_add(PICTURE_MS),
        }
    }

    /// The tick of the next picture.
    pub fn wakes_at(self) -> Tick {
        self.turns_at
    }

    /// The next picture; `None` when the animation is over.
    pub fn next(self, now: Tick) -> Option<Rings> {
        let picture = self.picture.saturating_add(1);
        (picture < PICTURES).then(|| Rings {
            picture,
            turns_at: now.saturating_add(PICTURE_MS),
            ..self
        })
    }

    /// Paints the rings over the current picture.
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

    /// False for rings that cannot come from play.
    pub fn is_sound<W: Word>(self, grid: &Grid<W>) -> bool {
        self.picture < PICTURES && grid.sides().has(self.centre)
    }
}
