//! The sites on which a condition holds: either known as a set, or evaluated site by
//! site.

use super::super::machine::Machine;
use super::super::op::{Op, OperandSlot, slot};
use crate::points::Points;
use crate::word::Word;

/// The sites on which a condition holds.
#[derive(Clone, Copy)]
pub(super) enum Where<W> {
    /// The condition holds on every site.
    All,
    /// The condition holds on exactly these sites.
    In(Points<W>),
    /// This condition has to be evaluated for each site.
    Asked(u16),
}

impl<W: Word> Where<W> {
    /// The sites, if they are known.
    pub(super) fn as_set(self) -> Option<Points<W>> {
        match self {
            Where::All => Some(!Points::NONE),
            Where::In(set) => Some(set),
            Where::Asked(_) => None,
        }
    }
}

impl<W: Word> Machine<'_, W> {
    /// The pieces that satisfy a condition.
    pub(super) fn pieces_where(&mut self, truth: Option<u16>, pieces: Points<W>) -> Points<W> {
        let Some(truth) = truth else { return pieces };
        let saved = self.context;
        if let Some(set) = self.set_for_alike(truth, pieces) {
            self.context.from = pieces.first().map_or(saved.from, |piece| piece.0.into());
            let some = pieces & self.sites(set);
            self.context = saved;
            return some;
        }
        let mut some = Points::NONE;
        for piece in pieces {
            self.context.from = piece.0.into();
            if self.truth(truth) {
                some.insert(piece);
            }
        }
        self.context = saved;
        some
    }

    /// The set that a condition tests, if it tests whether the current piece is in a set
    /// that depends on its kind, and all these pieces are of one kind.
    fn set_for_alike(&mut self, truth: u16, pieces: Points<W>) -> Option<u16> {
        let (of, set) = (
            self.operand(truth, slot::IsIn::SITE),
            self.operand(truth, slot::IsIn::SITES),
        );
        if self.word(truth)[0] != Op::IsIn as u8 || self.word(of)[0] != Op::From as u8 {
            return None;
        }
        if self.word(set)[0] != Op::Choose as u8 {
            return None;
        }
        let what = self.operand(set, slot::Choose::INDEX);
        let of_piece = self.word(what)[0] == Op::What as u8
            && self.word(self.operand(what, slot::What::SITE))[0] == Op::From as u8;
        let kind = self.state.what(pieces.first()?.0);
        let alike = self.state.kind(kind)?;
        (of_piece && pieces.without(alike).is_empty()).then_some(set)
    }

    /// The sites on which a condition holds; as a set, if one can express them.
    pub(super) fn resolved(&mut self, truth: Option<u16>) -> Where<W> {
        let Some(truth) = truth else {
            return Where::All;
        };
        match self.whole_set(truth) {
            Some(set) => Where::In(set),
            None => Where::Asked(truth),
        }
    }

    /// The sites on which a condition holds.
    #[inline]
    pub(super) fn sites_where(&mut self, condition: Where<W>, sites: Points<W>) -> Points<W> {
        match condition {
            Where::All => sites,
            Where::In(set) => sites & set,
            Where::Asked(truth) => self.sites_asked(truth, sites),
        }
    }

    pub(super) fn sites_asked(&mut self, truth: u16, sites: Points<W>) -> Points<W> {
        if sites.is_empty() {
            return sites;
        }
        let saved = self.context;
        let of_a_site = self.node(truth).0 == Op::Everywhere;
        let mut some = Points::NONE;
        for site in sites {
            self.context.to = site.0.into();
            if of_a_site {
                self.context.between = site.0.into();
            }
            if self.truth(truth) {
                some.insert(site);
            }
        }
        self.context = saved;
        some
    }

    /// True if a condition depends only on the site for which it is evaluated.
    pub(super) fn is_of_a_site(&mut self, at: u16, slot: OperandSlot) -> bool {
        let truth = self.optional(at, slot);
        truth.is_none_or(|truth| self.node(truth).0 == Op::Everywhere)
    }

    /// True if the ways and conditions of a node are the same for all of these pieces, or
    /// if only the current piece moves.
    pub(super) fn is_for_all(&mut self, at: u16, pieces: Option<Points<W>>) -> bool {
        let Some(pieces) = pieces else { return true };
        let start = self.operand(at, slot::Step::FROM);
        if self.node(start).0 != Op::From {
            return false;
        }
        let [number, _] = self.word(at);
        let place = if number == Op::Slide as u8 {
            slot::Slide::WAYS
        } else if number == Op::Step as u8 {
            slot::Step::WAYS
        } else {
            slot::Hop::WAYS
        };
        let node = self.operand(at, place);
        if !matches!(self.node(node).0, Op::Choice | Op::LastWay) {
            return false;
        }
        if number == Op::Slide as u8 {
            return self.is_plain_slide(at);
        }
        let ways = self.ways(node, pieces.first().map_or(0, |piece| piece.0));
        if number == Op::Step as u8 {
            return self.is_of_a_site(at, slot::Step::MAY_COME) && ways & self.shifts.twins == 0;
        }
        self.is_plain_hop(at)
    }
}
