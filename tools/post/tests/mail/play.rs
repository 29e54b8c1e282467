//! A board, or the board's own player, plays for one of the two players.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use post::transcript::Stage;
use protocol::Input;
use touchboard_host::{CoreDriver, Driver, RecordingDriver, Session};
use touchboard_links::SessionInFile;

use crate::common::{
    Folder, Running, board_of, client, files, next_move, program, run, text, wait_for,
};

/// A store with board 1 begun, between alice and bob, whose passwords are in files.
fn with_board(folder: &Folder, options: &str) -> std::path::PathBuf {
    let store = folder.path("post.redb");
    let mut lines = String::new();
    for user in ["alice", "bob"] {
        lines.push_str(&format!("user register {user} {user}-secret\n"));
        fs::write(folder.path(user), format!("{user}-secret\n")).unwrap();
    }
    lines.push_str(&format!("malaka challenge {options} alice bob\n"));
    for user in ["alice", "bob"] {
        lines.push_str(&format!("malaka accept 1 {user} {user}-secret nonce=x\n"));
    }
    let output = run(program(&store).arg("run"), lines.as_bytes());
    assert!(output.status.success(), "{}", text(&output.stdout));
    store
}

fn history(store: &Path) -> String {
    let output = run(
        program(store).args(["command", "malaka", "history", "1"]),
        b"",
    );
    text(&output.stdout)
}

#[test]
fn touches_on_a_board_are_the_players_move() {
    for options in ["", "-large -many"] {
        let folder = Folder::new(&format!("board{}", options.len()));
        let store = with_board(&folder, options);
        let before = board_of(&history(&store));
        let (user, moves) = next_move(&before).unwrap();
        let (from, to) = moves.split_once('-').expect("one die, one step");
        // A pile that is put down again, points that cannot be touched, and a word that
        // is not a point.
        let touches = format!("{from} {from} zz z99 e5 {from}\n{to}\n");
        let mut command = program(&store);
        command.args(["play", "1", &user, "--at", "virtual", "--turns", "1"]);
        command.arg("--password-file").arg(folder.path(&user));
        let output = run(&mut command, touches.as_bytes());
        let said = text(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{said}{}",
            text(&output.stderr)
        );
        assert!(said.contains(&format!("{user} moved {moves}.")), "{said}");
        assert!(said.contains("`zz` is not a point"), "{said}");
        let line = format!("\nmove {user} {moves} nonce:");
        assert!(history(&store).contains(&line), "{}", history(&store));
    }
}

