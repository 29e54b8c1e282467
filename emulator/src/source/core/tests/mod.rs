//! Tests of a stepped board: its time, its past, and the fingers on it.

mod fingers;

use protocol::{Button, Layout, Settings};
use touchboard_host::session::{Header, SessionItem};

use super::*;
use crate::source::{Shown, Source, WindowCommand};

fn source() -> InProcess {
    InProcess::new(CoreDriver::new(Layout::MALDOO, 1).unwrap()).unwrap()
}

fn update(source: &mut InProcess, ms: u64) -> (Shown, Tick) {
    let mut shown = Shown::default();
    let tick = source
        .update(Duration::from_millis(ms), &mut shown, &mut |_, _| ())
        .unwrap();
    (shown, tick)
}

#[test]
fn real_time_makes_ticks_at_the_chosen_speed() {
    let mut source = source();
    assert_eq!(update(&mut source, 16).1, 16);
    let pace = BoardPace {
        frozen: false,
        speed: 2.5,
    };
    source.obey(&WindowCommand::Pace(pace)).unwrap();
    assert_eq!(update(&mut source, 10).1, 41);
}

#[test]
fn a_frozen_board_only_moves_by_steps() {
    let mut source = source();
    let pace = BoardPace {
        frozen: true,
        speed: 1.0,
    };
    source.obey(&WindowCommand::Pace(pace)).unwrap();
    assert_eq!(update(&mut source, 50).1, 0);
    source.obey(&WindowCommand::Step(100)).unwrap();
    assert_eq!(update(&mut source, 50).1, 100);
}

#[test]
fn slow_motion_loses_no_fraction_of_a_tick() {
    let mut source = source();
    let pace = BoardPace {
        frozen: false,
        speed: 0.1,
    };
    source.obey(&WindowCommand::Pace(pace)).unwrap();
    let tick = (0..100).map(|_| update(&mut source, 16).1).last();
    assert!((159..=160).contains(&tick.unwrap()));
}

#[test]
fn a_refused_order_is_a_sentence() {
    let mut source = source();
    let settings = Settings {
        mode: 200,
        ..Settings::default()
    };
    let refused = source.obey(&WindowCommand::Do(Deed::Settings(settings)));
    let sentence = refused.unwrap_err().to_string();
    assert!(sentence.contains("mode 200"), "{sentence}");
}

#[test]
fn start_lights_the_first_stones() {
    let mut source = source();
    source
        .obey(&WindowCommand::Do(Deed::Input(Input::Press(Button::Start))))
        .unwrap();
    let (shown, _) = update(&mut source, 5);
    assert!(shown.status.turn.is_some());
    assert_eq!(shown.status.score, source.driver().board().score());
}

/// A session in which Start is pressed at tick 30.
fn session(digest: impl Fn(u64) -> u64) -> Session {
    let mut driver = CoreDriver::new(Layout::MALDOO, 5).unwrap();
    let mut session = Session::new(Header::new(Layout::MALDOO, 5, ""));
    driver.step(&[], 30).unwrap();
    let press = Input::Press(Button::Start);
    session.push(30, SessionItem::Do(Deed::Input(press)));
    driver.step(&[press], 70).unwrap();
    session.push(100, SessionItem::Digest(digest(driver.board().digest())));
    session.push(150, SessionItem::End);
    session
}

fn played(session: Session) -> Shown {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let mut source = InProcess::play(driver, session).unwrap();
    for _ in 0..2 {
        assert_eq!(update(&mut source, 13).0.status.score, None);
    }
    for _ in 0..10 {
        update(&mut source, 13);
    }
    assert_eq!(source.name(), "built in");
    update(&mut source, 0).0
}

#[test]
fn a_session_plays_in_its_own_time_and_checks_digests() {
    let shown = played(session(|digest| digest));
    assert!(shown.status.score.is_some());
    assert_eq!(shown.twin, Agreement::Agrees { compared: 1 });
}

#[test]
fn a_picture_of_a_session_is_of_its_end() {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let session = session(|digest| digest);
    let end = session.last_tick();
    let source = InProcess::play(driver, session).unwrap();
    let mut source = source.at_the_end(end).unwrap();
    assert_eq!(source.driver().tick(), 150);
    assert_eq!(source.name(), "built in");
    let shown = update(&mut source, 0).0;
    assert_eq!(shown.twin, Agreement::Agrees { compared: 1 });
}

