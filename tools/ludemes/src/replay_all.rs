//! Replays all recorded games of a folder. The records of a text are a job.

use std::path::{Path, PathBuf};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use ludemes::replay::{compiled, replay};
use serde::{Deserialize, Serialize};
use shards::{ShardError, ShardFile, ShardHeading, ShardOptions, ShardResult, digest_of, do_all};
use touchboard_files::{GAME_TEXT_BYTES, read_bounded, why_no_file};

use crate::records;

/// The stack must be large enough for texts with deeply nested brackets.
const STACK_BYTES: usize = 64 << 20;

/// The result of replaying the records of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Came {
    /// All records agree.
    Agrees(Replays),
    /// A record does not agree.
    Differs(RecordDifference),
    /// The text cannot be compiled.
    NotCompiled(String),
    /// A record or a text cannot be read.
    Unreadable(String),
}

/// How much was replayed. In the file of a shard it is a list of both numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(usize, usize)", into = "(usize, usize)")]
pub struct Replays {
    /// The number of records.
    pub games: usize,
    /// The number of moves in them.
    pub moves: usize,
}

impl From<(usize, usize)> for Replays {
    fn from((games, moves): (usize, usize)) -> Replays {
        Replays { games, moves }
    }
}

impl From<Replays> for (usize, usize) {
    fn from(Replays { games, moves }: Replays) -> (usize, usize) {
        (games, moves)
    }
}

/// The first difference of a game. In the file of a shard it is a list of both texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, String)", into = "(String, String)")]
pub struct RecordDifference {
    /// The file of the record.
    pub file: String,
    /// What differs, in words.
    pub words: String,
}

impl From<(String, String)> for RecordDifference {
    fn from((file, words): (String, String)) -> RecordDifference {
        RecordDifference { file, words }
    }
}

impl From<RecordDifference> for (String, String) {
    fn from(RecordDifference { file, words }: RecordDifference) -> (String, String) {
        (file, words)
    }
}

/// A game of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// The path of the text, from the folder of texts on.
    pub path: PathBuf,
    /// The result of the game.
    pub came: Came,
}

/// What is replayed: the texts, by the digest of their paths and contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayPlan {
    texts: String,
}

/// For each text its result, or `None` if it has no records.
pub type Replayed = ShardResult<ReplayPlan, Option<Game>>;

/// Why the games of a folder cannot be replayed. The text is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum ReplayAllError {
    /// The folder of texts cannot be read.
    #[error("{}: {why}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The file of the shard cannot be used.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// The texts below a folder.
fn texts(folder: &Path, all: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            texts(&path, all)?;
        } else if path.extension().is_some_and(|extension| extension == "lud") {
            all.push(path);
        }
    }
    Ok(())
}

/// Replays the records of a text, which are in the folder of the same name.
fn one(text_path: &Path, records: &Path) -> Option<Came> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(records)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    if files.is_empty() {
        return None;
    }
    let source = match read_bounded(text_path, GAME_TEXT_BYTES) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return Some(Came::Unreadable(why_no_file(&error))),
    };
    let mut replays = Replays::default();
    for file in &files {
        let trials = match records::read(file) {
            Ok(trials) => trials,
            Err(error) => return Some(Came::Unreadable(error)),
        };
        for trial in trials {
            let compiled = match compiled(&source, &trial.options) {
                Ok(compiled) => compiled,
                Err(what) => return Some(Came::NotCompiled(what)),
            };
            match replay(&compiled, &trial) {
                Ok(many) => {
                    replays.games += 1;
                    replays.moves += many;
                }
                Err(difference) => {
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    return Some(Came::Differs(RecordDifference {
                        file: name.into_owned(),
                        words: difference.to_string(),
                    }));
                }
            }
        }
    }
    Some(Came::Agrees(replays))
}

/// The digest of these texts, which are below a folder.
fn digest(games: &Path, paths: &[PathBuf]) -> std::io::Result<String> {
    let mut parts = Vec::new();
    for path in paths {
        let below = path.strip_prefix(games).unwrap_or(path);
        parts.push(below.to_string_lossy().into_owned().into_bytes());
        parts.push(read_bounded(path, GAME_TEXT_BYTES)?);
    }
    Ok(digest_of(parts.iter().map(Vec::as_slice)))
}

/// Replays the records of the texts of a shard, which are below a folder, each with the
/// text at the same place below another folder, on this many threads.
///
/// # Errors
///
/// If the folder of texts cannot be read, or the shard's file cannot be used.
pub fn all(
    games: &Path,
    records: &Path,
    threads: usize,
    command: &str,
    options: &ShardOptions,
) -> Result<Replayed, ReplayAllError> {
    let folder = |why| ReplayAllError::Folder {
        folder: games.to_owned(),
        why,
    };
    let mut paths = Vec::new();
    texts(games, &mut paths).map_err(folder)?;
    paths.sort();
    let heading = ShardHeading {
        command: command.to_owned(),
        plan: ReplayPlan {
            texts: digest(games, &paths).map_err(folder)?,
        },
        jobs: paths.len() as u64,
        shard: options.shard,
    };
    let mut file: ShardFile<ReplayPlan, Option<Game>> =
        ShardFile::open(options.out.as_deref(), heading)?;
    let left: Vec<u64> = file.contents().left().collect();
    let bar = ProgressBar::new(left.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let work = |_: &mut (), job| {
        let path = &paths[job as usize];
        let below = path.strip_prefix(games).unwrap_or(path).with_extension("");
        let name = below.file_name().unwrap_or_default();
        bar.set_message(name.to_string_lossy().into_owned());
        let came = on_deep_stack(|| one(path, &records.join(&below)))
            .unwrap_or_else(|| Some(Came::Unreadable("the compiler failed".to_owned())));
        (job, came.map(|came| Game { path: below, came }))
    };
    let kept = do_all(left, threads, work, |(job, game)| {
        bar.inc(1);
        file.add(job, game)
    });
    bar.finish_and_clear();
    kept?;
    Ok(file.finish()?)
}

/// The result of a computation that needs much of the stack, on a thread of its own;
/// `None` if it panics.
fn on_deep_stack<T: Send>(compute: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, compute).ok()?.join().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shards that are finished elsewhere are merged here.
    #[test]
    fn results_are_written_as_in_the_files_of_earlier_shards() {
        let difference = RecordDifference {
            file: "random.txt".to_owned(),
            words: "move 3 differs".to_owned(),
        };
        for (came, line) in [
            (
                Came::Agrees(Replays {
                    games: 3,
                    moves: 40,
                }),
                r#"{"Agrees":[3,40]}"#,
            ),
            (
                Came::Differs(difference),
                r#"{"Differs":["random.txt","move 3 differs"]}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&came).unwrap(), line);
            assert_eq!(serde_json::from_str::<Came>(line).unwrap(), came);
        }
    }
}
