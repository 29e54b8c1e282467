//! Boards of rings: polygons within polygons, targets, and wheels.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use super::super::geometry::Spot;
use super::super::graph::{Crossings, Graph, SiteType};

/// Which points of neighbouring rings are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joins {
    /// True if the midpoints of sides are points.
    pub midpoints: bool,
    /// True if midpoints of edges are joined.
    pub at_midpoints: bool,
    /// True if corners are joined.
    pub at_corners: bool,
}

impl Default for Joins {
    fn default() -> Joins {
        Joins {
            midpoints: true,
            at_midpoints: true,
            at_corners: false,
        }
    }
}

/// Concentric regular polygons.
#[must_use]
pub fn concentric(sides: usize, rings: usize, joins: Joins, used: SiteType) -> Graph {
    let mut graph = Graph::default();
    let arc = TAU / sides as f64;
    let first = FRAC_PI_2
        + if sides.is_multiple_of(2) {
            arc / 2.0
        } else {
            0.0
        };
    // The next triangle must be half as large, or sides would cross.
    let growth = if sides == 3 { 2 } else { 1 };
    for ring in 0..rings {
        let radius = (1 + ring * growth) as f64;
        let corner = |side: usize| Spot::polar(radius, first + arc * side as f64);
        let start = graph.vertices.len();
        for side in 0..sides {
            graph.find_or_add_vertex(corner(side));
            if joins.midpoints {
                let middle = corner(side).plus(corner(side + 1)).times(0.5);
                graph.find_or_add_vertex(middle);
            }
        }
        let end = graph.vertices.len();
        for vertex in start..end {
            graph.add_edge([vertex, if vertex + 1 < end { vertex + 1 } else { start }]);
        }
    }
    let to_a_side = if joins.midpoints { 2 } else { 1 };
    let to_a_ring = sides * to_a_side;
    for ring in 1..rings {
        for side in 0..sides {
            let corner = (ring - 1) * to_a_ring + side * to_a_side;
            if joins.at_corners {
                graph.add_edge([corner, corner + to_a_ring]);
            }
            if joins.midpoints && joins.at_midpoints {
                graph.add_edge([corner + 1, corner + 1 + to_a_ring]);
            }
        }
    }
    graph.sort();
    if used == SiteType::Cell {
        graph.make_faces(Crossings::Avoided);
    }
    graph
}

/// Rings around a disc, each a single cell, numbered from the centre.
#[must_use]
pub fn target(rings: usize) -> Graph {
    const CORNERS: usize = 8;
    let mut graph = Graph::default();
    for ring in 0..rings {
        let radius = (ring + 1) as f64;
        let start = graph.vertices.len();
        for corner in 0..CORNERS {
            let angle = FRAC_PI_2 + TAU / CORNERS as f64 * corner as f64;
            graph.add_vertex(Spot::polar(radius, angle));
        }
        for corner in 0..CORNERS {
            let ends = [start + corner, start + (corner + 1) % CORNERS];
            let [from, to] = ends.map(|end| graph.vertices[end].spot.unit().perpendicular());
            graph.add_arc(ends, [from, to.times(-1.0)]);
        }
    }
    graph.make_faces(Crossings::Avoided);
    for face in 0..graph.faces.len() {
        let down = if face == 0 { 0.0 } else { face as f64 + 0.5 };
        graph.faces[face].spot = Spot::new(0.0, -down);
    }
    graph
}

/// Rings with these numbers of cells or points, from the centre outwards. With `stagger`,
/// every second ring is turned by half a cell. The points of a ring with a negative
/// number are not joined to each other.
#[must_use]
pub fn circle(rings: &[i64], stagger: bool, used: SiteType) -> Graph {
    match (used, rings) {
        (SiteType::Cell, _) => {
            let cells: Vec<usize> = rings.iter().map(|cells| many(*cells)).collect();
            circle_of_cells(&cells, stagger)
        }
        (_, [sides]) => polygon(many(*sides)),
        _ => circle_of_points(rings, stagger),
    }
}

fn many(ring: i64) -> usize {
    ring.unsigned_abs() as usize
}

/// A point on a ring and its nominal angle.
#[derive(Clone, Copy)]
struct Sample {
    spot: Spot,
    angle: f64,
}

fn angles(ring: usize, many: usize, stagger: bool) -> impl Iterator<Item = f64> {
    let is_turned = stagger && ring % 2 == 1;
    let many = many as f64;
    let offset = if is_turned { TAU / many / 2.0 } else { 0.0 };
    (0..many as usize).map(move |index| FRAC_PI_2 + offset - TAU * index as f64 / many)
}

/// Sorts by angle, and removes a sample at the same place as the previous one.
fn in_order(samples: &mut Vec<Sample>, near: f64) {
    samples.sort_by(|one, other| one.angle.total_cmp(&other.angle));
    for index in (1..samples.len()).rev() {
        if samples[index].spot.distance(samples[index - 1].spot) < near {
            samples.remove(index);
        }
    }
}

