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
#[cfg(test)]
mod numbers;
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
    of_layouts,
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
mod tests {
    use firmware_core::games::{self as core_games, BUILT, NUMBERS};

    use super::*;

    #[test]
    fn every_game_has_its_guide_and_every_mode_a_line() {
        for number in BUILT.iter() {
            let about = core_games::about(number).unwrap();
            let text = how_to(number).unwrap();
            assert_eq!(
                text.modes.len(),
                usize::from(about.modes),
                "modes of {}",
                about.name
            );
        }
        let described = all().filter(|guide| guide.number() != core_games::LAYOUTS_OWN);
        assert_eq!(described.count(), BUILT.len());
        assert!(NUMBERS.iter().all(|number| find(*number).is_some()));
    }

    #[test]
    fn guides_are_in_the_order_of_their_numbers() {
        assert!(GUIDES.is_sorted_by(|one, other| one.number() < other.number()));
    }

    #[test]
    fn every_text_has_sentences_that_fit_a_small_panel() {
        for text in all().map(Guide::how_to) {
            let modes = text.modes.iter().map(|mode| mode.text);
            let all = [text.aim, text.end, text.level, text.time, text.speed];
            for sentence in all
                .into_iter()
                .chain(text.play.iter().copied())
                .chain(modes)
            {
                assert!(sentence.ends_with('.'), "no sentence: {sentence}");
                assert!(sentence.len() <= 240, "too long: {sentence}");
            }
        }
    }

    #[test]
    fn modes_differ_only_in_the_line_of_the_mode() {
        let ghost = crate::written::how_to(1, Layout::MALDOO).unwrap();
        let [catch, beside] = [0, 1].map(|mode| ghost.lines(mode).collect::<Vec<_>>());
        assert_eq!(catch.len(), beside.len());
        let differing = catch
            .iter()
            .zip(&beside)
            .filter(|(one, other)| one != other);
        assert_eq!(differing.count(), 1);
        assert!(beside.contains(&ghost.guide.modes[1].text));
    }

    #[test]
    fn no_two_modes_of_a_game_have_the_same_name() {
        for text in all().map(Guide::how_to) {
            for (index, mode) in text.modes.iter().enumerate() {
                let earlier = &text.modes[..index];
                assert!(
                    earlier.iter().all(|other| other.name != mode.name),
                    "{}",
                    mode.name
                );
            }
        }
    }
}
