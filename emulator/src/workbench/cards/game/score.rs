//! The sides of a game, each with its score: a number of points, or the number of pieces on
//! the board, which decides nothing and is small.

use bevy_egui::egui::{
    Align2, CornerRadius, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, pos2, vec2,
};
use firmware_core::games;
use protocol::{Settings, Side, Status};
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
    use super::*;

    #[test]
    fn a_name_beside_a_long_score_is_shortened_whole() {
        let width = |text: &str| text.len() as f32;
        assert_eq!(shortened("you, green", 10.0, width), "you, green");
        assert_eq!(shortened("you, green", 9.0, width), "you");
        assert_eq!(shortened("four-ways", 3.0, width), "four-ways");
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