#[test]
fn the_boards_players_finish_a_game_over_a_network() {
    let folder = Folder::new("levels");
    let store = with_board(&folder, "");
    let mut running = Running::serve(&store, &["--tcp", "127.0.0.1:0"]);
    let port = running.port("tcp").to_string();
    let play = |user: &str, level: &str| {
        let mut command = program(&folder.path("none"));
        command.args(["play", "1", user, "--level", level, "--tcp", &port]);
        command
            .args(["--look-ms", "5", "--password-file"])
            .arg(folder.path(user));
        command
    };
    let mut alice = play("alice", "4")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let output = run(&mut play("bob", "1"), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(alice.wait().unwrap().success());
    let mut asking = client(port.parse().unwrap());
    let board = board_of(&asking.carry_out("malaka history 1").unwrap().text);
    assert!(
        matches!(board.stage, Stage::Over(Some(_))),
        "{:?}",
        board.stage
    );
    assert!(board.rolls > 1, "{}", board.rolls);
}

#[test]
fn a_failed_play_command_prints_the_reason() {
    let folder = Folder::new("none");
    let store = with_board(&folder, "");
    fs::write(folder.path("wrong"), "wrong-secret").unwrap();
    for (arguments, file, code, words) in [
        (
            &["1", "carol"][..],
            "alice",
            2,
            "carol does not play on board 1",
        ),
        (&["2", "alice"], "alice", 2, "no board 2"),
        (&["1", "alice"], "nowhere", 2, "nowhere"),
        (&["1", "alice", "--at", "core"], "alice", 2, "--at virtual"),
        (&["1", "alice", "--level", "5"], "alice", 2, "1..=4"),
        (
            &["1", "alice", "--level", "1"],
            "wrong",
            1,
            "not the password",
        ),
    ] {
        let mut command = program(&store);
        command.arg("play").args(arguments);
        command.arg("--password-file").arg(folder.path(file));
        let output = run(&mut command, b"");
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_player_to_move_learns_what_to_do() {
    let folder = Folder::new("waits");
    let store = folder.path("post.redb");
    let lines = "user register alice alice-secret\nuser register bob bob-secret\n\
        malaka challenge alice bob\n";
    run(program(&store).arg("run"), lines.as_bytes());
    fs::write(folder.path("alice"), "alice-secret").unwrap();
    let told = || {
        let mut command = program(&store);
        command.args(["play", "1", "alice", "--level", "1", "--password-file"]);
        let mut playing = command
            .arg(folder.path("alice"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = playing.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        playing.kill().unwrap();
        playing.wait().unwrap();
        line
    };
    assert!(told().contains("malaka accept 1 alice"), "{}", told());
    let seal = "ab".repeat(32);
    let lines = format!(
        "malaka accept 1 alice alice-secret nonce=x seal={seal}\n\
         malaka accept 1 bob bob-secret nonce=x\n"
    );
    run(program(&store).arg("run"), lines.as_bytes());
    assert!(told().contains("malaka roll 1 alice"), "{}", told());
}

/// Imitates the window: replays the session, continues it on the board with these
/// touches, and saves everything.
fn saved_by_the_window(session: &Session, touches: &[&str], to: &Path) {
    let header = session.header.clone();
    let core = CoreDriver::with_games(*header.layout, header.roster, header.seed).unwrap();
    let mut board = RecordingDriver::replaying(core, session.clone()).unwrap();
    board.do_due().unwrap();
    board.step(&[], 2_000).unwrap();
    for name in touches {
        let point = header.layout.point(name).unwrap();
        board.step(&[Input::Touch(point)], 80).unwrap();
        board.step(&[Input::Release(point)], 700).unwrap();
    }
    board.session().save(to).unwrap();
}

#[test]
fn touches_in_the_window_are_the_players_move() {
    let folder = Folder::new("window");
    let store = with_board(&folder, "-large");
    let (user, moves) = next_move(&board_of(&history(&store))).unwrap();
    let (from, to) = moves.split_once('-').expect("one die, one step");
    let shared = folder.path("shared");
    let mut command = program(&store);
    command.args(["play", "1", &user, "--turns", "1", "--window"]);
    command.arg(&shared).arg("--password-file");
    let mut playing = command
        .arg(folder.path(&user))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let session = wait_for("the session", || {
        let (path, _) = files(&shared).into_iter().next()?;
        Session::load(&path).ok().filter(Session::is_complete)
    });
    // Half of a turn, another position, and an invalid file: the program keeps waiting.
    saved_by_the_window(&session, &[from], &shared.join("half.session"));
    let mut other = session.clone();
    other.entries.retain(|entry| !entry.item.is_done());
    saved_by_the_window(&other, &[from, to], &shared.join("other.session"));
    fs::write(shared.join("none.session"), "no session").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(playing.try_wait().unwrap().is_none(), "it waits");
    // A pile is put down again; then the turn is made.
    let touches = [from, from, from, to];
    saved_by_the_window(&session, &touches, &shared.join("touchboard-1.session"));
    assert!(playing.wait().unwrap().success());
    let mut said = String::new();
    playing
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert!(said.contains("half.session has no whole turn"), "{said}");
    assert!(said.contains(&format!("{user} moved {moves}.")), "{said}");
    let line = format!("\nmove {user} {moves} nonce:");
    assert!(history(&store).contains(&line), "{}", history(&store));
}
