//! The card of the game: its status, and the five settings.

mod buttons;
mod captures;
mod ending;
mod score;
mod standing;

pub use buttons::{StartButtons, begin};
pub use captures::OpeningPieces;
pub use ending::{GameResult, result};

use std::time::Duration;

use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::{Res, ResMut, Resource};
use bevy_egui::egui::{self, ComboBox, Slider, Ui, vec2};
use firmware_core::games;
use firmware_core::panel::TURN_TIME_MS;
use protocol::{Button, Layout, Roster, Settings};
use touchboard_host::games::{Guide, find, how_to};
use touchboard_host::standing::{about_the_clock, phase, turn_time, turn_time_s, why_no_effect};

use crate::scene::marks::MarksOnBoard;
use crate::source::Shown;
use crate::switches::WindowSwitches;
use crate::theme::ChosenPalette;
use crate::workbench::HowToDrawer;
use crate::workbench::beside::HoverText;
use crate::workbench::clock::RunningClock;
use crate::workbench::lists::library::Library;
use crate::workbench::lists::picker::Picker;
use crate::workbench::orders::GameOrders;
use crate::workbench::style::{self, STEP};
use crate::workbench::take_back::GamePast;

/// The state of the card between pictures: the displayed clock, and the last choice of a
/// game with its time.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Face {
    hand: RunningClock,
    of_game: Option<u8>,
    chosen_at: Option<Duration>,
}

/// What the card reads and writes.
#[derive(SystemParam)]
pub struct GameCard<'w> {
    start: StartButtons<'w>,
    past: GamePast<'w>,
    face: ResMut<'w, Face>,
    picker: ResMut<'w, Picker>,
    library: ResMut<'w, Library>,
    palette: Res<'w, ChosenPalette>,
    switches: Res<'w, WindowSwitches>,
    marks: Option<Res<'w, MarksOnBoard>>,
    opening: ResMut<'w, OpeningPieces>,
    how_to: ResMut<'w, HowToDrawer>,
}

impl GameCard<'_> {
    fn shown(&self) -> &Shown {
        &self.start.orders.board.shown
    }
}

/// Shows the card of the game.
pub fn show(InMut(ui): InMut<Ui>, mut card: GameCard) {
    let card = &mut card;
    style::card(ui, "", |ui| {
        // Narrow spacing: this card should be visible without scrolling.
        ui.spacing_mut().item_spacing.y = STEP * 0.5;
        let old = card.shown().status.settings;
        let stays = level_note(card, &old);
        standing::show(ui, card, stays);
        ui.add_space(STEP * 0.25);
        buttons::show(ui, &mut card.start, &mut card.past);
        ui.add_space(STEP * 0.5);
        let new = match is_folded(ui, card.shown()) {
            true => old,
            false => {
                let new = settings(ui, old);
                sizes(ui, &mut card.start.orders);
                new
            }
        };
        if new != old {
            card.start.orders.change(new);
        }
    });
}

/// A note about the level after a different game was chosen, if it changes who
/// plays: from a game that the board plays to one that it does not, or the other way.
fn level_note(card: &mut GameCard, now: &Settings) -> Option<String> {
    let time = card.start.time.elapsed();
    let face = &mut *card.face;
    let board_plays = |game| games::about(game).is_some_and(|about| about.board_can_play);
    let before = face.of_game.replace(now.game);
    if let Some(before) = before.filter(|before| *before != now.game) {
        let is_other = board_plays(before) != board_plays(now.game);
        face.chosen_at = is_other.then_some(time);
    }
    let is_new = face
        .chosen_at
        .is_some_and(|at| time.saturating_sub(at) < STAYS_SAID);
    (is_new && now.level > 0).then(|| match board_plays(now.game) {
        true => format!("The level is still {}.", now.level),
        false => format!(
            "Level {} is kept for games that the board plays.",
            now.level
        ),
    })
}

