//! The results of a contest so far, in a file that survives a crash of the program.
//!
//! The first line describes the contest; each further line is a finished game, in the
//! order in which the games ended. A line is a CRC-32C in eight hexadecimal digits, a
//! blank, and JSON.
//!
//! Invariants: lines are only appended, each in a single write; a torn line is detected
//! and reported, and its game is played again; the journal of another contest is not
//! changed.

mod error;

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use protocol::Point;
use serde::{Deserialize, Serialize};
use touchboard_files::{LockedFile, read_bounded, read_rest};

use crate::bot::Usage;
use crate::game::{Lost, Played};
use crate::limits::Limits;
use crate::schedule::Plan;

pub use error::{Difference, JournalError, LostLine, OtherFile};

/// The version of the format.
const FORMAT: u32 = 1;
/// The most bytes of a journal: some millions of games.
const MOST_BYTES: u64 = 1 << 30;
/// The longest time between two syncs, so that a power failure loses no more than this.
const SYNC: Duration = Duration::from_secs(1);

/// A bot of a contest. In a journal it is a list of both texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, String)", into = "(String, String)")]
pub struct Contestant {
    /// Its name in this contest.
    pub name: String,
    /// The checksum of its program.
    pub digest: String,
}

impl From<(String, String)> for Contestant {
    fn from((name, digest): (String, String)) -> Contestant {
        Contestant { name, digest }
    }
}

impl From<Contestant> for (String, String) {
    fn from(Contestant { name, digest }: Contestant) -> (String, String) {
        (name, digest)
    }
}

/// The description of a contest. Contests with equal descriptions are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    format: u32,
    /// The plan of the rounds.
    pub plan: Plan,
    /// The limits of the bots.
    pub limits: Limits,
    /// The bots.
    pub bots: Vec<Contestant>,
}

impl Contest {
    /// A contest of these bots.
    #[must_use]
    pub fn new(plan: Plan, limits: Limits, bots: Vec<Contestant>) -> Contest {
        Contest {
            format: FORMAT,
            plan,
            limits,
            bots,
        }
    }

    /// Names the first property that differs from that of a journal's contest.
    fn differs_from(&self, other: &Contest) -> Difference {
        if self.format != other.format {
            Difference::Format
        } else if self.bots != other.bots {
            Difference::Bots
        } else if self.plan != other.plan {
            Difference::Plan
        } else {
            Difference::Limits
        }
    }
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// The number in the contest, from 1.
    pub game: u32,
    /// The bots' names, `x` first.
    pub names: [String; 2],
    /// The random seed of the game.
    pub seed: u64,
    /// The marked cells, as hexadecimal digits.
    moves: String,
    /// The fault with which it ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lost: Option<Lost>,
    /// The lines that the bots wrote for their authors.
    #[serde(skip_serializing_if = "no_words", default)]
    pub words: [Vec<String>; 2],
    /// The longest time for a move, in ms.
    pub slowest_ms: [u64; 2],
    /// The most fuel for a move, if fuel is counted.
    pub fuel: [u64; 2],
}

fn no_words(words: &[Vec<String>; 2]) -> bool {
    words.iter().all(Vec::is_empty)
}

impl FinishedGame {
    /// The record of a game.
    #[must_use]
    pub fn new(game: u32, names: [&str; 2], seed: u64, played: Played) -> FinishedGame {
        let digits = played.moves.iter().map(|point| format!("{:02x}", point.0));
        FinishedGame {
            game,
            names: names.map(str::to_owned),
            seed,
            moves: digits.collect(),
            lost: played.lost,
            words: played.words,
            slowest_ms: played.slowest_ms,
            fuel: played.usage.map(|usage: Usage| usage.fuel),
        }
    }

    /// The marked cells; `None` if the text is not a list of cells.
    #[must_use]
    pub fn moves(&self) -> Option<Vec<Point>> {
        let pairs = self.moves.as_bytes().chunks(2);
        let point = |digits: &[u8]| {
            let digits = str::from_utf8(digits)
                .ok()
                .filter(|digits| digits.len() == 2)?;
            u8::from_str_radix(digits, 16).ok().map(Point)
        };
        pairs.map(point).collect()
    }
}

/// An open journal.
pub struct Journal {
    file: LockedFile,
    path: PathBuf,
    synced: Instant,
}

/// A journal and what it contained when it was opened.
pub struct Opened {
    /// The journal, ready for more games.
    pub journal: Journal,
    /// The finished games, by number.
    pub records: BTreeMap<u32, FinishedGame>,
    /// The lines that cannot be read.
    pub lost: Vec<LostLine>,
}

