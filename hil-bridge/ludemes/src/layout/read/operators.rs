//! Operators, which make a graph from others.

use super::bounds::{nothing_there, tiles, too_large};
use super::elements::{are_numbers, elements, found, known_corners, next_outline, vertices};
use super::{MOST_SIDE, Reader};
use crate::layout::arguments::{Arguments, spot, spots, whole};
use crate::layout::error::BoardError;
use crate::layout::geometry::Spot;
use crate::layout::graph::{Crossings, Graph, MOST_VERTICES, SiteType};
use crate::layout::operators;
use crate::tree::Node;

impl Reader {
    pub(super) fn operator(self, call: Arguments) -> Result<Graph, BoardError> {
        match call.head {
            "merge" | "union" | "intersect" => self.several(call),
            "add" => self.add(call),
            "remove" => self.remove(call),
            "layers" => self.layers(call),
            "rotate" => self.rotated(call),
            "skew" => self.skewed(call),
            "shift" => self.shifted(call),
            "scale" => self.scaled(call),
            "renumber" | "recoordinate" => self.renumber(call),
            "keep" | "clip" | "hole" | "complete" | "dual" | "makeFaces" | "splitCrossings"
            | "subdivide" | "trim" => self.of_one_graph(call),
            _ => Err(BoardError::Unknown {
                span: call.span,
                word: call.head.to_owned(),
            }),
        }
    }

    fn layers(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        let many = call.whole(1, MOST_SIDE)?;
        let graph = self.next_graph(&mut call)?;
        call.finish()?;
        tiles(span, many * graph.vertices.len())?;
        Ok(operators::layers(many, &graph))
    }

    fn rotated(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let degrees = call.number()?;
        let mut graph = self.last_graph(call)?;
        operators::rotate(&mut graph, degrees);
        Ok(graph)
    }

    fn skewed(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let amount = call.number()?;
        let mut graph = self.last_graph(call)?;
        operators::skew(&mut graph, amount);
        Ok(graph)
    }

    fn shifted(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let (x, y) = (call.number()?, call.number()?);
        let z = call.number_if()?.unwrap_or(0.0);
        let mut graph = self.last_graph(call)?;
        operators::shift(&mut graph, Spot { x, y, z });
        Ok(graph)
    }

    fn scaled(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let x = call.number()?;
        let y = call.number_if()?.unwrap_or(x);
        let z = call.number_if()?.unwrap_or(1.0);
        let mut graph = self.last_graph(call)?;
        operators::scale(&mut graph, Spot { x, y, z });
        Ok(graph)
    }

    /// Operators with one graph, which their other arguments follow.
    fn of_one_graph(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        let mut graph = self.next_graph(&mut call)?;
        let head = call.head;
        match head {
            "keep" => graph = operators::keep(&graph, &next_outline(&mut call)?),
            "clip" => graph = operators::clip(&graph, &next_outline(&mut call)?),
            "hole" => operators::hole(&mut graph, &next_outline(&mut call)?),
            "complete" if call.truth("eachCell", false)? => operators::complete_cells(&mut graph),
            "complete" => {
                const MOST_JOINED: usize = 64;
                if graph.vertices.len() > MOST_JOINED {
                    return too_large(span, MOST_JOINED, "vertices that are all joined");
                }
                operators::complete(&mut graph);
            }
            "dual" => graph = operators::dual(graph),
            "makeFaces" => graph.make_faces(Crossings::Avoided),
            "splitCrossings" => {
                operators::split_crossings(&mut graph);
                if graph.vertices.len() > operators::MOST_SPLIT {
                    return too_large(
                        span,
                        operators::MOST_SPLIT,
                        "vertices where edges are split",
                    );
                }
            }
            "subdivide" => {
                let least = match call.named("min") {
                    Some(node) => whole(node, 0, MOST_SIDE)? as usize,
                    None => 1,
                };
                operators::subdivide(&mut graph, least, self.used);
            }
            _ => operators::trim(&mut graph),
        }
        call.finish()?;
        Ok(graph)
    }

    pub(super) fn next_graph(self, call: &mut Arguments) -> Result<Graph, BoardError> {
        match call.next() {
            Some(node) => self.graph(node),
            None => call.expected("what the board looks like, such as (square 8),"),
        }
    }

    pub(super) fn last_graph(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let graph = self.next_graph(&mut call)?;
        call.finish()?;
        Ok(graph)
    }

    pub(super) fn several(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        let connect = call.truth("connect", false)?;
        let mut graphs = Vec::new();
        let mut vertices = 0;
        while let Some(node) = call.next() {
            let nodes = match &node.kind {
                crate::tree::Kind::Set(nodes) => nodes.iter().collect(),
                _ => vec![node],
            };
            for node in nodes {
                let graph = self.graph(node)?;
                vertices += graph.vertices.len();
                if vertices > MOST_VERTICES {
                    return too_large(span, MOST_VERTICES, "vertices");
                }
                graphs.push(graph);
            }
        }
        const MOST_CONNECTED: usize = 512;
        if connect && vertices > MOST_CONNECTED {
            return too_large(span, MOST_CONNECTED, "vertices to connect");
        }
        let head = call.head;
        call.finish()?;
        let mut combined = match head {
            "merge" => operators::merge(&graphs),
            "union" => operators::union(&graphs),
            _ => return Ok(operators::intersect(&graphs)),
        };
        if connect {
            operators::connect_all(&mut combined);
        }
        Ok(combined)
    }

