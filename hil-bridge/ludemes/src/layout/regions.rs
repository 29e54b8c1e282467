//! Named parts of a board: the outermost sites, rim and inside, corners, sides, centre,
//! and the phases of a colouring.
//!
//! Invariants: the sites of a region are in ascending order, each once.

use std::collections::{BTreeSet, VecDeque};

use super::direction::{Direction, bearing_of};
use super::geometry::extent;
use super::graph::{Graph, SiteType};
use super::perimeter::{Corner, Perimeter, corners, perimeters, sides};

/// A named part of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NamedRegion {
    /// The uppermost sites.
    Top,
    /// The lowest sites.
    Bottom,
    /// The leftmost sites.
    Left,
    /// The rightmost sites.
    Right,
    /// The sites of the outer rim.
    Outer,
    /// The sites on the walk around the rim.
    Perimeter,
    /// All sites that are not on the outer rim.
    Inner,
    /// The sites in the centre.
    Centre,
    /// The corners of the rim.
    Corners,
    /// The corners of the rim that point outwards.
    ConvexCorners,
    /// The corners of the rim that point inwards.
    ConcaveCorners,
    /// The cells with most sides.
    Major,
    /// The cells that are not major.
    Minor,
    /// The edges that run horizontally or vertically.
    Axial,
    /// The edges that run horizontally.
    Horizontal,
    /// The edges that run vertically.
    Vertical,
    /// The edges that run neither horizontally nor vertically.
    Angled,
    /// The edges that run up to the right.
    Slash,
    /// The edges that run up to the left.
    Slosh,
}

impl NamedRegion {
    const MANY: usize = NamedRegion::Slosh as usize + 1;
}

/// The maximum number of phases of a colouring.
pub const PHASES: usize = 5;

/// The regions of the elements of one type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regions {
    named: Vec<Vec<usize>>,
    /// The sides, with their compass points; a board may lack some of the eight.
    pub sides: Vec<(Direction, Vec<usize>)>,
    /// The phase of each element.
    pub phase: Vec<usize>,
}

impl Regions {
    /// The sites of a region.
    #[must_use]
    pub fn of(&self, region: NamedRegion) -> &[usize] {
        self.named.get(region as usize).map_or(&[], Vec::as_slice)
    }
}

/// The regions of each element, while they are determined.
struct Marks {
    of: [Vec<BTreeSet<NamedRegion>>; 3],
    sides: [Vec<BTreeSet<Direction>>; 3],
}

impl Marks {
    fn has(&self, of: SiteType, element: usize, region: NamedRegion) -> bool {
        self.of[of as usize][element].contains(&region)
    }

    fn set(&mut self, of: SiteType, element: usize, region: NamedRegion) {
        self.of[of as usize][element].insert(region);
    }
}

/// The regions of vertices, edges and cells.
pub fn regions(graph: &Graph) -> [Regions; 3] {
    let mut marks = Marks {
        of: SiteType::ALL.map(|of| vec![BTreeSet::new(); graph.len(of)]),
        sides: SiteType::ALL.map(|of| vec![BTreeSet::new(); graph.len(of)]),
    };
    let perimeters = perimeters(graph);
    mark_rim(graph, &perimeters, &mut marks);
    mark_extremes(graph, &mut marks);
    mark_sizes(graph, &mut marks);
    mark_corners(graph, &perimeters, &mut marks);
    mark_sides(graph, &perimeters, &mut marks);
    mark_slopes(graph, &mut marks);
    for of in SiteType::ALL {
        mark_centre(graph, of, &mut marks);
    }
    SiteType::ALL.map(|of| {
        let mut regions = Regions {
            named: vec![Vec::new(); NamedRegion::MANY],
            phase: phases(graph, of),
            sides: Vec::new(),
        };
        for (element, names) in marks.of[of as usize].iter().enumerate() {
            names
                .iter()
                .for_each(|name| regions.named[*name as usize].push(element));
        }
        let compass = Direction::COMPASS.into_iter().step_by(2);
        let side = |direction: Direction| {
            let all = marks.sides[of as usize].iter().enumerate();
            let members = all.filter(|(_, sides)| sides.contains(&direction));
            let members: Vec<usize> = members.map(|(element, _)| element).collect();
            (!members.is_empty()).then_some((direction, members))
        };
        regions.sides = compass.filter_map(side).collect();
        regions
    })
}

