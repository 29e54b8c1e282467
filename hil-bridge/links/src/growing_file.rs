//! A file that grows while a line is open: a log of bytes, or a capture.
//!
//! Invariants: an older file stays as it is until the first piece is written; the file
//! consists of whole pieces, also after its disk was full.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A file to which pieces are added: what was written up to a [`Write::flush`] is one.
/// A piece that was not flushed is not written.
#[derive(Debug)]
pub struct GrowingFile {
    file: File,
    piece: Vec<u8>,
    /// The number of bytes in whole pieces; `None` before the first one, while the file
    /// may be an older one.
    whole: Option<u64>,
    /// False for a device, which has no length.
    has_length: bool,
}

impl GrowingFile {
    /// Opens or creates a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<GrowingFile> {
        let mut options = File::options();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let has_length = file.metadata()?.is_file();
        Ok(GrowingFile {
            file,
            piece: Vec::new(),
            whole: None,
            has_length,
        })
    }

    /// The number of bytes in whole pieces. An older file is emptied first.
    fn begin(&mut self) -> io::Result<u64> {
        if let Some(whole) = self.whole {
            return Ok(whole);
        }
        self.cut(0)?;
        self.whole = Some(0);
        Ok(0)
    }

    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        match self.has_length {
            true => self.file.set_len(bytes),
            false => Ok(()),
        }
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        if piece.is_empty() {
            return Ok(());
        }
        let whole = self.begin()?;
        if let Err(error) = self.file.write_all(&piece) {
            // The beginning of a piece would be taken for damage.
            let _ = self.cut(whole);
            return Err(error);
        }
        self.whole = Some(whole + piece.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_older_file_stays_until_something_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("line.log");
        fs::write(&path, "an older and longer file\n").unwrap();
        let mut file = GrowingFile::create(&path).unwrap();
        file.write_all(b"never flushed, as when no board is found")
            .unwrap();
        drop(file);
        assert!(fs::read_to_string(&path).unwrap().starts_with("an older"));
        let mut file = GrowingFile::create(&path).unwrap();
        for line in ["one\n", "two\n"] {
            file.write_all(line.as_bytes()).unwrap();
            file.flush().unwrap();
            file.flush().unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_reported() {
        let mut full = GrowingFile::create(Path::new("/dev/full")).unwrap();
        full.write_all(b"one\n").unwrap();
        let error = full.flush().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
