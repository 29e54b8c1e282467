//! The game: how it stands, and the five settings.

mod standing;

use bevy::ecs::system::SystemParam;
use bevy::prelude::{Real, Res, ResMut, Resource, Time};
use bevy_egui::egui::{ComboBox, Slider, Ui};
use firmware_core::games;
use firmware_core::panel::TURN_TIME_MS;
use hil_bridge::howto::how_to;
use hil_bridge::standing::{Phase, Tracks, phase, tracks, why_no_effect, why_no_pass};
use hil_bridge::{pieces, written};
use protocol::{Button, Deed, Input, Layout, Roster, Settings};

use super::Bench;
use super::clock::Hand;
use super::story::Story;
use super::style::{self, STEP};
use crate::scene::marks::ShowTracks;
use crate::scene::motion::ShowMotion;
use crate::scene::pieces::ShowPieces;
use crate::source::{Bring, Order, seat};

/// The clock that the card shows.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Face(Hand);

/// What the card reads besides what the board shows.
#[derive(SystemParam)]
pub struct Known<'w> {
    /// What happened.
    pub story: Res<'w, Story>,
    face: ResMut<'w, Face>,
    time: Res<'w, Time<Real>>,
    tracks: ResMut<'w, ShowTracks>,
    pieces: ResMut<'w, ShowPieces>,
    motion: ResMut<'w, ShowMotion>,
}

/// Shows the card.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    style::card(ui, "", |ui| {
        // Close together: this card is the one that must not be scrolled for.
        ui.spacing_mut().item_spacing.y = STEP * 0.5;
        standing::show(ui, bench);
        ui.add_space(STEP * 0.75);
        let old = bench.shown.status.settings;
        let all = match seat::can_bring(&bench.seat) {
            true => games::BUILT,
            false => bench.shown.roster,
        };
        let layout = bench.shown.layout;
        let own = bench.shown.roster.without(games::BUILT);
        let new = settings(ui, old, all.or(own), layout);
        let is_here = bench.shown.roster.has(new.game);
        if new.game != old.game && is_here && seat::has_room(bench.shown.layout, new.game, 0) {
            // What the game brings with it is the board's to say.
            bench.orders.write(Order::Do(Deed::Choose(new.game)));
        } else if new.game != old.game {
            bench.bring.write(Bring::Game(new.game));
        } else if new != old {
            change(bench, old, new);
        }
        show_tracks(ui, bench);
        show_pieces(ui, bench);
        show_motion(ui, bench);
        ui.add_space(STEP * 0.25);
        commands(ui, bench);
    });
}

/// Changes settings of the chosen game; a mode that is larger than the board comes
/// with one that has room for it.
pub fn change(bench: &mut Bench, old: Settings, new: Settings) {
    if new.mode != old.mode && lacks_room(bench, &new) {
        bench.bring.write(Bring::Settings(new));
    } else {
        bench.orders.write(Order::Do(Deed::Settings(new)));
    }
}

/// True if these settings need a larger board, and one can be had.
fn lacks_room(bench: &Bench, settings: &Settings) -> bool {
    let layout = bench.shown.layout;
    seat::can_bring(&bench.seat) && !seat::has_room(layout, settings.game, settings.mode)
}

/// The controls; returns what they say now.
fn settings(ui: &mut Ui, mut settings: Settings, roster: Roster, layout: Layout) -> Settings {
    let name = |number| written::game_name(number, layout);
    style::row(ui, "Game", |ui| {
        ComboBox::from_id_salt("game")
            .selected_text(name(settings.game))
            .width(ui.available_width())
            .show_ui(ui, |ui| {
                for number in roster.iter() {
                    if ui
                        .selectable_label(settings.game == number, name(number))
                        .clicked()
                        && settings.game != number
                    {
                        settings.game = number;
                    }
                }
            });
    });
    let modes = games::about(settings.game).map_or(1, |about| about.modes);
    let numbers = |count: u8| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
    // Where there is one mode there is nothing to choose.
    if modes > 1 {
        style::row(ui, "Mode", |ui| match modes {
            0..=MOST_BUTTONS => {
                let chosen = style::one_of(ui, settings.mode, &numbers(modes));
                settings.mode = chosen.unwrap_or(settings.mode);
            }
            _ => settings.mode = one_of_many_modes(ui, &settings, modes),
        });
    }
    let of = settings;
    row(ui, "Level", &of, Button::Level, |ui| {
        let mut names = numbers(5);
        names[0] = "–".to_owned();
        settings.level = style::one_of(ui, settings.level, &names).unwrap_or(settings.level);
    });
    row(ui, "Time", &of, Button::Time, |ui| {
        let seconds = |value: f64, _| {
            let ms = TURN_TIME_MS
                .get(value as usize)
                .copied()
                .unwrap_or_default();
            format!("{} s", ms / 1000)
        };
        ui.add(Slider::new(&mut settings.time, 0..=9).custom_formatter(seconds));
    });
    row(ui, "Speed", &of, Button::Speed, |ui| {
        ui.add(Slider::new(&mut settings.speed, 0..=9));
    });
    settings
}

