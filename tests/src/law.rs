//! A law, asked of many cases; and whether they had anything in them to judge.
//!
//! A law that holds because nothing happened proves nothing. So each case says
//! whether what the law is about did occur in it, and a law fails in which it
//! occurred too seldom.

use std::cell::Cell;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// What a case had in it for a law that holds in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// What the law is about.
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

/// How many cases a law is asked of, and in how many there must be something.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// Cases.
    pub cases: u32,
    /// The least share of them, in a hundred, that had something to judge.
    pub floor_percent: u32,
}

/// Asks a law of cases like these.
///
/// # Panics
/// With the shortest case that breaks it; or if too many cases had nothing in
/// them to judge.
pub fn law<S: Strategy>(
    weight: Weight,
    like: S,
    holds: impl Fn(S::Value) -> Result<Judged, TestCaseError>,
) {
    let Weight {
        cases,
        floor_percent,
    } = weight;
    let mut runner = TestRunner::new(Config {
        cases,
        // What breaks it is told, and shrunk; a file of it has no place here.
        failure_persistence: None,
        ..Config::default()
    });
    let something = Cell::new(0);
    let broken = runner.run(&like, |case| {
        let judged = holds(case)?;
        something.set(something.get() + u32::from(judged == Judged::Something));
        Ok(())
    });
    if let Err(error) = broken {
        panic!("{error}\n{runner}");
    }
    let something = something.get();
    eprintln!("{something} of {cases} cases had something to judge");
    assert!(
        something * 100 >= cases * floor_percent,
        "only {something} of {cases} cases had something in them to judge; {floor_percent} % must"
    );
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WEIGHT: Weight = Weight {
        cases: 50,
        floor_percent: 60,
    };

    #[test]
    #[should_panic(expected = "cases had something in them to judge; 60 % must")]
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
}
