//! The lines of a board: the sites from one site on in one direction.
//!
//! A radial follows steps with one name, always the one that bends least, as long as they
//! bend by less than a quarter of a radian. Two radials that leave a site in opposite
//! directions are opposites, and together form a line through the site.
//!
//! Invariants: a radial has at least one site, and no site twice; the radials of a site
//! with one name are in clockwise order from north.

use std::ops::Range;

use super::direction::Direction;
use super::geometry::{Spot, bend};
use super::graph::SiteType;
use super::step::BoardStep;
use super::steps::clockwise;

/// The maximum bend of a radial between two steps, in radians.
const MOST_BEND: f64 = 0.25;

/// The maximum deviation of two opposite radials from a straight line, in radians.
const OPPOSITE: f64 = 0.1;

/// The sites from a site on in one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Radial {
    /// The name of its steps.
    pub direction: Direction,
    /// The sites in order, without the start.
    pub sites: Vec<usize>,
    /// The opposites at the same site, as indices of [`Radials::all`].
    pub opposites: Vec<usize>,
    /// True for one of each pair of opposites, and for radials without opposites.
    pub is_distinct: bool,
}

/// The radials of a site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Radials {
    all: Vec<Radial>,
    /// For each direction, by its number, the range of its radials.
    of: Vec<Range<usize>>,
}

impl Radials {
    /// All radials by direction, followed by those that are only part of a longer one.
    #[must_use]
    pub fn all(&self) -> &[Radial] {
        &self.all
    }

    /// The radials in one direction.
    #[must_use]
    pub fn of(&self, direction: Direction) -> &[Radial] {
        &self.all[self.of[direction as usize].clone()]
    }

    /// The opposites of a radial.
    pub fn opposites(&self, radial: &Radial) -> impl Iterator<Item = &Radial> {
        radial.opposites.iter().map(|other| &self.all[*other])
    }
}

/// The radials of all sites of a type, given their steps.
pub fn radials(spots: &[Spot], of: SiteType, steps: &[Vec<BoardStep>]) -> Vec<Radials> {
    let from = |site: usize| {
        let mut found = Vec::new();
        for direction in Direction::ALL {
            for step in leading(&steps[site], of, *direction) {
                let sites = follow(spots, of, steps, site, step.to, *direction);
                add(spots, site, &mut found, *direction, sites);
            }
        }
        drop_shorter_opposites(&mut found);
        sorted(spots, site, found)
    };
    (0..steps.len()).map(from).collect()
}

fn leading(
    steps: &[BoardStep],
    to: SiteType,
    direction: Direction,
) -> impl Iterator<Item = &BoardStep> {
    let leads = move |step: &&BoardStep| step.to_type == to && step.directions.has(direction);
    steps.iter().filter(leads)
}

fn follow(
    spots: &[Spot],
    of: SiteType,
    steps: &[Vec<BoardStep>],
    start: usize,
    first: usize,
    direction: Direction,
) -> Vec<usize> {
    use Direction::{CCW, CW, In, Out};
    let (mut before, mut here) = (start, first);
    let mut sites = vec![first];
    loop {
        let mut ways = leading(&steps[here], of, direction);
        let next = match direction {
            CW | CCW | In | Out => ways.next().map(|step| step.to),
            _ => {
                let [from, at] = [before, here].map(|site| spots[site]);
                let bends = ways.map(|step| (step.to, bend(from, at, spots[step.to])));
                let slight = bends.filter(|(_, bend)| *bend < MOST_BEND.tan());
                slight
                    .reduce(|best, next| if next.1 < best.1 { next } else { best })
                    .map(|(to, _)| to)
            }
        };
        match next {
            Some(next) if next != start && !sites.contains(&next) => {
                sites.push(next);
                (before, here) = (here, next);
            }
            _ => return sites,
        }
    }
}

fn add(
    spots: &[Spot],
    site: usize,
    found: &mut Vec<Radial>,
    direction: Direction,
    sites: Vec<usize>,
) {
    let is_known = |other: &Radial| other.direction == direction && other.sites == sites;
    if found.iter().any(is_known) {
        return;
    }
    let here = spots[site];
    let mut radial = Radial {
        direction,
        sites,
        opposites: Vec::new(),
        is_distinct: true,
    };
    let number = found.len();
    for index in 0..number {
        if are_opposite(spots, here, &radial, &found[index]) {
            if takes(&radial, &found[index], found) {
                radial.opposites.push(index);
            }
            if takes(&found[index], &radial, found) {
                found[index].opposites.push(number);
            }
        }
    }
    found.push(radial);
}

