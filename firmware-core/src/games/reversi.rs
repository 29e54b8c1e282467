//! Placeholder of the module under construction.

use postcard::experimental::max_size::MaxSize;
use protocol::{Outcome, Point, Position, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Act, Canvas, Context, Game, Illegal, Player, TimeOut, Touch};
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Reversi<W: Word> {
    stones: [Points<W>; 2],
    turn: Side,
}

impl<W: Word> Game<W> for Reversi<W> {
    const ABOUT: About = About { name: "Reversi", modes: 6, time_out: TimeOut::Pass, illegal: Illegal::FlashLegal, plays: true };
    type Player = Hand;
    fn start(_mode: u8, _context: &mut Context<'_, W>) -> Option<Self> {
        Some(Reversi { stones: [Points::NONE; 2], turn: Side::Green })
    }
    fn position(_mode: u8, _position: &Position, _context: &mut Context<'_, W>) -> Option<Self> { None }
    fn turn(&self) -> Option<Side> { Some(self.turn) }
    fn legal(&self, grid: &Grid<W>) -> Points<W> { grid.all().without(self.stones[0] | self.stones[1]) }
    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        if !self.legal(context.grid).has(point) { return Touch::Illegal; }
        self.stones[self.turn.index()].insert(point);
        self.turn = self.turn.other();
        Touch::Move(0)
    }
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool { self.turn = self.turn.other(); true }
    fn outcome(&self) -> Option<Outcome> { None }
    fn score(&self, _grid: &Grid<W>) -> [u16; 2] { [self.stones[0].len() as u16, self.stones[1].len() as u16] }
    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        for side in Side::BOTH { canvas.fill(self.stones[side.index()], side.into()); }
    }
    fn is_sound(&self, _grid: &Grid<W>) -> bool { true }
}

/// A hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Hand {}
impl<W: Word> Player<W, Reversi<W>> for Hand {
    fn wakes_at(&self) -> Tick { 0 }
    fn wake(&mut self, game: &Reversi<W>, _level: u8, context: &mut Context<'_, W>) -> Act {
        game.legal(context.grid).first().map_or(Act::Pass, Act::Touch)
    }
    fn is_sound(&self, _grid: &Grid<W>) -> bool { true }
}
