//! Recovers the contents of a damaged store into a new one.
//!
//! Each table is read from both ends up to the first unreadable record, and users and
//! boards with known names are looked up individually in between. A board goes into the
//! new store if its lines lead to its recorded position; the remaining lines of any other
//! board are written to a file of their own.
//!
//! Invariants: the damaged file is not changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use redb::{
    Database, DatabaseError, Key, ReadOnlyDatabase, ReadOnlyTable, ReadTransaction,
    ReadableDatabase, TableDefinition, Value,
};

use crate::names::{BoardNumber, UserName};
use crate::store::guard::guarded;
use crate::store::tables::{BOARDS, COUNTS, LINES, NUMBERS, OUTBOX, SEEN, USERS, decode};
use crate::store::{
    BoardRecord, MailStore, OpenError, Queued, RecordName, StorageError, StoreError, User, builder,
    create_private,
};
use crate::transcript::{Match, TranscriptLine};

/// How far to search for boards after the last number that was read.
const MOST_SEARCHED: BoardNumber = 100_000;

/// The maximum number of lines of a board: a roll and a move for each link of its chain,
/// with room to spare.
const MOST_LINES: u32 = 16_384;

type Users = ReadOnlyTable<&'static str, &'static [u8]>;
type Boards = ReadOnlyTable<u64, &'static [u8]>;
type LinesOfAll = ReadOnlyTable<(u64, u32), (u64, &'static str)>;

/// The result of salvaging a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Salvaged {
    /// The number of users that were saved.
    pub users: usize,
    /// The number of boards that were saved.
    pub boards: usize,
    /// The number of outgoing mails that were saved.
    pub mails: usize,
    /// The files with the remaining lines of other boards.
    pub transcripts: Vec<PathBuf>,
    /// The tables that could not be read completely.
    pub damaged: Vec<&'static str>,
}

/// Lines by their places, each with the time at which it was written, in seconds.
type Lines = BTreeMap<u32, (u64, String)>;

/// A damaged store that has been opened.
enum Opened {
    AsItIs(ReadOnlyDatabase),
    /// A copy that was repaired when it was opened. It is removed in the end.
    Copy(Database, PathBuf),
}

impl Opened {
    fn open(from: &Path, beside: &Path) -> Result<Opened, StoreError> {
        let name = from.display().to_string();
        let plain = guarded(|| {
            builder().open_read_only(from).map_err(|error| match error {
                DatabaseError::DatabaseAlreadyOpen => StoreError::Busy(name.clone()),
                error => StoreError::open(&name, error),
            })
        });
        match plain {
            Ok(database) => return Ok(Opened::AsItIs(database)),
            Err(error @ StoreError::Busy(_)) => return Err(error),
            Err(_) => {}
        }
        let copied = create_private(beside).and_then(|()| fs::copy(from, beside));
        copied.map_err(|error| StoreError::open(&name, error))?;
        let database = guarded(|| {
            let database = builder().open(beside);
            database.map_err(|error| StoreError::open(&name, error))
        });
        database
            .map(|database| Opened::Copy(database, beside.to_owned()))
            .inspect_err(|_| drop(fs::remove_file(beside)))
    }

    fn read(&self) -> Result<ReadTransaction, StoreError> {
        guarded(|| match self {
            Opened::AsItIs(database) => Ok(database.begin_read()?),
            Opened::Copy(database, _) => Ok(database.begin_read()?),
        })
    }

    fn close(self) {
        let path = match &self {
            Opened::AsItIs(_) => None,
            Opened::Copy(_, path) => Some(path.clone()),
        };
        let _ = guarded(|| {
            drop(self);
            Ok(())
        });
        if let Some(path) = path {
            let _ = fs::remove_file(path);
        }
    }
}

/// The data read from the tables.
#[derive(Default)]
struct Found {
    numbers: Vec<(String, u64)>,
    users: BTreeMap<UserName, User>,
    boards: BTreeMap<BoardNumber, BoardRecord>,
    lines: BTreeMap<BoardNumber, Lines>,
    outbox: Vec<FoundMail>,
    /// The hashes of mails, each with the time at which it was seen, in seconds.
    seen: Vec<([u8; 32], u64)>,
    counts: Vec<FoundCount>,
    damaged: Vec<&'static str>,
}

/// A mail in the outbox.
struct FoundMail {
    number: u64,
    queued: Queued,
    mail: Vec<u8>,
}

/// How often something happened on a day.
struct FoundCount {
    day: u64,
    what: String,
    count: u64,
}

