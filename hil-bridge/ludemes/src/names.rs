//! Points whose names in the text of a game differ from those on the board.
//!
//! A text names a site by the lines of the tiling, a board by the lines that its players
//! see. If the points do not form regular lines, the two differ. A name in a text means
//! the same wherever the text is read, so the board's names are reported as well.
//!
//! Invariants: nothing is reported about a point that has the same name in both.

use protocol::Name;

use crate::compile::Compiled;
use crate::tree::{Kind, Node, TextSpan};

/// The maximum number of points that the sentence names.
const MOST_NAMED: usize = 4;

/// A point whose name on the board differs from its name in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// Where the text first uses the name.
    pub span: TextSpan,
    /// The name in the text.
    pub text: String,
    /// The name on the board.
    pub board: Name,
}

/// The points that the text names differently than the board, each once, in the order of
/// the text; empty for a game that no board can play.
#[must_use]
pub fn otherwise(game: &Node, compiled: &Compiled) -> Vec<Otherwise> {
    let mut named: Vec<(TextSpan, &str, usize)> = Vec::new();
    for node in game.all() {
        if let Kind::Text(text) = &node.kind
            && let Some(site) = compiled.board.named(text)
            && !compiled.pieces.contains(text)
            && !named.iter().any(|(_, other, _)| other == text)
        {
            named.push((node.span, text, site));
        }
    }
    if named.is_empty() {
        return Vec::new();
    }
    let (Ok(raster), Ok(sketch)) = (compiled.board.raster(), compiled.sketch()) else {
        return Vec::new();
    };
    // On a board that is seen from its side, a site is several points.
    if sketch.places != raster.sketch.places {
        return Vec::new();
    }
    let names = sketch.names();
    let otherwise = named.into_iter().filter_map(|(span, text, site)| {
        let board = *names.get(raster.points.get(site)?.index())?;
        let is_other = !board.to_string().eq_ignore_ascii_case(text);
        is_other.then(|| Otherwise {
            span,
            text: text.to_owned(),
            board,
        })
    });
    otherwise.collect()
}

/// A sentence about the different names; `None` if there are none.
#[must_use]
pub fn sentence(names: &[Otherwise]) -> Option<String> {
    let told = names.iter().take(MOST_NAMED);
    let told: Vec<String> = told
        .map(|name| format!("its “{}” is {} there", name.text, name.board))
        .collect();
    let more = names.len() - told.len();
    let more = match more {
        0 => String::new(),
        _ => format!(", and {more} more"),
    };
    (!told.is_empty()).then(|| {
        format!(
            "The board has names of its own for points that this text names: {}{more}. `ludemes picture FILE --names` draws the names of the text.",
            told.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use protocol::{Layout, Point};

    use super::*;
    use crate::check;

    /// The text of a game on this board, with stones on these sites.
    fn text(board: &str, stones: &str) -> String {
        format!(
            "(game \"Named\" (players 2)
             (equipment {{ (board {board}) (piece \"Stone\" Each) }})
             (rules (start (place \"Stone1\" {{{stones}}}))
                    (play (move Add (to (sites Empty))))
                    (end (if (is Line 3) (result Mover Win)))))"
        )
    }

    /// The reported differences.
    fn told(board: &str, stones: &str) -> Vec<[String; 2]> {
        let text = text(board, stones);
        let (reading, compiled) = check::made(&text, &[]).expect("it is right");
        let all = otherwise(&reading.game, &compiled);
        for name in &all {
            let named = &text[name.span.start as usize..name.span.end as usize];
            assert_eq!(named, format!("\"{}\"", name.text));
        }
        let pairs = all.into_iter();
        pairs
            .map(|name| [name.text, name.board.to_string()])
            .collect()
    }

    #[test]
    fn regular_boards_report_no_differing_names() {
        for board in ["(square 5)", "(hex 4)", "(tri 5)", "(tiling T488 3)"] {
            let (_, bare) = check::made(&text(board, ""), &[]).expect("it is right");
            let sites = 0..bare.board.len();
            let all: Vec<String> = sites
                .map(|site| format!("\"{}\"", bare.board.name(site)))
                .collect();
            assert!(all.len() > 12, "{board}");
            let nothing: [[String; 2]; 0] = [];
            assert_eq!(told(board, &all.join(" ")), nothing, "{board}");
        }
    }

    #[test]
    fn each_differing_name_is_reported_once() {
        let differ = told("(hex Star 3)", "\"J12\" \"I11\" \"J12\"");
        assert_eq!(differ, [["J12", "k12"], ["I11", "j11"]]);
    }

    #[test]
    fn a_sentence_names_some_points_and_counts_the_others() {
        let name = |text: &str| Otherwise {
            span: TextSpan::default(),
            text: text.to_owned(),
            board: Layout::MALDOO.name(Point(0)),
        };
        assert_eq!(sentence(&[]), None);
        let five = ["A1", "B1", "C1", "D1", "E1"].map(name);
        let told = sentence(&five).expect("there are some");
        assert!(told.contains("its “D1” is a9 there, and 1 more."), "{told}");
        assert!(!told.contains("E1"), "{told}");
    }
}
