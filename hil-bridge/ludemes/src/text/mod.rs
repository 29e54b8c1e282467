//! Reads a text to a tree.
//!
//! The steps are those of the language, in its order: comments are removed, options are
//! chosen, macros are expanded, ranges are written out, and the result is parsed to a
//! [`Node`]. Every node knows its place in the original text, so that later errors can be
//! shown there.
//!
//! ```
//! let node = ludemes::text::read("(game \"Nothing\" (players 2))")?;
//! assert_eq!(node.span.start, 0);
//! # Ok::<(), ludemes::text::TextError>(())
//! ```
mod brackets;
mod clean;
mod defines;
mod library;
mod metadata;
mod options;
mod parse;
mod ranges;
mod sentence;
#[cfg(test)]
pub(crate) mod tests;
mod traced;
mod trouble;

pub(crate) use brackets::trouble as bracket_trouble;
pub use clean::{closes, escapes, is_typographic};
pub use library::{Macro, macros};
pub use metadata::Metadata;
pub use options::{Heading, Item, Ruleset};
pub use trouble::{Problem, TextError, line_and_column, near};

use std::collections::{HashMap, HashSet};

use crate::tree::{Kind, Node};

/// The maximum length of a text, in characters, before and after macros are expanded;
/// after that, white space is not counted.
pub const LONGEST: usize = 1_000_000;
/// The maximum number of expansions of one macro.
pub const MOST_EXPANSIONS: usize = 1_000;
/// The maximum number of values in a range.
pub const LONGEST_RANGE: u64 = 1_000;
/// The maximum depth of nested brackets.
pub const DEEPEST: usize = 200;

/// A text that was read, with its macros expanded.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The call `(game ...)` or `(match ...)`.
    pub game: Node,
    /// The options that the text offers.
    pub options: Vec<Heading>,
    /// The rulesets that the text offers.
    pub rulesets: Vec<Ruleset>,
    /// The macros that were expanded, and how often.
    pub macros: HashMap<String, usize>,
    /// The names that the text itself defines.
    pub defined: HashSet<String>,
    /// The description of the game in words.
    pub metadata: Metadata,
}

impl Reading {
    /// The most similar name of a macro that the text may use.
    #[must_use]
    pub fn near_macro(&self, name: &str) -> Option<String> {
        library::near_macro(name, &self.defined)
    }
}

/// Reads a text with its usual options.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read(text: &str) -> Result<Node, TextError> {
    read_with(text, &[]).map(|reading| reading.game)
}

/// Reads a text with these items of its options, each as `Heading/Item`. For the other
/// options, the recommended items are used.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read_with(text: &str, chosen: &[String]) -> Result<Reading, TextError> {
    read_steps(text, chosen).map_err(|trouble| match trouble.problem {
        Problem::OpenBracket(_)
        | Problem::StrayBracket(_)
        | Problem::OpenQuote
        | Problem::NoGame
        | Problem::Beside => brackets::trouble(text).unwrap_or(trouble),
        _ => trouble,
    })
}

/// Reads only the description of a game, even if its rules have errors.
///
/// # Errors
/// A quotation mark or bracket that is never closed, and its place.
pub fn about(text: &str) -> Result<Metadata, TextError> {
    clean::clean(text).map(|(_, metadata)| metadata)
}

fn read_steps(text: &str, chosen: &[String]) -> Result<Reading, TextError> {
    let (mut traced, metadata) = clean::clean(text)?;
    let (options, rulesets) = options::cut(&mut traced)?;
    let mut traced = options::choose(traced, &options, chosen)?;
    let mut expansion = defines::Expansion::new(library::library());
    expansion.expand(&mut traced)?;
    let traced = ranges::expand_ranges(&traced)?;
    let nodes = parse::parse(&traced)?;
    let game = only_game(nodes)?;
    library::no_unknown_macro(&game, &expansion.defined)?;
    Ok(Reading {
        game,
        options,
        rulesets,
        macros: expansion.used,
        defined: expansion.defined,
        metadata,
    })
}

fn only_game(nodes: Vec<Node>) -> Result<Node, TextError> {
    let said = nodes.into_iter().filter(|node| !is_rule(node));
    let (games, others): (Vec<Node>, Vec<Node>) = said.partition(is_game);
    let mut games = games.into_iter();
    let Some(game) = games.next() else {
        return Err(TextError {
            span: others
                .first()
                .map_or_else(Default::default, |other| other.span),
            problem: Problem::NoGame,
        });
    };
    match games.next().or_else(|| others.into_iter().next()) {
        Some(other) => Err(TextError {
            span: other.span,
            problem: Problem::Beside,
        }),
        None => Ok(game),
    }
}

fn is_game(node: &Node) -> bool {
    matches!(&node.kind, Kind::Call(arguments)
        if matches!(&arguments[0].node.kind, Kind::Word(head) if head == "game" || head == "match"))
}

/// True for a line of dashes that separates parts of a text.
fn is_rule(node: &Node) -> bool {
    matches!(&node.kind, Kind::Word(word) if word.len() > 3 && !word.contains(char::is_alphanumeric))
}
