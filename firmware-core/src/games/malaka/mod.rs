//! Malaka (Cameron Browne, August 2004): a race around the board with elements of
//! Backgammon, Plakoto and Lines of Action.
//!
//! O (green) and X (red) move their pieces by the pips of dice, each around the board to
//! the other's home edge, and try to connect all of them with it. A single piece is
//! pinned by an enemy piece that moves onto it, and killed by one that jumps over a wall.
//! [`Variant`] defines the board and the start. [`Position`] contains the rules for any
//! program that has dice: a play-by-mail server uses them without a board.
//!
//! This module is the game on a board of lights. A step takes two touches: a pile, which
//! is picked up and may be put down again, and the point to which one piece of it moves.
//! The board rolls the dice when a turn begins. If a side cannot move, the dice are shown
//! for a moment, and then the turn passes.
//!
//! | bit of the mode | 0 | 1 |
//! | --- | --- | --- |
//! | 0 | two rows of pieces | three |
//! | 1 | staggered start | start in a block |
//! | 2 | the usual dice for the board | the other dice |
//! | 3 | 9x9, dice with four sides | 12x12, dice with six |
//!
//! Invariants: while the game runs the dice are on the table, and either a point may be
//! touched or the turn is about to pass; both scores are the distances to connection.

pub mod dice;
pub mod own;
pub mod player;
pub mod position;
pub mod step;
pub mod turns;
pub mod variant;

mod evaluate;
mod pile;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use core::fmt::Write as _;

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, Diagram, GridSize, Outcome, Point, Rhythm, Side, Text, Tick};
use serde::{Deserialize, Serialize};

pub use dice::Dice;
pub use own::Own;
pub use pile::{MOST_PILES, Pile};
pub use position::{After, Meets, Position, PositionError, RollError, StepError};
pub use step::{MOST_STEPS, Step, Steps};
pub use turns::Turn;
pub use variant::{
    AreaDirection, DieKind, MalakaPoint, NoPlace, Size, StartRows, StartShape, VARIANTS, Variant,
};

use crate::game::{About, Canvas, Caption, Context, Game, Illegal, Rules, TimeOut, Touch, stones};
use crate::ground::Ground;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// How long dice that cannot be played are shown before the turn passes, in ticks.
pub const PASS_MS: Tick = 2_000;

/// The colours of piles of up to two, of three, of four, and of more pieces: green, lime,
/// mint, cyan; red, orange, pink, violet.
pub const SHADES: [[Colour; 4]; 2] = [
    [
        Colour::GREEN,
        Colour::new(9),
        Colour::new(10),
        Colour::new(5),
    ],
    [Colour::RED, Colour::ORANGE, Colour::new(7), Colour::new(6)],
];
/// The rhythm of a single piece, which can be pinned and killed.
pub const SINGLE: Rhythm = Rhythm::Wink;
/// The rhythm of pieces that pin one of the other side.
pub const PINS: Rhythm = Rhythm::Double;
/// The rhythm of the pile that is picked up.
pub const PICKED: Rhythm = Rhythm::Fast;
/// The rhythm of a dark point to which the piece may move, in amber. A lit one is
/// [marked](Rhythm::Marked).
pub const TARGET: Rhythm = Rhythm::Medium;

/// The state of a game of Malaka.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Malaka<W: Word> {
    position: Position,
    /// The pile that is picked up, if any.
    picked: Option<MalakaPoint>,
    /// The points that may be touched. They are stored because they are read more often
    /// than they change.
    open: Points<W>,
    /// The time at which the turn passes because the dice cannot be played.
    passes_at: Option<Tick>,
    /// The time of the last touch or roll.
    since: Tick,
}

/// The point of a board at this place. The game is at the bottom left of the board.
#[must_use]
pub fn point_of<W: Word>(place: MalakaPoint, ground: &Ground<W>) -> Option<Point> {
    let sides = ground.grid().sides();
    let row = sides.rows().checked_sub(place.row() + 1)?;
    sides.at(place.column(), row)
}

/// The place at this point of a board.
#[must_use]
pub fn place_of<W: Word>(point: Point, ground: &Ground<W>) -> Option<MalakaPoint> {
    let sides = ground.grid().sides();
    if !sides.has(point) {
        return None;
    }
    let row = sides.rows().checked_sub(sides.row(point) + 1)?;
    MalakaPoint::new(sides.column(point), row)
}