/// More modes than this are a list to choose from.
const MOST_BUTTONS: u8 = 8;

/// The mode that is chosen from a list of all of the game.
fn one_of_many_modes(ui: &mut Ui, settings: &Settings, modes: u8) -> u8 {
    let names = how_to(settings.game).map_or(&[][..], |text| text.modes);
    let name = |mode: u8| {
        let name = names.get(usize::from(mode)).map_or("", |mode| mode.name);
        format!("{}  {name}", Roster::letter(mode))
    };
    let mut chosen = settings.mode;
    ComboBox::from_id_salt("mode")
        .selected_text(name(settings.mode))
        .width(ui.available_width())
        .show_ui(ui, |ui| {
            for mode in 0..modes {
                ui.selectable_value(&mut chosen, mode, name(mode));
            }
        });
    chosen
}

/// The row of a setting; dead, with the reason to be read, where it changes
/// nothing.
fn row(
    ui: &mut Ui,
    name: &str,
    settings: &Settings,
    button: Button,
    control: impl FnOnce(&mut Ui),
) {
    let why_not = why_no_effect(settings, button);
    style::row(ui, name, |ui| {
        let response = ui.add_enabled_ui(why_not.is_none(), control).response;
        if let Some(why) = why_not {
            response.on_disabled_hover_text(why);
        }
    });
}

/// Whether the points are marked where one may play, or may not.
fn show_tracks(ui: &mut Ui, bench: &mut Bench) {
    let (text, why_not) = match tracks(&bench.shown.status.settings) {
        Tracks::Legal => ("Mark where one may play", None),
        Tracks::Forbidden(_) => ("Mark where one may not play", None),
        Tracks::None(why) => ("Mark where one may play", Some(why)),
    };
    let mut is_on = why_not.is_none() && *bench.game.tracks == ShowTracks::On;
    ui.add_enabled_ui(why_not.is_none(), |ui| {
        let response = ui.checkbox(&mut is_on, text);
        if response.changed() {
            *bench.game.tracks = match is_on {
                true => ShowTracks::On,
                false => ShowTracks::Off,
            };
        }
        if let Some(why) = why_not {
            response.on_disabled_hover_text(why);
        }
    });
}

/// Whether stones, piles and walls lie over the lights, where there are any.
fn show_pieces(ui: &mut Ui, bench: &mut Bench) {
    if !pieces::has_pieces(bench.shown.status.settings.game) {
        return;
    }
    let mut is_on = *bench.game.pieces == ShowPieces::On;
    if ui
        .checkbox(&mut is_on, "Lay the pieces over the lights")
        .changed()
    {
        *bench.game.pieces = match is_on {
            true => ShowPieces::On,
            false => ShowPieces::Off,
        };
    }
}

/// Whether one sees how pieces and stones move.
fn show_motion(ui: &mut Ui, bench: &mut Bench) {
    let mut is_on = *bench.game.motion == ShowMotion::On;
    if ui.checkbox(&mut is_on, "Show motion").changed() {
        *bench.game.motion = match is_on {
            true => ShowMotion::On,
            false => ShowMotion::Off,
        };
    }
}

/// What the Start and Stop buttons do, and the pass that no button does.
fn commands(ui: &mut Ui, bench: &mut Bench) {
    let press = |bench: &mut Bench, button| {
        bench
            .orders
            .write(Order::Do(Deed::Input(Input::Press(button))));
        bench
            .orders
            .write(Order::Do(Deed::Input(Input::Lift(button))));
    };
    let phase = phase(&bench.shown.status);
    let is_on = !matches!(phase, Phase::NoGame | Phase::Over);
    ui.horizontal(|ui| {
        let settings = bench.shown.status.settings;
        // It was chosen at the board's own buttons, which cannot change the board.
        let lacks_room = !is_on && lacks_room(bench, &settings);
        let start = match (is_on, lacks_room) {
            (true, _) => "Restart",
            (false, true) if bench.shown.layout.sides().is_some() => "Enlarge",
            (false, true) => "Its board",
            (false, false) => "Start",
        };
        let start = ui.add(style::wide(start, !is_on));
        if start.clicked() && lacks_room {
            bench.bring.write(Bring::Settings(settings));
        } else if start.clicked() {
            press(bench, Button::Start);
        }
        if lacks_room {
            start.on_hover_text("A board that has room for it.");
        }
        let is_held = phase == Phase::Held;
        let hold = if is_held { "Go on" } else { "Hold" };
        let hold = ui.add_enabled(is_on, style::wide(hold, is_held));
        if hold.on_disabled_hover_text("No game is on.").clicked() {
            press(bench, Button::Stop);
        }
        let why_not = why_no_pass(&bench.shown.status);
        let mut pass = ui.add_enabled(why_not.is_none(), style::wide("Pass", false));
        if let Some(why) = why_not {
            pass = pass.on_disabled_hover_text(why);
        }
        if pass.clicked() {
            bench.orders.write(Order::Do(Deed::Input(Input::Pass)));
        }
    });
}
