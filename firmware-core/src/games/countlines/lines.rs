//! Lines of four, for all stones at once.
//!
//! A set of stones is intersected with itself, moved by one, two and three points along a
//! direction; a line ends wherever all four meet. Each set of four in a row is a line, so
//! five in a row are two lines.
//!
//! Invariants: a line never continues across the edge of the board.

use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// One direction of each pair of opposite ones, so that each line is counted once.
const AXES: [Direction; 4] = [
    Direction::East,
    Direction::South,
    Direction::SouthEast,
    Direction::SouthWest,
];

/// The direction that leads the opposite way.
pub(super) fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::East => Direction::West,
        Direction::SouthEast => Direction::NorthWest,
        Direction::South => Direction::North,
        Direction::SouthWest => Direction::NorthEast,
        Direction::West => Direction::East,
        Direction::NorthWest => Direction::SouthEast,
        Direction::North => Direction::South,
        Direction::NorthEast => Direction::SouthWest,
    }
}

/// The last points of all rows of four in `set`.
#[inline]
fn fours<W: Word>(set: Points<W>, direction: Direction, grid: &Grid<W>) -> Points<W> {
    let pairs = set & grid.shift(set, direction);
    let moved = grid.shift(grid.shift(pairs, direction), direction);
    pairs & moved
}

/// The number of lines that these stones make.
#[must_use]
pub fn lines<W: Word>(stones: Points<W>, grid: &Grid<W>) -> u16 {
    AXES.into_iter()
        .map(|direction| fours(stones, direction, grid).len() as u16)
        .sum()
}

/// The number of possible lines that contain no stone of the opponent and 1, 2, 3 and 4
/// own stones.
#[must_use]
pub fn chances<W: Word>(own: Points<W>, other: Points<W>, grid: &Grid<W>) -> [u16; 4] {
    let mut found = [0; 4];
    for direction in AXES {
        let free = fours(grid.all().without(other), direction, grid);
        let second = grid.shift(own, direction);
        let third = grid.shift(second, direction);
        let fourth = grid.shift(third, direction);
        // Counts the four bits at each point.
        let (odd, both) = (own ^ second, own & second);
        let (odd_too, both_too) = (third ^ fourth, third & fourth);
        let ones = odd ^ odd_too;
        let twos = (odd & odd_too) ^ both ^ both_too;
        let counts = [
            ones.without(twos),
            twos.without(ones),
            ones & twos,
            both & both_too,
        ];
        for (found, count) in found.iter_mut().zip(counts) {
            *found += (count & free).len() as u16;
        }
    }
    found
}

/// The points of `dark` at which one more stone completes a line of `stones`.
#[must_use]
pub fn completing<W: Word>(stones: Points<W>, dark: Points<W>, grid: &Grid<W>) -> Points<W> {
    let mut found = Points::NONE;
    for direction in AXES {
        let back = opposite(direction);
        let ahead = grid.shift(stones, direction);
        let behind = grid.shift(stones, back);
        // Two in a row that end directly before the point, or start directly after it.
        let two_ahead = ahead & grid.shift(ahead, direction);
        let two_behind = behind & grid.shift(behind, back);
        let third_ahead = grid.shift(two_ahead, direction) & ahead;
        let third_behind = grid.shift(two_behind, back) & behind;
        found |= third_ahead | third_behind | (two_ahead & behind) | (two_behind & ahead);
    }
    found & dark
}
