//! The faults of a line: bytes that are lost, flipped, duplicated or late, and a line
//! that is cut or stalls.
//!
//! Invariants: the same faults affect the same bytes of each direction, however the bytes
//! are divided into pieces; they continue when the line is opened again.

use super::Faults;
use crate::rng::Rng;

/// The maximum number of bytes that are lost at once, as when the buffer of a UART
/// overflows.
const LOST_BYTES: u32 = 16;

/// The faults of a line. Rates are per million bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFaults {
    /// The rate, per million bytes, at which 1 to 16 bytes are lost.
    pub drop_ppm: u64,
    /// The rate, per million bytes, at which a bit is flipped.
    pub flip_ppm: u64,
    /// The rate, per million bytes, at which a byte arrives twice.
    pub duplicate_ppm: u64,
    /// The rate, per million bytes, at which the line is cut; it can be opened again.
    pub cut_ppm: u64,
    /// The number of bytes, in both directions together, after which the line is cut
    /// once.
    pub cut_after_bytes: Option<u64>,
    /// The rate, per million bytes, at which the line stalls.
    pub stall_ppm: u64,
    /// The length of a stall in milliseconds.
    pub stall_ms: u64,
    /// The delay of every byte, in each direction, in milliseconds.
    pub delay_ms: u64,
}

impl Default for LineFaults {
    fn default() -> LineFaults {
        LineFaults {
            drop_ppm: 0,
            flip_ppm: 0,
            duplicate_ppm: 0,
            cut_ppm: 0,
            cut_after_bytes: None,
            stall_ppm: 0,
            stall_ms: 100,
            delay_ms: 0,
        }
    }
}

impl LineFaults {
    /// Reasonable values to start with: one frame in twenty is damaged, and the line
    /// stalls once in some thousand bytes and is cut once in a hundred thousand.
    #[must_use]
    pub const fn bad() -> LineFaults {
        LineFaults {
            drop_ppm: 500,
            flip_ppm: 500,
            duplicate_ppm: 500,
            cut_ppm: 10,
            cut_after_bytes: None,
            stall_ppm: 100,
            stall_ms: 50,
            delay_ms: 2,
        }
    }

    /// True if the line has no faults.
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

/// A direction of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineDirection {
    /// From the host to the board.
    ToBoard,
    /// From the board to the host.
    FromBoard,
}

/// What happened to a byte on a faulty line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// The byte that arrives, if it is not lost.
    pub byte: Option<u8>,
    /// True if the byte arrives twice.
    pub twice: bool,
    /// How long the line stalls before the byte, in milliseconds.
    pub stall_ms: u64,
    /// True if the line was cut before the byte, which is then not sent.
    pub cut: bool,
}

/// The faults and delayed bytes of one direction.
#[derive(Clone, Debug)]
struct Lane {
    rng: Rng,
    /// The number of bytes still to be lost.
    losing: u32,
}

impl Lane {
    /// The lanes to and from the board of a line with these faults.
    fn both(faults: &Faults) -> [Lane; 2] {
        let [to_board, from_board, _] = faults.chance();
        [to_board, from_board].map(|rng| Lane { rng, losing: 0 })
    }

    fn happens(&mut self, ppm: u64) -> bool {
        ppm > 0 && u64::from(self.rng.below(1_000_000)) < ppm
    }
}

/// A line with faults, open or closed.
#[derive(Clone, Debug)]
pub struct FaultyBytes {
    faults: LineFaults,
    seed: u64,
    to_board: Lane,
    from_board: Lane,
    /// Bytes in both directions so far.
    total: u64,
}

impl FaultyBytes {
    /// A line on which nothing has been sent yet.
    #[must_use]
    pub fn new(faults: &Faults) -> FaultyBytes {
        let [to_board, from_board] = Lane::both(faults);
        FaultyBytes {
            faults: faults.line.clone(),
            seed: faults.seed,
            to_board,
            from_board,
            total: 0,
        }
    }

    /// The faults of the line.
    #[must_use]
    pub fn faults(&self) -> &LineFaults {
        &self.faults
    }

    /// Changes the faults; the random numbers continue.
    pub fn set(&mut self, faults: LineFaults) {
        self.faults = faults;
    }

