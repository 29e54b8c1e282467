//! Recognises the conditions that a plan can contain.

use firmware_core::cartridge::op::{NOTHING, Op, slot};
use firmware_core::word::Word;

use super::PlanBuilder;
use crate::{Condition, Play, Who};

/// The bit of an exact line in the number of [`Op::IsLine`].
const EXACT: u8 = 1;
const LEVELS: u8 = 8;

impl<W: Word> PlanBuilder<'_, '_, W> {
    pub(super) fn known_condition(&mut self, at: u16) -> Option<Condition> {
        let (op, extra) = self.op(at)?;
        let operand = |slot| self.operand(at, slot);
        match op {
            Op::True => Some(Condition::Always(true)),
            Op::False => Some(Condition::Always(false)),
            Op::NoMoves => Some(Condition::NoMoves),
            Op::Not => {
                let not = operand(slot::Not::CONDITION);
                Some(Condition::Not(self.condition(not)?))
            }
            Op::And | Op::Or => self.both(at, op, extra),
            Op::Equal => self.equal(operand(slot::Equal::LEFT), operand(slot::Equal::RIGHT)),
            Op::Less | Op::AtMost => {
                self.at_most_pieces(op, operand(slot::Less::LEFT), operand(slot::Less::RIGHT))
            }
            Op::AllSites => {
                let (sites, truth) = (
                    operand(slot::AllSites::SITES),
                    operand(slot::AllSites::CONDITION),
                );
                let is_empty = self.is_op(truth, Op::IsEmpty)
                    && self.is_op(self.operand(truth, slot::IsEmpty::SITE), Op::Site);
                let [one, other] =
                    [slot::Equal::LEFT, slot::Equal::RIGHT].map(|slot| self.operand(truth, slot));
                let is_none = |number, count| {
                    self.constant(number) == Some(0)
                        && self.is_op(count, Op::CountAt)
                        && self.is_op(self.operand(count, slot::CountAt::SITE), Op::Site)
                };
                let is_unoccupied = is_empty
                    || (self.is_op(truth, Op::Equal)
                        && (is_none(one, other) || is_none(other, one)));
                if !is_unoccupied {
                    return None;
                }
                Some(Condition::Unoccupied(self.set_id(sites)?))
            }
            Op::IsLine => self.line(at, extra),
            Op::IsPattern => {
                let shape = self.shape(&[at])?;
                Some(Condition::Shape {
                    shape,
                    is_last: true,
                    node: at,
                })
            }
            Op::CanMove => {
                let play = self.play(operand(slot::CanMove::MOVES))?;
                let known = self.plan.plays.get(play);
                let is_known = !matches!(known, Some(Play::Unknown | Play::If { .. }));
                is_known.then_some(Condition::HasMove(play))
            }
            _ => None,
        }
    }

    /// The conjunction or disjunction of several conditions, in pairs. Patterns side by
    /// side become one shape.
    pub(super) fn both(&mut self, at: u16, op: Op, extra: u8) -> Option<Condition> {
        let both = |one, other| match op {
            Op::And => Condition::And(one, other),
            _ => Condition::Or(one, other),
        };
        let mut patterns = heapless::Vec::<u16, 8>::new();
        let mut all = None;
        for slot in slot::And::each(extra) {
            let node = self.operand(at, slot);
            if op == Op::Or && self.is_shape(node) && patterns.push(node).is_ok() {
                continue;
            }
            let one = self.condition(node)?;
            all = Some(match all {
                Some(before) => self.push_condition(both(before, one))?,
                None => one,
            });
        }
        let all = match all {
            Some(all) => *self.plan.conditions.get(all)?,
            None => Condition::Always(op == Op::And),
        };
        if patterns.is_empty() {
            return Some(all);
        }
        let shape = Condition::Shape {
            shape: self.shape(&patterns)?,
            is_last: true,
            node: at,
        };
        if matches!(all, Condition::Always(_)) {
            return Some(shape);
        }
        Some(both(self.push_condition(all)?, self.push_condition(shape)?))
    }

