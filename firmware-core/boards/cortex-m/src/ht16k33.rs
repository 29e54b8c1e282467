//! A display of modules with four fourteen-segment characters each, driven by an HT16K33
//! (data sheet, Holtek): Adafruit's "quad alphanumeric" backpacks.
//!
//! Invariants: after a message a module shows its part of the text, whatever its state
//! was before; a message fits a buffer of 16 bytes.

use firmware_core::segments::{NAMES, SEGMENTS, lit};
use protocol::{DISPLAY_CHARACTERS, Text};

/// The number of characters that a module shows.
pub const MODULE_CHARACTERS: usize = 4;

/// Turns on the oscillator, shows the memory without blinking, and dims to 8 of 16, so
/// that three modules take 60 mA.
const AWAKE: [u8; 3] = [0x21, 0x81, 0xE7];
/// The first address of the module's memory.
const FIRST_PLACE: u8 = 0x00;

const BUS_BYTES: usize = AWAKE.len() + 1 + 2 * MODULE_CHARACTERS;

/// The wiring of a character's segments, from the lowest bit of its two bytes on. The
/// manufacturer calls them A to F, G1, G2, H, J, K, L, M, N and DP.
const WIRED: &[u8; SEGMENTS] = b"abcdefghijknml.";

/// A byte for a module, and whether the bus is released after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusByte {
    /// The byte that is sent.
    pub byte: u8,
    /// True for the last byte of a command.
    pub is_last: bool,
}

/// The message with which a module, numbered from the left, shows its part of a text.
#[must_use]
pub fn message(text: &Text<DISPLAY_CHARACTERS>, module: usize) -> [BusByte; BUS_BYTES] {
    let commands = AWAKE.map(|byte| BusByte {
        byte,
        is_last: true,
    });
    let letters = text.chars().chain(core::iter::repeat(' '));
    let letters = letters.skip(module * MODULE_CHARACTERS);
    let letters = letters.take(MODULE_CHARACTERS);
    let memory = letters.flat_map(|letter| wired(lit(letter)).to_le_bytes());
    let memory = core::iter::once(FIRST_PLACE).chain(memory);
    let memory = memory.map(|byte| BusByte {
        byte,
        is_last: false,
    });
    let mut bytes = [BusByte::default(); BUS_BYTES];
    for (place, byte) in bytes.iter_mut().zip(commands.into_iter().chain(memory)) {
        *place = byte;
    }
    if let Some(last) = bytes.last_mut() {
        last.is_last = true;
    }
    bytes
}

/// The bits of a character's segments, in the order of the wiring.
fn wired(segments: u16) -> u16 {
    let is_lit = |name: &u8| NAMES.iter().position(|own| own == name);
    let is_lit = |name: &u8| is_lit(name).is_some_and(|bit| segments & (1 << bit) != 0);
    let bits = WIRED.iter().zip(0..).filter(|(name, _)| is_lit(name));
    bits.fold(0, |all, (_, bit)| all | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text<DISPLAY_CHARACTERS> {
        Text::clipped(text)
    }

    /// The bytes of the module's memory after a message.
    fn memory(shown: &str, module: usize) -> Vec<u8> {
        let bytes = message(&text(shown), module);
        bytes[AWAKE.len() + 1..]
            .iter()
            .map(|byte| byte.byte)
            .collect()
    }

    #[test]
    fn a_message_wakes_the_module_and_fills_its_memory() {
        let message = message(&text("095_0"), 1);
        // `0` consists of the bars A to F and the two slanted segments that form its
        // stroke.
        let bytes = message.map(|byte| byte.byte);
        assert_eq!(bytes, [0x21, 0x81, 0xE7, 0, 0x3F, 0x0C, 0, 0, 0, 0, 0, 0]);
        let last = message.map(|byte| byte.is_last);
        let mut expected = [false; 12];
        expected[..3].fill(true);
        expected[11] = true;
        assert_eq!(last, expected);
    }

    #[test]
    fn each_segment_is_wired_once() {
        let mut all: Vec<u16> = (0..SEGMENTS).map(|bit| wired(1 << bit)).collect();
        all.sort_unstable();
        let once: Vec<u16> = (0..SEGMENTS).map(|bit| 1 << bit).collect();
        assert_eq!(all, once);
    }

    /// Compares the letters that have the same strokes here as in the manufacturer's
    /// table.
    #[test]
    fn letters_equal_those_of_the_makers_library() {
        let own = [
            ('A', 0x00F7_u16),
            ('H', 0x00F6),
            ('K', 0x2470),
            ('N', 0x2136),
            ('Q', 0x203F),
            ('T', 0x1201),
            ('V', 0x0C30),
            ('W', 0x2836),
            ('X', 0x2D00),
            ('Z', 0x0C09),
        ];
        for (letter, bits) in own {
            let shown = memory(&letter.to_string(), 0);
            assert_eq!(shown[..2], bits.to_le_bytes(), "{letter}");
        }
    }

    #[test]
    fn three_modules_show_twelve_characters() {
        let modules = [0, 1, 2].map(|module| memory("AB 34567890X", module));
        let expected: Vec<u8> = "AB 34567890X"
            .chars()
            .flat_map(|letter| wired(lit(letter)).to_le_bytes())
            .collect();
        assert_eq!(modules.concat(), expected);
        assert_eq!(memory("AB", 2), [0; 8]);
    }
}
