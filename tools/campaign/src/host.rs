//! The host's end: a conversation, a twin that follows it, and a program that hands it the
//! acts of a plan.
//!
//! Like the window and the commands, it asks for a snapshot whenever its twin is lost, and
//! chooses the pace again when the board has another one.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::AddAssign;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use firmware_core::{AnyBoard, Rng};
use parking_lot::Mutex;
use protocol::wire::Receiver;
use protocol::{Command, Done, Pace, Refusal};
use touchboard_host::conversation::{
    BoardView, ClientOptions, Conversation, FromBoard, LineEnd, LineState, NextOrder, Order,
    OrderAnswer, OrderKind, ProgramSide, SharedView, Waiting,
};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::Happening;
use touchboard_host::link_error::LinkError;
use touchboard_host::twin::{Followed, Twin};

use crate::judge::{AnswerJudge, EventJudge, Violation};
use crate::line::{Arrival, Line, LineDirection};
use crate::plan::RunPlan;
use crate::spy::SpyLog;

/// How long a program waits before it asks again for what it did not get.
const AGAIN_US: u64 = 500_000;
/// How many acts wait for a board that is lost; a person gives up.
pub(crate) const MOST_WAITING: usize = 8;

/// What a conversation has around it: a simulated line and a simulated clock.
pub struct SimEnd {
    host: usize,
    clock: Rc<Cell<u64>>,
    line: Rc<RefCell<Line>>,
    rng: Rng,
    receiver: Receiver,
    incoming: VecDeque<FromBoard>,
    received_bytes: u64,
    orders: VecDeque<Order>,
    told: Vec<Happening>,
    /// Messages that were sent, or that arrived, and have not been logged.
    pub passed: Vec<(LineDirection, Vec<u8>)>,
    /// A message that was taken and never sent.
    wrong: Option<Vec<u8>>,
}

impl SimEnd {
    fn cut_off(&self) -> DriverError {
        LinkError::gone(self.name(), "the cable was pulled out")
    }

    /// Takes what arrived over the line.
    pub fn arrive(&mut self, arrival: Arrival) {
        let Arrival::Bytes(bytes) = arrival else {
            let cut_off = self.cut_off();
            self.incoming.push_back(FromBoard::Ended(cut_off));
            return;
        };
        self.received_bytes += bytes.len() as u64;
        let mut line = self.line.borrow_mut();
        for byte in bytes {
            let Some(frame) = self.receiver.feed(byte) else {
                continue;
            };
            let plain = frame.map(<[u8]>::to_vec).unwrap_or_default();
            let incoming = FromBoard::understand(frame);
            let is_taken = !matches!(incoming, FromBoard::Damaged(_));
            if is_taken && !line.taken(LineDirection::FromBoard, &plain) {
                self.wrong = Some(plain);
            }
            self.incoming.push_back(incoming);
        }
    }
}

impl LineEnd for SimEnd {
    fn name(&self) -> &str {
        "simulated"
    }

    fn now(&self) -> Duration {
        Duration::from_micros(self.clock.get())
    }

    fn random(&mut self) -> u32 {
        self.rng.next()
    }

    fn open(&mut self) -> Result<(), DriverError> {
        let mut line = self.line.borrow_mut();
        if line.cable != Some(self.host) {
            return Err(LinkError::open("the cable is not plugged in".to_owned()));
        }
        line.open();
        self.receiver = Receiver::new();
        self.incoming.clear();
        Ok(())
    }

    fn close(&mut self) {
        let mut line = self.line.borrow_mut();
        if line.cable == Some(self.host) {
            line.close();
        }
        self.incoming.clear();
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        let mut line = self.line.borrow_mut();
        if line.cable != Some(self.host) || !line.is_open {
            return Err(self.cut_off());
        }
        let sent = line.send(LineDirection::ToBoard, self.clock.get(), bytes);
        let sent = sent
            .into_iter()
            .map(|plain| (LineDirection::ToBoard, plain));
        self.passed.extend(sent);
        Ok(())
    }

    fn receive(&mut self) -> Option<FromBoard> {
        self.incoming.pop_front()
    }

    fn take_received_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.received_bytes)
    }

    fn side(&mut self) -> &mut dyn ProgramSide {
        self
    }
}

