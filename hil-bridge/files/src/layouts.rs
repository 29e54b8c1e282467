//! Layouts on the command line: columns and rows, or a file with a drawing.

use std::path::Path;

use protocol::{KnownLayout, LayoutTextError};

use crate::{read_bounded_text, why_no_file};

/// The maximum size of a file, in bytes; a drawing of 256 points needs less.
const MOST_BYTES: u64 = 256 * 1024;

/// Reads a layout: `9x9`, or the name of a file with a [drawing](protocol::Sketch).
///
/// # Errors
/// A sentence that says what is possible.
pub fn layout(text: &str) -> Result<KnownLayout, String> {
    let begins_as_sides = text.starts_with(|letter: char| letter.is_ascii_digit());
    let path = Path::new(text);
    if begins_as_sides && !path.is_file() {
        let sides = text.parse();
        return sides.map_err(|error: LayoutTextError| error.to_string());
    }
    let drawing = read_bounded_text(path, MOST_BYTES).map_err(|error| {
        format!(
            "{text:?} is neither columns and rows, like 9x9, nor a file with a drawing: {}",
            why_no_file(&error)
        )
    })?;
    match drawing.starts_with("cell ") {
        true => drawing
            .parse()
            .map_err(|error: LayoutTextError| format!("{text}: {error}")),
        false if is_game(path, &drawing) => Err(format!(
            "{text} is the text of a game, but a board takes a compiled one: `ludemes compile {text} --layout FILE` writes that, and --layout FILE takes it"
        )),
        false => Err(format!(
            "{text} is neither the text of a game, whose name ends in .lud, nor a drawing, whose first line says how large a character is, as in `cell 4x7`"
        )),
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
