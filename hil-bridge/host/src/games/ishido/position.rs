//! The text form of a position of Ishido.
//!
//! ```text
//! Co10Wx/12/12/5P-6/6Y+5/12/12/O=10I* hand P* turn green points 12 0 four-ways 1 0 pouch C-C-P+
//! ```
//!
//! Rows are written from the top, with `/` between them: a stone as the letters of its
//! colour and its symbol, and a number for that many empty squares. Omitted parts have
//! their values at the start: a random stone in hand, green's turn, no points, and in the
//! pouch all stones that are neither on the board nor in hand (`pouch rest`).

use firmware_core::games::ishido::Laid;
use firmware_core::games::ishido::field::{COLUMNS, Field, PLACES, ROWS};
use firmware_core::games::ishido::pouch::RemainingStones;
use firmware_core::games::ishido::stone::Stone;
use protocol::Side;

use crate::games::PositionText;
use crate::position_error::{PositionAdvice, PositionNumber, PositionTextError};

/// The text form of Ishido's positions.
pub(super) const TEXT: PositionText = PositionText {
    usage: "position B: ROWS hand P* turn green points 12 0 four-ways 1 0 pouch C-C-P+",
    read: |words, _| read(words),
    write: |bytes, _| text_of(bytes),
    of_board: |board| Some(board.ishido()?.laid.bytes().to_vec()),
};

/// The syntax, for the message about an error.
const USAGE: PositionAdvice = PositionAdvice::Words(
    "write the rows from the top with / between them, a stone as its two letters and a number for empty squares, and then what differs from the start: hand P*, turn red, points 12 0, four-ways 1 0, pouch C-C-P+ or pouch empty",
);

/// Reads a position from its words.
fn read(words: &[&str]) -> Result<Vec<u8>, PositionTextError> {
    let mut words = words.iter().copied();
    let rows = words.next().ok_or(PositionTextError::Missing {
        what: "a position of Ishido needs rows",
        advice: USAGE,
    })?;
    let mut laid = Laid {
        field: field(rows)?,
        ..Laid::default()
    };
    let mut pouch = None;
    while let Some(word) = words.next() {
        let mut value = || {
            let value = words.next();
            value.ok_or_else(|| PositionTextError::NothingFollows {
                word: word.to_owned(),
                advice: USAGE,
            })
        };
        match word.to_ascii_lowercase().as_str() {
            "hand" => {
                let written = value()?;
                let [stone] = stones(written)?[..] else {
                    return Err(PositionTextError::NotOneStone(written.to_owned()));
                };
                laid.hand = Some(stone);
            }
            "turn" => {
                let written = value()?;
                let named = |side: &Side| side.name().eq_ignore_ascii_case(written);
                let side = Side::BOTH.into_iter().find(named);
                laid.turn = side.ok_or_else(|| PositionTextError::NotASide {
                    word: written.to_owned(),
                    choices: "green or red",
                })?;
            }
            "points" => laid.points = [number(value()?)?, number(value()?)?],
            "four-ways" => laid.four_ways = [number(value()?)?, number(value()?)?],
            "pouch" => pouch = Some(value()?),
            _ => {
                return Err(PositionTextError::NotAPart {
                    word: word.to_owned(),
                    what: "a part of a position of Ishido",
                    advice: USAGE,
                });
            }
        }
    }
    laid.pouch = match pouch {
        None => rest(&laid)?,
        Some(word) if word.eq_ignore_ascii_case("rest") => rest(&laid)?,
        Some(word) => in_pouch(word)?,
    };
    if !laid.is_sound() {
        return Err(PositionTextError::UnsoundStones);
    }
    Ok(laid.bytes().to_vec())
}

