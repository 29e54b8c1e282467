//! The fourteen segments of a character of the display, and which of them are lit for it.
//!
//! ```text
//!   ---- a ----
//!  |\    |    /|
//!  f  i  j  k  b
//!  |   \ | /   |
//!   - g -- h --
//!  |   / | \   |
//!  e  n  m  l  c
//!  |/    |    \|
//!   ---- d ----   .
//! ```
//!
//! Both the window, which draws them, and a chip with a display at its pins use this
//! table.

/// The number of segments of a character, including the dot.
pub const SEGMENTS: usize = 15;

/// The names of the segments, in the order of their bits.
pub const NAMES: &[u8; SEGMENTS] = b"abcdefghijklmn.";

/// The segments of each printable ASCII character from the space on. Small letters look
/// like capitals, which are easier to read on such displays.
const FONT: [&str; 64] = [
    "",
    "b.",
    "bj",
    "bcdghjm",
    "acdfghjm",
    "cfgijklmnh",
    "adegijl",
    "k", // space ! " # $ % & '
    "kl",
    "in",
    "ghijklmn",
    "ghjm",
    "n",
    "gh",
    ".",
    "kn", // ( ) * + , - . /
    "abcdefkn",
    "bc",
    "abdegh",
    "abcdh",
    "bcfgh",
    "acdfgh",
    "acdefgh",
    "abc", // 0-7
    "abcdefgh",
    "abcdfgh",
    "jm",
    "jn",
    "kl",
    "dgh",
    "in",
    "abhm", // 8 9 : ; < = > ?
    "abdefhj",
    "abcefgh",
    "abcdhjm",
    "adef",
    "abcdjm",
    "adefg",
    "aefg",
    "acdefh", // @ A-G
    "bcefgh",
    "adjm",
    "bcde",
    "efgkl",
    "def",
    "bcefik",
    "bcefil",
    "abcdef", // H-O
    "abefgh",
    "abcdefl",
    "abefghl",
    "acdhi",
    "ajm",
    "bcdef",
    "efkn",
    "bcefln", // P-W
    "ikln",
    "ikm",
    "adkn",
    "adef",
    "il",
    "abcd",
    "ln",
    "d", // X Y Z [ \ ] ^ _
];

/// The segments of a character, one bit each. A character that such a display cannot show
/// gets the middle bar and the dot.
#[must_use]
pub fn lit(letter: char) -> u16 {
    let letter = match letter {
        '`' => '\'',
        '{' => '(',
        '|' => '!',
        '}' => ')',
        '~' => '-',
        other => other.to_ascii_uppercase(),
    };
    let names = u32::from(letter)
        .checked_sub(u32::from(' '))
        .and_then(|index| FONT.get(index as usize))
        .unwrap_or(&"gh.");
    NAMES
        .iter()
        .enumerate()
        .filter(|(_, name)| names.as_bytes().contains(name))
        .fold(0, |bits, (index, _)| bits | 1 << index)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_printable_character_but_the_space_lights_something() {
        assert_eq!(lit(' '), 0);
        for letter in '!'..='~' {
            assert_ne!(lit(letter), 0, "{letter}");
        }
    }

    #[test]
    fn digits_and_capitals_all_look_different() {
        let letters: Vec<char> = ('0'..='9').chain('A'..='Z').collect();
        for (index, one) in letters.iter().enumerate() {
            for other in &letters[index + 1..] {
                assert_ne!(lit(*one), lit(*other), "{one} {other}");
            }
        }
    }

    #[test]
    fn digits_differ_from_similar_letters_in_two_segments() {
        // The panel's own texts contain these pairs: `055_0` and `A55_0`.
        for (digit, letter) in [('0', 'O'), ('5', 'S'), ('8', 'B'), ('2', 'Z'), ('1', 'I')] {
            let differing = (lit(digit) ^ lit(letter)).count_ones();
            assert!(differing >= 2, "{digit} {letter}: {differing}");
        }
    }

    #[test]
    fn small_letters_look_like_capitals() {
        assert_eq!(lit('r'), lit('R'));
        assert_eq!(lit('é'), lit('€'));
        assert_ne!(lit('é'), 0);
    }

    #[test]
    fn the_table_names_only_segments_that_exist() {
        for (index, names) in FONT.iter().enumerate() {
            assert!(
                names.bytes().all(|name| NAMES.contains(&name)),
                "{index}: {names}"
            );
        }
    }
}
