//! The settings of a counter that generates a pitch: the divider of the chip's clock, and
//! the counts of one period.

/// The maximum number of counts: the counter has 16 bits. The integer part of the divider
/// has eight.
const MOST_COUNTS: u32 = 1 << 16;
const MOST_DIVIDER: u32 = 255;

/// The settings of a counter that produces a pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The factor by which the clock is divided.
    pub divider: u32,
    /// The number of counts in one period.
    pub counts: u32,
}

/// The settings for a pitch with this clock. The divider is as small as possible, so that
/// the pitch is as exact as possible. A pitch that is too low becomes the lowest possible
/// one; `None` for 0 Hz.
#[must_use]
pub const fn counts(clock_hz: u32, hz: u16) -> Option<Counts> {
    if hz == 0 {
        return None;
    }
    let cycles = clock_hz / hz as u32;
    let divider = cycles.div_ceil(MOST_COUNTS);
    let divider = match divider {
        0 => 1,
        1..=MOST_DIVIDER => divider,
        _ => MOST_DIVIDER,
    };
    let counts = cycles / divider;
    Some(Counts {
        divider,
        counts: if counts > MOST_COUNTS {
            MOST_COUNTS
        } else {
            counts
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK_HZ: u32 = 125_000_000;

    #[test]
    fn every_possible_pitch_is_exact_to_a_thousandth() {
        assert_eq!(counts(CLOCK_HZ, 0), None);
        for hz in 8..=u16::MAX {
            let Counts { divider, counts } = counts(CLOCK_HZ, hz).expect("a pitch");
            assert!((1..=MOST_DIVIDER).contains(&divider) && counts <= MOST_COUNTS);
            let made_hz = f64::from(CLOCK_HZ) / f64::from(divider) / f64::from(counts);
            let error = (made_hz / f64::from(hz) - 1.0).abs();
            assert!(error < 0.001, "{hz}: {made_hz}");
        }
    }

    #[test]
    fn a_pitch_that_is_too_low_becomes_the_lowest() {
        let lowest = Counts {
            divider: MOST_DIVIDER,
            counts: MOST_COUNTS,
        };
        assert_eq!(counts(CLOCK_HZ, 1), Some(lowest));
    }
}
