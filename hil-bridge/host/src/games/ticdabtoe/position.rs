//! The text form of a position of TicDabToe: `ROWS turn red last f7`.
//!
//! The rows of the whole board are written from the top, with `.` for a free cell and `g`
//! and `r` for marks, as in a diagram. The last move determines the block of the next
//! one; without `last`, any block in play is allowed.

use std::fmt::Write;

use firmware_core::games::ticdabtoe::squares::PLACES;
use firmware_core::games::ticdabtoe::{Position, block_of, cell_of, made_for, point_of};
use protocol::{Colour, Layout, Packed, Side};

use crate::games::PositionText;
use crate::position_error::{PositionAdvice, PositionTextError};
use crate::words;

/// The text form of TicDabToe's positions.
pub(super) const TEXT: PositionText = PositionText {
    usage: "position C: ROWS turn red last f7",
    read: |words, _| read(words),
    write: |bytes, _| write(bytes),
    of_board: |board| Some(board.ticdabtoe()?.bytes().to_vec()),
};

fn layout() -> Layout {
    Layout::Grid(made_for(0))
}

fn read(words: &[&str]) -> Result<Vec<u8>, PositionTextError> {
    let (rows, mover, last) = match words {
        [rows, turn, side] if is(turn, "turn") => (rows, side, None),
        [rows, turn, side, last, point] if is(turn, "turn") && is(last, "last") => {
            (rows, side, Some(*point))
        }
        _ => {
            return Err(PositionTextError::Missing {
                what: "a position of TicDabToe is its rows, who moves, and the last move if the next is not free",
                advice: PositionAdvice::Example(TEXT.usage),
            });
        }
    };
    let points = words::rows(rows, layout())?;
    let side = Side::BOTH.into_iter().find(|side| is(mover, side.name()));
    let side = side.ok_or_else(|| PositionTextError::NotGreenOrRed((*mover).to_owned()))?;
    let last = last.map(|name| {
        let point = layout().point(name);
        point.map_err(|_| PositionTextError::NotAPoint(name.to_owned()))
    });
    let marks = marks(&points)?;
    let position = Position::of(marks, side, last.transpose()?);
    let position = position.ok_or(PositionTextError::NoGameComesToThis)?;
    Ok(position.bytes().to_vec())
}

fn is(word: &str, meant: &str) -> bool {
    word.eq_ignore_ascii_case(meant)
}

/// The cells of each block that green and red have marked, as bits.
fn marks(points: &Packed) -> Result<[[u16; 2]; PLACES], PositionTextError> {
    let mut marks = [[0; 2]; PLACES];
    for point in layout().iter() {
        let side = match points.get(point) {
            Colour::OFF => continue,
            Colour::GREEN => Side::Green,
            Colour::RED => Side::Red,
            _ => {
                let name = layout().name(point);
                return Err(PositionTextError::NeitherFreeNorMarked(name));
            }
        };
        marks[block_of(point)][side.index()] |= 1 << cell_of(point);
    }
    Ok(marks)
}

fn write(bytes: &[u8]) -> Option<String> {
    let position = Position::of_bytes(bytes)?;
    let mut points = Packed::default();
    for (block, cell) in (0..PLACES).flat_map(|block| (0..PLACES).map(move |cell| (block, cell))) {
        let point = point_of(block, cell);
        if let Some(side) = position.mark_at(point) {
            points.set(point, side.into());
        }
    }
    let rows = words::letters(&points, layout()).join("/");
    let mut text = format!("{rows} turn {}", position.mover().name());
    if let Some(last) = position.last() {
        let _ = write!(text, " last {}", layout().name(last));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::Point;

    use super::*;

    const EMPTY: &str = "................";

    fn rows(first: &[&str]) -> String {
        let mut rows = first.to_vec();
        rows.resize(16, EMPTY);
        rows.join("/")
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_position_of_ticdabtoe_reads_back_as_written(choices in prop::collection::vec(any::<u8>(), 0..256)) {
            let mut position = Position::start();
            for choice in choices {
                let legal: Vec<Point> = position.legal().collect();
                let Some(point) = legal.get(usize::from(choice) % legal.len().max(1)) else {
                    break;
                };
                position = position.after(*point);
            }
            let text = write(&position.bytes()).unwrap();
            let words: Vec<&str> = text.split(' ').collect();
            prop_assert_eq!(read(&words), Ok(position.bytes().to_vec()));
        }
    }

    #[test]
    fn a_position_is_written_as_rows_from_the_top_and_the_last_move() {
        let rows = rows(&["g...............", ".r.............."]);
        let text = format!("{rows} turn green last b15");
        let words: Vec<&str> = text.split(' ').collect();
        let bytes = read(&words).unwrap();
        let position = Position::of_bytes(&bytes).unwrap();
        assert_eq!(position.open_block(), Some(5));
        assert_eq!(position.turn(), Some(Side::Green));
        assert_eq!(write(&bytes), Some(text.clone()));
        // Without `last`, the next move may be in any block.
        let free = Position::of_bytes(&read(&words[..3]).unwrap()).unwrap();
        assert_eq!(free.open_block(), None);
        assert_eq!(write(&free.bytes()), Some(text.replace(" last b15", "")));
    }

    #[test]
    fn a_wrong_position_is_refused_with_a_sentence() {
        let empty = rows(&[]);
        let both = rows(&["gggg............", "rrrr............"]);
        let amber = rows(&["a..............."]);
        for (words, sentence) in [
            (vec![], "a position of TicDabToe is"),
            (vec![empty.as_str(), "green"], "a position of TicDabToe is"),
            (vec![&empty, "turn", "blue"], "green or red"),
            (vec![&empty, "turn", "red", "last", "q1"], "a1 to p16"),
            (
                vec![&empty, "turn", "red", "last", "a1"],
                "no game comes to this",
            ),
            (vec![&both, "turn", "red"], "no game comes to this"),
            (
                vec![&amber, "turn", "red"],
                "a16 is neither free nor marked",
            ),
            (vec!["...", "turn", "red"], "this board has 16"),
        ] {
            let refused = read(&words).unwrap_err().to_string();
            assert!(refused.contains(sentence), "{words:?}: {refused}");
        }
        assert_eq!(write(&[0; 3]), None);
    }
}
