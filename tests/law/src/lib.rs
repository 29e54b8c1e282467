//! A law, asked of many cases; and whether they had anything in them to judge.
//!
//! A law that holds because nothing happened proves nothing. So each case says
//! whether what the law is about did occur in it, and a law fails in which it
//! occurred too seldom.
//!
//! Invariants: a law is asked of the same cases each time, which follow
//! from its name, so that it fails for everybody or for nobody. Others are asked
//! for with `PROPTEST_RNG_SEED=7`, and more of them with `PROPTEST_CASES=100000`.
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

use std::cell::Cell;
use std::io::{self, Write};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

/// Whether a case was relevant for a law that holds in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The case contained what the law is about.
    Something,
    /// Nothing that the law could have been broken by.
    Nothing,
}

impl Judged {
    /// [`Judged::Something`] if this is so.
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

/// How many cases a law is asked of, and in how many there must be something.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The number of cases to generate.
    pub cases: u32,
    /// The least share of them, in a hundred, that had something to judge.
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

/// Counts the cases of a law that had something to judge.
#[derive(Debug)]
pub struct Floor {
    law: String,
    percent: u32,
    cases: Cell<u32>,
    something: Cell<u32>,
}

impl Floor {
    /// For the law of this name: at least this percentage of cases must be relevant.
    #[must_use]
    pub fn new(law: &str, percent: u32) -> Floor {
        Floor {
            law: law.to_owned(),
            percent,
            cases: Cell::new(0),
            something: Cell::new(0),
        }
    }

    /// Counts a case, if it was judged.
    pub fn count(&self, judged: Judged) {
        self.cases.set(self.cases.get() + 1);
        let something = u32::from(judged == Judged::Something);
        self.something.set(self.something.get() + something);
    }

    /// Must be called after the last case.
    ///
    /// # Panics
    ///
    /// If too few cases were relevant.
    pub fn holds(&self) {
        let Floor { law, percent, .. } = self;
        let (cases, something) = (self.cases.get(), self.something.get());
        // The test runner shows it with `--nocapture`.
        println!("{law}: {something} of {cases} cases had something to judge, {percent} % must");
        assert!(
            u64::from(something) * 100 >= u64::from(cases) * u64::from(*percent),
            "{law}: only {something} of {cases} cases had something in them to judge; {percent} % must"
        );
    }
}

/// The beginning of the line by which a test reports that it has nothing to judge by.
pub const EXCUSED: &str = "excused: ";

/// Writes that this test has nothing to judge by on this machine, and why; the runner of
/// all tests counts such lines. A harness shows nothing that a passing test prints, so this
/// goes past it.
///
/// # Panics
/// If the standard output is closed: an excuse that nobody reads is a pass.
pub fn excuse(test: &str, why: &str) {
    // In one piece, among the lines of other threads.
    let line = format!("{EXCUSED}{test}: {why}\n");
    let written = io::stdout().write_all(line.as_bytes());
    written.expect("somebody reads the output");
}

/// Asks a law of cases like these. It has the name of the test that it is in.
///
/// # Panics
/// With the shortest case that breaks it; or if too many cases had nothing in
/// them to judge.
pub fn law<S: Strategy, H: Fn(S::Value) -> Ruling>(weight: Weight, like: S, holds: H) {
    let name = std::any::type_name::<H>();
    law_called(name.trim_end_matches("::{{closure}}"), weight, like, holds);
}

/// The same with a name of its own, where one test asks several.
///
/// # Panics
/// As [`law`].
pub fn law_called<S: Strategy>(
    name: &str,
    weight: Weight,
    like: S,
    holds: impl Fn(S::Value) -> Ruling,
) {
    let floor = Floor::new(name, weight.floor_percent);
    let mut runner = TestRunner::new(config(name, weight.cases));
    let broken = runner.run(&like, |case| {
        floor.count(holds(case)?);
        Ok(())
    });
    if let Err(error) = broken {
        panic!("{name}: {error}\n{runner}");
    }
    floor.holds();
}

/// A failing case is printed and shrunk; the same cases come again.
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
        // Failures are reported and shrunk; the same cases are generated again.
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
        expected = "law::tests::a_law_that_holds_because_nothing_happened_fails: only 0 of 50 cases had something in them to judge; 60 % must"
    )]
    fn a_law_that_holds_because_nothing_happened_fails() {
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
    fn a_law_that_is_broken_says_by_what() {
        law(WEIGHT, 0..1_000_u32, |case| {
            prop_assert!(case < 7);
            Ok(Judged::Something)
        });
    }

    #[test]
    fn a_law_is_asked_of_the_same_cases_each_time() {
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
