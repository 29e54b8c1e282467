//! Why a line is not a command. The text of each error is a sentence that names the word
//! and says what is possible.

use firmware_core::faults::FaultError;
use protocol::{GridSize, LayoutError, PointError};
use touchboard_host::position_error::PositionTextError;
use touchboard_host::signals::ConditionError;
use touchboard_host::words::{ModeError, RowsError};

/// The maximum edit distance at which a word is proposed as a correction.
const NEAR: usize = 2;

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A word is missing.
    #[error("{what} is missing: write `{usage}`")]
    Missing {
        /// What the word would be.
        what: &'static str,
        /// The syntax of the line.
        usage: &'static str,
    },
    /// One of these words is missing.
    #[error("{kind} is missing: choose {}", list(possible))]
    MissingOneOf {
        /// What the word would be.
        kind: &'static str,
        /// The words that are possible.
        possible: Vec<String>,
    },
    /// The line goes on behind its command.
    #[error("`{word}` is one word too many: write `{usage}`")]
    TooMany {
        /// The first word that does not belong to the command.
        word: String,
        /// The syntax of the line.
        usage: &'static str,
    },
    /// Only one word is possible here, and this is another one.
    #[error("`{word}` is not `{wanted}`: write `{usage}`")]
    Other {
        /// The word of the line.
        word: String,
        /// The word that is possible.
        wanted: &'static str,
        /// The syntax of the line.
        usage: &'static str,
    },
    /// An unknown word that resembles a known one.
    #[error("`{word}` is not {kind}: did you mean `{near}`?")]
    Misspelt {
        /// The word of the line.
        word: String,
        /// What it should be.
        kind: &'static str,
        /// The word that was probably meant.
        near: String,
    },
    /// An unknown word.
    #[error("`{word}` is not {kind}: choose {}", list(possible))]
    Unknown {
        /// The word of the line.
        word: String,
        /// What it should be.
        kind: &'static str,
        /// The words that are possible.
        possible: Vec<String>,
    },
    /// Not a number, or one out of range.
    #[error("`{word}` is not {what}: choose {least} to {most}")]
    Number {
        /// The word of the line.
        word: String,
        /// What it should be.
        what: &'static str,
        /// The smallest number that is possible.
        least: u64,
        /// The largest one.
        most: u64,
    },
    /// The board has no such point.
    #[error("`{word}`: {error}")]
    Point {
        /// The word of the line.
        word: String,
        /// What is wrong with it.
        error: PointError,
    },
    /// A side of a layout is not a number that a layout can have.
    #[error("`{0}` is not a layout: each side goes from 1 to {most}", most = GridSize::MAX)]
    Side(String),
    /// There is no such layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The game has no such mode.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// Not the rows of a board.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// Not a position.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// Not a condition on signals.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A condition on more than the current tick.
    #[error(
        "`{0}` can only be judged over time, but `expect` looks at a single tick: write `run until {0}`"
    )]
    OverTime(String),
    /// The argument of a fault is wrong.
    #[error("`fault {text}`: {error}")]
    Fault {
        /// The fault as it was written.
        text: String,
        /// What is wrong with it.
        error: FaultError,
    },
    /// A word that cannot be part of a file name.
    #[error(
        "`{name}` cannot be the name of a picture: take letters, digits, `-` and `_`, at most {most}"
    )]
    PictureName {
        /// The word of the line.
        name: String,
        /// The most letters of a name.
        most: usize,
    },
    /// Not a digest.
    #[error("`{0}` is not a digest: it has 16 hexadecimal digits")]
    Digest(String),
    /// An expectation that should be refused.
    #[error("`expect refused` wants a line that does something: write `expect refused set mode=9`")]
    RefusedExpectation,
    /// A setting without a value.
    #[error("`{0}` is not a setting: write name=value without blanks, as in `mode=2`")]
    NoValue(String),
    /// A setting that the line contains twice.
    #[error("`{0}` is set twice in one line: say which value you mean")]
    Twice(String),
    /// No game has this number.
    #[error("there is no game {number}: choose {games}")]
    NoGameNumber {
        /// The number as it was written.
        number: String,
        /// The games that there are.
        games: String,
    },
    /// The name of a text that the program does not contain.
    #[error("`{0}` is not a bundled text: `insert {0}` reads it from its file")]
    NotBundled(String),
    /// An unknown name of a game that resembles these names.
    #[error("`{word}` is not a game: did you mean {}?", list(&quoted(near)))]
    MisspeltGame {
        /// The name in the line.
        word: String,
        /// The names that were probably meant.
        near: Vec<String>,
    },
    /// An unknown name of a game.
    #[error(
        "`{word}` is not a game: choose {}; a text of your own is put on the board with `insert FILE`",
        list(games)
    )]
    UnknownGame {
        /// The name in the line.
        word: String,
        /// The names of all games.
        games: Vec<String>,
    },
}

impl ParseError {
    /// The error about an unknown word, with the word that was probably meant.
    pub(crate) fn unknown<'a>(
        kind: &'static str,
        word: &str,
        possible: impl Iterator<Item = &'a str> + Clone,
    ) -> ParseError {
        let lower = word.to_lowercase();
        let distance = |other: &str| strsim::damerau_levenshtein(&lower, &other.to_lowercase());
        let near = possible
            .clone()
            .map(|other| (distance(other), other))
            .filter(|(distance, _)| *distance <= NEAR && *distance * 2 <= word.len())
            .min();
        let word = word.to_owned();
        match near {
            Some((_, near)) => ParseError::Misspelt {
                word,
                kind,
                near: near.to_owned(),
            },
            None => ParseError::Unknown {
                word,
                kind,
                possible: possible.map(str::to_owned).collect(),
            },
        }
    }
}

/// Joins words: `a, b or c`.
fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}
