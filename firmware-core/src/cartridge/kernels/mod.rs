//! Move generation for whole sets of pieces at once.
//!
//! Every knight of a side, for example, can leap two up and one to the right at once:
//! shift the set of knights, and keep the targets that the side does not occupy. Most
//! moves of a game are of this kind: pieces are placed on a set of sites, or a set of
//! pieces steps, slides, hops or leaps to sites on which a condition holds, which are a
//! set as well. Such moves are passed on as a [`Batch`] of target sites. A visitor
//! ([`Visitor`]) can count them, pick one, or test whether there is one, without making the
//! others. All remaining moves are generated and visited one by one.
//!
//! Invariants: batches and single moves together are exactly the moves of
//! [`Machine::legal`], with the same multiplicity, except for the moves of a batch that
//! its [`Adapter::After`] rejects.

use protocol::Point;

use crate::points::Points;

use super::action::{Action, Draft};
use super::known::Single;
use super::machine::{Adapter, Flow, Machine, ON, Sink, first_bits};
use super::moves::{Ends, HopEffects, Hurdle};
use super::op::{NOTHING, Op, place};
use super::span::Span;

mod ahead;
mod batch;
mod conditions;
mod fan;
mod gait;
mod near;
mod plain;
mod slides;
mod steps;

use batch::Start;
pub(super) use batch::{Batch, MoveFinder, Visit, Visitor};
use conditions::Where;
#[cfg(feature = "host")]
pub use fan::Fan;
pub use fan::Going;
#[cfg(feature = "host")]
pub use gait::GaitOperands;

