//! FillIt (Maldoo manual, 6. FillIt): two games.
//!
//! *Filling*, modes 0 and 1: a touch of a dark point lights it in the player's colour.
//! The points two away in each of the eight directions change to the player's colour, and
//! the player's own points next to it change to the opponent's. When the board is full,
//! the player with more points wins. If a player misses a turn, the opponent loses no
//! points in its next move.
//!
//! *Clearing*, modes 2 to 4: a touch of any point affects the opponent's points a
//! knight's move away and the player's own points a long knight's move away. A side
//! without points after a turn of red has lost.
//!
//! | mode | start | opponent's, a knight away | own, a long knight away | legal |
//! | --- | --- | --- | --- | --- |
//! | 0 | random | - | - | dark points |
//! | 1 | dark | - | - | dark points |
//! | 2 | random | go off | go off | all points |
//! | 3 | random | go off | become the opponent's | where a point goes off |
//! | 4 | random | become the player's | go off | where a point goes off |
//!
//! [`moves`] computes this for whole sets, [`player`] plays red.
//!
//! Invariants: the side to move has a legal point; it is nobody's turn exactly when the
//! game is over.

pub mod moves;
pub mod player;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Event, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use self::moves::{Fate, FillItView, Moves};
use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, fits, rule_of};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::minds::thinker::ThinkerOf;
use crate::points::Points;
use crate::scatter::scatter;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The effects of a touch in the clearing game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clearing {
    /// The effect on the opponent's points a knight's move away.
    pub knight: Fate,
    /// The effect on the player's own points a long knight's move away.
    pub long_knight: Fate,
    /// True if a touch is legal only if it makes a point go off.
    pub must_go_off: bool,
}

/// The task of a mode, which determines the game that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The board is to be filled.
    Fill,
    /// The opponent's points are to be cleared from the board.
    Clear(Clearing),
}

/// The differences between modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The number of lit points of each colour at the start, for each 81 points of the
    /// board.
    pub lit_each: u8,
    /// The aim of the game.
    pub task: Task,
}

/// The modes of the manual, in order.
pub const MODES: [Rule; 5] = [
    Rule {
        lit_each: 9,
        task: Task::Fill,
    },
    Rule {
        lit_each: 0,
        task: Task::Fill,
    },
    Rule {
        lit_each: 18,
        task: Task::Clear(Clearing {
            knight: Fate::GoesOff,
            long_knight: Fate::GoesOff,
            must_go_off: false,
        }),
    },
    Rule {
        lit_each: 18,
        task: Task::Clear(Clearing {
            knight: Fate::GoesOff,
            long_knight: Fate::ChangesColour,
            must_go_off: true,
        }),
    },
    Rule {
        lit_each: 18,
        task: Task::Clear(Clearing {
            knight: Fate::ChangesColour,
            long_knight: Fate::GoesOff,
            must_go_off: true,
        }),
    },
];

/// The size in points of the board to which [`Rule::lit_each`] applies: 9x9.
const LIT_EACH_OF: usize = 81;

/// The shortest side with which every point has another one a long knight's move away.
pub const SHORTEST_SIDE: usize = 6;

/// The state of a game of FillIt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct FillIt<W: Word> {
    /// The points that are lit on the board.
    lit: TwoColours<W>,
    /// Whether the next move of green and of red is spared, because the opponent missed a
    /// turn. Only used in the filling game.
    spared: [bool; 2],
    /// The side to move; `None` when the game is over.
    turn: Option<Side>,
    /// The index of the mode in [`MODES`].
    mode: u8,
}

impl<W: Word> FillIt<W> {
    /// The game with these points lit. `turn` is to move or, if it has no move, its
    /// opponent.
    fn set_up(
        mode: u8,
        lit: TwoColours<W>,
        turn: Side,
        context: &mut Context<'_, W>,
    ) -> Option<Self> {
        if !fits(&MODES, mode, context.grid(), SHORTEST_SIDE) {
            return None;
        }
        let mut game = FillIt {
            lit,
            spared: [false; 2],
            turn: None,
            mode,
        };
        game.take(game.view(turn), context);
        Some(game)
    }

