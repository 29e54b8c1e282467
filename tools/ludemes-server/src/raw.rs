//! The calls of a text, even if it contains errors.
//!
//! The compiler's reader expands macros and stops at the first error. But an editor asks
//! about a text that is still being written, so this module only recognises brackets,
//! quotes and comments.
//!
//! Invariants: a call lies within the enclosing one; an unclosed call ends with the text.

use std::ops::Range;

use ludemes::text::{closes, escapes, is_typographic};

/// A call in the text, complete or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The byte range, including the brackets.
    pub range: Range<usize>,
    /// Whether the closing bracket is present.
    pub is_closed: bool,
    /// The index of the enclosing call.
    pub parent: Option<usize>,
    /// The words, numbers and quoted texts directly within it.
    pub tokens: Vec<Token>,
}

/// A word, a number or a quoted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The byte range, including the quotes.
    pub range: Range<usize>,
    /// The text of the token, without its quotes.
    pub text: String,
    /// Whether it is in quotes.
    pub quoted: bool,
    /// Whether the closing quote is present; false for a word.
    pub is_closed: bool,
}

/// A text split into tokens and calls.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    /// The calls; an enclosing call comes before those within it.
    pub calls: Vec<Call>,
    /// All tokens in the order of the text.
    pub tokens: Vec<Token>,
    /// The byte ranges of the comments, without line ends.
    pub comments: Vec<Range<usize>>,
}

/// The end of a line, without its line break.
fn line_end(text: &str, start: usize) -> usize {
    let line = text[start..].split('\n').next().unwrap_or("");
    start + line.trim_end_matches('\r').len()
}

/// For a quoted text that begins at `start`, after its opening quote: the end of the text
/// and the position of its closing quote.
fn quoted(text: &str, start: usize, open: char) -> Option<(usize, usize)> {
    let mut rest = text[start..].char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        if closes(open, character) {
            return Some((start + at, start + at + character.len_utf8()));
        }
        rest.next_if(|(_, next)| escapes(open, character, *next));
    }
    None
}

/// True for an opening quote.
fn opens(character: char) -> bool {
    character == '"' || is_typographic(character)
}

/// A quoted text that begins with this mark; `None` if nothing ends it.
fn quoted_token(text: &str, at: usize, open: char, ends_with_line: bool) -> Option<Token> {
    let start = at + open.len_utf8();
    let within = match ends_with_line {
        true => &text[..line_end(text, start)],
        false => text,
    };
    let at_end = ends_with_line.then_some((within.len(), within.len()));
    let (inner, end) = quoted(within, start, open).or(at_end)?;
    Some(Token {
        range: at..end,
        text: text[start..inner].to_owned(),
        quoted: true,
        is_closed: inner < end,
    })
}

/// A word or a number that begins here.
fn bare_token(text: &str, at: usize) -> Token {
    let ends = |next: char| next.is_whitespace() || "(){}".contains(next) || opens(next);
    // It has one character at least.
    let mut rest = text[at..].char_indices().skip(1);
    let end = rest.find(|(_, next)| ends(*next));
    let end = end.map_or(text.len(), |(length, _)| at + length);
    Token {
        range: at..end,
        text: text[at..end].to_owned(),
        quoted: false,
        is_closed: false,
    }
}

impl Raw {
    /// Splits a text into tokens and calls. A quoted text may span lines. But if a quote
    /// is missing, every quoted text ends at the end of its line, so that the rest is not
    /// taken for quoted.
    pub fn of(text: &str) -> Raw {
        let whole = Raw::read(text, false);
        whole.unwrap_or_else(|| Raw::read(text, true).unwrap_or_default())
    }

    /// `None` if a quoted text is unclosed, unless quotes end with lines.
    fn read(text: &str, quotes_end_with_lines: bool) -> Option<Raw> {
        let mut raw = Raw::default();
        let mut open: Vec<usize> = Vec::new();
        let mut rest = text.char_indices().peekable();
        while let Some((at, character)) = rest.next() {
            match character {
                '(' => {
                    let call = Call {
                        range: at..text.len(),
                        is_closed: false,
                        parent: open.last().copied(),
                        tokens: Vec::new(),
                    };
                    open.push(raw.calls.len());
                    raw.calls.push(call);
                }
                ')' => {
                    if let Some(call) = open.pop() {
                        raw.calls[call].range.end = at + 1;
                        raw.calls[call].is_closed = true;
                    }
                }
                '/' if text[at..].starts_with("//") => {
                    let end = line_end(text, at);
                    while rest.next_if(|(next, _)| *next < end).is_some() {}
                    raw.comments.push(at..end);
                }
                _ if opens(character) => {
                    let token = quoted_token(text, at, character, quotes_end_with_lines)?;
                    while rest.next_if(|(next, _)| *next < token.range.end).is_some() {}
                    raw.push(&open, token);
                }
                '{' | '}' => {}
                _ if character.is_whitespace() => {}
                _ => {
                    let token = bare_token(text, at);
                    while rest.next_if(|(next, _)| *next < token.range.end).is_some() {}
                    raw.push(&open, token);
                }
            }
        }
        Some(raw)
    }

