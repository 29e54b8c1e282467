//! Every supported construct of the language, with its arguments and meaning.
//!
//! One table is used for checking, explaining, counting coverage and completing. A
//! construct is named by its head, in a family also by the next word: `move Add`,
//! `is Line`, `sites Empty`. Invariants, which tests check: names are unique, and every
//! signature is well formed.
//!
//! Signatures are written as in a manual: `NUMBER [WAYS] [through:SITE]`. A word in
//! capitals is a kind of argument, `[ ]` encloses optional parts, `{ }` is a set, `|`
//! separates alternatives, and `name:` precedes a named argument.
mod boards;
mod conditions;
mod moves;
mod sites;
mod structure;
mod tracks;
mod values;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::{Problem, TextError, near};
use crate::tree::{Argument, Kind, Node};

/// A construct of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Construct {
    /// The head, in a family followed by the next word: `is Line`.
    pub name: &'static str,
    /// The syntax of its arguments: `NUMBER [WAYS] [through:SITE]`.
    pub takes: &'static str,
    /// The meaning, on one line.
    pub means: &'static str,
}

/// A row of a table.
const fn row(name: &'static str, takes: &'static str, means: &'static str) -> Construct {
    Construct { name, takes, means }
}

/// Heads of families: the next word decides which construct is meant.
pub const FAMILIES: [&str; 13] = [
    "all", "can", "count", "forEach", "is", "last", "move", "no", "place", "set", "sites", "size",
    "value",
];

/// All constructs by theme, in the order in which a text needs them.
pub const THEMES: [(&str, &[Construct]); 7] = [
    ("The parts of a game", structure::TABLE),
    ("Boards", boards::TABLE),
    ("Moves, and their consequences", moves::TABLE),
    ("Conditions", conditions::TABLE),
    ("Sites and regions", sites::TABLE),
    ("Numbers, players and pieces", values::TABLE),
    ("Tracks, pits and memory", tracks::TABLE),
];

/// All constructs, sorted by name.
pub fn all() -> &'static [Construct] {
    static ALL: LazyLock<Vec<Construct>> = LazyLock::new(|| {
        let mut all = THEMES.map(|(_, table)| table).concat();
        all.sort_by_key(|construct| construct.name);
        all
    });
    &ALL
}

/// The construct with this name.
pub fn find(name: &str) -> Option<&'static Construct> {
    static BY_NAME: LazyLock<HashMap<&str, &Construct>> = LazyLock::new(|| {
        all()
            .iter()
            .map(|construct| (construct.name, construct))
            .collect()
    });
    BY_NAME.get(name).copied()
}

/// Words without arguments: players, directions, results, kinds.
pub const WORDS: &[&str] = &[
    "Each",
    "Mover",
    "Next",
    "Prev",
    "Neutral",
    "Shared",
    "Enemy",
    "Friend",
    "All",
    "P1",
    "P2",
    "P3",
    "P4",
    "Player",
    "Orthogonal",
    "Diagonal",
    "Adjacent",
    "Forward",
    "Backward",
    "Forwards",
    "Backwards",
    "Leftward",
    "Rightward",
    "N",
    "NE",
    "E",
    "SE",
    "S",
    "SW",
    "W",
    "NW",
    "Win",
    "Loss",
    "Draw",
    "Cell",
    "Vertex",
    "Edge",
    "Empty",
    "Occupied",
    "Top",
    "Bottom",
    "Left",
    "Right",
    "Corners",
    "Sides",
    "Centre",
    "True",
    "False",
];

/// True if a construct is a condition.
#[must_use]
pub fn is_condition(name: &str) -> bool {
    conditions::TABLE
        .iter()
        .any(|construct| construct.name == name && !matches!(name, "if" | "and" | "or"))
}

