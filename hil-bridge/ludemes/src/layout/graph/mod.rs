//! The graph of a board: vertices, the edges between them, and the faces that edges
//! enclose.
//!
//! Generators build a graph, operators change it, and a [`BoardGraph`](super::BoardGraph)
//! is made from the result. Its elements have the numbers that texts use, so the order in
//! which elements are added matters: see [`Graph::sort`].
//!
//! Invariants: ends of edges and corners of faces are existing vertices; the edges of a
//! vertex are ordered by angle, anticlockwise from the left; the corners of a face are
//! those of one closed walk along edges.

use std::collections::HashMap;

use super::geometry::Spot;

mod change;
mod faces;

pub use faces::Crossings;

/// Vertices that are closer than this are the same.
const SAME: f64 = 0.001;

/// The maximum number of vertices in a graph.
pub const MOST_VERTICES: usize = 4096;

/// The maximum number of edges in a graph.
pub const MOST_EDGES: usize = 4 * MOST_VERTICES;

/// The type of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteType {
    /// The points where edges meet.
    Vertex,
    /// The edges: lines between vertices.
    Edge,
    /// The areas that edges enclose.
    #[default]
    Cell,
}

impl SiteType {
    /// All three types of sites.
    pub const ALL: [SiteType; 3] = [SiteType::Vertex, SiteType::Edge, SiteType::Cell];
}

/// A vertex: a point at which edges meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertex {
    /// The coordinates of the vertex.
    pub spot: Spot,
    /// The edges at the vertex, anticlockwise from the left.
    pub edges: Vec<usize>,
    /// The faces of which it is a corner.
    pub faces: Vec<usize>,
    /// On boards of rings, the vertex at the centre.
    pub pivot: Option<usize>,
}

/// A line between two vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The numbers of its two vertices.
    pub ends: [usize; 2],
    /// The faces to the left and to the right, seen from the first vertex towards the
    /// second.
    pub faces: [Option<usize>; 2],
    /// The directions in which it leaves its ends, if it is an arc.
    pub curve: Option<[Spot; 2]>,
}

impl Edge {
    /// The end that is not `vertex`.
    #[must_use]
    pub fn other(&self, vertex: usize) -> usize {
        if self.ends[0] == vertex {
            self.ends[1]
        } else {
            self.ends[0]
        }
    }

    /// The face on the other side of the edge; `None` at the rim.
    #[must_use]
    pub fn across(&self, face: usize) -> Option<usize> {
        match self.faces {
            [Some(left), right] if left == face => right,
            [left, Some(right)] if right == face => left,
            _ => None,
        }
    }

    /// True if at most one side of the edge has a face.
    #[must_use]
    pub fn is_exterior(&self) -> bool {
        self.faces.contains(&None)
    }
}

/// An area that edges enclose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// The centre: the mean of its corners.
    pub spot: Spot,
    /// Its corners, in the order of a walk.
    pub corners: Vec<usize>,
    /// The edge from each corner to the next.
    pub edges: Vec<usize>,
}

/// A graph of vertices, edges and faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The vertices, by number.
    pub vertices: Vec<Vertex>,
    /// The edges, by number.
    pub edges: Vec<Edge>,
    /// The faces, by number.
    pub faces: Vec<Face>,
}

impl Graph {
    /// A graph of these vertices and edges, with the faces that they enclose.
    #[must_use]
    pub fn new(spots: &[Spot], edges: &[[usize; 2]]) -> Graph {
        let mut graph = Graph::default();
        for spot in spots {
            graph.add_vertex(*spot);
        }
        for ends in edges {
            graph.find_or_add_edge(*ends);
        }
        graph.make_faces(Crossings::Ignored);
        graph.sort_faces_about_vertices();
        graph
    }

    /// A graph of these vertices, with an edge between any two that are a unit apart, and
    /// the faces that the edges enclose.
    #[must_use]
    pub fn of_units(spots: &[Spot]) -> Graph {
        Graph::of_single(spots, &units(spots))
    }

    /// [`Graph::new`] with spots rounded to single precision, so that equal distances
    /// stay equal.
    #[must_use]
    pub fn of_single(spots: &[Spot], edges: &[[usize; 2]]) -> Graph {
        let single = |length: f64| f64::from(length as f32);
        let rounded = spots.iter().map(|spot| Spot {
            x: single(spot.x),
            y: single(spot.y),
            z: single(spot.z),
        });
        Graph::new(&rounded.collect::<Vec<_>>(), edges)
    }

    /// The number of elements of a type.
    #[must_use]
    pub fn len(&self, of: SiteType) -> usize {
        match of {
            SiteType::Vertex => self.vertices.len(),
            SiteType::Edge => self.edges.len(),
            SiteType::Cell => self.faces.len(),
        }
    }

    /// True if the graph has no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// The coordinates of an element; for an edge or face, those of its centre.
    #[must_use]
    pub fn spot(&self, of: SiteType, element: usize) -> Spot {
        match of {
            SiteType::Vertex => self.vertices[element].spot,
            SiteType::Edge => {
                let [from, to] = self.edges[element].ends;
                self.vertices[from]
                    .spot
                    .plus(self.vertices[to].spot)
                    .times(0.5)
            }
            SiteType::Cell => self.faces[element].spot,
        }
    }

