//! Board time: run, pause, step, and how fast.

use bevy_egui::egui::{self, RichText, Slider, Ui};

use super::Bench;
use super::style;
use crate::source::{Order, Pace};

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
    });
}
