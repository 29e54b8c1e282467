//! The fourteen segments: which are lit for a character, and where they lie.
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

use bevy::prelude::*;

/// How many segments a character has, its dot included.
pub const SEGMENTS: usize = 15;

/// The names of the segments, in the order of their bits.
const NAMES: &[u8; SEGMENTS] = b"abcdefghijklmn.";

/// What is lit for each printable ASCII character from the space on. Small
/// letters look like capitals: that is how such displays are read best.
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
    "bck",
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

/// The segments that are lit for a character, a bit each; of one that such a
/// display cannot show, the middle bar and the dot.
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

/// The corners of a segment as a convex polygon, for a character one high and
/// `width` wide whose middle is the origin; x goes right, y down.
#[must_use]
pub fn outline(segment: usize, width: f32) -> Vec<Vec2> {
    /// Thickness of a segment.
    const BAR: f32 = 0.105;
    /// Between two segments.
    const GAP: f32 = 0.016;
    /// Thickness of a slanting segment, measured along x.
    const SLASH: f32 = 0.125;
    let half = BAR / 2.0;
    let (right, bottom) = (width / 2.0 - half, 0.5 - half);
    let horizontal = |from: f32, to: f32, y: f32| {
        let (from, to) = (from + GAP, to - GAP);
        vec![
            Vec2::new(from, y),
            Vec2::new(from + half, y - half),
            Vec2::new(to - half, y - half),
            Vec2::new(to, y),
            Vec2::new(to - half, y + half),
            Vec2::new(from + half, y + half),
        ]
    };
    let vertical = |from: f32, to: f32, x: f32| {
        horizontal(from, to, 0.0)
            .into_iter()
            .map(|corner| Vec2::new(x - corner.y, corner.x))
            .collect::<Vec<_>>()
    };
    // From the middle out to a corner; only the one to the lower right is
    // drawn, the others are its mirror images.
    let slanting = |x_sign: f32, y_sign: f32| {
        let (near_x, far_x) = (half + GAP, right - half - GAP);
        let (near_y, far_y) = (half + GAP, bottom - half - GAP);
        [
            Vec2::new(near_x, near_y),
            Vec2::new(near_x + SLASH * 0.55, near_y),
            Vec2::new(far_x, far_y - SLASH),
            Vec2::new(far_x, far_y),
            Vec2::new(far_x - SLASH * 0.55, far_y),
            Vec2::new(near_x, near_y + SLASH),
        ]
        .map(|corner| corner * Vec2::new(x_sign, y_sign))
        .to_vec()
    };
    match NAMES.get(segment) {
        Some(b'a') => horizontal(-right, right, -bottom),
        Some(b'b') => vertical(-bottom, 0.0, right),
        Some(b'c') => vertical(0.0, bottom, right),
        Some(b'd') => horizontal(-right, right, bottom),
        Some(b'e') => vertical(0.0, bottom, -right),
        Some(b'f') => vertical(-bottom, 0.0, -right),
        Some(b'g') => horizontal(-right, 0.0, 0.0),
        Some(b'h') => horizontal(0.0, right, 0.0),
        Some(b'i') => slanting(-1.0, -1.0),
        Some(b'j') => vertical(-bottom + half, -half * 0.2, 0.0),
        Some(b'k') => slanting(1.0, -1.0),
        Some(b'l') => slanting(1.0, 1.0),
        Some(b'm') => vertical(half * 0.2, bottom - half, 0.0),
        Some(b'n') => slanting(-1.0, 1.0),
        _ => {
            let middle = Vec2::new(width / 2.0 + BAR * 0.9, 0.5 - half);
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| middle + Vec2::new(x, y) * half * 1.1)
                .to_vec()
        }
    }
}

#[cfg(test)]
mod tests {
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
    fn digits_are_told_from_the_letters_that_are_like_them() {
        // In the panel's own texts: `055_0` and `A55_0`.
        for (digit, letter) in [('0', 'O'), ('5', 'S'), ('8', 'B'), ('2', 'Z'), ('1', 'I')] {
            let differing = (lit(digit) ^ lit(letter)).count_ones();
            assert!(differing >= 2, "{digit} {letter}: {differing}");
        }
    }

    #[test]
    fn small_letters_look_like_capitals_and_the_unknown_shows_itself() {
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

    #[test]
    fn every_segment_is_a_polygon_inside_its_character() {
        for segment in 0..SEGMENTS {
            let corners = outline(segment, 0.55);
            assert!(corners.len() >= 4);
            for corner in corners {
                assert!(
                    corner.x.abs() <= 0.5 && corner.y.abs() <= 0.51,
                    "{segment} {corner}"
                );
            }
        }
    }
}
