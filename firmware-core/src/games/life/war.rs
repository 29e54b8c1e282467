//! Life2 (Maldoo manual, Life, mode 1): two hostile colours develop by themselves, and
//! each player may touch two points in the whole game.
//!
//! Invariants: while the game runs both colours are alive; the side to move has a play
//! left, unless neither side has one; if no plays are left, a repeated board is a draw.

use postcard::experimental::max_size::MaxSize;
use protocol::{Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use super::generation::hostile;
use super::{LEAST_SIDE, generation_ms};
use crate::game::{Canvas, Context, Touch};
use crate::grid::Grid;
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The number of plays of each player in the whole game (Maldoo manual, Life, mode 1).
pub const PLAYS: u8 = 2;

/// The number of generations without a touch after which a game is a draw.
pub const QUIET_GENERATIONS: u16 = 999;

/// At the start, one in this many points is alive, counting both colours.
const SPARSENESS: usize = 3;

/// Detects a repeated board (R. P. Brent's cycle detection): a board is stored, and
/// after 1, 2, 4, 8, ... generations it is replaced by the current one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub(super) struct Recall<W: Word> {
    kept: [Points<W>; 2],
    /// The number of generations since the board was stored.
    pub(super) since: u16,
    /// The number of generations for which it is stored.
    pub(super) span: u16,
    /// True once the stored board has been reached again.
    pub(super) repeats: bool,
}

impl<W: Word> Recall<W> {
    fn new(stones: [Points<W>; 2]) -> Self {
        Recall {
            kept: stones,
            since: 0,
            span: 1,
            repeats: false,
        }
    }

    fn see(&mut self, stones: [Points<W>; 2]) {
        self.repeats |= stones == self.kept;
        self.since = self.since.saturating_add(1);
        if self.since >= self.span {
            self.kept = stones;
            self.since = 0;
            self.span = self.span.saturating_mul(2);
        }
    }
}

/// The state of a game of Life2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct War<W: Word> {
    /// The stones of each side, `[green, red]`.
    pub(super) stones: [Points<W>; 2],
    /// The plays that each side has left, `[green, red]`.
    pub(super) plays: [u8; 2],
    /// The side to move, which may have no play left.
    pub(super) turn: Side,
    /// The end of the generation.
    pub(super) next_at: Tick,
    /// The number of generations since the last touch.
    pub(super) quiet: u16,
    pub(super) recall: Recall<W>,
    pub(super) outcome: Option<Outcome>,
}

/// A random half of the board, and its image after half a turn with the colours exchanged
/// ("Note that the board is symmetrical", Maldoo manual, Life).
fn draw_stones<W: Word>(context: &mut Context<'_, W>) -> [Points<W>; 2] {
    let points = context.grid().sides().points();
    let half: Points<W> = context.grid().sides().iter().take(points / 2).collect();
    let chosen = context.rng.choose(half, (half.len() / SPARSENESS).max(1));
    let opposite = |point: Point| Point((points - 1) as u8 - point.0);
    let mut stones = [Points::NONE; 2];
    for point in chosen {
        let side = (context.rng.next() & 1) as usize;
        stones[side].insert(point);
        stones[1 - side].insert(opposite(point));
    }
    stones
}

impl<W: Word> War<W> {
    pub(super) fn start(context: &mut Context<'_, W>) -> Self {
        let stones = draw_stones(context);
        War::with(stones, Side::Green, context)
    }

    /// A game with these stones, at least one of each colour.
    pub(super) fn with(stones: [Points<W>; 2], turn: Side, context: &Context<'_, W>) -> Self {
        War {
            stones,
            plays: [PLAYS; 2],
            turn,
            next_at: context.now.saturating_add(generation_ms(context.speed)),
            quiet: 0,
            recall: Recall::new(stones),
            outcome: None,
        }
    }

