//! Why a text is not a position. The readers of all games return this type, because they
//! share one signature ([`PositionText`](crate::games::PositionText)).
//!
//! Invariant: the whole sentence is in the error, even if the drawing of the layout is no
//! longer known.

use std::fmt;

use firmware_core::games::ishido::field::{COLUMNS, ROWS};
use firmware_core::games::ishido::stone::{COLOUR_LETTERS, SYMBOL_LETTERS, Stone};
use firmware_core::games::malaka::{MOST_PILES, MalakaPoint};
use protocol::{Name, POSITION_BYTES, PointError};

use crate::words::RowsError;

/// Why a text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionTextError {
    /// These are not pairs of hexadecimal digits, or too many for a position.
    #[error(
        "`{0}` are not the bytes of a position: write two hexadecimal digits for each, {POSITION_BYTES} bytes at most"
    )]
    NotBytes(String),
    /// The position is right, but has more bytes than a message can carry.
    #[error(
        "this position is more than the {POSITION_BYTES} bytes of a message: use save and load"
    )]
    TooLong,
    /// The layout of the board carries no game, so there are no positions of it.
    #[error("this board has no game of its layout's own: insert one, as in `insert hex.lud`")]
    NoGame,
    /// A part that every position of the game has is missing.
    #[error("{what}: {advice}")]
    Missing {
        /// That the part is missing, as the first half of a sentence.
        what: &'static str,
        /// How to write it.
        advice: PositionAdvice,
    },
    /// The text ends after a word of Ishido that something has to follow.
    #[error("something has to follow `{word}`: {advice}")]
    NothingFollows {
        /// The last word.
        word: String,
        /// What may follow.
        advice: PositionAdvice,
    },
    /// The text ends after a word of a layout's own game that a value has to follow.
    #[error("`{word}` needs a word behind it: {advice}")]
    NoValue {
        /// The last word.
        word: String,
        /// A whole position.
        advice: PositionAdvice,
    },
    /// Only one number follows this word, or none, and there is one for each player.
    #[error("{0} needs two numbers: of player 1 and 2")]
    NoSecondNumber(&'static str),
    /// A word comes before the word that would say what it means.
    #[error("`{word}` belongs to nothing: {advice}")]
    Unexpected {
        /// The word.
        word: String,
        /// A whole position.
        advice: PositionAdvice,
    },
    /// A word is not the name of a part of a position.
    #[error("`{word}` is not {what}: {advice}")]
    NotAPart {
        /// The word.
        word: String,
        /// What it should be.
        what: &'static str,
        /// The parts.
        advice: PositionAdvice,
    },
    /// A word is neither of the two sides.
    #[error("`{word}` is not a side: write {choices}")]
    NotASide {
        /// The word.
        word: String,
        /// What to write instead.
        choices: &'static str,
    },
    /// The word after `turn` is neither of the two sides, in TicDabToe.
    #[error("the side that moves has to be green or red")]
    NotGreenOrRed(String),
    /// A word names no player of the layout's own game.
    #[error("`{word}` does not move in this game: write turn {choices}")]
    NotAPlayer {
        /// The word.
        word: String,
        /// The players of the game.
        choices: &'static str,
    },
    /// A word is not a number, or the number is out of range.
    #[error("`{word}` is not a {what}")]
    NotANumber {
        /// The word.
        word: String,
        /// The number that is expected.
        what: PositionNumber,
    },
    /// A word is not a pile of Malaka: its point or the number of its pieces is wrong.
    #[error(
        "`{0}` is not a pile: write a point and the number of its pieces, like a1x2, and a + behind it if it pins"
    )]
    NotAPile(String),
    /// A pair of characters is not a colour and a symbol of a stone of Ishido.
    #[error(
        "`{0}` is not a stone: write one of the colours {colours} and one of the symbols {symbols}",
        colours = String::from_iter(COLOUR_LETTERS),
        symbols = String::from_iter(SYMBOL_LETTERS)
    )]
    NotAStone(String),
    /// The word after `hand` is several stones.
    #[error("`{0}` is not one stone: write it as P*")]
    NotOneStone(String),
    /// The word after `last` is not a point of TicDabToe.
    #[error("`{0}` is not a point of this board: write the last move as a1 to p16")]
    NotAPoint(String),
    /// The word after `last` is not a point of the board, in a layout's own game.
    #[error("`{name}`: {error}")]
    Point {
        /// The word.
        name: String,
        /// The points of the board.
        error: PointError,
    },
    /// The word after `also` is not pairs of hexadecimal digits.
    #[error("`{0}` is not two hexadecimal digits for each byte")]
    NotPairs(String),
    /// The last entry of the word after `also` is incomplete.
    #[error("what stands after also is cut off")]
    CutOff,
    /// The rows do not fit the board, or contain a character that is not a colour.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// There are fewer or more rows than a board of Ishido has.
    #[error("there are {given} rows, and {ROWS} are needed: {advice}")]
    RowsOfIshido {
        /// The number of rows in the text.
        given: usize,
        /// How to write them.
        advice: PositionAdvice,
    },
    /// A row of Ishido has fewer or more squares than the board.
    #[error(
        "the row `{row}` has {squares} squares, and {COLUMNS} are needed: a number stands for so many empty ones"
    )]
    Squares {
        /// The row.
        row: String,
        /// The number of its squares, or 255 if there are more.
        squares: u8,
    },
    /// There are fewer or more rows than the board of the layout's own game has.
    #[error("a position of this board has {wanted} rows with / between them, and not {given}")]
    RowsOfBoard {
        /// The number of rows in the text.
        given: usize,
        /// The number of rows of the board.
        wanted: usize,
    },
    /// There are more hands than places beside the board.
    #[error(
        "{places} places are beside this board, with / between them, and no more: there are {hands}"
    )]
    Hands {
        /// The number of hands in the text.
        hands: usize,
        /// The number of places beside the board.
        places: usize,
    },
    /// A row or a hand ends too early.
    #[error("{part} has {places} places and not {given}: `{row}`")]
    TooFewPlaces {
        /// The row or the hand.
        part: PositionRow,
        /// Its text.
        row: String,
        /// The number of places in the text.
        given: usize,
        /// The number of places on the board.
        places: usize,
    },
    /// A row or a hand goes on after its last place.
    #[error("{part} has {places} places and not more: `{row}`")]
    TooManyPlaces {
        /// The row or the hand.
        part: PositionRow,
        /// Its text.
        row: String,
        /// The number of places on the board.
        places: usize,
    },
    /// The content of a place is not a piece of the game, or cannot be there.
    #[error("{part} is wrong at place {place}: `{row}`; {possible}")]
    WrongPlace {
        /// The row or the hand.
        part: PositionRow,
        /// Its text.
        row: String,
        /// The number of the place, from 1.
        place: usize,
        /// The pieces of the game, and how they are written.
        possible: String,
    },
    /// A point of TicDabToe has a colour that is no mark.
    #[error("{0} is neither free nor marked: write . for a free cell, g or r for a mark")]
    NeitherFreeNorMarked(Name),
    /// A point of Malaka is named twice.
    #[error(
        "{0} is named twice: a + behind a pile says that a piece of the other side is pinned beneath it"
    )]
    Twice(MalakaPoint),
    /// There are more piles than a position of Malaka can have.
    #[error("there are {0} piles: no position has more than {MOST_PILES}")]
    TooManyPiles(usize),
    /// No roll leaves these pips to be played.
    #[error(
        "no dice have these pips left: write one, two that are not alike, or up to four that are"
    )]
    NoDice(Vec<u8>),
    /// More stones of this kind are on the board, in hand, or in the pouch than exist.
    #[error(
        "there are more than two {}: each kind has two stones",
        String::from_iter(.0.letters())
    )]
    TooManyStones(Stone),
    /// All stones together are too many of a kind, or none is on the board.
    #[error("there are two stones of each kind at most, and one on the board at least")]
    UnsoundStones,
    /// The marks and the last move of TicDabToe contradict each other or the rules.
    #[error(
        "no game comes to this: a block ends with its first line, the game with its first line of blocks, and the last move is a mark of the side that does not move"
    )]
    NoGameComesToThis,
    /// The parts are right, but the layout's own game of this name does not allow them
    /// together.
    #[error("{0} has no such position: its pieces, hands or numbers cannot be so")]
    Impossible(String),
}

