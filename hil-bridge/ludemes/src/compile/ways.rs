//! The ways of a board: its lines, sorted so that each way leads from a site to at most
//! one next site.
//!
//! A line follows steps with one name: a point of the compass, or a relation such as
//! `Adjacent`. On many boards these give the same lines. On triangular cells, a line of
//! `Adjacent` steps crosses sides and corners alternately, while a line of `Orthogonal`
//! steps ends after one step. The lines of all names are sorted into as few ways as
//! possible without changing any line.
//!
//! Invariants: all lines of a way have the same names.

use std::collections::{BTreeMap, BTreeSet};

use crate::layout::{Direction, Sites};

/// The ways of a board.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// For each way, the names of its lines.
    pub names: Vec<BTreeSet<Direction>>,
    /// For each way and site, the next site, or the site itself if there is none.
    pub next: Vec<Vec<usize>>,
    /// For each way, the opposite way; `None` if there is no single one for all sites.
    pub opposites: Vec<Option<usize>>,
    /// For each way and site, the opposite way, if it depends on the site.
    pub opposites_at: Vec<Vec<Option<usize>>>,
    /// False if a site has several opposite lines.
    pub has_opposites: bool,
}

/// A step from a site to the next one.
type Edge = (usize, usize);

/// The steps of a line, each with the step that follows.
type Line = BTreeMap<Edge, Option<Edge>>;

/// A line, and all its names.
type Named = (Line, BTreeSet<Direction>);

impl Ways {
    /// The ways of these sites, for lines of these names.
    pub fn of(sites: &Sites, names: impl IntoIterator<Item = Direction>) -> Ways {
        let mut lines: BTreeMap<Line, BTreeSet<Direction>> = BTreeMap::new();
        for name in names {
            for line in lines_of(sites, name) {
                lines.entry(line).or_default().insert(name);
            }
        }
        let mut sorted: Vec<Named> = lines.into_iter().collect();
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
        let (opposites, places) = opposites_of(sites, &sorted);
        let one = |line: usize| opposites[line].first().copied();
        let is_mutual = |line: usize| one(line).is_none_or(|back| one(back) == Some(line));
        let of_one = opposites.iter().all(|backs| backs.len() < 2);
        // A line and its reverse are only opposites at a site if they leave it in opposite
        // directions, because lines may bend.
        let is_straight = |line: usize| {
            let back = one(line).map(|back| &sorted[back].0);
            let leads_back = |site: usize| {
                back.is_some_and(|back| back.range((site, 0)..(site + 1, 0)).next().is_some())
            };
            let mut starts = sorted[line].0.keys().map(|edge| edge.0);
            starts.all(|site| !leads_back(site) || places.contains(&(line, site)))
        };
        let are = |is: &dyn Fn(usize) -> bool| (0..sorted.len()).all(is);
        if !of_one || !are(&is_mutual) || !are(&is_straight) {
            return Ways::by_site(sites, &sorted);
        }
        let mut ways = Ways {
            has_opposites: true,
            ..Ways::default()
        };
        let mut done = vec![false; sorted.len()];
        // Lines with an opposite come first, because they determine which ways belong
        // together.
        for line in 0..sorted.len() {
            if let Some(back) = one(line).filter(|back| *back != line && !done[*back])
                && !done[line]
            {
                ways.add_both(sites.len(), &sorted[line], &sorted[back]);
                (done[line], done[back]) = (true, true);
            }
        }
        for line in (0..sorted.len()).filter(|line| !done[*line]) {
            ways.add_alone(sites.len(), &sorted[line], one(line) == Some(line));
        }
        ways
    }

    /// The ways of a board on which opposites depend on the site.
    fn by_site(sites: &Sites, lines: &[Named]) -> Ways {
        let mut ways = Ways {
            has_opposites: true,
            ..Ways::default()
        };
        let mut way_of: BTreeMap<(Direction, Edge), usize> = BTreeMap::new();
        for line in lines {
            let way = (0..ways.next.len()).find(|way| ways.takes(*way, line));
            let way = way.unwrap_or_else(|| ways.new_way(sites.len(), &line.1));
            ways.put(way, &line.0);
            for edge in line.0.keys() {
                way_of.extend(line.1.iter().map(|name| ((*name, *edge), way)));
            }
        }
        ways.opposites_at = vec![vec![None; sites.len()]; ways.next.len()];
        for from in 0..sites.len() {
            let radials = sites.all_radials(from);
            let way = |radial: &crate::layout::Radial| {
                let to = *radial.sites.first()?;
                way_of.get(&(radial.direction, (from, to))).copied()
            };
            for radial in radials.all() {
                let backs: BTreeSet<usize> = radials.opposites(radial).filter_map(way).collect();
                let Some(way) = way(radial) else { continue };
                let known = ways.opposites_at[way][from];
                let back = backs.first().copied();
                let is_same = known.zip(back).is_none_or(|(known, back)| known == back);
                ways.has_opposites &= backs.len() < 2 && is_same;
                ways.opposites_at[way][from] = known.or(back);
            }
        }
        ways
    }

