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
mod guard;
mod records;
mod salvage;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use redb::{
    Builder, Database, DatabaseError, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    StorageBackend, Table, TableDefinition, TableHandle, WriteTransaction,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use records::{BoardRecord, Queued, User};
pub use salvage::{Salvaged, salvage};

use guard::guarded;

use crate::dice::Hash;
use crate::names::{BoardNumber, UserName};

/// The format of the records; files with another format are refused.
const FORMAT: u64 = 2;

/// An older format that can be read, too: its users have two more numbers at the end,
/// which are ignored.
const FORMAT_BEFORE: u64 = 1;

/// How much of the file is cached in memory, in bytes.
const CACHE_BYTES: usize = 32 << 20;

/// The most bytes of a record. The largest one, a board, is a position and some hashes.
/// Mails have no such limit.
const RECORD_BYTES: usize = 16 << 10;

const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");
const USERS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("users");
const BOARDS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("boards");
const LINES: TableDefinition<'_, (u64, u32), (u64, &str)> = TableDefinition::new("lines");
const OPEN: TableDefinition<'_, (&str, u64), ()> = TableDefinition::new("open");
const OUTBOX: TableDefinition<'_, u64, (&[u8], &[u8])> = TableDefinition::new("outbox");
const SEEN: TableDefinition<'_, &[u8; 32], u64> = TableDefinition::new("seen");
/// The counts per day; the table has had this name since format 1.
const COUNTS: TableDefinition<'_, (u64, &str), u64> = TableDefinition::new("answered");

/// The advice for a store that cannot be read.
const WHAT_TO_DO: &str = "end the server and take a copy of the store (`serve --backup`), or save what can be read with `post --store DAMAGED salvage NEW`";

/// Why the store refused. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has opened the store.
    #[error(
        "the store {0} is open in another process: send it commands with --tcp, or end it first"
    )]
    Busy(String),
    /// The store cannot be opened: its path and the reason.
    #[error("the store {0} does not open: {1}")]
    Open(String, String),
    /// The store was written by another version of this program.
    #[error(
        "the store has format {0}, and this program reads format {FORMAT}: use the program that wrote it"
    )]
    Format(u64),
    /// The store cannot be read or written.
    #[error("the store cannot be read or written: {0}")]
    Storage(String),
    /// A record cannot be decoded.
    #[error("{0} in the store cannot be read: {WHAT_TO_DO}")]
    Record(String),
    /// The file is damaged.
    #[error("the store is damaged ({0}): {WHAT_TO_DO}")]
    Damaged(String),
    /// The copy of the store would overwrite the store itself.
    #[error("{0} is the store itself: name another file for its copy")]
    Itself(String),
}

macro_rules! is_storage {
    ($($error:ty),+) => { $(
        impl From<$error> for StoreError {
            fn from(error: $error) -> StoreError {
                match redb::Error::from(error) {
                    redb::Error::Corrupted(what) => StoreError::Damaged(what),
                    error => StoreError::Storage(error.to_string()),
                }
            }
        }
    )+ };
}
is_storage!(
    redb::StorageError,
    redb::TableError,
    redb::TransactionError,
    redb::CommitError,
    redb::CompactionError,
    redb::SetDurabilityError
);

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
        let database = self
            .database
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
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
    ///
    /// A sentence, if the file cannot be opened or is not a store.
    pub fn open(path: &Path) -> Result<MailStore, StoreError> {
        let name = path.display().to_string();
        is_for_its_owner(path)
            .map_err(|error| StoreError::Open(name.clone(), error.to_string()))?;
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
        let mut database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let database = database.as_mut();
        let database = database.ok_or_else(|| StoreError::Storage("it is closed".into()))?;
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
    match redb::Error::from(error) {
        redb::Error::Corrupted(what) => StoreError::Damaged(what),
        error => StoreError::Open(name.to_owned(), error.to_string()),
    }
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Creates the file so that only its owner can read it, because it will contain password
/// hashes and the secrets of dice.
fn is_for_its_owner(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// The contents of the store during a transaction.
pub struct Tables<'t> {
    numbers: Table<'t, &'static str, u64>,
    users: Table<'t, &'static str, &'static [u8]>,
    boards: Table<'t, u64, &'static [u8]>,
    lines: Table<'t, (u64, u32), (u64, &'static str)>,
    open: Table<'t, (&'static str, u64), ()>,
    outbox: Table<'t, u64, (&'static [u8], &'static [u8])>,
    seen: Table<'t, &'static [u8; 32], u64>,
    counts: Table<'t, (u64, &'static str), u64>,
    is_changed: bool,
}

