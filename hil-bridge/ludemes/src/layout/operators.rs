//! Operators, which transform and combine graphs.
//!
//! Invariants: an operator does not renumber unless its description says so; the
//! remaining elements keep their order.

use super::geometry::{Polygon, Spot, crossing, extent};
use super::graph::{Crossings, Face, Graph, SiteType};

/// Where graphs are combined, vertices that are closer than this are the same.
const SAME: f64 = 0.01;

/// How much outlines are enlarged, so that points on them count as inside.
const RIM: f64 = 0.1;

/// Combines graphs. Coinciding vertices become one, with its number in the first of the
/// graphs, and faces are recomputed.
#[must_use]
pub fn merge(graphs: &[Graph]) -> Graph {
    let all = beside(graphs);
    let many = all.vertices.len();
    // For each vertex, the first one at the same place.
    let mut first: Vec<usize> = Vec::new();
    for (vertex, here) in all.spots(SiteType::Vertex).enumerate() {
        let is_here = |other: &usize| all.vertices[*other].spot.is_at(here, SAME);
        let known = (0..vertex).find(|other| first[*other] == *other && is_here(other));
        first.push(known.unwrap_or(vertex));
    }
    let mut merged = Graph::default();
    let mut number = vec![0; many];
    for vertex in 0..many {
        if first[vertex] == vertex {
            number[vertex] = merged.add_vertex(all.vertices[vertex].spot);
        } else {
            number[vertex] = number[first[vertex]];
        }
    }
    for vertex in 0..many {
        let pivot = all.vertices[vertex].pivot.map(|pivot| number[pivot]);
        let known = &mut merged.vertices[number[vertex]].pivot;
        *known = known.or(pivot);
    }
    for edge in &all.edges {
        let ends = edge.ends.map(|end| number[end]);
        if ends[0] != ends[1] {
            let edge_number = merged.find_or_add_edge(ends);
            let known = &mut merged.edges[edge_number].curve;
            *known = known.or(edge.curve);
        }
    }
    merged.remade()
}

/// Combines graphs without merging anything.
#[must_use]
pub fn union(graphs: &[Graph]) -> Graph {
    beside(graphs)
}

/// Connects vertices that are near each other, and recomputes the faces.
pub fn connect_all(graph: &mut Graph) {
    graph.connect(0..graph.vertices.len());
    graph.make_faces(Crossings::Avoided);
}

/// Puts the elements of all graphs into one, in order.
fn beside(graphs: &[Graph]) -> Graph {
    let mut all = Graph::default();
    for graph in graphs {
        let [vertices, edges, faces] = SiteType::ALL.map(|of| all.len(of));
        let moved = |list: &[usize], by: usize| list.iter().map(|one| one + by).collect::<Vec<_>>();
        for vertex in &graph.vertices {
            let mut vertex = vertex.clone();
            vertex.edges = moved(&vertex.edges, edges);
            vertex.faces = moved(&vertex.faces, faces);
            vertex.pivot = vertex.pivot.map(|pivot| pivot + vertices);
            all.vertices.push(vertex);
        }
        for edge in &graph.edges {
            let mut edge = edge.clone();
            edge.ends = edge.ends.map(|end| end + vertices);
            edge.faces = edge.faces.map(|face| face.map(|face| face + faces));
            all.edges.push(edge);
        }
        for face in &graph.faces {
            all.faces.push(Face {
                spot: face.spot,
                corners: moved(&face.corners, vertices),
                edges: moved(&face.edges, edges),
            });
        }
    }
    all
}

/// Keeps the part inside an outline, with faces recomputed.
#[must_use]
pub fn keep(graph: &Graph, outline: &Polygon) -> Graph {
    within(graph, outline, true)
}

/// Keeps the part outside an outline, with faces recomputed.
#[must_use]
pub fn clip(graph: &Graph, outline: &Polygon) -> Graph {
    within(graph, outline, false)
}

fn within(graph: &Graph, outline: &Polygon, inside: bool) -> Graph {
    let outline = outline.grown(RIM);
    let mut kept = graph.clone();
    kept.keep_vertices(|vertex| outline.holds(graph.vertices[vertex].spot) == inside);
    kept.vertices
        .iter_mut()
        .for_each(|vertex| vertex.pivot = None);
    kept.edges.iter_mut().for_each(|edge| edge.curve = None);
    kept.remade()
}

/// Removes the cells whose centre is within an outline.
pub fn hole(graph: &mut Graph, outline: &Polygon) {
    let outline = outline.grown(RIM);
    for face in (0..graph.faces.len()).rev() {
        if outline.holds(graph.faces[face].spot) {
            graph.remove_face(face, true);
        }
    }
}

/// Removes the vertices within an outline.
pub fn remove_within(graph: &mut Graph, outline: &Polygon) {
    let spots: Vec<Spot> = graph.spots(SiteType::Vertex).collect();
    graph.keep_vertices(|vertex| !outline.holds(spots[vertex]));
}

