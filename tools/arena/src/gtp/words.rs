//! The text forms of the Go Text Protocol, version 2: points, colours and answers.
//!
//! In Go, rows are counted from the bottom and there is no column `I`. Programs that play
//! Reversi by this protocol count rows from the top, as Othello players do.
//!
//! Invariants: a point that is written is read back as the same point.

use protocol::{Layout, Point, Side};

/// How a game names its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Row 1 is at the bottom, and there is no column `I`.
    Go,
    /// Row 1 is at the top.
    Othello,
}

/// A move in the engine's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A stone on this point.
    Stone(Point),
    /// A pass without a stone.
    Pass,
    /// The player resigns.
    Resign,
}

/// The colour name of a side. Green moves first, as black does in Go.
#[must_use]
pub fn colour(side: Side) -> &'static str {
    match side {
        Side::Green => "black",
        Side::Red => "white",
    }
}

/// The colour of this name, in any case.
#[must_use]
pub fn colour_of(text: &str) -> Option<Side> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::Green),
        "w" | "white" => Some(Side::Red),
        _ => None,
    }
}

impl Notation {
    /// The letters of the columns, from the left.
    fn columns(self) -> &'static [u8] {
        match self {
            Notation::Go => b"ABCDEFGHJKLMNOPQ",
            Notation::Othello => b"ABCDEFGHIJKLMNOP",
        }
    }

    /// Writes the name of a point.
    #[must_use]
    pub fn write(self, layout: Layout, point: Point) -> String {
        let column = self.columns()[usize::from(layout.column(point))] as char;
        let number = match self {
            Notation::Go => layout.rows() - layout.row(point),
            Notation::Othello => layout.row(point) + 1,
        };
        format!("{column}{number}")
    }

    /// Reads a point, `pass` or `resign`, in any case. `None` if the text is none of
    /// these or the point is not on the board.
    #[must_use]
    pub fn read(self, layout: Layout, text: &str) -> Option<Vertex> {
        let text = text.trim().to_ascii_uppercase();
        match text.as_str() {
            "PASS" => return Some(Vertex::Pass),
            "RESIGN" => return Some(Vertex::Resign),
            _ => {}
        }
        let letter = *text.as_bytes().first()?;
        let column = self.columns().iter().position(|name| *name == letter)?;
        let digits = text.get(1..)?;
        let number: u8 = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
        let row = match self {
            Notation::Go => layout.rows().checked_sub(number)?,
            Notation::Othello => number.checked_sub(1)?,
        };
        layout.at(column as u8, row).map(Vertex::Stone)
    }
}

/// An answer of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The text after `=`.
    Done(String),
    /// The text after `?`: why the engine refused the command.
    Refused(String),
}

/// The answer to a command. The lines are given without their line ends and without the
/// empty line that closes an answer; a number after the sign and control characters are
/// dropped, as the protocol requires. `None` if the text is not an answer.
#[must_use]
pub fn answer(lines: &[String]) -> Option<Answer> {
    let text = lines.join("\n").replace('\t', " ");
    let text: String = text
        .chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .collect();
    let rest = text
        .get(1..)?
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.trim().to_owned();
    match text.as_bytes().first()? {
        b'=' => Some(Answer::Done(rest)),
        b'?' => Some(Answer::Refused(rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: Layout = Layout::MALDOO;

    fn lines(text: &[&str]) -> Vec<String> {
        text.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn every_point_reads_back_as_written() {
        for side in 1..=protocol::GridSize::MAX {
            let layout = Layout::grid(side, side).unwrap();
            for notation in [Notation::Go, Notation::Othello] {
                for point in layout.iter() {
                    let name = notation.write(layout, point);
                    assert_eq!(
                        notation.read(layout, &name),
                        Some(Vertex::Stone(point)),
                        "{name}"
                    );
                }
            }
        }
    }

    #[test]
    fn go_and_othello_name_points_in_their_own_ways() {
        assert_eq!(Notation::Go.write(NINE, Point(0)), "A9");
        assert_eq!(Notation::Go.write(NINE, Point(80)), "J1");
        assert_eq!(Notation::Othello.write(NINE, Point(0)), "A1");
        assert_eq!(Notation::Othello.write(NINE, Point(80)), "I9");
        assert_eq!(Notation::Go.read(NINE, "I1"), None);
    }

    #[test]
    fn pass_and_resign_are_read_in_any_case() {
        assert_eq!(Notation::Go.read(NINE, "a9"), Some(Vertex::Stone(Point(0))));
        assert_eq!(Notation::Go.read(NINE, " Pass "), Some(Vertex::Pass));
        assert_eq!(Notation::Go.read(NINE, "resign"), Some(Vertex::Resign));
    }

    #[test]
    fn a_wrong_name_of_a_point_is_refused() {
        for text in [
            "", "A", "A0", "A10", "K1", "5E", "A+1", "A-1", "A1x", "\u{e9}1", "A999",
        ] {
            assert_eq!(Notation::Go.read(NINE, text), None, "{text}");
            let othello = Notation::Othello.read(NINE, text);
            assert_eq!(othello, None, "{text}");
        }
    }

    #[test]
    fn answers_lose_sign_number_and_control_characters() {
        let done = |text: &str| Some(Answer::Done(text.to_owned()));
        assert_eq!(answer(&lines(&["= D5\r"])), done("D5"));
        assert_eq!(answer(&lines(&["=12 D5"])), done("D5"));
        assert_eq!(answer(&lines(&["="])), done(""));
        let refused = answer(&lines(&["? illegal\tmove"]));
        assert_eq!(refused, Some(Answer::Refused("illegal move".to_owned())));
        let dead = answer(&lines(&["= A1 A2", "C5"]));
        assert_eq!(dead, done("A1 A2\nC5"));
    }

    #[test]
    fn a_line_without_an_answer_sign_is_ignored() {
        assert_eq!(answer(&lines(&["D5"])), None);
        assert_eq!(answer(&lines(&[""])), None);
        assert_eq!(answer(&[]), None);
        assert_eq!(answer(&lines(&["\u{e9}= D5"])), None);
    }
}