impl ProgramSide for SimEnd {
    fn next_order(&mut self) -> NextOrder {
        self.orders
            .pop_front()
            .map_or(NextOrder::Nothing, NextOrder::Order)
    }

    fn has_orders(&self) -> bool {
        !self.orders.is_empty()
    }

    fn tell(&mut self, happening: Happening) -> u64 {
        self.told.push(happening);
        0
    }
}

/// What a host has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostFigures {
    /// The number of inputs that the board acknowledged.
    pub inputs: u64,
    /// The number of requests that failed, which the program was told.
    pub failed: u64,
    /// The number of snapshots from which the twin went on.
    pub resyncs: u64,
    /// The number of digests in which twin and board agreed.
    pub agreed: u64,
    /// The number of reported losses of events.
    pub losses: u64,
    /// The number of lines that were opened again.
    pub reconnects: u64,
}

impl AddAssign for HostFigures {
    fn add_assign(&mut self, other: HostFigures) {
        // A new figure does not compile until it is added here.
        let HostFigures {
            inputs,
            failed,
            resyncs,
            agreed,
            losses,
            reconnects,
        } = other;
        self.inputs += inputs;
        self.failed += failed;
        self.resyncs += resyncs;
        self.agreed += agreed;
        self.losses += losses;
        self.reconnects += reconnects;
    }
}

/// An order that was handed to the conversation, and where its answer will be.
struct PendingOrder {
    kind: OrderKind,
    answer: Arc<Mutex<Option<OrderAnswer>>>,
}

/// What a person asks for.
#[derive(Clone, Debug)]
pub enum Errand {
    /// This command.
    Command(Box<Command>),
    /// The state that the board sent last is loaded.
    Load,
}

/// A host: a conversation and the program around it.
pub struct SimHost {
    number: usize,
    conversation: Conversation<SimEnd>,
    clock: Rc<Cell<u64>>,
    line: Rc<RefCell<Line>>,
    rng: Rng,
    pace: Pace,
    /// True if the board has no other host.
    has_it_alone: bool,
    waiting: Option<Waiting>,
    view: Rc<RefCell<Option<SharedView>>>,
    twin: Twin,
    /// The order that waits for its answer.
    pending: Option<PendingOrder>,
    /// What is still to be done.
    todo: VecDeque<Errand>,
    /// The state that the board sent last.
    kept_state: Option<Vec<u8>>,
    wants_pace: bool,
    wants_snapshot: bool,
    /// Nothing is asked before this time.
    again_us: u64,
    answers: AnswerJudge,
    events: EventJudge,
    figures: HostFigures,
    /// What the host was told, for the log.
    pub told: Vec<Happening>,
}

impl SimHost {
    /// The host with this number, at the end of this line.
    #[must_use]
    pub fn new(
        number: usize,
        clock: Rc<Cell<u64>>,
        line: Rc<RefCell<Line>>,
        mut rng: Rng,
        plan: &RunPlan,
    ) -> SimHost {
        let view = Rc::default();
        let conversation = begun(number, &clock, &line, rng.split(), &view);
        SimHost {
            number,
            conversation,
            clock,
            line,
            rng,
            pace: plan.pace,
            has_it_alone: plan.hosts == 1,
            waiting: Some(Waiting::default()),
            view,
            twin: Twin::new(),
            pending: None,
            todo: VecDeque::new(),
            kept_state: None,
            wants_pace: true,
            wants_snapshot: false,
            again_us: 0,
            answers: AnswerJudge::new(number),
            events: EventJudge::default(),
            figures: HostFigures::default(),
            told: Vec::new(),
        }
    }

    /// The bytes and messages at the host's end of the line.
    #[must_use]
    pub fn end(&self) -> &RefCell<SimEnd> {
        self.conversation.end()
    }

    /// What the host has done so far.
    #[must_use]
    pub fn figures(&self) -> HostFigures {
        let reconnects = self.view().map_or(0, |view| view.counters.reconnects);
        HostFigures {
            losses: self.events.losses,
            reconnects,
            ..self.figures
        }
    }

    /// What the host knows about the board now.
    #[must_use]
    pub fn view(&self) -> Option<BoardView> {
        let view = self.view.borrow();
        let view = view.as_ref()?.lock();
        Some(view.clone())
    }

