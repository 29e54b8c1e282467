//! The pane of faults: injects the faults of the shell and of the command line, under the
//! same names, with sliders and switches.
//!
//! `bounce-ms` at 5 makes every contact bounce for 5 ms. The session records each change
//! of the faults as a note, and their effects as inputs and restarts, so a replay repeats
//! them.
//!
//! Invariants: the pane shows the faults that the board reports; a change that the board
//! refuses has no effect, and its error is shown.

use bevy::ecs::system::InMut;
use bevy::prelude::*;
use bevy_egui::egui::{
    Align2, Button, DragValue, Key, Label, RichText, ScrollArea, Sense, Slider, SliderClamping,
    TextEdit, TextStyle, Ui, vec2,
};
use firmware_core::Faults;
use firmware_core::faults::{FaultArgument, FaultError, FaultKind, FaultTarget, FaultValue};

use super::super::style;
use crate::source::{BoardLink, Injectable, Shown, WindowCommand};

/// The contents of the fields, and the errors in them.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultsForm {
    /// The number that is being dragged. It takes effect when the slider is released, so
    /// that the session has a single note of it.
    dragged: Option<(FaultKind, u64)>,
    typed: [String; 3],
    wrong: Option<String>,
}

/// The kinds that name points, in the order of [`FaultsForm::typed`].
const SITES: [FaultKind; 3] = [FaultKind::Stuck, FaultKind::Dead, FaultKind::DeadLed];

/// Width of the name of a fault.
const NAME: f32 = 108.0;
/// Width of the number next to a slider.
const VALUE: f32 = 80.0;

/// The note of a board with real contacts.
const REAL_CONTACTS: &str =
    "The contacts of this board are not simulated, so only its line can have faults.";

/// The note of a line that is being opened.
const CONNECTING: &str = "Faults can be set as soon as the board answers.";

/// The note of a line that was opened before the window.
const NOT_HERE: &str = "Faults cannot be set from here: start the board with --fault-..., or write `fault` in the shell.";

/// Shows the pane of faults.
pub(in crate::workbench) fn show(
    InMut(ui): InMut<Ui>,
    shown: Res<Shown>,
    mut form: ResMut<FaultsForm>,
    mut commands: MessageWriter<WindowCommand>,
) {
    let injectable = &shown.injectable;
    if !injectable.board && !injectable.line {
        let is_connecting = matches!(shown.link, BoardLink::Searching);
        style::note(ui, if is_connecting { CONNECTING } else { NOT_HERE });
        return;
    }
    let mut next = None;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        head(ui, injectable, &mut next);
        let mut group = |ui: &mut Ui, title: &str, of: FaultTarget| {
            ui.label(style::title(title));
            let all = FaultKind::all().filter(|kind| *kind != FaultKind::Seed);
            for kind in all.filter(|kind| kind.of() == of) {
                row(ui, kind, &injectable.faults, &mut form, &mut next);
            }
        };
        if injectable.line {
            group(ui, "LINE", FaultTarget::Line);
        }
        if !injectable.board {
            style::note(ui, REAL_CONTACTS);
        }
        // They are listed in any case, so that their names are found.
        ui.add_enabled_ui(injectable.board, |ui| {
            group(ui, "CONTACTS", FaultTarget::Sensors);
            group(ui, "BOARD", FaultTarget::Board);
        });
        if let Some(wrong) = &form.wrong {
            ui.add(Label::new(RichText::new(wrong).small().color(style::error())).wrap());
        }
    });
    if let Some(faults) = next {
        commands.write(WindowCommand::InjectFaults(Box::new(faults)));
    }
}

/// Draws the seed, and the button that clears all faults.
fn head(ui: &mut Ui, injectable: &Injectable, next: &mut Option<Faults>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("seed").small().color(style::faint()));
        let mut seed = injectable.faults.seed;
        let value = DragValue::new(&mut seed);
        let hint = "The seed of the faults: the same seed gives the same faults";
        if ui.add(value).on_hover_text(hint).changed() {
            *next = Some(Faults {
                seed,
                ..injectable.faults.clone()
            });
        }
        let has_faults = !injectable.faults.are_none();
        if style::add_enabled(ui, has_faults, Button::new("Clear all")).clicked() {
            *next = Some(Faults {
                seed,
                ..Faults::default()
            });
        }
        if injectable.board {
            let off = ui.button("Power off");
            let hint = "Cuts the power for a moment: the board restarts";
            if off.on_hover_text(hint).clicked() {
                *next = changed(&injectable.faults, FaultKind::BrownOutAfterMs, &["1"]).ok();
            }
        }
    });
}

/// Shows the row of one kind of fault.
fn row(
    ui: &mut Ui,
    kind: FaultKind,
    faults: &Faults,
    form: &mut FaultsForm,
    next: &mut Option<Faults>,
) {
    ui.horizontal(|ui| {
        let is_wrong = !values(faults, kind).is_empty();
        let colour = if is_wrong {
            style::warning()
        } else {
            style::text()
        };
        let (place, name) = ui.allocate_exact_size(vec2(NAME, 20.0), Sense::hover());
        let font = TextStyle::Small.resolve(ui.style());
        let at = place.left_center();
        ui.painter()
            .text(at, Align2::LEFT_CENTER, kind.name(), font, colour);
        name.on_hover_text(kind.about());
        match kind.takes() {
            FaultArgument::Nothing => {
                let mut is_on = is_wrong;
                if ui
                    .checkbox(&mut is_on, "")
                    .on_hover_text(kind.about())
                    .changed()
                {
                    let values = if is_on { &[""][..] } else { &[] };
                    *next = changed(faults, kind, values).ok();
                }
            }
            FaultArgument::Number(least, most) => {
                if let Some(number) = slider(ui, kind, faults, form, [least, most]) {
                    *next = changed(faults, kind, &[&number.to_string()]).ok();
                }
            }
            FaultArgument::Point | FaultArgument::Key => sites(ui, kind, faults, form, next),
        }
    });
}