impl Journal {
    /// Opens the journal of this contest, or creates it.
    ///
    /// # Errors
    /// If it belongs to another contest, is in use, or cannot be written. The file is then
    /// unchanged.
    pub fn open(path: &Path, contest: &Contest) -> Result<Opened, JournalError> {
        let trouble = JournalError::file(path, "used");
        let mut options = OpenOptions::new();
        let options = options.read(true).append(true).create(true);
        let file = options.open(path).map_err(&trouble)?;
        let file = LockedFile::lock(file);
        let mut file = file.ok_or_else(|| JournalError::InUse(path.to_owned()))?;
        let bytes = read_rest(&mut *file, MOST_BYTES).map_err(&trouble)?;
        let header = line_of(contest);
        let found = read(&bytes, &header, contest).map_err(JournalError::other(path))?;
        file.set_len(found.whole_bytes as u64).map_err(&trouble)?;
        if found.whole_bytes == 0 {
            file.write_all(header.as_bytes()).map_err(&trouble)?;
        }
        file.sync_data().map_err(&trouble)?;
        Ok(Opened {
            journal: Journal {
                file,
                path: path.to_owned(),
                synced: Instant::now(),
            },
            records: found.records,
            lost: found.lost,
        })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, record: &FinishedGame) -> Result<(), JournalError> {
        let line = line_of(record);
        let mut written = self.file.write_all(line.as_bytes());
        if written.is_ok() && self.synced.elapsed() > SYNC {
            written = self.file.sync_data();
            self.synced = Instant::now();
        }
        written.map_err(JournalError::file(&self.path, "written"))
    }

    /// Makes sure that the appended games survive a power failure.
    ///
    /// # Errors
    /// If the system cannot guarantee that.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        let synced = self.file.sync_data();
        synced.map_err(JournalError::file(&self.path, "written"))
    }
}

/// Reads the contest and the games of a journal that no other process is writing.
///
/// # Errors
/// If the file cannot be read or is not a journal.
pub fn read_finished(path: &Path) -> Result<(Contest, BTreeMap<u32, FinishedGame>), JournalError> {
    let bytes = read_bounded(path, MOST_BYTES).map_err(JournalError::file(path, "read"))?;
    let first = bytes.split_inclusive(|byte| *byte == b'\n').next();
    let contest: Option<Contest> = first.and_then(value_of);
    let contest = contest.ok_or_else(|| JournalError::NotJournal(path.to_owned()))?;
    let found = read(&bytes, &line_of(&contest), &contest).map_err(JournalError::other(path))?;
    Ok((contest, found.records))
}

/// The valid contents of a file.
struct Found {
    records: BTreeMap<u32, FinishedGame>,
    /// The offset of the end of the last complete line.
    whole_bytes: usize,
    lost: Vec<LostLine>,
}

/// Reads the bytes of a journal, whose first line should be `header`.
fn read(bytes: &[u8], header: &str, contest: &Contest) -> Result<Found, OtherFile> {
    let mut found = Found {
        records: BTreeMap::new(),
        whole_bytes: 0,
        lost: Vec::new(),
    };
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1_usize..);
    match lines.next() {
        None => return Ok(found),
        Some((first, _)) if first == header.as_bytes() => found.whole_bytes = first.len(),
        // The program was stopped while it wrote the first line.
        Some((first, _)) if header.as_bytes().starts_with(first) => return Ok(found),
        Some((first, _)) => {
            let other = value_of::<Contest>(first).ok_or(OtherFile::NoJournal)?;
            return Err(OtherFile::Contest(contest.differs_from(&other)));
        }
    }
    for (line, number) in lines {
        if !line.ends_with(b"\n") {
            found.lost.push(LostLine::Torn(number));
            break;
        }
        found.whole_bytes += line.len();
        match value_of::<FinishedGame>(line) {
            Some(record) => {
                // If a game was played twice, both records are valid; the last one
                // counts.
                found.records.insert(record.game, record);
            }
            None => found.lost.push(LostLine::Damaged(number)),
        }
    }
    Ok(found)
}

fn crc_of(bytes: &[u8]) -> u32 {
    const CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);
    CRC.checksum(bytes)
}

fn line_of(value: &impl Serialize) -> String {
    // Serialisation cannot fail: no map has keys other than strings.
    let json = serde_json::to_string(value).unwrap_or_default();
    format!("{:08x} {json}\n", crc_of(json.as_bytes()))
}