/// Copies everything that can be read from the store `from` into a new one.
///
/// # Errors
/// If nothing can be read, or the new store cannot be written.
pub fn salvage(from: &Path, to: &Path) -> Result<Salvaged, StoreError> {
    let not_opened = |path: &Path, why| StoreError::open(&path.display().to_string(), why);
    if to.symlink_metadata().is_ok() {
        return Err(not_opened(to, OpenError::Taken));
    }
    // A missing file is not created.
    fs::File::open(from).map_err(|error| not_opened(from, error.into()))?;
    let opened = Opened::open(from, &touchboard_files::whole_file::beside(to))?;
    let found = opened.read().map(|reading| Found::read(&reading));
    opened.close();
    found?.write(to)
}

impl Found {
    fn read(reading: &ReadTransaction) -> Found {
        let mut found = Found::default();
        let numbers = open(reading, NUMBERS);
        found.numbers = found.take("numbers", &numbers, |name, number| {
            Some((name.to_owned(), number))
        });
        let boards = open(reading, BOARDS);
        let all = found.take("boards", &boards, |number, record| {
            let kept: BoardRecord = decode(record, RecordName::Board(number)).ok()?;
            (kept.play.board == number).then_some((number, kept))
        });
        found.boards = all.into_iter().collect();
        let lines = open(reading, LINES);
        let all = found.take("lines", &lines, |(board, place), (second, line)| {
            Some((board, place, second, line.to_owned()))
        });
        for (board, place, second, line) in all {
            found
                .lines
                .entry(board)
                .or_default()
                .insert(place, (second, line));
        }
        found.look_for_boards(boards.as_ref(), lines.as_ref());
        let users = open(reading, USERS);
        let all = found.take("users", &users, |name, record| {
            let name: UserName = name.parse().ok()?;
            let user = decode(record, RecordName::User(name.clone())).ok()?;
            Some((name, user))
        });
        found.users = all.into_iter().collect();
        found.look_for_users(users.as_ref());
        let outbox = open(reading, OUTBOX);
        found.outbox = found.take("outbox", &outbox, |number, (record, mail)| {
            let queued: Queued = decode(record, RecordName::Mail(number)).ok()?;
            Some(FoundMail {
                number,
                queued,
                mail: mail.to_vec(),
            })
        });
        let seen = open(reading, SEEN);
        found.seen = found.take("seen", &seen, |mail, second| Some((*mail, second)));
        let counts = open(reading, COUNTS);
        found.counts = found.take("counts", &counts, |(day, what), count| {
            let what = what.to_owned();
            Some(FoundCount { day, what, count })
        });
        found
    }

    /// The readable records of a table. If these are not all, the table counts as damaged.
    fn take<K: Key + 'static, V: Value + 'static, T>(
        &mut self,
        name: &'static str,
        table: &Option<ReadOnlyTable<K, V>>,
        read: impl Fn(K::SelfType<'_>, V::SelfType<'_>) -> Option<T>,
    ) -> Vec<T> {
        let (found, is_whole) = entries(table, read);
        if !is_whole {
            self.damaged.push(name);
        }
        found
    }

    fn number(&self, name: &str) -> Option<u64> {
        let found = self.numbers.iter().find(|(known, _)| known == name);
        found.map(|(_, number)| *number)
    }

    /// The highest known number of a board.
    fn last_board(&self) -> BoardNumber {
        let read = [
            self.boards.keys().next_back(),
            self.lines.keys().next_back(),
        ];
        let read = read.into_iter().flatten().max().copied().unwrap_or(0);
        // A number that is too large must be damaged.
        let counted = self.number("board").unwrap_or(0);
        let is_near = counted.saturating_sub(read) <= MOST_SEARCHED;
        if is_near { counted.max(read) } else { read }
    }

    /// Looks up the boards between those that were read, and their lines.
    fn look_for_boards(&mut self, boards: Option<&Boards>, lines: Option<&LinesOfAll>) {
        let last = self.last_board();
        for number in last.saturating_sub(MOST_SEARCHED)..=last {
            if let (Some(boards), false) = (boards, self.boards.contains_key(&number)) {
                let kept = guarded(|| {
                    let record = boards.get(number)?;
                    let record = record.map(|record| {
                        decode::<BoardRecord>(record.value(), RecordName::Board(number))
                    });
                    record.transpose()
                });
                if let Ok(Some(kept)) = kept
                    && kept.play.board == number
                {
                    self.boards.insert(number, kept);
                }
            }
            let there = self.lines.get(&number).map_or(0, Lines::len);
            let due = self.boards.get(&number).map_or(0, |kept| kept.play.lines);
            let due = due.min(MOST_LINES);
            let Some(lines) = lines.filter(|_| there < due as usize) else {
                continue;
            };
            for place in 0..due {
                let line = guarded(|| {
                    let line = lines.get((number, place))?;
                    Ok(line.map(|line| (line.value().0, line.value().1.to_owned())))
                });
                if let Ok(Some(line)) = line {
                    self.lines.entry(number).or_default().insert(place, line);
                }
            }
        }
    }

