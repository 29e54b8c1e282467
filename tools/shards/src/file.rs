//! The file of a shard while its jobs are being done.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use touchboard_files::{LockedFile, read_rest, whole_file};

use crate::result::{ReadShard, job_line, line};
use crate::{MOST_BYTES, ShardError, ShardHeading, ShardResult};

/// The results of a shard, and the file to which each is appended. Without a file, they
/// are only kept in memory.
pub struct ShardFile<P, R> {
    contents: ShardResult<P, R>,
    file: Option<OpenShard>,
}

/// An open file.
struct OpenShard {
    file: LockedFile,
    path: PathBuf,
    is_in_order: bool,
}

impl<P, R> ShardFile<P, R>
where
    P: Clone + PartialEq + Serialize + DeserializeOwned,
    R: Clone + PartialEq + Serialize + DeserializeOwned,
{
    /// Opens the file of a shard, or begins it. A last line that was cut off is removed,
    /// and its job is done again.
    ///
    /// # Errors
    /// If it was begun for something else, is in use, or cannot be written. It is then
    /// unchanged.
    pub fn open(path: Option<&Path>, heading: ShardHeading<P>) -> Result<Self, ShardError> {
        let Some(path) = path else {
            let contents = ShardResult::new(heading);
            return Ok(ShardFile {
                contents,
                file: None,
            });
        };
        ShardFile::open_at(path, heading).map_err(|error| error.at(path))
    }

    fn open_at(path: &Path, heading: ShardHeading<P>) -> Result<Self, ShardError> {
        let mut options = OpenOptions::new();
        let options = options.read(true).append(true).create(true);
        let mut file = LockedFile::lock(options.open(path)?).ok_or(ShardError::InUse)?;
        let text = read_rest(&mut *file, MOST_BYTES)?;
        let text = String::from_utf8_lossy(&text);
        let first = line(&heading);
        let ReadShard {
            contents,
            whole_bytes,
            is_in_order,
        } = if first.starts_with(&*text) && *text != first {
            // Empty, or cut off within its first line.
            ReadShard {
                contents: ShardResult::new(heading),
                whole_bytes: 0,
                is_in_order: true,
            }
        } else {
            let read: ReadShard<P, R> = ShardResult::read(&text, &heading.command)?;
            if read.contents.heading != heading {
                return Err(ShardError::OtherPlan);
            }
            read
        };
        file.set_len(whole_bytes as u64)?;
        if whole_bytes == 0 {
            file.write_all(first.as_bytes())?;
        }
        let path = path.to_owned();
        let file = Some(OpenShard {
            file,
            path,
            is_in_order,
        });
        Ok(ShardFile { contents, file })
    }

    /// What is done so far.
    #[must_use]
    pub fn contents(&self) -> &ShardResult<P, R> {
        &self.contents
    }

    /// Keeps the result of a job. A job that is done already counts as it was.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, job: u64, result: R) -> Result<(), ShardError> {
        if self.contents.results.contains_key(&job) {
            return Ok(());
        }
        if let Some(open) = &mut self.file {
            let last = self.contents.results.last_key_value();
            open.is_in_order &= last.is_none_or(|(last, _)| *last < job);
            let written = open.file.write_all(job_line(job, &result).as_bytes());
            written.map_err(|error| ShardError::from(error).at(&open.path))?;
        }
        self.contents.results.insert(job, result);
        Ok(())
    }

    /// Closes the file, with its jobs in order.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<ShardResult<P, R>, ShardError> {
        if let Some(open) = self.file {
            let done = match open.is_in_order {
                true => open.file.sync_data(),
                false => whole_file::write(&open.path, self.contents.to_text().as_bytes()),
            };
            done.map_err(|error| ShardError::from(error).at(&open.path))?;
        }
        Ok(self.contents)
    }
}
