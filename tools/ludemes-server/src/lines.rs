//! Converts between bytes and positions as an editor gives them: a line, and a character
//! within the line in UTF-16 units, both from 0.

use std::ops::Range as Bytes;

use lsp_types::{Position, Range};

/// The byte offset of a position. If the position does not exist, the nearest one before
/// it.
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

/// The position of a byte.
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

/// The positions of a range of bytes.
pub fn range(text: &str, bytes: Bytes<usize>) -> Range {
    Range {
        start: position(text, bytes.start),
        end: position(text, bytes.end),
    }
}

/// The difference between two texts: the byte range in the first text from the first
/// to the last line that differs, and its replacement from the second text.
pub fn difference<'a>(old: &str, new: &'a str) -> (Bytes<usize>, &'a str) {
    let same = |pair: &(&str, &str)| pair.0 == pair.1;
    let lines = |text| str::split_inclusive(text, '\n');
    let pairs = lines(old).zip(lines(new)).take_while(same);
    let start: usize = pairs.map(|(line, _)| line.len()).sum();
    let pairs = lines(&old[start..]).rev().zip(lines(&new[start..]).rev());
    let end: usize = pairs.take_while(same).map(|(line, _)| line.len()).sum();
    (start..old.len() - end, &new[start..new.len() - end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_covers_only_the_differing_lines() {
        let texts = [
            "",
            "a",
            "a\n",
            "b\n",
            "a\nb\n",
            "a\nc\nb\n",
            "b\na\nb",
            "a\na\n",
        ];
        for old in texts {
            for new in texts {
                let (range, middle) = difference(old, new);
                let mut made = old.to_owned();
                made.replace_range(range.clone(), middle);
                assert_eq!(made, new);
                assert_eq!(range.is_empty() && middle.is_empty(), old == new);
            }
        }
        let (range, middle) = difference("a\n b\nc\n", "a\nb\nc\n");
        assert_eq!((range, middle), (2..5, "b\n"));
    }

    #[test]
    fn positions_convert_both_ways_for_any_characters() {
        let text = "(game “Ä𝄞”\n\n  x)\r\ny";
        for (at, _) in text.char_indices() {
            assert_eq!(byte(text, position(text, at)), at);
        }
        let last = position(text, text.len());
        assert_eq!((last.line, last.character), (3, 1));
        assert_eq!(byte(text, last), text.len());
        // One of the characters takes two UTF-16 units.
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
