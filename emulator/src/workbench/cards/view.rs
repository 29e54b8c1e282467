//! The card of the view: colours, point of view, overlays on the lights, volume.

use bevy::ecs::system::InMut;
use bevy::prelude::Res;
use bevy_egui::egui::{Slider, Ui};
use protocol::Settings;
use touchboard_host::games::{self, Guide};
use touchboard_host::standing::{Tracks, tracks};

use crate::scene::camera::Viewpoint;
use crate::scene::quality::Quality;
use crate::sound::Audible;
use crate::source::Shown;
use crate::switches::WindowSwitch;
use crate::theme::{Palette, WindowTone};
use crate::workbench::beside::HoverText;
use crate::workbench::board_state::CardState;
use crate::workbench::folds;
use crate::workbench::style;
use crate::workbench::view_settings::{ViewRequest, ViewSettings};

/// What the card shows.
struct ViewState<'a> {
    settings: Settings,
    quality: Quality,
    audible: Audible,
    now: &'a ViewSettings<'a>,
}

/// Shows the card of the view, and does what the user asks for.
pub fn show(
    InMut(ui): InMut<Ui>,
    shown: Res<Shown>,
    quality: Res<Quality>,
    audible: Res<Audible>,
    mut settings: ViewSettings,
) {
    let state = ViewState {
        settings: shown.status.settings,
        quality: *quality,
        audible: *audible,
        now: &settings,
    };
    for request in card(ui, &state) {
        settings.change(request);
    }
}

/// Draws the card. Returns what the user asks for.
fn card(ui: &mut Ui, state: &ViewState) -> Vec<ViewRequest> {
    let drawn = state.quality.name().to_lowercase();
    let from = match *state.now.view {
        Viewpoint::Seat => "seat",
        Viewpoint::Top => "top",
    };
    let folded = CardState::new(style::faint(), format!("{from}, {drawn}"));
    let mut requests = Vec::new();
    let before = state.now.folds.view;
    let fold = folds::card(ui, "VIEW", before, &folded, |ui| {
        requests.extend(colours(ui, state));
        requests.extend(camera(ui, state));
        requests.extend(quality(ui, state));
        requests.extend(tone(ui, state));
        style::row(ui, "Show", |ui| {
            ui.horizontal_wrapped(|ui| {
                requests.extend(show_tracks(ui, state));
                requests.extend(show_pieces(ui, state));
                requests.extend(show_motion(ui, state));
            });
        });
        style::row(ui, "Mouse", |ui| requests.extend(show_preview(ui, state)));
        sound(ui, state, &mut requests);
    });
    requests.extend((fold != before).then_some(ViewRequest::Fold(fold)));
    requests
}

/// Draws a row with a choice among these names. Returns the index of the one clicked.
fn choice(ui: &mut Ui, title: &str, chosen: usize, names: &[&str]) -> Option<usize> {
    let names: Vec<String> = names.iter().copied().map(str::to_owned).collect();
    let mut clicked = None;
    style::row(ui, title, |ui| {
        clicked = style::one_of(ui, chosen as u8, &names);
    });
    clicked.map(usize::from)
}

fn colours(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let palettes = [Palette::Board, Palette::BlueOrange];
    let chosen = usize::from(state.now.palette.0 == Palette::BlueOrange);
    let clicked = choice(ui, "Colours", chosen, &["Standard", "Colour-blind"])?;
    palettes.get(clicked).copied().map(ViewRequest::Palette)
}

fn camera(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let viewpoints = [Viewpoint::Seat, Viewpoint::Top];
    let chosen = usize::from(*state.now.view == Viewpoint::Top);
    let clicked = choice(ui, "Camera", chosen, &["Seat", "Top"])?;
    viewpoints.get(clicked).copied().map(ViewRequest::Viewpoint)
}

