//! How well a game matches a search, and why: by its name, another name, or its
//! description.
//!
//! `othello` finds Reversi by another name; `surround board` finds SpeedGo by its rules.

use std::ops::Range;

use touchboard_host::game_names::letters;
use touchboard_host::games::how_to;

use crate::workbench::games::Entry;

impl Entry {
    /// True if one of its names, its summary or its rules match the search. The words of
    /// the search may be anywhere, in any order.
    #[must_use]
    pub fn has(&self, search: &str) -> bool {
        self.rank(search) != Rank::Other
    }

    /// True if the description contains all words of the search.
    fn mentions(&self, search: &str) -> bool {
        let search = search.to_lowercase();
        let mut words = search.split_whitespace();
        let modes = how_to(self.game).map_or(&[][..], |text| text.modes);
        let mut told = format!("{} {} {}", self.name, self.kind, self.aim);
        for name in &self.other_names {
            told.push(' ');
            told.push_str(name);
        }
        let modes = modes.iter().map(|mode| mode.name);
        for sentence in modes.chain(self.play.iter().map(String::as_str)) {
            told.push(' ');
            told.push_str(sentence);
        }
        let told = told.to_lowercase();
        words.all(|word| has_word(&told, word))
    }

    /// Where in the entry the search text was found.
    #[must_use]
    pub fn found(&self, search: &str) -> FoundIn {
        if letters(search).is_empty() {
            return FoundIn::default();
        }
        if let Some(in_name) = place_in(&self.name, search) {
            return FoundIn {
                in_name: Some(in_name),
                ..FoundIn::default()
            };
        }
        let mut others = self.other_names.iter();
        if let Some(name) = others.find(|name| place_in(name, search).is_some()) {
            return FoundIn {
                why: Some(format!("Also called {name}. {}", self.aim)),
                ..FoundIn::default()
            };
        }
        FoundIn {
            in_name: None,
            is_told: true,
            why: self.why(search),
        }
    }

    /// Explains a match that the entry does not show: the other name, mode or rule that
    /// contains the word.
    fn why(&self, search: &str) -> Option<String> {
        let shown = format!("{} {} {}", self.name, self.kind, self.aim).to_lowercase();
        let search = search.to_lowercase();
        let is_hidden = |word: &&str| !has_word(&shown, word);
        let word = search.split_whitespace().find(is_hidden)?;
        let has = |text: &str| has_word(&text.to_lowercase(), word);
        let name = self.other_names.iter().find(|name| has(name));
        let name = name.map(|name| format!("Also called {name}."));
        let modes = how_to(self.game).map_or(&[][..], |text| text.modes);
        let mode = || {
            let mode = modes.iter().find(|mode| has(mode.name))?;
            Some(format!("A mode of it: {}.", mode.name))
        };
        let rule = || {
            let rule = self.play.iter().find(|rule| has(rule))?;
            Some(format!("In its rules: {}", around(rule, word)))
        };
        name.or_else(mode).or_else(rule)
    }

    /// How well the game matches the search text.
    #[must_use]
    pub fn rank(&self, search: &str) -> Rank {
        let wanted = letters(search);
        let own = std::iter::once((&self.name, NameOf::Own));
        let others = self.other_names.iter().map(|name| (name, NameOf::Other));
        let places = own.chain(others).filter_map(|(name, of)| {
            let name = letters(name);
            Some(match name.find(&wanted)? {
                _ if name == wanted => Rank::Called(of),
                0 => Rank::Begins(of),
                _ => Rank::Named(of),
            })
        });
        let told = || match self.mentions(search) {
            true => Rank::Told,
            false => Rank::Other,
        };
        places.min().unwrap_or_else(told)
    }
}

/// True if a word of the text begins with these letters: `go` matches "a goal", but not
/// "diagonal".
fn has_word(text: &str, beginning: &str) -> bool {
    let mut places = text.match_indices(beginning);
    places.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(char::is_alphanumeric)
    })
}

/// The quality of a match with the search text, the best one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A name of the game equals the text.
    Called(NameOf),
    /// One of its names begins with the text.
    Begins(NameOf),
    /// One of its names contains the text.
    Named(NameOf),
    /// Its description contains all words of the text.
    Told,
    /// Nothing about the game matches.
    Other,
}

/// The kind of a game's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameOf {
    /// The game's own name.
    Own,
    /// Another name, which may be that of a game that it is a form of.
    Other,
}

/// Where a search text was found in an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundIn {
    /// Its place in the name, in bytes.
    pub in_name: Option<Range<usize>>,
    /// True if its words are spread over the description.
    pub is_told: bool,
    /// The sentence with the match, if the list does not show it already.
    pub why: Option<String>,
}

