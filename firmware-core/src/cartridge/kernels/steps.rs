//! Steps, and hops over one site to the next.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::known::Gait;
use super::super::machine::{CONTINUE, Flow, Machine};
use super::super::op::{Op, slot};
use super::super::ways::each_way;
use super::Where;
use super::batch::{Start, Walk};
use super::fan::Going;

impl<'g, W: Word> Machine<'g, W> {
    pub(super) fn step_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let (may_go, may_come) = (
            self.optional(at, slot::Step::MAY_GO),
            self.optional(at, slot::Step::MAY_COME),
        );
        let Some(pieces) = pieces else {
            let Some(from) = self.board_site(at, slot::Step::FROM) else {
                return CONTINUE;
            };
            let saved = self.context;
            self.context.from = from.into();
            if self.holds(may_go) {
                let mut tos = Points::NONE;
                for way in each_way(self.ways_of(at, slot::Step::WAYS, from)) {
                    if let Some(to) = self.game.step(from, way) {
                        tos.insert(Point(to));
                    }
                }
                let landing = self.resolved(may_come);
                let tos = self.sites_where(landing, tos);
                self.one_batch(at, Start::Site(from), tos, walk)?;
            }
            self.context = saved;
            return CONTINUE;
        };
        let pieces = self.wanted_pieces(may_go, pieces, walk);
        let Some(first) = pieces.first() else {
            return CONTINUE;
        };
        let ways = self.ways_of(at, slot::Step::WAYS, first.0);
        let asked = self.asked_sites(walk);
        let open = match self.resolved(may_come) {
            Where::Asked(truth) => {
                let reached = self.shifted(pieces, ways) & asked;
                self.sites_asked(truth, reached)
            }
            landing => self.sites_where(landing, asked),
        };
        let going = Going {
            gait: Gait::Step,
            pieces,
            open,
            stop: Points::NONE,
        };
        self.fan_batch(at, going, ways, walk)
    }

    /// Those of the pieces whose moves are of interest and that may go. If there are none,
    /// the batch is skipped.
    #[inline(always)]
    fn wanted_pieces(
        &mut self,
        may_go: Option<u16>,
        pieces: Points<W>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Points<W> {
        let pieces = match walk.visitor.is_unwanted(pieces) {
            true => Points::NONE,
            false => self.pieces_where(may_go, pieces),
        };
        if pieces.is_empty() {
            walk.visitor.skip();
        }
        pieces
    }

    /// The sites at which a move of interest may end.
    #[inline(always)]
    fn asked_sites(&self, walk: &Walk<'_, 'g, W>) -> Points<W> {
        match walk.visitor.target() {
            Some(target) => Points::one(Point(target)),
            None => self.board,
        }
    }

    /// True if sets can express a hop: over one site to the next.
    pub(super) fn is_plain_hop(&mut self, at: u16) -> bool {
        let simple = self.optional(at, slot::Hop::STOPS).is_none()
            && self.optional(at, slot::Hop::HURDLE).is_some();
        let before = [slot::Hop::BEFORE, slot::Hop::AFTER]
            .into_iter()
            .all(|place| match self.optional(at, place) {
                Some(node) => self.is_constant(node, 0),
                None => true,
            });
        let one = [slot::Hop::LEAST, slot::Hop::MOST]
            .into_iter()
            .all(|place| match self.optional(at, place) {
                Some(node) => self.is_constant(node, 1),
                None => true,
            });
        simple
            && before
            && one
            && self.is_of_a_site(at, slot::Hop::HURDLE)
            && self.is_of_a_site(at, slot::Hop::MAY_COME)
    }

    fn is_constant(&mut self, node: u16, number: u16) -> bool {
        self.node(node).0 == Op::Constant && self.operand(node, slot::Constant::VALUE) == number
    }

    pub(super) fn hop_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        if !self.is_plain_hop(at) {
            return self.each_moves(at, pieces, walk);
        }
        let (may_go, ways) = (
            self.optional(at, slot::Hop::MAY_GO),
            self.operand(at, slot::Hop::WAYS),
        );
        let (hurdle, lands) = (
            self.optional(at, slot::Hop::HURDLE),
            self.optional(at, slot::Hop::MAY_COME),
        );
        let alone = pieces.is_none();
        let pieces = match pieces {
            Some(pieces) => pieces,
            None => match self.board_site(at, slot::Hop::FROM) {
                Some(from) => Points::one(Point(from)),
                None => return CONTINUE,
            },
        };
        let pieces = self.wanted_pieces(may_go, pieces, walk);
        let Some(first) = pieces.first() else {
            return CONTINUE;
        };
        if alone {
            self.context.from = first.0.into();
        }
        let ways = self.ways(ways, first.0);
        let stop = self.hurdles(hurdle, pieces, ways);
        let asked = self.asked_sites(walk);
        let open = self.behind_hurdles(lands, pieces, stop, ways, asked);
        let going = Going {
            gait: Gait::Hop,
            pieces,
            open,
            stop,
        };
        self.fan_batch(at, going, ways, walk)
    }

    /// The sites that may be hopped over.
    #[inline(always)]
    fn hurdles(&mut self, hurdle: Option<u16>, pieces: Points<W>, ways: u32) -> Points<W> {
        match self.resolved(hurdle) {
            Where::Asked(truth) => {
                let over = self.shifted(pieces, ways);
                self.sites_asked(truth, over)
            }
            hurdle => self.sites_where(hurdle, self.board),
        }
    }

    /// Where hops may end, of the sites that are asked for.
    #[inline(always)]
    fn behind_hurdles(
        &mut self,
        lands: Option<u16>,
        pieces: Points<W>,
        hurdles: Points<W>,
        ways: u32,
        asked: Points<W>,
    ) -> Points<W> {
        match self.resolved(lands) {
            Where::Asked(truth) => {
                let over = self.shifted(pieces, ways) & hurdles;
                let reached = self.shifted(over, ways) & asked;
                self.sites_asked(truth, reached)
            }
            lands => self.sites_where(lands, asked),
        }
    }
}
