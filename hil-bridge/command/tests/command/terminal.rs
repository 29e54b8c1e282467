//! The mirror in a real terminal: however it ends, the terminal is restored. Uses
//! pseudo-terminals, which only Unix has.
#![cfg(unix)]

use std::time::{Duration, Instant};

use rustix::termios::{LocalModes, OptionalActions, tcsetattr};

use crate::pty::{GIVE_UP_AFTER, Session};

/// Switches to the alternate screen.
const ENTERS: &str = "\x1b[?1049h";
const LEAVES: &str = "\x1b[?1049l";
/// Switches mouse reports on.
const MOUSE: &str = "\x1b[?1000h";
const NO_MOUSE: &str = "\x1b[?1000l";

/// A mirror in a terminal of 80 x 24.
fn mirror() -> Session {
    Session::begin(&["mirror", "--at", "core"])
}

/// Waits for the end, checks the terminal, and returns the exit code.
fn ends_and_gives_the_terminal_back(session: &mut Session) -> Option<i32> {
    session.sees(NO_MOUSE, 1);
    session.sees(LEAVES, 1);
    session.ends()
}

#[test]
fn a_killed_mirror_restores_the_terminal() {
    for name in ["TERM", "HUP", "INT"] {
        let mut session = mirror();
        session.sees(ENTERS, 1);
        session.sees(MOUSE, 1);
        session.sees("quit", 1);
        assert!(!session.modes().contains(LocalModes::ICANON), "it is raw");
        session.signal(name);
        let code = ends_and_gives_the_terminal_back(&mut session);
        assert_eq!(code, Some(0), "{name}");
    }
}

#[test]
fn a_mirror_ends_with_q_and_not_with_escape() {
    let mut session = mirror();
    session.sees("quit", 1);
    session.types("?");
    session.sees(" keys ", 1);
    session.types("\x1b");
    session.types("q");
    assert_eq!(ends_and_gives_the_terminal_back(&mut session), Some(0));
}

/// The shell has reset the terminal's modes while the mirror was suspended.
#[test]
fn a_resumed_mirror_takes_the_terminal_again() {
    let mut session = mirror();
    session.sees("quit", 1);
    session.signal("STOP");
    tcsetattr(&session.terminal, OptionalActions::Now, &session.before).unwrap();
    session.signal("CONT");
    session.sees(ENTERS, 2);
    session.sees(MOUSE, 2);
    session.sees("quit", 2);
    assert!(!session.modes().contains(LocalModes::ICANON), "it is raw");
    session.types("q");
    assert_eq!(ends_and_gives_the_terminal_back(&mut session), Some(0));
}

#[test]
fn closing_the_terminal_ends_the_mirror() {
    let mut session = mirror();
    session.sees("quit", 1);
    // The thread that reads the output ends at its next piece, because nobody receives it.
    let null = std::fs::File::open("/dev/null").unwrap();
    session.pieces = std::sync::mpsc::channel().1;
    session.keyboard = null;
    let give_up = Instant::now() + GIVE_UP_AFTER;
    while session.program.try_wait().unwrap().is_none() {
        if Instant::now() >= give_up {
            panic!("it goes on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
