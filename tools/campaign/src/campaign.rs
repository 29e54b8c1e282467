//! Many seeds: which runs belong to a shard, the file of a shard, and the sum of all.
//!
//! A file has a line for the campaign and a line for each run, in order. A shard that was
//! interrupted goes on after its last line.
//!
//! Invariants: shards share nothing; the files of all shards [merge] into the bytes that
//! one machine would have written.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::plan::RunPlan;
use crate::world::{RunReport, run};

/// Every N-th run: `2/5` is the second of five shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which shard, counted from 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl Shard {
    /// The only shard.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// The runs of this shard, of this many.
    pub fn runs(self, runs: u64) -> impl Iterator<Item = u64> {
        (self.number - 1..runs).step_by(self.of.try_into().unwrap_or(usize::MAX))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let numbers =
            numbers.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err(format!(
                "`{text}` is not a shard: write 2/5 for the second of five"
            )),
        }
    }
}

/// What all runs of a campaign have in common: the first line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignLine {
    /// The seed of the first run; each further run has the next one.
    pub seed: u64,
    /// The number of runs.
    pub runs: u64,
    /// The shard whose runs are in the file.
    pub shard: Shard,
}

/// What came out of a run: a line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLine {
    /// The number of the run, counted from 0.
    pub run: u64,
    /// Its seed.
    pub seed: u64,
    /// The simulated time.
    pub simulated_us: u64,
    /// The number of bytes on the line.
    pub bytes: u64,
    /// The number of messages on the line.
    pub frames: u64,
    /// The number of messages that did not arrive.
    pub damaged_frames: u64,
    /// How often the cable was pulled out.
    pub unplugs: u64,
    /// How often the power failed.
    pub power_failures: u64,
    /// How often a twin went on from a snapshot.
    pub resyncs: u64,
    /// How often a line was opened again.
    pub reconnects: u64,
    /// The number of inputs of hosts that the board acknowledged.
    pub inputs: u64,
    /// The number of inputs of the board's own sensors.
    pub sensed: u64,
    /// The number of requests that failed, which the program was told.
    pub failed: u64,
    /// The number of digests in which twin and board agreed.
    pub agreed: u64,
    /// The number of reported losses of events.
    pub losses: u64,
    /// The time from the healing of the line until both ends agreed.
    pub healing_us: u64,
    /// The rule that was broken, and how.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub violation: Option<String>,
}

impl RunLine {
    /// The line of this run.
    #[must_use]
    pub fn of(number: u64, report: &RunReport) -> RunLine {
        let RunReport { line, hosts, .. } = report;
        RunLine {
            run: number,
            seed: report.seed,
            simulated_us: report.simulated_us,
            bytes: line.bytes,
            frames: line.frames,
            damaged_frames: line.damaged_frames,
            unplugs: report.unplugs,
            power_failures: report.power_failures,
            resyncs: hosts.resyncs,
            reconnects: hosts.reconnects,
            inputs: hosts.inputs,
            sensed: report.sensed,
            failed: hosts.failed,
            agreed: hosts.agreed,
            losses: hosts.losses,
            healing_us: report.healing_us,
            violation: report
                .violation
                .as_ref()
                .map(|violation| format!("{}: {violation}", violation.kind())),
        }
    }
}

/// The seed of a run of a campaign.
#[must_use]
pub fn seed_of(campaign: u64, run: u64) -> u64 {
    campaign.wrapping_add(run)
}

/// Plays a run of a campaign.
#[must_use]
pub fn play(campaign: u64, number: u64) -> RunLine {
    let plan = RunPlan::of(seed_of(campaign, number));
    RunLine::of(number, &run(&plan, false))
}

/// The number of runs whose phases with faults take this many hours together.
#[must_use]
pub fn runs_of_hours(seed: u64, hours: u64) -> u64 {
    let mut left_us = hours * 3_600_000_000;
    let mut runs = 0;
    while left_us > 0 {
        let plan = RunPlan::of(seed_of(seed, runs));
        left_us = left_us.saturating_sub(plan.faulty_us);
        runs += 1;
    }
    runs
}

/// The contents of a file: those of a shard that is complete, or not yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardResult {
    /// What all runs have in common.
    pub campaign: CampaignLine,
    /// The runs, in order.
    pub runs: Vec<RunLine>,
}

/// Why a file cannot be used. The text is a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// A line is not one of a campaign's file.
    #[error("line {line} is not one of a campaign: {why}")]
    Line {
        /// The number of the line, counted from 1.
        line: usize,
        /// Why not.
        why: String,
    },
    /// The files belong to different campaigns.
    #[error(
        "the files are of different campaigns: shards of the same seed and number of runs belong together"
    )]
    Different,
    /// A run is missing.
    #[error("run {0} is in none of the files: let its shard finish first")]
    Missing(u64),
    /// A run is in two files, with different results.
    #[error("run {0} has different results in two files: they are of different versions")]
    Contradiction(u64),
    /// There is no file.
    #[error("there is nothing to merge: name the files of all shards")]
    Nothing,
}