/// The time for which the note about the level is shown.
const STAYS_SAID: Duration = Duration::from_secs(8);

/// True if the settings are one line: in a small window while a game is on, where the board
/// needs the room. A click on the line shows them, or folds them again.
fn is_folded(ui: &mut Ui, shown: &Shown) -> bool {
    if !style::is_narrow(ui.ctx()) || !phase(&shown.status).is_on() {
        return false;
    }
    let id = ui.id().with("settings");
    let mut is_folded = ui.data(|data| data.get_temp(id)).unwrap_or(true);
    let words = match is_folded {
        true => settings_words(shown),
        false => "Settings".to_owned(),
    };
    let size = vec2(ui.available_width(), FOLDED_HEIGHT);
    let (place, response) = ui.allocate_exact_size(size, egui::Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::CollapsingHeader, true, !is_folded, &words)
    });
    let colour = match response.hovered() {
        true => style::text(),
        false => style::faint(),
    };
    let font = egui::TextStyle::Small.resolve(ui.style());
    let left = place.left_center();
    let painter = ui.painter();
    painter.text(left, egui::Align2::LEFT_CENTER, words, font, colour);
    let way = if is_folded { 4.0 } else { -4.0 };
    let stroke = egui::Stroke::new(1.5, colour);
    style::chevron(ui, place.right_center() - vec2(6.0, 0.0), way, stroke);
    let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
    if response.hover_text("Mode, level, time and board").clicked() {
        is_folded = !is_folded;
        ui.data_mut(|data| data.insert_temp(id, is_folded));
    }
    is_folded
}

/// The height of the line of folded settings.
const FOLDED_HEIGHT: f32 = 22.0;

