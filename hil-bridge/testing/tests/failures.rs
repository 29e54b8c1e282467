//! What users see when their own tests fail: the messages, and the files left behind.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use protocol::{Button, Colour, Layout, Outcome, Rhythm, Side};
use touchboard_host::session::Replay;
use touchboard_host::signals::{EventKind, SignalValue};
use touchboard_host::{CoreDriver, Driver, Session};
use touchboard_links::{At, SessionInFile, Where};
use touchboard_testing::TestBoard;

/// A game of Reversi after one move.
fn begun(place: At) -> TestBoard {
    let mut board = TestBoard::of(&Where::new(place));
    board.obey("set game=reversi time=3").start().tap("d7");
    board
}

/// The message of a failing test, with a placeholder for the path of its session, and
/// that path.
fn failure(board: TestBoard, test: impl FnOnce(&mut TestBoard)) -> (String, PathBuf) {
    let mut board = board;
    let panicked = catch_unwind(AssertUnwindSafe(move || test(&mut board)));
    let said = panicked.expect_err("the test fails");
    let said = said.downcast::<String>().expect("it says why");
    let (before, rest) = said.split_once("the session is ").expect("it is saved");
    let (file, after) = rest.split_once(": open").expect("it says how to open it");
    let file = PathBuf::from(file);
    (format!("{before}the session is FILE: open{after}"), file)
}

/// The digest at the end of a session, after a replay.
fn end_of(file: &Path) -> u64 {
    let session = Session::load(file).expect("it is a session");
    let mut board = CoreDriver::new(*session.header.layout, 0).unwrap();
    let mut replay = Replay::begin(&mut board, &session.header).unwrap();
    for entry in &session.entries {
        replay.act(entry.tick, &entry.item).unwrap();
    }
    board.digest().unwrap()
}

#[test]
fn a_failed_expectation_is_described_and_drawn() {
    type Test = fn(&mut TestBoard);
    let tests: [(&str, Test); 8] = [
        ("light", |board| {
            board.expect_light("e7", Colour::RED);
        }),
        ("rhythm", |board| {
            board.expect_rhythm("e7", Colour::GREEN, Rhythm::Slow);
        }),
        ("turn", |board| {
            board.expect_turn(Side::Green);
        }),
        ("text", |board| {
            board.expect_text("3 : 3");
        }),
        ("legal", |board| {
            board.expect("legal c3 d7 a1");
        }),
        ("state", |board| {
            board.expect_state("panel.settings.mode", 1);
        }),
        ("event", |board| {
            board.wait(500).expect_event(EventKind::Illegal);
        }),
        ("refused", |board| {
            board.expect_refused("tap a1");
        }),
    ];
    for (name, test) in tests {
        let (said, _) = failure(begun(At::Core), test);
        insta::assert_snapshot!(name, said);
    }
}

#[test]
fn differing_rows_are_drawn_side_by_side() {
    let (said, _) = failure(begun(At::Core), |board| {
        board.expect("rows ........./........./.rrrr..../........./........./........./........./........./.........");
    });
    insta::assert_snapshot!("rows", said);
}

#[test]
fn a_board_on_a_line_fails_in_the_same_words() {
    let test = |board: &mut TestBoard| {
        board.expect_light("e7", Colour::RED);
    };
    let [core, line] = [At::Core, At::Virtual].map(|place| failure(begun(place), test).0);
    assert_eq!(core, line);
}

#[test]
fn the_session_of_a_failed_test_ends_at_the_failure() {
    for place in [At::Core, At::Virtual] {
        let mut same = begun(place.clone());
        let hash = same.wait(777).driver().digest().unwrap();
        let (_, file) = failure(begun(place), |board| {
            board.wait(777).expect_winner(Outcome::Draw);
        });
        assert_eq!(end_of(&file), hash);
    }
}

#[test]
fn a_test_failing_by_its_own_assertion_saves_its_session() {
    let mut hash = 0;
    let mut board = begun(At::Core);
    let failed = catch_unwind(AssertUnwindSafe(|| {
        hash = board.driver().digest().unwrap();
        let held = board;
        assert_eq!(held.events().len(), 0, "there was a move");
    }));
    assert!(failed.is_err());
    let name = "failures.a_test_failing_by_its_own_assertion_saves_its_session.session";
    let program = std::env::current_exe().unwrap();
    let file = program
        .ancestors()
        .nth(2)
        .unwrap()
        .join("sessions")
        .join(name);
    assert_eq!(end_of(&file), hash);
}

#[test]
fn a_failure_quotes_the_last_lines() {
    let (said, _) = failure(begun(At::Core), |board| {
        for ms in 1..20 {
            board.wait(ms);
        }
        board.expect_score([0, 0]);
    });
    assert!(
        said.contains("what was done:\n  (11 lines before)\n  wait 9\n"),
        "{said}"
    );
    assert!(
        said.contains("  expect score 0 0\nthe session is"),
        "{said}"
    );
}

#[test]
fn true_expectations_pass() {
    let mut board = begun(At::Core);
    board
        .expect_light("d7", Colour::GREEN)
        .expect_turn(Side::Red)
        .expect_score([4, 1])
        .expect_winner(None)
        .expect_event(EventKind::Move)
        .expect_no_event(EventKind::Illegal)
        .expect("legal c5 c7 e7")
        .wait(500)
        .expect_event(EventKind::Move)
        .touch("a9")
        .wait(40)
        .release("a9")
        .expect_no_event(EventKind::Move)
        .press(Button::Stop)
        .expect("signal paused")
        .press(Button::Stop)
        .run_until("event.timed-out within 60000")
        .expect_event(EventKind::TimedOut);
    assert_eq!(board.signal("turn"), SignalValue::Word("green".to_owned()));
    assert!(board.status().score.is_some());
    assert!(board.diagram().contains(" 9 "));
}

#[test]
fn a_board_made_by_the_test_is_not_reset() {
    let mut core = CoreDriver::new(Layout::grid(8, 8).unwrap(), 5).unwrap();
    core.step(&[], 123).unwrap();
    let mut board = TestBoard::on(core, 5);
    assert_eq!(board.driver().tick(), 123);
    board
        .obey("set game=reversi")
        .start()
        .expect("count green 2");
}

#[test]
fn every_test_begins_on_a_fresh_board() {
    for place in [At::Core, At::Virtual] {
        begun(place.clone()).obey("reset 8x8").obey("seed 9");
        let mut board = TestBoard::of(&Where::new(place));
        let fresh = CoreDriver::new(Layout::MALDOO, 0)
            .unwrap()
            .digest()
            .unwrap();
        assert_eq!(board.driver().digest().unwrap(), fresh);
    }
}
