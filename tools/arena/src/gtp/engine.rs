//! A program that speaks the Go Text Protocol over its standard streams.
//!
//! Invariants: a command waits for its answer no longer than the given time, and the
//! process ends when the value that represents it is dropped.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::words;

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

/// An engine that speaks GTP.
pub trait Engine {
    /// Sends a command and returns the answer.
    ///
    /// # Errors
    ///
    /// [`Trouble`] if there is no answer or the command is refused.
    fn command(&mut self, command: &str) -> Result<String, Trouble>;
}

/// An engine in its own process.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    timeout: Duration,
}

impl EngineProcess {
    /// Starts a program from its command line. Words with blanks must be in quotes.
    ///
    /// # Errors
    /// A sentence, if the line is not a valid command line or the program cannot be
    /// started.
    pub fn start(line: &str, timeout: Duration) -> Result<EngineProcess, String> {
        let words = shell_words::split(line).map_err(|error| format!("`{line}`: {error}"))?;
        let [program, arguments @ ..] = words.as_slice() else {
            return Err("say which program: --engine \"gnugo --mode gtp\"".to_owned());
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                format!(
                    "`{program}` cannot be started: {error}; name an installed one with --engine"
                )
            })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("`{program}` has no standard streams"));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
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
            Some(Ok(text)) => Ok(text),
            Some(Err(why)) => Err(Trouble::Refused {
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