/// The text of a position; `None` if the bytes are not a position.
fn text_of(bytes: &[u8]) -> Option<String> {
    let laid = Laid::read(bytes)?;
    let mut text = rows(&laid.field);
    if let Some(hand) = laid.hand {
        text += &format!(" hand {}", letters(hand));
    }
    if laid.turn == Side::Red {
        text += " turn red";
    }
    for (word, [green, red]) in [
        ("points", laid.points),
        ("four-ways", laid.four_ways.map(u32::from)),
    ] {
        if green > 0 || red > 0 {
            text += &format!(" {word} {green} {red}");
        }
    }
    if rest(&laid) != Ok(laid.pouch) {
        let left =
            Stone::all().flat_map(|stone| (0..laid.pouch.of(stone)).map(move |_| letters(stone)));
        let left: String = left.collect();
        text += &format!(" pouch {}", if left.is_empty() { "empty" } else { &left });
    }
    Some(text)
}

fn letters(stone: Stone) -> String {
    stone.letters().into_iter().collect()
}

fn number<N: TryFrom<u32>>(word: &str) -> Result<N, PositionTextError> {
    let number = word
        .parse()
        .ok()
        .and_then(|number: u32| N::try_from(number).ok());
    number.ok_or_else(|| PositionTextError::NotANumber {
        word: word.to_owned(),
        what: PositionNumber::Points,
    })
}

/// All stones that are neither on the board nor in hand.
fn rest(laid: &Laid) -> Result<RemainingStones, PositionTextError> {
    let mut left = RemainingStones::ALL;
    let placed = laid.field.stones().map(|(_, stone)| stone);
    for stone in placed.chain(laid.hand) {
        left.take(stone)
            .ok_or(PositionTextError::TooManyStones(stone))?;
    }
    Ok(left)
}

/// The stones that the word after `pouch` lists.
fn in_pouch(word: &str) -> Result<RemainingStones, PositionTextError> {
    let mut left = RemainingStones::NONE;
    if word.eq_ignore_ascii_case("empty") {
        return Ok(left);
    }
    for stone in stones(word)? {
        left.add(stone)
            .ok_or(PositionTextError::TooManyStones(stone))?;
    }
    Ok(left)
}

/// Reads stones that are written without gaps.
fn stones(word: &str) -> Result<Vec<Stone>, PositionTextError> {
    let mut letters = word.chars();
    let mut stones = Vec::new();
    while let Some(colour) = letters.next() {
        let symbol = letters.next();
        let stone = symbol.and_then(|symbol| Stone::from_letters(colour, symbol));
        stones.push(stone.ok_or_else(|| no_stone(colour, symbol))?);
    }
    Ok(stones)
}

fn no_stone(colour: char, symbol: Option<char>) -> PositionTextError {
    PositionTextError::NotAStone(std::iter::once(colour).chain(symbol).collect())
}

/// The squares of these rows.
fn field(text: &str) -> Result<Field, PositionTextError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(ROWS) {
        return Err(PositionTextError::RowsOfIshido {
            given: rows.len(),
            advice: USAGE,
        });
    }
    let mut field = Field::default();
    for (row, text) in (0..ROWS).rev().zip(rows) {
        let mut column = 0_u8;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(mut empty) = letter.to_digit(10) {
                while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
                    empty = empty.saturating_mul(10).saturating_add(digit);
                    letters.next();
                }
                column = column.saturating_add(u8::try_from(empty).unwrap_or(u8::MAX));
                continue;
            }
            let symbol = letters.next();
            let stone = symbol.and_then(|symbol| Stone::from_letters(letter, symbol));
            let stone = stone.ok_or_else(|| no_stone(letter, symbol))?;
            if column < COLUMNS {
                field.put(row * COLUMNS + column, Some(stone));
            }
            column = column.saturating_add(1);
        }
        if column != COLUMNS {
            return Err(PositionTextError::Squares {
                row: text.to_owned(),
                squares: column,
            });
        }
    }
    Ok(field)
}

