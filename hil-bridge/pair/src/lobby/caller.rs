//! A client of the lobby, and how much it may say.

use crate::message::{TableRefusal, TableRole, ToTable};
use crate::secret::TOKEN_BYTES;

/// What a client may say at once, in messages, and how many more each second.
const BURST: u64 = 256;
const PER_SECOND: u64 = 64;

/// What a question costs whose answer may be long, in messages.
const LONG_ANSWER: u64 = 16;

/// A client.
pub struct Caller {
    /// What limits count it by.
    pub network: String,
    /// When it came.
    pub arrived_ms: u64,
    /// The name of its table, and what it is there.
    pub at: Option<([u8; TOKEN_BYTES], TableRole)>,
    /// True if it opened the table.
    pub is_opener: bool,
    /// What it may still say, in thousandths of a message.
    allowance: u64,
    counted_ms: u64,
}

impl Caller {
    /// A client that just came from this network.
    pub fn new(network: &str, now_ms: u64) -> Caller {
        Caller {
            network: network.to_owned(),
            arrived_ms: now_ms,
            at: None,
            is_opener: false,
            allowance: BURST * 1_000,
            counted_ms: now_ms,
        }
    }

    /// Counts a message against what the client may say.
    pub fn count(&mut self, message: &ToTable, now_ms: u64) -> Result<(), TableRefusal> {
        let more = (now_ms - self.counted_ms).saturating_mul(PER_SECOND);
        self.counted_ms = now_ms;
        self.allowance = self.allowance.saturating_add(more).min(BURST * 1_000);
        let cost = match message {
            ToTable::Open { .. } | ToTable::Join { .. } | ToTable::Again { .. } => LONG_ANSWER,
            ToTable::Wish(_) | ToTable::Digest { .. } => 1,
        };
        let left = self.allowance.checked_sub(cost * 1_000);
        self.allowance = left.ok_or(TableRefusal::TooFast)?;
        Ok(())
    }
}
