//! A link with taps, which receive everything that passes, with its time.
//!
//! A [`WireLogFile`] writes it to a file, a [`Trace`] writes it to the program's log, and a
//! [`SharedRecord`] decodes it.
//!
//! Invariants: sent bytes reach the taps before their answer can arrive; times never
//! decrease.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use touchboard_host::traffic::{
    BOTH_WAYS, LineClock, LineDirection, LineMessage, LineRecord, SharedRecord, Splitter, log_line,
};
use touchboard_sharing::rfc2217::Port;
use tracing::{debug, warn};

use super::Link;
use crate::GrowingFile;

/// A listener on a line.
pub trait LineTap: Send {
    /// A line was opened at this time, in microseconds since the first one was.
    ///
    /// # Errors
    /// When the tap cannot record it.
    fn opened(&mut self, at_us: u64) -> io::Result<()>;

    /// Bytes passed at this time, in microseconds since the first line was opened.
    ///
    /// # Errors
    /// When the tap cannot record them.
    fn passed(&mut self, at_us: u64, direction: LineDirection, bytes: &[u8]) -> io::Result<()>;
}

/// Shares this record, and starts its clock now.
#[must_use]
pub fn begin_record(record: LineRecord) -> SharedRecord {
    SharedRecord::new(record, clock_from_now())
}

/// A clock that starts now.
#[must_use]
pub fn clock_from_now() -> LineClock {
    let since = Instant::now();
    Arc::new(move || since.elapsed())
}

impl LineTap for SharedRecord {
    fn opened(&mut self, at_us: u64) -> io::Result<()> {
        self.lock().open(at_us);
        Ok(())
    }

    fn passed(&mut self, at_us: u64, direction: LineDirection, bytes: &[u8]) -> io::Result<()> {
        self.lock().pass(at_us, direction, bytes);
        Ok(())
    }
}

/// All taps of a board, which several lines in succession use.
#[derive(Clone)]
pub struct LineTaps {
    clock: LineClock,
    taps: Arc<Mutex<Vec<Box<dyn LineTap>>>>,
}

impl LineTaps {
    /// These taps, with the times of this clock.
    #[must_use]
    pub fn new(clock: LineClock, taps: Vec<Box<dyn LineTap>>) -> LineTaps {
        LineTaps {
            clock,
            taps: Arc::new(Mutex::new(taps)),
        }
    }

    fn each(&self, note: impl Fn(&mut dyn LineTap, u64) -> io::Result<()>) -> io::Result<()> {
        let mut taps = self.taps.lock();
        let at_us = (self.clock)().as_micros() as u64;
        taps.iter_mut().try_for_each(|tap| note(&mut **tap, at_us))
    }

    fn pass(&self, direction: LineDirection, bytes: &[u8]) -> io::Result<()> {
        self.each(|tap, at_us| tap.passed(at_us, direction, bytes))
    }
}

/// A link with taps.
pub struct TappedLink<L> {
    inner: L,
    taps: LineTaps,
}

impl<L: Link> TappedLink<L> {
    /// Adds taps to a line that was just opened.
    ///
    /// # Errors
    /// When a tap cannot record that.
    pub fn new(inner: L, taps: LineTaps) -> io::Result<TappedLink<L>> {
        taps.each(|tap, at_us| tap.opened(at_us))?;
        Ok(TappedLink { inner, taps })
    }
}

impl<L: Link> Link for TappedLink<L> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.taps.pass(LineDirection::ToBoard, bytes)?;
        self.inner.send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let length = self.inner.receive(buffer, timeout)?;
        if length > 0 {
            self.taps
                .pass(LineDirection::FromBoard, &buffer[..length])?;
        }
        Ok(length)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(TappedLink {
            inner: self.inner.try_clone()?,
            taps: self.taps.clone(),
        }))
    }

    fn port(&mut self) -> Option<&mut dyn Port> {
        self.inner.port()
    }
}

