//! A text in which every byte knows where it came from.
//!
//! The language defines macros and options by their effects on the text, including joined
//! names and parts of quoted texts, so they are carried out on the text. Invariants: each
//! byte has a span; the span of a byte that a macro produced is the place where the macro
//! was used.

use std::ops::Range;

use super::trouble::{Problem, TextError};
use crate::tree::TextSpan;

/// A text with the origin of each byte.
#[derive(Clone, Debug, Default)]
pub(super) struct Traced {
    text: String,
    from: Vec<TextSpan>,
}

impl Traced {
    /// The text without its origins.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The number of bytes that are not white space.
    pub fn weight(&self) -> usize {
        self.text
            .bytes()
            .filter(|b| !b.is_ascii_whitespace())
            .count()
    }

    /// The byte at this offset, or 0 past the end.
    pub fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Appends a character from this place.
    pub fn push(&mut self, character: char, span: TextSpan) {
        self.text.push(character);
        self.from.resize(self.text.len(), span);
    }

    /// Appends a part of another text.
    pub fn push_part(&mut self, other: &Traced, range: Range<usize>) {
        self.text.push_str(&other.text[range.clone()]);
        self.from.extend_from_slice(&other.from[range]);
    }

    /// Appends words that all have the same origin.
    pub fn push_text(&mut self, words: &str, span: TextSpan) {
        self.text.push_str(words);
        self.from.resize(self.text.len(), span);
    }

    /// A part of the text, without white space around it.
    pub fn part(&self, range: Range<usize>) -> Traced {
        let words = &self.text[range.clone()];
        let start = range.start + (words.len() - words.trim_start().len());
        let end = (start + words.trim().len()).max(start);
        Traced {
            text: self.text[start..end].to_owned(),
            from: self.from[start..end].to_vec(),
        }
    }

    /// Removes every call that begins with these words, after passing it to a function:
    /// in the text before the removal, from its opening bracket to after its closing one.
    pub fn cut_calls(
        &mut self,
        opening: &str,
        mut look: impl FnMut(&Traced, Range<usize>) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        let mut kept = Traced::default();
        let mut done = 0;
        while let Some(start) = self.find_outside_quotes(opening, done) {
            let end = self.after_bracket(start).ok_or_else(|| TextError {
                span: self.span(start..start + 1),
                problem: Problem::OpenBracket(')'),
            })?;
            look(self, start..end)?;
            kept.push_part(self, done..start);
            done = end;
        }
        if done > 0 {
            kept.push_part(self, done..self.len());
            *self = kept;
        }
        Ok(())
    }

    /// Replaces every occurrence of a marker, in one pass from left to right.
    pub fn with_marker_replaced(&self, marker: &str, by: &Traced) -> Traced {
        let mut result = Traced::default();
        let mut done = 0;
        for (at, _) in self.text.match_indices(marker) {
            result.push_part(self, done..at);
            result.push_part(by, 0..by.len());
            done = at + marker.len();
        }
        result.push_part(self, done..self.len());
        result
    }

    /// The same text with this place as the origin of all bytes.
    pub fn placed_at(&self, span: TextSpan) -> Traced {
        Traced {
            text: self.text.clone(),
            from: vec![span; self.from.len()],
        }
    }

    /// The place in the original text of a range.
    pub fn span(&self, range: Range<usize>) -> TextSpan {
        let last = self.from.len().saturating_sub(1);
        let Some(&first) = self.from.get(range.start.min(last)) else {
            return TextSpan::default();
        };
        let end = self.from[range
            .end
            .saturating_sub(1)
            .clamp(range.start.min(last), last)];
        if end.end >= first.end && end.start >= first.start {
            TextSpan {
                start: first.start,
                end: end.end,
            }
        } else {
            first
        }
    }

    /// The offset after the quoted text that starts here; `None` if it is not closed.
    pub fn after_quote(&self, open: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = open + 1;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' if bytes.get(at + 1) == Some(&b'"') => at += 1,
                b'"' => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The offset after the bracket that closes the one at `open`; `None` if there is
    /// none. Only brackets of this kind outside of quotes are counted.
    pub fn after_bracket(&self, open: usize) -> Option<usize> {
        let opening = self.byte(open);
        let closing = match opening {
            b'(' => b')',
            b'{' => b'}',
            _ => return None,
        };
        let mut depth = 0usize;
        let mut at = open;
        while at < self.len() {
            match self.byte(at) {
                b'"' => {
                    at = self.after_quote(at)?;
                    continue;
                }
                b if b == opening => depth += 1,
                b if b == closing => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The offset of words outside of quotes, from an offset on.
    pub fn find_outside_quotes(&self, words: &str, from: usize) -> Option<usize> {
        let mut at = from;
        while at < self.len() {
            if self.byte(at) == b'"' {
                at = self.after_quote(at)?;
            } else if self.text.as_bytes()[at..].starts_with(words.as_bytes()) {
                return Some(at);
            } else {
                at += 1;
            }
        }
        None
    }

    /// The quoted texts from an offset on, each with its quotation marks.
    pub fn quotes(&self, from: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = from;
        std::iter::from_fn(move || {
            while at < self.len() {
                if self.byte(at) == b'"' {
                    let open = at;
                    at = self.after_quote(open).unwrap_or(self.len());
                    return Some(open..at);
                }
                at += 1;
            }
            None
        })
    }
}
