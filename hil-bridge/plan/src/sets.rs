//! Recognises sets of a program that are the pieces of some owners on some sites.

use firmware_core::cartridge::machine::Machine;
use firmware_core::cartridge::op::{Op, slot};
use firmware_core::points::Points;
use firmware_core::word::Word;

use super::{MOVERS, PlanBuilder};

/// The class of empty sites; the classes below it are the owners of pieces.
const EMPTY: u8 = 0x40;
/// The bits of all classes.
const ALL: u8 = 0x7F;
/// The bits of all owners.
const PIECES: u8 = ALL & !EMPTY;

/// For each mover, some sites and the classes that belong to the set on them.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Set<W> {
    fixed: [Points<W>; MOVERS],
    classes: [u8; MOVERS],
}

impl<W: Word> Set<W> {
    /// Every site of some classes.
    pub(super) fn of(classes: [u8; MOVERS]) -> Self {
        Set {
            fixed: [!Points::NONE; MOVERS],
            classes,
        }
    }

    /// The mover's pieces on the board, if the set contains all of them.
    pub(super) fn owned_of(set: Option<Self>, board: Points<W>) -> Self {
        let among = |mover: usize| match set {
            Some(set) if set.classes[mover] >> mover & 1 == 0 => Points::NONE,
            Some(set) => set.fixed[mover] & board,
            None => board,
        };
        Set {
            fixed: core::array::from_fn(among),
            ..Set::of([ALL; MOVERS])
        }
    }

    fn only(self, other: Self) -> Self {
        Set {
            fixed: core::array::from_fn(|mover| self.fixed[mover] & other.fixed[mover]),
            classes: core::array::from_fn(|mover| self.classes[mover] & other.classes[mover]),
        }
    }

    fn or(self, other: Self) -> Option<Self> {
        if self.classes == other.classes {
            return Some(Set {
                fixed: core::array::from_fn(|mover| self.fixed[mover] | other.fixed[mover]),
                ..self
            });
        }
        let classes = core::array::from_fn(|mover| self.classes[mover] | other.classes[mover]);
        let fixed = self.fixed;
        (fixed == other.fixed).then_some(Set { fixed, classes })
    }

    fn without(self, other: Self) -> Option<Self> {
        let covers = self.fixed.iter().zip(&other.fixed);
        let mut covers = covers.map(|(one, other)| one.without(*other).is_empty());
        let classes = core::array::from_fn(|mover| self.classes[mover] & !other.classes[mover]);
        let fixed = self.fixed;
        let covers = covers.all(|covers| covers);
        covers.then_some(Set { fixed, classes })
    }

    /// The sites of the set in the current position.
    #[inline]
    pub(super) fn sites(&self, machine: &Machine<'_, W>) -> Points<W> {
        let mover = usize::from(machine.state.mover) % (MOVERS);
        let (fixed, classes) = (self.fixed[mover], self.classes[mover]);
        match classes {
            ALL => fixed,
            EMPTY => fixed.without(machine.state.occupied()),
            PIECES => fixed & machine.state.occupied(),
            _ => {
                let mut owners = classes & PIECES;
                let mut sites = Points::NONE;
                while owners != 0 {
                    sites |= machine.state.owned(owners.trailing_zeros() as i32);
                    owners &= owners - 1;
                }
                if classes & EMPTY != 0 {
                    sites |= !machine.state.occupied();
                }
                sites & fixed
            }
        }
    }
}

impl<W: Word> PlanBuilder<'_, '_, W> {
    /// The set that a node describes; `None` if it is of another kind.
    pub(super) fn set(&mut self, at: u16) -> Option<Set<W>> {
        let (op, extra) = self.op(at)?;
        match op {
            Op::Fixed => {
                let sites = self.game.set(self.operand(at, slot::Fixed::SET));
                Some(Set {
                    fixed: [sites; MOVERS],
                    ..Set::of([ALL; MOVERS])
                })
            }
            Op::Choose => self.chosen(at),
            Op::One => self.one(at),
            Op::Empty => Some(Set {
                fixed: [self.machine.board(); MOVERS],
                ..Set::of([EMPTY; MOVERS])
            }),
            Op::OccupiedBy => self.occupied_by(at),
            Op::WithPiece => {
                let table = self.operand(at, slot::WithPiece::TABLE);
                let owners = self.owners_of(table)?;
                Some(Set::of([owners; MOVERS]))
            }
            Op::Union => self.union(at, extra),
            Op::Intersection => self.intersection(at, extra),
            Op::Difference => {
                let one = self.set(self.operand(at, slot::Difference::SITES))?;
                one.without(self.set(self.operand(at, slot::Difference::WITHOUT))?)
            }
            _ => None,
        }
    }

    fn chosen(&mut self, at: u16) -> Option<Set<W>> {
        let (set, many) = (
            self.operand(at, slot::Choose::SET),
            self.operand(at, slot::Choose::MANY),
        );
        if !self.is_op(self.operand(at, slot::Choose::INDEX), Op::Mover) {
            return None;
        }
        let fixed = core::array::from_fn(|mover| match (mover as u16) < many {
            true => self.game.set(set + mover as u16),
            false => Points::NONE,
        });
        Some(Set {
            fixed,
            ..Set::of([ALL; MOVERS])
        })
    }

    fn one(&mut self, at: u16) -> Option<Set<W>> {
        let sites = self.number_for_each(self.operand(at, slot::One::SITE))?;
        let fixed = sites.map(|site| match usize::try_from(site) {
            Ok(site) if site < self.game.sites() => Points(W::bit(site)),
            _ => Points::NONE,
        });
        Some(Set {
            fixed,
            ..Set::of([ALL; MOVERS])
        })
    }

    fn occupied_by(&mut self, at: u16) -> Option<Set<W>> {
        let owners = self.number_for_each(self.operand(at, slot::OccupiedBy::OWNER))?;
        Some(Set::of(owners.map(|owner| match owner {
            -1 => PIECES,
            0..=5 => 1 << owner,
            _ => 0,
        })))
    }

    fn union(&mut self, at: u16, extra: u8) -> Option<Set<W>> {
        let mut sets = slot::Union::each(extra);
        let mut set = self.set(self.operand(at, sets.next()?))?;
        for place in sets {
            let more = self.set(self.operand(at, place))?;
            set = set.or(more)?;
        }
        Some(set)
    }

    fn intersection(&mut self, at: u16, extra: u8) -> Option<Set<W>> {
        let mut sets = slot::Intersection::each(extra);
        let mut set = self.set(self.operand(at, sets.next()?))?;
        for place in sets {
            set = set.only(self.set(self.operand(at, place))?);
        }
        Some(set)
    }

    /// The owners of the kinds in a table; `None` if one of them also has other kinds.
    fn owners_of(&self, table: u16) -> Option<u8> {
        let is_in = |what: u8| self.game.table(table).any(|one| one == i16::from(what));
        let mut owners = 0;
        for what in (1..self.game.pieces()).map(|what| what as u8) {
            if is_in(what) {
                owners |= 1 << (self.game.owner(what) & 7);
            }
        }
        let mut all = (1..self.game.pieces()).map(|what| what as u8);
        let whole =
            all.all(|what| is_in(what) == (owners & (1 << (self.game.owner(what) & 7)) != 0));
        whole.then_some(owners & PIECES)
    }
}