/// The name of a call: its head, in a family with the next word. `None` if it does not
/// begin with a word.
pub fn name_of(arguments: &[Argument]) -> Option<String> {
    let Kind::Word(head) = &arguments.first()?.node.kind else {
        return None;
    };
    let variant = match arguments.get(1) {
        Some(Argument { name: None, node }) if FAMILIES.contains(&head.as_str()) => {
            match &node.kind {
                Kind::Word(word) => Some(word),
                _ => None,
            }
        }
        _ => None,
    };
    Some(variant.map_or_else(|| head.clone(), |variant| format!("{head} {variant}")))
}

/// The arguments of a call after its name.
pub fn after_name<'a>(name: &str, arguments: &'a [Argument]) -> &'a [Argument] {
    &arguments[name.split(' ').count().min(arguments.len())..]
}

/// One parameter of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of a named parameter.
    pub name: Option<&'static str>,
    /// The kind of values: `NUMBER`, `{SITE}`, `SITE|SITES`.
    pub kind: &'static str,
    /// True if the parameter may be omitted.
    pub optional: bool,
}

impl Construct {
    /// The parameters in the signature.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        let (mut start, mut depth) = (0, 0usize);
        for (at, character) in self.takes.char_indices() {
            match character {
                '[' | '{' => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                ' ' if depth == 0 => {
                    parameters.extend(parameter(&self.takes[start..at]));
                    start = at + 1;
                }
                _ => {}
            }
        }
        parameters.extend(parameter(&self.takes[start..]));
        parameters
    }

    /// The names of the named parameters.
    pub fn named(&self) -> impl Iterator<Item = &'static str> {
        let words = self.takes.split([' ', '[', ']', '{', '}', '|']);
        words.filter_map(|word| word.split_once(':').map(|(name, _)| name))
    }
}

fn parameter(words: &'static str) -> Option<Parameter> {
    let inner = words
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let kind = inner.unwrap_or(words);
    let (name, kind) = match kind.split_once(':') {
        Some((name, kind)) if name.bytes().all(|b| b.is_ascii_alphabetic()) => (Some(name), kind),
        _ => (None, kind),
    };
    (!kind.is_empty()).then_some(Parameter {
        name,
        kind,
        optional: inner.is_some(),
    })
}

/// The constructs whose names begin with the typed text.
pub fn completions(written: &str) -> impl Iterator<Item = &'static Construct> {
    let begins = move |construct: &&Construct| construct.name.starts_with(written);
    all().iter().filter(begins)
}

/// The errors of a tree: unknown constructs, and named arguments that their construct
/// does not have.
pub fn troubles(node: &Node) -> Vec<TextError> {
    let mut troubles = Vec::new();
    for node in node.all() {
        if let Kind::Call(arguments) = &node.kind {
            check_call(arguments, &mut troubles);
        }
    }
    troubles
}

fn check_call(arguments: &[Argument], troubles: &mut Vec<TextError>) {
    let Some(name) = name_of(arguments) else {
        return;
    };
    let Some(construct) = find(&name) else {
        let family = name
            .split(' ')
            .next()
            .filter(|head| FAMILIES.contains(head) && name.contains(' '));
        let names = all().iter().map(|construct| construct.name);
        let near = match family {
            Some(head) => near(
                &name,
                names.filter(|other| other.split(' ').next() == Some(head)),
            ),
            None => near(&name, names),
        };
        let last = if family.is_some() {
            &arguments[1]
        } else {
            &arguments[0]
        };
        let (first, last) = (arguments[0].node.span, last.node.span);
        return troubles.push(TextError {
            span: crate::tree::TextSpan {
                start: first.start,
                end: last.end.max(first.end),
            },
            problem: Problem::UnknownConstruct { name, near },
        });
    };
    for argument in arguments {
        let Some(given) = &argument.name else {
            continue;
        };
        if !construct.named().any(|known| known == given) {
            let names: Vec<&str> = construct.named().collect();
            troubles.push(TextError {
                span: argument.node.span,
                problem: Problem::UnknownArgument {
                    construct: name.clone(),
                    name: given.clone(),
                    near: near(given, names.iter().copied())
                        .or_else(|| (names.len() == 1).then(|| names[0].to_owned())),
                },
            });
        }
    }
}