    /// The rules of the mode.
    fn rule(&self) -> Rule {
        rule_of(&MODES, self.mode)
    }

    fn moves(&self, grid: &Grid<W>) -> Moves<W> {
        Moves::new(grid, self.rule().task)
    }

    fn view(&self, side: Side) -> FillItView<W> {
        let [own, other] = self.lit.seen_by(side);
        FillItView {
            own,
            other,
            own_spared: self.spared[side.index()],
            other_spared: self.spared[side.other().index()],
            side,
        }
    }

    /// Takes the position in which `view.side` is to move; passes over that side if it
    /// has no move, or ends the game.
    fn take(&mut self, view: FillItView<W>, context: &mut Context<'_, W>) {
        self.lit = TwoColours::told_by(view.side, view.own, view.other);
        self.spared[view.side.index()] = view.own_spared;
        self.spared[view.side.other().index()] = view.other_spared;
        let next = self.moves(context.grid()).settled(&view);
        self.turn = next.map(|next| next.side);
        if self.turn == Some(view.side.other()) {
            context.report(Event::Passed { side: view.side });
        }
    }
}

impl<W: Word> Rules<W> for FillIt<W> {
    const ABOUT: About<'static> = About {
        name: "FillIt",
        modes: MODES.len() as u8,
        time_out: TimeOut::Pass,
        illegal: Illegal::FlashLegal,
        ..About::OF_MANUAL
    };
    type Player = ThinkerOf<W, Self>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        if !fits(&MODES, mode, context.grid(), SHORTEST_SIDE) {
            return None;
        }
        let rule = rule_of(&MODES, mode);
        let points = context.grid().sides().points();
        let each = usize::from(rule.lit_each) * points / LIT_EACH_OF;
        let lit = scatter(context.grid(), each, context.rng);
        Self::set_up(mode, TwoColours(lit), Side::Green, context)
    }

    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let lit = TwoColours::of(diagram, context.ground)?;
        Self::set_up(mode, lit, diagram.turn, context)
    }
}

impl<W: Word> Game<W> for FillIt<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        self.turn
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        self.turn.map_or(Points::NONE, |side| {
            self.moves(grid).legal(&self.view(side))
        })
    }

    /// In the filling game a touch of a lit point has no effect; in the clearing game an
    /// illegal touch makes the legal points flash.
    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let Some(side) = self.turn else {
            return Touch::Ignored;
        };
        let moves = self.moves(context.grid());
        let view = self.view(side);
        if !moves.legal(&view).has(point) {
            return match self.rule().task {
                Task::Fill => Touch::Ignored,
                Task::Clear(_) => Touch::Illegal,
            };
        }
        let after = moves.after(&view, point);
        let changed = (view.own ^ after.other) | (view.other ^ after.own);
        self.take(after, context);
        Touch::Move(changed.without(Points::one(point)).len() as u16)
    }

    /// Misses the turn. In the filling game this spares the opponent's next move.
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool {
        let Some(side) = self.turn else {
            return false;
        };
        let mut view = self.view(side).turned();
        view.own_spared |= self.rule().task == Task::Fill;
        self.take(view, context);
        true
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn
            .is_none()
            .then(|| Outcome::by_score(self.lit.count()))
    }

    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.lit.count().map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        self.lit.paint(canvas);
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        // A game that is over ended after a turn of red.
        let view = self.view(self.turn.unwrap_or(Side::Green));
        fits(&MODES, self.mode, grid, SHORTEST_SIDE)
            && self.lit.is_sound(grid)
            && (self.rule().task == Task::Fill || self.spared == [false; 2])
            && self.turn == self.moves(grid).settled(&view).map(|next| next.side)
    }
}
