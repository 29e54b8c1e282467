//! What can be wrong with a table, for the person at it.

use crate::message::{MOST_ENTRIES, TableRefusal};

/// Why a deed cannot be asked for, or a table has failed. The text is a sentence for the
/// person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The relay refused.
    #[error(transparent)]
    Refused(#[from] TableRefusal),
    /// The relay sent what no relay sends.
    #[error("the relay sent something that no relay of this version sends: use another one")]
    Nonsense,
    /// The client watches.
    #[error("you watch this game: only the two who play can touch the board")]
    Watching,
    /// Too much waits for the line.
    #[error("the line is away: this is not sent any more, wait until it is back")]
    TooMuch,
    /// The table takes no more entries.
    #[error(
        "this table is full after {MOST_ENTRIES} touches and buttons: save the session, and open another table"
    )]
    Full,
    /// The boards differ.
    #[error("the two boards differ: save the session, and open another table")]
    Parted,
    /// The client left.
    #[error(
        "you left this table, since another game was chosen; the link in the address bar leads back to it"
    )]
    Left,
    /// The table is not known yet.
    #[error("there is no line to the table yet: wait until it is there")]
    NotThere,
}
