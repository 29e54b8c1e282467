//! Bots that are programs in any language, which communicate by lines.
//!
//! The contest writes lines, and the bot answers each `move` with a line. README.md of
//! this crate describes this for authors.
//!
//! Invariants: whatever a program does (stays silent, floods, forks, never ends), the
//! contest waits no longer than the time for a move, keeps only a few lines of its
//! output, and leaves no process behind.

use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use firmware_core::games::ticdabtoe::{Block, Position};
use parking_lot::Mutex;
use protocol::{Point, Side};

use super::tail::Tail;
use super::wasm::too_late;
use super::{Ending, Seat, TurnRequest, cell_at, mark, row_and_column};
use crate::fault::{BotFault, BotFaultKind};
use crate::limits::Limits;
use crate::plain::plain_bytes;
use crate::sandbox::{self, BotProgram};

/// The version of the interface.
pub const VERSION: u8 = 1;
/// The longest line of an answer, without its line end.
pub const LINE_BYTES: usize = 64;
/// The number of lines that may wait to be read. A bot that writes more is blocked.
const WAITING_LINES: usize = 16;
/// How long a bot may take to end by itself after a game.
const GRACE: Duration = Duration::from_millis(250);
/// How long to wait for a bot to end after its standard output has closed. On a busy
/// machine this may take a while, and the report about the bot should not depend on that.
const END: Duration = Duration::from_secs(3);
/// How long to wait for the remaining error output of a bot that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A program that plays a game.
pub struct ProcessPlayer {
    program: BotProgram,
    side: Side,
    seed: u64,
    limits: Limits,
    /// `None` before its first move.
    running: Option<Running>,
}

/// An event from a bot's standard output.
enum BotOutput {
    Line(Vec<u8>),
    /// A line that is longer than allowed.
    TooLong,
}

struct Running {
    child: Child,
    /// Lines for the bot. A separate thread writes them, because a bot that does not
    /// read blocks the writer.
    lines: Option<Sender<String>>,
    told: Receiver<BotOutput>,
    tail: Arc<Mutex<Tail>>,
    /// Disconnected when the bot's standard error stream has ended.
    tail_ended: Receiver<()>,
    /// The control group, removed together with the process.
    #[cfg(target_os = "linux")]
    group: Option<sandbox::Group>,
}

impl ProcessPlayer {
    pub fn new(program: BotProgram, side: Side, seed: u64, limits: &Limits) -> ProcessPlayer {
        ProcessPlayer {
            program,
            side,
            seed,
            limits: *limits,
            running: None,
        }
    }

    /// The next line of the bot. The nth line is the answer to the nth `move`.
    fn answer(&mut self, deadline: Instant) -> Result<Vec<u8>, BotFault> {
        let Some(running) = &mut self.running else {
            return Err(BotFault::new(BotFaultKind::Start, "it does not run"));
        };
        match running.told.recv_deadline(deadline) {
            Ok(BotOutput::Line(line)) => Ok(line),
            Ok(BotOutput::TooLong) => {
                let reason = format!("it wrote a line of more than {LINE_BYTES} bytes");
                Err(BotFault::new(BotFaultKind::Line, reason))
            }
            Err(RecvTimeoutError::Timeout) => Err(too_late(self.limits.move_ms)),
            Err(RecvTimeoutError::Disconnected) => Err(running.why_it_ended(deadline)),
        }
    }
}

impl Seat for ProcessPlayer {
    fn play(&mut self, turn: &TurnRequest<'_>) -> Result<Point, BotFault> {
        let deadline = Instant::now() + turn.time;
        if self.running.is_none() {
            let running = Running::start(&self.program, &self.limits)?;
            running.write(start_line(self.side, self.seed));
            self.running = Some(running);
        }
        if let Some(running) = &self.running {
            running.write(move_line(turn.position));
        }
        let line = self.answer(deadline)?;
        let (row, column) = read_answer(&line)?;
        cell_at(turn.position, row, column)
    }

