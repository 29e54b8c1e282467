//! Whose the points are: the count, unconditional life, and whether all of it
//! is clear.

use protocol::Side;

use super::stones::{Stones, beside, parts, spread};
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// The points of each side, `[green, red]`: its stones, and the empty points
/// that its stones alone surround.
#[must_use]
pub fn area<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> [Points<W>; 2] {
    let empty = stones.empty(grid);
    let reach = Side::BOTH.map(|side| spread(grid, beside(grid, stones.of(side)), empty));
    [
        stones.of(Side::Green) | reach[0].without(reach[1]),
        stones.of(Side::Red) | reach[1].without(reach[0]),
    ]
}

/// How many points each side has, `[green, red]`.
#[must_use]
pub fn count<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> [u16; 2] {
    area(grid, stones).map(|points| points.len() as u16)
}

/// The stones of a side that can never be taken, even if it passes for ever
/// (David B. Benson, Life in the game of Go, 1976).
///
/// A region is a connected part of what is not the side's. It keeps a group
/// alive if each of its empty points is a liberty of the group, and a group
/// lives by two such regions that living groups alone enclose.
#[must_use]
pub fn alive<W: Word>(grid: &Grid<W>, stones: &Stones<W>, side: Side) -> Points<W> {
    let own = stones.of(side);
    let empty = stones.empty(grid);
    let mut living = own;
    loop {
        let (mut once, mut twice) = (Points::NONE, Points::NONE);
        for region in parts(grid, grid.all().without(own)) {
            let walls = beside(grid, region) & own;
            if !walls.without(living).is_empty() {
                continue;
            }
            let kept = next_to_each(grid, region & empty, living);
            twice |= once & kept;
            once |= kept;
        }
        if twice == living {
            return living;
        }
        living = twice;
    }
}

/// Those of these groups that have each of the points as a liberty.
fn next_to_each<W: Word>(grid: &Grid<W>, points: Points<W>, groups: Points<W>) -> Points<W> {
    let mut left = groups;
    for point in points {
        if left.is_empty() {
            break;
        }
        left = spread(grid, beside(grid, Points::one(point)), left);
    }
    left
}

/// True if in this part of the board, which living stones of one side enclose,
/// the other side cannot make two eyes.
///
/// An eye of the invader cannot lie next to the stones around it, which are
/// never taken: it needs a point in the inside. Two eyes need two such points
/// that are not neighbours.
fn is_too_small_to_live<W: Word>(grid: &Grid<W>, part: Points<W>) -> bool {
    let inside = part.without(beside(grid, grid.all().without(part)));
    match inside.len() {
        0 | 1 => true,
        2 => inside.meets(beside(grid, inside)),
        _ => false,
    }
}

/// What can never become the other side's: living stones, and what they
/// enclose if the other side cannot live in there (its stones that lie there
/// are dead).
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

/// True if it is clear whose every point is: all stones live, and every empty
/// point is enclosed by one side and too small for the other. Nothing can be
/// taken or invaded any more, whatever is played.
#[must_use]
pub fn is_clear<W: Word>(grid: &Grid<W>, stones: &Stones<W>) -> bool {
    // The cheap question first: it is nearly always answered with no.
    let may_be_clear = parts(grid, stones.empty(grid)).all(|part| {
        let around = beside(grid, part);
        let owners = Side::BOTH
            .into_iter()
            .filter(|side| around.meets(stones.of(*side)));
        owners.count() == 1 && is_too_small_to_live(grid, part)
    });
    may_be_clear
        && Side::BOTH
            .into_iter()
            .all(|side| alive(grid, stones, side) == stones.of(side))
}
