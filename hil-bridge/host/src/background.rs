//! The background of a board: squares, other cells, or lines.
//!
//! A drawing has points and ways but does not say whether players see squares or
//! crossings of lines: the drawings of Chess and Go are alike. The text of the game says
//! it. For a drawing received over a line, the names of the pieces decide: stones are
//! placed on lines.
//!
//! Invariants: a background of squares has its points in full rows and columns; a
//! rectangle has the lines that are engraved in its case.

use ludemes::layout::SiteType;
use protocol::Layout;

use crate::pieces::figures::{self, PieceShape};
use crate::written::{self, game_of};

/// The background that is painted under the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Lines from point to point.
    Lines,
    /// A square around each point.
    Squares,
    /// Squares in alternating dark and light, dark at the lower left.
    Chequered,
    /// A hexagon around each point.
    Hexagons,
}

/// The number of neighbours of a cell on a board of hexagons.
const SIX: usize = 6;

/// The background of a board with this layout.
#[must_use]
pub fn background(layout: Layout) -> Background {
    let known = layout.drawing();
    let Some((known, game)) = known
        .as_ref()
        .and_then(|known| Some((known, game_of(known)?)))
    else {
        return Background::Lines;
    };
    let drawing = known.as_drawing();
    let forms: Vec<PieceShape> = figures::looks(&game.cartridge)
        .into_iter()
        .flatten()
        .map(|look| look.form)
        .collect();
    let on_lines = |form: &PieceShape| matches!(form, PieceShape::Stone | PieceShape::Man);
    let is_on_cells = match written::played_on(layout) {
        Some(of) => of == SiteType::Cell,
        None => !forms.iter().any(on_lines),
    };
    let is_hexagonal = drawing.ways() == SIX && (0..SIX).all(|way| drawing.is_straight(way));
    let is_chequered = |form: &PieceShape| {
        use PieceShape::{Bishop, Counter, Crowned, Knight, Pawn, Queen, Rook};
        matches!(
            form,
            Bishop | Counter | Crowned | Knight | Pawn | Queen | Rook
        )
    };
    match () {
        () if !is_on_cells => Background::Lines,
        () if is_hexagonal => Background::Hexagons,
        () if !is_full(layout) => Background::Lines,
        () if forms.iter().any(is_chequered) => Background::Chequered,
        () => Background::Squares,
    }
}

/// True if the points form full rows and columns, with equal distances in both
/// directions.
fn is_full(layout: Layout) -> bool {
    let spots: Vec<[i32; 2]> = layout
        .iter()
        .filter_map(|point| layout.place(point))
        .map(|place| [place.x, place.y].map(i32::from))
        .collect();
    let [columns, rows] = [0, 1].map(|axis| {
        let mut all: Vec<i32> = spots.iter().map(|spot| spot[axis]).collect();
        all.sort_unstable();
        all.dedup();
        all
    });
    let gaps = |all: &[i32]| -> Vec<i32> { all.windows(2).map(|pair| pair[1] - pair[0]).collect() };
    let mut apart = gaps(&columns);
    apart.extend(gaps(&rows));
    apart.dedup();
    columns.len() * rows.len() == spots.len() && apart.len() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Background {
        background(*written::texts::layout(name))
    }

    #[test]
    fn chess_is_chequered_and_go_has_lines() {
        for (name, expected) in [
            ("chess", Background::Chequered),
            ("english-draughts", Background::Chequered),
            ("go", Background::Lines),
            ("gomoku", Background::Lines),
            ("nine-mens-morris", Background::Lines),
            ("teeko", Background::Squares),
            ("tablut", Background::Squares),
            ("connect-four", Background::Squares),
            ("konane", Background::Squares),
            ("hex", Background::Hexagons),
            ("havannah", Background::Hexagons),
        ] {
            assert_eq!(of(name), expected, "{name}");
        }
    }

    #[test]
    fn a_rectangle_and_a_drawing_without_a_game_keep_their_lines() {
        assert_eq!(background(Layout::MALDOO), Background::Lines);
        let ring = include_str!("../../../tests/drawings/ring.txt");
        let ring = ring.parse::<protocol::Sketch>().unwrap().keep().unwrap();
        assert_eq!(background(*ring), Background::Lines);
    }

    #[test]
    fn a_drawing_without_text_gets_its_background_from_pieces() {
        // Renamed texts are compiled here, so that only the drawing and its pieces are
        // known.
        let text = |name: &str| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../ludemes/games");
            std::fs::read_to_string(format!("{folder}/{name}.lud")).unwrap()
        };
        for (name, old, new, expected) in [
            (
                "chess",
                "\"Chess\"",
                "\"Chess over a line\"",
                Background::Chequered,
            ),
            (
                "gomoku",
                "\"Gomoku\"",
                "\"Gomoku over a line\"",
                Background::Lines,
            ),
        ] {
            let source = text(name).replace(old, new);
            let (_, compiled) = ludemes::check::made(&source, &[]).unwrap();
            let layout = compiled.layout().unwrap();
            assert_eq!(written::played_on(*layout), None, "{name}");
            assert_eq!(background(*layout), expected, "{name}");
        }
    }
}
