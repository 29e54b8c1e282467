//! A picture of a board, for the author of a text.
//!
//! Invariants: every site is labelled with its number or name; the picture is a
//! self-contained SVG.

use std::fmt::Write;

use super::board::BoardGraph;
use super::geometry::{Spot, extent};
use super::graph::SiteType;

/// The length of a unit, in pixels.
const UNIT: f64 = 48.0;

/// The label at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteLabel {
    /// The number of the site.
    Number,
    /// The name of the site in texts.
    Name,
}

/// Draws the edges of a board, and labels each site at its place.
///
/// ```
/// use ludemes::layout::{BoardGraph, SiteLabel, picture};
///
/// let svg = picture(&BoardGraph::hex(3), SiteLabel::Number);
/// assert!(svg.starts_with("<svg") && svg.contains(">18<"));
/// ```
#[must_use]
pub fn picture(board: &BoardGraph, mark: SiteLabel) -> String {
    let graph = board.graph();
    let spots = SiteType::ALL.into_iter().flat_map(|of| graph.spots(of));
    let [least, most] = extent(spots.map(flat)).unwrap_or_default();
    let to_page = |spot: Spot| {
        let spot = flat(spot);
        (
            (spot.x - least.x + 1.0) * UNIT,
            (most.y - spot.y + 1.0) * UNIT,
        )
    };
    let (width, height) = to_page(Spot::new(most.x + 1.0, least.y - 1.0));
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">"
    );
    let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    let _ = writeln!(svg, "<g fill=\"none\" stroke=\"#888\">");
    for edge in &graph.edges {
        let [from, to] = edge.ends.map(|end| graph.vertices[end].spot);
        let ((x, y), (to_x, to_y)) = (to_page(from), to_page(to));
        let middle = match edge.curve {
            // Control points at this distance make the curve about a quarter circle.
            Some(curve) => {
                let reach = from.distance(to) * 0.4;
                let [(a, b), (c, d)] = [
                    from.plus(curve[0].times(reach)),
                    to.plus(curve[1].times(reach)),
                ]
                .map(to_page);
                format!("C{a:.1} {b:.1} {c:.1} {d:.1} ")
            }
            None => "L".to_owned(),
        };
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {y:.1}{middle}{to_x:.1} {to_y:.1}\"/>"
        );
    }
    let _ = writeln!(svg, "</g>");
    let sites = board.sites();
    for (site, spot) in sites.spots().iter().enumerate() {
        let (x, y) = to_page(*spot);
        if board.used() != SiteType::Cell {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"12\" fill=\"#ffe9b0\"/>"
            );
        }
        let mark = match mark {
            SiteLabel::Number => site.to_string(),
            SiteLabel::Name => sites.name(site).to_owned(),
        };
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\">{mark}</text>", y + 5.0);
    }
    svg + "</svg>\n"
}

/// The place of a spot in the picture: higher layers are shifted up and to the right.
fn flat(spot: Spot) -> Spot {
    Spot::new(spot.x + 0.35 * spot.z, spot.y + 0.2 * spot.z)
}
