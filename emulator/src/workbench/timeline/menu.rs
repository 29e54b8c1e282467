//! The menu of a signal in the timeline, or of a group of signals, which opens at its
//! name.

use bevy_egui::egui::{
    self, Align2, Color32, Context, DragValue, Id, Key, Pos2, RichText, Sense, Stroke, StrokeKind,
    Ui, vec2,
};
use protocol::Tick;
use touchboard_host::signals::{SignalValue, Waveform};

use super::super::style;
use super::finder::{self, Finder};
use super::track_list::TrackColour;
use super::{Direction, Timeline};
use crate::source::WindowCommand;

/// Width of the menu.
const WIDTH: f32 = 196.0;
/// The default limit for pulses that are too short to be intended.
const SHORT_MS: Tick = 20;
/// The default limit for pulses that are too long for a tap.
const LONG_MS: Tick = 900;

/// The owner of the menu: a signal or a group, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MenuTarget {
    Track(String),
    Group(String),
}

/// The open menu.
pub struct Menu {
    pub of: MenuTarget,
    at: Pos2,
    /// True until the click that opened it has been handled: it is outside the menu, but
    /// must not close it.
    is_new: bool,
    /// The limits of a pulse in the fields, in ms.
    longer_ms: Tick,
    shorter_ms: Tick,
}

impl Menu {
    pub fn new(of: MenuTarget, at: Pos2) -> Menu {
        Menu {
            of,
            at,
            is_new: true,
            longer_ms: LONG_MS,
            shorter_ms: SHORT_MS,
        }
    }
}

/// Shows the menu, if it is open.
pub fn show(context: &Context, timeline: &mut Timeline) {
    let Some(mut menu) = timeline.view.menu.take() else {
        return;
    };
    let whole = context.viewport_rect();
    let frame = egui::Frame::new()
        .fill(style::card_fill())
        .stroke(Stroke::new(1.0, style::widget_hovered()))
        .corner_radius(8)
        .inner_margin(8);
    let area = egui::Area::new(Id::new("signal menu"))
        .order(egui::Order::Foreground)
        .fade_in(false)
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(menu.at)
        .constrain_to(whole);
    let shown = area.show(context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(WIDTH);
            ui.spacing_mut().item_spacing.y = 2.0;
            match menu.of.clone() {
                MenuTarget::Track(name) => of_track(ui, &name, &mut menu, timeline),
                MenuTarget::Group(name) => of_group(ui, &name, timeline),
            }
        })
    });
    let is_left = context.input(|input| {
        let pressed = input.pointer.any_pressed();
        let place = input.pointer.interact_pos();
        let is_beside = place.is_some_and(|at| !shown.response.rect.contains(at));
        pressed && is_beside || input.key_pressed(Key::Escape)
    });
    let is_done = shown.inner.inner;
    let is_left = is_left && !std::mem::take(&mut menu.is_new);
    if !is_done && !is_left && timeline.view.finder.is_none() {
        timeline.view.menu = Some(menu);
    }
}

/// Draws a line of a menu. Returns true if it was chosen.
fn item(ui: &mut Ui, text: &str) -> bool {
    let button = egui::Button::new(text)
        .frame(false)
        .min_size(vec2(WIDTH, 20.0));
    let shown = ui.scope(|ui| {
        ui.spacing_mut().button_padding = vec2(4.0, 1.0);
        ui.with_layout(egui::Layout::top_down_justified(egui::Align::Min), |ui| {
            ui.add(button)
        })
        .inner
    });
    shown.inner.clicked()
}

fn head(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(style::faint()));
}

/// Draws the menu of a signal. Returns true once something was chosen.
fn of_track(ui: &mut Ui, name: &str, menu: &mut Menu, timeline: &mut Timeline) -> bool {
    ui.label(RichText::new(name).color(style::strong()));
    if let Some(words) = timeline.view.measured(name) {
        ui.add(egui::Label::new(RichText::new(words).small()).wrap());
    }
    if go_to_change(ui, name, timeline) {
        return true;
    }
    let is_of_line = |wave: &Waveform| wave.signal.is_of_line();
    // No condition asks for what the board does not know.
    if !timeline.view.wave(name).is_some_and(is_of_line) {
        head(ui, "Freeze time when it");
        if stops(ui, name, menu, timeline) {
            return true;
        }
    }
    head(ui, "Colour");
    if colours(ui, name, timeline) {
        return true;
    }
    let chosen = &mut timeline.view.chosen;
    let has_group = chosen
        .tracks()
        .iter()
        .any(|track| track.name == name && track.group.is_some());
    let is_first = chosen.names().next() == Some(name);
    ui.separator();
    if !is_first && !has_group && item(ui, "Group with the one above") {
        chosen.group_with_above(name);
        return true;
    }
    if has_group && item(ui, "Take out of its group") {
        chosen.leave_group(name);
        return true;
    }
    if item(ui, "Leave out") {
        chosen.remove(name);
        return true;
    }
    false
}

