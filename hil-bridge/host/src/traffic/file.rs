//! Reads wire logs: lines of text or, with the feature `formats`, pcapng.
//!
//! Unreadable parts are skipped, and a sentence says where they begin.

use super::item::LineItemError;
#[cfg(feature = "formats")]
use super::pcapng;
use super::{LineItem, WireLog};

impl WireLog {
    /// True if a file begins like a wire log.
    #[must_use]
    pub fn is_one(file: &[u8]) -> bool {
        #[cfg(feature = "formats")]
        if pcapng::is_pcapng(file) {
            return true;
        }
        let first = file.split(|byte| *byte == b'\n').next();
        let first = first.and_then(|line| std::str::from_utf8(line).ok());
        first.is_some_and(|line| line.trim().parse::<LineItem>().is_ok())
    }

    /// Reads a file in any known format.
    #[must_use]
    pub fn read(file: &[u8]) -> WireLog {
        #[cfg(feature = "formats")]
        if pcapng::is_pcapng(file) {
            return pcapng::read(file);
        }
        let mut log = WireLog::default();
        let mut bad: Vec<usize> = Vec::new();
        for (place, line) in file.split(|byte| *byte == b'\n').enumerate() {
            let text = std::str::from_utf8(line).unwrap_or("?").trim();
            match text.parse() {
                _ if text.is_empty() => {}
                Ok(item) => log.items.push(item),
                Err(LineItemError) => bad.push(place + 1),
            }
        }
        match bad[..] {
            [] => {}
            [first] => log
                .remarks
                .push(format!("line {first} is left out: {LineItemError}")),
            [first, ..] => log.remarks.push(format!(
                "{} lines are left out, the first of them line {first}: {LineItemError}",
                bad.len()
            )),
        }
        log
    }
}
