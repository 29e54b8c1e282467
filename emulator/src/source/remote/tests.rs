//! Tests of a board at the end of a line, used as the window uses it.

use std::time::Instant;

use firmware_core::Faults;
use protocol::{Button, Deed, Event, Input, Layout, Point};
use touchboard_host::CoreDriver;
use touchboard_host::session::SessionItem;
use touchboard_host::signals::{Signal, SignalValue};
use touchboard_links::{At, SessionInFile};

use super::*;
use crate::source::core::InProcess;
use crate::source::{Agreement, Clicks, open};

/// Only ends a test that would otherwise wait for ever, so it is long enough for a busy
/// machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lets the source run until its display meets the condition.
fn wait(source: &mut Remote, shown: &mut Shown, is_so: impl Fn(&Shown) -> bool) {
    let began = Instant::now();
    while !is_so(shown) {
        assert!(began.elapsed() < PATIENCE, "{shown:?}");
        std::thread::sleep(Duration::from_millis(5));
        source
            .update(Duration::from_millis(5), shown, &mut |_, _| ())
            .unwrap();
    }
}

fn input(source: &mut Remote, input: Input) {
    source.obey(&WindowCommand::Do(Deed::Input(input))).unwrap();
}

fn agrees(shown: &Shown) -> bool {
    matches!(shown.twin, Agreement::Agrees { compared: 1.. })
}

#[test]
fn a_board_on_a_line_is_driven_mirrored_and_compared() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let mut shown = Shown::default();
    wait(
        &mut source,
        &mut shown,
        |shown| matches!(&shown.link, BoardLink::Up { board } if board == "virtual"),
    );
    input(&mut source, Input::Press(Button::Start));
    input(&mut source, Input::Lift(Button::Start));
    wait(&mut source, &mut shown, |shown| {
        shown.status.score.is_some() && shown.frame.turn[0]
    });
    wait(&mut source, &mut shown, agrees);
}

#[test]
fn legal_points_of_a_board_on_a_line_are_known() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let mut shown = Shown::default();
    let up = |shown: &Shown| matches!(shown.link, BoardLink::Up { .. });
    wait(&mut source, &mut shown, up);
    input(&mut source, Input::Press(Button::Start));
    let names = |shown: &Shown| -> Vec<String> {
        let names = shown.legal.iter().map(|point| shown.layout.name(*point));
        names.map(|name| name.to_string()).collect()
    };
    wait(&mut source, &mut shown, |shown| {
        names(shown) == ["d7", "c6", "f5", "e4"]
    });
    let point = Layout::MALDOO.point("e4").unwrap();
    input(&mut source, Input::Touch(point));
    wait(&mut source, &mut shown, |shown| {
        names(shown) == ["f6", "d4", "f4"]
    });
}

#[test]
fn a_frozen_board_is_compared_while_stepping() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let mut shown = Shown::default();
    let up = |shown: &Shown| matches!(shown.link, BoardLink::Up { .. });
    wait(&mut source, &mut shown, up);
    let pace = BoardPace {
        frozen: true,
        speed: 1.0,
    };
    source.obey(&WindowCommand::Pace(pace)).unwrap();
    source.obey(&WindowCommand::Step(100)).unwrap();
    wait(&mut source, &mut shown, agrees);
}

#[test]
fn a_wrong_rule_in_the_firmware_is_reported() {
    let mut place = Where::new(At::Virtual);
    place.line.break_rule = true;
    let mut source = Remote::open(place);
    let mut shown = Shown::default();
    let up = |shown: &Shown| matches!(shown.link, BoardLink::Up { .. });
    wait(&mut source, &mut shown, up);
    input(&mut source, Input::Press(Button::Start));
    input(&mut source, Input::Lift(Button::Start));
    for index in 0..81 {
        input(&mut source, Input::Touch(Point(index)));
        input(&mut source, Input::Release(Point(index)));
        let mut some = Shown::default();
        source
            .update(Duration::from_millis(5), &mut some, &mut |_, _| ())
            .unwrap();
        std::thread::sleep(Duration::from_millis(10));
    }
    wait(
        &mut source,
        &mut shown,
        |shown| matches!(&shown.twin, Agreement::Differs(sentence) if sentence.contains("; tick ")),
    );
    let Agreement::Differs(sentence) = &shown.twin else {
        unreachable!();
    };
    assert!(sentence.starts_with("tick "), "{sentence}");
    assert!(sentence.contains("on its twin"), "{sentence}");

    let tick: Tick = sentence[5..].split(':').next().unwrap().parse().unwrap();
    let mut right = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    let session = source.session().unwrap();
    let mismatch = session.replay(&mut right, &mut |_| ()).unwrap();
    assert_eq!(mismatch.map(|mismatch| mismatch.tick), Some(tick));

    let mut noted = session
        .entries
        .iter()
        .filter_map(|entry| match &entry.item {
            SessionItem::Note(note) => Some((entry.tick, NoteKind::of(note))),
            _ => None,
        });
    let is_noted = |(at, (kind, words)): (Tick, (NoteKind, &str))| {
        at == tick && kind == NoteKind::Differs && sentence.starts_with(words)
    };
    assert!(noted.any(is_noted), "{:?}", session.entries);

    let parted = source.parted().expect("both are known");
    assert_eq!(parted.tick, tick);
    assert_eq!(parted.twin.tick(), parted.board.tick());
    assert_ne!(parted.twin.digest(), parted.board.digest());
    shrinks(source, &session);
}

