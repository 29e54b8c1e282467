//! The last lines that a bot wrote for its author.

use std::collections::VecDeque;

use crate::plain::plain_bytes;

/// The number of lines kept.
pub const LINES: usize = 20;
/// The number of bytes kept of each line.
pub const LINE_BYTES: usize = 400;

/// Collects a text that arrives in pieces, and keeps only its end.
#[derive(Debug, Default)]
pub struct Tail {
    lines: VecDeque<Vec<u8>>,
    /// The last line, as long as it has not ended.
    open: Vec<u8>,
}

impl Tail {
    /// Appends text, and drops the oldest lines.
    pub fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                b'\n' => self.end_line(),
                _ if self.open.len() < LINE_BYTES => self.open.push(*byte),
                _ => {}
            }
        }
    }

    /// Ends the last line, even without a line break.
    pub fn end_line(&mut self) {
        let line = std::mem::take(&mut self.open);
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// The last lines, without control characters that would affect a terminal.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let open = (!self.open.is_empty()).then_some(&self.open);
        let lines = self.lines.iter().chain(open);
        let skip = (self.lines.len() + usize::from(open.is_some())).saturating_sub(LINES);
        lines.skip(skip).map(|line| plain_bytes(line)).collect()
    }

    /// Removes and returns the last line if it begins with `start`.
    pub fn take_last(&mut self, start: &str) -> Option<String> {
        let last = plain_bytes(self.lines.back()?);
        if !self.open.is_empty() || !last.starts_with(start) {
            return None;
        }
        self.lines.pop_back();
        // The line results from splitting an unfinished line, which may have been empty.
        if self.lines.back().is_some_and(Vec::is_empty) {
            self.lines.pop_back();
        }
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_keeps_the_last_lines_and_shortens_long_ones() {
        let mut tail = Tail::default();
        for number in 0..1_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        tail.push(&[b'a'; 10_000]);
        let lines = tail.lines();
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[LINES - 2], "line 999");
        assert_eq!(lines[LINES - 1], "a".repeat(LINE_BYTES));
    }

    #[test]
    fn only_a_matching_last_line_is_removed() {
        let mut tail = Tail::default();
        tail.push(b"of the bot\n\nof the walls: 7\n");
        assert_eq!(tail.take_last("of nobody"), None);
        assert_eq!(
            tail.take_last("of the walls").as_deref(),
            Some("of the walls: 7")
        );
        assert_eq!(tail.lines(), ["of the bot"]);
        tail.push(b"of the walls");
        assert_eq!(tail.take_last("of the walls"), None);
    }
}
