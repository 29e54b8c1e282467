//! Detects keys that are held so long that they may be stuck.
//!
//! Nobody holds a key of a game for ten seconds, but an object on the board does, and so
//! does a wet contact. Once a millisecond a port passes on the state of its
//! [debounced](crate::debounce) sensors, and it shows the user what this module reports.
//!
//! Invariants: a key is reported once while it is down, not before [`HELD_S`] seconds and
//! at most one second later. The seconds of all keys are counted together, bit by bit,
//! with one word for each bit, which takes little memory on a microcontroller.

use core::fmt;

use protocol::{Button, Input, Layout};

use crate::points::Points;
use crate::word::Word;

/// How long a key must be down to count as possibly stuck, in seconds.
pub const HELD_S: u8 = 10;

/// The interval between two counts, in milliseconds.
const SECOND_MS: u16 = 1_000;

/// One more than [`HELD_S`]: the first second that is counted may have been nearly over.
const COUNTS: u8 = HELD_S + 1;

/// A counter of seconds for each key, of four bits, stored bit by bit.
#[derive(Clone, Copy, Debug)]
struct Seconds<W>([W; 4]);

impl<W: Word> Seconds<W> {
    const NEW: Self = Seconds([W::ZERO; 4]);

    /// The keys that have been counted `count` times.
    fn at(&self, count: u8) -> W {
        let mut at = !W::ZERO;
        for (place, bit) in self.0.iter().enumerate() {
            let is_set = count & (1 << place) != 0;
            at &= if is_set { *bit } else { !*bit };
        }
        at
    }

    /// Clears the counters of keys that are not down.
    fn keep(&mut self, down: W) {
        for bit in &mut self.0 {
            *bit &= down;
        }
    }

    /// Counts the keys that are down, and returns those that have reached the limit.
    fn count(&mut self, down: W) -> W {
        let before = self.at(COUNTS);
        let mut carry = down & !before;
        for bit in &mut self.0 {
            let counted = *bit ^ carry;
            carry &= *bit;
            *bit = counted;
        }
        self.at(COUNTS) & !before
    }
}

/// How long the keys of a board have been down.
#[derive(Clone, Copy, Debug)]
pub struct StuckKeys<W> {
    points: Seconds<W>,
    buttons: Seconds<u64>,
    /// The time to the next count, in milliseconds.
    left_ms: u16,
}

impl<W: Word> Default for StuckKeys<W> {
    fn default() -> Self {
        StuckKeys::new()
    }
}

impl<W: Word> StuckKeys<W> {
    /// A counter for a panel on which nothing is down.
    #[must_use]
    pub const fn new() -> Self {
        StuckKeys {
            points: Seconds::NEW,
            buttons: Seconds::NEW,
            left_ms: SECOND_MS,
        }
    }

    /// Handles `ms` milliseconds during which exactly these keys were down, and reports
    /// those that may be stuck.
    pub fn pass(&mut self, points: Points<W>, buttons: u8, ms: u32, mut tell: impl FnMut(Input)) {
        self.points.keep(points.0);
        self.buttons.keep(buttons.into());
        let mut ms = ms;
        while let Some(rest) = ms.checked_sub(self.left_ms.into()) {
            ms = rest;
            self.left_ms = SECOND_MS;
            for point in Points(self.points.count(points.0)) {
                tell(Input::Touch(point));
            }
            let held = self.buttons.count(buttons.into());
            for (place, button) in Button::ALL.into_iter().enumerate() {
                if held & (1 << place) != 0 {
                    tell(Input::Press(button));
                }
            }
            let all_told = |seconds: W, down: W| seconds & down == down;
            if all_told(self.points.at(COUNTS), points.0)
                && self.buttons.at(COUNTS) & u64::from(buttons) == u64::from(buttons)
            {
                // Each counter is at its limit, so only the fraction of a second matters.
                ms %= u32::from(SECOND_MS);
            }
        }
        self.left_ms -= ms as u16;
    }

    /// The time in milliseconds until something is reported if these keys stay down and
    /// no others; `None` means never.
    #[must_use]
    pub fn rests_ms(&self, points: Points<W>, buttons: u8) -> Option<u32> {
        let is_waiting = self.points.at(COUNTS) & points.0 != points.0
            || self.buttons.at(COUNTS) & u64::from(buttons) != u64::from(buttons);
        is_waiting.then_some(self.left_ms.into())
    }
}

