//! Games as texts, from the file to the board.
//!
//! A text of the language is compiled to a layout that brings its game with it, and a
//! board that becomes this layout plays the game. So wherever a layout is asked for, the
//! file of a text will do.
//!
//! Invariants: a text that does not compile is refused with the place and the reason; the
//! rules of a game that was compiled here can be told in words.

mod course;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use firmware_core::cartridge::LayoutGame;
use firmware_core::games;
use ludemes::check;
use ludemes::compile::Compiled;
use ludemes::explain::explain;
use ludemes::layout::SiteType;
use ludemes::names;
use ludemes::report::{self, ReportOptions};
use ludemes::text::{Metadata, Reading, TextError};
use ludemes::tree::Node;
use protocol::{Layout, Roster};

use crate::howto::HowTo;
use crate::{games as guides, words};

pub use course::{LoggedMove, MoveLog, still_played};
pub use ludemes::games as library;
pub use ludemes::text::{Heading, Item};

/// What the file of such a text is called.
pub const EXTENSION: &str = "lud";

/// The rules of the games that were compiled, by the number of their layout.
static RULES: RwLock<BTreeMap<u32, (Words, Rules)>> = RwLock::new(BTreeMap::new());

/// What rules are made of. They are made again only when it changes, since what is made
/// stays in memory.
#[derive(PartialEq)]
struct Words {
    explained: String,
    metadata: Metadata,
}

/// The rules of a game, as the panels show them.
#[derive(Clone, Copy, Debug)]
struct Rules {
    how_to: HowTo,
    /// See [`constructs`].
    constructs: &'static [&'static str],
}

/// What the boards of these games are played on, by the number of their layout.
static PLAYED_ON: RwLock<BTreeMap<u32, SiteType>> = RwLock::new(BTreeMap::new());

/// True for the file of a game's text, by its name.
#[must_use]
pub fn is_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

/// The text of a game, and what is chosen of its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The file of the text.
    pub file: PathBuf,
    /// Items of its options, as `Heading/Item` or by the item's name alone; of the
    /// others the usual ones are meant.
    pub options: Vec<String>,
}

impl Choice {
    /// A choice as it is written: `hex.lud`, or `hex.lud#5x5` with a # before each item
    /// of an option. `None` if that is no text of a game.
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
    /// Its layout, with the game.
    pub layout: Layout,
    /// What the text says.
    pub node: Node,
    /// What it is compiled to.
    pub compiled: Compiled,
    /// The options of the text.
    pub options: Vec<Heading>,
    /// That points have other names on the board than in the text, if it names some
    /// that do.
    pub names: Option<String>,
}

/// A game, from its text with these items of its options; the name is that of the
/// file.
///
/// # Errors
/// Where the text is wrong, as a person reads it.
pub fn of_text(name: &str, source: &str, options: &[String]) -> Result<TextGame, String> {
    let shown = |troubles: Vec<TextError>| {
        let each = troubles.iter().map(|trouble| trouble.shown(name, source));
        each.collect::<Vec<_>>().join("\n\n")
    };
    let (reading, compiled) = check::made(source, options).map_err(shown)?;
    let layout = compiled.layout();
    let layout = layout.map_err(|error| format!("{name}: {error}"))?;
    let names = names::sentence(&names::otherwise(&reading.game, &compiled));
    remember(layout, &compiled, &reading);
    Ok(TextGame {
        layout,
        node: reading.game,
        compiled,
        options: reading.options,
        names,
    })
}

/// Keeps the rules of a game in words, as the panel shows them.
fn remember(layout: Layout, compiled: &Compiled, reading: &Reading) {
    let Layout::Drawn { id, .. } = layout else {
        return;
    };
    let mut all = RULES.write().unwrap_or_else(PoisonError::into_inner);
    let words = Words {
        explained: explain(&reading.game),
        metadata: reading.metadata.clone(),
    };
    if all.get(&id).is_none_or(|(known, _)| *known != words) {
        let rules = rules_of(&words, compiled.players);
        all.insert(id, (words, rules));
    }
    let mut boards = PLAYED_ON.write().unwrap_or_else(PoisonError::into_inner);
    boards.insert(id, compiled.board.site_type());
}

/// What the board of a game is played on: vertices, edges or cells. `None` for a game
/// whose text was not read here.
#[must_use]
pub fn played_on(layout: Layout) -> Option<SiteType> {
    let Layout::Drawn { id, .. } = layout else {
        return None;
    };
    let known = PLAYED_ON.read().unwrap_or_else(PoisonError::into_inner);
    known.get(&id).copied()
}

/// The rules as the panels show them: in the words of the text, if it has some, else in
/// words for its constructs. They live as long as the program: they change
/// when a person saves a text, and are a page.
fn rules_of(words: &Words, players: u8) -> Rules {
    let Words {
        explained,
        metadata,
    } = words;
    // The title is shown above.
    let mut lines = explained
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty());
    let board = lines.next().unwrap_or_default();
    let rules: Vec<_> = metadata.rules().map(|rule| keep(rule.to_owned())).collect();
    let (mut play, constructs) = match rules.is_empty() {
        true => (one_by_one(lines), Vec::new()),
        false => (rules, lines.map(|line| keep(line.to_owned())).collect()),
    };
    let general = guides::of_layouts(players);
    play.extend(general.play);
    let aim = metadata.description.as_deref().unwrap_or(board);
    // Rules that were written for a board of lights speak of green and red themselves.
    let names_sides = metadata.rules().any(|rule| rule.contains("reen"));
    let sides = match players {
        2 if !names_sides => " Player 1 is green, player 2 red.",
        _ => "",
    };
    let how_to = HowTo {
        aim: keep(format!("{aim}{sides}")),
        play: Box::leak(play.into_boxed_slice()),
        ..general
    };
    Rules {
        how_to,
        constructs: Box::leak(constructs.into_boxed_slice()),
    }
}

