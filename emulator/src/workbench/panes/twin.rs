//! The pane of the twin: the difference between board and twin. It shows both next to
//! each other at their first known difference, every field that differs, and the last
//! inputs before it.

use bevy::ecs::system::InMut;
use bevy::prelude::{MessageWriter, Res};
use bevy_egui::egui::{self, Grid, Label, RichText, ScrollArea, Sense, Ui, vec2};
use touchboard_host::divergence::NamedDifference;

use super::super::small_board::{self, SmallBoard};
use super::super::style;
use super::super::system::{self, Saving};
use super::inspected::{Inspected, PartedView};
use crate::source::{Agreement, Parted, Shown, WindowCommand};
use crate::theme::{ChosenPalette, Palette};

/// The largest pitch: the distance between two lights.
const PITCH: f32 = 20.0;
/// The smallest pitch.
const LEAST_PITCH: f32 = 5.0;
/// The gap between the two boards.
const GAP: f32 = 12.0;

/// Shows the pane of the twin.
pub(in crate::workbench) fn show(
    InMut(ui): InMut<Ui>,
    shown: Res<Shown>,
    inspected: Res<Inspected>,
    palette: Res<ChosenPalette>,
    saving: Saving,
    mut commands: MessageWriter<WindowCommand>,
) {
    let sentence = match &shown.twin {
        Agreement::Alone => {
            "There is one board, and nothing to compare it with. Connect to a board at the end \
             of a line, or replay a session: both are then followed step by step."
                .to_owned()
        }
        Agreement::Unknown => "Nothing was compared yet.".to_owned(),
        Agreement::Agrees { compared } => {
            format!("Board and twin agree: {compared} digests of the whole state were the same.")
        }
        Agreement::Differs(sentence) => sentence.clone(),
    };
    let colour = match &shown.twin {
        Agreement::Differs(_) => style::error(),
        _ => style::text(),
    };
    let text = style::words(ui, &sentence);
    ui.add(Label::new(RichText::new(text).color(colour)).wrap());
    let Some(difference) = inspected.parted() else {
        return;
    };
    let PartedView { parted, .. } = &*difference;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        boards(ui, palette.0, parted);
        ui.horizontal(|ui| {
            let there = ui
                .button("Go there")
                .on_hover_text("Goes back to the first difference");
            if there.clicked() {
                commands.write(WindowCommand::GoTo(parted.tick));
            }
            system::shrink_button(ui, &saving, &mut commands);
        });
        differences(ui, &difference);
    });
}

/// Lists the fields that differ, and what was done just before.
fn differences(ui: &mut Ui, PartedView { fields, done, .. }: &PartedView) {
    let count = match fields.len() {
        1 => "One field differs".to_owned(),
        count => format!("{count} fields differ"),
    };
    style::note(ui, &count);
    Grid::new("fields that differ")
        .num_columns(3)
        .striped(true)
        .show(ui, |ui| {
            for title in ["field", "Twin", "board"] {
                ui.label(style::title(title));
            }
            ui.end_row();
            for NamedDifference { field, twin, board } in fields {
                ui.label(RichText::new(field).small());
                ui.label(RichText::new(twin).small().color(style::accent()));
                ui.label(RichText::new(board).small().color(style::warning()));
                ui.end_row();
            }
        });
    style::note(ui, "Done just before");
    for line in done {
        ui.label(RichText::new(line).small());
    }
}

/// Draws both boards, with a ring around each light that differs.
fn boards(ui: &mut Ui, palette: Palette, parted: &Parted) {
    let layout = parted.twin.layout();
    let size = small_board::size(layout);
    let pitch = ((ui.available_width() - GAP) / (2.0 * size.x)).clamp(LEAST_PITCH, PITCH);
    let room = vec2(2.0 * size.x * pitch + GAP, size.y * pitch + 18.0);
    let (place, _) = ui.allocate_exact_size(room, Sense::hover());
    let [twin, board] = [parted.twin.frame(), parted.board.frame()];
    let both = [("Twin", twin, board), ("board", board, twin)];
    for (number, (name, frame, other)) in both.into_iter().enumerate() {
        let corner = place.min + vec2(number as f32 * (size.x * pitch + GAP), 18.0);
        let board = SmallBoard {
            layout,
            frame,
            other,
            tick: parted.board.tick(),
            palette,
        };
        board.paint(ui.painter(), corner, pitch);
        ui.painter().text(
            corner - vec2(0.0, 16.0),
            egui::Align2::LEFT_TOP,
            name,
            egui::TextStyle::Small.resolve(ui.style()),
            style::faint(),
        );
    }
}
