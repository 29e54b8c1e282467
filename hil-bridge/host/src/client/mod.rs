//! A handle to a [`Conversation`](crate::conversation::Conversation), for the rest of the
//! program.
//!
//! A conversation stays where its line is: on a thread of its own, or between two pictures
//! of a page. A [`ClientHandle`] may be anywhere: it gives orders, reads what is known of the
//! board, and takes the happenings. [`ClientSide`] is the other end of its queues.
//!
//! Invariants: no call waits for the line; a handle that is dropped ends its conversation;
//! happenings that nobody takes need limited memory.

use crossbeam_channel::{Receiver, Sender, TryRecvError, TrySendError, bounded};
use firmware_core::Faults;
use protocol::Command;

use crate::conversation::{
    BoardView, NextOrder, Order, OrderAnswer, OrderKind, ProgramSide, SharedView,
};
use crate::driver::DriverError;
use crate::happening::Happening;
use crate::link_error::LinkError;
use crate::traffic::LineClock;

mod answering;
mod answers;
mod carried;
mod feed;
mod steps;

pub use answering::{Answering, at_once};
pub use answers::{AsksBoard, BoardAnswer, legal_points, nonsense};
pub use carried::{CarriedEnd, CarriedTime};
use feed::Feed;
pub use steps::step_all;

/// The capacity of the queue of happenings. If the program does not take them, the oldest
/// are dropped, [`BoardView::overrun`] counts them, and [`Happening::Missed`] reports the
/// loss.
const HAPPENINGS: usize = 65_536;

/// The most orders that wait for the conversation: far more than people give while a board
/// is busy. Programs wait for each answer.
const MOST_ORDERS: usize = 4_096;

/// The receiver of an answer.
pub type ClientAnswer = Receiver<OrderAnswer>;

/// The conversation's end of the queues of a client.
pub struct ClientSide {
    orders: Receiver<Order>,
    feed: Feed,
}

impl ClientSide {
    /// The queue of orders, to wait for the next one.
    #[must_use]
    pub fn orders(&self) -> &Receiver<Order> {
        &self.orders
    }
}

impl ProgramSide for ClientSide {
    fn next_order(&mut self) -> NextOrder {
        match self.orders.try_recv() {
            Ok(order) => NextOrder::Order(order),
            Err(TryRecvError::Empty) => NextOrder::Nothing,
            Err(TryRecvError::Disconnected) => NextOrder::Over,
        }
    }

    fn has_orders(&self) -> bool {
        !self.orders.is_empty()
    }

    fn tell(&mut self, happening: Happening) -> u64 {
        self.feed.report(happening)
    }
}

/// A client whose board has not been met yet.
pub struct NewClient {
    orders: Sender<Order>,
    clock: LineClock,
    happenings: Receiver<Happening>,
    name: String,
}

impl NewClient {
    /// A client of the board at this place, and its conversation's end.
    #[must_use]
    pub fn new(name: &str, clock: LineClock) -> (NewClient, ClientSide) {
        let (orders, incoming) = bounded(MOST_ORDERS);
        let (sender, happenings) = bounded(HAPPENINGS);
        let feed = Feed::new(sender, happenings.clone());
        let client = NewClient {
            orders,
            clock,
            happenings,
            name: name.to_owned(),
        };
        (
            client,
            ClientSide {
                orders: incoming,
                feed,
            },
        )
    }

    /// The handle, after the first greeting.
    #[must_use]
    pub fn met(self, view: SharedView) -> ClientHandle {
        ClientHandle {
            orders: Some(self.orders),
            clock: self.clock,
            happenings: self.happenings,
            view,
            name: self.name,
        }
    }
}

/// A handle to a conversation with a board.
pub struct ClientHandle {
    orders: Option<Sender<Order>>,
    clock: LineClock,
    happenings: Receiver<Happening>,
    view: SharedView,
    name: String,
}

impl ClientHandle {
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

    /// The number of the current run; see [`BoardView::run`].
    #[must_use]
    pub fn run(&self) -> u32 {
        let view = self.view.lock();
        view.run
    }

    /// Sends a command to the board without waiting: the answer comes over the returned
    /// channel.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post(&self, command: Command) -> Result<ClientAnswer, DriverError> {
        self.post_in(self.run(), command)
    }

    /// [`ClientHandle::post`] for a command that is meant for this run, and must not be
    /// carried out on another one.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_in(&self, run: u32, command: Command) -> Result<ClientAnswer, DriverError> {
        self.give(OrderKind::Command { command, run })
    }

    /// Requests a snapshot without waiting. It appears among the happenings at its place.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_resync(&self) -> Result<ClientAnswer, DriverError> {
        self.give(OrderKind::Snapshot)
    }

    /// Makes the board load a state that is meant for this run, without waiting.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_load_in(&self, run: u32, state: Vec<u8>) -> Result<ClientAnswer, DriverError> {
        self.give(OrderKind::Load { state, run })
    }

    /// Asks for the board's faults without waiting. They appear among the happenings; a
    /// board whose contacts are not simulated refuses
    /// ([`Refusal::NotSimulated`](protocol::Refusal::NotSimulated)).
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_faults(&self) -> Result<ClientAnswer, DriverError> {
        self.give(OrderKind::Faults)
    }

    /// Gives the board these faults in the current run, without waiting, except for those
    /// of its line and its lamps. They appear among the happenings.
    ///
    /// # Errors
    /// When the line was closed.
    pub fn post_injection(&self, faults: Faults) -> Result<ClientAnswer, DriverError> {
        let (faults, run) = (Box::new(faults), self.run());
        self.give(OrderKind::InjectFaults { faults, run })
    }

    /// Gives an order to the conversation.
    ///
    /// # Errors
    /// When the line was closed, or [`MOST_ORDERS`] orders are waiting.
    pub fn give(&self, kind: OrderKind) -> Result<ClientAnswer, DriverError> {
        let (answer, answers) = bounded(1);
        let answer = move |answered| drop(answer.send(answered));
        let order = Order::new(kind, (self.clock)(), answer);
        let Some(orders) = &self.orders else {
            return Err(self.closed());
        };
        match orders.try_send(order) {
            Ok(()) => Ok(answers),
            Err(TrySendError::Full(_)) => Err(DriverError::Impossible(format!(
                "{MOST_ORDERS} orders wait for {}: try again when it has answered",
                self.name
            ))),
            Err(TrySendError::Disconnected(_)) => Err(self.closed()),
        }
    }

    /// Takes no more orders, so that the conversation ends.
    pub fn close(&mut self) {
        self.orders = None;
    }

    /// The error for an order that the conversation can no longer carry out.
    #[must_use]
    pub fn closed(&self) -> DriverError {
        LinkError::lost(format!("the line to {} was closed", self.name))
    }
}
