//! Boards that are single figures: a polygon, a star, a wedge, a spiral, a mesh, repeated
//! figures.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use super::super::geometry::{Polygon, Spot, turn};
use super::super::graph::{Crossings, Graph, SiteType};
use super::{RIM, sorted};

/// A polygon with sides of about 1, or a star with this many points.
#[must_use]
pub fn regular(sides: usize, star: bool, used: SiteType) -> Graph {
    let mut graph = Graph::default();
    let radius = sides as f64 / TAU;
    let first = if sides == 4 { FRAC_PI_4 } else { FRAC_PI_2 };
    for side in 0..sides {
        graph.add_vertex(Spot::polar(
            radius,
            first + TAU * side as f64 / sides as f64,
        ));
    }
    let step = if star { (sides - 1) / 2 } else { 1 };
    for side in 0..sides {
        graph.add_edge([side, (side + step) % sides]);
    }
    if used == SiteType::Cell {
        graph.make_faces(Crossings::Avoided);
    }
    sorted(graph)
}

/// A triangle of lines that fan out from its tip at the top, and rows across them,
/// numbered from the tip down.
#[must_use]
pub fn wedge(rows: usize, columns: usize) -> Graph {
    let mut graph = Graph::default();
    let tip = rows as f64 - 1.0;
    graph.add_vertex(Spot::new(tip, tip));
    for row in 1..rows {
        let half = row as f64;
        for column in 0..columns {
            let part = column as f64 / (columns - 1) as f64;
            graph.add_vertex(Spot::new(tip - half + part * 2.0 * half, tip - half));
        }
    }
    for row in 1..rows {
        let first = (row - 1) * columns + 1;
        for column in 0..columns {
            if row == 1 {
                graph.add_edge([0, first + column]);
            }
        }
        for column in 1..columns {
            graph.add_edge([first + column - 1, first + column]);
        }
        if row + 1 < rows {
            for column in 0..columns {
                graph.add_edge([first + column, first + columns + column]);
            }
        }
    }
    graph
}

/// Rows of pits, with a store at each end if requested. Numbered: the left store, the
/// pits row by row, the right store.
#[must_use]
pub fn mancala(rows: usize, columns: usize, stores: bool) -> Graph {
    // The distance of a store from the pits is smaller if the store is between two rows.
    let inset = match rows {
        2 => 0.15,
        rows if rows % 2 == 0 => 0.1,
        _ => 0.0,
    };
    let middle = (rows - 1) as f64 / 2.0;
    let mut graph = Graph::default();
    if stores {
        graph.add_vertex(Spot::new(inset - 1.0, middle));
    }
    for row in 0..rows {
        for column in 0..columns {
            let pit = graph.add_vertex(Spot::new(column as f64, row as f64));
            if column > 0 {
                graph.add_edge([pit - 1, pit]);
            }
        }
    }
    if stores {
        graph.add_vertex(Spot::new(columns as f64 - inset, middle));
    }
    graph.connect(0..graph.vertices.len());
    graph.make_faces(Crossings::Avoided);
    graph
}

/// A line that winds outwards from the centre, numbered along the line. Up to the third
/// turn, each has twice as many points as the one before.
#[must_use]
pub fn spiral(turns: usize, sites: usize, clockwise: bool) -> Graph {
    let mut graph = Graph::default();
    let middle = graph.add_vertex(Spot::default());
    let mut angles = vec![0.0];
    let mut steps = first_turn(turns, sites);
    for turn in 1..=turns + 1 {
        let step = TAU / steps.max(1) as f64;
        let offset = if turn <= 2 || turn % 2 == 1 {
            step / 2.0
        } else {
            0.0
        };
        angles.extend((0..steps).map(|index| TAU * turn as f64 - offset + step * index as f64));
        if turn <= 2 {
            steps *= 2;
        }
    }
    angles.resize(angles.len().max(sites + 2), 0.0);
    for _ in 0..2 {
        for site in 2..sites {
            angles[site] = (angles[site - 1] + angles[site + 1]) / 2.0;
        }
    }
    if sites > 1 {
        angles[1] -= 0.5 * (angles[2] - angles[1]);
    }
    for angle in angles.iter().take(sites).skip(1) {
        let (x, y) = (angle * angle.cos(), angle * angle.sin());
        graph.add_vertex(Spot::new(if clockwise { -x } else { x }, y));
    }
    let many = graph.vertices.len();
    for site in 1..many {
        let spot = |site: usize| graph.vertices[site.min(many - 1)].spot;
        let leaves = spot(site).minus(spot(site.saturating_sub(2))).unit();
        let comes = spot(site).minus(spot(site - 1)).unit();
        graph.add_arc([site - 1, site], [leaves, comes]);
    }
    graph
        .vertices
        .iter_mut()
        .for_each(|vertex| vertex.pivot = Some(middle));
    graph
}

