//! The status of the game: its name, the score, the situation, the clock, the last move.

use bevy_egui::egui::{
    Align, Align2, Color32, CornerRadius, CursorIcon, Label, Layout, Pos2, Rect, Response,
    RichText, Sense, Stroke, TextStyle, Ui, WidgetInfo, WidgetType, vec2,
};
use firmware_core::games;
use protocol::{Clock, Colour, Point, Status};
use touchboard_host::games::how_to;
use touchboard_host::standing::{
    Among, Situation, THIS_TURN, Tracks, about_the_clock, at_time_out, clock_waits, has_to_take,
    is_boards_turn, kind, last_move, phase, state, time_left, tracks, turns_left, warns,
};
use touchboard_host::story;

use super::GameCard;
use super::captures::captures;
use super::ending::{
    LINE, REASON_LETTERS, RESULT_GAP, RESULT_LETTERS, RESULT_MARGIN, after_the_end, result,
    show_result, to_whom,
};
use super::score::score;
use crate::source::{Shown, places};
use crate::switches::WindowSwitches;
use crate::workbench::beside::HoverText;
use crate::workbench::first_touch::{DO_NOT_WAIT, first_touch, has_room, is_in_real_time};
use crate::workbench::games::Entry;
use crate::workbench::style::{self, STEP};

/// Height of the line with the clock.
const CLOCK_HEIGHT: f32 = 14.0;
/// Height of the clock's bar.
const BAR_HEIGHT: f32 = 5.0;
/// The room for the time next to the bar.
const TIME_WIDTH: f32 = 46.0;
/// The room for the words before the bar.
const THIS_TURN_WIDTH: f32 = 54.0;

/// The side of the picture next to the name.
const PICTURE: f32 = 44.0;

