//! The shortest run that fails in the same way, and its session.

use std::ops::Range;

use firmware_core::games;
use protocol::Roster;
use touchboard_host::session::{Header, Session};

use crate::less::{Less, TroubleKind};
use crate::plan::RunPlan;
use crate::world::{RunLog, RunReport, run};

/// A failing run that was shrunk.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// What is left out of the plan of its seed.
    pub less: Less,
    /// The run.
    pub report: RunReport,
    /// The number of acts that are left.
    pub acts: usize,
    /// The number of runs that it took.
    pub tries: u32,
}

struct Shrinking<'a> {
    seed: u64,
    kind: &'a str,
    less: Less,
    report: RunReport,
    tries: u32,
    most: u32,
}

impl Shrinking<'_> {
    /// Leaves this out, too, if the run still fails in the same way.
    fn attempt(&mut self, less: Less) -> bool {
        if self.tries >= self.most || less == self.less {
            return false;
        }
        self.tries += 1;
        let report = run(&RunPlan::of(self.seed).without(&less), RunLog::None);
        let kind = report.violation.as_ref().map(|violation| violation.kind());
        let fails = kind == Some(self.kind);
        if fails {
            (self.less, self.report) = (less, report);
        }
        fails
    }

    /// Heals the line just after the failure, or as much earlier as it still fails.
    fn shorten(&mut self) {
        let mut until_s = self.report.simulated_us.div_ceil(1_000_000);
        let mut step_s = until_s / 2;
        while step_s > 0 {
            let earlier_s = until_s.saturating_sub(step_s).max(1);
            let less = Less {
                until_s: Some(earlier_s),
                ..self.less.clone()
            };
            if self.attempt(less) {
                until_s = earlier_s;
            } else {
                step_s /= 2;
            }
        }
    }

    fn drop_troubles(&mut self) {
        for (trouble, _) in TroubleKind::ALL {
            let mut less = self.less.clone();
            less.troubles.push(trouble);
            self.attempt(less);
        }
    }

    /// Leaves out ranges of acts, halving their length.
    fn drop_acts(&mut self) {
        let all = RunPlan::of(self.seed).acts.len();
        let mut length = all / 2;
        while length > 0 {
            for from in (0..all).step_by(length) {
                let range = from..(from + length).min(all);
                let has =
                    |other: &Range<usize>| other.start <= range.start && range.end <= other.end;
                if self.less.acts.iter().any(has) {
                    continue;
                }
                let mut less = self.less.clone();
                less.acts.push(range);
                less.acts
                    .sort_unstable_by_key(|range| (range.start, range.end));
                less.acts = joined(&less.acts);
                self.attempt(less);
            }
            length /= 2;
        }
    }
}

/// Ranges that touch or overlap, as one.
fn joined(ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range.clone()),
        }
    }
    joined
}

/// Shrinks the run of this seed with at most this many tries; `None` if it does not fail.
#[must_use]
pub fn shrink(seed: u64, less: Less, most_tries: u32) -> Option<Shrunk> {
    let report = run(&RunPlan::of(seed).without(&less), RunLog::None);
    let kind = report.violation.as_ref()?.kind();
    let mut shrinking = Shrinking {
        seed,
        kind,
        less,
        report,
        tries: 1,
        most: most_tries,
    };
    shrinking.shorten();
    shrinking.drop_troubles();
    shrinking.drop_acts();
    shrinking.shorten();
    let Shrinking {
        less,
        report,
        tries,
        ..
    } = shrinking;
    Some(Shrunk {
        acts: RunPlan::of(seed).without(&less).acts.len(),
        less,
        report,
        tries,
    })
}

/// What the board did in this run, as a session: the shell, the window and `check` open
/// it. Its note says how the run itself is repeated.
#[must_use]
pub fn session(shrunk: &Shrunk) -> Session {
    let RunReport {
        seed,
        violation,
        done,
        ..
    } = &shrunk.report;
    let plan = RunPlan::of(*seed);
    let why = violation
        .as_ref()
        .map_or("nothing", |violation| violation.kind());
    let less = match shrunk.less.is_nothing() {
        true => String::new(),
        false => format!(" --less \"{}\"", shrunk.less),
    };
    let note = format!("found by campaign --seed {seed}{less}: {why}");
    let roster: Roster = games::on_layout(*plan.layouts[0], games::ROSTER);
    let header = Header::new(plan.layouts[0].clone(), plan.board_seed, &note).with_games(roster);
    let mut session = Session::new(header);
    for done in done {
        session.push(done.tick, done.item.clone());
    }
    session
}
