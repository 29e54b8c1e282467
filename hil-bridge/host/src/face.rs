//! The background of a board: squares, other cells, or lines.
//!
//! A drawing has points and ways, but does not say whether players see squares or
//! crossings of lines: the drawings of Chess and of Go are alike. The text of a game
//! does. For a drawing that arrived over a line, the names of the pieces decide:
//! stones are placed on lines.
//!
//! Invariants: a background of squares has its points in full rows and columns; a
//! rectangle has the lines that are engraved in its case.

use ludemes::layout::SiteType;
use protocol::Layout;

use crate::pieces::figures::{self, PieceShape};
use crate::written::{self, game_of};

/// The background that is painted under the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardFace {
    /// Lines from point to point.
    Lines,
    /// A square around each point.
    Squares,
    /// Squares in alternating dark and light, dark at the lower left.
    Chequered,
    /// A hexagon around each point.
    Hexagons,
}

/// Ways of a board of hexagons.
const SIX: usize = 6;

/// The background of a board with this layout.
#[must_use]
pub fn face(layout: Layout) -> BoardFace {
    let known = layout.drawing();
    let Some((known, game)) = known
        .as_ref()
        .and_then(|known| Some((known, game_of(known)?)))
    else {
        return BoardFace::Lines;
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
        () if !is_on_cells => BoardFace::Lines,
        () if is_hexagonal => BoardFace::Hexagons,
        () if !is_full(layout) => BoardFace::Lines,
        () if forms.iter().any(is_chequered) => BoardFace::Chequered,
        () => BoardFace::Squares,
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

    fn of(name: &str) -> BoardFace {
        face(*written::texts::layout(name))
    }

    #[test]
    fn a_board_of_chess_is_chequered_and_one_of_go_has_lines() {
        for (name, expected) in [
            ("chess", BoardFace::Chequered),
            ("english-draughts", BoardFace::Chequered),
            ("go", BoardFace::Lines),
            ("gomoku", BoardFace::Lines),
            ("nine-mens-morris", BoardFace::Lines),
            ("teeko", BoardFace::Squares),
            ("tablut", BoardFace::Squares),
            ("connect-four", BoardFace::Squares),
            ("konane", BoardFace::Squares),
            ("hex", BoardFace::Hexagons),
            ("havannah", BoardFace::Hexagons),
        ] {
            assert_eq!(of(name), expected, "{name}");
        }
    }

    #[test]
    fn a_rectangle_and_a_drawing_without_a_game_keep_their_lines() {
        assert_eq!(face(Layout::MALDOO), BoardFace::Lines);
        let ring = include_str!("../../../tests/drawings/ring.txt");
        let ring = ring.parse::<protocol::Sketch>().unwrap().keep().unwrap();
        assert_eq!(face(*ring), BoardFace::Lines);
    }

    #[test]
    fn a_drawing_that_came_without_its_text_has_the_face_that_its_pieces_stand_on() {
        // Compiled here, but never read as a text of this program.
        let text = |name: &str| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../ludemes/games");
            std::fs::read_to_string(format!("{folder}/{name}.lud")).unwrap()
        };
        for (name, old, new, expected) in [
            (
                "chess",
                "\"Chess\"",
                "\"Chess over a line\"",
                BoardFace::Chequered,
            ),
            (
                "gomoku",
                "\"Gomoku\"",
                "\"Gomoku over a line\"",
                BoardFace::Lines,
            ),
        ] {
            let source = text(name).replace(old, new);
            let (_, compiled) = ludemes::check::made(&source, &[]).unwrap();
            let layout = compiled.layout().unwrap();
            assert_eq!(written::played_on(*layout), None, "{name}");
            assert_eq!(face(*layout), expected, "{name}");
        }
    }
}
