//! A file that one process writes at a time.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};

/// An open file that no other process can lock.
///
/// The lock ends when this is dropped. Closing the file would not be enough: a child
/// process that another thread is just starting has a copy of it for a moment, and with it
/// the lock.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Locks the file; `None` if it is in use. On a file system without locks, users must
    /// make sure themselves that only one process writes.
    #[must_use]
    pub fn lock(file: File) -> Option<LockedFile> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            _ => Some(LockedFile(file)),
        }
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // On a file system without locks there is none to end.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_with_its_file_even_if_there_is_a_copy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        // As in a child process that has not begun its own program yet.
        let _copy = file.try_clone().unwrap();
        let locked = LockedFile::lock(file).unwrap();
        let other = || LockedFile::lock(File::open(&path).unwrap());
        assert!(other().is_none());
        drop(locked);
        assert!(other().is_some());
    }
}
