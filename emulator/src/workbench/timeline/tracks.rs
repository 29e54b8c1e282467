//! The tracks of the timeline, on a common scale: the strip, the branches and the
//! waveforms.

use bevy_egui::egui::{
    self, Align2, Color32, CursorIcon, FontFamily, FontId, PointerButton, Rect, Response, Sense,
    Stroke, Ui, pos2, vec2,
};
use protocol::Tick;
use touchboard_host::recorder::Branch;

use super::super::style;
use super::signs::{Sign, SignShape};
use super::{Timeline, rows};
use crate::source::WindowCommand;

/// Height of the strip with its scale.
const STRIP: f32 = 58.0;
/// Height of a branch.
const BRANCH: f32 = 15.0;
/// Height of the scale in the strip.
const SCALE: f32 = 16.0;
/// The least gap between two labels of the scale.
const BETWEEN_LABELS: f32 = 8.0;
/// Width of the column of names.
const NAMES: f32 = 148.0;
/// The most branches that are drawn; the latest ones come first.
const BRANCHES: usize = 4;

/// The height of all tracks together, in points.
pub fn height(timeline: &Timeline) -> f32 {
    let rows = rows::seen(&timeline.view).len();
    STRIP + rows as f32 * rows::ROW + drawn_branches(timeline) as f32 * BRANCH
}

fn drawn_branches(timeline: &Timeline) -> usize {
    timeline.shown.past.branches.len().min(BRANCHES)
}

/// Shows all tracks.
pub fn show(ui: &mut Ui, timeline: &mut Timeline) {
    let width = ui.available_width();
    let branches = drawn_branches(timeline);
    let sense = Sense::click_and_drag();
    let (place, response) = ui.allocate_exact_size(vec2(width, height(timeline)), sense);
    let left = place.left() + NAMES;
    let branches_end = timeline
        .shown
        .past
        .branches
        .iter()
        .map(|branch| branch.until)
        .max();
    let known = timeline.shown.past.latest.max(timeline.now.0);
    let until = known.max(branches_end.unwrap_or(0));
    let from = match timeline.view.waves() {
        Some(waves) => waves.from.min(until),
        None => 0,
    };
    let runs = !timeline.shown.pace.frozen;
    let now = timeline.now.0;
    let axis = &mut timeline.view.axis;
    axis.set(from, until, [left, place.right() - 6.0]);
    if runs {
        axis.show(now);
    }
    let strip = Rect::from_min_max(
        pos2(left, place.top()),
        pos2(place.right(), place.top() + STRIP),
    );
    handle_mouse(ui, &response, strip, timeline);
    paint_strip(ui, timeline, strip, place);
    let mut top = strip.bottom();
    for branch in 0..branches {
        let line = Rect::from_min_size(pos2(place.left(), top), vec2(place.width(), BRANCH));
        paint_branch(ui, timeline, branch, line);
        top += BRANCH;
    }
    let lines = Rect::from_min_max(pos2(place.left(), top), place.max);
    rows::show(ui, timeline, lines, NAMES);
    paint_moments(ui, timeline, place);
    describe_signs(ui, timeline, &response, strip);
}

/// Handles the mouse: a click or drag on the strip goes to that moment, one below it sets
/// a cursor, the wheel zooms, and the right button pans.
fn handle_mouse(ui: &Ui, response: &Response, strip: Rect, timeline: &mut Timeline) {
    let Some(pointer) = response.hover_pos().or(response.interact_pointer_pos()) else {
        return;
    };
    let (wheel, across, shift) = ui.input(|input| {
        let wheel = input.smooth_scroll_delta;
        (wheel.y, wheel.x, input.modifiers.shift)
    });
    let axis = &mut timeline.view.axis;
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
        let can = timeline.shown.past.earliest.is_some() && timeline.shown.link.answers();
        if can && tick != timeline.now.0 {
            timeline.commands.write(WindowCommand::GoTo(tick));
        }
    } else {
        timeline.view.cursors[usize::from(shift)] = Some(tick);
    }
}

