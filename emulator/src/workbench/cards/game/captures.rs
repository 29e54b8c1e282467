//! The pieces that each side has captured, below its score: chessmen by their signs, others
//! by their number.

use bevy::prelude::Resource;
use bevy_egui::egui::{FontId, Sense, TextStyle, Ui, vec2};
use protocol::{Layout, Side};
use touchboard_host::piece_cache::opening;
use touchboard_host::pieces::Pieces;
use touchboard_host::pieces::captured::{CapturedKind, captured};
use touchboard_host::pieces::figures::PieceShape;

use super::GameCard;
use super::score::{Counts, counts, half};
use crate::workbench::beside::HoverText;
use crate::workbench::style;

/// The pieces with which the game of a layout began, worked out once for each layout.
#[derive(Resource, Default)]
pub struct OpeningPieces {
    of: Option<Layout>,
    pieces: Option<Pieces>,
}

impl OpeningPieces {
    fn of(&mut self, layout: Layout) -> Option<&Pieces> {
        if self.of != Some(layout) {
            self.of = Some(layout);
            let pieces = opening(layout);
            self.pieces = pieces.filter(|pieces| !pieces.figures.is_empty());
        }
        self.pieces.as_ref()
    }
}

/// Draws what each side has captured, below its score: chessmen by their signs, others by
/// their number. The room is there from the start, so that nothing jumps.
pub(super) fn captures(ui: &mut Ui, card: &mut GameCard) {
    let shown = &card.start.orders.board.shown;
    if counts(shown) != Counts::Pieces {
        return;
    }
    let Some(opening) = card.opening.of(shown.layout) else {
        return;
    };
    let lost = match &shown.pieces {
        Some(now) => captured(opening, now),
        None => Default::default(),
    };
    let (place, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), CAPTURES_HEIGHT), Sense::hover());
    for side in Side::BOTH {
        let lost = &lost[side.other().index()];
        if lost.is_empty() {
            continue;
        }
        let place = half(place, side);
        let id = ui.id().with(("captured by", side.index()));
        let about = style::words(ui, &captured_words(side, lost));
        ui.interact(place, id, Sense::hover()).hover_text(about);
        let size = match lost.iter().all(|kind| sign_of(kind.look.form).is_some()) {
            true => SIGN_LETTERS,
            false => TextStyle::Small.resolve(ui.style()).size,
        };
        let colour = style::side(ui.ctx(), side.other());
        let font = FontId::proportional(size);
        let signs = ui
            .painter()
            .layout(captured_signs(lost), font, colour, place.width());
        let at = place.left_center() + vec2(CAPTURES_LEFT, -signs.size().y / 2.0);
        ui.painter().galley(at, signs, colour);
    }
}

/// The height of the line of captured pieces.
const CAPTURES_HEIGHT: f32 = 18.0;
/// The distance of the captured pieces from the left edge of their side's box.
const CAPTURES_LEFT: f32 = 6.0;
/// The size of a chessman's sign.
const SIGN_LETTERS: f32 = 15.0;

/// The sign of a chessman.
fn sign_of(form: PieceShape) -> Option<char> {
    Some(match form {
        PieceShape::King => '♔',
        PieceShape::Queen => '♕',
        PieceShape::Rook => '♖',
        PieceShape::Bishop => '♗',
        PieceShape::Knight => '♘',
        PieceShape::Pawn => '♙',
        _ => return None,
    })
}

/// Captured pieces in one line: `♕♙♙♙`, `♕♙x6` if there are many of a kind, or `took 3` for
/// pieces without a sign.
fn captured_signs(lost: &[CapturedKind]) -> String {
    let signs: Option<String> = lost
        .iter()
        .map(|kind| {
            let sign = sign_of(kind.look.form)?;
            Some(match usize::from(kind.count) {
                count @ ..=MOST_SIGNS => sign.to_string().repeat(count),
                count => format!("{sign}x{count}"),
            })
        })
        .collect();
    signs.unwrap_or_else(|| {
        let all: u16 = lost.iter().map(|kind| kind.count).sum();
        format!("took {all}")
    })
}

/// More pieces of a kind than these are written as a number.
const MOST_SIGNS: usize = 3;

/// Captured pieces in words: `captured by green: 1 queen, 2 pawns`.
fn captured_words(side: Side, lost: &[CapturedKind]) -> String {
    let named = lost.iter().map(|kind| {
        let name = kind.look.form.name().unwrap_or("piece");
        match (kind.count, name) {
            (1, name) => format!("1 {name}"),
            (count, "man") => format!("{count} men"),
            (count, name) => format!("{count} {name}s"),
        }
    });
    let named = named.collect::<Vec<_>>().join(", ");
    format!("captured by {}: {named}", side.name())
}

#[cfg(test)]
mod tests {
    use touchboard_host::pieces::figures::PieceStyle;

    use super::*;

    fn lost(kinds: &[(PieceShape, u16)]) -> Vec<CapturedKind> {
        let kind = |(form, count): &(PieceShape, u16)| CapturedKind {
            look: PieceStyle::of(*form),
            count: *count,
        };
        kinds.iter().map(kind).collect()
    }

    #[test]
    fn captured_chessmen_are_signs_and_other_men_a_number() {
        let chess = lost(&[(PieceShape::Queen, 1), (PieceShape::Pawn, 2)]);
        assert_eq!(captured_signs(&chess), "♕♙♙");
        let words = captured_words(Side::Green, &chess);
        assert_eq!(words, "captured by green: 1 queen, 2 pawns");
        let many = lost(&[(PieceShape::Pawn, 6)]);
        assert_eq!(captured_signs(&many), "♙x6");
        let draughts = lost(&[(PieceShape::Counter, 4)]);
        assert_eq!(captured_signs(&draughts), "took 4");
        let words = captured_words(Side::Red, &draughts);
        assert_eq!(words, "captured by red: 4 men");
    }
}
