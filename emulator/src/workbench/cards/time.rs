//! The card of board time: run, freeze, step, back, rate; and its session.
//!
//! Temporary text is below everything that can be pressed, so that nothing moves under a
//! finger.

use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::*;
use bevy_egui::egui::{self, Slider, Ui};
use protocol::Tick;

use crate::keys::{Meaning, Stroke, StrokePhase};
use crate::source::{BoardPace, BoardPlaces, BoardTime, FASTEST, RealRate, Shown, WindowCommand};
use crate::workbench::beside::HoverText;
use crate::workbench::board_state::CardState;
use crate::workbench::folds::{self, Folds};
use crate::workbench::style;
use crate::workbench::system::{self, Saving};
use crate::workbench::take_back::TouchWait;

/// The rates that the keys select.
const RATES: [f32; 15] = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 300.0, FASTEST,
];

/// Carries out the keys for board time.
pub fn follow_keys(
    mut strokes: MessageReader<Stroke>,
    shown: Res<Shown>,
    mut commands: MessageWriter<WindowCommand>,
) {
    if !shown.link.answers() {
        strokes.clear();
        return;
    }
    let mut pace = shown.pace;
    for stroke in strokes
        .read()
        .filter(|stroke| stroke.phase != StrokePhase::Up)
    {
        let next = match stroke.meaning {
            Meaning::Freeze if stroke.phase == StrokePhase::Down => pace.toggled(),
            Meaning::Faster => BoardPace {
                speed: faster(pace.speed),
                ..pace
            },
            Meaning::Slower => BoardPace {
                speed: slower(pace.speed),
                ..pace
            },
            Meaning::Step(ticks) => {
                pace = step(&mut commands, pace, WindowCommand::Step(ticks));
                continue;
            }
            Meaning::StepBack(ticks) if shown.past.earliest.is_some() => {
                pace = step(&mut commands, pace, WindowCommand::StepBack(ticks));
                continue;
            }
            _ => continue,
        };
        pace = next;
        commands.write(WindowCommand::Pace(pace));
    }
}

/// Steps forward or back, and freezes time first if it runs. Returns the resulting pace.
fn step(
    commands: &mut MessageWriter<WindowCommand>,
    pace: BoardPace,
    step: WindowCommand,
) -> BoardPace {
    let frozen = BoardPace {
        frozen: true,
        ..pace
    };
    if pace != frozen {
        commands.write(WindowCommand::Pace(frozen));
    }
    commands.write(step);
    frozen
}

/// The next higher rate.
fn faster(speed: f32) -> f32 {
    let mut rates = RATES.into_iter();
    rates.find(|rate| *rate > speed).unwrap_or(speed)
}

/// The next lower rate.
fn slower(speed: f32) -> f32 {
    let mut rates = RATES.into_iter().rev();
    rates.find(|rate| *rate < speed).unwrap_or(speed)
}

/// What the card shows and changes.
#[derive(SystemParam)]
pub struct TimeCard<'w> {
    shown: Res<'w, Shown>,
    now: Res<'w, BoardTime>,
    rate: Res<'w, RealRate>,
    places: Res<'w, BoardPlaces>,
    waits: Res<'w, TouchWait>,
    folds: ResMut<'w, Folds>,
    saving: Saving<'w>,
    commands: MessageWriter<'w, WindowCommand>,
}

/// Shows the card of board time.
pub fn show(InMut(ui): InMut<Ui>, mut card: TimeCard) {
    let card = &mut card;
    let colour = match card.shown.pace.frozen {
        true => style::warning(),
        false => style::faint(),
    };
    let state = CardState::new(colour, rate_words(&card.shown, &card.rate));
    let fold = card.folds.timeline;
    let timeline = folds::card(ui, "TIMELINE", fold, &state, |ui| content(ui, card));
    let folds = Folds {
        timeline,
        ..*card.folds
    };
    card.folds.set_if_neq(folds);
}