/// Draws the scale, and the signs of events.
fn paint_strip(ui: &Ui, timeline: &Timeline, strip: Rect, whole: Rect) {
    let view = &timeline.view;
    let axis = &view.axis;
    let painter = ui.painter_at(whole.expand(2.0));
    painter.rect_filled(strip, 4.0, style::card_fill());
    let font = FontId::new(10.5, FontFamily::Proportional);
    let mut labelled_to = f32::NEG_INFINITY;
    for (ms, text) in axis.scale() {
        let x = axis.x(ms);
        let stroke = Stroke::new(1.0, style::widget());
        painter.vline(x, strip.top() + SCALE..=whole.bottom(), stroke);
        // A label at the right end is left of its line, unless it would cover the one before.
        let galley = painter.layout_no_wrap(text, font.clone(), style::faint());
        let width = galley.size().x;
        let left = match x + 3.0 + width > strip.right() {
            true => x - 3.0 - width,
            false => x + 3.0,
        };
        if left > labelled_to {
            labelled_to = left + width + BETWEEN_LABELS;
            painter.galley(pos2(left, strip.top() + 2.0), galley, style::faint());
        }
    }
    let row = Rect::from_min_max(pos2(strip.left(), strip.top() + SCALE), strip.max);
    let inside = ui.painter_at(row.expand2(vec2(4.0, 0.0)));
    let [from, until] = axis.span();
    let seen = |tick: Tick| tick as f64 >= from && tick as f64 <= until;
    let mut before: Option<(f32, SignShape)> = None;
    for sign in view.all_signs().filter(|sign| seen(sign.tick)) {
        let x = axis.x(sign.tick as f64);
        // Signs of one kind at the same place are drawn once.
        if before.is_some_and(|(other, look)| look == sign.look && x - other < 1.0) {
            continue;
        }
        before = Some((x, sign.look));
        sign.paint(ui, &inside, x, row);
    }
    let end = style::seconds(timeline.shown.past.latest.max(timeline.now.0));
    let mut text = format!("{} s\nof {end} s", style::seconds(timeline.now.0));
    if !timeline.shown.past.branches.is_empty() {
        text += &format!("\non branch {}", timeline.shown.past.branch);
    }
    let at = pos2(whole.left(), row.center().y);
    let font = FontId::new(12.5, FontFamily::Proportional);
    painter.text(at, Align2::LEFT_CENTER, text, font, style::text());
}

/// Draws a branch from the moment at which it leaves the session. A click goes to it.
fn paint_branch(ui: &Ui, timeline: &mut Timeline, number: usize, line: Rect) {
    // Only the latest branches are drawn.
    let all = timeline.shown.past.branches.len();
    let branch = all - 1 - number;
    let Some(found) = timeline.shown.past.branches.get(branch).copied() else {
        return;
    };
    let track = line.with_min_x(line.left() + NAMES);
    let axis = &timeline.view.axis;
    let place = |tick: Tick| axis.x(tick as f64).clamp(track.left(), track.right());
    let (left, right) = (
        place(found.from),
        place(found.until).max(place(found.from) + 8.0),
    );
    let y = track.center().y;
    let id = ui.id().with(("branch", found.number));
    let click = ui.interact(line, id, Sense::click());
    let colour = if click.hovered() {
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
    let font = FontId::new(11.0, FontFamily::Proportional);
    let label = match click.hovered() {
        true => style::text(),
        false => style::faint(),
    };
    let at = pos2(line.left() + 14.0, y);
    let name = branch_name(&found);
    painter.text(at, Align2::LEFT_CENTER, &name, font.clone(), label);
    let at = pos2(track.left() - 8.0, y);
    let when = format!("{} s", style::seconds(found.from));
    painter.text(at, Align2::RIGHT_CENTER, when, font, label);
    let words = format!("{name}, {}; click to go back to it", branch_words(&found));
    let click = click
        .on_hover_text_at_pointer(words)
        .on_hover_cursor(CursorIcon::PointingHand);
    if click.clicked() {
        timeline.go_to_branch(branch);
    }
}

/// The name of a branch.
pub fn branch_name(branch: &Branch) -> String {
    format!("branch {}", branch.number)
}

/// When a branch was left, and what it contains.
pub fn branch_words(branch: &Branch) -> String {
    let acts = match branch.acts {
        1 => "one act".to_owned(),
        acts => format!("{acts} acts"),
    };
    format!(
        "left at {} s: {acts}, up to {} s",
        style::seconds(branch.from),
        style::seconds(branch.until)
    )
}

/// Draws the current moment, and the cursors.
fn paint_moments(ui: &Ui, timeline: &Timeline, whole: Rect) {
    let axis = &timeline.view.axis;
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
    for (cursor, name) in timeline.view.cursors.into_iter().zip(["A", "B"]) {
        if let Some(tick) = cursor {
            line(tick, style::warning(), name);
        }
    }
    let now = timeline.now.0;
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
fn describe_signs(ui: &Ui, timeline: &Timeline, response: &Response, strip: Rect) {
    /// The most distance between the mouse and a sign, in points.
    const NEAR: f32 = 4.0;
    /// The maximum number of lines of a description.
    const LINES: usize = 8;
    let Some(pointer) = response.hover_pos().filter(|at| strip.contains(*at)) else {
        return;
    };
    let axis = &timeline.view.axis;
    let is_near = |tick: Tick| (axis.x(tick as f64) - pointer.x).abs() <= NEAR;
    let view = &timeline.view;
    let words = |sign: &Sign| {
        let time = style::seconds(sign.tick);
        format!("{time}  {}", style::words(ui, &sign.words))
    };
    // What is rare is told first.
    let signs = view.entries.iter().chain(&view.signs);
    let near: Vec<String> = signs.filter(|sign| is_near(sign.tick)).map(words).collect();
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
