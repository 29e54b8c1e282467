//! Measures how long it takes to show any instant of a long session: to go back or
//! forward to it and read the digest. Run:
//! `cargo bench -p touchboard-links --bench instants`; places of boards (`core`,
//! `virtual`, `qemu`) and names of games as arguments to measure there, and those alone.
//! Games of the manual are played on its board, all others on the layout that they are
//! made for.
//!
//! The limits: 50 ms for the 99th of 100 random instants, each visited three times, so that
//! a timeline can be scrubbed; 64 MiB for all that is remembered of an hour. A board at
//! the end of a line has to be sent a state, so its line sets a limit of its own, which is
//! printed for a serial port.

use std::time::{Duration, Instant};

use firmware_core::Rng;
use firmware_core::games;
use protocol::{Button, Deed, Input, Layout, Point, Roster, Settings, Tick};
use touchboard_host::{Driver, Recorder, RecordingDriver};
use touchboard_links::{At, Where};

/// The length of the session: one hour.
const SESSION_MS: Tick = 3_600_000;
/// The time between two touches, in ms.
const EVERY_MS: Tick = 700;
const INSTANTS: usize = 100;
/// The number of visits of each instant; the quickest counts.
const VISITS: usize = 3;
/// The bytes that pass over a serial port of 115,200 baud in a millisecond.
const SERIAL_BYTES_PER_MS: f64 = 11.52;

/// A session of this game against the board, with random legal touches, restarted
/// when a game is over.
fn played(at: &At, game: u8, rng: &mut Rng) -> RecordingDriver<Box<dyn Driver>> {
    let roster = Roster::of(&[game]);
    let layout = match games::ROSTER.has(game) {
        true => Layout::MALDOO,
        false => games::layout_for(roster),
    };
    let place = Where {
        // An image has the games that it was built with.
        games: (!matches!(at, At::Qemu(_))).then_some(roster),
        layout: (!matches!(at, At::Qemu(_))).then(|| layout.into()),
        seed: Some(1),
        ..Where::new(at.clone())
    };
    let board = place.open().expect("there is a board");
    let mut board = RecordingDriver::from_now(board, 1, "an hour").expect("it is here");
    let settings = Settings {
        game,
        level: 1,
        ..Settings::default()
    };
    board
        .carry_out(&Deed::Settings(settings))
        .expect("it has the game");
    while board.tick() < SESSION_MS {
        let status = board.status().expect("it is here");
        let legal = board.legal().expect("it is here");
        let begin = [Input::Press(Button::Start), Input::Lift(Button::Start)];
        let touch = |point: Point| [Input::Touch(point), Input::Release(point)];
        let inputs = match (status.score, status.outcome, legal.as_slice()) {
            (None, ..) | (_, Some(_), _) => begin,
            (Some(_), None, []) => touch(Point(0)),
            (Some(_), None, legal) => touch(legal[rng.below(legal.len() as u32) as usize]),
        };
        for input in inputs {
            board.step(&[input], EVERY_MS / 2).expect("it is here");
        }
    }
    board
}

fn main() {
    // Cargo also passes options for its own test runner.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let (places, names): (Vec<String>, Vec<String>) = wanted
        .into_iter()
        .partition(|word| word.parse::<At>().is_ok());
    let places = match places.is_empty() {
        true => vec!["core".to_owned()],
        false => places,
    };
    println!(
        "| at | an hour of | p50 | p99 | longest | keyframes | one state at 115,200 baud |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    for place in places {
        let at: At = place.parse().expect("it was parsed before");
        for game in games::BUILT.iter() {
            let Some(about) = games::about(game) else {
                continue;
            };
            let is_wanted = |name: &String| name.eq_ignore_ascii_case(about.name);
            if names.is_empty() || names.iter().any(is_wanted) {
                measure(&place, &at, game, about.name);
            }
        }
    }
}

/// The memory that all keyframes take, in bytes.
fn keyframe_bytes(recorder: &Recorder) -> usize {
    let last = recorder.keyframe_before(recorder.latest());
    let keyframes = std::iter::successors(last, |later| {
        let before = recorder.keyframe_before(later.time().checked_sub(1)?)?;
        (before.time() < later.time()).then_some(before)
    });
    let bytes = keyframes.map(|keyframe| keyframe.state.len() + size_of_val(keyframe));
    bytes.sum()
}

/// Prints a row of the table.
fn measure(place: &str, at: &At, game: u8, name: &str) {
    let mut rng = Rng::new(7);
    let mut board = played(at, game, &mut rng);
    let ticks: Vec<Tick> = (0..INSTANTS)
        .map(|_| Tick::from(rng.below(SESSION_MS as u32)))
        .collect();
    let mut took = vec![Duration::MAX; INSTANTS];
    // The quickest of several visits excludes pauses caused by other programs.
    for _ in 0..VISITS {
        for (tick, took) in ticks.iter().zip(&mut took) {
            let begun = Instant::now();
            board.go_to(*tick).expect("it was there");
            let digest = board.digest().expect("it is here");
            std::hint::black_box(digest);
            *took = begun.elapsed().min(*took);
        }
    }
    took.sort();
    let ms = |index: usize| took[index].as_secs_f64() * 1_000.0;
    let kept = keyframe_bytes(board.recorder());
    let state = board.save().expect("it is here").len();
    println!(
        "| {place} | {name} | {:.2} ms | {:.2} ms | {:.2} ms | {:.1} MiB | {:.0} ms |",
        ms(INSTANTS / 2),
        ms(INSTANTS - 2),
        ms(INSTANTS - 1),
        kept as f64 / f64::from(1 << 20),
        state as f64 / SERIAL_BYTES_PER_MS,
    );
    let acts = board.session().acts();
    assert!(acts > 500, "{acts} things were done in it");
}
