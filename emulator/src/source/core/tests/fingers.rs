//! Fingers on the board in this process act only through its simulated contacts.

use std::time::Duration;

use protocol::{Button, Colour, Deed, Event, Layout};
use touchboard_host::session::{RecordedFaults, Session};
use touchboard_host::{CoreDriver, Driver};

use super::super::*;
use crate::source::{Lendable, Shown, Source, WindowCommand};

const LAYOUT: Layout = Layout::MALDOO;

fn source(faults: &str) -> InProcess {
    let source = InProcess::new(CoreDriver::new(LAYOUT, 1).unwrap()).unwrap();
    let faults = faults.parse().unwrap();
    source.with_faults(faults).unwrap().unhurried()
}

fn do_all(source: &mut InProcess, inputs: &[Input]) {
    for input in inputs {
        source
            .obey(&WindowCommand::Do(Deed::Input(*input)))
            .unwrap();
    }
}

/// The inputs that the board takes within this many milliseconds, with their
/// ticks.
fn taken(source: &mut InProcess, ms: u64) -> Vec<(Tick, Input)> {
    let mut taken = Vec::new();
    let mut tell = |tick, event| {
        if let Event::Taken(input) = event {
            taken.push((tick, input));
        }
    };
    let elapsed = Duration::from_millis(ms);
    let mut shown = Shown::default();
    source.update(elapsed, &mut shown, &mut tell).unwrap();
    taken
}

const CLICK: [Input; 2] = [Input::Press(Button::Start), Input::Lift(Button::Start)];

#[test]
fn a_click_within_one_picture_arrives_after_debouncing() {
    let mut source = source("none");
    do_all(&mut source, &CLICK);
    do_all(&mut source, &CLICK);
    let ticks = [5, 10, 15, 20];
    let expected = ticks.into_iter().zip(CLICK.into_iter().cycle());
    assert_eq!(taken(&mut source, 100), expected.collect::<Vec<_>>());
}

#[test]
fn bouncing_contacts_turn_a_short_click_into_one_touch() {
    let mut source = source("seed 3, bounce-ms 4");
    do_all(&mut source, &CLICK);
    let taken = taken(&mut source, 100);
    let inputs: Vec<Input> = taken.iter().map(|(_, input)| *input).collect();
    assert_eq!(inputs, CLICK);
    assert!(taken[0].0 <= 9 && taken[1].0 <= 18, "{taken:?}");
}

#[test]
fn a_restarted_board_has_no_fingers_on_it() {
    let mut source = source("none");
    do_all(&mut source, &[CLICK[0]]);
    let begin = Deed::Reset {
        seed: 1,
        layout: LAYOUT,
    };
    source.obey(&WindowCommand::Do(begin)).unwrap();
    assert_eq!(taken(&mut source, 100), []);
    do_all(&mut source, &[CLICK[0]]);
    assert_eq!(taken(&mut source, 100), [(105, CLICK[0])]);
}

#[test]
fn a_click_on_a_frozen_board_happens_at_the_current_tick() {
    let mut source = source("none");
    let frozen = BoardPace {
        frozen: true,
        speed: 1.0,
    };
    source.obey(&WindowCommand::Pace(frozen)).unwrap();
    do_all(&mut source, &CLICK);
    assert_eq!(taken(&mut source, 100), CLICK.map(|input| (0, input)));
    source.obey(&WindowCommand::Step(100)).unwrap();
    assert_eq!(taken(&mut source, 0), []);
}

#[test]
fn a_click_arrives_while_the_console_lets_time_pass() {
    let mut source = source("none");
    do_all(&mut source, &CLICK);
    source.lend().unwrap();
    let point = Input::Touch(LAYOUT.point("d4").unwrap());
    let board = source.drive().unwrap();
    board.step(&[point], 2).unwrap();
    board.step(&[], 100).unwrap();
    source.take_back();
    let felt = [(0, point), (5, CLICK[0]), (10, CLICK[1])];
    assert_eq!(taken(&mut source, 0), felt);
}

#[test]
fn a_finger_put_down_before_freezing_can_be_lifted() {
    let mut source = source("none");
    do_all(&mut source, &CLICK[..1]);
    assert_eq!(taken(&mut source, 2), []);
    source.obey(&WindowCommand::Step(1)).unwrap();
    do_all(&mut source, &CLICK[1..]);
    let point = Input::Touch(LAYOUT.point("d4").unwrap());
    do_all(&mut source, &[point]);
    let felt = [CLICK[0], CLICK[1], point].map(|input| (3, input));
    assert_eq!(taken(&mut source, 0), felt);
}

