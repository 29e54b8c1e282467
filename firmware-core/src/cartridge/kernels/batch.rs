//! Moves of a kind as a set, and who hears of them.

use protocol::Point;

use crate::points::Points;

use super::super::action::Draft;
use super::super::known::Single;
use super::super::machine::{Adapter, Flow, Machine, ON, first_bits};
use super::super::span::Span;
use super::fan::{Fan, Walk};

/// Where the moves of a batch begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start<'f, W> {
    /// All at this site.
    Site(u8),
    /// Where they lead.
    Same,
    /// A fixed number of sites before the site where they lead.
    Behind(i16),
    /// Some pieces go on some ways.
    Fan(&'f Fan<W>),
}

/// What becomes of a part of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cartridge) enum Part {
    /// It is walked through.
    Heard,
    /// It is left out.
    LeftOut,
    /// It is the end of the walk.
    Enough,
}

/// Moves of a node, one for each site where they lead.
pub(in crate::cartridge) struct Batch<'f, W> {
    /// The node.
    pub(in crate::cartridge) node: u16,
    /// Where they begin.
    pub(super) start: Start<'f, W>,
    /// On which way, if they go on one.
    pub(super) way: u8,
    /// Where they lead, but for [`Start::Fan`].
    pub(super) sites: Points<W>,
}

impl<W: Span> Batch<'_, W> {
    /// How many moves.
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

    /// False if none begins on one of these sites.
    pub fn may_begin(&self, froms: Points<W>) -> bool {
        match &self.start {
            Start::Fan(fan) => fan.going.pieces.meets(froms),
            _ => !self.begun(froms).is_empty(),
        }
    }

    /// The sites where they begin.
    pub fn froms(&self, machine: &Machine<'_, W>) -> Points<W> {
        match self.start {
            Start::Site(from) => Points::one(Point(from)),
            Start::Same => self.sites,
            Start::Behind(by) => moved(self.sites, by.saturating_neg()),
            Start::Fan(fan) => machine.froms_of_fan(fan),
        }
    }

    /// The sites to which those lead that begin on some sites.
    pub fn tos(&self, froms: Points<W>, machine: &Machine<'_, W>) -> Points<W> {
        match self.start {
            Start::Fan(fan) => machine.tos_of_fan(fan, froms),
            _ => self.begun(froms),
        }
    }

    /// The same, but for a fan.
    fn begun(&self, froms: Points<W>) -> Points<W> {
        match self.start {
            Start::Site(from) if !froms.has(Point(from)) => Points::NONE,
            Start::Site(_) => self.sites,
            Start::Same => self.sites & froms,
            Start::Behind(by) => self.sites & moved(froms, by),
            Start::Fan(_) => Points::NONE,
        }
    }

    /// Those that begin on some sites and lead to others, one after the other.
    pub fn singles(&self, [froms, tos]: [Points<W>; 2]) -> Singles<W> {
        Singles {
            wanted: [froms, tos],
            left: self.begun(froms) & tos,
            fan: Walk::default(),
        }
    }
}

/// Some of the moves of a batch.
pub(in crate::cartridge) struct Singles<W> {
    /// Where they begin, and where they lead.
    wanted: [Points<W>; 2],
    /// Those that are left, but for a fan's.
    left: Points<W>,
    fan: Walk<W>,
}

impl<W: Span> Singles<W> {
    /// From now on only those that lead to these sites.
    #[inline]
    pub fn only_to(&mut self, tos: Points<W>) {
        self.wanted[1] &= tos;
        self.left &= tos;
    }

    /// The next one, and how many of all moves of the batch are before it.
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
fn moved<W: Span>(sites: Points<W>, by: i16) -> Points<W> {
    let far = usize::from(by.unsigned_abs());
    Points(if by > 0 {
        sites.0.up(far)
    } else {
        sites.0.down(far)
    })
}

/// A visitor of moves and batches.
pub(in crate::cartridge) trait Hear<'g, W: Span> {
    /// These moves, if what the adapter asks for holds after them.
    fn batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow;
    /// This move, for which all was asked.
    fn draft(&mut self, machine: &mut Machine<'g, W>, draft: Draft) -> Flow;
    /// This move, if what the adapter asks for holds after it.
    fn loose(&mut self, machine: &mut Machine<'g, W>, draft: Draft, adapter: &Adapter<'_>) -> Flow {
        machine.pass_on(draft, adapter, &mut |machine, draft| {
            self.draft(machine, draft)
        })
    }
    /// True if it matters where the moves of a part begin that begins now.
    fn asks_for_begins(&self) -> bool {
        false
    }
    /// A part of the walk begins that may be left out: all moves that begin on this
    /// site, if it is one's.
    fn begins(&mut self, _: &mut Machine<'g, W>, _: Option<u8>) -> Part {
        Part::Heard
    }
    /// Parts begin, one for each of these pieces, of all moves that begin there: the only
    /// one of interest, if there is at most one and the others may be [left
    /// out](Hear::leaves_out).
    fn only_of(&self, pieces: Points<W>) -> Option<Option<Point>> {
        let _ = pieces;
        None
    }
    /// Leaves out `many` of those parts.
    fn leaves_out(&mut self, many: usize) {
        let _ = many;
    }
    /// A part that was heard is over.
    fn ends(&mut self) {}
    /// The sites to which moves of interest lead, where a part of the walk that leads to
    /// none of them may be [passed over](Hear::passes_over).
    fn aims(&self) -> Option<Points<W>> {
        None
    }
    /// A part of the walk that is of no interest is left out; false if it must not be.
    fn passes_over(&mut self) -> bool {
        false
    }
    /// The only site where moves are of interest, if it is one.
    fn target(&self) -> Option<u8> {
        None
    }
    /// True if one move is enough.
    fn wants_one(&self) -> bool {
        false
    }
    /// True if moves that begin with these pieces are of no interest, so that a batch of
    /// them may be passed over.
    fn is_unwanted(&self, pieces: Points<W>) -> bool {
        let _ = pieces;
        false
    }
    /// Here is a batch without a move, or one that is passed over: the two count alike.
    fn passed(&mut self) {}
}

/// Hears whether there is a move, to a site or at all.
pub(in crate::cartridge) struct Look {
    /// The site, if only moves to it are meant.
    pub target: Option<u8>,
}

impl<'g, W: Span> Hear<'g, W> for Look {
    fn batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let is_one = match self.target {
            // Of a fan there may be some that do not lead to it.
            Some(to) => batch.sites.has(Point(to)) || matches!(batch.start, Start::Fan(_)),
            None => batch.len() > 0,
        };
        if !is_one {
            return ON;
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
                machine.make(single, adapter, &mut |_, _| Flow::Break(()))?;
            }
        }
        ON
    }

    fn draft(&mut self, _: &mut Machine<'g, W>, draft: Draft) -> Flow {
        match self.target {
            Some(to) if draft.to != i16::from(to) => ON,
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
