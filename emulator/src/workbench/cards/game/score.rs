//! The sides of a game, each with its score: a number of points, or the number of pieces on
//! the board, which decides nothing and is small.

use bevy_egui::egui::{
    Align2, Color32, CornerRadius, Pos2, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, pos2, vec2,
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
    let is_over = phase(status) == Situation::Over;
    let scored = |side, name| ScoredSide {
        side,
        name,
        moves: status.turn == Some(side) && !is_over,
        counts,
    };
    let (place, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), SCORE_HEIGHT), Sense::hover());
    let names = score_names(&status.settings);
    if is_alone(&status.settings, *layout) && names == Side::BOTH.map(Side::name) {
        return one_score(ui, place, &scored(Side::Green, "you"), status);
    }
    let names = who_is_who(&status.settings, names);
    for (side, name) in Side::BOTH.into_iter().zip(names) {
        one_score(ui, half(place, side), &scored(side, name), status);
    }
}

/// A side's half of a line of the card: green's is the left one.
pub(super) fn half(line: Rect, side: Side) -> Rect {
    let size = vec2((line.width() - STEP) / 2.0, line.height());
    let left = line.left() + side.index() as f32 * (size.x + STEP);
    Rect::from_min_size(pos2(left, line.top()), size)
}

/// The names next to the scores; against the board, they are who plays the side, whose
/// colour is beside them.
fn who_is_who<'a>(settings: &Settings, names: [&'a str; 2]) -> [&'a str; 2] {
    let plays = games::about(settings.game).is_some_and(|about| about.board_can_play);
    let is_against_it = settings.level > 0 && plays && is_for_two(settings);
    match is_against_it && names == Side::BOTH.map(Side::name) {
        true => ["you", "board"],
        false => names,
    }
}

/// The kind of number next to the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counts {
    /// The points of the game.
    Points,
    /// The pieces on the board, which decide nothing in most games.
    Pieces,
}

/// What the numbers next to the names of a game count.
pub(super) fn counts(shown: &Shown) -> Counts {
    match is_count_of_pieces(&shown.status.settings, shown.layout) {
        true => Counts::Pieces,
        false => Counts::Points,
    }
}

/// A side of the game, as its box shows it.
struct ScoredSide<'a> {
    side: Side,
    name: &'a str,
    /// True if the side is to move.
    moves: bool,
    counts: Counts,
}

impl ScoredSide<'_> {
    fn colour(&self) -> Color32 {
        match self.moves {
            true => style::strong(),
            false => style::text(),
        }
    }

    /// What the box shows, in words: its sign, and whether it is framed.
    fn words(&self, sign: &str) -> String {
        let name = self.side.name();
        let frame = match self.moves {
            true => format!(" Frame: it is {name}'s move."),
            false => String::new(),
        };
        let number = match self.counts {
            Counts::Points => "score",
            Counts::Pieces => "number of pieces, which does not decide the game",
        };
        format!("The {sign} stands for {name}, and beside it is {name}'s {number}.{frame}")
    }
}

/// Draws the box of one side: its sign and name, and on the right its number.
fn one_score(ui: &mut Ui, place: Rect, shown: &ScoredSide, status: &Status) {
    let side = shown.side;
    let id = ui.id().with(("score", side.index()));
    let about = style::words(ui, &shown.words(style::mark_name(ui.ctx(), side)));
    ui.interact(place, id, Sense::hover()).hover_text(about);
    let own = style::side(ui.ctx(), side);
    let (fill, frame) = match shown.moves {
        true => (style::tinted(own, TURN_FILL), Stroke::new(2.0, own)),
        false => (style::panel(), Stroke::new(1.0, style::card_edge())),
    };
    let round = CornerRadius::same(6);
    ui.painter()
        .rect(place, round, fill, frame, StrokeKind::Inside);
    let is_narrow = place.width() < NARROW_SCORE;
    let [sign, text, right] = match is_narrow {
        true => [12.0, 22.0, 6.0],
        false => [14.0, 26.0, 10.0],
    };
    style::mark(ui, place.left_center() + vec2(sign, 0.0), 5.5, side);
    let score = status.score.map(|score| score[side.index()]);
    let points = match is_narrow {
        true => TextStyle::Body,
        false => TextStyle::Heading,
    };
    let end = place.right_center() - vec2(right, 0.0);
    let number_left = number(ui, end, shown, score, points);
    let room = Rect::from_x_y_ranges(place.left() + text..=number_left, place.y_range());
    let unit = match shown.counts {
        Counts::Points => score_unit(&status.settings).trim(),
        Counts::Pieces => "pieces",
    };
    name_and_unit(ui, room, shown, unit);
}

/// Draws the number of a side to the left of a point, and returns its left edge.
fn number(ui: &Ui, end: Pos2, shown: &ScoredSide, score: Option<u32>, points: TextStyle) -> f32 {
    let (number, colour) = match (score, shown.counts) {
        (None, _) => ("–".to_owned(), shown.colour()),
        (Some(number), Counts::Points) => (number.to_string(), shown.colour()),
        (Some(number), Counts::Pieces) => (number.to_string(), style::faint()),
    };
    let letters = match shown.counts {
        Counts::Points => points,
        Counts::Pieces => TextStyle::Small,
    };
    let font = letters.resolve(ui.style());
    let painter = ui.painter();
    painter
        .text(end, Align2::RIGHT_CENTER, number, font, colour)
        .left()
}

/// Draws the name of a side, and below it the unit of its number if there is room for it.
fn name_and_unit(ui: &Ui, room: Rect, shown: &ScoredSide, unit: &str) {
    let (painter, colour) = (ui.painter(), shown.colour());
    let body = TextStyle::Body.resolve(ui.style());
    let width = |text: &str| {
        let drawn = painter.layout_no_wrap(text.to_owned(), body.clone(), colour);
        drawn.size().x
    };
    let name = style::words(ui, shown.name);
    let small = TextStyle::Small.resolve(ui.style());
    let fits = width(&name) <= room.width() - NUMBER_GAP;
    let letters = if fits { &body } else { &small };
    let unit = painter.layout_no_wrap(unit.to_owned(), small.clone(), style::faint());
    let has_unit = unit.size().x > 0.0 && unit.size().x <= room.width() - NUMBER_GAP;
    let rise = if has_unit { UNIT_RISE } else { 0.0 };
    let at = room.left_center() - vec2(0.0, rise);
    painter.text(at, Align2::LEFT_CENTER, name, letters.clone(), colour);
    if has_unit {
        let at = room.left_center() + vec2(0.0, rise - unit.size().y / 2.0);
        painter.galley(at, unit, style::faint());
    }
}

/// The least distance between a number and the name or unit on its left.
const NUMBER_GAP: f32 = 4.0;
/// How far a name is above the middle if its unit is below it, and the unit below.
const UNIT_RISE: f32 = 7.0;
/// How much of a side's colour its box has while it is to move, from 0 to 1.
const TURN_FILL: f32 = 0.14;
/// A box that is narrower than this has smaller digits.
const NARROW_SCORE: f32 = 104.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_against_the_board_sees_which_side_is_which() {
        let sides = Side::BOTH.map(Side::name);
        let against = Settings {
            level: 2,
            ..Settings::default()
        };
        assert_eq!(who_is_who(&against, sides), ["you", "board"]);
        assert_eq!(who_is_who(&Settings::default(), sides), sides);
    }
}
