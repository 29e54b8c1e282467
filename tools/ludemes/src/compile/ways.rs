//! The ways of a board: its lines, sorted so that each site has one next site a
//! way.
//!
//! The lines of a board go by the points of the compass; two of one name may
//! leave a site, and a line ends where it would bend too much though another of
//! the same name goes on there. So the steps of each name are sorted into as few
//! ways as keep all lines as they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::layout::{Direction, Sites};

/// The ways of a board.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// The name of each.
    pub names: Vec<Direction>,
    /// The relations of each.
    pub relations: Vec<BTreeSet<Direction>>,
    /// For each, for each site, the next one, or the site itself.
    pub next: Vec<Vec<usize>>,
    /// For each, the way that leads back; `None` where none does from all sites.
    pub opposites: Vec<Option<usize>>,
    /// False if lines have opposites that differ from site to site.
    pub has_opposites: bool,
}

/// A step from a site to the next one.
type Edge = (usize, usize);

impl Ways {
    /// The ways of these sites; `None` if a line changes its relation on the way.
    pub fn of(sites: &Sites) -> Option<Ways> {
        let mut ways = Ways::default();
        let mut way_of: BTreeMap<(Direction, Edge), usize> = BTreeMap::new();
        for name in Direction::ALL.iter().copied() {
            if name.is_specific() {
                ways.add(sites, name, &mut way_of)?;
            }
        }
        ways.pair(sites, &way_of);
        Some(ways)
    }

    /// Sorts the steps of one name.
    fn add(
        &mut self,
        sites: &Sites,
        name: Direction,
        way_of: &mut BTreeMap<(Direction, Edge), usize>,
    ) -> Option<()> {
        let mut after: BTreeMap<Edge, Option<Edge>> = BTreeMap::new();
        for from in 0..sites.len() {
            for radial in sites.radials(from, name) {
                let [to, ..] = radial.sites[..] else { continue };
                let next = radial.sites.get(1).map(|next| (to, *next));
                after.insert((from, to), next);
            }
        }
        let mut left: BTreeSet<Edge> = after.keys().copied().collect();
        let first = self.next.len();
        while let Some(edge) = left.pop_first() {
            let line = whole_line(edge, &after);
            for edge in &line {
                left.remove(edge);
            }
            let relations = relations_of(sites, name, &line)?;
            let fits = |way: &usize| {
                self.relations[*way] == relations && fits(&self.next[*way], &line, &after)
            };
            let way = (first..self.next.len()).find(fits).unwrap_or_else(|| {
                self.names.push(name);
                self.relations.push(relations.clone());
                self.next.push((0..sites.len()).collect());
                self.next.len() - 1
            });
            for edge in line {
                self.next[way][edge.0] = edge.1;
                way_of.insert((name, edge), way);
            }
        }
        Some(())
    }

    fn pair(&mut self, sites: &Sites, way_of: &BTreeMap<(Direction, Edge), usize>) {
        let mut found: Vec<BTreeSet<Option<usize>>> = vec![BTreeSet::new(); self.next.len()];
        self.has_opposites = true;
        for from in 0..sites.len() {
            let radials = sites.all_radials(from);
            for radial in radials.all() {
                let [to, ..] = radial.sites[..] else { continue };
                let Some(way) = way_of.get(&(radial.direction, (from, to))) else {
                    continue;
                };
                let mut backs = radials.opposites(radial);
                let back = backs.next().and_then(|back| {
                    let [to, ..] = back.sites[..] else {
                        return None;
                    };
                    way_of.get(&(back.direction, (from, to))).copied()
                });
                self.has_opposites &= backs.next().is_none();
                if back.is_some() {
                    found[*way].insert(back);
                }
            }
        }
        self.has_opposites &= found.iter().all(|backs| backs.len() < 2);
        let one = |backs: &BTreeSet<Option<usize>>| backs.iter().next().copied().flatten();
        self.opposites = found.iter().map(one).collect();
    }

    /// Those of a relation or of a name, a bit each.
    pub fn called(&self, name: Direction) -> u32 {
        let is = |way: &usize| self.names[*way] == name || self.relations[*way].contains(&name);
        (0..self.next.len())
            .filter(is)
            .fold(0, |all, way| all | 1 << way)
    }

    /// Of each pair of opposites, one.
    pub fn half(&self, ways: u32) -> u32 {
        let is_first = |way: &usize| {
            let back = self.opposites[*way].filter(|back| ways & (1 << back) != 0);
            back.is_none_or(|back| *way < back)
        };
        (0..self.next.len())
            .filter(|way| ways & (1 << way) != 0)
            .filter(is_first)
            .fold(0, |all, way| all | 1 << way)
    }
}

/// All steps that a line through one consists of.
fn whole_line(edge: Edge, after: &BTreeMap<Edge, Option<Edge>>) -> BTreeSet<Edge> {
    let mut line = BTreeSet::from([edge]);
    let mut rest = vec![edge];
    while let Some(edge) = rest.pop() {
        let before = after.iter().filter(|(_, next)| **next == Some(edge));
        let before = before.map(|(before, _)| *before);
        let next = after.get(&edge).copied().flatten();
        for edge in before.chain(next) {
            if line.insert(edge) {
                rest.push(edge);
            }
        }
    }
    line
}

/// The relations of a line, if all its steps have the same.
fn relations_of(
    sites: &Sites,
    name: Direction,
    line: &BTreeSet<Edge>,
) -> Option<BTreeSet<Direction>> {
    let of = |(from, to): &Edge| -> BTreeSet<Direction> {
        let mut steps = sites.steps(*from);
        let step = steps.find(|step| step.to == *to && step.directions.iter().any(|d| d == name));
        let directions = step.map(|step| step.directions.iter().collect::<Vec<_>>());
        let directions = directions.unwrap_or_default().into_iter();
        directions.filter(|one| !one.is_specific()).collect()
    };
    let mut all = line.iter().map(of);
    let first = all.next()?;
    all.all(|relations| relations == first).then_some(first)
}

/// True if a line can be of a way without leading it on or being led on by it.
fn fits(next: &[usize], line: &BTreeSet<Edge>, after: &BTreeMap<Edge, Option<Edge>>) -> bool {
    let leaves = |site: usize| next[site] != site;
    let mut ends = next.iter().enumerate().filter(|(from, to)| from != *to);
    line.iter().all(|edge| {
        let ends_here = after.get(edge).copied().flatten().is_none();
        !(leaves(edge.0) || ends_here && leaves(edge.1))
    }) && ends.all(|(from, to)| {
        let goes_on = after.get(&(from, *to)).copied().flatten().is_some();
        goes_on || !line.iter().any(|edge| edge.0 == *to)
    })
}
