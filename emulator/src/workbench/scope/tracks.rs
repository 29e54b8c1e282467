//! The tracks of the timeline, on one scale of time: the strip, the branches and the
//! waveforms.

use bevy_egui::egui::{
    self, Align2, Color32, CursorIcon, FontFamily, FontId, PointerButton, Rect, Response, Sense,
    Stroke, Ui, pos2, vec2,
};
use protocol::Tick;

use super::super::{Bench, style};
use super::signs::{Look, Sign};
use super::wave;
use crate::source::WindowCommand;

/// Height of the strip with its scale.
const STRIP: f32 = 58.0;
/// Height of a waveform.
const ROW: f32 = 20.0;
/// Height of a branch.
const BRANCH: f32 = 10.0;
/// Height of the scale in the strip.
const SCALE: f32 = 16.0;
/// Width of the names.
const NAMES: f32 = 148.0;
/// How many branches are drawn at most, the latest ones.
const BRANCHES: usize = 3;

/// The height of all tracks together.
pub fn height(bench: &Bench) -> f32 {
    let rows = bench.scope.waves().map_or(0, |waves| waves.waves.len());
    STRIP + rows as f32 * ROW + drawn_branches(bench) as f32 * BRANCH
}

fn drawn_branches(bench: &Bench) -> usize {
    bench.shown.branches.len().min(BRANCHES)
}

/// Shows all tracks.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    let width = ui.available_width();
    let rows = bench.scope.waves().map_or(0, |waves| waves.waves.len());
    let branches = drawn_branches(bench);
    let sense = Sense::click_and_drag();
    let (place, response) = ui.allocate_exact_size(vec2(width, height(bench)), sense);
    let left = place.left() + NAMES;
    let branches_end = bench.shown.branches.iter().map(|branch| branch.until).max();
    let known = bench.shown.latest.max(bench.clock.0);
    let until = known.max(branches_end.unwrap_or(0));
    let from = match bench.scope.waves() {
        Some(waves) => waves.from.min(until),
        None => 0,
    };
    let runs = !bench.shown.pace.paused;
    let now = bench.clock.0;
    let axis = &mut bench.scope.axis;
    axis.set(from, until, [left, place.right() - 6.0]);
    if runs {
        axis.show(now);
    }
    let strip = Rect::from_min_max(
        pos2(left, place.top()),
        pos2(place.right(), place.top() + STRIP),
    );
    let below = Rect::from_min_max(pos2(left, strip.bottom()), place.max);
    look_about(ui, &response, strip, bench);
    paint_strip(ui, bench, strip, place);
    let mut top = strip.bottom();
    for branch in 0..branches {
        let line = Rect::from_min_size(pos2(left, top), vec2(below.width(), BRANCH));
        paint_branch(ui, bench, branch, line, &response);
        top += BRANCH;
    }
    let mut removed = None;
    for row in 0..rows {
        let line = Rect::from_min_size(pos2(place.left(), top), vec2(place.width(), ROW));
        if paint_row(ui, bench, row, line) {
            removed = Some(row);
        }
        top += ROW;
    }
    paint_moments(ui, bench, place);
    tell_signs(ui, bench, &response, strip);
    if let Some(row) = removed {
        let mut names = drawn_names(bench);
        if row < names.len() {
            names.remove(row);
            bench.scope.draw_signals(names);
        }
    }
}

/// The names of all rows.
fn drawn_names(bench: &Bench) -> Vec<String> {
    let names = |waves: &touchboard_host::signals::Waveforms| {
        let layout = *waves.layout;
        waves
            .waves
            .iter()
            .map(|wave| wave.signal.name(layout))
            .collect()
    };
    bench.scope.waves().map(names).unwrap_or_default()
}

/// Handles the mouse: a click or drag on the strip goes to that moment, one below it sets a
/// cursor, the wheel zooms, and the right button pans.
fn look_about(ui: &Ui, response: &Response, strip: Rect, bench: &mut Bench) {
    let Some(pointer) = response.hover_pos().or(response.interact_pointer_pos()) else {
        return;
    };
    let (wheel, across, shift) = ui.input(|input| {
        let wheel = input.smooth_scroll_delta;
        (wheel.y, wheel.x, input.modifiers.shift)
    });
    let axis = &mut bench.scope.axis;
    if wheel != 0.0 && pointer.x >= strip.left() {
        axis.zoom(f64::from(-wheel / 200.0).exp(), pointer.x);
    }
    if across != 0.0 {
        axis.pan(across);
    }
    if response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle) {
        axis.pan(response.drag_delta().x);
    }
    if response.double_clicked() {
        axis.see_all();
    }
    let is_pressed = response.dragged_by(PointerButton::Primary) || response.clicked();
    let origin = ui
        .input(|input| input.pointer.press_origin())
        .unwrap_or(pointer);
    if !is_pressed || origin.x < strip.left() {
        return;
    }
    let tick = axis.tick(pointer.x);
    if strip.contains(origin) {
        let can = bench.shown.earliest.is_some() && bench.shown.link.answers();
        if can && tick != bench.clock.0 {
            bench.commands.write(WindowCommand::GoTo(tick));
        }
    } else {
        bench.scope.cursors[usize::from(shift)] = Some(tick);
    }
}

