//! The text form of positions: in the shell, in sessions, and for people.
//!
//! In most games a position is what is visible: rows of colours from the top, and the
//! side to move. A game with a form of its own writes its number and then hexadecimal
//! digits, or words that its guide ([`crate::games`]) defines.

use firmware_core::{AnyBoard, games as core_games};
use protocol::{Diagram, Layout, List, POSITION_BYTES, Position, Roster, Side};
use serde_json::{Value, json};

use crate::games::{self, Guide, PositionText};
use crate::hex::{bytes_of, hex_of};
use crate::position_error::PositionTextError;
use crate::words::{self, RowsError};

fn written(game: u8) -> Option<&'static PositionText> {
    games::find(game).and_then(Guide::position)
}

/// The game to whose own form a position belongs that begins with this word, such as
/// `A:`. No row can look like such a word.
#[must_use]
pub fn game_of(word: &str) -> Option<u8> {
    let mut letters = word.strip_suffix(':')?.chars();
    let letter = letters.next()?;
    let is_alone = letters.next().is_none();
    is_alone.then(|| Roster::number(letter)).flatten()
}

/// A position in this game's own form, from hexadecimal digits.
///
/// # Errors
/// [`PositionTextError::NotBytes`].
pub fn own(game: u8, digits: &str) -> Result<Position, PositionTextError> {
    let bytes = bytes_of(digits).filter(|bytes| bytes.len() <= POSITION_BYTES);
    let bytes = bytes.ok_or_else(|| PositionTextError::NotBytes(digits.to_owned()))?;
    Ok(Position::Own {
        game,
        bytes: bytes.into_iter().collect::<List<u8, POSITION_BYTES>>(),
    })
}

/// The syntax of the command for a position in the own form of this game.
#[must_use]
pub fn usage(game: u8) -> &'static str {
    written(game).map_or("position A: 000102", |written| written.usage)
}

/// The syntax for each game whose own form has words.
pub fn usages() -> impl Iterator<Item = &'static str> {
    games::all()
        .filter_map(Guide::position)
        .map(|written| written.usage)
}

