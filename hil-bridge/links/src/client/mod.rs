//! The host's end of the conversation with a board.
//!
//! A [`Client`] is a handle to two threads. The reader decodes messages; the writer holds
//! the [`Conversation`], which does everything else.
//!
//! Invariants: those of a conversation; an idle client wakes about ten times a second.

use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use firmware_core::Faults;
use protocol::{Command, Reply};
use touchboard_host::conversation::{ClientTask, Conversation, Job, SharedView};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::Happening;

use crate::LinkError;
use crate::link::Link;

mod end;
mod feed;
mod reader;

use end::ThreadEnd;
use feed::Feed;
pub use touchboard_host::conversation::{
    BoardView, ClientOptions, Counters, EventCursor, FrameCopy, HALTS, LinkState,
};

/// The capacity of the queue of happenings. If the program does not take them, the oldest
/// are dropped, [`BoardView::overrun`] counts them, and [`Happening::Missed`] reports the
/// loss.
const HAPPENINGS: usize = 65_536;

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

    /// The simulated faults of the line, in words; `None` if it has none.
    fn faults(&self) -> Option<String> {
        None
    }

    /// True while a debugger has the chip halted, so that it does not answer.
    fn is_halted(&mut self) -> bool {
        false
    }
}

/// A conversation with a board.
pub struct Client {
    commands: Option<Sender<Job>>,
    /// The beginning of the conversation's clock.
    since: Instant,
    happenings: Receiver<Happening>,
    view: SharedView,
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
        let since = Instant::now();
        let thread = std::thread::Builder::new()
            .name("board-writer".into())
            .spawn(move || {
                let end = ThreadEnd::new(dial, orders, Feed::new(feed, drain), since);
                let ready = move |greeted| drop(ready.send(greeted));
                end::run(Conversation::new(end, options, ready));
            })
            .map_err(|error| LinkError::lost(format!("no thread for the line: {error}")))?;
        let view = first
            .recv()
            .map_err(|_| LinkError::lost(format!("the line to {name} was never opened")))??;
        Ok(Client {
            commands: Some(commands),
            since,
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
        let view = self.view.lock();
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
        let view = self.view.lock();
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
        self.give(ClientTask::Command { command, run })
    }

    /// Requests a snapshot without waiting. It appears among the happenings at its place.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_resync(&self) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.give(ClientTask::Snapshot)
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
        self.give(ClientTask::Load { state, run })
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

    /// Asks for the board's faults without waiting. They appear among the happenings; a
    /// board whose contacts are not simulated refuses
    /// ([`Refusal::NotSimulated`](protocol::Refusal::NotSimulated)).
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_faults(&self) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        self.give(ClientTask::Faults)
    }

    /// Gives the board these faults in the current run, without waiting, except for those
    /// of its line and its lamps. They appear among the happenings.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_break(
        &self,
        faults: Faults,
    ) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        let (faults, run) = (Box::new(faults), self.run());
        self.give(ClientTask::Break { faults, run })
    }

    /// [`Client::post_break`], and waits for it.
    ///
    /// # Errors
    /// When the board does not answer, or cannot have these faults.
    pub fn break_board(&self, faults: Faults) -> Result<Reply, DriverError> {
        self.wait(&self.post_break(faults)?)
    }

    fn give(&self, task: ClientTask) -> Result<Receiver<Result<Reply, DriverError>>, DriverError> {
        let (answer, answers) = bounded(1);
        let answer = move |answered| drop(answer.send(answered));
        let job = Job::new(task, self.since.elapsed(), answer);
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