/// Checks that the inputs before the difference are shrunk and saved, and that the board
/// continues.
fn shrinks(mut source: Remote, session: &Session) {
    let folder = tempfile::tempdir().unwrap();
    let order = WindowCommand::Shrink(folder.path().to_owned());
    source.obey(&order).unwrap();
    let mut shown = Shown::default();
    let mut said = Vec::new();
    let began = Instant::now();
    while said.is_empty() {
        assert!(began.elapsed() < 3 * PATIENCE, "{shown:?}");
        std::thread::sleep(Duration::from_millis(5));
        source
            .update(Duration::from_millis(5), &mut shown, &mut |_, _| ())
            .unwrap();
        said = source.take_said();
    }
    assert!(
        said[0].contains("is what leads to the difference"),
        "{said:?}"
    );
    let file = folder.path().join("difference-1.session");
    let shortest = Session::load(&file).unwrap();
    assert!(shortest.acts() < session.acts(), "{}", shortest.acts());
    let up = |shown: &Shown| matches!(shown.link, BoardLink::Up { .. });
    wait(&mut source, &mut shown, up);
    // The difference is still shown.
    assert!(matches!(shown.twin, Agreement::Differs(_)) && source.parted().is_some());
}

#[test]
fn the_error_for_a_missing_port_names_it() {
    let mut source = Remote::open(Where::new(At::Serial("/dev/no-such-port".into())));
    let mut shown = Shown::default();
    wait(&mut source, &mut shown, |shown| shown.link.is_down());
    let BoardLink::Down(sentence) = &shown.link else {
        unreachable!();
    };
    assert!(sentence.contains("no-such-port"), "{sentence}");
}

/// The inputs that the board reports after these deeds, up to `last`.
fn taken(source: &mut dyn Source, deeds: &[Input], last: Input) -> Vec<Input> {
    let (mut taken, began) = (Vec::new(), Instant::now());
    let mut shown = Shown {
        link: BoardLink::Searching,
        ..Shown::default()
    };
    let mut left = deeds;
    while taken.last() != Some(&last) {
        assert!(began.elapsed() < PATIENCE, "{taken:?}");
        if shown.link.answers() && shown.hardware.clicks == Clicks::OverSensors {
            for input in std::mem::take(&mut left) {
                source.obey(&WindowCommand::from(*input)).unwrap();
            }
        }
        let mut tell = |_, event| {
            if let Event::Taken(input) = event {
                taken.push(input);
            }
        };
        let elapsed = Duration::from_millis(5);
        source.update(elapsed, &mut shown, &mut tell).unwrap();
        std::thread::sleep(elapsed);
    }
    taken
}

/// The window's fault options act the same, no matter where the board is.
#[test]
fn sensor_faults_act_the_same_over_a_line_and_in_process() {
    let faults: Faults = "dead d4, stuck e5, bounce-ms 3".parse().unwrap();
    let keys = ["d4", "e5", "f6"].map(|name| Layout::MALDOO.point(name).unwrap());
    let clicks = keys.map(|point| [Input::Touch(point), Input::Release(point)]);
    let [_, e5, f6] = keys;
    let sound = [Input::Touch(f6), Input::Release(f6)];

    let mut place = Where::new(At::Virtual);
    place.line.faults.0 = faults.clone();
    let over_a_line = open(place).unwrap();
    let in_process = InProcess::new(CoreDriver::new(Layout::MALDOO, 0).unwrap());
    let in_process = in_process.unwrap().with_faults(faults).unwrap();
    for mut source in [over_a_line, Box::new(in_process)] {
        let mut taken = taken(&mut *source, &clicks.concat(), sound[1]);
        // A stuck key acts from power-on, which may be before the window is connected.
        taken.retain(|input| *input != Input::Touch(e5));
        assert_eq!(taken, sound);
        let session = source.session().unwrap();
        let contacts = contacts(&session);
        assert!(
            contacts.iter().all(|contact| sound.contains(contact)),
            "{contacts:?}"
        );
        let bounces = contacts.chunks(2).all(|pair| pair == sound);
        assert!(bounces && contacts.len() >= 2, "{contacts:?}");
    }
}

