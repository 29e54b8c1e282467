//! Layouts on the command line: columns and rows, or a file with a drawing.

use std::io;
use std::path::Path;

use protocol::{KnownLayout, LayoutTextError};

use crate::{read_bounded_text, why_no_file};

/// The maximum size of a file, in bytes; a drawing of 256 points needs less.
const MOST_BYTES: u64 = 256 * 1024;

/// Why a text on the command line is not a layout.
#[derive(Debug, thiserror::Error)]
pub enum LayoutFileError {
    /// The text begins like columns and rows, but names no layout.
    #[error(transparent)]
    Sides(LayoutTextError),
    /// The text does not begin like columns and rows, and the file cannot be read.
    #[error(
        "{name:?} is neither columns and rows, like 9x9, nor a file with a drawing: {}",
        why_no_file(error)
    )]
    NoFile {
        /// The name of the file.
        name: String,
        /// Why it failed.
        error: io::Error,
    },
    /// The drawing in the file is wrong.
    #[error("{name}: {error}")]
    Drawing {
        /// The name of the file.
        name: String,
        /// What is wrong with it.
        error: LayoutTextError,
    },
    /// The file has the text of a game.
    #[error(
        "{0} is the text of a game, but a board takes a compiled one: `ludemes compile {0} --layout FILE` writes that, and --layout FILE takes it"
    )]
    Game(String),
    /// The file has something else.
    #[error(
        "{0} is neither the text of a game, whose name ends in .lud, nor a drawing, whose first line says how large a character is, as in `cell 4x7`"
    )]
    NoDrawing(String),
}

/// Reads a layout: `9x9`, or the name of a file with a [drawing](protocol::Sketch).
///
/// # Errors
/// If the text is neither.
pub fn layout(text: &str) -> Result<KnownLayout, LayoutFileError> {
    let begins_as_sides = text.starts_with(|letter: char| letter.is_ascii_digit());
    let path = Path::new(text);
    if begins_as_sides && !path.is_file() {
        return text.parse().map_err(LayoutFileError::Sides);
    }
    let name = text.to_owned();
    let drawing = match read_bounded_text(path, MOST_BYTES) {
        Ok(drawing) => drawing,
        Err(error) => return Err(LayoutFileError::NoFile { name, error }),
    };
    match drawing.starts_with("cell ") {
        true => drawing
            .parse()
            .map_err(|error| LayoutFileError::Drawing { name, error }),
        false if is_game(path, &drawing) => Err(LayoutFileError::Game(name)),
        false => Err(LayoutFileError::NoDrawing(name)),
    }
}

/// True if this is the text of a game, which this crate cannot compile: the compiler
/// depends on it.
fn is_game(path: &Path, text: &str) -> bool {
    let is_named = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("lud"));
    is_named || text.trim_start().starts_with("(game")
}