/// Draws a slider for a number. Returns the new number if the user changed it.
fn slider(
    ui: &mut Ui,
    kind: FaultKind,
    faults: &Faults,
    form: &mut FaultsForm,
    bounds: [u64; 2],
) -> Option<u64> {
    let [least, most] = usual(kind, bounds);
    let now = match values(faults, kind)[..] {
        [FaultValue::Number(number)] => number,
        _ => good(kind),
    };
    let dragged = form.dragged.filter(|(of, _)| *of == kind);
    let mut number = match dragged {
        Some((_, number)) => number,
        None => now,
    };
    ui.spacing_mut().slider_width = (ui.available_width() - VALUE).clamp(24.0, 140.0);
    let slider = Slider::new(&mut number, least..=most)
        .logarithmic(most > 5_000)
        .clamping(SliderClamping::Never);
    let slider = ui.add(slider).on_hover_text(kind.about());
    let number = number.clamp(bounds[0], bounds[1]);
    if slider.is_pointer_button_down_on() || slider.dragged() {
        if slider.changed() {
            form.dragged = Some((kind, number));
        }
        return None;
    }
    if dragged.is_some() {
        form.dragged = None;
        return Some(number);
    }
    slider.changed().then_some(number)
}

/// The usual range of a slider; numbers beyond it can be typed.
fn usual(kind: FaultKind, [least, most]: [u64; 2]) -> [u64; 2] {
    let most = match kind {
        FaultKind::BounceMs => 50,
        FaultKind::DelayMs | FaultKind::StallMs => 2_000,
        FaultKind::BrownOutAfterMs => 60_000,
        FaultKind::CutAfter => 100_000,
        FaultKind::ClockPermille => return [900, 1_100],
        _ => most,
    };
    [least, most]
}

/// The value that means no fault.
fn good(kind: FaultKind) -> u64 {
    match kind {
        FaultKind::ClockPermille => 1_000,
        _ => 0,
    }
}

/// Draws the field for points and buttons by their names, separated by blanks.
fn sites(
    ui: &mut Ui,
    kind: FaultKind,
    faults: &Faults,
    form: &mut FaultsForm,
    next: &mut Option<Faults>,
) {
    let place = SITES.iter().position(|site| *site == kind).unwrap_or(0);
    let typed = &mut form.typed[place];
    let id = ui.id().with(("sites", place));
    if !ui.memory(|memory| memory.has_focus(id)) {
        let names: Vec<String> = values(faults, kind)
            .iter()
            .map(FaultValue::to_string)
            .collect();
        *typed = names.join(" ");
    }
    let field = TextEdit::singleline(typed)
        .id(id)
        .hint_text("d4 e5")
        .desired_width((ui.available_width() - 16.0).clamp(40.0, 160.0));
    let field = ui.add(field).on_hover_text(kind.about());
    let entered = ui.input(|input| input.key_pressed(Key::Enter));
    if !(field.lost_focus() && entered) {
        return;
    }
    let names: Vec<&str> = typed
        .split([' ', ','])
        .filter(|name| !name.is_empty())
        .collect();
    match changed(faults, kind, &names) {
        Ok(faults) => {
            form.wrong = None;
            *next = Some(faults);
        }
        Err(error) => form.wrong = Some(error.to_string()),
    }
}

/// The values of the faults of this kind.
fn values(faults: &Faults, kind: FaultKind) -> Vec<FaultValue> {
    let mut values = Vec::new();
    faults.each(|fault| {
        if fault.kind() == kind {
            values.push(fault.value().clone());
        }
    });
    values
}

/// These faults, in which this kind occurs once for each value, as it is typed; a value that
/// means no fault is left out.
fn changed(faults: &Faults, kind: FaultKind, values: &[&str]) -> Result<Faults, FaultError> {
    let mut next = faults.clone();
    next.remove(kind);
    for value in values {
        let fault = kind.read(value)?;
        if *fault.value() != FaultValue::Number(good(kind)) {
            next.add(fault)?;
        }
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changing_one_fault_keeps_the_others() {
        let faults: Faults = "seed 7, stuck d4, bounce-ms 3, clock-permille 1020"
            .parse()
            .unwrap();
        let told = |kind, values: &[&str]| changed(&faults, kind, values).unwrap().to_string();
        assert_eq!(
            told(FaultKind::BounceMs, &["9"]),
            "seed 7, stuck d4, bounce-ms 9, clock-permille 1020"
        );
        assert_eq!(
            told(FaultKind::ClockPermille, &["1000"]),
            "seed 7, stuck d4, bounce-ms 3"
        );
        assert_eq!(
            told(FaultKind::Stuck, &["a1", "start"]),
            "seed 7, stuck a1, stuck start, bounce-ms 3, clock-permille 1020"
        );
        assert_eq!(
            told(FaultKind::Ghosting, &[""]),
            "seed 7, stuck d4, bounce-ms 3, ghosting, clock-permille 1020"
        );
        assert!(changed(&faults, FaultKind::BounceMs, &["much"]).is_err());
    }

    #[test]
    fn the_slider_of_every_fault_includes_a_sound_board() {
        for kind in FaultKind::all() {
            if let FaultArgument::Number(least, most) = kind.takes() {
                let [from, to] = usual(kind, [least, most]);
                assert!(least <= from && from < to && to <= most, "{kind:?}");
                assert!((from..=to).contains(&good(kind)), "{kind:?}");
            }
        }
    }
}