    /// Adds a line and its opposite to two ways that are opposites.
    fn add_both(&mut self, board: usize, line: &Named, back: &Named) {
        let fits = |way: &usize| {
            let Some(other) = self.opposites[*way].filter(|other| other != way) else {
                return false;
            };
            self.takes(*way, line)
                && self.takes(other, back)
                && self.is_clear(other, &line.0, Some(&back.0))
                && self.is_clear(*way, &back.0, Some(&line.0))
        };
        let way = (0..self.next.len()).find(fits).unwrap_or_else(|| {
            let way = self.new_way(board, &line.1);
            let other = self.new_way(board, &back.1);
            self.opposites[way] = Some(other);
            self.opposites[other] = Some(way);
            way
        });
        self.put(way, &line.0);
        if let Some(other) = self.opposites[way] {
            self.put(other, &back.0);
        }
    }

    /// Adds a line that has no opposite or is its own.
    fn add_alone(&mut self, board: usize, line: &Named, is_own_back: bool) {
        let fits = |way: &usize| {
            self.takes(*way, line)
                && match self.opposites[*way] {
                    Some(other) if other == *way => is_own_back,
                    Some(other) => !is_own_back && self.is_clear(other, &line.0, None),
                    None => !is_own_back,
                }
        };
        let way = (0..self.next.len()).find(fits).unwrap_or_else(|| {
            let way = self.new_way(board, &line.1);
            self.opposites[way] = is_own_back.then_some(way);
            way
        });
        self.put(way, &line.0);
    }

    fn new_way(&mut self, board: usize, names: &BTreeSet<Direction>) -> usize {
        self.names.push(names.clone());
        self.next.push((0..board).collect());
        self.opposites.push(None);
        self.next.len() - 1
    }

    fn put(&mut self, way: usize, line: &Line) {
        for edge in line.keys() {
            self.next[way][edge.0] = edge.1;
        }
    }

    /// True if a line can be added to a way.
    fn takes(&self, way: usize, (line, names): &Named) -> bool {
        self.names[way] == *names && fits(&self.next[way], line)
    }

    /// True if no line of a way leaves the sites of `line`, except `but`.
    fn is_clear(&self, way: usize, line: &Line, but: Option<&Line>) -> bool {
        line.keys().all(|(site, _)| {
            let to = self.next[way][*site];
            to == *site || but.is_some_and(|but| but.contains_key(&(*site, to)))
        })
    }

    /// The ways with this name, as bits.
    pub fn called(&self, name: Direction) -> u32 {
        (0..self.next.len())
            .filter(|way| self.names[*way].contains(&name))
            .fold(0, |all, way| all | 1 << way)
    }

    /// One way of each pair of opposites, as bits.
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

/// For each line, its opposites, and the sites at which there are any.
fn opposites_of(
    sites: &Sites,
    lines: &[Named],
) -> (Vec<BTreeSet<usize>>, BTreeSet<(usize, usize)>) {
    let mut line_of: BTreeMap<(Direction, Edge), usize> = BTreeMap::new();
    for (index, (line, names)) in lines.iter().enumerate() {
        for edge in line.keys() {
            line_of.extend(names.iter().map(|name| ((*name, *edge), index)));
        }
    }
    let mut opposites = vec![BTreeSet::new(); lines.len()];
    let mut places = BTreeSet::new();
    for from in 0..sites.len() {
        let radials = sites.all_radials(from);
        let line = |radial: &crate::layout::Radial| {
            let to = *radial.sites.first()?;
            line_of.get(&(radial.direction, (from, to))).copied()
        };
        for radial in radials.all() {
            if let Some(index) = line(radial) {
                let backs: Vec<usize> = radials.opposites(radial).filter_map(line).collect();
                if !backs.is_empty() {
                    places.insert((index, from));
                }
                opposites[index].extend(backs);
            }
        }
    }
    (opposites, places)
}

/// The different lines with this name.
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
            // Lines that share steps are kept separate.
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

/// True if a line can be added to a way without being joined to another line.
fn fits(next: &[usize], line: &Line) -> bool {
    let leaves = |site: usize| next[site] != site;
    let starts: BTreeSet<usize> = line.keys().map(|edge| edge.0).collect();
    let mut ends = next.iter().enumerate().filter(|(from, to)| from != *to);
    line.iter()
        .all(|(edge, after)| !(leaves(edge.0) || after.is_none() && leaves(edge.1)))
        && ends.all(|(_, to)| leaves(*to) || !starts.contains(to))
}
