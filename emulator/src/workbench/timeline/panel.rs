//! The controls above the tracks of the timeline.

use bevy::ecs::system::InMut;
use bevy::prelude::In;
use bevy_egui::egui::{self, Context, RichText, Ui, vec2};

use super::super::parts::DrawnSpan;
use super::super::style;
use super::super::system::{self, Saving};
use super::{
    Direction, Sign, SignShape, Timeline, finder, is_event, is_input, is_move, menu, tracks,
};
use crate::source::WindowCommand;

/// Height of the row of buttons.
const BUTTONS: f32 = 30.0;
/// In a pane narrower than this, the buttons for back and forward share one label.
const NARROW: f32 = 880.0;

/// Shows the pane of the timeline.
pub fn show(InMut(ui): InMut<Ui>, mut timeline: Timeline, mut saving: Saving) {
    ui.spacing_mut().item_spacing.y = 0.0;
    buttons(ui, &mut timeline, &mut saving);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| tracks::show(ui, &mut timeline));
}

/// Shows what is open over the window: the menu, or the list of signals or conditions.
pub fn show_over(In(context): In<Context>, mut timeline: Timeline) {
    menu::show(&context, &mut timeline);
    finder::show(&context, &mut timeline);
}

/// A kind of sign that the user can go to: its name, and the test for it.
type Target = (&'static str, fn(&SignShape) -> bool);

/// Draws the buttons for moving in time and marking a moment, and for signals and
/// conditions.
fn buttons(ui: &mut Ui, timeline: &mut Timeline, saving: &mut Saving) {
    let targets: [Target; 3] = [("input", is_input), ("move", is_move), ("event", is_event)];
    let is_narrow = ui.available_width() < NARROW;
    // In a narrow pane, the buttons take a second row.
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(BUTTONS);
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        ui.spacing_mut().button_padding = vec2(7.0, 3.0);
        if is_narrow {
            run(ui, timeline);
            for (name, is_meant) in targets {
                ui.spacing_mut().item_spacing.x = 1.0;
                go(ui, timeline, "◀", name, (Direction::Back, is_meant));
                ui.label(RichText::new(name).small().color(style::faint()));
                go(ui, timeline, "▶", name, (Direction::On, is_meant));
                ui.spacing_mut().item_spacing.x = 4.0;
            }
        } else {
            for (name, is_meant) in targets {
                let text = format!("◀ {name}");
                go(ui, timeline, &text, name, (Direction::Back, is_meant));
            }
            run(ui, timeline);
            for (name, is_meant) in targets.into_iter().rev() {
                let text = format!("{name} ▶");
                go(ui, timeline, &text, name, (Direction::On, is_meant));
            }
        }
        ui.add_space(style::STEP * 0.5);
        mark(ui, timeline);
        zoom(ui, timeline);
        ui.add_space(style::STEP * 0.5);
        lists(ui, timeline);
        let drawn = DrawnSpan {
            signals: timeline.view.drawn(),
            now: timeline.now.0,
            cursors: timeline.view.between_cursors(),
        };
        system::save_timeline_button(ui, saving, drawn, &timeline.shown);
        stop_or_distance(ui, timeline);
    });
}

/// Draws a button that goes to the nearest sign of a kind.
fn go(
    ui: &mut Ui,
    timeline: &mut Timeline,
    text: &str,
    name: &str,
    (direction, is_meant): (Direction, fn(&SignShape) -> bool),
) {
    let target = timeline.view.nearest(timeline.now.0, direction, is_meant);
    let can = timeline.shown.link.answers() && target.is_some();
    let words = match direction {
        Direction::Back => format!("To the {name} before this moment"),
        Direction::On => format!("To the next {name}"),
    };
    let button = style::add_enabled(ui, can, style::small(text)).on_hover_text(words);
    if let Some(tick) = target.filter(|_| button.clicked()) {
        timeline.commands.write(WindowCommand::GoTo(tick));
        timeline.view.axis.show(tick);
    }
}

