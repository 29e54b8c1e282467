//! A board, or the board's own player, as one of the two players.

#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use common::{Folder, Running, board_of, client, next_move, program, run, text};
use post::transcript::Stage;

/// A store with board 1 begun, between alice and bob, whose passwords are in
/// files.
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
fn what_is_touched_on_a_board_is_the_players_move() {
    for options in ["", "-large -many"] {
        let folder = Folder::new(&format!("board{}", options.len()));
        let store = with_board(&folder, options);
        let before = board_of(&history(&store));
        let (user, moves) = next_move(&before).unwrap();
        let (from, to) = moves.split_once('-').expect("one die, one step");
        // A pile that is put down again, what cannot be touched, what is no point.
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
        assert!(said.contains("`zz` is no point"), "{said}");
        let line = format!("\nmove {user} {moves} nonce:");
        assert!(history(&store).contains(&line), "{}", history(&store));
    }
}

#[test]
fn the_boards_own_players_play_a_game_to_its_end_over_a_network() {
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
fn whoever_cannot_play_is_told_why() {
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