/// What to write instead, as the end of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionAdvice {
    /// A command like this example.
    Example(&'static str),
    /// What these words say.
    Words(&'static str),
}

impl fmt::Display for PositionAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionAdvice::Example(usage) => write!(f, "write `{usage}`"),
            PositionAdvice::Words(words) => f.write_str(words),
        }
    }
}

/// A number in the text of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionNumber {
    /// The pips of a die of Malaka.
    Pips,
    /// A score of Ishido.
    Points,
    /// The number of turns or moves, by the word before it.
    Of(String),
    /// The counter of a layout's own game.
    Counter,
    /// The phase of a player.
    Phase,
    /// The score of a player.
    Score,
}

impl fmt::Display for PositionNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PositionNumber::Pips => {
                "number of pips: write 1 to 6, or 1 to 4 for dice with four sides"
            }
            PositionNumber::Points => "number of points or four-ways: write 0 or more",
            PositionNumber::Of(word) => return write!(f, "number of {word}"),
            PositionNumber::Counter => "counter",
            PositionNumber::Phase => "phase",
            PositionNumber::Score => "score",
        })
    }
}

/// A part of a position that lists the contents of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionRow {
    /// The row with this number, from 1 at the top.
    Row(usize),
    /// The hand with this number, from 1.
    Hand(usize),
}

impl fmt::Display for PositionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionRow::Row(number) => write!(f, "row {number} from the top"),
            PositionRow::Hand(number) => write!(f, "hand {number}"),
        }
    }
}
