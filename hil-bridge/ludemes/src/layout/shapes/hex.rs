//! Boards of hexagons with a corner at the top, or with a side at the top on request.

use super::super::geometry::{Polygon, Spot};
use super::super::graph::Graph;
use super::{HALF_ROOT_3, RIM, corners, in_star, laid, places, places_within, sorted, walked};

/// The outline of a board of hexagons.
#[derive(Clone, Debug, PartialEq)]
pub enum Hexes {
    /// A hexagon with sides of this many cells.
    Hexagon(usize),
    /// A triangle with sides of this many cells.
    Triangle(usize),
    /// A rhombus on its corner, with sides of this many cells.
    Diamond(usize),
    /// A [`Hexes::Diamond`] with two sides cut off: rows, columns.
    Prism(usize, usize),
    /// A star of six points, each with sides of this many cells.
    Star(usize),
    /// Rows and columns, with every second row shifted by half a cell.
    Rectangle(usize, usize),
    /// The part within a walk with these sides; see [`walked`](super).
    Sides(Vec<i64>),
    /// The part within an outline.
    Within(Polygon),
}

/// The corners of a hexagon, from the top clockwise.
pub(super) const CORNERS: [Spot; 6] = [
    Spot::new(0.0, 1.0),
    Spot::new(HALF_ROOT_3, 0.5),
    Spot::new(HALF_ROOT_3, -0.5),
    Spot::new(0.0, -1.0),
    Spot::new(-HALF_ROOT_3, -0.5),
    Spot::new(-HALF_ROOT_3, 0.5),
];

/// The figure turned by a quarter, so that it stands on a side.
pub(super) fn on_side(figure: &[Spot]) -> Vec<Spot> {
    figure
        .iter()
        .map(|spot| Spot::new(spot.y, spot.x))
        .collect()
}

fn place(row: i64, column: i64) -> Spot {
    let (across, up) = (2.0 * HALF_ROOT_3, 1.5);
    Spot::new(across * (column as f64 - 0.5 * row as f64), up * row as f64)
}

fn place_on_corner(row: i64, column: i64) -> Spot {
    let (across, up) = (1.5, 2.0 * HALF_ROOT_3);
    Spot::new(
        across * (column - row) as f64,
        up * (row + column) as f64 * 0.5,
    )
}

/// The number of rows and columns outside of an outline that are searched.
const MARGIN: i64 = 3;

/// Generates a board of hexagons.
#[must_use]
pub fn hex(shape: &Hexes) -> Graph {
    let graph = match *shape {
        Hexes::Hexagon(side) => {
            let (half, across) = (side as i64 - 1, 2 * side as i64 - 1);
            let belongs = move |row: i64, column: i64| (column - row).abs() <= half;
            // Colourings depend on the order in which corners are added: line by line,
            // along the zigzags between rows.
            let mut spots = corners(places(0..across, 0..across, belongs, place), &CORNERS);
            let zigzag = |spot: &Spot| ((spot.y + 1.25) / 1.5).floor();
            let key = |spot: &Spot| zigzag(spot) * 1000.0 + spot.x;
            spots.sort_by(|one, other| key(one).total_cmp(&key(other)));
            Graph::of_units(&spots)
        }
        Hexes::Triangle(side) => {
            let side = side as i64;
            laid(
                places(0..side, 0..side, |row, column| row <= column, place),
                &CORNERS,
            )
        }
        Hexes::Diamond(side) => {
            let side = side as i64;
            laid(
                places(0..side, 0..side, |_, _| true, place_on_corner),
                &on_side(&CORNERS),
            )
        }
        Hexes::Prism(rows, columns) => {
            let (rows, across) = (rows as i64, (rows + columns) as i64 - 1);
            let belongs = move |row: i64, column: i64| (row - column).abs() < rows;
            laid(
                places(0..across, 0..across, belongs, place_on_corner),
                &on_side(&CORNERS),
            )
        }
        Hexes::Star(side) => {
            let (side, across) = (side as i64, 4 * side as i64 + 1);
            let belongs = move |row, column| in_star(side, row, column);
            laid(places(0..across, 0..across, belongs, place), &CORNERS)
        }
        Hexes::Rectangle(rows, columns) => {
            let (rows, columns) = (rows as i64, columns as i64);
            let belongs =
                move |row: i64, column| (row + 1) / 2 <= column && column < columns + row / 2;
            laid(places(0..rows, 0..columns + rows, belongs, place), &CORNERS)
        }
        Hexes::Sides(ref sides) => {
            let outline = walked(sides, place).grown(RIM);
            laid(places_within(&outline, MARGIN, place), &CORNERS)
        }
        Hexes::Within(ref outline) => {
            let outline = outline.grown(RIM);
            laid(places_within(&outline, MARGIN, place), &CORNERS)
        }
    };
    sorted(graph)
}