/// The names of the constructs that a tree uses.
pub fn used(node: &Node) -> std::collections::BTreeSet<String> {
    let calls = node.all().filter_map(|node| match &node.kind {
        Kind::Call(arguments) => name_of(arguments),
        _ => None,
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_signatures_well_formed() {
        for pair in all().windows(2) {
            assert_ne!(pair[0].name, pair[1].name);
        }
        for construct in all() {
            let count = |mark| construct.takes.matches(mark).count();
            assert_eq!(count('['), count(']'), "{}", construct.name);
            assert_eq!(count('{'), count('}'), "{}", construct.name);
            assert!(
                construct
                    .means
                    .ends_with(|c: char| c.is_alphanumeric() || c == ')'),
                "{}",
                construct.name
            );
            let family = construct.name.split(' ').next().unwrap();
            let words = construct.name.split(' ').count();
            assert!(
                words == 1 || FAMILIES.contains(&family),
                "{}",
                construct.name
            );
        }
    }

    /// The counts of used constructs equal those published for these games.
    #[test]
    fn constructs_per_game_equal_the_published_counts() {
        let counted = [
            ("tic-tac-toe", 15),
            ("gomoku", 15),
            ("havannah", 17),
            ("yavalath", 18),
            ("y-hex", 18),
            ("connect-four", 19),
            ("hex", 19),
            ("amazons", 21),
            ("breakthrough", 31),
            ("game-of-life", 31),
            ("hexade", 32),
            ("teeko", 33),
            ("pente", 36),
            ("go", 36),
            ("konane", 40),
            ("reversi", 40),
            ("nine-mens-morris", 41),
            ("lines-of-action", 45),
            ("tablut", 45),
        ];
        for (game, constructs) in counted {
            let path = format!("{}/games/{game}.lud", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            let used = used(&crate::text::read(&text).unwrap());
            assert_eq!(used.len(), constructs, "{game}: {used:?}");
        }
    }

    #[test]
    fn a_signature_is_parsed() {
        let line = find("is Line").unwrap().parameters();
        let named = |name| {
            *line
                .iter()
                .find(|parameter| parameter.name == name)
                .unwrap()
        };
        assert_eq!(
            line[1],
            Parameter {
                name: None,
                kind: "NUMBER",
                optional: false
            }
        );
        assert_eq!(named(Some("whats")).kind, "{PIECE}");
        assert!(named(Some("whats")).optional);
        for construct in all() {
            let names: Vec<&str> = construct
                .parameters()
                .iter()
                .filter_map(|parameter| parameter.name)
                .collect();
            for name in names {
                assert!(
                    construct.named().any(|known| known == name),
                    "{}",
                    construct.name
                );
            }
        }
    }

    #[test]
    fn a_name_is_completed() {
        let names: Vec<&str> = completions("is Co")
            .map(|construct| construct.name)
            .collect();
        assert_eq!(names, ["is Connected"]);
    }

    #[test]
    fn an_unknown_construct_suggests_the_nearest() {
        let node =
            crate::text::read("(game \"G\" (rules (end (if (is Lime 3) (result Mover Win)))))")
                .unwrap();
        let sentences: Vec<String> = troubles(&node).iter().map(ToString::to_string).collect();
        assert_eq!(
            sentences,
            ["the language has no `is Lime`; did you mean `is Line`?"]
        );
    }

    #[test]
    fn an_argument_with_an_unknown_name_is_reported() {
        let node = crate::text::read(
            "(game \"G\" (rules (end (if (is Line 3 exactly:True) (result Mover Win)))))",
        )
        .unwrap();
        let sentences: Vec<String> = troubles(&node).iter().map(ToString::to_string).collect();
        assert_eq!(
            sentences,
            ["`is Line` takes no argument `exactly:`; did you mean `exact:`?"]
        );
    }
}
