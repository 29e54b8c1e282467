//! Checks a law in many cases, and whether these cases were relevant.
//!
//! A law that holds because nothing happened proves nothing. Each case therefore reports
//! whether what the law is about occurred in it, and a law fails if that is too rare.
//!
//! Invariants: a law is always checked in the same cases, which are derived from its
//! name, so that it fails either for everybody or for nobody. `PROPTEST_RNG_SEED=7`
//! selects other cases, and `PROPTEST_CASES=100000` more of them.
//!
//! ```
//! use law::{Judged, Weight, law};
//!
//! law(Weight::of(100, 80), 0..10_u32, |number| {
//!     let half = number / 2;
//!     assert!(half <= number);
//!     Ok(Judged::if_any(half > 0))
//! });
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod case;

use std::cell::Cell;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use case::{Case, Cases, Like};

/// Whether a case in which a law holds was relevant to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The case contained what the law is about.
    Something,
    /// Nothing in the case could have broken the law.
    Nothing,
}

impl Judged {
    /// [`Judged::Something`] if `something` is true.
    #[must_use]
    pub fn if_any(something: bool) -> Judged {
        if something {
            Judged::Something
        } else {
            Judged::Nothing
        }
    }
}

/// The result of a case in which the law holds.
pub type Ruling = Result<Judged, TestCaseError>;

/// The number of cases in which a law is checked, and how many of them must be relevant.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The number of cases to generate.
    pub cases: u32,
    /// The minimum percentage of relevant cases.
    pub floor_percent: u32,
}

impl Weight {
    /// A number of cases, and the minimum percentage of relevant ones.
    #[must_use]
    pub const fn of(cases: u32, floor_percent: u32) -> Weight {
        Weight {
            cases,
            floor_percent,
        }
    }
}

/// Counts the relevant cases of a law.
#[derive(Debug)]
pub struct Floor {
    law: String,
    percent: u32,
    cases: Cell<u32>,
    something: Cell<u32>,
}

impl Floor {
    /// The counter for the law of this name: at least this percentage of its cases must be
    /// relevant.
    #[must_use]
    pub fn new(law: &str, percent: u32) -> Floor {
        Floor {
            law: law.to_owned(),
            percent,
            cases: Cell::new(0),
            something: Cell::new(0),
        }
    }

    /// Counts a case in which the law held.
    pub fn count(&self, judged: Judged) {
        self.cases.set(self.cases.get() + 1);
        let something = u32::from(judged == Judged::Something);
        self.something.set(self.something.get() + something);
    }

    /// Checks the percentage. Must be called after the last case.
    ///
    /// # Panics
    ///
    /// If too few cases were relevant.
    pub fn holds(&self) {
        let Floor { law, percent, .. } = self;
        let (cases, something) = (self.cases.get(), self.something.get());
        // The test runner prints this with `--nocapture`.
        println!("{law}: {something} of {cases} cases had something to judge, {percent} % must");
        assert!(
            u64::from(something) * 100 >= u64::from(cases) * u64::from(*percent),
            "{law}: only {something} of {cases} cases reached what the law is about; at least {percent} % have to"
        );
    }
}

/// The start of the line by which a test reports that it cannot judge.
pub const EXCUSED: &str = "excused: ";

/// Reports that this test cannot judge on this machine, and why. The runner of all tests
/// counts such lines. The line bypasses the test harness, which hides the output of
/// passing tests.
///
/// # Panics
/// If the standard output is closed: nobody would read the line, and the test would count
/// as passed.
pub fn excuse(test: &str, why: &str) {
    // In one piece, because other threads also write lines.
    let line = format!("{EXCUSED}{test}: {why}\n");
    let written = io::stdout().write_all(line.as_bytes());
    written.expect("somebody reads the output");
}

/// The longest wait for something in another thread or process: longer than it takes on
/// any machine.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// Waits until this is so, in another thread or process.
///
/// # Panics
/// After [`GIVE_UP_AFTER`].
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let give_up = Instant::now() + GIVE_UP_AFTER;
    while !is_so() {
        assert!(Instant::now() < give_up, "never: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Checks a law, which has the name of the surrounding test, in cases that `like`
/// generates.
///
/// # Panics
/// With the shortest case that breaks the law, or if too few cases were relevant.
pub fn law<S, H>(weight: Weight, like: S, holds: H)
where
    S: Strategy<Tree: 'static, Value: 'static>,
    H: Fn(S::Value) -> Ruling,
{
    let name = std::any::type_name::<H>();
    law_called(name.trim_end_matches("::{{closure}}"), weight, like, holds);
}

/// As [`law`], with a name, for a test that checks several laws.
///
/// # Panics
/// As [`law`].
pub fn law_called<S: Strategy<Tree: 'static, Value: 'static>>(
    name: &str,
    weight: Weight,
    like: S,
    holds: impl Fn(S::Value) -> Ruling,
) {
    let holds = |case: Case| holds(case.of());
    check(name, weight, &like, &holds);
}

/// Checks a law about cases of any type.
fn check(name: &str, weight: Weight, like: &dyn Cases, holds: &dyn Fn(Case) -> Ruling) {
    let floor = Floor::new(name, weight.floor_percent);
    let mut runner = TestRunner::new(config(name, weight.cases));
    let broken = runner.run(&Like(like), |case| {
        floor.count(holds(case)?);
        Ok(())
    });
    if let Err(error) = broken {
        panic!("{name}: {error}\n{runner}");
    }
    floor.holds();
}

/// The settings under which failing cases are printed and shrunk, and the same cases are
/// generated each time.
#[must_use]
pub fn config(law: &str, cases: u32) -> Config {
    // The settings from the environment.
    let asked = Config::default();
    let chance = law.bytes().fold(0, |seed: u64, byte| {
        seed.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte)
    });
    Config {
        cases: match std::env::var_os("PROPTEST_CASES") {
            Some(_) => asked.cases,
            None => cases,
        },
        rng_seed: match asked.rng_seed {
            RngSeed::Random => RngSeed::Fixed(chance),
            RngSeed::Fixed(seed) => RngSeed::Fixed(seed ^ chance),
        },
        // Failures need not be stored, because the same cases are generated each time.
        failure_persistence: None,
        ..asked
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use proptest::prelude::*;

    use super::*;

    const WEIGHT: Weight = Weight::of(50, 60);

    #[test]
    #[should_panic(
        expected = "law::tests::a_law_below_its_floor_fails: only 0 of 50 cases reached what the law is about; at least 60 % have to"
    )]
    fn a_law_below_its_floor_fails() {
        law(WEIGHT, any::<bool>().prop_map(|_| false), |case| {
            Ok(Judged::if_any(case))
        });
    }

    #[test]
    fn a_law_with_something_to_judge_holds() {
        law(WEIGHT, 0..10_u32, |case| Ok(Judged::if_any(case > 0)));
    }

    #[test]
    #[should_panic(expected = "minimal failing input: 7")]
    fn a_broken_law_names_the_counterexample() {
        law(WEIGHT, 0..1_000_u32, |case| {
            prop_assert!(case < 7);
            Ok(Judged::Something)
        });
    }

    #[test]
    fn a_law_has_the_same_cases_in_every_run() {
        let asked = || {
            let cases = RefCell::new(Vec::new());
            law(WEIGHT, any::<u64>(), |case| {
                cases.borrow_mut().push(case);
                Ok(Judged::Something)
            });
            cases.into_inner()
        };
        assert_eq!(asked(), asked());
    }
}
