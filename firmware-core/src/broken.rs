//! Boards with a defect, for testing the code that looks for defects.
//!
//! Comparing two boards proves something only if the comparison detects a wrong one. This
//! module provides two kinds of wrong boards; no program for players uses them.

use core::marker::PhantomData;

use protocol::{Deed, Input, Layout, Point, Refusal, Roster, Side};

use crate::any_width::AnyWidth;
use crate::event_sink::EventSink;

/// A defect of a board: its wrong reaction to a touch.
///
/// A defect has no memory: it is the same after a reset, a load or a replay. A failing
/// test that shows it can therefore be shrunk.
pub trait Mistake {
    /// The point that a touch of this one is mistaken for; `None` if the touch is handled
    /// correctly.
    fn taken_for(layout: Layout, point: Point) -> Option<Point>;
}

/// The defect that mistakes a point for the one to its right.
#[derive(Clone, Copy, Debug)]
pub struct WrongPoint;

impl Mistake for WrongPoint {
    fn taken_for(layout: Layout, point: Point) -> Option<Point> {
        let sides = layout.sides()?;
        let right = sides.column(point).saturating_add(1);
        sides.at(right, sides.row(point))
    }
}

/// The defect of a game that panics.
#[derive(Clone, Copy, Debug)]
pub struct Panics;

/// The panic message of a board with the defect [`Panics`].
pub const LAST_WORDS: &str = "red touched the middle column";

impl Mistake for Panics {
    fn taken_for(_layout: Layout, _point: Point) -> Option<Point> {
        panic!("{LAST_WORDS}")
    }
}

/// A board that shows its defect at every touch in the middle column during red's turn.
/// Compared with a correct board, it differs from the tick of the first such touch on.
#[derive(Clone, Debug)]
pub struct Broken<B, K = WrongPoint>(B, PhantomData<K>);

impl<B: AnyWidth> Broken<B> {
    /// Wraps a board, which mistakes points from now on.
    #[must_use]
    pub fn new(board: B) -> Self {
        Broken(board, PhantomData)
    }
}

impl<B: AnyWidth> Broken<B, Panics> {
    /// Wraps a board, which panics instead of mistaking points.
    #[must_use]
    pub fn that_panics(board: B) -> Self {
        Broken(board, PhantomData)
    }
}

impl<B: AnyWidth, K: Mistake> Broken<B, K> {
    /// The point that a touch on `point` is taken for.
    fn taken_for(&self, point: Point) -> Point {
        let layout = self.0.layout();
        let red = self.0.status().turn == Some(Side::Red);
        let is_middle = layout
            .sides()
            .is_some_and(|sides| sides.has(point) && sides.column(point) == sides.columns() / 2);
        if !red || !is_middle {
            return point;
        }
        K::taken_for(layout, point).unwrap_or(point)
    }
}

impl<B: AnyWidth, K: Mistake> AnyWidth for Broken<B, K> {
    const MAX_POINTS: usize = B::MAX_POINTS;

    fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, Refusal> {
        B::with_games(layout, roster, seed).map(|board| Broken(board, PhantomData))
    }

    fn blank() -> Self {
        Broken(B::blank(), PhantomData)
    }

    fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
        match deed {
            Deed::Input(Input::Touch(point)) => {
                let touch = Input::Touch(self.taken_for(*point));
                self.0.carry_out(&touch.into(), tell)
            }
            other => self.0.carry_out(other, tell),
        }
    }

    crate::forward_to_board!(0:
        restart, restart_on_drawing, layout, roster, drawing, seed, tick, frame, status,
        settings, legal, digest, step, wakes_at, save, load, worth);
}
