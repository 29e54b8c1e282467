//! The sides of a game, each with its score: a number of points, or the number of pieces on
//! the board, which decides nothing and is small.

use bevy::prelude::Resource;
use bevy_egui::egui::{
    Align2, CornerRadius, FontId, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, pos2, vec2,
};
use firmware_core::games;
use protocol::{Layout, Settings, Side, Status};
use touchboard_host::piece_cache::opening;
use touchboard_host::pieces::Pieces;
use touchboard_host::pieces::captured::{CapturedKind, captured};
use touchboard_host::pieces::figures::PieceShape;
use touchboard_host::standing::{
    Situation, is_alone, is_count_of_pieces, is_for_two, phase, score_names, score_unit,
};

use super::GameCard;
use crate::source::Shown;
use crate::workbench::beside::HoverText;
use crate::workbench::style::{self, STEP};

/// Height of the box with a score.
const SCORE_HEIGHT: f32 = 32.0;
/// Draws the sides by colour and name, each with its score, and a frame around the one
/// that is to move.
pub(super) fn score(ui: &mut Ui, card: &GameCard) {
    let Shown { status, layout, .. } = card.shown();
    let counts = counts(card.shown());
    let (place, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), SCORE_HEIGHT), Sense::hover());
    let names = score_names(&status.settings);
    if is_alone(&status.settings, *layout) && names == Side::BOTH.map(Side::name) {
        return one_score(ui, place, (Side::Green, "you"), status, counts);
    }
    let names = who_is_who(&status.settings, names);
    let width = (place.width() - STEP) / 2.0;
    for (side, name) in Side::BOTH.into_iter().zip(&names) {
        let left = place.left() + side.index() as f32 * (width + STEP);
        let place = Rect::from_min_size(pos2(left, place.top()), vec2(width, SCORE_HEIGHT));
        one_score(ui, place, (side, name), status, counts);
    }
}

/// The names next to the scores; against the board, they include who plays which
/// side.
fn who_is_who(settings: &Settings, names: [&str; 2]) -> [String; 2] {
    let plays = games::about(settings.game).is_some_and(|about| about.board_can_play);
    let is_against_it = settings.level > 0 && plays && is_for_two(settings);
    match is_against_it && names == Side::BOTH.map(Side::name) {
        true => [format!("you, {}", names[0]), format!("board, {}", names[1])],
        false => names.map(str::to_owned),
    }
}

