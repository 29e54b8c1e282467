//! Move generation for whole sets of pieces at once.
//!
//! Every knight of a side, for example, can leap two up and one to the right at once:
//! shift the set of knights, and keep the targets that the side does not occupy. Most
//! moves of a game are of this kind: pieces are placed on a set of sites, or a set of
//! pieces steps, slides, hops or leaps to sites on which a condition holds, which are a
//! set as well. Such moves are passed on as a [`Batch`] of target sites. A visitor
//! ([`BatchVisitor`]) can count them, pick one, or test whether there is one, without making the
//! others. All remaining moves are generated and visited one by one.
//!
//! Invariants: batches and single moves together are exactly the moves of
//! [`Machine::legal`], with the same multiplicity, except for the moves of a batch that
//! its [`Adapter::After`](super::machine::Adapter::After) rejects.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::action::Draft;
use super::machine::{CONTINUE, Flow, Machine, first_bits};
use super::op::{NOTHING, Op, bit, slot};
use super::outlet::Outlet;

mod ahead;
mod batch;
mod conditions;
mod fan;
mod gait;
mod joined;
mod make;
mod near;
mod plain;
mod slides;
mod steps;

use batch::Start;
pub(super) use batch::{Batch, BatchVisitor, MoveFinder, Visit, Walk};
use conditions::Where;
#[cfg(feature = "host")]
pub use fan::Fan;
pub use fan::{FanCount, Going};
#[cfg(feature = "host")]
pub use gait::GaitOperands;

