//! A board and its pieces as characters, for writing and reading positions.
//!
//! Invariants: different kinds of pieces with signs have different signs.

use firmware_core::cartridge::{Cartridge, LayoutGame};
use protocol::{KnownDrawing, Layout, Point, Side};

/// The game in a layout's drawing; `None` if it has none.
#[must_use]
pub fn game_of(known: &KnownDrawing) -> Option<LayoutGame<'_>> {
    LayoutGame::looked_through(known.as_drawing())
}

/// The letter of each kind of piece: the first letter of its name that no earlier kind has.
#[must_use]
pub fn letters(cartridge: &Cartridge<'_>) -> Vec<char> {
    let mut names: Vec<(&str, char)> = Vec::new();
    let kinds = 0..cartridge.pieces();
    kinds
        .map(|what| {
            // The same piece of another player has a number at the end of its name.
            let name = cartridge
                .name_of_piece(what as u8)
                .trim_end_matches(|c: char| c.is_ascii_digit());
            let known = names.iter().find(|(known, _)| *known == name);
            let is_free = |letter: &char| names.iter().all(|(_, taken)| taken != letter);
            let mut own = name
                .chars()
                .flat_map(char::to_uppercase)
                .filter(char::is_ascii);
            let letter = known
                .map(|(_, letter)| *letter)
                .or_else(|| own.find(is_free))
                .unwrap_or('?');
            names.push((name, letter));
            letter
        })
        .collect()
}

/// The signs for pieces of nobody, if there are several kinds.
const SIGNS: [char; 8] = ['*', '+', '#', '%', '&', '@', '!', '$'];

/// The character of each kind; `None` for a kind that is written as its number.
#[must_use]
pub fn signs(cartridge: &Cartridge<'_>, swapped: bool) -> Vec<Option<char>> {
    let side = |what: usize| side_of(cartridge.owner(what as u8), swapped);
    let kinds = || 1..cartridge.pieces();
    let are_alike = [None, Some(Side::Green), Some(Side::Red)]
        .into_iter()
        .all(|of| kinds().filter(|what| side(*what) == of).count() < 2);
    let letters = letters(cartridge);
    let mut signs: Vec<Option<char>> = vec![None];
    for what in kinds() {
        let letter = letters.get(what).copied().filter(char::is_ascii_alphabetic);
        let nobodys = signs
            .iter()
            .flatten()
            .filter(|sign| SIGNS.contains(sign))
            .count();
        let sign = match (are_alike, side(what)) {
            (true, None) => Some('n'),
            (true, Some(side)) => side.name().chars().next(),
            (false, None) => SIGNS.get(nobodys).copied(),
            (false, Some(Side::Green)) => letter.map(|letter| letter.to_ascii_uppercase()),
            (false, Some(Side::Red)) => letter.map(|letter| letter.to_ascii_lowercase()),
        };
        signs.push(sign.filter(|sign| !signs.contains(&Some(*sign))));
    }
    signs
}

/// The side of a player, given whether the players have exchanged colours.
#[must_use]
pub fn side_of(player: u8, swapped: bool) -> Option<Side> {
    match (player, swapped) {
        (1, false) | (2, true) => Some(Side::Green),
        (2, false) | (1, true) => Some(Side::Red),
        _ => None,
    }
}

/// The points of each row, from the top.
#[must_use]
pub fn rows(layout: Layout) -> Vec<Vec<Point>> {
    let known = layout.drawing();
    let y = |point: Point| {
        let known = known.as_ref();
        known.map_or(0, |known| known.as_drawing().place(point).y)
    };
    let points: Vec<Point> = layout.iter().collect();
    let rows = points.chunk_by(|one, other| y(*one) == y(*other));
    rows.map(<[Point]>::to_vec).collect()
}
