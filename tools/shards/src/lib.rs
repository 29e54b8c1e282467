//! Long commands on many machines.
//!
//! A command that takes shards is a list of numbered *jobs* that do not depend on each
//! other: runs, games, texts, mutants. A [`Shard`] is every N-th of them. Its results are
//! in a [`ShardFile`], which a process that was killed goes on with, and the files of all
//! shards are [`merged`] into the file that one machine would have written. On each
//! machine, [`do_all`] does the jobs on several threads.
//!
//! Invariants: shards share nothing; a result counts once, however often its job was
//! done; a file that is finished has the same bytes, in whatever order its jobs ended and
//! however often it was interrupted; files of different commands, plans or results are
//! refused with a sentence.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

/// The most bytes of the file of a shard: some millions of results.
const MOST_BYTES: u64 = 1 << 30;

mod digest;
mod error;
mod file;
mod options;
mod pool;
mod result;
mod shard;

pub use digest::digest_of;
pub use error::ShardError;
pub use file::ShardFile;
pub use options::{MergeOptions, ShardOptions, TableForm, command_of, merged};
pub use pool::{do_all, usual_threads};
pub use result::{ShardHeading, ShardResult};
pub use shard::Shard;
