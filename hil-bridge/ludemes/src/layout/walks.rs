//! A page with pictures of walks on boards of several tilings, drawn from the sites that
//! a game's pattern covers.
//!
//! Invariants: a picture shows one of the walk's [`ways`], the one nearest to the centre
//! of the board, with a ring around its start; the page is a self-contained SVG.

use std::fmt::Write;

use super::board::BoardGraph;
use super::direction::Direction;
use super::geometry::{Spot, extent};
use super::graph::SiteType;
use super::pattern::{Walk, ways};

/// The walks that are shown by default: a line, the walks around a block and around a
/// ring, a longer line, and two that turn back.
pub const WALKS: [&str; 7] = [
    "FF",
    "FRFRF",
    "FRFRFRF",
    "FRFRFRFRF",
    "FFFFF",
    "FFRRFFRRF",
    "FRRFFRRFF",
];

/// A column of the page: a board and its title.
#[derive(Clone, Debug)]
pub struct Column {
    /// The title above the board.
    pub name: String,
    /// The board that is shown.
    pub board: BoardGraph,
    /// The relation of the first step. On triangles, where a direction leads across a
    /// side of one cell and across a corner of the next, it decides between two shapes of
    /// a walk.
    pub first: Option<Direction>,
}

/// The boards that are shown by default, one of each regular tiling, triangles twice: the
/// name, the text of the board, and the relation of the first step.
pub const TILINGS: [(&str, &str, Option<Direction>); 4] = [
    (
        "triangles, across a side",
        "(tri Hexagon 4)",
        Some(Direction::Orthogonal),
    ),
    (
        "triangles, across a corner",
        "(tri Hexagon 4)",
        Some(Direction::Diagonal),
    ),
    ("squares", "(square 7)", None),
    ("hexagons", "(hex 4)", None),
];

/// The width and height of a picture, in pixels.
const PICTURE: f64 = 190.0;
/// The width of the column with the walks, in pixels.
const NAMES: f64 = 230.0;
/// The height of the row with the titles, in pixels.
const HEAD: f64 = 34.0;
/// The margin around a board, in pixels.
const MARGIN: f64 = 12.0;

impl Column {
    /// The sites of the walk's way that is nearest to the centre of the board, in order; of
    /// several, the first in the board's order.
    #[must_use]
    pub fn central(&self, walk: &[Walk]) -> Option<Vec<usize>> {
        let sites = self.board.sites();
        let middle_of = |way: &[usize]| {
            let spots = way.iter().map(|site| sites.spot(*site));
            let [least, most] = extent(spots).unwrap_or_default();
            least.towards(most, 0.5)
        };
        let all: Vec<usize> = (0..sites.len()).collect();
        let middle = middle_of(&all);
        // Rounded, so that equal distances are equal on all machines.
        let distance = |way: &[usize]| (middle_of(way).distance(middle) * 1_000.0).round() as u64;
        let found = all.iter().flat_map(|from| ways(sites, *from, walk));
        let found = found.filter(|(heading, way)| self.begins_so(*heading, way));
        found.map(|(_, way)| way).min_by_key(|way| distance(way))
    }

    /// True if the first step has the requested relation.
    fn begins_so(&self, heading: Direction, way: &[usize]) -> bool {
        let (Some(first), [from, to, ..]) = (self.first, way) else {
            return true;
        };
        let mut steps = self.board.sites().steps(*from);
        steps.any(|step| {
            step.to == *to && step.directions.has(heading) && step.directions.has(first)
        })
    }
}

/// A walk as it is written in a game.
#[must_use]
pub fn written(walk: &[Walk]) -> String {
    let letters = walk.iter().map(|part| match part {
        Walk::Forward => "F",
        Walk::Right => "R",
        Walk::Left => "L",
    });
    format!("{{{}}}", letters.collect::<Vec<_>>().join(" "))
}

