//! What a relay and its clients say, and the bytes of it.
//!
//! Each message is one binary message of a WebSocket, encoded by postcard. Invariants: a
//! message has at most [`MOST_BYTES`]; it has one encoding, and what is longer, shorter or
//! different is refused whole; its version stands first in what a client says first.

use std::fmt;

use protocol::{Input, Settings, Side, Tick};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::secret::{TableKey, TableSecrets, TableToken};

/// The version of these messages.
pub const VERSION: u16 = 1;

/// The maximum length of a message.
pub const MOST_BYTES: usize = OPENING_BYTES + 1_024;

/// The maximum length of the opening of a table: the longest text of a bundled game with
/// its layout takes less than half of it.
pub const OPENING_BYTES: usize = 64 << 10;

/// The inputs that a table has room for: a game of two thousand moves.
pub const MOST_ENTRIES: usize = 16_384;

/// The most inputs in one message.
pub const ENTRIES_AT_ONCE: usize = 256;

/// Ticks of board time between two digests.
pub const DIGEST_EVERY: Tick = 1_000;

/// A seat at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TableSeat {
    /// Of who opened the table, and plays green.
    First,
    /// Of the other, who plays red.
    Second,
}

impl TableSeat {
    /// Both.
    pub const ALL: [TableSeat; 2] = [TableSeat::First, TableSeat::Second];

    /// The index of the seat.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opposite seat.
    #[must_use]
    pub const fn other(self) -> TableSeat {
        match self {
            TableSeat::First => TableSeat::Second,
            TableSeat::Second => TableSeat::First,
        }
    }

    /// The side that is played from the seat.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            TableSeat::First => Side::Green,
            TableSeat::Second => Side::Red,
        }
    }
}

/// What a client is at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableRole {
    /// It plays.
    Seat(TableSeat),
    /// It watches.
    Watcher,
}

impl TableRole {
    /// The seat; `None` for a watcher.
    #[must_use]
    pub const fn seat(self) -> Option<TableSeat> {
        match self {
            TableRole::Seat(seat) => Some(seat),
            TableRole::Watcher => None,
        }
    }
}

/// What can be done to the board of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableDeed {
    /// A touch, a button, a pass.
    Input(Input),
    /// All settings at once.
    Settings(Settings),
}

/// A deed that a seat asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableWish {
    /// Its number among those of the seat, from 0.
    pub number: u32,
    /// The deed.
    pub deed: TableDeed,
}

/// A deed in the order of the table. Entries of one tick are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    /// The tick of the table at which every board takes it.
    pub tick: Tick,
    /// The seat that asked for it.
    pub seat: TableSeat,
    /// The deed.
    pub deed: TableDeed,
}

/// The first moment at which two boards are known to differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableParted {
    /// The tick of the table.
    pub tick: Tick,
    /// The digests there, of the first and the second seat. For a watcher who differs
    /// from both: of the seats, and of the watcher.
    pub digests: [u64; 2],
}

impl fmt::Display for TableParted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableParted { tick, digests } = self;
        let [one, other] = digests;
        write!(
            f,
            "the boards differ at tick {tick}: the digests are {one:016x} and {other:016x}"
        )
    }
}

/// Who is at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablePresence {
    /// Whether each seat has a line.
    pub seats: [bool; 2],
    /// The number of watchers.
    pub watchers: u16,
}

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToTable {
    /// Opens a table. Repeated on the same line, it opens no other one.
    Open {
        /// The [`VERSION`] of the client.
        version: u16,
        /// The board with which the table begins: see [`crate::opening`].
        opening: Vec<u8>,
    },
    /// Sits down, or watches.
    Join {
        /// The [`VERSION`] of the client.
        version: u16,
        /// The table, and the secret.
        key: TableKey,
        /// The number of entries that the client has.
        have: u32,
    },
    /// Asks for a deed.
    Wish(TableWish),
    /// Asks for the entries from this number on once more.
    Again {
        /// The first missing one.
        from: u32,
    },
    /// Tells the digest of the client's board, before the entries of this tick.
    Digest {
        /// A multiple of [`DIGEST_EVERY`].
        tick: Tick,
        /// The digest.
        digest: u64,
    },
}

/// What a relay says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromTable {
    /// The table is open. Only who opened it hears this.
    Opened {
        /// The name of the table.
        table: TableToken,
        /// Its secrets.
        secrets: TableSecrets,
    },
    /// The client is at the table.
    Welcome {
        /// What it is there.
        role: TableRole,
        /// The board with which the table began.
        opening: Vec<u8>,
        /// The relay's part of the seed.
        seed: u64,
        /// The number of deeds that the seat has asked for.
        wishes: u32,
        /// The tick of the table.
        tick: Tick,
    },
    /// Entries in their order.
    Entries {
        /// The number of the first one.
        from: u32,
        /// At most [`ENTRIES_AT_ONCE`].
        entries: Vec<TableEntry>,
    },
    /// Time has come to this tick: later entries have this tick or a later one.
    Now {
        /// The tick of the table.
        tick: Tick,
        /// The number of entries so far.
        count: u32,
    },
    /// Somebody came or went. Time passes while both seats have a line.
    Present(TablePresence),
    /// Both boards had this digest.
    Same {
        /// The tick of the table.
        tick: Tick,
        /// The digest.
        digest: u64,
    },
    /// The boards differ: time has stopped for good.
    Parted(TableParted),
    /// The table has no room for more entries: time has stopped for good.
    Full,
    /// The relay closes the line.
    Refused(TableRefusal),
}

/// Why a relay closes a line. The text is a sentence that says what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum TableRefusal {
    /// The client has another version.
    #[error(
        "this page and the relay have different versions of the messages: reload the page, or use a newer relay"
    )]
    Version,
    /// There is no such table, or the secret is not one of its own.
    #[error("there is no such table: it was closed, or the link is not whole; ask for it again")]
    NoTable,
    /// There is no room for another table.
    #[error("the relay has no room for another table: try again later")]
    NoRoom,
    /// There is no room for another watcher at the table.
    #[error("too many people watch this table: try again later")]
    NoRoomToWatch,
    /// The client says too much at once.
    #[error("too much was sent at once: reload the page")]
    TooFast,
    /// What the client says is no message, or not allowed to it.
    #[error("the relay did not understand the page: reload it")]
    Nonsense,
    /// The same link was opened elsewhere, which has the seat now.
    #[error(
        "this seat was opened in another window, which has it now; reload the page to take it back"
    )]
    Replaced,
    /// The relay is shutting down.
    #[error("the relay is shutting down")]
    Closing,
    /// The relay cannot choose the secrets of a table.
    #[error(
        "the relay cannot open a table, because its computer has no random numbers for the secrets: use another relay"
    )]
    NoSecrets,
}

/// Bytes that are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the other end sent something that is no message")]
pub struct NoTableMessage;

/// The bytes of a message.
#[must_use]
pub fn encode<M: Serialize>(message: &M) -> Vec<u8> {
    // An extended vector has room for everything.
    postcard::to_extend(message, Vec::new()).unwrap_or_default()
}

/// The message of these bytes.
///
/// # Errors
/// If they are no message, or not the only encoding of one.
pub fn decode<M: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<M, NoTableMessage> {
    if bytes.len() > MOST_BYTES {
        return Err(NoTableMessage);
    }
    let message: M = postcard::from_bytes(bytes).map_err(|_| NoTableMessage)?;
    // Numbers may be written longer than needed, and bytes may follow.
    (encode(&message) == bytes)
        .then_some(message)
        .ok_or(NoTableMessage)
}