/// True if `other` is added to a radial's opposites. One opposite is enough, except that
/// among directions in, out and around, each that leads elsewhere counts.
fn takes(radial: &Radial, other: &Radial, found: &[Radial]) -> bool {
    let one_is_enough = radial.direction.is_specific() || other.direction == radial.direction;
    let is_same = |known: &usize| found[*known].sites == other.sites;
    radial.opposites.is_empty() || !one_is_enough && !radial.opposites.iter().any(is_same)
}

fn are_opposite(spots: &[Spot], here: Spot, one: &Radial, other: &Radial) -> bool {
    use Direction::{CCW, CW, In, Out};
    if matches!(one.direction, CW | CCW | In | Out) && one.direction.opposite() == other.direction {
        return true;
    }
    let comparable = one.direction == other.direction
        || one.direction.is_specific() && other.direction.is_specific();
    let [first, second] = [one, other].map(|radial| spots[radial.sites[0]]);
    comparable && bend(first, here, second) < OPPOSITE.tan()
}

/// Removes opposites that are the beginning of another opposite.
fn drop_shorter_opposites(found: &mut [Radial]) {
    for index in 0..found.len() {
        let mut opposites = found[index].opposites.clone();
        let mut last = opposites.len();
        while last > 0 {
            last -= 1;
            let sites = &found[opposites[last]].sites;
            let begins = |(place, other): (usize, &usize)| {
                place != last && found[*other].sites.starts_with(sites)
            };
            if opposites.iter().enumerate().any(begins) {
                opposites.remove(last);
            }
        }
        found[index].opposites = opposites;
    }
}

/// The radials by direction, each direction clockwise from north. Radials in, out and
/// around are also `Rotational`.
fn sorted(spots: &[Spot], site: usize, found: Vec<Radial>) -> Radials {
    use Direction::{CCW, CW, In, Out, Rotational};
    let here = spots[site];
    let angle = |radial: &Radial| clockwise(here, spots[radial.sites[0]]);
    // For each place in the result, the index in `found`.
    let (mut order, mut ranges) = (Vec::new(), Vec::new());
    for direction in Direction::ALL {
        let own = |direction: Direction| {
            let numbered = found.iter().enumerate();
            numbered
                .filter(move |(_, radial)| radial.direction == direction)
                .map(|(index, _)| index)
        };
        let mut members: Vec<usize> = own(*direction).collect();
        if *direction == Rotational {
            members.extend([In, Out, CW, CCW].into_iter().flat_map(own));
            members = without_beginnings(&found, members);
        }
        let distinct = distinct(&found, &members);
        let mut members: Vec<(usize, bool)> = members.into_iter().zip(distinct).collect();
        members.sort_by(|one, other| angle(&found[one.0]).total_cmp(&angle(&found[other.0])));
        let first = order.len();
        order.extend(
            members
                .into_iter()
                .map(|(index, distinct)| (index, distinct, *direction)),
        );
        ranges.push(first..order.len());
    }
    // Radials in no list can still be opposites.
    for (index, radial) in found.iter().enumerate() {
        if !order.iter().any(|(other, _, _)| *other == index) {
            order.push((index, true, radial.direction));
        }
    }
    let place = |index: usize| order.iter().position(|(other, _, _)| *other == index);
    let all = order.iter().map(|(index, is_distinct, direction)| Radial {
        direction: *direction,
        sites: found[*index].sites.clone(),
        opposites: found[*index]
            .opposites
            .iter()
            .filter_map(|other| place(*other))
            .collect(),
        is_distinct: *is_distinct,
    });
    Radials {
        all: all.collect(),
        of: ranges,
    }
}

fn without_beginnings(found: &[Radial], mut members: Vec<usize>) -> Vec<usize> {
    let mut last = members.len();
    while last > 0 {
        last -= 1;
        let sites = &found[members[last]].sites;
        let begins = |(place, other): (usize, &usize)| {
            place != last && found[*other].sites.starts_with(sites)
        };
        if members.iter().enumerate().any(begins) {
            members.remove(last);
        }
    }
    members
}

/// For each of these radials, true unless it is the opposite of an earlier one.
fn distinct(found: &[Radial], members: &[usize]) -> Vec<bool> {
    let mut kept: Vec<usize> = Vec::new();
    let is_new = |member: &usize| {
        let is_opposite = |other: &usize| {
            let mut opposites = found[*other].opposites.iter();
            opposites.any(|opposite| found[*opposite].sites == found[*member].sites)
        };
        let is_new = !kept.iter().any(is_opposite);
        if is_new {
            kept.push(*member);
        }
        is_new
    };
    members.iter().map(is_new).collect()
}
