//! The other tilings of regular polygons, named by the polygons around a point.

use std::f64::consts::{FRAC_PI_6, TAU};

use super::super::geometry::{Polygon, Spot};
use super::super::graph::Graph;
use super::hex::{CORNERS, on_side};
use super::{HALF_ROOT_3, RIM, in_star, laid, places, places_within, sorted, walked};

const ROOT_3: f64 = 2.0 * HALF_ROOT_3;

/// A tiling with its size and outline.
#[derive(Clone, Debug, PartialEq)]
pub enum Tiling {
    /// Dodecagons and triangles, a hexagon of this many dodecagons a side.
    T31212(usize),
    /// Dodecagons, hexagons and squares, a hexagon of this many dodecagons a side.
    T4612(usize),
    /// Squares and triangles around points of two kinds, a hexagon of this size.
    T333333_33434(usize),
    /// Hexagons ringed by triangles, a hexagon of this size.
    T33336(usize),
    /// Squares and triangles, a rhombus of this many fourteen-cornered tiles a side.
    T33434(usize),
    /// Rows of squares and rows of triangles: rows, columns.
    T33344(usize, usize),
    /// [`Tiling::T33344`] within an outline.
    T33344Within(Polygon),
    /// [`Tiling::T33344`] within a walk with these sides.
    T33344Sides(Vec<i64>),
    /// Hexagons and triangles, a hexagon of this many a side.
    T3636(usize),
    /// Hexagons and triangles, a rhombus: rows, columns.
    T3636Rhombus(usize, usize),
    /// Hexagons and triangles within an outline.
    T3636Within(Polygon),
    /// Hexagons and triangles within a walk with these sides.
    T3636Sides(Vec<i64>),
    /// Octagons and squares: rows, columns of octagons.
    T488(usize, usize),
    /// Octagons and squares within an outline.
    T488Within(Polygon),
    /// Octagons and squares within a walk with these sides.
    T488Sides(Vec<i64>),
    /// Hexagons, squares and triangles, a hexagon of this many hexagons a side.
    T3464(usize),
    /// Hexagons, squares and triangles, a rhombus on its corner: rows, columns.
    T3464Rhombus(usize, usize),
    /// Hexagons, squares and triangles, a rhombus with two sides cut off.
    T3464Prism(usize, usize),
    /// Hexagons, squares and triangles, a triangle.
    T3464Triangle(usize),
    /// Hexagons, squares and triangles, a star.
    T3464Star(usize),
    /// Hexagons, squares and triangles: rows, columns.
    T3464Rectangle(usize, usize),
    /// Hexagons, squares and triangles within an outline.
    T3464Within(Polygon),
    /// Hexagons, squares and triangles within a walk with these sides.
    T3464Sides(Vec<i64>),
}

/// The corners of a hexagon on its side, clockwise from the top left, and the outer
/// corners of the squares on its sides, anticlockwise from the right.
fn rosette() -> Vec<Spot> {
    let hexagon = on_side(&CORNERS);
    let hexagon = [2, 1, 0, 5, 4, 3].map(|corner: usize| hexagon[corner]);
    let far = (1.0 + HALF_ROOT_3) / (FRAC_PI_6 / 2.0).cos();
    let ring = (0..12).map(|corner| Spot::polar(far, FRAC_PI_6 * (0.5 + f64::from(corner))));
    hexagon.into_iter().chain(ring).collect()
}

fn dodecagon() -> Vec<Spot> {
    let radius = 1.0 / (2.0 - ROOT_3).sqrt();
    (0..12)
        .map(|corner| Spot::polar(radius, TAU * (0.5 + f64::from(corner)) / 12.0))
        .collect()
}

fn octagon() -> Vec<Spot> {
    let (near, far) = (0.5, OCTAGONS / 2.0);
    let corners = [(near, far), (far, near), (far, -near), (near, -far)];
    let right = corners.map(|(x, y)| Spot::new(x, y));
    let left = corners.map(|(x, y)| Spot::new(-x, -y));
    right.into_iter().chain(left).collect()
}

/// The distance between neighbouring octagons.
const OCTAGONS: f64 = 1.0 + std::f64::consts::SQRT_2;

fn leaning(row: i64, column: i64, across: f64, up: f64) -> Spot {
    Spot::new(across * (column as f64 - 0.5 * row as f64), up * row as f64)
}

