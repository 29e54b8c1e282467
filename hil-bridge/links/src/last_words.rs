//! What a program says on its standard error before it ends, for the sentence about that.
//!
//! Invariants: a program never waits for a reader of its standard error; only the last
//! [`MOST_BYTES`] are remembered.

use std::io::{self, Read};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

/// How much of what a program says is remembered, in bytes.
const MOST_BYTES: usize = 4_096;

/// The number of bytes that are read at once.
const BLOCK: usize = 4_096;

/// The end of what a running program says on its standard error.
pub struct LastWords {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl LastWords {
    /// Reads these errors, on a thread of its own, until the program closes them.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn of(errors: impl Read + Send + 'static) -> io::Result<LastWords> {
        let bytes: Arc<Mutex<Vec<u8>>> = Arc::default();
        let remembered = Arc::clone(&bytes);
        let reader = thread::Builder::new().name("last-words".into());
        let reader = reader.spawn(move || remember(errors, &remembered))?;
        Ok(LastWords {
            bytes,
            reader: Some(reader),
        })
    }

    /// The remembered lines that are not blank, without the space around them, the last
    /// one first. Waits until the program has closed its standard error.
    pub fn lines(&mut self) -> Vec<String> {
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        let text = String::from_utf8_lossy(&self.bytes.lock()).into_owned();
        let lines = text.lines().rev().map(str::trim);
        lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    }
}

/// Remembers the end of what a program writes.
fn remember(mut errors: impl Read, bytes: &Mutex<Vec<u8>>) {
    let mut block = [0; BLOCK];
    while let Ok(length @ 1..) = errors.read(&mut block) {
        let mut bytes = bytes.lock();
        bytes.extend(block.get(..length).unwrap_or_default());
        let too_many = bytes.len().saturating_sub(MOST_BYTES);
        bytes.drain(..too_many);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn the_last_lines_come_first() {
        let said = "  one\n\ntwo \n";
        let mut words = LastWords::of(Cursor::new(said)).unwrap();
        assert_eq!(words.lines(), ["two", "one"]);
        assert_eq!(words.lines(), ["two", "one"]);
    }

    #[test]
    fn only_the_end_of_much_is_remembered() {
        let said = "a line\n".repeat(MOST_BYTES);
        let mut words = LastWords::of(Cursor::new(said)).unwrap();
        let length: usize = words.lines().iter().map(|line| line.len() + 1).sum();
        assert!((MOST_BYTES - 1..=MOST_BYTES).contains(&length), "{length}");
    }
}
