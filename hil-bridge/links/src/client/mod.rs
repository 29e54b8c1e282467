//! The host's end of the conversation with a board.
//!
//! A [`Client`] is a handle to two threads. The reader converts bytes to messages.
//! The clerk sends, repeats unanswered requests, orders events, copies frames, and
//! opens the line again when it has ended.
//!
//! Invariants: a command is carried out at most once, whatever the line loses; when
//! its answer arrives, every earlier event is in the queue and, in lockstep, the
//! frame is that of the same moment; a command is never refused because others wait,
//! so a busy machine delays it but loses none; time during which a debugger halts the
//! chip is not counted; nothing spins: an idle client wakes some ten times a second.

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

/// The number of happenings that can wait for the program. If it does not take them,
/// the oldest are dropped, [`BoardView::overrun`] counts them, and
/// [`Happening::Missed`] reports it.
const HAPPENINGS: usize = 65_536;

/// The log target for a debugger that halts a chip or lets it continue, for programs
/// that are waiting for an answer.
pub const HALTS: &str = "touchboard::halts";

/// A way to a board that can be taken again and again.
pub trait Dial: Send {
    /// The place that it leads to, as a person wrote it.
    fn name(&self) -> &str;

    /// Opens a new line.
    ///
    /// # Errors
    /// A sentence if no board can be reached now.
    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError>;

    /// Why a line ended, in a sentence, if this end knows more.
    fn why_ended(&mut self) -> Option<String> {
        None
    }

    /// True while a debugger has the chip halted: it does not answer then, and is not lost.
    fn is_halted(&mut self) -> bool {
        false
    }
}

/// Options of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// The time limit for a command, including repetitions and reconnections, in
    /// milliseconds: counted from its turn on an open line, and otherwise from when
    /// it was given.
    pub timeout_ms: u64,
    /// The wait before the first repetition of a command, in milliseconds; it doubles
    /// each time, up to eightfold.
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
    /// The line is lost, for this reason; the clerk keeps trying.
    Lost(String),
}

/// The counters of the line since the client was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The number of bytes sent.
    pub sent_bytes: u64,
    /// The number of bytes received.
    pub received_bytes: u64,
    /// The number of messages received.
    pub received: u64,
    /// Pieces received that were no message.
    pub damaged: u64,
    /// Requests that had to be repeated.
    pub retries: u64,
    /// Times that the line was opened again.
    pub reconnects: u64,
    /// The round trip of the last answer.
    pub round_trip: Duration,
}

/// The known facts about the board at this moment.
#[derive(Clone, Debug)]
pub struct BoardView {
    /// The latest hello of the board.
    pub hello: Hello,
    /// The frame that the board shows.
    pub frame: Frame,
    /// The newest tick that it reported.
    pub tick: Tick,
    /// The state of the line.
    pub link: LinkState,
    /// The counters of the line.
    pub counters: Counters,
    /// Happenings that were dropped because nobody took them.
    pub overrun: u64,
    /// Counts up each time the board restarted.
    pub run: u32,
}

/// The conversation with a board.
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
        // The callers wait for each command, or are people, so there are few once the
        // machine is no longer busy.
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

    /// The known facts about the board.
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

    /// Has the board carry out a command, and does not wait for the answer:
    /// it comes on the channel that is returned.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post(
        &self,
        command: Command,
    ) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.post_in(self.run(), command)
    }

    /// The number of the newest run; see [`BoardView::run`].
    #[must_use]
    pub fn run(&self) -> u32 {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        view.run
    }

    /// [`Client::post`] for a command that is meant for this run of the board, and is
    /// not carried out on a different one.
    ///
    /// # Errors
    /// The same.
    pub fn post_in(
        &self,
        run: u32,
        command: Command,
    ) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.give(clerk::Task::Command { command, run })
    }

    /// Requests a snapshot, which is put among the happenings at its place, without
    /// waiting for it.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_resync(&self) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.give(clerk::Task::Snapshot)
    }

    /// Requests a snapshot, which is put among the happenings at its place.
    ///
    /// # Errors
    /// When the board does not answer.
    pub fn resync(&self) -> Result<(), DriverError> {
        self.wait(&self.post_resync()?).map(drop)
    }

    /// Makes this run of the board load a state, without waiting for it.
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
    /// When it does not answer, or the bytes are not a state of its firmware.
    pub fn load(&self, state: &[u8]) -> Result<Reply, DriverError> {
        self.load_in(self.run(), state)
    }

    /// [`Client::load`], of a state that is meant for this run of the board.
    ///
    /// # Errors
    /// As there, and when the board restarted since that run.
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

    /// Makes the board carry out a command.
    ///
    /// # Errors
    /// When it does not answer, or restarts meanwhile. A refusal is in the [`Reply`].
    pub fn request(&self, command: Command) -> Result<Reply, DriverError> {
        self.wait(&self.post(command)?)
    }

    /// [`Client::post_in`], and waits for the answer.
    ///
    /// # Errors
    /// When the board does not answer, or restarted since that run.
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

/// A number that differs between runs of this program.
fn chance() -> u32 {
    RandomState::new().hash_one(std::process::id()) as u32
}
