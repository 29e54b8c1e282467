//! The host's end of the conversation with a board, without a line, a thread or a clock.
//!
//! A [`Conversation`] sends requests, repeats them until they are answered, orders events,
//! keeps a copy of the frame, and opens the line again when it has ended. The program
//! around it is a [`LineEnd`]: it moves bytes, tells the time, and hands over [`Order`]s.
//! Whenever bytes, an order or the time that it waits for has come, [`Conversation::poll`]
//! does everything that can be done. So a thread, a page in a browser and a simulation run
//! the same code.
//!
//! Times are durations since any fixed moment.
//!
//! Invariants:
//! - A command is carried out at most once, whatever gets lost on the line.
//! - When an answer arrives, all earlier events were told, and in lockstep the frame is
//!   that of the same moment.
//! - A command is never refused because others are waiting; a busy machine delays it.
//! - Time during which a debugger halts the chip is not counted.
//! - The same answers of the same [`LineEnd`] lead to the same calls.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use firmware_core::Faults;
use firmware_core::board::origin_of_snapshot;
use protocol::wire::{self, WireError};
use protocol::{
    Command, Deed, Frame, Hello, KnownLayout, Layout, PROTOCOL_VERSION, Reply, SCHEMA_HASH, Tick,
    ToHost,
};

use crate::driver::DriverError;
use crate::happening::Happening;

mod clerk;
mod event_cursor;
mod frame_copy;

pub use event_cursor::EventCursor;
pub use frame_copy::FrameCopy;

/// The log target for messages that a debugger has halted a chip or let it continue, for
/// programs that are waiting for an answer.
pub const HALTS: &str = "touchboard::halts";

/// Options of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// The time limit for a command, in milliseconds, including repetitions and
    /// reconnections. It starts when the command's turn comes on an open line, or else
    /// when the command is given. A board that sends other messages meanwhile, because the
    /// line is slow, gets up to twice as long.
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
pub enum LineState {
    /// The line is open and the board answers.
    Connected,
    /// The line was lost for this reason; it will be opened again.
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
    pub link: LineState,
    /// The counters of the line.
    pub counters: Counters,
    /// The number of happenings that were dropped because the program did not take them.
    pub overrun: u64,
    /// The number of the board's run; it grows by one at each restart.
    pub run: u32,
}

/// An item that arrived over the line.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all of what comes is a message"
)]
pub enum FromBoard {
    /// A valid message.
    Message(ToHost),
    /// The hello of a board with a different version.
    Stranger {
        /// The protocol version of the board.
        version: u16,
        /// The schema hash of the board.
        schema: u64,
    },
    /// Bytes that are not a message.
    Damaged(WireError),
    /// The line has ended with this error.
    Ended(DriverError),
}

impl FromBoard {
    /// What a receiver found in the bytes of the line.
    #[must_use]
    pub fn understand(frame: Result<&[u8], WireError>) -> FromBoard {
        let plain = match frame {
            Ok(plain) => plain,
            Err(error) => return FromBoard::Damaged(error),
        };
        // The first two fields of a hello are the same in all versions. The rest may be
        // valid with a different meaning.
        if let Some((version, schema)) = wire::hello_of_any_version(plain)
            && (version, schema) != (PROTOCOL_VERSION, SCHEMA_HASH)
        {
            return FromBoard::Stranger { version, schema };
        }
        match wire::parse(plain) {
            Ok(message) => FromBoard::Message(message),
            Err(error) => FromBoard::Damaged(error),
        }
    }
}

/// What a program can ask of the conversation.
#[derive(Clone, Debug)]
pub enum OrderKind {
    /// Sends this command to the board.
    Command {
        /// The command to send.
        command: Command,
        /// The run of the board that the command is meant for.
        run: u32,
    },
    /// Takes a snapshot and puts it among the happenings.
    Snapshot,
    /// Makes the board load this state, and puts that among the happenings.
    Load {
        /// The bytes of the state.
        state: Vec<u8>,
        /// The run of the board that the state is meant for.
        run: u32,
    },
    /// Asks for the faults of a board with simulated contacts, and puts them among the
    /// happenings.
    Faults,
    /// Gives a board with simulated contacts these faults, except for those of its line
    /// and its lamps, which the host simulates, and puts that among the happenings.
    InjectFaults {
        /// The faults that the board is to have.
        faults: Box<Faults>,
        /// The run of the board that the faults are meant for.
        run: u32,
    },
}

impl OrderKind {
    /// The layout that the board will have after the order, if the order changes it.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        match self {
            OrderKind::Command {
                command: Command::Do(Deed::Reset { layout, .. }),
                ..
            } => Some(*layout),
            OrderKind::Load { state, .. } => origin_of_snapshot(state).map(|(layout, _)| layout),
            _ => None,
        }
    }
}

/// The result of an order.
pub type OrderAnswer = Result<Reply, DriverError>;