#[test]
fn a_picture_of_a_session_includes_its_first_tick() {
    let mut driver = CoreDriver::new(Layout::MALDOO, 5).unwrap();
    let mut session = Session::new(Header::new(Layout::MALDOO, 5, ""));
    let press = Input::Press(Button::Start);
    session.push(0, SessionItem::Do(Deed::Input(press)));
    driver.step(&[press], 100).unwrap();
    session.push(100, SessionItem::Digest(driver.board().digest()));
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let source = InProcess::play(driver, session).unwrap();
    let mut source = source.at_the_end(0).unwrap();
    let shown = update(&mut source, 0).0;
    assert_eq!(shown.twin, Agreement::Agrees { compared: 1 });
}

#[test]
fn a_differing_session_names_the_tick_of_the_difference() {
    let shown = played(session(|digest| digest ^ 1));
    let Agreement::Differs(sentence) = shown.twin else {
        panic!("{:?}", shown.twin);
    };
    assert!(sentence.contains("tick 100"), "{sentence}");
}

#[test]
fn a_touch_ends_the_playback_and_the_game_goes_on_from_there() {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let mut source = InProcess::play(driver, session(|digest| digest)).unwrap();
    update(&mut source, 10);
    source
        .obey(&WindowCommand::Do(Deed::Input(Input::Press(Button::Mode))))
        .unwrap();
    for _ in 0..20 {
        update(&mut source, 10);
    }
    assert_eq!(update(&mut source, 0).0.status.score, None);
}

fn press(source: &mut InProcess, button: Button) {
    source
        .obey(&WindowCommand::Do(Deed::Input(Input::Press(button))))
        .unwrap();
    source
        .obey(&WindowCommand::Do(Deed::Input(Input::Lift(button))))
        .unwrap();
}

/// A source with a game of Ghost that was started at 2 s; it is now at 5 s.
fn ghost() -> InProcess {
    let mut source = source();
    let settings = Settings {
        game: 1,
        ..Settings::default()
    };
    source
        .obey(&WindowCommand::Do(Deed::Settings(settings)))
        .unwrap();
    source.obey(&WindowCommand::Step(2_000)).unwrap();
    press(&mut source, Button::Start);
    source.obey(&WindowCommand::Step(3_000)).unwrap();
    source
}

#[test]
fn going_back_and_forward_restores_every_digest() {
    let mut source = ghost();
    let digest = |source: &mut InProcess, tick| {
        source.obey(&WindowCommand::GoTo(tick)).unwrap();
        assert_eq!(source.driver().tick(), tick);
        source.driver().board().digest()
    };
    let last = digest(&mut source, 5_000);
    let ticks = [4_321, 1_999, 2_000, 3_456, 0, 5_000];
    let once = ticks.map(|tick| digest(&mut source, tick));
    let again = ticks.map(|tick| digest(&mut source, tick));
    assert_eq!(once, again);
    assert_eq!(once[5], last);
    assert_ne!(once[0], last);
    let shown = update(&mut source, 0).0;
    assert!(
        matches!(shown.twin, Agreement::Agrees { .. }),
        "{:?}",
        shown.twin
    );
}

#[test]
fn an_input_in_the_past_starts_another_branch() {
    let mut source = ghost();
    source.obey(&WindowCommand::GoTo(2_500)).unwrap();
    assert_eq!(source.name(), "built in", "time stands still");
    press(&mut source, Button::Mode);
    source.obey(&WindowCommand::GoTo(5_000)).unwrap();
    assert_eq!(source.name(), "built in");
    assert_eq!(update(&mut source, 0).0.status.settings.mode, 1);
}

#[test]
fn time_continued_in_the_past_replays_the_recording() {
    let mut source = ghost();
    source.obey(&WindowCommand::GoTo(2_500)).unwrap();
    let goes = WindowCommand::Pace(BoardPace::default());
    source.obey(&goes).unwrap();
    assert_eq!(source.name(), "built in, replaying");
}

#[test]
fn a_branched_session_replays_on_another_board() {
    let mut source = ghost();
    source.obey(&WindowCommand::GoTo(2_500)).unwrap();
    press(&mut source, Button::Level);
    source.obey(&WindowCommand::GoTo(4_000)).unwrap();
    let session = Session::parse(source.session().unwrap().to_text().as_bytes()).unwrap();
    let mut board = CoreDriver::new(Layout::MALDOO, 9).unwrap();
    assert_eq!(session.replay(&mut board, &mut |_| ()).unwrap(), None);
    assert_eq!(board.tick(), 4_000);
    assert_eq!(board.board().digest(), source.driver().board().digest());
}