/// The inputs of a session's contacts, except for those of the stuck one.
fn contacts(session: &Session) -> Vec<Input> {
    let e5 = Layout::MALDOO.point("e5").unwrap();
    let entries = session.entries.iter();
    let contacts = entries.filter_map(|entry| match entry.item {
        SessionItem::Contact(contact) => Some(contact),
        _ => None,
    });
    contacts
        .filter(|contact| *contact != Input::Touch(e5))
        .collect()
}

/// While time is held, the board does not read its sensors.
#[test]
fn a_finger_lifted_while_frozen_is_released_when_time_runs() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let press = Input::Press(Button::Start);
    assert_eq!(taken(&mut source, &[press], press), [press]);
    let held = |frozen| WindowCommand::Pace(BoardPace { frozen, speed: 1.0 });
    source.obey(&held(true)).unwrap();
    input(&mut source, Input::Lift(Button::Start));
    let d4 = Layout::MALDOO.point("d4").unwrap();
    let click = [Input::Touch(d4), Input::Release(d4)];
    for message in click {
        input(&mut source, message);
    }
    assert_eq!(taken(&mut source, &[], click[1]), click);
    let mut shown = Shown::default();
    wait(&mut source, &mut shown, |shown| {
        shown.hardware.clicks == Clicks::AsMessages
    });
    source.obey(&held(false)).unwrap();
    assert_eq!(
        taken(&mut source, &[], Input::Lift(Button::Start)),
        [Input::Lift(Button::Start)]
    );
}

#[test]
fn bytes_on_the_line_are_a_signal_at_the_boards_time() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let mut shown = Shown::default();
    wait(&mut source, &mut shown, agrees);
    let frozen = BoardPace {
        frozen: true,
        speed: 1.0,
    };
    source.obey(&WindowCommand::Pace(frozen)).unwrap();
    source.obey(&WindowCommand::Step(500)).unwrap();
    wait(&mut source, &mut shown, |shown| {
        shown.pace.frozen && agrees(shown)
    });
    input(&mut source, Input::Press(Button::Start));
    wait(&mut source, &mut shown, |shown| shown.frame.turn[0]);
    let bytes = |source: &Remote| {
        let waves = source.line_waves().unwrap();
        Signal::of_line().map(|signal| waves.wave(&signal).unwrap().changes.clone())
    };
    let passed = bytes(&source);
    let is_some = |(_, value): &(Tick, SignalValue)| *value != SignalValue::Number(0);
    assert!(
        passed.iter().all(|changes| changes.iter().any(is_some)),
        "{passed:?}"
    );
    let now = source.time();
    assert!(now >= 500 && source.line_waves().unwrap().until() <= now);
    // What passed after the moment to which time goes back is no longer shown.
    source.obey(&WindowCommand::GoTo(100)).unwrap();
    wait(&mut source, &mut shown, |shown| {
        shown.work.is_none() && shown.past.latest >= now
    });
    wait(&mut source, &mut shown, |_| true);
    let began = Instant::now();
    while source.line_waves().unwrap().until() > 100 {
        assert!(began.elapsed() < PATIENCE);
        source
            .update(Duration::from_millis(5), &mut shown, &mut |_, _| ())
            .unwrap();
    }
    let passed = bytes(&source);
    assert!(
        passed.iter().flatten().all(|(at, _)| *at <= 101),
        "{passed:?}"
    );
}

#[test]
fn line_traffic_is_recorded() {
    let mut place = Where::new(At::Virtual);
    // A long timeout: on a busy machine, an answer may be late.
    place.line.timeout_ms = PATIENCE.as_millis() as u64;
    let mut source = Remote::open(place);
    let mut shown = Shown::default();
    let mut seen = 0;
    source.look_at_line(&mut |record, _| seen += record.count());
    assert_eq!(seen, 0);
    wait(&mut source, &mut shown, agrees);
    let began = Instant::now();
    let mut lights = 0;
    while lights == 0 {
        // A finger on the sensors of the virtual board, until it has lit a light.
        assert!(began.elapsed() < PATIENCE);
        for at in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            input(&mut source, at);
        }
        let point = Layout::MALDOO.point("d7").unwrap();
        for at in [Input::Touch(point), Input::Release(point)] {
            for _ in 0..20 {
                std::thread::sleep(Duration::from_millis(5));
                source
                    .update(Duration::from_millis(5), &mut shown, &mut |_, _| ())
                    .unwrap();
            }
            input(&mut source, at);
        }
        source.look_at_line(&mut |_, figures| {
            assert!(figures.round_trips.count > 0);
            // On a busy machine an answer may be late, and its request is repeated.
            assert_eq!((figures.no_message, figures.bad_news), (0, 0));
            lights = figures.lights.iter().map(|(_, took)| took.count).sum();
        });
    }
}