impl<'g, W: Word> Machine<'g, W> {
    /// Visits all moves of a node, in batches wherever sets can express them. They are
    /// the moves of the current site, or those of each of these pieces, which all have
    /// the same owner.
    pub(super) fn batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let (op, extra) = self.node(at);
        match op {
            Op::None => CONTINUE,
            Op::Any => self.any_batches(at, extra, pieces, walk),
            Op::Then => self.then_batches(at, pieces, walk),
            Op::Afterwards => self.afterwards_batches(at, pieces, walk),
            Op::IfMoves => self.if_batches(at, pieces, walk),
            Op::Step if self.is_for_all(at, pieces) => self.step_batches(at, pieces, walk),
            Op::Slide if self.is_for_all(at, pieces) => self.slide_batches(at, pieces, walk),
            Op::Hop if self.is_for_all(at, pieces) => self.hop_batches(at, pieces, walk),
            _ if let Some(pieces) = pieces => {
                if self.leads_nowhere(at, walk.visitor) {
                    return CONTINUE;
                }
                self.each_piece(at, pieces, walk, &mut |machine, walk| {
                    machine.batches(at, None, walk)
                })
            }
            Op::ForEachSite if self.optional(at, slot::ForEachSite::OTHERWISE).is_none() => {
                self.site_batches(at, walk)
            }
            Op::Foremost => self.foremost_batches(at, extra, walk),
            Op::Select
                if [slot::Select::MAY_GO, slot::Select::TOS]
                    .iter()
                    .all(|slot| self.operand(at, *slot) == NOTHING) =>
            {
                let sites = self.sites_of(at, slot::Select::FROMS);
                self.one_batch(at, Start::Same, sites, walk)
            }
            Op::ForEachPiece => self.piece_batches(at, extra, walk),
            Op::Add if self.optional(at, slot::Add::COUNT).is_none() => self.add_batches(at, walk),
            Op::FromTo => self.carry_batches(at, walk),
            Op::Leap => self.leap_batches(at, walk),
            Op::Shoot => self.shot_batches(at, walk),
            Op::Remove => {
                let sites = self.sites_of(at, slot::Remove::SITES) & self.state.occupied();
                self.one_batch(at, Start::Same, sites, walk)
            }
            _ => self.single_batches(at, walk),
        }
    }

    /// Visits the moves that no set can express, one by one.
    fn single_batches(&mut self, at: u16, walk: &mut Walk<'_, 'g, W>) -> Flow {
        self.part(walk, None, &mut |machine, walk| {
            let mut look = |machine: &mut Self, draft: Draft| {
                walk.visitor.visit_move(machine, draft, walk.adapter)
            };
            machine.moves(at, &mut Outlet::plain(&mut look))
        })
    }

    /// Visits a part of the walk, which the visitor may skip.
    fn part(
        &mut self,
        walk: &mut Walk<'_, 'g, W>,
        piece: Option<u8>,
        what: &mut dyn FnMut(&mut Self, &mut Walk<'_, 'g, W>) -> Flow,
    ) -> Flow {
        match walk.visitor.enter(self, piece) {
            Visit::Skip => return CONTINUE,
            Visit::Stop => return Flow::Break(()),
            Visit::Enter => what(self, walk)?,
        }
        walk.visitor.leave();
        CONTINUE
    }

    /// Visits one batch: the target sites of moves with the same kind of start.
    fn one_batch(
        &mut self,
        node: u16,
        start: Start<'_, W>,
        sites: Points<W>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        if sites.is_empty() {
            return CONTINUE;
        }
        let batch = Batch {
            node,
            start,
            way: 0,
            sites,
        };
        walk.visitor.visit_batch(self, &batch, walk.adapter)
    }

    /// True if the moves of a node start on their target site, as a shot does.
    pub(super) fn is_shot(&self, node: u16) -> bool {
        self.word(node)[0] == Op::Shoot as u8
    }

    /// Visits the moves of these pieces along these ways as one batch.
    fn fan_batch(
        &mut self,
        node: u16,
        going: Going<W>,
        ways: u32,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        if !self.is_shot(node) && walk.visitor.is_unwanted(going.pieces) {
            walk.visitor.skip();
            return CONTINUE;
        }
        let count = match walk.visitor.wants_one() && !walk.adapter.asks() {
            true => FanCount::UntilOne,
            false => FanCount::All,
        };
        let fan = self.fan(going, ways, count);
        if fan.many == 0 {
            walk.visitor.skip();
            return CONTINUE;
        }
        let batch = Batch {
            node,
            start: Start::Fan(&fan),
            way: 0,
            sites: Points::NONE,
        };
        walk.visitor.visit_batch(self, &batch, walk.adapter)
    }

    /// Visits the moves of a node one by one, for the current site or for each of
    /// these pieces.
    fn each_moves(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        walk: &mut Walk<'_, 'g, W>,
    ) -> Flow {
        let Some(pieces) = pieces else {
            return self.single_batches(at, walk);
        };
        self.each_piece(at, pieces, walk, &mut |machine, walk| {
            machine.single_batches(at, walk)
        })
    }

    /// Visits one part for each piece of a node.
    fn each_piece(
        &mut self,
        at: u16,
        pieces: Points<W>,
        walk: &mut Walk<'_, 'g, W>,
        what: &mut dyn FnMut(&mut Self, &mut Walk<'_, 'g, W>) -> Flow,
    ) -> Flow {
        let saved = self.context;
        let of_piece = walk.visitor.needs_start() && self.begins_at_piece(at);
        if of_piece && let Some(only) = walk.visitor.only_of(pieces) {
            let before = only.map_or(!Points::NONE, |piece| Points(first_bits(piece.index())));
            walk.visitor.skip_parts((pieces & before).len());
            if let Some(piece) = only {
                self.context.from = piece.0.into();
                self.part(walk, Some(piece.0), what)?;
                let after = pieces.without(before).without(Points::one(piece));
                walk.visitor.skip_parts(after.len());
            }
            self.context = saved;
            return CONTINUE;
        }
        for piece in pieces {
            self.context.from = piece.0.into();
            self.part(walk, of_piece.then_some(piece.0), what)?;
        }
        self.context = saved;
        CONTINUE
    }

    /// True if all steps of a way are equally long.
    #[inline]
    pub(super) fn is_even(&self, way: u32) -> bool {
        let shift = self.shifts.get(way as usize);
        shift.is_some_and(|shift| shift.by != 0)
    }

    fn behind(&self, way: u32, steps: i16) -> Start<'static, W> {
        let by = self.shifts.get(way as usize).map_or(0, |shift| shift.by);
        Start::Behind(by.saturating_mul(steps))
    }

    fn leap_batches(&mut self, at: u16, walk: &mut Walk<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, slot::Leap::FROM) else {
            return CONTINUE;
        };
        let (may_come, may_go) = (
            self.optional(at, slot::Leap::MAY_COME),
            self.optional(at, slot::Leap::MAY_GO),
        );
        let saved = self.context;
        self.context.from = from.into();
        if self.holds(may_go) {
            let mut tos = self.sites_of(at, slot::Leap::TOS);
            if let Some(target) = walk.visitor.target() {
                tos &= Points::one(Point(target));
            }
            let landing = self.resolved(may_come);
            let tos = self.sites_where(landing, tos);
            self.one_batch(at, Start::Site(from), tos, walk)?;
        }
        self.context = saved;
        CONTINUE
    }

    fn add_batches(&mut self, at: u16, walk: &mut Walk<'_, 'g, W>) -> Flow {
        if self.piece_of(at, slot::Add::WHAT).is_none() {
            return CONTINUE;
        }
        let (sites, condition) = (
            self.sites_of(at, slot::Add::SITES),
            self.optional(at, slot::Add::MAY_COME),
        );
        let condition = self.resolved(condition);
        let sites = self.sites_where(condition, sites);
        self.one_batch(at, Start::Same, sites, walk)
    }

    fn carry_batches(&mut self, at: u16, walk: &mut Walk<'_, 'g, W>) -> Flow {
        let froms = self.sites_of(at, slot::FromTo::FROMS) & self.state.occupied();
        let (may_go, may_come) = (
            self.optional(at, slot::FromTo::MAY_GO),
            self.optional(at, slot::FromTo::MAY_COME),
        );
        let saved = self.context;
        for from in froms {
            self.context.from = from.0.into();
            if !self.holds(may_go) {
                continue;
            }
            let tos = self.sites_of(at, slot::FromTo::TOS);
            let landing = self.resolved(may_come);
            let tos = self.sites_where(landing, tos);
            self.one_batch(at, Start::Site(from.0), tos, walk)?;
            self.context = saved;
        }
        self.context = saved;
        CONTINUE
    }

    fn piece_batches(&mut self, at: u16, extra: u8, walk: &mut Walk<'_, 'g, W>) -> Flow {
        let owner = self.number_of(at, slot::ForEachPiece::OWNER);
        let players = i32::from(self.game.players());
        if owner != i32::from(self.state.mover) && (1..=players).contains(&owner) {
            return self.single_batches(at, walk);
        }
        let mut sites = self.state.owned(owner) & self.board;
        if let Some(node) = self.optional(at, slot::ForEachPiece::SITES) {
            sites &= self.sites(node);
        }
        if let Some(own) = self.optional(at, slot::ForEachPiece::MOVES) {
            return match sites.is_empty() {
                true => CONTINUE,
                false => self.batches(own, Some(sites), walk),
            };
        }
        let column = usize::from(extra & bit::THREATS);
        let near = walk.visitor.target().map(|target| self.near(target));
        let mut left = sites;
        while let Some(first) = left.first() {
            let what = self.state.what(first.0);
            let alike = match self.state.kind(what) {
                Some(kind) => left & kind,
                None => Points::one(first),
            };
            left = left.without(alike).without(Points::one(first));
            let alike = match near {
                Some(near) if self.shifts.is_on_lines(what, column) => alike & near,
                _ => alike,
            };
            if alike.is_empty() {
                continue;
            }
            let moves = self.game.piece(what).moves;
            let moves = *moves.get(column).unwrap_or(&NOTHING);
            if moves != NOTHING {
                self.batches(moves, Some(alike), walk)?;
            }
        }
        CONTINUE
    }
}
