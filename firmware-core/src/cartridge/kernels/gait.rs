//! The operands of the nodes that move pieces along ways, sorted by whether plain moves
//! can have them. The machine and a host's tables both recognise plain moves, with the
//! same table.
//!
//! Invariants: the table has each operand of the three operations, except for the piece
//! that moves and what a hop goes over, which both read by name.

use super::super::known::Gait;
use super::super::op::{Op, OperandSlot, slot};

/// The operands of a node whose pieces step, slide or hop.
#[derive(Clone, Copy)]
pub struct GaitOperands {
    /// How the pieces move.
    pub gait: Gait,
    /// The ways along which they move.
    pub ways: OperandSlot,
    /// The condition of the sites that they may enter.
    pub target: OperandSlot,
    /// The operands that plain moves do not have.
    pub special: &'static [OperandSlot],
    /// The operands that plain moves of the machine may have, depending on their values,
    /// but not those for which a host has tables.
    #[cfg(feature = "host")]
    pub special_to_tables: &'static [OperandSlot],
}

impl GaitOperands {
    /// The operands of a node with this operation; `None` if it is another one.
    #[must_use]
    pub fn of(op: Op) -> Option<Self> {
        Some(match op {
            Op::Step => GaitOperands {
                gait: Gait::Step,
                ways: slot::Step::WAYS,
                target: slot::Step::MAY_COME,
                special: &[slot::Step::MAY_GO],
                #[cfg(feature = "host")]
                special_to_tables: &[slot::Step::EFFECT],
            },
            Op::Slide => GaitOperands {
                gait: Gait::Slide,
                ways: slot::Slide::WAYS,
                target: slot::Slide::PASSES,
                special: &[
                    slot::Slide::LEAST,
                    slot::Slide::MOST,
                    slot::Slide::STOPS,
                    slot::Slide::MAY_COME,
                    slot::Slide::EFFECT,
                    slot::Slide::PASSING_EFFECT,
                    slot::Slide::TRAIL,
                ],
                #[cfg(feature = "host")]
                special_to_tables: &[],
            },
            Op::Hop => GaitOperands {
                gait: Gait::Hop,
                ways: slot::Hop::WAYS,
                target: slot::Hop::MAY_COME,
                special: &[slot::Hop::MAY_GO],
                #[cfg(feature = "host")]
                special_to_tables: &[
                    slot::Hop::BEFORE,
                    slot::Hop::LEAST,
                    slot::Hop::MOST,
                    slot::Hop::AFTER,
                    slot::Hop::STOPS,
                    slot::Hop::EFFECT,
                ],
            },
            _ => return None,
        })
    }

    /// The operands that a host's tables have no place for.
    #[cfg(feature = "host")]
    pub fn all_special(&self) -> impl Iterator<Item = OperandSlot> {
        self.special.iter().chain(self.special_to_tables).copied()
    }
}

#[cfg(all(test, feature = "host"))]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_operand_of_a_gait_is_in_the_table() {
        let by_name = [
            slot::Step::FROM,
            slot::Hop::HURDLE,
            slot::Hop::HURDLE_EFFECT,
        ];
        for op in [Op::Step, Op::Slide, Op::Hop] {
            let of = GaitOperands::of(op).unwrap();
            let by_name = if op == Op::Hop {
                &by_name[..]
            } else {
                &by_name[..1]
            };
            let known = of.all_special().chain([of.ways, of.target]);
            let mut known: Vec<u16> = known
                .chain(by_name.iter().copied())
                .map(OperandSlot::words)
                .collect();
            known.sort_unstable();
            let all: Vec<u16> = op.operands(0).map(|(slot, _)| slot.words()).collect();
            assert_eq!(known, all, "{op:?}");
        }
    }
}