/// The scale, and the signs of what happened.
fn paint_strip(ui: &Ui, bench: &Bench, strip: Rect, whole: Rect) {
    let scope = &bench.scope;
    let axis = &scope.axis;
    let painter = ui.painter_at(whole.expand(2.0));
    painter.rect_filled(strip, 4.0, style::card_fill());
    let font = FontId::new(10.5, FontFamily::Proportional);
    for (ms, text) in axis.scale() {
        let x = axis.x(ms);
        let stroke = Stroke::new(1.0, style::widget());
        painter.vline(x, strip.top() + SCALE..=whole.bottom(), stroke);
        let at = pos2(x + 3.0, strip.top() + 2.0);
        painter.text(at, Align2::LEFT_TOP, text, font.clone(), style::faint());
    }
    let row = Rect::from_min_max(pos2(strip.left(), strip.top() + SCALE), strip.max);
    let inside = ui.painter_at(row.expand2(vec2(4.0, 0.0)));
    let [from, until] = axis.span();
    let seen = |tick: Tick| tick as f64 >= from && tick as f64 <= until;
    let mut before: Option<(f32, Look)> = None;
    for sign in scope.signs.iter().filter(|sign| seen(sign.tick)) {
        let x = axis.x(sign.tick as f64);
        // Signs of one kind on the same spot are drawn once.
        if before.is_some_and(|(other, look)| look == sign.look && x - other < 1.0) {
            continue;
        }
        before = Some((x, sign.look));
        sign.paint(ui, &inside, x, row);
    }
    for (tick, words) in scope.marks.iter().filter(|(tick, _)| seen(*tick)) {
        let x = axis.x(*tick as f64);
        let flag = Sign {
            tick: *tick,
            look: Look::Flag,
            words: words.clone(),
        };
        flag.paint(ui, &inside, x, row);
    }
    let end = style::seconds(bench.shown.latest.max(bench.clock.0));
    let text = format!("{} s\nof {end} s", style::seconds(bench.clock.0));
    let at = pos2(whole.left(), row.center().y);
    let font = FontId::new(12.5, FontFamily::Proportional);
    painter.text(at, Align2::LEFT_CENTER, text, font, style::text());
}

/// A branch, from where it parts from the session; a click goes to it.
fn paint_branch(ui: &Ui, bench: &mut Bench, number: usize, line: Rect, response: &Response) {
    // The latest ones are drawn.
    let all = bench.shown.branches.len();
    let branch = all - 1 - number;
    let Some(found) = bench.shown.branches.get(branch).copied() else {
        return;
    };
    let axis = &bench.scope.axis;
    let place = |tick: Tick| axis.x(tick as f64).clamp(line.left(), line.right());
    let (left, right) = (
        place(found.from),
        place(found.until).max(place(found.from) + 8.0),
    );
    let y = line.center().y;
    let pointer = response.hover_pos();
    let is_under =
        pointer.is_some_and(|at| line.contains(at) && at.x >= left - 4.0 && at.x <= right + 4.0);
    let colour = if is_under {
        style::accent()
    } else {
        style::edge()
    };
    let painter = ui.painter_at(line.expand(6.0));
    painter.line_segment(
        [pos2(left, line.top() - 3.0), pos2(left, y)],
        Stroke::new(1.5, colour),
    );
    painter.hline(left..=right, y, Stroke::new(2.0, colour));
    if !is_under {
        return;
    }
    let words = format!(
        "a branch that was left at {} s: {} acts up to {} s; click to go back to it",
        style::seconds(found.from),
        found.acts,
        style::seconds(found.until)
    );
    response
        .clone()
        .on_hover_text_at_pointer(words)
        .on_hover_cursor(CursorIcon::PointingHand);
    if response.clicked() {
        let tick = found.from;
        bench
            .commands
            .write(WindowCommand::GoToBranch { branch, tick });
        bench.scope.asked_at = None;
    }
}

