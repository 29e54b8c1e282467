//! Sharing over TCP: the lock, and the password.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use touchboard_links::Where;
use touchboard_sharing::greeting::{
    Admission, BoardPassword, ClientProof, Nonce, Prover, ServerOpening,
};

use super::{PASSWORD, Secrets, Served, keeper, succeeded};
use crate::common::{command, file, hil_bridge, refused, switch_on_at};

/// A board with a password, its file, and one with a wrong password.
fn with_password(options: &[&str]) -> (Served, Secrets, [String; 2]) {
    let secrets = Secrets::new();
    let right = secrets.write("right", PASSWORD);
    let wrong = secrets.write("wrong", "correct horse battery\n");
    let all = [&["--at=virtual", "--password-file", &right], options].concat();
    (Served::with(&all), secrets, [right, wrong])
}

#[test]
fn every_command_reaches_a_board_through_its_password() {
    let (served, _secrets, [right, _]) = with_password(&[]);
    assert!(served.at.starts_with("served:127.0.0.1:"), "{}", served.at);
    let script = file("script", "start\ntap d7\nexpect turn red\n");
    for what in [
        &["check", "--steps", "60"][..],
        &["shell", "--seed=1", &script],
        &["info"],
    ] {
        let at = ["--at", &served.at, "--password-file", &right];
        succeeded(&hil_bridge(&[what, &at].concat()));
    }
    // The variable names the file as well as the option does.
    let output = command()
        .args(["info", "--at", &served.at])
        .env("TOUCHBOARD_PASSWORD_FILE", &right)
        .output();
    succeeded(&output.unwrap());
    served.tells("bytes to the board");
}

#[test]
fn who_does_not_know_the_password_is_told_at_both_ends_and_disturbs_nobody() {
    let (served, _secrets, [right, wrong]) = with_password(&["--silence-ms=0"]);
    let at = ["--at", &served.at, "--password-file", &right];
    let mut first = keeper(&at);
    served.is_taken();
    refused(
        &["info", "--at", &served.at, "--password-file", &wrong],
        "refuses: the password is wrong",
    );
    served.tells("was refused: its password is wrong");
    refused(&["info", "--at", &served.at], "asks for a password");
    let raw = format!("tcp:{}", served.address());
    refused(&["info", "--at", &raw], "which wants a password");
    served.tells("something else than a password");
    // Even if it may not be silent, only somebody who was let in takes the board from it.
    assert!(!served.told.lock().unwrap().contains("has lost the board"));
    first.kill().unwrap();
    first.wait().unwrap();
    served.tells("has left after");
}

#[test]
fn a_second_client_is_told_who_has_the_board_and_gets_it_when_the_first_is_killed() {
    let (served, _secrets, [right, _]) = with_password(&["--silence-ms=60000"]);
    let at = ["--at", &served.at, "--password-file", &right];
    let mut first = keeper(&at);
    served.is_taken();
    refused(&["info", at[0], at[1], at[2], at[3]], "is busy: 127.0.0.1:");
    served.tells("was refused: 127.0.0.1:");
    first.kill().unwrap();
    first.wait().unwrap();
    served.tells("has left after");
    succeeded(&hil_bridge(&[&["info"], &at[..]].concat()));
}

/// The line of a server.
fn line(from: &mut impl BufRead) -> String {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

#[test]
fn a_recorded_greeting_opens_nothing() {
    let (served, _secrets, _) = with_password(&[]);
    let password = BoardPassword::of_file(PASSWORD.as_bytes()).unwrap();
    let mut recorded = None;
    for is_replay in [false, true] {
        let stream = TcpStream::connect(served.address()).unwrap();
        let mut heard = BufReader::new(&stream);
        let Ok(ServerOpening::Password(server)) = line(&mut heard).parse() else {
            panic!("no password is asked for");
        };
        let client = Nonce([7; 16]);
        let proof = password.prove(Prover::Client, server, client);
        let said = ClientProof {
            nonce: client,
            proof,
        };
        let said = recorded.get_or_insert(format!("{said}\n"));
        (&stream).write_all(said.as_bytes()).unwrap();
        match line(&mut heard).parse() {
            Ok(Admission::Welcome(Some(proof))) if !is_replay => {
                assert!(password.accepts(proof, Prover::Server, server, client));
            }
            Ok(Admission::Refused(why)) if is_replay => assert_eq!(why, "the password is wrong"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_server_without_the_password_is_found_out() {
    let secrets = Secrets::new();
    let right = secrets.write("right", PASSWORD);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("served:{}", listener.local_addr().unwrap());
    let impostor = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let opening = ServerOpening::Password(Nonce([1; 16]));
        writeln!(stream, "{opening}\nwelcome").unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    refused(
        &["info", "--at", &at, "--password-file", &right],
        "does not know the password itself",
    );
    impostor.join().unwrap();
}

#[test]
fn half_open_greetings_keep_nobody_out() {
    let (served, _secrets, [right, _]) = with_password(&[]);
    let mut silent = Vec::new();
    for _ in 0..40 {
        let mut stream = TcpStream::connect(served.address()).unwrap();
        // The last byte of a proof never comes.
        let _ = stream.write_all(b"00112233");
        silent.push(stream);
    }
    let at = ["--at", &served.at, "--password-file", &right];
    succeeded(&hil_bridge(&[&["info"], &at[..]].concat()));
    drop(silent);
    served.tells("was refused");
}

#[test]
fn a_silent_client_is_told_that_it_has_lost_the_board_to_the_next() {
    let served = Served::with(&["--at=virtual", "--silence-ms=0"]);
    let mut silent = TcpStream::connect(served.address()).unwrap();
    served.is_taken();
    succeeded(&hil_bridge(&["info", "--at", &served.at]));
    let mut heard = Vec::new();
    silent
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    silent.read_to_end(&mut heard).unwrap();
    let heard = String::from_utf8_lossy(&heard).into_owned();
    assert!(heard.contains("who came later"), "{heard:?}");
    served.tells("was silent and has lost the board");
}

#[test]
fn a_board_that_is_unplugged_is_waited_for_and_its_client_comes_back() {
    let address = "127.0.0.1:0".parse().unwrap();
    let board = switch_on_at(address);
    let address = board.tcp.unwrap();
    let at = format!("tcp:{address}");
    let served = Served::with(&["--at", &at]);
    let mut place = Where::new(served.at.parse().unwrap());
    place.line.timeout_ms = 60_000;
    let client = place.client().unwrap();
    client.request(protocol::Command::Ping).unwrap();
    drop(board);
    served.tells("the board is gone");
    served.tells("has lost the board, which is gone,");
    let _board = switch_on_at(address);
    served.tells("the board is back");
    client.request(protocol::Command::Ping).unwrap();
    assert!(client.view().counters.reconnects > 0);
}
