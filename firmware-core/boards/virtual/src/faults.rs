//! A bad line, on purpose and by a seed: bytes lost, flipped, said twice, late,
//! and the line cut or standing still.
//!
//! What always holds: the same options give the same faults at the same bytes
//! of each direction, however the bytes are divided into pieces; the faults go
//! on where they were when the line is opened again; without faults every byte
//! arrives as it was sent.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use firmware_core::Rng;

use crate::options::number;

/// The most bytes that are lost at once: what a UART loses whose buffer
/// overflows.
const LOST_BYTES: u32 = 16;

/// Of each option by itself: a heading of the whole group would go on to the
/// options that come after it.
const HEADING: &str = "Faults of the line";

/// Nothing happens more often than a million times in a million.
const MOST_PPM: u32 = 1_000_000;

/// Nobody waits for a line longer than a day.
const MOST_MS: u64 = 24 * 60 * 60 * 1_000;

/// What is wrong with a line. Chances are per million bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct FaultOptions {
    /// What the faults follow from: the same seed gives the same faults
    #[arg(help_heading = HEADING, id = "fault-seed", long, value_name = "SEED", value_parser = number(0, u64::MAX), allow_negative_numbers = true, default_value_t)]
    pub seed: u64,
    /// Bytes in a million at which 1 to 16 bytes are lost
    #[arg(help_heading = HEADING, id = "fault-drop-ppm", long, value_name = "PPM", value_parser = number(0, MOST_PPM), allow_negative_numbers = true, default_value_t)]
    pub drop_ppm: u32,
    /// Bytes in a million in which one bit is flipped
    #[arg(help_heading = HEADING, id = "fault-flip-ppm", long, value_name = "PPM", value_parser = number(0, MOST_PPM), allow_negative_numbers = true, default_value_t)]
    pub flip_ppm: u32,
    /// Bytes in a million that arrive twice
    #[arg(help_heading = HEADING, id = "fault-duplicate-ppm", long, value_name = "PPM", value_parser = number(0, MOST_PPM), allow_negative_numbers = true, default_value_t)]
    pub duplicate_ppm: u32,
    /// Bytes in a million after which the line is cut; it can be opened again
    #[arg(help_heading = HEADING, id = "fault-cut-ppm", long, value_name = "PPM", value_parser = number(0, MOST_PPM), allow_negative_numbers = true, default_value_t)]
    pub cut_ppm: u32,
    /// Cut the line once, after so many bytes of both directions
    #[arg(help_heading = HEADING, id = "fault-cut-after", long, value_name = "BYTES", value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    pub cut_after_bytes: Option<u64>,
    /// Bytes in a million after which the line stands still for a while
    #[arg(help_heading = HEADING, id = "fault-stall-ppm", long, value_name = "PPM", value_parser = number(0, MOST_PPM), allow_negative_numbers = true, default_value_t)]
    pub stall_ppm: u32,
    /// How long it stands still
    #[arg(help_heading = HEADING, id = "fault-stall-ms", long, value_name = "MS", value_parser = number(0, MOST_MS), allow_negative_numbers = true, default_value_t = 100)]
    pub stall_ms: u64,
    /// How late everything comes, each way
    #[arg(help_heading = HEADING, id = "fault-delay-ms", long, value_name = "MS", value_parser = number(0, MOST_MS), allow_negative_numbers = true, default_value_t)]
    pub delay_ms: u64,
}

impl FaultOptions {
    /// Good values to begin with: a frame in twenty is hurt, the line stands
    /// still once in some thousand bytes, and is cut once in a hundred
    /// thousand.
    #[must_use]
    pub fn bad_line(seed: u64) -> FaultOptions {
        FaultOptions {
            seed,
            drop_ppm: 500,
            flip_ppm: 500,
            duplicate_ppm: 500,
            cut_ppm: 10,
            stall_ppm: 100,
            stall_ms: 50,
            delay_ms: 2,
            ..FaultOptions::default()
        }
    }

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// What is left of them.
    pub bytes: Vec<u8>,
    /// How much later than they were sent they arrive.
    pub late: Duration,
    /// True if the line was cut behind them.
    pub cut: bool,
}

/// One direction.
#[derive(Debug)]
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

#[derive(Debug)]
struct Lanes {
    options: FaultOptions,
    to_board: Lane,
    from_board: Lane,
    /// Bytes of both directions so far.
    total: u64,
}

/// The faults of one line, kept while it is closed and opened again.
#[derive(Clone, Debug)]
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

    /// What arrives of these bytes from the host.
    #[must_use]
    pub fn pass_to_board(&self, bytes: &[u8]) -> Passed {
        let lanes = &mut *self.lanes();
        lanes.to_board.pass(&lanes.options, &mut lanes.total, bytes)
    }

    /// What arrives of these bytes from the board.
    #[must_use]
    pub fn pass_from_board(&self, bytes: &[u8]) -> Passed {
        let lanes = &mut *self.lanes();
        lanes
            .from_board
            .pass(&lanes.options, &mut lanes.total, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