    fn push(&mut self, open: &[usize], token: Token) {
        if let Some(call) = open.last() {
            self.calls[*call].tokens.push(token.clone());
        }
        self.tokens.push(token);
    }

    /// The innermost call around a position; the position right after a call is outside
    /// it.
    pub fn around(&self, at: usize) -> Option<&Call> {
        let within = |call: &&Call| {
            let before_end = at < call.range.end || (at == call.range.end && !call.is_closed);
            call.range.start < at && before_end
        };
        self.calls.iter().rev().find(within)
    }

    /// The token at a position, or ending there.
    pub fn token(&self, at: usize) -> Option<&Token> {
        let is_at = |token: &&Token| token.range.start <= at && at <= token.range.end;
        self.tokens.iter().rev().find(is_at)
    }

    /// The calls with this head.
    pub fn with_head<'a>(&'a self, head: &'a str) -> impl Iterator<Item = &'a Call> {
        let calls = self.calls.iter();
        calls.filter(move |call| call.head().is_some_and(|token| token.text == head))
    }
}

impl Call {
    /// The first word of the call.
    pub fn head(&self) -> Option<&Token> {
        self.tokens.first().filter(|token| !token.quoted)
    }

    /// The name of the construct: the head and, for a family, the word after it.
    pub fn name(&self) -> Option<String> {
        let head = self.head()?;
        let family = ludemes::constructs::FAMILIES.contains(&head.text.as_str());
        let second = self
            .tokens
            .get(1)
            .filter(|token| family && !token.quoted && token.text.starts_with(char::is_alphabetic));
        match second.filter(|token| !token.text.contains(':')) {
            Some(second) => Some(format!("{} {}", head.text, second.text)),
            None => Some(head.text.clone()),
        }
    }

    /// The first quoted text directly within the call.
    pub fn quoted(&self) -> Option<&Token> {
        self.tokens.iter().find(|token| token.quoted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_calls_are_found_even_if_unclosed() {
        let text = "(define \"A\" (is Line 3)) // (not this\n(game \"G\" (end (if (is Li";
        let raw = Raw::of(text);
        let names: Vec<Option<String>> = raw.calls.iter().map(Call::name).collect();
        let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        assert_eq!(names, ["define", "is Line", "game", "end", "if", "is Li"]);
        let at = text.find("Line").unwrap();
        assert_eq!(raw.around(at).unwrap().name().unwrap(), "is Line");
        assert_eq!(raw.around(text.len()).unwrap().name().unwrap(), "is Li");
        assert_eq!(raw.token(at + 2).unwrap().text, "Line");
        let define = raw.with_head("define").next().unwrap();
        assert_eq!(define.quoted().unwrap().text, "A");
        assert_eq!(&text[define.range.clone()], "(define \"A\" (is Line 3))");
    }

    #[test]
    fn the_place_behind_the_last_bracket_is_outside() {
        let text = "(game (end))";
        let raw = Raw::of(text);
        assert!(raw.around(text.len()).is_none());
        assert!(raw.around(0).is_none());
        assert_eq!(raw.around(text.len() - 1).unwrap().name().unwrap(), "game");
    }

    #[test]
    fn quoted_texts_are_found_as_in_the_language() {
        let quoted = |text: &str| -> Vec<String> {
            let tokens = Raw::of(text).tokens.into_iter();
            let quoted = tokens.filter(|token| token.quoted);
            quoted.map(|token| token.text).collect()
        };
        assert_eq!(quoted("(“A” «B» ‘C’ \"D\")"), ["A", "B", "C", "D"]);
        // A straight quote is only closed by a straight one, and may be escaped.
        assert_eq!(quoted("(\"It“s\" \"a \\\" b\")"), ["It“s", "a \\\" b"]);
        assert_eq!(quoted("(“Men’s” 1)"), ["Men’s"]);
        // A quoted text may span lines, but an unclosed one does not swallow the rest.
        assert_eq!(quoted("(\"a (\r\n b\" \"c\")"), ["a (\r\n b", "c"]);
        assert_eq!(quoted("(\"a\r\n(\"c\" 1)"), ["a", "c"]);
        assert_eq!(quoted("(\""), [""]);
    }
}