/// A position in this game's own form, from words or digits; `None` if the game has no
/// words, so that only digits are possible.
///
/// # Errors
/// A [`PositionTextError`] of the game, or [`PositionTextError::NotBytes`].
pub fn in_words(
    game: u8,
    text: &str,
    layout: Layout,
) -> Option<Result<Position, PositionTextError>> {
    let written = written(game)?;
    let are_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if are_digits {
        return Some(own(game, text));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let bytes = (written.read)(&words, layout);
    Some(bytes.map(|bytes| Position::Own {
        game,
        bytes: bytes.into_iter().collect(),
    }))
}

/// Why a board of this layout, with this game and mode chosen, refuses a position; `None`
/// if the board's own refusal already says everything.
#[must_use]
pub fn why_refused(position: &Position, game: u8, mode: u8, layout: Layout) -> Option<String> {
    let Position::Own { game: own, bytes } = position else {
        return None;
    };
    if *own != game && core_games::about(*own).is_some() {
        let (own, name) = (words::game_name(*own), words::game_name(game));
        return Some(format!(
            "this is a position of {own}, and {name} is chosen: choose it with `set game={}`",
            own.to_lowercase()
        ));
    }
    games::find(*own)?.why_position_refused(bytes, mode, layout)
}

/// The position on a board, in a form that can be set up again: the game's own form if it
/// has one, or else the visible lights. `None` if no game is running, or it is over and
/// no side is to move.
#[must_use]
pub fn on(board: &AnyBoard) -> Option<Position> {
    let game = board.game_played()?;
    if let Some(own) = written(game) {
        let bytes = (own.of_board)(board)?.into_iter().collect();
        return Some(Position::Own { game, bytes });
    }
    let points = board.frame().points_seen(board.tick());
    let turn = board.turn()?;
    Some(Diagram { points, turn }.into())
}

/// A position as it is written after the word `position`.
#[must_use]
pub fn written_out(position: &Position, layout: Layout) -> String {
    match position {
        Position::Diagram(diagram) => {
            format!("{} turn {}", rows(diagram, layout), diagram.turn.name())
        }
        Position::Own { game, bytes } => {
            let text = written(*game).and_then(|written| (written.write)(bytes, layout));
            let text = text.unwrap_or_else(|| hex_of(bytes));
            format!("{}: {text}", Roster::letter(*game))
        }
    }
}

/// A sentence about a position that is set up.
#[must_use]
pub fn sentence(position: &Position, layout: Layout) -> String {
    match position {
        Position::Diagram(diagram) => {
            let turn = diagram.turn.name();
            let rows = rows(diagram, layout);
            format!("a position is set up, {turn} to move: {rows}")
        }
        Position::Own { game, bytes } => {
            let name = words::game_name(*game);
            let text = written(*game).and_then(|written| (written.write)(bytes, layout));
            let text = text.unwrap_or_else(|| hex_of(bytes));
            format!("a position of {name} is set up: {text}")
        }
    }
}

/// A position as a value in a session.
#[must_use]
pub fn value(position: &Position, layout: Layout) -> Value {
    match position {
        Position::Diagram(diagram) => {
            json!({ "rows": rows(diagram, layout), "turn": diagram.turn.name() })
        }
        Position::Own { game, bytes } => json!({ "game": game, "bytes": hex_of(bytes) }),
    }
}

/// Why a value in a session is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionValueError {
    /// The value of this key is missing, or not a text.
    #[error("{0:?} of a position has to be a text")]
    NotAText(&'static str),
    /// The game is not a number that a game can have.
    #[error("\"game\" of a position has to be the number of a game")]
    NotAGame,
    /// The side to move is neither green nor red.
    #[error("\"turn\" has to be green or red")]
    NotASide,
    /// The bytes of the game's own form are wrong.
    #[error(transparent)]
    Own(#[from] PositionTextError),
    /// The rows do not fit the board.
    #[error(transparent)]
    Rows(#[from] RowsError),
}

/// Reads the position that [`value`] wrote.
///
/// # Errors
/// [`PositionValueError::NotAText`] if a part is missing, another [`PositionValueError`]
/// if it is wrong.
pub fn of_value(value: &Value, layout: Layout) -> Result<Position, PositionValueError> {
    let text = |key| {
        let text = value.get(key).and_then(Value::as_str);
        text.ok_or(PositionValueError::NotAText(key))
    };
    if let Some(game) = value.get("game") {
        let game = game.as_u64().and_then(|game| u8::try_from(game).ok());
        let game = game.ok_or(PositionValueError::NotAGame)?;
        return Ok(own(game, text("bytes")?)?);
    }
    let points = words::rows(text("rows")?, layout)?;
    let turn = text("turn")?;
    let turn = Side::BOTH.into_iter().find(|side| side.name() == turn);
    let turn = turn.ok_or(PositionValueError::NotASide)?;
    Ok(Diagram { points, turn }.into())
}

fn rows(diagram: &Diagram, layout: Layout) -> String {
    words::letters(&diagram.points, layout).join("/")
}

#[cfg(test)]
mod tests {
    use protocol::{Colour, Packed, Point};

    use super::*;

    fn short() -> Position {
        own(10, "00ff7f").unwrap()
    }

    #[test]
    fn a_row_is_not_read_as_the_letter_of_a_game() {
        for index in 0..Colour::COUNT {
            let letter = Colour::new(index as u8).letter().to_string();
            assert_eq!(game_of(&letter), None, "{letter}");
            assert_ne!(letter, ":");
        }
        assert_eq!(game_of("A:"), Some(10));
        assert_eq!(game_of("0:"), Some(0));
        for word in ["AA:", ":", "", "A", "?:"] {
            assert_eq!(game_of(word), None, "{word}");
        }
    }

    #[test]
    fn a_position_in_a_games_own_form_reads_back_as_written() {
        let layout = Layout::MALDOO;
        let written = value(&short(), layout);
        assert_eq!(written, json!({ "game": 10, "bytes": "00ff7f" }));
        assert_eq!(of_value(&written, layout), Ok(short()));
        let longest = "5a".repeat(POSITION_BYTES);
        let longest = own(255, &longest).unwrap();
        assert_eq!(of_value(&value(&longest, layout), layout), Ok(longest));
    }

    #[test]
    fn a_position_of_malaka_has_words() {
        let words = "O a1x2 c3 X b4+ g9x2 dice 2 3 turn green";
        let layout = Layout::MALDOO;
        let position = in_words(10, words, layout).unwrap().unwrap();
        assert_eq!(
            sentence(&position, layout),
            format!("a position of Malaka is set up: {words}")
        );
        assert_eq!(of_value(&value(&position, layout), layout), Ok(position));
        assert_eq!(usage(10).split(' ').nth(1), Some("A:"));
        let error = in_words(10, "O a1", layout).unwrap().unwrap_err();
        assert!(matches!(error, PositionTextError::Missing { .. }));
        assert!(error.to_string().contains("who moves"), "{error}");
    }

    #[test]
    fn a_diagram_is_written_as_its_rows() {
        let layout = Layout::grid(3, 2).unwrap();
        let mut points = Packed::default();
        points.set(Point(1), Colour::GREEN);
        points.set(Point(5), Colour::RED);
        let turn = Side::Red;
        let position = Position::Diagram(Diagram { points, turn });
        let written = value(&position, layout);
        assert_eq!(written, json!({ "rows": ".g./..r", "turn": "red" }));
        assert_eq!(of_value(&written, layout), Ok(position));
    }

    #[test]
    fn a_wrong_position_is_refused_with_a_sentence() {
        let too_long = "00".repeat(POSITION_BYTES + 1);
        for digits in ["0", "0g", "+1", too_long.as_str()] {
            let sentence = own(10, digits).unwrap_err().to_string();
            assert!(sentence.contains("two hexadecimal digits"), "{sentence}");
        }
        for (text, words) in [
            (r#"{"game":300,"bytes":""}"#, "number of a game"),
            (r#"{"game":10}"#, "\"bytes\""),
            (r#"{"turn":"red"}"#, "\"rows\""),
            ("7", "\"rows\""),
        ] {
            let value = serde_json::from_str(text).unwrap();
            let sentence = of_value(&value, Layout::MALDOO).unwrap_err().to_string();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }
}