/// An order to the conversation, and where its answer goes.
pub struct Order {
    kind: OrderKind,
    /// Owns the drawing of the new layout, which may have to be written first.
    _layout: Option<KnownLayout>,
    answer: Box<dyn FnOnce(OrderAnswer) + Send>,
    since: Duration,
}

impl Order {
    /// An order that is given at this time.
    pub fn new(
        kind: OrderKind,
        since: Duration,
        answer: impl FnOnce(OrderAnswer) + Send + 'static,
    ) -> Order {
        Order {
            _layout: kind.layout().map(KnownLayout::from),
            kind,
            answer: Box::new(answer),
            since,
        }
    }
}

/// The next order, if there is one.
#[allow(
    clippy::large_enum_variant,
    reason = "it is taken apart where it is returned"
)]
pub enum NextOrder {
    /// This one.
    Order(Order),
    /// There is none at present.
    Nothing,
    /// There will be no more: the conversation ends.
    Over,
}

/// The program that a conversation is for: it has orders, and hears of happenings.
pub trait ProgramSide {
    /// Takes the next order.
    fn next_order(&mut self) -> NextOrder;

    /// True while orders are waiting.
    fn has_orders(&self) -> bool;

    /// Passes a happening to the program. Returns the number of happenings that were
    /// dropped because the program does not take them.
    fn tell(&mut self, happening: Happening) -> u64;
}

/// The program around a conversation: its line, its clock, and its orders. No call waits.
pub trait LineEnd {
    /// The place of the board, as a person wrote it.
    fn name(&self) -> &str;

    /// The time. It never decreases.
    fn now(&self) -> Duration;

    /// A random number: it identifies this host, or is the number of its first request.
    fn random(&mut self) -> u32;

    /// Opens a new line. One that takes time to open accepts bytes meanwhile, and ends if
    /// it cannot be opened.
    ///
    /// # Errors
    /// A sentence if no board can be reached now.
    fn open(&mut self) -> Result<(), DriverError>;

    /// Closes the line. What has arrived on it and was not taken is lost.
    fn close(&mut self);

    /// Sends all of these bytes.
    ///
    /// # Errors
    /// When the line has ended.
    fn send(&mut self, bytes: &[u8]) -> Result<(), DriverError>;

    /// The next item that has arrived, if there is one.
    fn receive(&mut self) -> Option<FromBoard>;

    /// The number of bytes received since the last call.
    fn take_received_bytes(&mut self) -> u64;

    /// The program that the conversation is for.
    fn side(&mut self) -> &mut dyn ProgramSide;

    /// The simulated faults of the line, in words; `None` if it has none.
    fn faults(&self) -> Option<String> {
        None
    }

    /// A sentence that says why the line ended, if this end knows the reason.
    fn why_ended(&mut self) -> Option<String> {
        None
    }

    /// True while a debugger has the chip halted, so that it does not answer.
    fn is_halted(&mut self) -> bool {
        false
    }
}

/// What a conversation waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// It continues at this time at the latest.
    pub until: Duration,
    /// It continues as soon as an item arrives on the line, or the line ends.
    pub for_line: bool,
    /// It continues as soon as there is an order, or there will be no more.
    pub for_orders: bool,
}

/// What is known about the board, for everybody who wants to know.
#[derive(Clone)]
pub struct SharedView(Arc<Mutex<BoardView>>);

impl SharedView {
    fn new(view: BoardView) -> SharedView {
        SharedView(Arc::new(Mutex::new(view)))
    }

    /// Waits until nobody else has the view.
    pub fn lock(&self) -> MutexGuard<'_, BoardView> {
        // Each change leaves a view that is as good as any other.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A conversation with a board.
pub struct Conversation<E> {
    end: Rc<RefCell<E>>,
    waiting: Rc<Cell<Waiting>>,
    /// The work of the clerk, which is written as if it could wait; `None` once it ended.
    work: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl<E: LineEnd + 'static> Conversation<E> {
    /// A conversation that begins with the first [`Conversation::poll`]. `ready` is called
    /// once, with the result of the first greeting; if that failed, the conversation is
    /// over.
    pub fn new(
        end: E,
        options: ClientOptions,
        ready: impl FnOnce(Result<SharedView, DriverError>) + 'static,
    ) -> Conversation<E> {
        let end = Rc::new(RefCell::new(end));
        let waiting = Rc::new(Cell::new(Waiting::default()));
        let clerk = clerk::Clerk::new(end.clone(), waiting.clone(), options);
        Conversation {
            end,
            waiting,
            work: Some(Box::pin(clerk.run(ready))),
        }
    }

    /// Does everything that can be done now. Returns what the conversation waits for;
    /// `None` means that it is over.
    pub fn poll(&mut self) -> Option<Waiting> {
        let work = self.work.as_mut()?;
        match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => Some(self.waiting.get()),
            Poll::Ready(()) => {
                self.work = None;
                None
            }
        }
    }

    /// The program's end. It must not be borrowed during [`Conversation::poll`].
    #[must_use]
    pub fn end(&self) -> &RefCell<E> {
        &self.end
    }
}

#[cfg(test)]
mod tests;
