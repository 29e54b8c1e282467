//! The card of the view: colours, point of view, overlays on the lights, volume.

use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::{DetectChangesMut, In, Res, ResMut};
use bevy_egui::egui::{Slider, Ui};
use protocol::Settings;
use touchboard_host::games::{self, Guide};
use touchboard_host::standing::{Tracks, tracks};

use crate::scene::camera::Viewpoint;
use crate::scene::hover::ShowHover;
use crate::scene::marks::ShowTracks;
use crate::scene::motion::ShowMotion;
use crate::scene::pieces::ShowPieces;
use crate::scene::quality::{Quality, Wanted};
use crate::sound::{Audible, SoundSetting, Volume};
use crate::source::Shown;
use crate::theme::{Chosen, Palette};
use crate::workbench::beside::Told;
use crate::workbench::board_state::State;
use crate::workbench::folds::{self, Fold, Folds};
use crate::workbench::style::{self, WindowTone};

/// The settings of the view.
#[derive(SystemParam)]
pub struct ViewSettings<'w> {
    view: ResMut<'w, Viewpoint>,
    palette: ResMut<'w, Chosen>,
    show: Show<'w>,
    wanted: ResMut<'w, Wanted>,
    tone: ResMut<'w, WindowTone>,
    sound: ResMut<'w, SoundSetting>,
    volume: ResMut<'w, Volume>,
    folds: ResMut<'w, Folds>,
}

/// What is drawn besides the lights.
#[derive(SystemParam)]
struct Show<'w> {
    tracks: ResMut<'w, ShowTracks>,
    pieces: ResMut<'w, ShowPieces>,
    motion: ResMut<'w, ShowMotion>,
    hover: ResMut<'w, ShowHover>,
}

/// What the card shows.
struct ViewState<'a> {
    settings: Settings,
    quality: Quality,
    audible: Audible,
    now: &'a ViewSettings<'a>,
}

/// A request of the user on the card, or by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewRequest {
    /// Fold the card, or unfold it.
    Fold(Fold),
    /// Draw the sides in these colours.
    Palette(Palette),
    /// Look from there.
    Viewpoint(Viewpoint),
    /// Draw in this quality.
    Quality(Quality),
    /// Set the panels to dark or light.
    Tone(WindowTone),
    /// Show or hide marks on points.
    Tracks(ShowTracks),
    /// Show or hide pieces.
    Pieces(ShowPieces),
    /// Let pieces move, or stand still.
    Motion(ShowMotion),
    /// Show or hide the preview of a touch.
    Hover(ShowHover),
    /// Set the volume, in per cent.
    Volume(u8),
    /// Turn sounds on or off.
    Sound(SoundSetting),
}

/// Carries out a request.
pub fn carry_out(In(request): In<ViewRequest>, mut settings: ViewSettings) {
    settings.change(request);
}

impl ViewSettings<'_> {
    fn change(&mut self, request: ViewRequest) {
        match request {
            ViewRequest::Fold(view) => {
                let folds = Folds {
                    view,
                    ..*self.folds
                };
                self.folds.set_if_neq(folds);
            }
            ViewRequest::Palette(palette) => self.palette.0 = palette,
            ViewRequest::Viewpoint(viewpoint) => *self.view = viewpoint,
            ViewRequest::Quality(quality) => *self.wanted = Wanted(Some(quality)),
            ViewRequest::Tone(tone) => *self.tone = tone,
            ViewRequest::Tracks(tracks) => *self.show.tracks = tracks,
            ViewRequest::Pieces(pieces) => *self.show.pieces = pieces,
            ViewRequest::Motion(motion) => *self.show.motion = motion,
            ViewRequest::Hover(hover) => *self.show.hover = hover,
            ViewRequest::Volume(percent) => self.volume.set_percent(percent),
            ViewRequest::Sound(sound) => *self.sound = sound,
        }
    }
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
    let folded = State::new(style::faint(), format!("{from}, {drawn}"));
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
        style::row(ui, "Mouse", |ui| requests.extend(show_hover(ui, state)));
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
    let names = Quality::ALL.map(Quality::name);
    let is_now = |quality: &Quality| *quality == state.quality;
    let chosen = Quality::ALL.iter().position(is_now).unwrap_or_default();
    let clicked = choice(ui, "Quality", chosen, &names)?;
    Quality::ALL.get(clicked).copied().map(ViewRequest::Quality)
}

