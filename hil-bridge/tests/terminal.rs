//! The mirror in a real terminal: however it ends, the terminal is given back.
//! Pseudo-terminals: only Unix has them.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::pty::OpenptFlags;
use rustix::termios::{LocalModes, OptionalActions, Termios, Winsize, tcgetattr, tcsetattr};

/// What gives the second screen to the mirror, and what gives it back.
const ENTERS: &str = "\x1b[?1049h";
const LEAVES: &str = "\x1b[?1049l";
/// What makes the terminal tell of the mouse, and stops that.
const MOUSE: &str = "\x1b[?1000h";
const NO_MOUSE: &str = "\x1b[?1000l";

/// How long a mirror may take for anything.
const GIVE_UP_AFTER: Duration = Duration::from_secs(30);

/// A mirror in a terminal of 80 x 24.
struct Session {
    keyboard: File,
    /// The mirror's side.
    terminal: OwnedFd,
    before: Termios,
    mirror: Child,
    pieces: Receiver<Vec<u8>>,
    painted: String,
}

impl Session {
    fn begin() -> Session {
        let own = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        // The mirror has its own side alone, or that of the test is never closed.
        rustix::io::fcntl_setfd(&own, rustix::io::FdFlags::CLOEXEC).unwrap();
        rustix::pty::grantpt(&own).unwrap();
        rustix::pty::unlockpt(&own).unwrap();
        let path = rustix::pty::ptsname(&own, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let terminal = rustix::fs::open(path, flags, Mode::empty()).unwrap();
        let size = Winsize {
            ws_row: 24,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&terminal, size).unwrap();
        let before = tcgetattr(&terminal).unwrap();
        let side = || terminal.try_clone().unwrap();
        let mirror = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
            .args(["mirror", "--at", "core"])
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        let keyboard = File::from(own);
        let mut screen = keyboard.try_clone().unwrap();
        let (sender, pieces) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = screen.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Session {
            keyboard,
            terminal,
            before,
            mirror,
            pieces,
            painted: String::new(),
        }
    }

    /// Waits until this was painted so many times.
    fn sees(&mut self, words: &str, times: usize) {
        let give_up = Instant::now() + GIVE_UP_AFTER;
        while self.painted.matches(words).count() < times {
            let wait = give_up.saturating_duration_since(Instant::now());
            let piece = self.pieces.recv_timeout(wait);
            let piece = piece.unwrap_or_else(|_| panic!("no {words:?} in {:?}", self.painted));
            self.painted += &String::from_utf8_lossy(&piece);
        }
    }

    fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .args(["-s", name, &self.mirror.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
    }

    /// What the terminal does with lines and keys.
    fn modes(&self) -> LocalModes {
        tcgetattr(&self.terminal).unwrap().local_modes
    }

    /// Waits for the end, and returns the exit code.
    fn ends_and_gives_the_terminal_back(&mut self) -> Option<i32> {
        self.sees(NO_MOUSE, 1);
        self.sees(LEAVES, 1);
        let code = self.mirror.wait().unwrap().code();
        assert_eq!(self.modes(), self.before.local_modes);
        code
    }
}

#[test]
fn a_mirror_that_is_ended_by_a_signal_gives_the_terminal_back_in_order() {
    for name in ["TERM", "HUP", "INT"] {
        let mut session = Session::begin();
        session.sees(ENTERS, 1);
        session.sees(MOUSE, 1);
        session.sees("quit", 1);
        assert!(!session.modes().contains(LocalModes::ICANON), "it is raw");
        session.signal(name);
        let code = session.ends_and_gives_the_terminal_back();
        assert_eq!(code, Some(0), "{name}");
    }
}

#[test]
fn a_mirror_ends_with_q_and_not_with_escape() {
    let mut session = Session::begin();
    session.sees("quit", 1);
    session.keyboard.write_all(b"?").unwrap();
    session.sees(" keys ", 1);
    session.keyboard.write_all(b"\x1b").unwrap();
    session.keyboard.write_all(b"q").unwrap();
    assert_eq!(session.ends_and_gives_the_terminal_back(), Some(0));
}

/// Whoever suspended it has set the terminal as a shell wants it.
#[test]
fn a_mirror_that_was_suspended_takes_the_terminal_again() {
    let mut session = Session::begin();
    session.sees("quit", 1);
    session.signal("STOP");
    tcsetattr(&session.terminal, OptionalActions::Now, &session.before).unwrap();
    session.signal("CONT");
    session.sees(ENTERS, 2);
    session.sees(MOUSE, 2);
    session.sees("quit", 2);
    assert!(!session.modes().contains(LocalModes::ICANON), "it is raw");
    session.keyboard.write_all(b"q").unwrap();
    assert_eq!(session.ends_and_gives_the_terminal_back(), Some(0));
}

#[test]
fn a_mirror_whose_terminal_is_closed_ends() {
    let mut session = Session::begin();
    session.sees("quit", 1);
    let Session {
        keyboard,
        mut mirror,
        pieces,
        ..
    } = session;
    // The one that reads from it ends with the next piece that nobody takes.
    drop((pieces, keyboard));
    let give_up = Instant::now() + GIVE_UP_AFTER;
    while mirror.try_wait().unwrap().is_none() {
        if Instant::now() >= give_up {
            mirror.kill().unwrap();
            panic!("it goes on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
