//! The ownership of points: the area count, unconditional life, and whether all points
//! are settled.

use protocol::{MAX_POINTS, Side};

use super::groups::{Connectivity, Groups, Near, On};
use super::stones::{Stones, beside, parts, spread};
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// The number of regions that make a group alive.
const LIVES_BY: u8 = 2;

/// The points of each side, `[green, red]`: its stones, and the empty points that are
/// surrounded by its stones only.
#[must_use]
pub fn area<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> [Points<W>; 2] {
    let empty = stones.empty(grid);
    let reach = Side::BOTH.map(|side| spread(grid, beside(grid, stones.of(side)), empty));
    [
        stones.of(Side::Green) | reach[0].without(reach[1]),
        stones.of(Side::Red) | reach[1].without(reach[0]),
    ]
}

/// The number of points of each side, `[green, red]`.
#[must_use]
pub fn count<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> [u16; 2] {
    area(grid, stones).map(|points| points.len() as u16)
}

/// The stones of a side that can never be captured, even if it always passes (David
/// B. Benson, Life in the game of Go, 1976).
///
/// A region is a connected set of points without stones of the side. It keeps a group
/// alive if each of its empty points is a liberty of the group. A group is alive if it
/// has two such regions that only living groups enclose.
// A separate function, so that its stack is free again when it returns.
#[inline(never)]
#[must_use]
pub fn alive<W: Word>(grid: &Grid<W>, stones: &Stones<W>, side: Side) -> Points<W> {
    let own = stones.of(side);
    if own.is_empty() {
        return own;
    }
    let groups = stones.groups(grid, side, Connectivity::Regions);
    let kept_by = kept_by(&groups);
    // The regions that a dead group encloses; at first no group is dead.
    let mut is_open = [false; MAX_POINTS];
    let mut dead = [false; MAX_POINTS];
    loop {
        let regions = regions_of_each(&groups, &kept_by, &is_open);
        let mut is_settled = true;
        for group in groups.each_name() {
            let dies = groups.on(group) == On::Own && regions[usize::from(group)] < LIVES_BY;
            if dies && !dead[usize::from(group)] {
                dead[usize::from(group)] = true;
                is_settled = false;
            }
        }
        if is_settled {
            break;
        }
        groups.each_pair(|one, other| {
            let (group, region) = match (groups.on(one), groups.on(other)) {
                (On::Own, On::Nothing | On::Theirs) => (one, other),
                (On::Nothing | On::Theirs, On::Own) => (other, one),
                _ => return,
            };
            if dead[usize::from(groups.name_of(group))] {
                is_open[usize::from(groups.name_of(region))] = true;
            }
        });
    }
    own.filter(|point| dead[usize::from(groups.name_of(point.0))])
        .fold(own, |living, point| living.without(Points::one(point)))
}

/// True if all stones of a side are [`alive`].
#[inline(never)]
fn are_all_alive<W: Word>(grid: &Grid<W>, stones: &Stones<W>, side: Side) -> bool {
    let groups = stones.groups(grid, side, Connectivity::Regions);
    let regions = regions_of_each(&groups, &kept_by(&groups), &[false; MAX_POINTS]);
    groups
        .each_name()
        .filter(|name| groups.on(*name) == On::Own)
        .all(|group| regions[usize::from(group)] >= LIVES_BY)
}

/// The number of regions that keep each group alive, by the name of the group; open
/// regions do not count.
fn regions_of_each(
    groups: &Groups,
    kept_by: &[Near; MAX_POINTS],
    is_open: &[bool; MAX_POINTS],
) -> [u8; MAX_POINTS] {
    let mut regions = [0_u8; MAX_POINTS];
    for region in groups.each_name() {
        if groups.on(region) != On::Own && !is_open[usize::from(region)] {
            for group in &kept_by[usize::from(region)] {
                let count = &mut regions[usize::from(*group)];
                *count = count.saturating_add(1);
            }
        }
    }
    regions
}

/// For each region, by its name: the groups that have all of its empty points as
/// liberties. Unused entries of the four contain the name of the region.
#[inline(never)]
fn kept_by(groups: &Groups) -> [Near; MAX_POINTS] {
    let mut kept_by = [Near::default(); MAX_POINTS];
    let mut is_seen = [false; MAX_POINTS];
    for point in groups.each() {
        if groups.on(point) != On::Nothing {
            continue;
        }
        let region = groups.name_of(point);
        let near = groups.own_near(point);
        let known = &mut kept_by[usize::from(region)];
        if !is_seen[usize::from(region)] {
            is_seen[usize::from(region)] = true;
            *known = near;
        } else {
            for group in known {
                if !near.contains(group) {
                    *group = region;
                }
            }
        }
    }
    kept_by
}

/// True if the other side cannot make two eyes in this part of the board, which is
/// enclosed by living stones of one side.
///
/// An eye of the invader cannot be next to the surrounding stones, which are never
/// captured, so it needs an inner point. Two eyes need two inner points that are not
/// neighbours.
fn is_too_small_to_live<W: Word>(grid: &Grid<W>, part: Points<W>) -> bool {
    let inside = part.without(beside(grid, grid.all().without(part)));
    match inside.len() {
        0 | 1 => true,
        2 => inside.meets(beside(grid, inside)),
        _ => false,
    }
}

/// The points that the other side can never get: living stones, and what they enclose if
/// the other side cannot live in there (its stones there are dead).
#[must_use]
pub fn settled<W: Word>(grid: &Grid<W>, stones: &Stones<W>, side: Side) -> Points<W> {
    let living = alive(grid, stones, side);
    if living.is_empty() {
        return living;
    }
    parts(grid, grid.all().without(living))
        .filter(|part| is_too_small_to_live(grid, *part))
        .fold(living, |settled, part| settled | part)
}

/// True if the borders are closed: both sides have stones, and every empty point is
/// surrounded by one of them. The areas may still be contested.
#[must_use]
pub fn is_divided<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> bool {
    are_divided(grid, stones, area(grid, stones))
}

/// As [`is_divided`], for [`area`]s that have been computed already.
#[must_use]
pub fn are_divided<W: Word>(grid: &Grid<W>, stones: &Stones<W>, areas: [Points<W>; 2]) -> bool {
    let has_both = stones.0.iter().all(|own| !own.is_empty());
    has_both && areas[0] | areas[1] == grid.all()
}

fn nothing_is_neutral<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> bool {
    let [green, red] = area(grid, stones);
    green | red == grid.all()
}

/// True if the owner of every point is clear: all stones are alive, and every empty point
/// is enclosed by one side in an area that is too small for the other one. Nothing can be
/// captured or invaded any more.
#[must_use]
pub fn is_clear<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> bool {
    // The cheap conditions come first; they are almost always false.
    if !nothing_is_neutral(grid, stones) {
        return false;
    }
    let empty = stones.empty(grid);
    let inside = empty.without(beside(grid, stones.all()));
    parts(grid, spread(grid, inside, empty)).all(|part| is_too_small_to_live(grid, part))
        && Side::BOTH
            .into_iter()
            .all(|side| are_all_alive(grid, stones, side))
}
