//! Every message of a line in the log, in words.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::wire::{self, WireError};
use protocol::{Message, ToDevice, ToHost};
use tracing::{debug, warn};

use super::Link;

type Receiver = Arc<Mutex<wire::Receiver>>;

/// A link whose messages are logged at level `debug`, and what was no message
/// at level `warn`.
pub struct TracedLink<L> {
    inner: L,
    to_device: Receiver,
    to_host: Receiver,
}

impl<L: Link> TracedLink<L> {
    /// Logs what goes over `inner`.
    pub fn new(inner: L) -> TracedLink<L> {
        TracedLink {
            inner,
            to_device: Arc::default(),
            to_host: Arc::default(),
        }
    }
}

fn trace<M: Message + std::fmt::Debug>(direction: &str, receiver: &Receiver, bytes: &[u8]) {
    let mut receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
    for byte in bytes {
        match receiver
            .feed(*byte)
            .map(|plain| plain.and_then(wire::parse::<M>))
        {
            None => {}
            Some(Ok(message)) => debug!("{direction} {message:?}"),
            Some(Err(error)) => log_error(direction, error),
        }
    }
}

fn log_error(direction: &str, error: WireError) {
    warn!("{direction} {error}");
}

impl<L: Link> Link for TracedLink<L> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        trace::<ToDevice>("to the board:", &self.to_device, bytes);
        self.inner.send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let length = self.inner.receive(buffer, timeout)?;
        trace::<ToHost>("from the board:", &self.to_host, &buffer[..length]);
        Ok(length)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(TracedLink {
            inner: self.inner.try_clone()?,
            to_device: self.to_device.clone(),
            to_host: self.to_host.clone(),
        }))
    }
}
