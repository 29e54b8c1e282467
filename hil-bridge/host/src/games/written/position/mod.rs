//! The text form of a position of a layout's own game:
//! `rnbqk/ppppp/...../PPPPP/RNBQK turn green`.
//!
//! The rows of points are written from the top, with `.` for an empty point. If each side
//! has pieces of one kind only, they are written like lights: `g`, `r` and `n`
//! (nobody's). Otherwise a piece has the letter that it has on the screen, a capital for
//! green and a small letter for red; nobody's pieces are signs. After a piece follow its
//! count (`g4`), its state (`K:1`) and its value (`n=3`). Stacked pieces are in brackets,
//! the lowest first (`(grg)`). A kind without a letter is written as its number (`<12>`).
//! On a board of columns that is seen from its side, each level is a place of its own.
//! Then follow, in any order:
//!
//! - `turn green`, `red`, or `none` where the game plays by itself;
//! - `hands g4/r4`: the places beside the board, in order, up to the last that is not
//!   empty;
//! - `swapped`, if the players have exchanged their colours;
//! - `turns 13` and `moves 12`, unless it is the first turn, or if the number of moves is
//!   not that of the turns; `last e2>e4`: the start and end of the last move (`last e4`
//!   if they are the same, `*` for a place beside the board);
//! - `score 3 1`: the scores of player 1 and player 2; `phases 1 0`: the phase that each
//!   of them is in; `counter 4`: the game's counter of moves;
//! - `also` and hexadecimal digits: everything else that the game stores and nobody sees.
//!
//! Earlier positions, which some games forbid to repeat, are not part of it: a position
//! that is set up has no past.

mod read;
mod write;

use std::collections::BTreeMap;

use firmware_core::cartridge::{Cartridge, LayoutGame, State};
use firmware_core::word::Wide;
use protocol::{POSITION_BYTES, Point};

use read::read;
use write::write;

use crate::games::PositionText;

/// The text form of a layout's own positions.
pub(super) const TEXT: PositionText = PositionText {
    usage: "position E: ROWS turn green",
    read,
    write,
    of_board: |board| {
        let bytes = board.written_position::<POSITION_BYTES>()?;
        Some(bytes.iter().copied().collect())
    },
};

/// The sites beside the board, which are the hands.
fn beside(game: &LayoutGame<'_>) -> Vec<u8> {
    let sites = 0..game.cartridge.sites();
    let hands = sites.filter(|site| game.point(*site as i16).is_none());
    hands.map(|site| site as u8).collect()
}

/// The site of a point, and its level there.
fn place_of(game: &LayoutGame<'_>, point: Point) -> (u8, u8) {
    let site = game.site(point);
    let mut levels = 0..game.levels();
    let level = levels.find(|level| game.at(site.into(), *level) == Some(point));
    (site, level.unwrap_or(0) as u8)
}

/// The stored entries that are not visible, by their number; `None` if the bytes are not a
/// position.
fn unseen(cartridge: &Cartridge<'_>, bytes: &[u8]) -> Option<BTreeMap<u8, Vec<u8>>> {
    entries(bytes.get(State::<Wide>::unseen_at(cartridge, bytes)?..)?)
}

fn entries(mut bytes: &[u8]) -> Option<BTreeMap<u8, Vec<u8>>> {
    let mut entries = BTreeMap::new();
    while let Some(number) = bytes.first() {
        let length = match number {
            // A set: its size, then its sites.
            0x80.. => 2 + usize::from(*bytes.get(1)?),
            // A number: bit 7 is clear in its last byte only.
            _ => 2 + bytes.get(1..)?.iter().position(|byte| byte & 0x80 == 0)?,
        };
        let (entry, rest) = bytes.split_at_checked(length)?;
        entries.insert(*number, entry.to_vec());
        bytes = rest;
    }
    Some(entries)
}

#[cfg(test)]
mod tests;