/// The settings in one line, as far as they have an effect: `mode 0, level 1, 2:00, 9x9`.
fn settings_words(shown: &Shown) -> String {
    let settings = shown.status.settings;
    let has_effect = |button| why_no_effect(&settings, button).is_none();
    let modes = games::about(settings.game).map_or(1, |about| about.modes);
    let parts = [
        (modes > 1).then(|| format!("mode {}", Roster::letter(settings.mode))),
        has_effect(Button::Level).then(|| match settings.level {
            0 => "level off".to_owned(),
            level => format!("level {level}"),
        }),
        turn_time_s(&settings).map(|_| turn_time(settings.time)),
        has_effect(Button::Speed).then(|| format!("speed {}", settings.speed)),
        shown.layout.sides().map(|sides| sides.to_string()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Draws the choice of the board's size.
fn sizes(ui: &mut Ui, orders: &mut GameOrders) {
    let game = orders.board.shown.status.settings.game;
    let Some(now) = orders.board.shown.layout.sides() else {
        return;
    };
    let Some(sides) = find(game)
        .map(Guide::square_boards)
        .filter(|sides| !sides.is_empty())
    else {
        return;
    };
    style::row(ui, "Board", |ui| {
        let is_now = |side: &u8| [now.columns(), now.rows()] == [*side; 2];
        let chosen = sides.iter().position(is_now);
        let chosen = chosen.map_or(u8::MAX, |chosen| chosen as u8);
        let names: Vec<String> = sides.iter().map(|side| format!("{side}x{side}")).collect();
        let clicked = style::one_of(ui, chosen, &names);
        let side = clicked.filter(|clicked| *clicked != chosen);
        let side = side.and_then(|clicked| sides.get(usize::from(clicked)));
        if let Some(layout) = side.and_then(|side| Layout::grid(*side, *side).ok()) {
            orders.change_layout(layout);
        }
    });
}

/// Draws the controls. Returns the settings that they show.
fn settings(ui: &mut Ui, mut settings: Settings) -> Settings {
    let modes = games::about(settings.game).map_or(1, |about| about.modes);
    // With a single mode there is nothing to choose.
    if modes > 1 {
        style::row(ui, "Mode", |ui| {
            settings.mode = one_of_the_modes(ui, &settings, modes);
        });
    }
    let of = settings;
    level_row(ui, &of, &mut settings.level);
    let has_effect = |button| why_no_effect(&of, button).is_none();
    if has_effect(Button::Time) {
        style::row(ui, "Time", |ui| turn_times(ui, &of, &mut settings.time));
    }
    if has_effect(Button::Speed) {
        style::row(ui, "Speed", |ui| {
            ui.add(Slider::new(&mut settings.speed, 0..=9));
        });
    }
    settings
}

/// Draws the control of the time for a turn.
fn turn_times(ui: &mut Ui, of: &Settings, time: &mut u8) {
    let shown = |value: f64, _| turn_time(value as u8);
    // The nearest time that the board has is used.
    let time_of = |text: &str| {
        let wanted = seconds_of(text)?;
        let away = |ms: &u32| (f64::from(*ms) / 1_000.0 - wanted).abs();
        let times = TURN_TIME_MS.iter().enumerate();
        let nearest = times.min_by(|(_, one), (_, other)| away(one).total_cmp(&away(other)));
        nearest.map(|(time, _)| time as f64)
    };
    let slider = Slider::new(time, 0..=9).custom_formatter(shown);
    let slider = ui.add(slider.custom_parser(time_of));
    if let Some(about) = about_the_clock(of) {
        slider.hover_text(style::words(ui, &about));
    }
}

/// The seconds that somebody typed as `90`, `90 s` or `1:30`.
fn seconds_of(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches('s').trim();
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let [minutes, seconds] = [minutes, seconds].map(|part| part.parse::<f64>().ok());
    Some(minutes? * 60.0 + seconds?)
}

/// The names of the levels 0 to 4.
const LEVELS: [&str; 5] = [
    "The board does not play.",
    "The board plays, level 1 of 4: the weakest.",
    "The board plays, level 2 of 4.",
    "The board plays, level 3 of 4.",
    "The board plays, level 4 of 4: the strongest.",
];

/// Draws the choice of a mode by name: a digit means nothing without the manual.
fn one_of_the_modes(ui: &mut Ui, settings: &Settings, modes: u8) -> u8 {
    let names = how_to(settings.game).map_or(&[][..], |text| text.modes);
    let name = |ui: &Ui, mode: u8| {
        let name = names.get(usize::from(mode)).map_or("", |mode| mode.name);
        format!("{}  {}", Roster::letter(mode), style::words(ui, name))
    };
    let mut chosen = settings.mode;
    ComboBox::from_id_salt("mode")
        .wrap()
        .selected_text(name(ui, settings.mode))
        .width(ui.available_width())
        .show_ui(ui, |ui| {
            for mode in 0..modes {
                let name = name(ui, mode);
                ui.selectable_value(&mut chosen, mode, name);
            }
        });
    chosen
}

/// Draws the row of the level. Where the level has no effect, the row is disabled and
/// says why.
fn level_row(ui: &mut Ui, of: &Settings, level: &mut u8) {
    let why_not = why_no_effect(of, Button::Level);
    style::row(ui, "Level", |ui| {
        let choose = |ui: &mut Ui| {
            let names = ["off", "1", "2", "3", "4"].map(str::to_owned);
            let meaning = |level: usize| LEVELS.get(level).copied().unwrap_or_default();
            *level = style::one_of_told(ui, *level, &names, meaning).unwrap_or(*level);
        };
        let response = style::enabled_ui(ui, why_not.is_none(), choose).response;
        if let Some(why) = why_not {
            response.hover_text_if_disabled(why);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_time_may_have_minutes() {
        let typed = ["90", " 90 s", "1:30", "2:00", "two"].map(seconds_of);
        let seconds = [90.0, 90.0, 90.0, 120.0].map(Some);
        assert_eq!(typed[..4], seconds);
        assert_eq!(typed[4], None);
    }
}
