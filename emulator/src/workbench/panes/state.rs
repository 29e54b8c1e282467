//! The pane of the state: the fields of the board's state as a tree, named as in the
//! source, with the changes of the last step. The current of the lights is shown above.
//!
//! `referee.turn_time_ms` is a field; typing `time` finds the fields whose paths have
//! that in them. A click on a field draws it as a waveform in the timeline.

use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::*;
use bevy_egui::egui::{
    self, Align, CollapsingHeader, CursorIcon, Label, Layout, RichText, ScrollArea, Sense,
    TextEdit, Ui,
};
use touchboard_host::pins::LightPower;
use touchboard_host::state_fields::{StateField, StatePart};

use super::super::dock::{Dock, Pane};
use super::super::style;
use super::super::timeline::TimelineView;
use super::inspected::Inspected;
use crate::source::{BoardTime, Shown};

/// The search text for the fields.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSearch(String);

impl StateSearch {
    /// A search for this text.
    #[must_use]
    pub fn of(text: &str) -> StateSearch {
        StateSearch(text.to_owned())
    }
}

/// What the pane shows and changes.
#[derive(SystemParam)]
pub struct StatePane<'w> {
    shown: Res<'w, Shown>,
    now: Res<'w, BoardTime>,
    inspected: Res<'w, Inspected>,
    search: ResMut<'w, StateSearch>,
    timeline: ResMut<'w, TimelineView>,
    dock: ResMut<'w, Dock>,
}

/// Shows the pane of the state.
pub(in crate::workbench) fn show(InMut(ui): InMut<Ui>, mut pane: StatePane) {
    power(ui, &pane.shown, *pane.now);
    memory(ui, &pane.inspected, &pane.shown);
    let field = TextEdit::singleline(&mut pane.search.0)
        .hint_text("find a field: turn_time, panel, changed")
        .desired_width(f32::INFINITY);
    ui.add(field);
    let inspected = &*pane.inspected;
    if inspected.board().is_none() {
        style::note(ui, "The board's state is not known yet.");
        return;
    }
    let search = pane.search.0.trim().to_lowercase();
    let mut fields: Vec<&StateField> = inspected
        .fields()
        .iter()
        .filter(|field| is_wanted(field, &search, inspected))
        .collect();
    fields.sort_by_key(|field| place_of(field));
    if fields.is_empty() {
        let words = match search.as_str() {
            "changed" => "The last step changed nothing.",
            _ => "No field has that in its path.",
        };
        style::note(ui, words);
    }
    let mut chosen = None;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        // Values end next to the scroll bar, not under it.
        ui.set_max_width(ui.available_width() - style::STEP);
        let tree = Tree {
            inspected,
            opens: !search.is_empty(),
        };
        tree.show(ui, &fields, 0, &mut chosen);
    });
    if let Some(path) = chosen {
        pane.dock.open(Pane::Timeline);
        pane.timeline.add(&format!("state.{path}"));
    }
}

/// The order of a field: the game first, then the panel; fields that never change
/// come last.
fn place_of(field: &StateField) -> usize {
    let first = field.path.split('.').next().unwrap_or_default();
    let order = ["referee", "panel", "fingers", "beeper", "tick"];
    let last = ["rng", "seed", "roster", "layout"];
    let in_order = order.iter().position(|name| *name == first);
    let at_the_end = last.iter().position(|name| *name == first);
    in_order.unwrap_or(order.len() + at_the_end.map_or(0, |place| place + 1))
}

/// True for a field that matches the search.
fn is_wanted(field: &StateField, search: &str, inspected: &Inspected) -> bool {
    match search {
        "" => true,
        "changed" => inspected.before(&field.path).is_some(),
        search => field.path.to_lowercase().contains(search),
    }
}

/// Draws the current that the lights of a board of this layout take from the supply.
fn power(ui: &mut Ui, shown: &Shown, now: BoardTime) {
    let tick = now.0.saturating_sub(shown.past.later_ms);
    let power = LightPower::of(shown.layout, &shown.frame, tick);
    let is_dimmed = power.brightness_percent < 100.0;
    let share = (power.taken_ma / power.limit_ma) as f32;
    let text = match is_dimmed {
        true => format!(
            "{:.0} of {:.0} mA, dimmed to {:.0} % ({:.0} mA wanted)",
            power.taken_ma, power.limit_ma, power.brightness_percent, power.wanted_ma
        ),
        false => format!("{:.0} of {:.0} mA", power.taken_ma, power.limit_ma),
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new("Lights").color(style::faint()));
        let bar = egui::ProgressBar::new(share.clamp(0.0, 1.0))
            .desired_width(54.0)
            .desired_height(6.0)
            .fill(if is_dimmed {
                style::warning()
            } else {
                style::accent()
            });
        ui.add(bar);
        ui.add(Label::new(RichText::new(text).small()).truncate())
            .on_hover_text(
                "What this picture takes from a USB port on the board of the guide: WS2812 at \
                 20 mA a channel, 1 mA when dark, 100 mA for the rest",
            );
    });
}