/// The value of a complete line; `None` if the line is damaged or has another type.
fn value_of<T: for<'a> Deserialize<'a>>(line: &[u8]) -> Option<T> {
    let line = line.strip_suffix(b"\n")?;
    let (digits, json) = line.split_at_checked(9)?;
    let digits = str::from_utf8(digits).ok()?.strip_suffix(' ')?;
    let crc = u32::from_str_radix(digits, 16).ok()?;
    if crc != crc_of(json) {
        return None;
    }
    serde_json::from_slice(json).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;
    use crate::fault::{BotFault, BotFaultKind};
    use crate::schedule::Form;

    fn contest(seed: u64) -> Contest {
        let plan = Plan {
            form: Form::RoundRobin,
            rounds: 1,
            once: false,
            seed,
        };
        let bots = ["a", "b"].map(|name| Contestant {
            name: name.to_owned(),
            digest: "0".to_owned(),
        });
        Contest::new(plan, Limits::TEST, bots.to_vec())
    }

    fn record(game: u32) -> FinishedGame {
        let played = Played {
            moves: vec![Point(game as u8), Point(255)],
            lost: (game == 2).then(|| Lost {
                by: 'x',
                fault: BotFault::new(BotFaultKind::Move, "it marked \"nothing\""),
            }),
            words: [vec!["a line".to_owned()], Vec::new()],
            slowest_ms: [1, 2],
            usage: Default::default(),
        };
        FinishedGame::new(game, ["a", "b"], 7, played)
    }

    fn numbers(opened: &Opened) -> Vec<u32> {
        opened.records.keys().copied().collect()
    }

    fn full(path: &Path) -> Vec<u8> {
        let mut opened = Journal::open(path, &contest(1)).expect("it begins");
        for game in [2, 1, 3] {
            opened.journal.add(&record(game)).expect("it takes more");
        }
        drop(opened);
        fs::read(path).expect("it is there")
    }

    #[test]
    fn a_reopened_journal_has_the_added_games() {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("journal");
        full(&path);
        let opened = Journal::open(&path, &contest(1)).expect("it is the same");
        assert_eq!(numbers(&opened), [1, 2, 3]);
        assert_eq!(opened.records[&2], record(2));
        assert_eq!(record(2).moves(), Some(vec![Point(2), Point(255)]));
        assert!(opened.lost.is_empty());
        let (looked, records) = read_finished(&path).expect("it can be read");
        assert_eq!((looked, records.len()), (contest(1), 3));
    }

    /// A contest goes on with the journal that an earlier version of this program wrote.
    #[test]
    fn a_bot_is_written_as_in_earlier_journals() {
        let json = serde_json::to_value(contest(1)).expect("it is written");
        let list = serde_json::json!([["a", "0"], ["b", "0"]]);
        assert_eq!(json["bots"], list);
    }

    #[test]
    fn a_journal_cut_at_any_byte_keeps_the_games_before() {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let bytes = full(&path);
        for length in 0..=bytes.len() {
            fs::write(&path, &bytes[..length]).expect("it is cut");
            let whole = bytes[..length]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            let games = [2, 1, 3];
            let before = &games[..whole.saturating_sub(1)];
            let mut opened = Journal::open(&path, &contest(1)).expect("it goes on");
            let mut expected = before.to_vec();
            expected.sort_unstable();
            assert_eq!(numbers(&opened), expected, "cut at {length}");
            let is_torn = whole > 0 && bytes[..length].last() != Some(&b'\n');
            assert_eq!(opened.lost.len(), usize::from(is_torn), "cut at {length}");
            for game in &games[before.len()..] {
                opened.journal.add(&record(*game)).expect("it takes more");
            }
            drop(opened);
            assert_eq!(
                fs::read(&path).expect("it is there"),
                bytes,
                "cut at {length}"
            );
        }
    }

    #[test]
    fn a_damaged_line_is_reported_and_its_game_missing() {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let bytes = full(&path);
        let second = bytes
            .iter()
            .position(|byte| *byte == b'\n')
            .expect("a line")
            + 1;
        let line = bytes[second..]
            .iter()
            .position(|byte| *byte == b'\n')
            .expect("a line");
        // Changing a line break into another byte joins two lines.
        for at in 0..line {
            let mut damaged = bytes.clone();
            damaged[second + at] ^= 1;
            fs::write(&path, &damaged).expect("it is damaged");
            let opened = Journal::open(&path, &contest(1)).expect("it goes on");
            assert_eq!(numbers(&opened), [1, 3], "{at}");
            assert_eq!(opened.lost.len(), 1, "{at}");
        }
    }

    #[test]
    fn other_journals_and_files_are_refused_unchanged() {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let bytes = full(&path);
        let refused = Journal::open(&path, &contest(2))
            .err()
            .expect("it is another")
            .to_string();
        assert!(refused.contains("another contest, its seed"), "{refused}");
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
        for text in ["a letter", "a letter\nof two lines\n"] {
            fs::write(&path, text).expect("it is written");
            let refused = Journal::open(&path, &contest(1))
                .err()
                .expect("it is none")
                .to_string();
            assert!(refused.contains("not a journal"), "{refused}");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
        }
    }

    #[test]
    fn two_contests_do_not_write_one_journal() {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let _first = Journal::open(&path, &contest(1)).expect("it begins");
        let refused = Journal::open(&path, &contest(1))
            .err()
            .expect("it is in use")
            .to_string();
        assert!(refused.contains("in use"), "{refused}");
    }
}
