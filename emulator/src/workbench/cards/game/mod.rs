//! The card of the game: its status, and the five settings.

mod standing;

pub use standing::result_words;

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::{Real, Res, ResMut, Resource, Time};
use bevy_egui::egui::{self, ComboBox, Slider, Ui, vec2};
use firmware_core::games;
use firmware_core::panel::TURN_TIME_MS;
use protocol::{Button, Deed, Input, Layout, Roster, Settings};
use touchboard_host::games::{Guide, find, how_to};
use touchboard_host::standing::{
    Situation, is_for_one, kind, phase, players, why_no_effect, why_no_pass,
};

use crate::leaving::Leaving;
use crate::source::{Bring, WindowCommand, seat};
use crate::workbench::Bench;
use crate::workbench::beside::Told;
use crate::workbench::clock::RunningClock;
use crate::workbench::hint::Hint;
use crate::workbench::legend::Legend;
use crate::workbench::story::Story;
use crate::workbench::style::{self, STEP};
use crate::workbench::take_back;

/// The state of the card between pictures: the displayed clock, and the last choice of a
/// game with its time.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Face {
    hand: RunningClock,
    of_game: Option<u8>,
    chosen_at: Option<Duration>,
}

/// The inputs of the card besides what the board shows.
#[derive(SystemParam)]
pub struct Known<'w> {
    /// The events of the game, in words.
    pub story: Res<'w, Story>,
    /// What the lights of the board mean.
    pub legend: Res<'w, Legend>,
    face: ResMut<'w, Face>,
    leaving: ResMut<'w, Leaving>,
    hint: Res<'w, Hint>,
    time: Res<'w, Time<Real>>,
}

impl Known<'_> {
    /// The question before a game is left while it is open, or else the current
    /// hint.
    pub fn hint(&self) -> Option<&str> {
        let now = self.time.elapsed();
        match self.leaving.is_asked(now) {
            true => Some(LEAVES),
            false => self.hint.sentence(now),
        }
    }
}

/// The question before a game is left for a new one.
const LEAVES: &str = "Leave this game for a new one? START (n) again: yes. Esc: play on.";

/// Shows the card of the game.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    style::card(ui, "", |ui| {
        // Narrow spacing: this card should be visible without scrolling.
        ui.spacing_mut().item_spacing.y = STEP * 0.5;
        let old = bench.shown.status.settings;
        let stays = stays(bench, &old);
        standing::show(ui, bench, stays);
        ui.add_space(STEP * 0.25);
        commands(ui, bench);
        ui.add_space(STEP * 0.5);
        let new = match is_folded(ui, bench) {
            true => old,
            false => {
                let new = settings(ui, old);
                sizes(ui, bench);
                new
            }
        };
        if new != old {
            change(bench, old, new);
        }
    });
}

/// The games that can be chosen: those of the board and, if the board can be
/// replaced, all games.
pub fn games(bench: &Bench) -> Roster {
    let all = match seat::can_bring(&bench.seat) {
        true => games::BUILT,
        false => bench.shown.roster,
    };
    all.or(bench.shown.roster.without(games::BUILT))
}

/// Chooses a game. Replaces the board if it has no room for the game.
pub fn choose(bench: &mut Bench, game: u8) {
    let now = bench.shown.status.settings;
    if game == now.game {
        return;
    }
    let mut settings = Settings {
        game,
        mode: 0,
        ..now
    };
    // With a level, the board itself would play a game for one person.
    let is_alone = now.level > 0 && is_for_one(&settings);
    if is_alone {
        settings.level = 0;
    }
    let stays = bench.shown.roster.has(game) && suits(bench, game);
    if stays {
        // The board determines the settings that come with the game.
        bench.commands.write(WindowCommand::Do(Deed::Choose(game)));
        if is_alone {
            bench
                .commands
                .write(WindowCommand::Do(Deed::Settings(settings)));
        }
    } else if is_alone {
        bench.bring.write(Bring::Settings(settings));
    } else {
        bench.bring.write(Bring::Game(game));
    }
}

/// True if the current board suits a game: it has room for it, and does not have a layout
/// that was made for another game.
fn suits(bench: &Bench, game: u8) -> bool {
    let layout = bench.shown.layout;
    let is_square = layout.columns() == layout.rows();
    let made_for = games::about(game).map(|about| (about.made_for)(0));
    let is_its_own = made_for.is_some_and(|sides| Some(sides) == layout.sides());
    let has_room = seat::has_room(layout, game, 0);
    has_room && (is_square || is_its_own || !seat::can_bring(&bench.seat))
}

