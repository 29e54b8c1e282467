//! The complete path from a simulated finger to an input:
//! [contacts](crate::faults::Contacts) with their faults are sampled once a
//! millisecond, [debounced](crate::debounce), and watched for keys that may be
//! [stuck](crate::stuck_keys).
//!
//! Invariants: idle time may be skipped, with the same reports as sample by sample;
//! without faults, a finger that stays for [`STABLE_MS`] is felt once, after exactly that
//! time.

use protocol::{Button, Input, Layout};

use crate::debounce::{Debounce, STABLE_MS};
use crate::faults::{BoardFaults, Contacts, Faults};
use crate::scan::Down;
use crate::stuck_keys::StuckKeys;
use crate::word::Wide;

/// A report of the sensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Felt {
    /// An input of the board.
    Input(Input),
    /// A key has been down for so long that it may be stuck.
    Held(Input),
}

/// The simulated sensors of a board.
#[derive(Clone, Debug)]
pub struct Sensors {
    contacts: Contacts,
    debounce: Debounce<Wide>,
    stuck_keys: StuckKeys<Wide>,
    /// The last sample.
    sample: Down<Wide>,
    /// The contacts that were reported as closed.
    told: Down<Wide>,
    /// The number of equal samples in a row, as far as that matters.
    alike: u8,
}

impl Sensors {
    /// The sensors of a board with this layout, with no finger on them.
    #[must_use]
    pub fn new(layout: Layout, faults: &Faults) -> Sensors {
        Sensors {
            contacts: Contacts::new(layout, faults),
            debounce: Debounce::new(),
            stuck_keys: StuckKeys::new(),
            sample: Down::default(),
            told: Down::default(),
            alike: 0,
        }
    }

    /// Changes the faults; the fingers stay where they are.
    pub fn set(&mut self, faults: &BoardFaults) {
        self.contacts.set(faults);
        self.alike = 0;
    }

    /// Begins the random numbers of the contacts anew, from the seed of these faults.
    pub fn reseed(&mut self, faults: &Faults) {
        self.contacts.reseed(faults);
    }

    /// Forgets all accepted states, like freshly started firmware. The fingers stay where
    /// they are.
    pub fn forget(&mut self) {
        self.debounce = Debounce::new();
        self.stuck_keys = StuckKeys::new();
        self.told = Down::default();
        self.alike = 0;
    }

    /// Reports which contacts closed (as [`Input::Touch`] and [`Input::Press`]) and
    /// opened since the last call, according to the last sample, including bouncing,
    /// ghosts and other faults. A caller that asks after each millisecond of
    /// [`Sensors::pass`] and after [`Sensors::settle`] misses nothing.
    pub fn take_contacts(&mut self, mut tell: impl FnMut(Input)) {
        let Down { points, buttons } = self.sample;
        let before = core::mem::replace(&mut self.told, self.sample);
        let changed = (points & !before.points) | (before.points & !points);
        for point in changed {
            tell(match points.has(point) {
                true => Input::Touch(point),
                false => Input::Release(point),
            });
        }
        for (place, button) in Button::ALL.into_iter().enumerate() {
            match [before.buttons, buttons].map(|down| down >> place & 1) {
                [0, 1] => tell(Input::Press(button)),
                [1, 0] => tell(Input::Lift(button)),
                _ => {}
            }
        }
    }

    /// Forgets which contacts were reported: the next call of [`Sensors::take_contacts`]
    /// reports every closed one.
    pub fn tell_contacts_anew(&mut self) {
        self.told = Down::default();
    }

    /// Puts a finger down or lifts it.
    pub fn finger(&mut self, input: Input) {
        self.contacts.finger(input);
        self.alike = 0;
    }

    /// How long a finger has to stay down to be felt for certain, in milliseconds.
    #[must_use]
    pub fn settles_ms(&self) -> u32 {
        u32::from(self.contacts.bounce_ms()) + u32::from(STABLE_MS)
    }

