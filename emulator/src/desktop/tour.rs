//! The chapter "A tour" as a test: a mistake in a board's rules is found, the inputs are
//! shrunk, the window opens at the first difference, stops at a condition and draws
//! waveforms, and the corrected board replays the same session.

use std::time::Duration;

use clap::Parser;
use protocol::{KnownLayout, Layout, Side, Tick};
use tempfile::tempdir;
use touchboard_host::check::{CheckOptions, Verdict, check};
use touchboard_host::compare::state_differences;
use touchboard_host::session::Session;
use touchboard_host::signals::SignalCondition;
use touchboard_links::time_limit::time_limit;
use touchboard_links::{At, SessionInFile, Where};

use super::loading::Loading;
use super::options::Options;
use super::prepare::{self, Start};
use crate::source::{Agreement, AtLine, BoardPace, Shown, StopCondition, WindowCommand};
use crate::workbench::timeline::TimelineView;

/// The seed of the chapter.
const SEED: u64 = 11;

/// `hil-bridge check --at virtual --break-rule --seed 11 --shrink-s ...`.
fn found(shrink_for: Duration) -> Session {
    let mut place = Where::new(At::Virtual);
    place.line.break_rule = true;
    let options = CheckOptions {
        seed: SEED,
        steps: 10_000,
        layout: KnownLayout::from(Layout::MALDOO),
        faults: Default::default(),
        shrink_for: time_limit(shrink_for),
    };
    let mut board = place.open().unwrap();
    match check(&mut *board, &options, &mut |_| ()).unwrap() {
        Verdict::Differs(found) => found.session,
        Verdict::Agrees(summary) => panic!("nothing was found: {summary:?}"),
    }
}

/// The window, opened with this session and these options.
fn open(file: &str, options: &[&str]) -> Start {
    let words = ["emulator", file, "--fresh", "--mute"].into_iter();
    let words = words.chain(options.iter().copied());
    let options = Options::parse_from(words);
    prepare::board(&options, &Loading::begin()).unwrap_or_else(|error| panic!("{error}"))
}

/// Lets this much real time pass in the window, in pictures of 10 ms.
fn pass(start: &mut Start, shown: &mut Shown, ms: u64) -> Tick {
    let mut tick = 0;
    for _ in 0..ms / 10 {
        let elapsed = Duration::from_millis(10);
        tick = start.source.update(elapsed, shown, &mut |_, _| ()).unwrap();
    }
    tick
}

#[test]
fn the_tour_finds_shrinks_shows_and_mends_a_mistake() {
    let session = found(Duration::from_secs(60));
    assert!(session.acts() <= 5, "it is short: {:?}", session.entries);
    let folder = tempdir().unwrap();
    let path = folder.path().join("tour.session");
    session.save(&path).unwrap();
    let file = path.display().to_string();

    // With the mistake, the window opens at the first difference, frozen.
    let mut broken = open(&file, &["--at", "virtual", "--break-rule"]);
    assert!(broken.is_frozen);
    let mut shown = Shown::default();
    let frozen = WindowCommand::Pace(BoardPace {
        frozen: true,
        speed: 1.0,
    });
    broken.source.obey(&frozen).unwrap();
    pass(&mut broken, &mut shown, 50);
    let Agreement::Differs(sentence) = &shown.twin else {
        panic!("{:?}", shown.twin);
    };
    assert!(sentence.contains("on its twin"), "{sentence}");
    let parted = broken.source.at_line().and_then(AtLine::parted).unwrap();
    let fields = state_differences(&parted.twin, &parted.board);
    let paths: Vec<&str> = fields.iter().map(|named| named.field.as_str()).collect();
    assert!(paths.contains(&"fingers"), "{paths:?}");
    assert_ne!(parted.twin.frame(), parted.board.frame());

    let long = found(Duration::ZERO);
    assert!(long.acts() > session.acts() && long.last_tick() > 0);
    let long_path = folder.path().join("long.session");
    long.save(&long_path).unwrap();
    stops_at_reds_turn(&long_path.display().to_string(), &mut shown);

    // The corrected board replays the session as it was recorded.
    let mut mended = open(&file, &["--at", "virtual"]);
    assert!(!mended.is_frozen);
    pass(&mut mended, &mut shown, 50);
    assert!(
        !matches!(shown.twin, Agreement::Differs(_)),
        "{:?}",
        shown.twin
    );
}

/// Opens the unshrunk session on the core, which has no mistake: time stops when it is
/// red's turn, and the waveforms show how it came to that.
fn stops_at_reds_turn(file: &str, shown: &mut Shown) {
    let mut right = open(file, &[]);
    let condition = SignalCondition::parse("turn = red", Layout::MALDOO).unwrap();
    let stop = WindowCommand::StopWhen(vec![StopCondition::new(condition)]);
    right.source.obey(&stop).unwrap();
    let tick = pass(&mut right, shown, 40_000);
    let stopped = shown.stops.reached.clone().unwrap();
    assert_eq!((stopped.tick, stopped.why().as_str()), (tick, "turn = red"));
    assert!(shown.pace.frozen && tick > 0);
    assert_eq!(shown.status.turn, Some(Side::Red));
    let mut timeline = TimelineView::of(vec!["turn".to_owned(), "event.move".to_owned()]);
    let whole = right.source.whole_session().unwrap();
    while !timeline.take_in(&whole) {}
    let waves = timeline.waves().unwrap();
    assert!(
        waves.waves.iter().all(|wave| wave.changes.len() > 1),
        "{waves:?}"
    );
}
