//! How the game stands: its name, the score, what goes on, the clock, the last
//! move.

use bevy_egui::egui::{
    Align, Align2, Color32, CornerRadius, Label, Layout, Rect, RichText, Sense, Stroke, StrokeKind,
    TextStyle, Ui, pos2, vec2,
};
use firmware_core::games;
use hil_bridge::howto::how_to;
use hil_bridge::standing::{
    Phase, is_last, kind, last_move, phase, score_names, state, time_left, turns_left,
};
use hil_bridge::story;
use hil_bridge::written;
use protocol::{Side, Status};

use crate::source::seat;
use crate::workbench::Bench;
use crate::workbench::style::{self, STEP};

/// Height of the box with a score.
const SCORE_HEIGHT: f32 = 32.0;
/// Height of the line with the clock.
const CLOCK_HEIGHT: f32 = 14.0;
/// Height of the clock's bar.
const BAR_HEIGHT: f32 = 5.0;
/// Room for the seconds beside the bar.
const SECONDS_WIDTH: f32 = 46.0;

/// Shows it.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    name(ui, &bench.shown.status, bench.shown.layout);
    ui.add_space(STEP * 0.25);
    score(ui, &bench.shown.status);
    if let Some(best) = hil_bridge::standing::best(&bench.shown.status) {
        ui.add(Label::new(RichText::new(best).small().color(style::FAINT)).truncate());
    }
    ui.add_space(STEP * 0.25);
    what_goes_on(ui, bench);
    clock(ui, bench);
    last_deed(ui, bench);
}

/// The game, how many turns are to come, and the mode.
fn name(ui: &mut Ui, status: &Status, layout: protocol::Layout) {
    ui.horizontal(|ui| {
        let name = written::game_name(status.settings.game, layout);
        ui.label(RichText::new(name).heading().color(Color32::WHITE));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(turns) = turns_left(status) {
                ui.label(RichText::new(turns).small().color(style::TEXT));
            }
        });
    });
    let kind = kind(&status.settings, layout);
    let without = without_aside(&kind);
    let short = match fits(ui, &kind) {
        true => &kind,
        false => &without,
    };
    let label = Label::new(RichText::new(short).small().color(style::FAINT));
    let label = ui.add(label.truncate());
    if *short != kind {
        label.on_hover_text(kind);
    }
}

/// These words without what stands in the first brackets.
fn without_aside(words: &str) -> String {
    match words.find(" (").zip(words.find(')')) {
        Some((from, to)) if from < to => [&words[..from], &words[to + 1..]].concat(),
        _ => words.to_owned(),
    }
}

/// True if there is room for these small words in one line.
fn fits(ui: &Ui, words: &str) -> bool {
    let font = TextStyle::Small.resolve(ui.style());
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(words.to_owned(), font, style::FAINT);
    galley.size().x <= ui.available_width()
}

/// Both sides by colour and by name, each with its score; a frame around the one
/// that is to move.
fn score(ui: &mut Ui, status: &Status) {
    let width = (ui.available_width() - STEP) / 2.0;
    let (place, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), SCORE_HEIGHT), Sense::hover());
    for (side, name) in Side::BOTH.into_iter().zip(score_names(&status.settings)) {
        let left = place.left() + side.index() as f32 * (width + STEP);
        let place = Rect::from_min_size(pos2(left, place.top()), vec2(width, SCORE_HEIGHT));
        one_score(ui, place, side, name, status);
    }
}

fn one_score(ui: &Ui, place: Rect, side: Side, name: &str, status: &Status) {
    let painter = ui.painter();
    let moves = status.turn == Some(side) && phase(status) != Phase::Over;
    let round = CornerRadius::same(6);
    painter.rect_filled(place, round, style::PANEL);
    if moves {
        let frame = Stroke::new(1.5, style::side(ui.ctx(), side));
        painter.rect_stroke(place, round, frame, StrokeKind::Inside);
    }
    let middle = place.left_center();
    style::mark(ui, middle + vec2(14.0, 0.0), 5.5, side);
    let font = |style: TextStyle| style.resolve(ui.style());
    let colour = if moves { Color32::WHITE } else { style::TEXT };
    let at = middle + vec2(26.0, 0.0);
    painter.text(at, Align2::LEFT_CENTER, name, font(TextStyle::Body), colour);
    let number = status
        .score
        .map_or("–".to_owned(), |score| score[side.index()].to_string());
    let at = place.right_center() - vec2(10.0, 0.0);
    painter.text(
        at,
        Align2::RIGHT_CENTER,
        number,
        font(TextStyle::Heading),
        colour,
    );
}