impl ShardResult {
    /// Reads a file. A last line that was cut off is left out.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<ShardResult, FileError> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines().enumerate();
        let wrong = |place: usize, error: &dyn fmt::Display| FileError::Line {
            line: place + 1,
            why: error.to_string(),
        };
        let first = lines.next().map_or("", |(_, line)| line);
        let campaign: CampaignLine =
            serde_json::from_str(first).map_err(|error| wrong(0, &error))?;
        let runs = lines
            .map(|(place, line)| serde_json::from_str(line).map_err(|error| wrong(place, &error)));
        Ok(ShardResult {
            campaign,
            runs: runs.collect::<Result<_, _>>()?,
        })
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = line(&self.campaign);
        text.extend(self.runs.iter().map(line));
        text
    }

    /// The runs of the shard that are not in the file yet.
    pub fn left(&self) -> impl Iterator<Item = u64> {
        let done = self.runs.len();
        self.campaign.shard.runs(self.campaign.runs).skip(done)
    }
}

/// A line of a file.
#[must_use]
pub fn line(value: &impl Serialize) -> String {
    // Numbers and texts can always be written.
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

/// Puts the files of all shards together.
///
/// # Errors
/// If they are not those of one campaign, or a run is missing.
pub fn merge(shards: &[ShardResult]) -> Result<ShardResult, FileError> {
    let first = shards.first().ok_or(FileError::Nothing)?.campaign;
    let whole = CampaignLine {
        shard: Shard::WHOLE,
        ..first
    };
    let mut runs: BTreeMap<u64, &RunLine> = BTreeMap::new();
    for shard in shards {
        if (shard.campaign.seed, shard.campaign.runs) != (first.seed, first.runs) {
            return Err(FileError::Different);
        }
        for line in &shard.runs {
            let other = runs.insert(line.run, line);
            if other.is_some_and(|other| other != line) {
                return Err(FileError::Contradiction(line.run));
            }
        }
    }
    if let Some(missing) = (0..first.runs).find(|run| !runs.contains_key(run)) {
        return Err(FileError::Missing(missing));
    }
    Ok(ShardResult {
        campaign: whole,
        runs: runs.into_values().cloned().collect(),
    })
}

/// The sum of many runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of runs.
    pub runs: u64,
    /// All figures, added; the time of healing is the longest.
    pub all: RunLine,
    /// The runs that broke a rule.
    pub failed: Vec<RunLine>,
}

impl Summary {
    /// Adds a run.
    pub fn add(&mut self, run: &RunLine) {
        let all = &mut self.all;
        self.runs += 1;
        all.simulated_us += run.simulated_us;
        all.bytes += run.bytes;
        all.frames += run.frames;
        all.damaged_frames += run.damaged_frames;
        all.unplugs += run.unplugs;
        all.power_failures += run.power_failures;
        all.resyncs += run.resyncs;
        all.reconnects += run.reconnects;
        all.inputs += run.inputs;
        all.sensed += run.sensed;
        all.failed += run.failed;
        all.agreed += run.agreed;
        all.losses += run.losses;
        all.healing_us = all.healing_us.max(run.healing_us);
        if run.violation.is_some() {
            self.failed.push(run.clone());
        }
    }

    /// The sum of these runs.
    #[must_use]
    pub fn of(runs: &[RunLine]) -> Summary {
        let mut summary = Summary::default();
        runs.iter().for_each(|run| summary.add(run));
        summary
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunLine {
            simulated_us,
            bytes,
            frames,
            damaged_frames,
            unplugs,
            power_failures,
            resyncs,
            reconnects,
            inputs,
            sensed,
            failed,
            agreed,
            losses,
            healing_us,
            ..
        } = &self.all;
        let hours = *simulated_us as f64 / 3.6e9;
        writeln!(f, "{} runs, {hours:.1} simulated hours", self.runs)?;
        writeln!(
            f,
            "{frames} frames of {bytes} bytes, {damaged_frames} of them damaged or lost"
        )?;
        writeln!(
            f,
            "{unplugs} unplugs, {power_failures} power failures, {reconnects} reconnections, {resyncs} resyncs"
        )?;
        writeln!(
            f,
            "{inputs} inputs of hosts acknowledged, {sensed} of sensors; {failed} requests failed, {losses} losses reported"
        )?;
        writeln!(
            f,
            "{agreed} digests agree; healed within {} ms",
            healing_us / 1_000
        )?;
        match self.failed.len() {
            0 => write!(f, "no rule was broken"),
            count => write!(f, "{count} runs broke a rule"),
        }
    }
}
