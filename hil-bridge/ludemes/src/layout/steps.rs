//! The steps between the elements of a graph, and their names.
//!
//! A cell has steps across its sides (orthogonal), straight across its corners
//! (diagonal), to other cells that touch it there (off-diagonal), and where three edges
//! meet in a corner, along the edge that leads away (also diagonal, although the cells do
//! not touch). A vertex has steps along its edges and to the opposite corner of each cell
//! with four or more corners. Every element also has steps to the elements of other types
//! that it touches. These decide whether eight compass points are enough for its steps.
//!
//! Invariants: the steps of an element are in clockwise order from north; no element is
//! reached by two steps.

use super::direction::{Direction, Directions};
use super::geometry::Spot;
use super::graph::{Graph, SiteType};
use super::rings::name_about_pivots;
use super::step::BoardStep;

const TOUCHING: [Direction; 3] = [Direction::Orthogonal, Direction::Adjacent, Direction::All];

/// The steps of every element, by type and number.
pub fn steps(graph: &Graph) -> [Vec<Vec<BoardStep>>; 3] {
    let unit = graph.mean_length();
    let mut steps = SiteType::ALL.map(|of| {
        let from = |element| match of {
            SiteType::Vertex => from_vertex(graph, element),
            SiteType::Edge => from_edge(graph, element),
            SiteType::Cell => from_cell(graph, element),
        };
        (0..graph.len(of)).map(from).collect::<Vec<_>>()
    });
    for of in SiteType::ALL {
        for (here, steps) in graph.spots(of).zip(&mut steps[of as usize]) {
            name_by_compass(graph, here, unit, steps);
        }
    }
    name_about_pivots(graph, &mut steps);
    for of in SiteType::ALL {
        for (here, steps) in graph.spots(of).zip(&mut steps[of as usize]) {
            steps.sort_by(|one, other| {
                let score = |step: &BoardStep| clockwise(here, graph.spot(step.to_type, step.to));
                score(one).total_cmp(&score(other))
            });
        }
    }
    steps
}

/// The angle at which one spot sees another: clockwise from north, 0..2π.
pub fn clockwise(from: Spot, to: Spot) -> f64 {
    // A direction that is barely left of north counts as north.
    const HARDLY: f64 = 0.0001;
    let angle = std::f64::consts::FRAC_PI_2 - from.angle_to(to) + HARDLY;
    if angle < 0.0 {
        angle + std::f64::consts::TAU
    } else {
        angle
    }
}

/// The steps of one element, while they are collected.
#[derive(Default)]
struct Found(Vec<BoardStep>);

impl Found {
    fn add(&mut self, to_type: SiteType, to: usize, directions: &[Direction]) {
        let is_known = |step: &BoardStep| step.to_type == to_type && step.to == to;
        if !self.0.iter().any(is_known) {
            let directions = Directions::of(directions);
            self.0.push(BoardStep {
                to_type,
                to,
                directions,
            });
        }
    }

    fn has(&self, to_type: SiteType, to: usize) -> bool {
        self.0
            .iter()
            .any(|step| step.to_type == to_type && step.to == to)
    }
}

fn from_vertex(graph: &Graph, vertex: usize) -> Vec<BoardStep> {
    use Direction::{All, Diagonal};
    let mut found = Found::default();
    let here = &graph.vertices[vertex];
    for edge in &here.edges {
        found.add(
            SiteType::Vertex,
            graph.edges[*edge].other(vertex),
            &TOUCHING,
        );
    }
    for face in here.faces.iter().map(|face| &graph.faces[*face]) {
        if face.corners.len() < 4 {
            continue;
        }
        let others = face.corners.iter().filter(|corner| **corner != vertex);
        let off = |corner: usize| {
            face.spot
                .distance_to_line(here.spot, graph.vertices[corner].spot)
        };
        if let Some(opposite) = least(others.copied(), off) {
            found.add(SiteType::Vertex, opposite, &[Diagonal, All]);
        }
    }
    for edge in &here.edges {
        found.add(SiteType::Edge, *edge, &TOUCHING);
    }
    for face in &here.faces {
        found.add(SiteType::Cell, *face, &TOUCHING);
    }
    found.0
}