    /// The coordinates of all elements of a type.
    pub fn spots(&self, of: SiteType) -> impl Iterator<Item = Spot> + Clone + '_ {
        (0..self.len(of)).map(move |element| self.spot(of, element))
    }

    /// The vertex at this spot; of several, the first.
    #[must_use]
    pub fn vertex_at(&self, spot: Spot) -> Option<usize> {
        self.vertices
            .iter()
            .position(|vertex| vertex.spot.is_at(spot, SAME))
    }

    /// The edge between two vertices, in either direction.
    #[must_use]
    pub fn edge_between(&self, one: usize, other: usize) -> Option<usize> {
        let edges = &self.vertices.get(one)?.edges;
        let mut found = edges.iter().copied();
        let joins = |edge: &usize| self.edges[*edge].other(one) == other;
        // Of several edges, takes the oldest.
        found.by_ref().filter(joins).min()
    }

    /// Adds a vertex and returns its number.
    pub fn add_vertex(&mut self, spot: Spot) -> usize {
        self.vertices.push(Vertex {
            spot,
            ..Vertex::default()
        });
        self.vertices.len() - 1
    }

    /// The vertex at these coordinates, which is added if there is none.
    pub fn find_or_add_vertex(&mut self, spot: Spot) -> usize {
        let found = self.vertex_at(spot);
        found.unwrap_or_else(|| self.add_vertex(spot))
    }

    /// Adds an edge, even if the vertices already have one.
    pub fn add_edge(&mut self, ends: [usize; 2]) -> usize {
        self.edges.push(Edge {
            ends,
            faces: [None, None],
            curve: None,
        });
        let edge = self.edges.len() - 1;
        for end in ends {
            self.vertices[end].edges.push(edge);
            self.sort_edges_about(end);
        }
        edge
    }

    /// Adds an arc that leaves its ends in these directions.
    pub fn add_arc(&mut self, ends: [usize; 2], curve: [Spot; 2]) -> usize {
        let edge = self.add_edge(ends);
        self.edges[edge].curve = Some(curve);
        edge
    }

    /// The edge between two vertices, which is added if there is none.
    pub fn find_or_add_edge(&mut self, ends: [usize; 2]) -> usize {
        let found = self.edge_between(ends[0], ends[1]);
        found.unwrap_or_else(|| self.add_edge(ends))
    }

    /// Adds an edge between any two vertices that are a unit apart.
    pub fn join_units(&mut self) {
        const NEAR: f64 = 0.05;
        for one in 0..self.vertices.len() {
            for other in 0..self.vertices.len() {
                let [from, to] = [one, other].map(|vertex| self.vertices[vertex].spot);
                if one != other && (from.distance_in_space(to) - 1.0).abs() < NEAR {
                    self.find_or_add_edge([one, other]);
                }
            }
        }
    }

    /// Adds an edge between each of these vertices and all vertices that are hardly
    /// further away than the length of edges.
    pub fn connect(&mut self, vertices: impl Iterator<Item = usize>) {
        let threshold = 1.1 * self.mean_length();
        for one in vertices {
            for other in 0..self.vertices.len() {
                let [from, to] = [one, other].map(|vertex| self.vertices[vertex].spot);
                if one != other && from.distance(to) < threshold {
                    self.find_or_add_edge([one, other]);
                }
            }
        }
    }

    fn sort_edges_about(&mut self, vertex: usize) {
        let here = self.vertices[vertex].spot;
        let angle =
            |edge: &usize| here.angle_to(self.vertices[self.edges[*edge].other(vertex)].spot);
        let mut edges = self.vertices[vertex].edges.clone();
        edges.sort_by(|one, other| angle(one).total_cmp(&angle(other)));
        self.vertices[vertex].edges = edges;
    }

    fn sort_faces_about_vertices(&mut self) {
        for vertex in 0..self.vertices.len() {
            let here = self.vertices[vertex].spot;
            let angle = |face: &usize| here.angle_to(self.faces[*face].spot);
            let mut faces = self.vertices[vertex].faces.clone();
            faces.sort_by(|one, other| angle(one).total_cmp(&angle(other)));
            self.vertices[vertex].faces = faces;
        }
    }

    /// Moves every vertex; faces are updated.
    pub fn move_vertices(&mut self, to: impl Fn(Spot) -> Spot) {
        for vertex in &mut self.vertices {
            vertex.spot = to(vertex.spot);
        }
        for face in 0..self.faces.len() {
            self.find_middle(face);
        }
    }

    /// The mean length of the edges; 0 without edges.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        let length = |edge: &Edge| {
            let [from, to] = edge.ends.map(|end| self.vertices[end].spot);
            from.distance_in_space(to)
        };
        let sum: f64 = self.edges.iter().map(length).sum();
        if self.edges.is_empty() {
            0.0
        } else {
            sum / self.edges.len() as f64
        }
    }

    /// A new graph with the same vertices and edges. Numbers, pivots and arcs are kept,
    /// duplicates are merged, and faces are recomputed.
    #[must_use]
    pub fn remade(&self) -> Graph {
        let mut graph = Graph::default();
        for vertex in &self.vertices {
            let number = graph.add_vertex(vertex.spot);
            graph.vertices[number].pivot = vertex.pivot;
        }
        let mut known: HashMap<[usize; 2], usize> = HashMap::new();
        for edge in &self.edges {
            let [one, other] = edge.ends;
            let number = *known
                .entry([one.min(other), one.max(other)])
                .or_insert_with(|| graph.add_edge(edge.ends));
            graph.edges[number].curve = graph.edges[number].curve.or(edge.curve);
        }
        graph.make_faces(Crossings::Ignored);
        graph.sort_faces_about_vertices();
        graph
    }
}

/// The pairs of spots that are a unit apart, the earlier spot first.
#[must_use]
pub fn units(spots: &[Spot]) -> Vec<[usize; 2]> {
    const NEAR: f64 = 0.01;
    let mut pairs = Vec::new();
    for (index, one) in spots.iter().enumerate() {
        for (further, other) in spots.iter().enumerate().skip(index + 1) {
            if (one.distance_in_space(*other) - 1.0).abs() < NEAR {
                pairs.push([index, further]);
            }
        }
    }
    pairs
}
