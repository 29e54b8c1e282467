//! What a text says about its game in words, beside the rules that are played.
//!
//! Chess's says `(metadata (info {(description "...") (rules "...")}))`. Published
//! texts say much more there; whatever is not known here is passed over, so metadata
//! is never wrong.

/// The words of a text about its game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// What the game is about.
    pub description: Option<String>,
    /// How it is played.
    pub rules: Option<String>,
}

impl Metadata {
    /// Takes up what a call `(metadata ...)` says, quoted with straight marks. What was
    /// said first counts: later ones describe single rulesets.
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
    }

    /// How the game is played, a sentence each.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.rules.as_deref().unwrap_or_default();
        std::iter::from_fn(move || {
            let sentence = first_sentence(rest);
            rest = rest[sentence.len()..].trim_start();
            (!sentence.is_empty()).then_some(sentence)
        })
    }
}

/// The first quoted text after some words, without white space around its lines.
/// `None` if nothing stands in it.
fn quoted_after(call: &str, head: &str) -> Option<String> {
    let after = call.split_once(head)?.1.trim_start().strip_prefix('"')?;
    let mut words = String::new();
    let mut characters = after.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' if characters.peek() == Some(&'"') => words.extend(characters.next()),
            other => words.push(other),
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

/// The first sentence of a text: to a full stop that a capital or a digit follows.
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
    fn words_about_a_game_are_read_and_those_about_its_records_are_not() {
        let read = metadata(
            "(metadata (info {(description \"Three in\n   a “row”.\") (aliases {\"X\"}) \
             (rules \"Say \\\"go\\\". Then 3.5 steps. 2 more\")}))",
        );
        assert_eq!(read.description.as_deref(), Some("Three in a “row”."));
        let rules: Vec<_> = read.rules().collect();
        assert_eq!(rules, ["Say \"go\".", "Then 3.5 steps.", "2 more"]);
    }

    #[test]
    fn a_text_that_says_nothing_has_no_words() {
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
    fn the_first_words_count() {
        let read = metadata("(metadata (info {(rules \"A.\") (useFor {\"R\"} (rules \"B.\"))}))");
        assert_eq!(read.rules.as_deref(), Some("A."));
    }
}
