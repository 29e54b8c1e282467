//! Games as texts, from the file to the board.
//!
//! A text of the language is compiled to a layout with its own game, and a board with
//! this layout plays it. So the file of a text is accepted wherever a layout is expected.
//!
//! A [`TextGame`] owns the drawing of its layout. The note of the drawing contains the
//! text's rules in words, so every owner of the layout can show the rules, and everything
//! is dropped with the last owner.
//!
//! Invariants: a text that does not compile is refused with the place and the reason; the
//! rules of a game that was compiled here are available in words.

mod course;
mod decided;
mod drawn;
mod rules;

use std::path::{Path, PathBuf};

use firmware_core::games;
use ludemes::check;
use ludemes::compile::{Compiled, Unplayable};
use ludemes::names;
use ludemes::text::TextError;
use ludemes::tree::{Kind, Node};
use protocol::{KnownLayout, Layout, Roster};

use crate::games::is_layouts_own;
use crate::words;
use rules::remember;

pub use crate::games::players;
pub use course::{LoggedMove, MoveLog, still_played};
pub use decided::{Decision, EndReason, decision, row_on_grid};
pub use drawn::other_decision;
pub use ludemes::games as library;
pub use ludemes::shown::game_of;
pub use ludemes::text::{Heading, Item};
pub use rules::{GameRules, counts_pieces, forbidden_after, how_to, other_names, played_on, takes};

/// The extension of a text's file.
pub const EXTENSION: &str = "lud";

/// True if the name of a file is that of a game's text.
#[must_use]
pub fn is_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

/// The text of a game, and the chosen items of its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The file of the text.
    pub file: PathBuf,
    /// Items of options, as `Heading/Item` or by the item's name alone. Options that are
    /// not named have their usual items.
    pub options: Vec<String>,
}

impl Choice {
    /// Parses a choice: `hex.lud`, or `hex.lud#5x5` with a # before each item of an
    /// option. `None` if it is not a game's text.
    #[must_use]
    pub fn written(text: &str) -> Option<Choice> {
        let (file, options) = match text.split_once(".lud#") {
            Some((name, _)) => text.split_at(name.len() + ".lud".len()),
            None => (text, ""),
        };
        let file = PathBuf::from(file);
        let options = options.split('#').filter(|option| !option.is_empty());
        let options = options.map(str::to_owned).collect();
        is_text(&file).then_some(Choice { file, options })
    }
}

impl From<PathBuf> for Choice {
    fn from(file: PathBuf) -> Choice {
        let options = Vec::new();
        Choice { file, options }
    }
}

/// A game that was read from its text.
#[derive(Clone, Debug)]
pub struct TextGame {
    /// The layout with the game.
    pub layout: KnownLayout,
    /// The root of the text's tree.
    pub node: Node,
    /// The compiled game.
    pub compiled: Compiled,
    /// The options of the text.
    pub options: Vec<Heading>,
    /// The sentence that some points have different names on the board than in the text;
    /// `None` if there are none.
    pub names: Option<String>,
    /// True if numbers decide the game: points that the rules give, or a count at the end.
    /// Otherwise the two numbers count the pieces on the board.
    pub keeps_score: bool,
}

/// True if the game is decided by numbers; see [`TextGame::keeps_score`].
fn keeps_score(game: &Node, layout: Layout) -> bool {
    let known = layout.drawing();
    let on_board = known.as_ref().and_then(game_of);
    let counts = |node: &Node| matches!(&node.kind, Kind::Word(word) if word == "byScore");
    on_board.is_some_and(|game| game.cartridge.keeps_scores()) || game.all().any(counts)
}

/// Why a text is not a game that a board plays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextGameError {
    /// The text has errors. The sentence shows the lines with them.
    #[error("{}", shown(.troubles, .name, .text))]
    Text {
        /// The name of the file.
        name: String,
        /// The text.
        text: String,
        /// Its errors, one at least.
        troubles: Vec<TextError>,
    },
    /// The text is right, but no board of lights can play its game.
    #[error("{name}: {error}")]
    Unplayable {
        /// The name of the file.
        name: String,
        /// What the board lacks.
        error: Unplayable,
    },
}

