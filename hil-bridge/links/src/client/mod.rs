//! The host's end of the conversation with a board.
//!
//! A [`Client`] is a handle to two threads. The reader decodes messages. The clerk sends
//! requests, repeats them until they are answered, orders events, keeps a copy of the
//! frame, and opens the line again when it has ended.
//!
//! Invariants:
//! - A command is carried out at most once, whatever gets lost on the line.
//! - When an answer arrives, all earlier events are in the queue, and in lockstep the
//!   frame is that of the same moment.
//! - A command is never refused because others are waiting; a busy machine delays it.
//! - Time during which a debugger halts the chip is not counted.
//! - An idle client wakes about ten times a second.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use protocol::{Command, Frame, Hello, KnownLayout, Reply, Tick};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::Happening;

use crate::LinkError;
use crate::link::Link;

mod clerk;
mod event_cursor;
mod frame_copy;
mod reader;

pub use event_cursor::EventCursor;
pub use frame_copy::FrameCopy;

/// The capacity of the queue of happenings. If the program does not take them, the oldest
/// are dropped, [`BoardView::overrun`] counts them, and [`Happening::Missed`] reports the
/// loss.
const HAPPENINGS: usize = 65_536;

/// The log target for messages that a debugger has halted a chip or let it continue, for
/// programs that are waiting for an answer.
pub const HALTS: &str = "touchboard::halts";

/// A way to open lines to a board, as often as necessary.
pub trait Dial: Send {
    /// The place of the board, as a person wrote it.
    fn name(&self) -> &str;

    /// Opens a new line.
    ///
    /// # Errors
    /// A sentence if no board can be reached now.
    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError>;

    /// A sentence that says why the line ended, if this end knows the reason.
    fn why_ended(&mut self) -> Option<String> {
        None
    }

    /// True while a debugger has the chip halted, so that it does not answer.
    fn is_halted(&mut self) -> bool {
        false
    }
}

/// Options of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// The time limit for a command, in milliseconds, including repetitions and
    /// reconnections. It starts when the command's turn comes on an open line, or else
    /// when the command is given.
    pub timeout_ms: u64,
    /// The wait before a command is first repeated, in milliseconds. It doubles each
    /// time, up to eight times this value.
    pub retry_ms: u64,
}

impl Default for ClientOptions {
    fn default() -> ClientOptions {
        ClientOptions {
            timeout_ms: 3_000,
            retry_ms: 100,
        }
    }
}

/// The state of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// The line is open and the board answers.
    Connected,
    /// The line was lost for this reason; the clerk tries to open it again.
    Lost(String),
}

/// The counters of the line since the client was opened, over all reconnections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The number of bytes sent.
    pub sent_bytes: u64,
    /// The number of bytes received.
    pub received_bytes: u64,
    /// The number of messages received.
    pub received: u64,
    /// The number of pieces received that were not messages.
    pub damaged: u64,
    /// The number of requests that were repeated.
    pub retries: u64,
    /// The number of times that the line was opened again.
    pub reconnects: u64,
    /// The time from the last answered request to its answer.
    pub round_trip: Duration,
}

/// What is known about the board now.
#[derive(Clone, Debug)]
pub struct BoardView {
    /// The last hello of the board.
    pub hello: Hello,
    /// The last frame of the board.
    pub frame: Frame,
    /// The last tick that the board reported.
    pub tick: Tick,
    /// The state of the line.
    pub link: LinkState,
    /// The counters of the line.
    pub counters: Counters,
    /// The number of happenings that were dropped because the program did not take them.
    pub overrun: u64,
    /// The number of the board's run; it grows by one at each restart.
    pub run: u32,
}

/// A conversation with a board.
pub struct Client {
    commands: Option<Sender<clerk::Job>>,
    happenings: Receiver<Happening>,
    view: Arc<Mutex<BoardView>>,
    thread: Option<JoinHandle<()>>,
    name: String,
}

