//! Boards with faults, driven step by step.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use protocol::{Button, Event, Layout, StampedEvent};

use super::*;
use crate::check::{CheckStep, Generator};
use crate::recorder::{SessionLog, Unwritten};
use crate::session::{Header, Session, SessionEntry, SessionItem};
use crate::signals::{Signal, SignalReplayer, write_csv};
use crate::{CoreDriver, Recorder, RecordingDriver};

fn board(faults: &str) -> FaultyBoard<CoreDriver> {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let faults = faults.parse().unwrap();
    FaultyBoard::new(driver, 1, FaultScope::Board)
        .with(faults)
        .unwrap()
}

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).unwrap()
}

fn taken(board: &mut dyn Driver) -> Vec<(Tick, Input)> {
    let taken = |stamped: StampedEvent| match stamped.event {
        Event::Taken(input) => Some((stamped.tick, input)),
        _ => None,
    };
    board.take_events().into_iter().filter_map(taken).collect()
}

#[test]
fn a_finger_on_bad_sensors_is_an_input_after_debouncing() {
    let mut board = board("bounce-ms 3");
    let d4 = point("d4");
    board.step(&[Input::Touch(d4)], 20).unwrap();
    board.step(&[Input::Release(d4)], 20).unwrap();
    assert_eq!(board.tick(), 40);
    let [(down, touch), (up, release)] = taken(&mut board)[..] else {
        panic!("one touch and one release");
    };
    assert_eq!((touch, release), (Input::Touch(d4), Input::Release(d4)));
    assert!(
        (5..=8).contains(&down) && (25..=28).contains(&up),
        "{down} {up}"
    );
}

#[test]
fn a_stuck_key_is_reported_once_and_can_be_healed() {
    let mut board = board("stuck d4");
    board.step(&[], 60_000).unwrap();
    assert_eq!(
        board.take_remarks(),
        ["d4 has been held down for 10 s: it may be stuck, check what lies on it"]
    );
    assert_eq!(taken(&mut board), [(5, Input::Touch(point("d4")))]);
    board.set_faults(Faults::default()).unwrap();
    board.step(&[], 100).unwrap();
    assert_eq!(taken(&mut board), [(60_005, Input::Release(point("d4")))]);
    assert!(!board.matrix.feels(), "inputs are inputs again");
}

#[test]
fn a_finger_put_down_before_a_fault_can_be_lifted() {
    let mut board = board("none");
    board.step(&[Input::Touch(point("e5"))], 100).unwrap();
    board.set_faults("stuck d4".parse().unwrap()).unwrap();
    board.step(&[Input::Release(point("e5"))], 100).unwrap();
    let taken = taken(&mut board);
    assert!(
        taken.contains(&(105, Input::Release(point("e5")))),
        "{taken:?}"
    );
}

#[test]
fn a_dead_lamp_is_dark_in_the_frame() {
    let lit = |board: &FaultyBoard<CoreDriver>| {
        let points = &board.frame().points;
        Layout::MALDOO
            .iter()
            .filter(|point| points.get(*point) != protocol::Colour::OFF)
            .count()
    };
    let (mut good, mut bad) = (board("none"), board("dead-led d5, dead-led e5"));
    for board in [&mut good, &mut bad] {
        board.step(&[Input::Press(Button::Start)], 1_000).unwrap();
    }
    assert_eq!(lit(&bad) + 2, lit(&good));
    assert_eq!(bad.digest().unwrap(), good.digest().unwrap());
}

#[test]
fn a_power_failure_restarts_the_board_and_is_reported() {
    let mut board = board("brown-out-after-ms 5000");
    board.step(&[Input::Press(Button::Start)], 4_000).unwrap();
    assert!(board.status().unwrap().score.is_some());
    board.step(&[], 3_000).unwrap();
    assert!(matches!(board.status(), Err(DriverError::Restarted(_))));
    assert_eq!(board.status().unwrap().score, None);
    assert_eq!(board.tick(), 2_000, "it goes on by itself");
    board.step(&[], 60_000).unwrap();
    assert_eq!(board.tick(), 62_000, "it failed once");
}