/// Draws the memory that the state takes, and that of the board's image if it is known.
fn memory(ui: &mut Ui, inspected: &Inspected, shown: &Shown) {
    let parts = inspected.parts();
    let all: usize = parts.iter().map(|part| part.bytes).sum();
    let largest_first = {
        let mut parts: Vec<_> = parts.iter().filter(|part| part.bytes > 0).collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
        let each = parts
            .iter()
            .map(|StatePart { name, bytes }| format!("{name} {bytes}"));
        each.collect::<Vec<_>>().join(", ")
    };
    if all > 0 {
        let text = format!("{all} bytes: {largest_first}");
        fact(
            ui,
            "Snapshot",
            &text,
            "What the state takes in a snapshot, part by part",
        );
    }
    let kilobytes = |[taken, there]: [u64; 2]| format!("{} of {} KB", kb(taken), kb(there));
    let (text, hint) = match shown.hardware.memory {
        Some(memory) => {
            let [taken, there] = memory.ram_bytes;
            let stack = kb(there.saturating_sub(taken));
            let flash = kilobytes(memory.flash_bytes);
            let ram = kilobytes(memory.ram_bytes);
            let text = format!("flash {flash}, RAM {ram}, {stack} KB for the stack");
            (text, OF_IMAGE)
        }
        None => (
            "flash, stack and instructions are not known".to_owned(),
            NOT_TOLD,
        ),
    };
    fact(ui, "Chip", &text, hint);
}

/// The source of the figures about an image, and what they leave out.
const OF_IMAGE: &str = "As `cargo xtask firmware` measured the image. No chip reports its stack depth or the instructions of a tick while it runs: `cargo xtask instructions` measures the longest tick of every game";

/// The reason if nothing is known about an image.
const NOT_TOLD: &str = "They are only known for an image that was built here: --at qemu, --at pico";

fn kb(bytes: u64) -> u64 {
    bytes.div_ceil(1_024)
}

/// Draws a line with a name and its value.
fn fact(ui: &mut Ui, name: &str, text: &str, hint: &str) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(name).color(style::faint()));
        ui.add(Label::new(RichText::new(text).small()).wrap())
            .on_hover_text(hint);
    });
}

struct Tree<'a> {
    inspected: &'a Inspected,
    /// True if all branches are to be open.
    opens: bool,
}

impl Tree<'_> {
    /// Draws fields whose paths are the same up to this depth, with a branch for each
    /// name that follows.
    fn show(&self, ui: &mut Ui, fields: &[&StateField], depth: usize, chosen: &mut Option<String>) {
        let name = |field: &&StateField| {
            field
                .path
                .split('.')
                .nth(depth)
                .unwrap_or_default()
                .to_owned()
        };
        for group in fields.chunk_by(|one, other| name(one) == name(other)) {
            let Some(first) = group.first() else { continue };
            let is_leaf = group.len() == 1 && first.path.split('.').count() == depth + 1;
            match is_leaf {
                true => self.field(ui, &name(first), first, chosen),
                false => self.branch(ui, &name(first), group, depth, chosen),
            }
        }
    }

    fn branch(
        &self,
        ui: &mut Ui,
        name: &str,
        group: &[&StateField],
        depth: usize,
        chosen: &mut Option<String>,
    ) {
        let changed = group
            .iter()
            .filter(|field| self.inspected.before(&field.path).is_some());
        let changed = changed.count();
        let colour = if changed > 0 {
            style::warning()
        } else {
            style::text()
        };
        let title = match changed {
            0 => RichText::new(name),
            changed => RichText::new(format!("{name}   {changed} changed")),
        };
        let place = group[0].path.split('.').take(depth + 1);
        let place = place.collect::<Vec<_>>().join(".");
        // Only `referee` and `panel` are open at first: users look for these, and the
        // rest is long.
        let header = CollapsingHeader::new(title.small().color(colour))
            .id_salt(place)
            .default_open(depth == 0 && ["referee", "panel"].contains(&name))
            .open(self.opens.then_some(true));
        header.show(ui, |ui| self.show(ui, group, depth + 1, chosen));
    }

    fn field(&self, ui: &mut Ui, name: &str, field: &StateField, chosen: &mut Option<String>) {
        let before = self.inspected.before(&field.path);
        ui.horizontal(|ui| {
            let name = RichText::new(name).small().color(style::faint());
            let label = ui.add(Label::new(name).sense(Sense::click()));
            let label = label.on_hover_cursor(CursorIcon::PointingHand);
            if label
                .on_hover_text(format!("{}: click to draw it", field.path))
                .clicked()
            {
                *chosen = Some(field.path.clone());
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let colour = if before.is_some() {
                    style::warning()
                } else {
                    style::strong()
                };
                let value = RichText::new(&field.value).small().color(colour);
                let value = ui.add(Label::new(value).truncate());
                match before {
                    Some(before) => value.on_hover_text(format!("was {before}")),
                    None => value.on_hover_text(&field.value),
                };
            });
        });
    }
}
