//! Board time: run, pause, step, back, how fast; and a session of it.

use bevy_egui::egui::{self, RichText, Slider, Ui};
use protocol::Tick;

use super::Bench;
use super::style;
use crate::source::{Order, Pace, Save};

/// Shows the card.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    style::card(ui, "BOARD TIME", |ui| {
        let pace = bench.shown.pace;
        ui.horizontal(|ui| {
            let text = if pace.paused { "Run" } else { "Pause" };
            let text = RichText::new(text);
            let toggle = if pace.paused {
                egui::Button::new(text.color(style::ON_ACCENT)).fill(style::ACCENT)
            } else {
                egui::Button::new(text)
            };
            if ui.add(toggle.min_size(egui::vec2(80.0, 28.0))).clicked() {
                bench.orders.write(Order::Pace(Pace {
                    paused: !pace.paused,
                    ..pace
                }));
            }
            for (text, ticks) in [("+1 ms", 1), ("+100 ms", 100)] {
                let step = egui::Button::new(text).min_size(egui::vec2(80.0, 28.0));
                if ui.add_enabled(pace.paused, step).clicked() {
                    bench.orders.write(Order::Step(ticks));
                }
            }
        });
        let (now, earliest) = (bench.clock.0, bench.shown.earliest);
        ui.horizontal(|ui| {
            for (text, ticks) in [("−100 ms", 100), ("−1 s", 1_000), ("−10 s", 10_000)] {
                let can = earliest.is_some_and(|earliest| earliest < now);
                let back = egui::Button::new(text).min_size(egui::vec2(80.0, 28.0));
                if ui.add_enabled(can, back).clicked() {
                    bench.orders.write(Order::GoTo(now.saturating_sub(ticks)));
                }
            }
        });
        if let Some(earliest) = earliest {
            style::row(ui, "Tape", |ui| wind(ui, bench, earliest));
        }
        style::row(ui, "Rate", |ui| {
            let mut speed = pace.speed;
            let slider = Slider::new(&mut speed, 0.1..=100.0)
                .logarithmic(true)
                .max_decimals(1)
                .suffix("×");
            if ui.add(slider).changed() {
                bench.orders.write(Order::Pace(Pace { speed, ..pace }));
            }
            if pace.speed != 1.0 && ui.small_button("1×").clicked() {
                bench.orders.write(Order::Pace(Pace { speed: 1.0, ..pace }));
            }
        });
        if earliest.is_some() {
            style::row(ui, "", |ui| keep(ui, bench));
        }
    });
}

/// All the time that one can go to.
fn wind(ui: &mut Ui, bench: &mut Bench, earliest: Tick) {
    let now = bench.clock.0;
    let mut tick = now;
    let latest = bench.shown.latest.max(now).max(earliest + 1);
    let slider = Slider::new(&mut tick, earliest..=latest)
        .custom_formatter(|tick, _| format!("{:.1} s", tick / 1000.0));
    if ui.add(slider).changed() && tick != now {
        bench.orders.write(Order::GoTo(tick));
    }
}

/// Writes what was done into a file.
fn keep(ui: &mut Ui, bench: &mut Bench) {
    if ui.button("Save session").clicked() {
        bench.save.write(Save);
    }
    if let Some(path) = &bench.saved.0 {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ui.label(RichText::new(name).small().color(style::FAINT));
    }
}