/// Keeps what all graphs have in common, numbered as in the first.
#[must_use]
pub fn intersect(graphs: &[Graph]) -> Graph {
    let [first, others @ ..] = graphs else {
        return Graph::default();
    };
    if others.is_empty() {
        return first.clone();
    }
    let ends =
        |graph: &Graph, edge: usize| graph.edges[edge].ends.map(|end| graph.vertices[end].spot);
    let has_edge = |graph: &Graph, [from, to]: [Spot; 2]| {
        (0..graph.edges.len()).any(|edge| {
            let [one, other] = ends(graph, edge);
            from.is_at(one, SAME) && to.is_at(other, SAME)
                || from.is_at(other, SAME) && to.is_at(one, SAME)
        })
    };
    let mut kept = first.clone();
    kept.keep_edges(|edge| {
        others
            .iter()
            .all(|other| has_edge(other, ends(first, edge)))
    });
    let has_vertex = |graph: &Graph, spot: Spot| {
        graph
            .vertices
            .iter()
            .any(|vertex| vertex.spot.is_at(spot, SAME))
    };
    kept.keep_vertices(|vertex| {
        let spot = first.vertices[vertex].spot;
        others.iter().all(|other| has_vertex(other, spot))
    });
    kept.vertices
        .iter_mut()
        .for_each(|vertex| vertex.pivot = None);
    kept.edges.iter_mut().for_each(|edge| edge.curve = None);
    kept.remade()
}

/// Joins every pair of vertices by an edge.
pub fn complete(graph: &mut Graph) {
    graph.clear_edges();
    for one in 0..graph.vertices.len() {
        for other in one + 1..graph.vertices.len() {
            graph.add_edge([one, other]);
        }
    }
    graph.make_faces(Crossings::Avoided);
}

/// Joins any two corners of each cell by an edge; cells stay.
pub fn complete_cells(graph: &mut Graph) {
    for face in 0..graph.faces.len() {
        let corners = graph.faces[face].corners.clone();
        for (index, one) in corners.iter().enumerate() {
            for other in &corners[index + 1..] {
                graph.find_or_add_edge([*one, *other]);
            }
        }
    }
}

/// The dual graph: a vertex for each cell, with edges between neighbouring cells,
/// numbered row by row. A graph without cells is unchanged.
#[must_use]
pub fn dual(graph: Graph) -> Graph {
    if graph.faces.is_empty() {
        return graph;
    }
    let mut dual = Graph::default();
    for face in &graph.faces {
        dual.add_vertex(face.spot);
    }
    for edge in &graph.edges {
        if let [Some(left), Some(right)] = edge.faces {
            dual.add_edge([left, right]);
        }
    }
    dual.make_faces(Crossings::Ignored);
    dual.sort();
    dual
}

/// Adds a vertex in each cell with at least `least_corners` corners, and joins it to them.
pub fn subdivide(graph: &mut Graph, least_corners: usize, used: SiteType) {
    if used == SiteType::Vertex {
        graph.make_faces(Crossings::Avoided);
    }
    for face in (0..graph.faces.len()).rev() {
        let Face { spot, corners, .. } = graph.faces[face].clone();
        if corners.len() >= least_corners {
            let middle = graph.add_vertex(spot);
            for corner in corners {
                graph.find_or_add_edge([middle, corner]);
            }
        }
    }
    if used == SiteType::Cell {
        graph.make_faces(Crossings::Avoided);
    } else {
        graph.clear_faces();
    }
}

/// `many` copies on top of each other, each vertex joined to the one below, numbered row
/// by row.
#[must_use]
pub fn layers(many: usize, graph: &Graph) -> Graph {
    let copies: Vec<Graph> = (0..many)
        .map(|layer| {
            let mut copy = graph.clone();
            let up = Spot {
                z: layer as f64,
                ..Spot::default()
            };
            copy.move_vertices(|spot| spot.plus(up));
            copy
        })
        .collect();
    let mut all = beside(&copies);
    let vertices = graph.vertices.len();
    for vertex in vertices..all.vertices.len() {
        all.add_edge([vertex - vertices, vertex]);
    }
    all.sort();
    all
}

/// The maximum number of vertices while edges are split.
pub const MOST_SPLIT: usize = 1024;

/// Adds a vertex wherever two edges cross or an edge touches a vertex, and recomputes the
/// faces. Stops when there are more than [`MOST_SPLIT`] vertices.
pub fn split_crossings(graph: &mut Graph) {
    while split_from(graph, first_crossing, split_both) {}
    while split_from(graph, first_touch, split_at) {}
    graph.make_faces(Crossings::Avoided);
}

/// Splits one edge after another; false if there was nothing to split. An edge without
/// crossings is not checked again, because the parts of split edges cannot cross it.
fn split_from<T>(
    graph: &mut Graph,
    find: impl Fn(&Graph, usize) -> Option<(usize, T)>,
    split: impl Fn(&mut Graph, usize, T),
) -> bool {
    let (mut from, mut has_split) = (0, false);
    while let Some((edge, at)) = find(graph, from) {
        if graph.vertices.len() > MOST_SPLIT {
            return false;
        }
        split(graph, edge, at);
        (from, has_split) = (edge, true);
    }
    has_split
}

