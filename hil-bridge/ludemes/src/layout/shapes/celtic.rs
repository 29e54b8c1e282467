//! Boards of squares on their corners, with arcs along the rim, as in Celtic knots.

use std::f64::consts::PI;

use super::super::geometry::{Polygon, Spot, bearing};
use super::super::graph::{Crossings, Graph};
use super::super::perimeter::perimeters;
use super::{RIM, places, places_within, sorted};

/// The area of a knot.
#[derive(Clone, Debug, PartialEq)]
pub enum Knot {
    /// This many rows and columns.
    Rectangle(usize, usize),
    /// The part within an outline.
    Within(Polygon),
    /// The part within a walk with these sides.
    Sides(Vec<i64>),
}

/// Generates the board of a Celtic knot.
#[must_use]
pub fn celtic(knot: &Knot) -> Graph {
    // The distance from a square's centre to its corners; twice that to the next centre.
    let half = 1.0 / 2.0_f64.sqrt();
    let whole = 2.0 * half;
    const MARGIN: i64 = 1;
    let place = |row: i64, column: i64| Spot::new(column as f64 * whole, row as f64 * whole);
    let within = |outline: Polygon| -> Vec<Spot> {
        let outline = outline.grown(RIM);
        places_within(&outline, MARGIN, place).collect()
    };
    let middles: Vec<Spot> = match knot {
        Knot::Rectangle(rows, columns) => {
            places(0..*rows as i64, 0..*columns as i64, |_, _| true, place).collect()
        }
        Knot::Within(outline) => within(outline.clone()),
        Knot::Sides(sides) => {
            let steps = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
            let steps = steps.map(|(x, y)| Spot::new(x * whole, y * whole));
            within(Polygon::walked(sides, &steps))
        }
    };
    let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let corners = corners.map(|(x, y)| Spot::new(x * half, y * half));
    let mut graph = Graph::default();
    for middle in middles {
        for corner in corners {
            graph.find_or_add_vertex(middle.plus(corner));
        }
    }
    graph.join_units();
    graph.make_faces(Crossings::Avoided);
    add_arcs(&mut graph);
    sorted(graph)
}

/// Draws the arcs: around each outward corner, from every second point of a straight
/// side, and across each inward corner.
fn add_arcs(graph: &mut Graph) {
    let Some(perimeter) = perimeters(graph).into_iter().next() else {
        return;
    };
    let rim = perimeter.0;
    let many = rim.len();
    let at = |graph: &Graph, index: usize| graph.vertices[rim[index % many]].spot;
    let turns: Vec<f64> = (0..many)
        .map(|index| {
            bearing(
                at(graph, index + many - 1),
                at(graph, index),
                at(graph, index + 1),
            )
        })
        .collect();
    let mut straight = 0;
    for index in 0..many {
        let is_straight = turns[index].abs() < 0.1 * PI;
        let is_start = if turns[index] > 0.25 * PI {
            straight = 0;
            true
        } else {
            straight += usize::from(is_straight);
            is_straight && straight % 2 == 0
        };
        if !is_start {
            continue;
        }
        let [here, next, after] = [0, 1, 2].map(|step| rim[(index + step) % many]);
        if turns[(index + 1) % many] < -0.25 * PI {
            let corner = graph.vertices[next].spot;
            let curve =
                [after, here].map(|end| graph.vertices[end].spot.minus(corner).unit().times(1.25));
            graph.add_arc([here, after], curve);
            graph.find_or_add_face(&[next, here, after]);
        } else {
            let before = at(graph, index + many - 1);
            let [from, to] = [here, next].map(|end| graph.vertices[end].spot);
            let outwards = if is_straight {
                to.minus(from).perpendicular().times(-1.0)
            } else {
                from.minus(before)
            };
            let middle = from.plus(to).times(0.5);
            let (waist, tip) = (
                middle.plus(outwards.times(0.5)),
                middle.plus(outwards.times(0.9)),
            );
            let tip = graph.add_vertex(tip);
            let leaves = outwards.unit().times(1.333);
            let [left, right] = [from, to].map(|end| end.minus(waist).unit());
            graph.add_arc([here, tip], [leaves, left]);
            graph.add_arc([tip, next], [right, leaves]);
            graph.find_or_add_face(&[here, tip, next]);
        }
    }
}
