//! The best scores of a board in a file, so that they are there when it is switched
//! on again: what a board of metal has flash for.
//!
//! What always holds: the file is there whole or not at all, whatever happens while
//! it is written; one that is no such file is never written over.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use firmware_core::{BEST_BYTES, Best};

use crate::whole_file;

/// How such a file begins; what follows is [`Best::save`].
const HEAD: &[u8] = b"touchboard best scores 1\n";

/// A file of best scores.
#[derive(Debug)]
pub struct KeepFile {
    path: PathBuf,
    /// What is in it, or could not be written.
    written: Best,
}

impl KeepFile {
    /// Reads this file, or finds out whether one can be written there.
    ///
    /// # Errors
    /// A sentence that says what to do.
    pub fn open(path: &Path) -> Result<KeepFile, String> {
        let name = path.display();
        let written = match fs::read(path) {
            Ok(bytes) => read(&bytes).ok_or_else(|| {
                format!(
                    "{name} is no file of best scores, or was damaged: move it away, or name another one"
                )
            })?,
            Err(error) if error.kind() == ErrorKind::NotFound => Best::new(),
            Err(error) => return Err(format!("the best scores cannot be read from {name}: {error}")),
        };
        whole_file::can_write(path)
            .map_err(|error| format!("the best scores cannot be kept in {name}: {error}"))?;
        Ok(KeepFile {
            path: path.to_owned(),
            written,
        })
    }

    /// What is in it.
    #[must_use]
    pub fn best(&self) -> &Best {
        &self.written
    }

    /// Writes these, if they are others.
    ///
    /// # Errors
    /// A sentence, once; it is tried again when they change again.
    pub fn write(&mut self, best: &Best) -> Result<(), String> {
        if *best == self.written {
            return Ok(());
        }
        self.written.clone_from(best);
        let mut buffer = [0; BEST_BYTES];
        let saved = best.save(&mut buffer).unwrap_or_default();
        let bytes = [HEAD, saved].concat();
        whole_file::write(&self.path, &bytes).map_err(|error| {
            format!(
                "the best scores cannot be written to {}: {error}",
                self.path.display()
            )
        })
    }
}

fn read(bytes: &[u8]) -> Option<Best> {
    Best::load(bytes.strip_prefix(HEAD)?)
}

/// Moves a file that is no file of best scores out of the way, and says so; what
/// cannot be moved stays.
pub fn set_aside(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    if read(&bytes).is_some() {
        return None;
    }
    let mut aside = path.as_os_str().to_owned();
    aside.push(".broken");
    fs::rename(path, &aside).ok()?;
    Some(format!(
        "{} was no file of best scores, or was damaged: it is {} now, and new ones are kept",
        path.display(),
        Path::new(&aside).display()
    ))
}

#[cfg(test)]
mod tests {
    use firmware_core::best::Entry;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let own = format!("touchboard-keep-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(own);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        folder
    }

    fn some(points: u32) -> Best {
        let mut best = Best::new();
        let game = points.into();
        assert_eq!(best.enter(11, 0, Entry { points, game }), Some(1));
        best
    }

    #[test]
    fn what_is_written_is_read_again_and_nothing_else_is_left() {
        let folder = folder("again");
        let path = folder.join("best");
        let mut file = KeepFile::open(&path).unwrap();
        assert_eq!(file.best(), &Best::new());
        // Nothing is written before there is something.
        assert_eq!(file.write(&Best::new()), Ok(()));
        assert!(!path.exists());
        for points in [74, 61] {
            assert_eq!(file.write(&some(points)), Ok(()));
            assert_eq!(KeepFile::open(&path).unwrap().best(), &some(points));
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_none_is_refused_and_stays_or_is_set_aside() {
        let folder = folder("broken");
        let path = folder.join("best");
        KeepFile::open(&path).unwrap().write(&some(74)).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(set_aside(&path), None);
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let sentence = KeepFile::open(&path).unwrap_err();
            assert!(
                sentence.contains("best") && sentence.contains("move it away"),
                "{sentence}"
            );
            assert_eq!(fs::read(&path).unwrap(), &whole[..length]);
        }
        let sentence = set_aside(&path).expect("it is broken");
        assert!(sentence.contains("best.broken"), "{sentence}");
        assert_eq!(KeepFile::open(&path).unwrap().best(), &Best::new());
        assert!(folder.join("best.broken").exists());
    }

    #[test]
    fn a_place_where_nothing_can_be_written_is_refused_at_once() {
        let folder = folder("nowhere");
        for path in [folder.clone(), folder.join("none").join("best")] {
            let sentence = KeepFile::open(&path).unwrap_err();
            assert!(
                sentence.starts_with("the best scores cannot be"),
                "{sentence}"
            );
        }
    }

    #[test]
    fn what_cannot_be_written_is_said_once_and_tried_again_later() {
        let folder = folder("later");
        let path = folder.join("best");
        let mut file = KeepFile::open(&path).unwrap();
        fs::remove_dir(&folder).unwrap();
        assert!(file.write(&some(74)).is_err());
        assert_eq!(file.write(&some(74)), Ok(()));
        fs::create_dir(&folder).unwrap();
        assert_eq!(file.write(&some(75)), Ok(()));
        assert_eq!(KeepFile::open(&path).unwrap().best(), &some(75));
    }
}
