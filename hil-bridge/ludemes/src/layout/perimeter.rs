//! The rim of a graph: the walk around each of its parts, with corners and sides.
//!
//! Invariants: the walk is anticlockwise and starts at a leftmost vertex; corners are
//! where it turns most, judged by three vertices on each side.

use super::direction::{Direction, bearing_of};
use super::geometry::{Polygon, Spot, turn};
use super::graph::Graph;

/// The vertices around one part of a graph, anticlockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Perimeter(pub Vec<usize>);

impl Perimeter {
    /// The polygon along the perimeter.
    #[must_use]
    pub fn outline(&self, graph: &Graph) -> Polygon {
        let spots = self.0.iter().map(|vertex| graph.vertices[*vertex].spot);
        Polygon(spots.collect())
    }
}

/// The perimeters of a graph's parts, without parts that lie inside another.
#[must_use]
pub fn perimeters(graph: &Graph) -> Vec<Perimeter> {
    let mut covered = vec![false; graph.vertices.len()];
    let mut found = Vec::new();
    loop {
        let mut start: Option<usize> = None;
        for (number, vertex) in graph.vertices.iter().enumerate() {
            let is_further = |start: usize| vertex.spot.x < graph.vertices[start].spot.x;
            if !covered[number] && start.is_none_or(is_further) {
                start = Some(number);
            }
        }
        let Some(start) = start else { break };
        let perimeter = around(graph, start);
        perimeter
            .0
            .iter()
            .for_each(|vertex| covered[*vertex] = true);
        let outline = perimeter.outline(graph);
        for (number, vertex) in graph.vertices.iter().enumerate() {
            covered[number] |= outline.holds(vertex.spot);
        }
        found.push(perimeter);
    }
    for index in (0..found.len()).rev() {
        let start = graph.vertices[found[index].0[0]].spot;
        let mut others = found
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        if others.any(|(_, other)| other.outline(graph).holds(start)) {
            found.remove(index);
        }
    }
    found
}

/// Walks anticlockwise around the part of the graph that contains a vertex, until it
/// returns.
fn around(graph: &Graph, from: usize) -> Perimeter {
    let mut vertices = Vec::new();
    let angle = |edge: &usize| {
        let there = graph.vertices[graph.edges[*edge].other(from)].spot;
        let here = graph.vertices[from].spot;
        // A vertex straight above or below comes last, because its angle is that of -0.
        (there.x - here.x).atan2(-(there.y - here.y))
    };
    let first = graph.vertices[from].edges.iter();
    let Some(first) = first.min_by(|one, other| angle(one).total_cmp(&angle(other))) else {
        return Perimeter(vec![from]);
    };
    let (mut vertex, mut edge) = (from, *first);
    // Each edge is used at most once in each direction.
    for _ in 0..2 * graph.edges.len() {
        vertices.push(vertex);
        let before = vertex;
        vertex = graph.edges[edge].other(vertex);
        if vertex == from {
            break;
        }
        let edges = &graph.vertices[vertex].edges;
        let at = edges
            .iter()
            .position(|one| *one == edge)
            .unwrap_or_default();
        for step in 1..edges.len() {
            edge = edges[(at + step) % edges.len()];
            if graph.edges[edge].other(vertex) != before {
                break;
            }
        }
    }
    Perimeter(vertices)
}

/// The kind of corner at a vertex of a perimeter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// A corner that points outwards.
    Convex,
    /// A corner that points inwards.
    Concave,
}

/// In a perimeter with fewer vertices than this, all are corners.
const FEW: usize = 6;