    /// Begins the random numbers anew, if the seed of these faults is a new one.
    pub fn reseed(&mut self, faults: &Faults) {
        if faults.seed != self.seed {
            self.seed = faults.seed;
            [self.to_board, self.from_board] = Lane::both(faults);
        }
    }

    /// Passes the next byte in this direction through the faults.
    pub fn pass(&mut self, way: LineDirection, byte: u8) -> Passed {
        let faults = &self.faults;
        let lane = match way {
            LineDirection::ToBoard => &mut self.to_board,
            LineDirection::FromBoard => &mut self.from_board,
        };
        self.total = self.total.saturating_add(1);
        let cut_here = faults
            .cut_after_bytes
            .is_some_and(|after| self.total == after.saturating_add(1));
        if cut_here || lane.happens(faults.cut_ppm) {
            return Passed {
                cut: true,
                ..Passed::default()
            };
        }
        let stall_ms = if lane.happens(faults.stall_ppm) {
            faults.stall_ms
        } else {
            0
        };
        if lane.happens(faults.drop_ppm) {
            lane.losing = 1 + lane.rng.below(LOST_BYTES);
        }
        let flip = lane.happens(faults.flip_ppm);
        let twice = lane.happens(faults.duplicate_ppm);
        let byte = if lane.losing > 0 {
            lane.losing -= 1;
            None
        } else if flip {
            Some(byte ^ (1 << lane.rng.below(8)))
        } else {
            Some(byte)
        };
        Passed {
            byte,
            twice,
            stall_ms,
            cut: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    /// What happens to each of these bytes.
    fn passed(faults: &Faults, sent: &[u8]) -> Vec<Passed> {
        let mut line = FaultyBytes::new(faults);
        sent.iter()
            .map(|byte| line.pass(LineDirection::ToBoard, *byte))
            .collect()
    }

    fn bad(seed: u64) -> Faults {
        Faults {
            seed,
            line: LineFaults {
                drop_ppm: 20_000,
                flip_ppm: 20_000,
                duplicate_ppm: 20_000,
                stall_ppm: 20_000,
                ..LineFaults::default()
            },
            ..Faults::default()
        }
    }

    /// A failure report contains the seed, so the same seed must damage the same bytes in
    /// every build.
    #[test]
    fn a_seed_damages_the_same_bytes_in_every_build() {
        let sent: Vec<u8> = (0..=255).collect();
        let hurt: Vec<(usize, Passed)> = passed(&bad(7), &sent)
            .into_iter()
            .enumerate()
            .filter(|(place, passed)| {
                passed.byte != Some(*place as u8) || passed.twice || passed.stall_ms > 0
            })
            .collect();
        insta::assert_debug_snapshot!(hurt.first());
    }

    #[test]
    fn a_new_seed_of_an_open_line_acts_from_then_on() {
        let sent: Vec<u8> = (0..=255).collect();
        let pass = |line: &mut FaultyBytes| -> Vec<Passed> {
            let pass = |byte: &u8| line.pass(LineDirection::FromBoard, *byte);
            sent.iter().map(pass).collect()
        };
        let mut line = FaultyBytes::new(&bad(7));
        let first = pass(&mut line);
        line.reseed(&bad(7));
        assert_ne!(pass(&mut line), first, "the same seed goes on");
        line.reseed(&bad(8));
        pass(&mut line);
        line.reseed(&bad(7));
        assert_eq!(pass(&mut line), first);
    }

    proptest! {
        #[test]
        fn a_line_without_faults_changes_nothing(seed: u64, sent: Vec<u8>) {
            let faults = Faults { seed, ..Faults::default() };
            let whole = sent.iter().map(|byte| Passed { byte: Some(*byte), ..Passed::default() });
            prop_assert_eq!(passed(&faults, &sent), whole.collect::<Vec<_>>());
        }

        #[test]
        fn damage_does_not_depend_on_the_other_direction(
            seed: u64,
            sent: Vec<u8>,
            answers: Vec<u8>,
        ) {
            let mut line = FaultyBytes::new(&bad(seed));
            let mut answers = answers.into_iter();
            let both: Vec<Passed> = sent
                .iter()
                .map(|byte| {
                    if let Some(answer) = answers.next() {
                        line.pass(LineDirection::FromBoard, answer);
                    }
                    line.pass(LineDirection::ToBoard, *byte)
                })
                .collect();
            prop_assert_eq!(both, passed(&bad(seed), &sent));
        }
    }
}
