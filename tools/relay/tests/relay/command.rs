//! The program: its options, and its end.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

fn relay(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relay"));
    command.args(arguments);
    command
}

#[test]
fn a_wrong_option_is_a_sentence_and_exit_code_2() {
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = held.local_addr().unwrap().to_string();
    for (arguments, words) in [
        (&["--listen", "nowhere"][..], "nowhere"),
        (&["--tables", "0"], "1 to 10000"),
        (
            &["--listen", taken.as_str()],
            "choose another one with --listen",
        ),
    ] {
        let done = relay(arguments).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
        assert!(done.stdout.is_empty());
    }
    drop(held);
}

#[test]
fn it_tells_its_address_and_writes_its_manual() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let done = relay(&["--generate", "man", path]).status().unwrap();
    assert!(done.success());
    assert!(folder.path().join("relay.1").is_file());
    let help = relay(&["--help"]).output().unwrap();
    assert!(String::from_utf8_lossy(&help.stdout).contains("--behind-proxy"));
}

#[cfg(unix)]
#[test]
fn it_ends_in_order_when_it_is_told_to() {
    let mut started = relay(&["--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let said = started.stdout.take().unwrap();
    BufReader::new(said).read_line(&mut address).unwrap();
    assert!(address.starts_with("ws://127.0.0.1:"), "{address}");
    let number = started.id().to_string();
    let told = Command::new("kill")
        .args(["-TERM", &number])
        .status()
        .unwrap();
    assert!(told.success());
    assert!(started.wait().unwrap().success());
}