fn what_goes_on(ui: &mut Ui, bench: &Bench) {
    let status = &bench.shown.status;
    let colour = match phase(status) {
        Phase::Over => Color32::WHITE,
        Phase::NoGame | Phase::Play | Phase::Pause => style::TEXT,
        Phase::Held => style::WARNING,
    };
    let settings = &status.settings;
    let has_room = seat::has_room(bench.shown.layout, settings.game, settings.mode);
    let made_for = games::about(settings.game).map(|about| (about.made_for)(settings.mode));
    let words = match (phase(status), has_room, made_for) {
        (Phase::NoGame, false, Some(sides)) => format!("it needs a board of {sides}"),
        _ => state(status, &bench.shown.frame),
    };
    let words = RichText::new(words).color(colour);
    ui.add(Label::new(words).truncate());
}

/// The clock as a bar and in seconds; the place of the bar where none runs just
/// now, nothing in a game that has none.
fn clock(ui: &mut Ui, bench: &mut Bench) {
    let status = &bench.shown.status;
    let settings = &status.settings;
    let pace = bench.shown.pace;
    let stands_still = pace.paused || status.held;
    let rate = if stands_still { 0.0 } else { pace.speed };
    let now = bench.game.time.elapsed();
    let clock = bench.game.face.0.show(status.clock, rate, now);
    let mode = how_to(settings.game).and_then(|text| text.modes.get(usize::from(settings.mode)));
    let has_one = clock.is_some() || mode.is_some_and(|mode| mode.has_turn_time);
    if !has_one {
        return;
    }
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
    ui.painter().rect_filled(bar, round, style::WIDGET);
    let Some(clock) = clock else {
        return;
    };
    let colour = match is_last(clock) {
        _ if status.held => style::FAINT,
        true => style::WARNING,
        false => style::ACCENT,
    };
    let part = clock.left_ms as f32 / clock.of_ms.max(1) as f32;
    let left = Rect::from_min_size(bar.min, vec2(bar.width() * part.min(1.0), BAR_HEIGHT));
    ui.painter().rect_filled(left, round, colour);
    ui.painter().text(
        place.right_center(),
        Align2::RIGHT_CENTER,
        time_left(clock.left_ms),
        TextStyle::Small.resolve(ui.style()),
        if colour == style::ACCENT {
            style::TEXT
        } else {
            colour
        },
    );
}

/// The last move in words, or that a turn went by without one; its line is there
/// from the start, so that nothing jumps.
fn last_deed(ui: &mut Ui, bench: &Bench) {
    let status = &bench.shown.status;
    let of_this_game = status.score.is_some();
    let deed = story::last_deed(bench.game.story.past()).filter(|_| of_this_game);
    let (words, is_late) = match deed {
        Some(line) => (format!("last: {}", line.what), line.is_late),
        None => match last_move(status, bench.shown.layout) {
            Some(words) => (format!("last: {words}"), false),
            None => (" ".to_owned(), false),
        },
    };
    let colour = if is_late {
        style::WARNING
    } else {
        style::FAINT
    };
    let short = fitting(ui, &words);
    let label = ui.add(Label::new(RichText::new(short).small().color(colour)).truncate());
    if short != words {
        label.on_hover_text(words);
    }
}

/// These small words without as many of their last parts as it takes to fit: what
/// came of a move is in the list of what happened too.
fn fitting<'a>(ui: &Ui, words: &'a str) -> &'a str {
    let shorter = |text: &&'a str| text.rsplit_once(", ").map(|(first, _)| first);
    std::iter::successors(Some(words), shorter)
        .find(|text| fits(ui, text))
        .unwrap_or(words)
}