    /// True if a node is a shape at the last site.
    pub(super) fn is_shape(&self, at: u16) -> bool {
        let pivot = |place| self.is_op(self.operand(at, place), Op::LastTo);
        match self.op(at) {
            Some((Op::IsPattern, _)) => pivot(slot::IsPattern::SITE),
            Some((Op::IsLine, _)) => pivot(slot::IsLine::THROUGH) && self.is_short_line(at),
            _ => false,
        }
    }

    pub(super) fn equal(&self, one: u16, other: u16) -> Option<Condition> {
        let ops = [self.op(one)?.0, self.op(other)?.0];
        if matches!(ops, [Op::Mover, Op::Previous] | [Op::Previous, Op::Mover]) {
            return Some(Condition::SameTurn);
        }
        let (modulo, rest) = match ops {
            [Op::Modulo, Op::Constant] => (one, other),
            [Op::Constant, Op::Modulo] => (other, one),
            _ => return None,
        };
        let by = self.constant(self.operand(modulo, slot::Modulo::RIGHT))?;
        let of_moves = self.is_op(self.operand(modulo, slot::Modulo::LEFT), Op::Moves);
        (of_moves && by != 0).then_some(Condition::MovesModulo {
            divisor: by,
            remainder: self.constant(rest)?,
        })
    }

    /// A comparison of a number with the count of a player's pieces, as
    /// [`Condition::AtMostPieces`].
    pub(super) fn at_most_pieces(&mut self, op: Op, one: u16, other: u16) -> Option<Condition> {
        let less = i32::from(op == Op::Less);
        if let Some(most) = self.constant(other) {
            let who = self.pieces_of(one)?;
            return Some(Condition::AtMostPieces {
                who,
                most: most - less,
            });
        }
        // "At least n" is the opposite of "at most n - 1".
        let least = self.constant(one)?;
        let who = self.pieces_of(other)?;
        let at_most = self.push_condition(Condition::AtMostPieces {
            who,
            most: least - 1 + less,
        })?;
        Some(Condition::Not(at_most))
    }

    pub(super) fn pieces_of(&self, at: u16) -> Option<Who> {
        let sites = self.operand(at, slot::PiecesOn::SITES);
        let is_one = self.is_op(at, Op::PiecesOn) && self.is_op(sites, Op::OccupiedBy);
        let who = is_one.then(|| self.who(self.operand(sites, slot::OccupiedBy::OWNER)))??;
        Some(who)
    }

    pub(super) fn line(&mut self, at: u16, extra: u8) -> Option<Condition> {
        let length = self.constant(self.operand(at, slot::IsLine::LENGTH))?;
        let pivot = self.op(self.operand(at, slot::IsLine::THROUGH))?.0;
        let is_last = pivot == Op::LastTo;
        let plain = [slot::IsLine::SITES, slot::IsLine::CONDITION]
            .iter()
            .all(|slot| self.operand(at, *slot) == NOTHING)
            && (is_last || pivot == Op::Site);
        if !plain {
            return None;
        }
        let ways = self.ways_for_all(self.operand(at, slot::IsLine::WAYS))?;
        if extra == LEVELS {
            if !is_last {
                return None;
            }
            let axes = match length > 1 {
                true => self.rows(ways).unwrap_or(0),
                false => 0,
            };
            self.plan.keeps_levels |= axes != 0;
            return Some(Condition::LineOnStacks { ways, length, axes });
        }
        if self.is_short_line(at) {
            let shape = self.shape(&[at])?;
            return Some(Condition::Shape {
                shape,
                is_last,
                node: at,
            });
        }
        if extra & !EXACT != 0 || length <= 0 {
            return None;
        }
        let axes = self.rows(ways)?;
        self.plan.keeps_rows = true;
        Some(Condition::Line {
            axes,
            length: u8::try_from(length).ok()?,
            is_exact: extra & EXACT != 0,
            is_last,
            node: at,
        })
    }
}
