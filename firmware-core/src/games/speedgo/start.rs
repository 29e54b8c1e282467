//! The random start of modes 0 and 2.
//!
//! The start is fair by construction: half a turn of the board exchanges green and red
//! stones, so neither colour has the better shape. Green only has the first move.

use protocol::{Point, Side};

use super::is_too_narrow;
use super::stones::Stones;
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// The number of points that a board needs for each two stones at the start: a third of
/// it stays empty, for playing.
const POINTS_FOR_TWO_STONES: usize = 3;

/// The number of attempts in which each group must have two liberties; after them, one is
/// enough.
const SPACIOUS_TRIES: u32 = 4;

/// The total number of attempts, which only limits the work. On boards that are large
/// enough the first or second one succeeds.
const TRIES: u32 = 64;

/// `stones_each` stones of each colour on an otherwise empty board; `None` if it is
/// too small.
///
/// Every group has a liberty, and if possible, no group can be captured by the first
/// move.
pub fn scatter<W: Word>(grid: &Grid<W>, stones_each: usize, rng: &mut Rng) -> Option<Stones<W>> {
    let points = grid.sides().points();
    if is_too_narrow(grid) || stones_each * POINTS_FOR_TWO_STONES > points {
        return None;
    }
    (0..TRIES).find_map(|attempt| {
        let liberties = if attempt < SPACIOUS_TRIES { 2 } else { 1 };
        try_scatter(grid, stones_each, liberties, rng)
    })
}

/// One attempt: goes through the points in random order, and uses each together with its
/// image if every group keeps enough liberties.
fn try_scatter<W: Word>(
    grid: &Grid<W>,
    stones_each: usize,
    min_liberties: usize,
    rng: &mut Rng,
) -> Option<Stones<W>> {
    let mut stones = Stones::default();
    let mut candidates = grid.all();
    for _ in 0..stones_each {
        stones = loop {
            let point = rng.pick(candidates)?;
            let image = half_turn(grid, point);
            candidates.remove(point);
            candidates.remove(image);
            let mut next = stones;
            next.0[Side::Green.index()].insert(point);
            next.0[Side::Red.index()].insert(image);
            // By symmetry, it is enough to examine the surroundings of one of the two.
            if point != image && is_free(grid, &next, point, min_liberties) {
                break next;
            }
        };
    }
    Some(stones)
}

/// The point opposite to this one across the centre.
fn half_turn<W: Word>(grid: &Grid<W>, point: Point) -> Point {
    let last = (grid.sides().points() - 1) as u8;
    Point(last.saturating_sub(point.0))
}

/// True if the group on this point and the groups next to it have at least `liberties`
/// liberties.
fn is_free<W: Word>(grid: &Grid<W>, stones: &Stones<W>, point: Point, liberties: usize) -> bool {
    let here = Points::one(point);
    let stones_here = (grid.beside(here) & stones.all()) | here;
    // Most stones have enough liberties themselves, so their groups need not be found.
    let mut unsure = stones_here.without(beside_two(grid, stones.empty(grid)));
    while let Some(stone) = unsure.first() {
        let group = stones.group(grid, stone);
        if stones.liberties(grid, group).len() < liberties {
            return false;
        }
        unsure = unsure.without(group);
    }
    true
}

/// The points beside at least two of the set.
fn beside_two<W: Word>(grid: &Grid<W>, set: Points<W>) -> Points<W> {
    let beside = |way| grid.shift(set, way);
    let [east, west] = [beside(Direction::East), beside(Direction::West)];
    let [south, north] = [beside(Direction::South), beside(Direction::North)];
    (east & west) | (south & north) | ((east | west) & (south | north))
}
