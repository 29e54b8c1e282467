//! The card of the view: colours, point of view, overlays on the lights, volume.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{Res, ResMut};
use bevy_egui::egui::{Slider, Ui};
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
use crate::workbench::board_state::State;
use crate::workbench::style::{self, WindowTone};
use crate::workbench::{Bench, folds};

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

impl Looks<'_> {
    /// Draws in this quality from now on.
    pub fn want(&mut self, quality: Quality) {
        *self.wanted = Wanted(Some(quality));
    }
}

/// Shows the card of the view.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    let drawn = bench.looks.quality.name().to_lowercase();
    let from = match *bench.view {
        Viewpoint::Seat => "seat",
        Viewpoint::Top => "top",
    };
    let state = State::new(style::faint(), format!("{from}, {drawn}"));
    folds::card(
        ui,
        bench,
        "VIEW",
        |folds| &mut folds.view,
        &state,
        |ui, bench| {
            colours(ui, bench);
            camera(ui, bench);
            quality(ui, bench);
            tone(ui, bench);
            style::row(ui, "Show", |ui| {
                ui.horizontal_wrapped(|ui| {
                    show_tracks(ui, bench);
                    show_pieces(ui, bench);
                    show_motion(ui, bench);
                });
            });
            style::row(ui, "Mouse", |ui| show_hover(ui, bench));
            sound(ui, bench);
        },
    );
}

fn colours(ui: &mut Ui, bench: &mut Bench) {
    style::row(ui, "Colours", |ui| {
        let chosen = u8::from(bench.palette.0 == Palette::BlueOrange);
        let names = ["Standard", "Colour-blind"].map(str::to_owned);
        match style::one_of(ui, chosen, &names) {
            Some(0) => bench.palette.0 = Palette::Board,
            Some(_) => bench.palette.0 = Palette::BlueOrange,
            None => {}
        }
    });
}

fn camera(ui: &mut Ui, bench: &mut Bench) {
    style::row(ui, "Camera", |ui| {
        let chosen = u8::from(*bench.view == Viewpoint::Top);
        let names = ["Seat", "Top"].map(str::to_owned);
        match style::one_of(ui, chosen, &names) {
            Some(0) => *bench.view = Viewpoint::Seat,
            Some(_) => *bench.view = Viewpoint::Top,
            None => {}
        }
    });
}

fn quality(ui: &mut Ui, bench: &mut Bench) {
    style::row(ui, "Quality", |ui| {
        let names = Quality::ALL.map(|quality| quality.name().to_owned());
        let is_now = |quality: &Quality| *quality == *bench.looks.quality;
        let chosen = Quality::ALL.iter().position(is_now).unwrap_or_default();
        let clicked = style::one_of(ui, chosen as u8, &names);
        if let Some(quality) = clicked.and_then(|index| Quality::ALL.get(usize::from(index))) {
            bench.looks.want(*quality);
        }
    });
}

fn tone(ui: &mut Ui, bench: &mut Bench) {
    style::row(ui, "Window", |ui| {
        let chosen = u8::from(*bench.looks.tone == WindowTone::Light);
        let names = ["Dark", "Light"].map(str::to_owned);
        match style::one_of(ui, chosen, &names) {
            Some(0) => *bench.looks.tone = WindowTone::Dark,
            Some(_) => *bench.looks.tone = WindowTone::Light,
            None => {}
        }
    });
}

/// Draws the switch for marks on the points that may be touched, or may not.
fn show_tracks(ui: &mut Ui, bench: &mut Bench) {
    let (text, why_not) = match tracks(&bench.shown.status.settings) {
        Tracks::Legal | Tracks::Fewer => ("moves", None),
        Tracks::Forbidden(_) => ("forbidden", None),
        Tracks::None(why) => ("moves", Some(why)),
    };
    let mut is_on = why_not.is_none() && *bench.looks.tracks == ShowTracks::On;
    ui.add_enabled_ui(why_not.is_none(), |ui| {
        let response = ui.checkbox(&mut is_on, text);
        let response =
            response.on_hover_text("Marks on the points where you may play, or may not.");
        if response.changed() {
            *bench.looks.tracks = match is_on {
                true => ShowTracks::On,
                false => ShowTracks::Off,
            };
        }
        if let Some(why) = why_not {
            response.on_disabled_hover_text(why);
        }
    });
}

/// Draws the switch for stones, piles and walls over the lights, in games that have them.
fn show_pieces(ui: &mut Ui, bench: &mut Bench) {
    if !games::find(bench.shown.status.settings.game).is_some_and(Guide::has_pieces) {
        return;
    }
    let mut is_on = *bench.looks.pieces == ShowPieces::On;
    let response = ui.checkbox(&mut is_on, "pieces");
    let response = response.on_hover_text("Stones, piles and walls over the lights.");
    if response.changed() {
        *bench.looks.pieces = match is_on {
            true => ShowPieces::On,
            false => ShowPieces::Off,
        };
    }
}

/// Draws the switch for motions of pieces and stones.
fn show_motion(ui: &mut Ui, bench: &mut Bench) {
    let mut is_on = *bench.looks.motion == ShowMotion::On;
    let response = ui.checkbox(&mut is_on, "motion");
    let response = response.on_hover_text("Pieces walk, stones turn over, dice roll.");
    if response.changed() {
        *bench.looks.motion = match is_on {
            true => ShowMotion::On,
            false => ShowMotion::Off,
        };
    }
}

/// Draws the switch for the preview of a touch under the mouse.
fn show_hover(ui: &mut Ui, bench: &mut Bench) {
    let mut is_on = *bench.looks.hover == ShowHover::On;
    let response = ui.checkbox(&mut is_on, "preview");
    let response = response.on_hover_text(
        "Where the mouse rests: the stone that a touch would set, and what it turns or takes.",
    );
    if response.changed() {
        *bench.looks.hover = match is_on {
            true => ShowHover::On,
            false => ShowHover::Off,
        };
    }
}

/// Room beside the slider for its number and the button.
const BESIDE_VOLUME: f32 = 128.0;

/// The controls of the volume, and whether there is any sound.
fn sound(ui: &mut Ui, bench: &mut Bench) {
    style::row(ui, "Sound", |ui| {
        let is_muted = *bench.sound == SoundSetting::Muted;
        let room = ui.available_width() - BESIDE_VOLUME;
        ui.spacing_mut().slider_width = room.clamp(20.0, 64.0);
        let mut percent = f32::from(bench.volume.percent());
        let slider = Slider::new(&mut percent, 0.0..=100.0)
            .integer()
            .suffix(" %");
        let slider = ui.add_enabled(!is_muted, slider);
        if slider.changed() {
            bench.volume.set_percent(percent as u8);
        }
        let text = if is_muted { "Unmute" } else { "Mute" };
        if ui.small_button(text).clicked() {
            *bench.sound = bench.sound.other();
        }
    });
    if *bench.audible == Audible::NoDevice {
        style::note(ui, "This machine has no sound device: nothing is heard.");
    }
}