/// A note about the level after a different game was chosen, if it changes who
/// plays: from a game that the board plays to one that it does not, or the other way.
fn stays(bench: &mut Bench, now: &Settings) -> Option<String> {
    let time = bench.game.time.elapsed();
    let face = &mut *bench.game.face;
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
fn is_folded(ui: &mut Ui, bench: &Bench) -> bool {
    if !style::is_narrow(ui.ctx()) || !phase(&bench.shown.status).is_on() {
        return false;
    }
    let id = ui.id().with("settings");
    let mut is_folded = ui.data(|data| data.get_temp(id)).unwrap_or(true);
    let words = match is_folded {
        true => settings_words(bench),
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
    if response.told("Mode, level, time and board").clicked() {
        is_folded = !is_folded;
        ui.data_mut(|data| data.insert_temp(id, is_folded));
    }
    is_folded
}

/// The height of the line of folded settings.
const FOLDED_HEIGHT: f32 = 22.0;

/// The settings in one line, as far as they have an effect: `mode 0, level 1, 120 s, 9x9`.
fn settings_words(bench: &Bench) -> String {
    let settings = bench.shown.status.settings;
    let has_effect = |button| why_no_effect(&settings, button).is_none();
    let modes = games::about(settings.game).map_or(1, |about| about.modes);
    let ms = TURN_TIME_MS.get(usize::from(settings.time));
    let parts = [
        (modes > 1).then(|| format!("mode {}", Roster::letter(settings.mode))),
        has_effect(Button::Level).then(|| match settings.level {
            0 => "level off".to_owned(),
            level => format!("level {level}"),
        }),
        has_effect(Button::Time).then(|| format!("{} s", ms.copied().unwrap_or_default() / 1_000)),
        has_effect(Button::Speed).then(|| format!("speed {}", settings.speed)),
        bench.shown.layout.sides().map(|sides| sides.to_string()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Draws the choice of the board's size.
fn sizes(ui: &mut Ui, bench: &mut Bench) {
    let settings = bench.shown.status.settings;
    let Some(now) = bench.shown.layout.sides() else {
        return;
    };
    let Some(sides) = find(settings.game)
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
            let seed = bench.seat.place.seed.unwrap_or_default();
            bench
                .commands
                .write(WindowCommand::Do(Deed::Reset { seed, layout }));
            bench
                .commands
                .write(WindowCommand::Do(Deed::Settings(settings)));
        }
    });
}

/// Changes settings of the chosen game. If a mode is larger than the board, the board is
/// replaced by one that has room for it.
pub fn change(bench: &mut Bench, old: Settings, new: Settings) {
    if new.mode != old.mode && lacks_room(bench, &new) {
        bench.bring.write(Bring::Settings(new));
    } else {
        bench.commands.write(WindowCommand::Do(Deed::Settings(new)));
    }
}

/// True if these settings need a larger board, and the board can be replaced.
fn lacks_room(bench: &Bench, settings: &Settings) -> bool {
    let layout = bench.shown.layout;
    seat::can_bring(&bench.seat) && !seat::has_room(layout, settings.game, settings.mode)
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
        style::row(ui, "Time", |ui| turn_time(ui, &mut settings.time));
    }
    if has_effect(Button::Speed) {
        style::row(ui, "Speed", |ui| {
            ui.add(Slider::new(&mut settings.speed, 0..=9));
        });
    }
    settings
}

/// Draws the control of the time per turn, in seconds.
fn turn_time(ui: &mut Ui, time: &mut u8) {
    let seconds = |value: f64, _| {
        let ms = TURN_TIME_MS
            .get(value as usize)
            .copied()
            .unwrap_or_default();
        format!("{} s", ms / 1000)
    };
    // Typed numbers are seconds, too; the nearest time that the board has is used.
    let time_of = |text: &str| {
        let wanted: f64 = text.trim().trim_end_matches('s').trim().parse().ok()?;
        let away = |ms: &u32| (f64::from(*ms) / 1_000.0 - wanted).abs();
        let times = TURN_TIME_MS.iter().enumerate();
        let nearest = times.min_by(|(_, one), (_, other)| away(one).total_cmp(&away(other)));
        nearest.map(|(time, _)| time as f64)
    };
    let slider = Slider::new(time, 0..=9).custom_formatter(seconds);
    ui.add(slider.custom_parser(time_of));
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
    let name = |mode: u8| {
        let name = names.get(usize::from(mode)).map_or("", |mode| mode.name);
        format!("{}  {name}", Roster::letter(mode))
    };
    let mut chosen = settings.mode;
    ComboBox::from_id_salt("mode")
        .wrap()
        .selected_text(name(settings.mode))
        .width(ui.available_width())
        .show_ui(ui, |ui| {
            for mode in 0..modes {
                ui.selectable_value(&mut chosen, mode, name(mode));
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
        let response = ui.add_enabled_ui(why_not.is_none(), choose).response;
        if let Some(why) = why_not {
            response.told_why_not(why);
        }
    });
}

/// Draws the Start and Stop buttons, and those for passing and taking back, which have no
/// button on the board.
fn commands(ui: &mut Ui, bench: &mut Bench) {
    let is_on = phase(&bench.shown.status).is_on();
    let width = (ui.available_width() - COMMAND_GAP) / 2.0;
    ui.spacing_mut().item_spacing.x = COMMAND_GAP;
    if style::is_narrow(ui.ctx()) {
        ui.spacing_mut().button_padding.x = 4.0;
    }
    match (is_chosen_against_whom(bench), width < LEAST_COMMAND) {
        (true, _) => {
            ui.horizontal(|ui| {
                start(ui, bench, is_on, width);
                hold(ui, bench, is_on, width);
            });
        }
        (false, false) => {
            ui.horizontal(|ui| against_whom(ui, bench, width));
        }
        (false, true) => against_whom(ui, bench, 2.0 * width + COMMAND_GAP),
    }
    ui.horizontal(|ui| {
        take_back_button(ui, bench, width);
        pass(ui, bench, width);
    });
}

/// Draws the buttons that begin the first game, in this width.
pub fn begin(ui: &mut Ui, bench: &mut Bench, width: f32) {
    ui.spacing_mut().item_spacing.x = COMMAND_GAP;
    ui.horizontal(|ui| match is_chosen_against_whom(bench) {
        true => start(ui, bench, false, width),
        false => against_whom(ui, bench, (width - COMMAND_GAP) / 2.0),
    });
}

/// The number of players of the chosen game, and its mode.
pub fn kind_words(bench: &Bench) -> String {
    kind(&bench.shown.status.settings, bench.shown.layout)
}

/// Why START begins no game on this board, and what does; `None` if it begins
/// one.
pub fn why_no_start(bench: &Bench) -> Option<String> {
    let Settings { game, mode, .. } = bench.shown.status.settings;
    let layout = bench.shown.layout;
    if seat::has_room(layout, game, mode) {
        return None;
    }
    let sides = (games::about(game)?.made_for)(mode);
    let what = match seat::can_bring(&bench.seat) {
        true => "The button above brings one",
        false => "Choose another game",
    };
    let this = layout.sides().map_or_else(
        || "this one is drawn".to_owned(),
        |own| format!("this one has {own}"),
    );
    Some(format!("It needs a board of {sides}, and {this}. {what}."))
}

/// The gap between two commands, in points.
const COMMAND_GAP: f32 = 4.0;
/// The narrowest button with the words of who plays, in points.
const LEAST_COMMAND: f32 = 112.0;
/// Height of a command, in points.
const COMMAND_HEIGHT: f32 = 28.0;

/// A command's button, filled if it is the one to press next.
fn command(text: &str, accent: bool, width: f32) -> egui::Button<'_> {
    style::wide(text, accent).min_size(vec2(width, COMMAND_HEIGHT))
}

/// False before a game that either the board or a second person may play.
pub fn is_chosen_against_whom(bench: &Bench) -> bool {
    let status = &bench.shown.status;
    let plays = games::about(status.settings.game).is_some_and(|about| about.board_can_play);
    let is_for_two = players(&status.settings, bench.shown.layout) == 2;
    let may_ask = plays && is_for_two && !lacks_room(bench, &status.settings);
    phase(status) != Situation::NoGame || !may_ask
}

/// Draws two buttons, which start a game against the board or for two people. The filled
/// one does the same as START on the board.
fn against_whom(ui: &mut Ui, bench: &mut Bench, width: f32) {
    let now = bench.shown.status.settings;
    let plays = now.level > 0;
    let board = ui.add(command("▶ One player", plays, width));
    let board = board.told(match plays {
        true => "What START does at this level: you are green, the board is red.  n",
        false => "Sets level 1 and presses START: you are green, the board is red.",
    });
    let two = ui.add(command("▶ Two players", !plays, width));
    let two = two.told(match plays {
        true => "Turns the level off and presses START: green and red take turns.",
        false => "What START does with the level off: green and red take turns.  n",
    });
    let level = match board.clicked() {
        true => now.level.max(1),
        false => 0,
    };
    if (two.clicked() || board.clicked()) && level != now.level {
        let settings = Settings { level, ..now };
        bench
            .commands
            .write(WindowCommand::Do(Deed::Settings(settings)));
    }
    if two.clicked() || board.clicked() {
        press(bench, Button::Start);
    }
}

fn press(bench: &mut Bench, button: Button) {
    for input in [Input::Press(button), Input::Lift(button)] {
        bench.commands.write(WindowCommand::Do(Deed::Input(input)));
    }
}

fn start(ui: &mut Ui, bench: &mut Bench, is_on: bool, width: f32) {
    let settings = bench.shown.status.settings;
    let is_over = phase(&bench.shown.status) == Situation::Over;
    // The game was chosen with the board's own buttons, which cannot change the layout.
    let lacks_room = !is_on && lacks_room(bench, &settings);
    let why_not = why_no_start(bench).filter(|_| !is_on && !lacks_room);
    let start = match (is_on, lacks_room) {
        (true, _) => "New game",
        (false, false) if is_over => "▶ Play again",
        (false, true) if bench.shown.layout.sides().is_some() => "Enlarge",
        (false, true) => "Its board",
        (false, false) => "▶ Start",
    };
    let now = bench.game.time.elapsed();
    let is_asked = is_on && bench.game.leaving.is_asked(now);
    let start = match is_asked {
        true if width < LEAST_COMMAND => "Leave it?",
        true => "Leave this game?",
        false => start,
    };
    let mut button = command(start, !is_on, width);
    if is_asked {
        let edge = egui::Stroke::new(1.0, style::warning());
        button = button.stroke(edge);
    }
    let start = ui.add_enabled(why_not.is_none(), button);
    let start = match why_not {
        Some(why) => start.told_why_not(why),
        None => start,
    };
    if start.clicked() && lacks_room {
        bench.bring.write(Bring::Settings(settings));
    } else if start.clicked() && bench.game.leaving.is_sure(&bench.shown.status, now) {
        press(bench, Button::Start);
    }
    start.told(match lacks_room {
        true => "A board that has room for it.",
        false => "START on the board.  n",
    });
}

fn hold(ui: &mut Ui, bench: &mut Bench, is_on: bool, width: f32) {
    let is_held = phase(&bench.shown.status) == Situation::Paused;
    // After a move was taken back, the game is not paused, but its clock is stopped.
    let is_stopped = is_on && !is_held && take_back::stands_still(&bench.waits, &bench.shown);
    let hold = match (is_stopped, is_held) {
        (true, _) => "Redo",
        (false, true) => "Resume",
        (false, false) => "Pause",
    };
    let hold = ui.add_enabled(is_on, command(hold, is_held, width));
    let hold = hold.told_why_not("No game is on.");
    let hold = hold.told(match (is_stopped, is_held) {
        (true, _) => "Plays again what was taken back. To play differently, touch the board.",
        (false, true) => "STOP on the board: the game goes on.  h",
        (false, false) => "STOP on the board: the game waits and its clocks stop.  h",
    });
    if hold.clicked() && is_stopped {
        let pace = bench.shown.pace.toggled();
        bench.commands.write(WindowCommand::Pace(pace));
    } else if hold.clicked() {
        press(bench, Button::Stop);
    }
}

/// Draws the button that takes back the last move.
fn take_back_button(ui: &mut Ui, bench: &mut Bench, width: f32) {
    let moment = take_back::moment(&bench.game.story, &bench.log, &bench.shown);
    let answers = bench.shown.link.answers();
    let button = ui.add_enabled(
        answers && moment.is_some(),
        command("Take back", false, width),
    );
    let button = button.told(match phase(&bench.shown.status) {
        Situation::NoGame => "Brings back the game that was left.  Backspace",
        _ => "Undoes your last move or pass and what followed it.  Backspace",
    });
    let button = button.told_why_not("There is no move to take back.");
    if let Some(moment) = moment.filter(|_| button.clicked()) {
        take_back::take_back(&mut bench.commands, &mut bench.waits, moment);
    }
}

fn pass(ui: &mut Ui, bench: &mut Bench, width: f32) {
    let why_not = why_no_pass(&bench.shown.status, &bench.shown.frame.display);
    let mut pass = ui.add_enabled(why_not.is_none(), command("Pass", false, width));
    if let Some(why) = why_not {
        pass = pass.told_why_not(why);
    }
    if pass.told("Gives the turn away.  p").clicked() {
        bench
            .commands
            .write(WindowCommand::Do(Deed::Input(Input::Pass)));
    }
}