fn from_edge(graph: &Graph, edge: usize) -> Vec<BoardStep> {
    let mut found = Found::default();
    let here = &graph.edges[edge];
    for end in here.ends {
        for other in graph.vertices[end]
            .edges
            .iter()
            .filter(|other| **other != edge)
        {
            found.add(SiteType::Edge, *other, &TOUCHING);
        }
    }
    for end in here.ends {
        found.add(SiteType::Vertex, end, &TOUCHING);
    }
    let beside = here.faces.into_iter().flatten();
    let ends = here
        .ends
        .iter()
        .flat_map(|end| graph.vertices[*end].faces.iter().copied());
    for face in beside.chain(ends) {
        found.add(SiteType::Cell, face, &TOUCHING);
    }
    found.0
}

fn from_cell(graph: &Graph, cell: usize) -> Vec<BoardStep> {
    use Direction::{Adjacent, All, Diagonal, OffDiagonal};
    let mut found = Found::default();
    let here = &graph.faces[cell];
    for edge in &here.edges {
        if let Some(other) = graph.edges[*edge].across(cell) {
            found.add(SiteType::Cell, other, &TOUCHING);
        }
    }
    for corner in here.corners.iter().map(|corner| &graph.vertices[*corner]) {
        let others = corner.faces.iter().copied();
        let fresh = others.filter(|other| *other != cell && !found.has(SiteType::Cell, *other));
        let off = |other: usize| {
            corner
                .spot
                .distance_to_line(here.spot, graph.faces[other].spot)
        };
        if let Some(straight) = least(fresh, off) {
            found.add(SiteType::Cell, straight, &[Diagonal, Adjacent, All]);
        }
    }
    for corner in here.corners.iter().map(|corner| &graph.vertices[*corner]) {
        for other in corner.faces.iter().filter(|other| **other != cell) {
            found.add(SiteType::Cell, *other, &[OffDiagonal, Adjacent, All]);
        }
    }
    for corner in &here.corners {
        for other in along_the_edge_away(graph, cell, *corner) {
            found.add(SiteType::Cell, other, &[Diagonal, All]);
        }
    }
    for corner in &here.corners {
        found.add(SiteType::Vertex, *corner, &TOUCHING);
    }
    for edge in &here.edges {
        found.add(SiteType::Edge, *edge, &TOUCHING);
    }
    found.0
}

/// If three edges meet at a cell's corner, the cells at the far end of the edge that
/// leads away, if they are straight ahead.
fn along_the_edge_away(graph: &Graph, cell: usize, corner: usize) -> Vec<usize> {
    // The maximum distance of the corners from the line, as a fraction of its length.
    const STRAIGHT: f64 = 0.1;
    let near = &graph.vertices[corner];
    if near.edges.len() != 3 {
        return Vec::new();
    }
    let here = &graph.faces[cell];
    let away = near.edges.iter().find(|edge| !here.edges.contains(edge));
    let Some(far) = away.map(|edge| &graph.vertices[graph.edges[*edge].other(corner)]) else {
        return Vec::new();
    };
    let is_straight = |other: &usize| {
        let there = graph.faces[*other].spot;
        let off = [near.spot, far.spot].map(|spot| spot.distance_to_line(here.spot, there));
        *other != cell && (off[0] + off[1]) / here.spot.distance(there) <= STRAIGHT
    };
    far.faces.iter().copied().filter(is_straight).collect()
}

/// The element with the least value; of several, the first.
fn least(numbers: impl Iterator<Item = usize>, figure: impl Fn(usize) -> f64) -> Option<usize> {
    let figures = numbers.map(|number| (number, figure(number)));
    let first = figures.reduce(|best, next| if next.1 < best.1 { next } else { best });
    first.map(|(number, _)| number)
}

/// Names steps by eight compass points if these distinguish all steps of the element,
/// otherwise by sixteen.
fn name_by_compass(graph: &Graph, here: Spot, unit: f64, steps: &mut [BoardStep]) {
    let name = |step: &BoardStep, fine| {
        let there = graph.spot(step.to_type, step.to);
        Direction::of_step(here, there, unit, fine)
    };
    let mut seen = Directions::NONE;
    let fine = !steps.iter().all(|step| {
        let direction = name(step, false);
        let is_new = !seen.has(direction);
        seen.insert(direction);
        is_new
    });
    for step in steps {
        let compass = name(step, fine);
        step.directions.insert(compass);
        step.directions.insert(match compass {
            up if up.is_upward() => Direction::Upward,
            down if down.is_downward() => Direction::Downward,
            _ => Direction::SameLayer,
        });
    }
}
