//! Why a word on the command line names nothing, or nothing that can be played.

use std::io;

use firmware_core::About;
use ludemes::compile::Unplayable;
use protocol::{Layout, LayoutError};
use touchboard_files::why_no_file;

/// There is no such game in this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such game: give its name or its number")]
pub struct NoGame;

/// The word is not a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a mode as its number, or `all`")]
pub struct NoMode;

/// The words are not two levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("levels go from 1 to 4: write two of them, such as 4,1")]
pub struct NoLevels;

/// Why a word is not a layout of rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// There is no `x`.
    #[error("write a layout as COLUMNSxROWS, such as 9x9")]
    Form,
    /// A side is not a number.
    #[error("`{0}` is not a number of points")]
    Side(String),
    /// A side is too short or too long.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// Why a word is neither a layout nor the file of a game.
#[derive(Debug, thiserror::Error)]
pub enum LayoutNameError {
    /// The word is not a layout.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The file cannot be read.
    #[error("{name} cannot be read: {}", why_no_file(.error))]
    File {
        /// The name of the file.
        name: String,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The text cannot be compiled, by the sentence of the compiler.
    #[error("{name}: {why}")]
    Text {
        /// The name of the file.
        name: String,
        /// Why not.
        why: String,
    },
    /// No board has the layout of the game.
    #[error("{name}: {error}")]
    Unplayable {
        /// The name of the file.
        name: String,
        /// Why not.
        #[source]
        error: Unplayable,
    },
}

/// A layout is too small for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} does not fit {layout}: choose another --layout")]
pub struct NotFitting {
    /// The name of the game.
    pub name: String,
    /// The layout.
    pub layout: Layout,
}

impl NotFitting {
    /// The error of the game of this name.
    pub fn new(name: &str, layout: Layout) -> NotFitting {
        let name = name.to_owned();
        NotFitting { name, layout }
    }
}

/// Why a game is not played in a mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is no such game.
    #[error(transparent)]
    NoGame(#[from] NoGame),
    /// The board has no player for this game.
    #[error("the board does not play {0}: there is nobody to match")]
    NobodyToMatch(&'static str),
    /// The game has fewer modes.
    #[error("{name} has modes 0 to {last}")]
    Modes {
        /// The name of the game.
        name: &'static str,
        /// The number of its last mode.
        last: u8,
    },
    /// The game is not among these, which are won by being quick.
    #[error("choose a game that is won by being quick: {}", .0.join(", "))]
    NotQuick(&'static [&'static str]),
    /// The other mode of Life rewards looking ahead, not reaction.
    #[error("Life is won by being quick in mode 0 only")]
    LifeOfThought,
}

impl ChoiceError {
    /// The error of a mode that this game does not have.
    pub fn modes(about: &About<'static>) -> ChoiceError {
        ChoiceError::Modes {
            name: about.name,
            last: about.modes - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_says_what_to_write() {
        let name = || "game.lud".to_owned();
        let told: [LayoutNameError; 4] = [
            GridError::Form.into(),
            GridError::Side("a".to_owned()).into(),
            LayoutNameError::File {
                name: name(),
                error: io::ErrorKind::NotFound.into(),
            },
            LayoutNameError::Text {
                name: name(),
                why: "it has no board".to_owned(),
            },
        ];
        let told = told.map(|error| error.to_string()).join("\n");
        insta::assert_snapshot!(format!("{NoGame}\n{NoMode}\n{NoLevels}\n{told}"));
    }
}
