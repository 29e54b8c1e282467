//! The controls above the tracks of the timeline.

use bevy_egui::egui::{self, Context, RichText, Ui, vec2};

use super::super::{Bench, style, system};
use super::{Direction, SignShape, finder, is_event, is_input, is_move, menu, tracks};
use crate::source::WindowCommand;

/// Height of the row of buttons.
const BUTTONS: f32 = 30.0;
/// In a pane narrower than this, the buttons for back and forward share one label.
const NARROW: f32 = 880.0;

/// Shows the pane of the timeline.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    ui.spacing_mut().item_spacing.y = 0.0;
    buttons(ui, bench);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| tracks::show(ui, bench));
}

/// Shows what is open over the window: the menu, or the list of signals or conditions.
pub fn show_over(context: &Context, bench: &mut Bench) {
    menu::show(context, bench);
    finder::show(context, bench);
}

/// A kind of sign that the user can go to: its name, and the test for it.
type Target = (&'static str, fn(&SignShape) -> bool);

/// Draws the buttons for moving in time and marking a moment, and for signals and
/// conditions.
fn buttons(ui: &mut Ui, bench: &mut Bench) {
    let targets: [Target; 3] = [("input", is_input), ("move", is_move), ("event", is_event)];
    let is_narrow = ui.available_width() < NARROW;
    // In a narrow pane, the buttons take a second row.
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(BUTTONS);
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        ui.spacing_mut().button_padding = vec2(7.0, 3.0);
        if is_narrow {
            run(ui, bench);
            for (name, is_meant) in targets {
                ui.spacing_mut().item_spacing.x = 1.0;
                go(ui, bench, "◀", name, (Direction::Back, is_meant));
                ui.label(RichText::new(name).small().color(style::faint()));
                go(ui, bench, "▶", name, (Direction::On, is_meant));
                ui.spacing_mut().item_spacing.x = 4.0;
            }
        } else {
            for (name, is_meant) in targets {
                let text = format!("◀ {name}");
                go(ui, bench, &text, name, (Direction::Back, is_meant));
            }
            run(ui, bench);
            for (name, is_meant) in targets.into_iter().rev() {
                let text = format!("{name} ▶");
                go(ui, bench, &text, name, (Direction::On, is_meant));
            }
        }
        ui.add_space(style::STEP * 0.5);
        mark(ui, bench);
        zoom(ui, bench);
        ui.add_space(style::STEP * 0.5);
        lists(ui, bench);
        system::save_signals_button(ui, bench);
        said(ui, bench);
    });
}

/// Draws a button that goes to the nearest sign of a kind.
fn go(
    ui: &mut Ui,
    bench: &mut Bench,
    text: &str,
    name: &str,
    (direction, is_meant): (Direction, fn(&SignShape) -> bool),
) {
    let target = bench.scope.nearest(bench.clock.0, direction, is_meant);
    let can = bench.shown.link.answers() && target.is_some();
    let words = match direction {
        Direction::Back => format!("To the {name} before this moment"),
        Direction::On => format!("To the next {name}"),
    };
    let button = ui.add_enabled(can, style::small(text)).on_hover_text(words);
    if let Some(tick) = target.filter(|_| button.clicked()) {
        bench.commands.write(WindowCommand::GoTo(tick));
        bench.scope.axis.show(tick);
    }
}

fn mark(ui: &mut Ui, bench: &mut Bench) {
    let mark = ui.add_enabled(bench.shown.link.answers(), style::small("Mark"));
    if mark
        .on_hover_text("Leaves a flag at this moment, which the session keeps")
        .clicked()
    {
        let number = bench.scope.marks.len() + 1;
        bench
            .commands
            .write(WindowCommand::Mark(format!("mark {number}")));
        bench.scope.asked_at = None;
    }
}

/// Draws the buttons for the visible part of the session.
fn zoom(ui: &mut Ui, bench: &mut Bench) {
    let is_whole = bench.scope.axis.is_whole();
    let whole = ui.add_enabled(!is_whole, style::small("Whole"));
    if whole
        .on_hover_text("Shows the whole session; the wheel zooms")
        .clicked()
    {
        bench.scope.axis.see_all();
    }
    let both = bench.scope.cursors.iter().all(Option::is_some);
    let between = ui.add_enabled(both, style::small("A–B"));
    let hint = "Shows what lies between the cursors: click a waveform for A, Shift click for B";
    if between
        .on_hover_text(hint)
        .on_disabled_hover_text(hint)
        .clicked()
    {
        bench.scope.see_cursors();
    }
}

/// Draws the buttons that open the lists of signals and of conditions.
fn lists(ui: &mut Ui, bench: &mut Bench) {
    if ui
        .add(style::small("Signals …"))
        .on_hover_text("Chooses what is drawn, from a list of all signals of the board")
        .clicked()
    {
        bench.scope.toggle_signals(bench.shown.contacts);
    }
    let on = bench.shown.stops.iter().filter(|stop| stop.is_on).count();
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
        bench.scope.toggle_stops(bench.shown.contacts);
    }
}

/// Draws the button that freezes time or lets it run.
fn run(ui: &mut Ui, bench: &mut Bench) {
    let pace = bench.shown.pace;
    let text = if pace.frozen { "▶ Run" } else { "⏸ Freeze" };
    let button = ui.add_enabled(
        bench.shown.link.answers(),
        style::small(text).min_size(vec2(70.0, 22.0)),
    );
    if button
        .on_hover_text("Lets board time run, or freezes it  f")
        .clicked()
    {
        bench.commands.write(WindowCommand::Pace(pace.toggled()));
    }
}

/// Draws where time stopped and why, or the distance between the cursors.
fn said(ui: &mut Ui, bench: &Bench) {
    let scope = &bench.scope;
    let (text, colour) = match (&bench.shown.stopped_at, scope.cursors) {
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