impl<'t> Tables<'t> {
    fn open(transaction: &'t WriteTransaction) -> Result<Tables<'t>, StoreError> {
        Ok(Tables {
            numbers: transaction.open_table(NUMBERS)?,
            users: transaction.open_table(USERS)?,
            boards: transaction.open_table(BOARDS)?,
            lines: transaction.open_table(LINES)?,
            open: transaction.open_table(OPEN)?,
            outbox: transaction.open_table(OUTBOX)?,
            seen: transaction.open_table(SEEN)?,
            counts: transaction.open_table(COUNTS)?,
            is_changed: false,
        })
    }

    /// A number by its name; 0 if it was never set.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn number(&self, name: &str) -> Result<u64, StoreError> {
        Ok(self.numbers.get(name)?.map_or(0, |number| number.value()))
    }

    fn set_number(&mut self, name: &str, number: u64) -> Result<(), StoreError> {
        self.is_changed = true;
        self.numbers.insert(name, number)?;
        Ok(())
    }

    /// Increments the number of this name and returns it; the first is 1.
    fn next(&mut self, name: &str) -> Result<u64, StoreError> {
        let next = self.number(name)? + 1;
        self.set_number(name, next)?;
        Ok(next)
    }

    /// The record of a user.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn user(&self, name: &UserName) -> Result<Option<User>, StoreError> {
        let record = self.users.get(name.as_str())?;
        record
            .map(|record| decode(record.value(), || format!("the user {name}")))
            .transpose()
    }

    /// Stores a user.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_user(&mut self, name: &UserName, user: &User) -> Result<(), StoreError> {
        self.is_changed = true;
        self.users.insert(name.as_str(), encode(user)?.as_slice())?;
        Ok(())
    }

    /// The number of users.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn users(&self) -> Result<u64, StoreError> {
        Ok(self.users.len()?)
    }

    /// The number for a new board.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new_board(&mut self) -> Result<BoardNumber, StoreError> {
        self.next("board")
    }

    /// The record of a board.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn board(&self, number: BoardNumber) -> Result<Option<BoardRecord>, StoreError> {
        let record = self.boards.get(number)?;
        record
            .map(|record| decode(record.value(), || format!("board {number}")))
            .transpose()
    }

    /// Stores a board with all of its lines, each with its time in seconds.
    fn keep_board_with(
        &mut self,
        board: &BoardRecord,
        lines: &[(u64, String)],
    ) -> Result<(), StoreError> {
        for (place, (second, line)) in lines.iter().enumerate() {
            let key = (board.play.board, place as u32);
            self.lines.insert(key, (*second, line.as_str()))?;
        }
        self.keep_board(board, &[], 0)
    }

    /// Stores a board, and appends these lines to its own.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_board(
        &mut self,
        board: &BoardRecord,
        lines: &[String],
        now_s: u64,
    ) -> Result<(), StoreError> {
        self.is_changed = true;
        let number = board.play.board;
        self.boards.insert(number, encode(board)?.as_slice())?;
        let before = board.play.lines as usize - lines.len();
        for (line, place) in lines.iter().zip(before as u32..) {
            self.lines.insert((number, place), (now_s, line.as_str()))?;
        }
        for player in board.play.players.iter().flatten() {
            if board.play.is_over() {
                self.open.remove((player.as_str(), number))?;
            } else {
                self.open.insert((player.as_str(), number), ())?;
            }
        }
        Ok(())
    }

    /// The lines of a board, each with the time at which it was written, in seconds.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn lines(&self, number: BoardNumber) -> Result<Vec<(u64, String)>, StoreError> {
        let mut lines = Vec::new();
        for line in self.lines.range((number, 0)..=(number, u32::MAX))? {
            let (_, line) = line?;
            let (second, text) = line.value();
            lines.push((second, text.to_owned()));
        }
        Ok(lines)
    }

    /// The boards on which this user plays, newest first, at most this many.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn boards_of(&self, user: &UserName, most: usize) -> Result<Vec<BoardNumber>, StoreError> {
        let name = user.as_str();
        let range = self.open.range((name, 0)..=(name, u64::MAX))?;
        let numbers = range.rev().take(most).map(|entry| {
            let (key, _) = entry?;
            Ok(key.value().1)
        });
        numbers.collect()
    }

    /// The newest boards that are not over, at most this many.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn boards_in_play(&self, most: usize) -> Result<Vec<BoardRecord>, StoreError> {
        // Finished boards stay in the table, so the search must be limited.
        const LOOKED_AT: usize = 1_000;
        let mut boards = Vec::new();
        for entry in self.boards.iter()?.rev().take(LOOKED_AT) {
            let (number, record) = entry?;
            let number = number.value();
            let board: BoardRecord = decode(record.value(), || format!("board {number}"))?;
            if !board.play.is_over() && boards.len() < most {
                boards.push(board);
            }
        }
        Ok(boards)
    }

    /// The number for the next outgoing mail.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new_mail(&mut self) -> Result<u64, StoreError> {
        self.next("mail")
    }

    /// Adds a mail to the queue of outgoing mails.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn queue(&mut self, number: u64, queued: &Queued, mail: &[u8]) -> Result<(), StoreError> {
        self.is_changed = true;
        self.outbox
            .insert(number, (encode(queued)?.as_slice(), mail))?;
        Ok(())
    }

    /// The oldest outgoing mail that is due.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn next_queued(&self, now_s: u64) -> Result<Option<(u64, Queued, Vec<u8>)>, StoreError> {
        for entry in self.outbox.iter()? {
            let (number, value) = entry?;
            let (record, mail) = value.value();
            let number = number.value();
            let queued: Queued = decode(record, || format!("mail {number}"))?;
            if queued.not_before_s <= now_s {
                return Ok(Some((number, queued, mail.to_vec())));
            }
        }
        Ok(None)
    }

    /// An outgoing mail, by its number.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn queued_mail(&self, number: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let entry = self.outbox.get(number)?;
        Ok(entry.map(|entry| entry.value().1.to_vec()))
    }

    /// The number of outgoing mails.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn queued(&self) -> Result<u64, StoreError> {
        Ok(self.outbox.len()?)
    }

    /// Removes a mail from the queue of outgoing mails.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn unqueue(&mut self, number: u64) -> Result<(), StoreError> {
        self.is_changed |= self.outbox.remove(number)?.is_some();
        Ok(())
    }

    /// True if this mail was handled before.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_seen(&self, mail: &Hash) -> Result<bool, StoreError> {
        Ok(self.seen.get(mail)?.is_some())
    }

    /// Remembers this mail, and forgets mails that arrived before `forget_before_s`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn see(&mut self, mail: &Hash, now_s: u64, forget_before_s: u64) -> Result<(), StoreError> {
        // Old mails are removed once per this many new ones, which bounds their number.
        const MAILS_BETWEEN: u64 = 256;
        self.is_changed = true;
        self.seen.insert(mail, now_s)?;
        if self.next("mails seen")? % MAILS_BETWEEN == 0 {
            self.seen.retain(|_, second| second >= forget_before_s)?;
        }
        Ok(())
    }

    /// How often this was counted on this day.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn counted(&self, day: u64, what: &str) -> Result<u64, StoreError> {
        let count = self.counts.get((day, what))?;
        Ok(count.map_or(0, |count| count.value()))
    }

    /// Counts this once more on this day; earlier days are forgotten.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn count(&mut self, day: u64, what: &str) -> Result<(), StoreError> {
        // Removes more than are added, so that the number of counts stays bounded.
        const FORGOTTEN_AT_ONCE: usize = 64;
        self.is_changed = true;
        let old: Vec<(u64, String)> = self
            .counts
            .range(..(day, ""))?
            .take(FORGOTTEN_AT_ONCE)
            .map(|entry| entry.map(|(key, _)| (key.value().0, key.value().1.to_owned())))
            .collect::<Result<_, _>>()?;
        for (day, what) in &old {
            self.counts.remove((*day, what.as_str()))?;
        }
        let count = self.counted(day, what)? + 1;
        self.counts.insert((day, what), count)?;
        Ok(())
    }
}

fn encode<T: Serialize>(record: &T) -> Result<Vec<u8>, StoreError> {
    let mut buffer = vec![0; RECORD_BYTES];
    let used = postcard::to_slice(record, &mut buffer)
        .map_err(|_| StoreError::Storage(format!("a record has more than {RECORD_BYTES} bytes")))?;
    Ok(used.to_vec())
}

fn decode<T: DeserializeOwned>(
    bytes: &[u8],
    what: impl FnOnce() -> String,
) -> Result<T, StoreError> {
    postcard::from_bytes(bytes).map_err(|_| StoreError::Record(what()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder of a test, removed at its end.
    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_store_of_the_format_before_is_read_and_one_of_a_later_is_refused() {
        let own = format!("touchboard-post-format-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(own));
        std::fs::create_dir_all(&folder.0).unwrap();
        let path = folder.0.join("post.redb");
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