fn fits<W: Word>(variant: Variant, ground: &Ground<W>) -> bool {
    let sides = ground.grid().sides();
    sides.columns().min(sides.rows()) >= variant.side()
}

impl<W: Word> Malaka<W> {
    /// The pieces, the dice left to play, and the side to move.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The pile that is picked up.
    #[must_use]
    pub fn picked(&self) -> Option<MalakaPoint> {
        self.picked
    }

    /// True while dice are shown that cannot be played.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.passes_at.is_some()
    }

    /// A game that starts from a position in which a side is to move.
    fn set_up(position: Position, context: &mut Context<'_, W>) -> Option<Self> {
        if !fits(position.variant(), context.ground) || position.winner().is_some() {
            return None;
        }
        let mut game = Malaka {
            position,
            picked: None,
            open: Points::NONE,
            passes_at: None,
            since: context.now,
        };
        game.begin_turn(context);
        Some(game)
    }

    /// Rolls the dice if necessary, and determines whether they can be played.
    fn begin_turn(&mut self, context: &mut Context<'_, W>) {
        let sides = self.position.variant().die_sides();
        let dice = roll(self.position.dice_to_roll(), sides, context.rng);
        if !dice.is_empty() {
            let rolled = self.position.roll(dice);
            debug_assert_eq!(rolled, Ok(()));
        }
        self.since = context.now;
        let steps = self.position.steps();
        self.go_on(&steps, context);
    }

    /// Continues the turn with these steps, or prepares to pass it.
    fn go_on(&mut self, steps: &[Step], context: &Context<'_, W>) {
        self.open = open(steps, self.picked, context.ground);
        let is_stuck = steps.is_empty() && self.position.winner().is_none();
        self.passes_at = is_stuck.then(|| context.now.saturating_add(PASS_MS));
    }

    fn end_turn(&mut self, context: &mut Context<'_, W>) {
        self.position.end_turn();
        self.begin_turn(context);
    }

    /// The dice on the display: before the first step, and after each step.
    fn pips(&self) -> Text<4> {
        let dice = self.position.dice();
        let between = if dice.different().count() == 2 {
            " "
        } else {
            ""
        };
        let mut text = Text::new();
        for (n, pips) in dice.iter().enumerate() {
            let between = if n == 0 { "" } else { between };
            let _ = write!(text, "{between}{pips}");
        }
        text
    }
}

/// The points that may be touched: the piles from which a step starts or, if one is
/// picked up, that pile and the ends of its steps.
fn open<W: Word>(steps: &[Step], picked: Option<MalakaPoint>, ground: &Ground<W>) -> Points<W> {
    let ends = steps.iter().filter_map(|step| match picked {
        None => Some(step.from),
        Some(picked) => (step.from == picked).then_some(step.to),
    });
    ends.chain(picked)
        .filter_map(|place| point_of(place, ground))
        .collect()
}

fn roll(count: u8, sides: u8, rng: &mut Rng) -> Dice {
    let mut die = || rng.below(sides.into()) as u8 + 1;
    match count {
        0 => Dice::NONE,
        1 => Dice::one(die()),
        _ => Dice::two(die(), die()),
    }
}

fn made_for(mode: u8) -> GridSize {
    let side = Variant::of_mode(mode).map_or(9, Variant::side);
    GridSize::new(side, side).unwrap_or(GridSize::MALDOO)
}

impl<W: Word> Rules<W> for Malaka<W> {
    const ABOUT: About<'static> = About {
        name: "Malaka",
        modes: VARIANTS,
        time_out: TimeOut::RandomMove,
        illegal: Illegal::FlashLegal,
        board_can_play: true,
        any_layout: false,
        keeps_best: 0,
        made_for,
    };
    type Player = player::MalakaPlayer;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let variant = Variant::of_mode(mode)?;
        Self::set_up(Position::start(variant), context)
    }

    /// Sets up single pieces, because a colour does not say how many there are.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let variant = Variant::of_mode(mode)?;
        let [green, red] = stones(diagram, context.ground)?;
        let mut places = heapless::Vec::<_, MOST_PILES>::new();
        for (side, points) in [(Side::Green, green), (Side::Red, red)] {
            for point in points {
                let place = place_of(point, context.ground)?;
                let pile = Pile {
                    side,
                    count: 1,
                    pins: false,
                };
                places.push((place, pile)).ok()?;
            }
        }
        let position = Position::set_up(variant, places, diagram.turn, Dice::NONE).ok()?;
        Self::set_up(position, context)
    }

    fn own_position(mode: u8, bytes: &[u8], context: &mut Context<'_, W>) -> Option<Self> {
        let position = Own::read(bytes)?.position(Variant::of_mode(mode)?).ok()?;
        Self::set_up(position, context)
    }
}

