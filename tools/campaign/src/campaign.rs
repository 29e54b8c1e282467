//! Many seeds: what comes out of each run, and the sum of all.
//!
//! Each run is a job of its own, so many machines can share a campaign (`tools/shards`).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::plan::RunPlan;
use crate::world::{RunLog, RunReport, run};

/// What all runs of a campaign have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignPlan {
    /// The seed of the first run; each further run has the next one.
    pub seed: u64,
}

/// What came out of a run.
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
    RunLine::of(number, &run(&plan, RunLog::None))
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
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a RunLine>) -> Summary {
        let mut summary = Summary::default();
        runs.into_iter().for_each(|run| summary.add(run));
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
