//! Boards of triangles. If it is played on points, a side has as many points as the text
//! says; if it is played on cells, one more.

use super::super::geometry::{Polygon, Spot};
use super::super::graph::{Graph, SiteType, units};
use super::{HALF_ROOT_3, RIM, in_star, places, places_within, sorted, walked};

/// The outline of a board of triangles.
#[derive(Clone, Debug, PartialEq)]
pub enum Triangles {
    /// A triangle with sides of this many points.
    Triangle(usize),
    /// A hexagon with sides of this many points.
    Hexagon(usize),
    /// A rhombus on its corner with sides of this many points.
    Diamond(usize),
    /// A [`Triangles::Diamond`] with two sides cut off: rows, columns.
    Prism(usize, usize),
    /// A star of six points, each with sides of this many points.
    Star(usize),
    /// Rows and columns, with every second row shifted by half.
    Rectangle(usize, usize),
    /// The part within a walk with these sides.
    Sides(Vec<i64>),
    /// The part within an outline.
    Within(Polygon),
}

fn place(row: i64, column: i64) -> Spot {
    Spot::new(column as f64 - 0.5 * row as f64, HALF_ROOT_3 * row as f64)
}

fn place_on_corner(row: i64, column: i64) -> Spot {
    Spot::new(
        HALF_ROOT_3 * (column - row) as f64,
        (row + column) as f64 * 0.5,
    )
}

/// A hexagon of points and edges. An edge starts at the end that is nearer to the lower
/// rim in the lower half, and to the upper rim in the upper half.
fn hexagon(spots: &[Spot], half: i64) -> Graph {
    let middle = HALF_ROOT_3 * half as f64;
    let edges = units(spots).into_iter().map(|[low, high]| {
        let rises = spots[high].y - spots[low].y > 0.5;
        let is_upper = rises && spots[high].y > middle + 0.5;
        if is_upper { [high, low] } else { [low, high] }
    });
    Graph::of_single(spots, &edges.collect::<Vec<_>>())
}

/// The number of rows and columns outside of an outline that are searched; for a hexagon
/// whose sides differ by one, it is the length of a side.
const MARGIN: i64 = 2;

/// Generates a board of triangles.
#[must_use]
pub fn tri(shape: &Triangles, used: SiteType) -> Graph {
    let more = i64::from(used == SiteType::Cell);
    let spots: Vec<Spot> = match *shape {
        Triangles::Triangle(side) => {
            let side = side as i64 + more;
            places(0..side, 0..side, |row, column| row <= column, place).collect()
        }
        Triangles::Hexagon(side) => {
            let half = side as i64 + more - 1;
            let across = 2 * half + 1;
            let belongs = move |row: i64, column: i64| (column - row).abs() <= half;
            let spots: Vec<Spot> = places(0..across, 0..across, belongs, place).collect();
            return sorted(hexagon(&spots, half));
        }
        Triangles::Diamond(side) => {
            let side = side as i64 + more;
            places(0..side, 0..side, |_, _| true, place_on_corner).collect()
        }
        Triangles::Prism(rows, columns) => {
            let (rows, columns) = (rows as i64 + more, columns as i64 + more);
            let across = rows + columns - 1;
            let belongs = move |row: i64, column: i64| (row - column).abs() < rows;
            places(0..across, 0..across, belongs, place_on_corner).collect()
        }
        Triangles::Star(side) => {
            let (side, across) = (side as i64, 4 * side as i64 + 1);
            places(
                0..across,
                0..across,
                move |row, column| in_star(side, row, column),
                place,
            )
            .collect()
        }
        Triangles::Rectangle(rows, columns) => {
            let (rows, columns) = (rows as i64 + more, columns as i64 + more);
            let belongs =
                move |row: i64, column| (row + 1) / 2 <= column && column < columns + row / 2;
            places(0..rows, 0..columns + rows, belongs, place).collect()
        }
        Triangles::Sides(ref sides) => {
            let outline = walked(sides, place).grown(RIM);
            let margin = match sides[..] {
                [one, other] if one + 1 == other => one,
                _ => MARGIN,
            };
            places_within(&outline, margin, place).collect()
        }
        Triangles::Within(ref outline) => {
            let outline = outline.grown(RIM);
            places_within(&outline, MARGIN, place).collect()
        }
    };
    sorted(Graph::of_units(&spots))
}
