//! The records of the store.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::dice::Hash;
use crate::names::Address;
use crate::transcript::Match;

/// The record of a user.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The mail address of the user, if it was given.
    pub address: Option<Address>,
    /// The word that was sent there and has to come back, while it has not.
    pub code: Option<String>,
    /// The hash of the password.
    pub hash: String,
    /// When the user registered, in seconds since 1970.
    pub since_s: u64,
}

impl User {
    /// The address, once it is known to be the user's own.
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

/// A board, and what only the server knows of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardRecord {
    /// The game, as computed from the lines.
    pub play: Match,
    /// The far end of its chain of dice.
    pub secret: Hash,
    /// The second of the last line.
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
    /// The second at which it was written.
    pub since_s: u64,
    /// How often it was tried in vain.
    pub attempts: u32,
    /// The earliest second of the next attempt.
    pub not_before_s: u64,
}
