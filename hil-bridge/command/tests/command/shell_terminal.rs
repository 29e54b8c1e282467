//! The shell in a real terminal: its line editor, and that the terminal is restored.
#![cfg(unix)]

use std::net::Ipv4Addr;

use crate::common::switch_on_at;
use crate::pty::Session;
use rustix::termios::LocalModes;
use tempfile::{TempDir, tempdir};

/// The shell's prompt.
const PROMPT: &str = "> ";
/// What the editor outputs when it starts to read.
const LISTENS: &str = "\x1b[?2004h";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const CTRL_R: &str = "\x12";
const ENTER: &str = "\r";
const TAB: &str = "\t";
const UP: &str = "\x1b[A";

/// A person at the shell, with a folder for the history.
struct Person(TempDir);

impl Person {
    /// A person without a history file.
    fn new() -> Person {
        Person(tempdir().unwrap())
    }

    fn shell(&self) -> Session {
        self.shell_at("core", &[], false)
    }

    fn shell_at(&self, at: &str, more: &[&str], is_coloured: bool) -> Session {
        let folder = self.0.path().to_string_lossy();
        let arguments = [&["shell", "--at", at], more].concat();
        // By default the history is in the user's home. Without colours, no hints are
        // shown after the typed text.
        let variables = [
            ("XDG_STATE_HOME", &*folder),
            ("HOME", &*folder),
            ("NO_COLOR", if is_coloured { "" } else { "1" }),
        ];
        let mut session = Session::begin_with(&arguments, &variables);
        session.then_sees("`help` lists the commands");
        session.then_sees(PROMPT);
        session
    }
}

/// Types a line, and waits for its answer and the next prompt. Text that is typed before
/// the editor reads would go to the terminal.
fn does(session: &mut Session, line: &str, answer: &str) {
    session.types(line);
    session.types(ENTER);
    session.then_sees(answer);
    session.then_sees(PROMPT);
}

fn drops_the_line(session: &mut Session) {
    let times = session.painted.matches(LISTENS).count();
    session.types(CTRL_C);
    session.sees(LISTENS, times + 1);
    session.line_is(">");
}

/// Quits, whatever is on the line.
fn quits(mut session: Session) {
    drops_the_line(&mut session);
    session.types(CTRL_D);
    assert_eq!(session.ends(), Some(0));
}

#[test]
fn the_history_is_recalled_and_searched_with_ctrl_r() {
    let person = Person::new();
    let mut first = person.shell();
    for (line, answer) in [
        ("set game=fillit", "FillIt mode="),
        ("score", "no game on the board"),
        ("wait 7", "\r\n"),
    ] {
        does(&mut first, line, answer);
    }
    quits(first);

    let mut second = person.shell();
    second.types(UP);
    second.line_is("> wait 7");
    second.types(UP);
    second.line_is("> score");
    does(&mut second, "", "no game on the board");
    second.types(CTRL_R);
    second.then_sees("(reverse-i-search)");
    second.types("fill");
    second.sees("set game=fillit", 1);
    does(&mut second, "", "FillIt mode=0 level=0 time=9 speed=5");
    quits(second);

    // A recalled line is stored once, where it was last used.
    let mut third = person.shell();
    third.types(UP);
    third.line_is("> set game=fillit");
    third.types(UP);
    third.line_is("> score");
    third.types(UP);
    third.line_is("> wait 7");
    quits(third);
}

#[test]
fn commands_games_and_points_are_completed() {
    let person = Person::new();
    let mut session = person.shell();
    session.types("sta\t");
    session.line_is("> start");
    does(&mut session, "", "Reversi begins");
    session.types("set game=vis");
    session.types(TAB);
    session.line_is("> set game=visiput");
    does(&mut session, "", "Visiput mode=");
    // A second Tab lists the possibilities.
    session.types("press st");
    session.types(TAB);
    session.types(TAB);
    session.then_sees("start  stop");
    session.line_is("> press st");
    quits(session);
}

#[test]
fn ctrl_c_drops_the_line_and_keeps_the_shell() {
    let person = Person::new();
    let mut session = person.shell();
    session.types("wait 99999");
    session.line_is("> wait 99999");
    drops_the_line(&mut session);
    does(&mut session, "show", "tick 0");
    quits(session);
}

#[test]
fn board_news_are_printed_above_the_typed_line() {
    let person = Person::new();
    let board = switch_on_at((Ipv4Addr::LOCALHOST, 0).into());
    let address = board.tcp.unwrap();
    let mut session = person.shell_at(&format!("tcp:{address}"), &[], false);
    session.types("wait 12");
    session.line_is("> wait 12");
    drop(board);
    session.then_sees("ended");
    // The line is shown below the report, unchanged.
    session.line_is("> wait 12");
    let _board = switch_on_at(address);
    session.then_sees("the board restarted");
    session.line_is("> wait 12");
    does(&mut session, "34", "restarted");
    // The line is unchanged.
    session.types(UP);
    session.line_is("> wait 1234");
    quits(session);
}

#[test]
fn a_killed_shell_restores_the_terminal() {
    for name in ["TERM", "HUP"] {
        let person = Person::new();
        let mut session = person.shell();
        session.types("wait");
        session.line_is("> wait");
        assert!(!session.modes().contains(LocalModes::ICANON), "it is raw");
        session.signal(name);
        assert_eq!(session.ends(), None, "a signal ended it");
    }
}

#[test]
fn help_wraps_at_words_to_the_width_of_the_terminal() {
    let person = Person::new();
    let mut session = person.shell();
    does(&mut session, "help", "quit  ");
    let lines: Vec<&str> = session.painted.split("\r\n").collect();
    let help = lines.iter().filter(|line| !line.contains(PROMPT));
    assert!(help.clone().count() > 30);
    for line in help {
        assert!(line.len() <= 80, "{line:?}");
    }
    quits(session);
}

#[test]
fn another_palette_changes_the_colour_names() {
    let person = Person::new();
    let mut session = person.shell_at("core", &["--palette", "blue-orange"], true);
    does(&mut session, "start", "blue to move");
    let moved = "blue d7 (+1); score 4 1; orange to move";
    does(&mut session, "tap d7", moved);
    // A command is shown in the form in which it is typed.
    does(&mut session, "position", "turn red");
    quits(session);
}
