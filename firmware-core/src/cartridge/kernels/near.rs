//! The pieces that can reach one site along a line.
//!
//! A test for threats concerns a single site, and most pieces can be ruled out at once,
//! because a stepping or sliding piece can only arrive along an unobstructed line. Only
//! the first piece on each line back from the site has to be examined.
//!
//! Invariants: no piece of a kind that [moves along lines](Shifts::is_on_lines) can reach a
//! site unless it is [near](Machine::near) it.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::machine::Machine;
#[cfg(doc)]
use super::super::shifts::Shifts;

impl<W: Word> Machine<'_, W> {
    /// The first piece on each way back from a site. Every piece that can arrive along a
    /// line is one of them.
    #[inline(never)]
    pub(super) fn near(&self, target: u8) -> Points<W> {
        let occupied = self.state.occupied();
        let mut near = Points::NONE;
        for shift in (0..self.game.ways()).filter_map(|way| self.shifts.get(way)) {
            let mut front = shift.back_from(Points::one(Point(target)));
            while !front.is_empty() && !front.meets(occupied) {
                front = shift.back_from(front);
            }
            near |= front;
        }
        near
    }
}
