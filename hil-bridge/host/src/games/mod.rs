//! The host's knowledge of each game: its rules in words, its status, the pieces on its
//! board, the text form of its positions, and the words for its events.
//!
//! Each game has one file here, its [`Guide`], and one line in [`GUIDES`]; the rules
//! themselves are in the core. A guide only overrides what is special about its game:
//! Visiput's has the rules and the points to mark, and uses the defaults for everything
//! else.
//!
//! Invariants: every game of the core has a guide, and the guide's text describes every
//! mode.

mod col;
mod countlines;
mod fillit;
mod findthem;
mod ghost;
mod guide;
mod ishido;
mod life;
mod malaka;
mod reversi;
mod speedgo;
mod stones;
mod symmetry;
pub(crate) mod ticdabtoe;
mod touchit;
mod visiput;
mod written;

use firmware_core::AnyBoard;
use firmware_core::games::number;
use protocol::{Colour, Frame, Layout, Outcome, Point, Rhythm, Settings, Side};

use crate::howto::HowTo;
use crate::pieces::Pieces;
use crate::words;

pub(crate) use guide::LOST_BY_TIME;
pub use guide::{Among, Guide, Middle, MiddleReading, PositionText, Tracks, TurnView};
use guide::{end_of_two, turn_of_two};
use stones::Stones;
pub(crate) use written::piece_name;
pub use written::{
    COUNTS_PIECES, COUNTS_POINTS, PASS, PIECES_ARE_MOVED, PIECES_ARE_PUT, SEVERAL_MOVES, SWAP,
    players,
};

/// All guides, in the order of the games' numbers.
const GUIDES: &[&dyn Guide] = &[
    &reversi::Reversi,
    &ghost::Ghost,
    &life::Life,
    &touchit::TouchIt,
    &symmetry::Symmetry,
    &countlines::CountLines,
    &fillit::FillIt,
    &findthem::FindThem,
    &visiput::Visiput,
    &speedgo::SpeedGo,
    &malaka::Malaka,
    &ishido::Ishido,
    &ticdabtoe::TicDabToe,
    &col::Col,
    &written::TextGuide,
];

/// The guide of the game with this number; `None` if there is no such game.
#[must_use]
pub fn find(game: u8) -> Option<&'static dyn Guide> {
    all().find(|guide| guide.number() == game)
}

/// The guide of the game with this number, or the one for unknown games.
#[must_use]
pub fn guide(game: u8) -> &'static dyn Guide {
    find(game).unwrap_or(&written::TextGuide)
}

/// The guides of all games.
pub fn all() -> impl Iterator<Item = &'static dyn Guide> {
    GUIDES.iter().copied()
}

/// The rules of the game with this number, in words; `None` if there is no such game.
/// For the layout's own game, [`crate::written::how_to`] has more details.
#[must_use]
pub fn how_to(game: u8) -> Option<&'static HowTo> {
    find(game).map(Guide::how_to)
}

/// True for the number of the game that comes with a layout.
#[must_use]
pub fn is_layouts_own(game: u8) -> bool {
    find(game).is_some_and(Guide::is_layouts_own)
}

/// The pieces on this board; `None` if its game only has lights.
#[must_use]
pub fn pieces(board: &AnyBoard) -> Option<Pieces> {
    all().find_map(|guide| guide.pieces(board))
}

/// The side that has this colour.
pub(crate) fn side_of(colour: Colour) -> Option<Side> {
    let mut sides = Side::BOTH.into_iter();
    sides.find(|side| Colour::from(*side) == colour)
}

#[cfg(test)]
mod tests;
