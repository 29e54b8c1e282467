//! Talks to the board: carries out one command at a time, and repeats it until it is
//! answered, over as many lines as necessary.
//!
//! It is written as if it could wait. Each wait ([`Clerk::pause`]) returns to the caller
//! of [`Conversation::poll`](super::Conversation::poll), and continues with the next call.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use protocol::{Command, Refusal, Reply};

use super::{
    ClientOptions, Counters, FrameCopy, LineEnd, NextOrder, Order, OrderKind, SharedView, Waiting,
};
use crate::driver::DriverError;
use crate::link_error::LinkError;

mod chunks;
mod faults;
mod halt;
mod hear;
mod meet;
mod parts;
mod patience;
mod request;
mod state;

use parts::{Asking, Events, KnownBoard, Ping, Redial};
use patience::Patience;

/// After this time without a request the board is pinged.
const LIVENESS: Duration = Duration::from_secs(1);
/// Events are acknowledged after this many, because the board keeps only a few, or after
/// [`ACKNOWLEDGE_AFTER`].
const ACKNOWLEDGE_EVENTS: u32 = 12;
/// The maximum time until events are acknowledged; see [`ACKNOWLEDGE_EVENTS`].
const ACKNOWLEDGE_AFTER: Duration = Duration::from_millis(100);
/// How often the first wait is doubled at most; see [`Clerk::retry`].
const MOST_DOUBLINGS: u32 = 5;
/// How many times sooner a request is repeated that was probably not answered.
const SOONER: u32 = 4;
/// How often missing events or a missing frame are requested before they count as lost.
const REPAIRS: u32 = 8;

/// True for commands about the current game, which must not be carried out on a
/// different one.
fn is_for_this_game(command: &Command) -> bool {
    match command {
        Command::Do(deed) => !deed.restarts(),
        Command::Step { .. } | Command::Fingers(_) | Command::Break { .. } => true,
        _ => false,
    }
}

pub(super) struct Clerk {
    end: Rc<RefCell<dyn LineEnd>>,
    waiting: Rc<Cell<Waiting>>,
    /// The place of the board.
    name: String,
    /// True while there is a line.
    is_open: bool,
    /// False if the board had another host since the last line.
    is_remembered: bool,
    redial: Redial,
    options: ClientOptions,
    asking: Asking,
    known: KnownBoard,
    events: Events,
    frame_copy: FrameCopy,
    view: Option<SharedView>,
    counters: Counters,
    /// The state that the board is about to load, until it has.
    loading: Option<Vec<u8>>,
    /// When a debugger halted the chip; `None` while it runs.
    halted_since: Option<Duration>,
}