fn tone(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let tones = [WindowTone::Dark, WindowTone::Light];
    let chosen = usize::from(*state.now.tone == WindowTone::Light);
    let clicked = choice(ui, "Window", chosen, &["Dark", "Light"])?;
    tones.get(clicked).copied().map(ViewRequest::Tone)
}

/// Draws a switch. Returns its new state, if it was clicked.
fn switch(ui: &mut Ui, mut is_on: bool, text: &str, words: &str) -> Option<bool> {
    let response = ui.checkbox(&mut is_on, text).told(words);
    response.changed().then_some(is_on)
}

/// Draws the switch for marks on the points that may be touched, or may not.
fn show_tracks(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let (text, why_not) = match tracks(&state.settings) {
        Tracks::Legal | Tracks::Fewer => ("moves", None),
        Tracks::Forbidden(_) => ("forbidden", None),
        Tracks::None(why) => ("moves", Some(why)),
    };
    let mut is_on = why_not.is_none() && *state.now.show.tracks == ShowTracks::On;
    let shown = ui.add_enabled_ui(why_not.is_none(), |ui| {
        let response = ui.checkbox(&mut is_on, text);
        let response = response.told("Marks on the points where you may play, or may not.");
        let is_changed = response.changed();
        if let Some(why) = why_not {
            response.told_why_not(why);
        }
        is_changed
    });
    let tracks = match is_on {
        true => ShowTracks::On,
        false => ShowTracks::Off,
    };
    shown.inner.then_some(ViewRequest::Tracks(tracks))
}

/// Draws the switch for stones, piles and walls over the lights, in games that have them.
fn show_pieces(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    if !games::find(state.settings.game).is_some_and(Guide::has_pieces) {
        return None;
    }
    let is_on = *state.now.show.pieces == ShowPieces::On;
    let words = "Stones, piles and walls over the lights.";
    let pieces = match switch(ui, is_on, "pieces", words)? {
        true => ShowPieces::On,
        false => ShowPieces::Off,
    };
    Some(ViewRequest::Pieces(pieces))
}

/// Draws the switch for motions of pieces and stones.
fn show_motion(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let is_on = *state.now.show.motion == ShowMotion::On;
    let words = "Pieces walk, stones turn over, dice roll.";
    let motion = match switch(ui, is_on, "motion", words)? {
        true => ShowMotion::On,
        false => ShowMotion::Off,
    };
    Some(ViewRequest::Motion(motion))
}

/// Draws the switch for the preview of a touch under the mouse.
fn show_hover(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let is_on = *state.now.show.hover == ShowHover::On;
    let words =
        "Where the mouse rests: the stone that a touch would set, and what it turns or takes.";
    let hover = match switch(ui, is_on, "preview", words)? {
        true => ShowHover::On,
        false => ShowHover::Off,
    };
    Some(ViewRequest::Hover(hover))
}

/// Room beside the slider for its number and the button.
const BESIDE_VOLUME: f32 = 128.0;

/// Draws the controls of the volume, and whether there is any sound.
fn sound(ui: &mut Ui, state: &ViewState, requests: &mut Vec<ViewRequest>) {
    style::row(ui, "Sound", |ui| {
        let is_muted = *state.now.sound == SoundSetting::Muted;
        let room = ui.available_width() - BESIDE_VOLUME;
        ui.spacing_mut().slider_width = room.clamp(20.0, 64.0);
        let mut percent = f32::from(state.now.volume.percent());
        let slider = Slider::new(&mut percent, 0.0..=100.0)
            .integer()
            .suffix(" %");
        let slider = ui.add_enabled(!is_muted, slider);
        if slider.changed() {
            requests.push(ViewRequest::Volume(percent as u8));
        }
        let text = if is_muted { "Unmute" } else { "Mute" };
        if ui.small_button(text).clicked() {
            requests.push(ViewRequest::Sound(state.now.sound.other()));
        }
    });
    if state.audible == Audible::NoDevice {
        style::note(ui, "This machine has no sound device.");
    }
}
