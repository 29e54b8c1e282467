//! Both paths: what the core does in this process, it does at the end of a
//! line, tick by tick, on another processor too.

use std::cell::RefCell;

use hil_bridge::session::Session;
use hil_bridge::{At, Driver, Where};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use protocol::Layout;
use touchboard_tests::pair::{Difference, compare};
use touchboard_tests::{Play, play, play_on};

/// Opens a board of its own for a test.
fn open(at: At, break_rule: bool) -> Box<dyn Driver> {
    let mut place = Where::new(at);
    place.layout = Some(Layout::MALDOO);
    place.seed = Some(1);
    place.line.break_rule = break_rule;
    place.line.timeout_ms = 20_000;
    place.open().unwrap_or_else(|error| panic!("{error}"))
}

/// Plays on both boards until they differ, and shrinks what made them differ.
fn run(
    board: Box<dyn Driver>,
    cases: u32,
    plays: impl Strategy<Value = Play>,
) -> Result<(), (Play, Difference)> {
    let board = RefCell::new(board);
    let found = RefCell::new(None);
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&plays, |play| {
        let difference = compare(&play, &mut **board.borrow_mut())
            .map_err(|error| TestCaseError::reject(error.to_string()))?;
        let Some(difference) = difference else {
            return Ok(());
        };
        let reason = format!("{difference:?}");
        *found.borrow_mut() = Some(difference);
        Err(TestCaseError::fail(reason))
    });
    match result {
        Ok(()) => Ok(()),
        Err(TestError::Fail(_, play)) => {
            let difference = compare(&play, &mut **board.borrow_mut());
            Err((
                play,
                difference
                    .expect("a board that answers")
                    .expect("a difference"),
            ))
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}

#[test]
fn the_virtual_board_agrees_over_a_pseudo_terminal() {
    let agreed = run(open(At::Virtual, false), cases(64), play(40));
    assert!(agreed.is_ok(), "{agreed:?}");
}

#[test]
fn the_cortex_m3_agrees_under_qemu() {
    let agreed = run(
        open(At::Qemu, false),
        cases(24),
        play_on(Just(Layout::MALDOO), 40),
    );
    assert!(agreed.is_ok(), "{agreed:?}");
}

#[test]
fn a_board_with_a_mistake_is_found_out_and_the_play_that_shows_it_is_short() {
    let found = run(
        open(At::Virtual, true),
        cases(256),
        play_on(Just(Layout::MALDOO), 40),
    );
    let (play, difference) = found.expect_err("the broken board takes a point for another");
    assert!(play.deeds.len() <= 12, "not shrunk: {play:?}");
    assert!(difference.deed.is_some(), "{difference:?}");
    the_session_shows_it(&play);
}

/// What was found is left behind as a file that says the same everywhere: the
/// core goes as the file says, the broken board does not.
fn the_session_shows_it(play: &Play) {
    let folder = std::env::temp_dir().join(format!("touchboard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a while");
    let path = folder.join("found.session");
    play.session("a shrunk disagreement")
        .save(&path)
        .expect("a file that can be written");

    let session = Session::load(&path).expect("what was written can be read");
    let replay = |board: &mut dyn Driver| session.replay(board, &mut |_| {}).expect("a board");
    assert_eq!(replay(&mut *open(At::Core, false)), None);
    assert_eq!(replay(&mut *open(At::Virtual, false)), None);
    assert!(replay(&mut *open(At::Virtual, true)).is_some());
    std::fs::remove_dir_all(&folder).expect("a folder of our own");
}
