//! Mails in a maildir: each is carried out once and moved from `new` to `cur`.
//!
//! A mail is moved after it was carried out. If the process is killed between the
//! two, it finds the mail in `new` again, and the store knows that it was already
//! handled. A mail that was carried out is marked as seen (`S`); one that was not,
//! because too many mails came from its sender that day, is not marked.
//!
//! Invariants: files that cannot be read or moved are skipped and reported once, and
//! files that are already in `cur` are never overwritten.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use touchboard_files::whole_file::sync_folder;

use crate::dice::{hex_of_hash, sha256};
use crate::mail::{Incoming, MAIL_BYTES, Sender};
use crate::server::{Handled, Server, Unanswered};
use crate::store::StoreError;
use crate::transport::Ended;

/// The most bytes of a file name on common file systems.
const NAME_BYTES: usize = 255;

/// The numbers of mails that were handled in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Mails whose commands were all carried out.
    pub done: usize,
    /// Mails with a command that was refused.
    pub refused: usize,
    /// Mails that were not answered: automatic ones, known ones, those without commands,
    /// those that are too large, and those over the limit.
    pub left: usize,
    /// Files that cannot be read or moved and stay in `new`.
    pub passed_over: usize,
}

/// A maildir from which mails are taken.
#[derive(Debug)]
pub struct Maildir {
    folder: PathBuf,
    /// The names of skipped files, so that each is reported once.
    told: HashSet<OsString>,
}

impl Maildir {
    /// The maildir in this folder.
    #[must_use]
    pub fn new(folder: &Path) -> Maildir {
        Maildir {
            folder: folder.to_owned(),
            told: HashSet::new(),
        }
    }

    /// Handles all mails in `new` in the order of their names, which begin with their
    /// time of arrival.
    ///
    /// # Errors
    /// If the store fails, or the folder cannot be read.
    pub fn take_in(&mut self, server: &Server) -> Result<Taken, Ended> {
        let mut taken = Taken::default();
        fs::create_dir_all(self.folder.join("cur"))?;
        let names = names(&self.folder.join("new"))?;
        self.told.retain(|name| names.contains(name));
        for name in names {
            let before = taken;
            if let Err(error) = self.take_one(server, &name, &mut taken)? {
                taken = before;
                taken.passed_over += 1;
                if self.told.insert(name.clone()) {
                    let path = self.folder.join("new").join(&name);
                    tracing::warn!("{} is passed over: {error}", path.display());
                }
            }
        }
        let Taken {
            done,
            refused,
            left,
            ..
        } = taken;
        if done + refused + left > 0 {
            sync_folder(&self.folder.join("cur"))?;
            sync_folder(&self.folder.join("new"))?;
        }
        Ok(taken)
    }

    /// Handles one mail, and moves it.
    fn take_one(
        &self,
        server: &Server,
        name: &OsStr,
        taken: &mut Taken,
    ) -> Result<io::Result<()>, StoreError> {
        let path = self.folder.join("new").join(name);
        let mut is_seen = true;
        match read(&path) {
            Err(error) => return Ok(Err(error)),
            Ok(None) => {
                tracing::warn!("{} is too large for a mail and is left", path.display());
                taken.left += 1;
            }
            Ok(Some(bytes)) => match server.take_in(&Incoming::read(&bytes, &Sender::Unknown))? {
                Handled::Answered { is_done: true, .. } => taken.done += 1,
                Handled::Answered { is_done: false, .. } => taken.refused += 1,
                Handled::Left(Unanswered::TooMany) => {
                    tracing::warn!(
                        "{} is left unseen: there were too many mails from there today",
                        path.display()
                    );
                    is_seen = false;
                    taken.left += 1;
                }
                Handled::Left(_) => taken.left += 1,
            },
        }
        Ok(self.put_away(&path, name, is_seen))
    }

    /// Moves a mail to `cur`, under its own name if possible.
    fn put_away(&self, path: &Path, name: &OsStr, is_seen: bool) -> io::Result<()> {
        let flags = if is_seen { ":2,S" } else { ":2," };
        let whole = name.as_encoded_bytes();
        let base = name
            .to_str()
            .map(|name| name.split(':').next().unwrap_or(""));
        // A name that is not text, or is too long with its flags, is replaced by its
        // hash.
        let base = match base {
            Some(base) if base.len() + flags.len() <= NAME_BYTES => base.to_owned(),
            _ => format!("{}.touchboard-post", hex_of_hash(&sha256(whole))),
        };
        let folder = self.folder.join("cur");
        let mut to = folder.join(format!("{base}{flags}"));
        let mut count = 0;
        while to.symlink_metadata().is_ok() {
            count += 1;
            let hash = hex_of_hash(&sha256(format!("{count} {base}").as_bytes()));
            to = folder.join(format!("{hash}.touchboard-post{flags}"));
        }
        fs::rename(path, to)
    }
}

/// The names of the mails in a folder.
fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !is_hidden && entry.file_type()?.is_file() {
            names.push(entry.file_name());
        }
    }
    names.sort();
    Ok(names)
}

/// The bytes of a mail; `None` if it is too large.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most = MAIL_BYTES as u64 + 1;
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= MAIL_BYTES).then_some(bytes))
}
