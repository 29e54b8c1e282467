//! Custodial capture: pieces in a line between the piece that moved and another piece of
//! the same owner.

use firmware_core::cartridge::bytes::{SITES, WAYS};
use firmware_core::cartridge::inside::{Inside, each_way};
use firmware_core::cartridge::machine::Registers;
use firmware_core::cartridge::op::{NOTHING, NotedSite, Op, slot};
use firmware_core::word::Word;

use super::PlanBuilder;
use crate::recognise::is_of_owner;

/// The maximum number of steps from the moved piece to the other one (its friend).
const FARTHEST: u32 = 31;
/// The maximum number of nodes in a condition.
const NODES: u32 = 32;
/// The maximum depth of a condition.
const DEEP: u8 = 6;

/// [`Op::Custodial`] from the last site, for captures that remove the enclosed pieces.
pub(super) struct Custodial {
    /// True if only the next player's pieces are captured; false for all enemies.
    pub of_next: bool,
    /// The directions in which it captures, in order.
    pub ways: u32,
    /// For each way and site, the possible distances of the friend, with bit `n` for `n`
    /// steps.
    pub far: [[u32; SITES]; WAYS],
}

impl<W: Word> PlanBuilder<'_, '_, W> {
    /// The table for a node; `None` if it is not such a capture.
    pub(super) fn custodial(&mut self, at: u16) -> Option<()> {
        if self.plan.custodial.is_some() {
            return None;
        }
        let operand = |slot| self.operand(at, slot);
        let simple = self.is_op(at, Op::Custodial)
            && self.is_op(operand(slot::Custodial::FROM), Op::LastTo)
            && operand(slot::Custodial::LEAST) == NOTHING
            && operand(slot::Custodial::MOST) == NOTHING
            && self.is_taken_away(operand(slot::Custodial::EFFECT));
        if !simple {
            return None;
        }
        let ways = self.ways_for_all(operand(slot::Custodial::WAYS))?;
        let (target, friend) = (
            operand(slot::Custodial::TARGET),
            operand(slot::Custodial::FRIEND),
        );
        let target = self.everywhere(target, NotedSite::Between)?;
        let is_next = self.is_op(target, Op::Equal)
            && self.is_op(self.operand(target, slot::Equal::RIGHT), Op::Next)
            && self.is_who(self.operand(target, slot::Equal::LEFT), Op::Between);
        let is_enemy = is_of_owner(self, target, Op::IsEnemy, Op::Between);
        if !is_next && !is_enemy {
            return None;
        }
        let friend = self.everywhere(friend, NotedSite::To)?;
        let more = self.more_than_friend(friend)?;
        self.rows(ways)?;
        self.plan.keeps_rows = true;
        let mut custodial = Custodial {
            of_next: is_next,
            ways,
            far: [[0; SITES]; WAYS],
        };
        for way in each_way(ways) {
            for site in 0..self.game.board() {
                let far = self.far(site as u8, way, more)?;
                *custodial.far.get_mut(way as usize)?.get_mut(site)? = far;
            }
        }
        if self.machine.gave_up() {
            return None;
        }
        self.plan.custodial = Some(custodial);
        Some(())
    }

    /// What a condition asks for besides a friend; `None` if it does not ask for a friend,
    /// or the rest is not small.
    fn more_than_friend(&self, at: u16) -> Option<Option<u16>> {
        if !self.is_op(at, Op::And) {
            return self.is_friend(at).then_some(None);
        }
        let (_, parts) = self.op(at)?;
        if parts != 2 {
            return None;
        }
        let mut both = slot::And::each(parts).map(|slot| self.operand(at, slot));
        let [friend, other] = [both.next()?, both.next()?];
        if !self.is_friend(friend) {
            return None;
        }
        let left = self.left.get();
        let is_small = self.is_of_places(other, DEEP) && left - self.left.get() <= NODES;
        is_small.then_some(Some(other))
    }

    fn is_friend(&self, at: u16) -> bool {
        let is_equal = self.is_op(at, Op::Equal)
            && self.is_op(self.operand(at, slot::Equal::RIGHT), Op::Mover)
            && self.is_who(self.operand(at, slot::Equal::LEFT), Op::To);
        is_equal || is_of_owner(self, at, Op::IsFriend, Op::To)
    }

    fn is_who(&self, at: u16, site: Op) -> bool {
        self.is_op(at, Op::Who) && self.is_op(self.operand(at, slot::Who::SITE), site)
    }

    /// True if a condition only depends on the target of the last move and the current
    /// site.
    fn is_of_places(&self, at: u16, deep: u8) -> bool {
        let Some((op, extra)) = self.op(at).filter(|_| deep > 0) else {
            return false;
        };
        let of = |place| self.is_of_places(self.operand(at, place), deep - 1);
        match op {
            Op::Constant | Op::LastTo | Op::To | Op::True | Op::False => true,
            Op::Not | Op::Absolute => of(slot::Not::CONDITION),
            Op::And | Op::Or => slot::And::each(extra).all(of),
            Op::Equal | Op::Unequal | Op::Less | Op::AtMost => {
                of(slot::Equal::LEFT) && of(slot::Equal::RIGHT)
            }
            Op::Distance => {
                self.ways_for_all(self.operand(at, slot::Distance::WAYS))
                    .is_some()
                    && of(slot::Distance::FROM)
                    && of(slot::Distance::TO)
            }
            _ => false,
        }
    }

    /// The possible distances of a friend along a way, a bit for each number of steps.
    fn far(&mut self, site: u8, way: u32, more: Option<u16>) -> Option<u32> {
        let (mut far, mut here) = (0, site);
        for steps in 1..=FARTHEST + 1 {
            let Some(next) = self.game.step(here, way) else {
                break;
            };
            if steps > FARTHEST {
                return None;
            }
            here = next;
            self.machine.state.last_to = site.into();
            self.machine.new_epoch();
            let of = Registers {
                to: next.into(),
                ..Registers::NOTHING
            };
            if steps > 1 && more.is_none_or(|more| self.machine.truth_at(more, of)) {
                far |= 1 << steps;
            }
        }
        Some(far)
    }
}
