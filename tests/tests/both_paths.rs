//! Both paths: the core behaves identically in this process and at the end of a line,
//! tick by tick, even on a different processor.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use firmware_core::broken::LAST_WORDS;
use firmware_core::games;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use protocol::{Button, Command, Input, Layout, Roster, Settings, Tick};
use touchboard_host::session::Session;
use touchboard_host::{CoreDriver, Driver, DriverError, RecordingDriver, forward};
use touchboard_links::SessionInFile;
use touchboard_links::qemu::Image;
use touchboard_links::{At, RemoteDriver};
use touchboard_tests::far::{Far, far_or_excuse, patient, pico_or_excuse};
use touchboard_tests::pair::{Failure, Why, agree, compare};
use touchboard_tests::{COL, Play, TestStep, hexagon, play, play_on, play_with};
use virtual_board::{Options, Running};

/// This image, run in QEMU.
fn on_the_chip(image: Image) -> RemoteDriver {
    let place = patient(At::Qemu(image));
    place.remote().unwrap_or_else(|error| panic!("{error}"))
}

/// A virtual board that mistakes one point for another.
fn with_a_broken_rule() -> Option<Far> {
    far_or_excuse(Options {
        break_rule: true,
        ..Options::default()
    })
}

/// Plays on both boards until one differs or fails, and shrinks the play.
fn run(
    board: &mut dyn Driver,
    usual_cases: u32,
    plays: impl Strategy<Value = Play>,
) -> Result<(), Box<(Play, Failure)>> {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let cases = asked.and_then(|text| text.parse().ok());
    agree(board, cases.unwrap_or(usual_cases), plays)
}

/// The message of a comparison that should have succeeded.
fn said(failed: &Result<(), Box<(Play, Failure)>>) -> String {
    match failed {
        Ok(()) => String::new(),
        Err(found) => format!("{}\n{:?}", found.1, found.0),
    }
}

#[test]
fn the_virtual_board_agrees_over_a_pseudo_terminal() {
    let Some(mut far) = far_or_excuse(Options::default()) else {
        return;
    };
    let agreed = run(&mut *far.driver, 64, play(40));
    assert!(agreed.is_ok(), "{}", said(&agreed));
}

#[test]
fn lm3s6965evb_agrees_under_qemu() {
    let plays = play_on(Just(Layout::MALDOO), 40);
    let agreed = run(&mut on_the_chip(Image::LM3S6965EVB), 24, plays);
    assert!(agreed.is_ok(), "{}", said(&agreed));
}

#[test]
fn the_virtual_board_agrees_on_a_hexagon_over_a_pseudo_terminal() {
    let options = Options {
        games: COL,
        ..Options::default()
    };
    let Some(mut far) = far_or_excuse(options) else {
        return;
    };
    let both = prop_oneof![3 => Just(hexagon()), 1 => Just(Layout::MALDOO)];
    let agreed = run(&mut *far.driver, 48, play_with(COL, both, 40));
    assert!(agreed.is_ok(), "{}", said(&agreed));
}

#[test]
fn a_session_on_a_hexagon_replays_everywhere() {
    let mut runner = TestRunner::deterministic();
    let play = play_with(COL, Just(hexagon()), 40).new_tree(&mut runner);
    let play = play.expect("a play").current();
    let text = play.session("on a hexagon").to_text();
    let session = Session::parse(text.as_bytes()).expect("what was written");
    assert_eq!(session.header.layout, hexagon());
    let mut core = CoreDriver::with_games(Layout::MALDOO, COL, 0).expect("a board");
    assert_eq!(
        session.replay(&mut core, &mut |_| {}).expect("a board"),
        None
    );
    let Some(mut far) = far_or_excuse(Options {
        games: COL,
        ..Options::default()
    }) else {
        return;
    };
    let replayed = session.replay(&mut *far.driver, &mut |_| {});
    assert_eq!(replayed.expect("a board"), None);
    assert_eq!(far.driver.layout(), hexagon());
    let saved = far.driver.save().expect("a state");
    core.load(&saved).expect("the same state");
    assert_eq!(
        core.digest().expect("a board"),
        far.driver.digest().expect("a board")
    );
}

/// Plays, goes back and forth, and continues differently from there. Returns the digest
/// after each step, and the session.
fn gone_back_and_forth(board: impl Driver) -> (Vec<u64>, Session) {
    let mut board = RecordingDriver::from_now(board, 1, "time travel").expect("a state");
    let (seed, layout) = (1, Layout::MALDOO);
    let mut seen = Vec::new();
    let touch = |name| Input::Touch(layout.point(name).expect("a point"));
    let begin = board.carry_out(&protocol::Deed::Reset { seed, layout });
    begin.expect("a board like this");
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 700).expect("a board");
    board.step(&[touch("e4")], 1_800).expect("a board");
    for tick in [600, 2_400, 0, 700, 1_500] {
        board.go_to(tick).expect("a moment that is known");
        seen.push(board.digest().expect("a board"));
    }
    board.step(&[touch("d4")], 900).expect("a board");
    seen.push(board.digest().expect("a board"));
    (seen, board.session())
}