fn shown(troubles: &[TextError], name: &str, text: &str) -> String {
    let each = troubles.iter().map(|trouble| trouble.shown(name, text));
    each.collect::<Vec<_>>().join("\n\n")
}

/// Compiles a text with these items of its options. `name` is the name of the file.
///
/// # Errors
/// [`TextGameError::Text`] if the text has errors, [`TextGameError::Unplayable`] if its
/// game does not fit a board.
pub fn of_text(name: &str, source: &str, options: &[String]) -> Result<TextGame, TextGameError> {
    let made = check::made(source, options);
    let (reading, compiled) = made.map_err(|troubles| TextGameError::Text {
        name: name.to_owned(),
        text: source.to_owned(),
        troubles,
    })?;
    let layout = compiled.layout();
    let layout = layout.map_err(|error| TextGameError::Unplayable {
        name: name.to_owned(),
        error,
    })?;
    let names = names::sentence(&names::otherwise(&reading.game, &compiled));
    let keeps_score = keeps_score(&reading.game, *layout);
    remember(&layout, &compiled, &reading, keeps_score);
    Ok(TextGame {
        keeps_score,
        layout,
        node: reading.game,
        compiled,
        options: reading.options,
        names,
    })
}

/// The layout of a board with these games and without an inserted one: that of its first
/// game.
#[must_use]
pub fn without(roster: Roster) -> Layout {
    games::layout_for(games::of_any_layout(roster))
}

/// The name of a game on a board of this layout.
#[must_use]
pub fn game_name(number: u8, layout: Layout) -> String {
    let known = layout.drawing().filter(|_| is_layouts_own(number));
    known.as_ref().and_then(game_of).map_or_else(
        || words::game_name(number),
        |game| game.cartridge.name().to_owned(),
    )
}

#[cfg(test)]
pub(crate) mod texts {
    //! The games of this repository, for tests.

    use protocol::KnownLayout;

    use super::{TextGame, library, of_text};

    /// The game of this name.
    pub fn game(name: &str) -> TextGame {
        let text = library::text(name).expect("it is bundled");
        of_text(name, text, &[]).expect("it is compiled")
    }

    /// The layout of the text with this name.
    pub fn layout(name: &str) -> KnownLayout {
        game(name).layout
    }

