//! Batches of moves that consist of other moves: of several, of one for each site, of
//! those that a condition chooses.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::machine::{Adapter, CONTINUE, Flow, Machine};
use super::super::op::{Op, slot};
use super::Walk;

impl<'g, W: Word> Machine<'g, W> {
    #[inline]
    pub(super) fn any_batches(
        &mut self,
        at: u16,
        extra: u8,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        for slot in slot::Any::each(extra) {
            let node = self.operand(at, slot);
            self.batches(node, pieces, walk)?;
        }
        CONTINUE
    }

    #[inline]
    pub(super) fn then_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let (moves, then) = (
            self.operand(at, slot::Then::MOVES),
            self.operand(at, slot::Then::THEN),
        );
        self.batches(
            moves,
            pieces,
            &mut walk.through(&Adapter::Then(then, walk.adapter)),
        )
    }

    #[inline]
    pub(super) fn afterwards_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let (moves, truth) = (
            self.operand(at, slot::Afterwards::MOVES),
            self.operand(at, slot::Afterwards::CONDITION),
        );
        self.batches(
            moves,
            pieces,
            &mut walk.through(&Adapter::After(truth, walk.adapter)),
        )
    }

    #[inline]
    pub(super) fn foremost_batches(
        &mut self,
        at: u16,
        extra: u8,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        for slot in slot::Foremost::each(extra) {
            let node = self.operand(at, slot);
            if self.can_move(node) {
                return self.batches(node, None, walk);
            }
        }
        CONTINUE
    }

    /// Visits the batches of each site of a set.
    pub(super) fn site_batches(&mut self, at: u16, walk: &mut Walk<'_, 'g, W>) -> Flow {
        let (sites, node) = (
            self.sites_of(at, slot::ForEachSite::SITES),
            self.operand(at, slot::ForEachSite::MOVES),
        );
        let sites = self.enclosing(node, sites).unwrap_or(sites);
        let begins_there = walk.visitor.needs_start() && self.begins_at_site(node);
        let saved = self.context;
        for site in sites {
            self.context.to = site.0.into();
            self.context.site = site.0.into();
            self.part(
                walk,
                begins_there.then_some(site.0),
                &mut |machine, walk| machine.batches(node, None, walk),
            )?;
        }
        self.context = saved;
        CONTINUE
    }

    /// The sites at which a placed piece would enclose something, if sets can express
    /// them and the moves of each site do nothing but enclose.
    pub(in crate::cartridge) fn enclosing(
        &mut self,
        body: u16,
        sites: Points<W>,
    ) -> Option<Points<W>> {
        let mut node = body;
        let mut together = false;
        loop {
            match self.node(node).0 {
                Op::Together => {
                    together = true;
                    node = self.operand(node, slot::Together::MOVES);
                }
                Op::Then => node = self.operand(node, slot::Then::MOVES),
                Op::Custodial if together => break,
                _ => return None,
            }
        }
        let from = self.operand(node, slot::Custodial::FROM);
        if self.node(from).0 != Op::Site {
            return None;
        }
        self.custodial_sites(node, sites)
    }

    /// Visits the moves of `YES` or `NO`, chosen for each piece.
    pub(super) fn if_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let Some(pieces) = pieces else {
            let mut either = |machine: &mut Self, walk: &mut Walk<'_, 'g, W>| {
                let place = if machine.truth_of(at, slot::IfMoves::CONDITION) {
                    slot::IfMoves::YES
                } else {
                    slot::IfMoves::NO
                };
                match machine.optional(at, place) {
                    Some(node) => machine.batches(node, None, walk),
                    None => CONTINUE,
                }
            };
            if let Some(target) = walk.visitor.target()
                && !self.may_lead_to(at, Points::one(Point(target)))
            {
                return CONTINUE;
            }
            let truth = self.operand(at, slot::IfMoves::CONDITION);
            if !self.asks_for_moves(truth) {
                return either(self, walk);
            }
            if let Some(aims) = walk.visitor.aims()
                && !self.may_lead_to(at, aims)
                && walk.visitor.may_skip()
            {
                return CONTINUE;
            }
            let begin = match walk.visitor.needs_start() {
                true => self.only_begin(at),
                false => None,
            };
            return self.part(walk, begin, &mut either);
        };
        let truth = self.operand(at, slot::IfMoves::CONDITION);
        let some = self.pieces_where(Some(truth), pieces);
        for (place, pieces) in [
            (slot::IfMoves::YES, some),
            (slot::IfMoves::NO, pieces.without(some)),
        ] {
            if let Some(node) = self.optional(at, place)
                && !pieces.is_empty()
            {
                self.batches(node, Some(pieces), walk)?;
            }
        }
        CONTINUE
    }
}
