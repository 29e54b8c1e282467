//! A board with a mistake in it, to test those who look for mistakes.
//!
//! Comparing two boards proves something only if a wrong one is found: this is
//! the wrong one. Nothing that a player uses is built from it.

use protocol::{Frame, Input, Layout, Point, Position, Refusal, Settings, Side, Status, Tick};

use crate::machine::{Machine, Tell};

/// A board that, while it is red's turn, takes a touch in the middle column for
/// one in the column to its right (if there is one).
///
/// The mistake has no memory: it is the same after a reset, a load or a
/// replay, so a failure that shows it can be shrunk. Two boards differ from the
/// tick of the first such touch on, since the finger lies on another point.
#[derive(Clone, Debug)]
pub struct Broken<M>(M);

impl<M: Machine> Broken<M> {
    /// Breaks this board.
    #[must_use]
    pub fn new(board: M) -> Self {
        Broken(board)
    }

    /// The point that a touch on `point` is taken for.
    fn taken_for(&self, point: Point) -> Point {
        let layout = self.0.layout();
        let middle = layout.columns() / 2;
        let red = self.0.status().turn == Some(Side::Red);
        if !red || !layout.has(point) || layout.column(point) != middle {
            return point;
        }
        let right = layout.at(middle.saturating_add(1), layout.row(point));
        right.unwrap_or(point)
    }
}

impl<M: Machine> Machine for Broken<M> {
    const MAX_POINTS: usize = M::MAX_POINTS;

    fn switched_on(layout: Layout, seed: u64) -> Result<Self, Refusal> {
        M::switched_on(layout, seed).map(Broken)
    }

    fn input(&mut self, input: Input, tell: Tell<'_>) {
        let input = match input {
            Input::Touch(point) => Input::Touch(self.taken_for(point)),
            other => other,
        };
        self.0.input(input, tell);
    }

    fn layout(&self) -> Layout {
        self.0.layout()
    }
    fn seed(&self) -> u64 {
        self.0.seed()
    }
    fn tick(&self) -> Tick {
        self.0.tick()
    }
    fn frame(&self) -> &Frame {
        self.0.frame()
    }
    fn status(&self) -> Status {
        self.0.status()
    }
    fn legal(&self, each_point: &mut dyn FnMut(Point)) {
        self.0.legal(each_point);
    }
    fn digest(&self) -> u64 {
        self.0.digest()
    }
    fn set_settings(&mut self, settings: Settings, tell: Tell<'_>) -> Result<(), Refusal> {
        self.0.set_settings(settings, tell)
    }
    fn set_position(&mut self, position: &Position, tell: Tell<'_>) -> Result<(), Refusal> {
        self.0.set_position(position, tell)
    }
    fn step(&mut self, most: Tick, tell: Tell<'_>) -> Tick {
        self.0.step(most, tell)
    }
    fn wakes_at(&self) -> Option<Tick> {
        self.0.wakes_at()
    }
    fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        self.0.save(buffer)
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.0.load(bytes)
    }
}
