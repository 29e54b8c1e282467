//! A table of the lobby, with those who are at it.

use crate::lobby::LobbyClient;
use crate::message::{TablePresence, TableRole, TableSeat};
use crate::order::PairTable;
use crate::secret::{TableSecrets, TableToken};

/// A table with those who are at it.
pub struct HeldTable {
    pub table: PairTable,
    pub secrets: TableSecrets,
    pub seats: [Option<LobbyClient>; 2],
    pub watchers: Vec<LobbyClient>,
    /// The network of who opened it.
    pub network: String,
    /// Since when nobody is at it.
    pub empty_since: Option<u64>,
}

impl HeldTable {
    /// All who are at it.
    pub fn everybody(&self) -> impl Iterator<Item = LobbyClient> + '_ {
        let seats = self.seats.iter().flatten();
        seats.chain(&self.watchers).copied()
    }

    /// True if nobody is at it.
    pub fn is_empty(&self) -> bool {
        self.everybody().next().is_none()
    }

    /// Who is at it.
    pub fn presence(&self) -> TablePresence {
        TablePresence {
            seats: self.seats.map(|seat| seat.is_some()),
            watchers: self.watchers.len() as u16,
        }
    }

    /// What the holder of a secret is; `None` if it is none of this table's. All are
    /// compared, so the time that it takes tells nothing.
    pub fn role(&self, secret: TableToken) -> Option<TableRole> {
        let [first, second] = self.secrets.seats.map(|own| own == secret);
        let watches = self.secrets.watch == secret;
        match (first, second, watches) {
            (true, _, _) => Some(TableRole::Seat(TableSeat::First)),
            (_, true, _) => Some(TableRole::Seat(TableSeat::Second)),
            (_, _, true) => Some(TableRole::Watcher),
            _ => None,
        }
    }
}
