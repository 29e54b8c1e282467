//! The bytes on a line as waveforms, `line.to-board` and `line.from-board`.
//!
//! All other signals can be computed from a session. The bytes on a line cannot: they depend
//! on what the host asks, and when. So they are collected while they pass.
//!
//! Invariants: the value at a ms is the number of bytes that passed in it; times never go
//! back, except by [`LineWaves::go_back`].

use firmware_core::faults::LineDirection;
use protocol::{Layout, Tick};

use super::{Signal, SignalValue, Waveform, Waveforms};
use crate::traffic::LineItem;

/// The number of changes kept of each direction; older ones are dropped. They are those of
/// an hour or more.
const CHANGES_KEPT: usize = 200_000;

/// The waveforms of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineWaves {
    /// To the board, and from it.
    waves: [Waveform; 2],
    /// The ms in which bytes passed last, and their number in each direction.
    last: (Tick, [u64; 2]),
}

impl Default for LineWaves {
    fn default() -> LineWaves {
        LineWaves::new(0)
    }
}

impl LineWaves {
    /// The waveforms of a line on which nothing has passed, beginning at this ms.
    #[must_use]
    pub fn new(from: Tick) -> LineWaves {
        let nothing = |signal| Waveform {
            signal,
            changes: vec![(from, SignalValue::Number(0))],
        };
        LineWaves {
            waves: Signal::of_line().map(nothing),
            last: (from, [0; 2]),
        }
    }

    /// The waveforms of a wire log, in its own time.
    #[must_use]
    pub fn of_log(items: &[LineItem]) -> Waveforms {
        let mut waves = LineWaves::default();
        for item in items {
            match item {
                LineItem::Opened { at_us } => waves.end_at(at_us / 1_000),
                LineItem::Bytes {
                    at_us,
                    direction,
                    bytes,
                } => waves.pass(at_us / 1_000, *direction, bytes.len() as u64),
            }
        }
        Waveforms {
            // No name of a signal of the line depends on the layout.
            layout: Layout::MALDOO.into(),
            from: 0,
            until: waves.until(),
            waves: waves.waves.into(),
        }
    }

    /// Records that bytes passed in this ms; an earlier one counts as the last.
    pub fn pass(&mut self, at: Tick, direction: LineDirection, bytes: u64) {
        let (last, counts) = &mut self.last;
        if at > *last {
            (*last, *counts) = (at, [0; 2]);
        }
        let count = &mut counts[direction as usize];
        *count += bytes;
        let wave = &mut self.waves[direction as usize];
        // The zero after the bytes that passed before in this ms.
        wave.changes.pop_if(|(since, _)| *since > *last);
        wave.set(*last, SignalValue::Number(*count));
        wave.set(*last + 1, SignalValue::Number(0));
        if wave.changes.len() > CHANGES_KEPT {
            wave.changes.drain(..CHANGES_KEPT / 2);
        }
    }

    /// Drops what passed in this ms and later, because time went back to it.
    pub fn go_back(&mut self, to: Tick) {
        for wave in &mut self.waves {
            let before = wave.changes.partition_point(|(since, _)| *since < to);
            wave.changes.truncate(before);
            wave.set(to, SignalValue::Number(0));
        }
        self.last = (to, [0; 2]);
    }

    /// The last ms of which they tell.
    #[must_use]
    pub fn until(&self) -> Tick {
        self.last.0
    }

    /// The waveform of a signal; `None` for one that is not of the line.
    #[must_use]
    pub fn wave(&self, signal: &Signal) -> Option<&Waveform> {
        self.waves.iter().find(|wave| wave.signal == *signal)
    }

    fn end_at(&mut self, at: Tick) {
        if at > self.last.0 {
            self.last = (at, [0; 2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values(wave: &Waveform) -> Vec<(Tick, u64)> {
        let number = |value: &SignalValue| value.as_number().unwrap();
        let changes = wave.changes.iter();
        changes.map(|(at, value)| (*at, number(value))).collect()
    }

    #[test]
    fn going_back_in_time_drops_later_bytes_of_the_line() {
        let mut waves = LineWaves::new(10);
        waves.pass(20, LineDirection::ToBoard, 5);
        waves.pass(20, LineDirection::ToBoard, 2);
        waves.pass(30, LineDirection::ToBoard, 9);
        let [to_board, _] = waves.waves.clone();
        assert_eq!(
            values(&to_board),
            [(10, 0), (20, 7), (21, 0), (30, 9), (31, 0)]
        );
        waves.go_back(30);
        let [to_board, _] = waves.waves.clone();
        assert_eq!(values(&to_board), [(10, 0), (20, 7), (21, 0)]);
        waves.go_back(20);
        waves.pass(20, LineDirection::ToBoard, 1);
        let [to_board, from_board] = waves.waves;
        assert_eq!(values(&to_board), [(10, 0), (20, 1), (21, 0)]);
        assert_eq!(values(&from_board), [(10, 0)]);
    }

    proptest! {
        #[test]
        fn the_waveform_of_a_line_sums_the_bytes_of_each_ms(
            passed in prop::collection::vec((0u64..4, any::<bool>(), 1u64..50), 0..60),
        ) {
            let mut at_us = 0;
            let mut items = Vec::new();
            let mut sums = std::collections::BTreeMap::new();
            for (later, to_board, count) in passed {
                at_us += later * 700;
                let direction = match to_board {
                    true => LineDirection::ToBoard,
                    false => LineDirection::FromBoard,
                };
                *sums.entry((direction as usize, at_us / 1_000)).or_insert(0) += count;
                items.push(LineItem::Bytes { at_us, direction, bytes: vec![0; count as usize] });
            }
            let waves = LineWaves::of_log(&items);
            for (direction, wave) in waves.waves.iter().enumerate() {
                for ms in 0..at_us / 1_000 + 3 {
                    let sum = sums.get(&(direction, ms)).copied().unwrap_or(0);
                    prop_assert_eq!(wave.at(ms), Some(&SignalValue::Number(sum)));
                }
                prop_assert!(wave.changes.is_sorted_by(|(one, a), (other, b)| one < other && a != b));
            }
        }
    }
}
