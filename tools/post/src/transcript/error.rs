//! Why a text is not a transcript, and why a line is not valid on a board.

use std::fmt;

use crate::dice;
use crate::names::{BoardNumber, NameError, UserName};
use crate::rules::{OptionsError, RulesError};
use crate::transcript::{LINE_BYTES, NONCE_BYTES, Stage};

/// Why a text is not a contribution to the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContributionError {
    /// The word cannot be a nonce.
    #[error(
        "A nonce has up to {NONCE_BYTES} letters, digits and signs of ASCII, without blanks and `#`."
    )]
    Nonce,
    /// The text does not begin like a contribution.
    #[error("a contribution is `none`, `nonce:WORD` or `mail:HASH`")]
    Form,
}

/// Why a text is not a line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// No line has these words.
    #[error("that is not a line of a transcript")]
    Form,
    /// A name or a number of a board is wrong.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The options are wrong.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The contribution to the dice is wrong.
    #[error(transparent)]
    Contribution(#[from] ContributionError),
    /// The word is not a hash.
    #[error("{0:?} is not a hash of 64 hexadecimal digits")]
    Hash(String),
    /// The word is not a number.
    #[error("{0:?} is not a number up to {max}", max = u16::MAX)]
    Number(String),
    /// The word is not the face of a die.
    #[error("{0:?} is not the face of a die")]
    Face(String),
    /// The line has another text form.
    #[error("the server writes this line differently")]
    OtherForm,
}

/// What a board waits for, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The stage of the board.
    pub stage: Stage,
    /// The name of the player whom the stage is about; empty if it is about nobody.
    pub name: String,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.stage {
            Stage::Heading(lines) => {
                let heading = ["board", "players", "options", "chain"];
                write!(
                    f,
                    "the {} line comes first",
                    heading[usize::from(lines.min(3))]
                )
            }
            Stage::Challenge => f.write_str("both players have to accept first"),
            Stage::Link(_) => write!(f, "{name} has to give a link first"),
            Stage::Dice(_) => write!(f, "{name} has to roll first"),
            Stage::Move(_) => write!(f, "it is {name}'s turn to move"),
            Stage::Decided(_) => write!(f, "{name} has won"),
            Stage::Over(Some(_)) => write!(f, "the game is over, and {name} has won"),
            Stage::Over(None) => f.write_str("the game is over, and nobody has won"),
        }
    }
}

/// Why a line is not valid on a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The stored position is not valid.
    #[error("the position of board {0} is damaged: restore a copy of the store")]
    Damaged(BoardNumber),
    /// The line is too long.
    #[error("a line has at most {LINE_BYTES} bytes")]
    TooLong,
    /// Both players are the same user.
    #[error("a game has two different players")]
    SamePlayers,
    /// Another line is due.
    #[error("this cannot come here: {0}")]
    NotHere(Expected),
    /// The other player, who has this name, has to act.
    #[error("it is {0}'s turn")]
    NotTurn(String),
    /// The user does not play on the board.
    #[error("that is nobody who plays on this board")]
    NotPlaying,
    /// The user has accepted before.
    #[error("{0} has accepted already")]
    Accepted(UserName),
    /// The user has a chain, or has accepted without one.
    #[error("{0} can seal no more")]
    NoSeal(UserName),
    /// The link is not the next of the player's chain.
    #[error("the SHA-256 of this link is not the link before it")]
    Link,
    /// The roll has another number than this one.
    #[error("the next roll is number {0}")]
    RollNumber(u16),
    /// The link of a roll is not the next of the server's chain.
    #[error("the link is not of the server's chain")]
    Chain,
    /// The dice are not these ones, which follow from the lines.
    #[error("the dice do not follow from what was written: that would be {}", dice::words(.0))]
    Dice(Vec<u8>),
    /// The rules do not allow it.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The winner has won in another way.
    #[error("the game was won in another way")]
    OtherWin,
    /// The game has neither a winner nor a next turn.
    #[error("the game is over, and nobody has won")]
    NoWinner,
    /// A player resigns before the game has begun.
    #[error("nobody resigns before both have accepted")]
    EarlyResign,
    /// A player declines a game after a move.
    #[error("whoever has moved resigns")]
    LateDecline,
}

