//! The lines of a board: what lies from a site on in one direction.
//!
//! A radial follows steps of one name as long as they bend by less than a
//! quarter of a radian, always the one that bends least. Two that leave a site
//! in opposite directions are opposites: together they are a line through it.
//!
//! Invariants: a radial has at least one site and none twice; the
//! radials of a site and name are in clockwise order from north.

use std::ops::Range;

use super::direction::Direction;
use super::geometry::{Spot, bend};
use super::graph::SiteType;
use super::step::BoardStep;
use super::steps::clockwise;

/// How far a radial may bend from one step to the next, in radians.
const MOST_BEND: f64 = 0.25;

/// How far two radials may be from a straight line to be opposites.
const OPPOSITE: f64 = 0.1;

/// The sites from one on in one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Radial {
    /// The name of its steps.
    pub direction: Direction,
    /// The sites, from the next one on.
    pub sites: Vec<usize>,
    /// The radials of the same site that lead the other way, as numbers among
    /// [`Radials::all`].
    pub opposites: Vec<usize>,
    /// True for one of each pair of opposites, and for those without.
    pub is_distinct: bool,
}

/// The radials of a site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Radials {
    all: Vec<Radial>,
    /// The radials of each direction, by its number.
    of: Vec<Range<usize>>,
}

impl Radials {
    /// Every radial, by direction; at the end those that are part of a longer one.
    #[must_use]
    pub fn all(&self) -> &[Radial] {
        &self.all
    }

    /// The radials in one direction.
    #[must_use]
    pub fn of(&self, direction: Direction) -> &[Radial] {
        &self.all[self.of[direction as usize].clone()]
    }

    /// The radials that lead the other way.
    pub fn opposites(&self, radial: &Radial) -> impl Iterator<Item = &Radial> {
        radial.opposites.iter().map(|other| &self.all[*other])
    }
}

/// The radials of every site of a type, whose steps are given.
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

/// True if a radial takes the other as an opposite: one is enough, but for
/// directions in, out and around, where each that goes elsewhere counts.
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

/// Drops from the opposites of each radial those that are the beginning of
/// another.
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

/// The radials by direction, each direction clockwise from north; those in, out
/// and around are `Rotational` too.
fn sorted(spots: &[Spot], site: usize, found: Vec<Radial>) -> Radials {
    use Direction::{CCW, CW, In, Out, Rotational};
    let here = spots[site];
    let angle = |radial: &Radial| clockwise(here, spots[radial.sites[0]]);
    // For each place of the result, the radial of `found` that stands there.
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
    // Radials that are in no list can still be opposites.
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

/// For each of these radials, true unless it is the opposite of one before.
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