fn mark_rim(graph: &Graph, perimeters: &[Perimeter], marks: &mut Marks) {
    use SiteType::{Cell, Edge, Vertex};
    for Perimeter(vertices) in perimeters {
        let next = vertices.iter().cycle().skip(1);
        for (one, other) in vertices.iter().zip(next) {
            marks.set(Vertex, *one, NamedRegion::Perimeter);
            if let Some(edge) = graph.edge_between(*one, *other) {
                marks.set(Edge, edge, NamedRegion::Perimeter);
                let [left, right] = graph.edges[edge].faces;
                if let Some(face) = left.or(right) {
                    marks.set(Cell, face, NamedRegion::Perimeter);
                }
            }
        }
    }
    for (number, face) in graph.faces.iter().enumerate() {
        let mut corners = face.corners.iter();
        if corners.any(|corner| marks.has(Vertex, *corner, NamedRegion::Perimeter)) {
            marks.set(Cell, number, NamedRegion::Perimeter);
        }
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        let mut ends = edge.ends.iter();
        if edge.is_exterior() && ends.all(|end| marks.has(Vertex, *end, NamedRegion::Perimeter)) {
            marks.set(Edge, number, NamedRegion::Perimeter);
        }
    }
    for of in SiteType::ALL {
        for element in 0..graph.len(of) {
            let is_outer = marks.has(of, element, NamedRegion::Perimeter);
            marks.set(
                of,
                element,
                if is_outer {
                    NamedRegion::Outer
                } else {
                    NamedRegion::Inner
                },
            );
        }
    }
}

fn mark_extremes(graph: &Graph, marks: &mut Marks) {
    const NEAR: f64 = 0.01;
    for of in SiteType::ALL {
        let Some([least, most]) = extent(graph.spots(of)) else {
            continue;
        };
        for (element, spot) in graph.spots(of).enumerate() {
            let at = [
                (spot.x - least.x, NamedRegion::Left),
                (spot.y - least.y, NamedRegion::Bottom),
                (most.x - spot.x, NamedRegion::Right),
                (most.y - spot.y, NamedRegion::Top),
            ];
            for (_, region) in at.into_iter().filter(|(away, _)| *away < NEAR) {
                marks.set(of, element, region);
            }
        }
    }
}

fn mark_sizes(graph: &Graph, marks: &mut Marks) {
    let most = graph.faces.iter().map(|face| face.corners.len()).max();
    for (number, face) in graph.faces.iter().enumerate() {
        let is_major = Some(face.corners.len()) == most;
        let region = if is_major {
            NamedRegion::Major
        } else {
            NamedRegion::Minor
        };
        marks.set(SiteType::Cell, number, region);
    }
}

/// Marks the corners of the rim. Then marks the edges between two corners, with the cells
/// at these edges; for a corner without such an edge, its edges on the rim and their
/// cells.
fn mark_corners(graph: &Graph, perimeters: &[Perimeter], marks: &mut Marks) {
    for perimeter in perimeters {
        for (vertex, corners) in perimeter.0.iter().zip(corners(graph, perimeter)) {
            for corner in corners {
                mark_corner(marks, SiteType::Vertex, *vertex, corner);
            }
        }
    }
    for vertex in 0..graph.vertices.len() {
        if marks.has(SiteType::Vertex, vertex, NamedRegion::Corners) {
            mark_beside_corner(graph, vertex, marks);
        }
    }
}

fn mark_corner(marks: &mut Marks, of: SiteType, element: usize, corner: Corner) {
    marks.set(of, element, NamedRegion::Corners);
    marks.set(
        of,
        element,
        match corner {
            Corner::Convex => NamedRegion::ConvexCorners,
            Corner::Concave => NamedRegion::ConcaveCorners,
        },
    );
}

/// Marks the edges and cells at a vertex that is a corner: what lies between it and
/// other corners, or else what lies beside it at the rim.
fn mark_beside_corner(graph: &Graph, number: usize, marks: &mut Marks) {
    use SiteType::{Cell, Edge, Vertex};
    let vertex = &graph.vertices[number];
    let is_concave = marks.has(Vertex, number, NamedRegion::ConcaveCorners);
    let corner = if is_concave {
        Corner::Concave
    } else {
        Corner::Convex
    };
    let first_face = |edge: usize| {
        let [left, right] = graph.edges[edge].faces;
        left.or(right)
    };
    let to_corner = |edge: &&usize| {
        marks.has(
            Vertex,
            graph.edges[**edge].other(number),
            NamedRegion::Corners,
        )
    };
    let between: Vec<usize> = vertex.edges.iter().filter(to_corner).copied().collect();
    for edge in &between {
        mark_corner(marks, Edge, *edge, corner);
        if let Some(face) = first_face(*edge) {
            mark_corner(marks, Cell, face, corner);
        }
    }
    if !between.is_empty() {
        return;
    }
    for edge in &vertex.edges {
        if !marks.has(Edge, *edge, NamedRegion::Perimeter) {
            continue;
        }
        mark_corner(marks, Edge, *edge, corner);
        let faces: Vec<usize> = if is_concave {
            let faces = vertex.faces.iter().copied();
            faces
                .filter(|face| at_rim(graph, marks, *face) == 1)
                .collect()
        } else {
            first_face(*edge).into_iter().collect()
        };
        for face in faces {
            mark_corner(marks, Cell, face, corner);
        }
    }
}

/// How many corners of a face are at the rim.
fn at_rim(graph: &Graph, marks: &Marks, face: usize) -> usize {
    let corners = graph.faces[face].corners.iter();
    corners
        .filter(|corner| marks.has(SiteType::Vertex, **corner, NamedRegion::Perimeter))
        .count()
}

