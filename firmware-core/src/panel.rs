//! The panel: the settings behind the five buttons, what the board remembers for each
//! game, key repeat, and what the display shows when it does not show a score.
//!
//! Invariants: the settings name a game that the board has and a mode that this game has;
//! time and speed are 0-9, level is 0-4.

use core::fmt::Write;

use postcard::experimental::max_size::MaxSize;
use protocol::{Button, DISPLAY_CHARACTERS, Refusal, Roster, Settings, Text, Tick};
use serde::{Deserialize, Serialize};

use crate::games;

/// Milliseconds for a move, for each Time setting. Time 5 is 30 s, the default of the
/// older Maldoo board; each setting is between a third and three fifths longer than the
/// one before. A freshly switched-on board has the longest time.
pub const TURN_TIME_MS: [u32; 10] = [
    5_000, 8_000, 12_000, 16_000, 22_000, 30_000, 45_000, 60_000, 90_000, 120_000,
];

/// How long a button is held before it repeats, in ticks.
pub const REPEAT_AFTER_MS: Tick = 500;
/// The interval between repeats, in ticks; see [`REPEAT_AFTER_MS`].
pub const REPEAT_EVERY_MS: Tick = 250;

/// How long the name of a game, or a changed setting, stays on the display, in ticks.
pub const SHOW_MS: Tick = 2_000;

const SPEEDS: u8 = 10;
const TIMES: u8 = TURN_TIME_MS.len() as u8;
/// The number of levels: 0, at which people alone play, to 4.
pub const LEVELS: u8 = 5;

/// The settings that the board remembers of a game that is not selected (Maldoo
/// manual, Buttons: speed and mode are game specific).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct Remembered {
    speed: u8,
    mode: u8,
}

impl Remembered {
    /// The settings of a game that was never selected.
    const NEW: Remembered = Remembered { speed: 5, mode: 0 };
}

/// A temporary notice on the display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum Notice {
    /// The name of the game.
    Name,
    /// The settings, one character each.
    Settings,
    /// The game does not fit this layout.
    TooSmall,
    /// The game only supports rectangles, and the layout is not one.
    GridOnly,
    /// A player has run out of time.
    TimeIsUp,
}

/// A button that is held down, and the tick at which it repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct Repeat {
    button: Button,
    at: Tick,
}

/// The effect of a change of settings on the current game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The game continues.
    Goes,
    /// The game is over: a different game or mode was chosen.
    Ends,
}

/// The state of the panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Panel {
    settings: Settings,
    memory: [Remembered; Roster::MOST],
    /// Bit `n`: `Button::ALL[n]` is down.
    down: u8,
    repeat: Option<Repeat>,
    notice: Option<(Notice, Tick)>,
}

impl Panel {
    /// The panel of a freshly switched-on board with these games, at tick 0. It shows the
    /// name of the game, and then the settings: `095_0` if the roster has game 0.
    #[must_use]
    pub fn new(roster: Roster) -> Panel {
        Panel {
            settings: Settings {
                game: match roster.has(games::LAYOUTS_OWN) {
                    true => games::LAYOUTS_OWN,
                    false => roster.first(),
                },
                ..Settings::default()
            },
            memory: [Remembered::NEW; Roster::MOST],
            down: 0,
            repeat: None,
            notice: Some((Notice::Name, SHOW_MS)),
        }
    }

    /// The settings: game, time, speed, level and mode.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The time for a move, in milliseconds.
    #[must_use]
    pub fn turn_time_ms(&self) -> u32 {
        TURN_TIME_MS
            .get(usize::from(self.settings.time))
            .copied()
            .unwrap_or(TURN_TIME_MS[5])
    }

    /// Handles a button that goes down. False if it was down already.
    pub fn press(&mut self, button: Button, now: Tick) -> bool {
        let bit = 1 << button as u8;
        let fresh = self.down & bit == 0;
        self.down |= bit;
        if fresh {
            self.repeat = repeats(button).then_some(Repeat {
                button,
                at: now + REPEAT_AFTER_MS,
            });
        }
        fresh
    }

    /// True while this button is down.
    #[must_use]
    pub fn is_pressed(&self, button: Button) -> bool {
        self.down & (1 << button as u8) != 0
    }

    /// Handles a button that comes up.
    pub fn lift(&mut self, button: Button) {
        self.down &= !(1 << button as u8);
        if self.repeat.is_some_and(|repeat| repeat.button == button) {
            self.repeat = None;
        }
    }

    /// The tick at which [`Panel::wake`] has something to do.
    #[must_use]
    pub fn wakes_at(&self) -> Option<Tick> {
        let repeat = self.repeat.map(|repeat| repeat.at);
        let notice = self.notice.map(|(_, until)| until);
        repeat.into_iter().chain(notice).min()
    }

    /// Removes a notice whose time is over, and returns the button that repeats now, if
    /// there is one.
    pub fn wake(&mut self, now: Tick) -> Option<Button> {
        if self.notice.is_some_and(|(_, until)| until <= now) {
            self.notice = None;
        }
        let repeat = self.repeat.as_mut().filter(|repeat| repeat.at <= now)?;
        repeat.at = now + REPEAT_EVERY_MS;
        Some(repeat.button)
    }