    fn end(&mut self, ending: &Ending) -> Vec<String> {
        let Some(mut running) = self.running.take() else {
            return Vec::new();
        };
        running.write(end_line(ending));
        running.lines = None;
        let until = Instant::now() + GRACE;
        // The output is discarded; a bot that floods would never stop.
        while Instant::now() < until && running.told.recv_deadline(until).is_ok() {}
        running.kill();
        let _ = running.tail_ended.recv_timeout(LAST_WORDS);
        let tail = running.tail.lock();
        tail.lines()
    }
}

impl Running {
    fn start(program: &BotProgram, limits: &Limits) -> Result<Running, BotFault> {
        let path = &program.path;
        let mut shut = sandbox::shut(program, limits)
            .map_err(|error| BotFault::new(BotFaultKind::Start, cannot_start(path, &error)))?;
        let command = &mut shut.command;
        only_harmless_variables(command);
        if let Some(folder) = path.parent() {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn();
        let mut child = child
            .map_err(|error| BotFault::new(BotFaultKind::Start, cannot_start(path, &error)))?;
        let lost = || BotFault::new(BotFaultKind::Start, "its streams are not there");
        let stdin = child.stdin.take().ok_or_else(lost)?;
        let stdout = child.stdout.take().ok_or_else(lost)?;
        let stderr = child.stderr.take().ok_or_else(lost)?;
        let (lines, to_write) = unbounded();
        let (teller, told) = bounded(WAITING_LINES);
        let (tail_end, tail_ended) = bounded(0);
        let tail = Arc::new(Mutex::new(Tail::default()));
        let kept = Arc::clone(&tail);
        thread::spawn(move || write_lines(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, &teller));
        thread::spawn(move || keep_tail(stderr, &kept, tail_end));
        Ok(Running {
            child,
            lines: Some(lines),
            told,
            tail,
            tail_ended,
            #[cfg(target_os = "linux")]
            group: shut.group,
        })
    }

    /// Queues a line for the bot. If the bot does not read it, this shows when its answer
    /// is due.
    fn write(&self, line: String) {
        if let Some(lines) = &self.lines {
            let _ = lines.send(line);
        }
    }

    /// The fault of a bot whose standard output has closed, usually because the bot has
    /// ended.
    fn why_it_ended(&mut self, deadline: Instant) -> BotFault {
        let until = deadline.min(Instant::now() + END);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => {
                    let reason = "it closed its standard output in the middle of the game";
                    return BotFault::new(BotFaultKind::Exit, reason);
                }
            }
        };
        let _ = self.tail_ended.recv_timeout(LAST_WORDS);
        let mut tail = self.tail.lock();
        let line = tail.take_last(sandbox::FORBIDDEN);
        if let Some(what) = sandbox::forbidden(status, line.as_deref()) {
            let reason = format!("it asked the system for {what}, which no bot may");
            return BotFault::new(BotFaultKind::SystemCall, reason);
        }
        #[cfg(target_os = "linux")]
        if self
            .group
            .as_ref()
            .is_some_and(sandbox::Group::ran_out_of_memory)
        {
            let reason = "it used more memory than it may have, and the system ended it";
            return BotFault::new(BotFaultKind::Memory, reason);
        }
        if status.code() == Some(sandbox::NOT_STARTED) {
            let why = tail.lines().pop().unwrap_or_default();
            return BotFault::new(BotFaultKind::Start, why);
        }
        let reason = format!("it ended in the middle of the game ({status})");
        BotFault::new(BotFaultKind::Exit, reason)
    }

    fn kill(&mut self) {
        sandbox::kill(&mut self.child);
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn cannot_start(path: &Path, error: &std::io::Error) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    format!("{} cannot be started: {error}", name.to_string_lossy())
}

