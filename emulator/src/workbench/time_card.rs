//! Board time: run, pause, step, back, how fast; and a session of it.

use bevy::prelude::*;
use bevy_egui::egui::{RichText, Slider, Ui};
use protocol::Tick;

use super::Bench;
use super::style;
use crate::keys::{Deed, Phase, Stroke};
use crate::source::{Order, Pace, Save, Shown};

/// The rates that keys go to.
const RATES: [f32; 10] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// Does what the keys say of board time.
pub fn follow_keys(
    mut strokes: MessageReader<Stroke>,
    shown: Res<Shown>,
    mut orders: MessageWriter<Order>,
) {
    let mut pace = shown.pace;
    for stroke in strokes.read().filter(|stroke| stroke.phase != Phase::Up) {
        let next = match stroke.deed {
            Deed::Freeze if stroke.phase == Phase::Down => Pace {
                paused: !pace.paused,
                ..pace
            },
            Deed::Faster => Pace {
                speed: faster(pace.speed),
                ..pace
            },
            Deed::Slower => Pace {
                speed: slower(pace.speed),
                ..pace
            },
            Deed::Step(ticks) if pace.paused => {
                orders.write(Order::Step(ticks));
                continue;
            }
            _ => continue,
        };
        pace = next;
        orders.write(Order::Pace(pace));
    }
}

/// The next rate over this one.
fn faster(speed: f32) -> f32 {
    let mut rates = RATES.into_iter();
    rates.find(|rate| *rate > speed).unwrap_or(speed)
}

/// The next rate below this one.
fn slower(speed: f32) -> f32 {
    let mut rates = RATES.into_iter().rev();
    rates.find(|rate| *rate < speed).unwrap_or(speed)
}

/// Shows the card.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    style::card(ui, "BOARD TIME", |ui| {
        let pace = bench.shown.pace;
        let (now, earliest) = (bench.clock.0, bench.shown.earliest);
        ui.horizontal(|ui| {
            let text = if pace.paused { "Run" } else { "Pause" };
            if ui.add(style::wide(text, pace.paused)).clicked() {
                bench.orders.write(Order::Pace(Pace {
                    paused: !pace.paused,
                    ..pace
                }));
            }
            let can = earliest.is_some_and(|earliest| earliest < now);
            for (text, ticks) in [("−100 ms", 100), ("−1 s", 1_000)] {
                if ui.add_enabled(can, style::wide(text, false)).clicked() {
                    bench.orders.write(Order::GoTo(now.saturating_sub(ticks)));
                }
            }
        });
        ui.horizontal(|ui| {
            if ui.add(style::wide("Save", false)).clicked() {
                bench.save.write(Save);
            }
            for (text, ticks) in [("+1 ms", 1), ("+100 ms", 100)] {
                if ui
                    .add_enabled(pace.paused, style::wide(text, false))
                    .clicked()
                {
                    bench.orders.write(Order::Step(ticks));
                }
            }
        });
        if let Some(path) = &bench.saved.0 {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = RichText::new(format!("saved as {name}"));
            ui.label(text.small().color(style::FAINT));
        }
        if let Some(earliest) = earliest {
            style::row(ui, "Tape", |ui| wind(ui, bench, earliest));
        }
        style::row(ui, "Rate", |ui| rate(ui, bench));
    });
}

/// How fast board time goes.
fn rate(ui: &mut Ui, bench: &mut Bench) {
    let pace = bench.shown.pace;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_through_the_rates_one_by_one_and_stop_at_the_ends() {
        let ups: Vec<f32> = RATES.into_iter().map(faster).collect();
        assert_eq!(ups[..9], RATES[1..]);
        assert_eq!(ups[9], 100.0);
        assert_eq!(slower(0.1), 0.1);
        assert_eq!(slower(1.7), 1.0);
        assert_eq!(faster(1.7), 2.0);
    }
}