impl MatchError {
    /// True if the sentence names turns that can be played instead.
    #[must_use]
    pub fn lists_turns(&self) -> bool {
        matches!(self, MatchError::Rules(RulesError::Notation(error)) if error.lists_turns())
    }
}

/// Why an end mark does not end its transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndMarkError {
    /// The line is not an end mark.
    #[error("an end mark is `end LINES HASH`")]
    Form,
    /// Lines are missing, or there are too many.
    #[error("the transcript has {lines} lines, and {there} of them are here")]
    Lines {
        /// The number of lines by the end mark.
        lines: u32,
        /// The number of lines before it.
        there: u32,
    },
    /// The lines are others.
    #[error("the hash of the lines before it is another one")]
    Hash,
}

/// What is wrong with a line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongLine {
    /// The line is empty within the transcript.
    #[error("it is empty, or begins with `#`, and the transcript goes on behind it")]
    Empty,
    /// The end mark is wrong.
    #[error(transparent)]
    End(#[from] EndMarkError),
    /// The text is not a line.
    #[error(transparent)]
    Text(#[from] LineError),
    /// The line is not valid here.
    #[error(transparent)]
    Match(#[from] MatchError),
}

/// Why a transcript is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// No line begins a transcript.
    #[error("There is no transcript in this: it begins with a line like `board 17 malaka`.")]
    NoTranscript,
    /// A line is wrong.
    #[error("Line {number} is wrong: {why}.")]
    Line {
        /// The number of the line in the text, from 1.
        number: usize,
        /// What is wrong with it.
        #[source]
        why: WrongLine,
    },
    /// The transcript ends where a line has to follow.
    #[error("The transcript is cut off: {0}.")]
    CutOff(Expected),
}

#[cfg(test)]
mod tests {
    use protocol::Side;

    use super::*;

    #[test]
    fn a_wrong_line_is_told_with_its_number() {
        let expected = |stage, name: &str| Expected {
            stage,
            name: name.to_owned(),
        };
        let user: UserName = "alice".parse().unwrap();
        let word = || "x".to_owned();
        let (lines, there) = (7, 5);
        let lines: [WrongLine; 23] = [
            WrongLine::Empty,
            EndMarkError::Form.into(),
            EndMarkError::Lines { lines, there }.into(),
            EndMarkError::Hash.into(),
            LineError::Form.into(),
            LineError::Name(NameError::Board).into(),
            LineError::Options(OptionsError).into(),
            LineError::Contribution(ContributionError::Form).into(),
            LineError::Hash(word()).into(),
            LineError::Number(word()).into(),
            LineError::Face(word()).into(),
            LineError::OtherForm.into(),
            MatchError::Damaged(17).into(),
            MatchError::TooLong.into(),
            MatchError::SamePlayers.into(),
            MatchError::NotTurn(word()).into(),
            MatchError::NotPlaying.into(),
            MatchError::Accepted(user.clone()).into(),
            MatchError::NoSeal(user).into(),
            MatchError::Link.into(),
            MatchError::RollNumber(3).into(),
            MatchError::Chain.into(),
            MatchError::Dice(vec![2, 3]).into(),
        ];
        let ends: [WrongLine; 4] = [
            MatchError::OtherWin,
            MatchError::NoWinner,
            MatchError::EarlyResign,
            MatchError::LateDecline,
        ]
        .map(WrongLine::from);
        let stages = [
            expected(Stage::Heading(2), ""),
            expected(Stage::Challenge, ""),
            expected(Stage::Link(Side::Red), "bob"),
            expected(Stage::Dice(Side::Red), "bob"),
            expected(Stage::Move(Side::Red), "bob"),
            expected(Stage::Decided(Side::Red), "bob"),
            expected(Stage::Over(Some(Side::Red)), "bob"),
            expected(Stage::Over(None), ""),
        ]
        .map(|expected| WrongLine::from(MatchError::NotHere(expected)));
        let all = lines.into_iter().chain(ends).chain(stages);
        let mut told: Vec<String> = all
            .zip(1..)
            .map(|(why, number)| VerifyError::Line { number, why }.to_string())
            .collect();
        told.push(VerifyError::NoTranscript.to_string());
        told.push(VerifyError::CutOff(expected(Stage::Heading(0), "")).to_string());
        insta::assert_snapshot!(told.join("\n"));
    }
}
