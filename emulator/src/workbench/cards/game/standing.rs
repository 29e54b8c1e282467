//! The status of the game: its name, the score, the situation, the clock, the last move.

use bevy_egui::egui::{
    Align, Align2, CornerRadius, CursorIcon, Frame, Label, Layout, Margin, Rect, RichText, Sense,
    Stroke, StrokeKind, TextStyle, Ui, pos2, vec2,
};
use firmware_core::games;
use protocol::{Clock, Colour, Outcome, Point, Settings, Side, Status};
use touchboard_host::games::{Guide, find, how_to};
use touchboard_host::standing::{
    Among, Situation, Tracks, at_time_out, clock_waits, is_alone, is_boards_turn,
    is_count_of_pieces, is_for_two, kind, last_move, phase, score_names, state, time_left, tracks,
    turns_left, warns,
};
use touchboard_host::story::{self, Subject};
use touchboard_host::written::Decision;

use super::GameCard;
use crate::source::{Shown, seat};
use crate::switches::WindowSwitches;
use crate::workbench::beside::HoverText;
use crate::workbench::first_touch::{first_touch, has_room};
use crate::workbench::games::Entry;
use crate::workbench::notice::capitalised;
use crate::workbench::story::Story;
use crate::workbench::style::{self, STEP};

/// Height of the box with a score.
const SCORE_HEIGHT: f32 = 32.0;
/// Height of the line with the clock.
const CLOCK_HEIGHT: f32 = 14.0;
/// Height of the clock's bar.
const BAR_HEIGHT: f32 = 5.0;
/// The room for the seconds next to the bar.
const SECONDS_WIDTH: f32 = 46.0;

/// The side of the picture next to the name.
const PICTURE: f32 = 44.0;

/// Shows the status; `stays` is shown in the place of the last move until there is
/// one.
pub fn show(ui: &mut Ui, card: &mut GameCard, stays: Option<String>) {
    name(ui, card);
    ui.add_space(STEP * 0.25);
    score(ui, card);
    if let Some(best) = touchboard_host::standing::best(&card.shown().status) {
        style::note(ui, &best);
    }
    ui.add_space(STEP * 0.25);
    room(ui, |ui| {
        what_goes_on(ui, card);
        if has_crosses(card.shown(), *card.switches) {
            style::note(ui, CROSSES);
        }
        clock(ui, card);
    });
    last_deed(ui, card, stays);
}