fn quality(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let choices = [
        None,
        Some(Quality::Plain),
        Some(Quality::Standard),
        Some(Quality::Fine),
    ];
    let names = choices.map(|quality| quality.map_or("Auto", Quality::name));
    let is_now = |quality: &Option<Quality>| *quality == state.now.wanted.0;
    let chosen = choices.iter().position(is_now).unwrap_or_default();
    let clicked = choice(ui, "Quality", chosen, &names)?;
    choices.get(clicked).copied().map(ViewRequest::Quality)
}

fn tone(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let tones = [WindowTone::Dark, WindowTone::Light];
    let chosen = usize::from(*state.now.tone == WindowTone::Light);
    let clicked = choice(ui, "Window", chosen, &["Dark", "Light"])?;
    tones.get(clicked).copied().map(ViewRequest::Tone)
}

/// Draws the switch for marks on the points that may be touched, or may not.
fn show_tracks(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let (text, why_not) = match tracks(&state.settings) {
        Tracks::Legal | Tracks::LegalOfMany | Tracks::Fewer => ("moves", None),
        Tracks::Forbidden(_) => ("forbidden", None),
        Tracks::None(why) => ("moves", Some(why)),
    };
    let mut is_on = why_not.is_none() && state.now.switches.tracks;
    let shown = style::enabled_ui(ui, why_not.is_none(), |ui| {
        let response = ui.checkbox(&mut is_on, text);
        let response = response.hover_text("Marks on the points where you may play, or may not.");
        let is_changed = response.changed();
        if let Some(why) = why_not {
            response.hover_text_if_disabled(why);
        }
        is_changed
    });
    let request = ViewRequest::Set(WindowSwitch::Tracks, is_on);
    shown.inner.then_some(request)
}

/// Draws a switch. Returns the request to turn it, if it was clicked.
fn switch(
    ui: &mut Ui,
    (switch, mut is_on): (WindowSwitch, bool),
    text: &str,
    words: &str,
) -> Option<ViewRequest> {
    let response = ui.checkbox(&mut is_on, text).hover_text(words);
    let request = ViewRequest::Set(switch, is_on);
    response.changed().then_some(request)
}

/// Draws the switch for stones, piles and walls over the lights, in games that have them.
fn show_pieces(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    if !games::find(state.settings.game).is_some_and(Guide::has_pieces) {
        return None;
    }
    let now = (WindowSwitch::Pieces, state.now.switches.pieces);
    let words = "Stones, piles and walls over the lights.";
    switch(ui, now, "pieces", words)
}

/// Draws the switch for motions of pieces and stones.
fn show_motion(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let now = (WindowSwitch::Motion, state.now.switches.motion);
    let words = "Pieces walk, stones turn over, dice roll.";
    switch(ui, now, "motion", words)
}

/// Draws the switch for the preview of a touch under the mouse.
fn show_preview(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let now = (WindowSwitch::Preview, state.now.switches.preview);
    let words =
        "Where the mouse rests: the stone that a touch would set, and what it turns or takes.";
    switch(ui, now, "preview", words)
}

/// Room beside the slider for its number and the button.
const BESIDE_VOLUME: f32 = 128.0;

/// Draws the controls of the volume, and whether there is any sound.
fn sound(ui: &mut Ui, state: &ViewState, requests: &mut Vec<ViewRequest>) {
    style::row(ui, "Sound", |ui| {
        let is_muted = !state.now.switches.sound;
        let room = ui.available_width() - BESIDE_VOLUME;
        ui.spacing_mut().slider_width = room.clamp(20.0, 64.0);
        let mut percent = f32::from(state.now.volume.percent());
        let slider = Slider::new(&mut percent, 0.0..=100.0)
            .integer()
            .suffix(" %");
        let slider = style::add_enabled(ui, !is_muted, slider);
        if slider.changed() {
            requests.push(ViewRequest::Volume(percent as u8));
        }
        let text = if is_muted { "Unmute" } else { "Mute" };
        if ui.small_button(text).clicked() {
            requests.push(ViewRequest::Set(WindowSwitch::Sound, is_muted));
        }
    });
    if state.audible == Audible::NoDevice {
        style::note(ui, "This machine has no sound device.");
    }
}
