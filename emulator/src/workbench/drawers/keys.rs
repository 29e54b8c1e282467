//! The drawer over the board with all keys of the window and the functions of the mouse.

use bevy::prelude::{In, Res, ResMut};
use bevy_egui::egui::{
    self, Align2, CursorIcon, Label, RichText, ScrollArea, Sense, TextStyle, Ui, Window,
};

use crate::keys::{Group, KeyBinding, TABLE};
use crate::source::Shown;
use crate::workbench::parts::OverBoard;
use crate::workbench::style::{self, STEP};
use crate::workbench::{Drawer, KeysDrawer, reading};

/// The minimum width of a column of the list.
const LEAST_COLUMN: f32 = 272.0;
/// The width of a column where there is room: the longest words need one line.
const COLUMN: f32 = 330.0;
/// The gap between two columns.
const BETWEEN: f32 = 3.0 * STEP;
/// The width of the keys.
const CAPS: f32 = 88.0;
/// The distance between the list and the edge of the drawer, at the left and the right.
const SIDE: i8 = 16;
/// The distance between the drawer and the edge of the area below it.
const MARGIN: f32 = 28.0;
/// The height of the heading, with the frame.
const HEADING: f32 = 70.0;

/// Shows the list, if it is open, in the middle of the board's part of the window.
pub fn show(
    In(OverBoard { context, part }): In<OverBoard>,
    shown: Res<Shown>,
    mut drawer: ResMut<KeysDrawer>,
) {
    if !drawer.is_open() {
        return;
    }
    let waits = reading::waits(&shown);
    let size = part.size() - egui::Vec2::splat(MARGIN);
    let sides = 2.0 * f32::from(SIDE);
    let columns = if size.x >= 2.0 * LEAST_COLUMN + BETWEEN + sides {
        2
    } else {
        1
    };
    let between = (columns - 1) as f32 * BETWEEN;
    let column = ((size.x - sides - between) / columns as f32).clamp(LEAST_COLUMN, COLUMN);
    let aside = part.center() - context.content_rect().center();
    let frame = style::popup_frame(style::card_fill(), egui::Margin::symmetric(SIDE, 12));
    Window::new("keys")
        .title_bar(false)
        .resizable(false)
        .movable(false)
        .anchor(Align2::CENTER_CENTER, aside)
        .frame(frame)
        .show(&context, |ui| {
            ui.set_width(columns as f32 * column + between);
            if heading(ui, waits) {
                **drawer = Drawer::Closed;
            }
            ScrollArea::vertical()
                .max_height(size.y - HEADING)
                // The window begins lower than it may be.
                .min_scrolled_height(size.y - HEADING)
                .show(ui, |ui| list(ui, columns, column));
        });
}

/// Draws the heading. Returns true if the list is to be closed.
fn heading(ui: &mut Ui, waits: bool) -> bool {
    let mut is_over = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Keys").heading().color(style::strong()));
        if waits {
            ui.label(RichText::new(reading::WAITS).small().color(style::faint()));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let text = RichText::new("close  Escape").small().color(style::faint());
            let label = ui.add(Label::new(text).sense(Sense::click()));
            is_over = label.on_hover_cursor(CursorIcon::PointingHand).clicked();
        });
    });
    is_over
}

/// Draws the groups one after the other, in columns of this width and about the same
/// length.
fn list(ui: &mut Ui, columns: usize, width: f32) {
    let length = |groups: &[Group]| {
        groups
            .iter()
            .map(|group| group.lines.len() + 1)
            .sum::<usize>()
    };
    let longer = |count: &usize| {
        let (first, second) = TABLE.split_at(*count);
        length(first).max(length(second))
    };
    let half = (0..=TABLE.len()).min_by_key(longer);
    let (first, second) = match columns {
        1 => (TABLE, &TABLE[..0]),
        _ => TABLE.split_at(half.unwrap_or(TABLE.len())),
    };
    ui.horizontal_top(|ui| {
        for groups in [first, second]
            .into_iter()
            .filter(|groups| !groups.is_empty())
        {
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing.y = 5.0;
                groups.iter().for_each(|group| show_group(ui, group, width));
            });
            ui.add_space(STEP);
        }
    });
}

fn show_group(ui: &mut Ui, group: &Group, width: f32) {
    ui.add_space(STEP * 0.5);
    ui.label(RichText::new(group.title).small().color(style::faint()));
    for line in group.lines {
        show_line(ui, line, width);
    }
}

fn show_line(ui: &mut Ui, line: &KeyBinding, width: f32) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = STEP;
        let height = ui.text_style_height(&TextStyle::Small);
        ui.allocate_ui(egui::vec2(CAPS, height), |ui| {
            ui.set_width(CAPS);
            ui.label(RichText::new(line.caps).small().color(style::accent()));
        });
        ui.vertical(|ui| {
            ui.set_width(width - CAPS - STEP);
            ui.add(Label::new(RichText::new(line.words).small()).wrap());
        });
    });
}
