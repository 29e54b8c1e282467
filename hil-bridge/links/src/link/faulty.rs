//! A link with simulated [faults](firmware_core::faults).
//!
//! Invariants: delayed bytes are in transit; neither sender nor receiver is blocked for
//! longer than on a good line; in each direction, at most [`MOST_IN_TRANSIT`] bytes are in
//! transit.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use firmware_core::faults::{Arrived, FaultyLine, Late};
use touchboard_sharing::rfc2217::Port;

use super::{Link, ended};

/// The maximum number of bytes that are delayed in one direction: eight seconds of a line
/// with a million baud, and far more than the buffers of a real line hold. A stall may last
/// for days.
const MOST_IN_TRANSIT: usize = 1 << 20;

/// The error of a line that would delay more than [`MOST_IN_TRANSIT`] bytes.
fn holds_no_more() -> io::Error {
    io::Error::other(format!(
        "the line has ended: its simulated faults delay more than {MOST_IN_TRANSIT} bytes; choose a shorter delay-ms or stall-ms"
    ))
}

/// A link with simulated faults.
pub struct FaultyLink<L> {
    inner: L,
    faults: FaultyLine,
    /// Set once the line has been cut; shared by clones.
    cut: Arc<AtomicBool>,
    /// The channel to the thread that sends delayed bytes; `None` until there are any.
    sender: Option<Sender<Arrived>>,
    /// The number of delayed bytes that it has not sent yet; shared by clones.
    to_board: Arc<AtomicUsize>,
    /// Bytes from the board that are still in transit.
    from_board: Late,
    /// The error that follows when the bytes in transit have arrived.
    ended: Option<io::Error>,
    /// Bytes that have arrived but did not fit into a buffer.
    rest: VecDeque<u8>,
}

impl<L: Link> FaultyLink<L> {
    /// A link to `inner` with these faults.
    pub fn new(inner: L, faults: FaultyLine) -> FaultyLink<L> {
        FaultyLink {
            inner,
            faults,
            cut: Arc::default(),
            sender: None,
            to_board: Arc::default(),
            from_board: Late::default(),
            ended: None,
            rest: VecDeque::new(),
        }
    }

    fn check(&self) -> io::Result<()> {
        if self.cut.load(Ordering::Acquire) {
            return Err(ended());
        }
        Ok(())
    }

    /// The channel to the thread that sends delayed bytes. The thread ends with the last
    /// link that has the channel; bytes in transit are then lost with the line.
    fn sender(&mut self) -> io::Result<&Sender<Arrived>> {
        if self.sender.is_none() {
            let link = self.inner.try_clone()?;
            let cut = Arc::clone(&self.cut);
            let held = Arc::clone(&self.to_board);
            // Its contents are counted: see `send_late`.
            let (sender, passed) = unbounded();
            thread::Builder::new()
                .name("late-bytes".into())
                .spawn(move || send_in_time(link, &passed, &held, &cut))?;
            self.sender = Some(sender);
        }
        self.sender.as_ref().ok_or_else(ended)
    }

    /// Sends these bytes when they are due, unless too many wait for that already.
    fn send_late(&mut self, passed: Arrived) -> io::Result<()> {
        let count = passed.bytes.len();
        if self.to_board.fetch_add(count, Ordering::AcqRel) + count > MOST_IN_TRANSIT {
            self.cut.store(true, Ordering::Release);
            return Err(holds_no_more());
        }
        self.sender()?.send(passed).map_err(|_| ended())
    }

