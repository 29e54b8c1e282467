//! Both paths: what the core does in this process, it does at the end of a
//! line, tick by tick, on another processor too.

use std::cell::RefCell;

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
    assert!(play.deeds.len() <= 6, "not shrunk: {play:?}");
    assert!(difference.deed.is_some(), "{difference:?}");
}
