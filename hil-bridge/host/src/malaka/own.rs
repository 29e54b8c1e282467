//! A position in words: `O a1x2 c3 X g9x2 b4+ dice 2 3 turn green`.
//!
//! `O` and `X` are followed by the points with that side's free pieces: `a1` has one,
//! `a1x2` two, and a trailing `+` means that a piece of the other side is pinned beneath.
//! `dice` (or `die`) gives the pips still to be played; if it is missing, the board
//! rolls. `turn` names the side to move, and `first` means O's first turn, with one die.
//! Blanks, commas and semicolons separate the words.
//!
//! Invariants: what is written is read as the same bytes.

use std::fmt::Write as _;

use firmware_core::games::malaka::{
    Dice, MOST_PILES, MalakaPoint, Own, Pile, Position, PositionError, Variant,
};
use protocol::{GridSize, List, Roster, Side};

use super::diagram::letter;
use crate::position_error::{PositionAdvice, PositionNumber, PositionTextError};

/// An example of a position in words, for help.
pub const USAGE: &str = "position A: O a1x2 c3 X g9x2 b4+ dice 2 3 turn green";

/// The section that a word belongs to.
enum Part {
    Pieces(Side),
    Dice,
    Turn,
}

/// Reads a position from its words.
///
/// # Errors
/// [`PositionTextError::Unexpected`], [`NotAPile`](PositionTextError::NotAPile),
/// [`NotANumber`](PositionTextError::NotANumber) or
/// [`NotASide`](PositionTextError::NotASide) for a wrong word;
/// [`Twice`](PositionTextError::Twice), [`TooManyPiles`](PositionTextError::TooManyPiles),
/// [`NoDice`](PositionTextError::NoDice) or [`Missing`](PositionTextError::Missing) for
/// words that are right only alone.
pub fn read(words: &str) -> Result<Own, PositionTextError> {
    let mut piles: Vec<(MalakaPoint, Pile)> = Vec::new();
    let (mut pips, mut turn, mut is_first) = (Vec::new(), None, false);
    let mut part = None;
    let words = words.split(|letter: char| letter.is_whitespace() || ",;".contains(letter));
    for word in words.filter(|word| !word.is_empty()) {
        match (word.to_ascii_lowercase().as_str(), &part) {
            ("o", _) => part = Some(Part::Pieces(Side::Green)),
            ("x", _) => part = Some(Part::Pieces(Side::Red)),
            ("dice" | "die", _) => part = Some(Part::Dice),
            ("turn", _) => part = Some(Part::Turn),
            ("first", _) => (is_first, part) = (true, None),
            (word, Some(Part::Pieces(side))) => piles.push(pile(word, *side)?),
            (word, Some(Part::Dice)) => pips.push(pip(word)?),
            (word, Some(Part::Turn)) => {
                let side = Side::BOTH.into_iter().find(|side| side.name() == word);
                turn = Some(side.ok_or_else(|| PositionTextError::NotASide {
                    word: word.to_owned(),
                    choices: "`turn green` or `turn red`",
                })?);
                part = None;
            }
            (word, None) => {
                return Err(PositionTextError::Unexpected {
                    word: word.to_owned(),
                    advice: PositionAdvice::Example(USAGE),
                });
            }
        }
    }
    piles.sort_by_key(|(place, _)| *place);
    if let Some(pair) = piles.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(PositionTextError::Twice(pair[0].0));
    }
    if piles.len() > MOST_PILES {
        return Err(PositionTextError::TooManyPiles(piles.len()));
    }
    let dice = Dice::of(&pips);
    let dice = dice.ok_or(PositionTextError::NoDice(pips))?;
    Ok(Own {
        turn: turn.ok_or(PositionTextError::Missing {
            what: "who moves is missing",
            advice: PositionAdvice::Words("write `turn green` or `turn red`"),
        })?,
        is_first,
        dice,
        piles: piles.into_iter().collect::<List<_, MOST_PILES>>(),
    })
}