fn on_corner(row: i64, column: i64, across: f64, up: f64) -> Spot {
    Spot::new(across * (column - row) as f64, up * (row + column) as f64)
}

/// Rosettes in rows, with each row shifted by half a rosette.
fn rosettes_in_rows(row: i64, column: i64) -> Spot {
    leaning(row, column, 1.0 + ROOT_3, (3.0 + ROOT_3) / 2.0)
}

fn rosettes_on_corner(row: i64, column: i64) -> Spot {
    on_corner(row, column, (3.0 + ROOT_3) / 2.0, (1.0 + ROOT_3) / 2.0)
}

fn rosettes_apart(row: i64, column: i64) -> Spot {
    on_corner(row, column, 1.5 + ROOT_3, (2.0 + ROOT_3) / 2.0)
}

fn wreaths(row: i64, column: i64) -> Spot {
    let (across, up) = (5 * column - 4 * row, 2 * row + column);
    Spot::new(across as f64 * 0.5, up as f64 * HALF_ROOT_3)
}

fn fourteens(row: i64, column: i64) -> Spot {
    let step = (1.0 + ROOT_3) / 2.0;
    on_corner(row, column, step, step)
}

fn hexagons_apart(row: i64, column: i64) -> Spot {
    leaning(row, column, 2.0, ROOT_3)
}

fn squares_in_rows(row: i64, column: i64) -> Spot {
    Spot::new(
        column as f64 + 0.5 * row as f64,
        (1.0 + HALF_ROOT_3) * row as f64,
    )
}

fn octagons(row: i64, column: i64) -> Spot {
    Spot::new(column as f64 * OCTAGONS, row as f64 * OCTAGONS)
}

/// The places of a hexagon on a lattice.
fn hexagonal(side: usize, place: impl Fn(i64, i64) -> Spot) -> Vec<Spot> {
    let (half, across) = (side as i64 - 1, 2 * side as i64 - 1);
    let belongs = move |row: i64, column: i64| (row - column).abs() <= half;
    places(0..across, 0..across, belongs, place).collect()
}

fn all(rows: usize, columns: usize, place: impl Fn(i64, i64) -> Spot) -> Vec<Spot> {
    places(0..rows as i64, 0..columns as i64, |_, _| true, place).collect()
}

fn within(outline: &Polygon, place: impl Fn(i64, i64) -> Spot) -> Vec<Spot> {
    // The number of rows and columns outside of an outline that are searched.
    const MARGIN: i64 = 2;
    places_within(&outline.grown(RIM), MARGIN, place).collect()
}

fn within_sides(sides: &[i64], place: impl Fn(i64, i64) -> Spot + Copy) -> Vec<Spot> {
    within(&walked(sides, place), place)
}

fn octagons_within_sides(sides: &[i64]) -> Vec<Spot> {
    let steps = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| Spot::new(x, y));
    within(&Polygon::walked(sides, &steps), octagons)
}

/// The places of a hexagon of dodecagons that lie so far apart.
fn dodecagons(side: usize, across: f64) -> Vec<Spot> {
    hexagonal(side, |row, column| {
        leaning(row, column, across, across * HALF_ROOT_3)
    })
}

fn rosettes_in_a_prism(rows: usize, columns: usize) -> Vec<Spot> {
    let (rows, across) = (rows as i64, (rows + columns) as i64 - 1);
    let belongs = move |row: i64, column: i64| (row - column).abs() < rows;
    places(0..across, 0..across, belongs, rosettes_on_corner).collect()
}

fn rosettes_in_a_triangle(side: usize) -> Vec<Spot> {
    let side = side as i64;
    let belongs = |row, column| row <= column;
    places(0..side, 0..side, belongs, rosettes_in_rows).collect()
}

fn rosettes_in_a_star(side: usize) -> Vec<Spot> {
    let (side, across) = (side as i64, 4 * side as i64 + 1);
    let belongs = move |row, column| in_star(side, row, column);
    places(0..across, 0..across, belongs, rosettes_in_rows).collect()
}

fn rosettes_in_a_rectangle(rows: usize, columns: usize) -> Vec<Spot> {
    let (rows, columns) = (rows as i64, columns as i64);
    let belongs = move |row: i64, column| (row + 1) / 2 <= column && column < columns + row / 2;
    places(0..rows, 0..columns + rows, belongs, rosettes_in_rows).collect()
}

