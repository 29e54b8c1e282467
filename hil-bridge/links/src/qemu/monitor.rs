//! Listens to QEMU's monitor (QMP), which reports that a debugger has halted the chip or
//! let it continue.
//!
//! A thread reads until QEMU ends. The chip only counts as halted after an event says so;
//! a silent monitor changes nothing.
//!
//! Invariants: of a line, at most [`MOST_LINE`] bytes are kept; a longer one says nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use touchboard_host::driver::DriverError;

use super::socket::Socket;
use super::{CONNECT, POLL};
use crate::LinkError;
use crate::link::Link;

/// How long the thread waits for bytes before it checks whether it should stop.
const LISTEN: Duration = Duration::from_millis(500);
/// The most bytes of a line; those about halts have about a hundred.
const MOST_LINE: usize = 64 << 10;
/// The command that makes QEMU report events.
const BEGIN: &[u8] = b"{\"execute\":\"qmp_capabilities\"}\n";

/// The halts that a QEMU reports.
pub(super) struct Monitor {
    is_halted: Arc<AtomicBool>,
}

impl Monitor {
    /// Listens to the QEMU that connects its monitor to this socket.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn listen(socket: Socket) -> Result<Monitor, DriverError> {
        let is_halted = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_halted);
        thread::Builder::new()
            .name("qemu monitor".into())
            .spawn(move || {
                let link = accept(&socket);
                if let Some(link) = link {
                    watch_halts(link, &told);
                }
                // If QEMU has ended, its chip is not halted.
                told.store(false, Ordering::Release);
            })
            .map_err(|error| LinkError::open(format!("no thread for QEMU's monitor: {error}")))?;
        Ok(Monitor { is_halted })
    }

    pub fn is_halted(&self) -> bool {
        self.is_halted.load(Ordering::Acquire)
    }
}

fn accept(socket: &Socket) -> Option<Box<dyn Link>> {
    let deadline = Instant::now() + CONNECT;
    while Instant::now() < deadline {
        match socket.accept() {
            Ok(None) => thread::sleep(POLL),
            Ok(link) => return link,
            Err(_) => return None,
        }
    }
    None
}

fn watch_halts(mut link: Box<dyn Link>, is_halted: &AtomicBool) {
    if link.send(BEGIN).is_err() {
        return;
    }
    let mut buffer = [0; 1024];
    let mut reader = HaltReader::default();
    while let Ok(length) = link.receive(&mut buffer, LISTEN) {
        if let Some(halted) = reader.hear(&buffer[..length]) {
            is_halted.store(halted, Ordering::Release);
        }
    }
}

/// Reads lines of the monitor as their bytes arrive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HaltReader {
    /// The line that has begun; one that is too long has one byte more than it may have.
    line: Vec<u8>,
}

impl HaltReader {
    /// Reads the next bytes. Returns whether the chip is halted, according to the last
    /// event that they complete; `None` if they complete none that says so.
    pub fn hear(&mut self, bytes: &[u8]) -> Option<bool> {
        let mut halted = None;
        for byte in bytes {
            if self.line.len() <= MOST_LINE {
                self.line.push(*byte);
            }
            if *byte == b'\n' {
                let is_whole = self.line.len() <= MOST_LINE;
                let told = is_whole.then(|| halted_by(&self.line)).flatten();
                halted = told.or(halted);
                self.line.clear();
            }
        }
        halted
    }
}

/// Whether the chip is halted, according to this line; `None` if the line does not say.
fn halted_by(line: &[u8]) -> Option<bool> {
    let message: serde_json::Value = serde_json::from_slice(line).ok()?;
    match message["event"].as_str()? {
        "STOP" => Some(true),
        "RESUME" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_events_say_that_the_chip_is_halted() {
        let event =
            |name: &str| format!("{{\"timestamp\":{{\"seconds\":1}},\"event\":\"{name}\"}}\r\n");
        assert_eq!(halted_by(event("STOP").as_bytes()), Some(true));
        assert_eq!(halted_by(event("RESUME").as_bytes()), Some(false));
        for line in [
            event("RESET").as_str(),
            "{\"return\": {}}\r\n",
            "STOP\n",
            "",
        ] {
            assert_eq!(halted_by(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn an_overlong_line_is_dropped_and_the_next_one_is_read() {
        let mut reader = HaltReader::default();
        let stop = b"{\"event\":\"STOP\"}\n";
        assert_eq!(reader.hear(&[b' '; 3 * MOST_LINE]), None);
        assert_eq!(reader.line.len(), MOST_LINE + 1);
        assert_eq!(reader.hear(stop), None, "it ends the long line");
        assert_eq!(reader.hear(&stop[..9]), None);
        assert_eq!(reader.hear(&stop[9..]), Some(true));
        let spaces = vec![b' '; MOST_LINE + 1 - stop.len()];
        let too_long = [&spaces, &stop[..]].concat();
        assert_eq!(HaltReader::default().hear(&too_long), None);
        assert_eq!(HaltReader::default().hear(&too_long[1..]), Some(true));
    }
}
