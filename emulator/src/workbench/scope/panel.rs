//! The controls above the tracks of the timeline.

use bevy_egui::egui::{self, FontFamily, FontId, Key, Response, RichText, TextEdit, Ui, vec2};
use touchboard_host::signals::{SignalCondition, select};

use super::super::{Bench, style};
use super::{Direction, Look, is_event, is_input, is_move, tracks};
use crate::source::WindowCommand;

/// Height of the row of buttons.
const BUTTONS: f32 = 34.0;

/// The contents of its text fields, and what is wrong with them.
#[derive(Default)]
pub struct Typed {
    signal: String,
    condition: String,
    wrong: Option<String>,
}

/// Shows the pane.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    ui.spacing_mut().item_spacing.y = 0.0;
    buttons(ui, bench);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| tracks::show(ui, bench));
}

/// Buttons for moving in time and marking a moment, and the fields.
fn buttons(ui: &mut Ui, bench: &mut Bench) {
    // In a narrow pane they take a second row.
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(BUTTONS);
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        ui.spacing_mut().button_padding = vec2(7.0, 3.0);
        let now = bench.clock.0;
        let answers = bench.shown.link.answers();
        let steps: [(&str, &str, Direction, fn(&Look) -> bool); 6] = [
            (
                "◀ input",
                "To the input before this moment",
                Direction::Back,
                is_input,
            ),
            (
                "◀ move",
                "To the move before this moment",
                Direction::Back,
                is_move,
            ),
            (
                "◀ event",
                "To what happened before this moment",
                Direction::Back,
                is_event,
            ),
            ("event ▶", "To what happens next", Direction::On, is_event),
            ("move ▶", "To the next move", Direction::On, is_move),
            ("input ▶", "To the next input", Direction::On, is_input),
        ];
        for (index, (text, words, direction, is_meant)) in steps.into_iter().enumerate() {
            if index == 3 {
                run(ui, bench);
            }
            let target = bench.scope.nearest(now, direction, is_meant);
            let button = ui.add_enabled(answers && target.is_some(), small(text));
            if let Some(tick) = target.filter(|_| button.on_hover_text(words).clicked()) {
                bench.commands.write(WindowCommand::GoTo(tick));
                bench.scope.axis.show(tick);
            }
        }
        ui.add_space(style::STEP);
        let mark = ui.add_enabled(answers, small("Mark"));
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
        let is_whole = bench.scope.axis.is_whole();
        let whole = ui.add_enabled(!is_whole, small("Whole"));
        if whole
            .on_hover_text("Shows the whole session; the wheel zooms")
            .clicked()
        {
            bench.scope.axis.see_all();
        }
        ui.add_space(style::STEP);
        stop_when(ui, bench);
        add_signal(ui, bench);
        said(ui, bench);
    });
}

fn small(text: &str) -> egui::Button<'_> {
    egui::Button::new(RichText::new(text).small()).min_size(vec2(0.0, 22.0))
}

/// The button that freezes time or lets it run.
fn run(ui: &mut Ui, bench: &mut Bench) {
    let pace = bench.shown.pace;
    let text = if pace.paused { "▶ Run" } else { "⏸ Freeze" };
    let button = ui.add_enabled(
        bench.shown.link.answers(),
        small(text).min_size(vec2(70.0, 22.0)),
    );
    if button
        .on_hover_text("Lets board time run, or freezes it  f")
        .clicked()
    {
        bench.commands.write(WindowCommand::Pace(pace.toggled()));
    }
}

/// A field for a condition at which time freezes.
fn stop_when(ui: &mut Ui, bench: &mut Bench) {
    if let Some(condition) = &bench.shown.stop_when {
        let text = RichText::new(format!("stops when {condition}"))
            .small()
            .color(style::warning());
        ui.label(text);
        if ui
            .add(small("×"))
            .on_hover_text("Stops nowhere any more")
            .clicked()
        {
            bench.commands.write(WindowCommand::StopWhen(None));
        }
        return;
    }
    let layout = bench.shown.layout;
    let typed = &mut bench.scope.typed;
    let field = field(ui, &mut typed.condition, "stop when: turn = red", 150.0);
    let field = field.on_hover_text(
        "Freezes time where this comes true: turn = red, event.illegal, score.green >= 10, lit.d4 rises, \
         button.start for 900",
    );
    if !(field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))) {
        return;
    }
    match SignalCondition::parse(&typed.condition, layout) {
        Ok(condition) => {
            typed.wrong = None;
            typed.condition.clear();
            bench
                .commands
                .write(WindowCommand::StopWhen(Some(Box::new(condition))));
        }
        Err(sentence) => typed.wrong = Some(sentence),
    }
}

/// A field for the name of a signal to draw.
fn add_signal(ui: &mut Ui, bench: &mut Bench) {
    let scope = &mut *bench.scope;
    let field = field(ui, &mut scope.typed.signal, "signal: light.d4", 120.0);
    let field = field.on_hover_text(
        "Draws a signal, or all that begin so: point.d4, light.d4, lit, event.illegal, state.panel",
    );
    if !(field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))) {
        return;
    }
    let Some(recorder) = &scope.recorder else {
        return;
    };
    let board = recorder.board().board();
    match select([scope.typed.signal.trim()], board) {
        Ok(signals) => {
            let layout = board.layout();
            let mut names = scope.names.clone();
            names.extend(signals.iter().map(|signal| signal.name(layout)));
            let mut seen = std::collections::HashSet::new();
            names.retain(|name| seen.insert(name.clone()));
            scope.typed.wrong = None;
            scope.typed.signal.clear();
            scope.draw_signals(names);
        }
        Err(error) => scope.typed.wrong = Some(error.to_string()),
    }
}

fn field(ui: &mut Ui, text: &mut String, hint: &str, width: f32) -> Response {
    let hint = RichText::new(hint).small().color(style::faint());
    let edit = TextEdit::singleline(text)
        .hint_text(hint)
        .font(FontId::new(12.5, FontFamily::Proportional))
        .desired_width(width);
    ui.add(edit)
}

/// A line that says what is wrong with the text fields, where time stopped, or how far apart
/// the cursors are.
fn said(ui: &mut Ui, bench: &Bench) {
    let scope = &bench.scope;
    let (text, colour) = match (&scope.typed.wrong, bench.shown.stopped_at, scope.cursors) {
        (Some(sentence), ..) => (sentence.clone(), style::error()),
        (None, Some(tick), _) => (
            format!("stopped at {} s", style::seconds(tick)),
            style::warning(),
        ),
        (None, None, [Some(one), Some(other)]) => {
            let between = style::seconds(one.abs_diff(other));
            (format!("A to B: {between} s"), style::text())
        }
        (None, None, [Some(one), None]) => (
            format!("A at {} s; Shift click sets B", style::seconds(one)),
            style::faint(),
        ),
        _ if scope.is_behind => ("working it out …".to_owned(), style::faint()),
        _ => return,
    };
    let label = egui::Label::new(RichText::new(&text).small().color(colour)).truncate();
    ui.add(label).on_hover_text(text);
}
