//! Mails in a maildir: from `new` to `cur`, each carried out once.
//!
//! A mail is moved after it was carried out. A process that is killed between the
//! two finds it in `new` again, and the store knows that it came in before.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::mail::{Incoming, MAIL_BYTES, Sender};
use crate::server::{Handled, Server};
use crate::transport::Ended;
use crate::transport::outgoing::sync_folder;

/// What came of the mails in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Mails of which all commands were done.
    pub done: usize,
    /// Mails with a command that was refused.
    pub refused: usize,
    /// Mails that were left: automatic ones, known ones, those that ask for
    /// nothing, those that are too large.
    pub left: usize,
}

/// Takes in all mails in `new`, in the order of their names, which begin with
/// the second of their arrival.
///
/// # Errors
/// When the store fails, or the folder cannot be read.
pub fn take_in(server: &Server, folder: &Path) -> Result<Taken, Ended> {
    let mut taken = Taken::default();
    fs::create_dir_all(folder.join("cur"))?;
    for path in mails(&folder.join("new"))? {
        match read(&path)? {
            None => {
                tracing::warn!("{} is too large for a mail and is left", path.display());
                taken.left += 1;
            }
            Some(bytes) => match server.take_in(&Incoming::read(&bytes, &Sender::Unknown))? {
                Handled::Answered { is_done: true, .. } => taken.done += 1,
                Handled::Answered { is_done: false, .. } => taken.refused += 1,
                Handled::Left(_) => taken.left += 1,
            },
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let base = name.split(':').next().unwrap_or("");
        fs::rename(&path, folder.join("cur").join(format!("{base}:2,S")))?;
    }
    if taken != Taken::default() {
        sync_folder(&folder.join("cur"))?;
        sync_folder(&folder.join("new"))?;
    }
    Ok(taken)
}

fn mails(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden && entry.file_type()?.is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// The bytes of a mail; `None` if it is too large.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most = MAIL_BYTES as u64 + 1;
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= MAIL_BYTES).then_some(bytes))
}
