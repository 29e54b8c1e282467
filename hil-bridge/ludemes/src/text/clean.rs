//! The first step: removes comments, replaces all kinds of quotation marks by straight
//! ones, and separates the description of the game (`metadata`).

use super::LONGEST;
use super::metadata::Metadata;
use super::traced::Traced;
use super::trouble::{Problem, TextError};
use crate::tree::TextSpan;

/// True for a quotation mark that is not straight.
pub fn is_typographic(character: char) -> bool {
    matches!(
        character,
        '\u{201C}'..='\u{201F}'
            | '\u{2018}'..='\u{201B}'
            | '\u{00AB}'
            | '\u{00BB}'
            | '\u{2039}'
            | '\u{203A}'
            | '\u{2033}'
            | '\u{2036}'
            | '\u{275D}'
            | '\u{275E}'
            | '\u{301D}'..='\u{301F}'
            | '\u{FF02}'
    )
}

/// True if a mark closes a quoted text that another mark opened. A single mark within
/// double ones is an apostrophe.
pub fn closes(open: char, close: char) -> bool {
    let single = |c| matches!(c, '\u{2018}'..='\u{201B}' | '\u{2039}' | '\u{203A}');
    match (open, close) {
        ('"', _) => close == '"',
        (_, '"') => true,
        _ => is_typographic(close) && single(open) == single(close),
    }
}

/// True if a character of a quoted text escapes the next one. A backslash does, with all
/// kinds of marks, because all become straight ones.
pub fn escapes(open: char, character: char, next: char) -> bool {
    character == '\\' && closes(open, next)
}

/// The text without comments and metadata and with straight quotes, and the metadata.
pub(super) fn clean(source: &str) -> Result<(Traced, Metadata), TextError> {
    let characters = source.chars().count();
    if characters > LONGEST {
        return Err(TextError {
            span: TextSpan::default(),
            problem: Problem::TooLong(characters),
        });
    }
    let mut result = Traced::default();
    let mut rest = source.char_indices().peekable();
    let mut quote: Option<(char, TextSpan)> = None;
    while let Some((at, character)) = rest.next() {
        let span = TextSpan {
            start: at as u32,
            end: (at + character.len_utf8()) as u32,
        };
        match quote {
            Some((open, _)) if closes(open, character) => {
                quote = None;
                result.push('"', span);
            }
            Some((open, _)) => {
                result.push(character, span);
                let escaped = rest.next_if(|(_, next)| escapes(open, character, *next));
                if let Some((at, mark)) = escaped {
                    let (start, end) = (at as u32, (at + mark.len_utf8()) as u32);
                    result.push(mark, TextSpan { start, end });
                }
            }
            None if character == '"' || is_typographic(character) => {
                quote = Some((character, span));
                result.push('"', span);
            }
            None if character == '/' && rest.peek().is_some_and(|(_, next)| *next == '/') => {
                while rest.next_if(|(_, next)| *next != '\n').is_some() {}
            }
            None if character == '\u{FEFF}' => {}
            // Replaces several spaces by one.
            None if character.is_whitespace() => {
                if !result.text().ends_with(' ') {
                    result.push(' ', span);
                }
            }
            None => result.push(character, span),
        }
    }
    if let Some((_, span)) = quote {
        return Err(TextError {
            span,
            problem: Problem::OpenQuote,
        });
    }
    let mut metadata = Metadata::default();
    result.cut_calls("(metadata", |text, range| {
        metadata.read(&text.text()[range]);
        Ok(())
    })?;
    Ok((result, metadata))
}