#[test]
fn an_impossible_fault_is_refused_with_a_sentence() {
    let line = FaultyLine::new(&Faults::default());
    for (parts, faults, words) in [
        (FaultScope::Board, "drop-ppm 5", "--at virtual"),
        (
            FaultScope::Line(line.clone()),
            "ghosting",
            "are not: write --at core",
        ),
        (FaultScope::Board, "stuck z9", "has no z9"),
        (
            FaultScope::BoardAndLine(line),
            "clock-permille 900",
            "step by step",
        ),
    ] {
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut board = FaultyBoard::new(driver, 1, parts);
        let error = board.set_faults(faults.parse().unwrap()).unwrap_err();
        assert!(matches!(error, DriverError::Faults(_)), "{error:?}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(board.faults().are_none());
    }
}

/// Plays this many random steps from a seed.
fn play(board: &mut dyn Driver, seed: u64, steps: u32) -> Vec<StampedEvent> {
    let mut generator = Generator::new(seed, Layout::MALDOO);
    let mut copy = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    for _ in 0..steps {
        let step = generator.next(copy.board());
        step.carry_out(&mut copy).unwrap();
        step.carry_out(board).unwrap();
    }
    board.take_events()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn without_faults_a_board_is_unchanged(seed: u64) {
        let mut plain = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut sensed = board("none");
        let events = play(&mut plain, seed, 60);
        prop_assert_eq!(play(&mut sensed, seed, 60), events);
        prop_assert_eq!(sensed.save().unwrap(), plain.save().unwrap());
        prop_assert_eq!(sensed.frame(), plain.frame());
    }

    /// The recording of a board with faulty sensors contains the inputs that the board
    /// took.
    #[test]
    fn inputs_felt_by_bad_sensors_replay_on_a_good_board(seed: u64) {
        let faults = format!("seed {seed}, bounce-ms 12, ghosting, stuck d4, dead e5");
        let mut bad = board(&faults);
        let events = play(&mut bad, seed, 60);
        let mut again = board(&faults);
        prop_assert_eq!(&play(&mut again, seed, 60), &events, "the same seed, the same faults");
        let mut good = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut generator = Generator::new(seed, Layout::MALDOO);
        let mut copy = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut taken = events.iter().filter_map(|stamped| match stamped.event {
            Event::Taken(input) => Some((stamped.tick, input)),
            _ => None,
        }).peekable();
        for _ in 0..60 {
            let CheckStep { items, ticks } = generator.next(copy.board());
            CheckStep { items: items.clone(), ticks }.carry_out(&mut copy).unwrap();
            let end = good.tick() + ticks;
            for act in &items {
                match act {
                    SessionItem::Do(Deed::Input(Input::Pass)) => {
                        prop_assert_eq!(taken.next(), Some((good.tick(), Input::Pass)));
                        good.step(&[Input::Pass], 0).unwrap();
                    }
                    SessionItem::Do(Deed::Input(_)) => {}
                    other => CheckStep { items: vec![other.clone()], ticks: 0 }.carry_out(&mut good).unwrap(),
                }
            }
            while let Some((tick, input)) = taken.next_if(|(tick, input)| *tick <= end && *input != Input::Pass) {
                good.step(&[], tick - good.tick()).unwrap();
                good.step(&[input], 0).unwrap();
            }
            good.step(&[], end - good.tick()).unwrap();
        }
        prop_assert_eq!(good.digest().unwrap(), bad.digest().unwrap());
    }
}

/// A recorded board with these faults.
fn recorded(faults: &str) -> RecordingDriver<FaultyBoard<CoreDriver>> {
    RecordingDriver::from_now(board(faults), 1, "a test").unwrap()
}

#[test]
fn a_session_of_bad_contacts_replays_on_good_ones() {
    let like = (
        any::<u64>(),
        0..9_u64,
        any::<bool>(),
        proptest::collection::vec((0..81_u8, 1..60_u64, 1..60_u64), 1..12),
    );
    proptest!(ProptestConfig::with_cases(24), |((seed, bounce_ms, ghosting, touches) in like)| {
        let ghosts = if ghosting { ", ghosting" } else { "" };
        let mut board = recorded(&format!("seed {seed}, stuck d4, dead e5, bounce-ms {bounce_ms}{ghosts}"));
        board.step(&[Input::Press(Button::Start)], 50).unwrap();
        board.step(&[Input::Lift(Button::Start)], 50).unwrap();
        for (point, down_ms, up_ms) in touches {
            board.step(&[Input::Touch(Point(point))], down_ms).unwrap();
            board.step(&[Input::Release(Point(point))], up_ms).unwrap();
        }
        let session = Session::parse(board.session().to_text().as_bytes()).unwrap();
        let mut good = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        prop_assert_eq!(session.replay(&mut good, &mut |_| ()).unwrap(), None);
        prop_assert_eq!(good.digest().unwrap(), board.digest().unwrap());
    });
}

#[test]
fn a_power_failure_is_in_the_session_at_its_tick() {
    let mut board = recorded("brown-out-after-ms 1700");
    board.step(&[Input::Press(Button::Start)], 3_000).unwrap();
    assert!(matches!(
        board.step(&[], 10),
        Err(DriverError::Restarted(_))
    ));
    board.step(&[], 500).unwrap();
    assert_eq!(
        (board.tick(), board.time()),
        (1_800, 3_500),
        "it went on by itself"
    );
    let session = board.session();
    let resets: Vec<Tick> = session
        .entries
        .iter()
        .filter(|entry| entry.item.jumps())
        .map(|entry| entry.tick)
        .collect();
    assert_eq!(resets, [1_700]);
    let (before, after) = (1_600, board.digest().unwrap());
    board.set_faults(Faults::default()).unwrap();
    board.go_to(before).unwrap();
    assert!(
        board.status().unwrap().score.is_some(),
        "the game is on again"
    );
    board.go_to(3_500).unwrap();
    assert_eq!(board.digest().unwrap(), after);
}

/// A log whose entries another owner can read.
#[derive(Clone, Default)]
struct SharedLog(Arc<Mutex<Vec<SessionEntry>>>);

impl SessionLog for SharedLog {
    fn record(&mut self, tick: Tick, item: SessionItem) -> Result<(), Unwritten> {
        self.0.lock().unwrap().push(SessionEntry { tick, item });
        Ok(())
    }

    fn last_tick(&self) -> Tick {
        self.0.lock().unwrap().last().map_or(0, |last| last.tick)
    }

    fn finish(self: Box<Self>, _: Tick) -> Result<(), Unwritten> {
        Ok(())
    }

    fn abandon(self: Box<Self>) -> Option<PathBuf> {
        None
    }
}

#[test]
fn a_log_tells_of_a_power_failure_at_its_tick() {
    let log = SharedLog::default();
    let header = Header::new(Layout::MALDOO, 1, "");
    let recorder = Recorder::into_log(header.clone(), Box::new(log.clone()));
    let mut board = RecordingDriver::new(board("none"), recorder);
    board.step(&[], 140).unwrap();
    let faults = "brown-out-after-ms 300".parse().unwrap();
    board.set_faults(faults).unwrap();
    board.step(&[], 500).unwrap();
    let mut session = Session::new(header);
    session.entries.clone_from(&log.0.lock().unwrap());
    let times = session.times();
    let told = times.iter().zip(&session.entries);
    let failure = told.filter(|(_, entry)| match &entry.item {
        SessionItem::Note(words) => words.starts_with("the power failed"),
        item => item.jumps(),
    });
    let moments: Vec<_> = failure.map(|(time, entry)| (*time, entry.tick)).collect();
    assert_eq!(
        moments,
        [(440, 440), (440, 440)],
        "the note, and the restart"
    );
}

#[test]
fn a_bouncing_touch_has_contact_input_and_light_waveforms() {
    let mut board = recorded("seed 4, bounce-ms 4");
    for (button, ms) in [
        (Input::Press(Button::Start), 30),
        (Input::Lift(Button::Start), 70),
    ] {
        board.step(&[button], ms).unwrap();
    }
    let d7 = point("d7");
    board.step(&[Input::Touch(d7)], 40).unwrap();
    board.step(&[Input::Release(d7)], 60).unwrap();
    let signals = vec![Signal::Contact(d7), Signal::Point(d7), Signal::Light(d7)];
    let waves = SignalReplayer::whole(&board.session(), signals)
        .unwrap()
        .span(95, 200);
    let mut csv = Vec::new();
    write_csv(&waves, &mut csv).unwrap();
    insta::assert_snapshot!(String::from_utf8(csv).unwrap());
}
