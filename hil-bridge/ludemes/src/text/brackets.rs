//! Finds the bracket or quotation mark that is wrong, with the help of the text's
//! indentation.
//!
//! A mismatch is often detected only at the end of the text. People indent texts so that
//! a bracket at the start of a line closes one that was opened at the same depth, so the
//! first that does not shows where a bracket is missing.

use super::clean::{closes, escapes, is_typographic};
use super::trouble::{Problem, TextError};
use crate::tree::TextSpan;

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    bracket: char,
    span: TextSpan,
    line: usize,
    /// The indentation of its line.
    indent: usize,
}

/// A character and its place.
struct Seen {
    character: char,
    span: TextSpan,
    line: usize,
    indent: usize,
    /// True if it starts its line.
    begins: bool,
}

fn partner(open: char) -> char {
    if open == '(' { ')' } else { '}' }
}

/// The first wrong bracket or quotation mark; `None` if all match.
pub(crate) fn trouble(source: &str) -> Option<TextError> {
    let seen = match brackets(source) {
        Ok(seen) => seen,
        Err(trouble) => return Some(trouble),
    };
    let mut open: Vec<Open> = Vec::new();
    let (mut suspect, mut outermost) = (None, None);
    for seen in seen {
        if matches!(seen.character, '(' | '{') {
            open.push(Open {
                bracket: seen.character,
                span: seen.span,
                line: seen.line,
                indent: seen.indent,
            });
            continue;
        }
        let Some(last) = open.pop() else {
            return Some(surplus(&seen, outermost));
        };
        if partner(last.bracket) != seen.character {
            return Some(mismatch(&seen, last, suspect));
        }
        let is_askew = seen.begins && last.line != seen.line && last.indent != seen.indent;
        if is_askew && suspect.is_none() {
            suspect = Some(last);
        }
        if open.is_empty() {
            outermost = Some(seen.span);
        }
    }
    let last = suspect.filter(|_| !open.is_empty()).or(open.pop())?;
    Some(TextError {
        span: last.span,
        problem: Problem::OpenBracket(partner(last.bracket)),
    })
}

/// The error that a bracket closes nothing.
fn surplus(seen: &Seen, outermost: Option<TextSpan>) -> TextError {
    TextError {
        span: seen.span,
        problem: match outermost {
            Some(at) => Problem::ClosedBefore(seen.character, at),
            None => Problem::StrayBracket(seen.character),
        },
    }
}

/// The error that a bracket closes one of a different kind.
fn mismatch(seen: &Seen, last: Open, suspect: Option<Open>) -> TextError {
    let expected = partner(last.bracket);
    // A bracket at the end of a line is more likely to be superfluous than the first one
    // after a gap.
    if !seen.begins && suspect.is_none() && last.line != seen.line {
        return TextError {
            span: seen.span,
            problem: Problem::OneTooMany(seen.character, expected, last.span),
        };
    }
    TextError {
        span: last.span,
        problem: Problem::NotClosed(expected, seen.character, seen.span),
    }
}

/// The brackets of a text, except those in quotes and comments.
fn brackets(source: &str) -> Result<Vec<Seen>, TextError> {
    let mut all = Vec::new();
    let mut quote: Option<(char, TextSpan)> = None;
    // The first quoted text that continues over a line break.
    let mut long_quote = None;
    let (mut line, mut indent, mut begins) = (0, 0, true);
    let mut rest = source.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        let span = TextSpan {
            start: at as u32,
            end: (at + character.len_utf8()) as u32,
        };
        if character == '\n' {
            (line, indent, begins) = (line + 1, 0, true);
            if let Some((_, open)) = quote {
                long_quote.get_or_insert(open);
            }
            continue;
        }
        match quote {
            Some((open, _)) if closes(open, character) => quote = None,
            Some((open, _)) => {
                rest.next_if(|(_, next)| escapes(open, character, *next));
            }
            None if character == '"' || is_typographic(character) => {
                quote = Some((character, span));
            }
            None if character == '/' && rest.peek().is_some_and(|(_, next)| *next == '/') => {
                while rest.next_if(|(_, next)| *next != '\n').is_some() {}
            }
            None if begins && character.is_whitespace() => {
                indent += 1;
                continue;
            }
            None if matches!(character, '(' | ')' | '{' | '}') => all.push(Seen {
                character,
                span,
                line,
                indent,
                begins,
            }),
            None => {}
        }
        begins = false;
    }
    match (quote, long_quote) {
        (Some((_, span)), long) => Err(TextError {
            span: long.unwrap_or(span),
            problem: Problem::OpenQuote,
        }),
        _ => Ok(all),
    }
}