/// Joins each sample of a ring to the next by an arc.
fn join_ring(graph: &mut Graph, samples: &[Sample]) {
    let many = samples.len();
    if many < 2 {
        return;
    }
    let spot = |index: usize| samples[index % many].spot;
    for index in 0..many {
        let ends = [spot(index), spot(index + 1)].map(|spot| graph.find_or_add_vertex(spot));
        if ends[0] == ends[1] || graph.edge_between(ends[0], ends[1]).is_some() {
            continue;
        }
        let leaves = spot(index + 1).minus(spot(index + many - 1)).unit();
        let comes = spot(index).minus(spot(index + 2)).unit();
        graph.add_arc(ends, [leaves, comes]);
    }
}

fn circle_of_cells(rings: &[usize], stagger: bool) -> Graph {
    const SAME: f64 = 0.001;
    let mut graph = Graph::default();
    let pivot = graph.add_vertex(Spot::default());
    let radii = |ring: usize| [(ring as f64 - 0.5).max(0.0), ring as f64 + 0.5];
    let with_sides = || {
        rings
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, cells)| *cells >= 2)
    };
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); rings.len() + 1];
    for (ring, cells) in with_sides() {
        for angle in angles(ring, cells, stagger) {
            let angle = if angle < -PI { angle + TAU } else { angle };
            for (side, radius) in radii(ring).into_iter().enumerate() {
                let spot = Spot::polar(radius, angle);
                samples[ring + side].push(Sample { spot, angle });
            }
        }
    }
    for ring in &mut samples {
        in_order(ring, SAME);
    }
    for sample in samples.iter().flatten() {
        graph.find_or_add_vertex(sample.spot);
    }
    for ring in &samples {
        join_ring(&mut graph, ring);
    }
    for (ring, cells) in with_sides() {
        for angle in angles(ring, cells, stagger) {
            let ends =
                radii(ring).map(|radius| graph.find_or_add_vertex(Spot::polar(radius, angle)));
            if ends[0] != ends[1] {
                graph.find_or_add_edge(ends);
            }
        }
    }
    graph
        .vertices
        .iter_mut()
        .for_each(|vertex| vertex.pivot = Some(pivot));
    graph.make_faces(Crossings::Avoided);
    graph
}

fn circle_of_points(rings: &[i64], stagger: bool) -> Graph {
    const NEAR: f64 = 0.1;
    let mut rings = rings.to_vec();
    if rings.first().is_some_and(|points| many(*points) > 1) {
        rings.insert(0, 0);
    }
    let mut graph = Graph::default();
    let has_middle = rings.first().is_some_and(|points| *points != 0);
    let mut samples: Vec<Vec<Sample>> = Vec::new();
    for (ring, points) in rings.iter().enumerate() {
        let sample = |angle| Sample {
            spot: Spot::polar(ring as f64, angle),
            angle,
        };
        let mut ring_samples: Vec<Sample> =
            angles(ring, many(*points), stagger).map(sample).collect();
        if ring > 0 {
            in_order(&mut ring_samples, NEAR);
        }
        samples.push(ring_samples);
    }
    for sample in samples.iter().flatten() {
        graph.find_or_add_vertex(sample.spot);
    }
    for (ring, points) in samples.iter().zip(&rings).skip(1) {
        if *points >= 2 {
            join_ring(&mut graph, ring);
        }
    }
    for ring in 0..samples.len().saturating_sub(1) {
        for sample in &samples[ring] {
            let Some(here) = graph.vertex_at(sample.spot) else {
                continue;
            };
            if ring == 0 {
                for outer in &samples[1] {
                    if let Some(there) = graph.vertex_at(outer.spot) {
                        graph.find_or_add_edge([here, there]);
                    }
                }
                continue;
            }
            let outwards = sample.spot.times((ring + 1) as f64 / ring as f64);
            if let Some(there) = graph.vertex_at(outwards) {
                graph.find_or_add_edge([here, there]);
                if !has_middle {
                    graph.vertices[there].pivot = Some(here);
                }
            }
        }
    }
    if let Some(middle) = graph.vertex_at(Spot::default()).filter(|_| has_middle) {
        graph
            .vertices
            .iter_mut()
            .for_each(|vertex| vertex.pivot = Some(middle));
    }
    graph
}

/// A single ring of points, which is a polygon.
fn polygon(sides: usize) -> Graph {
    let mut graph = Graph::default();
    let radius = sides as f64 / TAU;
    let first = if sides == 4 { FRAC_PI_4 } else { FRAC_PI_2 };
    for side in 0..sides {
        let angle = first + TAU * side as f64 / sides as f64;
        graph.add_vertex(Spot::polar(radius, angle));
    }
    for side in 0..sides {
        graph.add_edge([side, (side + 1) % sides]);
    }
    graph.sort();
    graph
}