    /// Looks up the users who play on the boards that were read.
    fn look_for_users(&mut self, users: Option<&Users>) {
        let Some(users) = users else { return };
        let players = self
            .boards
            .values()
            .flat_map(|kept| kept.play.players.iter().flatten());
        let players: BTreeSet<UserName> = players.cloned().collect();
        for name in players {
            if self.users.contains_key(&name) {
                continue;
            }
            let user = guarded(|| {
                let record = users.get(name.as_str())?;
                let record = record
                    .map(|record| decode::<User>(record.value(), RecordName::User(name.clone())));
                record.transpose()
            });
            if let Ok(Some(user)) = user {
                self.users.insert(name, user);
            }
        }
    }

    /// Writes everything into a new store, and the lines of incomplete boards into files
    /// next to it.
    fn write(self, to: &Path) -> Result<Salvaged, StoreError> {
        let last = self.last_board();
        let mails = self.number("mail").unwrap_or(0);
        let mails = self
            .outbox
            .iter()
            .map(|mail| mail.number)
            .fold(mails, u64::max);
        let seen = self.number("mails seen").unwrap_or(0);
        let mut salvaged = Salvaged {
            damaged: self.damaged,
            users: self.users.len(),
            mails: self.outbox.len(),
            ..Salvaged::default()
        };
        let mut lines = self.lines;
        let store = MailStore::open(to)?;
        store.change(|tables| {
            tables.set_number("board", last)?;
            tables.set_number("mail", mails)?;
            tables.set_number("mails seen", seen)?;
            for (name, user) in &self.users {
                tables.keep_user(name, user)?;
            }
            for (number, kept) in &self.boards {
                let known = lines.get(number).cloned().unwrap_or_default();
                if !lead_to(&known, &kept.play) {
                    continue;
                }
                lines.remove(number);
                tables.keep_board_with(kept, &known.into_values().collect::<Vec<_>>())?;
                salvaged.boards += 1;
            }
            for FoundMail {
                number,
                queued,
                mail,
            } in &self.outbox
            {
                tables.queue(*number, queued, mail)?;
            }
            for (mail, second) in &self.seen {
                tables.seen.insert(mail, second)?;
            }
            for FoundCount { day, what, count } in &self.counts {
                tables.counts.insert((*day, what.as_str()), count)?;
            }
            Ok(())
        })?;
        for (number, lines) in lines {
            salvaged.transcripts.push(write_lines(to, number, &lines)?);
        }
        Ok(salvaged)
    }
}

/// True if these are all lines of this board.
fn lead_to(lines: &Lines, play: &Match) -> bool {
    let mut board = Match::default();
    for ((place, (_, line)), due) in lines.iter().zip(0..) {
        let is_next = *place == due;
        let line = line.parse::<TranscriptLine>().ok().filter(|_| is_next);
        if line.is_none_or(|line| board.apply(&line).is_err()) {
            return false;
        }
    }
    board == *play
}

/// Writes the remaining lines of a board to a file next to the new store.
fn write_lines(to: &Path, board: BoardNumber, lines: &Lines) -> Result<PathBuf, StoreError> {
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(format!(".board-{board}.txt"));
    let path = to.with_file_name(name);
    let text: String = lines
        .values()
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    match touchboard_files::whole_file::write(&path, text.as_bytes()) {
        Ok(()) => Ok(path),
        Err(error) => Err(StorageError::File { path, error }.into()),
    }
}

fn open<K: Key + 'static, V: Value + 'static>(
    reading: &ReadTransaction,
    table: TableDefinition<'_, K, V>,
) -> Option<ReadOnlyTable<K, V>> {
    guarded(|| Ok(reading.open_table(table)?)).ok()
}

/// The readable records of a table from both ends, in order, and whether they are
/// complete.
fn entries<K: Key + 'static, V: Value + 'static, T>(
    table: &Option<ReadOnlyTable<K, V>>,
    read: impl Fn(K::SelfType<'_>, V::SelfType<'_>) -> Option<T>,
) -> (Vec<T>, bool) {
    let Some(table) = table else {
        return (Vec::new(), false);
    };
    let mut is_whole = true;
    let mut found = Vec::new();
    let forwards = guarded(|| {
        for entry in redb::ReadableTable::iter(table)? {
            let (key, value) = entry?;
            match read(key.value(), value.value()) {
                Some(entry) => found.push(entry),
                None => is_whole = false,
            }
        }
        Ok(())
    });
    if forwards.is_ok() {
        return (found, is_whole);
    }
    let mut last = Vec::new();
    let _ = guarded(|| {
        for entry in redb::ReadableTable::iter(table)?.rev() {
            let (key, value) = entry?;
            last.extend(read(key.value(), value.value()));
        }
        Ok(())
    });
    last.reverse();
    found.extend(last);
    (found, false)
}