/// Shows the status; `stays` is shown in the place of the last move until there is
/// one.
pub fn show(ui: &mut Ui, card: &mut GameCard, stays: Option<String>) {
    name(ui, card);
    ui.add_space(STEP * 0.25);
    score(ui, card);
    captures(ui, card);
    if let Some(best) = touchboard_host::standing::best(&card.shown().status) {
        style::note(ui, &best);
    }
    ui.add_space(STEP * 0.25);
    let status = &card.shown().status;
    let is_before = phase(status) == Situation::NoGame;
    let of = (status.settings.game, is_before);
    room(ui, of, |ui| {
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
        how_to,
        ..
    } = card;
    let shown = &start.orders.board.shown;
    let (status, layout) = (&shown.status, shown.layout);
    let entry = Entry::of(status.settings.game, layout);
    let width = ui.available_width();
    let words_width = width - PICTURE - 3.0 * STEP - ARROW - RULES_WIDTH;
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
    let stroke = Stroke::new(1.8, link_colour(&response));
    style::chevron(ui, arrow, ARROW / 2.0, stroke);
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    if response.hover_text("All games.  F2").clicked() {
        picker.toggle();
    }
    let middle = arrow - vec2(ARROW / 2.0 + STEP / 2.0 + RULES_WIDTH / 2.0, 0.0);
    if rules_button(ui, middle) {
        how_to.toggle();
    }
}

/// The colour of a sign that opens something.
fn link_colour(response: &Response) -> Color32 {
    match response.hovered() {
        true => style::accent(),
        false => style::faint(),
    }
}

/// Draws the button for the rules of the game. Returns true if it was clicked.
fn rules_button(ui: &mut Ui, middle: Pos2) -> bool {
    let place = Rect::from_center_size(middle, vec2(RULES_WIDTH, RULES_WIDTH));
    let response = ui.interact(place, ui.id().with("rules"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "How to play"));
    let colour = link_colour(&response);
    let painter = ui.painter();
    painter.circle_stroke(middle, RULES_RADIUS, Stroke::new(1.2, colour));
    let font = TextStyle::Small.resolve(ui.style());
    painter.text(middle, Align2::CENTER_CENTER, "?", font, colour);
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.hover_text("How to play this game.  F1").clicked()
}

/// The room for the button of the rules, and the radius of its ring.
const RULES_WIDTH: f32 = 24.0;
const RULES_RADIUS: f32 = 8.5;

/// The room for the arrow that marks the list.
const ARROW: f32 = 10.0;

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

/// The question before a game that the board may play.
const WHO_PLAYS: &str = "Do you play alone, or with somebody?";

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
    let has_room = places::has_room(shown.layout, settings.game, settings.mode);
    let made_for = games::about(settings.game).map(|about| (about.made_for)(settings.mode));
    let words = match (phase(status), has_room, made_for) {
        (Situation::NoGame, false, Some(sides)) => format!("it needs a board of {sides}"),
        (Situation::NoGame, ..) if !card.start.orders.board.is_chosen_against_whom() => {
            WHO_PLAYS.to_owned()
        }
        _ => turn_words(shown),
    };
    if phase(status) == Situation::Over {
        let decision = card
            .marks
            .as_ref()
            .and_then(|drawn| drawn.decision.as_ref());
        let result = result(shown, decision);
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

/// Whose turn it is and what that side has to do, or how the game ended.
fn turn_words(shown: &Shown) -> String {
    let status = &shown.status;
    match has_to_take(status, &shown.frame, &shown.legal) {
        Some(side) if !is_boards_turn(status) => format!("take a piece of {}", side.name()),
        _ => to_whom(&state(status, &shown.frame), &status.settings, shown.layout),
    }
}

/// The room for the number of turns that are left.
const TURNS_WIDTH: f32 = 92.0;

/// Draws the clock as a bar and as a number. Only the empty bar remains while no clock
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

/// What the clock shows.
const THE_CLOCK: &str = "The time that is left for this turn; the next one begins with all of it.";

/// Draws a running clock and what happens at its end; only the empty bar if none runs
/// now.
fn running(ui: &mut Ui, status: &Status, clock: Option<Clock>) {
    let (place, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), CLOCK_HEIGHT), Sense::hover());
    if let Some(about) = about_the_clock(&status.settings) {
        response.hover_text(style::words(ui, &format!("{THE_CLOCK} {about}")));
    }
    let small = TextStyle::Small.resolve(ui.style());
    let left = place.left_center();
    let painter = ui.painter();
    painter.text(left, Align2::LEFT_CENTER, THIS_TURN, small, style::faint());
    let bar = Rect::from_x_y_ranges(
        place.left() + THIS_TURN_WIDTH..=place.right() - TIME_WIDTH,
        place.center().y - BAR_HEIGHT / 2.0..=place.center().y + BAR_HEIGHT / 2.0,
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
    if phase(&shown.status) == Situation::NoGame && is_in_real_time(shown) {
        under_the_clock(ui, RichText::new(DO_NOT_WAIT).color(style::text()));
    }
}

fn under_the_clock(ui: &mut Ui, words: RichText) {
    ui.add(Label::new(words.small()).wrap());
}

/// Reserves room for whose turn it is, the clock and two lines below it, or for how the game
/// ended, even if all is empty: what is below must not move under a finger. Sentences that
/// needed more leave their room behind when they go, as long as it is about the same: a
/// game, before it or during it.
fn room(ui: &mut Ui, of: (u8, bool), show: impl FnOnce(&mut Ui)) {
    let lines = 2.0 * ui.text_style_height(&TextStyle::Small);
    let gaps = 2.0 * ui.spacing().item_spacing.y;
    let turn = TURN_LETTERS * LINE + CLOCK_HEIGHT + gaps + lines;
    let result = (RESULT_LETTERS + REASON_LETTERS) * LINE + lines / 2.0;
    let result = result + 2.0 * (RESULT_GAP + RESULT_MARGIN.topf());
    let height = match style::is_narrow(ui.ctx()) {
        true => turn,
        false => turn.max(result),
    };
    let (id, of) = (ui.id().with("room"), (of, ui.available_width() as i32));
    let before: Option<((_, i32), f32)> = ui.data(|data| data.get_temp(id));
    let before = before.filter(|(before, _)| *before == of);
    let height = before.map_or(height, |(_, before)| height.max(before));
    let shown = ui.scope(|ui| {
        ui.set_min_height(height);
        show(ui);
    });
    let height = shown.response.rect.height();
    ui.data_mut(|data| data.insert_temp(id, (of, height)));
}

/// When the clock runs, and the effect of its end.
fn clock_words(status: &Status, clock: Clock) -> String {
    let of = time_left(clock.of_ms);
    let end = at_time_out(&status.settings);
    match (clock_waits(status), end) {
        (Some(_), _) => format!("You have {of} for each turn. Your first touch starts the clock."),
        (None, Some(end)) => format!("You have {of} for each turn; after that, {end}."),
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
    use protocol::Settings;

    use super::*;

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
            "You have 30 s for each turn. Your first touch starts the clock."
        );
        let runs = Clock {
            waits: false,
            ..clock
        };
        for (game, end) in [
            (0, "the board makes a random move."),
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
        assert!(!clock_words(&paused, clock).contains("first touch"));
    }
}