/// The rows of these squares.
fn rows(field: &Field) -> String {
    let mut text = String::new();
    for row in (0..PLACES / COLUMNS).rev() {
        let mut empty = 0;
        for column in 0..COLUMNS {
            match field.at(row * COLUMNS + column) {
                None => empty += 1,
                Some(stone) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text += &letters(stone);
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if row > 0 {
            text.push('/');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: &str = "Co10Wx/12/12/5P-6/6Y+5/12/12/O=10I*";

    fn read_text(text: &str) -> Result<Vec<u8>, PositionTextError> {
        read(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn omitted_parts_of_a_position_are_as_at_the_start() {
        let laid = Laid::read(&read_text(START).unwrap()).unwrap();
        assert_eq!(laid.pouch.len(), 66);
        assert_eq!(
            (laid.hand, laid.turn, laid.points),
            (None, Side::Green, [0; 2])
        );
        assert_eq!(laid.field.at(0), Stone::from_letters('O', '='));
        assert_eq!(laid.field.at(95), Stone::from_letters('W', 'x'));
        assert_eq!(laid.field.at(53), Stone::from_letters('P', '-'));
        assert_eq!(text_of(&laid.bytes()).as_deref(), Some(START));
    }

    #[test]
    fn all_parts_of_a_position_read_back_as_written() {
        let text = format!("{START} hand P* turn red points 12 7 four-ways 1 0 pouch C-C-P+");
        let position = read_text(&text).unwrap();
        assert_eq!(text_of(&position), Some(text));
        let text = format!("{START} hand P* pouch empty");
        assert_eq!(text_of(&read_text(&text).unwrap()), Some(text));
        let all = [START, "hand p*", "pouch REST"].join(" ");
        assert_eq!(
            text_of(&read_text(&all).unwrap()),
            Some(format!("{START} hand P*"))
        );
    }

    #[test]
    fn a_wrong_position_is_refused_with_a_sentence() {
        let with = |rest: &str| format!("{START} {rest}");
        for (text, words) in [
            (String::new(), "needs rows"),
            ("12/12".to_owned(), "8 are needed"),
            (START.replace("Co10", "Co11"), "has 13 squares"),
            (START.replace("Wx", "Rx"), "`Rx` is not a stone"),
            (with("hand"), "follow `hand`"),
            (with("hand C-P+"), "not one stone"),
            (with("turn blue"), "not a side"),
            (with("points 1"), "follow `points`"),
            (with("four-ways 256 0"), "`256` is not a number"),
            (with("pouch C"), "not a stone"),
            (with("pouch C-C-C-"), "more than two C-"),
            (with("hand Co pouch Co"), "two stones of each kind"),
            (with("luck 7"), "`luck` is not a part"),
            (
                "12/12/12/12/12/12/12/12".to_owned(),
                "on the board at least",
            ),
        ] {
            let sentence = read_text(&text).unwrap_err().to_string();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }

    proptest! {
        #[test]
        fn a_position_of_ishido_reads_back_as_written(
            squares in proptest::collection::vec((0..PLACES, 0..36_u8), 1..90),
            pouch in proptest::collection::vec(0..36_u8, 0..60),
            hand in 0..80_u8,
            red: bool,
            points: [u32; 2],
            four_ways: [u8; 2],
        ) {
            let mut all = RemainingStones::ALL;
            let mut laid = Laid {
                turn: if red { Side::Red } else { Side::Green },
                points,
                four_ways,
                ..Laid::default()
            };
            for (place, kind) in squares {
                let stone = Stone::of_kind(kind).unwrap();
                if laid.field.at(place).is_none() & all.take(stone).is_some() {
                    laid.field.put(place, Some(stone));
                }
            }
            laid.hand = Stone::of_kind(hand).filter(|stone| all.take(*stone).is_some());
            for kind in pouch {
                let stone = Stone::of_kind(kind).unwrap();
                if all.take(stone).is_some() {
                    laid.pouch.add(stone).unwrap();
                }
            }
            let text = text_of(&laid.bytes()).unwrap();
            let again = read_text(&text);
            prop_assert_eq!(again, Ok(laid.bytes().to_vec()), "{}", text);
        }
    }
}
