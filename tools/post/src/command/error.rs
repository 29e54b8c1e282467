//! Why a line is not a command.
//!
//! Invariants: no sentence repeats a word of the line, since a user who confuses the order
//! of the words may have written the password in the place of a name or a number.

use crate::command::COMMAND_BYTES;
use crate::command::help::Noun;
use crate::names::NameError;
use crate::transcript::{ContributionError, MOVES_BYTES};

/// Why a line is not a command. The text says how to write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The line has too many bytes.
    #[error("A command has at most {COMMAND_BYTES} bytes, and this line has more.")]
    TooLong,
    /// The line is not UTF-8.
    #[error("A command is a line of text in UTF-8, and this line is not UTF-8.")]
    NotText,
    /// The line has no words.
    #[error("The line is empty: `help` lists the commands.")]
    Empty,
    /// The first word begins no command.
    #[error("A command begins with `malaka`, `user` or `help`: `help` lists what there is.")]
    FirstWord,
    /// There is no help about this.
    #[error("There is `help`, `help malaka` and `help dice`.")]
    Topic,
    /// The verb is missing or unknown.
    #[error("{}", verbs(*.noun, *.meant))]
    Verb {
        /// The first word.
        noun: Noun,
        /// The verb that is spelled most like it, if one is.
        meant: Option<&'static str>,
    },
    /// The words after the verb are not its arguments.
    #[error("{}", usage(*.0, .1))]
    Usage(Noun, &'static str),
    /// A name or a number is wrong.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The first wrong one of the words after this verb of `malaka` is a name or a number,
    /// as it is when their order is wrong.
    #[error("{why} {}", usage(Noun::Malaka, .verb))]
    Order {
        /// The verb.
        verb: &'static str,
        /// What is wrong with the word.
        #[source]
        why: NameError,
    },
    /// The contribution to the dice is wrong.
    #[error(transparent)]
    Contribution(#[from] ContributionError),
    /// The link is not a hash.
    #[error("A link has 64 hexadecimal digits: `post link` computes yours.")]
    Link,
    /// The seal is not a hash.
    #[error("A seal has 64 hexadecimal digits: `post link` computes yours.")]
    Seal,
    /// Two kinds of dice are asked for.
    #[error("All dice of a board are alike: write -d4 or -d6, not both.")]
    Dice,
    /// A user is challenged by themself.
    #[error("A game has two different players: write two users.")]
    SamePlayers,
    /// A challenge is signed by somebody else.
    #[error(
        "A challenge is signed by one of the two who are to play. {}",
        usage(Noun::Malaka, "challenge")
    )]
    Signer,
    /// The nonce shows the password.
    #[error("Your password is in your nonce, and everybody can read that: take another word.")]
    PasswordInNonce,
    /// The moves show the password.
    #[error(
        "Your password is among your moves, and everybody can read those: it comes before them, once."
    )]
    PasswordInMoves,
    /// The moves have other characters, or too many.
    #[error("Moves are like c3-c6,c6-c8 or 3xc3-c6, {MOVES_BYTES} letters in all at most.")]
    Moves,
}

/// The verbs that there are, with a suggestion.
fn verbs(noun: Noun, meant: Option<&str>) -> String {
    let word = noun.word();
    let all: Vec<String> = noun
        .verbs()
        .iter()
        .map(|(verb, usage)| format!("{word} {verb} {usage}").trim_end().to_owned())
        .collect();
    let meant = meant.map_or(String::new(), |verb| {
        format!("Is `{word} {verb}` what you mean? ")
    });
    format!("{meant}There is:\n  {}", all.join("\n  "))
}

/// How a command with this verb is written.
fn usage(noun: Noun, verb: &str) -> String {
    let usage = noun.verbs().iter().find(|(name, _)| *name == verb);
    let usage = usage.map_or("", |(_, usage)| usage);
    format!("Write: {} {verb} {usage}", noun.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_says_how_to_write_the_command() {
        let (noun, verb) = (Noun::User, "confirm");
        let meant = Some(verb);
        let told = [
            CommandError::TooLong,
            CommandError::NotText,
            CommandError::Empty,
            CommandError::FirstWord,
            CommandError::Topic,
            CommandError::Verb { noun, meant },
            CommandError::Verb { noun, meant: None },
            CommandError::Usage(noun, verb),
            CommandError::Name(NameError::Address),
            CommandError::Order {
                verb: "resign",
                why: NameError::User,
            },
            CommandError::Contribution(ContributionError::Nonce),
            CommandError::Link,
            CommandError::Seal,
            CommandError::Dice,
            CommandError::SamePlayers,
            CommandError::Signer,
            CommandError::PasswordInNonce,
            CommandError::PasswordInMoves,
            CommandError::Moves,
        ];
        insta::assert_snapshot!(told.map(|error| error.to_string()).join("\n"));
    }
}