/// A page with a row for each walk and a column for each board.
#[must_use]
pub fn page(columns: &[Column], walks: &[Vec<Walk>]) -> String {
    let width = NAMES + columns.len() as f64 * PICTURE;
    let height = HEAD + walks.len() as f64 * PICTURE;
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"15\" text-anchor=\"middle\">"
    );
    let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    for (column, Column { name, .. }) in columns.iter().enumerate() {
        let x = NAMES + (column as f64 + 0.5) * PICTURE;
        let name = escaped(name);
        let _ = writeln!(svg, "<text x=\"{x:.0}\" y=\"22\">{name}</text>");
    }
    for (row, walk) in walks.iter().enumerate() {
        let top = HEAD + row as f64 * PICTURE;
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" font-family=\"monospace\">{}</text>",
            NAMES / 2.0,
            top + PICTURE / 2.0,
            written(walk)
        );
        for (at, column) in columns.iter().enumerate() {
            let left = NAMES + at as f64 * PICTURE;
            let _ = writeln!(svg, "<g transform=\"translate({left:.0} {top:.0})\">");
            picture(&mut svg, column, walk);
            let _ = writeln!(svg, "</g>");
        }
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Converts spots of a board to places in its picture.
struct Frame {
    least: Spot,
    most: Spot,
    scale: f64,
}

impl Frame {
    fn of(board: &BoardGraph) -> Frame {
        let graph = board.graph();
        let spots = SiteType::ALL.into_iter().flat_map(|of| graph.spots(of));
        let [least, most] = extent(spots).unwrap_or_default();
        let size = (most.x - least.x).max(most.y - least.y).max(1.0);
        let scale = (PICTURE - 2.0 * MARGIN) / size;
        Frame { least, most, scale }
    }

    fn place(&self, spot: Spot) -> (f64, f64) {
        let middle = self.least.towards(self.most, 0.5);
        (
            PICTURE / 2.0 + (spot.x - middle.x) * self.scale,
            PICTURE / 2.0 - (spot.y - middle.y) * self.scale,
        )
    }
}

/// Draws one board with the sites of a walk and the path between them.
fn picture(svg: &mut String, column: &Column, walk: &[Walk]) {
    let board = &column.board;
    let (frame, graph, sites) = (Frame::of(board), board.graph(), board.sites());
    let way = column.central(walk).unwrap_or_default();
    if board.used() == SiteType::Cell {
        for site in seen(&way) {
            let corners = graph.faces[site].corners.iter();
            let places = corners.map(|corner| {
                let (x, y) = frame.place(graph.vertices[*corner].spot);
                format!("{x:.1},{y:.1}")
            });
            let points = places.collect::<Vec<_>>().join(" ");
            let _ = writeln!(svg, "<polygon points=\"{points}\" fill=\"#ffd27a\"/>");
        }
    }
    let _ = writeln!(svg, "<g stroke=\"#bbb\">");
    for edge in &graph.edges {
        let [from, to] = edge.ends.map(|end| graph.vertices[end].spot);
        let ((x, y), (to_x, to_y)) = (frame.place(from), frame.place(to));
        let _ = writeln!(svg, "<path d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\"/>");
    }
    let _ = writeln!(svg, "</g>");
    let places = way.iter().map(|site| frame.place(sites.spot(*site)));
    let places: Vec<(f64, f64)> = places.collect();
    let line = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    let line = line.collect::<Vec<_>>().join(" ");
    let _ = writeln!(
        svg,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"#b04000\" stroke-width=\"2\"/>"
    );
    for site in seen(&way) {
        let (x, y) = frame.place(sites.spot(site));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"#402000\"/>"
        );
    }
    if let Some((x, y)) = places.first() {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6.5\" fill=\"none\" stroke=\"#402000\" stroke-width=\"1.5\"/>"
        );
    }
    let fits = match seen(&way).len() {
        0 => "does not fit here".to_owned(),
        1 => "1 site".to_owned(),
        many => format!("{many} sites"),
    };
    let (x, y) = (PICTURE / 2.0, PICTURE - 2.0);
    let _ = writeln!(
        svg,
        "<text x=\"{x:.0}\" y=\"{y:.0}\" font-size=\"11\" fill=\"#666\">{fits}</text>"
    );
}

/// The different sites of a way, in ascending order.
fn seen(way: &[usize]) -> Vec<usize> {
    let mut seen = way.to_vec();
    seen.sort_unstable();
    seen.dedup();
    seen
}
