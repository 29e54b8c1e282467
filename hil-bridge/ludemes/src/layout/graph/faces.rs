//! The faces of a graph: the areas that its edges enclose.
//!
//! Invariants: the corners of a face are clockwise; no two faces have the same corners.

use std::collections::HashSet;

use super::{Face, Graph, SAME};
use crate::layout::geometry::{NOTHING, Polygon, Spot, crossing};

/// Whether a face may have an edge that crosses another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossings {
    /// An edge that crosses another one has no face.
    Avoided,
    /// Crossings are ignored.
    Ignored,
}

impl Graph {
    /// Finds the face with these corners, or adds it if each corner has an edge to the
    /// next; `None` if an edge is missing.
    pub fn find_or_add_face(&mut self, corners: &[usize]) -> Option<usize> {
        let cycle = cycle(corners);
        let same = |face: &Face| {
            face.corners.len() == corners.len() && self::cycle(&face.corners) == cycle
        };
        if let Some(found) = self.faces.iter().position(same) {
            return Some(found);
        }
        self.add_face(corners)
    }

    fn add_face(&mut self, corners: &[usize]) -> Option<usize> {
        let next = corners.iter().cycle().skip(1);
        let edges = corners
            .iter()
            .zip(next)
            .map(|(one, next)| self.edge_between(*one, *next))
            .collect::<Option<Vec<usize>>>()?;
        let face = self.faces.len();
        for (edge, corner) in edges.iter().zip(corners) {
            let edge = &mut self.edges[*edge];
            let side = usize::from(edge.ends[0] == *corner);
            edge.faces[side] = Some(face);
        }
        for corner in corners {
            self.vertices[*corner].faces.push(face);
        }
        self.faces.push(Face {
            spot: Spot::default(),
            corners: corners.to_vec(),
            edges,
        });
        self.find_middle(face);
        Some(face)
    }

    pub(super) fn find_middle(&mut self, face: usize) {
        let corners = &self.faces[face].corners;
        let spots = corners.iter().map(|corner| self.vertices[*corner].spot);
        let sum = spots.fold(Spot::default(), Spot::plus);
        let many = corners.len() as f64;
        self.faces[face].spot = Spot {
            x: sum.x / many,
            y: sum.y / many,
            z: sum.z / many,
        };
    }

    /// Recomputes all faces. Each is a closed clockwise walk that takes the next edge at
    /// every vertex and stays on its layer.
    pub fn make_faces(&mut self, crossings: Crossings) {
        self.clear_faces();
        let mut known = HashSet::new();
        for start in 0..self.vertices.len() {
            for first in self.vertices[start].edges.clone() {
                let Some(corners) = self.walk(start, first, crossings) else {
                    continue;
                };
                let spots = corners.iter().map(|corner| self.vertices[*corner].spot);
                let outline = Polygon(spots.collect());
                if outline.area() < 0.0 && known.insert(cycle(&corners)) {
                    self.add_face(&corners);
                }
            }
        }
    }

    fn walk(&self, start: usize, first: usize, crossings: Crossings) -> Option<Vec<usize>> {
        const MOST_SIDES: usize = 32;
        const FLAT: f64 = 0.0001;
        let height = self.vertices[start].spot.z;
        let (mut vertex, mut edge) = (start, first);
        let mut corners = vec![start];
        while corners.len() <= MOST_SIDES {
            let before = vertex;
            let around = &self.vertices[vertex].edges;
            let at = around.iter().position(|one| *one == edge)?;
            let others = around[at + 1..].iter().chain(&around[..at]);
            edge = *others.into_iter().find(|next| {
                let there = self.edges[**next].other(vertex);
                (self.vertices[there].spot.z - height).abs() < FLAT
            })?;
            vertex = self.edges[edge].other(vertex);
            if vertex == start {
                return (corners.len() >= 3).then_some(corners);
            }
            if corners.contains(&vertex) {
                return None;
            }
            corners.push(vertex);
            if crossings == Crossings::Avoided && self.is_crossed(before, vertex) {
                return None;
            }
        }
        None
    }

    /// True if an earlier edge crosses the one between these vertices.
    fn is_crossed(&self, one: usize, other: usize) -> bool {
        let ends = [one, other].map(|vertex| self.vertices[vertex].spot);
        let [left, right] = [ends[0].x.min(ends[1].x), ends[0].x.max(ends[1].x)];
        let within = |part: f64| (-NOTHING..=1.0 + NOTHING).contains(&part);
        for edge in &self.edges {
            if edge.ends == [one, other] || edge.ends == [other, one] {
                return false;
            }
            let others = edge.ends.map(|vertex| self.vertices[vertex].spot);
            let is_left = others.iter().all(|other| other.x + SAME < left);
            let is_right = others.iter().all(|other| right + SAME < other.x);
            if is_left || is_right {
                continue;
            }
            let touches = ends
                .iter()
                .any(|end| others.iter().any(|other| end.distance(*other) < SAME));
            if !touches
                && crossing(ends, others).is_some_and(|(one, other)| within(one) && within(other))
            {
                return true;
            }
        }
        false
    }
}

/// The normal form of a cycle: it starts at the least number, and continues with the
/// smaller of its two neighbours.
fn cycle(corners: &[usize]) -> Vec<usize> {
    let many = corners.len();
    let least = (0..many)
        .min_by_key(|index| corners[*index])
        .unwrap_or_default();
    let forward = (0..many).map(|step| corners[(least + step) % many]);
    let backward = (0..many).map(|step| corners[(least + many - step) % many]);
    let (forward, backward): (Vec<_>, Vec<_>) = (forward.collect(), backward.collect());
    forward.min(backward)
}
