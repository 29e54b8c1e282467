//! Patterns and short lines as sets of sites: those of each walk from a site, and those
//! of each line through it.

use firmware_core::cartridge::bytes::SITES;
use firmware_core::cartridge::inside::{Inside, WalkTurns, each_way};
use firmware_core::cartridge::op::{NOTHING, Op, slot};
use firmware_core::points::Points;
use firmware_core::word::Word;
use heapless::Vec;
use protocol::Point;

use super::{PlanBuilder, ShapeId, Table};

/// The maximum number of walks of all sites together.
const WALKS: usize = 4096;
/// The largest number of shapes.
const SHAPES: usize = 8;
/// The maximum length of a line that counts as a shape.
const LONGEST: usize = 8;

/// The walks of some shapes.
pub(super) struct Shapes<W> {
    walks: Vec<Points<W>, WALKS>,
    /// For each shape and site, its range of walks.
    of: Table<ShapeId, [[u16; 2]; SITES], SHAPES>,
}

impl<W: Word> Shapes<W> {
    /// A list without shapes.
    pub(super) const NONE: Self = Shapes {
        walks: Vec::new(),
        of: Table::NONE,
    };

    /// True if at least one walk of the shape from this site stays within the set.
    #[inline]
    pub(super) fn is_within(&self, shape: ShapeId, site: u8, within: Points<W>) -> bool {
        let Some([start, end]) = self.of.get(shape).and_then(|of| of.get(usize::from(site))) else {
            return false;
        };
        let walks = self.walks.get(usize::from(*start)..usize::from(*end));
        let mut walks = walks.unwrap_or(&[]).iter();
        walks.any(|walk| walk.without(within).is_empty())
    }
}

impl<W: Word> PlanBuilder<'_, '_, W> {
    /// The shape of one or several [`Op::IsPattern`] at the last site.
    pub(super) fn shape(&mut self, nodes: &[u16]) -> Option<ShapeId> {
        let mut of = [[0; 2]; SITES];
        for (site, of) in of.iter_mut().enumerate().take(self.game.board()) {
            let start = self.plan.shapes.walks.len();
            for node in nodes {
                match self.is_op(*node, Op::IsLine) {
                    true => self.lines(*node, site as u8)?,
                    false => self.walks(*node, site as u8)?,
                }
            }
            let end = self.plan.shapes.walks.len();
            *of = [u16::try_from(start).ok()?, u16::try_from(end).ok()?];
        }
        self.plan.shapes.of.push(of)
    }

    /// True if a line is short enough for a table, on boards of one word.
    pub(super) fn is_short_line(&self, at: u16) -> bool {
        let Some(ways) = self.ways_for_all(self.operand(at, slot::IsLine::WAYS)) else {
            return false;
        };
        let is_plain = self.number(at) & !1 == 0
            && [slot::IsLine::SITES, slot::IsLine::CONDITION]
                .iter()
                .all(|slot| self.operand(at, *slot) == NOTHING);
        let is_exact = self.number(at) & 1 != 0;
        let length = self
            .constant(self.operand(at, slot::IsLine::LENGTH))
            .unwrap_or(0);
        W::BITS <= 64
            && is_plain
            && (1..=LONGEST as i32).contains(&length)
            && (0..self.game.board()).all(|site| {
                each_way(ways).all(|way| {
                    let found = self.windows(site as u8, way, length as usize, is_exact, |_| {});
                    found.is_some()
                })
            })
    }

    /// Tabulates the lines of a node through a site.
    fn lines(&mut self, at: u16, from: u8) -> Option<()> {
        let ways = self.ways_for_all(self.operand(at, slot::IsLine::WAYS))?;
        let length =
            usize::try_from(self.constant(self.operand(at, slot::IsLine::LENGTH))?).ok()?;
        let is_exact = self.number(at) & 1 != 0;
        for way in each_way(ways) {
            let mut found = Vec::<Points<W>, LONGEST>::new();
            self.windows(from, way, length, is_exact, |line| {
                let _ = found.push(line);
            })?;
            for line in found {
                self.plan.shapes.walks.push(line).ok()?;
            }
        }
        Some(())
    }

    /// Visits the lines of this length through a site, along a way and its opposite.
    /// `None` if they are circular, or if a line that must be exact could be longer.
    fn windows(
        &self,
        from: u8,
        way: u32,
        length: usize,
        is_exact: bool,
        mut tell: impl FnMut(Points<W>),
    ) -> Option<()> {
        let follow = |way: u32| {
            let mut sites = Vec::<u8, LONGEST>::new();
            let mut here = from;
            while sites.len() < length
                && let Some(next) = self.game.step(here, way)
            {
                here = next;
                sites.push(here).ok()?;
            }
            Some(sites)
        };
        let up = follow(way)?;
        let down = match self.machine.opposite_at(way, from) {
            Some(back) => follow(back)?,
            None => Vec::new(),
        };
        let all = || up.iter().chain(&down);
        let apart: Points<W> = all().map(|site| Point(*site)).collect();
        let goes_round = apart.len() != up.len() + down.len() || apart.has(Point(from));
        if goes_round {
            return None;
        }
        for back in 0..length.min(down.len() + 1) {
            let on = length - 1 - back;
            if on > up.len() {
                continue;
            }
            let is_longer = up.len() > on || down.len() > back;
            if is_exact && is_longer {
                return None;
            }
            let sites = up.iter().take(on).chain(down.iter().take(back));
            let line: Points<W> = sites.map(|site| Point(*site)).collect();
            tell(line | Points::one(Point(from)));
        }
        Some(())
    }

    /// Tabulates the walks of a node from a site.
    fn walks(&mut self, at: u16, from: u8) -> Option<()> {
        let (op, extra) = self.op(at)?;
        let is_one =
            op == Op::IsPattern && self.is_op(self.operand(at, slot::IsPattern::SITE), Op::LastTo);
        if !is_one {
            return None;
        }
        let (walk, around) = (
            self.operand(at, slot::IsPattern::WALK),
            self.operand(at, slot::IsPattern::AROUND),
        );
        let turns = WalkTurns::of(self.game, around, extra);
        for start in 0..turns.directions {
            if let Some(reached) = self.walk(from, walk, start, turns) {
                self.plan.shapes.walks.push(reached).ok()?;
            }
        }
        Some(())
    }

    /// The sites of a walk; empty if it leaves the board.
    fn walk(&self, from: u8, walk: u16, start: i32, turns: WalkTurns) -> Option<Points<W>> {
        let WalkTurns {
            table,
            directions,
            sites,
        } = turns;
        let (mut here, mut direction) = (from, start);
        let mut reached = Points::one(Point(from));
        for step in self.game.table(walk) {
            match step {
                0 if sites == 0 => {
                    let way = self.game.entry(table, direction)?;
                    here = self.game.step(here, u32::try_from(way).ok()?)?;
                    reached.insert(Point(here));
                }
                0 => {
                    let place = direction * sites + i32::from(here);
                    let next = self.game.entry(table, place)?;
                    let next = usize::try_from(next).ok()?;
                    if next >= self.game.sites() {
                        return None;
                    }
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