fn content(ui: &mut Ui, card: &mut TimeCard) {
    let answers = card.shown.link.answers();
    let pace = card.shown.pace;
    let earliest = card.shown.past.earliest;
    ui.horizontal(|ui| {
        let text = if pace.frozen { "Run" } else { "Freeze" };
        let run = style::add_enabled(ui, answers, style::wide(text, pace.frozen));
        let run = run.hover_text(FREEZE);
        if run.clicked() {
            card.commands.write(WindowCommand::Pace(pace.toggled()));
        }
        system::save_button(ui, &mut card.saving, &card.shown);
    });
    steps(ui, card);
    if let Some(earliest) = earliest {
        style::row(ui, "Time", |ui| wind(ui, card, earliest));
    }
    style::row(ui, "Rate", |ui| {
        style::enabled_ui(ui, answers, |ui| rate(ui, card));
    });
    match *card.waits {
        TouchWait::TakenBack => style::note(ui, "Taken back: time continues with the next touch."),
        TouchWait::Continued => style::note(ui, "Continued: time runs from the next touch on."),
        TouchWait::No => {}
    }
    if let Some(why) = why_off(card) {
        let sentence = format!("{}: {why}", rate_words(&card.shown, &card.rate));
        style::line(ui, &sentence, &sentence, style::warning());
    } else {
        // Its space remains, so that the items below do not jump.
        style::line(ui, "", "", style::faint());
    }
    system::saved(ui, &card.saving);
}

/// The difference between freezing and pausing, in words.
const FREEZE: &str = "Freezes the board, lights and all, as a debugger stops a program; or lets its time run. \
     Pause, above, is the board's own: the game waits, and its time runs.  f";

/// Draws the steps back and forward, in the order of time.
fn steps(ui: &mut Ui, card: &mut TimeCard) {
    let pace = card.shown.pace;
    let answers = card.shown.link.answers();
    let now = card.now.0;
    let can = card
        .shown
        .past
        .earliest
        .is_some_and(|earliest| earliest < now);
    let in_a_row = if style::is_narrow(ui.ctx()) { 2.0 } else { 4.0 };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::Vec2::splat(4.0);
        ui.spacing_mut().button_padding.x = 2.0;
        let width = ((ui.available_width() + 4.0) / in_a_row - 4.0).floor();
        let button = |text| style::wide(text, false).min_size(egui::vec2(width, 28.0));
        for (text, ticks, key) in [("−100 ms", 100, "Key <"), ("−1 ms", 1, "Key ,")] {
            let back = style::add_enabled(ui, can, button(text)).hover_text(key);
            if back
                .hover_text_if_disabled(why_not_back(&card.shown))
                .clicked()
            {
                step(&mut card.commands, pace, WindowCommand::StepBack(ticks));
            }
        }
        for (text, ticks, key) in [("+1 ms", 1, "Key ."), ("+100 ms", 100, "Key >")] {
            let step_on = style::add_enabled(ui, answers, button(text));
            if step_on.hover_text(key).clicked() {
                step(&mut card.commands, pace, WindowCommand::Step(ticks));
            }
        }
    });
}

/// Why time cannot go back now; an empty text if it can.
fn why_not_back(shown: &Shown) -> &'static str {
    match shown.past.earliest {
        _ if !shown.link.answers() => {
            "The board does not answer: its time can go back once it does."
        }
        None => "The board's state is not known yet.",
        Some(_) => "This is the earliest moment that is known.",
    }
}

/// The requested rate of board time, and the measured one if it differs.
pub fn rate_words(shown: &Shown, rate: &RealRate) -> String {
    let pace = shown.pace;
    if !shown.link.answers() {
        return "–".to_owned();
    }
    if pace.frozen {
        return "frozen".to_owned();
    }
    match rate.off(pace) {
        Some(measured) => format!("{measured:.2}× of {}", speed_words(pace.speed)),
        None => speed_words(pace.speed),
    }
}

/// A speed with as many digits as it needs.
fn speed_words(speed: f32) -> String {
    match speed < 0.1 {
        true => format!("{speed:.2}×"),
        false => format!("{speed:.1}×"),
    }
}

/// Why board time does not have the requested rate, if it does not.
fn why_off(card: &TimeCard) -> Option<&'static str> {
    let pace = card.shown.pace;
    // The fastest rate is a request to run as fast as possible.
    let measured = card.rate.off(pace).filter(|_| pace.speed < FASTEST)?;
    Some(match measured > pace.speed {
        true => "the board catches up",
        false => system::why_slow(&card.places.current.at),
    })
}

