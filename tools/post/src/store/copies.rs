//! Copies the store, each time completely or not at all.
//!
//! Invariants: a copy is never written to the store itself, under any name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use redb::{
    Key, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, Value, WriteTransaction,
};

use crate::store::guard::guarded;
use crate::store::tables::{BOARDS, COUNTS, LINES, NUMBERS, OPEN, OUTBOX, SEEN, USERS};
use crate::store::{MailStore, StorageError, StoreError, builder, create_private};

/// The ending of a copy that is being written, after its name and a process id
/// (`touchboard_files::whole_file::beside`).
const PART: &str = ".part";

impl MailStore {
    /// Checks whether copies can be made under this name, and removes unfinished ones
    /// that killed processes left behind. Only one process at a time has the store open,
    /// so no other process is writing them.
    ///
    /// # Errors
    /// [`StoreError::Itself`].
    pub fn begin_copies(&self, path: &Path) -> Result<(), StoreError> {
        self.check_other(path)?;
        for part in parts(path) {
            match fs::remove_file(&part) {
                Ok(()) => {
                    tracing::warn!("{} is removed: an interrupted copy left it", part.display())
                }
                Err(error) => tracing::warn!("{} cannot be removed: {error}", part.display()),
            }
        }
        Ok(())
    }

    /// Copies everything to this file, completely or not at all; an existing file is
    /// replaced.
    ///
    /// # Errors
    /// If it cannot be written, or is the store itself.
    pub fn back_up(&self, path: &Path) -> Result<(), StoreError> {
        self.check_other(path)?;
        let wrong = |error: io::Error| {
            let path = path.to_owned();
            StoreError::from(StorageError::File { path, error })
        };
        let beside = touchboard_files::whole_file::beside(path);
        let written = guarded(|| self.copy_to(&beside));
        let moved = written.and_then(|()| fs::rename(&beside, path).map_err(wrong));
        if moved.is_err() {
            let _ = fs::remove_file(&beside);
        }
        moved
    }

    fn check_other(&self, path: &Path) -> Result<(), StoreError> {
        match &self.path {
            Some(own) if is_same_file(own, path) => Err(StoreError::Itself(path.to_owned())),
            _ => Ok(()),
        }
    }

    fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        let name = path.display().to_string();
        // An unfinished copy.
        let _ = fs::remove_file(path);
        create_private(path).map_err(|error| StoreError::open(&name, error))?;
        let copy = builder().create(path);
        let copy = copy.map_err(|error| StoreError::open(&name, error))?;
        let reading = self.with(|database| Ok(database.begin_read()?))?;
        let writing = copy.begin_write()?;
        copy_table(&reading, &writing, NUMBERS)?;
        copy_table(&reading, &writing, USERS)?;
        copy_table(&reading, &writing, BOARDS)?;
        copy_table(&reading, &writing, LINES)?;
        copy_table(&reading, &writing, OPEN)?;
        copy_table(&reading, &writing, OUTBOX)?;
        copy_table(&reading, &writing, SEEN)?;
        copy_table(&reading, &writing, COUNTS)?;
        Ok(writing.commit()?)
    }
}

fn copy_table<K: Key + 'static, V: Value + 'static>(
    reading: &ReadTransaction,
    writing: &WriteTransaction,
    table: TableDefinition<'_, K, V>,
) -> Result<(), StoreError> {
    let (from, mut to) = (reading.open_table(table)?, writing.open_table(table)?);
    for entry in from.iter()? {
        let (key, value) = entry?;
        to.insert(key.value(), value.value())?;
    }
    Ok(())
}

/// The unfinished copies with this name.
fn parts(path: &Path) -> Vec<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_part = |other: &str| {
        let process = other
            .strip_prefix(&*name)
            .and_then(|rest| rest.strip_prefix('.'))
            .and_then(|rest| rest.strip_suffix(PART));
        process.is_some_and(|digits| digits.parse::<u32>().is_ok())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| is_part(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect()
}

/// True if both names lead to the same file, through links of any kind. A file that does
/// not exist yet is in the folder of its name.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        fs::canonicalize(path).or_else(|_| {
            let folder = match path.parent() {
                Some(folder) if folder != Path::new("") => folder,
                _ => Path::new("."),
            };
            let name = path.file_name().unwrap_or_default();
            fs::canonicalize(folder).map(|folder| folder.join(name))
        })
    };
    if let (Ok(one), Ok(other)) = (place(one), place(other))
        && one == other
    {
        return true;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let inode = |path: &Path| fs::metadata(path).map(|data| (data.dev(), data.ino())).ok();
        inode(one).is_some_and(|inode_of_one| inode(other) == Some(inode_of_one))
    }
    #[cfg(not(unix))]
    false
}
