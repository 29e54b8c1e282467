//! Bytes that are on their way for a while: one direction of a slow line.

use std::collections::VecDeque;
use std::time::Instant;
use std::vec::Vec;

use super::Arrived;

/// What arrives at one moment.
struct Arrival {
    at: Instant,
    bytes: Vec<u8>,
    cut: bool,
}

/// Bytes on their way, in order: none overtakes another.
#[derive(Default)]
pub struct Late(VecDeque<Arrival>);

impl Late {
    /// Sends what the faults left of some bytes on its way.
    pub fn send(&mut self, now: Instant, passed: Arrived) {
        let at = now + passed.late;
        let at = self.0.back().map_or(at, |last| at.max(last.at));
        self.0.push_back(Arrival {
            at,
            bytes: passed.bytes,
            cut: passed.cut,
        });
    }

    /// Moves what has arrived to the end of `bytes`, up to a cut of the line;
    /// true if it was cut there.
    pub fn arrive(&mut self, now: Instant, bytes: &mut Vec<u8>) -> bool {
        while let Some(arrival) = self.0.pop_front_if(|arrival| arrival.at <= now) {
            bytes.extend(arrival.bytes);
            if arrival.cut {
                return true;
            }
        }
        false
    }

    /// When the next bytes arrive.
    #[must_use]
    pub fn next(&self) -> Option<Instant> {
        self.0.front().map(|arrival| arrival.at)
    }

    /// The number of bytes that are delayed at present.
    #[must_use]
    pub fn on_the_way(&self) -> usize {
        self.0.iter().map(|arrival| arrival.bytes.len()).sum()
    }

    /// What is on its way is lost.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