/// Why a board with this grid cannot start a game in this mode from these bytes; `None`
/// if it can.
#[must_use]
pub fn why_refused(bytes: &[u8], mode: u8, sides: GridSize) -> Option<String> {
    let (own, variant) = (Own::read(bytes)?, Variant::of_mode(mode)?);
    let side = variant.side();
    if sides.columns().min(sides.rows()) < side {
        return Some(format!(
            "mode {} of Malaka does not fit a {sides} board: choose another mode, or a larger layout with `reset {side}x{side}`",
            Roster::letter(mode)
        ));
    }
    match own.position(variant) {
        Ok(position) => over(&position),
        Err(error) => Some(impossible(error, variant)),
    }
}

/// A sentence that explains why a position is impossible.
fn impossible(error: PositionError, variant: Variant) -> String {
    match error {
        PositionError::Place(place) => format!(
            "{place} is not on this board: its points are a1 to {}",
            variant.last()
        ),
        PositionError::Twice(place) => format!("{place} is named twice"),
        PositionError::Count { place, count, most } => {
            format!("there are {count} pieces on {place}: a side has 1 to {most} in this mode")
        }
        PositionError::Pieces { side, count, most } => format!(
            "{} has {count} pieces, pinned ones among them: it has {most} at most in this mode",
            letter(side)
        ),
        PositionError::Die { pips, sides } => {
            format!("a die shows {pips}: the dice of this mode show 1 to {sides}")
        }
        PositionError::FirstOfRed => {
            "`first` is O's first turn: write `turn green first`".to_owned()
        }
        PositionError::FirstDice(count) => {
            format!("`first` is a turn with one die, and {count} are to be played")
        }
    }
}

/// The sentence that a side has already won in this position; `None` if not.
fn over(position: &Position) -> Option<String> {
    let winner = position.winner()?;
    let (won, lost) = (letter(winner), letter(winner.other()));
    let edge = position.variant().home_edge(winner.other());
    let mut pinned = edge.filter(|place| {
        let pile = position.pile(*place);
        pile.is_some_and(|pile| pile.side == winner && pile.pins)
    });
    let why = match (position.pieces(winner), pinned.next()) {
        (0, _) => format!("{won} has no pieces left to connect"),
        (_, Some(place)) => format!("{lost} is pinned on its home edge, on {place}"),
        _ => format!("all pieces of {won} are connected with the home edge of {lost}"),
    };
    Some(format!(
        "the game would be over before it begins: {why}, and {won} has won"
    ))
}

fn pile(word: &str, side: Side) -> Result<(MalakaPoint, Pile), PositionTextError> {
    let (text, pins) = match word.strip_suffix('+') {
        Some(text) => (text, true),
        None => (word, false),
    };
    let (name, count) = text.split_once('x').unwrap_or((text, "1"));
    let count = count.parse().ok().filter(|count| (1..=24).contains(count));
    let place = name.parse().ok();
    let pile = place
        .zip(count)
        .map(|(place, count)| (place, Pile { side, count, pins }));
    pile.ok_or_else(|| PositionTextError::NotAPile(word.to_owned()))
}

fn pip(word: &str) -> Result<u8, PositionTextError> {
    let pips = word.parse().ok().filter(|pips| (1..=6).contains(pips));
    pips.ok_or_else(|| PositionTextError::NotANumber {
        word: word.to_owned(),
        what: PositionNumber::Pips,
    })
}

/// Writes a position in words.
#[must_use]
pub fn written(own: &Own) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        let _ = write!(text, "{} ", letter(side));
        for (place, pile) in own.piles.iter().filter(|(_, pile)| pile.side == side) {
            let count = if pile.count > 1 {
                format!("x{}", pile.count)
            } else {
                String::new()
            };
            let pins = if pile.pins { "+" } else { "" };
            let _ = write!(text, "{place}{count}{pins} ");
        }
    }
    if !own.dice.is_empty() {
        let _ = write!(text, "dice {} ", own.dice);
    }
    let _ = write!(text, "turn {}", own.turn.name());
    if own.is_first {
        text.push_str(" first");
    }
    text
}
