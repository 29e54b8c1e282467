//! Places of a text as an editor names them: lines, and characters of a line in
//! units of UTF-16, both from 0.

use std::ops::Range as Bytes;

use lsp_types::{Position, Range};

/// The byte of a place; the nearest one before it, if there is none.
pub fn byte(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or("");
    let mut units = 0;
    for (at, character) in line.char_indices() {
        units += character.len_utf16() as u32;
        if units > position.character {
            return start + at;
        }
    }
    start + line.len()
}

/// The place of a byte.
pub fn position(text: &str, at: usize) -> Position {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let units: usize = before[start..].chars().map(char::len_utf16).sum();
    Position {
        line: before.matches('\n').count() as u32,
        character: units as u32,
    }
}

/// The places of a range of bytes.
pub fn range(text: &str, bytes: Bytes<usize>) -> Range {
    Range {
        start: position(text, bytes.start),
        end: position(text, bytes.end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found_again_whatever_the_characters() {
        let text = "(game “Ä𝄞”\n\n  x)\r\ny";
        for (at, _) in text.char_indices() {
            assert_eq!(byte(text, position(text, at)), at);
        }
        let last = position(text, text.len());
        assert_eq!((last.line, last.character), (3, 1));
        assert_eq!(byte(text, last), text.len());
        // One of them has two units.
        assert_eq!(position(text, text.find('”').unwrap()).character, 10);
    }

    #[test]
    fn a_place_past_the_end_is_the_end() {
        let at = |line, character| byte("ab\ncd", Position { line, character });
        assert_eq!(at(0, 99), 2);
        assert_eq!(at(1, 99), 5);
        assert_eq!(at(99, 0), 5);
    }
}
