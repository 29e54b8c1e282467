//! The canonical layout of a text.
//!
//! Comments, options and macros stay as they are. Only white space and quotation marks
//! change, and lines end like the first one. Invariants: a formatted text is read as the
//! same tree; formatting it again changes nothing.
mod print;
mod read;
#[cfg(test)]
mod tests;

use crate::text::{TextError, bracket_trouble};

/// The width of lines, in characters, where possible.
pub const WIDTH: usize = 90;

/// Formats a text.
///
/// # Errors
/// A bracket or a quotation mark without its partner, and its place.
pub fn format(text: &str) -> Result<String, TextError> {
    let read = read::read(text);
    let read = read.map_err(|trouble| bracket_trouble(text).unwrap_or(trouble));
    let printed = print::print(&read?);
    Ok(match ends_lines_with_two(text) {
        // A quoted text may contain line breaks.
        true => printed.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => printed,
    })
}

/// True if the first line ends with a carriage return and a line feed.
fn ends_lines_with_two(text: &str) -> bool {
    text.split_once('\n')
        .is_some_and(|(line, _)| line.ends_with('\r'))
}

/// An entry of a list: a part of the text, or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Chunk(Chunk),
    /// A comment on its own line, including its slashes.
    Comment {
        text: String,
        blank_before: bool,
    },
}

/// Parts without white space between them, such as a name and its argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Chunk {
    parts: Vec<Part>,
    /// True if it starts a line.
    line_before: bool,
    /// True if an empty line precedes it.
    blank_before: bool,
    /// A comment behind it, at the end of its line.
    comment: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A word, a number, a quoted text.
    Atom(String),
    /// A group in brackets.
    Group(Group),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    bracket: Bracket,
    entries: Vec<Entry>,
}

/// `( )`, `{ }`, or `< >` around the value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    Round,
    Curly,
    Angle,
}

impl Bracket {
    fn open(self) -> char {
        match self {
            Bracket::Round => '(',
            Bracket::Curly => '{',
            Bracket::Angle => '<',
        }
    }

    fn close(self) -> char {
        match self {
            Bracket::Round => ')',
            Bracket::Curly => '}',
            Bracket::Angle => '>',
        }
    }
}
