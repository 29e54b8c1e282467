//! A line of a transcript, as text and as a value.
//!
//! Invariants: every line has exactly one text form, since the text is hashed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::dice::{self, Hash};
use crate::names::{BoardNumber, UserName, board_number};
use crate::rules::Options;
use crate::transcript::{ContributionError, LineError, NONCE_BYTES};

/// A player's contribution to the dice, apart from moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contribution {
    /// The player contributes nothing.
    None,
    /// The player contributes this word.
    Nonce(String),
    /// The mail that the player sent: SHA-256 of its `Message-ID`, with the brackets.
    Mail(Hash),
}

impl Contribution {
    /// A word that a player chose.
    ///
    /// # Errors
    /// [`ContributionError::Nonce`].
    pub fn nonce(word: &str) -> Result<Contribution, ContributionError> {
        let graphic = word.bytes().all(|byte| byte.is_ascii_graphic());
        if graphic && (1..=NONCE_BYTES).contains(&word.len()) && !word.contains('#') {
            return Ok(Contribution::Nonce(word.to_owned()));
        }
        Err(ContributionError::Nonce)
    }
}

impl fmt::Display for Contribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contribution::None => f.write_str("none"),
            Contribution::Nonce(word) => write!(f, "nonce:{word}"),
            Contribution::Mail(hash) => write!(f, "mail:{}", dice::hex_of_hash(hash)),
        }
    }
}

impl FromStr for Contribution {
    type Err = ContributionError;

    fn from_str(text: &str) -> Result<Contribution, ContributionError> {
        if text == "none" {
            return Ok(Contribution::None);
        }
        if let Some(word) = text.strip_prefix("nonce:") {
            return Contribution::nonce(word);
        }
        let hash = text.strip_prefix("mail:").and_then(dice::hash_of_hex);
        hash.map(Contribution::Mail).ok_or(ContributionError::Form)
    }
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptLine {
    /// The number of the board.
    Board(BoardNumber),
    /// The players of O and X.
    Players([UserName; 2]),
    /// The variant of Malaka.
    Options(Options),
    /// The head of the server's chain, and its number of links.
    Chain {
        /// The number of rolls that the chain allows.
        links: u16,
        /// The published end.
        head: Hash,
    },
    /// This player accepts the challenge.
    Accept {
        /// The player who accepts.
        side: UserName,
        /// The contribution to the dice.
        contribution: Contribution,
    },
    /// This player has a chain, too, and reveals a link for each of their rolls.
    Seal {
        /// The player whose seal it is.
        side: UserName,
        /// The published end.
        head: Hash,
    },
    /// A link of a player's chain.
    Link {
        /// The player whose link it is.
        side: UserName,
        /// The link. Its hash is the previous link or the head.
        link: Hash,
    },
    /// A roll of the dice.
    Roll {
        /// The player who rolled.
        side: UserName,
        /// The index of the roll, from 0.
        number: u16,
        /// The link of the server's chain.
        link: Hash,
        /// The numbers that the dice show.
        dice: Vec<u8>,
    },
    /// A move of a player.
    Move {
        /// The player who moved.
        side: UserName,
        /// The moves in canonical form: lower case, without blanks.
        moves: String,
        /// The contribution to the dice.
        contribution: Contribution,
    },
    /// There was no legal move.
    Pass(UserName),
    /// This player declines the challenge.
    Decline(UserName),
    /// This player resigned.
    Resign(UserName),
    /// This player won, and how.
    Won {
        /// The player who won.
        side: UserName,
        /// How the game was won.
        how: String,
    },
    /// The chain is used up without a winner.
    Stopped,
    /// The challenge was not accepted in time.
    Expired,
}

impl fmt::Display for TranscriptLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = dice::hex_of_hash;
        match self {
            TranscriptLine::Board(number) => write!(f, "board {number} malaka"),
            TranscriptLine::Players([o, x]) => write!(f, "players {o} {x}"),
            TranscriptLine::Options(options) => write!(f, "options {options}"),
            TranscriptLine::Chain { links, head } => write!(f, "chain {links} {}", hex(head)),
            TranscriptLine::Accept { side, contribution } => {
                write!(f, "accept {side} {contribution}")
            }
            TranscriptLine::Seal { side, head } => write!(f, "seal {side} {}", hex(head)),
            TranscriptLine::Link { side, link } => write!(f, "link {side} {}", hex(link)),
            TranscriptLine::Roll {
                side,
                number,
                link,
                dice,
            } => {
                write!(f, "roll {side} {number} {}", hex(link))?;
                dice.iter().try_for_each(|die| write!(f, " {die}"))
            }
            TranscriptLine::Move {
                side,
                moves,
                contribution,
            } => write!(f, "move {side} {moves} {contribution}"),
            TranscriptLine::Pass(side) => write!(f, "pass {side}"),
            TranscriptLine::Decline(side) => write!(f, "decline {side}"),
            TranscriptLine::Resign(side) => write!(f, "resign {side}"),
            TranscriptLine::Won { side, how } => write!(f, "won {side} {how}"),
            TranscriptLine::Stopped => f.write_str("stopped"),
            TranscriptLine::Expired => f.write_str("expired"),
        }
    }
}