/// The sentence for the user about a key that may be stuck; it names the input that holds
/// the key down.
#[derive(Clone, Copy, Debug)]
pub struct MayBeStuck(pub Layout, pub Input);

impl fmt::Display for MayBeStuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Input::Touch(point) | Input::Release(point) => write!(f, "{}", self.0.name(point))?,
            Input::Press(button) | Input::Lift(button) => f.write_str(button.name())?,
            Input::Pass => f.write_str("a key")?,
        }
        write!(
            f,
            " has been held down for {HELD_S} s: it may be stuck, check what lies on it"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;
    use protocol::Point;

    use super::*;
    use crate::word::Wide;

    const HELD_MS: u32 = HELD_S as u32 * 1_000;

    fn of(points: &[u8]) -> Points<Wide> {
        points.iter().map(|point| Point(*point)).collect()
    }

    /// The reports, with their times, when these keys are down for `ms`.
    fn inputs_of(
        held: &mut StuckKeys<Wide>,
        points: &[u8],
        buttons: u8,
        ms: u32,
    ) -> Vec<(u32, Input)> {
        let mut told = Vec::new();
        for at in 1..=ms {
            held.pass(of(points), buttons, 1, |input| told.push((at, input)));
        }
        told
    }

    #[test]
    fn a_key_held_for_10_s_is_reported_once() {
        for late in [0, 1, 500, 999] {
            let mut held = StuckKeys::new();
            assert_eq!(inputs_of(&mut held, &[], 0, late), []);
            let stuck = inputs_of(&mut held, &[40], 1, 100_000);
            let inputs = [Input::Touch(Point(40)), Input::Press(Button::Game)];
            assert_eq!(stuck.len(), 2, "{late}");
            for ((at, told), input) in stuck.into_iter().zip(inputs) {
                assert_eq!(told, input);
                assert!((HELD_MS..=HELD_MS + 1_000).contains(&at), "{at}");
            }
        }
    }

    #[test]
    fn releasing_a_key_briefly_restarts_its_time() {
        let mut held = StuckKeys::new();
        assert_eq!(inputs_of(&mut held, &[3], 0, HELD_MS - 1), []);
        assert_eq!(inputs_of(&mut held, &[], 0, 1), []);
        assert_eq!(inputs_of(&mut held, &[3], 0, HELD_MS - 1), []);
        assert_eq!(inputs_of(&mut held, &[3], 0, 1_001).len(), 1);
        assert_eq!(inputs_of(&mut held, &[], 0, 1), []);
        assert_eq!(inputs_of(&mut held, &[3], 0, HELD_MS + 1_000).len(), 1);
    }

    #[test]
    fn the_report_names_the_stuck_key() {
        let layout = Layout::MALDOO;
        let d4 = Input::Touch(layout.point("d4").unwrap());
        assert_eq!(
            std::format!("{}", MayBeStuck(layout, d4)),
            "d4 has been held down for 10 s: it may be stuck, check what lies on it"
        );
    }

    proptest! {
        /// Time passes in pieces of any length, while other keys are also down.
        #[test]
        fn milliseconds_in_any_pieces_report_the_same_keys(
            stays in proptest::collection::vec(
                (proptest::collection::vec(0..4_u8, 0..4), 0..4_u8, 1..25_000_u32),
                1..6,
            ),
        ) {
            let (mut one_by_one, mut at_once) = (StuckKeys::new(), StuckKeys::new());
            for (points, buttons, ms) in stays {
                let told: Vec<Input> = inputs_of(&mut one_by_one, &points, buttons, ms)
                    .into_iter()
                    .map(|(_, input)| input)
                    .collect();
                let mut leaps = Vec::new();
                let mut left = ms;
                while left > 0 {
                    let rest = at_once.rests_ms(of(&points), buttons).unwrap_or(left);
                    let leap = rest.min(left);
                    at_once.pass(of(&points), buttons, leap, |input| leaps.push(input));
                    left -= leap;
                }
                prop_assert_eq!(leaps, told);
            }
        }
    }
}
