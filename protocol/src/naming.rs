//! Names for the points of a drawing; on hosts only.
//!
//! Players name a point by its lines: a letter for the column, a number for the row. On a
//! drawing these lines may be slanted. The two directions are chosen for which the points
//! fall into the fewest lines. On a hexagon these are level rows and columns that lean to
//! the left; on a rhombus, the lines along its sides; on nested squares, the usual rows
//! and columns. If no two such directions give each point a name of its own, each height
//! is a row and each distance from the left a column.
//!
//! Invariants: names depend on places alone; no two points share a name; rows count from
//! the bottom, columns from the left.

use core::cmp::Ordering;
use core::ops::{Neg, RangeInclusive};
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

use crate::{Name, Place};

/// The largest distance between two points, in pitches, that counts as a direction.
const REACH: f64 = 1.6;

/// How far a point may be from its line, in pitches; rasters round coordinates.
const ASIDE: f64 = 0.3;

/// The largest number of directions considered: those of the most neighbours.
const MOST_SLANTS: usize = 12;

/// The steepest slope of rows, in degrees.
const STEEPEST: f64 = 62.0;

/// The angles between rows and columns, in degrees.
const TURNED: RangeInclusive<f64> = 55.0..=125.0;

/// Columns at this angle or more to the rows, in degrees, are preferred: upright ones,
/// and ones that lean to the left.
const TURNED_WELL: f64 = 85.0;

/// Slanted lines are only used if there are at most this many of them for each level or
/// upright line.
const FEW: f64 = 0.8;

/// The names of points at these places, in their order.
pub fn names(places: &[Place]) -> Vec<Name> {
    let pitch = pitch(places);
    let slants = slants(places, pitch);
    let lines = |slant: Slant| Lines::new(places, slant, ASIDE * pitch);
    let rows: Vec<Lines> = slants.iter().filter_map(|it| it.row()).map(lines).collect();
    let columns = slants.iter().filter_map(|it| it.column()).map(lines);
    let columns: Vec<Lines> = columns.collect();
    let paper = [Slant::LEVEL, Slant::DOWN].map(|slant| Lines::new(places, slant, 0.0));
    let paper = paper.each_ref();
    let few = f64::from(many(paper)) * FEW;
    let mut pairs: Vec<[&Lines; 2]> = Vec::new();
    for row in &rows {
        let all = columns.iter().map(|column| [row, column]);
        pairs.extend(all.filter(|pair| {
            let is_few = is_of_paper(*pair) || f64::from(many(*pair)) <= few;
            is_few && TURNED.contains(&turned(*pair))
        }));
    }
    pairs.sort_by(|one, other| {
        let order = badness(*one).partial_cmp(&badness(*other));
        order.unwrap_or(Ordering::Equal)
    });
    let found = pairs.into_iter().map(of_lines).find(|names| {
        let different: BTreeSet<&Name> = names.iter().collect();
        different.len() == names.len()
    });
    found.unwrap_or_else(|| of_lines(paper))
}

/// A measure to minimise: fewer lines first, then rows that are level or else rise, then
/// columns that lean to the left or else are upright.
fn badness(pair: [&Lines; 2]) -> [f64; 5] {
    let [row, column] = pair.map(|lines| lines.slant);
    let is_narrow = turned(pair) < TURNED_WELL;
    [
        f64::from(many(pair)),
        row.degrees().abs().round(),
        -row.degrees(),
        f64::from(u8::from(is_narrow)),
        (column.rise() - 90.0).abs(),
    ]
}

/// The angle between columns and rows, in degrees.
fn turned([row, column]: [&Lines; 2]) -> f64 {
    column.slant.rise() - row.slant.degrees()
}

/// The number of rows and columns together.
fn many([rows, columns]: [&Lines; 2]) -> u16 {
    u16::from(rows.many) + u16::from(columns.many)
}

fn is_of_paper(pair: [&Lines; 2]) -> bool {
    pair.map(|lines| lines.slant) == [Slant::LEVEL, Slant::DOWN]
}

fn of_lines([rows, columns]: [&Lines; 2]) -> Vec<Name> {
    let both = rows.of.iter().zip(&columns.of);
    both.map(|(row, column)| Name {
        column: *column,
        row: *row,
    })
    .collect()
}

