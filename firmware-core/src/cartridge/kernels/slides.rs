//! Slides along a way as far as it is open, and shots, which are slides of a new piece.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::known::Gait;
use super::super::machine::{CONTINUE, Flow, Machine};
use super::super::op::{NOTHING, OperandSlot, slot};
use super::super::ways::each_way;
use super::batch::{Batch, Walk};
use super::fan::{Fan, FanCount, Going};

/// The sites that a slide may enter.
#[derive(Clone, Copy)]
struct Open<W> {
    /// The sites that a slide may pass.
    goes: Points<W>,
    /// The sites on which a slide ends.
    ends: Points<W>,
}

impl<'g, W: Word> Machine<'g, W> {
    /// True if sets can express the targets of a slide.
    pub(super) fn is_plain_slide(&mut self, at: u16) -> bool {
        let numbers = [slot::Slide::LEAST, slot::Slide::MOST, slot::Slide::MAY_COME]
            .iter()
            .all(|slot| self.operand(at, *slot) == NOTHING);
        numbers
            && self.is_of_a_site(at, slot::Slide::PASSES)
            && self.is_of_a_site(at, slot::Slide::STOPS)
    }

    pub(super) fn slide_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let open = match self.is_plain_slide(at) {
            true => self.open(at, slot::Slide::PASSES, slot::Slide::STOPS),
            false => None,
        };
        let Some(open) = open else {
            return self.each_moves(at, pieces, walk);
        };
        let pieces = match pieces {
            Some(pieces) => pieces,
            None => match self.board_site(at, slot::Slide::FROM) {
                Some(from) => Points::one(Point(from)),
                None => return CONTINUE,
            },
        };
        let Some(first) = pieces.first() else {
            return CONTINUE;
        };
        let ways = self.ways_of(at, slot::Slide::WAYS, first.0);
        let Some(target) = walk.visitor.target() else {
            return self.slide_fan(at, ways, pieces, open, walk);
        };
        let uneven = ways & self.shifts.uneven;
        for way in each_way(ways & !uneven) {
            self.slide_to(at, way, pieces, target, open, walk)?;
        }
        self.slide_fan(at, uneven, pieces, open, walk)
    }

    /// The sites that a slide may enter: it passes over those where the first condition
    /// holds (by default the empty ones), and ends at those where the second holds.
    /// `None` if a condition has to be evaluated site by site.
    fn open(&mut self, at: u16, goes_on: OperandSlot, stops: OperandSlot) -> Option<Open<W>> {
        let ends = match self.optional(at, stops) {
            None => Points::NONE,
            stops => self.resolved(stops).as_set()?,
        };
        let goes = match self.optional(at, goes_on) {
            None => self.board.without(self.state.occupied()),
            goes_on => self.resolved(goes_on).as_set()?,
        };
        Some(Open { goes, ends })
    }

    fn slide_fan(
        &mut self,
        at: u16,
        ways: u32,
        pieces: Points<W>,
        open: Open<W>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let going = Going {
            gait: Gait::Slide,
            pieces,
            open: open.goes,
            stop: open.ends,
        };
        // If a piece could pass over another one, each piece gets a fan of its own.
        if pieces.meets(open.goes.without(open.ends)) {
            for piece in pieces {
                let pieces = Points::one(piece);
                self.fan_batch(at, Going { pieces, ..going }, ways, walk)?;
            }
            return CONTINUE;
        }
        self.fan_batch(at, going, ways, walk)
    }

    /// The slides of these pieces along one way to one site, found by walking back
    /// from the site.
    fn slide_to(
        &mut self,
        at: u16,
        way: u32,
        pieces: Points<W>,
        target: u8,
        open: Open<W>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let there = Points::one(Point(target));
        if !there.meets(open.goes | open.ends) {
            return CONTINUE;
        }
        let passed = open.goes.without(open.ends);
        let mut front = there;
        for far in 1..=i16::from(u8::MAX) {
            front = self.shifted_back(front, way);
            if front.is_empty() {
                return CONTINUE;
            }
            if front.meets(pieces) {
                let batch = Batch {
                    node: at,
                    start: self.behind(way, far),
                    way: way as u8,
                    sites: there,
                };
                walk.visitor.visit_batch(self, &batch, walk.adapter)?;
            }
            front &= passed;
        }
        CONTINUE
    }

    /// The piece that a node shoots and its possible targets, if it shoots any distance
    /// over empty sites without further conditions.
    pub(in crate::cartridge) fn plain_shots(
        &mut self,
        at: u16,
        count: FanCount,
    ) -> Option<(u8, Fan<W>)> {
        let from = self.board_site(at, slot::Shoot::FROM)?;
        let what = self.piece_of(at, slot::Shoot::WHAT)?;
        let going = Going {
            gait: Gait::Slide,
            pieces: Points::one(Point(from)),
            open: self.board.without(self.state.occupied()),
            stop: Points::NONE,
        };
        let ways = self.ways_of(at, slot::Shoot::WAYS, from);
        let is_plain =
            self.operand(at, slot::Shoot::MAY_COME) == NOTHING && !going.open.meets(going.pieces);
        is_plain.then(|| (what, self.fan(going, ways, count)))
    }

    pub(super) fn shot_batches(&mut self, at: u16, walk: &mut Walk<'_, 'g, W>) -> Flow {
        let what = self.piece_of(at, slot::Shoot::WHAT);
        let from = self.board_site(at, slot::Shoot::FROM);
        let (Some(_), Some(from)) = (what, from) else {
            return CONTINUE;
        };
        let goes = match self.optional(at, slot::Shoot::MAY_COME) {
            None => Some(self.board.without(self.state.occupied())),
            _ if !self.is_of_a_site(at, slot::Shoot::MAY_COME) => None,
            comes => self.resolved(comes).as_set(),
        };
        let Some(goes) = goes else {
            return self.single_batches(at, walk);
        };
        let open = Open {
            goes,
            ends: Points::NONE,
        };
        let ways = self.ways_of(at, slot::Shoot::WAYS, from);
        self.slide_fan(at, ways, Points::one(Point(from)), open, walk)
    }
}
