//! Firmware that changes in the middle of a game: the game continues, and differences are
//! reported.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use protocol::{Button, Input, Layout};
use touchboard_host::Driver;
use touchboard_links::watch::WatchedBoard;
use touchboard_links::{At, Watch, WatchTarget, Where};

const PATIENCE: Duration = Duration::from_secs(120);

/// The example `own_board`, which is built with the tests.
fn own_board() -> PathBuf {
    let own = std::env::current_exe().expect("a test knows where it is");
    let folder = own.ancestors().nth(2).expect("it is in target/*/deps");
    let path = folder.join("examples").join("own_board");
    assert!(
        path.exists(),
        "{} is missing: cargo build -p hil-bridge --examples",
        path.display()
    );
    path
}

/// Replaces the program by one with these contents, all at once like a compiler.
fn build(program: &Path, does: &str) {
    let new = program.with_extension("new");
    fs::write(&new, format!("#!/bin/sh\n{does}\n")).unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).unwrap();
    fs::rename(new, program).unwrap();
}

/// The news about the rebuilt program.
fn news(watch: &mut Watch, board: &mut WatchedBoard) -> String {
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < PATIENCE, "nothing was noticed");
        if let Some(news) = watch.poll(board).pop() {
            return news.to_string();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Makes this many moves; red prefers the middle column.
fn play(board: &mut WatchedBoard, moves: u32) {
    for number in 0..moves {
        let is_red = number % 2 == 1;
        let legal = board.legal().unwrap();
        let wanted = |point: &&_| (Layout::MALDOO.column(**point) == 4) == is_red;
        let point = *legal.iter().find(wanted).or(legal.first()).unwrap();
        board.step(&[Input::Touch(point)], 50).unwrap();
        board.step(&[Input::Release(point)], 450).unwrap();
    }
}

#[test]
fn a_game_continues_on_a_rebuilt_board_with_differences() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("board");
    let right = own_board();
    let right = right.display();
    build(&program, &format!("exec {right} \"$@\""));
    let place = Where {
        program: Some(program.clone()),
        ..Where::new(At::Virtual)
    };
    let (mut watch, mut board) = Watch::begin(&place, WatchTarget::Board).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 400).unwrap();
    play(&mut board, 4);
    let (tick, digest) = (board.tick(), board.digest().unwrap());

    // A new build with the same rules.
    build(&program, &format!("# another build\nexec {right} \"$@\""));
    let sentence = news(&mut watch, &mut board);
    assert_eq!(
        sentence,
        format!("the board was rebuilt: the game is the same, 4 moves up to tick {tick}")
    );
    assert_eq!((board.tick(), board.digest().unwrap()), (tick, digest));
    play(&mut board, 4);

    // A new build with different rules.
    build(&program, &format!("exec {right} --break-rule \"$@\""));
    let sentence = news(&mut watch, &mut board);
    assert!(
        sentence.starts_with("the board was rebuilt: move "),
        "{sentence}"
    );
    assert!(sentence.contains(", now "), "{sentence}");
    assert_eq!(board.tick(), tick + 2_000);
    board.step(&[], 500).unwrap();

    // A new build that does not start.
    build(&program, "exit 1");
    let sentence = news(&mut watch, &mut board);
    assert!(sentence.contains("the previous one stays"), "{sentence}");
    assert!(sentence.contains("does not start"), "{sentence}");
    board.step(&[], 500).unwrap();
    assert_eq!(board.tick(), tick + 3_000);
    drop((watch, board));
}

#[test]
fn a_game_continues_on_a_rebuilt_board_with_more_games() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("board");
    let right = own_board();
    let right = right.display();
    build(&program, &format!("exec {right} --games 05 \"$@\""));
    let place = Where {
        program: Some(program.clone()),
        ..Where::new(At::Virtual)
    };
    let (mut watch, mut board) = Watch::begin(&place, WatchTarget::Board).unwrap();
    assert_eq!(board.roster().to_string(), "05");
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 400).unwrap();
    play(&mut board, 3);

    build(&program, &format!("exec {right} --games 0159 \"$@\""));
    let sentence = news(&mut watch, &mut board);
    assert!(
        sentence.contains("the game is the same, 3 moves"),
        "{sentence}"
    );
    assert_eq!(board.roster().to_string(), "0159");
    assert_eq!(board.session().header.roster, board.roster());
    drop((watch, board));
}

#[test]
fn a_board_that_is_not_built_here_cannot_be_watched() {
    for at in [At::Core, At::Serial("/dev/ttyACM0".into())] {
        let began = Watch::begin(&Where::new(at), WatchTarget::Board);
        let sentence = began.err().unwrap().to_string();
        assert!(
            sentence.contains("--at virtual, --at qemu and --at pico"),
            "{sentence}"
        );
    }
}