/// Draws the name of the game with its picture, and the mode. A click opens the list of
/// games.
fn name(ui: &mut Ui, card: &mut GameCard) {
    let GameCard {
        start,
        picker,
        library,
        palette,
        ..
    } = card;
    let shown = &start.orders.board.shown;
    let (status, layout) = (&shown.status, shown.layout);
    let entry = Entry::of(status.settings.game, layout);
    let width = ui.available_width();
    let words_width = width - PICTURE - 3.0 * STEP - ARROW;
    let kind = style::words(ui, &kind(&status.settings, layout));
    let small = |ui: &Ui, text: String| {
        let font = TextStyle::Small.resolve(ui.style());
        let painter = ui.painter();
        painter.layout(text, font, style::faint(), words_width)
    };
    let font = TextStyle::Heading.resolve(ui.style());
    let painter = ui.painter();
    let heading = painter.layout(entry.name.clone(), font, style::strong(), words_width);
    let kind = small(ui, kind);
    let height = (heading.size().y + kind.size().y).max(PICTURE) + STEP;
    let (place, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    if response.hovered() || picker.is_open() {
        let around = place.expand2(vec2(STEP * 0.75, 0.0));
        ui.painter()
            .rect_filled(around, CornerRadius::same(8), style::widget());
    }
    let square = Rect::from_min_size(
        place.left_center() - vec2(0.0, PICTURE / 2.0),
        vec2(PICTURE, PICTURE),
    );
    // A game from a text has no recorded picture, so the current board is drawn.
    let picture = library.picture_of_game(&entry, shown);
    if !picture.is_dark() || shown.link.answers() {
        picture.paint(ui.painter(), square.shrink(2.0), palette.0);
    }
    let all = heading.size().y + kind.size().y;
    let at = square.right_center() + vec2(1.5 * STEP, -all / 2.0);
    let below = at + vec2(0.0, heading.size().y);
    ui.painter().galley(at, heading, style::strong());
    ui.painter().galley(below, kind, style::faint());
    let arrow = place.right_center() - vec2(ARROW, 0.0);
    let colour = match response.hovered() {
        true => style::accent(),
        false => style::faint(),
    };
    let stroke = Stroke::new(1.8, colour);
    style::chevron(ui, arrow, ARROW / 2.0, stroke);
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    if response.hover_text("All games.  F2").clicked() {
        picker.toggle();
    }
}

/// The room for the arrow that marks the list.
const ARROW: f32 = 10.0;

/// Draws the sides by colour and name, each with its score, and a frame around the one
/// that is to move.
fn score(ui: &mut Ui, card: &GameCard) {
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
    painter.text(left, Align2::LEFT_CENTER, name, body.clone(), colour);
}

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

/// The meaning of the crosses on the board.
const CROSSES: &str = "A cross marks a point that may not be touched now.";

/// True if the scene draws crosses: marks are switched on, and the game marks forbidden
/// points.
fn has_crosses(shown: &Shown, switches: WindowSwitches) -> bool {
    let Shown {
        status,
        legal,
        frame,
        layout,
        ..
    } = shown;
    let Tracks::Forbidden(among) = tracks(&status.settings) else {
        return false;
    };
    let is_asked = status.turn.is_some() && phase(status) == Situation::Play;
    let is_wanted = is_asked && !is_boards_turn(status) && switches.tracks;
    let is_among = |point: &Point| among == Among::All || frame.points.get(*point) == Colour::OFF;
    let mut candidates = layout.iter().filter(is_among);
    is_wanted && candidates.any(|point| !legal.contains(&point))
}

/// The size of the letters of whose turn it is.
const TURN_LETTERS: f32 = 17.0;

fn what_goes_on(ui: &mut Ui, card: &GameCard) {
    let shown = card.shown();
    let status = &shown.status;
    let colour = match phase(status) {
        Situation::Over => style::strong(),
        Situation::NoGame | Situation::Play | Situation::Idle => style::text(),
        Situation::Paused => style::warning(),
    };
    let settings = &status.settings;
    let has_room = seat::has_room(shown.layout, settings.game, settings.mode);
    let made_for = games::about(settings.game).map(|about| (about.made_for)(settings.mode));
    let words = match (phase(status), has_room, made_for) {
        (Situation::NoGame, false, Some(sides)) => format!("it needs a board of {sides}"),
        (Situation::NoGame, ..) if !card.start.orders.board.is_chosen_against_whom() => {
            "who plays?".to_owned()
        }
        _ => to_whom(&state(status, &shown.frame), settings, shown.layout),
    };
    if phase(status) == Situation::Over {
        let decision = card
            .marks
            .as_ref()
            .and_then(|drawn| drawn.decision.as_ref());
        let result = result(shown, &card.past.story, decision);
        return show_result(ui, &result, after_the_end(card), status.outcome);
    }
    let is_turn = phase(status) == Situation::Play && !style::is_narrow(ui.ctx());
    let words = RichText::new(style::words(ui, &words)).color(match is_turn {
        true => style::strong(),
        false => colour,
    });
    let words = words.size(match is_turn {
        true => TURN_LETTERS,
        false => TextStyle::Body.resolve(ui.style()).size,
    });
    let turns = turns_left(status);
    ui.horizontal_top(|ui| {
        let left = turns.as_ref().map_or(0.0, |_| TURNS_WIDTH);
        let size = vec2(ui.available_width() - left, 0.0);
        ui.allocate_ui(size, |ui| ui.add(Label::new(words).wrap()));
        if let Some(turns) = turns {
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                ui.label(RichText::new(turns).small().color(style::faint()));
            });
        }
    });
}

/// How the last game on the board ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won: `Green has won`.
    pub headline: String,
    /// The score or the reason, if there is one: `Four in a row`.
    pub reason: Option<String>,
}

