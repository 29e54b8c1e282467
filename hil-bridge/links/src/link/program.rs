//! A program whose standard streams are a line, such as `ssh` to a machine with a board.
//!
//! Invariants: when all handles of the line are dropped, the program's input is closed;
//! when [`FarProgram`] is dropped, the program has ended.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use crossbeam_channel::bounded;

use super::Loopback;
use crate::last_words::LastWords;

/// The number of blocks of bytes that may be in transit in each direction.
const QUEUE: usize = 64;

/// The number of bytes that are read at once.
const BLOCK: usize = 4_096;

/// A running program; it ends when this is dropped.
pub struct FarProgram {
    child: Child,
    words: Option<LastWords>,
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
        let mut program = FarProgram { child, words: None };
        let (Some(to_program), Some(from_program), Some(errors)) = streams else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        program.words = Some(LastWords::of(errors)?);
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
        self.words.as_mut()?.lines().into_iter().next()
    }
}

impl Drop for FarProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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
