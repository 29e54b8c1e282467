//! The contents of a shard's file, and the sum of several.
//!
//! A file has a line for the whole run, and a line for each job that is done. While jobs
//! are being done their lines may be in any order; a finished file has them in order.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Shard, ShardError};

/// What all jobs have in common: the first line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeading<P> {
    /// The command, as it is typed.
    pub command: String,
    /// Everything that a result depends on, apart from the number of its job.
    pub plan: P,
    /// The number of jobs, of all shards together.
    pub jobs: u64,
    /// The shard whose jobs are in the file.
    pub shard: Shard,
}

/// A job that is done: a line of a file.
#[derive(Serialize, Deserialize)]
struct JobLine<R> {
    job: u64,
    result: R,
}

/// The contents of a file: those of a shard that is finished, or not yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardResult<P, R> {
    /// What all jobs have in common.
    pub heading: ShardHeading<P>,
    /// The results of the jobs that are done, by number.
    pub results: BTreeMap<u64, R>,
}

/// The contents of a file, and how they are written there.
pub(crate) struct ReadShard<P, R> {
    pub contents: ShardResult<P, R>,
    /// The length without a last line that was cut off.
    pub whole_bytes: usize,
    pub is_in_order: bool,
}

impl<P, R> ShardResult<P, R>
where
    P: Clone + PartialEq + Serialize + DeserializeOwned,
    R: Clone + PartialEq + Serialize + DeserializeOwned,
{
    /// A shard of which no job is done.
    #[must_use]
    pub fn new(heading: ShardHeading<P>) -> Self {
        let results = BTreeMap::new();
        ShardResult { heading, results }
    }

    /// Reads a file of this command. A last line that was cut off is left out.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str, command: &str) -> Result<Self, ShardError> {
        ShardResult::read(text, command).map(|read| read.contents)
    }

    pub(crate) fn read(text: &str, command: &str) -> Result<ReadShard<P, R>, ShardError> {
        let whole_bytes = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole_bytes].lines().zip(1..);
        let first = lines.next().map_or("", |(line, _)| line);
        let found = command_in(first)?;
        if found != command {
            return Err(ShardError::OtherCommand {
                found,
                expected: command.to_owned(),
            });
        }
        let heading = serde_json::from_str(first).map_err(|error| wrong(1, &error.to_string()))?;
        let mut contents: Self = ShardResult::new(heading);
        let mut is_in_order = true;
        for (line, number) in lines {
            let read = serde_json::from_str(line);
            let JobLine { job, result } =
                read.map_err(|error| wrong(number, &error.to_string()))?;
            let ShardHeading { shard, jobs, .. } = contents.heading;
            if job >= jobs || !shard.has(job) {
                return Err(wrong(number, &format!("job {job} is not one of its shard")));
            }
            let last = contents.results.last_key_value();
            is_in_order &= last.is_none_or(|(last, _)| *last < job);
            let other = contents.results.insert(job, result);
            if other.is_some_and(|other| contents.results.get(&job) != Some(&other)) {
                return Err(ShardError::Contradiction(job));
            }
        }
        Ok(ReadShard {
            contents,
            whole_bytes,
            is_in_order,
        })
    }

    /// The text of the file, with its jobs in order.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = line(&self.heading);
        let jobs = self.results.iter();
        text.extend(jobs.map(|(job, result)| job_line(*job, result)));
        text
    }

    /// The jobs of the shard that are not done, as they are now.
    pub fn left(&self) -> impl Iterator<Item = u64> + use<P, R> {
        let done: BTreeSet<u64> = self.results.keys().copied().collect();
        let ShardHeading { shard, jobs, .. } = self.heading;
        shard.jobs(jobs).filter(move |job| !done.contains(job))
    }

    /// Puts the results of all shards together.
    ///
    /// # Errors
    /// If they do not belong together, or a job is missing.
    pub fn merge(shards: &[Self]) -> Result<Self, ShardError> {
        let first = &shards.first().ok_or(ShardError::Nothing)?.heading;
        let mut whole = ShardResult::new(ShardHeading {
            shard: Shard::WHOLE,
            ..first.clone()
        });
        for shard in shards {
            let heading = ShardHeading {
                shard: Shard::WHOLE,
                ..shard.heading.clone()
            };
            if heading != whole.heading {
                return Err(ShardError::Different);
            }
            for (job, result) in &shard.results {
                let other = whole.results.insert(*job, result.clone());
                if other.is_some_and(|other| other != *result) {
                    return Err(ShardError::Contradiction(*job));
                }
            }
        }
        let missing = (0..first.jobs).find(|job| !whole.results.contains_key(job));
        missing.map_or(Ok(whole), |job| Err(ShardError::Missing(job)))
    }
}

/// The command that wrote a file with this first line.
pub(crate) fn command_in(first: &str) -> Result<String, ShardError> {
    #[derive(Deserialize)]
    struct Any {
        command: String,
    }
    let any = serde_json::from_str(first).map_err(|error| wrong(1, &error.to_string()));
    any.map(|Any { command }| command)
}

fn wrong(line: usize, why: &str) -> ShardError {
    let why = why.to_owned();
    ShardError::Line { line, why }
}

/// The line of a job.
pub(crate) fn job_line<R: Serialize>(job: u64, result: &R) -> String {
    line(&JobLine { job, result })
}

pub(crate) fn line(value: &impl Serialize) -> String {
    // Numbers, texts and lists can always be written.
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}
