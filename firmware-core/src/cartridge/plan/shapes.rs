//! Patterns as sets: where a walk leads from each site.

use heapless::Vec;

use super::super::bytes::SITES;
use super::super::op::Op;
use super::super::span::Span;
use super::Maker;
use crate::points::Points;
use protocol::Point;

/// The most walks of all sites together.
const WALKS: usize = 4096;
/// The most shapes.
const SHAPES: usize = 4;

/// The walks of some shapes.
pub(super) struct Shapes<W> {
    walks: Vec<Points<W>, WALKS>,
    /// For each shape and site, where its walks begin and end.
    of: Vec<[[u16; 2]; SITES], SHAPES>,
}

impl<W: Span> Shapes<W> {
    /// None.
    pub(super) const NONE: Self = Shapes {
        walks: Vec::new(),
        of: Vec::new(),
    };

    /// True if one of the walks of a shape from a site stays within a set.
    #[inline]
    pub(super) fn is_within(&self, shape: u8, site: u8, within: Points<W>) -> bool {
        let Some([start, end]) = self
            .of
            .get(usize::from(shape))
            .and_then(|of| of.get(usize::from(site)))
        else {
            return false;
        };
        let walks = self.walks.get(usize::from(*start)..usize::from(*end));
        let mut walks = walks.unwrap_or(&[]).iter();
        walks.any(|walk| walk.without(within).is_empty())
    }
}

impl<W: Span> Maker<'_, '_, W> {
    /// The shape of [`Op::IsPattern`] at the last site; those of several are one.
    pub(super) fn shape(&mut self, nodes: &[u16]) -> Option<u8> {
        let mut of = [[0; 2]; SITES];
        for (site, of) in of.iter_mut().enumerate().take(self.game.board()) {
            let start = self.plan.shapes.walks.len();
            for node in nodes {
                self.walks(*node, site as u8)?;
            }
            let end = self.plan.shapes.walks.len();
            *of = [u16::try_from(start).ok()?, u16::try_from(end).ok()?];
        }
        self.plan.shapes.of.push(of).ok()?;
        Some(self.plan.shapes.of.len() as u8 - 1)
    }

    /// Notes the walks of a node from a site.
    fn walks(&mut self, at: u16, from: u8) -> Option<()> {
        let (op, x) = self.op(at)?;
        let is_one = op == Op::IsPattern && self.is_op(self.operand(at, 1), Op::LastTo);
        is_one.then_some(())?;
        let (walk, around) = (self.operand(at, 2), self.operand(at, 3));
        let around_it = self.game.table(around);
        let sites = if x == 0 { 0 } else { self.game.board() };
        let directions = around_it.len() / sites.max(1);
        for start in 0..directions {
            let turns = [directions as i32, sites as i32];
            if let Some(reached) = self.walk(from, walk, around, start as i32, turns) {
                self.plan.shapes.walks.push(reached).ok()?;
            }
        }
        Some(())
    }

    /// The sites of a walk; `None` if it leaves the board.
    fn walk(
        &self,
        from: u8,
        walk: u16,
        around: u16,
        start: i32,
        [directions, sites]: [i32; 2],
    ) -> Option<Points<W>> {
        let (mut here, mut direction) = (from, start);
        let mut reached = Points::one(Point(from));
        for step in self.game.table(walk) {
            match step {
                0 if sites == 0 => {
                    let way = self.game.entry(around, direction)?;
                    here = self.game.step(here, u32::try_from(way).ok()?)?;
                    reached.insert(Point(here));
                }
                0 => {
                    let place = direction * sites + i32::from(here);
                    let next = self.game.entry(around, place)?;
                    let next = usize::try_from(next).ok()?;
                    (next < self.game.sites()).then_some(())?;
                    here = next as u8;
                    reached.insert(Point(here));
                }
                1 => direction = (direction + 1) % directions,
                _ => direction = (direction + directions - 1) % directions,
            }
        }
        Some(reached)
    }
}
