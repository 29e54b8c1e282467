//! The part of a text that describes the game.
//!
//! In Chess it is `(metadata (info {(description "...") (rules "...")}))`, and
//! `(aliases {"..." "..."})` has other names of the game. Published texts contain much
//! more here; unknown parts are ignored, so metadata has no errors.

/// A text's description of its game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The description of the game.
    pub description: Option<String>,
    /// The rules in words, from the text.
    pub rules: Option<String>,
    /// Other names of the game.
    pub aliases: Vec<String>,
}

impl Metadata {
    /// Reads a call `(metadata ...)` with straight quotes. Only the first description is
    /// used, because later ones describe single rulesets.
    pub(super) fn read(&mut self, call: &str) {
        let both = [
            ("(description", &mut self.description),
            ("(rules", &mut self.rules),
        ];
        for (head, words) in both {
            if words.is_none() {
                *words = quoted_after(call, head);
            }
        }
        if self.aliases.is_empty() {
            self.aliases = all_quoted_after(call, "(aliases");
        }
    }

    /// How the game is played, one sentence for each line.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.rules.as_deref().unwrap_or_default();
        std::iter::from_fn(move || {
            let sentence = first_sentence(rest);
            rest = rest[sentence.len()..].trim_start();
            (!sentence.is_empty()).then_some(sentence)
        })
    }
}

/// The quoted text right after this head, with its lines trimmed; `None` if it is missing
/// or empty.
fn quoted_after(call: &str, head: &str) -> Option<String> {
    let mut heads = call.match_indices(head);
    let (words, _) = heads.find_map(|(at, _)| quoted(&call[at + head.len()..]))?;
    (!words.is_empty()).then_some(words)
}

/// All non-empty quoted texts in the braces right after this head.
fn all_quoted_after(call: &str, head: &str) -> Vec<String> {
    let Some((_, rest)) = call.split_once(head) else {
        return Vec::new();
    };
    let rest = rest.trim_start();
    let mut rest = rest.strip_prefix('{').unwrap_or(rest);
    let mut all = Vec::new();
    while let Some((words, behind)) = quoted(rest) {
        all.push(words);
        rest = behind;
    }
    all.retain(|words| !words.is_empty());
    all
}

/// The quoted text with which this begins, with its lines trimmed, and the rest. `None`
/// if it begins with something else.
fn quoted(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start().strip_prefix('"')?;
    let mut words = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' if characters.as_str().starts_with('"') => words.extend(characters.next()),
            other => words.push(other),
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    Some((words, characters.as_str()))
}

/// The first sentence of a text: it ends with a full stop that a capital letter or a
/// digit follows.
fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let begins = |at: &usize| {
        text[*at..]
            .trim_start()
            .starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit())
    };
    let end = ends.into_iter().find(begins);
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::super::read_with;
    use super::*;

    fn metadata(text: &str) -> Metadata {
        let text = format!("(game \"G\" (players 2)) {text}");
        read_with(&text, &[]).expect("it is read").metadata
    }

    #[test]
    fn descriptive_metadata_is_read_and_the_rest_ignored() {
        let read = metadata(
            "(metadata (info {(description \"Three in\n   a “row”.\") (rulesets {\"X\"}) \
             (rules \"Say \\\"go\\\". Then 3.5 steps. 2 more\")}))",
        );
        assert_eq!(read.description.as_deref(), Some("Three in a “row”."));
        let rules: Vec<_> = read.rules().collect();
        assert_eq!(rules, ["Say \"go\".", "Then 3.5 steps.", "2 more"]);
    }

    #[test]
    fn a_text_without_metadata_has_no_words() {
        for text in [
            "",
            "(metadata (info {}))",
            "(metadata (info (rules \"  \")))",
        ] {
            assert_eq!(metadata(text), Metadata::default());
            assert_eq!(metadata(text).rules().count(), 0);
        }
    }

    #[test]
    fn the_first_of_repeated_metadata_counts() {
        let read = metadata("(metadata (info {(rules \"A.\") (useFor {\"R\"} (rules \"B.\"))}))");
        assert_eq!(read.rules.as_deref(), Some("A."));
    }

    #[test]
    fn one_or_several_aliases_are_read() {
        let read = metadata("(metadata (info {(aliases {\"Draughts\"  \"Check-\n ers\" \"\"})}))");
        assert_eq!(read.aliases, ["Draughts", "Check- ers"]);
        let read = metadata("(metadata (info (aliases \"Othello\")))");
        assert_eq!(read.aliases, ["Othello"]);
        for none in ["(metadata (info {}))", "(metadata (info {(aliases {})}))"] {
            assert_eq!(metadata(none).aliases, [""; 0]);
        }
    }
}