/// The place of these letters in a name, ignoring other characters between them.
fn place_in(name: &str, search: &str) -> Option<Range<usize>> {
    let wanted = letters(search);
    let kept = name.char_indices().flat_map(|(at, letter)| {
        let small = letters(letter.encode_utf8(&mut [0; 4]));
        let place = at..at + letter.len_utf8();
        let each = small.chars().map(|small| (small.len_utf8(), place.clone()));
        each.collect::<Vec<_>>()
    });
    // The place in the name of each byte of its letters.
    let bytes = kept.flat_map(|(length, place)| std::iter::repeat_n(place, length));
    let bytes: Vec<Range<usize>> = bytes.collect();
    let from = letters(name).find(&wanted)?;
    let last = from + wanted.len().checked_sub(1)?;
    Some(bytes.get(from)?.start..bytes.get(last)?.end)
}

/// The part of a sentence around this word.
fn around(sentence: &str, word: &str) -> String {
    /// The most words before it, and the most in total.
    const BEFORE: usize = 3;
    const ALL: usize = 14;
    let words: Vec<&str> = sentence.split(' ').collect();
    let has = |part: &&str| part.to_lowercase().contains(word);
    let at = words.iter().position(has).unwrap_or_default();
    let from = at.saturating_sub(BEFORE);
    let to = (from + ALL).min(words.len());
    let begins = if from > 0 { "… " } else { "" };
    let ends = if to < words.len() { " …" } else { "" };
    format!("{begins}{}{ends}", words[from..to].join(" "))
}

#[cfg(test)]
mod tests {
    use firmware_core::games;
    use protocol::Layout;

    use super::*;

    #[test]
    fn a_game_is_found_by_its_name_and_description() {
        let go = Entry::of(9, Layout::MALDOO);
        for search in ["", "speed", "GO", "surround board", " or 2 players "] {
            assert!(go.has(search), "{search}");
        }
        assert!(!go.has("ghost"));
        let with_dice = games::BUILT.iter().filter(|game| {
            let entry = Entry::of(*game, Layout::MALDOO);
            entry.has("dice")
        });
        assert_eq!(with_dice.collect::<Vec<_>>(), [10]);
    }

    #[test]
    fn a_game_is_found_by_other_names_in_any_spelling() {
        let [reversi, tic_dab_toe] = [0, 12].map(|game| Entry::of(game, Layout::MALDOO));
        assert_eq!(reversi.rank("Othello"), Rank::Called(NameOf::Other));
        assert_eq!(reversi.rank("othel"), Rank::Begins(NameOf::Other));
        assert_eq!(reversi.rank("versi"), Rank::Named(NameOf::Own));
        assert!(reversi.rank("reversi") < reversi.rank("othello"));
        for spelt in ["tic tac toe", "tictactoe", "Tic-Tac-Toe"] {
            assert_eq!(
                tic_dab_toe.rank(spelt),
                Rank::Called(NameOf::Other),
                "{spelt}"
            );
        }
        assert_eq!(tic_dab_toe.rank("blocks chessboard"), Rank::Told);
        // In the rules, only the beginning of a word matches.
        assert_eq!(tic_dab_toe.rank("hessboard"), Rank::Other);
        assert_eq!(tic_dab_toe.rank("othello"), Rank::Other);
    }

    #[test]
    fn a_match_outside_the_name_is_explained() {
        let of = |game| Entry::of(game, Layout::MALDOO);
        let part = |game, search: &str| {
            let entry = of(game);
            let found = entry.found(search);
            found.in_name.map(|place| entry.name[place].to_owned())
        };
        assert_eq!(part(0, "VERS").as_deref(), Some("vers"));
        assert_eq!(part(12, "dab toe").as_deref(), Some("DabToe"));
        let why = |game, search: &str| of(game).found(search).why;
        assert!(
            why(0, "othello")
                .unwrap()
                .starts_with("Also called Othello.")
        );
        assert_eq!(of(9).found("surround board").why, None, "its aim says so");
        for game in games::BUILT.iter() {
            let entry = of(game);
            for rule in &entry.play {
                let word = rule.split(' ').next_back().unwrap();
                let found = entry.found(word);
                if found.in_name.is_some() {
                    continue;
                }
                let shown = format!("{} {} {}", entry.name, entry.kind, entry.aim);
                let told = found.why.unwrap_or(shown).to_lowercase();
                assert!(told.contains(&word.to_lowercase()), "{word}: {told}");
            }
        }
        assert_eq!(of(0).found(""), FoundIn::default());
    }
}
