//! A hexagon divided into quadrilaterals: six kites, or three rhombi that do not meet in
//! the centre.

use std::f64::consts::{FRAC_PI_3, TAU};

use super::super::geometry::Spot;
use super::super::graph::{Crossings, Graph};
use super::{HALF_ROOT_3, sorted};

/// A hexagon of `layers` layers, in thirds or in sixths.
#[must_use]
pub fn quadhex(layers: usize, thirds: bool) -> Graph {
    let mut graph = if thirds {
        in_thirds(layers)
    } else {
        in_sixths(layers)
    };
    graph.make_faces(Crossings::Avoided);
    sorted(graph)
}

fn in_sixths(layers: usize) -> Graph {
    let many = layers as f64;
    let middle = Spot::default();
    let top = Spot::new(0.0, many * HALF_ROOT_3);
    let corner = Spot::new(many / 2.0, many * HALF_ROOT_3);
    let side = corner.towards(Spot::new(many, 0.0), 0.5);
    let mut graph = Graph::default();
    for sixth in 0..6 {
        // `row` counts from the centre to the side, `column` towards the top.
        let at = |row: usize, column: usize| {
            let row = row as f64 / many;
            let low = middle
                .towards(side, row)
                .turned(f64::from(sixth) * FRAC_PI_3);
            let high = top
                .towards(corner, row)
                .turned(f64::from(sixth) * FRAC_PI_3);
            low.towards(high, column as f64 / many)
        };
        for row in 0..layers {
            for column in 0..layers {
                let corners = [
                    at(row, column),
                    at(row, column + 1),
                    at(row + 1, column + 1),
                ];
                let [one, two, three] = corners.map(|spot| graph.find_or_add_vertex(spot));
                graph.find_or_add_edge([one, two]);
                graph.find_or_add_edge([two, three]);
                if row + 1 == layers {
                    let four = graph.find_or_add_vertex(at(row + 1, column));
                    graph.find_or_add_edge([three, four]);
                }
            }
        }
    }
    graph
}

fn in_thirds(layers: usize) -> Graph {
    let many = layers as f64;
    let height = many * HALF_ROOT_3;
    let (corner, left, low) = (
        Spot::new(-many / 2.0, -height),
        Spot::new(-many, 0.0),
        Spot::new(0.0, -height),
    );
    let ratio = many / (many + 0.5);
    let inner = low.towards(Spot::default(), ratio);
    let side = corner.towards(left, ratio / 2.0);
    let mut third = Graph::default();
    for row in 0..layers {
        let at = |row: usize, column: usize| {
            let row = row as f64 / many;
            corner
                .towards(low, row)
                .towards(side.towards(inner, row), column as f64 / many)
        };
        for column in 0..layers {
            for mirror in [1.0, -1.0] {
                let corners = [
                    at(row, column),
                    at(row, column + 1),
                    at(row + 1, column),
                    at(row + 1, column + 1),
                ];
                let corners = corners.map(|spot| Spot::new(spot.x * mirror, spot.y));
                let [a, b, c, d] = corners.map(|spot| third.find_or_add_vertex(spot));
                for ends in [[a, b], [c, d], [a, c], [b, d]] {
                    third.find_or_add_edge(ends);
                }
            }
        }
    }
    let find = |spot: Spot| third.vertex_at(spot).unwrap_or_default();
    let ends = [side, Spot::new(-side.x, side.y), inner].map(find);
    let many = third.vertices.len();
    let mut graph = Graph::default();
    for turn in 0..3 {
        for vertex in &third.vertices {
            graph.add_vertex(vertex.spot.turned(TAU / 3.0 * f64::from(turn)));
        }
        for edge in &third.edges {
            graph.add_edge(edge.ends.map(|end| end + turn as usize * many));
        }
    }
    for turn in 0..3 {
        let next = (turn + 1) % 3;
        graph.find_or_add_edge([ends[2] + turn * many, ends[2] + next * many]);
        graph.find_or_add_edge([ends[1] + turn * many, ends[0] + next * many]);
    }
    graph
}
