//! Reads whole files, up to a bound.
//!
//! A name on a command line may be that of a device without an end, or of a file far
//! larger than what is expected in its place. Reading it whole would fill the memory.
//!
//! Invariants: at most one byte more than the bound is read. A longer file is an error of
//! the kind [`FileTooLarge`](ErrorKind::FileTooLarge), never a text that was cut.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most bytes of the text of a game.
pub const GAME_TEXT_BYTES: u64 = 4 << 20;

/// The bytes of a file of at most this many.
///
/// # Errors
/// If it cannot be read, or has more.
pub fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_rest(File::open(path)?, most)
}

/// The text of a file of at most this many bytes.
///
/// # Errors
/// If it cannot be read, has more bytes, or is not UTF-8.
pub fn read_bounded_text(path: &Path, most: u64) -> io::Result<String> {
    let why = "it is not a text: it has bytes that are not UTF-8";
    String::from_utf8(read_bounded(path, most)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, why))
}

/// What is left of an open file, at most this many bytes.
///
/// # Errors
/// If it cannot be read, or more is left.
pub fn read_rest(file: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let why = format!("it has more than {most} bytes: name another file");
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why_no_file;

    fn file(bytes: &[u8]) -> tempfile::TempPath {
        let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn a_file_is_read_up_to_its_bound_and_not_beyond() {
        let path = file(b"0123456789");
        for most in 0..=12 {
            match read_bounded(&path, most) {
                Ok(bytes) => assert_eq!((bytes.as_slice(), most >= 10), (&b"0123456789"[..], true)),
                Err(error) => {
                    assert_eq!((error.kind(), most < 10), (ErrorKind::FileTooLarge, true));
                    let sentence = format!("it has more than {most} bytes: name another file");
                    assert_eq!(why_no_file(&error), sentence);
                }
            }
        }
        assert_eq!(read_bounded(&path, u64::MAX).unwrap().len(), 10);
        assert_eq!(read_bounded(&file(b""), 0).unwrap(), b"");
    }

    /// Counts what is read of something without an end.
    struct Endless(u64);

    impl Read for &mut Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(0);
            self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn of_something_endless_one_byte_more_than_the_bound_is_read() {
        for most in [0, 1, 4_095, 4_096, 100_000] {
            let mut endless = Endless(0);
            let error = read_rest(&mut endless, most).unwrap_err();
            assert_eq!(
                (error.kind(), endless.0),
                (ErrorKind::FileTooLarge, most + 1)
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_endless_device_and_a_folder_are_refused() {
        let zeros = read_bounded(Path::new("/dev/zero"), 1_000).unwrap_err();
        assert_eq!(zeros.kind(), ErrorKind::FileTooLarge);
        let folder = tempfile::tempdir().unwrap();
        let refused = read_bounded(folder.path(), 1_000).unwrap_err();
        assert_eq!(why_no_file(&refused), "it is a folder: name a file");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert_eq!(read_bounded_text(&file("é".as_bytes()), 2).unwrap(), "é");
        let refused = read_bounded_text(&file(b"\xff"), 2).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidData);
        // The bound comes first: a text cut within a letter is too long, not invalid.
        let long = read_bounded_text(&file("é".as_bytes()), 1).unwrap_err();
        assert_eq!(long.kind(), ErrorKind::FileTooLarge);
    }
}
