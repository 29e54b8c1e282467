//! A program whose standard streams are a line, such as `ssh` to a machine with a board.
//!
//! Invariants: when all handles of the line are dropped, the program's input is closed;
//! when [`FarProgram`] is dropped, the program has ended.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::bounded;
use parking_lot::Mutex;

use super::Loopback;

/// The number of blocks of bytes that may be in transit in each direction.
const QUEUE: usize = 64;

/// The number of bytes that are read at once.
const BLOCK: usize = 4_096;

/// How much of what a program says on its standard error is remembered, in bytes.
const MOST_WORDS: usize = 4_096;

/// A running program; it ends when this is dropped.
pub struct FarProgram {
    child: Child,
    words: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl FarProgram {
    /// Starts a program, and returns the line to its standard streams.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(command: &mut Command) -> io::Result<(FarProgram, Loopback)> {
        let piped_streams = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped_streams.spawn()?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let words: Arc<Mutex<Vec<u8>>> = Arc::default();
        let mut program = FarProgram {
            child,
            words: Arc::clone(&words),
            reader: None,
        };
        let (Some(to_program), Some(from_program), Some(errors)) = streams else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let reader = thread::Builder::new().name("last-words".into());
        program.reader = Some(reader.spawn(move || remember(errors, &words))?);
        let (line, _) = piped(from_program, to_program)?;
        Ok((program, line))
    }

    /// True once the program has ended.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// The last line that the program wrote to its standard error. Waits until it has
    /// closed that.
    pub fn last_words(&mut self) -> Option<String> {
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        let words = String::from_utf8_lossy(&self.words.lock()).into_owned();
        let lines = words.lines().rev().map(str::trim);
        lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .next()
    }
}

impl Drop for FarProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Remembers the end of what a program writes.
fn remember(mut errors: ChildStderr, words: &Mutex<Vec<u8>>) {
    let mut block = [0; BLOCK];
    while let Ok(length @ 1..) = errors.read(&mut block) {
        let mut words = words.lock();
        words.extend(block.get(..length).unwrap_or_default());
        let too_many = words.len().saturating_sub(MOST_WORDS);
        words.drain(..too_many);
    }
}

/// A line that consists of two streams, and the thread that writes: it ends, with
/// everything written, after all handles of the line were dropped.
///
/// # Errors
/// When the system has no more threads.
pub fn piped(
    mut from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
) -> io::Result<(Loopback, JoinHandle<()>)> {
    let (sender, outgoing) = bounded::<Vec<u8>>(QUEUE);
    let (arrived, receiver) = bounded(QUEUE);
    let write = move || {
        for bytes in outgoing {
            if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                return;
            }
        }
    };
    let read = move || {
        let mut block = vec![0; BLOCK];
        loop {
            match from.read(&mut block) {
                Ok(0) => return,
                Ok(length) => {
                    let bytes = block.get(..length).unwrap_or_default();
                    if arrived.send(bytes.to_vec()).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    };
    let writer = thread::Builder::new().name("pipe-writer".into());
    let writer = writer.spawn(write)?;
    let reader = thread::Builder::new().name("pipe-reader".into());
    reader.spawn(read)?;
    Ok((Loopback::over(sender, receiver), writer))
}
