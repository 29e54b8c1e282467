//! A program of this package in a real terminal: a pseudo-terminal, which only Unix has.
//!
//! Invariants: a wait ends as soon as the expected text is output; text that one wait has
//! found is not found by the next.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::pty::OpenptFlags;
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr};

/// The maximum time that a program may take for anything.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// A program in a terminal.
pub struct Session {
    /// The end of the terminal to type at.
    pub keyboard: File,
    /// The program's end of the terminal.
    pub terminal: OwnedFd,
    /// The terminal's settings before the program started.
    pub before: Termios,
    /// The program that runs in the terminal.
    pub program: Child,
    /// The output of the program, as it arrives.
    pub pieces: Receiver<Vec<u8>>,
    /// All output so far.
    pub painted: String,
    /// The offset in the output up to which [`Session::then_sees`] has searched.
    seen: usize,
    /// The screen as a person sees it.
    screen: vt100::Parser,
}

impl Session {
    /// `hil-bridge` with these arguments in a terminal of 80 x 24 with colours.
    pub fn begin(arguments: &[&str]) -> Session {
        Session::begin_with(arguments, &[])
    }

    /// [`Session::begin`] with these environment variables.
    pub fn begin_with(arguments: &[&str], variables: &[(&str, &str)]) -> Session {
        let own = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        // The program must not inherit the test's end, or that would never close.
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
        let program = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
            .args(arguments)
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied())
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
            program,
            pieces,
            painted: String::new(),
            seen: 0,
            screen: vt100::Parser::new(24, 80, 0),
        }
    }

    /// Waits until these words have been output this many times.
    pub fn sees(&mut self, words: &str, times: usize) {
        self.waits(words, |session| {
            session.painted.matches(words).count() >= times
        });
    }

    /// Waits until these words are output, after everything that was found before.
    pub fn then_sees(&mut self, words: &str) {
        let seen = self.seen;
        self.waits(words, |session| session.painted[seen..].contains(words));
        let place = self.painted[seen..].find(words).unwrap();
        self.seen = seen + place + words.len();
    }

    /// Waits until the line of the cursor is this, without trailing blanks.
    pub fn line_is(&mut self, line: &str) {
        let is_so = |screen: &vt100::Screen| {
            let (row, _) = screen.cursor_position();
            let text = screen.rows(0, 80).nth(row.into());
            text.is_some_and(|text| text.trim_end() == line)
        };
        self.waits(line, |session| is_so(session.screen.screen()));
    }

    /// The lines of the screen.
    pub fn lines(&self) -> Vec<String> {
        self.screen.screen().rows(0, 80).collect()
    }

    fn waits(&mut self, words: &str, is_there: impl Fn(&Session) -> bool) {
        let give_up = Instant::now() + GIVE_UP_AFTER;
        while !is_there(self) {
            let wait = give_up.saturating_duration_since(Instant::now());
            let piece = self.pieces.recv_timeout(wait);
            let piece = piece.unwrap_or_else(|_| panic!("no {words:?} in {:#?}", self.lines()));
            self.painted += &String::from_utf8_lossy(&piece);
            self.screen.process(&piece);
        }
    }

    /// Types these keys in the terminal.
    pub fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Sends a signal to the program.
    pub fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .args(["-s", name, &self.program.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
    }

    /// The terminal's modes for lines and keys.
    pub fn modes(&self) -> LocalModes {
        tcgetattr(&self.terminal).unwrap().local_modes
    }

    /// Waits for the end of the program, and checks that the terminal's settings are
    /// restored.
    pub fn ends(&mut self) -> Option<i32> {
        let give_up = Instant::now() + GIVE_UP_AFTER;
        while self.program.try_wait().unwrap().is_none() {
            assert!(Instant::now() < give_up, "it goes on: {:?}", self.painted);
            std::thread::sleep(Duration::from_millis(5));
        }
        let code = self.program.wait().unwrap().code();
        assert_eq!(self.modes(), self.before.local_modes);
        code
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
