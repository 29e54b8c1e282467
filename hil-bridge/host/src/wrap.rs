//! Wraps sentences into lines of a given width.

/// Wraps text into lines of at most `width` characters, at blanks if possible.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let gap = usize::from(length > 0);
        if length + gap + word.len() > width && length > 0 {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        // A word that is longer than a line is divided.
        while word.len() > width {
            let rest = word.split_off(width);
            lines.push(word.into_iter().collect());
            word = rest;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        length += word.len();
        line.extend(word);
    }
    if length > 0 {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wrapping_keeps_words_whole_if_they_fit() {
        assert_eq!(wrapped("the line was lost", 9), ["the line", "was lost"]);
        assert_eq!(wrapped("a /dev/ttyACM0", 5), ["a", "/dev/", "ttyAC", "M0"]);
        assert_eq!(wrapped("", 5), [""; 0]);
    }

    proptest! {
        #[test]
        fn wrapped_lines_fit_and_keep_all_letters(text in "[a-z ]{0,200}", width in 0_usize..50) {
            let lines = wrapped(&text, width);
            prop_assert!(lines.iter().all(|line| (1..=width.max(1)).contains(&line.len())));
            let letters = |text: &str| text.replace(' ', "");
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