/// The room of the button that restores the usual rate, with its spacing.
const TO_USUAL: f32 = 34.0;
/// The least length of the slider beside that button.
const LEAST_SLIDER: f32 = 28.0;

/// Draws the controls of the rate.
fn rate(ui: &mut Ui, card: &mut TimeCard) {
    let pace = card.shown.pace;
    let mut speed = pace.speed;
    let is_usual = pace.speed == 1.0;
    if !is_usual {
        // The button takes its room from the slider, and widens nothing.
        let spacing = ui.spacing_mut();
        spacing.slider_width = (spacing.slider_width - TO_USUAL).max(LEAST_SLIDER);
    }
    let slider = Slider::new(&mut speed, 0.01..=FASTEST)
        .logarithmic(true)
        .max_decimals(2)
        .suffix("×");
    if ui.add(slider).changed() {
        card.commands
            .write(WindowCommand::Pace(BoardPace { speed, ..pace }));
    }
    let has_room = ui.available_width() >= TO_USUAL - ui.spacing().item_spacing.x;
    if !is_usual && has_room && ui.small_button("1×").clicked() {
        card.commands
            .write(WindowCommand::Pace(BoardPace { speed: 1.0, ..pace }));
    }
}

/// Draws the slider over all recorded time.
fn wind(ui: &mut Ui, card: &mut TimeCard, earliest: Tick) {
    let now = card.now.0;
    let mut tick = now;
    let span = reel(earliest, now, card.shown.past.latest);
    let slider =
        Slider::new(&mut tick, span).custom_formatter(|tick, _| format!("{:.1} s", tick / 1000.0));
    if ui.add(slider).changed() && tick != now {
        card.commands.write(WindowCommand::GoTo(tick));
    }
}

/// The range of the slider. At the end of the recording its handle is at the
/// right, even if the recording is empty.
fn reel(earliest: Tick, now: Tick, latest: Tick) -> std::ops::RangeInclusive<Tick> {
    let latest = latest.max(now);
    earliest.min(latest.saturating_sub(1))..=latest.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SessionPast;

    #[test]
    fn the_timeline_ends_at_its_right_even_when_empty() {
        assert_eq!(reel(0, 5_000, 4_000), 0..=5_000);
        assert_eq!(reel(0, 2_000, 4_000), 0..=4_000);
        assert_eq!(reel(5_000, 5_000, 5_000), 4_999..=5_000);
    }

    /// The commands after these keys, while time runs or is frozen.
    fn written_commands(frozen: bool, meanings: &[Meaning]) -> Vec<WindowCommand> {
        use bevy::ecs::system::RunSystemOnce;
        let mut world = World::new();
        world.init_resource::<Messages<WindowCommand>>();
        let mut strokes = Messages::<Stroke>::default();
        for meaning in meanings.iter().copied() {
            let phase = StrokePhase::Down;
            strokes.write(Stroke { meaning, phase });
        }
        world.insert_resource(strokes);
        world.insert_resource(Shown {
            pace: BoardPace {
                frozen,
                ..BoardPace::default()
            },
            past: SessionPast {
                earliest: Some(0),
                ..SessionPast::default()
            },
            ..Shown::default()
        });
        world.run_system_once(follow_keys).unwrap();
        world
            .resource_mut::<Messages<WindowCommand>>()
            .drain()
            .collect()
    }

    #[test]
    fn a_step_freezes_time_that_runs_and_then_steps() {
        let frozen = WindowCommand::Pace(BoardPace {
            frozen: true,
            ..BoardPace::default()
        });
        let steps = [Meaning::StepBack(1), Meaning::Step(100)];
        let stepped = [WindowCommand::StepBack(1), WindowCommand::Step(100)];
        assert_eq!(written_commands(true, &steps), stepped);
        let [first, second] = stepped;
        assert_eq!(written_commands(false, &steps), [frozen, first, second]);
    }

    #[test]
    fn keys_step_through_the_rates_and_stop_at_the_ends() {
        let ups: Vec<f32> = RATES.into_iter().map(faster).collect();
        assert_eq!(ups[..14], RATES[1..]);
        assert_eq!(ups[14], FASTEST);
        assert_eq!(slower(0.01), 0.01);
        assert_eq!(slower(1.7), 1.0);
        assert_eq!(faster(1.7), 2.0);
    }
}