/// How the last game on the board ended; `decision` is what decided it, if known.
pub fn result(shown: &Shown, story: &Story, decision: Option<&Decision>) -> GameResult {
    let status = &shown.status;
    let words = state(status, &shown.frame);
    let past = story.past().iter();
    let end = past.rev().find(|line| line.about == Subject::End);
    let is_late = end.is_some_and(|end| end.is_late);
    let (headline, score) = match words.split_once(", ") {
        Some((headline, score)) => (headline, Some(score)),
        None => (words.as_str(), None),
    };
    // The number of pieces is not what decided the game.
    let score = score.filter(|_| counts(shown) == Counts::Points);
    let loser = match status.outcome {
        Some(Outcome::Won(side)) => side.other().name(),
        _ => "",
    };
    let reason = match (is_late, decision, score) {
        (true, ..) => Some("time ran out".to_owned()),
        (false, Some(decision), _) => Some(decision.reason.words(loser)),
        (false, None, score) => score.map(str::to_owned),
    };
    GameResult {
        headline: capitalised(&to_whom(headline, &status.settings, shown.layout)),
        reason: reason.map(|reason| capitalised(&reason)),
    }
}

/// Replacements of words about two sides for a single player.
const ALONE: &[(&str, &str)] = &[
    ("green has won", "you have won"),
    ("red has won", "you have lost"),
    ("green to move", "your move"),
    ("paused, green to move", "paused"),
];
/// Replacements of words for a player against the board.
const AGAINST_THE_BOARD: &[(&str, &str)] = &[
    ("green has won", "you have won"),
    ("red has won", "the board has won"),
    ("green to move", "your move, you are green"),
];

/// The status or the end of a game in words for the player, who may play a game
/// for one or against the board.
fn to_whom(words: &str, settings: &Settings, layout: protocol::Layout) -> String {
    let plays = games::about(settings.game).is_some_and(|about| about.board_can_play);
    let told = match settings.level {
        _ if is_alone(settings, layout) => ALONE,
        1.. if plays && is_for_two(settings) => AGAINST_THE_BOARD,
        _ => return words.to_owned(),
    };
    let found = told
        .iter()
        .find_map(|(of, to)| Some((words.strip_prefix(of)?, to)));
    found.map_or_else(|| words.to_owned(), |(rest, to)| format!("{to}{rest}"))
}

/// Draws how the game ended, in a box of the winner's colour: who won in large letters, why,
/// and what to do next.
fn show_result(ui: &mut Ui, result: &GameResult, next: &str, outcome: Option<Outcome>) {
    let winner = match outcome {
        Some(Outcome::Won(side)) => Some(side),
        _ => None,
    };
    let colour = winner.map_or(style::edge(), |side| style::side(ui.ctx(), side));
    Frame::new()
        .fill(style::tinted(colour, RESULT_FILL))
        .stroke(Stroke::new(2.0, colour))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(RESULT_MARGIN)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = RESULT_GAP;
            let headline = RichText::new(style::words(ui, &result.headline));
            let headline = headline.size(RESULT_LETTERS).color(style::strong());
            ui.horizontal_top(|ui| {
                if let Some(side) = winner {
                    let size = vec2(2.0 * RESULT_SIGN + 4.0, RESULT_LETTERS * LINE);
                    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
                    style::mark(ui, place.center(), RESULT_SIGN, side);
                }
                ui.add(Label::new(headline).wrap());
            });
            if let Some(reason) = &result.reason {
                let reason = RichText::new(style::words(ui, reason));
                ui.add(Label::new(reason.size(REASON_LETTERS).color(style::strong())).wrap());
            }
            ui.add(Label::new(RichText::new(next).small().color(style::text())).wrap());
        });
}

/// The margin of the box around the result, and the gap between its lines.
const RESULT_MARGIN: Margin = Margin::symmetric(12, 7);
const RESULT_GAP: f32 = 2.0;
/// The size of the letters of who won.
const RESULT_LETTERS: f32 = 22.0;
/// The radius of the winner's sign beside them.
const RESULT_SIGN: f32 = 7.5;
/// The size of the letters of the score or the reason.
const REASON_LETTERS: f32 = 15.5;
/// How much of the winner's colour the box around the result has, from 0 to 1.
const RESULT_FILL: f32 = 0.24;