/// The kinds of corner at each vertex of a perimeter; a vertex may be both kinds.
#[must_use]
pub fn corners(graph: &Graph, perimeter: &Perimeter) -> Vec<Vec<Corner>> {
    // The least sharpness of a corner, relative to a straight line.
    const SHARP: f64 = 0.320;
    const HOLLOW: f64 = -0.25;
    const TOLERANCE: f64 = 0.001;
    // A neighbour with at least this fraction of a corner's sharpness is also a corner.
    const ALIKE: f64 = 0.95;
    let many = perimeter.0.len();
    if many < FEW {
        return vec![vec![Corner::Convex]; many];
    }
    let sharpness = sharpness(&perimeter.outline(graph).0);
    let beside = |index: usize| [(index + many - 1) % many, (index + 1) % many];
    let mut convex: Vec<bool> = (0..many)
        .map(|index| {
            let here = sharpness[index];
            here >= SHARP
                && beside(index)
                    .iter()
                    .all(|other| here >= sharpness[*other] - TOLERANCE)
        })
        .collect();
    for index in 0..many {
        for other in beside(index) {
            convex[other] |= convex[index] && sharpness[other] >= ALIKE * sharpness[index];
        }
    }
    let concave = (0..many).map(|index| {
        let here = sharpness[index];
        here <= HOLLOW
            && beside(index)
                .iter()
                .all(|other| here <= sharpness[*other] + TOLERANCE)
    });
    let pairs = convex.iter().zip(concave);
    pairs
        .map(|(convex, concave)| {
            let convex = convex.then_some(Corner::Convex);
            convex
                .into_iter()
                .chain(concave.then_some(Corner::Concave))
                .collect()
        })
        .collect()
}

/// The smoothed sharpness of each spot of an outline: how far it sticks out from the
/// lines between the spots one, two and three before and after it, where nearer ones
/// count more.
fn sharpness(outline: &[Spot]) -> Vec<f64> {
    let many = outline.len();
    let raw: Vec<f64> = (0..many)
        .map(|index| {
            let here = outline[index];
            let beside = |away: usize| {
                let [before, after] =
                    [index + many - away, index + away].map(|at| outline[at % many]);
                let distance = here.distance_to_line(before, after);
                let is_hollow = turn(before, here, after) < super::geometry::NOTHING;
                (if is_hollow { -distance } else { distance }) / away as f64
            };
            (1..4).map(beside).sum::<f64>()
        })
        .collect();
    let smooth = |index: usize| {
        (4.0 * raw[index] + raw[(index + 1) % many] + raw[(index + many - 1) % many]) / 6.0
    };
    (0..many).map(smooth).collect()
}

/// The sides of a board: for each run of a perimeter between corners, one of eight
/// compass points and the vertices.
#[must_use]
pub fn sides(
    graph: &Graph,
    perimeter: &Perimeter,
    is_corner: impl Fn(usize) -> bool,
) -> Vec<(Direction, Vec<usize>)> {
    let many = perimeter.0.len();
    let middle = graph
        .vertices
        .iter()
        .map(|vertex| vertex.spot)
        .fold(Spot::default(), Spot::plus);
    let middle = middle.times(1.0 / graph.vertices.len().max(1) as f64);
    let starts = (0..many).filter(|index| is_corner(perimeter.0[*index]));
    starts
        .map(|from| {
            let rest = (1..=many).map(|step| perimeter.0[(from + step) % many]);
            let mut run = vec![perimeter.0[from]];
            for vertex in rest {
                run.push(vertex);
                if is_corner(vertex) {
                    break;
                }
            }
            let sum = run
                .iter()
                .map(|vertex| graph.vertices[*vertex].spot)
                .fold(Spot::default(), Spot::plus);
            let mean = sum.times(1.0 / run.len() as f64);
            (side_towards(middle, mean), run)
        })
        .collect()
}

/// The compass point of a side: sectors are narrow for north, east, south and west, and
/// wide for the four between them.
fn side_towards(middle: Spot, mean: Spot) -> Direction {
    let compass = bearing_of(middle, mean);
    let sector = compass.sector().unwrap_or_default();
    match sector % 4 {
        0 => compass,
        _ => Direction::COMPASS[sector / 4 * 4 + 2],
    }
}
