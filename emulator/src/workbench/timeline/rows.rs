//! The lines below the strip: signals with their waveforms, and the heads of groups. A
//! line is dragged by its name to another place; a click on the name opens its menu.

use bevy_egui::egui::{
    self, Align2, Color32, CursorIcon, FontFamily, FontId, PointerButton, Rect, Response, Sense,
    Stroke, Ui, pos2, vec2,
};
use touchboard_host::signals::Waveform;

use super::super::style;
use super::menu::{self, Menu, MenuTarget};
use super::track_list::Row;
use super::wave::WaveLook;
use super::{Timeline, TimelineView, wave};

/// Height of a line.
pub const ROW: f32 = 20.0;
/// The indent of the signals of a group, in points.
const INDENT: f32 = 10.0;

/// A line that is being dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dragged {
    row: usize,
    /// The index of the line before which it is dropped.
    before: usize,
}

/// A change of the lines.
enum Change {
    Remove(Row),
    Fold(String),
    Open(MenuTarget, egui::Pos2),
}

/// The visible lines with their indices. Signals that the board lacks are left
/// out.
pub fn seen(view: &TimelineView) -> Vec<(usize, Row)> {
    let tracks = view.chosen.tracks();
    let has_wave = |name: &str| view.wave(name).is_some();
    let is_seen = |row: &Row| match row {
        Row::Track(place) => has_wave(&tracks[*place].name),
        Row::Group { name, .. } => {
            let mut own = tracks
                .iter()
                .filter(|track| track.group.as_ref() == Some(name));
            own.any(|track| has_wave(&track.name))
        }
    };
    let rows = view.chosen.rows().into_iter().enumerate();
    rows.filter(|(_, row)| is_seen(row)).collect()
}

/// Shows all lines from `place` on downwards; names take its first `names` points.
pub fn show(ui: &mut Ui, timeline: &mut Timeline, place: Rect, names: f32) {
    let rows = seen(&timeline.view);
    let mut change = None;
    for (index, (number, row)) in rows.iter().enumerate() {
        let top = place.top() + index as f32 * ROW;
        let line = Rect::from_min_size(pos2(place.left(), top), vec2(place.width(), ROW));
        let name = Rect::from_min_max(line.min, pos2(line.left() + names - 8.0, line.bottom()));
        let parts = LineParts {
            names: name,
            track: Rect::from_min_max(pos2(line.left() + names, line.top()), line.max),
        };
        let id = ui.id().with(("line", number));
        let handle = ui.interact(
            name.with_min_x(name.left() + 12.0),
            id,
            Sense::click_and_drag(),
        );
        drag(ui, timeline, &handle, *number, &rows, place);
        let removed = match row {
            Row::Track(at) => paint_track(ui, timeline, *at, parts, handle.hovered()),
            Row::Group { name: group, .. } => {
                if paint_group(ui, timeline, group, parts) {
                    change = Some(Change::Fold(group.clone()));
                }
                cross(ui, name, ("leave out group", *number), group)
            }
        };
        if removed {
            change = Some(Change::Remove(row.clone()));
        }
        let handle = handle.on_hover_cursor(CursorIcon::PointingHand);
        let of = target(&timeline.view, row);
        let measured = match &of {
            MenuTarget::Track(name) => timeline.view.measured(name),
            MenuTarget::Group(_) => None,
        };
        let handle = match measured {
            Some(words) => handle.on_hover_text(words),
            None => handle,
        };
        if handle.clicked() || handle.secondary_clicked() {
            change = Some(Change::Open(of, line.left_top() + vec2(16.0, 0.0)));
        }
    }
    paint_target(ui, timeline, &rows, place);
    if let Some(change) = change {
        apply(&mut timeline.view, change);
    }
}

/// What the menu of a line is about.
fn target(view: &TimelineView, row: &Row) -> MenuTarget {
    match row {
        Row::Track(at) => MenuTarget::Track(view.chosen.tracks()[*at].name.clone()),
        Row::Group { name, .. } => MenuTarget::Group(name.clone()),
    }
}

