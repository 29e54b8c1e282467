//! Boards made of squares.

use super::super::geometry::{Polygon, Spot};
use super::super::graph::{Crossings, Graph, SiteType};
use super::RIM;

/// The diagonals of the squares of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Diagonals {
    /// No diagonals are drawn.
    #[default]
    None,
    /// Both diagonals of each square, with a point where they cross.
    Solid,
    /// Both diagonals of each square, without a point where they cross.
    SolidNoSplit,
    /// One diagonal in each square, in alternating directions.
    Alternating,
    /// One diagonal in each square, in rings around the centre.
    Concentric,
    /// Only the two long diagonals of the board.
    Radiating,
}

/// `rows` x `columns` squares, or points if the board is played on them.
#[must_use]
pub fn rectangle(rows: usize, columns: usize, diagonals: Diagonals, used: SiteType) -> Graph {
    let (rows, columns) = points(rows, columns, used);
    let mut graph = lattice(rows, columns);
    add_diagonals(&mut graph, [0, rows as i64], [0, columns as i64], diagonals);
    finished(graph)
}

/// Layers of squares, each smaller than the one below, like a pile of balls.
#[must_use]
pub fn pyramid(side: usize, used: SiteType) -> Graph {
    let (side, _) = points(side, side, used);
    let mut graph = lattice(side, side);
    for layer in 1..side {
        let inset = layer as f64 * 0.5;
        for row in 0..side - layer {
            for column in 0..side - layer {
                graph.find_or_add_vertex(Spot {
                    x: inset + column as f64,
                    y: inset + row as f64,
                    z: layer as f64 * std::f64::consts::FRAC_1_SQRT_2,
                });
            }
        }
    }
    graph.join_units();
    finished(graph)
}

/// A square board that stands on a corner.
#[must_use]
pub fn diamond(side: usize, diagonals: Diagonals) -> Graph {
    let (side, across) = (side as i64, 2 * side as i64);
    let mut spots = Vec::new();
    for row in 0..across {
        for column in 0..across {
            let is_outside = row + column < side - 1
                || column - row > side
                || row - column > side
                || row + column >= 3 * side;
            if !is_outside {
                spots.push(Spot::new(column as f64, row as f64));
            }
        }
    }
    let mut graph = Graph::of_units(&spots);
    add_diagonals(&mut graph, [0, across], [0, across], diagonals);
    finished(graph)
}

/// The points within an outline.
#[must_use]
pub fn sided(outline: &Polygon, diagonals: Diagonals) -> Graph {
    const MARGIN: i64 = 2;
    let outline = outline.grown(RIM);
    let [least, most] = outline.extent().unwrap_or_default();
    let columns = [least.x as i64 - MARGIN, most.x as i64 + MARGIN];
    let rows = [least.y as i64 - MARGIN, most.y as i64 + MARGIN];
    let mut spots = Vec::new();
    for row in rows[0]..=rows[1] {
        let row = (columns[0]..=columns[1]).map(|column| Spot::new(column as f64, row as f64));
        spots.extend(row.filter(|spot| outline.holds(*spot)));
    }
    let mut graph = Graph::of_units(&spots);
    add_diagonals(&mut graph, rows, columns, diagonals);
    finished(graph)
}

fn points(rows: usize, columns: usize, used: SiteType) -> (usize, usize) {
    let more = usize::from(used == SiteType::Cell);
    (rows + more, columns + more)
}

fn lattice(rows: usize, columns: usize) -> Graph {
    let mut graph = Graph::default();
    for row in 0..rows {
        for column in 0..columns {
            graph.add_vertex(Spot::new(column as f64, row as f64));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let here = row * columns + column;
            if row + 1 < rows {
                graph.add_edge([here, here + columns]);
            }
            if column + 1 < columns {
                graph.add_edge([here, here + 1]);
            }
        }
    }
    graph
}

fn finished(mut graph: Graph) -> Graph {
    graph.make_faces(Crossings::Ignored);
    graph.sort();
    graph
}

/// Adds the diagonals of the squares between these rows and columns.
fn add_diagonals(graph: &mut Graph, rows: [i64; 2], columns: [i64; 2], diagonals: Diagonals) {
    match diagonals {
        Diagonals::None => {}
        Diagonals::Radiating => radiate(graph, rows, columns),
        _ => {
            for row in rows[0]..=rows[1] {
                for column in columns[0]..=columns[1] {
                    divide(
                        graph,
                        [row, column],
                        [middle(rows), middle(columns)],
                        diagonals,
                    );
                }
            }
        }
    }
}

fn middle(range: [i64; 2]) -> i64 {
    (range[0] + range[1]) / 2
}

fn vertex_at(graph: &Graph, column: i64, row: i64) -> Option<usize> {
    graph.vertex_at(Spot::new(column as f64, row as f64))
}

/// Adds the diagonals of one square, if the board has it. Concentric ones lie around
/// the middle.
fn divide(
    graph: &mut Graph,
    [row, column]: [i64; 2],
    [middle_row, middle_column]: [i64; 2],
    diagonals: Diagonals,
) {
    let corners = [(0, 0), (0, 1), (1, 1), (1, 0)];
    let [
        Some(low_left),
        Some(high_left),
        Some(high_right),
        Some(low_right),
    ] = corners.map(|(dx, dy)| vertex_at(graph, column + dx, row + dy))
    else {
        return;
    };
    let (rising, falling) = ([low_left, high_right], [high_left, low_right]);
    match diagonals {
        Diagonals::Solid => {
            let middle = Spot::new(column as f64 + 0.5, row as f64 + 0.5);
            let middle = graph.find_or_add_vertex(middle);
            for corner in [low_left, high_left, high_right, low_right] {
                graph.find_or_add_edge([corner, middle]);
            }
        }
        Diagonals::SolidNoSplit => {
            graph.find_or_add_edge(rising);
            graph.find_or_add_edge(falling);
        }
        Diagonals::Alternating => {
            let rises = (row + column) % 2 == 0;
            graph.find_or_add_edge(if rises { rising } else { falling });
        }
        Diagonals::Concentric => {
            let (low, left) = (row < middle_row, column < middle_column);
            graph.find_or_add_edge(if low == left { falling } else { rising });
        }
        Diagonals::None | Diagonals::Radiating => {}
    }
}

/// Joins the four diagonals that start in the middle.
fn radiate(graph: &mut Graph, rows: [i64; 2], columns: [i64; 2]) {
    let (row, column) = (middle(rows), middle(columns));
    let steps = ((rows[1] - rows[0]) / 2).max((columns[1] - columns[0]) / 2) + 1;
    for step in 0..steps {
        for (dx, dy) in [(1, 1), (1, -1), (-1, -1), (-1, 1)] {
            let ends =
                [step, step + 1].map(|step| vertex_at(graph, column + step * dx, row + step * dy));
            if let [Some(one), Some(other)] = ends {
                graph.find_or_add_edge([one, other]);
            }
        }
    }
}
