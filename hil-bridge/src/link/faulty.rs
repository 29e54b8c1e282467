//! A bad line, on purpose and by a seed: bytes lost, flipped, said twice, late,
//! and the line cut or standing still.
//!
//! What always holds: the same options give the same faults at the same bytes
//! of each direction, however the bytes are divided into pieces; the faults go
//! on where they were when the line is opened again; without faults every byte
//! arrives as it was sent.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use firmware_core::Rng;

use super::{Link, ended};

/// The most bytes that are lost at once: what a UART loses whose buffer
/// overflows.
const LOST_BYTES: u32 = 16;

/// What is wrong with a line. Chances are per million bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Faults of the line")]
pub struct FaultOptions {
    /// What the faults follow from: the same seed gives the same faults
    #[arg(
        id = "fault-seed",
        long = "fault-seed",
        value_name = "SEED",
        default_value_t = 0
    )]
    pub seed: u64,
    /// Bytes in a million at which 1 to 16 bytes are lost
    #[arg(
        id = "fault-drop-ppm",
        long = "fault-drop-ppm",
        value_name = "PPM",
        default_value_t = 0
    )]
    pub drop_ppm: u32,
    /// Bytes in a million in which one bit is flipped
    #[arg(
        id = "fault-flip-ppm",
        long = "fault-flip-ppm",
        value_name = "PPM",
        default_value_t = 0
    )]
    pub flip_ppm: u32,
    /// Bytes in a million that arrive twice
    #[arg(
        id = "fault-duplicate-ppm",
        long = "fault-duplicate-ppm",
        value_name = "PPM",
        default_value_t = 0
    )]
    pub duplicate_ppm: u32,
    /// Bytes in a million after which the line is cut; it can be opened again
    #[arg(
        id = "fault-cut-ppm",
        long = "fault-cut-ppm",
        value_name = "PPM",
        default_value_t = 0
    )]
    pub cut_ppm: u32,
    /// Cut the line once, after so many bytes of both directions
    #[arg(id = "fault-cut-after", long = "fault-cut-after", value_name = "BYTES")]
    pub cut_after_bytes: Option<u64>,
    /// Bytes in a million after which the line stands still for a while
    #[arg(
        id = "fault-stall-ppm",
        long = "fault-stall-ppm",
        value_name = "PPM",
        default_value_t = 0
    )]
    pub stall_ppm: u32,
    /// How long it stands still
    #[arg(
        id = "fault-stall-ms",
        long = "fault-stall-ms",
        value_name = "MS",
        default_value_t = 100
    )]
    pub stall_ms: u64,
    /// How late everything comes, each way
    #[arg(
        id = "fault-delay-ms",
        long = "fault-delay-ms",
        value_name = "MS",
        default_value_t = 0
    )]
    pub delay_ms: u64,
}

impl FaultOptions {
    /// True if nothing is wrong.
    #[must_use]
    pub fn are_none(&self) -> bool {
        let chances = [
            self.drop_ppm,
            self.flip_ppm,
            self.duplicate_ppm,
            self.cut_ppm,
            self.stall_ppm,
        ];
        chances.iter().all(|ppm| *ppm == 0) && self.cut_after_bytes.is_none() && self.delay_ms == 0
    }
}

/// What a piece of bytes came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Passed {
    bytes: Vec<u8>,
    late: Duration,
    cut: bool,
}

/// One direction.
struct Lane {
    rng: Rng,
    /// Bytes that are still to be lost.
    losing: u32,
}

impl Lane {
    fn pass(&mut self, options: &FaultOptions, total: &mut u64, bytes: &[u8]) -> Passed {
        let mut passed = Passed::default();
        if !bytes.is_empty() {
            passed.late = Duration::from_millis(options.delay_ms);
        }
        for byte in bytes {
            *total += 1;
            passed.cut |= options
                .cut_after_bytes
                .is_some_and(|after| *total == after + 1);
            passed.cut |= self.happens(options.cut_ppm);
            if passed.cut {
                break;
            }
            if self.happens(options.stall_ppm) {
                passed.late += Duration::from_millis(options.stall_ms);
            }
            if self.happens(options.drop_ppm) {
                self.losing = 1 + self.rng.below(LOST_BYTES);
            }
            let flip = self.happens(options.flip_ppm);
            let twice = self.happens(options.duplicate_ppm);
            if self.losing > 0 {
                self.losing -= 1;
                continue;
            }
            let byte = if flip {
                byte ^ (1 << self.rng.below(8))
            } else {
                *byte
            };
            passed.bytes.push(byte);
            if twice {
                passed.bytes.push(byte);
            }
        }
        passed
    }

    fn happens(&mut self, ppm: u32) -> bool {
        ppm > 0 && self.rng.below(1_000_000) < ppm
    }
}

struct Lanes {
    options: FaultOptions,
    to_board: Lane,
    from_board: Lane,
    /// Bytes of both directions so far.
    total: u64,
}

/// The faults of one line, kept while it is closed and opened again.
#[derive(Clone)]
pub struct Faults(Arc<Mutex<Lanes>>);

impl Faults {
    /// The faults that follow from these options.
    #[must_use]
    pub fn new(options: FaultOptions) -> Faults {
        let mut rng = Rng::new(options.seed);
        let mut lane = || Lane {
            rng: rng.split(),
            losing: 0,
        };
        Faults(Arc::new(Mutex::new(Lanes {
            to_board: lane(),
            from_board: lane(),
            total: 0,
            options,
        })))
    }

    /// Changes them while the line is open; the chance goes on.
    pub fn set(&self, options: FaultOptions) {
        self.lanes().options = options;
    }

    fn lanes(&self) -> std::sync::MutexGuard<'_, Lanes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass_to_board(&self, bytes: &[u8]) -> Passed {
        let lanes = &mut *self.lanes();
        lanes.to_board.pass(&lanes.options, &mut lanes.total, bytes)
    }

    fn pass_from_board(&self, bytes: &[u8]) -> Passed {
        let lanes = &mut *self.lanes();
        lanes
            .from_board
            .pass(&lanes.options, &mut lanes.total, bytes)
    }
}

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

    fn bad() -> FaultOptions {
        FaultOptions {
            seed: 7,
            drop_ppm: 20_000,
            flip_ppm: 20_000,
            duplicate_ppm: 20_000,
            ..FaultOptions::default()
        }
    }

    /// What arrives of 4,000 bytes, sent in pieces of this size.
    fn arrives(options: FaultOptions, piece: usize) -> Vec<u8> {
        let sent: Vec<u8> = (0..4_000u32).map(|n| n as u8).collect();
        let faults = Faults::new(options);
        sent.chunks(piece)
            .flat_map(|bytes| faults.pass_to_board(bytes).bytes)
            .collect()
    }

    #[test]
    fn a_line_without_faults_changes_nothing() {
        let sent: Vec<u8> = (0..4_000u32).map(|n| n as u8).collect();
        assert_eq!(arrives(FaultOptions::default(), 100), sent);
        assert!(FaultOptions::default().are_none());
    }

    #[test]
    fn the_same_seed_gives_the_same_faults_in_pieces_of_any_size() {
        assert_eq!(arrives(bad(), 4_000), arrives(bad(), 1));
        assert_ne!(
            arrives(bad(), 10),
            arrives(FaultOptions { seed: 8, ..bad() }, 10)
        );
        assert_ne!(arrives(bad(), 10), arrives(FaultOptions::default(), 10));
    }

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
