//! Delayed bytes in one direction of a slow line.

use std::collections::VecDeque;
use std::time::Instant;
use std::vec::Vec;

use super::Arrived;

/// The bytes that arrive at one moment, or a cut of the line.
struct Arrival {
    at: Instant,
    bytes: Vec<u8>,
    cut: bool,
}

/// Bytes in transit, in the order in which they were sent.
#[derive(Default)]
pub struct Late(VecDeque<Arrival>);

impl Late {
    /// Sends bytes that have passed through the faults of the line. Takes no more memory
    /// than the bytes in transit need, however many are lost between them.
    pub fn send(&mut self, now: Instant, passed: Arrived) {
        let at = now + passed.late;
        let at = self.0.back().map_or(at, |last| at.max(last.at));
        if passed.bytes.is_empty()
            && !passed.cut
            && let Some(last) = self.0.back_mut()
            && last.bytes.is_empty()
            && !last.cut
        {
            // Everything of both was lost; what follows is as late as the second.
            last.at = at;
            return;
        }
        self.0.push_back(Arrival {
            at,
            bytes: passed.bytes,
            cut: passed.cut,
        });
    }

    /// Appends the bytes that have arrived to `bytes`, up to a cut of the line. True if
    /// the line was cut there.
    pub fn arrive(&mut self, now: Instant, bytes: &mut Vec<u8>) -> bool {
        while let Some(arrival) = self.0.pop_front_if(|arrival| arrival.at <= now) {
            bytes.extend(arrival.bytes);
            if arrival.cut {
                return true;
            }
        }
        false
    }

    /// The moment at which the next bytes arrive.
    #[must_use]
    pub fn next(&self) -> Option<Instant> {
        self.0.front().map(|arrival| arrival.at)
    }

    /// The number of bytes that are delayed at present.
    #[must_use]
    pub fn on_the_way(&self) -> usize {
        self.0.iter().map(|arrival| arrival.bytes.len()).sum()
    }

    /// Drops all bytes in transit.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