impl Clerk {
    pub(super) fn new<E: LineEnd + 'static>(
        end: Rc<RefCell<E>>,
        waiting: Rc<Cell<Waiting>>,
        options: ClientOptions,
    ) -> Clerk {
        let mut own = end.borrow_mut();
        let (name, now) = (own.name().to_owned(), own.now());
        let asking = Asking::new(own.random(), own.random(), now);
        drop(own);
        Clerk {
            end,
            waiting,
            name,
            is_open: false,
            is_remembered: true,
            redial: Redial::at(now),
            options,
            asking,
            known: KnownBoard::default(),
            events: Events::default(),
            frame_copy: FrameCopy::default(),
            view: None,
            counters: Counters::default(),
            loading: None,
            halted_since: None,
        }
    }

    /// Runs the conversation until there are no more orders. Passes the result of the first
    /// greeting to `ready`, and ends if that failed.
    pub(super) async fn run(mut self, ready: impl FnOnce(Result<SharedView, DriverError>)) {
        let first = self.make_ready(self.now() + self.timeout()).await;
        let failed = first.is_err();
        let view = self.view.clone();
        ready(first.and_then(|()| {
            view.ok_or_else(|| LinkError::lost("the board was not greeted".into()))
        }));
        if !failed {
            self.serve().await;
        }
        self.end.borrow_mut().close();
    }

    fn now(&self) -> Duration {
        self.end.borrow().now()
    }

    /// Returns to the caller until this has come.
    async fn pause(&self, waiting: Waiting) {
        self.waiting.set(waiting);
        let mut has_paused = false;
        poll_fn(|_| match std::mem::replace(&mut has_paused, true) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }

    async fn serve(&mut self) {
        loop {
            let next = self.end.borrow_mut().side().next_order();
            let incoming = match (&next, self.is_open) {
                (NextOrder::Nothing, true) => self.end.borrow_mut().receive(),
                _ => None,
            };
            match (next, incoming) {
                (NextOrder::Over, _) => return,
                (NextOrder::Order(order), _) => {
                    // The answer replaces that of the pending ping.
                    self.asking.ping = None;
                    self.order(order).await;
                }
                (NextOrder::Nothing, Some(incoming)) => {
                    let heard = match self.handle(incoming) {
                        Ok(reply) => self.take_pong(reply).await,
                        Err(error) => Err(error),
                    };
                    if let Err(error) = heard {
                        self.lose(&error);
                    }
                }
                (NextOrder::Nothing, None) => {
                    let waiting = Waiting {
                        until: self.now() + self.idle(),
                        for_line: self.is_open,
                        for_orders: true,
                    };
                    self.pause(waiting).await;
                }
            }
            // Commands come before everything else.
            let has_orders = self.end.borrow_mut().side().has_orders();
            if !has_orders {
                self.poll().await;
            }
        }
    }

    fn timeout(&self) -> Duration {
        Duration::from_millis(self.options.timeout_ms)
    }

    /// The wait before a request is first repeated. It doubles with each request that was
    /// never answered: a slow line may hold more of them than the board can answer.
    fn retry(&self) -> Duration {
        let doublings = self.asking.unanswered.min(MOST_DOUBLINGS);
        Duration::from_millis(self.options.retry_ms) * (1 << doublings)
    }

    /// The wait before a request is repeated whose answer was probably damaged, or that the
    /// board was not ready for: a part of the usual wait, so that an answer which is still
    /// on its way overtakes the repetition.
    fn soon(&self) -> Duration {
        self.retry() / SOONER
    }

    /// How long the clerk can wait for an order before it has something else to do.
    fn idle(&self) -> Duration {
        if !self.is_open {
            return self.redial.at.saturating_sub(self.now());
        }
        if self.halted_since.is_some() {
            return halt::LOOK;
        }
        if self.known.is_unknown {
            return Duration::ZERO;
        }
        if let Some(ping) = &self.asking.ping {
            return ping.patience.until().saturating_sub(self.now());
        }
        let wait = if self.unacknowledged() > 0 {
            ACKNOWLEDGE_AFTER
        } else {
            LIVENESS
        };
        wait.saturating_sub(self.now().saturating_sub(self.asking.at))
    }

    fn unacknowledged(&self) -> u32 {
        self.events
            .cursor
            .next()
            .wrapping_sub(self.asking.acknowledged)
    }

    /// Does the work between orders: opens a line that has ended, acknowledges events,
    /// pings a silent board, and requests missing events and frames.
    async fn poll(&mut self) {
        if !self.is_ready() {
            if self.is_open || self.now() >= self.redial.at {
                // A single attempt; the next one follows after the back-off.
                let _ = self.make_ready(self.now()).await;
            }
            return;
        }
        if self.stands_still() {
            return;
        }
        let missing = self.events.gap || !self.frame_copy.is_current();
        let due = match &self.asking.ping {
            Some(_) => self.idle().is_zero(),
            None => missing || self.unacknowledged() >= ACKNOWLEDGE_EVENTS || self.idle().is_zero(),
        };
        if due && let Err(error) = self.ping() {
            self.lose(&error);
        }
    }

    /// Sends a ping, which acknowledges events, or repeats it, without waiting for the
    /// answer.
    fn ping(&mut self) -> Result<(), DriverError> {
        let mut ping = match self.asking.ping.take() {
            Some(ping) if ping.patience.lasts(self.now()) => {
                self.counters.retries += 1;
                ping
            }
            Some(_) => return Err(self.silent()),
            None => {
                let now = self.now();
                Ping {
                    number: self.asking.next_number(),
                    begin: now,
                    patience: Patience::new(now + self.timeout(), self.retry()),
                }
            }
        };
        self.send_request(ping.number, &Command::Ping)?;
        ping.patience.begin(self.now());
        self.asking.ping = Some(ping);
        Ok(())
    }

    /// If this is the answer to a ping, requests the events and frame that are missing
    /// according to it.
    async fn take_pong(&mut self, reply: Option<Reply>) -> Result<(), DriverError> {
        let Some(reply) = reply else {
            return Ok(());
        };
        let Some(mut ping) = self.asking.ping.take_if(|ping| ping.number == reply.number) else {
            return Ok(());
        };
        if !self.may_count(&reply, &mut ping.patience) {
            self.asking.ping = Some(ping);
            return Ok(());
        }
        self.answered(&reply, ping.begin)?;
        match self.settle(&reply, self.now() + self.timeout()).await {
            // The line to the new run is open.
            Err(DriverError::Restarted(_)) => Ok(()),
            settled => settled,
        }
    }

    async fn order(&mut self, order: Order) {
        // While the board answers, a command's time starts when its turn comes, so others
        // do not make it late. If the board is lost, the time starts when the command was
        // given.
        let begin = if self.is_ready() {
            self.now()
        } else {
            order.since
        };
        let deadline = begin + self.timeout();
        let result = match &order.kind {
            OrderKind::Command { command, run } => self.exchange(command, *run, deadline).await,
            OrderKind::Snapshot => self.snapshot(deadline).await,
            OrderKind::Load { state, run } => self.load(state, *run).await,
            OrderKind::Faults => self.faults().await,
            OrderKind::InjectFaults { faults, run } => self.inject_faults(faults, *run).await,
        };
        if let Err(error) = &result
            && is_over_with(error)
        {
            self.lose(&LinkError::lost(error.to_string()));
        }
        (order.answer)(result);
    }

    /// Sends a command, and makes sure that everything that happened before its answer
    /// has arrived.
    async fn exchange(
        &mut self,
        command: &Command,
        run: u32,
        deadline: Duration,
    ) -> Result<Reply, DriverError> {
        for _ in 0..REPAIRS {
            if !self.is_ready() {
                self.make_ready(deadline).await?;
            }
            // The board may have restarted while the command waited.
            if self.known.run != run && is_for_this_game(command) {
                return Err(self.begun_anew());
            }
            let deadline = match self.draw_for(command).await? {
                // The drawing may have taken longer than a command may.
                true => deadline.max(self.piece_deadline()),
                false => deadline,
            };
            let reply = self.carry_out(command, deadline).await?;
            self.settle(&reply, deadline).await?;
            if reply.result != Err(Refusal::Unseen) {
                return Ok(reply);
            }
            // All events have arrived. The next request acknowledges them, so the board
            // will not refuse it again.
        }
        Err(Refusal::Unseen.into())
    }
}

/// True if the line is useless after this error: the board is silent, or its firmware
/// panicked.
fn is_over_with(error: &DriverError) -> bool {
    matches!(error, DriverError::Panicked(_))
        || matches!(LinkError::of(error), Some(LinkError::Silent { .. }))
}
