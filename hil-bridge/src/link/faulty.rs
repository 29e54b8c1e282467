//! A link with the faults of [`virtual_board::faults`] in it.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use virtual_board::faults::Passed;
pub use virtual_board::faults::{FaultOptions, Faults};

use super::{Link, ended};

/// A link with faults.
pub struct Faulty<L> {
    inner: L,
    faults: Faults,
    /// Set once the line was cut; clones see it too.
    cut: Arc<AtomicBool>,
    /// Received, and not yet taken because the buffer was full.
    rest: VecDeque<u8>,
}

impl<L: Link> Faulty<L> {
    /// Makes `inner` as bad as the faults say.
    pub fn new(inner: L, faults: Faults) -> Faulty<L> {
        Faulty {
            inner,
            faults,
            cut: Arc::default(),
            rest: VecDeque::new(),
        }
    }

    fn endure(&self, passed: &Passed) {
        sleep(passed.late);
        if passed.cut {
            self.cut.store(true, Ordering::Release);
        }
    }

    fn check(&self) -> io::Result<()> {
        if self.cut.load(Ordering::Acquire) {
            return Err(ended());
        }
        Ok(())
    }
}

impl<L: Link> Link for Faulty<L> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        let passed = self.faults.pass_to_board(bytes);
        self.endure(&passed);
        if !passed.bytes.is_empty() {
            self.inner.send(&passed.bytes)?;
        }
        self.check()
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.check()?;
            let length = self.inner.receive(buffer, timeout)?;
            let passed = self.faults.pass_from_board(&buffer[..length]);
            self.endure(&passed);
            self.rest.extend(&passed.bytes);
        }
        let length = self.rest.len().min(buffer.len());
        for (place, byte) in buffer.iter_mut().zip(self.rest.drain(..length)) {
            *place = byte;
        }
        Ok(length)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(Faulty {
            inner: self.inner.try_clone()?,
            faults: self.faults.clone(),
            cut: self.cut.clone(),
            rest: VecDeque::new(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Loopback;

    const SHORTLY: Duration = Duration::from_millis(5);

    #[test]
    fn a_cut_line_passes_what_came_before_and_is_an_error_from_then_on() {
        let (near, mut far) = Loopback::pair();
        let cut_after_bytes = Some(3);
        let faults = Faults::new(FaultOptions {
            cut_after_bytes,
            ..FaultOptions::default()
        });
        let mut near = Faulty::new(near, faults.clone());
        let mut clone = near.try_clone().unwrap();
        assert!(near.send(&[1, 2, 3, 4, 5]).is_err());
        assert!(clone.receive(&mut [0; 4], SHORTLY).is_err());
        let mut buffer = [0; 8];
        assert_eq!(far.receive(&mut buffer, SHORTLY).unwrap(), 3);
        assert_eq!(buffer[..3], [1, 2, 3]);
        let (again, mut far) = Loopback::pair();
        Faulty::new(again, faults).send(&[6, 7]).unwrap();
        assert_eq!(far.receive(&mut buffer, SHORTLY).unwrap(), 2);
    }
}