#[test]
fn a_stuck_key_is_reported_once() {
    let mut source = source("stuck d4");
    taken(&mut source, 9_000);
    assert_eq!(Source::take_said(&mut source), [""; 0]);
    taken(&mut source, 30_000);
    let stuck = "d4 has been held down for 10 s: it may be stuck, check what lies on it";
    assert_eq!(Source::take_said(&mut source), [stuck]);
}

#[test]
fn a_brown_out_restarts_the_board_once() {
    let mut source = source("brown-out-after-ms 500");
    taken(&mut source, 800);
    assert_eq!(Driver::tick(&source), 300);
    assert_eq!(Source::take_said(&mut source).len(), 1);
    taken(&mut source, 800);
    assert_eq!(Driver::tick(&source), 1_100);
}

#[test]
fn a_wrong_clock_and_a_dead_lamp_are_visible() {
    let mut source = source("clock-permille 1500, dead-led e5");
    taken(&mut source, 1_000);
    assert_eq!(Driver::tick(&source), 1_500);
    do_all(&mut source, &CLICK);
    taken(&mut source, 100);
    let e5 = LAYOUT.point("e5").unwrap();
    let mut shown = Shown::default();
    source.preview(&mut shown);
    assert_eq!(shown.frame.points.get(e5), Colour::OFF);
    assert_ne!(Driver::frame(&source).points.get(e5), Colour::OFF);
}

/// A session holds what the contacts reported, so it replays without simulated contacts.
#[test]
fn a_session_of_bad_sensors_replays_on_a_sound_board() {
    let mut bad = source("seed 5, bounce-ms 12, ghosting, stuck f2");
    for name in ["d3", "b7", "b2", "e5"] {
        let point = LAYOUT.point(name).unwrap();
        do_all(&mut bad, &CLICK);
        do_all(&mut bad, &[Input::Touch(point)]);
        taken(&mut bad, 700);
    }
    let text = bad.session().unwrap().to_text();
    let session = Session::parse(text.as_bytes()).unwrap();
    let mut good = CoreDriver::new(LAYOUT, 9).unwrap();
    assert_eq!(session.replay(&mut good, &mut |_| ()).unwrap(), None);
    assert_eq!(good.board().digest(), bad.driver().board().digest());
    assert!(text.contains("f7"), "a ghost was felt");
}

#[test]
fn touches_of_a_scenario_go_through_the_faulty_sensors() {
    let mut source = source("none");
    source
        .set_faults("dead d4, bounce-ms 2".parse().unwrap())
        .unwrap();
    let [d4, e5] = ["d4", "e5"].map(|name| LAYOUT.point(name).unwrap());
    source
        .step(&[Input::Touch(d4), Input::Touch(e5)], 20)
        .unwrap();
    let taken: Vec<Event> = source
        .take_events()
        .iter()
        .map(|stamped| stamped.event)
        .collect();
    assert!(taken.contains(&Event::Taken(Input::Touch(e5))), "{taken:?}");
    assert!(
        !taken.contains(&Event::Taken(Input::Touch(d4))),
        "{taken:?}"
    );
    assert!(source.set_faults("drop-ppm 5".parse().unwrap()).is_err());
    assert_eq!(source.faults().to_string(), "seed 0, dead d4, bounce-ms 2");
    let noted = source.session().unwrap().recorded_faults();
    let known = RecordedFaults {
        since_ms: 0,
        faults: source.faults(),
    };
    assert_eq!(noted, [known]);
}

#[test]
fn going_back_and_forward_repeats_contacts_exactly() {
    let mut source = source("bounce-ms 3");
    taken(&mut source, 2_000);
    do_all(&mut source, &CLICK);
    taken(&mut source, 1_500);
    let digest = Driver::digest(&mut source).unwrap();
    let tick = Driver::tick(&source);
    source.obey(&WindowCommand::GoTo(1_000)).unwrap();
    source.obey(&WindowCommand::GoTo(tick)).unwrap();
    assert_eq!(Driver::digest(&mut source).unwrap(), digest);
}
