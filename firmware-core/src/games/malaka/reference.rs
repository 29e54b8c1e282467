//! A second, slow implementation of the rules: the seven pictures of the help page as
//! text, a map of piles, and plain recursion over all orders of the dice. It shares
//! nothing with the game except the types of its input and output.

use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

use protocol::Side;

use super::*;

/// A column and a row, both from 0; a1 is (0, 0).
type At = (i32, i32);
type Map = BTreeMap<At, Pile>;

/// A map in a form that can be ordered: places, sides, pieces, pins.
pub type Written = Vec<(At, u8, usize, bool)>;

/// The two pictures of ways, the top row first.
const WAYS: [[&str; 3]; 2] = [[">v^", "^v^", "^>^"], ["v<v", "v^v", "v^<"]];

/// The walls of the pictures: the thirds that they separate, and their rows of thirds
/// from the bottom.
const WALLS: [(i32, [bool; 3]); 2] = [(1, [true, true, false]), (2, [false, true, true])];

#[derive(Clone)]
pub struct Slow {
    side: i32,
    mover: Side,
    map: Map,
}

fn at(place: MalakaPoint) -> At {
    (place.column().into(), place.row().into())
}

fn step(from: At, to: At) -> Step {
    let place = |(column, row): At| MalakaPoint::new(column as u8, row as u8).unwrap();
    Step {
        from: place(from),
        to: place(to),
    }
}

impl Slow {
    pub fn of(position: &Position) -> Slow {
        Slow {
            side: position.variant().side().into(),
            mover: position.turn(),
            map: position
                .piles()
                .map(|(place, pile)| (at(place), pile))
                .collect(),
        }
    }

    pub fn way(&self, side: Side, (column, row): At) -> At {
        let third = self.side / 3;
        let line = WAYS[side.index()][2 - (row / third) as usize];
        match line.as_bytes()[(column / third) as usize] {
            b'^' => (0, 1),
            b'v' => (0, -1),
            b'>' => (1, 0),
            _ => (-1, 0),
        }
    }

    pub fn walls(&self, (left, row): At, (right, other): At) -> usize {
        let third = self.side / 3;
        if row != other {
            return 0;
        }
        let (left, right) = (left.min(right), left.max(right));
        let stands = |(between, rows): &&(i32, [bool; 3])| {
            let beside = between * third;
            rows[(row / third) as usize] && left < beside && beside <= right
        };
        WALLS.iter().filter(stands).count()
    }

    fn steps(&self, pips: i32) -> Vec<Step> {
        let mut steps = Vec::new();
        for (from, pile) in &self.map {
            if pile.side != self.mover {
                continue;
            }
            let forward = self.way(self.mover, *from);
            let over = if self.mover == Side::Green {
                (1, 0)
            } else {
                (-1, 0)
            };
            for (way, walls) in [(forward, 0), (over, 1)] {
                let to = (from.0 + way.0 * pips, from.1 + way.1 * pips);
                let is_on = (0..self.side).contains(&to.0) && (0..self.side).contains(&to.1);
                if !is_on || self.walls(*from, to) != walls {
                    continue;
                }
                let met = self.map.get(&to);
                let is_single =
                    met.is_some_and(|met| met.side != self.mover && met.count == 1 && !met.pins);
                let is_own = met.is_none_or(|met| met.side == self.mover);
                if is_single || (is_own && walls == 0) {
                    steps.push(step(*from, to));
                }
            }
        }
        steps
    }

    fn after(&self, step: Step) -> Slow {
        let mut next = self.clone();
        let (from, to) = (at(step.from), at(step.to));
        let pile = next.map.remove(&from).unwrap();
        if pile.count > 1 {
            let count = pile.count - 1;
            next.map.insert(from, Pile { count, ..pile });
        } else if pile.pins {
            let freed = Pile {
                side: self.mover.other(),
                count: 1,
                pins: false,
            };
            next.map.insert(from, freed);
        }
        let landed = match next.map.remove(&to) {
            Some(own) if own.side == self.mover => Pile {
                count: own.count + 1,
                ..own
            },
            met => Pile {
                side: self.mover,
                count: 1,
                pins: met.is_some() && self.walls(from, to) == 0,
            },
        };
        next.map.insert(to, landed);
        next
    }

    /// All turns, each with the position to which it leads.
    fn sequences(&self, dice: &[u8], begun: &[Step], all: &mut Vec<(Vec<Step>, Map)>) {
        let mut is_stuck = true;
        for (n, pips) in dice.iter().enumerate() {
            for step in self.steps((*pips).into()) {
                is_stuck = false;
                let mut dice = dice.to_vec();
                dice.remove(n);
                let mut begun = begun.to_vec();
                begun.push(step);
                self.after(step).sequences(&dice, &begun, all);
            }
            // The other dice of a double are the same as this one.
            if dice.iter().all(|other| other == pips) {
                break;
            }
        }
        if is_stuck {
            all.push((begun.to_vec(), self.map.clone()));
        }
    }

    /// The first steps of all turns with the largest number of pips, and the positions to
    /// which they lead.
    pub fn turns(&self, dice: Dice) -> (BTreeSet<Step>, BTreeSet<Written>) {
        let dice: Vec<u8> = dice.iter().collect();
        let mut all = Vec::new();
        self.sequences(&dice, &[], &mut all);
        let pips =
            |steps: &[Step]| -> u32 { steps.iter().map(|step| u32::from(step.pips())).sum() };
        let most = all.iter().map(|(steps, _)| pips(steps)).max().unwrap_or(0);
        all.retain(|(steps, _)| pips(steps) == most && most > 0);
        let first = all.iter().map(|(steps, _)| steps[0]).collect();
        let ends = all.iter().map(|(_, map)| written(map)).collect();
        (first, ends)
    }

    /// The distance of a side: every piece that is not connected walks to the edge.
    pub fn distance(&self, side: Side) -> u32 {
        let edge = |(column, row): At| match side {
            Side::Green => row == self.side - 1 && column >= self.side * 2 / 3,
            Side::Red => row == 0 && column < self.side / 3,
        };
        let own = |at: &At| self.map.get(at).is_some_and(|pile| pile.count_of(side) > 0);
        let places: BTreeSet<At> = self.map.keys().copied().filter(own).collect();
        let mut together: BTreeSet<At> = places.iter().copied().filter(|at| edge(*at)).collect();
        let mut open: Vec<At> = together.iter().copied().collect();
        while let Some(at) = open.pop() {
            for way in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let next = (at.0 + way.0, at.1 + way.1);
                let hangs = places.contains(&next) && self.walls(at, next) == 0;
                if hangs && together.insert(next) {
                    open.push(next);
                }
            }
        }
        let apart = places.difference(&together);
        let each = apart.map(|place| {
            let mut at = *place;
            let mut steps = 0;
            while !edge(at) {
                let way = self.way(side, at);
                at = (at.0 + way.0, at.1 + way.1);
                steps += 1;
            }
            steps * u32::from(self.map[place].count_of(side))
        });
        each.sum()
    }
}

pub fn written(map: &Map) -> Written {
    let pile = |(at, pile): (&At, &Pile)| (*at, pile.count, pile.side.index(), pile.pins);
    map.iter().map(pile).collect()
}

pub fn map_of(position: &Position) -> Map {
    Slow::of(position).map
}
