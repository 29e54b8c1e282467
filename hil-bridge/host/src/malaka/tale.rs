//! The effects of touches on a board of Malaka: the start of a step, its die, and the
//! piece that it pins or kills. Events only name points, so a tale follows the game to
//! find the effects.
//!
//! Invariants: everything reported did happen. Kills, dice and starts follow from the
//! touches. Pins follow from the piles; if these are unknown, because the tale joined in
//! the middle of a game, pins are not reported.

use std::fmt;

use firmware_core::AnyBoard;
use firmware_core::games::malaka::{Dice, MalakaPoint, Meets, PICKED, Position, Step, Variant};
use firmware_core::games::number;
use protocol::{Event, Frame, Layout, Point, Settings, Side};

use crate::pieces::board_of_state;
use crate::{Driver, DriverError};

/// The effect of one touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// A pile was picked up.
    PickedUp(MalakaPoint),
    /// The pile was put down again.
    PutDown(MalakaPoint),
    /// A piece moved by a step.
    Step(Step, Meets),
}

/// Writes `picks a1 up`, `puts a1 down`, or `e5-h5 (3, kills)`: the step, its die,
/// its effect.
impl fmt::Display for Did {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Did::PickedUp(place) => write!(f, "picks {place} up"),
            Did::PutDown(place) => write!(f, "puts {place} down"),
            Did::Step(step, meets) => {
                let came = match meets {
                    Meets::Nobody => "",
                    Meets::Pins => ", pins",
                    Meets::Kills => ", kills",
                };
                write!(f, "{step} ({}{came})", step.pips())
            }
        }
    }
}

/// Follows a game of Malaka touch by touch.
#[derive(Clone, Debug)]
pub struct Tale {
    layout: Layout,
    /// `None` in other games, and until it is known that no pile is picked up.
    variant: Option<Variant>,
    /// The variant of a game that was joined in the middle; it is followed from its next
    /// turn.
    joined: Option<Variant>,
    /// The piles, if they are known.
    position: Option<Position>,
    picked: Option<MalakaPoint>,
}

impl Tale {
    /// A tale for a board with this layout and these settings, whose game is not known yet.
    #[must_use]
    pub fn new(layout: Layout, settings: &Settings) -> Tale {
        let is_malaka = settings.game == number::MALAKA;
        Tale {
            layout,
            variant: None,
            joined: Variant::of_mode(settings.mode).filter(|_| is_malaka),
            position: None,
            picked: None,
        }
    }

    /// A tale of a game in this position, with the pile of `picked` picked up.
    #[must_use]
    pub fn at(layout: Layout, position: &Position, picked: Option<Point>) -> Tale {
        let picked = picked.and_then(|point| place_of(layout, point));
        Tale {
            layout,
            variant: Some(position.variant()),
            joined: None,
            position: Some(position.clone()),
            picked,
        }
    }

    /// A tale that joins the game on this board in its current state.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn on(
        driver: &mut (impl Driver + ?Sized),
        settings: &Settings,
    ) -> Result<Tale, DriverError> {
        let layout = driver.layout();
        let tale = Tale::new(layout, settings);
        if tale.joined.is_none() {
            return Ok(tale);
        }
        let board = board_of_state(&driver.save()?);
        let position = board.as_ref().and_then(AnyBoard::malaka);
        Ok(position.map_or(tale, |position| {
            Tale::at(layout, position, picked(driver.frame(), layout))
        }))
    }

    /// Follows an event, and returns the effect of the touch in it.
    pub fn follow(&mut self, event: &Event) -> Option<Did> {
        match event {
            Event::Started(settings) => {
                *self = Tale::new(self.layout, settings);
                self.variant = self.joined;
                self.position = self.variant.map(Position::start);
                None
            }
            Event::Turn(_) => {
                self.variant = self.variant.or(self.joined.take());
                None
            }
            // A score also comes when a position is set up: the game then continues from
            // that position.
            Event::Score(score) => {
                let told =
                    |position: &Position| Side::BOTH.map(|side| u32::from(position.distance(side)));
                self.position.take_if(|position| told(position) != *score);
                None
            }
            Event::Part { side, point } | Event::Move { side, point, .. } => {
                self.touch(*side, *point)
            }
            _ => None,
        }
    }

    /// The touches of a side in words: `e5-e3 (2, pins), e5-h5 (3, kills)`, and at the
    /// end a pile that is picked up. A pile that was put down again is omitted. `None` if
    /// the game is not followed.
    #[must_use]
    pub fn words(&self, side: Side, points: impl IntoIterator<Item = Point>) -> Option<String> {
        let mut tale = self.clone();
        let mut words = Vec::new();
        for point in points {
            match tale.touch(side, point)? {
                Did::PickedUp(place) => words.push(place.to_string()),
                Did::PutDown(_) => drop(words.pop()),
                did @ Did::Step(..) => {
                    words.pop();
                    words.push(did.to_string());
                }
            }
        }
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn touch(&mut self, side: Side, point: Point) -> Option<Did> {
        let variant = self.variant?;
        let to = place_of(self.layout, point)?;
        let Some(from) = self.picked.take() else {
            self.picked = Some(to);
            return Some(Did::PickedUp(to));
        };
        if from == to {
            return Some(Did::PutDown(to));
        }
        let step = Step { from, to };
        let of_piles = self.position.as_ref().map(|position| position.meets(step));
        let meets = match variant.walls_between(from, to) {
            0 => of_piles.unwrap_or(Meets::Nobody),
            _ => Meets::Kills,
        };
        self.position = self
            .position
            .take()
            .and_then(|before| after(&before, side, step));
        Some(Did::Step(step, meets))
    }
}

/// The point whose pile is picked up, according to this frame.
#[must_use]
pub fn picked(frame: &Frame, layout: Layout) -> Option<Point> {
    let is_picked = |point: &Point| frame.light(*point).rhythm() == PICKED;
    let mut picked = layout.iter().filter(is_picked);
    // Several such points are the flash after an illegal touch.
    picked.next().filter(|_| picked.next().is_none())
}

/// The place of a point on Malaka's board; `None` if the layout cannot have the game.
#[must_use]
pub fn place_of(layout: Layout, point: Point) -> Option<MalakaPoint> {
    let sides = layout.sides()?;
    let row = sides.rows().checked_sub(sides.row(point) + 1)?;
    MalakaPoint::new(sides.column(point), row)
}

/// The position after this step; `None` if the step is not legal.
fn after(before: &Position, side: Side, step: Step) -> Option<Position> {
    let die = Dice::one(step.pips());
    let mut position = Position::set_up(before.variant(), before.piles(), side, die).ok()?;
    position.apply(step).ok()?;
    Some(position)
}
