//! Why a piece cannot get from one point to another, which explains an illegal turn.
//!
//! Invariants: this only explains a hop that the rules forbid, and decides nothing.

use std::fmt;

use firmware_core::games::malaka::{After, AreaDirection, Dice, MalakaPoint, Position, Step};
use protocol::Side;

use super::diagram::{letter, words};

/// The obstacle in the way of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The piece would stay where it is.
    Nowhere,
    /// The game ends on the way, at this step.
    Ends(Step, Side),
    /// No combination of these dice leads there.
    NoWay(Dice),
    /// A straight step of this length is needed, and no die shows it.
    NoDie(u8),
    /// The subarea at this point leads in a different direction.
    Backwards(MalakaPoint, AreaDirection),
    /// The other side holds this point.
    Block(MalakaPoint, Side),
    /// A wall is in the way, and the piece behind it is not a single one.
    Wall(MalakaPoint),
    /// Walls block both ways.
    Walls,
    /// Another turn plays more pips than any turn with this step.
    FewerPips,
}

impl Obstacle {
    /// The obstacle on the way of a movable piece between two points.
    #[must_use]
    pub fn between(position: &Position, from: MalakaPoint, to: MalakaPoint) -> Obstacle {
        if from == to {
            return Obstacle::Nowhere;
        }
        if let Some(end) = end_on_the_way(position, from, to) {
            return end;
        }
        let (variant, side) = (position.variant(), position.turn());
        let pips = Step { from, to }.pips();
        let is_straight = from.column() == to.column() || from.row() == to.row();
        let has_die = position.dice().iter().any(|die| die == pips);
        if is_straight && !has_die && pips <= variant.die_sides() {
            return Obstacle::NoDie(pips);
        }
        if !is_straight || !has_die {
            return Obstacle::NoWay(position.dice());
        }
        let held = position
            .pile(to)
            .filter(|pile| pile.side != side && pile.is_block());
        if variant.forward(side, from, pips) == Some(to) {
            return match held {
                Some(pile) => Obstacle::Block(to, pile.side),
                None => Obstacle::FewerPips,
            };
        }
        if variant.over_wall(side, from, pips) == Some(to) {
            let is_prey = position.pile(to).is_some_and(|pile| pile.side != side);
            return match held {
                Some(pile) => Obstacle::Block(to, pile.side),
                None if is_prey => Obstacle::FewerPips,
                None => Obstacle::Wall(to),
            };
        }
        match variant.walls_between(from, to) {
            2.. => Obstacle::Walls,
            _ => Obstacle::Backwards(from, variant.way(side, from)),
        }
    }
}

/// The step at which the game ends before the piece arrives.
fn end_on_the_way(position: &Position, from: MalakaPoint, to: MalakaPoint) -> Option<Obstacle> {
    let left = |place| position.variant().distance(position.turn(), place);
    let steps = position.steps();
    let mut steps = steps.iter().filter(|step| step.from == from);
    steps.find_map(|step| {
        let mut next = position.clone();
        match next.apply(*step) {
            Ok(After::Won(winner)) => {
                let rest = position.dice().without(step.pips())?;
                let would_lead_on = left(step.to) > left(to) && lead(rest, step.to, to);
                would_lead_on.then_some(Obstacle::Ends(*step, winner))
            }
            Ok(After::Part) if step.to != to => end_on_the_way(&next, step.to, to),
            _ => None,
        }
    })
}

/// True if some number of these equal dice adds up to the distance between two points.
fn lead(dice: Dice, from: MalakaPoint, to: MalakaPoint) -> bool {
    let points = Step { from, to }.pips();
    let of_one = |pips: u8| points.is_multiple_of(pips) && points / pips <= dice.len();
    points > 0 && dice.different().any(of_one)
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Nowhere => write!(f, "a step leads to another point"),
            Obstacle::Ends(step, winner) => {
                write!(f, "{step} ends the game, and {} wins", letter(*winner))
            }
            Obstacle::NoWay(dice) => write!(f, "{} do not lead there", words(*dice)),
            Obstacle::NoDie(pips) => write!(f, "there is no {pips} left to play"),
            Obstacle::Backwards(place, way) => {
                let way = match way {
                    AreaDirection::Up => "up",
                    AreaDirection::Down => "down",
                    AreaDirection::Right => "to the right",
                    AreaDirection::Left => "to the left",
                };
                write!(f, "the way from {place} leads {way}")
            }
            Obstacle::Block(place, side) => write!(f, "{place} is a block of {}", letter(*side)),
            Obstacle::Wall(place) => write!(
                f,
                "a wall is jumped only to kill, and {place} has no single enemy piece"
            ),
            Obstacle::Walls => write!(f, "two walls are between"),
            Obstacle::FewerPips => write!(f, "a turn with it would play fewer pips than can be"),
        }
    }
}
