//! The end of a line whose bytes somebody else carries, because only they can reach the
//! port: the script of a page.
//!
//! The carrier asks which line is [wanted](CarriedEnd::wanted), opens it, brings what
//! comes, and takes what is to be sent. Each line that is opened has a number, so that
//! bytes of an earlier one are not taken for those of the current one.
//!
//! Invariants: a board is never fed bytes of an earlier line, nor the conversation; what
//! waits in either direction needs limited memory, and the line ends with a sentence if
//! that is not enough; the clock never decreases.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use protocol::wire;

use super::ClientSide;
use crate::conversation::{FromBoard, LineEnd, ProgramSide};
use crate::driver::DriverError;
use crate::link_error::LinkError;
use crate::traffic::{LineClock, LineDirection, SharedRecord};

/// How many bytes may wait for the carrier. At 115,200 baud they take six seconds, longer
/// than any request waits.
const OUT_BYTES: usize = 64 * 1024;

/// How many items may wait for the conversation, which takes them whenever it is polled.
const INCOMING: usize = 1024;

/// The most time that passes at once for the conversation. A page may be stopped for longer,
/// with the board's answers waiting outside: that is no silence of the board. Timers of a
/// page in the background run once a second.
const LONGEST_STEP: Duration = Duration::from_secs(1);

/// The time of a conversation, which passes from outside.
#[derive(Clone, Debug, Default)]
pub struct CarriedTime(Arc<AtomicU64>);

impl CarriedTime {
    /// The time that has passed.
    #[must_use]
    pub fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    /// Lets time pass, a second at most.
    fn pass(&self, time: Duration) {
        let step = time.min(LONGEST_STEP).as_micros() as u64;
        self.0.fetch_add(step, Ordering::Relaxed);
    }

    /// This time as the clock of a client.
    #[must_use]
    pub fn clock(&self) -> LineClock {
        let time = self.clone();
        Arc::new(move || time.now())
    }
}

/// The end of a line whose bytes are carried.
pub struct CarriedEnd {
    name: String,
    random: u32,
    side: ClientSide,
    time: CarriedTime,
    record: SharedRecord,
    /// The real time until which `time` has passed.
    passed_until: Option<Duration>,
    /// The number of the line that was opened last.
    line: u32,
    is_open: bool,
    out: Vec<u8>,
    receiver: wire::Receiver<{ wire::MAX_FRAME_BYTES }>,
    incoming: VecDeque<FromBoard>,
    received_bytes: u64,
}

impl CarriedEnd {
    /// An end at this place, whose traffic is recorded. `time` is the clock of its client
    /// and of the record. Its lines are numbered from the one after `line`; `random`
    /// identifies this host.
    #[must_use]
    pub fn new(
        name: &str,
        (side, time, record): (ClientSide, CarriedTime, SharedRecord),
        line: u32,
        random: u32,
    ) -> CarriedEnd {
        CarriedEnd {
            name: name.to_owned(),
            random,
            side,
            time,
            record,
            passed_until: None,
            line,
            is_open: false,
            out: Vec::new(),
            receiver: wire::Receiver::new(),
            incoming: VecDeque::new(),
            received_bytes: 0,
        }
    }

    /// The number of the line that is to be open; `None` if none is.
    #[must_use]
    pub fn wanted(&self) -> Option<u32> {
        self.is_open.then_some(self.line)
    }

    /// The number of the line that was opened last.
    #[must_use]
    pub fn last_line(&self) -> u32 {
        self.line
    }

    /// True if bytes wait for the carrier.
    #[must_use]
    pub fn has_bytes(&self) -> bool {
        !self.out.is_empty()
    }

    /// Takes the bytes that are to be sent on this line.
    pub fn take(&mut self, line: u32) -> Vec<u8> {
        match self.wanted() == Some(line) {
            true => std::mem::take(&mut self.out),
            false => Vec::new(),
        }
    }

    /// Brings bytes that came on this line.
    pub fn bring(&mut self, line: u32, bytes: &[u8]) {
        if self.wanted() != Some(line) {
            return;
        }
        self.received_bytes += bytes.len() as u64;
        self.record.pass(LineDirection::FromBoard, bytes);
        for byte in bytes {
            let Some(frame) = self.receiver.feed(*byte) else {
                continue;
            };
            if self.incoming.len() >= INCOMING {
                let why = "more came at once than the page can keep";
                self.end(line, why);
                return;
            }
            self.incoming.push_back(FromBoard::understand(frame));
        }
    }

    /// Notes that this line has ended, or could not be opened, for this reason.
    pub fn end(&mut self, line: u32, why: &str) {
        if self.wanted() == Some(line) {
            let gone = LinkError::gone(&self.name, why);
            self.incoming.push_back(FromBoard::Ended(gone));
        }
    }

    /// Lets the conversation's time pass up to this real time, which is counted from any
    /// fixed moment.
    pub fn pass_until(&mut self, real: Duration) {
        let before = self.passed_until.replace(real);
        let passed = before.map_or(Duration::ZERO, |before| real.saturating_sub(before));
        self.time.pass(passed);
    }
}

impl LineEnd for CarriedEnd {
    fn name(&self) -> &str {
        &self.name
    }

    fn now(&self) -> Duration {
        self.time.now()
    }

    fn random(&mut self) -> u32 {
        // Another number at each call, of which the first came from outside.
        self.random = self.random.wrapping_mul(0x9E37_79B1).wrapping_add(1);
        self.random
    }

    fn open(&mut self) -> Result<(), DriverError> {
        self.line = self.line.wrapping_add(1);
        self.is_open = true;
        self.out.clear();
        self.incoming.clear();
        self.receiver = wire::Receiver::new();
        self.record.open();
        Ok(())
    }

    fn close(&mut self) {
        self.is_open = false;
        self.out.clear();
        self.incoming.clear();
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        if !self.is_open {
            return Err(LinkError::gone(&self.name, "it has ended"));
        }
        if self.out.len() + bytes.len() > OUT_BYTES {
            let why = "the port accepts nothing";
            return Err(LinkError::gone(&self.name, why));
        }
        self.record.pass(LineDirection::ToBoard, bytes);
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn receive(&mut self) -> Option<FromBoard> {
        self.incoming.pop_front()
    }

    fn take_received_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.received_bytes)
    }

    fn side(&mut self) -> &mut dyn ProgramSide {
        &mut self.side
    }
}

#[cfg(test)]
mod tests;
