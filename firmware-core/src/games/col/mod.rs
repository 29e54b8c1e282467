//! Col and Snort (Berlekamp, Conway and Guy, *Winning Ways*): two sides take turns to
//! light dark points; a side that cannot move has lost.
//!
//! The game only needs to know which points are neighbours, so it is played on every
//! layout, rectangular or not. A board has it only on request.
//!
//! Invariants: in mode 0 no two neighbours have the same colour, in mode 1 no two
//! neighbours have different ones; a lit point stays lit; the game is over when the
//! side to move has no legal point.

#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, rule_of, stones};
use crate::games::nobody::Nobody;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

/// The owner of the points next to which a side may not light another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shuns {
    /// A player's own points, as in Col.
    Own,
    /// The other side's points, as in Snort.
    Other,
}

const MODES: [Shuns; 2] = [Shuns::Own, Shuns::Other];

/// A game of Col or Snort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Col<W: Word> {
    /// The index of the mode in [`MODES`].
    mode: u8,
    /// The lit points, `[green, red]`.
    lit: [Points<W>; 2],
    turn: Side,
    outcome: Option<Outcome>,
}

impl<W: Word> Col<W> {
    /// The dark points that this side may light.
    fn open_to(&self, side: Side, ground: &Ground<W>) -> Points<W> {
        let shunned = match rule_of(&MODES, self.mode) {
            Shuns::Own => self.lit[side.index()],
            Shuns::Other => self.lit[side.other().index()],
        };
        let [green, red] = self.lit;
        let dark = ground.all().without(green | red);
        dark.without(ground.straight_neighbours(shunned))
    }

    /// Gives the turn to this side, which has lost if it cannot move.
    fn go_on_with(&mut self, side: Side, ground: &Ground<W>) {
        self.turn = side;
        let is_over = self.open_to(side, ground).is_empty();
        self.outcome = is_over.then_some(Outcome::Won(side.other()));
    }

    /// True if the points obey the rule of the mode.
    fn is_lawful(&self, ground: &Ground<W>) -> bool {
        let [green, red] = self.lit;
        let on_board = (green | red).without(ground.all()).is_empty();
        let apart = |one: Points<W>, other: Points<W>| !beside(one, ground).meets(other);
        let kept = match rule_of(&MODES, self.mode) {
            Shuns::Own => apart(green, green) && apart(red, red),
            Shuns::Other => apart(green, red),
        };
        on_board && !green.meets(red) && kept
    }
}

/// The neighbours of the set's points; some may be in the set.
fn beside<W: Word>(set: Points<W>, ground: &Ground<W>) -> Points<W> {
    set.fold(Points::NONE, |all, point| {
        all | ground.straight_neighbours(Points::one(point))
    })
}

impl<W: Word> Rules<W> for Col<W> {
    const ABOUT: About<'static> = About {
        name: "Col",
        modes: MODES.len() as u8,
        time_out: TimeOut::RandomMove,
        illegal: Illegal::FlashLegal,
        board_can_play: false,
        any_layout: true,
        ..About::OF_MANUAL
    };
    type Player = Nobody;

    fn start(mode: u8, _context: &mut Context<'_, W>) -> Option<Self> {
        MODES.get(usize::from(mode))?;
        Some(Col {
            mode,
            lit: [Points::NONE; 2],
            turn: Side::Green,
            outcome: None,
        })
    }

    /// Accepts any points that obey the rule.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let mut game = Col::start(mode, context)?;
        game.lit = stones(diagram, context.ground)?;
        game.go_on_with(diagram.turn, context.ground);
        game.is_lawful(context.ground).then_some(game)
    }
}

impl<W: Word> Game<W> for Col<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        self.outcome.is_none().then_some(self.turn)
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        match self.turn() {
            Some(side) => self.open_to(side, ground),
            None => Points::NONE,
        }
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        if !self.legal(context.ground).has(point) {
            return match self.turn() {
                Some(_) => Touch::Illegal,
                None => Touch::Ignored,
            };
        }
        self.lit[self.turn.index()].insert(point);
        self.go_on_with(self.turn.other(), context.ground);
        Touch::Move(0)
    }

    /// A side that cannot move has lost, so there is nothing to pass.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        false
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The number of lit points of each side.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.lit.map(|lit| lit.len() as u32)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        for side in Side::BOTH {
            canvas.fill(self.lit[side.index()], side.into());
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let mut same = self.clone();
        same.go_on_with(self.turn, ground);
        usize::from(self.mode) < MODES.len() && self.is_lawful(ground) && *self == same
    }
}