/// The kind of number next to the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// The points of the game.
    Points,
    /// The pieces on the board, which decide nothing in most games.
    Pieces,
}

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
    let width = (place.width() - STEP) / 2.0;
    for side in Side::BOTH {
        let lost = &lost[side.other().index()];
        if lost.is_empty() {
            continue;
        }
        let left = place.left() + side.index() as f32 * (width + STEP);
        let place = Rect::from_min_size(pos2(left, place.top()), vec2(width, CAPTURES_HEIGHT));
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
            .layout(captured_signs(lost), font, colour, width);
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

fn counts(shown: &Shown) -> Counts {
    match is_count_of_pieces(&shown.status.settings, shown.layout) {
        true => Counts::Pieces,
        false => Counts::Points,
    }
}

fn one_score(
    ui: &mut Ui,
    place: Rect,
    (side, name): (Side, &str),
    status: &Status,
    counts: Counts,
) {
    let moves = status.turn == Some(side) && phase(status) != Situation::Over;
    let id = ui.id().with(("score", side.index()));
    let about = style::words(
        ui,
        &score_words(style::mark_name(ui.ctx(), side), side, counts, moves),
    );
    ui.interact(place, id, Sense::hover()).hover_text(about);
    let painter = ui.painter();
    let round = CornerRadius::same(6);
    let own = style::side(ui.ctx(), side);
    let (fill, frame) = match moves {
        true => (style::tinted(own, TURN_FILL), Stroke::new(2.0, own)),
        false => (style::panel(), Stroke::new(1.0, style::card_edge())),
    };
    painter.rect(place, round, fill, frame, StrokeKind::Inside);
    let middle = place.left_center();
    let is_narrow = place.width() < NARROW_SCORE;
    let [sign, text, right] = match is_narrow {
        true => [12.0, 22.0, 6.0],
        false => [14.0, 26.0, 10.0],
    };
    style::mark(ui, middle + vec2(sign, 0.0), 5.5, side);
    let font = |style: TextStyle| style.resolve(ui.style());
    let colour = if moves {
        style::strong()
    } else {
        style::text()
    };
    let number = status.score.map(|score| score[side.index()]);
    let (number, number_colour) = match (number, counts) {
        (None, _) => ("–".to_owned(), colour),
        (Some(number), Counts::Points) => (number.to_string(), colour),
        (Some(number), Counts::Pieces) => (number.to_string(), style::faint()),
    };
    let right = place.right_center() - vec2(right, 0.0);
    let heading = font(match (counts, is_narrow) {
        (Counts::Pieces, _) => TextStyle::Small,
        (Counts::Points, true) => TextStyle::Body,
        (Counts::Points, false) => TextStyle::Heading,
    });
    let number = painter.text(right, Align2::RIGHT_CENTER, number, heading, number_colour);
    let left = middle + vec2(text, 0.0);
    let body = font(TextStyle::Body);
    let width = |text: &str| {
        let drawn = painter.layout_no_wrap(text.to_owned(), body.clone(), colour);
        drawn.size().x
    };
    let name = style::words(ui, name);
    let name = shortened(&name, number.left() - 4.0 - left.x, width);
    // The unit is below the name, where the number leaves it room.
    let unit = score_unit(&status.settings).trim().to_owned();
    let unit = painter.layout_no_wrap(unit, font(TextStyle::Small), style::faint());
    let has_unit = unit.size().x > 0.0 && unit.size().x <= number.left() - UNIT_GAP - left.x;
    let rise = if has_unit { UNIT_RISE } else { 0.0 };
    let at = left - vec2(0.0, rise);
    painter.text(at, Align2::LEFT_CENTER, name, body.clone(), colour);
    if has_unit {
        let at = left + vec2(0.0, rise - unit.size().y / 2.0);
        painter.galley(at, unit, style::faint());
    }
}

/// The least distance between a number and its unit.
const UNIT_GAP: f32 = 4.0;
/// How far a name is above the middle if its unit is below it, and the unit below.
const UNIT_RISE: f32 = 7.0;
/// How much of a side's colour its box has while it is to move, from 0 to 1.
const TURN_FILL: f32 = 0.14;
/// A box that is narrower than this has smaller digits.
const NARROW_SCORE: f32 = 104.0;

/// What the box of a side shows: its sign, and whether it is framed.
fn score_words(sign: &str, side: Side, counts: Counts, moves: bool) -> String {
    let name = side.name();
    let frame = match moves {
        true => format!(" Frame: it is {name}'s move."),
        false => String::new(),
    };
    let number = match counts {
        Counts::Points => "score",
        Counts::Pieces => "number of pieces, which does not decide the game",
    };
    format!("The {sign} stands for {name}, and beside it is {name}'s {number}.{frame}")
}

/// The name of a side, or only its first part where the whole would run into the score:
/// `you` for `you, green`.
fn shortened(name: &str, room: f32, width: impl Fn(&str) -> f32) -> &str {
    match name.split_once(", ") {
        Some((first, _)) if width(name) > room => first,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use touchboard_host::pieces::figures::PieceStyle;

    use super::*;

    #[test]
    fn a_name_beside_a_long_score_is_shortened_whole() {
        let width = |text: &str| text.len() as f32;
        assert_eq!(shortened("you, green", 10.0, width), "you, green");
        assert_eq!(shortened("you, green", 9.0, width), "you");
        assert_eq!(shortened("four-ways", 3.0, width), "four-ways");
    }

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

    #[test]
    fn a_player_against_the_board_sees_which_side_is_which() {
        let sides = Side::BOTH.map(Side::name);
        let against = Settings {
            level: 2,
            ..Settings::default()
        };
        assert_eq!(who_is_who(&against, sides), ["you, green", "board, red"]);
        assert_eq!(who_is_who(&Settings::default(), sides), sides);
    }
}