    /// Handles a press of one of the five setting buttons: increases the setting by one,
    /// or wraps from the highest value to the lowest.
    pub fn turn_up(&mut self, button: Button, roster: Roster, now: Tick) -> Change {
        let next = |value: u8, count: u8| (value + 1) % count.max(1);
        let mut settings = self.settings;
        match button {
            Button::Game => settings = self.remembered(roster.after(settings.game)),
            Button::Time => settings.time = next(settings.time, TIMES),
            Button::Speed => settings.speed = next(settings.speed, SPEEDS),
            Button::Level if !has_levels(settings.game) => {}
            Button::Level => settings.level = next(settings.level, LEVELS),
            Button::Mode => settings.mode = next(settings.mode, modes(settings.game)),
            Button::Start | Button::Stop => {}
        }
        self.take(settings, now)
    }

    /// Sets all settings, as if each had been set by its button.
    ///
    /// # Errors
    /// A [`Refusal`] if the game or mode does not exist or a value is out of range; then
    /// nothing is changed.
    pub fn set(
        &mut self,
        settings: Settings,
        roster: Roster,
        now: Tick,
    ) -> Result<Change, Refusal> {
        check(settings, roster)?;
        Ok(self.take(settings, now))
    }

    fn take(&mut self, settings: Settings, now: Tick) -> Change {
        let old = core::mem::replace(&mut self.settings, settings);
        if let Some(place) = self.memory.get_mut(usize::from(settings.game)) {
            *place = Remembered {
                speed: settings.speed,
                mode: settings.mode,
            };
        }
        let another_game = old.game != settings.game;
        self.show(
            if another_game {
                Notice::Name
            } else {
                Notice::Settings
            },
            now,
        );
        if another_game || old.mode != settings.mode {
            Change::Ends
        } else {
            Change::Goes
        }
    }

    /// The settings with which a game is chosen: speed and mode are those that were last
    /// used in it.
    #[must_use]
    pub fn remembered(&self, game: u8) -> Settings {
        let remembered = self.memory.get(usize::from(game)).copied();
        let Remembered { speed, mode } = remembered.unwrap_or(Remembered::NEW);
        Settings {
            game,
            speed,
            mode,
            ..self.settings
        }
    }

    /// Puts a notice on the display.
    pub fn show(&mut self, notice: Notice, now: Tick) {
        self.notice = Some((notice, now + SHOW_MS));
    }

    /// Takes the notice off the display.
    pub fn clear_notice(&mut self) {
        self.notice = None;
    }

    /// The notice on the display, or `None` if there is room for something else. `own`
    /// is the name of the layout's own game.
    #[must_use]
    pub fn notice(&self, own: Option<&str>) -> Option<Text<DISPLAY_CHARACTERS>> {
        let game = self.settings.game;
        Some(match self.notice?.0 {
            Notice::Name if game == games::LAYOUTS_OWN => Text::clipped(own?),
            Notice::Name => Text::clipped(games::about(game)?.name),
            Notice::Settings => self.settings_text(),
            Notice::TooSmall => Text::clipped("Too small"),
            Notice::GridOnly => Text::clipped("Grid only"),
            Notice::TimeIsUp => Text::clipped("Time is up"),
        })
    }

    /// The settings in the order Game, Time, Speed, Level, Mode, one character each:
    /// `095_0`. The level is an underscore when two people play, and in a game that the
    /// board does not play, whatever the level is in other games. A mode above 9 is a
    /// capital letter, like a game.
    #[must_use]
    pub fn settings_text(&self) -> Text<DISPLAY_CHARACTERS> {
        let [game, time, speed, level, mode] = self.settings.to_bytes();
        let mut text = Text::new();
        let [letter, mode] = [game, mode].map(Roster::letter);
        let _ = match level {
            1.. if has_levels(game) => write!(text, "{letter}{time}{speed}{level}{mode}"),
            _ => write!(text, "{letter}{time}{speed}_{mode}"),
        };
        text
    }

    /// False if this cannot be a panel's state.
    #[must_use]
    pub fn is_sound(&self, roster: Roster, now: Tick) -> bool {
        let latest = now.saturating_add(SHOW_MS);
        check(self.settings, roster).is_ok()
            && self.memory.iter().zip(0..).all(|(remembered, game)| {
                remembered.speed < SPEEDS && remembered.mode < modes(game).max(1)
            })
            && self.notice.is_none_or(|(_, until)| until <= latest)
            && self.repeat.is_none_or(|repeat| repeat.at <= latest)
    }
}

/// True for the buttons that repeat while they are held: those that increase a setting.
/// Start and Stop act only once.
fn repeats(button: Button) -> bool {
    !matches!(button, Button::Start | Button::Stop)
}

/// True for a game that the board can play at levels 1-4.
fn has_levels(game: u8) -> bool {
    games::about(game).is_some_and(|about| about.board_can_play)
}

fn modes(game: u8) -> u8 {
    games::about(game).map_or(0, |about| about.modes)
}

fn check(settings: Settings, roster: Roster) -> Result<(), Refusal> {
    let [game, time, speed, level, mode] = settings.to_bytes();
    let about = games::about(game).filter(|_| roster.has(game));
    let modes = about.ok_or(Refusal::NoSuchGame(game))?.modes;
    if mode >= modes {
        return Err(Refusal::NoSuchMode { mode, modes });
    }
    if time >= TIMES || speed >= SPEEDS || level >= LEVELS {
        return Err(Refusal::SettingOutOfRange);
    }
    Ok(())
}