/// Where an edge crosses another one.
struct EdgeCrossing {
    other: usize,
    spot: Spot,
}

fn split_both(graph: &mut Graph, one: usize, crossing: EdgeCrossing) {
    let EdgeCrossing { other, spot } = crossing;
    let ends = [one, other].map(|edge| graph.edges[edge].ends);
    let pivot = ends
        .iter()
        .flatten()
        .find_map(|end| graph.vertices[*end].pivot);
    let vertex = graph.add_vertex(spot);
    graph.vertices[vertex].pivot = pivot;
    graph.keep_edges(|edge| edge != one && edge != other);
    for [from, to] in ends {
        graph.find_or_add_edge([from, vertex]);
        graph.find_or_add_edge([vertex, to]);
    }
}

fn split_at(graph: &mut Graph, edge: usize, vertex: usize) {
    let [from, to] = graph.edges[edge].ends;
    let pivot = [from, to]
        .into_iter()
        .find_map(|end| graph.vertices[end].pivot);
    let known = &mut graph.vertices[vertex].pivot;
    *known = pivot.or(*known);
    graph.keep_edges(|other| other != edge);
    graph.find_or_add_edge([from, vertex]);
    graph.find_or_add_edge([vertex, to]);
}

/// The first edge, from this one on, that a later edge crosses; with the crossing.
fn first_crossing(graph: &Graph, from: usize) -> Option<(usize, EdgeCrossing)> {
    // The fraction of an edge, at each end, within which crossings count as meeting at
    // the end.
    const END: f64 = 0.01;
    let within = |part: f64| END < part && part < 1.0 - END;
    let ends = |edge: usize| graph.edges[edge].ends.map(|end| graph.vertices[end].spot);
    let many = graph.edges.len();
    let mut pairs = (from..many).flat_map(|one| (one + 1..many).map(move |other| (one, other)));
    pairs.find_map(|(one, other)| {
        let [start, end] = ends(one);
        let (part, other_part) = crossing([start, end], ends(other))?;
        let spot = start.towards(end, part);
        let spot = Spot::new(spot.x, spot.y);
        (within(part) && within(other_part)).then_some((one, EdgeCrossing { other, spot }))
    })
}

/// The first edge, from this one on, that passes over a vertex; with that vertex.
fn first_touch(graph: &Graph, from: usize) -> Option<(usize, usize)> {
    const NEAR: f64 = 0.001;
    let vertices = 0..graph.vertices.len();
    let mut all = (from..graph.edges.len())
        .flat_map(|edge| vertices.clone().map(move |vertex| (edge, vertex)));
    all.find(|(edge, vertex)| {
        let ends = graph.edges[*edge].ends;
        let [start, end] = ends.map(|end| graph.vertices[end].spot);
        let here = graph.vertices[*vertex].spot;
        let is_apart = start.distance_in_space(here) >= NEAR && end.distance_in_space(here) >= NEAR;
        !ends.contains(vertex) && is_apart && here.distance_to_segment(start, end) <= NEAR
    })
}

/// Removes dead-end edges, and then vertices without edges.
pub fn trim(graph: &mut Graph) {
    for edge in (0..graph.edges.len()).rev() {
        let mut ends = graph.edges[edge].ends.into_iter();
        if ends.any(|end| graph.vertices[end].edges.len() == 1) {
            graph.keep_edges(|other| other != edge);
        }
    }
    let pivots: Vec<usize> = graph
        .vertices
        .iter()
        .filter_map(|vertex| vertex.pivot)
        .collect();
    let lonely: Vec<bool> = graph
        .vertices
        .iter()
        .map(|vertex| vertex.edges.is_empty())
        .collect();
    graph.keep_vertices(|vertex| !lonely[vertex] || pivots.contains(&vertex));
}

/// Moves all vertices by the same distance.
pub fn shift(graph: &mut Graph, by: Spot) {
    graph.move_vertices(|spot| spot.plus(by));
}

/// Scales all coordinates from the origin.
pub fn scale(graph: &mut Graph, by: Spot) {
    graph.move_vertices(|spot| Spot {
        x: spot.x * by.x,
        y: spot.y * by.y,
        z: spot.z * by.z,
    });
}

/// Rotates around the centre of the bounding box, anticlockwise.
pub fn rotate(graph: &mut Graph, degrees: f64) {
    let Some([least, most]) = extent(graph.spots(SiteType::Vertex)) else {
        return;
    };
    let radians = degrees.to_radians();
    let middle = least.towards(most, 0.5);
    let middle = Spot::new(middle.x, middle.y);
    graph.move_vertices(|spot| spot.minus(middle).turned(radians).plus(middle));
    for edge in &mut graph.edges {
        edge.curve = edge.curve.map(|curve| curve.map(|end| end.turned(radians)));
    }
}

/// Shears everything to the right, by `amount` for each unit of height.
pub fn skew(graph: &mut Graph, amount: f64) {
    let Some([least, _]) = extent(graph.spots(SiteType::Vertex)) else {
        return;
    };
    graph.move_vertices(|spot| Spot {
        x: spot.x + (spot.y - least.y) * amount,
        ..spot
    });
}
