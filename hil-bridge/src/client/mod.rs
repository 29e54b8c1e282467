//! The host's end of the conversation with a board.
//!
//! A [`Client`] is a handle to two threads. The reader turns bytes into messages. The
//! clerk writes, repeats what was not answered, puts events in order, mirrors frames, and
//! opens the line again when it has ended.
//!
//! Invariants: a command is carried out at most once, whatever the line loses; when its
//! answer arrives, every earlier event is in the queue and, in lockstep, the frame is the
//! one of that moment; a command is never refused because others wait, so a busy machine
//! delays it and loses none; nothing spins: an idle client wakes some ten times a second.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use protocol::{Command, Deed, Frame, Hello, Reply, StampedEvent, Tick};

use crate::driver::BridgeError;
use crate::link::Link;

mod clerk;
mod mirror;
mod order;
mod reader;

pub use mirror::Mirror;
pub use order::Order;

/// Happenings that can wait for the program; when it does not take them the
/// oldest go, [`View::overrun`] counts them, and [`Happening::Missed`] says so.
const HAPPENINGS: usize = 65_536;

/// A way to a board that can be taken again and again.
pub trait Dial: Send {
    /// Where it leads, as a person wrote it.
    fn name(&self) -> &str;

    /// Opens a new line.
    ///
    /// # Errors
    /// A sentence when there is no board to be reached now.
    fn dial(&mut self) -> Result<Box<dyn Link>, BridgeError>;

    /// Why a line ended, in a sentence, where more is known at this end than
    /// that it did.
    fn why_ended(&mut self) -> Option<String> {
        None
    }
}

/// How a client behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// How long a command may take in all, retries and reconnects included: on a
    /// line that is open from when its turn has come, else from when it was given.
    pub timeout_ms: u64,
    /// How long to wait before a command is repeated the first time; each time
    /// twice as long, up to eight times.
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

/// How the line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// The board answers.
    Connected,
    /// It does not, for this reason; the clerk tries again and again.
    Lost(String),
}

/// What was counted on the line since the client was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bytes sent.
    pub sent_bytes: u64,
    /// Bytes received.
    pub received_bytes: u64,
    /// Messages received.
    pub received: u64,
    /// Pieces received that were no message.
    pub damaged: u64,
    /// Requests that had to be repeated.
    pub retries: u64,
    /// Times that the line was opened again.
    pub reconnects: u64,
    /// The last answer came after so long.
    pub round_trip: Duration,
}

/// What is known of the board at this moment.
#[derive(Clone, Debug)]
pub struct View {
    /// Who it is.
    pub hello: Hello,
    /// What it shows.
    pub frame: Frame,
    /// The newest tick that it told of.
    pub tick: Tick,
    /// How the line is.
    pub link: LinkState,
    /// What was counted.
    pub counters: Counters,
    /// Happenings that were dropped because nobody took them.
    pub overrun: u64,
    /// Counts up each time the board began anew.
    pub run: u32,
}

/// Which run of the board answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// The first that this client meets.
    First,
    /// The one that it knew already: only the line had ended.
    Known,
    /// Another one: the board was switched off and on, reset by somebody else,
    /// or exchanged. What was on it is gone with its game, and its ticks count
    /// from 0 again.
    Anew {
        /// The newest tick that the run before told of.
        before: Tick,
    },
}

impl Run {
    /// True if whatever was known of the board's state counts no more.
    #[must_use]
    pub fn is_new(self) -> bool {
        self != Run::Known
    }
}

/// What happened, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// The line is open and the board has been greeted.
    Connected {
        /// Who it is.
        hello: Box<Hello>,
        /// Whether it is the board that was known.
        run: Run,
    },
    /// The line ended, for this reason.
    Lost(String),
    /// Something happened on the board.
    Event(StampedEvent),
    /// The board did what this host had it do, besides inputs, after all events
    /// before this one and before all that follow.
    Carried {
        /// The board's tick.
        tick: Tick,
        /// What it did.
        deed: Box<Deed>,
    },
    /// The whole state of the board, after all events before this one and
    /// before all that follow: what [`Client::resync`] asks for, and what
    /// [`Client::load`] made of it.
    Snapshot {
        /// The board's tick.
        tick: Tick,
        /// The state.
        state: Vec<u8>,
    },
    /// In lockstep: the board's time has come to this tick, and this is the digest
    /// of its whole state there, after all events before this and before all
    /// that follow. Told of a step that was to bear a digest.
    Stepped {
        /// The board's tick.
        tick: Tick,
        /// The digest.
        digest: u64,
    },
    /// Events were lost for good: only a snapshot tells how things are.
    Missed,
    /// The board says this for the log.
    Log(String),
    /// The firmware panicked and restarts.
    Panicked(String),
}

impl Happening {
    /// What a person has to know of the line, in a sentence: that the board is
    /// lost, found again, or began anew, or what the board itself says for the
    /// log. `None` for everything else.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        match self {
            Happening::Lost(why) => Some(why.clone()),
            Happening::Connected { hello, run } => match run {
                Run::First => None,
                Run::Known => Some(format!("the board answers again, at tick {}", hello.tick)),
                Run::Anew { before } => Some(format!(
                    "the board began anew: what was on it at tick {before} is gone, its time is at tick {} now",
                    hello.tick
                )),
            },
            Happening::Missed => Some(
                "what happened on the board was lost in part: there was no room to keep it".into(),
            ),
            Happening::Log(line) => Some(line.clone()),
            // Its last words are why the line was lost.
            Happening::Panicked(_)
            | Happening::Event(_)
            | Happening::Carried { .. }
            | Happening::Snapshot { .. }
            | Happening::Stepped { .. } => None,
        }
    }
}