/// A piece of a tiling. Octagons and squares in rows and columns are numbered octagon by
/// octagon, not row by row.
#[must_use]
pub fn tiling(tiling: &Tiling) -> Graph {
    use Tiling::*;
    let of = |places: Vec<Spot>, tile: &[Spot]| sorted(laid(places, tile));
    match *tiling {
        T31212(side) => of(dodecagons(side, 2.0 + ROOT_3), &dodecagon()),
        T4612(side) => of(dodecagons(side, 3.0 + ROOT_3), &dodecagon()),
        T333333_33434(side) => of(hexagonal(side, rosettes_apart), &rosette()),
        T33336(side) => of(hexagonal(side, wreaths), &wreath()),
        T33434(side) => of(all(side, side, fourteens), &fourteen()),
        T33344(rows, columns) => of(all(rows, columns, squares_in_rows), &SQUARE),
        T33344Within(ref outline) => of(within(outline, squares_in_rows), &SQUARE),
        T33344Sides(ref sides) => of(within_sides(sides, squares_in_rows), &SQUARE),
        T3636(side) => of(hexagonal(side, hexagons_apart), &on_side(&CORNERS)),
        T3636Rhombus(rows, columns) => of(
            all(2 * rows - 1, 2 * columns - 1, hexagons_apart),
            &on_side(&CORNERS),
        ),
        T3636Within(ref outline) => of(within(outline, hexagons_apart), &on_side(&CORNERS)),
        T3636Sides(ref sides) => of(within_sides(sides, hexagons_apart), &on_side(&CORNERS)),
        T488(rows, columns) => laid(all(rows, columns, octagons), &octagon()),
        T488Within(ref outline) => of(within(outline, octagons), &octagon()),
        T488Sides(ref sides) => of(octagons_within_sides(sides), &octagon()),
        T3464(side) => of(hexagonal(side, rosettes_on_corner), &rosette()),
        T3464Rhombus(rows, columns) => of(all(rows, columns, rosettes_on_corner), &rosette()),
        T3464Prism(rows, columns) => of(rosettes_in_a_prism(rows, columns), &rosette()),
        T3464Triangle(side) => of(rosettes_in_a_triangle(side), &on_side(&rosette())),
        T3464Star(side) => of(rosettes_in_a_star(side), &on_side(&rosette())),
        T3464Rectangle(rows, columns) => {
            of(rosettes_in_a_rectangle(rows, columns), &on_side(&rosette()))
        }
        T3464Within(ref outline) => of(within(outline, rosettes_in_rows), &on_side(&rosette())),
        T3464Sides(ref sides) => of(within_sides(sides, rosettes_in_rows), &on_side(&rosette())),
    }
}

const SQUARE: [Spot; 4] = [
    Spot::new(0.0, 0.0),
    Spot::new(1.0, 0.0),
    Spot::new(1.0, 1.0),
    Spot::new(0.0, 1.0),
];

/// A hexagon on its side and the corners of the eighteen triangles around it.
fn wreath() -> Vec<Spot> {
    let places = [
        (-1, 1),
        (1, 1),
        (2, 0),
        (1, -1),
        (-1, -1),
        (-2, 0),
        (-2, 2),
        (0, 2),
        (2, 2),
        (3, 1),
        (4, 0),
        (3, -1),
        (2, -2),
        (0, -2),
        (-2, -2),
        (-3, -1),
        (-4, 0),
        (-3, 1),
    ];
    let spot = |(x, y): (i32, i32)| Spot::new(f64::from(x) * 0.5, f64::from(y) * HALF_ROOT_3);
    places.into_iter().map(spot).collect()
}

/// The corners of four squares around two triangles that share a side, and of the
/// triangles between the squares: row by row from the bottom.
fn fourteen() -> Vec<Spot> {
    let (u, v) = (0.5, HALF_ROOT_3);
    let places = [
        (-u, -u - v),
        (u, -u - v),
        (-u - v, -v),
        (u + v, -v),
        (0.0, -u),
        (-2.0 * u - v, 0.0),
        (-v, 0.0),
        (v, 0.0),
        (2.0 * u + v, 0.0),
        (0.0, u),
        (-u - v, v),
        (u + v, v),
        (-u, u + v),
        (u, u + v),
    ];
    places.into_iter().map(|(x, y)| Spot::new(x, y)).collect()
}
