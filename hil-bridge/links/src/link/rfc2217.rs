//! A serial port that another machine shares by RFC 2217, over any link to that machine.
//!
//! Invariants: both handles share one state, and answers leave in the order in which they
//! are due. While the other end has no room, nothing is sent to it.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use touchboard_host::driver::DriverError;
use touchboard_sharing::rfc2217::{Negotiation, PortClient, PortSettings};

use super::{Link, SEND_TIMEOUT};
use crate::LinkError;

/// How often to look whether the other end has room again.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// One end of a shared port.
pub struct Rfc2217Link {
    inner: Box<dyn Link>,
    shared: Arc<Shared>,
}

/// What both handles share.
struct Shared {
    client: Mutex<PortClient>,
    /// What answers and data are sent over.
    out: Mutex<Box<dyn Link>>,
    /// Bytes that came with the last part of the negotiation.
    early: Mutex<Vec<u8>>,
}

impl Rfc2217Link {
    /// Negotiates with the machine at the other end, until this moment.
    ///
    /// # Errors
    /// A sentence, if there is no such port, somebody else has it, or it has another speed.
    pub fn negotiate(
        mut inner: Box<dyn Link>,
        at: &str,
        baud: u32,
        until: Instant,
    ) -> Result<Rfc2217Link, DriverError> {
        let lost = |error: io::Error| LinkError::gone(at, &error.to_string());
        let mut said = Vec::new();
        let mut client = PortClient::new(PortSettings::plain(baud), &mut said);
        let (mut buffer, mut early) = ([0; 512], Vec::new());
        let has = loop {
            if !said.is_empty() {
                inner.send(&said).map_err(lost)?;
                said.clear();
            }
            match client.negotiation() {
                Negotiation::Ready(baud) => break baud,
                Negotiation::Refused => return Err(no_port(at, &client)),
                Negotiation::Waiting => {}
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(no_port(at, &client));
            }
            match inner.receive(&mut buffer, left) {
                Ok(length) => {
                    let bytes = buffer.get(..length).unwrap_or_default();
                    client.hear(bytes, &mut early, &mut said);
                }
                // Whoever refuses says so, and closes the line.
                Err(_) if !client.said().is_empty() => return Err(no_port(at, &client)),
                Err(error) => return Err(lost(error)),
            }
        };
        if has != baud {
            return Err(LinkError::open(format!(
                "the port at {at} has {has} bits a second, not {baud}: write --baud {has}"
            )));
        }
        let out = inner.try_clone().map_err(lost)?;
        let shared = Arc::new(Shared {
            client: Mutex::new(client),
            out: Mutex::new(out),
            early: Mutex::new(early),
        });
        Ok(Rfc2217Link { inner, shared })
    }
}

/// The error that no port can be had.
fn no_port(at: &str, client: &PortClient) -> DriverError {
    LinkError::open(match client.said() {
        "" => format!(
            "what answers at {at} is no serial port of RFC 2217: check the address, and that `hil-bridge serve --rfc2217` or ser2net is there"
        ),
        said => format!("the port at {at} cannot be had: {said}"),
    })
}

impl Link for Rfc2217Link {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let until = Instant::now() + SEND_TIMEOUT;
        while self.shared.client.lock().is_suspended() {
            if Instant::now() >= until {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(LOOK_EVERY);
        }
        let mut said = Vec::new();
        PortClient::say(bytes, &mut said);
        self.shared.out.lock().send(&said)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let mut arrived = {
            let mut early = self.shared.early.lock();
            let count = early.len().min(buffer.len());
            early.drain(..count).collect::<Vec<u8>>()
        };
        if arrived.is_empty() {
            // What arrives becomes shorter, so it fits the same buffer afterwards.
            let length = self.inner.receive(buffer, timeout)?;
            let bytes = buffer.get(..length).unwrap_or_default();
            let mut answer = Vec::new();
            let mut client = self.shared.client.lock();
            client.hear(bytes, &mut arrived, &mut answer);
            drop(client);
            if !answer.is_empty() {
                self.shared.out.lock().send(&answer)?;
            }
        }
        for (place, byte) in buffer.iter_mut().zip(&arrived) {
            *place = *byte;
        }
        Ok(arrived.len())
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(Rfc2217Link {
            inner: self.inner.try_clone()?,
            shared: Arc::clone(&self.shared),
        }))
    }
}
