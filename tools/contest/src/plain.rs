//! Makes text from outside safe to show; this is the only place that does so.
//!
//! File names, import names, the output of bots and messages about it go to
//! terminals, tables and journals. Terminals obey some characters, and a line break
//! in the text looks like a second line, so these characters are replaced by escapes
//! such as `\u{1b}` and `
//! `.

/// The text on one line. Characters that would affect a terminal or change the order of
/// reading are escaped.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => plain.push_str("    "),
            letter if is_obeyed(letter) => plain.extend(letter.escape_default()),
            letter => plain.push(letter),
        }
    }
    plain
}

/// The same for each line of a text of this program, whose line breaks are intended.
#[must_use]
pub fn plain_lines(text: &str) -> String {
    let lines = text.split('\n').map(plain);
    lines.collect::<Vec<String>>().join("\n")
}

/// A line of bytes from a bot.
#[must_use]
pub fn plain_bytes(bytes: &[u8]) -> String {
    plain(String::from_utf8_lossy(bytes).trim_end_matches('\r'))
}

fn is_obeyed(letter: char) -> bool {
    let breaks_lines = matches!(letter, '\u{2028}' | '\u{2029}');
    let turns = matches!(letter,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || breaks_lines || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(plain("a\u{1b}[2Jb\nc\td"), "a\\u{1b}[2Jb\\nc    d");
        assert_eq!(
            plain("\u{9b}31m\u{7f}\u{202e}"),
            "\\u{9b}31m\\u{7f}\\u{202e}"
        );
        assert_eq!(plain("Größe \\ \"7\""), "Größe \\ \"7\"");
        assert_eq!(plain_bytes(b"a\x1b[2Jb\xff\r"), "a\\u{1b}[2Jb\u{fffd}");
        assert_eq!(plain_lines("a\n\x07b\n"), "a\n\\u{7}b\n");
    }
}
