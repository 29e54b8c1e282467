//! Boards that are switched off and on while they are driven: the restart is reported
//! once, commands for the old run are not carried out on the new one, and later commands
//! apply to the board as it is then.

use std::io::{self, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use protocol::{Button, Input};
use touchboard_host::{Driver, DriverError};
use touchboard_links::client::LineState;
use touchboard_links::{At, Where};
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, OnTrouble, Reader, SessionText, ShellOptions, ShellSession,
};
use virtual_board::Running;

use crate::common::switch_on_at;

/// A board at a TCP port that stays open when the board is switched off.
struct Board {
    address: SocketAddr,
    running: Option<Running>,
}

impl Board {
    fn on() -> Board {
        let running = switch_on_at((Ipv4Addr::LOCALHOST, 0).into());
        let address = running.tcp.unwrap();
        let running = Some(running);
        Board { address, running }
    }

    fn restart(&mut self) {
        self.running = None;
        self.running = Some(switch_on_at(self.address));
    }

    fn place(&self) -> Where {
        let mut place = Where::new(At::Tcp(self.address.to_string()));
        place.line.timeout_ms = 20_000;
        place
    }

    fn restarted(&self) -> String {
        DriverError::Restarted(format!("tcp:{}", self.address)).to_string()
    }
}

/// A script in which `!` restarts the board.
struct Script<'a> {
    lines: std::str::Lines<'a>,
    board: &'a mut Board,
}

impl Read for Script<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut line = self.lines.next();
        while line == Some("!") {
            self.board.restart();
            line = self.lines.next();
        }
        let line = line.map_or_else(String::new, |line| format!("{line}\n"));
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// Runs such a script; the sentence about a restart is shortened.
fn script(lines: &str, options: ShellOptions) -> SessionText {
    let mut board = Board::on();
    let restarted = board.restarted();
    let (mut driver, seed) = board.place().open_seeded().unwrap();
    let input = BufReader::new(Script {
        lines: lines.lines(),
        board: &mut board,
    });
    let options = ShellOptions { seed, ..options };
    let mut ran = ShellSession::new(&mut *driver, &options).run_to_text(input);
    ran.errors = ran.errors.replace(&restarted, "RESTARTED");
    ran
}

const PLAIN: ShellOptions = ShellOptions {
    layout: touchboard_links::games::layout,
    answers: Answers::Plain(AnswerColours::Letters),
    reader: Reader::Script,
    on_trouble: OnTrouble::Stop,
    seed: 0,
};

const KEEP_GOING: ShellOptions = ShellOptions {
    on_trouble: OnTrouble::GoOn,
    ..PLAIN
};

#[test]
fn a_restart_between_two_lines_ends_a_script() {
    let SessionText {
        output,
        errors,
        ending,
    } = script("start\n!\ntap e4\nscore", PLAIN);
    assert_eq!(errors, "line 2: RESTARTED\n");
    assert_eq!(ending, ExitKind::Bad);
    assert_eq!(output.lines().count(), 1, "{output}");
}

#[test]
fn a_script_that_expects_the_restart_continues() {
    let lines = "start\n!\n# on again\n\nexpect restart\nexpect score 0 0\n";
    let SessionText { errors, ending, .. } = script(lines, PLAIN);
    assert_eq!(
        errors,
        "line 5: expected score 0 0, found no game on the board\n"
    );
    assert_eq!(ending, ExitKind::Failed);
    let lines = "start\n!\nexpect restart\nstart\nexpect score 2 2\nexpect restart";
    let SessionText { errors, ending, .. } = script(lines, PLAIN);
    let words = "line 5: expected the board to have been restarted, but it was not\n";
    assert_eq!((errors.as_str(), ending), (words, ExitKind::Failed));
}

#[test]
fn a_restart_does_not_count_as_a_refusal() {
    let SessionText { errors, ending, .. } = script("start\n!\nexpect refused set mode=1", PLAIN);
    assert_eq!(
        (errors.as_str(), ending),
        ("line 2: RESTARTED\n", ExitKind::Bad)
    );
}

#[test]
fn after_a_reported_restart_lines_run_on_the_new_board() {
    let mut lines = "start\n!\ntap e4\nexpect refused pass\nstart\nexpect score 2 2\n".to_owned();
    lines += "wait 700\nset game=life\nset game=reversi level=1\nstart\n";
    let SessionText { errors, ending, .. } = script(&(lines.clone() + "!\n" + &lines), KEEP_GOING);
    // The second restart is between two lines, the third within them.
    assert_eq!(
        errors,
        "line 2: RESTARTED\nline 10: RESTARTED\nline 11: RESTARTED\n"
    );
    assert_eq!(ending, ExitKind::Bad);
}

#[test]
fn a_person_sees_the_restart_and_continues() {
    let person = ShellOptions {
        reader: Reader::Person,
        ..PLAIN
    };
    let SessionText { errors, ending, .. } =
        script("start\n!\nscore\nstart\nexpect score 2 2", person);
    assert_eq!((errors.as_str(), ending), ("RESTARTED\n", ExitKind::Done));
}

#[test]
fn the_restart_is_in_the_next_json_answer() {
    let json = ShellOptions {
        answers: Answers::Json,
        ..KEEP_GOING
    };
    let SessionText { output, errors, .. } = script("start\n!\n# on again\n\ntap e4\nstart", json);
    assert_eq!(errors, "");
    let ok: Vec<bool> = output
        .lines()
        .map(|line| line.contains("\"ok\":true"))
        .collect();
    assert_eq!(ok, [true, false, true]);
    assert!(output.contains("was restarted meanwhile"), "{output}");
}

#[test]
fn an_idle_restart_is_reported_with_the_next_request() {
    let mut board = Board::on();
    let mut driver = board.place().remote().unwrap();
    driver.step(&[Input::Press(Button::Start)], 5_000).unwrap();
    board.restart();
    let patience = Instant::now() + Duration::from_secs(60);
    let found = |driver: &touchboard_links::RemoteDriver| {
        let view = driver.client().view();
        view.counters.reconnects > 0 && view.link == LineState::Connected
    };
    while !found(&driver) && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = driver.step(&[Input::Press(Button::Start)], 5).unwrap_err();
    assert!(matches!(error, DriverError::Restarted(_)), "{error}");
    assert!(driver.take_events().is_empty());
    assert_eq!(driver.status().unwrap().score, None);
    // The board is in lockstep again.
    let tick = driver.tick();
    assert!(tick < 5_000);
    driver.step(&[Input::Press(Button::Start)], 5).unwrap();
    assert_eq!(driver.tick(), tick + 5);
    assert_eq!(driver.status().unwrap().score, Some([2, 2]));
}