fn mark(ui: &mut Ui, timeline: &mut Timeline) {
    let mark = style::add_enabled(ui, timeline.shown.link.answers(), style::small("Mark"));
    if mark
        .on_hover_text("Leaves a flag at this moment, which the session keeps")
        .clicked()
    {
        let is_flag = |sign: &&Sign| sign.look == SignShape::Flag;
        let number = timeline.view.entries.iter().filter(is_flag).count() + 1;
        timeline
            .commands
            .write(WindowCommand::Mark(format!("mark {number}")));
        timeline.view.asked_at = None;
    }
}

/// Draws the buttons for the visible part of the session.
fn zoom(ui: &mut Ui, timeline: &mut Timeline) {
    let is_whole = timeline.view.axis.is_whole();
    let whole = style::add_enabled(ui, !is_whole, style::small("Whole"));
    if whole
        .on_hover_text("Shows the whole session; the wheel zooms")
        .clicked()
    {
        timeline.view.axis.see_all();
    }
    let both = timeline.view.cursors.iter().all(Option::is_some);
    let between = style::add_enabled(ui, both, style::small("A–B"));
    let hint = "Shows what lies between the cursors: click a waveform for A, Shift click for B";
    if between
        .on_hover_text(hint)
        .on_disabled_hover_text(hint)
        .clicked()
    {
        timeline.view.see_cursors();
    }
}

/// Draws the buttons that open the lists of signals and of conditions.
fn lists(ui: &mut Ui, timeline: &mut Timeline) {
    if ui
        .add(style::small("Signals …"))
        .on_hover_text("Chooses what is drawn, from a list of all signals of the board")
        .clicked()
    {
        timeline.toggle_signals();
    }
    let on = timeline
        .shown
        .stops
        .all
        .iter()
        .filter(|stop| stop.is_on)
        .count();
    let text = match on {
        0 => "Stop when …".to_owned(),
        on => format!("Stop when … ({on})"),
    };
    let text = RichText::new(text).small().color(match on {
        0 => style::text(),
        _ => style::warning(),
    });
    let stops = egui::Button::new(text).min_size(vec2(0.0, 22.0));
    let hint = "Freezes time when a condition comes true: turn = red, event.illegal, \
                score.green >= 10, lit.d4 rises, button.start for 900, point.d4 for < 20";
    if ui.add(stops).on_hover_text(hint).clicked() {
        timeline.toggle_stops();
    }
}

/// Draws the button that freezes time or lets it run.
fn run(ui: &mut Ui, timeline: &mut Timeline) {
    let pace = timeline.shown.pace;
    let text = if pace.frozen { "▶ Run" } else { "⏸ Freeze" };
    let button = style::add_enabled(
        ui,
        timeline.shown.link.answers(),
        style::small(text).min_size(vec2(70.0, 22.0)),
    );
    if button
        .on_hover_text("Lets board time run, or freezes it  f")
        .clicked()
    {
        timeline.commands.write(WindowCommand::Pace(pace.toggled()));
    }
}

/// Draws where time stopped and why, or the distance between the cursors.
fn stop_or_distance(ui: &mut Ui, timeline: &Timeline) {
    let view = &timeline.view;
    let (text, colour) = match (&timeline.shown.stops.reached, view.cursors) {
        (Some(stopped), _) => (
            format!(
                "stopped at {} s: {}",
                style::seconds(stopped.tick),
                stopped.why()
            ),
            style::warning(),
        ),
        (None, [Some(one), Some(other)]) => {
            let between = style::seconds(one.abs_diff(other));
            (format!("A to B: {between} s"), style::text())
        }
        (None, [Some(one), None]) => (
            format!("A at {} s; Shift click sets B", style::seconds(one)),
            style::faint(),
        ),
        _ => return,
    };
    let label = egui::Label::new(RichText::new(&text).small().color(colour)).truncate();
    ui.add(label).on_hover_text(text);
}
