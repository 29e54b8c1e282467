//! The faults of one line, shared by everything that sends and receives on it.
//!
//! For hosts: a [`FaultyBytes`] with several owners, and its effect on pieces of bytes.
//! The owner of a clock decides when delayed bytes arrive ([`Late`](super::Late)).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::vec::Vec;

use super::{Faults, FaultyBytes, LineDirection, LineFaults};

/// What arrives of a piece of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// The bytes that arrive.
    pub bytes: Vec<u8>,
    /// The delay between sending and arrival.
    pub late: Duration,
    /// True if the line was cut after these bytes.
    pub cut: bool,
}

/// The faults of one line. They persist while the line is closed and opened again, and
/// are shared by everything that sends and receives on it.
#[derive(Clone, Debug)]
pub struct FaultyLine(Arc<Mutex<FaultyBytes>>);

impl FaultyLine {
    /// A line with these faults.
    #[must_use]
    pub fn new(faults: &Faults) -> FaultyLine {
        FaultyLine(Arc::new(Mutex::new(FaultyBytes::new(faults))))
    }

    /// Changes the faults while the line is open. The random numbers continue, or begin
    /// anew with a new seed.
    pub fn set(&self, faults: &Faults) {
        let mut line = self.line();
        line.reseed(faults);
        line.set(faults.line.clone());
    }

    /// The faults of the line at the moment.
    #[must_use]
    pub fn faults(&self) -> LineFaults {
        self.line().faults().clone()
    }

    /// True if the line has no faults.
    #[must_use]
    pub fn are_none(&self) -> bool {
        self.line().faults().are_none()
    }

    fn line(&self) -> MutexGuard<'_, FaultyBytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What arrives at the board of bytes from the host.
    #[must_use]
    pub fn pass_to_board(&self, bytes: &[u8]) -> Arrived {
        self.pass(LineDirection::ToBoard, bytes)
    }

    /// What arrives at the host of bytes from the board.
    #[must_use]
    pub fn pass_from_board(&self, bytes: &[u8]) -> Arrived {
        self.pass(LineDirection::FromBoard, bytes)
    }

    fn pass(&self, way: LineDirection, bytes: &[u8]) -> Arrived {
        let mut line = self.line();
        let mut passed = Arrived::default();
        if line.faults().are_none() {
            passed.bytes.extend_from_slice(bytes);
            return passed;
        }
        let mut late_ms = line.faults().delay_ms;
        for byte in bytes {
            let of_byte = line.pass(way, *byte);
            if of_byte.cut {
                passed.cut = true;
                break;
            }
            late_ms = late_ms.saturating_add(of_byte.stall_ms);
            let copies = if of_byte.twice { 2 } else { 1 };
            let arrived = of_byte.byte.into_iter();
            passed
                .bytes
                .extend(arrived.flat_map(|byte| std::iter::repeat_n(byte, copies)));
        }
        if !bytes.is_empty() {
            passed.late = Duration::from_millis(late_ms);
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad() -> Faults {
        "seed 7, drop-ppm 20000, flip-ppm 20000, duplicate-ppm 20000"
            .parse()
            .unwrap()
    }

    /// What arrives of 4,000 bytes that are sent in pieces of this size.
    fn arrives(faults: &Faults, piece: usize) -> Vec<u8> {
        let sent: Vec<u8> = (0..4_000u32).map(|n| n as u8).collect();
        let line = FaultyLine::new(faults);
        sent.chunks(piece)
            .flat_map(|bytes| line.pass_to_board(bytes).bytes)
            .collect()
    }

    #[test]
    fn a_line_without_faults_changes_nothing() {
        let sent: Vec<u8> = (0..4_000u32).map(|n| n as u8).collect();
        assert_eq!(arrives(&Faults::default(), 100), sent);
    }

    #[test]
    fn the_same_seed_gives_the_same_faults_in_pieces_of_any_size() {
        assert_eq!(arrives(&bad(), 4_000), arrives(&bad(), 1));
        let other = Faults { seed: 8, ..bad() };
        assert_ne!(arrives(&bad(), 10), arrives(&other, 10));
        assert_ne!(arrives(&bad(), 10), arrives(&Faults::default(), 10));
    }
}