/// Writes every byte to a file, as lines of text that
/// [`WireLog`](touchboard_host::traffic::WireLog) reads.
pub struct WireLogFile<W> {
    /// The path of the file; `None` for another kind of output.
    path: Option<PathBuf>,
    out: W,
}

impl WireLogFile<GrowingFile> {
    /// Opens or creates a file for the log. An older log stays until a line is open.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(WireLogFile {
            path: Some(path.into()),
            out: GrowingFile::create(path)?,
        })
    }
}

impl<W: Write + Send> WireLogFile<W> {
    /// A log that is written to `out`.
    pub fn into(out: W) -> WireLogFile<W> {
        WireLogFile { path: None, out }
    }

    fn note(&mut self, line: &str) -> io::Result<()> {
        let written = self.out.write_all(line.as_bytes());
        let written = written.and_then(|()| self.out.flush());
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

impl<W: Write + Send> LineTap for WireLogFile<W> {
    fn opened(&mut self, at_us: u64) -> io::Result<()> {
        self.note(&format!("{at_us} open\n"))
    }

    fn passed(&mut self, at_us: u64, direction: LineDirection, bytes: &[u8]) -> io::Result<()> {
        self.note(&log_line(at_us, direction, bytes))
    }
}

/// The error that a tap's file cannot be written any more. The line itself still works.
#[derive(Debug, thiserror::Error)]
#[error("the bytes of the line cannot be written to {}: {error}; make room on its disk, or name another file", path.display())]
pub struct Unrecorded {
    path: PathBuf,
    error: io::Error,
}

impl Unrecorded {
    /// True if this error means that a tap's file cannot be written.
    #[must_use]
    pub fn is_cause_of(error: &io::Error) -> bool {
        error
            .get_ref()
            .is_some_and(|inner| inner.is::<Unrecorded>())
    }
}

/// Logs every message at level `debug`, and damaged frames at level `warn`.
pub struct Trace {
    splitters: [Splitter; 2],
}

impl Default for Trace {
    fn default() -> Trace {
        Trace {
            splitters: BOTH_WAYS.map(Splitter::new),
        }
    }
}

impl LineTap for Trace {
    fn opened(&mut self, _: u64) -> io::Result<()> {
        *self = Trace::default();
        Ok(())
    }

    fn passed(&mut self, _: u64, direction: LineDirection, bytes: &[u8]) -> io::Result<()> {
        let way = match direction {
            LineDirection::ToBoard => "to the board",
            LineDirection::FromBoard => "from the board",
        };
        for byte in bytes {
            match self.splitters[direction as usize].feed(*byte) {
                None => {}
                Some((_, Ok(LineMessage::ToDevice(message)))) => debug!("{way}: {message:?}"),
                Some((_, Ok(LineMessage::ToHost(message)))) => debug!("{way}: {message:?}"),
                Some((_, Err(why))) => warn!("{way}: {why}"),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Loopback;
    use touchboard_host::traffic::{LineItem, WireLog};

    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn both_directions_are_recorded_in_order() {
        let (near, mut far) = Loopback::pair();
        let text = Arc::new(Mutex::new(Vec::new()));
        let log = WireLogFile::into(Shared(text.clone()));
        let taps = LineTaps::new(clock_from_now(), vec![Box::new(log)]);
        let mut near = TappedLink::new(near, taps).unwrap();
        near.send(&[0, 1, 0xFE]).unwrap();
        far.send(&[7]).unwrap();
        near.receive(&mut [0; 8], Duration::from_secs(1)).unwrap();
        let text = text.lock().clone();
        let lines = String::from_utf8(text.clone()).unwrap();
        let lines: Vec<&str> = lines
            .lines()
            .map(|line| line.split_once(' ').unwrap().1)
            .collect();
        assert_eq!(lines, ["open", "> 00 01 fe", "< 07"]);
        let read = WireLog::read(&text);
        assert_eq!(read.remarks, [] as [&str; 0]);
        assert!(matches!(read.items[0], LineItem::Opened { .. }));
        assert_eq!(read.items.len(), 3);
    }
}
