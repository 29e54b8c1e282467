//! The commands to the server, each a line of words.
//!
//! Invariants: a command holds its password in a [`Password`], which is displayed as
//! stars. Of a refused command, only its [`MailCommand::outline`] is displayed: a user
//! who confuses the order of the words may have written the password in the place of a
//! name or a move.

mod error;
pub mod help;
mod parse;

use std::fmt;

use crate::dice::Hash;
use crate::names::{Address, BoardNumber, UserName};
use crate::password::{HIDDEN, Password};
use crate::rules::Options;
use crate::transcript::Contribution;

pub use error::CommandError;
pub use help::Topic;
pub use parse::{begins_like_one, command_of, hidden};

/// The most bytes of a command.
pub const COMMAND_BYTES: usize = 2_048;

/// The acting user, and the password that proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The name of the user.
    pub user: UserName,
    /// The password of the user.
    pub password: Password,
}

/// A command in a mail or on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailCommand {
    /// Asks for help on this topic.
    Help(Topic),
    /// Registers a new user.
    Register {
        /// The name and the password.
        by: Signed,
        /// The user's mail address; in a mail, by default the sender's.
        address: Option<Address>,
    },
    /// The code that was sent to an address.
    Confirm {
        /// The user whose address is confirmed.
        user: UserName,
        /// The code from the confirmation mail.
        code: Password,
    },
    /// Changes the password of a user.
    NewPassword {
        /// The user, with the old password.
        by: Signed,
        /// The new password.
        new: Password,
    },
    /// Changes the address of a user.
    NewAddress {
        /// The user who asks for it.
        by: Signed,
        /// The new address.
        address: Address,
    },
    /// Challenges a user to a game.
    Challenge {
        /// The variant of Malaka to play.
        options: Options,
        /// The two players: O, then X.
        players: [UserName; 2],
        /// The challenger, who is one of the two players and thereby accepts.
        by: Option<Signed>,
        /// A word that the challenger contributes to the dice.
        nonce: Option<Contribution>,
    },
    /// A player is for it.
    Accept {
        /// The number of the board.
        board: BoardNumber,
        /// The user who accepts.
        by: Signed,
        /// A word for the dice.
        nonce: Option<Contribution>,
        /// The head of a chain of the user's own.
        seal: Option<Hash>,
    },
    /// A player with a chain reveals a link of it, for the player's own dice.
    Roll {
        /// The number of the board.
        board: BoardNumber,
        /// The user who rolls.
        by: Signed,
        /// The link of the chain.
        link: Hash,
    },
    /// Makes a move on a board.
    Move {
        /// The number of the board.
        board: BoardNumber,
        /// The user who moves.
        by: Signed,
        /// In small letters, without blanks.
        moves: String,
        /// A word for the dice.
        nonce: Option<Contribution>,
    },
    /// Resigns a game.
    Resign {
        /// The number of the board.
        board: BoardNumber,
        /// The user who resigns.
        by: Signed,
    },
    /// Asks for the position on this board.
    Show(BoardNumber),
    /// The transcript of a board.
    History(BoardNumber),
    /// Recomputes all dice of a board.
    Verify(BoardNumber),
    /// Lists the boards in play, of a user or of all.
    List(Option<UserName>),
}

impl MailCommand {
    /// The user who has to prove their identity for this command.
    #[must_use]
    pub fn signed(&self) -> Option<&Signed> {
        match self {
            MailCommand::Challenge { by, .. } => by.as_ref(),
            MailCommand::NewPassword { by, .. }
            | MailCommand::NewAddress { by, .. }
            | MailCommand::Accept { by, .. }
            | MailCommand::Roll { by, .. }
            | MailCommand::Move { by, .. }
            | MailCommand::Resign { by, .. } => Some(by),
            _ => None,
        }
    }

    /// The board that the command is about, if it exists already.
    #[must_use]
    pub fn board(&self) -> Option<BoardNumber> {
        match self {
            MailCommand::Accept { board, .. }
            | MailCommand::Roll { board, .. }
            | MailCommand::Move { board, .. }
            | MailCommand::Resign { board, .. }
            | MailCommand::Show(board)
            | MailCommand::History(board)
            | MailCommand::Verify(board) => Some(*board),
            _ => None,
        }
    }

    /// The part of a refused command that may be displayed: the verb and the board. Any
    /// other word may be the password, because the words may be in the wrong order.
    #[must_use]
    pub fn outline(&self) -> String {
        // Larger numbers are long enough to be a password.
        const MOST: BoardNumber = 99_999;
        let of = |verb: &str, board: &BoardNumber| match *board {
            0..=MOST => format!("malaka {verb} {board}"),
            _ => format!("malaka {verb}"),
        };
        match self {
            MailCommand::Register { .. } => "user register".into(),
            MailCommand::Confirm { .. } => "user confirm".into(),
            MailCommand::NewPassword { .. } => "user password".into(),
            MailCommand::NewAddress { .. } => "user address".into(),
            MailCommand::Challenge { .. } => "malaka challenge".into(),
            MailCommand::Accept { board, .. } => of("accept", board),
            MailCommand::Roll { board, .. } => of("roll", board),
            MailCommand::Move { board, .. } => of("move", board),
            MailCommand::Resign { board, .. } => of("resign", board),
            MailCommand::List(_) => "malaka list".into(),
            MailCommand::Show(board) => of("show", board),
            MailCommand::History(board) => of("history", board),
            MailCommand::Verify(board) => of("verify", board),
            MailCommand::Help(_) => self.to_string(),
        }
    }
}

/// The command as it may be displayed to anybody after it was carried out.
impl fmt::Display for MailCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MailCommand::Help(Topic::Server) => f.write_str("help"),
            MailCommand::Help(Topic::Malaka) => f.write_str("help malaka"),
            MailCommand::Help(Topic::Dice) => f.write_str("help dice"),
            MailCommand::Register { by, .. } => write!(f, "user register {} {HIDDEN}", by.user),
            MailCommand::Confirm { user, .. } => write!(f, "user confirm {user} {HIDDEN}"),
            MailCommand::NewPassword { by, .. } => {
                write!(f, "user password {} {HIDDEN} {HIDDEN}", by.user)
            }
            MailCommand::NewAddress { by, .. } => write!(f, "user address {} {HIDDEN}", by.user),
            MailCommand::Challenge {
                players,
                options,
                by,
                ..
            } => {
                f.write_str("malaka challenge")?;
                f.write_str(&options.flags())?;
                write!(f, " {} {}", players[0], players[1])?;
                match by {
                    Some(by) => write!(f, " {} {HIDDEN}", by.user),
                    None => Ok(()),
                }
            }
            MailCommand::Accept { board, by, .. } => {
                write!(f, "malaka accept {board} {} {HIDDEN}", by.user)
            }
            MailCommand::Roll { board, by, .. } => {
                write!(f, "malaka roll {board} {} {HIDDEN}", by.user)
            }
            MailCommand::Move {
                board, by, moves, ..
            } => write!(f, "malaka move {board} {} {HIDDEN} {moves}", by.user),
            MailCommand::Resign { board, by } => {
                write!(f, "malaka resign {board} {} {HIDDEN}", by.user)
            }
            MailCommand::Show(board) => write!(f, "malaka show {board}"),
            MailCommand::History(board) => write!(f, "malaka history {board}"),
            MailCommand::Verify(board) => write!(f, "malaka verify {board}"),
            MailCommand::List(None) => f.write_str("malaka list"),
            MailCommand::List(Some(user)) => write!(f, "malaka list {user}"),
        }
    }
}
