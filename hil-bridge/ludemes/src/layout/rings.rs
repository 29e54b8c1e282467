//! Directions on boards of rings: in, out and around.
//!
//! Invariants: only elements around a pivot have such steps, and the pivot itself, all of
//! whose steps lead out.

use super::direction::Direction;
use super::geometry::{NOTHING, turn};
use super::graph::{Graph, SiteType};
use super::step::BoardStep;

/// The pivot around which an element lies.
fn pivot(graph: &Graph, of: SiteType, element: usize) -> Option<usize> {
    let mut corners = match of {
        SiteType::Vertex => vec![element],
        SiteType::Edge => graph.edges[element].ends.to_vec(),
        SiteType::Cell => graph.faces[element].corners.clone(),
    }
    .into_iter();
    corners.find_map(|vertex| graph.vertices[vertex].pivot)
}

/// True if a step leads along a ring: between vertices along an arc, between cells across a
/// straight side, or between edges of the same ring.
fn is_around(graph: &Graph, of: SiteType, from: usize, to: usize) -> bool {
    let is_arc = |edge: usize| graph.edges[edge].curve.is_some();
    match of {
        SiteType::Vertex => {
            let mut edges = graph.vertices[from].edges.iter();
            edges.any(|edge| is_arc(*edge) && graph.edges[*edge].other(from) == to)
        }
        SiteType::Edge => is_arc(from) && is_arc(to),
        SiteType::Cell => {
            let mut edges = graph.faces[from].edges.iter();
            edges.any(|edge| !is_arc(*edge) && graph.edges[*edge].across(from) == Some(to))
        }
    }
}

/// Adds the names that steps have relative to the centre.
pub fn name_about_pivots(graph: &Graph, steps: &mut [Vec<Vec<BoardStep>>; 3]) {
    let pivots: Vec<usize> = graph
        .vertices
        .iter()
        .filter_map(|vertex| vertex.pivot)
        .collect();
    for of in SiteType::ALL {
        for (element, steps) in steps[of as usize].iter_mut().enumerate() {
            let is_pivot = of == SiteType::Vertex && pivots.contains(&element);
            let around = pivot(graph, of, element);
            for step in steps {
                let direction = match around {
                    _ if is_pivot => Some(Direction::Out),
                    Some(pivot) => about(graph, of, element, pivot, step),
                    None => None,
                };
                if let Some(direction) = direction {
                    step.directions.insert(direction);
                    step.directions.insert(Direction::Rotational);
                }
            }
        }
    }
}

fn about(
    graph: &Graph,
    of: SiteType,
    element: usize,
    pivot: usize,
    step: &BoardStep,
) -> Option<Direction> {
    // The cosine of the maximum angle between a step and the direction in or out.
    const STRAIGHT: f64 = 0.9;
    if step.directions.has(Direction::Diagonal) {
        return None;
    }
    let here = graph.spot(of, element);
    let (there, middle) = (
        graph.spot(step.to_type, step.to),
        graph.vertices[pivot].spot,
    );
    let (along, inwards) = (there.minus(here).unit(), middle.minus(here).unit());
    let cosine = along.x * inwards.x + along.y * inwards.y;
    if cosine > STRAIGHT {
        return Some(Direction::In);
    }
    if cosine < -STRAIGHT {
        return Some(Direction::Out);
    }
    if step.to_type != of || !is_around(graph, of, element, step.to) {
        return None;
    }
    // To the left of the inward direction is clockwise.
    let clockwise = turn(middle, there, here) > NOTHING;
    Some(if clockwise {
        Direction::CW
    } else {
        Direction::CCW
    })
}