/// Marks the sides of the rim's vertices, and of the edges and cells that touch them.
fn mark_sides(graph: &Graph, perimeters: &[Perimeter], marks: &mut Marks) {
    for perimeter in perimeters {
        let is_corner = |vertex| marks.has(SiteType::Vertex, vertex, NamedRegion::Corners);
        for (side, run) in sides(graph, perimeter, is_corner) {
            for vertex in run {
                marks.sides[SiteType::Vertex as usize][vertex].insert(side);
            }
        }
    }
    let [vertices, edges, cells] = &mut marks.sides;
    for (edge, sides) in graph.edges.iter().zip(edges) {
        sides.extend(edge.ends.iter().flat_map(|end| &vertices[*end]));
    }
    for (face, sides) in graph.faces.iter().zip(cells) {
        sides.extend(face.corners.iter().flat_map(|corner| &vertices[*corner]));
    }
}

fn mark_slopes(graph: &Graph, marks: &mut Marks) {
    for (number, edge) in graph.edges.iter().enumerate() {
        let [from, to] = edge.ends.map(|end| graph.vertices[end].spot);
        let compass = bearing_of(from, to);
        let slopes = match compass.sector().unwrap_or_default() {
            4 | 12 => [NamedRegion::Axial, NamedRegion::Horizontal],
            0 | 8 => [NamedRegion::Axial, NamedRegion::Vertical],
            1..=3 | 9..=11 => [NamedRegion::Angled, NamedRegion::Slash],
            _ => [NamedRegion::Angled, NamedRegion::Slosh],
        };
        for slope in slopes {
            marks.set(SiteType::Edge, number, slope);
        }
    }
}

/// Marks the centre: the elements with the least sum of squared distances to the corners,
/// and on small boards to the rim.
fn mark_centre(graph: &Graph, of: SiteType, marks: &mut Marks) {
    const LARGE: usize = 100;
    const ALIKE: f64 = 0.0001;
    let many = graph.len(of);
    let marked = &*marks;
    let members =
        |region: NamedRegion| (0..many).filter(move |element| marked.has(of, *element, region));
    let mut rim: Vec<usize> = Vec::new();
    if many < LARGE {
        rim.extend(members(NamedRegion::Perimeter));
    }
    rim.extend(members(NamedRegion::Corners));
    let rim: Vec<_> = rim
        .into_iter()
        .map(|element| graph.spot(of, element))
        .collect();
    let sum = |element: usize| {
        let here = graph.spot(of, element);
        let squares = rim.iter().map(|other| {
            let (dx, dy) = (other.x - here.x, other.y - here.y);
            dx * dx + dy * dy
        });
        squares.sum::<f64>()
    };
    let sums: Vec<f64> = (0..many).map(sum).collect();
    let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
    for (element, sum) in sums.into_iter().enumerate() {
        if sum - least < ALIKE {
            marks.set(of, element, NamedRegion::Centre);
        }
    }
}

/// The neighbours of an element: across sides, along edges, or at an end.
fn neighbours(graph: &Graph, of: SiteType, element: usize) -> Vec<usize> {
    match of {
        SiteType::Vertex => {
            let edges = graph.vertices[element].edges.iter();
            edges
                .map(|edge| graph.edges[*edge].other(element))
                .collect()
        }
        SiteType::Edge => {
            let ends = graph.edges[element].ends.iter();
            let edges = ends.flat_map(|end| graph.vertices[*end].edges.iter().copied());
            edges.filter(|other| *other != element).collect()
        }
        SiteType::Cell => {
            let edges = graph.faces[element].edges.iter();
            edges
                .filter_map(|edge| graph.edges[*edge].across(element))
                .collect()
        }
    }
}

/// A colouring in which neighbours differ as far as four colours allow. Elements with
/// neighbours of two colours come first.
fn phases(graph: &Graph, of: SiteType) -> Vec<usize> {
    let many = graph.len(of);
    let mut phase: Vec<Option<usize>> = vec![None; many];
    let used = |phase: &[Option<usize>], element: usize| -> BTreeSet<usize> {
        let around = neighbours(graph, of, element).into_iter();
        around.filter_map(|other| phase[other]).collect()
    };
    while let Some(start) = phase.iter().position(Option::is_none) {
        phase[start] = Some(0);
        let (mut queue, mut visited) = (VecDeque::from([start]), vec![false; many]);
        while let Some(element) = queue.pop_front() {
            if std::mem::replace(&mut visited[element], true) {
                continue;
            }
            let used_here = used(&phase, element);
            let free = (0..PHASES - 1).find(|colour| !used_here.contains(colour));
            phase[element] = Some(free.unwrap_or(PHASES - 1));
            for other in neighbours(graph, of, element) {
                if visited[other] {
                    continue;
                }
                if used(&phase, other).len() > 1 {
                    queue.push_front(other);
                } else {
                    queue.push_back(other);
                }
            }
        }
    }
    phase.into_iter().map(Option::unwrap_or_default).collect()
}