impl<W: Word> Game<W> for Malaka<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        let goes_on = self.position.winner().is_none();
        goes_on.then_some(self.position.turn())
    }

    fn legal(&self, _ground: &Ground<W>) -> Points<W> {
        self.open
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let place = place_of(point, context.ground);
        let place = place.filter(|place| self.position.variant().has(*place));
        let Some(place) = place.filter(|_| !self.open.is_empty()) else {
            return Touch::Ignored;
        };
        if !self.open.has(point) {
            return Touch::Illegal;
        }
        self.since = context.now;
        let Some(from) = self.picked.take() else {
            self.picked = Some(place);
            let steps = self.position.steps();
            self.go_on(&steps, context);
            return Touch::Part;
        };
        if from != place {
            self.position.take(Step { from, to: place });
        }
        let steps = self.position.steps();
        if !steps.is_empty() {
            self.go_on(&steps, context);
            return Touch::Part;
        }
        match self.position.winner() {
            Some(_) => self.go_on(&steps, context),
            None => self.end_turn(context),
        }
        Touch::Move(1)
    }

    /// A pass is allowed only if the dice cannot be played, so that nobody has to wait.
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool {
        let may = self.passes_at.is_some();
        if may {
            self.end_turn(context);
        }
        may
    }

    fn clock_runs(&self) -> bool {
        self.passes_at.is_none()
    }

    /// The pips left to play.
    fn caption(&self) -> Option<Caption> {
        let pips = self.pips();
        if pips.is_empty() {
            None
        } else if self.passes_at.is_some() {
            let mut text = Text::new();
            let _ = write!(text, "{pips} no move");
            Some(Caption::Instead(text))
        } else {
            Some(Caption::Between(pips))
        }
    }

    fn wakes_at(&self) -> Option<Tick> {
        self.passes_at
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        if self.passes_at.is_some_and(|at| at <= context.now) {
            self.end_turn(context);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.winner().map(Outcome::Won)
    }

    /// The distance of each side to connection.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        Side::BOTH.map(|side| self.position.distance(side).into())
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        let ground = canvas.ground();
        for (place, pile) in self.position.piles() {
            let Some(point) = point_of(place, ground) else {
                continue;
            };
            let [few, three, four, many] = SHADES[pile.side.index()];
            let shade = match pile.count {
                ..=2 => few,
                3 => three,
                4 => four,
                _ => many,
            };
            let rhythm = if self.picked == Some(place) {
                PICKED
            } else if pile.pins {
                PINS
            } else if pile.count == 1 {
                SINGLE
            } else {
                Rhythm::Steady
            };
            canvas.fill(Points::one(point), shade);
            canvas.blink(Points::one(point), rhythm, self.since);
        }
        let Some(picked) = self.picked.and_then(|place| point_of(place, ground)) else {
            return;
        };
        for point in self.open.without(Points::one(picked)) {
            let target = Points::one(point);
            let pile = place_of(point, ground).and_then(|place| self.position.pile(place));
            if pile.is_none() {
                canvas.fill(target, Colour::AMBER);
            }
            let rhythm = if pile.is_none() {
                TARGET
            } else {
                Rhythm::Marked
            };
            canvas.blink(target, rhythm, self.since);
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        if !self.position.is_sound() || !fits(self.position.variant(), ground) {
            return false;
        }
        let goes_on = self.position.winner().is_none();
        let steps = self.position.steps();
        let is_picked = |picked: MalakaPoint| steps.iter().any(|step| step.from == picked);
        goes_on != self.position.dice().is_empty()
            && self.picked.is_none_or(is_picked)
            && self.open == open(&steps, self.picked, ground)
            && self.passes_at.is_some() == (goes_on && steps.is_empty())
    }
}