    /// The layouts of all texts that a board of lights plays, by name.
    pub fn all() -> Vec<(String, KnownLayout)> {
        let named = library::TEXTS.iter().filter_map(|(name, text)| {
            Some((name.to_string(), of_text("a game", text, &[]).ok()?.layout))
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::AnyBoard;
    use protocol::{Button, Event, Input};

    use super::*;
    use crate::games as guides;

    fn choice(file: &str, options: &[&str]) -> Option<Choice> {
        Some(Choice {
            file: file.into(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
        })
    }

    #[test]
    fn a_choice_is_a_file_and_items_of_its_options() {
        assert_eq!(Choice::written("a/hex.lud"), choice("a/hex.lud", &[]));
        assert_eq!(
            Choice::written("hex.lud#Board Size/5x5#Rule/Off"),
            choice("hex.lud", &["Board Size/5x5", "Rule/Off"])
        );
        assert_eq!(
            Choice::written("#1/hex.lud#5x5"),
            choice("#1/hex.lud", &["5x5"])
        );
        assert_eq!(Choice::written("9x9"), None);
        assert_eq!(Choice::written("a.session"), None);
    }

    #[test]
    fn rules_are_rebuilt_only_when_their_words_change() {
        let text = "(game \"Saved Twice\" (players 2) (equipment {(board (square 3)) \
             (piece \"Disc\" Each)}) (rules (play (move Add (to (sites Empty)))) \
             (end (\"Line3Win\"))))";
        let saved = |rules: &str| {
            let text = format!("{text} (metadata (info (rules \"{rules}\")))");
            let layout = of_text("twice", &text, &[]).unwrap().layout;
            let rules = how_to(games::LAYOUTS_OWN, *layout).unwrap();
            (rules, layout)
        };
        let (first, _layout) = saved("Put a disc.");
        let again = saved("Put a disc.").0;
        assert!(std::ptr::eq(first.text().unwrap(), again.text().unwrap()));
        let other = saved("Put one disc.").0;
        assert_eq!(other.play().next(), Some("Put one disc."));
    }

    /// What was seen on a board while touches here and there played a text.
    #[derive(Debug, Default)]
    struct Seen {
        is_moved: bool,
        is_chosen: bool,
        says: std::collections::BTreeSet<String>,
    }

    /// Plays a text for a while, and passes now and then where the display offers it.
    fn played(layout: Layout) -> Seen {
        let mut board = AnyBoard::new(layout, 5).unwrap();
        let mut seen = Seen::default();
        let mut happened = Vec::new();
        let mut give = |board: &mut AnyBoard, input| {
            board.input(input, &mut |_, event| happened.push(event));
            board.advance(60, &mut |_, event| happened.push(event));
        };
        for number in 0..160_usize {
            if board.status().score.is_none() || board.status().outcome.is_some() {
                give(&mut board, Input::Press(Button::Start));
                give(&mut board, Input::Lift(Button::Start));
            }
            let display = board.frame().display.to_string();
            for word in ["pass", "swap"] {
                seen.says
                    .extend(display.contains(word).then(|| word.to_owned()));
            }
            seen.is_chosen |= display.contains("Which one?");
            if display.contains("swap") && number % 2 == 0 {
                give(&mut board, Input::Pass);
            }
            let legal = board.legal_points();
            if let Some(point) = legal.get((number * 7 + number / 5) % legal.len().max(1)) {
                give(&mut board, Input::Touch(*point));
                give(&mut board, Input::Release(*point));
            }
        }
        seen.is_moved = happened
            .iter()
            .any(|event| matches!(event, Event::Part { .. }));
        seen
    }

    #[test]
    fn sentences_about_touches_hold_for_every_text() {
        let mut all_wrong = Vec::new();
        for (name, layout) in texts::all() {
            let rules = how_to(games::LAYOUTS_OWN, *layout).unwrap();
            if players(*layout) == Some(0) {
                continue;
            }
            let told = |sentence: &str| rules.play().any(|line| line == sentence);
            let seen = played(*layout);
            let says = |word: &str| seen.says.contains(word);
            let are = [
                (guides::PIECES_ARE_MOVED, seen.is_moved),
                (guides::SWAP, says("swap")),
            ];
            let wrong = are.into_iter().filter(|(line, holds)| told(line) != *holds);
            all_wrong.extend(wrong.map(|(line, holds)| (name.clone(), line, holds)));
            // A choice, and a pass in the middle of a turn, may be rare.
            let may_be = [
                (guides::PASS, says("pass")),
                (guides::SEVERAL_MOVES, seen.is_chosen),
            ];
            let untold = may_be
                .into_iter()
                .filter(|(line, holds)| *holds && !told(line));
            all_wrong.extend(untold.map(|(line, _)| (name.clone(), line, true)));
            assert_eq!(
                rules.end() == guides::COUNTS_PIECES,
                counts_pieces(games::LAYOUTS_OWN, *layout)
            );
        }
        assert!(all_wrong.is_empty(), "{all_wrong:#?}");
    }

    #[test]
    fn rules_of_go_explain_passing_but_not_moving_or_swapping() {
        let go = texts::layout("go");
        let rules = how_to(games::LAYOUTS_OWN, *go).unwrap();
        let of_all = [
            guides::PIECES_ARE_MOVED,
            guides::PIECES_ARE_PUT,
            guides::SEVERAL_MOVES,
            guides::PASS,
            guides::SWAP,
        ];
        let told = of_all.map(|sentence| rules.play().any(|line| line == sentence));
        assert_eq!(told, [false, false, false, true, false]);
    }
}