/// Clears the environment, so that a bot sees no secrets of the user, and its random
/// numbers depend only on its seed.
fn only_harmless_variables(command: &mut Command) {
    command.env_clear();
    for name in ["PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TZ"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // Otherwise Python would order sets at random and write cache files.
    command.env("PYTHONHASHSEED", "0");
    command.env("PYTHONDONTWRITEBYTECODE", "1");
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for mut line in lines {
        line.push('\n');
        if stdin
            .write_all(line.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}

fn read_lines(mut stdout: ChildStdout, told: &Sender<BotOutput>) {
    let (mut line, mut buffer) = (Vec::new(), [0; 512]);
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        for byte in &buffer[..count] {
            let news = match byte {
                b'\n' => BotOutput::Line(std::mem::take(&mut line)),
                _ if line.len() == LINE_BYTES => BotOutput::TooLong,
                _ => {
                    line.push(*byte);
                    continue;
                }
            };
            let ends = matches!(news, BotOutput::TooLong);
            if told.send(news).is_err() || ends {
                return;
            }
        }
    }
}

fn keep_tail(mut stderr: ChildStderr, tail: &Mutex<Tail>, ended: Sender<()>) {
    let mut buffer = [0; 4_096];
    loop {
        match stderr.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                let mut tail = tail.lock();
                tail.push(&buffer[..count]);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    drop(ended);
}

/// The first line for a bot.
#[must_use]
pub fn start_line(side: Side, seed: u64) -> String {
    format!("start {VERSION} {} {seed}", mark(side))
}

/// The line that requests a move.
#[must_use]
pub fn move_line(position: &Position) -> String {
    let (row, column) = match position.last().map(row_and_column) {
        Some((row, column)) => (i16::from(row), i16::from(column)),
        None => (-1, -1),
    };
    let cell = |index| position.mark_at(Point(index)).map_or('-', mark);
    let cells: String = (0..=u8::MAX).map(cell).collect();
    let block = |block: &Block| match block {
        Block::InPlay => '-',
        Block::Won(side) => mark(*side),
        Block::Drawn => 'd',
    };
    let blocks: String = position.blocks().iter().map(block).collect();
    let is_open = |number: usize| position.open_blocks() >> number & 1 != 0;
    let open = (0..16).map(|number| if is_open(number) { '+' } else { '-' });
    let open: String = open.collect();
    format!("move {row} {column} {cells} {blocks} {open}")
}

/// The last line for a bot.
#[must_use]
pub fn end_line(ending: &Ending) -> String {
    let [own, other] = ending.points;
    format!("end {} {own} {other}", ending.verdict.word())
}

/// The row and column of an answer, which must be two whole numbers.
fn read_answer(line: &[u8]) -> Result<(i64, i64), BotFault> {
    let numbers = || {
        let text = str::from_utf8(line).ok()?;
        let mut words = text.split_ascii_whitespace();
        let (row, column) = (words.next()?, words.next()?);
        let is_all = words.next().is_none();
        let numbers = (row.parse().ok()?, column.parse().ok()?);
        is_all.then_some(numbers)
    };
    numbers().ok_or_else(|| {
        let reason = format!(
            "it wrote \"{}\", and an answer is a row and a column, like \"7 3\"",
            plain_bytes(line)
        );
        BotFault::new(BotFaultKind::Line, reason)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_exactly_two_numbers() {
        assert_eq!(read_answer(b"7 3"), Ok((7, 3)));
        assert_eq!(read_answer(b" 7   3\r"), Ok((7, 3)));
        assert_eq!(read_answer(b"-1 1000"), Ok((-1, 1000)));
        for line in [
            &b""[..],
            b"7",
            b"7 3 1",
            b"7,3",
            b"(7, 3)",
            b"a b",
            b"\xff\xff 3",
            b"7 99999999999999999999",
        ] {
            let fault = read_answer(line).unwrap_err();
            assert_eq!(fault.kind, BotFaultKind::Line, "{line:?}");
        }
    }

    #[test]
    fn a_line_describes_the_position() {
        let first = move_line(&Position::start());
        let (dots, blocks, open) = ("-".repeat(256), "-".repeat(16), "+".repeat(16));
        assert_eq!(first, format!("move -1 -1 {dots} {blocks} {open}"));
        let after = Position::start()
            .play(Point(7 * 16 + 3))
            .expect("it is free");
        let words = move_line(&after);
        let words: Vec<&str> = words.split(' ').collect();
        assert_eq!(words[..3], ["move", "7", "3"]);
        assert_eq!(words[3].find('x'), Some(115));
        // The mark is in row 3, column 3 of its block, so the last block is open.
        assert_eq!(words[5], "---------------+");
    }
}
