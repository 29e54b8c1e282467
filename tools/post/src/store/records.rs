//! The records of the store.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::dice::Hash;
use crate::names::Address;
use crate::transcript::Match;

/// The record of a user.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The mail address of the user, if there is one.
    pub address: Option<Address>,
    /// The code that was sent to the address, until it has been returned.
    pub code: Option<String>,
    /// The hash of the password.
    pub hash: String,
    /// When the user registered, in seconds since 1970.
    pub since_s: u64,
}

impl User {
    /// The address, if it has been confirmed.
    #[must_use]
    pub fn confirmed_address(&self) -> Option<&Address> {
        self.address.as_ref().filter(|_| self.code.is_none())
    }
}

impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("User")
            .field("address", &self.address)
            .field("since_s", &self.since_s)
            .finish_non_exhaustive()
    }
}

/// A board, with what only the server knows.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardRecord {
    /// The state of the board that results from its lines.
    pub play: Match,
    /// The secret of its chain of dice.
    pub secret: Hash,
    /// The time of the last line, in seconds since 1970.
    pub changed_s: u64,
}

impl fmt::Debug for BoardRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardRecord")
            .field("play", &self.play)
            .field("changed_s", &self.changed_s)
            .finish_non_exhaustive()
    }
}

/// The schedule and the recipient of an outgoing mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    /// The address of the recipient.
    pub to: Address,
    /// The time at which it was written, in seconds since 1970.
    pub since_s: u64,
    /// The number of failed attempts.
    pub attempts: u32,
    /// The earliest time of the next attempt, in seconds since 1970.
    pub not_before_s: u64,
}