/// The conversation with a board.
pub struct Client {
    commands: Option<Sender<clerk::Job>>,
    happenings: Receiver<Happening>,
    view: Arc<Mutex<View>>,
    thread: Option<JoinHandle<()>>,
    name: String,
}

impl Client {
    /// Opens a line to the board and greets it.
    ///
    /// # Errors
    /// When it cannot be reached, does not answer, or speaks another version.
    pub fn open(dial: Box<dyn Dial>, options: ClientOptions) -> Result<Client, BridgeError> {
        let name = dial.name().to_string();
        // Whoever gives them waits for each, or is a person: they are few as soon as
        // the machine is not busy any more.
        let (commands, orders) = unbounded();
        let (feed, happenings) = bounded(HAPPENINGS);
        let (ready, first) = bounded(1);
        let drain = happenings.clone();
        let thread = std::thread::Builder::new()
            .name("board-writer".into())
            .spawn(move || clerk::run(dial, options, &orders, feed, drain, &ready))
            .map_err(|error| BridgeError::Link(format!("no thread for the line: {error}")))?;
        let view = first
            .recv()
            .map_err(|_| BridgeError::Link(format!("the line to {name} was never opened")))??;
        Ok(Client {
            commands: Some(commands),
            happenings,
            view,
            thread: Some(thread),
            name,
        })
    }

    /// Where the board is, as a person wrote it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is known of the board now.
    #[must_use]
    pub fn view(&self) -> View {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        view.clone()
    }

    /// What happens: each once, in order.
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
    ) -> Result<Receiver<Result<Reply, BridgeError>>, BridgeError> {
        self.post_in(self.run(), command)
    }

    /// Which run of the board is the newest that was met; see [`View::run`].
    #[must_use]
    pub fn run(&self) -> u32 {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        view.run
    }

    /// [`Client::post`], of a command that is meant for this run of the board:
    /// what would be done to the game on it is not done to another one.
    ///
    /// # Errors
    /// As there.
    pub fn post_in(
        &self,
        run: u32,
        command: Command,
    ) -> Result<Receiver<Result<Reply, BridgeError>>, BridgeError> {
        self.give(clerk::Task::Command { command, run })
    }

    /// Has a snapshot put among the happenings, at the place where it was
    /// taken, and does not wait for it.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_resync(&self) -> Result<Receiver<Result<Reply, BridgeError>>, BridgeError> {
        self.give(clerk::Task::Snapshot)
    }

    /// Has a snapshot put among the happenings, at the place where it was
    /// taken.
    ///
    /// # Errors
    /// When the board does not answer.
    pub fn resync(&self) -> Result<(), BridgeError> {
        self.wait(&self.post_resync()?).map(drop)
    }

    /// Makes this run of the board the one that was saved, and does not wait for
    /// it.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_load_in(
        &self,
        run: u32,
        state: Vec<u8>,
    ) -> Result<Receiver<Result<Reply, BridgeError>>, BridgeError> {
        self.give(clerk::Task::Load { state, run })
    }

    /// Makes the board the one that was saved.
    ///
    /// # Errors
    /// When it does not answer, or the bytes are no state of its firmware.
    pub fn load(&self, state: &[u8]) -> Result<Reply, BridgeError> {
        self.load_in(self.run(), state)
    }

    /// [`Client::load`], of a state that is meant for this run of the board.
    ///
    /// # Errors
    /// As there, and when the board began anew since that run.
    pub fn load_in(&self, run: u32, state: &[u8]) -> Result<Reply, BridgeError> {
        self.wait(&self.post_load_in(run, state.to_vec())?)
    }

    fn give(&self, task: clerk::Task) -> Result<Receiver<Result<Reply, BridgeError>>, BridgeError> {
        let (answer, answers) = bounded(1);
        let job = clerk::Job {
            task,
            answer,
            since: Instant::now(),
        };
        match &self.commands {
            Some(commands) if commands.send(job).is_ok() => Ok(answers),
            _ => Err(self.closed()),
        }
    }

    /// Has the board carry out a command.
    ///
    /// # Errors
    /// When it does not answer, or restarts meanwhile. What it refuses is in
    /// the [`Reply`].
    pub fn request(&self, command: Command) -> Result<Reply, BridgeError> {
        self.wait(&self.post(command)?)
    }

    /// [`Client::post_in`], and waits for the answer.
    ///
    /// # Errors
    /// When the board does not answer, or began anew since that run.
    pub fn request_in(&self, run: u32, command: Command) -> Result<Reply, BridgeError> {
        self.wait(&self.post_in(run, command)?)
    }

    fn wait(&self, answers: &Receiver<Result<Reply, BridgeError>>) -> Result<Reply, BridgeError> {
        answers.recv().map_err(|_| self.closed())?
    }

    fn closed(&self) -> BridgeError {
        BridgeError::Link(format!("the line to {} was closed", self.name))
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

/// A number that another run of this program does not have.
fn chance() -> u32 {
    RandomState::new().hash_one(std::process::id()) as u32
}