    pub(super) fn renumber(self, mut call: Arguments) -> Result<Graph, BoardError> {
        const TYPES: [&str; 3] = ["Vertex", "Edge", "Cell"];
        let mut types = Vec::new();
        while let Some(index) = call.word_of(&TYPES) {
            types.push(SiteType::ALL[index]);
        }
        let is_numbers = call.head == "renumber";
        let mut graph = self.last_graph(call)?;
        // Names always depend on places, so `recoordinate` need not do anything.
        if is_numbers && types.is_empty() {
            graph.sort();
        }
        for of in types.into_iter().filter(|_| is_numbers) {
            graph.sort_only(of);
        }
        Ok(graph)
    }

    pub(super) fn add(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let mut graph = match call.next() {
            Some(node) => self.graph(node)?,
            None => Graph::default(),
        };
        for arc in elements(&mut call, "edgesCurved")? {
            let points = spots(arc)?;
            let [from, to, leaves, comes] = points[..] else {
                return Err(BoardError::Expected {
                    span: arc.span,
                    expected: "an arc: two ends and the directions there, such as {{0 0} {1 0} {1 2} {-1 2}},",
                });
            };
            let ends = [from, to].map(|end| graph.find_or_add_vertex(end));
            graph.add_arc(ends, [leaves, comes]);
        }
        let before = graph.vertices.len();
        for vertex in elements(&mut call, "vertices")? {
            graph.find_or_add_vertex(spot(vertex)?);
        }
        let fresh = before..graph.vertices.len();
        for edge in elements(&mut call, "edges")? {
            let Ok(ends) = <[usize; 2]>::try_from(self.corners(&mut graph, edge)?) else {
                return Err(BoardError::Expected {
                    span: edge.span,
                    expected: "two ends, such as {{0 0} {1 0}} or {0 1},",
                });
            };
            if ends[0] != ends[1] {
                graph.find_or_add_edge(ends);
            }
        }
        for cell in elements(&mut call, "cells")? {
            let corners = self.corners(&mut graph, cell)?;
            add_cell(&mut graph, &corners);
        }
        if call.truth("connect", false)? {
            graph.connect(fresh);
        }
        call.finish()?;
        Ok(graph)
    }

    /// Vertices given by their numbers or places. At a place without a vertex, one is
    /// added.
    pub(super) fn corners(self, graph: &mut Graph, node: &Node) -> Result<Vec<usize>, BoardError> {
        if are_numbers(node) {
            return vertices(node, graph.vertices.len());
        }
        let spots = spots(node)?.into_iter();
        Ok(spots.map(|spot| graph.find_or_add_vertex(spot)).collect())
    }

    pub(super) fn remove(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let mut graph = self.next_graph(&mut call)?;
        if call.is_outline() {
            operators::remove_within(&mut graph, &next_outline(&mut call)?);
        }
        let trim = call.truth("trimEdges", true)?;
        if let Some(node) = call.named("cells") {
            let many = graph.faces.len();
            let find = |graph: &Graph, node: &Node| {
                let corners = known_corners(graph, node)?;
                Some(graph.clone().find_or_add_face(&corners)?).filter(|face| *face < many)
            };
            let mut cells = found(&graph, node, many, find)?;
            cells.sort_unstable();
            cells.dedup();
            for cell in cells.into_iter().rev() {
                graph.remove_face(cell, trim);
            }
        }
        for edge in elements(&mut call, "edges")? {
            let ends = match are_numbers(edge) {
                true => Some(vertices(edge, graph.vertices.len())?),
                false => known_corners(&graph, edge),
            };
            let known = match ends.as_deref() {
                Some([from, to]) => graph.edge_between(*from, *to),
                _ => None,
            };
            match known {
                Some(known) => graph.keep_edges(|other| other != known),
                None => return nothing_there(edge),
            }
        }
        if let Some(node) = call.named("vertices") {
            let many = graph.vertices.len();
            let find = |graph: &Graph, node: &Node| graph.vertex_at(spot(node).ok()?);
            let removed = found(&graph, node, many, find)?;
            graph.keep_vertices(|other| !removed.contains(&other));
        }
        call.finish()?;
        Ok(graph)
    }
}

/// Adds a cell, and the missing edges around it.
fn add_cell(graph: &mut Graph, corners: &[usize]) {
    let next = corners.iter().cycle().skip(1);
    for (one, other) in corners.iter().zip(next).filter(|(one, other)| one != other) {
        graph.find_or_add_edge([*one, *other]);
    }
    graph.find_or_add_face(corners);
}
