//! A device file that carries raw MIDI bytes, such as `/dev/snd/midiC1D0` on Linux.
//!
//! A device with several ports has a single file; each time it is opened, the system
//! gives the first free port. So `FILE,1` is the second port, as for `amidi`: the first
//! one is opened and kept open.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use super::PanelLine;

/// The maximum time for a send. A message with all lamps takes 130 ms at the original
/// speed of MIDI.
const SEND_TIMEOUT: Duration = Duration::from_secs(1);

/// The maximum number of ports of a device, more than any panel has.
const MOST_PORTS: usize = 16;

/// One port of a device file.
pub struct RawFile {
    file: File,
    /// The ports with lower numbers, which are kept open.
    _kept: Vec<File>,
}

impl RawFile {
    /// Opens a port written as `FILE`, or `FILE,NUMBER`.
    pub fn open(port: &str) -> io::Result<RawFile> {
        let numbered = port
            .rsplit_once(',')
            .and_then(|(path, number)| Some((path, number.parse::<usize>().ok()?)));
        let (path, number) = numbered.unwrap_or((port, 0));
        if number >= MOST_PORTS {
            return Err(io::Error::other(format!(
                "ports are counted from 0 to {}",
                MOST_PORTS - 1
            )));
        }
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
        let open = || {
            let mut options = OpenOptions::new();
            options
                .read(true)
                .write(true)
                .custom_flags(flags)
                .open(path)
        };
        let kept: io::Result<Vec<File>> = (0..number).map(|_| open()).collect();
        Ok(RawFile {
            _kept: kept?,
            file: open()?,
        })
    }

    /// Waits until the file is ready; false if it is not within this time.
    fn wait(&self, what: PollFlags, time: Duration) -> io::Result<bool> {
        let timeout = Timespec::try_from(time).map_err(io::Error::other)?;
        let mut files = [PollFd::new(&self.file, what)];
        match poll(&mut files, Some(&timeout)) {
            Ok(count) => Ok(count > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn is_later(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

impl PanelLine for RawFile {
    fn send(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let begin = Instant::now();
        while !bytes.is_empty() {
            match self.file.write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if is_later(&error) => {
                    let left = SEND_TIMEOUT.saturating_sub(begin.elapsed());
                    if left.is_zero() {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    self.wait(PollFlags::OUT, left)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if !self.wait(PollFlags::IN, timeout)? {
            return Ok(0);
        }
        match self.file.read(buffer) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) if is_later(&error) => Ok(0),
            read => read,
        }
    }
}
