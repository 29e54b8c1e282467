//! The ways of a board: its lines, sorted so that each site has one next site a
//! way.
//!
//! A line is followed in the steps of one name: of a point of the compass, or of a
//! relation such as `Adjacent`. On many boards these are the same lines; on cells
//! that are triangles a line goes on across a side and a corner in turn, so that
//! it is one of `Adjacent` steps, while those of `Orthogonal` ones end after each.
//! The lines of all names are sorted into as few ways as keep each as it is.
//!
//! What always holds: all lines of a way are lines of the same names.

use std::collections::{BTreeMap, BTreeSet};

use crate::layout::{Direction, Sites};

/// The ways of a board.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// The names of each.
    pub names: Vec<BTreeSet<Direction>>,
    /// For each, for each site, the next one, or the site itself.
    pub next: Vec<Vec<usize>>,
    /// For each, the way that leads back; `None` where none does from all sites.
    pub opposites: Vec<Option<usize>>,
    /// False if lines have opposites that differ from site to site.
    pub has_opposites: bool,
}

/// A step from a site to the next one.
type Edge = (usize, usize);

/// The steps of a line, and for each the one that goes on.
type Line = BTreeMap<Edge, Option<Edge>>;

impl Ways {
    /// The ways of these sites, for lines of these names.
    pub fn of(sites: &Sites, names: impl IntoIterator<Item = Direction>) -> Ways {
        let mut lines: BTreeMap<Line, BTreeSet<Direction>> = BTreeMap::new();
        for name in names {
            for line in lines_of(sites, name) {
                lines.entry(line).or_default().insert(name);
            }
        }
        let mut sorted: Vec<(Line, BTreeSet<Direction>)> = lines.into_iter().collect();
        let compass = |names: &BTreeSet<Direction>| {
            let mut specific = names.iter().filter(|name| name.is_specific());
            specific.next().is_none().then_some(names.len())
        };
        sorted.sort_by(|(_, one), (_, other)| {
            let specific =
                |names: &BTreeSet<Direction>| names.iter().find(|name| name.is_specific()).copied();
            let key = |names| (compass(names), specific(names));
            key(one).cmp(&key(other))
        });
        let mut ways = Ways::default();
        let mut way_of: BTreeMap<(Direction, Edge), usize> = BTreeMap::new();
        for (line, names) in &sorted {
            let way = ways.with_room(sites, line, names);
            for edge in line.keys() {
                ways.next[way][edge.0] = edge.1;
                way_of.extend(names.iter().map(|name| ((*name, *edge), way)));
            }
        }
        ways.pair(sites, &way_of);
        ways
    }

    /// The first way of these names that a line fits into; a new one if there is
    /// none.
    fn with_room(&mut self, sites: &Sites, line: &Line, names: &BTreeSet<Direction>) -> usize {
        let fits = |way: &usize| self.names[*way] == *names && fits(&self.next[*way], line);
        let found = (0..self.next.len()).find(fits);
        found.unwrap_or_else(|| {
            self.names.push(names.clone());
            self.next.push((0..sites.len()).collect());
            self.next.len() - 1
        })
    }

    fn pair(&mut self, sites: &Sites, way_of: &BTreeMap<(Direction, Edge), usize>) {
        let mut found: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.next.len()];
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
                found[*way].extend(back);
            }
        }
        self.has_opposites &= found.iter().all(|backs| backs.len() < 2);
        let one = |backs: &BTreeSet<usize>| backs.first().copied();
        self.opposites = found.iter().map(one).collect();
    }

    /// Those of a name, a bit each.
    pub fn called(&self, name: Direction) -> u32 {
        (0..self.next.len())
            .filter(|way| self.names[*way].contains(&name))
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

/// The lines of a name, each once.
fn lines_of(sites: &Sites, name: Direction) -> Vec<Line> {
    let mut after: Line = BTreeMap::new();
    for from in 0..sites.len() {
        for radial in sites.radials(from, name) {
            let [to, ..] = radial.sites[..] else { continue };
            let next = radial.sites.get(1).map(|next| (to, *next));
            after.insert((from, to), next);
        }
    }
    let mut before: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
    for (edge, next) in &after {
        if let Some(next) = next {
            before.entry(*next).or_default().push(*edge);
        }
    }
    let mut left: BTreeSet<Edge> = after.keys().copied().collect();
    let mut lines = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut line = BTreeMap::from([(first, after[&first])]);
        let mut rest = vec![first];
        while let Some(edge) = rest.pop() {
            let behind = before.get(&edge).into_iter().flatten().copied();
            let ahead = after.get(&edge).copied().flatten();
            for edge in behind.chain(ahead) {
                if left.remove(&edge) {
                    line.insert(edge, after[&edge]);
                    rest.push(edge);
                }
            }
        }
        let starts: BTreeSet<usize> = line.keys().map(|edge| edge.0).collect();
        if starts.len() == line.len() {
            lines.push(line);
        } else {
            // Lines that run together: each by itself.
            let is_first = |edge: &&Edge| !before.contains_key(*edge);
            lines.extend(
                line.keys()
                    .filter(is_first)
                    .map(|first| path(*first, &after)),
            );
        }
    }
    lines
}

/// A line from its first step on.
fn path(first: Edge, after: &Line) -> Line {
    let mut path = Line::new();
    let mut next = Some(first);
    while let Some(edge) = next {
        next = after.get(&edge).copied().flatten();
        let passed = path.keys().any(|known| known.0 == edge.0);
        if passed {
            break;
        }
        path.insert(edge, next);
    }
    path
}

/// True if a line can be of a way without leading it on or being led on by it.
fn fits(next: &[usize], line: &Line) -> bool {
    let leaves = |site: usize| next[site] != site;
    let starts: BTreeSet<usize> = line.keys().map(|edge| edge.0).collect();
    let mut ends = next.iter().enumerate().filter(|(from, to)| from != *to);
    line.iter()
        .all(|(edge, after)| !(leaves(edge.0) || after.is_none() && leaves(edge.1)))
        && ends.all(|(_, to)| leaves(*to) || !starts.contains(to))
}