impl<'g, W: Span> Machine<'g, W> {
    /// Visits all moves of a node, in batches wherever sets can express them. They are
    /// the moves of the current site, or those of each of these pieces, which all have
    /// the same owner.
    pub(super) fn batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let (op, x) = self.node(at);
        match op {
            Op::None => ON,
            Op::Any => self.any_batches(at, x, pieces, adapter, visitor),
            Op::Then => self.then_batches(at, pieces, adapter, visitor),
            Op::Afterwards => self.afterwards_batches(at, pieces, adapter, visitor),
            Op::IfMoves => self.if_batches(at, pieces, adapter, visitor),
            Op::Step if self.is_for_all(at, pieces) => {
                self.step_batches(at, pieces, adapter, visitor)
            }
            Op::Slide if self.is_for_all(at, pieces) => {
                self.slide_batches(at, pieces, adapter, visitor)
            }
            Op::Hop if self.is_for_all(at, pieces) => {
                self.hop_batches(at, pieces, adapter, visitor)
            }
            _ if let Some(pieces) = pieces => {
                if self.leads_nowhere(at, visitor) {
                    return ON;
                }
                self.each_piece(at, pieces, visitor, &mut |machine, visitor| {
                    machine.batches(at, None, adapter, visitor)
                })
            }
            Op::ForEachSite if self.optional(at, place::ForEachSite::OTHERWISE).is_none() => {
                self.site_batches(at, adapter, visitor)
            }
            Op::Foremost => self.foremost_batches(at, x, adapter, visitor),
            Op::Select
                if [place::Select::MAY_GO, place::Select::TOS]
                    .iter()
                    .all(|place| self.operand(at, *place) == NOTHING) =>
            {
                let sites = self.sites_of(at, place::Select::FROMS);
                self.one_batch(at, Start::Same, sites, adapter, visitor)
            }
            Op::ForEachPiece => self.piece_batches(at, x, adapter, visitor),
            Op::Add if self.optional(at, place::Add::COUNT).is_none() => {
                self.add_batches(at, adapter, visitor)
            }
            Op::FromTo => self.carry_batches(at, adapter, visitor),
            Op::Leap => self.leap_batches(at, adapter, visitor),
            Op::Shoot => self.shot_batches(at, adapter, visitor),
            Op::Remove => {
                let sites = self.sites_of(at, place::Remove::SITES) & self.state.occupied();
                self.one_batch(at, Start::Same, sites, adapter, visitor)
            }
            _ => self.single_batches(at, adapter, visitor),
        }
    }

    #[inline]
    fn any_batches(
        &mut self,
        at: u16,
        x: u8,
        pieces: Option<Points<W>>,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        for place in place::Any::each(x) {
            let node = self.operand(at, place);
            self.batches(node, pieces, adapter, visitor)?;
        }
        ON
    }

    #[inline]
    fn then_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let (moves, then) = (
            self.operand(at, place::Then::MOVES),
            self.operand(at, place::Then::THEN),
        );
        self.batches(moves, pieces, &Adapter::Then(then, adapter), visitor)
    }

    #[inline]
    fn afterwards_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let (moves, truth) = (
            self.operand(at, place::Afterwards::MOVES),
            self.operand(at, place::Afterwards::CONDITION),
        );
        self.batches(moves, pieces, &Adapter::After(truth, adapter), visitor)
    }

    #[inline]
    fn foremost_batches(
        &mut self,
        at: u16,
        x: u8,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        for place in place::Foremost::each(x) {
            let node = self.operand(at, place);
            if self.can_move(node) {
                return self.batches(node, None, adapter, visitor);
            }
        }
        ON
    }

    /// Visits the moves that no set can express, one by one.
    fn single_batches(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        self.part(visitor, None, &mut |machine, visitor| {
            let mut look =
                |machine: &mut Self, draft: Draft| visitor.visit_move(machine, draft, adapter);
            machine.moves(at, &Adapter::End, &mut look)
        })
    }

    /// Visits a part of the walk, which the visitor may skip.
    fn part(
        &mut self,
        visitor: &mut dyn Visitor<'g, W>,
        piece: Option<u8>,
        what: &mut dyn FnMut(&mut Self, &mut dyn Visitor<'g, W>) -> Flow,
    ) -> Flow {
        match visitor.enter(self, piece) {
            Visit::Skip => return ON,
            Visit::Stop => return Flow::Break(()),
            Visit::Enter => what(self, visitor)?,
        }
        visitor.leave();
        ON
    }

    /// Visits the batches of each site of a set.
    fn site_batches(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let (sites, node) = (
            self.sites_of(at, place::ForEachSite::SITES),
            self.operand(at, place::ForEachSite::MOVES),
        );
        let sites = self.enclosing(node, sites).unwrap_or(sites);
        let begins_there = visitor.needs_start() && self.begins_at_site(node);
        let saved = self.context;
        for site in sites {
            self.context.to = site.0.into();
            self.context.site = site.0.into();
            self.part(
                visitor,
                begins_there.then_some(site.0),
                &mut |machine, visitor| machine.batches(node, None, adapter, visitor),
            )?;
        }
        self.context = saved;
        ON
    }

    /// The sites at which a placed piece would enclose something, if sets can express
    /// them and the moves of each site do nothing but enclose.
    pub(super) fn enclosing(&mut self, body: u16, sites: Points<W>) -> Option<Points<W>> {
        let mut node = body;
        let mut together = false;
        loop {
            match self.node(node).0 {
                Op::Together => {
                    together = true;
                    node = self.operand(node, place::Together::MOVES);
                }
                Op::Then => node = self.operand(node, place::Then::MOVES),
                Op::Custodial if together => break,
                _ => return None,
            }
        }
        let from = self.operand(node, place::Custodial::FROM);
        if self.node(from).0 != Op::Site {
            return None;
        }
        self.custodial_sites(node, sites)
    }

    /// Visits one batch: the target sites of moves with the same kind of start.
    fn one_batch(
        &mut self,
        node: u16,
        start: Start<'_, W>,
        sites: Points<W>,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        if sites.is_empty() {
            return ON;
        }
        let batch = Batch {
            node,
            start,
            way: 0,
            sites,
        };
        visitor.visit_batch(self, &batch, adapter)
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
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        if !self.is_shot(node) && visitor.is_unwanted(going.pieces) {
            visitor.skip();
            return ON;
        }
        let one = visitor.wants_one() && !adapter.asks();
        let fan = self.fan(going, ways, one);
        if fan.many == 0 {
            visitor.skip();
            return ON;
        }
        let batch = Batch {
            node,
            start: Start::Fan(&fan),
            way: 0,
            sites: Points::NONE,
        };
        visitor.visit_batch(self, &batch, adapter)
    }

    /// Visits the moves of a node one by one, for the current site or for each of
    /// these pieces.
    fn each_moves(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let Some(pieces) = pieces else {
            return self.single_batches(at, adapter, visitor);
        };
        self.each_piece(at, pieces, visitor, &mut |machine, visitor| {
            machine.single_batches(at, adapter, visitor)
        })
    }

    /// Visits one part for each piece of a node.
    fn each_piece(
        &mut self,
        at: u16,
        pieces: Points<W>,
        visitor: &mut dyn Visitor<'g, W>,
        what: &mut dyn FnMut(&mut Self, &mut dyn Visitor<'g, W>) -> Flow,
    ) -> Flow {
        let saved = self.context;
        let of_piece = visitor.needs_start() && self.begins_at_piece(at);
        if of_piece && let Some(only) = visitor.only_of(pieces) {
            let before = only.map_or(!Points::NONE, |piece| Points(first_bits(piece.index())));
            visitor.skip_parts((pieces & before).len());
            if let Some(piece) = only {
                self.context.from = piece.0.into();
                self.part(visitor, Some(piece.0), what)?;
                let after = pieces.without(before).without(Points::one(piece));
                visitor.skip_parts(after.len());
            }
            self.context = saved;
            return ON;
        }
        for piece in pieces {
            self.context.from = piece.0.into();
            self.part(visitor, of_piece.then_some(piece.0), what)?;
        }
        self.context = saved;
        ON
    }

    /// Visits the moves of `YES` or `NO`, chosen for each piece.
    fn if_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let Some(pieces) = pieces else {
            let mut either = |machine: &mut Self, visitor: &mut dyn Visitor<'g, W>| {
                let place = if machine.truth_of(at, place::IfMoves::CONDITION) {
                    place::IfMoves::YES
                } else {
                    place::IfMoves::NO
                };
                match machine.optional(at, place) {
                    Some(node) => machine.batches(node, None, adapter, visitor),
                    None => ON,
                }
            };
            if let Some(target) = visitor.target()
                && !self.may_lead_to(at, Points::one(Point(target)))
            {
                return ON;
            }
            let truth = self.operand(at, place::IfMoves::CONDITION);
            if !self.asks_for_moves(truth) {
                return either(self, visitor);
            }
            if let Some(aims) = visitor.aims()
                && !self.may_lead_to(at, aims)
                && visitor.may_skip()
            {
                return ON;
            }
            let begin = match visitor.needs_start() {
                true => self.only_begin(at),
                false => None,
            };
            return self.part(visitor, begin, &mut either);
        };
        let truth = self.operand(at, place::IfMoves::CONDITION);
        let some = self.pieces_where(Some(truth), pieces);
        for (place, pieces) in [
            (place::IfMoves::YES, some),
            (place::IfMoves::NO, pieces.without(some)),
        ] {
            if let Some(node) = self.optional(at, place)
                && !pieces.is_empty()
            {
                self.batches(node, Some(pieces), adapter, visitor)?;
            }
        }
        ON
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

    fn leap_batches(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let Some(from) = self.board_site(at, place::Leap::FROM) else {
            return ON;
        };
        let (may_come, may_go) = (
            self.optional(at, place::Leap::MAY_COME),
            self.optional(at, place::Leap::MAY_GO),
        );
        let saved = self.context;
        self.context.from = from.into();
        if self.holds(may_go) {
            let mut tos = self.sites_of(at, place::Leap::TOS);
            if let Some(target) = visitor.target() {
                tos &= Points::one(Point(target));
            }
            let landing = self.resolved(may_come);
            let tos = self.sites_where(landing, tos);
            self.one_batch(at, Start::Site(from), tos, adapter, visitor)?;
        }
        self.context = saved;
        ON
    }

    fn add_batches(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let what = self.number_of(at, place::Add::WHAT);
        if what < 1 || what as usize >= self.game.pieces() {
            return ON;
        }
        let (sites, condition) = (
            self.sites_of(at, place::Add::SITES),
            self.optional(at, place::Add::MAY_COME),
        );
        let condition = self.resolved(condition);
        let sites = self.sites_where(condition, sites);
        self.one_batch(at, Start::Same, sites, adapter, visitor)
    }

    fn carry_batches(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let froms = self.sites_of(at, place::FromTo::FROMS) & self.state.occupied();
        let (may_go, may_come) = (
            self.optional(at, place::FromTo::MAY_GO),
            self.optional(at, place::FromTo::MAY_COME),
        );
        let saved = self.context;
        for from in froms {
            self.context.from = from.0.into();
            if !self.holds(may_go) {
                continue;
            }
            let tos = self.sites_of(at, place::FromTo::TOS);
            let landing = self.resolved(may_come);
            let tos = self.sites_where(landing, tos);
            self.one_batch(at, Start::Site(from.0), tos, adapter, visitor)?;
            self.context = saved;
        }
        self.context = saved;
        ON
    }

    fn piece_batches(
        &mut self,
        at: u16,
        x: u8,
        adapter: &Adapter<'_>,
        visitor: &mut dyn Visitor<'g, W>,
    ) -> Flow {
        let owner = self.number_of(at, place::ForEachPiece::OWNER);
        let players = i32::from(self.game.players());
        if owner != i32::from(self.state.mover) && (1..=players).contains(&owner) {
            return self.single_batches(at, adapter, visitor);
        }
        let mut sites = self.state.owned(owner) & self.board;
        if let Some(node) = self.optional(at, place::ForEachPiece::SITES) {
            sites &= self.sites(node);
        }
        if let Some(own) = self.optional(at, place::ForEachPiece::MOVES) {
            return match sites.is_empty() {
                true => ON,
                false => self.batches(own, Some(sites), adapter, visitor),
            };
        }
        let column = usize::from(x & 1);
        let near = visitor.target().map(|target| self.near(target));
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
                self.batches(moves, Some(alike), adapter, visitor)?;
            }
        }
        ON
    }

    /// Makes one move of a batch and visits it.
    pub(super) fn make(
        &mut self,
        single: Single,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let Single {
            node: at,
            from,
            to,
            way,
        } = single;
        let saved = self.context;
        let (op, x) = self.node(at);
        self.context.to = to.into();
        let flow = match op {
            Op::Step | Op::Leap => {
                self.context.from = from.into();
                let place = if op == Op::Step {
                    place::Step::EFFECT
                } else {
                    place::Leap::EFFECT
                };
                let effect = self.optional(at, place);
                self.goes(from, to, effect, adapter, sink)
            }
            Op::Slide => {
                self.context.from = from.into();
                self.slides_again(at, Ends { from, to }, way.into(), adapter, sink)
            }
            Op::Hop => self.make_hop(single, adapter, sink),
            Op::Shoot => self.make_shot(single, adapter, sink),
            Op::Add => {
                let what = self.number_of(at, place::Add::WHAT) as u8;
                self.adds_to(at, x, what, to, adapter, sink)
            }
            Op::FromTo => {
                self.context.from = from.into();
                self.carries_to(at, x, saved.to, Ends { from, to }, adapter, sink)
            }
            Op::Select => {
                self.context.from = to.into();
                let select = Action::Select { from: to, to: -1 };
                self.one(select, adapter, sink)
            }
            Op::Remove => {
                self.context = saved;
                let count = self
                    .optional(at, place::Remove::COUNT)
                    .map_or(1, |node| self.number(node));
                self.removes_from(x, count, to, adapter, sink)
            }
            _ => ON,
        };
        self.context = saved;
        flow
    }

    #[inline]
    fn make_hop(
        &mut self,
        single: Single,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let Single {
            node: at,
            from,
            to,
            way,
        } = single;
        self.context.from = from.into();
        let over = self.game.step(from, way.into()).unwrap_or(from);
        self.context.between = over.into();
        let effects = HopEffects {
            on_hurdle: self.optional(at, place::Hop::HURDLE_EFFECT),
            on_landing: self.optional(at, place::Hop::EFFECT),
        };
        let hurdle = Hurdle {
            before: from,
            way: way.into(),
            length: 1,
        };
        self.lands(Ends { from, to }, hurdle, effects, adapter, sink)
    }

    #[inline]
    fn make_shot(
        &mut self,
        single: Single,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let Single { node: at, to, .. } = single;
        self.context.between = to.into();
        let what = self.number_of(at, place::Shoot::WHAT) as u8;
        let add = Action::Add {
            site: to,
            what,
            state: -1,
            top: false,
        };
        self.one(add, adapter, sink)
    }
}
