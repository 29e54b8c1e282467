//! The effects of touches on a board of Malaka: the start of a step, its die, and the
//! piece that it pins or kills. Events only name points; this follows them.
//!
//! Invariants: everything reported did happen. Kills, dice and starts follow from the
//! touches; pins follow from the piles, and if these are not known (the game was
//! joined in the middle), pins are not mentioned.

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

/// A game of Malaka that is followed touch by touch.
#[derive(Clone, Debug)]
pub struct Tale {
    layout: Layout,
    /// `None` for other games, and until it is known that no pile is picked up.
    variant: Option<Variant>,
    /// The variant of a game that was joined, from its next turn on.
    joined: Option<Variant>,
    /// The piles, if they are known.
    position: Option<Position>,
    picked: Option<MalakaPoint>,
}

impl Tale {
    /// A tale of a board with this layout and these settings; nothing is known about
    /// its game.
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

    /// The game is in this position, and the pile of this point is picked up.
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
        if settings.game != number::MALAKA {
            return Ok(Tale::new(layout, settings));
        }
        let board = board_of_state(&driver.save()?);
        let Some(position) = board.as_ref().and_then(AnyBoard::malaka) else {
            return Ok(Tale::new(layout, settings));
        };
        Ok(Tale::at(layout, position, picked(driver.frame(), layout)))
    }

    /// Follows an event, and returns the effect of the touch in it.
    pub fn hear(&mut self, event: &Event) -> Option<Did> {
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
            // A game set up in a different position is as advanced as that position.
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

    /// The touches of a side in words: `e5-e3 (2, pins), e5-h5 (3, kills)`, and the
    /// pile picked up last. `None` if they are not followed. A pile that was put down
    /// again is omitted.
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

/// The point whose pile is picked up on a board that shows this.
#[must_use]
pub fn picked(frame: &Frame, layout: Layout) -> Option<Point> {
    let is_picked = |point: &Point| frame.light(*point).rhythm() == PICKED;
    let mut picked = layout.iter().filter(is_picked);
    // Several such points are a flash after an illegal touch.
    picked.next().filter(|_| picked.next().is_none())
}

/// The place of a point; `None` where no game of Malaka is played.
#[must_use]
pub fn place_of(layout: Layout, point: Point) -> Option<MalakaPoint> {
    let sides = layout.sides()?;
    let row = sides.rows().checked_sub(sides.row(point) + 1)?;
    MalakaPoint::new(sides.column(point), row)
}

/// The piles after this step; `None` if there is no such step.
fn after(before: &Position, side: Side, step: Step) -> Option<Position> {
    let die = Dice::one(step.pips());
    let mut position = Position::set_up(before.variant(), before.piles(), side, die).ok()?;
    position.apply(step).ok()?;
    Some(position)
}
