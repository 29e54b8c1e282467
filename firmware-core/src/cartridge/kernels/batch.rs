//! Moves of a kind as a set, and who hears of them.

use protocol::Point;

use crate::points::Points;

use super::super::action::Draft;
use super::super::bytes::{Cartridge, WAYS};
use super::super::machine::{Flow, Link, Machine, first_bits};
use super::super::moves::ON;
use super::super::sites::each_way;
use super::super::span::Span;

/// Where the moves of a batch begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cartridge) enum Start {
    /// All at this site.
    Site(u8),
    /// Where they lead.
    Same,
    /// So many sites before where they lead.
    Behind(i16),
    /// At the sites of the set, which are those where they begin: they lead one
    /// step on.
    Here,
    /// At this site; they lead on ways to as many sites as are told.
    Rays(u8, Rays),
}

/// How many sites are reached on each of some ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cartridge) struct Rays {
    /// The ways.
    pub(super) ways: u32,
    /// All sites that are reached.
    pub(super) many: u16,
    /// Those of each way.
    pub(super) far: [u8; WAYS],
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
pub(in crate::cartridge) struct Batch<W> {
    /// The node.
    pub node: u16,
    /// Where they begin.
    pub start: Start,
    /// On which way, if they go on one.
    pub way: u8,
    /// Where they lead, but for [`Start::Here`].
    pub sites: Points<W>,
}

/// One move of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cartridge) struct Single {
    /// The node.
    pub node: u16,
    /// Where it begins.
    pub from: u8,
    /// Where it leads.
    pub to: u8,
    /// On which way.
    pub way: u8,
}

impl<W: Span> Batch<W> {
    /// The move of one of the sites.
    fn single(&self, game: &Cartridge<'_>, site: Point) -> Single {
        let mut to = site;
        let from = match self.start {
            Start::Site(from) | Start::Rays(from, _) => from,
            Start::Same => site.0,
            Start::Behind(by) => (i32::from(site.0) - i32::from(by)) as u8,
            Start::Here => {
                let next = game.step(site.0, self.way.into());
                to = Point(next.unwrap_or(site.0));
                site.0
            }
        };
        Single {
            node: self.node,
            from,
            to: to.0,
            way: self.way,
        }
    }

    /// How many moves.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.start {
            Start::Rays(_, rays) => rays.many.into(),
            _ => self.sites.len(),
        }
    }

    /// The move with so many before it.
    pub fn nth(&self, game: &Cartridge<'_>, n: usize) -> Option<Single> {
        let Start::Rays(from, rays) = &self.start else {
            return self.sites.nth(n).map(|site| self.single(game, site));
        };
        let mut left = n;
        for way in each_way(rays.ways) {
            let far = usize::from(*rays.far.get(way as usize)?);
            if left < far {
                let to = (0..=left).fold(*from, |site, _| game.step(site, way).unwrap_or(site));
                return Some(Single {
                    node: self.node,
                    from: *from,
                    to,
                    way: way as u8,
                });
            }
            left -= far;
        }
        None
    }

    /// The sites where they begin.
    pub fn froms(&self) -> Points<W> {
        match self.start {
            Start::Site(from) | Start::Rays(from, _) => Points::one(Point(from)),
            Start::Same | Start::Here => self.sites,
            Start::Behind(by) => moved(self.sites, by.saturating_neg()),
        }
    }

    /// All of them.
    pub fn each(&self, game: &Cartridge<'_>) -> impl Iterator<Item = Single> {
        self.each_from(!Points::NONE, game)
            .map(|(_, single)| single)
    }

    /// Those that begin on some sites, and how many of all of them are before each.
    pub fn each_from(
        &self,
        froms: Points<W>,
        game: &Cartridge<'_>,
    ) -> impl Iterator<Item = (usize, Single)> {
        let (mut left, rays) = match self.start {
            Start::Site(from) if !froms.has(Point(from)) => (Points::NONE, 0),
            Start::Rays(from, _) if !froms.has(Point(from)) => (Points::NONE, 0),
            Start::Site(_) => (self.sites, 0),
            Start::Rays(..) => (Points::NONE, self.len()),
            Start::Same | Start::Here => (self.sites & froms, 0),
            Start::Behind(by) => (self.sites & moved(froms, by), 0),
        };
        let mut rays = (0..rays).filter_map(move |n| Some((n, self.nth(game, n)?)));
        core::iter::from_fn(move || match left.next() {
            Some(site) => {
                let before = self.sites & Points(first_bits(site.index()));
                Some((before.len(), self.single(game, site)))
            }
            None => rays.next(),
        })
    }
}

/// The sites so many after those of a set.
fn moved<W: Span>(sites: Points<W>, by: i16) -> Points<W> {
    let far = usize::from(by.unsigned_abs());
    Points(if by > 0 {
        sites.0.up(far)
    } else {
        sites.0.down(far)
    })
}

/// Who hears of moves.
pub(in crate::cartridge) trait Hear<'g, W: Span> {
    /// These moves, if what the link asks for holds after them.
    fn batch(&mut self, machine: &mut Machine<'g, W>, batch: &Batch<W>, link: &Link<'_>) -> Flow;
    /// This move, for which all was asked.
    fn draft(&mut self, machine: &mut Machine<'g, W>, draft: Draft) -> Flow;
    /// This move, if what the link asks for holds after it.
    fn loose(&mut self, machine: &mut Machine<'g, W>, draft: Draft, link: &Link<'_>) -> Flow {
        machine.pass_on(draft, link, &mut |machine, draft| {
            self.draft(machine, draft)
        })
    }
    /// A part of the walk begins that may be left out: all moves of this piece, if it
    /// is one's.
    fn begins(&mut self, _: &mut Machine<'g, W>, _: Option<u8>) -> Part {
        Part::Heard
    }
    /// A part that was heard is over.
    fn ends(&mut self) {}
    /// The only site where moves are of interest, if it is one.
    fn target(&self) -> Option<u8> {
        None
    }
    /// True if one move is enough.
    fn wants_one(&self) -> bool {
        false
    }
}

/// Hears whether there is a move, to a site or at all.
pub(in crate::cartridge) struct Look {
    /// The site, if only moves to it are meant.
    pub target: Option<u8>,
}

impl<'g, W: Span> Hear<'g, W> for Look {
    fn batch(&mut self, machine: &mut Machine<'g, W>, batch: &Batch<W>, link: &Link<'_>) -> Flow {
        let is_one = match self.target {
            // Those steps alone are told of that lead to it.
            Some(_) if batch.start == Start::Here => true,
            Some(to) => batch.sites.has(Point(to)) || matches!(batch.start, Start::Rays(..)),
            None => batch.len() > 0,
        };
        if !is_one {
            return ON;
        }
        if !link.asks() && !matches!(batch.start, Start::Rays(..)) {
            return Flow::Break(());
        }
        for single in batch.each(machine.game) {
            if self.target.is_none_or(|to| to == single.to) {
                if !link.asks() {
                    return Flow::Break(());
                }
                machine.make(single, link, &mut |_, _| Flow::Break(()))?;
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
