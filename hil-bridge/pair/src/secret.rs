//! Names of tables, and the secrets that let somebody sit at one.
//!
//! A table has three secrets: for either seat, and for those who watch. They are random and
//! independent, so whoever has one learns nothing of the others. A name only finds the
//! table, and opens nothing.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// The bytes of a name or a secret: too many to guess.
pub const TOKEN_BYTES: usize = 16;

/// A random number, written in hexadecimal digits.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableToken([u8; TOKEN_BYTES]);

impl TableToken {
    /// The token of these random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; TOKEN_BYTES]) -> TableToken {
        TableToken(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> [u8; TOKEN_BYTES] {
        self.0
    }
}

impl PartialEq for TableToken {
    /// Compares in constant time, so that nobody learns how much of a guess was right.
    fn eq(&self, other: &TableToken) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TableToken {}

impl fmt::Display for TableToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for TableToken {
    /// Shows nothing of it, since messages are logged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TableToken(..)")
    }
}

/// A text that is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the link is damaged: ask for it again")]
pub struct DamagedToken;

impl FromStr for TableToken {
    type Err = DamagedToken;

    fn from_str(text: &str) -> Result<TableToken, DamagedToken> {
        let digits = text.as_bytes();
        if digits.len() != 2 * TOKEN_BYTES || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(DamagedToken);
        }
        let mut bytes = [0; TOKEN_BYTES];
        for (byte, place) in bytes.iter_mut().zip((0..).step_by(2)) {
            let pair = &text[place..place + 2];
            *byte = u8::from_str_radix(pair, 16).map_err(|_| DamagedToken)?;
        }
        Ok(TableToken(bytes))
    }
}

/// What a link to a table contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableKey {
    /// The name of the table.
    pub table: TableToken,
    /// The secret, which determines what its holder may do.
    pub secret: TableToken,
}

/// The secrets of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSecrets {
    /// For the seats: of who opened the table, and of the other.
    pub seats: [TableToken; 2],
    /// For those who watch.
    pub watch: TableToken,
}
