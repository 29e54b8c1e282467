//! What is left out of a plan, in a form that a command takes: a failing run is shrunk by
//! leaving out more and more.
//!
//! ```
//! use campaign::Less;
//!
//! let less: Less = "flips,unplugs,acts 3..9,until 40".parse()?;
//! assert_eq!(less.to_string(), "flips,unplugs,acts 3..9,until 40");
//! # Ok::<(), String>(())
//! ```

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use firmware_core::faults::BoardFaults;

use crate::plan::{ActKind, RunPlan};

/// A kind of trouble, all of which is left out at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// Lost bytes.
    Drops,
    /// Flipped bits.
    Flips,
    /// Doubled bytes.
    Doubles,
    /// Cuts of the line.
    Cuts,
    /// Stalls of the line.
    Stalls,
    /// Unplugged cables.
    Unplugs,
    /// Failing power.
    Power,
    /// The second host.
    Hosts,
    /// An inaccurate clock.
    Clock,
    /// Fingers on the board's own sensors.
    Sensed,
    /// Resets.
    Resets,
    /// Settings.
    Settings,
    /// Requests for states and legal points.
    Questions,
    /// The key matrix with its faults, and the fingers that hosts put on it.
    Contacts,
    /// Stones that hosts set up.
    Positions,
    /// States that hosts make the board load.
    Loads,
}

impl TroubleKind {
    /// All of them, with their names.
    pub const ALL: [(TroubleKind, &'static str); 16] = [
        (TroubleKind::Drops, "drops"),
        (TroubleKind::Flips, "flips"),
        (TroubleKind::Doubles, "doubles"),
        (TroubleKind::Cuts, "cuts"),
        (TroubleKind::Stalls, "stalls"),
        (TroubleKind::Unplugs, "unplugs"),
        (TroubleKind::Power, "power"),
        (TroubleKind::Hosts, "hosts"),
        (TroubleKind::Clock, "clock"),
        (TroubleKind::Sensed, "sensed"),
        (TroubleKind::Resets, "resets"),
        (TroubleKind::Settings, "settings"),
        (TroubleKind::Questions, "questions"),
        (TroubleKind::Contacts, "contacts"),
        (TroubleKind::Positions, "positions"),
        (TroubleKind::Loads, "loads"),
    ];
}

/// What is left out of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Less {
    /// The kinds of trouble that are left out.
    pub troubles: Vec<TroubleKind>,
    /// The ranges of acts that are left out, numbered as the whole plan has them.
    pub acts: Vec<Range<usize>>,
    /// The second at which the line is healed, instead of later.
    pub until_s: Option<u64>,
}

impl Less {
    /// True if nothing is left out.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Less::default()
    }

    fn apply(&self, plan: &mut RunPlan) {
        let mut place = 0;
        plan.acts.retain(|_| {
            place += 1;
            !self.acts.iter().any(|range| range.contains(&(place - 1)))
        });
        if let Some(until_s) = self.until_s {
            plan.faulty_us = plan.faulty_us.min(until_s * 1_000_000);
        }
        plan.acts.retain(|act| act.at_us < plan.faulty_us);
        for trouble in &self.troubles {
            leave_out(*trouble, plan);
        }
    }
}

impl RunPlan {
    /// The plan without what is left out.
    #[must_use]
    pub fn without(mut self, less: &Less) -> RunPlan {
        less.apply(&mut self);
        self
    }
}

fn leave_out(trouble: TroubleKind, plan: &mut RunPlan) {
    let line = &mut plan.faults.line;
    match trouble {
        TroubleKind::Drops => line.drop_ppm = 0,
        TroubleKind::Flips => line.flip_ppm = 0,
        TroubleKind::Doubles => line.duplicate_ppm = 0,
        TroubleKind::Cuts => line.cut_ppm = 0,
        TroubleKind::Stalls => line.stall_ppm = 0,
        TroubleKind::Clock => plan.clock_permille = 1_000,
        TroubleKind::Hosts => {
            plan.hosts = 1;
            plan.acts.retain(|act| act.what != ActKind::Switch);
        }
        TroubleKind::Unplugs => keep(plan, |what| !matches!(what, ActKind::Unplug { .. })),
        TroubleKind::Power => keep(plan, |what| *what != ActKind::PowerFailure),
        TroubleKind::Sensed => keep(plan, |what| !matches!(what, ActKind::Sensed(_))),
        TroubleKind::Resets => keep(plan, |what| !matches!(what, ActKind::Reset { .. })),
        TroubleKind::Settings => keep(plan, |what| !matches!(what, ActKind::Set(_))),
        TroubleKind::Questions => keep(plan, |what| {
            !matches!(what, ActKind::Snapshot | ActKind::Ask)
        }),
        TroubleKind::Contacts => {
            plan.has_matrix = false;
            plan.faults.board = BoardFaults::default();
            keep(plan, |what| !matches!(what, ActKind::Finger(_)));
        }
        TroubleKind::Positions => keep(plan, |what| !matches!(what, ActKind::Place(_))),
        TroubleKind::Loads => keep(plan, |what| *what != ActKind::Load),
    }
}

fn keep(plan: &mut RunPlan, is_kept: fn(&ActKind) -> bool) {
    plan.acts.retain(|act| is_kept(&act.what));
}

impl fmt::Display for Less {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.troubles.iter().filter_map(|trouble| {
            let found = TroubleKind::ALL.iter().find(|(other, _)| other == trouble);
            found.map(|(_, name)| (*name).to_owned())
        });
        let acts = self
            .acts
            .iter()
            .map(|range| format!("acts {}..{}", range.start, range.end));
        let until = self
            .until_s
            .iter()
            .map(|until_s| format!("until {until_s}"));
        let parts: Vec<String> = names.chain(acts).chain(until).collect();
        f.write_str(&parts.join(","))
    }
}

impl FromStr for Less {
    type Err = String;

    fn from_str(text: &str) -> Result<Less, String> {
        let mut less = Less::default();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let trouble = TroubleKind::ALL.iter().find(|(_, name)| *name == part);
            if let Some((trouble, _)) = trouble {
                less.troubles.push(*trouble);
            } else if let Some(range) = part.strip_prefix("acts ") {
                let ends = range.split_once("..");
                let ends = ends.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
                less.acts.push(ends.ok_or_else(|| wrong(part))?);
            } else if let Some(until) = part.strip_prefix("until ") {
                less.until_s = Some(until.parse().map_err(|_| wrong(part))?);
            } else {
                return Err(wrong(part));
            }
        }
        Ok(less)
    }
}

fn wrong(part: &str) -> String {
    let names: Vec<&str> = TroubleKind::ALL.iter().map(|(_, name)| *name).collect();
    format!(
        "`{part}` cannot be left out: write {}, `acts 3..9` or `until 40`, with commas between",
        names.join(", ")
    )
}
