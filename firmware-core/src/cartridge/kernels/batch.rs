//! A batch of moves, and the visitor that receives batches.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::action::Draft;
use super::super::known::Single;
use super::super::machine::{Adapter, CONTINUE, Flow, Machine, first_bits};
use super::super::outlet::Outlet;
use super::fan::{Fan, FanWalk};

/// Where the moves of a batch start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start<'f, W> {
    /// All moves start at this site.
    Site(u8),
    /// On their target site, as a placed piece does.
    Same,
    /// Each move starts a fixed distance in site numbers before its target.
    Behind(i16),
    /// Several pieces move along several ways.
    Fan(&'f Fan<W>),
}

/// What a visitor does with a part of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cartridge) enum Visit {
    /// The moves of the part are visited.
    Enter,
    /// The part is skipped, and the walk continues.
    Skip,
    /// The walk stops before the part.
    Stop,
}

/// Moves of one node, one for each target site.
pub(in crate::cartridge) struct Batch<'f, W> {
    pub(in crate::cartridge) node: u16,
    pub(super) start: Start<'f, W>,
    /// The way along which they move, if there is one.
    pub(super) way: u8,
    /// The target sites; empty for [`Start::Fan`].
    pub(super) sites: Points<W>,
}

impl<W: Word> Batch<'_, W> {
    /// The number of moves in the batch.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.start {
            Start::Fan(fan) => fan.many as usize,
            _ => self.sites.len(),
        }
    }

    /// The `n`-th move, from 0.
    pub fn nth(&self, machine: &Machine<'_, W>, n: usize) -> Option<Single> {
        if let Start::Fan(fan) = &self.start {
            return machine.nth_of_fan(self.node, fan, n);
        }
        let to = self.sites.nth(n)?.0;
        let from = match self.start {
            Start::Site(from) => from,
            Start::Behind(by) => (i32::from(to) - i32::from(by)) as u8,
            _ => to,
        };
        Some(Single {
            node: self.node,
            from,
            to,
            way: self.way,
        })
    }

    /// False if no move starts at any of these sites.
    pub fn may_begin(&self, froms: Points<W>) -> bool {
        match &self.start {
            Start::Fan(fan) => fan.going.pieces.meets(froms),
            _ => !self.begun(froms).is_empty(),
        }
    }

    /// The sites at which moves start.
    pub fn froms(&self, machine: &Machine<'_, W>) -> Points<W> {
        match self.start {
            Start::Site(from) => Points::one(Point(from)),
            Start::Same => self.sites,
            Start::Behind(by) => moved(self.sites, by.saturating_neg()),
            Start::Fan(fan) => machine.froms_of_fan(fan),
        }
    }

    /// The targets of the moves that start at these sites.
    pub fn tos(&self, froms: Points<W>, machine: &Machine<'_, W>) -> Points<W> {
        match self.start {
            Start::Fan(fan) => machine.tos_of_fan(fan, froms),
            _ => self.begun(froms),
        }
    }

    /// The start sites, for all batches except fans.
    fn begun(&self, froms: Points<W>) -> Points<W> {
        match self.start {
            Start::Site(from) if !froms.has(Point(from)) => Points::NONE,
            Start::Site(_) => self.sites,
            Start::Same => self.sites & froms,
            Start::Behind(by) => self.sites & moved(froms, by),
            Start::Fan(_) => Points::NONE,
        }
    }

    /// The moves from some sites to others, one after the other.
    pub fn singles(&self, [froms, tos]: [Points<W>; 2]) -> Singles<W> {
        Singles {
            wanted: [froms, tos],
            left: self.begun(froms) & tos,
            fan: FanWalk::default(),
        }
    }
}

/// Some of the moves of a batch.
pub(in crate::cartridge) struct Singles<W> {
    /// Their start and target sites.
    wanted: [Points<W>; 2],
    /// The targets still to be visited; unused for a fan.
    left: Points<W>,
    fan: FanWalk<W>,
}

impl<W: Word> Singles<W> {
    /// Restricts the remaining moves to these targets.
    #[inline]
    pub fn only_to(&mut self, tos: Points<W>) {
        self.wanted[1] &= tos;
        self.left &= tos;
    }

    /// The next move, and its number among all moves of the batch.
    pub fn next(
        &mut self,
        batch: &Batch<'_, W>,
        machine: &Machine<'_, W>,
    ) -> Option<(usize, Single)> {
        if let Start::Fan(fan) = &batch.start {
            return machine.next_of_fan(batch.node, fan, self.wanted, &mut self.fan);
        }
        let site = self.left.next()?;
        let place = (batch.sites & Points(first_bits(site.index()))).len();
        Some((place, batch.nth(machine, place)?))
    }
}

/// The sites of a set, shifted by `by`.
fn moved<W: Word>(sites: Points<W>, by: i16) -> Points<W> {
    let far = usize::from(by.unsigned_abs());
    Points(if by > 0 {
        sites.0.up(far)
    } else {
        sites.0.down(far)
    })
}

