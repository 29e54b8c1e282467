//! Words for the things on a board, as people read and write them, for the shell, the
//! mirror and the window.

use firmware_core::games;
use protocol::{BEST_PLACES, Colour, Deed, Input, Layout, Light, Outcome, Packed, Rhythm, Roster};

/// The name of a game as in the manual; its number if this program does not know it.
#[must_use]
pub fn game_name(number: u8) -> String {
    let number_alone = || format!("game {}", Roster::letter(number));
    games::about(number).map_or_else(number_alone, |about| about.name.to_owned())
}

/// The number of the game with this number or name, in any case; `None` if this program
/// does not have it.
#[must_use]
pub fn game_number(word: &str) -> Option<u8> {
    let is_meant = |number: &u8| {
        let letter = Roster::letter(*number).to_string();
        word.eq_ignore_ascii_case(&letter) || game_name(*number).eq_ignore_ascii_case(word)
    };
    let all = games::BUILT.iter().chain([games::LAYOUTS_OWN]);
    all.into_iter().find(is_meant)
}

/// Why a game cannot be set to a mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModeError {
    /// The word is neither a number nor the letter of one.
    #[error("`{0}` is not a mode: write its number, as in `mode=2`")]
    NotAMode(String),
    /// The game has fewer modes.
    #[error("{} has no mode {mode}: choose 0 to {}", game_name(*.game), modes.saturating_sub(1))]
    NoSuchMode {
        /// The number of the game.
        game: u8,
        /// The mode that was asked for.
        mode: u8,
        /// The number of modes of the game.
        modes: u8,
    },
}

/// Parses a mode. Only the board may know which modes the game has: see [`check_mode`].
/// From 10 on, the board shows a letter, which is also accepted.
///
/// # Errors
/// [`ModeError::NotAMode`].
pub fn mode_number(word: &str) -> Result<u8, ModeError> {
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.as_str().is_empty());
    word.parse()
        .ok()
        .or_else(|| letter.and_then(Roster::number))
        .ok_or_else(|| ModeError::NotAMode(word.to_owned()))
}

/// Refuses a mode that the game does not have, before any setting is changed.
///
/// # Errors
/// [`ModeError::NoSuchMode`].
pub fn check_mode(game: u8, mode: u8) -> Result<(), ModeError> {
    let modes = games::about(game).map_or(u8::MAX, |about| about.modes);
    match mode < modes {
        true => Ok(()),
        false => Err(ModeError::NoSuchMode { game, mode, modes }),
    }
}

/// The games of a roster, each with its number: `0 Reversi, 5 CountLines and 9
/// SpeedGo`.
#[must_use]
pub fn games(roster: Roster) -> String {
    let both = |number| format!("{} {}", Roster::letter(number), game_name(number));
    let mut names: Vec<String> = roster.iter().map(both).collect();
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => "none".to_owned(),
    }
}

/// Why a board with these games does not have this one; `None` if it does.
#[must_use]
pub fn why_not_here(game: u8, roster: Roster) -> Option<String> {
    (!roster.has(game)).then(|| {
        format!(
            "{} is not on this board, which has {}{}",
            game_name(game),
            games(roster),
            match games::about(game) {
                Some(_) => format!(
                    ": one that is started here with `--games {}` has it",
                    Roster::letter(game)
                ),
                None => String::new(),
            }
        )
    })
}

/// An input: `touch d4`, `press Start`.
#[must_use]
pub fn input(input: Input, layout: Layout) -> String {
    match input {
        Input::Touch(point) => format!("touch {}", layout.name(point)),
        Input::Release(point) => format!("release {}", layout.name(point)),
        Input::Press(button) => format!("press {button:?}"),
        Input::Lift(button) => format!("lift {button:?}"),
        Input::Pass => "pass".to_owned(),
    }
}

/// What a contact did: `d4 closes`, `start opens`.
#[must_use]
pub fn contact(contact: Input, layout: Layout) -> String {
    match contact {
        Input::Touch(point) => format!("{} closes", layout.name(point)),
        Input::Release(point) => format!("{} opens", layout.name(point)),
        Input::Press(button) => format!("{} closes", button.name()),
        Input::Lift(button) => format!("{} opens", button.name()),
        Input::Pass => "pass".to_owned(),
    }
}

/// A deed in words: `touch d4`, `choose Reversi`, `reset with seed 7`.
#[must_use]
pub fn deed(deed: &Deed, layout: Layout) -> String {
    match deed {
        Deed::Input(input) => self::input(*input, layout),
        Deed::Choose(game) => format!("choose {}", game_name(*game)),
        Deed::Settings(settings) => format!("settings for {}", game_name(settings.game)),
        Deed::Position(_) => "set up a position".to_owned(),
        Deed::Reset { seed, .. } => format!("reset with seed {seed}"),
    }
}

