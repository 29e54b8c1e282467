//! The names of all games in one table: the games of the board, and the texts that come
//! along.
//!
//! The shell, scenarios and the window's list of games find a game by the same names:
//! `chess`, `Nine Men's Morris`, `othello`.
//!
//! Invariants: capitals, blanks and punctuation make no difference; a game's own name is
//! found before another game's other name; of games that share another name, the first is
//! found; no two rows have the same own name.

use std::sync::OnceLock;

use firmware_core::games as core_games;
use ludemes::games::TEXTS;

use crate::{games as guides, words};

/// What is added to the name of a text that a game of the board has, too.
pub const AS_A_TEXT: &str = ", as a text";

/// The edit distance up to which a name is taken for a misspelt one.
const NEAR: usize = 2;
/// From this many letters on, a part of a name is enough to propose it.
const PART: usize = 3;
/// The most names that are proposed.
const PROPOSED: usize = 3;

/// A game that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedGame {
    /// A game of the board, by its number.
    OfBoard(u8),
    /// A bundled text, by the name of its file without `.lud`.
    Text(&'static str),
}

impl NamedGame {
    /// The number that the game has on a board.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            NamedGame::OfBoard(number) => number,
            NamedGame::Text(_) => core_games::LAYOUTS_OWN,
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRow {
    /// The game.
    pub game: NamedGame,
    /// Its name in the window's list.
    pub own: String,
    /// Other names under which it is found.
    pub others: Vec<String>,
}

/// All rows: the games of the board first, then the texts, in the order of their files.
#[must_use]
pub fn table() -> &'static [NameRow] {
    static TABLE: OnceLock<Vec<NameRow>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut rows: Vec<NameRow> = core_games::BUILT.iter().map(of_board).collect();
        for (file, text) in TEXTS {
            let row = of_text(file, text, &rows);
            rows.push(row);
        }
        rows
    })
}

fn of_board(number: u8) -> NameRow {
    let others = guides::find(number).map_or(&[][..], |guide| guide.other_names());
    NameRow {
        game: NamedGame::OfBoard(number),
        own: words::game_name(number),
        others: others.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn of_text(file: &'static str, text: &str, before: &[NameRow]) -> NameRow {
    let title = title(text).unwrap_or(file);
    let is_taken = before.iter().any(|row| letters(&row.own) == letters(title));
    let about = ludemes::text::about(text).unwrap_or_default();
    NameRow {
        game: NamedGame::Text(file),
        own: match is_taken {
            true => format!("{title}{AS_A_TEXT}"),
            false => title.to_owned(),
        },
        others: std::iter::once(file.to_owned())
            .chain(about.aliases)
            .collect(),
    }
}

/// The name that a text gives its game.
#[must_use]
pub fn title(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("(game \"")?;
    rest.split_once('"').map(|(title, _)| title)
}

/// A name as it is compared: its letters and digits alone, small.
#[must_use]
pub fn letters(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The game with this name or number. `hex.lud` is the text, whatever other game has its
/// name.
#[must_use]
pub fn find(word: &str) -> Option<NamedGame> {
    if let Some(file) = word.strip_suffix(".lud") {
        let mut files = TEXTS.iter().map(|(known, _)| *known);
        return files.find(|known| *known == file).map(NamedGame::Text);
    }
    if let Some(number) = words::game_number(word) {
        return Some(NamedGame::OfBoard(number));
    }
    let wanted = letters(word);
    let is_named = |name: &String| letters(name) == wanted;
    let by_own = table().iter().find(|row| is_named(&row.own));
    let by_other = || table().iter().find(|row| row.others.iter().any(is_named));
    by_own.or_else(by_other).map(|row| row.game)
}

/// The names that were probably meant, the most likely first; empty if none is near.
#[must_use]
pub fn near(word: &str) -> Vec<&'static str> {
    let wanted = letters(word);
    let length = wanted.chars().count();
    let far = |name: &str| {
        let name = letters(name);
        let far = strsim::damerau_levenshtein(&wanted, &name);
        let has_part = length >= PART && name.contains(&wanted);
        (far <= NEAR && far * 2 <= length)
            .then_some(far)
            .or(has_part.then_some(NEAR + 1))
    };
    let nearest = |row: &'static NameRow| {
        let names = std::iter::once(&row.own).chain(&row.others);
        let far = names.filter_map(|name| far(name)).min()?;
        Some((far, row.own.as_str()))
    };
    let mut found: Vec<_> = table().iter().filter_map(nearest).collect();
    found.sort_by_key(|(far, _)| *far);
    let names = found.into_iter().map(|(_, name)| name);
    names.take(PROPOSED).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_game_is_found_by_its_unambiguous_names() {
        let owns: HashSet<String> = table().iter().map(|row| letters(&row.own)).collect();
        assert_eq!(owns.len(), table().len());
        for (place, row) in table().iter().enumerate() {
            assert_eq!(find(&row.own), Some(row.game), "{row:?}");
            assert_eq!(find(&row.own.to_uppercase()), Some(row.game), "{row:?}");
            for other in &row.others {
                let found = find(other).expect("a game");
                let found = table().iter().position(|row| row.game == found).unwrap();
                let is_own = owns.contains(&letters(other));
                let is_first = found <= place && table()[found].others.contains(other);
                assert!(found == place || is_own || is_first, "{row:?}: {other}");
            }
        }
    }

    #[test]
    fn names_are_found_in_any_spelling_and_files_mean_texts() {
        for (word, game) in [
            ("chess", NamedGame::Text("chess")),
            ("nine men's morris", NamedGame::Text("nine-mens-morris")),
            ("Lines of Action", NamedGame::Text("lines-of-action")),
            ("tic tac toe", NamedGame::Text("tic-tac-toe")),
            ("othello", NamedGame::OfBoard(0)),
            ("reversi", NamedGame::OfBoard(0)),
            ("reversi.lud", NamedGame::Text("reversi")),
            ("Reversi, as a text", NamedGame::Text("reversi")),
            ("9", NamedGame::OfBoard(9)),
        ] {
            assert_eq!(find(word), Some(game), "{word}");
        }
        for nothing in ["", "no such game", "no-such-game.lud", "-1"] {
            assert_eq!(find(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn an_unknown_name_suggests_similar_ones() {
        assert_eq!(near("cehss"), ["Chess"]);
        assert_eq!(near("morris"), ["Nine Men's Morris"]);
        assert!(near("draughts").contains(&"English Draughts"));
        assert_eq!(near("q"), [""; 0]);
        assert_eq!(near("backgammon"), [""; 0]);
    }
}
