//! The card of the view: colours, point of view, overlays on the lights, volume.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{DetectChangesMut, Res, ResMut};
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
use crate::sound::{Audible, SoundSetting};
use crate::theme::Palette;
use crate::workbench::Bench;
use crate::workbench::beside::Told;
use crate::workbench::board_state::State;
use crate::workbench::folds::{self, Fold, Folds};
use crate::workbench::style::{self, WindowTone};

/// The settings of how the scene is drawn.
#[derive(SystemParam)]
pub struct Looks<'w> {
    /// Whether legal points are marked.
    pub tracks: ResMut<'w, ShowTracks>,
    /// Whether pieces lie over the lights.
    pub pieces: ResMut<'w, ShowPieces>,
    motion: ResMut<'w, ShowMotion>,
    hover: ResMut<'w, ShowHover>,
    quality: Res<'w, Quality>,
    wanted: ResMut<'w, Wanted>,
    /// Whether panels are dark or light.
    pub tone: ResMut<'w, WindowTone>,
}

/// What the card shows.
pub struct ViewState<'a> {
    settings: Settings,
    viewpoint: Viewpoint,
    palette: Palette,
    sound: SoundSetting,
    volume_percent: u8,
    audible: Audible,
    fold: Fold,
    looks: &'a Looks<'a>,
}

impl<'a> ViewState<'a> {
    /// The settings of the view as they are now.
    pub(in crate::workbench) fn of(bench: &'a Bench<'a>) -> ViewState<'a> {
        ViewState {
            settings: bench.shown.status.settings,
            viewpoint: *bench.view,
            palette: bench.palette.0,
            sound: *bench.sound,
            volume_percent: bench.volume.percent(),
            audible: *bench.audible,
            fold: bench.folds.view,
            looks: &bench.looks,
        }
    }
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

impl ViewRequest {
    /// Carries out the request.
    pub(in crate::workbench) fn carry_out(self, bench: &mut Bench) {
        match self {
            ViewRequest::Fold(view) => {
                let folds = Folds {
                    view,
                    ..*bench.folds
                };
                bench.folds.set_if_neq(folds);
            }
            ViewRequest::Palette(palette) => bench.palette.0 = palette,
            ViewRequest::Viewpoint(viewpoint) => *bench.view = viewpoint,
            ViewRequest::Quality(quality) => *bench.looks.wanted = Wanted(Some(quality)),
            ViewRequest::Tone(tone) => *bench.looks.tone = tone,
            ViewRequest::Tracks(tracks) => *bench.looks.tracks = tracks,
            ViewRequest::Pieces(pieces) => *bench.looks.pieces = pieces,
            ViewRequest::Motion(motion) => *bench.looks.motion = motion,
            ViewRequest::Hover(hover) => *bench.looks.hover = hover,
            ViewRequest::Volume(percent) => bench.volume.set_percent(percent),
            ViewRequest::Sound(sound) => *bench.sound = sound,
        }
    }
}

/// Shows the card of the view. Returns what the user asks for.
pub fn show(ui: &mut Ui, state: &ViewState) -> Vec<ViewRequest> {
    let drawn = state.looks.quality.name().to_lowercase();
    let from = match state.viewpoint {
        Viewpoint::Seat => "seat",
        Viewpoint::Top => "top",
    };
    let folded = State::new(style::faint(), format!("{from}, {drawn}"));
    let mut requests = Vec::new();
    let fold = folds::card(ui, "VIEW", state.fold, &folded, |ui| {
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
    requests.extend((fold != state.fold).then_some(ViewRequest::Fold(fold)));
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
    let chosen = usize::from(state.palette == Palette::BlueOrange);
    let clicked = choice(ui, "Colours", chosen, &["Standard", "Colour-blind"])?;
    palettes.get(clicked).copied().map(ViewRequest::Palette)
}

fn camera(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let viewpoints = [Viewpoint::Seat, Viewpoint::Top];
    let chosen = usize::from(state.viewpoint == Viewpoint::Top);
    let clicked = choice(ui, "Camera", chosen, &["Seat", "Top"])?;
    viewpoints.get(clicked).copied().map(ViewRequest::Viewpoint)
}

fn quality(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let names = Quality::ALL.map(Quality::name);
    let is_now = |quality: &Quality| *quality == *state.looks.quality;
    let chosen = Quality::ALL.iter().position(is_now).unwrap_or_default();
    let clicked = choice(ui, "Quality", chosen, &names)?;
    Quality::ALL.get(clicked).copied().map(ViewRequest::Quality)
}

fn tone(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let tones = [WindowTone::Dark, WindowTone::Light];
    let chosen = usize::from(*state.looks.tone == WindowTone::Light);
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
    let mut is_on = why_not.is_none() && *state.looks.tracks == ShowTracks::On;
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
    let is_on = *state.looks.pieces == ShowPieces::On;
    let words = "Stones, piles and walls over the lights.";
    let pieces = match switch(ui, is_on, "pieces", words)? {
        true => ShowPieces::On,
        false => ShowPieces::Off,
    };
    Some(ViewRequest::Pieces(pieces))
}

/// Draws the switch for motions of pieces and stones.
fn show_motion(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let is_on = *state.looks.motion == ShowMotion::On;
    let words = "Pieces walk, stones turn over, dice roll.";
    let motion = match switch(ui, is_on, "motion", words)? {
        true => ShowMotion::On,
        false => ShowMotion::Off,
    };
    Some(ViewRequest::Motion(motion))
}

/// Draws the switch for the preview of a touch under the mouse.
fn show_hover(ui: &mut Ui, state: &ViewState) -> Option<ViewRequest> {
    let is_on = *state.looks.hover == ShowHover::On;
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
        let is_muted = state.sound == SoundSetting::Muted;
        let room = ui.available_width() - BESIDE_VOLUME;
        ui.spacing_mut().slider_width = room.clamp(20.0, 64.0);
        let mut percent = f32::from(state.volume_percent);
        let slider = Slider::new(&mut percent, 0.0..=100.0)
            .integer()
            .suffix(" %");
        let slider = ui.add_enabled(!is_muted, slider);
        if slider.changed() {
            requests.push(ViewRequest::Volume(percent as u8));
        }
        let text = if is_muted { "Unmute" } else { "Mute" };
        if ui.small_button(text).clicked() {
            requests.push(ViewRequest::Sound(state.sound.other()));
        }
    });
    if state.audible == Audible::NoDevice {
        style::note(ui, "This machine has no sound device.");
    }
}
