//! The last words before a reset: a text in memory that a start does not clear. It is
//! reported after the start.
//!
//! Invariants: a text is read once, and exactly as it was written. Any other contents of
//! the memory, such as after a power-on, lack a valid mark and checksum.

use protocol::Text;
use protocol::wire::crc32c_of_pieces;

/// The maximum length in bytes, which fits a line of the log.
pub const MOST_BYTES: usize = 96;

const MARK: u32 = 0x1A57_A0CE;
const HEAD_WORDS: usize = 3;
/// The size of the last words in memory, in words.
pub const WORDS: usize = HEAD_WORDS + MOST_BYTES / 4;

/// Memory that a start does not clear: mark, checksum, length, and then the bytes.
pub type LastWords = [u32; WORDS];

/// The checksum of length and bytes.
fn checksum(memory: &LastWords) -> u32 {
    crc32c_of_pieces(memory.iter().skip(2).map(|word| word.to_le_bytes()))
}

/// Stores the first [`MOST_BYTES`] bytes of the words.
#[must_use]
pub fn written(words: &str) -> LastWords {
    let text = Text::<MOST_BYTES>::clipped(words);
    let mut bytes = [0; MOST_BYTES];
    for (place, byte) in bytes.iter_mut().zip(text.bytes()) {
        *place = byte;
    }
    let mut memory = [0; WORDS];
    memory[0] = MARK;
    memory[2] = text.len() as u32;
    for (word, four) in memory.iter_mut().skip(HEAD_WORDS).zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*four);
    }
    memory[1] = checksum(&memory);
    memory
}

/// Takes the words and erases them. `None` if there are none.
pub fn take(memory: &mut LastWords) -> Option<Text<MOST_BYTES>> {
    let is_whole = memory[0] == MARK && memory[1] == checksum(memory);
    memory[0] = 0;
    if !is_whole {
        return None;
    }
    let mut bytes = [0; MOST_BYTES];
    let words = memory.iter().skip(HEAD_WORDS);
    for (four, word) in bytes.chunks_exact_mut(4).zip(words) {
        four.copy_from_slice(&word.to_le_bytes());
    }
    let text = bytes.get(..memory[2] as usize)?;
    Some(Text::clipped(core::str::from_utf8(text).ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn last_words_are_reported_once(words in "\\PC{0,60}") {
            let mut memory = written(&words);
            let expected = Text::<MOST_BYTES>::clipped(&words);
            prop_assert_eq!(take(&mut memory), Some(expected));
            prop_assert_eq!(take(&mut memory), None);
        }

        #[test]
        fn damaged_last_words_are_not_reported(words in "\\PC{1,60}", word in 0..WORDS, bit in 0..32_u32) {
            let mut memory = written(&words);
            memory[word] ^= 1 << bit;
            prop_assert_eq!(take(&mut memory), None);
        }

        #[test]
        fn random_memory_at_power_on_is_not_reported(
            memory in proptest::collection::vec(any::<u32>(), WORDS),
        ) {
            let mut memory: LastWords = memory.try_into().expect("so many");
            prop_assert_eq!(take(&mut memory), None);
        }
    }
}
