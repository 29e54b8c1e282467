//! The campaign obeys its own rules: a seed is everything, shards add up, and a short
//! campaign finds nothing.

use campaign::campaign::{CampaignPlan, RunLine, play, runs_of_hours};
use campaign::less::TroubleKind;
use campaign::shrink::{session, shrink};
use campaign::{Less, RunLog, RunPlan, run};
use law::{Judged, Weight, law};
use proptest::prelude::*;
use shards::{Shard, ShardHeading, ShardResult};
use touchboard_host::session::Session;

/// The number of runs that a test can afford.
const FEW: u64 = 24;

#[test]
fn the_same_seed_gives_the_same_run_byte_for_byte() {
    for seed in 1..=4 {
        let plan = RunPlan::of(seed);
        let (one, other) = (
            run(&plan, RunLog::Kept),
            run(&RunPlan::of(seed), RunLog::Kept),
        );
        assert!(one.log.len() > 100, "seed {seed}: {} events", one.log.len());
        assert_eq!(one.log, other.log, "seed {seed}");
        let silent = run(&plan, RunLog::None);
        assert_eq!(
            RunLine::of(0, &one),
            RunLine::of(0, &silent),
            "a log changes nothing"
        );
    }
    assert_ne!(
        run(&RunPlan::of(1), RunLog::Kept).log,
        run(&RunPlan::of(2), RunLog::Kept).log
    );
}

#[test]
fn a_short_campaign_breaks_no_rule() {
    let mut damaged_frames = 0;
    for number in 0..FEW {
        let run = play(1, number);
        assert_eq!(run.violation, None, "seed {}", run.seed);
        damaged_frames += run.damaged_frames;
    }
    assert!(
        damaged_frames > 1_000,
        "only {damaged_frames} damaged frames"
    );
}

/// Runs that once broke a rule, before the mistake in host or board was mended: seeds, and
/// what is left out of them.
const FOUND_A_MISTAKE: [(&[u64], &str); 2] = [
    (
        &[
            2, 9, 21, 26, 32, 57, 68, 91, 100, 282, 318, 1_001_654, 1_001_785, 1_002_481, 2_003_523,
        ],
        "contacts,positions,loads",
    ),
    (
        &[
            37, 1_000_556, 1_004_066, 1_004_510, 1_006_281, 1_006_404, 1_006_989, 1_007_139,
            1_007_380, 1_009_634, 1_010_492, 1_026_710, 1_044_077, 2_000_319, 3_000_119,
        ],
        "",
    ),
];

#[test]
fn seeds_that_found_a_mistake_break_no_rule_any_more() {
    for (seeds, less) in FOUND_A_MISTAKE {
        let less: Less = less.parse().unwrap();
        for seed in seeds {
            let report = run(&RunPlan::of(*seed).without(&less), RunLog::None);
            assert_eq!(report.violation, None, "seed {seed} --less \"{less}\"");
        }
    }
}

#[test]
fn shards_of_real_runs_merge_into_the_campaign_of_one_machine() {
    let real = |shard: Shard| ShardResult {
        heading: ShardHeading {
            command: "campaign".to_owned(),
            plan: CampaignPlan { seed: 50 },
            jobs: 4,
            shard,
        },
        results: shard.jobs(4).map(|run| (run, play(50, run))).collect(),
    };
    let shards = [2, 1].map(|number| real(Shard::new(number, 2).expect("a shard")));
    // Through their files.
    let read = shards
        .map(|shard| ShardResult::<CampaignPlan, RunLine>::parse(&shard.to_text(), "campaign"));
    let read: Vec<_> = read
        .into_iter()
        .collect::<Result<_, _>>()
        .expect("they can be read");
    let merged = ShardResult::merge(&read).expect("both are there");
    assert_eq!(merged.to_text(), real(Shard::WHOLE).to_text());
}

#[test]
fn hours_are_phases_with_faults_together() {
    let runs = runs_of_hours(3, 2);
    let all_us = |runs: u64| {
        (0..runs)
            .map(|run| RunPlan::of(3 + run).faulty_us)
            .sum::<u64>()
    };
    let asked_us = 2 * 3_600_000_000;
    assert!(all_us(runs) >= asked_us && all_us(runs - 1) < asked_us);
}

#[test]
fn what_is_left_out_has_one_text_form() {
    let troubles = prop::sample::subsequence(
        TroubleKind::ALL.map(|(trouble, _)| trouble).to_vec(),
        0..=TroubleKind::ALL.len(),
    );
    let ranges = prop::collection::vec((0..50_usize, 0..50_usize), 0..4);
    let all = (troubles, ranges, proptest::option::of(0..900_u64));
    law(Weight::of(200, 80), all, |(troubles, ranges, until_s)| {
        let acts = ranges.into_iter().map(|(from, to)| from..to).collect();
        let less = Less {
            troubles,
            acts,
            until_s,
        };
        prop_assert_eq!(less.to_string().parse(), Ok(less.clone()));
        Ok(Judged::if_any(!less.is_nothing()))
    });
    for wrong in ["nothing", "acts 3", "until dawn"] {
        let error = wrong.parse::<Less>().expect_err("that is none");
        assert!(error.starts_with(&format!("`{wrong}` cannot")), "{error}");
    }
}

#[test]
fn a_run_without_a_mistake_is_not_shrunk() {
    assert!(shrink(2, Less::default(), 10).is_none());
}

#[test]
fn a_kept_session_can_be_read_again() {
    let plan = RunPlan::of(2);
    let report = run(&plan, RunLog::None);
    let shrunk = campaign::shrink::Shrunk {
        less: "flips".parse().expect("a kind"),
        acts: plan.acts.len(),
        report,
        tries: 1,
    };
    let kept = session(&shrunk);
    assert!(kept.acts() > 20, "{} acts", kept.acts());
    let read = Session::parse(kept.to_text().as_bytes()).expect("it is a session");
    assert_eq!(read.to_text(), kept.to_text());
    assert!(
        read.header.note.contains("--seed 2 --less \"flips\""),
        "{}",
        read.header.note
    );
}