    /// True if the accepted state equals that of the contacts.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.alike >= STABLE_MS
    }

    /// The time in milliseconds for which nothing is felt if no finger moves; `None`
    /// means for ever.
    #[must_use]
    pub fn rests_ms(&self) -> Option<u32> {
        if !self.is_settled() {
            return Some(1);
        }
        let (points, buttons) = (self.debounce.points(), self.debounce.buttons());
        self.stuck_keys.rests_ms(points, buttons)
    }

    /// Lets one millisecond pass, or more, up to `most_ms`, if nothing is felt before the
    /// last one. Returns the number.
    pub fn pass(&mut self, most_ms: u32, mut tell: impl FnMut(Felt)) -> u32 {
        let ms = self.rests_ms().map_or(most_ms, |rest| rest.min(most_ms));
        if ms == 0 {
            return 0;
        }
        if !self.is_settled() {
            let rested = self.contacts.are_at_rest();
            self.contacts.bounce();
            let raw = self.contacts.scan();
            self.sample = raw;
            self.debounce
                .sample(raw.points, raw.buttons, |input| tell(Felt::Input(input)));
            self.alike = if rested { self.alike + 1 } else { 0 };
        }
        let (points, buttons) = (self.debounce.points(), self.debounce.buttons());
        self.stuck_keys
            .pass(points, buttons, ms, |input| tell(Felt::Held(input)));
        ms
    }

    /// Accepts the present state of the contacts at once, as if it had been stable, for a
    /// board whose time is frozen.
    pub fn settle(&mut self, mut tell: impl FnMut(Input)) {
        self.contacts.come_to_rest();
        let raw = self.contacts.scan();
        self.sample = raw;
        self.debounce.settle(raw.points, raw.buttons, &mut tell);
        self.alike = STABLE_MS;
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use law::{Judged, Weight, law};
    use proptest::prelude::*;
    use protocol::{Button, Point};

    use super::*;
    use crate::stuck_keys::HELD_S;

    const LAYOUT: Layout = Layout::MALDOO;

    /// Lets fingers act like this and then rest for a while; returns what is felt, and
    /// when.
    fn felt(faults: &Faults, deeds: &[(Input, u32)]) -> Vec<(u32, Felt)> {
        let mut sensors = Sensors::new(LAYOUT, faults);
        let (mut told, mut now_ms) = (Vec::new(), 0);
        for (finger, rest_ms) in deeds {
            sensors.finger(*finger);
            let end_ms = now_ms + rest_ms;
            while now_ms < end_ms {
                let mut at_end = Vec::new();
                now_ms += sensors.pass(end_ms - now_ms, |felt| at_end.push(felt));
                told.extend(at_end.into_iter().map(|felt| (now_ms, felt)));
            }
        }
        told
    }

    fn inputs(told: Vec<(u32, Felt)>) -> Vec<Input> {
        let input = |(_, felt)| match felt {
            Felt::Input(input) => Some(input),
            Felt::Held(_) => None,
        };
        told.into_iter().filter_map(input).collect()
    }

    const D4: Point = Point(48);
    const DEEDS: [(Input, u32); 2] = [(Input::Touch(D4), 80), (Input::Release(D4), 80)];

    #[test]
    fn touch_and_release_are_felt_after_5_ms() {
        let told = felt(&Faults::default(), &DEEDS);
        let touch = (5, Felt::Input(Input::Touch(D4)));
        assert_eq!(told, [touch, (85, Felt::Input(Input::Release(D4)))]);
    }

    #[test]
    fn a_stuck_key_is_one_touch_and_one_report() {
        let told = felt(&"stuck d4".parse().unwrap(), &[(Input::Pass, 1_000_000)]);
        let [touch, (at_ms, held)] = told[..] else {
            panic!("{told:?}");
        };
        assert_eq!(touch, (5, Felt::Input(Input::Touch(D4))));
        assert_eq!(held, Felt::Held(Input::Touch(D4)));
        let held_ms = u32::from(HELD_S) * 1_000;
        assert!((held_ms..=held_ms + 1_005).contains(&at_ms), "{at_ms}");
    }

    #[test]
    fn without_diodes_a_ghost_is_a_touch() {
        let corners = ["b2", "b7", "f2"].map(|name| (name, 20));
        let deeds = corners.map(|(name, ms)| (Input::Touch(LAYOUT.point(name).unwrap()), ms));
        let f7 = Input::Touch(LAYOUT.point("f7").unwrap());
        assert!(!inputs(felt(&Faults::default(), &deeds)).contains(&f7));
        let felt = inputs(felt(&"ghosting".parse().unwrap(), &deeds));
        assert_eq!(felt.iter().filter(|input| **input == f7).count(), 1);
        assert_eq!(felt.len(), 4);
    }

    #[test]
    fn removing_a_fault_releases_the_key() {
        let mut sensors = Sensors::new(LAYOUT, &"stuck d4".parse().unwrap());
        let mut told = Vec::new();
        let mut pass = |sensors: &mut Sensors| {
            let mut left = 100;
            while left > 0 {
                left -= sensors.pass(left, |felt| told.push(felt));
            }
        };
        pass(&mut sensors);
        sensors.set(&BoardFaults::default());
        pass(&mut sensors);
        let inputs = [Input::Touch(D4), Input::Release(D4)];
        assert_eq!(told, inputs.map(Felt::Input));
    }

    #[test]
    fn a_finger_at_frozen_time_is_felt_once_and_at_once() {
        let mut sensors = Sensors::new(LAYOUT, &"bounce-ms 9, dead e5".parse().unwrap());
        let mut told = Vec::new();
        sensors.finger(Input::Touch(D4));
        sensors.finger(Input::Touch(LAYOUT.point("e5").unwrap()));
        sensors.settle(|input| told.push(input));
        assert_eq!(told, [Input::Touch(D4)]);
        assert_eq!(sensors.pass(100, |felt| panic!("{felt:?}")), 100);
    }

    fn deeds() -> impl Strategy<Value = Vec<(Input, u32)>> {
        let input = prop_oneof![
            (0..81_u8).prop_map(|point| Input::Touch(Point(point))),
            (0..81_u8).prop_map(|point| Input::Release(Point(point))),
            (0..7_usize).prop_map(|button| Input::Press(Button::ALL[button])),
            (0..7_usize).prop_map(|button| Input::Lift(Button::ALL[button])),
        ];
        proptest::collection::vec((input, prop_oneof![0..12_u32, 0..15_000_u32]), 0..40)
    }

    fn faults() -> impl Strategy<Value = Faults> {
        (any::<u64>(), 0..20_u64, any::<bool>()).prop_map(|(seed, bounce_ms, ghosting)| {
            let mut faults: Faults = "stuck d4, dead e5, stuck start".parse().unwrap();
            faults.seed = seed;
            faults.board.bounce_ms = bounce_ms;
            faults.board.ghosting = ghosting;
            faults
        })
    }

    /// For each millisecond of these actions of fingers, the contacts that are reported
    /// and the inputs that are felt.
    fn traced(faults: &Faults, deeds: &[(Input, u32)]) -> Vec<(Vec<Input>, Vec<Input>)> {
        let mut sensors = Sensors::new(LAYOUT, faults);
        let mut traced = Vec::new();
        for (finger, rest_ms) in deeds {
            sensors.finger(*finger);
            for _ in 0..*rest_ms {
                let (mut felt, mut contacts) = (Vec::new(), Vec::new());
                sensors.pass(1, |what| match what {
                    Felt::Input(input) => felt.push(input),
                    Felt::Held(_) => {}
                });
                sensors.take_contacts(|contact| contacts.push(contact));
                traced.push((contacts, felt));
            }
        }
        traced
    }

    #[test]
    fn dead_contacts_never_close_and_ghosts_close_unasked() {
        let contacts = |faults: &str, names: &str| {
            let down = names.split_whitespace();
            let deeds = down.map(|name| (Input::Touch(LAYOUT.point(name).unwrap()), 20));
            let deeds: Vec<_> = deeds.collect();
            let traced = traced(&faults.parse().unwrap(), &deeds);
            let told: Vec<Input> = traced.into_iter().flat_map(|(told, _)| told).collect();
            told
        };
        assert_eq!(contacts("dead d4", "d4"), []);
        assert_eq!(contacts("stuck d4", "d4"), [Input::Touch(D4)]);
        let f7 = Input::Touch(LAYOUT.point("f7").unwrap());
        assert!(contacts("ghosting", "b2 b7 f2").contains(&f7));
    }

    /// Contacts are the raw samples, and an input follows from five equal samples in a
    /// row.
    #[test]
    fn inputs_follow_from_the_reported_contacts() {
        law(
            Weight::of(256, 80),
            (faults(), deeds()),
            |(faults, deeds)| {
                let deeds = deeds.into_iter().map(|(deed, ms)| (deed, ms % 60));
                let deeds: Vec<(Input, u32)> = deeds.collect();
                let mut debounce: Debounce<Wide> = Debounce::new();
                let mut down = Down::<Wide>::default();
                let mut inputs = 0;
                for (contacts, felt) in traced(&faults, &deeds) {
                    for contact in contacts {
                        match contact {
                            Input::Touch(point) => down.points.insert(point),
                            Input::Release(point) => down.points.remove(point),
                            Input::Press(button) => down.buttons |= 1 << button as u8,
                            Input::Lift(button) => down.buttons &= !(1 << button as u8),
                            Input::Pass => {}
                        }
                    }
                    let mut follows = Vec::new();
                    debounce.sample(down.points, down.buttons, |input| follows.push(input));
                    inputs += felt.len();
                    prop_assert_eq!(felt, follows);
                }
                Ok(Judged::if_any(inputs > 2))
            },
        );
    }

    /// Whatever the fingers do, the inputs of each key alternate between down and up.
    #[test]
    fn a_key_is_never_felt_to_come_down_twice() {
        law(
            Weight::of(256, 45),
            (faults(), deeds()),
            |(faults, deeds)| {
                let (mut down, mut releases) = (Vec::new(), 0);
                for input in inputs(felt(&faults, &deeds)) {
                    let came = match input {
                        Input::Release(point) => Input::Touch(point),
                        Input::Lift(button) => Input::Press(button),
                        _ => {
                            prop_assert!(!down.contains(&input), "{:?}", input);
                            down.push(input);
                            continue;
                        }
                    };
                    prop_assert!(down.contains(&came), "{:?}", input);
                    down.retain(|other| *other != came);
                    releases += 1;
                }
                Ok(Judged::if_any(releases > 0))
            },
        );
    }

    proptest! {
        /// Contacts that bounce for less than twice the debounce time cannot be felt
        /// twice.
        #[test]
        fn a_bouncing_key_gives_exactly_one_touch_and_one_release(
            seed: u64,
            bounce_ms in 0..2 * u64::from(STABLE_MS),
            held_ms in 20..200_u32,
        ) {
            let mut faults = Faults { seed, ..Faults::default() };
            faults.board.bounce_ms = bounce_ms;
            let deeds = [(Input::Touch(D4), held_ms), (Input::Release(D4), 50)];
            let told = inputs(felt(&faults, &deeds));
            prop_assert_eq!(told, [Input::Touch(D4), Input::Release(D4)]);
        }

        #[test]
        fn the_same_seed_feels_the_same(faults in faults(), deeds in deeds()) {
            prop_assert_eq!(felt(&faults, &deeds), felt(&faults, &deeds));
        }

        #[test]
        fn no_seed_matters_without_faults(seed: u64, deeds in deeds()) {
            let other = Faults { seed, ..Faults::default() };
            prop_assert_eq!(felt(&other, &deeds), felt(&Faults::default(), &deeds));
        }

        #[test]
        fn skipping_idle_time_equals_sampling_it(faults in faults(), deeds in deeds()) {
            let mut sensors = Sensors::new(LAYOUT, &faults);
            let (mut told, mut now_ms) = (Vec::new(), 0);
            for (finger, rest_ms) in &deeds {
                sensors.finger(*finger);
                for _ in 0..*rest_ms {
                    now_ms += 1;
                    prop_assert_eq!(sensors.pass(1, |felt| told.push((now_ms, felt))), 1);
                }
            }
            prop_assert_eq!(told, felt(&faults, &deeds));
        }
    }
}
