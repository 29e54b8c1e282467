//! Replays all recorded games of a folder.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use ludemes::replay::{ReplayDifference, compiled, replay};

use crate::records;

/// The result of replaying the records of a game.
#[derive(Debug)]
pub enum Came {
    /// All records agree: the number of records and of moves.
    Agrees(usize, usize),
    /// The name of the record with the first difference, and the difference.
    Differs(String, ReplayDifference),
    /// The text cannot be compiled.
    NotCompiled(String),
    /// A record or a text cannot be read.
    Unreadable(String),
}

/// A game of a folder.
#[derive(Debug)]
pub struct Game {
    /// The path of the text, from the folder of texts on.
    pub path: PathBuf,
    /// The result of the game.
    pub came: Came,
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
    let source = match std::fs::read(text_path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return Some(Came::Unreadable(error.to_string())),
    };
    let (mut games, mut moves) = (0, 0);
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
                    games += 1;
                    moves += many;
                }
                Err(difference) => {
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    return Some(Came::Differs(name.into_owned(), difference));
                }
            }
        }
    }
    Some(Came::Agrees(games, moves))
}

/// Replays all records below a folder, each with the text at the same place below
/// another folder, on this many threads.
///
/// # Errors
///
/// If the folder of texts cannot be read.
pub fn all(games: &Path, records: &Path, threads: usize) -> std::io::Result<Vec<Game>> {
    let mut paths = Vec::new();
    texts(games, &mut paths)?;
    paths.sort();
    let bar = ProgressBar::new(paths.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let below = path.strip_prefix(games).unwrap_or(path).with_extension("");
                    bar.set_message(
                        below
                            .file_name()
                            .unwrap_or_default()
                            .to_string_lossy()
                            .into_owned(),
                    );
                    let outcome = std::panic::catch_unwind(|| one(path, &records.join(&below)));
                    let came = outcome.unwrap_or_else(|_| {
                        Some(Came::Unreadable("the compiler failed".to_owned()))
                    });
                    if let (Some(came), Ok(mut found)) = (came, found.lock()) {
                        found.push(Game { path: below, came });
                    }
                    bar.inc(1);
                }
            };
            let _ = std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, work);
        }
    });
    bar.finish_and_clear();
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}