fn hash(word: &str) -> Result<Hash, LineError> {
    dice::hash_of_hex(word).ok_or_else(|| LineError::Hash(word.to_owned()))
}

fn number(word: &str) -> Result<u16, LineError> {
    word.parse().map_err(|_| LineError::Number(word.to_owned()))
}

fn face(word: &str) -> Result<u8, LineError> {
    word.parse().map_err(|_| LineError::Face(word.to_owned()))
}

impl FromStr for TranscriptLine {
    type Err = LineError;

    fn from_str(text: &str) -> Result<TranscriptLine, LineError> {
        let words: Vec<&str> = text.split(' ').collect();
        let line = match words[..] {
            ["board", board, "malaka"] => TranscriptLine::Board(board_number(board)?),
            ["players", o, x] => TranscriptLine::Players([o.parse()?, x.parse()?]),
            ["options", ref options @ ..] => TranscriptLine::Options(options.join(" ").parse()?),
            ["chain", links, head] => TranscriptLine::Chain {
                links: number(links)?,
                head: hash(head)?,
            },
            ["accept", side, contribution] => TranscriptLine::Accept {
                side: side.parse()?,
                contribution: contribution.parse()?,
            },
            ["seal", side, head] => TranscriptLine::Seal {
                side: side.parse()?,
                head: hash(head)?,
            },
            ["link", side, link] => TranscriptLine::Link {
                side: side.parse()?,
                link: hash(link)?,
            },
            ["roll", side, count, link, ref dice @ ..] => TranscriptLine::Roll {
                side: side.parse()?,
                number: number(count)?,
                link: hash(link)?,
                dice: dice.iter().map(|die| face(die)).collect::<Result<_, _>>()?,
            },
            ["move", side, moves, contribution] => TranscriptLine::Move {
                side: side.parse()?,
                moves: moves.to_owned(),
                contribution: contribution.parse()?,
            },
            ["pass", side] => TranscriptLine::Pass(side.parse()?),
            ["decline", side] => TranscriptLine::Decline(side.parse()?),
            ["resign", side] => TranscriptLine::Resign(side.parse()?),
            ["won", side, how] => TranscriptLine::Won {
                side: side.parse()?,
                how: how.to_owned(),
            },
            ["stopped"] => TranscriptLine::Stopped,
            ["expired"] => TranscriptLine::Expired,
            _ => return Err(LineError::Form),
        };
        // Each line has exactly one text form, since the text is hashed.
        if line.to_string() == text {
            Ok(line)
        } else {
            Err(LineError::OtherForm)
        }
    }
}