/// A visitor of moves, in batches and one by one.
///
/// The visitor is also notified of parts of the walk that it may skip, so that a part
/// without a move of interest need not be generated.
pub(in crate::cartridge) trait BatchVisitor<'g, W: Word> {
    /// Visits these moves. Each of them counts only if the condition of the adapter holds
    /// after it.
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow;
    /// Visits this move, whose conditions all hold.
    fn visit_draft(&mut self, machine: &mut Machine<'g, W>, draft: Draft) -> Flow;
    /// Visits this move if the condition of the adapter holds after it.
    fn visit_move(
        &mut self,
        machine: &mut Machine<'g, W>,
        draft: Draft,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let mut visit =
            |machine: &mut Machine<'g, W>, draft: Draft| self.visit_draft(machine, draft);
        let sink = &mut visit;
        machine.pass_on(draft, &mut Outlet { adapter, sink })
    }
    /// True if the visitor needs the start site of parts in [`BatchVisitor::enter`].
    fn needs_start(&self) -> bool {
        false
    }
    /// Called at the start of a part, which may be skipped. The site is the start of all
    /// its moves, if they have the same one.
    fn enter(&mut self, _: &mut Machine<'g, W>, _: Option<u8>) -> Visit {
        Visit::Enter
    }
    /// Called before one part for each of these pieces. If at most one of the pieces is
    /// of interest, returns it, and the others may be [skipped](BatchVisitor::skip_parts).
    fn only_of(&self, pieces: Points<W>) -> Option<Option<Point>> {
        let _ = pieces;
        None
    }
    /// Called when `many` of those parts were skipped.
    fn skip_parts(&mut self, many: usize) {
        let _ = many;
    }
    /// Called at the end of a part whose moves were visited.
    fn leave(&mut self) {}
    /// The targets of interest, if parts without a move to any of them may be [passed
    /// over](BatchVisitor::may_skip).
    fn aims(&self) -> Option<Points<W>> {
        None
    }
    /// Called for a part without a move of interest. True if it may be passed over.
    fn may_skip(&mut self) -> bool {
        false
    }
    /// The only target of interest, if there is only one.
    fn target(&self) -> Option<u8> {
        None
    }
    /// True if the first move is enough.
    fn wants_one(&self) -> bool {
        false
    }
    /// True if no move of these pieces is of interest, so that a batch of them may be
    /// passed over.
    fn is_unwanted(&self, pieces: Points<W>) -> bool {
        let _ = pieces;
        false
    }
    /// Called for a batch that was empty or was passed over.
    fn skip(&mut self) {}
}

/// A walk through the moves of a node.
pub(in crate::cartridge) struct Walk<'w, 'g, W: Word> {
    /// What is applied to each move.
    pub(super) adapter: &'w Adapter<'w>,
    pub(super) visitor: &'w mut (dyn BatchVisitor<'g, W> + 'w),
}

impl<'w, 'g, W: Word> Walk<'w, 'g, W> {
    /// A walk of this visitor, without an adapter.
    pub fn plain(visitor: &'w mut (dyn BatchVisitor<'g, W> + 'w)) -> Self {
        let adapter = &Adapter::End;
        Walk { adapter, visitor }
    }

    /// The same visitor, with another adapter.
    pub fn through<'s>(&'s mut self, adapter: &'s Adapter<'s>) -> Walk<'s, 'g, W> {
        let visitor = &mut *self.visitor;
        Walk { adapter, visitor }
    }
}

/// A visitor that finds out whether there is a move, to one site or at all.
pub(in crate::cartridge) struct MoveFinder {
    /// The site, if only moves to it count.
    pub target: Option<u8>,
}

impl<'g, W: Word> BatchVisitor<'g, W> for MoveFinder {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let is_one = match self.target {
            // A fan can have moves to this site and to others.
            Some(to) => batch.sites.has(Point(to)) || matches!(batch.start, Start::Fan(_)),
            None => batch.len() > 0,
        };
        if !is_one {
            return CONTINUE;
        }
        if self.target.is_none() && !adapter.asks() {
            return Flow::Break(());
        }
        for n in 0..batch.len() {
            let Some(single) = batch.nth(machine, n) else {
                break;
            };
            if self.target.is_none_or(|to| to == single.to) {
                if !adapter.asks() {
                    return Flow::Break(());
                }
                let sink = &mut |_: &mut Machine<'g, W>, _: Draft| Flow::Break(());
                machine.make(single, &mut Outlet { adapter, sink })?;
            }
        }
        CONTINUE
    }

    fn visit_draft(&mut self, _: &mut Machine<'g, W>, draft: Draft) -> Flow {
        match self.target {
            Some(to) if draft.to != i16::from(to) => CONTINUE,
            _ => Flow::Break(()),
        }
    }

    fn target(&self) -> Option<u8> {
        self.target
    }

    fn wants_one(&self) -> bool {
        true
    }
}
