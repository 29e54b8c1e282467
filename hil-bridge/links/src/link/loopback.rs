//! A line within this process: for tests, and for a board in another thread.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded};
use parking_lot::Mutex;

use super::{Link, SEND_TIMEOUT, ended};

/// The number of sends that may be in transit before a sender has to wait.
const QUEUE: usize = 256;

/// One end of the line. The line ends when all handles of the other end are dropped.
#[derive(Clone)]
pub struct Loopback {
    outgoing: Sender<Vec<u8>>,
    incoming: Receiver<Vec<u8>>,
    /// Bytes that have arrived but did not fit into a buffer.
    rest: Arc<Mutex<VecDeque<u8>>>,
}

impl Loopback {
    /// Both ends of a new line.
    #[must_use]
    pub fn pair() -> (Loopback, Loopback) {
        let (to_right, from_left) = bounded(QUEUE);
        let (to_left, from_right) = bounded(QUEUE);
        (
            Loopback::over(to_right, from_right),
            Loopback::over(to_left, from_left),
        )
    }

    /// The end of a line that consists of these two channels.
    #[must_use]
    pub fn over(outgoing: Sender<Vec<u8>>, incoming: Receiver<Vec<u8>>) -> Loopback {
        Loopback {
            outgoing,
            incoming,
            rest: Arc::default(),
        }
    }
}

impl Link for Loopback {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.outgoing.send_timeout(bytes.to_vec(), SEND_TIMEOUT) {
            Ok(()) => Ok(()),
            Err(SendTimeoutError::Timeout(_)) => Err(io::ErrorKind::TimedOut.into()),
            Err(SendTimeoutError::Disconnected(_)) => Err(ended()),
        }
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let mut rest = self.rest.lock();
        if rest.is_empty() {
            match self.incoming.recv_timeout(timeout) {
                Ok(bytes) => rest.extend(bytes),
                Err(RecvTimeoutError::Timeout) => return Ok(0),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            }
        }
        rest.read(buffer)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(self.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORTLY: Duration = Duration::from_millis(5);

    #[test]
    fn a_loopback_returns_bytes_in_order_for_any_buffer() {
        let (mut left, mut right) = Loopback::pair();
        left.send(b"touch").unwrap();
        left.send(b"board").unwrap();
        let (mut all, mut buffer) = (Vec::new(), [0; 3]);
        while let Ok(length @ 1..) = right.receive(&mut buffer, SHORTLY) {
            all.extend_from_slice(&buffer[..length]);
        }
        assert_eq!(all, b"touchboard");
    }

    #[test]
    fn a_loopback_without_its_other_end_fails() {
        let (mut left, right) = Loopback::pair();
        let second = right.try_clone().unwrap();
        drop(right);
        assert_eq!(left.receive(&mut [0; 8], SHORTLY).unwrap(), 0);
        drop(second);
        assert!(left.receive(&mut [0; 8], SHORTLY).is_err());
        assert!(left.send(b"x").is_err());
    }
}