/// Explained constructs as a list of sentences, each after the heading that it stands
/// below.
fn one_by_one<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'static str> {
    let mut heading = "";
    let mut play = Vec::new();
    for line in lines {
        match line.trim_start().strip_prefix("- ") {
            // What it introduces follows, a sentence each.
            Some("Then:") => {}
            Some(item) if heading.is_empty() || heading == "Play" => {
                play.push(keep(item.to_owned()))
            }
            Some(item) => play.push(keep(format!("{heading}: {item}"))),
            None => heading = line.trim(),
        }
    }
    play
}

fn keep(line: String) -> &'static str {
    Box::leak(line.into_boxed_str())
}

/// How a game is played on this layout: one that the layout brings with it, by
/// its rules where they are known here.
#[must_use]
pub fn how_to(game: u8, layout: Layout) -> Option<HowTo> {
    if game != games::LAYOUTS_OWN {
        return guides::how_to(game).copied();
    }
    let Layout::Drawn { id, .. } = layout else {
        return None;
    };
    let players = || game_of(layout).map(|game| game.cartridge.players());
    known_rules(id)
        .map(|rules| rules.how_to)
        .or_else(|| players().map(guides::of_layouts))
}

/// What the constructs of a game's text mean, a line each, indented as they stand in one
/// another: what a text says of its rules in words can be compared with them. Empty where
/// [`how_to`] tells them, and for games without a text.
#[must_use]
pub fn constructs(game: u8, layout: Layout) -> &'static [&'static str] {
    match layout {
        Layout::Drawn { id, .. } if game == games::LAYOUTS_OWN => {
            known_rules(id).map_or(&[], |rules| rules.constructs)
        }
        _ => &[],
    }
}

fn known_rules(id: u32) -> Option<Rules> {
    let known = RULES.read().unwrap_or_else(PoisonError::into_inner);
    known.get(&id).map(|(_, rules)| *rules)
}

/// The game that a layout brings with it, if its drawing is known here.
#[must_use]
pub fn game_of(layout: Layout) -> Option<LayoutGame<'static>> {
    ludemes::shown::game_of(layout)
}

/// The layout of a board with these games into which no game is inserted: the one
/// that the first of them is made for.
#[must_use]
pub fn without(roster: Roster) -> Layout {
    games::layout_for(games::of_any_layout(roster))
}

/// The name of a game on a board of this layout.
#[must_use]
pub fn game_name(number: u8, layout: Layout) -> String {
    let own = game_of(layout).filter(|_| number == games::LAYOUTS_OWN);
    own.map_or_else(
        || words::game_name(number),
        |game| game.cartridge.name().to_owned(),
    )
}

/// Plays random games of a game, and tells what came of them; every few moves
/// `goes_on` is asked.
///
/// # Errors
/// A sentence, if the core does not take the game.
pub fn random_games(
    game: &TextGame,
    games: u32,
    seed: u64,
    now: fn() -> Duration,
    mut goes_on: impl FnMut() -> bool,
) -> Result<String, String> {
    let plan = ReportOptions {
        games,
        seed,
        fuel: report::FUEL,
        now,
    };
    let came = report::play(&game.node, &game.compiled, &plan, |_| match goes_on() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    came.map(|report| report.to_string())
        .map_err(|refused| format!("the core does not take this game: {refused:?}"))
}

#[cfg(test)]
pub(crate) mod texts {
    //! The games that come along, for tests.

    use protocol::Layout;

    use super::{TextGame, library, of_text};

    /// The game of this name.
    pub fn game(name: &str) -> TextGame {
        let text = library::text(name).expect("it comes along");
        of_text(name, text, &[]).expect("it is compiled")
    }

    /// Its layout.
    pub fn layout(name: &str) -> Layout {
        game(name).layout
    }

    /// The layouts of all that a board of lights plays, by their names.
    pub fn all() -> Vec<(String, Layout)> {
        let named = library::TEXTS.iter().filter_map(|(name, text)| {
            Some((name.to_string(), of_text("a game", text, &[]).ok()?.layout))
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn rules_are_made_again_only_when_their_words_change() {
        let text = "(game \"Saved Twice\" (players 2) (equipment {(board (square 3)) \
             (piece \"Disc\" Each)}) (rules (play (move Add (to (sites Empty)))) \
             (end (\"Line3Win\"))))";
        let saved = |rules: &str| {
            let text = format!("{text} (metadata (info (rules \"{rules}\")))");
            let layout = of_text("twice", &text, &[]).unwrap().layout;
            how_to(games::LAYOUTS_OWN, layout).unwrap().play
        };
        let first = saved("Put a disc.");
        assert!(std::ptr::eq(first, saved("Put a disc.")));
        assert_eq!(saved("Put one disc.")[0], "Put one disc.");
    }
}
