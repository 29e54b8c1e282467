//! The pieces that a game has captured so far: those of its opening that are no longer on
//! the board.
//!
//! Invariants: as many pieces are listed as are missing, so a pawn that was promoted is not
//! listed. A game that puts pieces on the board, or exchanges their colours, lists none.

use std::collections::BTreeMap;

use protocol::Side;

use super::Pieces;
use super::figures::{PieceStyle, Tint};

/// Captured pieces of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapturedKind {
    /// The appearance of the pieces.
    pub look: PieceStyle,
    /// The number of pieces, at least 1.
    pub count: u16,
}

/// The pieces that each side has lost since the opening, green first. The kinds are in the
/// order of [`PieceShape`](super::figures::PieceShape), which begins with the strongest
/// chessmen.
#[must_use]
pub fn captured(opening: &Pieces, now: &Pieces) -> [Vec<CapturedKind>; 2] {
    let sides = Side::BOTH.map(|side| (kinds(opening, side), kinds(now, side)));
    let sum = |kinds: &BTreeMap<PieceStyle, u16>| kinds.values().sum::<u16>();
    if sides.iter().any(|(before, now)| sum(now) > sum(before)) {
        return Default::default();
    }
    sides.map(|(before, now)| missing(&before, &now))
}

/// The kinds of this side's pieces, each with their number.
fn kinds(pieces: &Pieces, side: Side) -> BTreeMap<PieceStyle, u16> {
    let mut kinds = BTreeMap::new();
    for (_, figure) in &pieces.figures {
        if figure.tint == Tint::Side(side) {
            *kinds.entry(figure.look).or_default() += u16::from(figure.count);
        }
    }
    kinds
}

fn missing(
    before: &BTreeMap<PieceStyle, u16>,
    now: &BTreeMap<PieceStyle, u16>,
) -> Vec<CapturedKind> {
    let count = |kinds: &BTreeMap<PieceStyle, u16>, look: PieceStyle| {
        kinds.get(&look).copied().unwrap_or(0)
    };
    let more = now
        .iter()
        .map(|(look, now)| now.saturating_sub(count(before, *look)));
    // Each additional piece was one of the most numerous kind before it was promoted.
    let mut promoted: u16 = more.sum();
    let mut all: Vec<CapturedKind> = before
        .iter()
        .map(|(look, before)| CapturedKind {
            look: *look,
            count: before.saturating_sub(count(now, *look)),
        })
        .collect();
    let mut by_number: Vec<&mut CapturedKind> = all.iter_mut().collect();
    by_number.sort_by_key(|kind| std::cmp::Reverse(count(before, kind.look)));
    for kind in by_number {
        let of_these = kind.count.min(promoted);
        kind.count -= of_these;
        promoted -= of_these;
    }
    all.retain(|kind| kind.count > 0);
    all
}

#[cfg(test)]
mod tests {
    use protocol::Point;

    use super::super::figures::{Figure, PieceShape};
    use super::*;

    fn pieces(all: &[(Side, PieceShape)]) -> Pieces {
        let figure = |(number, (side, form)): (usize, &(Side, PieceShape))| {
            let figure = Figure::one(PieceStyle::of(*form), Tint::Side(*side));
            (Point(number as u8), figure)
        };
        Pieces {
            figures: all.iter().enumerate().map(figure).collect(),
            ..Pieces::default()
        }
    }

    fn names(kinds: &[CapturedKind]) -> Vec<(PieceShape, u16)> {
        kinds
            .iter()
            .map(|kind| (kind.look.form, kind.count))
            .collect()
    }

    const GREEN: Side = Side::Green;
    const RED: Side = Side::Red;
    use PieceShape::{Pawn, Queen, Rook};

    #[test]
    fn missing_pieces_are_listed_by_kind() {
        let opening = pieces(&[
            (GREEN, Queen),
            (GREEN, Pawn),
            (GREEN, Pawn),
            (RED, Rook),
            (RED, Pawn),
        ]);
        let now = pieces(&[(GREEN, Queen), (RED, Pawn)]);
        let [green, red] = captured(&opening, &now);
        assert_eq!(names(&green), [(Pawn, 2)]);
        assert_eq!(names(&red), [(Rook, 1)]);
    }

    #[test]
    fn a_promoted_pawn_is_not_listed() {
        let opening = pieces(&[(GREEN, Queen), (GREEN, Pawn), (GREEN, Pawn), (RED, Rook)]);
        let promoted = pieces(&[(GREEN, Queen), (GREEN, Queen), (RED, Rook)]);
        let [green, _] = captured(&opening, &promoted);
        assert_eq!(names(&green), [(Pawn, 1)]);
    }

    #[test]
    fn a_game_that_adds_pieces_lists_none() {
        let opening = pieces(&[(GREEN, Pawn), (RED, Pawn)]);
        let turned = pieces(&[(GREEN, Pawn), (GREEN, Pawn)]);
        assert_eq!(captured(&opening, &turned), [vec![], vec![]]);
        assert_eq!(captured(&Pieces::default(), &turned), [vec![], vec![]]);
    }
}