/// The room for the number of turns that are left.
const TURNS_WIDTH: f32 = 92.0;

/// Draws the clock as a bar and in seconds. Only the empty bar remains while no clock
/// runs, and nothing in a game without a clock.
fn clock(ui: &mut Ui, card: &mut GameCard) {
    let status = card.shown().status;
    let settings = &status.settings;
    if phase(&status) == Situation::NoGame {
        return before_the_first(ui, card.shown());
    }
    let pace = card.shown().pace;
    let stands_still = pace.frozen || status.paused;
    let rate = if stands_still { 0.0 } else { pace.speed };
    let now = card.start.time.elapsed();
    let clock = card.face.hand.show(status.clock, rate, now);
    let mode = how_to(settings.game).and_then(|text| text.modes.get(usize::from(settings.mode)));
    let has_one = clock.is_some() || mode.is_some_and(|mode| mode.has_turn_time);
    if phase(&status) == Situation::Over {
        // The box of the result takes its place.
        return;
    }
    match has_one {
        true => running(ui, &status, clock),
        false => before_the_first(ui, card.shown()),
    }
}

/// Draws a running clock and what happens at its end; only the empty bar if none runs
/// now.
fn running(ui: &mut Ui, status: &Status, clock: Option<Clock>) {
    let (place, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), CLOCK_HEIGHT), Sense::hover());
    let bar = Rect::from_min_max(
        pos2(place.left(), place.center().y - BAR_HEIGHT / 2.0),
        pos2(
            place.right() - SECONDS_WIDTH,
            place.center().y + BAR_HEIGHT / 2.0,
        ),
    );
    let round = CornerRadius::same(2);
    ui.painter().rect_filled(bar, round, style::widget());
    let Some(clock) = clock else {
        return;
    };
    let colour = match warns(clock) {
        _ if status.paused => style::faint(),
        true => style::warning(),
        false => style::accent(),
    };
    let part = clock.left_ms as f32 / clock.of_ms.max(1) as f32;
    let left = Rect::from_min_size(bar.min, vec2(bar.width() * part.min(1.0), BAR_HEIGHT));
    ui.painter().rect_filled(left, round, colour);
    ui.painter().text(
        place.right_center(),
        Align2::RIGHT_CENTER,
        time_left(clock.left_ms),
        TextStyle::Small.resolve(ui.style()),
        if colour == style::accent() {
            style::text()
        } else {
            colour
        },
    );
    let words = clock_words(status, clock);
    let words = match clock_waits(status).is_some() {
        true => RichText::new(words).color(style::text()),
        false => RichText::new(words).color(style::faint()),
    };
    under_the_clock(ui, words);
}

/// Draws the aim of the game in the place of the clock: before the first move, or in a
/// game without a clock.
fn before_the_first(ui: &mut Ui, shown: &Shown) {
    let aim = Entry::of(shown.status.settings.game, shown.layout).aim;
    let words = style::words(ui, &aim);
    under_the_clock(ui, RichText::new(words).color(style::faint()));
}

/// What the user can do after the end, shown in the place of the clock.
fn after_the_end(card: &GameCard) -> &'static str {
    let past = card.past.story.past();
    let in_real_time = find(card.shown().status.settings.game).is_some_and(Guide::is_in_real_time);
    match card.past.moment(card.shown()) {
        None => "Play again: n, or START on the board.",
        Some(_) if in_real_time || past.iter().rev().take(2).any(|line| line.is_late) => {
            "Play again: n.  Take back to your last touch: Backspace."
        }
        Some(_) => "Play again: n.  Take back: Backspace.",
    }
}

fn under_the_clock(ui: &mut Ui, words: RichText) {
    ui.add(Label::new(words.small()).wrap());
}

