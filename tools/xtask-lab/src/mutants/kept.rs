//! Where results are kept while mutants are tested: beside the builds, or in the file of a
//! shard, of which a machine tests only its own mutants.
//!
//! The file of a shard has no finders: which test detects a mutant first depends on the
//! mutants before it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use shards::{Shard, ShardFile, ShardHeading, ShardOptions, ShardResult};

use super::results::{Outcome, Results};

/// The command in the files of shards.
pub const COMMAND: &str = "cargo xtask mutants";

/// Everything that results depend on, apart from the mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantsPlan {
    /// The part of the tree.
    pub part: String,
    /// The digest of the mutated source and its tests.
    pub digest: u64,
    /// Tests that take more seconds are not run.
    pub longest: Option<u64>,
}

/// The result of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantLine {
    pub name: String,
    pub outcome: Outcome,
}

/// The results of a shard, or of all.
pub type TestedMutants = ShardResult<MutantsPlan, MutantLine>;

/// The results in files of shards.
pub fn results_in(tested: &TestedMutants) -> Results {
    let ShardHeading { plan, jobs, .. } = &tested.heading;
    let mut results = Results::new(plan.digest);
    results.count = usize::try_from(*jobs).unwrap_or(usize::MAX);
    for line in tested.results.values() {
        results.record(&line.name, line.outcome);
    }
    results
}

/// A place for results.
pub enum Kept {
    /// A file beside the builds, which is written anew with each result.
    Beside(PathBuf),
    /// The file of a shard, to which each result is appended.
    Shard(ShardFile<MutantsPlan, MutantLine>),
}

impl Kept {
    /// The file of a shard, and the results in it.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn shard(
        plan: MutantsPlan,
        mutants: usize,
        options: &ShardOptions,
    ) -> anyhow::Result<(Kept, Results)> {
        let heading = ShardHeading {
            command: COMMAND.to_owned(),
            plan,
            jobs: mutants as u64,
            shard: options.shard,
        };
        let file = ShardFile::open(options.out.as_deref(), heading)?;
        let mut results = results_in(file.contents());
        results.count = options.shard.jobs(mutants as u64).count();
        Ok((Kept::Shard(file), results))
    }

    /// The mutants that are tested here.
    pub fn own(&self) -> Shard {
        match self {
            Kept::Beside(_) => Shard::WHOLE,
            Kept::Shard(file) => file.contents().heading.shard,
        }
    }

    /// Keeps the result of the mutant with this number, counted from 1, which is one of
    /// these results.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, results: &Results, number: u32, name: &str) -> anyhow::Result<()> {
        match self {
            Kept::Beside(path) => results.save(path)?,
            Kept::Shard(file) => {
                if let Some(outcome) = results.of(name) {
                    let name = name.to_owned();
                    file.add(u64::from(number) - 1, MutantLine { name, outcome })?;
                }
            }
        }
        Ok(())
    }

    /// Closes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> anyhow::Result<()> {
        if let Kept::Shard(file) = self {
            file.finish()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(shard: Shard) -> TestedMutants {
        let outcomes = Outcome::ALL.iter().cycle();
        let line = |(job, (outcome, _)): (u64, &(Outcome, &str))| {
            let name = format!("a.rs:{job}:1: mistake {job}");
            let outcome = *outcome;
            shard
                .has(job)
                .then_some((job, MutantLine { name, outcome }))
        };
        ShardResult {
            heading: ShardHeading {
                command: COMMAND.to_owned(),
                plan: MutantsPlan {
                    part: "protocol".to_owned(),
                    digest: u64::MAX,
                    longest: Some(3),
                },
                jobs: 11,
                shard,
            },
            results: (0..11).zip(outcomes).filter_map(line).collect(),
        }
    }

    #[test]
    fn shards_of_mutants_merge_into_the_report_of_one_machine() {
        let shards = (1..=3).map(|number| tested(Shard::new(number, 3).unwrap()).to_text());
        let read = shards.map(|text| TestedMutants::parse(&text, COMMAND));
        let read: Vec<TestedMutants> = read.collect::<Result<_, _>>().unwrap();
        let merged = ShardResult::merge(&read).unwrap();
        let whole = tested(Shard::WHOLE);
        assert_eq!(merged, whole);
        let [merged, whole] = [merged, whole].map(|tested| results_in(&tested).to_string());
        assert_eq!(merged, whole);
        assert!(
            whole.starts_with("11 of 11 mutants tried, 3 caught"),
            "{whole}"
        );
    }

    #[test]
    fn a_killed_shard_of_mutants_goes_on_with_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let second = ShardOptions {
            shard: Shard::new(2, 3).unwrap(),
            out: Some(folder.path().join("second")),
        };
        let plan = tested(Shard::WHOLE).heading.plan;
        let whole = results_in(&tested(Shard::WHOLE));
        // Job 7 is mutant number 8.
        for (count, number) in [8, 2, 11, 5].into_iter().enumerate() {
            let (mut kept, results) = Kept::shard(plan.clone(), 11, &second).unwrap();
            let told = results.to_string();
            assert!(told.starts_with(&format!("{count} of 4 mutants")), "{told}");
            assert!(kept.own().has(number - 1));
            let name = format!("a.rs:{}:1: mistake {}", number - 1, number - 1);
            kept.keep(&whole, number as u32, &name).unwrap();
        }
        let (kept, _) = Kept::shard(plan, 11, &second).unwrap();
        kept.finish().unwrap();
        let text = std::fs::read_to_string(second.out.unwrap()).unwrap();
        assert_eq!(text, tested(second.shard).to_text());
    }
}
