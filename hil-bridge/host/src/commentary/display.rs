//! The board's display in words, for a reader without the manual.
//!
//! The display has twelve characters, so it abbreviates. `095_0` is the five settings, one
//! character each in the order of their buttons (Game, Time, Speed, Level, Mode);
//! `18        26` is a score. Invariants: everything that a board can show has words; the
//! numbers in them are those of the display or, where it has no room, of the status.
//!
//! ```
//! use touchboard_host::display;
//! use protocol::{Layout, Status};
//!
//! let words = display::words("095_0", &Status::default(), Layout::MALDOO);
//! assert_eq!(
//!     words,
//!     "Game 0 Reversi, Time 9 (2:00), Speed 5, Level – (two people), Mode 0 Classic"
//! );
//! ```

#[cfg(test)]
mod tests;

use firmware_core::games::{self};
use protocol::{DISPLAY_CHARACTERS, Layout, Roster, Settings, Status, Text};

use crate::games::{self as guides, Middle, MiddleReading};
use crate::{standing, written};

/// Puts the text of a display in words.
#[must_use]
pub fn words(display: &str, status: &Status, layout: Layout) -> String {
    let shown = display.trim();
    if shown.is_empty() {
        return "The display is dark".to_owned();
    }
    let settings = &status.settings;
    let name = written::game_name(settings.game, layout);
    if shown == &*Text::<DISPLAY_CHARACTERS>::clipped(&name) {
        return format!("Game {} {name}", Roster::letter(settings.game));
    }
    if let Some(read) = read(shown, settings) {
        return self::settings(&read, layout);
    }
    if let Some(notice) = notice(shown, settings) {
        return notice;
    }
    let Some(score) = status.score else {
        return shown.to_owned();
    };
    let middle = middle(display, shown, status);
    let counts = standing::is_count_of_pieces(settings, layout);
    let what = counts.then(|| "the pieces on the board".to_owned());
    let end = status.outcome.map(|outcome| {
        let ended = standing::how_it_ended(settings, outcome);
        format!("the game is over: {ended}")
    });
    let parts = [Some(self::score(settings, score, shown)), what, middle, end];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Puts all five settings in words.
#[must_use]
pub fn settings(settings: &Settings, layout: Layout) -> String {
    let Settings {
        game,
        time,
        speed,
        mode,
        ..
    } = *settings;
    let mode_name = written::how_to(game, layout)
        .and_then(|rules| rules.guide.modes.get(usize::from(mode)).copied())
        .filter(|_| games::about(game).is_some_and(|about| about.modes > 1))
        .map_or_else(String::new, |mode| format!(" {}", mode.name));
    format!(
        "Game {} {}, Time {time} ({}), Speed {speed}, Level {}, Mode {}{mode_name}",
        Roster::letter(game),
        written::game_name(game, layout),
        time_of_a_turn(settings),
        level(settings, layout),
        Roster::letter(mode),
    )
}

/// The time limit of a turn in words.
fn time_of_a_turn(settings: &Settings) -> String {
    match standing::turn_time_s(settings) {
        Some(_) => standing::turn_time(settings.time),
        None => "no clock".to_owned(),
    }
}

/// The level as the display shows it, and who plays.
fn level(settings: &Settings, layout: Layout) -> String {
    let plays = games::about(settings.game).is_some_and(|about| about.board_can_play);
    let players = standing::players(settings, layout);
    match settings.level {
        level @ 1.. if plays && standing::is_for_two(settings) && players == 2 => {
            format!("{level} (the board plays red)")
        }
        level @ 1.. if plays && players > 0 => format!("{level} (the board plays)"),
        _ if players == 0 => "– (it plays by itself)".to_owned(),
        _ if players == 1 => "– (one person)".to_owned(),
        _ => "– (two people)".to_owned(),
    }
}

/// The settings that this text shows. The level is taken from `now` if the display does
/// not show it.
fn read(shown: &str, now: &Settings) -> Option<Settings> {
    let characters: Vec<char> = shown.chars().collect();
    let [game, time, speed, level, mode] = characters[..] else {
        return None;
    };
    let digit = |character: char| Some(character.to_digit(10)? as u8);
    let read = Settings {
        game: Roster::number(game)?,
        time: digit(time)?,
        speed: digit(speed)?,
        level: match level {
            '_' => 0,
            level => digit(level)?,
        },
        mode: Roster::number(mode)?,
    };
    let is_known = read.game == now.game || games::about(read.game).is_some();
    is_known.then_some(read)
}

/// The meaning of a text that is shown for two seconds, or in place of a score.
fn notice(shown: &str, settings: &Settings) -> Option<String> {
    let best = |place| {
        format!("{}, among the best scores of this mode", {
            let mut words = standing::best_place(place);
            words[..1].make_ascii_uppercase();
            words
        })
    };
    Some(match shown {
        "Time is up" => match standing::at_time_out(settings) {
            Some(then) => format!("The time of a turn is over: {then}"),
            None => "The time is over".to_owned(),
        },
        "Too small" => "This board is too small for the game".to_owned(),
        "Grid only" => "This game needs a rectangular board".to_owned(),
        "New best" => best(1),
        "2nd best" => best(2),
        "3rd best" => best(3),
        "4th best" => best(4),
        "5th best" => best(5),
        "Which one?" => {
            "Several moves begin like this: touch one of the blinking points".to_owned()
        }
        "Cannot go on" => {
            "The next move takes more than a board has: the game ends, drawn".to_owned()
        }
        _ => return None,
    })
}

/// The two numbers of a score with their names: `Green 18, Red 26`.
fn score(settings: &Settings, [first, second]: [u32; 2], shown: &str) -> String {
    let [one, other] = standing::score_names(settings).map(capital);
    let unit = standing::score_unit(settings);
    // In a task for one player: how many are found, of how many.
    let of = shown
        .split_whitespace()
        .next()
        .and_then(|left| left.split_once('/'));
    match of {
        Some((_, all)) => format!("{one} {first} of {all}, {other} {second}{unit}"),
        None => format!("{one} {first}, {other} {second}{unit}"),
    }
}

fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

/// The meaning of the text between the two numbers of the score, or in place of them.
fn middle(display: &str, shown: &str, status: &Status) -> Option<String> {
    if status.paused {
        return Some("the game is held".to_owned());
    }
    if status.outcome.is_some() {
        return None;
    }
    // The middle is four characters between two numbers of four, or between one of six
    // and one of two.
    let middle = Middle {
        display,
        shown,
        settings: &status.settings,
    };
    let guide = guides::find(status.settings.game);
    match guide.map_or(MiddleReading::Usual, |guide| guide.middle(&middle)) {
        MiddleReading::Own(words) => words,
        MiddleReading::Usual => standing::turns_left(status).or_else(|| {
            // A clock that the display shows outside of a turn.
            let seconds: u32 = middle.part(6, 10).parse().ok()?;
            let is_shown = shown.contains('/');
            is_shown.then(|| format!("{seconds} s left"))
        }),
    }
}
