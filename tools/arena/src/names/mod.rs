//! Parses the names on the command line.

mod error;

use std::path::Path;

use firmware_core::cartridge::LayoutGame;
use firmware_core::{About, games};
use ludemes::replay::compiled;
use protocol::{KnownLayout, Layout, Roster};
use touchboard_files::{GAME_TEXT_BYTES, read_bounded_text};

pub use error::{ChoiceError, GridError, LayoutNameError, NoGame, NoLevels, NoMode, NotFitting};

/// A game of this build, by name or number.
///
/// # Errors
/// If there is none.
pub fn game(text: &str) -> Result<u8, NoGame> {
    let number = games::BUILT.iter().find(|number| {
        let letter = Roster::letter(*number).to_string();
        text.eq_ignore_ascii_case(&letter)
            || text.parse() == Ok(*number)
            || games::about(*number).is_some_and(|about| about.name.eq_ignore_ascii_case(text))
    });
    number.ok_or(NoGame)
}

/// What a game tells about itself.
///
/// # Errors
/// If this build does not have the game.
pub fn about(game: u8) -> Result<&'static About<'static>, NoGame> {
    games::about(game).ok_or(NoGame)
}

/// The layout to play on: the one that was given, or the one for which a mode of a game
/// is made.
#[must_use]
pub fn layout_for(named: Option<Layout>, game: u8, mode: u8) -> Layout {
    let made_for = || games::about(game).map(|about| Layout::Grid((about.made_for)(mode)));
    named.or_else(made_for).unwrap_or(Layout::MALDOO)
}

/// A layout of rows and columns, such as `9x9`.
///
/// # Errors
/// If the text is not two sides of a grid.
pub fn layout(text: &str) -> Result<Layout, GridError> {
    let (columns, rows) = text.split_once('x').ok_or(GridError::Form)?;
    let side = |text: &str| text.parse().map_err(|_| GridError::Side(text.to_owned()));
    Ok(Layout::grid(side(columns)?, side(rows)?)?)
}

/// A layout, such as `9x9`, or the text of a user-written game, which has its own layout.
///
/// # Errors
/// If the text is not a layout, or the file not a game with one.
pub fn layout_or_text(text: &str) -> Result<KnownLayout, LayoutNameError> {
    let path = Path::new(text);
    if path.extension().is_none_or(|extension| extension != "lud") {
        return Ok(layout(text)?.into());
    }
    let name = || text.to_owned();
    let source = read_bounded_text(path, GAME_TEXT_BYTES);
    let source = source.map_err(|error| LayoutNameError::File {
        name: name(),
        error,
    })?;
    let compiled = compiled(&source, &[]);
    let compiled = compiled.map_err(|why| LayoutNameError::Text { name: name(), why })?;
    let layout = compiled.layout();
    layout.map_err(|error| LayoutNameError::Unplayable {
        name: name(),
        error,
    })
}

/// The name of the game that this layout brings with it, if it does.
#[must_use]
pub fn own_game(layout: Layout) -> Option<String> {
    let known = layout.drawing()?;
    let game = LayoutGame::looked_through(known.as_drawing())?;
    Some(game.cartridge.name().to_owned())
}

/// The name of a game on a board of this layout.
#[must_use]
pub fn called(game: u8, layout: Layout) -> String {
    let own = own_game(layout).filter(|_| game == games::LAYOUTS_OWN);
    let about = games::about(game).map(|about| about.name.to_owned());
    own.or(about).unwrap_or_default()
}

/// One item or all items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The game or mode of this number.
    One(u8),
    /// All games or modes.
    All,
}

/// A game, or `all`.
///
/// # Errors
/// If there is no such game.
pub fn games(text: &str) -> Result<Which, NoGame> {
    match text {
        "all" => Ok(Which::All),
        text => game(text).map(Which::One),
    }
}

/// A mode, or `all`. The board shows modes from 10 on as letters, so letters are
/// accepted, too.
///
/// # Errors
/// If the text is neither a number, nor a letter, nor `all`.
pub fn modes(text: &str) -> Result<Which, NoMode> {
    if text == "all" {
        return Ok(Which::All);
    }
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.as_str().is_empty());
    let number = text.parse().ok();
    let number = number.or_else(|| letter.and_then(Roster::number));
    number.map(Which::One).ok_or(NoMode)
}

/// Two levels, such as `4,1`.
///
/// # Errors
/// If the text is not two levels.
pub fn levels(text: &str) -> Result<[u8; 2], NoLevels> {
    let level = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|level| (1..=4).contains(level))
    };
    text.split_once(',')
        .and_then(|(one, other)| Some([level(one)?, level(other)?]))
        .ok_or(NoLevels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_by_name_number_or_all() {
        assert_eq!(game("0"), Ok(0));
        assert_eq!(game("speedgo"), Ok(9));
        assert_eq!(game("ishido"), Ok(11));
        assert_eq!([game("B"), game("b"), game("11")], [Ok(11), Ok(11), Ok(11)]);
        assert_eq!(game("chess"), Err(NoGame));
        assert_eq!(games("all"), Ok(Which::All));
        assert_eq!(modes("3"), Ok(Which::One(3)));
        assert_eq!(
            [modes("b"), modes("11")],
            [Ok(Which::One(11)), Ok(Which::One(11))]
        );
        let sentence = "write a mode as its number, or `all`";
        let told = modes("some").map_err(|error| error.to_string());
        assert_eq!(told, Err(sentence.to_owned()));
    }

    #[test]
    fn levels_are_two_between_1_and_4() {
        assert_eq!(levels("4,1"), Ok([4, 1]));
        for text in ["4", "4,0", "5,1", "4,1,2", ""] {
            let sentence = "levels go from 1 to 4: write two of them, such as 4,1";
            let told = levels(text).map_err(|error| error.to_string());
            assert_eq!(told, Err(sentence.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_game_is_played_on_its_own_board_by_default() {
        let named = Layout::grid(8, 8).unwrap();
        let sixteen = Layout::grid(16, 16).unwrap();
        let ticdabtoe = game("TicDabToe").unwrap();
        assert_eq!(layout_for(None, 0, 0), Layout::MALDOO);
        assert_eq!(layout_for(None, ticdabtoe, 0), sixteen);
        assert_eq!(layout_for(Some(named), ticdabtoe, 0), named);
    }

    #[test]
    fn a_layout_is_two_sides() {
        assert_eq!(layout("8x7"), Ok(Layout::grid(8, 7).unwrap()));
        for text in ["8", "8x", "x8", "0x4", "17x17", "axb"] {
            assert!(layout(text).is_err(), "{text}");
        }
    }
}
