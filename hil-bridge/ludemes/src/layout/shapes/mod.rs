//! Generators: the graphs from which boards are made.
//!
//! Most boards are pieces of tilings. A tiling is a *lattice*, the places of its largest
//! tile, and the *figure* of corners around each place; an outline selects the places
//! that belong to the board. Edges join corners that are a unit apart.
//!
//! Invariants: elements have the numbers that players expect: row by row from the bottom,
//! unless a generator says otherwise.

mod brick;
mod celtic;
mod concentric;
mod figures;
mod hex;
mod quadhex;
mod square;
mod tilings;
mod tri;

pub use brick::{Bricks, brick};
pub use celtic::{Knot, celtic};
pub use concentric::{Joins, circle, concentric, target};
pub use figures::{mancala, mesh, regular, repeat, rotated, spiral, strewn_mesh, wedge};
pub use hex::{Hexes, hex};
pub use quadhex::quadhex;
pub use square::{Diagonals, diamond, pyramid, rectangle, sided};
pub use tilings::{Tiling, tiling};
pub use tri::{Triangles, tri};

use super::geometry::{Polygon, Spot};
use super::graph::Graph;

/// The height of a triangle with sides of 1.
const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

/// How much outlines are enlarged, so that points on them count as inside.
const RIM: f64 = 0.1;

/// The graph of a figure at each place of a lattice. Corners at the same place become one.
fn laid(places: impl IntoIterator<Item = Spot>, figure: &[Spot]) -> Graph {
    Graph::of_units(&corners(places, figure))
}

/// The corners of a figure at each place, each once.
fn corners(places: impl IntoIterator<Item = Spot>, figure: &[Spot]) -> Vec<Spot> {
    const SAME: f64 = 0.1;
    let mut corners: Vec<Spot> = Vec::new();
    for place in places {
        for corner in figure {
            let corner = place.plus(*corner);
            if !corners.iter().any(|other| other.distance(corner) < SAME) {
                corners.push(corner);
            }
        }
    }
    corners
}

/// Numbers the elements of a graph by their places.
fn sorted(mut graph: Graph) -> Graph {
    graph.sort();
    graph
}

/// The places of a lattice that belong to a shape, row by row.
fn places<'a>(
    rows: std::ops::Range<i64>,
    columns: std::ops::Range<i64>,
    belongs: impl Fn(i64, i64) -> bool + 'a,
    place: impl Fn(i64, i64) -> Spot + 'a,
) -> impl Iterator<Item = Spot> + 'a {
    let all = rows.flat_map(move |row| columns.clone().map(move |column| (row, column)));
    let inside = all.filter(move |(row, column)| belongs(*row, *column));
    inside.map(move |(row, column)| place(row, column))
}

/// The places of a lattice within an outline. As many rows and columns are searched as
/// the outline is high and wide, plus `margin`. On a slanted lattice this misses places
/// far up on the right; players know these boards without them.
fn places_within<'a>(
    outline: &'a Polygon,
    margin: i64,
    place: impl Fn(i64, i64) -> Spot + 'a,
) -> impl Iterator<Item = Spot> + 'a {
    let [least, most] = outline.extent().unwrap_or_default();
    let rows = least.y as i64 - margin..most.y as i64 + margin + 1;
    let columns = least.x as i64 - margin..most.x as i64 + margin + 1;
    let all = places(rows, columns, |_, _| true, place);
    all.filter(|spot| outline.holds(*spot))
}

/// True for places of a six-pointed star, whose points have sides of `side` places, on a
/// slanted lattice.
fn in_star(side: i64, row: i64, column: i64) -> bool {
    match row {
        row if row < side => column >= side && column - row <= side,
        row if row <= 2 * side => row - column <= side && column < 3 * side + 1,
        row if row <= 3 * side => column >= side && column - row <= side,
        row => column <= 3 * side && row - column <= side,
    }
}

/// The outline of a walk on a slanted lattice: each side is its length in places, after a
/// turn to the right, or to the left if negative. Fewer than five sides are repeated.
fn walked(sides: &[i64], place: impl Fn(i64, i64) -> Spot) -> Polygon {
    const STEPS: [(i64, i64); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];
    let (mut direction, mut row, mut column) = (1, 0, 0);
    let mut corners = vec![place(row, column)];
    for index in 0..sides.len().max(5) {
        let side = sides[index % sides.len()];
        let steps = if side < 0 { side + 1 } else { side - 1 };
        direction = if steps < 0 {
            direction + 5
        } else {
            direction + 1
        } % 6;
        if steps > 0 {
            row += steps * STEPS[direction].0;
            column += steps * STEPS[direction].1;
            corners.push(place(row, column));
        }
    }
    Polygon(corners)
}
