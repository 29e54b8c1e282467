//! Facts about a node's moves before any of them is generated: where they start, and
//! whether any can lead to the sites of interest. Nodes whose moves are not of interest
//! are skipped.

use protocol::Point;

use super::super::machine::{Machine, first_bits};
use super::super::op::{Op, OperandSlot, slot};
use super::super::ways::each_way;
use crate::points::Points;
use crate::word::Word;

use super::BatchVisitor;

impl<'g, W: Word> Machine<'g, W> {
    /// True if no move of a node leads to the only target of interest, whichever piece
    /// moves.
    pub(super) fn leads_nowhere(&mut self, at: u16, visitor: &dyn BatchVisitor<'g, W>) -> bool {
        let Some(target) = visitor.target() else {
            return false;
        };
        let target = Points::one(Point(target));
        let [number, _] = self.word(at);
        let places: &[OperandSlot] = match Op::of(number) {
            Some(Op::Slide) => &[slot::Slide::PASSES, slot::Slide::STOPS],
            Some(Op::Step) => &[slot::Step::MAY_COME],
            Some(Op::Leap) => &[slot::Leap::MAY_COME],
            _ => return false,
        };
        // A slide without a condition may enter any empty site.
        let passes = number == Op::Slide as u8 && self.optional(at, slot::Leap::MAY_GO).is_none();
        if passes && !self.state.occupied().meets(target) {
            return false;
        }
        places.iter().all(|place| match self.optional(at, *place) {
            Some(truth) => self.whole_set(truth).is_some_and(|set| !set.meets(target)),
            None => number == Op::Slide as u8,
        })
    }

    /// True if all moves of a node start at the current piece.
    pub(super) fn begins_at_piece(&self, at: u16) -> bool {
        let [number, extra] = self.word(at);
        match Op::of(number) {
            Some(Op::Step | Op::Slide | Op::Hop | Op::Leap) => {
                self.word(self.operand(at, slot::Step::FROM))[0] == Op::From as u8
            }
            Some(Op::FromTo) => self.is_one(self.operand(at, slot::FromTo::FROMS), Op::From),
            Some(op) if let Some(mut moves) = op.hands_on(extra) => moves.all(|place| {
                self.optional(at, place)
                    .is_none_or(|node| self.begins_at_piece(node))
            }),
            _ => false,
        }
    }

    /// True if each move of a node first places a piece on the current site. Such a move
    /// starts there.
    pub(super) fn begins_at_site(&self, at: u16) -> bool {
        let [number, _] = self.word(at);
        match Op::of(number) {
            Some(Op::Together | Op::Then | Op::Both) => {
                self.begins_at_site(self.operand(at, slot::Together::MOVES))
            }
            Some(Op::Custodial) => self.begins_at_site(self.operand(at, slot::Custodial::EFFECT)),
            Some(Op::Apply) => self
                .optional(at, slot::Apply::MOVES)
                .is_some_and(|moves| self.begins_at_site(moves)),
            Some(Op::Add) => self.is_one(self.operand(at, slot::Add::SITES), Op::Site),
            _ => false,
        }
    }

    /// True if a set consists of just the site that this operation names.
    fn is_one(&self, sites: u16, op: Op) -> bool {
        self.word(sites)[0] == Op::One as u8
            && self.word(self.operand(sites, slot::One::SITE))[0] == op as u8
    }

    /// The site on which all moves of a node start, if it is known without further
    /// evaluation.
    pub(super) fn only_begin(&mut self, at: u16) -> Option<u8> {
        let (op, extra) = self.node(at);
        if op == Op::Slide {
            return self.board_site(at, slot::Slide::FROM);
        }
        let mut all = None;
        for slot in op.hands_on(extra)? {
            if let Some(node) = self.optional(at, slot) {
                let begin = self.only_begin(node)?;
                if *all.get_or_insert(begin) != begin {
                    return None;
                }
            }
        }
        all
    }

    /// False if no move of a node can lead to any of these sites, whatever its conditions.
    pub(super) fn may_lead_to(&mut self, at: u16, targets: Points<W>) -> bool {
        let (op, extra) = self.node(at);
        if op == Op::Slide {
            return self.has_on_its_way(at, targets);
        }
        let Some(mut moves) = op.hands_on(extra) else {
            return true;
        };
        moves.any(|place| {
            let node = self.optional(at, place);
            node.is_some_and(|node| self.may_lead_to(node, targets))
        })
    }

    /// True if a slide can pass one of these sites.
    fn has_on_its_way(&mut self, at: u16, targets: Points<W>) -> bool {
        let Some(from) = self.board_site(at, slot::Slide::FROM) else {
            return false;
        };
        each_way(self.ways_of(at, slot::Slide::WAYS, from)).any(|way| {
            // If all steps of a way have the same length, the way leads only to higher or
            // only to lower site numbers.
            let by = self.shifts.get(way as usize).map_or(0, |shift| shift.by);
            let ahead = match by {
                0 => targets,
                1.. => targets.without(Points(first_bits(from.into()))),
                _ => targets & Points(first_bits(from.into())),
            };
            !ahead.is_empty() && self.ray(from, way).any(|site| ahead.has(Point(site)))
        })
    }
}