/// Changes the lines.
fn apply(view: &mut TimelineView, change: Change) {
    match change {
        Change::Remove(Row::Track(at)) => {
            let name = view.chosen.tracks()[at].name.clone();
            view.chosen.remove(&name);
        }
        Change::Remove(Row::Group { name, .. }) => view.chosen.remove_group(&name),
        Change::Fold(group) => view.chosen.fold(&group),
        Change::Open(of, at) => {
            let is_open = view.menu.as_ref().is_some_and(|menu| menu.of == of);
            view.menu = (!is_open).then(|| Menu::new(of, at));
        }
    }
}

/// Follows a line that is dragged, and moves it when it is dropped.
fn drag(
    ui: &Ui,
    timeline: &mut Timeline,
    handle: &Response,
    number: usize,
    rows: &[(usize, Row)],
    place: Rect,
) {
    if handle.dragged_by(PointerButton::Primary)
        && let Some(pointer) = handle.interact_pointer_pos()
    {
        let above = ((pointer.y - place.top()) / ROW).round().max(0.0) as usize;
        let end = timeline.view.chosen.rows().len();
        let before = rows.get(above).map_or(end, |(number, _)| *number);
        timeline.view.dragged = Some(Dragged {
            row: number,
            before,
        });
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    if handle.drag_stopped()
        && let Some(dragged) = timeline.view.dragged.take()
    {
        timeline.view.chosen.move_row(dragged.row, dragged.before);
    }
}

/// Marks the place to which a line is dragged.
fn paint_target(ui: &Ui, timeline: &Timeline, rows: &[(usize, Row)], place: Rect) {
    let Some(dragged) = timeline.view.dragged else {
        return;
    };
    let index = rows
        .iter()
        .position(|(number, _)| *number == dragged.before);
    let y = place.top() + index.unwrap_or(rows.len()) as f32 * ROW;
    let stroke = Stroke::new(2.0, style::next_fill());
    ui.painter().hline(place.x_range(), y, stroke);
}

/// As much of the end of a name as fits: the end differs from other names most.
fn ending(painter: &egui::Painter, name: &str, room: f32) -> String {
    let fits = |text: &str| {
        let galley = painter.layout_no_wrap(text.to_owned(), font(), Color32::WHITE);
        galley.size().x <= room
    };
    if fits(name) {
        return name.to_owned();
    }
    let starts = name.char_indices().skip(1);
    let mut shorter = starts.map(|(start, _)| format!("…{}", &name[start..]));
    shorter.find(|text| fits(text)).unwrap_or_default()
}

fn font() -> FontId {
    FontId::new(11.5, FontFamily::Proportional)
}

/// The two parts of a line.
#[derive(Clone, Copy)]
struct LineParts {
    /// Where the name is, and the value.
    names: Rect,
    /// Where the waveform is.
    track: Rect,
}

/// Draws a signal: its name, its current value, its waveform. Returns true if it is to be
/// removed.
fn paint_track(
    ui: &mut Ui,
    timeline: &Timeline,
    place: usize,
    LineParts { names, track }: LineParts,
    is_hovered: bool,
) -> bool {
    let chosen = &timeline.view.chosen.tracks()[place];
    let (Some(waves), Some(wave)) = (timeline.view.waves(), timeline.view.wave(&chosen.name))
    else {
        return false;
    };
    let value = wave.at(timeline.now.0).map(ToString::to_string);
    let value = value.unwrap_or_default();
    let indent = match chosen.group {
        Some(_) => INDENT,
        None => 0.0,
    };
    let painter = ui.painter_at(names);
    let at = pos2(names.left() + 14.0 + indent, names.center().y);
    let colour = match is_hovered {
        true => style::text(),
        false => style::faint(),
    };
    // In a group, only the rest of the name is shown.
    let name = chosen.name.as_str();
    let name = match &chosen.group {
        Some(group) => name
            .strip_prefix(group.as_str())
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(name),
        None => name,
    };
    let value_room = 7.0 * value.trim().chars().count() as f32 + 6.0;
    let room = names.right() - at.x;
    // The value is left out if the name is too long, and the name is cut if it does not
    // fit.
    let name = ending(&painter, name, room);
    let drawn = painter.text(at, Align2::LEFT_CENTER, name, font(), colour);
    let at = pos2(names.right(), names.center().y);
    let words = value.trim();
    if drawn.right() + value_room < names.right() {
        painter.text(at, Align2::RIGHT_CENTER, words, font(), style::text());
    }
    let inside = ui.painter_at(track);
    let tint = chosen.tint.map(menu::colour);
    let look = WaveLook {
        axis: &timeline.view.axis,
        tint,
    };
    wave::paint(ui, &inside, wave, look, track, waves.until);
    cross(ui, names, ("leave out", place), &chosen.name)
}

/// Draws the head of a group: its name, and a line wherever one of its signals changes.
/// Returns true if the group is to be folded or unfolded.
fn paint_group(
    ui: &mut Ui,
    timeline: &Timeline,
    group: &str,
    LineParts { names, track }: LineParts,
) -> bool {
    let view = &timeline.view;
    let is_folded = view.chosen.is_folded(group);
    let own = view.chosen.tracks().iter();
    let own = own.filter(|track| track.group.as_deref() == Some(group));
    let waves: Vec<_> = own.filter_map(|track| view.wave(&track.name)).collect();
    let painter = ui.painter_at(names);
    let fold = Rect::from_center_size(
        pos2(names.left() + 18.0, names.center().y),
        vec2(12.0, 16.0),
    );
    let id = ui.id().with(("fold", group));
    let click = ui
        .interact(fold, id, Sense::click())
        .on_hover_cursor(CursorIcon::PointingHand);
    let corners = match is_folded {
        true => [(-2.5, -4.0), (3.5, 0.0), (-2.5, 4.0)],
        false => [(-4.0, -2.5), (4.0, -2.5), (0.0, 3.5)],
    };
    let corners = corners.map(|(right, down)| fold.center() + vec2(right, down));
    let arrow = egui::Shape::convex_polygon(corners.to_vec(), style::text(), Stroke::NONE);
    painter.add(arrow);
    let at = pos2(names.left() + 27.0, names.center().y);
    let count = format!(" ({})", waves.len());
    let text = ending(&painter, &format!("{group}{count}"), names.right() - at.x);
    painter.text(at, Align2::LEFT_CENTER, text, font(), style::text());
    let inside = ui.painter_at(track);
    let row = track.shrink2(vec2(0.0, 6.0));
    inside.hline(
        row.x_range(),
        row.center().y,
        Stroke::new(1.0, style::widget()),
    );
    if is_folded {
        paint_changes(&inside, view, &waves, row);
    }
    click.clicked()
}

/// Draws a line wherever one of these waveforms changes.
fn paint_changes(painter: &egui::Painter, view: &TimelineView, waves: &[&Waveform], row: Rect) {
    let [from, until] = view.axis.span();
    let mut last = f32::NEG_INFINITY;
    let mut changes: Vec<_> = waves
        .iter()
        .flat_map(|wave| {
            wave.within(from.max(0.0) as u64, until.max(0.0) as u64)
                .skip(1)
        })
        .map(|(tick, _)| tick)
        .collect();
    changes.sort_unstable();
    for tick in changes {
        let x = view.axis.x(tick as f64);
        // Changes at the same place are drawn once.
        if x - last >= 1.0 {
            painter.vline(x, row.y_range(), Stroke::new(1.0, style::accent()));
            last = x;
        }
    }
}

/// Draws the button that removes a line. Returns true if it was clicked.
fn cross(ui: &mut Ui, names: Rect, id: (&str, usize), name: &str) -> bool {
    let place =
        Rect::from_center_size(pos2(names.left() + 5.0, names.center().y), vec2(12.0, 12.0));
    let id = ui.id().with(id);
    let leave = ui
        .interact(place, id, Sense::click())
        .on_hover_text(format!("Leaves {name} out"));
    let colour: Color32 = match leave.hovered() {
        true => style::text(),
        false => style::edge(),
    };
    for (x, y) in [(-3.0, -3.0), (-3.0, 3.0)] {
        let arm = vec2(x, y);
        let ends = [place.center() - arm, place.center() + arm];
        ui.painter().line_segment(ends, Stroke::new(1.2, colour));
    }
    leave.clicked()
}