    /// Receives bytes until the deadline, or until the next bytes arrive.
    fn take_in(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<()> {
        let now = Instant::now();
        let until = self
            .from_board
            .next()
            .map_or(deadline, |at| at.min(deadline));
        let wait = until.saturating_duration_since(now);
        if self.ended.is_some() {
            thread::sleep(wait);
            return Ok(());
        }
        match self.inner.receive(buffer, wait) {
            Ok(0) => {}
            Ok(length) => {
                let bytes = buffer.get(..length).unwrap_or_default();
                let passed = self.faults.pass_from_board(bytes);
                if self.from_board.on_the_way() + passed.bytes.len() > MOST_IN_TRANSIT {
                    self.cut.store(true, Ordering::Release);
                    return Err(holds_no_more());
                }
                self.from_board.send(Instant::now(), passed);
            }
            Err(error) if self.from_board.next().is_some() => self.ended = Some(error),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Sends delayed bytes when they are due, and subtracts them from those that are `held`.
fn send_in_time(
    mut link: Box<dyn Link>,
    passed: &Receiver<Arrived>,
    held: &AtomicUsize,
    cut: &AtomicBool,
) {
    let mut late = Late::default();
    loop {
        let next = match late.next() {
            Some(at) => passed.recv_deadline(at),
            None => passed.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(passed) => late.send(Instant::now(), passed),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let mut bytes = Vec::new();
        let was_cut = late.arrive(Instant::now(), &mut bytes);
        held.fetch_sub(bytes.len(), Ordering::AcqRel);
        // Bytes from before a cut still arrive.
        let arrived = bytes.is_empty() || link.send(&bytes).is_ok();
        if was_cut || !arrived {
            cut.store(true, Ordering::Release);
            return;
        }
    }
}

impl<L: Link> Link for FaultyLink<L> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        if self.sender.is_none() && self.faults.are_none() {
            return self.inner.send(bytes);
        }
        let passed = self.faults.pass_to_board(bytes);
        if self.sender.is_some() || !passed.late.is_zero() {
            return self.send_late(passed);
        }
        if !passed.bytes.is_empty() {
            self.inner.send(&passed.bytes)?;
        }
        if passed.cut {
            self.cut.store(true, Ordering::Release);
        }
        self.check()
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let on_the_way = self.from_board.next().is_some() || self.ended.is_some();
        if self.rest.is_empty() && !on_the_way && self.faults.are_none() {
            self.check()?;
            return self.inner.receive(buffer, timeout);
        }
        let deadline = Instant::now() + timeout;
        while self.rest.is_empty() {
            self.check()?;
            let mut arrived = Vec::new();
            if self.from_board.arrive(Instant::now(), &mut arrived) {
                self.cut.store(true, Ordering::Release);
            }
            self.rest.extend(arrived);
            if !self.rest.is_empty() {
                break;
            }
            if self.from_board.next().is_none()
                && let Some(error) = self.ended.take()
            {
                return Err(error);
            }
            if Instant::now() >= deadline {
                return Ok(0);
            }
            self.take_in(buffer, deadline)?;
        }
        self.rest.read(buffer)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(FaultyLink {
            inner: self.inner.try_clone()?,
            faults: self.faults.clone(),
            cut: self.cut.clone(),
            sender: self.sender.clone(),
            to_board: self.to_board.clone(),
            from_board: Late::default(),
            ended: None,
            rest: VecDeque::new(),
        }))
    }

    fn port(&mut self) -> Option<&mut dyn Port> {
        self.inner.port()
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::Faults;

    use super::*;
    use crate::link::Loopback;

    const SHORTLY: Duration = Duration::from_millis(5);

    fn faults(text: &str) -> Faults {
        text.parse().unwrap()
    }

    #[test]
    fn a_cut_line_passes_earlier_bytes_and_then_fails() {
        let (near, mut far) = Loopback::pair();
        let faults = FaultyLine::new(&faults("cut-after 3"));
        let mut near = FaultyLink::new(near, faults.clone());
        let mut clone = near.try_clone().unwrap();
        assert!(near.send(&[1, 2, 3, 4, 5]).is_err());
        assert!(clone.receive(&mut [0; 4], SHORTLY).is_err());
        let mut buffer = [0; 8];
        assert_eq!(far.receive(&mut buffer, SHORTLY).unwrap(), 3);
        assert_eq!(buffer[..3], [1, 2, 3]);
        let (again, mut far) = Loopback::pair();
        FaultyLink::new(again, faults).send(&[6, 7]).unwrap();
        assert_eq!(far.receive(&mut buffer, SHORTLY).unwrap(), 2);
    }

    #[test]
    fn a_stalled_line_does_not_block_the_caller() {
        let (near, mut far) = Loopback::pair();
        let mut near = FaultyLink::new(
            near,
            FaultyLine::new(&faults("stall-ppm 1000000, stall-ms 86400000")),
        );
        near.send(&[1, 2, 3]).unwrap();
        far.send(&[4, 5, 6]).unwrap();
        let mut buffer = [0; 8];
        assert_eq!(near.receive(&mut buffer, SHORTLY).unwrap(), 0);
        assert_eq!(far.receive(&mut buffer, SHORTLY).unwrap(), 0);
    }

    #[test]
    fn a_line_that_would_delay_too_much_ends_with_a_sentence() {
        const BLOCK: usize = MOST_IN_TRANSIT / 16;
        let stall = faults("stall-ppm 1000000, stall-ms 86400000");
        let sentence = "the line has ended: its simulated faults delay more than 1048576 bytes; \
                        choose a shorter delay-ms or stall-ms";
        let (near, mut far) = Loopback::pair();
        let mut near = FaultyLink::new(near, FaultyLine::new(&stall));
        for _ in 0..16 {
            near.send(&[7; BLOCK]).unwrap();
        }
        let error = near.send(&[7; BLOCK]).unwrap_err();
        assert_eq!(error.to_string(), sentence);
        assert_eq!(
            near.send(&[7]).unwrap_err().to_string(),
            "the line has ended"
        );

        let (again, mut far_again) = Loopback::pair();
        let mut near = FaultyLink::new(again, FaultyLine::new(&stall));
        let mut buffer = vec![0; BLOCK];
        for _ in 0..17 {
            far_again.send(&[7; BLOCK]).unwrap();
        }
        // Each call takes in what has arrived, and gives nothing before the stall ends.
        let error = (0..200).find_map(|_| near.receive(&mut buffer, SHORTLY).err());
        assert_eq!(error.unwrap().to_string(), sentence);
        assert_eq!(far.receive(&mut buffer, SHORTLY).unwrap(), 0);
    }

    #[test]
    fn delayed_bytes_arrive_in_order_before_the_line_ends() {
        let (near, mut far) = Loopback::pair();
        let mut near = FaultyLink::new(near, FaultyLine::new(&faults("delay-ms 20")));
        for byte in 1..=3 {
            near.send(&[byte]).unwrap();
            far.send(&[byte]).unwrap();
        }
        let mut heard: Vec<u8> = Vec::new();
        let mut buffer = [0; 8];
        while heard.len() < 3 {
            let length = far.receive(&mut buffer, SHORTLY).unwrap();
            heard.extend(&buffer[..length]);
        }
        assert_eq!(heard, [1, 2, 3]);
        drop(far);
        heard.clear();
        while let Ok(length) = near.receive(&mut buffer, SHORTLY) {
            heard.extend(&buffer[..length]);
        }
        assert_eq!(heard, [1, 2, 3]);
    }
}
