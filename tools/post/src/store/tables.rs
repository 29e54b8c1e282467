//! The tables of the store, and their records.

use redb::{ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{RecordName, StorageError, StoreError};
use super::records::{BoardRecord, Queued, User};
use crate::dice::Hash;
use crate::names::{BoardNumber, UserName};

/// The most bytes of a record. The largest one, a board, is a position and some hashes.
/// Mails have no such limit.
const RECORD_BYTES: usize = 16 << 10;

pub(super) const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");
pub(super) const USERS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("users");
pub(super) const BOARDS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("boards");
pub(super) const LINES: TableDefinition<'_, (u64, u32), (u64, &str)> =
    TableDefinition::new("lines");
pub(super) const OPEN: TableDefinition<'_, (&str, u64), ()> = TableDefinition::new("open");
pub(super) const OUTBOX: TableDefinition<'_, u64, (&[u8], &[u8])> = TableDefinition::new("outbox");
pub(super) const SEEN: TableDefinition<'_, &[u8; 32], u64> = TableDefinition::new("seen");
/// The counts per day; the table has had this name since format 1.
pub(super) const COUNTS: TableDefinition<'_, (u64, &str), u64> = TableDefinition::new("answered");

/// The contents of the store during a transaction.
pub struct Tables<'t> {
    numbers: Table<'t, &'static str, u64>,
    pub(super) users: Table<'t, &'static str, &'static [u8]>,
    boards: Table<'t, u64, &'static [u8]>,
    lines: Table<'t, (u64, u32), (u64, &'static str)>,
    open: Table<'t, (&'static str, u64), ()>,
    outbox: Table<'t, u64, (&'static [u8], &'static [u8])>,
    pub(super) seen: Table<'t, &'static [u8; 32], u64>,
    pub(super) counts: Table<'t, (u64, &'static str), u64>,
    pub(super) is_changed: bool,
}

impl<'t> Tables<'t> {
    pub(super) fn open(transaction: &'t WriteTransaction) -> Result<Tables<'t>, StoreError> {
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

    pub(super) fn set_number(&mut self, name: &str, number: u64) -> Result<(), StoreError> {
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
            .map(|record| decode(record.value(), RecordName::User(name.clone())))
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
            .map(|record| decode(record.value(), RecordName::Board(number)))
            .transpose()
    }

    /// Stores a board with all of its lines, each with its time in seconds.
    pub(super) fn keep_board_with(
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
            let board: BoardRecord = decode(record.value(), RecordName::Board(number))?;
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
            let queued: Queued = decode(record, RecordName::Mail(number))?;
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

pub(super) fn encode<T: Serialize>(record: &T) -> Result<Vec<u8>, StoreError> {
    let mut buffer = vec![0; RECORD_BYTES];
    let used =
        postcard::to_slice(record, &mut buffer).map_err(|_| StorageError::Record(RECORD_BYTES))?;
    Ok(used.to_vec())
}

pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8], name: RecordName) -> Result<T, StoreError> {
    postcard::from_bytes(bytes).map_err(|_| StoreError::Record(name))
}
