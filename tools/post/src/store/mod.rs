//! The store: users, boards, their lines, outgoing mails, and the identities of incoming
//! mails.
//!
//! It is an embedded database in one file. Every change is a transaction that is
//! completely on the disk before anybody is answered: a process that is killed at any
//! moment leaves either all of it or nothing. Commits have two phases, so that a checksum
//! over texts from users never decides which one counts, and a store that was not closed
//! opens as fast as one that was.
//!
//! Invariants: all reading and writing happens in [`MailStore::change`], one call at a
//! time, and a call that fails leaves no trace.

mod copies;
mod error;
mod guard;
mod records;
mod salvage;
mod tables;

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use redb::{
    Builder, Database, DatabaseError, ReadableDatabase, ReadableTableMetadata, StorageBackend,
    TableHandle,
};

pub use error::{OpenError, RecordName, StorageError, StoreError};
pub use records::{BoardRecord, Queued, User};
pub use salvage::{Salvaged, salvage};
pub use tables::Tables;

use guard::guarded;

/// The format of the records; files with another format are refused.
const FORMAT: u64 = 2;

/// An older format that can be read, too: its users have two more numbers at the end,
/// which are ignored.
const FORMAT_BEFORE: u64 = 1;

/// How much of the file is cached in memory, in bytes.
const CACHE_BYTES: usize = 32 << 20;

/// The open store.
#[derive(Debug)]
pub struct MailStore {
    /// `None` only while the store is being dropped.
    database: Mutex<Option<Database>>,
    name: String,
    /// The file, if it is one.
    path: Option<PathBuf>,
}

/// Even closing a damaged store may panic.
impl Drop for MailStore {
    fn drop(&mut self) {
        let database = self.database.get_mut();
        let database = database.take();
        let closed = guarded(|| {
            drop(database);
            Ok(())
        });
        if let Err(error) = closed {
            tracing::error!("{error}");
        }
    }
}

impl MailStore {
    /// Opens the store in this file, or creates it.
    ///
    /// # Errors
    /// If the file cannot be opened or is not a store.
    pub fn open(path: &Path) -> Result<MailStore, StoreError> {
        let name = path.display().to_string();
        create_private(path).map_err(|error| StoreError::open(&name, error))?;
        let database = guarded(|| {
            builder().create(path).map_err(|error| match error {
                DatabaseError::DatabaseAlreadyOpen => StoreError::Busy(name.clone()),
                error => not_opened(&name, error),
            })
        })?;
        MailStore::of(database, name, Some(path.to_owned()))
    }

    /// A store on a storage other than a file.
    ///
    /// # Errors
    /// As [`MailStore::open`].
    pub fn on(backend: impl StorageBackend) -> Result<MailStore, StoreError> {
        let name = "in memory".to_owned();
        let database = guarded(|| {
            let database = builder().create_with_backend(backend);
            database.map_err(|error| not_opened(&name, error))
        })?;
        MailStore::of(database, name, None)
    }

    fn of(
        database: Database,
        name: String,
        path: Option<PathBuf>,
    ) -> Result<MailStore, StoreError> {
        let store = MailStore {
            database: Mutex::new(Some(database)),
            name,
            path,
        };
        let format = store.change(|tables| match tables.number("format")? {
            0 | FORMAT_BEFORE => {
                tables.set_number("format", FORMAT)?;
                Ok(FORMAT)
            }
            format => Ok(format),
        })?;
        if format == FORMAT {
            Ok(store)
        } else {
            Err(StoreError::Format(format))
        }
    }

    /// The path of the store.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads and changes the store in a transaction. When this returns, all changes are
    /// on the disk; after an error, nothing has changed.
    ///
    /// # Errors
    /// If the store cannot be read or written, or the error of `change`.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut Tables<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.with(|database| {
            let mut transaction = database.begin_write()?;
            transaction.set_quick_repair(true);
            let mut tables = Tables::open(&transaction)?;
            let done = change(&mut tables);
            let is_changed = tables.is_changed;
            drop(tables);
            if done.is_ok() && is_changed {
                transaction.commit()?;
            } else {
                transaction.abort()?;
            }
            done
        })
    }

    /// Accesses the database; other threads wait.
    fn with<T>(
        &self,
        read: impl FnOnce(&mut Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut database = self.database.lock();
        let database = database.as_mut();
        let database = database.ok_or(StorageError::Closed)?;
        guarded(|| read(database))
    }

    /// Returns unused space of the file to the system.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn compact(&self) -> Result<bool, StoreError> {
        self.with(|database| Ok(database.compact()?))
    }

    /// True if everything in the file is intact.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_intact(&self) -> Result<bool, StoreError> {
        self.with(|database| {
            let intact = database.check_integrity();
            intact.map_err(|error| not_opened(&self.name, error))
        })
    }

    /// The bytes of each table, including its free pages.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn sizes(&self) -> Result<Vec<(String, u64)>, StoreError> {
        self.with(|database| {
            let transaction = database.begin_read()?;
            let mut sizes = Vec::new();
            for table in transaction.list_tables()? {
                let name = table.name().to_owned();
                let stats = transaction.open_untyped_table(table)?.stats()?;
                let bytes =
                    stats.stored_bytes() + stats.metadata_bytes() + stats.fragmented_bytes();
                sizes.push((name, bytes));
            }
            Ok(sizes)
        })
    }
}

/// The error for a store that cannot be opened or is not intact.
fn not_opened(name: &str, error: DatabaseError) -> StoreError {
    match error {
        DatabaseError::Storage(redb::StorageError::Corrupted(what)) => StoreError::Damaged(what),
        error => StoreError::open(name, error),
    }
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Creates the file so that only its owner can read it, because it will contain password
/// hashes and the secrets of dice.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::tables::encode;
    use super::*;
    use crate::names::UserName;

    #[test]
    fn an_older_store_is_read_and_a_newer_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("post.redb");
        let name: UserName = "alice".parse().unwrap();
        let user = User {
            address: Some("alice@play.test".parse().unwrap()),
            code: None,
            hash: "a hash".into(),
            since_s: 1_000,
        };
        let store = MailStore::open(&path).unwrap();
        let written = store.change(|tables| {
            tables.set_number("format", FORMAT_BEFORE)?;
            // The wrong passwords since the last right one, and the time of the last, in
            // seconds.
            let record = [encode(&user)?, vec![7, 200, 1]].concat();
            tables.users.insert(name.as_str(), record.as_slice())?;
            Ok(())
        });
        written.unwrap();
        drop(store);
        let store = MailStore::open(&path).unwrap();
        let read = store.change(|tables| Ok((tables.user(&name)?, tables.number("format")?)));
        assert_eq!(read.unwrap(), (Some(user), FORMAT));
        let later = store.change(|tables| tables.set_number("format", FORMAT + 1));
        later.unwrap();
        drop(store);
        let refused = MailStore::open(&path).unwrap_err();
        assert!(matches!(refused, StoreError::Format(_)), "{refused}");
    }
}