#[test]
fn chips_go_back_in_time_as_the_in_process_board() {
    let core = CoreDriver::new(Layout::MALDOO, 1).expect("a layout");
    let expected = gone_back_and_forth(core);
    for image in Image::all() {
        assert_eq!(gone_back_and_forth(on_the_chip(image)), expected);
    }
}

#[test]
fn netduinoplus2_agrees_under_qemu_on_any_layout() {
    let agreed = run(&mut on_the_chip(Image::NETDUINOPLUS2), 24, play(40));
    assert!(agreed.is_ok(), "{}", said(&agreed));
}

#[test]
fn netduinoplus2_agrees_under_qemu_in_every_game_on_256_points() {
    let mut board = on_the_chip(Image::NETDUINOPLUS2);
    let largest = Layout::grid(16, 16).expect("a layout");
    let plays = play_on(Just(largest), 40);
    let mut runner = TestRunner::deterministic();
    let mut moves = 0;
    for game in games::ROSTER.iter().flat_map(|game| [game; 2]) {
        let mut play = plays.new_tree(&mut runner).expect("a play").current();
        play.settings.game = game;
        play.settings.mode = 0;
        match compare(&play, &mut board) {
            Ok(more) => moves += more,
            Err(failure) => panic!("game {game}: {failure}"),
        }
    }
    assert!(moves > 20, "only {moves} moves were compared");
}

/// The same plays on a board with more games.
fn with_games(roster: Roster, plays: impl Strategy<Value = Play>) -> impl Strategy<Value = Play> {
    plays.prop_map(move |play| Play { roster, ..play })
}

/// With fingers on contacts and pixels at pins; `PROPTEST_CASES` selects more plays.
#[test]
fn pico_agrees_at_its_pins() {
    let Some(mut board) = pico_or_excuse(true) else {
        return;
    };
    let plays = with_games(board.roster(), play_on(Just(Layout::MALDOO), 20));
    let agreed = run(&mut *board, 6, plays);
    assert!(agreed.is_ok(), "{}", said(&agreed));
}

/// Observed only through the messages on its line, which is much faster.
#[test]
fn pico_agrees_over_its_line() {
    let Some(mut board) = pico_or_excuse(false) else {
        return;
    };
    let plays = with_games(board.roster(), play_on(Just(Layout::MALDOO), 40));
    let agreed = run(&mut *board, 6, plays);
    assert!(agreed.is_ok(), "{}", said(&agreed));
}

#[test]
fn a_wrong_board_is_found_and_its_play_shrunk() {
    let Some(mut broken) = with_a_broken_rule() else {
        return;
    };
    let plays = play_on(Just(Layout::MALDOO), 40);
    let found = run(&mut *broken.driver, 256, plays);
    let (play, failure) = *found.expect_err("the broken board takes a point for another");
    assert!(play.steps.len() <= 12, "not shrunk: {play:?}");
    assert!(failure.step.is_some(), "{failure}");
    assert!(matches!(failure.why, Why::Differs(_)), "{failure}");
    the_session_shows_it(&play, &mut *broken.driver);
}

/// The failure is written to a file that gives the same result everywhere: the core
/// follows the file, and the broken board does not.
fn the_session_shows_it(play: &Play, broken: &mut dyn Driver) {
    let Some(mut right) = far_or_excuse(Options::default()) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder for a while");
    let path = folder.path().join("found.session");
    play.session("a shrunk disagreement")
        .save(&path)
        .expect("a file that can be written");

    let session = Session::load(&path).expect("what was written can be read");
    let replay = |board: &mut dyn Driver| session.replay(board, &mut |_| {}).expect("a board");
    let mut core = patient(At::Core).open().expect("a board in this process");
    assert_eq!(replay(&mut *core), None);
    assert_eq!(replay(&mut *right.driver), None);
    assert!(replay(broken).is_some());
}

#[test]
fn a_panicking_board_is_found_and_its_play_shrunk() {
    let Some(mut broken) = far_or_excuse(Options {
        break_down: true,
        ..Options::default()
    }) else {
        return;
    };
    let plays = play_on(Just(Layout::MALDOO), 40);
    let found = run(&mut *broken.driver, 256, plays);
    let (play, failure) = *found.expect_err("the board panics");
    let last_words = DriverError::Panicked(LAST_WORDS.into()).to_string();
    assert_eq!(failure.why, Why::Broke(last_words));
    assert!(failure.step.is_some(), "{failure}");
    assert!(play.steps.len() <= 12, "not shrunk: {play:?}");
    the_board_that_panicked_goes_on(&mut *broken.driver);
}