/// A waveform with its name; true if its close button was clicked.
fn paint_row(ui: &mut Ui, bench: &Bench, row: usize, line: Rect) -> bool {
    let Some(waves) = bench.scope.waves() else {
        return false;
    };
    let wave = &waves.waves[row];
    let name = wave.signal.name(*waves.layout);
    let value = wave
        .at(bench.clock.0)
        .map(ToString::to_string)
        .unwrap_or_default();
    let names = Rect::from_min_max(line.min, pos2(line.left() + NAMES - 8.0, line.bottom()));
    let painter = ui.painter_at(names);
    let font = FontId::new(11.5, FontFamily::Proportional);
    let at = pos2(names.left() + 14.0, names.center().y);
    let drawn = painter.text(at, Align2::LEFT_CENTER, &name, font.clone(), style::faint());
    let at = pos2(names.right(), names.center().y);
    let words = value.trim();
    if drawn.right() + 6.0 < names.right() - 7.0 * words.chars().count() as f32 {
        painter.text(at, Align2::RIGHT_CENTER, words, font, style::text());
    }
    let track = Rect::from_min_max(pos2(line.left() + NAMES, line.top()), line.max);
    let inside = ui.painter_at(track);
    wave::paint(ui, &inside, wave, &bench.scope.axis, track, waves.until);
    let cross =
        Rect::from_center_size(pos2(names.left() + 5.0, names.center().y), vec2(12.0, 12.0));
    let id = ui.id().with(("leave out", row));
    let leave = ui
        .interact(cross, id, Sense::click())
        .on_hover_text(format!("Leaves {name} out"));
    let colour = if leave.hovered() {
        style::text()
    } else {
        style::edge()
    };
    let arms = [(-3.0, -3.0), (-3.0, 3.0)];
    for (x, y) in arms {
        let arm = vec2(x, y);
        ui.painter().line_segment(
            [cross.center() - arm, cross.center() + arm],
            Stroke::new(1.2, colour),
        );
    }
    leave.clicked()
}

/// The current moment, and the cursors.
fn paint_moments(ui: &Ui, bench: &Bench, whole: Rect) {
    let axis = &bench.scope.axis;
    let tracks = Rect::from_min_max(pos2(axis.place[0] - 5.0, whole.top()), whole.max);
    let painter = ui.painter_at(tracks);
    let line = |tick: Tick, colour: Color32, name: &str| {
        let x = axis.x(tick as f64);
        painter.vline(
            x,
            whole.top() + SCALE..=whole.bottom(),
            Stroke::new(1.5, colour),
        );
        let font = FontId::new(10.5, FontFamily::Proportional);
        let at = pos2(x + 3.0, whole.top() + STRIP + 1.0);
        painter.text(at, Align2::LEFT_TOP, name, font, colour);
    };
    for (cursor, name) in bench.scope.cursors.into_iter().zip(["A", "B"]) {
        if let Some(tick) = cursor {
            line(tick, style::warning(), name);
        }
    }
    let now = bench.clock.0;
    line(now, style::next_fill(), "");
    let x = axis.x(now as f64);
    let top = whole.top() + SCALE;
    let head = [(-5.0, -6.0), (5.0, -6.0), (0.0, 1.0)];
    let head = head.map(|(right, down)| pos2(x + right, top + down));
    painter.add(egui::Shape::convex_polygon(
        head.to_vec(),
        style::next_fill(),
        Stroke::NONE,
    ));
}

/// Describes the signs under the mouse in words.
fn tell_signs(ui: &Ui, bench: &Bench, response: &Response, strip: Rect) {
    /// How near the mouse has to be to a sign, in points.
    const NEAR: f32 = 4.0;
    /// The largest number of lines.
    const LINES: usize = 8;
    let Some(pointer) = response.hover_pos().filter(|at| strip.contains(*at)) else {
        return;
    };
    let axis = &bench.scope.axis;
    let is_near = |tick: Tick| (axis.x(tick as f64) - pointer.x).abs() <= NEAR;
    let scope = &bench.scope;
    let signs = scope.signs.iter().map(|sign| (sign.tick, &sign.words));
    let marks = scope.marks.iter().map(|(tick, words)| (*tick, words));
    let near: Vec<String> = marks
        .chain(signs)
        .filter(|(tick, _)| is_near(*tick))
        .map(|(tick, words)| format!("{}  {}", style::seconds(tick), style::words(ui, words)))
        .collect();
    let mut text = near
        .iter()
        .take(LINES)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    if near.len() > LINES {
        text += &format!("\nand {} more", near.len() - LINES);
    }
    if text.is_empty() {
        text = format!("{} s", style::seconds(axis.tick(pointer.x)));
    }
    response.clone().on_hover_text_at_pointer(text);
}
