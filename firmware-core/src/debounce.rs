//! Converts raw sensor samples to inputs. A contact that bounces, or a finger that only
//! brushes a sensor, is not a touch.
//!
//! A port samples all sensors once a millisecond and passes on the samples together.
//! Every sensor has a counter of consecutive samples that differ from its accepted state.
//! The counters are stored bit by bit, one word for each bit, so that a dozen
//! instructions count for all points of a board.
//!
//! Invariants: the accepted state of a sensor changes only after [`STABLE_MS`] equal
//! samples in a row, so its inputs alternate between down and up; no sensor, stuck or
//! flickering, affects the state of another one.

use protocol::{Button, Input};

use crate::points::Points;
use crate::word::Word;

/// The number of equal consecutive samples, one each millisecond, that change the
/// accepted state. Contacts bounce for 1.6 ms on average (Ganssle, A Guide to
/// Debouncing), with pauses much shorter than this; a person does not notice 5 ms.
pub const STABLE_MS: u8 = 5;

/// A three-bit counter for each sensor, stored bit by bit.
#[derive(Clone, Copy, Debug)]
struct Counters<W> {
    /// The accepted state: the sensors that are down.
    down: W,
    /// The bits of the counters, the lowest first.
    bits: [W; 3],
}

impl<W: Word> Counters<W> {
    const NEW: Self = Counters {
        down: W::ZERO,
        bits: [W::ZERO; 3],
    };

    /// Counts one sample, and returns the sensors whose debounced state changed.
    fn sample(&mut self, raw: W) -> W {
        let differs = raw ^ self.down;
        let mut carry = differs;
        let mut changed = differs;
        for (place, bit) in self.bits.iter_mut().enumerate() {
            let counted = *bit ^ carry;
            carry &= *bit;
            // A sample that agrees with the accepted state resets the counter.
            *bit = counted & differs;
            let is_set = STABLE_MS & (1 << place) != 0;
            changed &= if is_set { *bit } else { !*bit };
        }
        for bit in &mut self.bits {
            *bit &= !changed;
        }
        self.down ^= changed;
        changed
    }

    /// Accepts a sample at once, and returns the sensors whose debounced state changed.
    fn settle(&mut self, raw: W) -> W {
        let changed = raw ^ self.down;
        *self = Counters {
            down: raw,
            ..Self::NEW
        };
        changed
    }
}

/// The debounced sensors of a board whose layout fits `W`.
#[derive(Clone, Copy, Debug)]
pub struct Debounce<W> {
    points: Counters<W>,
    buttons: Counters<u64>,
}

impl<W: Word> Default for Debounce<W> {
    fn default() -> Self {
        Debounce::new()
    }
}

impl<W: Word> Debounce<W> {
    /// A debouncer for contacts that are all open.
    #[must_use]
    pub const fn new() -> Self {
        Debounce {
            points: Counters::NEW,
            buttons: Counters::NEW,
        }
    }

    /// Handles the samples of one millisecond: the touched points, and the buttons, where
    /// bit `n` stands for `Button::ALL[n]`. Reports the resulting inputs: points in
    /// order, then buttons in order.
    pub fn sample(&mut self, points: Points<W>, buttons: u8, tell: impl FnMut(Input)) {
        let points = self.points.sample(points.0);
        let buttons = self.buttons.sample(buttons.into());
        self.report(points, buttons, tell);
    }

    /// Accepts the samples at once and reports the inputs in the order of
    /// [`Debounce::sample`]. For a board whose time is frozen, where nothing can bounce.
    pub fn settle(&mut self, points: Points<W>, buttons: u8, tell: impl FnMut(Input)) {
        let points = self.points.settle(points.0);
        let buttons = self.buttons.settle(buttons.into());
        self.report(points, buttons, tell);
    }

    /// The points whose accepted state is down.
    #[must_use]
    pub fn points(&self) -> Points<W> {
        Points(self.points.down)
    }

    /// The buttons whose accepted state is down.
    #[must_use]
    pub fn buttons(&self) -> u8 {
        self.buttons.down as u8
    }