/// A light: its colour, and its rhythm if it blinks.
#[must_use]
pub fn light(light: Light) -> String {
    let colour = light.colour().name();
    match light.rhythm() {
        Rhythm::Steady => colour.to_owned(),
        rhythm => format!("{colour} {}", rhythm.name()),
    }
}

/// The colour with this name, or with this letter in rows.
#[must_use]
pub fn colour(word: &str) -> Option<Colour> {
    let mut letters = word.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Colour::from_letter(letter);
    }
    Colour::from_name(word)
}

/// Puts the outcome of a game in words.
#[must_use]
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won(protocol::Side::Green) => "green wins",
        Outcome::Won(protocol::Side::Red) => "red wins",
        Outcome::Draw => "a draw",
    }
}

/// `times` beeps of this pitch in a row.
#[must_use]
pub fn bleeps(pitch_hz: u16, times: u32) -> String {
    match times {
        0 | 1 => format!("bleep {pitch_hz} Hz"),
        times => format!("bleep {pitch_hz} Hz, {times} times"),
    }
}

/// The best scores of a mode, highest first, without empty places.
#[must_use]
pub fn best(points: [u32; BEST_PLACES]) -> Vec<u32> {
    points
        .into_iter()
        .take_while(|points| *points > 0)
        .collect()
}

/// Why a text is not the colours of all points of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsError {
    /// There are fewer or more rows than the board has.
    #[error(
        "{}, but this board has {wanted}: write them from the top, with / between",
        these_rows(*.given)
    )]
    Rows {
        /// The number of rows in the text.
        given: usize,
        /// The number of rows of the board.
        wanted: usize,
    },
    /// A row has fewer or more points than that row of the board.
    #[error(
        "row {row} from the top, `{text}`, has {given} points, but this board has {wanted} {}",
        where_points_are(*.layout)
    )]
    Points {
        /// The number of the row, from 1 at the top.
        row: usize,
        /// The text of the row.
        text: String,
        /// The number of points in the text.
        given: usize,
        /// The number of points in the row of the board.
        wanted: usize,
        /// The layout of the board.
        layout: Layout,
    },
    /// This character is not the letter of a colour.
    #[error("`{letter}` in row {row} is not a point: write . for off, g, r or a for amber")]
    Letter {
        /// The character.
        letter: char,
        /// The number of the row, from 1 at the top.
        row: usize,
    },
}

fn these_rows(count: usize) -> String {
    match count {
        1 => "this is one row".to_owned(),
        other => format!("these are {other} rows"),
    }
}

fn where_points_are(layout: Layout) -> &'static str {
    layout.sides().map_or("there", |_| "columns")
}

/// Reads the colours of all points, row by row from the top: `.gr../.....`.
///
/// # Errors
/// [`RowsError::Rows`] and [`RowsError::Points`] if the text does not fit the layout,
/// [`RowsError::Letter`] if a character is not a colour.
pub fn rows(text: &str, layout: Layout) -> Result<Packed, RowsError> {
    let rows: Vec<&str> = text.split('/').collect();
    let (given, wanted) = (rows.len(), usize::from(layout.rows()));
    if given != wanted {
        return Err(RowsError::Rows { given, wanted });
    }
    let mut points = Packed::default();
    for ((row, text), own) in (1..).zip(rows).zip(layout.in_rows()) {
        let (given, wanted) = (text.chars().count(), own.clone().count());
        if given != wanted {
            return Err(RowsError::Points {
                row,
                text: text.to_owned(),
                given,
                wanted,
                layout,
            });
        }
        for (point, letter) in own.zip(text.chars()) {
            let colour = Colour::from_letter(letter);
            points.set(point, colour.ok_or(RowsError::Letter { letter, row })?);
        }
    }
    Ok(points)
}

/// The rows of a board from the top, with a letter for each point.
#[must_use]
pub fn letters(points: &Packed, layout: Layout) -> Vec<String> {
    let letter = |point| points.get(point).letter();
    layout
        .in_rows()
        .map(|row| row.map(letter).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_found_by_number_and_name() {
        for number in games::NUMBERS {
            assert_eq!(game_number(&number.to_string()), Some(*number));
            assert_eq!(
                game_number(&game_name(*number).to_uppercase()),
                Some(*number)
            );
        }
        assert_eq!(game_number("chess"), None);
        assert_eq!(game_number(""), None);
    }

    #[test]
    fn every_colour_is_found_by_its_name() {
        for index in 0..16 {
            let one = Colour::new(index);
            assert_eq!(colour(one.name()), Some(one));
            assert_eq!(colour(&one.letter().to_string()), Some(one));
        }
        assert_eq!(colour("grue"), None);
    }
}
