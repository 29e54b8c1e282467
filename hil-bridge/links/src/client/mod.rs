//! The host's end of the conversation with a board.
//!
//! A [`Client`] is a handle to two threads. The reader decodes messages; the writer holds
//! the [`Conversation`], which does everything else.
//!
//! Invariants: those of a conversation; an idle client wakes about ten times a second.

use std::ops::Deref;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::bounded;
use firmware_core::Faults;
use protocol::{Command, Reply, Status};
use touchboard_host::client::{Answering, BoardAnswer, ClientAnswer, ClientHandle, NewClient};
use touchboard_host::conversation::{Conversation, OrderKind};
use touchboard_host::driver::DriverError;

use crate::LinkError;
use crate::link::Link;

mod end;
mod reader;

use end::ThreadEnd;
pub use touchboard_host::conversation::{
    BoardView, ClientOptions, Counters, EventCursor, FrameCopy, HALTS, LineState,
};

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

/// A conversation with a board. It is a [`ClientHandle`] that can also wait for answers.
pub struct Client {
    handle: ClientHandle,
    thread: Option<JoinHandle<()>>,
}

impl Client {
    /// Opens a line to the board and greets it.
    ///
    /// # Errors
    /// When it cannot be reached, does not answer, or has a different protocol
    /// version.
    pub fn open(dial: Box<dyn Dial>, options: ClientOptions) -> Result<Client, DriverError> {
        let name = dial.name().to_string();
        let since = Instant::now();
        let (client, side) = NewClient::new(&name, Arc::new(move || since.elapsed()));
        let (ready, first) = bounded(1);
        let thread = std::thread::Builder::new()
            .name("board-writer".into())
            .spawn(move || {
                let end = ThreadEnd::new(dial, side, since);
                let ready = move |greeted| drop(ready.send(greeted));
                end::run(Conversation::new(end, options, ready));
            })
            .map_err(|error| LinkError::lost(format!("no thread for the line: {error}")))?;
        let view = first
            .recv()
            .map_err(|_| LinkError::lost(format!("the line to {name} was never opened")))??;
        Ok(Client {
            handle: client.met(view),
            thread: Some(thread),
        })
    }

    /// Requests a snapshot, and waits for it. It appears among the happenings at its place.
    ///
    /// # Errors
    /// When the board does not answer.
    pub fn resync(&self) -> Result<(), DriverError> {
        self.wait(&self.post_resync()?).map(drop)
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

    /// [`ClientHandle::post_injection`], and waits for it.
    ///
    /// # Errors
    /// When the board does not answer, or cannot have these faults.
    pub fn inject_faults(&self, faults: Faults) -> Result<Reply, DriverError> {
        self.wait(&self.post_injection(faults)?)
    }

    /// Sends a command to the board, and waits for the answer.
    ///
    /// # Errors
    /// When the board does not answer, or restarts meanwhile. A refusal is not an error
    /// but part of the [`Reply`].
    pub fn request(&self, command: Command) -> Result<Reply, DriverError> {
        self.wait(&self.post(command)?)
    }

    /// Asks the board for its status.
    ///
    /// # Errors
    /// When the board does not answer.
    pub fn status(&self) -> Result<Status, DriverError> {
        let done = self.request(Command::Status)?.result?;
        let name = self.name();
        BoardAnswer { name, done }.status()
    }

    /// [`Client::request`] for a command that is meant for this run.
    ///
    /// # Errors
    /// When the board does not answer, or has restarted since that run.
    pub fn request_in(&self, run: u32, command: Command) -> Result<Reply, DriverError> {
        self.wait(&self.post_in(run, command)?)
    }

    fn wait(&self, answers: &ClientAnswer) -> Result<Reply, DriverError> {
        answers.recv().map_err(|_| self.closed())?
    }
}

impl Deref for Client {
    type Target = ClientHandle;

    fn deref(&self) -> &ClientHandle {
        &self.handle
    }
}

impl Answering for Client {
    fn at(&self) -> &str {
        self.name()
    }

    async fn ask(&self, kind: OrderKind) -> Result<Reply, DriverError> {
        self.wait(&self.give(kind)?)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
