//! The game: score, and the five settings.

use bevy_egui::egui::{self, ComboBox, RichText, Slider, Ui};
use firmware_core::games;
use firmware_core::panel::TURN_TIME_MS;
use protocol::{Button, Input, Outcome, Settings, Side};

use super::Bench;
use super::style::{self, STEP};
use crate::source::Order;

/// Shows the card.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    style::card(ui, "", |ui| {
        heading(ui, bench);
        ui.add_space(STEP * 0.5);
        let old = bench.shown.status.settings;
        let new = settings(ui, old);
        if new != old {
            bench.orders.write(Order::Settings(new));
        }
        ui.add_space(STEP * 0.5);
        commands(ui, bench);
    });
}

/// The name of the game, and the score.
fn heading(ui: &mut Ui, bench: &Bench) {
    let status = &bench.shown.status;
    ui.horizontal(|ui| {
        let name = games::about(status.settings.game).map_or("no game", |about| about.name);
        ui.label(RichText::new(name).heading().color(egui::Color32::WHITE));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some([green, red]) = status.score {
                ui.label(RichText::new(red.to_string()).heading());
                style::mark(ui, 5.0, Side::Red);
                ui.add_space(STEP);
                ui.label(RichText::new(green.to_string()).heading());
                style::mark(ui, 5.0, Side::Green);
            }
        });
    });
    let state = match (status.outcome, status.turn) {
        (Some(Outcome::Won(side)), _) => format!("{} has won", side.name()),
        (Some(Outcome::Draw), _) => "a draw".to_owned(),
        (None, _) if status.held => "held".to_owned(),
        (None, Some(side)) if status.thinking => format!("{} is thinking", side.name()),
        (None, Some(side)) => format!("{} to move", side.name()),
        (None, None) if status.score.is_some() => "playing".to_owned(),
        (None, None) => "press Start to play".to_owned(),
    };
    ui.label(RichText::new(state).color(style::FAINT));
}

/// The controls; returns what they say now.
fn settings(ui: &mut Ui, mut settings: Settings) -> Settings {
    let name = |number| games::about(number).map_or("?", |about| about.name);
    style::row(ui, "Game", |ui| {
        ComboBox::from_id_salt("game")
            .selected_text(name(settings.game))
            .width(ui.available_width())
            .show_ui(ui, |ui| {
                for number in games::NUMBERS {
                    if ui
                        .selectable_label(settings.game == *number, name(*number))
                        .clicked()
                        && settings.game != *number
                    {
                        settings = Settings {
                            game: *number,
                            mode: 0,
                            ..settings
                        };
                    }
                }
            });
    });
    let modes = games::about(settings.game).map_or(1, |about| about.modes);
    let numbers = |count: u8| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
    style::row(ui, "Mode", |ui| {
        settings.mode = style::one_of(ui, settings.mode, &numbers(modes)).unwrap_or(settings.mode);
    });
    style::row(ui, "Level", |ui| {
        let mut names = numbers(5);
        names[0] = "–".to_owned();
        settings.level = style::one_of(ui, settings.level, &names).unwrap_or(settings.level);
    });
    style::row(ui, "Time", |ui| {
        let seconds = |value: f64, _| {
            let ms = TURN_TIME_MS
                .get(value as usize)
                .copied()
                .unwrap_or_default();
            format!("{} s", ms / 1000)
        };
        ui.add(Slider::new(&mut settings.time, 0..=9).custom_formatter(seconds));
    });
    style::row(ui, "Speed", |ui| {
        ui.add(Slider::new(&mut settings.speed, 0..=9));
    });
    settings
}

/// What the Start and Stop buttons do, and the pass that no button does.
fn commands(ui: &mut Ui, bench: &mut Bench) {
    let press = |bench: &mut Bench, button| {
        bench.orders.write(Order::Input(Input::Press(button)));
        bench.orders.write(Order::Input(Input::Lift(button)));
    };
    ui.horizontal(|ui| {
        let playing = bench.shown.status.score.is_some() && bench.shown.status.outcome.is_none();
        let start = if playing { "Restart" } else { "Start" };
        if ui.add(style::wide(start, !playing)).clicked() {
            press(bench, Button::Start);
        }
        let hold = if bench.shown.status.held {
            "Go on"
        } else {
            "Hold"
        };
        if ui.add_enabled(playing, style::wide(hold, false)).clicked() {
            press(bench, Button::Stop);
        }
        if ui
            .add_enabled(playing, style::wide("Pass", false))
            .clicked()
        {
            bench.orders.write(Order::Input(Input::Pass));
        }
    });
}
