//! The names of users, boards and addresses, and their rules.
//!
//! Invariants: a [`UserName`] and an [`Address`] are checked when they are created,
//! so they can be put unchanged into a line of a transcript, a header of a mail or a
//! log.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most characters of a user's name.
pub const NAME_LETTERS: usize = 16;

/// The most bytes of a mail address without brackets: RFC 5321, 4.5.3.1.3.
pub const ADDRESS_BYTES: usize = 254;

/// The number of a board, from 1.
pub type BoardNumber = u64;

/// Why a word is no name. No sentence repeats the word: a user who confused the order of
/// the words may have written the password here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The word is not a user's name.
    #[error(
        "A user's name is a letter and then letters, digits, `_` or `-`, {NAME_LETTERS} in all at most."
    )]
    User,
    /// The word is not a mail address.
    #[error("A mail address is like alice@example.org.")]
    Address,
    /// The word is not the number of a board.
    #[error("The number of a board is like 17: `malaka list` has those in play.")]
    Board,
}

/// The name of a user: a letter, then letters, digits, `_` and `-`. Upper case is
/// converted to lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UserName(String);

impl UserName {
    /// The name as a string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UserName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<UserName, NameError> {
        let begins = text.starts_with(|first: char| first.is_ascii_alphabetic());
        let goes_on = text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
        if begins && goes_on && text.len() <= NAME_LETTERS {
            return Ok(UserName(text.to_ascii_lowercase()));
        }
        Err(NameError::User)
    }
}

impl TryFrom<String> for UserName {
    type Error = NameError;

    fn try_from(text: String) -> Result<UserName, NameError> {
        text.parse()
    }
}

impl From<UserName> for String {
    fn from(name: UserName) -> String {
        name.0
    }
}

impl fmt::Display for UserName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A mail address without a display name: `alice@example.org`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address(lettre::Address);

impl Address {
    /// The address in the type of the mail library.
    #[must_use]
    pub fn to_lettre(&self) -> lettre::Address {
        self.0.clone()
    }

    /// The part before the `@`.
    #[must_use]
    pub fn local(&self) -> &str {
        self.0.user()
    }

    /// The part after the `@`.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.0.domain()
    }

    /// True if mail to both addresses arrives at the same place, as far as can be known.
    /// The case of letters does not matter in a domain, and in practice not in the local
    /// part either.
    #[must_use]
    pub fn is_same(&self, other: &Address) -> bool {
        self.key() == other.key()
    }

    /// The address in the form in which it is used as a key.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_string().to_ascii_lowercase()
    }
}

impl FromStr for Address {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Address, NameError> {
        // A quoted local part may contain blanks and brackets, and a literal domain is an
        // IP address; no player has such an address.
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\"(),:;<>[\\]".contains(&byte));
        let address = text.parse::<lettre::Address>().ok();
        address
            .filter(|_| plain && text.len() <= ADDRESS_BYTES)
            .map(Address)
            .ok_or(NameError::Address)
    }
}

impl TryFrom<String> for Address {
    type Error = NameError;

    fn try_from(text: String) -> Result<Address, NameError> {
        text.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> String {
        address.to_string()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a board, as a user writes it: `17`, or `#17`.
///
/// # Errors
/// [`NameError::Board`].
pub fn board_number(word: &str) -> Result<BoardNumber, NameError> {
    let digits = word.strip_prefix('#').unwrap_or(word);
    let number = digits.parse::<BoardNumber>().ok();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    number
        .filter(|number| is_number && *number > 0)
        .ok_or(NameError::Board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_small_and_plain() {
        assert_eq!("Camb-2_x".parse::<UserName>().unwrap().as_str(), "camb-2_x");
        for word in ["", "1a", "-a", "a b", "a#", "ä", "abcdefghijklmnopq", "a\n"] {
            let sentence = word.parse::<UserName>().unwrap_err().to_string();
            assert!(sentence.contains("letter"), "{word}");
        }
    }

    #[test]
    fn an_address_cannot_break_a_header() {
        let address: Address = "Alice.B+x@Example.org".parse().unwrap();
        assert!(address.is_same(&"alice.b+x@example.ORG".parse().unwrap()));
        let too_long = format!("{}@example.org", "a".repeat(300));
        for word in [
            "",
            "alice",
            "a b@example.org",
            "\"a b\"@example.org",
            "a@[127.0.0.1]",
            "a@example.org\r\nBcc: b@example.org",
            "<a@example.org>",
            "a@example.org,b@example.org",
            &too_long,
        ] {
            assert!(word.parse::<Address>().is_err(), "{word}");
        }
    }

    #[test]
    fn a_board_has_a_number_from_one_on() {
        assert_eq!(board_number("17"), Ok(17));
        assert_eq!(board_number("#17"), Ok(17));
        for word in [
            "",
            "0",
            "-1",
            "+1",
            "1.0",
            "#",
            "99999999999999999999999",
            "alice",
        ] {
            assert!(board_number(word).is_err(), "{word}");
        }
    }
}