/// The number of points in the first turn of a spiral.
fn first_turn(turns: usize, sites: usize) -> usize {
    let total = |first: usize| {
        let sizes = (1..turns).map(|turn| first * [1, 2, 4][(turn - 1).min(2)]);
        1 + sizes.sum::<usize>()
    };
    let too_many = (1..sites).find(|first| total(*first) > sites);
    too_many.map_or(0, |first| first - 1)
}

/// Figures repeated in columns and rows, shifted by a step each.
#[must_use]
pub fn repeat(
    rows: usize,
    columns: usize,
    [column_step, row_step]: [Spot; 2],
    figures: &[Polygon],
) -> Graph {
    let mut graph = Graph::default();
    for row in 0..rows {
        for column in 0..columns {
            let place = column_step
                .times(column as f64)
                .plus(row_step.times(row as f64));
            for Polygon(corners) in figures {
                let next = corners.iter().cycle().skip(1);
                for (one, other) in corners.iter().zip(next) {
                    let ends =
                        [one, other].map(|corner| graph.find_or_add_vertex(place.plus(*corner)));
                    if ends[0] != ends[1] {
                        graph.find_or_add_edge(ends);
                    }
                }
            }
        }
    }
    graph.make_faces(Crossings::Ignored);
    sorted(graph)
}

/// `points` points spread over an outline and joined to triangles. Their places are
/// pseudo-random but fixed: the same text gives the same board.
#[must_use]
pub fn strewn_mesh(points: usize, outline: &Polygon) -> Graph {
    // These are arbitrary: a Weyl sequence with irrational steps fills an area evenly.
    const STEPS: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_2];
    let outline = outline.grown(RIM);
    let Some([least, most]) = outline.extent() else {
        return Graph::default();
    };
    let spot = |index: usize| {
        let part = STEPS.map(|step| (0.5 + step * index as f64).fract());
        Spot::new(
            least.x + part[0] * (most.x - least.x),
            least.y + part[1] * (most.y - least.y),
        )
    };
    // The number of tries is limited, because an outline without area contains no points.
    let tries = (1..1000 * points.max(1)).map(spot);
    let inside = tries.filter(|spot| outline.holds(*spot)).take(points);
    mesh(&inside.collect::<Vec<_>>())
}

/// Joins points to triangles, one after the other: a new point is joined to the corners
/// of the first triangle of earlier points that contains it, or else to the two nearest
/// points.
#[must_use]
pub fn mesh(points: &[Spot]) -> Graph {
    let mut graph = Graph::default();
    for point in points {
        let around = match graph.vertices.len() {
            many @ 0..3 => (0..many).collect(),
            _ => triangle_around(&graph, *point).unwrap_or_else(|| two_nearest(&graph, *point)),
        };
        let vertex = graph.add_vertex(*point);
        for other in around {
            graph.find_or_add_edge([vertex, other]);
        }
    }
    graph.make_faces(Crossings::Avoided);
    graph
}

fn triangle_around(graph: &Graph, point: Spot) -> Option<Vec<usize>> {
    let spot = |vertex: usize| graph.vertices[vertex].spot;
    let many = graph.vertices.len();
    for one in 0..many {
        for two in one + 1..many {
            for three in two + 1..many {
                let corners = [one, two, three];
                let turns = [0, 1, 2]
                    .map(|side| turn(spot(corners[side]), spot(corners[(side + 1) % 3]), point));
                if turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0) {
                    return Some(corners.to_vec());
                }
            }
        }
    }
    None
}

fn two_nearest(graph: &Graph, point: Spot) -> Vec<usize> {
    let mut all: Vec<usize> = (0..graph.vertices.len()).collect();
    let distance = |vertex: &usize| graph.vertices[*vertex].spot.distance(point);
    all.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    all.truncate(2);
    all
}

/// A polygon whose corners are repeated by rotating them around the origin `times` times;
/// in the other direction if negative.
#[must_use]
pub fn rotated(mut corners: Vec<Spot>, times: i64) -> Polygon {
    if times < 0 {
        corners.reverse();
    }
    let angle = if times == 0 {
        0.0
    } else {
        2.0 * PI / times as f64
    };
    let copies = (0..times.unsigned_abs().max(1)).flat_map(|copy| {
        let turned = corners
            .iter()
            .map(move |corner| corner.turned(angle * copy as f64));
        turned.collect::<Vec<_>>()
    });
    Polygon(copies.collect())
}
