//! Random starts that favour neither colour.
//!
//! Each green point is drawn at random, and the point opposite to it across the centre
//! becomes red, so that half a turn of the board exchanges the colours.
//!
//! Invariants: no point is in both sets, and all points are on the board.

use protocol::Point;

use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// `each` random points of each colour, `[green, red]`; fewer if the board has no room.
/// On a board with an odd number of points the centre stays dark.
#[must_use]
pub fn scatter<W: Word>(grid: &Grid<W>, each: usize, rng: &mut Rng) -> [Points<W>; 2] {
    let mut stones = [Points::NONE; 2];
    let mut free = grid.all();
    for point in grid.all().filter(|point| half_turn(grid, *point) == *point) {
        free.remove(point);
    }
    for _ in 0..each {
        let Some(point) = rng.pick(free) else { break };
        for (stones, point) in stones.iter_mut().zip([point, half_turn(grid, point)]) {
            stones.insert(point);
            free.remove(point);
        }
    }
    stones
}

/// The point opposite to this one across the centre.
fn half_turn<W: Word>(grid: &Grid<W>, point: Point) -> Point {
    let last = grid.sides().points().saturating_sub(1) as u8;
    Point(last.saturating_sub(point.0))
}

#[cfg(test)]
mod tests {
    use protocol::Layout;

    use super::*;
    use crate::word::Wide;

    #[test]
    fn scattered_colours_are_equal_and_point_symmetric() {
        for (columns, rows) in [(9, 9), (8, 8), (5, 7), (16, 16), (1, 4)] {
            let grid = Grid::<Wide>::new(Layout::grid(columns, rows).unwrap()).unwrap();
            for seed in 0..20 {
                let [green, red] = scatter(&grid, 2, &mut Rng::new(seed));
                assert_eq!([green.len(), red.len()], [2, 2]);
                assert!(!green.meets(red));
                let turned: Points<Wide> = green.map(|point| half_turn(&grid, point)).collect();
                assert_eq!(turned, red);
            }
        }
    }

    #[test]
    fn a_board_without_room_gets_fewer() {
        let grid = Grid::<u64>::new(Layout::grid(3, 1).unwrap()).unwrap();
        let [green, red] = scatter(&grid, 9, &mut Rng::new(1));
        assert_eq!([green.len(), red.len()], [1, 1]);
    }
}