/// A board that panicked has restarted, so the next play does not see the earlier panic.
fn the_board_that_panicked_goes_on(board: &mut dyn Driver) {
    let short = |steps: &[TestStep]| Play {
        seed: 1,
        layout: Layout::MALDOO,
        roster: games::ROSTER,
        settings: Settings::default(),
        steps: steps.into(),
    };
    let start = TestStep::Do(Input::Press(Button::Start));
    let green = TestStep::PlayLegal(0);
    let red = TestStep::Do(Input::Touch(Layout::MALDOO.point("e1").expect("a point")));
    for _ in 0..2 {
        let failure = compare(&short(&[start.clone(), green.clone(), red.clone()]), board);
        assert!(matches!(failure, Err(Failure { step: Some(2), .. })));
        assert_eq!(
            compare(&short(&[start.clone(), green.clone()]), board),
            Ok(1)
        );
    }
}

/// The chip, which panics when a finger comes down in the middle column.
struct Fragile(RemoteDriver);

impl Driver for Fragile {
    forward!(0; own: step, step_and_digest);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let is_fatal = |input: &Input| match input {
            Input::Touch(point) => Layout::MALDOO.has(*point) && Layout::MALDOO.column(*point) == 4,
            _ => false,
        };
        if inputs.iter().any(is_fatal) {
            let panicked = self.0.client().request(Command::Crash);
            self.0.client().happenings().try_iter().for_each(drop);
            panicked?;
        }
        self.0.step(inputs, ticks)
    }
}

#[test]
fn a_panic_of_lm3s6965evb_fails_a_campaign_with_its_words() {
    a_chip_that_panics_in_a_campaign_fails_it(Image::LM3S6965EVB);
}

#[test]
fn a_panic_of_netduinoplus2_fails_a_campaign_with_its_words() {
    a_chip_that_panics_in_a_campaign_fails_it(Image::NETDUINOPLUS2);
}

fn a_chip_that_panics_in_a_campaign_fails_it(image: Image) {
    let mut chip = Fragile(on_the_chip(image));
    let plays = play_on(Just(Layout::MALDOO), 40);
    let mut runner = TestRunner::deterministic();
    // Without shrinking, because a chip takes a second to restart after a panic.
    let found = (0..64).find_map(|_| {
        let mut play = plays.new_tree(&mut runner).expect("a play").current();
        let failure = compare(&play, &mut chip).err()?;
        play.steps.truncate(failure.step?);
        Some((play, failure))
    });
    let (before, failure) = found.expect("the chip panics");
    let Why::Broke(sentence) = &failure.why else {
        panic!("{failure}");
    };
    assert!(
        sentence.starts_with("the firmware panicked: the host asked for it"),
        "{sentence}"
    );
    assert!(compare(&before, &mut chip).is_ok(), "it has begun anew");
}

/// A board at a socket that is switched off and on again, without a word, when a finger
/// comes down in the middle of the board.
struct Flickers {
    board: Option<Running>,
    driver: RemoteDriver,
}

fn switched_on(address: SocketAddr) -> Running {
    let options = || Options {
        no_pty: true,
        tcp: Some(address),
        ..Options::default()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        match virtual_board::spawn(options()) {
            Ok(running) => return running,
            // The operating system only frees the address after a moment.
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Driver for Flickers {
    forward!(driver; own: step, step_and_digest);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let middle = Layout::MALDOO.point("e5").expect("a point");
        if inputs.contains(&Input::Touch(middle)) {
            let address = self.board.take().and_then(|board| board.tcp);
            self.board = address.map(switched_on);
        }
        self.driver.step(inputs, ticks)
    }
}

#[test]
fn a_silent_restart_fails_the_comparison() {
    let board = switched_on((Ipv4Addr::LOCALHOST, 0).into());
    let at = At::Tcp(board.tcp.expect("a socket").to_string());
    let driver = patient(at)
        .remote()
        .unwrap_or_else(|error| panic!("{error}"));
    let restarted = DriverError::Restarted(driver.at().into()).to_string();
    let mut flickers = Flickers {
        board: Some(board),
        driver,
    };
    let middle = Layout::MALDOO.point("e5").expect("a point");
    let start = TestStep::Do(Input::Press(Button::Start));
    let mut play = Play {
        seed: 1,
        layout: Layout::MALDOO,
        roster: games::ROSTER,
        settings: Settings::default(),
        steps: vec![
            start,
            TestStep::Wait(100),
            TestStep::Do(Input::Touch(middle)),
        ],
    };
    let failure = compare(&play, &mut flickers).expect_err("it restarts");
    assert_eq!(failure.why, Why::Broke(restarted));
    assert_eq!(failure.step, Some(2));
    play.steps.pop();
    assert_eq!(compare(&play, &mut flickers), Ok(0), "it has begun anew");
}
