//! Inserts text into a source file at many places, possibly nested.
//!
//! Invariants: insertions around an expression are closed in reverse order of their
//! opening.

use std::ops::Range;

/// The inserted and removed pieces of a source.
#[derive(Default)]
pub struct Pieces {
    pieces: Vec<Piece>,
}

struct Piece {
    at: usize,
    /// The number of bytes of the source that the piece replaces.
    taken: usize,
    text: String,
    order: Order,
}

/// The order of pieces at the same place: first those that end there, the smallest first;
/// then those that begin there, the largest first. Of two with the same size, the one
/// inserted first is outside.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Ends { size: usize, later: isize },
    Begins { smaller: isize, number: usize },
}

impl Pieces {
    /// Inserts `before` and `after` around these bytes, inside of earlier insertions
    /// around the same bytes.
    pub fn around(&mut self, bytes: &Range<usize>, before: String, after: String) {
        let (size, number) = (bytes.len(), self.pieces.len());
        self.pieces.push(Piece {
            at: bytes.start,
            taken: 0,
            text: before,
            order: Order::Begins {
                smaller: -size.cast_signed(),
                number,
            },
        });
        self.pieces.push(Piece {
            at: bytes.end,
            taken: 0,
            text: after,
            order: Order::Ends {
                size,
                later: -number.cast_signed(),
            },
        });
    }

    /// Replaces these bytes by `text`.
    pub fn instead(&mut self, bytes: &Range<usize>, text: String) {
        let number = self.pieces.len();
        self.pieces.push(Piece {
            at: bytes.start,
            taken: bytes.len(),
            text,
            order: Order::Begins { smaller: 0, number },
        });
    }

    /// The source with all pieces applied.
    #[must_use]
    pub fn put_into(mut self, source: &str) -> String {
        self.pieces
            .sort_by(|one, other| (one.at, &one.order).cmp(&(other.at, &other.order)));
        let mut text = String::with_capacity(2 * source.len());
        let mut done = 0;
        for piece in &self.pieces {
            text.push_str(&source[done..piece.at]);
            text.push_str(&piece.text);
            done = piece.at + piece.taken;
        }
        text.push_str(&source[done..]);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_insertions_close_after_inner_ones() {
        let mut pieces = Pieces::default();
        pieces.around(&(0..1), "(".into(), ")".into());
        pieces.around(&(0..5), "[".into(), "]".into());
        pieces.around(&(0..5), "{".into(), "}".into());
        pieces.around(&(4..5), "<".into(), ">".into());
        pieces.instead(&(2..3), "-".into());
        assert_eq!(pieces.put_into("a + b;"), "[{(a) - <b>}];");
    }
}