    /// Ends the game if a colour has no point left: the other one has won.
    fn look_for_the_end(&mut self) {
        let [green, red] = self.stones.map(|stones| !stones.is_empty());
        let worn_out = self.plays == [0; 2] && self.recall.repeats;
        self.outcome = match (green, red) {
            (true, false) => Some(Outcome::Won(Side::Green)),
            (false, true) => Some(Outcome::Won(Side::Red)),
            (false, false) => Some(Outcome::Draw),
            (true, true) if worn_out || self.quiet >= QUIET_GENERATIONS => Some(Outcome::Draw),
            (true, true) => None,
        };
    }

    /// Gives the turn to the other player if that player has a play left.
    fn end_turn(&mut self) {
        if self.plays[self.turn.other().index()] > 0 {
            self.turn = self.turn.other();
        }
    }

    pub(super) fn turn(&self) -> Option<Side> {
        let may_play = self.outcome.is_none() && self.plays[self.turn.index()] > 0;
        may_play.then_some(self.turn)
    }

    pub(super) fn legal(&self, grid: &Grid<W>) -> Points<W> {
        self.turn().map_or(Points::NONE, |_| grid.all())
    }

    /// The board after a touch by this side.
    pub(super) fn pressed(stones: [Points<W>; 2], side: Side, point: Point) -> [Points<W>; 2] {
        let one = Points::one(point);
        let mut after = stones.map(|colour| colour.without(one));
        if after == stones {
            after[side.index()] |= one;
        }
        after
    }

    /// "If it is occupied by either colour it becomes empty [...]. When a
    /// player presses an empty point, it become alive with the player's
    /// colour" (Maldoo manual, Life, mode 1).
    pub(super) fn touch(&mut self, point: Point, grid: &Grid<W>) -> Touch {
        let Some(side) = self.turn().filter(|_| grid.sides().has(point)) else {
            return Touch::Ignored;
        };
        self.stones = War::pressed(self.stones, side, point);
        let plays = &mut self.plays[side.index()];
        *plays = plays.saturating_sub(1);
        self.quiet = 0;
        self.recall = Recall::new(self.stones);
        self.end_turn();
        self.look_for_the_end();
        Touch::Move(0)
    }

    /// Gives the turn away, which does not use up a play.
    pub(super) fn pass(&mut self) -> bool {
        let allowed = self.turn().is_some();
        if allowed {
            self.end_turn();
        }
        allowed
    }

    pub(super) fn wakes_at(&self) -> Option<Tick> {
        self.outcome.is_none().then_some(self.next_at)
    }

    pub(super) fn wake(&mut self, context: &mut Context<'_, W>) {
        self.stones = hostile(self.stones, context.grid());
        self.next_at = context.now.saturating_add(generation_ms(context.speed));
        self.quiet = self.quiet.saturating_add(1);
        self.recall.see(self.stones);
        self.look_for_the_end();
    }

    pub(super) fn score(&self) -> [u16; 2] {
        self.stones.map(|stones| stones.len() as u16)
    }

    pub(super) fn paint(&self, canvas: &mut Canvas<'_, W>) {
        for side in Side::BOTH {
            canvas.fill(self.stones[side.index()], side.into());
        }
    }

    pub(super) fn is_sound(&self, grid: &Grid<W>) -> bool {
        let [green, red] = self.stones;
        let both = !green.is_empty() && !red.is_empty();
        let worn_out = self.plays == [0; 2] && self.recall.repeats;
        let goes_on = both && self.quiet < QUIET_GENERATIONS && !worn_out;
        grid.columns() >= LEAST_SIDE
            && grid.rows() >= LEAST_SIDE
            && TwoColours(self.stones).is_sound(grid)
            && self.plays.iter().all(|plays| *plays <= PLAYS)
            && (self.plays[self.turn.index()] > 0 || self.plays == [0; 2])
            && self.recall.since < self.recall.span
            && self.outcome.is_some() != goes_on
    }
}
