//! The result of each mutant, in a file so that an interrupted run can continue, and
//! the test that detected it, which runs first next time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::without_place;

/// The result of a mutant, and the test that decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub outcome: Outcome,
    /// The test that failed or did not end.
    pub by: Option<String>,
}

impl From<Outcome> for Found {
    fn from(outcome: Outcome) -> Found {
        Found { outcome, by: None }
    }
}

/// The outcome of testing a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// A test failed, as it should.
    Caught,
    /// A test did not end.
    TimedOut,
    /// All tests that reach it passed.
    Survived,
    /// No test reaches it.
    Unreached,
    /// The mutant does not compile.
    Unbuilt,
}

impl Outcome {
    pub const ALL: [(Outcome, &'static str); 5] = [
        (Outcome::Caught, "caught"),
        (Outcome::TimedOut, "timed out"),
        (Outcome::Survived, "survived"),
        (Outcome::Unreached, "not reached"),
        (Outcome::Unbuilt, "not built"),
    ];

    fn word(self) -> &'static str {
        let found = Outcome::ALL.iter().find(|(outcome, _)| *outcome == self);
        found.map_or("", |(_, word)| word)
    }

    fn named(word: &str) -> Option<Outcome> {
        let found = Outcome::ALL.iter().find(|(_, own)| *own == word);
        found.map(|(outcome, _)| *outcome)
    }

    fn is_alive(self) -> bool {
        matches!(self, Outcome::Survived | Outcome::Unreached)
    }

    fn is_dead(self) -> bool {
        matches!(self, Outcome::Caught | Outcome::TimedOut)
    }
}

/// The results of the tested mutants of one part of the tree.
#[derive(Debug)]
pub struct Results {
    /// The digest of the mutated source and its tests.
    digest: u64,
    outcomes: BTreeMap<String, Outcome>,
    /// The mutants that survived in earlier sources, without their positions.
    suspects: BTreeSet<String>,
    /// For each mutant without its position: the tests that detected it, in this source
    /// or earlier ones.
    finders: BTreeMap<String, BTreeSet<String>>,
    /// The number of mutants.
    pub count: usize,
}

impl Results {
    #[must_use]
    pub fn new(digest: u64) -> Results {
        Results {
            digest,
            outcomes: BTreeMap::new(),
            suspects: BTreeSet::new(),
            finders: BTreeMap::new(),
            count: 0,
        }
    }

    /// The contents of the file if they are for this source. Otherwise there are no
    /// results, but earlier survivors and detecting tests are remembered.
    pub fn load(path: &Path, digest: u64) -> Results {
        let text = fs::read_to_string(path).unwrap_or_default();
        let kept: Value = serde_json::from_str(&text).unwrap_or_default();
        let mut results = Results::new(digest);
        let is_of_this = kept["digest"].as_str() == Some(&format!("{digest:016x}"));
        for (name, word) in kept["mutants"].as_object().into_iter().flatten() {
            let outcome = word.as_str().and_then(Outcome::named);
            let Some(outcome) = outcome else { continue };
            if outcome.is_alive() {
                results.suspects.insert(without_place(name));
            }
            if is_of_this {
                results.outcomes.insert(name.clone(), outcome);
            }
        }
        for (name, tests) in kept["finders"].as_object().into_iter().flatten() {
            let tests = tests.as_array().into_iter().flatten();
            let tests = tests.filter_map(|test| test.as_str().map(str::to_owned));
            results.finders.insert(name.clone(), tests.collect());
        }
        results
    }

    /// Writes it to the file, completely or not at all.
    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        let mutants = self.outcomes.iter();
        let mutants: BTreeMap<_, _> = mutants.map(|(name, came)| (name, came.word())).collect();
        let text = json!({
            "digest": format!("{:016x}", self.digest),
            "mutants": mutants,
            "finders": self.finders,
        });
        let new = path.with_extension("new");
        fs::write(&new, format!("{text:#}\n")).with_context(|| new.display().to_string())?;
        fs::rename(&new, path).with_context(|| path.display().to_string())
    }

    /// The outcome of this mutant; `None` if it was not tested.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<Outcome> {
        self.outcomes.get(name).copied()
    }

    /// True if it survived earlier, whatever has changed since.
    #[must_use]
    pub fn suspects(&self, name: &str) -> bool {
        self.suspects.contains(&without_place(name))
    }

    /// True if this test detected the mutant earlier, at this or another position of its
    /// function.
    #[must_use]
    pub fn is_finder(&self, test: &str, name: &str) -> bool {
        let tests = self.finders.get(&without_place(name));
        tests.is_some_and(|tests| tests.contains(test))
    }

    pub fn record(&mut self, name: &str, found: impl Into<Found>) {
        let found = found.into();
        self.outcomes.insert(name.to_owned(), found.outcome);
        if let Some(test) = found.by {
            let tests = self.finders.entry(without_place(name)).or_default();
            tests.insert(test);
        }
    }

    /// The mutants that survived, without their positions.
    #[must_use]
    pub fn survived(&self) -> BTreeSet<String> {
        self.names(Outcome::is_alive)
    }

    /// The mutants that were caught, without their positions.
    #[must_use]
    pub fn caught(&self) -> BTreeSet<String> {
        self.names(Outcome::is_dead)
    }

    fn names(&self, which: impl Fn(Outcome) -> bool) -> BTreeSet<String> {
        let these = self.outcomes.iter().filter(|(_, outcome)| which(**outcome));
        these.map(|(name, _)| without_place(name)).collect()
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried = self.outcomes.len();
        write!(f, "{tried} of {} mutants tried", self.count)?;
        for (outcome, word) in Outcome::ALL {
            let count = self
                .outcomes
                .values()
                .filter(|&&came| came == outcome)
                .count();
            if count > 0 {
                write!(f, ", {count} {word}")?;
            }
        }
        match self.count.saturating_sub(tried) {
            0 => Ok(()),
            left => write!(f, "; the same command goes on with the other {left}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Results {
        let mut results = Results::new(7);
        let found = Found {
            outcome: Outcome::Caught,
            by: Some("it_is_so".to_owned()),
        };
        results.record("a.rs:1:2: one", found);
        results.record("a.rs:2:2: two", Outcome::Survived);
        results.record("a.rs:3:2: three", Outcome::Unreached);
        results.count = 4;
        results
    }

    #[test]
    fn a_run_resumes_unless_the_source_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.json");
        some().save(&path).unwrap();
        let same = Results::load(&path, 7);
        assert_eq!(same.outcomes, some().outcomes);
        let other = Results::load(&path, 8);
        assert_eq!(other.of("a.rs:1:2: one"), None);
        assert!(other.suspects("a.rs:9:9: two"), "it moved and is itself");
        assert!(other.suspects("a.rs:9:9: three"));
        assert!(!other.suspects("a.rs:1:2: one"));
        assert!(other.is_finder("it_is_so", "a.rs:9:9: one"));
        assert!(!other.is_finder("it_is_so", "a.rs:2:2: two"));
        fs::remove_file(&path).unwrap();
        assert!(Results::load(&path, 7).outcomes.is_empty());
    }

    #[test]
    fn a_report_counts_outcomes_and_mutants_left() {
        assert_eq!(
            some().to_string(),
            "3 of 4 mutants tried, 1 caught, 1 survived, 1 not reached; the same command goes on with the other 1"
        );
        for (outcome, word) in Outcome::ALL {
            assert_eq!(Outcome::named(word), Some(outcome));
        }
    }
}
