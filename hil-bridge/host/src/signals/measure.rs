//! Measures a waveform over a span, as an oscilloscope does between two cursors.

use std::fmt;

use protocol::Tick;

use super::{SignalValue, Waveform};

/// What was measured of a waveform over a span.
///
/// A pulse is a stretch of time in which the signal is on: not 0, `off` or `none`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measurement {
    /// The length of the span, in ms.
    pub span_ms: Tick,
    /// The number of changes after the beginning of the span.
    pub changes: usize,
    /// The number of pulses that begin after the beginning of the span.
    pub pulses: usize,
    /// The time for which the signal was on, in ms.
    pub on_ms: Tick,
    /// The ms from the beginning of each pulse to that of the next, sorted.
    periods: Vec<Tick>,
}

/// The times from a pulse to the next, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periods {
    /// The shortest.
    pub least_ms: Tick,
    /// The one in the middle.
    pub median_ms: Tick,
    /// The longest.
    pub most_ms: Tick,
}

impl Measurement {
    /// Measures a waveform from one time to another.
    #[must_use]
    pub fn of(wave: &Waveform, from: Tick, until: Tick) -> Measurement {
        let mut found = Measurement {
            span_ms: until.saturating_sub(from),
            ..Measurement::default()
        };
        let mut changes = wave.within(from, until).peekable();
        let mut before: Option<&SignalValue> = None;
        let mut last_rise = None;
        while let Some((since, value)) = changes.next() {
            let end = changes.peek().map_or(until, |(next, _)| *next);
            if value.is_on() {
                found.on_ms += end - since;
            }
            if let Some(before) = before {
                found.changes += 1;
                if value.is_on() && !before.is_on() {
                    found.pulses += 1;
                    let earlier = last_rise.replace(since);
                    found.periods.extend(earlier.map(|earlier| since - earlier));
                }
            }
            before = Some(value);
        }
        found.periods.sort_unstable();
        found
    }

    /// The times from a pulse to the next; `None` with fewer than two pulses.
    #[must_use]
    pub fn periods(&self) -> Option<Periods> {
        Some(Periods {
            least_ms: *self.periods.first()?,
            median_ms: self.periods[self.periods.len() / 2],
            most_ms: *self.periods.last()?,
        })
    }

    /// The part of the span for which the signal was on, in percent, rounded down.
    #[must_use]
    pub fn duty_percent(&self) -> Option<u64> {
        (self.on_ms * 100).checked_div(self.span_ms)
    }
}

impl fmt::Display for Measurement {
    /// `5 changes, 2 pulses, on for 200 of 1000 ms (20 %), every 400 ms (2.50 Hz)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |count: usize, word: &str| match count {
            1 => format!("1 {word}"),
            count => format!("{count} {word}s"),
        };
        let (changes, pulses) = (number(self.changes, "change"), number(self.pulses, "pulse"));
        write!(f, "{changes}, {pulses}")?;
        if let Some(percent) = self.duty_percent() {
            let (on, span) = (self.on_ms, self.span_ms);
            write!(f, ", on for {on} of {span} ms ({percent} %)")?;
        }
        let Some(periods) = self.periods() else {
            return Ok(());
        };
        let Periods {
            least_ms,
            median_ms,
            most_ms,
        } = periods;
        let hertz = 1_000.0 / median_ms as f64;
        match least_ms == most_ms {
            true => write!(f, ", every {median_ms} ms ({hertz:.2} Hz)"),
            false => write!(
                f,
                ", every {least_ms} to {most_ms} ms (median {median_ms} ms, {hertz:.2} Hz)"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use law::{Judged, Weight, law};

    use super::super::Signal;
    use super::*;

    fn wave(bits: &[(Tick, bool)]) -> Waveform {
        let bits = bits.iter();
        Waveform {
            signal: Signal::Paused,
            changes: bits
                .map(|(ms, bit)| (*ms, SignalValue::Bit(*bit)))
                .collect(),
        }
    }

    #[test]
    fn a_regular_pulse_has_its_frequency() {
        let bits: Vec<(Tick, bool)> = (0..9).map(|n| (n * 50, n % 2 == 1)).collect();
        let wave = wave(&bits);
        let told = |from, until| Measurement::of(&wave, from, until).to_string();
        assert_eq!(
            told(0, 400),
            "8 changes, 4 pulses, on for 200 of 400 ms (50 %), every 100 ms (10.00 Hz)"
        );
        // The pulse that is under way at the beginning is time, but no pulse.
        assert_eq!(
            told(60, 220),
            "3 changes, 1 pulse, on for 90 of 160 ms (56 %)"
        );
        assert_eq!(told(70, 70), "0 changes, 0 pulses");
    }

    #[test]
    fn a_measured_span_is_the_sum_of_its_ticks() {
        let bits = vec(any::<bool>(), 1..60);
        law(
            Weight::of(64, 20),
            (bits, 0..60_u64, 0..60_u64),
            |(bits, one, other)| {
                let until = bits.len() as Tick;
                let (from, to) = (one.min(other).min(until), one.max(other).min(until));
                let mut changes: Vec<(Tick, bool)> = Vec::new();
                for (ms, bit) in (0..).zip(&bits) {
                    if changes.last().is_none_or(|(_, last)| last != bit) {
                        changes.push((ms, *bit));
                    }
                }
                let found = Measurement::of(&wave(&changes), from, to);
                let bit = |ms: Tick| bits[ms.min(until - 1) as usize];
                let on = (from..to).filter(|ms| bit(*ms)).count() as Tick;
                prop_assert_eq!(found.on_ms, on);
                let rises: Vec<Tick> = (from + 1..=to)
                    .filter(|ms| bit(*ms) && !bit(ms - 1))
                    .collect();
                prop_assert_eq!(found.pulses, rises.len());
                let sum: Tick = found.periods.iter().sum();
                let expected =
                    rises.last().copied().unwrap_or(0) - rises.first().copied().unwrap_or(0);
                prop_assert_eq!(sum, expected);
                Ok(Judged::if_any(rises.len() > 1))
            },
        );
    }
}