/// The smallest distance between two points; 1 if there are no two points.
fn pitch(places: &[Place]) -> f64 {
    let least = steps(places).map(|step| step.dx * step.dx + step.dy * step.dy);
    least.min().map_or(1.0, |least| f64::from(least).sqrt())
}

/// The steps from each point to each earlier one.
fn steps(places: &[Place]) -> impl Iterator<Item = Slant> {
    let all = places.iter().enumerate();
    let pairs = all.flat_map(|(index, one)| places[..index].iter().map(move |two| (one, two)));
    pairs.map(|(one, two)| Slant {
        dx: i32::from(two.x) - i32::from(one.x),
        dy: i32::from(two.y) - i32::from(one.y),
    })
}

/// The directions in which most neighbours lie, each to the right or down.
fn slants(places: &[Place], pitch: f64) -> Vec<Slant> {
    let mut counts: BTreeMap<Slant, usize> = BTreeMap::new();
    for step in steps(places) {
        if f64::from(step.dx).hypot(step.dy.into()) <= REACH * pitch {
            *counts.entry(step.shortest()).or_default() += 1;
        }
    }
    counts.extend([Slant::LEVEL, Slant::DOWN].map(|always| (always, usize::MAX)));
    let mut slants: Vec<(Slant, usize)> = counts.into_iter().collect();
    slants.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
    slants.truncate(MOST_SLANTS);
    slants.into_iter().map(|(slant, _)| slant).collect()
}

/// A direction in which points follow each other, as steps to the right and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slant {
    dx: i32,
    dy: i32,
}

impl Slant {
    const LEVEL: Slant = Slant { dx: 1, dy: 0 };
    const DOWN: Slant = Slant { dx: 0, dy: 1 };

    /// The same direction in the smallest whole numbers, pointing to the right or
    /// down.
    fn shortest(self) -> Slant {
        let mut common = [self.dx.abs(), self.dy.abs()];
        while common[1] > 0 {
            common = [common[1], common[0] % common[1]];
        }
        let shortest = Slant {
            dx: self.dx / common[0],
            dy: self.dy / common[0],
        };
        shortest.max(-shortest)
    }

    /// The direction as one of rows: to the right, and not too steep.
    fn row(self) -> Option<Slant> {
        Some(self).filter(|row| row.degrees().abs() <= STEEPEST)
    }

    /// The direction as one of columns: downwards.
    fn column(self) -> Option<Slant> {
        match self.dy.cmp(&0) {
            Ordering::Less => Some(-self),
            Ordering::Equal => None,
            Ordering::Greater => Some(self),
        }
    }

    /// The angle from the right, against the clock.
    fn degrees(self) -> f64 {
        f64::from(-self.dy).atan2(self.dx.into()).to_degrees()
    }

    /// The angle of the direction or its opposite, whichever points up.
    fn rise(self) -> f64 {
        self.degrees().rem_euclid(180.0)
    }
}

impl Neg for Slant {
    type Output = Slant;

    fn neg(self) -> Slant {
        Slant {
            dx: -self.dx,
            dy: -self.dy,
        }
    }
}

/// Points in lines of one direction.
struct Lines {
    slant: Slant,
    many: u8,
    /// The line of each point. Lines that go to the right are counted upwards, lines that
    /// go down are counted to the right.
    of: Vec<u8>,
}

impl Lines {
    /// Points whose offsets differ by no more than `aside` are on one line.
    fn new(places: &[Place], slant: Slant, aside: f64) -> Lines {
        let Slant { dx, dy } = slant;
        let away = |place: &Place| dy * i32::from(place.x) - dx * i32::from(place.y);
        let away: Vec<i32> = places.iter().map(away).collect();
        let mut sorted = away.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let far = aside * f64::from(dx).hypot(dy.into());
        let is_apart = |pair: &&[i32]| f64::from(pair[1] - pair[0]) > far;
        let begins: Vec<i32> = sorted
            .windows(2)
            .filter(is_apart)
            .map(|pair| pair[1])
            .collect();
        let line = |away: &i32| begins.partition_point(|begin| begin <= away) as u8;
        Lines {
            slant,
            many: begins.len() as u8 + 1,
            of: away.iter().map(line).collect(),
        }
    }
}