    /// The twin that follows the board.
    #[must_use]
    pub fn twin(&self) -> &Twin {
        &self.twin
    }

    /// True while the host waits for an answer or has something left to ask.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.pending.is_some() || self.wants_pace || self.wants_snapshot || !self.todo.is_empty()
    }

    /// When the host has something to do by itself.
    #[must_use]
    pub fn wakes_at_us(&self) -> u64 {
        let until = self
            .waiting
            .map_or(0, |waiting| waiting.until.as_micros() as u64);
        let asks = self.pending.is_none() && self.is_busy() && self.view.borrow().is_some();
        let asks_us = if asks { self.again_us } else { u64::MAX };
        until.min(asks_us)
    }

    /// Gives the host something to do. True if it was taken: if too much waits already, a
    /// person gives up on the rest.
    #[must_use]
    pub fn give(&mut self, errand: Errand) -> bool {
        let is_taken = self.todo.len() < MOST_WAITING;
        if is_taken {
            self.todo.push_back(errand);
        }
        is_taken
    }

    /// Asks for the whole state, as a program does that begins to follow.
    pub fn want_snapshot(&mut self) {
        self.wants_snapshot = true;
    }

    /// Drops what has not been asked yet.
    pub fn stop(&mut self) {
        self.todo.clear();
    }

    /// Does everything that can be done now.
    ///
    /// # Errors
    /// What went wrong.
    pub fn poll(&mut self, log: &RefCell<SpyLog>, board: &AnyBoard) -> Result<(), Violation> {
        // Each round can lead to another one, as an answer leads to the next request.
        loop {
            self.ask();
            self.waiting = self.conversation.poll();
            if let Some(plain) = self.end().borrow_mut().wrong.take() {
                return Err(Violation::WrongMessage(plain));
            }
            // A request that failed is the reason for a loss that is reported with it.
            let was_answered = self.take_answer(&log.borrow(), board)?;
            self.hear(&log.borrow())?;
            if self.waiting.is_none() {
                self.restart(&log.borrow());
            }
            let can_ask = self.pending.is_none()
                && self.is_busy()
                && self.clock.get() >= self.again_us
                && self.view.borrow().is_some();
            if !was_answered && !can_ask {
                return Ok(());
            }
        }
    }

    /// Starts the program again, as a person does if it could not reach the board.
    fn restart(&mut self, log: &SpyLog) {
        self.view.take();
        let rng = self.rng.split();
        self.conversation = begun(self.number, &self.clock, &self.line, rng, &self.view);
        // It begins when it is polled next, half a second later.
        let until = Duration::from_micros(self.clock.get() + AGAIN_US);
        self.waiting = Some(Waiting {
            until,
            ..Waiting::default()
        });
        self.twin = Twin::new();
        self.pending = None;
        self.todo.clear();
        (self.wants_pace, self.wants_snapshot) = (true, false);
        self.answers.forget(log);
        self.events = EventJudge::default();
    }

    /// Hands the conversation the next order, if there is one and its time has come.
    fn ask(&mut self) {
        let Some(view) = self.view() else { return };
        if self.pending.is_some() || self.clock.get() < self.again_us {
            return;
        }
        let run = view.run;
        let command = |command| OrderKind::Command { command, run };
        let kind = if self.wants_pace {
            command(Command::Pace(self.pace))
        } else if self.wants_snapshot {
            OrderKind::Snapshot
        } else {
            match (self.todo.pop_front(), &self.kept_state) {
                (Some(Errand::Command(next)), _) => command(*next),
                (Some(Errand::Load), Some(state)) => {
                    let state = state.clone();
                    OrderKind::Load { state, run }
                }
                (Some(Errand::Load), None) | (None, _) => return,
            }
        };
        let answer: Arc<Mutex<Option<OrderAnswer>>> = Arc::default();
        let place = answer.clone();
        let put = move |answered| {
            *place.lock() = Some(answered);
        };
        let now = Duration::from_micros(self.clock.get());
        self.end()
            .borrow_mut()
            .orders
            .push_back(Order::new(kind.clone(), now, put));
        self.pending = Some(PendingOrder { kind, answer });
    }

    /// Judges an answer that has come. True if there was one.
    fn take_answer(&mut self, log: &SpyLog, board: &AnyBoard) -> Result<bool, Violation> {
        let Some(PendingOrder { kind, answer }) = self.pending.take() else {
            return Ok(false);
        };
        let answered = answer.lock().take();
        let Some(answered) = answered else {
            self.pending = Some(PendingOrder { kind, answer });
            return Ok(false);
        };
        let answer = &answered;
        self.figures.inputs += self.answers.judge(&kind, answer, log)?;
        let is_done = matches!(answer, Ok(reply) if reply.result.is_ok());
        if let Ok(reply) = answer
            && matches!(reply.result, Ok(Done::Stepped { .. }))
            && reply.tick == board.tick()
            && self.view().is_some_and(|view| view.frame != *board.frame())
        {
            return Err(Violation::WrongFrame { tick: reply.tick });
        }
        match &kind {
            OrderKind::Snapshot => {
                self.wants_snapshot &= !is_done;
                self.figures.resyncs += u64::from(is_done);
            }
            OrderKind::Command {
                command: Command::Pace(_),
                ..
            } => {
                self.wants_pace &= !is_done;
                self.events.loses_nothing = self.has_it_alone
                    && self.pace == Pace::Lockstep
                    && is_done
                    && self.figures.failed == 0;
                // A twin of a board whose time is held needs a state to begin with.
                self.wants_snapshot |= is_done && self.twin.board().is_none();
            }
            _ => {}
        }
        match answer {
            Ok(reply) if reply.result == Err(Refusal::NotInLockstep) => self.wants_pace = true,
            Ok(_) => {}
            Err(_) => {
                self.figures.failed += 1;
                self.events.loses_nothing = false;
                self.again_us = self.clock.get() + AGAIN_US;
            }
        }
        Ok(true)
    }

    fn hear(&mut self, log: &SpyLog) -> Result<(), Violation> {
        let told = std::mem::take(&mut self.end().borrow_mut().told);
        for happening in &told {
            if matches!(happening, Happening::Connected { run, .. } if run.is_new()) {
                self.events.loses_nothing = false;
            }
            self.events.judge(happening, log)?;
            if let Happening::Snapshot { state, .. } = happening {
                self.kept_state = Some(state.clone());
            }
            match self.twin.follow(happening) {
                Followed::Along => {}
                Followed::Agreed(_) => self.figures.agreed += 1,
                Followed::Lost => self.wants_snapshot = true,
                Followed::Differs { tick, twin, board } => {
                    return Err(Violation::Disagree { tick, twin, board });
                }
            }
        }
        self.told.extend(told);
        Ok(())
    }

    /// What is missing for agreement with the board; `None` if nothing is.
    #[must_use]
    pub fn lacks(&self, board: &AnyBoard) -> Option<String> {
        let Some(view) = self.view() else {
            return Some("the host never met the board".to_owned());
        };
        if let LineState::Lost(why) = view.link {
            return Some(format!("the line is lost: {why}"));
        }
        if self.is_busy() {
            return Some("the host still waits for an answer".to_owned());
        }
        let Some(twin) = self.twin.board() else {
            return Some("the twin is lost".to_owned());
        };
        let Some(ticks) = board.tick().checked_sub(twin.tick()) else {
            return Some("the twin is ahead of the board".to_owned());
        };
        let mut twin = twin.clone();
        twin.advance(ticks, &mut |_, _| {});
        if twin.digest() != board.digest() {
            return Some("the twin has another digest".to_owned());
        }
        (view.frame != *board.frame()).then(|| "the host shows another frame".to_owned())
    }
}

fn begun(
    host: usize,
    clock: &Rc<Cell<u64>>,
    line: &Rc<RefCell<Line>>,
    rng: Rng,
    view: &Rc<RefCell<Option<SharedView>>>,
) -> Conversation<SimEnd> {
    let end = SimEnd {
        host,
        clock: clock.clone(),
        line: line.clone(),
        rng,
        receiver: Receiver::new(),
        incoming: VecDeque::new(),
        received_bytes: 0,
        orders: VecDeque::new(),
        told: Vec::new(),
        passed: Vec::new(),
        wrong: None,
    };
    let view = view.clone();
    Conversation::new(end, ClientOptions::default(), move |first| {
        *view.borrow_mut() = first.ok();
    })
}