impl Client {
    /// Opens a line to the board and greets it.
    ///
    /// # Errors
    /// When it cannot be reached, does not answer, or has a different protocol
    /// version.
    pub fn open(dial: Box<dyn Dial>, options: ClientOptions) -> Result<Client, DriverError> {
        let name = dial.name().to_string();
        // The queue needs no limit: callers wait for their commands, or are people, so it
        // empties when the machine is no longer busy.
        let (commands, orders) = unbounded();
        let (feed, happenings) = bounded(HAPPENINGS);
        let (ready, first) = bounded(1);
        let drain = happenings.clone();
        let thread = std::thread::Builder::new()
            .name("board-writer".into())
            .spawn(move || clerk::run(dial, options, &orders, feed, drain, &ready))
            .map_err(|error| LinkError::lost(format!("no thread for the line: {error}")))?;
        let view = first
            .recv()
            .map_err(|_| LinkError::lost(format!("the line to {name} was never opened")))??;
        Ok(Client {
            commands: Some(commands),
            happenings,
            view,
            thread: Some(thread),
            name,
        })
    }

    /// The place of the board, as a person wrote it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is known about the board now.
    #[must_use]
    pub fn view(&self) -> BoardView {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        view.clone()
    }

    /// The happenings, each once and in order.
    #[must_use]
    pub fn happenings(&self) -> &Receiver<Happening> {
        &self.happenings
    }

    /// Sends a command to the board without waiting: the answer comes over the returned
    /// channel.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post(
        &self,
        command: Command,
    ) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.post_in(self.run(), command)
    }

    /// The number of the current run; see [`BoardView::run`].
    #[must_use]
    pub fn run(&self) -> u32 {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        view.run
    }

    /// [`Client::post`] for a command that is meant for this run, and must not be carried
    /// out on another one.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_in(
        &self,
        run: u32,
        command: Command,
    ) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.give(clerk::Task::Command { command, run })
    }

    /// Requests a snapshot without waiting. It appears among the happenings at its place.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_resync(&self) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.give(clerk::Task::Snapshot)
    }

    /// Requests a snapshot, and waits for it. It appears among the happenings at its place.
    ///
    /// # Errors
    /// When the board does not answer.
    pub fn resync(&self) -> Result<(), DriverError> {
        self.wait(&self.post_resync()?).map(drop)
    }

    /// Makes the board load a state that is meant for this run, without waiting.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_load_in(
        &self,
        run: u32,
        state: Vec<u8>,
    ) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.give(clerk::Task::Load { state, run })
    }

    /// Makes the board load a state.
    ///
    /// # Errors
    /// When the board does not answer, or the bytes are not a state of its firmware.
    pub fn load(&self, state: &[u8]) -> Result<Reply, DriverError> {
        self.load_in(self.run(), state)
    }

    /// [`Client::load`] for a state that is meant for this run.
    ///
    /// # Errors
    /// Those of [`Client::load`], and when the board has restarted since that run.
    pub fn load_in(&self, run: u32, state: &[u8]) -> Result<Reply, DriverError> {
        self.wait(&self.post_load_in(run, state.to_vec())?)
    }

    fn give(&self, task: clerk::Task) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        let (answer, answers) = bounded(1);
        let job = clerk::Job {
            _layout: task.layout().map(KnownLayout::from),
            task,
            answer,
            since: Instant::now(),
        };
        match &self.commands {
            Some(commands) if commands.send(job).is_ok() => Ok(answers),
            _ => Err(self.closed()),
        }
    }

    /// Sends a command to the board, and waits for the answer.
    ///
    /// # Errors
    /// When the board does not answer, or restarts meanwhile. A refusal is not an error
    /// but part of the [`Reply`].
    pub fn request(&self, command: Command) -> Result<Reply, DriverError> {
        self.wait(&self.post(command)?)
    }

    /// [`Client::request`] for a command that is meant for this run.
    ///
    /// # Errors
    /// When the board does not answer, or has restarted since that run.
    pub fn request_in(&self, run: u32, command: Command) -> Result<Reply, DriverError> {
        self.wait(&self.post_in(run, command)?)
    }

    fn wait(&self, answers: &Receiver<Result<Reply, DriverError>>) -> Result<Reply, DriverError> {
        answers.recv().map_err(|_| self.closed())?
    }

    fn closed(&self) -> DriverError {
        LinkError::lost(format!("the line to {} was closed", self.name))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A random number, which identifies this host.
fn chance() -> u32 {
    RandomState::new().hash_one(std::process::id()) as u32
}
