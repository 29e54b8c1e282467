//! Every byte of a line in a file, for whoever wants to know what was said.
//!
//! One line of text for each piece: microseconds since the start, `>` to the
//! board or `<` from it, the bytes in hexadecimal.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Link;

/// The file that [`RecordedLink`] links write to. Clones write to the same one.
#[derive(Clone)]
pub struct Recording {
    since: Instant,
    /// The file, if it is one.
    path: Option<PathBuf>,
    out: Arc<Mutex<dyn Write + Send>>,
}

impl Recording {
    /// Begins a new file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<Recording> {
        let mut recording = Recording::into(BufWriter::new(File::create(path)?));
        recording.path = Some(path.into());
        Ok(recording)
    }

    /// Writes anywhere.
    pub fn into(out: impl Write + Send + 'static) -> Recording {
        Recording {
            since: Instant::now(),
            path: None,
            out: Arc::new(Mutex::new(out)),
        }
    }

    fn note(&self, direction: char, bytes: &[u8]) -> io::Result<()> {
        let mut line = format!("{} {direction}", self.since.elapsed().as_micros());
        for byte in bytes {
            line.push_str(&format!(" {byte:02x}"));
        }
        line.push('\n');
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| match &self.path {
            Some(path) => io::Error::new(
                error.kind(),
                Unrecorded {
                    path: path.clone(),
                    error,
                },
            ),
            None => error,
        })
    }
}

/// The file takes no more. The line itself is as good as it was.
#[derive(Debug, thiserror::Error)]
#[error("the bytes of the line cannot be written to {}: {error}", path.display())]
pub struct Unrecorded {
    path: PathBuf,
    error: io::Error,
}

impl Unrecorded {
    /// True if this is why a line failed.
    #[must_use]
    pub fn is_cause_of(error: &io::Error) -> bool {
        error
            .get_ref()
            .is_some_and(|inner| inner.is::<Unrecorded>())
    }
}

/// A link whose bytes are recorded.
pub struct RecordedLink<L> {
    inner: L,
    recording: Recording,
}

impl<L: Link> RecordedLink<L> {
    /// Records what goes over `inner`.
    pub fn new(inner: L, recording: Recording) -> RecordedLink<L> {
        RecordedLink { inner, recording }
    }
}

impl<L: Link> Link for RecordedLink<L> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.recording.note('>', bytes)?;
        self.inner.send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let length = self.inner.receive(buffer, timeout)?;
        if length > 0 {
            self.recording.note('<', &buffer[..length])?;
        }
        Ok(length)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        let inner = self.inner.try_clone()?;
        Ok(Box::new(RecordedLink::new(inner, self.recording.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Loopback;

    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn both_directions_are_written_down_in_order() {
        let (near, mut far) = Loopback::pair();
        let text = Arc::new(Mutex::new(Vec::new()));
        let mut near = RecordedLink::new(near, Recording::into(Shared(text.clone())));
        near.send(&[0, 1, 0xFE]).unwrap();
        far.send(&[7]).unwrap();
        near.receive(&mut [0; 8], Duration::from_secs(1)).unwrap();
        let text = String::from_utf8(text.lock().unwrap().clone()).unwrap();
        let lines: Vec<&str> = text
            .lines()
            .map(|line| line.split_once(' ').unwrap().1)
            .collect();
        assert_eq!(lines, ["> 00 01 fe", "< 07"]);
    }
}
