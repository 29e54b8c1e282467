//! Which jobs belong to a shard.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Every N-th job: `2/5` is the second of five shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// The only shard.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// The shard with this number, counted from 1, of so many. `None` if there is none.
    #[must_use]
    pub fn new(number: u64, of: u64) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }

    /// True if there is no other shard.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self == Shard::WHOLE
    }

    /// True if this job, counted from 0, belongs to the shard.
    #[must_use]
    pub fn has(self, job: u64) -> bool {
        job % self.of == self.number - 1
    }

    /// The jobs of this shard, of this many.
    pub fn jobs(self, jobs: u64) -> impl Iterator<Item = u64> {
        (self.number - 1..jobs).step_by(self.of.try_into().unwrap_or(usize::MAX))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let numbers =
            numbers.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.and_then(|(number, of)| Shard::new(number, of));
        shard.ok_or_else(|| format!("`{text}` is not a shard: write 2/5 for the second of five"))
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}