    fn report(&self, points: W, buttons: u64, mut tell: impl FnMut(Input)) {
        for point in Points(points) {
            tell(if self.points().has(point) {
                Input::Touch(point)
            } else {
                Input::Release(point)
            });
        }
        for (place, button) in Button::ALL.into_iter().enumerate() {
            if buttons & (1 << place) == 0 {
                continue;
            }
            tell(if self.buttons.down & (1 << place) != 0 {
                Input::Press(button)
            } else {
                Input::Lift(button)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use law::{Judged, Weight, law};
    use proptest::collection;
    use proptest::prelude::*;
    use protocol::Point;

    use super::*;
    use crate::word::Wide;

    const STABLE: usize = STABLE_MS as usize;

    fn of(points: &[u8]) -> Points<Wide> {
        points.iter().map(|point| Point(*point)).collect()
    }

    /// Feeds samples one after the other, and returns the inputs of each.
    fn feed(debounce: &mut Debounce<Wide>, samples: &[(Points<Wide>, u8)]) -> Vec<Vec<Input>> {
        let sample = |(points, buttons): &(Points<Wide>, u8)| {
            let mut told = Vec::new();
            debounce.sample(*points, *buttons, |input| told.push(input));
            told
        };
        samples.iter().map(sample).collect()
    }

    /// The reference: the inputs of one sensor, counted sample by sample.
    fn slowly(samples: impl Iterator<Item = bool>) -> Vec<Option<bool>> {
        let (mut down, mut row) = (false, 0);
        let count = |raw: bool| {
            row = if raw == down { 0 } else { row + 1 };
            (row == STABLE).then(|| {
                row = 0;
                down = raw;
                down
            })
        };
        samples.map(count).collect()
    }

    #[test]
    fn a_finger_is_a_touch_after_5_ms() {
        let mut debounce = Debounce::new();
        let told = feed(&mut debounce, &[(of(&[40]), 0); 300]);
        let touch = [Input::Touch(Point(40))];
        assert_eq!(told[STABLE - 1], touch);
        assert_eq!(told.concat(), touch, "and it is one however long it stays");
        let told = feed(&mut debounce, &[(of(&[]), 0); 300]);
        assert_eq!(told[STABLE - 1], [Input::Release(Point(40))]);
        assert_eq!(told.concat().len(), 1);
    }

    #[test]
    fn a_chord_of_all_keys_arrives_at_once_and_in_order() {
        let all = Points(!Wide::ZERO);
        let told = feed(&mut Debounce::new(), &[(all, 0x7F); STABLE]);
        let touches = (0..=255).map(|point| Input::Touch(Point(point)));
        let presses = Button::ALL.map(Input::Press);
        let expected: Vec<Input> = touches.chain(presses).collect();
        assert_eq!(told[STABLE - 1], expected);
        assert_eq!(told.concat().len(), expected.len());
    }

    proptest! {
        #[test]
        fn pulses_shorter_than_5_ms_are_ignored(
            pulses in collection::vec((1..STABLE, 1..STABLE), 1..50),
        ) {
            let mut samples = Vec::new();
            for (down, up) in pulses {
                samples.extend(vec![(of(&[3]), 1); down]);
                samples.extend(vec![(of(&[]), 0); up]);
            }
            let told = feed(&mut Debounce::new(), &samples).concat();
            prop_assert_eq!(told, []);
        }
    }

    #[test]
    fn a_bouncing_contact_is_one_touch_5_ms_after_its_rest() {
        let cases = (collection::vec(any::<bool>(), 0..40), STABLE..100);
        law(Weight::of(256, 40), cases, |(bounces, held)| {
            // A run of 5 equal samples is not bouncing.
            if slowly(bounces.iter().copied()).iter().any(Option::is_some) {
                return Ok(Judged::Nothing);
            }
            let mut samples: Vec<_> = bounces
                .iter()
                .map(|down| (of(if *down { &[7] } else { &[] }), 0))
                .collect();
            let rest = bounces.iter().rev().take_while(|down| **down).count();
            samples.extend(vec![(of(&[7]), 0); held]);
            let told = feed(&mut Debounce::new(), &samples);
            let at = bounces.len() + STABLE - 1 - rest;
            prop_assert_eq!(&told[at], &[Input::Touch(Point(7))]);
            prop_assert_eq!(told.concat().len(), 1);
            Ok(Judged::if_any(!bounces.is_empty()))
        });
    }

    /// Counts each sensor separately, including stuck and flickering ones.
    #[test]
    fn the_vertical_counters_equal_one_counter_per_sensor() {
        let sample = (collection::vec(any::<u8>(), 0..6), 0..0x80_u8);
        let like = (collection::vec(sample, 0..120), any::<u8>(), 1..8_usize);
        law(Weight::of(256, 80), like, |(samples, stuck, smooth)| {
            // Each sample is repeated for a while, so that some runs are long.
            let samples: Vec<(Points<Wide>, u8)> = samples
                .iter()
                .flat_map(|(points, buttons)| {
                    std::iter::repeat_n((of(points) | of(&[stuck]), *buttons), smooth)
                })
                .collect();
            let told = feed(&mut Debounce::new(), &samples);
            for point in (0..=255).map(Point) {
                let raw = samples.iter().map(|(points, _)| points.has(point));
                for (told, expected) in told.iter().zip(slowly(raw)) {
                    let touch = told.contains(&Input::Touch(point));
                    let release = told.contains(&Input::Release(point));
                    prop_assert_eq!(
                        (touch, release),
                        match expected {
                            None => (false, false),
                            Some(down) => (down, !down),
                        }
                    );
                }
            }
            for (place, button) in Button::ALL.into_iter().enumerate() {
                let raw = samples
                    .iter()
                    .map(|(_, buttons)| buttons & (1 << place) != 0);
                for (told, expected) in told.iter().zip(slowly(raw)) {
                    prop_assert_eq!(told.contains(&Input::Press(button)), expected == Some(true));
                    prop_assert_eq!(told.contains(&Input::Lift(button)), expected == Some(false));
                }
            }
            Ok(Judged::if_any(!told.concat().is_empty()))
        });
    }
}