/// Draws the buttons that go to the signal's change before this moment or after it. Returns
/// true once one was chosen.
fn go_to_change(ui: &mut Ui, name: &str, timeline: &mut Timeline) -> bool {
    let mut target = None;
    ui.horizontal(|ui| {
        for (text, direction) in [("◀ change", Direction::Back), ("change ▶", Direction::On)] {
            let tick = timeline.view.change(name, timeline.now.0, direction);
            let can = timeline.shown.link.answers() && tick.is_some();
            if style::add_enabled(ui, can, style::small(text)).clicked() {
                target = tick;
            }
        }
    });
    let Some(tick) = target else {
        return false;
    };
    timeline.commands.write(WindowCommand::GoTo(tick));
    timeline.view.axis.show(tick);
    true
}

/// Draws the stop conditions that a signal offers. Returns true once one was chosen.
fn stops(ui: &mut Ui, name: &str, menu: &mut Menu, timeline: &mut Timeline) -> bool {
    let is_bit = timeline
        .view
        .wave(name)
        .and_then(|wave| wave.changes.last())
        .is_some_and(|(_, value)| matches!(value, SignalValue::Bit(_)));
    let mut stop = None;
    for word in ["changes", "rises", "falls"] {
        if (is_bit || word == "changes") && item(ui, word) {
            stop = Some(format!("{name} {word}"));
        }
    }
    if is_bit {
        let mut width = |ui: &mut Ui, words: &str, ms: &mut Tick, text: &str| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                let set = ui.add(egui::Button::new(words).frame(false)).clicked();
                let value = DragValue::new(ms).range(2..=3_600_000_u64).suffix(" ms");
                ui.add(value);
                if set {
                    stop = Some(format!("{name} for {text}{ms}"));
                }
            });
        };
        width(ui, "is a pulse longer than", &mut menu.longer_ms, "");
        width(ui, "is a pulse shorter than", &mut menu.shorter_ms, "< ");
    } else if item(ui, "has a value …") {
        let names = timeline.view.names(timeline.shown.hardware.contacts);
        timeline.view.finder = Some(Finder::stop(names, format!("{name} ")));
        return true;
    }
    let Some(text) = stop else {
        return false;
    };
    // The signal is drawn, so the board has it.
    let _ = finder::add_stop(timeline, &text);
    true
}

/// Draws the choice of a colour. Returns true once one was chosen.
fn colours(ui: &mut Ui, name: &str, timeline: &mut Timeline) -> bool {
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let all = std::iter::once(None).chain(TrackColour::ALL.map(Some));
        for tint in all {
            let (rect, response) = ui.allocate_exact_size(vec2(22.0, 18.0), Sense::click());
            let fill = tint.map_or(style::accent(), colour);
            ui.painter().rect_filled(rect.shrink(2.0), 3, fill);
            if response.hovered() {
                let stroke = Stroke::new(1.5, style::strong());
                ui.painter()
                    .rect_stroke(rect, 4, stroke, StrokeKind::Inside);
            }
            let words = tint.map_or("as usual", TrackColour::name);
            if response.on_hover_text(words).clicked() {
                chosen = Some(tint);
            }
        }
    });
    if let Some(tint) = chosen {
        timeline.view.chosen.tint(name, tint);
    }
    chosen.is_some()
}

/// Draws the menu of a group. Returns true once something was chosen.
fn of_group(ui: &mut Ui, name: &str, timeline: &mut Timeline) -> bool {
    ui.label(RichText::new(name).color(style::strong()));
    let chosen = &mut timeline.view.chosen;
    let fold = match chosen.is_folded(name) {
        true => "Unfold",
        false => "Fold",
    };
    if item(ui, fold) {
        chosen.fold(name);
    } else if item(ui, "Ungroup") {
        chosen.ungroup(name);
    } else if item(ui, "Leave all of it out") {
        chosen.remove_group(name);
    } else {
        return false;
    }
    true
}

/// The colour of a tint.
pub fn colour(tint: TrackColour) -> Color32 {
    match tint {
        TrackColour::Yellow => Color32::from_rgb(0xD8, 0xB8, 0x3C),
        TrackColour::Orange => Color32::from_rgb(0xDD, 0x86, 0x3A),
        TrackColour::Pink => Color32::from_rgb(0xD9, 0x6B, 0x9F),
        TrackColour::Violet => Color32::from_rgb(0x9C, 0x80, 0xE0),
        TrackColour::Cyan => Color32::from_rgb(0x3F, 0xB4, 0xC4),
        TrackColour::Grey => Color32::from_rgb(0x96, 0x9A, 0xA0),
    }
}
