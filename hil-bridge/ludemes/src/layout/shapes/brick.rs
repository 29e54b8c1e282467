//! Boards of bricks: tiles twice as wide as high, with every second row shifted by half a
//! brick.

use super::super::geometry::Spot;
use super::super::graph::Graph;
use super::sorted;

/// The outline of a board of bricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bricks {
    /// This many rows and columns.
    Rectangle(usize, usize),
    /// A square on its corner, with sides of this length.
    Diamond(usize),
    /// A diamond with two sides cut off: rows, columns.
    Prism(usize, usize),
    /// Rings of bricks around a half brick.
    Spiral(usize),
}

/// Adds the points and edges around a brick of `width` by `height` units, with a point at
/// each unit, clockwise from the lower left.
fn add(graph: &mut Graph, row: i64, column: i64, width: i64, height: i64) {
    let up = (0..height).map(|step| (0, step));
    let right = (0..width).map(|step| (step, height));
    let down = (0..height).map(|step| (width, height - step));
    let left = (0..width).map(|step| (width - step, 0));
    let corners: Vec<usize> = up
        .chain(right)
        .chain(down)
        .chain(left)
        .map(|(x, y)| graph.find_or_add_vertex(Spot::new((column + x) as f64, (row + y) as f64)))
        .collect();
    for (index, corner) in corners.iter().enumerate() {
        graph.find_or_add_edge([*corner, corners[(index + 1) % corners.len()]]);
    }
    graph.find_or_add_face(&corners);
}

/// A board of bricks. With `trim`, rows end with half bricks.
#[must_use]
pub fn brick(shape: Bricks, trim: bool) -> Graph {
    let mut graph = Graph::default();
    let mut lay = |row: i64, column: i64, columns: i64| {
        if trim && column == 0 {
            add(&mut graph, row, column + 1, 1, 1);
        } else if trim && column >= columns - 1 {
            add(&mut graph, row, column, 1, 1);
        } else {
            add(&mut graph, row, column, 2, 1);
        }
    };
    match shape {
        Bricks::Rectangle(rows, columns) => {
            let columns = 2 * columns as i64 + 1;
            for row in 0..rows as i64 {
                for column in (row % 2..columns).step_by(2) {
                    lay(row, column, columns);
                }
            }
        }
        Bricks::Diamond(side) => diamond(side as i64, 0, lay),
        Bricks::Prism(side, middle) => diamond(side as i64, middle as i64, lay),
        Bricks::Spiral(rings) => spiral(&mut graph, rings as i64),
    }
    sorted(graph)
}

fn diamond(side: i64, middle: i64, mut lay: impl FnMut(i64, i64, i64)) {
    let (rows, columns) = (2 * (side + middle), 2 * side);
    for row in 0..rows {
        for column in ((row + 1) % 2..columns).step_by(2) {
            let is_outside = row + column < side - 1
                || column - row >= side
                || row + column >= 3 * side - 1
                || row - column > side;
            if !is_outside {
                lay(row, column, columns);
            }
        }
    }
}

fn spiral(graph: &mut Graph, rings: i64) {
    for ring in 0..rings {
        if ring == 0 {
            add(graph, rings - 1, rings - 1, 1, 1);
        }
        for step in (0..2 * ring).step_by(2) {
            add(graph, rings - ring + step, rings - ring - 1, 1, 2);
            add(graph, rings + ring - 1, rings - ring + step, 2, 1);
            add(graph, rings - ring - 1 + step, rings + ring - 1, 1, 2);
            add(graph, rings - ring - 1, rings - ring - 1 + step, 2, 1);
        }
    }
}