/// Reserves room for whose turn it is, the clock and two lines below it, or for how the game
/// ended, even if all is empty: what is below must not move under a finger.
fn room(ui: &mut Ui, show: impl FnOnce(&mut Ui)) {
    let lines = 2.0 * ui.text_style_height(&TextStyle::Small);
    let gaps = 2.0 * ui.spacing().item_spacing.y;
    let turn = TURN_LETTERS * LINE + CLOCK_HEIGHT + gaps + lines;
    let result = (RESULT_LETTERS + REASON_LETTERS) * LINE + lines / 2.0;
    let result = result + 2.0 * (RESULT_GAP + RESULT_MARGIN.topf());
    let height = match style::is_narrow(ui.ctx()) {
        true => turn,
        false => turn.max(result),
    };
    ui.scope(|ui| {
        ui.set_min_height(height);
        show(ui);
    });
}

/// The height of a line, relative to the size of its letters.
const LINE: f32 = 1.18;

/// When the clock runs, and the effect of its end.
fn clock_words(status: &Status, clock: Clock) -> String {
    let of = time_left(clock.of_ms);
    let end = at_time_out(&status.settings);
    match (clock_waits(status), end) {
        (Some(_), _) => format!("Your clock starts with your first touch: {of} a turn."),
        (None, Some(end)) => format!("{of} a turn; when it runs out, {end}."),
        (None, None) => String::new(),
    }
}

/// Draws the last move in words, or that a turn ended without one. Its line is there from
/// the start, so that nothing jumps.
fn last_deed(ui: &mut Ui, card: &GameCard, stays: Option<String>) {
    let shown = card.shown();
    let status = &shown.status;
    let of_this_game = status.score.is_some();
    let past = card.past.story.past();
    let deed = story::last_deed(past).filter(|_| of_this_game);
    let (words, is_late) = match deed {
        Some(line) => (format!("last: {}", line.what), line.is_late),
        None => match last_move(status, shown.layout) {
            Some(words) => (format!("last: {words}"), false),
            None => {
                let height = ui.ctx().content_rect().height() - style::STATUS_HEIGHT;
                let first = first_touch(shown, *card.switches).filter(|_| !has_room(height));
                let words = stays.or(first);
                (words.unwrap_or_else(|| " ".to_owned()), false)
            }
        },
    };
    let colour = if is_late {
        style::warning()
    } else {
        style::faint()
    };
    let words = style::words(ui, &words);
    ui.add(Label::new(RichText::new(words).small().color(colour)).wrap());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_player_sees_no_sides() {
        let symmetry = Settings {
            game: 4,
            ..Settings::default()
        };
        let alone = |words| to_whom(words, &symmetry, protocol::Layout::MALDOO);
        assert_eq!(alone("green to move"), "your move");
        assert_eq!(alone("red has won, 3 to 1"), "you have lost, 3 to 1");
        let against = Settings {
            level: 2,
            ..Settings::default()
        };
        let told = |settings| to_whom("red has won, 40 to 41", settings, protocol::Layout::MALDOO);
        assert_eq!(told(&against), "the board has won, 40 to 41");
        assert_eq!(told(&Settings::default()), "red has won, 40 to 41");
    }

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
        let told = to_whom("green to move", &against, protocol::Layout::MALDOO);
        assert_eq!(told, "your move, you are green");
    }

    #[test]
    fn the_clock_explains_its_start_and_its_end() {
        let clock = Clock {
            left_ms: 30_000,
            of_ms: 30_000,
            waits: true,
        };
        let of = |game, clock| Status {
            settings: Settings {
                game,
                ..Settings::default()
            },
            clock: Some(clock),
            ..Status::default()
        };
        let waiting = clock_words(&of(0, clock), clock);
        assert_eq!(
            waiting,
            "Your clock starts with your first touch: 30 s a turn."
        );
        let runs = Clock {
            waits: false,
            ..clock
        };
        for (game, end) in [
            (0, "the board moves by chance."),
            (1, "the turn passes."),
            (12, "the game is lost."),
        ] {
            let words = clock_words(&of(game, runs), runs);
            assert!(words.ends_with(end), "{words}");
        }
        // While the game is paused, or in the board's turn, it is not a person's clock
        // that waits.
        let paused = Status {
            paused: true,
            ..of(0, clock)
        };
        assert!(!clock_words(&paused, clock).contains("Your clock"));
    }
}
