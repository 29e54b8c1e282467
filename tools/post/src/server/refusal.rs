//! Why a command is not carried out, in sentences for its user.

use protocol::Side;

use crate::command::CommandError;
use crate::dice::{Hash, RandomError, hex_of_hash};
use crate::names::{BoardNumber, UserName};
use crate::password::{HashError, PasswordFormError};
use crate::rules::Standing;
use crate::server::words;
use crate::store::StoreError;
use crate::transcript::{Match, MatchError, VerifyError};

/// Why a command was not done.
pub enum NotDone {
    /// The command is not allowed, for this reason.
    Refused(Refusal),
    /// The store failed with this error.
    Failed(StoreError),
}

impl From<StoreError> for NotDone {
    fn from(error: StoreError) -> NotDone {
        NotDone::Failed(error)
    }
}

impl<R: Into<Refusal>> From<R> for NotDone {
    fn from(refusal: R) -> NotDone {
        NotDone::Refused(refusal.into())
    }
}

/// Why a command is not allowed.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The line is not a command.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The mail has this many wrong passwords before the command.
    #[error("There are {0} wrong passwords in this mail, and nothing after them is carried out.")]
    WrongPasswords(usize),
    /// There is no such user. The name is not repeated, because it may be a password in
    /// the wrong place.
    #[error("There is no such user: `user register USER PASSWORD ADDRESS` makes one.")]
    NoUser,
    /// One of two challenged users does not exist: the `first` or the `second`.
    #[error("The {0} of the two is not a user here: `user register` makes one.")]
    NoPlayer(&'static str),
    /// The password is not that of this user.
    #[error("That is not the password of {0}, which follows the name.")]
    WrongPassword(UserName),
    /// The new password is in the name of its user.
    #[error("Your password is in your name, and everybody can read that: take another one.")]
    PasswordInName,
    /// The password of a new user is in the address.
    #[error("Your password is in your address, and others can read that: take another one.")]
    NewPasswordInAddress,
    /// The new address shows the password.
    #[error("Your password is in your address, and others can read that.")]
    PasswordInAddress,
    /// The word is no good as a password.
    #[error(transparent)]
    Password(#[from] PasswordFormError),
    /// The password cannot be stored.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// There is no secret for a board, a code or a hash.
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] RandomError),
    /// The name of a new user is taken.
    #[error(
        "There is a user {0} already: take another name, or, if it is yours, `user password` and `user address` change it."
    )]
    NameTaken(UserName),
    /// The server has no room for another user.
    #[error("The server has as many users as it can have.")]
    Full,
    /// The address is confirmed, or there is none.
    #[error("There is nothing to confirm.")]
    NoCode,
    /// Another code was sent.
    #[error("That is not the code: it is in the newest mail with one.")]
    WrongCode,
    /// This many users registered from there today.
    #[error("{0} users registered from there today: try again tomorrow.")]
    Registrations(u64),
    /// This many unsigned challenges came from there today.
    #[error(
        "There were {0} unsigned challenges from there today. A signed one is taken: `malaka challenge USER1 USER2 USER PASSWORD`, with your own name and password."
    )]
    Challenges(u64),
    /// Too many unsigned challenges name a user.
    #[error(
        "There are {most} challenges with {user} that nobody has signed. A signed one is taken: `malaka challenge {o} {x} USER PASSWORD`, with your own name and password.",
        o = .players[0],
        x = .players[1]
    )]
    Challenged {
        /// How many there may be.
        most: usize,
        /// The user whom they name.
        user: UserName,
        /// The players of the refused challenge.
        players: [UserName; 2],
    },
    /// The user plays on as many boards as a user may.
    #[error("{user} plays on {most} boards already: some have to end first.")]
    Boards {
        /// The user.
        user: UserName,
        /// How many there may be.
        most: usize,
    },
    /// There is no board with this number.
    #[error("There is no board {0}: `malaka list` has those in play.")]
    NoBoard(BoardNumber),
    /// The user does not play on the board.
    #[error(
        "{user} does not play on board {}: {} and {} do.",
        .play.board,
        .play.name(Side::Green),
        .play.name(Side::Red)
    )]
    NotPlaying {
        /// The user.
        user: UserName,
        /// The board.
        play: Box<Match>,
    },
    /// The user has accepted this board before.
    #[error("{user} has accepted board {board} already: `malaka show {board}` shows it.")]
    Accepted {
        /// The user.
        user: UserName,
        /// The number of the board.
        board: BoardNumber,
    },
    /// The game is over.
    #[error("{}", words::over(.0))]
    Over(Box<Match>),
    /// This side cannot move now.
    #[error("{}", words::not_to_move(.0, *.1))]
    NotToMove(Box<Match>, Side),
    /// This side cannot give a link now.
    #[error("{}", words::not_to_roll(.0, *.1))]
    NotToRoll(Box<Match>, Side),
    /// The moves are illegal in this position.
    #[error(
        "{why}{}",
        if .why.lists_turns() { String::new() } else { words::legal(.standing) }
    )]
    Moves {
        /// What is wrong with them.
        #[source]
        why: MatchError,
        /// The position.
        standing: Box<Standing>,
    },
    /// The link is not the one before this one in the player's chain.
    #[error(
        "That link is not the next of your chain: its SHA-256 has to be {}. `post link --after` computes it.",
        hex_of_hash(.0)
    )]
    Link(Hash),
    /// The line is not valid on the board.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The lines of the board are not valid.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The lines of this board lead elsewhere.
    #[error(
        "The lines of board {0} do not produce its stored position: tell the operator of the server."
    )]
    OtherPosition(BoardNumber),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_is_a_sentence_for_the_user() {
        let user: UserName = "alice".parse().unwrap();
        let players = [user.clone(), "bob".parse().unwrap()];
        let play = Box::new(Match {
            board: 17,
            players: Some(players.clone()),
            ..Match::default()
        });
        let told = [
            Refusal::WrongPasswords(3),
            Refusal::NoUser,
            Refusal::NoPlayer("first"),
            Refusal::WrongPassword(user.clone()),
            Refusal::PasswordInName,
            Refusal::NewPasswordInAddress,
            Refusal::PasswordInAddress,
            Refusal::Password(PasswordFormError),
            Refusal::Random(RandomError::UNSUPPORTED),
            Refusal::NameTaken(user.clone()),
            Refusal::Full,
            Refusal::NoCode,
            Refusal::WrongCode,
            Refusal::Registrations(50),
            Refusal::Challenges(20),
            Refusal::Challenged {
                most: 20,
                user: user.clone(),
                players,
            },
            Refusal::Boards {
                user: user.clone(),
                most: 100,
            },
            Refusal::NoBoard(17),
            Refusal::NotPlaying {
                user: user.clone(),
                play: play.clone(),
            },
            Refusal::Accepted { user, board: 17 },
            Refusal::Over(play.clone()),
            Refusal::NotToMove(play.clone(), Side::Green),
            Refusal::NotToRoll(play, Side::Green),
            Refusal::Link([0x5a; 32]),
            Refusal::OtherPosition(17),
        ];
        insta::assert_snapshot!(told.map(|refusal| refusal.to_string()).join("\n"));
    }
}
