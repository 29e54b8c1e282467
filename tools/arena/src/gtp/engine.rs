//! A program that speaks the Go Text Protocol over its standard streams.
//!
//! Invariants: a command waits for its answer no longer than the given time; what is read of
//! the program is bounded, however much it writes; the process ends when the value that
//! represents it is dropped.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::words::{self, Answer};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The engine answered with `?`.
    #[error("the engine refused `{command}`: {why}; choose a game and a board that it plays")]
    Refused {
        /// The command that was sent.
        command: String,
        /// The reason that the engine gave.
        why: String,
    },
    /// The program ended or closed its streams.
    #[error("the engine ended at `{0}`: try its command line in a terminal")]
    Ended(String),
    /// The program did not answer in time.
    #[error("the engine did not answer `{0}` in time: give it longer with --timeout-s")]
    Silent(String),
    /// The program wrote more than an answer can be.
    #[error(
        "the engine wrote more than {LONGEST_LINE} bytes in a line or {MOST_LINES} lines at `{0}`: start it so that it speaks GTP version 2 and logs elsewhere"
    )]
    TooLong(String),
    /// The program's output was not a valid answer.
    #[error(
        "the engine answered `{command}` with `{said}`, which the protocol does not know: start it so that it speaks GTP version 2"
    )]
    Unknown {
        /// The command that was sent.
        command: String,
        /// The answer that was not understood.
        said: String,
    },
}

/// Why an engine does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The line is not a command line.
    #[error("`{line}`: {error}")]
    Line {
        /// The line.
        line: String,
        /// What is wrong with it.
        #[source]
        error: shell_words::ParseError,
    },
    /// The line is empty.
    #[error("say which program: --engine \"gnugo --mode gtp\"")]
    NoProgram,
    /// The program does not start.
    #[error("`{program}` cannot be started: {error}; name an installed one with --engine")]
    Program {
        /// The program.
        program: String,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The process of this program has no standard streams.
    #[error("`{0}` has no standard streams")]
    NoStreams(String),
}

/// An engine that speaks GTP.
pub trait Engine {
    /// Sends a command and returns the answer.
    ///
    /// # Errors
    ///
    /// [`Trouble`] if there is no answer or the command is refused.
    fn command(&mut self, command: &str) -> Result<String, Trouble>;
}

/// The longest line that is read, in bytes.
const LONGEST_LINE: usize = 1 << 16;
/// The most lines of an answer. The largest drawing of a board has fewer than a hundred.
const MOST_LINES: usize = 1_024;
/// The number of lines that wait to be read; after that, the engine waits.
const LINES_AHEAD: usize = 16;

/// The lines of a program, with `None` for one that is too long, after which nothing is
/// read.
fn lines_of(output: impl Read) -> impl Iterator<Item = Option<String>> {
    let mut output = BufReader::new(output);
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let mut line = Vec::new();
        let most = LONGEST_LINE as u64 + 1;
        let read = output.by_ref().take(most).read_until(b'\n', &mut line);
        match read {
            Ok(1..) if line.len() > LONGEST_LINE => {
                is_over = true;
                Some(None)
            }
            Ok(1..) => {
                let line = String::from_utf8_lossy(&line);
                Some(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
            }
            Ok(0) | Err(_) => None,
        }
    })
}

/// An engine in its own process.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    input: ChildStdin,
    /// See [`lines_of`].
    lines: Receiver<Option<String>>,
    timeout: Duration,
}

impl EngineProcess {
    /// Starts a program from its command line. Words with blanks must be in quotes.
    ///
    /// # Errors
    /// If the line is not a valid command line or the program cannot be started.
    pub fn start(line: &str, timeout: Duration) -> Result<EngineProcess, StartError> {
        let words = shell_words::split(line).map_err(|error| {
            let line = line.to_owned();
            StartError::Line { line, error }
        })?;
        let (program, arguments) = words.split_first().ok_or(StartError::NoProgram)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                let program = program.clone();
                StartError::Program { program, error }
            })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(StartError::NoStreams(program.clone()));
        };
        let (sender, lines) = sync_channel(LINES_AHEAD);
        std::thread::spawn(move || {
            // The receiver is gone when the game is over.
            lines_of(output).try_for_each(|line| sender.send(line))
        });
        Ok(EngineProcess {
            child,
            input,
            lines,
            timeout,
        })
    }

    /// The lines of one answer, without the empty line that ends it. Empty lines before
    /// it belong to the previous answer and are skipped.
    fn lines_of_answer(&self, command: &str) -> Result<Vec<String>, Trouble> {
        let until = Instant::now() + self.timeout;
        let mut lines = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => Trouble::Silent(command.to_owned()),
                RecvTimeoutError::Disconnected => Trouble::Ended(command.to_owned()),
            })?;
            let line = line.filter(|_| lines.len() < MOST_LINES);
            let line = line.ok_or_else(|| Trouble::TooLong(command.to_owned()))?;
            match (line.trim().is_empty(), lines.is_empty()) {
                (true, true) => {}
                (true, false) => return Ok(lines),
                (false, _) => lines.push(line),
            }
        }
    }
}

impl Engine for EngineProcess {
    fn command(&mut self, command: &str) -> Result<String, Trouble> {
        let ended = |_| Trouble::Ended(command.to_owned());
        writeln!(self.input, "{command}").map_err(ended)?;
        self.input.flush().map_err(ended)?;
        let lines = self.lines_of_answer(command)?;
        match words::answer(&lines) {
            Some(Answer::Done(text)) => Ok(text),
            Some(Answer::Refused(why)) => Err(Trouble::Refused {
                command: command.to_owned(),
                why,
            }),
            None => Err(Trouble::Unknown {
                command: command.to_owned(),
                said: lines.join(" "),
            }),
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.input.flush();
        let until = Instant::now() + Duration::from_millis(500);
        while Instant::now() < until {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_without_their_ends_until_one_is_too_long() {
        let line = |line: &str| Some(line.to_owned());
        let read = |text: &str| lines_of(text.as_bytes()).collect::<Vec<_>>();
        assert_eq!(
            read("= A1\r\n\nrest"),
            [line("= A1"), line(""), line("rest")]
        );
        let longest = "a".repeat(LONGEST_LINE - 1);
        assert_eq!(
            read(&format!("{longest}\nb\n")),
            [line(&longest), line("b")]
        );
        assert_eq!(read(&format!("{longest}aa\nb\n")), [None]);
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_never_stops_writing_is_refused() {
        let patience = Duration::from_secs(60);
        for endless in ["yes", "sh -c 'yes | tr -d \"\\n\"'"] {
            let mut engine = EngineProcess::start(endless, patience).unwrap();
            let answer = engine.command("name");
            assert_eq!(
                answer,
                Err(Trouble::TooLong("name".to_owned())),
                "{endless}"
            );
        }
    }
}
