//! Conversations with a board in this process, over a line that loses chosen messages.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use firmware_core::games::number;
use firmware_core::{AnyBoard, AnyWidth, Device, Identity, Keeping, SNAPSHOT_BYTES};
use protocol::wire::{self, Receiver};
use protocol::{
    CHUNK_BYTES, Command, Deed, Done, Event, Input, Layout, Pace, Point, Request, Settings,
    ToDevice, ToHost,
};

use super::*;
use crate::link_error::LinkError;

mod cables;
mod faults;
mod restarts;
mod sleeping;

type Told = Rc<RefCell<Vec<Happening>>>;

/// An end whose bytes the test moves.
struct TestEnd {
    now: Rc<Cell<Duration>>,
    is_open: bool,
    /// True while the cable is out, so that no line opens.
    is_out: bool,
    random: u32,
    to_board: Vec<u8>,
    incoming: VecDeque<FromBoard>,
    orders: VecDeque<Order>,
    told: Told,
}

impl LineEnd for TestEnd {
    fn name(&self) -> &str {
        "here"
    }
    fn now(&self) -> Duration {
        self.now.get()
    }
    fn random(&mut self) -> u32 {
        self.random += 1_000;
        self.random
    }
    fn open(&mut self) -> Result<(), DriverError> {
        if self.is_out {
            return Err(LinkError::open("the cable is out".into()));
        }
        self.is_open = true;
        Ok(())
    }
    fn close(&mut self) {
        self.is_open = false;
        self.incoming.clear();
        self.to_board.clear();
    }
    fn send(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.to_board.extend_from_slice(bytes);
        Ok(())
    }
    fn receive(&mut self) -> Option<FromBoard> {
        self.incoming.pop_front()
    }
    fn take_received_bytes(&mut self) -> u64 {
        0
    }
    fn side(&mut self) -> &mut dyn ProgramSide {
        self
    }
}

impl ProgramSide for TestEnd {
    fn next_order(&mut self) -> NextOrder {
        self.orders
            .pop_front()
            .map_or(NextOrder::Nothing, NextOrder::Order)
    }
    fn has_orders(&self) -> bool {
        !self.orders.is_empty()
    }
    fn tell(&mut self, happening: Happening) -> u64 {
        self.told.borrow_mut().push(happening);
        0
    }
}

type Answered = Arc<Mutex<Option<OrderAnswer>>>;

/// A conversation with a board.
struct Talk {
    now: Rc<Cell<Duration>>,
    conversation: Conversation<TestEnd>,
    device: Device<Keeping<AnyBoard>, Vec<u8>>,
    from_host: Receiver,
    told: Told,
    view: KnownView,
    /// Whether a message to the board is lost.
    loses_to_board: Box<dyn FnMut(&ToDevice) -> bool>,
    /// Whether a message from the board is lost.
    loses_from_board: Box<dyn FnMut(&ToHost) -> bool>,
}

/// What a conversation knows about the board, once it has met it.
type KnownView = Rc<RefCell<Option<SharedView>>>;

fn conversation(now: &Rc<Cell<Duration>>, told: &Told, view: &KnownView) -> Conversation<TestEnd> {
    let end = TestEnd {
        now: now.clone(),
        is_open: false,
        is_out: false,
        random: 1,
        to_board: Vec::new(),
        incoming: VecDeque::new(),
        orders: VecDeque::new(),
        told: told.clone(),
    };
    let view = view.clone();
    Conversation::new(end, ClientOptions::default(), move |first| {
        *view.borrow_mut() = Some(first.expect("the board answers"));
    })
}

/// A board that was just switched on, for the time with this number.
fn device(boot: u32) -> Device<Keeping<AnyBoard>, Vec<u8>> {
    let board = AnyBoard::new(Layout::MALDOO, 1).expect("9x9 is a layout");
    let identity = Identity {
        board: "tested",
        boot,
        sensors: true,
    };
    Device::new(Keeping::new(board), identity, vec![0; SNAPSHOT_BYTES])
}

impl Talk {
    fn begin() -> Talk {
        let now: Rc<Cell<Duration>> = Rc::default();
        let (told, view) = (Told::default(), KnownView::default());
        let mut talk = Talk {
            conversation: conversation(&now, &told, &view),
            view,
            now,
            device: device(1),
            from_host: Receiver::new(),
            told,
            loses_to_board: Box::new(|_| false),
            loses_from_board: Box::new(|_| false),
        };
        talk.pass_ms(100);
        talk
    }

    fn pass_ms(&mut self, ms: u64) {
        for _ in 0..ms {
            self.conversation.poll();
            self.move_bytes();
            self.now.set(self.now.get() + Duration::from_millis(1));
            self.device.elapse(1);
        }
    }

    fn move_bytes(&mut self) {
        let bytes = std::mem::take(&mut self.conversation.end().borrow_mut().to_board);
        for byte in bytes {
            if let Some(Ok(plain)) = self.from_host.feed(byte) {
                let message: ToDevice = wire::parse(plain).expect("a message");
                if !(self.loses_to_board)(&message) {
                    self.device.feed(&wire::encoded(&message));
                    self.hear();
                }
            }
        }
        self.hear();
    }

    fn hear(&mut self) {
        let mut receiver: Receiver = Receiver::new();
        while !self.device.output().is_empty() {
            let bytes = self.device.output().to_vec();
            self.device.sent(bytes.len());
            for byte in bytes {
                let Some(frame) = receiver.feed(byte) else {
                    continue;
                };
                let FromBoard::Message(message) = FromBoard::understand(frame) else {
                    panic!("the board says what it means");
                };
                let mut end = self.conversation.end().borrow_mut();
                if end.is_open && !(self.loses_from_board)(&message) {
                    end.incoming.push_back(FromBoard::Message(message));
                }
            }
        }
    }

    fn give(&mut self, kind: OrderKind) -> Answered {
        let answer = Answered::default();
        let place = answer.clone();
        let put = move |answered| *place.lock().unwrap() = Some(answered);
        let order = Order::new(kind, self.now.get(), put);
        self.conversation.end().borrow_mut().orders.push_back(order);
        answer
    }

    fn command(&mut self, command: Command) -> Answered {
        self.give(OrderKind::Command { command, run: 0 })
    }

    fn touch(&mut self, point: u8) {
        self.device.input(Input::Touch(Point(point)));
        self.device.input(Input::Release(Point(point)));
    }

    /// Begins a game whose state does not fit into one message.
    fn begin_a_game_of_several_pieces(&mut self) {
        self.command(Command::Do(Deed::Choose(number::SPEEDGO)));
        self.pass_ms(100);
        self.device.input(Input::Press(protocol::Button::Start));
        self.device.input(Input::Lift(protocol::Button::Start));
        self.pass_ms(400);
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        let state = self.device.board().save(&mut buffer).expect("it fits");
        assert!(state.len() > CHUNK_BYTES, "{} bytes", state.len());
    }

    fn pull_out(&mut self) {
        let gone = FromBoard::Ended(LinkError::lost("the cable is out".into()));
        let end = self.conversation.end();
        end.borrow_mut().incoming.push_back(gone);
    }

    /// Pulls out the cable. Another host greets the board, and sends it this command.
    fn go_to_another_host(&mut self, command: Option<Command>) {
        self.pull_out();
        let hello = ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: 77,
        };
        let request = command.map(|command| {
            ToDevice::Request(Request {
                number: 1,
                seen: 0,
                command,
            })
        });
        for message in std::iter::once(hello).chain(request) {
            self.device.feed(&wire::encoded(&message));
            while !self.device.output().is_empty() {
                self.device.sent(self.device.output().len());
            }
        }
    }

    /// The frame that the host knows.
    fn frame(&self) -> Frame {
        let view = self.view.borrow();
        let view = view.as_ref().expect("the board was met");
        view.lock().frame.clone()
    }

    /// What the host was told since the last call, without digests and logs.
    fn told(&mut self) -> Vec<String> {
        let told = std::mem::take(&mut *self.told.borrow_mut());
        let words = told.into_iter().filter_map(|happening| match happening {
            Happening::Event(event) => match event.event {
                Event::Digest(_) => None,
                Event::Taken(input) => Some(format!("{input:?}")),
                other => Some(format!("{other:?}")),
            },
            Happening::Snapshot { .. } => Some("snapshot".to_owned()),
            Happening::Carried { .. } => Some("carried".to_owned()),
            Happening::Missed => Some("missed".to_owned()),
            Happening::Lost(_) => Some("lost".to_owned()),
            Happening::Connected { run, .. } => Some(format!("{run:?}")),
            _ => None,
        });
        words.collect()
    }
}

fn answer(answered: &Answered) -> Option<OrderAnswer> {
    answered.lock().unwrap().take()
}

fn is_reply(message: &ToHost) -> bool {
    matches!(message, ToHost::Reply(_))
}

/// True for the first so many messages of this kind.
fn first<T: 'static>(count: u32, is_it: fn(&T) -> bool) -> Box<dyn FnMut(&T) -> bool> {
    let mut left = count;
    Box::new(move |message| {
        let loses = left > 0 && is_it(message);
        left -= u32::from(loses);
        loses
    })
}

#[test]
fn events_that_overtake_a_lost_answer_are_told_after_the_snapshot() {
    let mut talk = Talk::begin();
    talk.told();
    talk.loses_from_board = first(1, is_reply);
    let snapshot = talk.give(OrderKind::Snapshot);
    talk.pass_ms(10);
    assert!(answer(&snapshot).is_none(), "its answer is lost");
    talk.touch(3);
    talk.pass_ms(600);
    assert!(answer(&snapshot).expect("it is answered").is_ok());
    let told = talk.told();
    let of = |word: &str| told.iter().position(|told| told.contains(word));
    assert_eq!(of("snapshot"), Some(0), "{told:?}");
    assert!(of("Touch").is_some(), "{told:?}");
}

#[test]
fn events_that_overtake_a_lost_answer_are_told_after_the_deed() {
    let mut talk = Talk::begin();
    talk.told();
    talk.loses_from_board = first(1, is_reply);
    let settings = Settings {
        time: 3,
        ..Settings::default()
    };
    let deed = talk.command(Command::Do(Deed::Settings(settings)));
    talk.pass_ms(10);
    assert!(answer(&deed).is_none(), "its answer is lost");
    talk.touch(3);
    talk.pass_ms(600);
    assert!(answer(&deed).expect("it is answered").is_ok());
    let told = talk.told();
    let of = |word: &str| told.iter().position(|told| told.contains(word));
    assert!(
        of("carried").expect("it is told") < of("Touch").expect("it is told"),
        "{told:?}"
    );
}

#[test]
fn a_deed_without_an_answer_is_a_loss_and_the_twin_needs_a_state() {
    let mut talk = Talk::begin();
    talk.told();
    talk.loses_from_board = Box::new(|_| true);
    let settings = Settings {
        time: 3,
        ..Settings::default()
    };
    let deed = talk.command(Command::Do(Deed::Settings(settings)));
    talk.pass_ms(20_000);
    assert!(answer(&deed).expect("it failed").is_err());
    assert!(talk.told().contains(&"missed".to_owned()));
}

#[test]
fn events_go_on_after_a_reset_without_an_answer() {
    let mut talk = Talk::begin();
    talk.loses_to_board = Box::new(|_| true);
    let reset = talk.command(Command::Do(Deed::Reset {
        seed: 9,
        layout: Layout::MALDOO,
    }));
    talk.pass_ms(8_000);
    assert!(answer(&reset).expect("it failed").is_err());
    talk.loses_to_board = Box::new(|_| false);
    talk.pass_ms(5_000);
    assert!(talk.told().contains(&"missed".to_owned()));
    talk.touch(5);
    talk.pass_ms(500);
    let told = talk.told();
    assert!(
        told.iter().any(|told| told.contains("Touch(Point(5))")),
        "{told:?}"
    );
}

#[test]
fn a_request_is_not_repeated_after_the_board_had_another_host() {
    let mut talk = Talk::begin();
    // The touch is carried out, but its answer is lost with the line.
    talk.loses_from_board = Box::new(is_reply);
    let touch = talk.command(Command::Do(Deed::Input(Input::Touch(Point(4)))));
    talk.pass_ms(50);
    talk.go_to_another_host(None);
    talk.loses_from_board = Box::new(|_| false);
    talk.told();
    talk.pass_ms(3_000);
    let error = answer(&touch)
        .expect("it is answered")
        .expect_err("nobody knows");
    assert!(error.to_string().contains("another program"), "{error}");
    assert!(talk.told().contains(&"missed".to_owned()));
    assert!(
        talk.device.board().board().is_touched(Point(4)),
        "it was carried out"
    );
}

#[test]
fn deeds_are_told_after_another_host_reset_the_board() {
    let mut talk = Talk::begin();
    let settings = |time| {
        Command::Do(Deed::Settings(Settings {
            time,
            ..Settings::default()
        }))
    };
    for point in 0..5 {
        talk.touch(point);
    }
    talk.pass_ms(500);
    // The answer comes, but the events before it never do.
    let mut has_answered = false;
    talk.loses_from_board = Box::new(move |message| {
        let is_first = is_reply(message) && !has_answered;
        has_answered |= is_first;
        !is_first
    });
    talk.touch(6);
    let first = talk.command(settings(3));
    talk.pass_ms(50);
    // The other one begins the same game anew, and plays it for longer.
    talk.go_to_another_host(Some(Command::Do(Deed::Reset {
        seed: 1,
        layout: Layout::MALDOO,
    })));
    talk.device.elapse(2_000);
    talk.loses_from_board = Box::new(|_| false);
    talk.pass_ms(3_000);
    assert!(answer(&first).expect("it is answered").is_ok());
    let told = talk.told();
    assert!(told.contains(&"missed".to_owned()), "{told:?}");
    assert!(!told.contains(&"carried".to_owned()), "{told:?}");
    let second = talk.command(settings(5));
    talk.pass_ms(500);
    assert!(answer(&second).expect("it is answered").is_ok());
    let told = talk.told();
    let carried = told.iter().filter(|told| *told == "carried");
    assert_eq!(carried.count(), 1, "{told:?}");
}

#[test]
fn events_after_a_state_are_told_though_another_host_had_the_board() {
    let mut talk = Talk::begin();
    talk.begin_a_game_of_several_pieces();
    talk.told();
    talk.loses_from_board = Box::new(|_| true);
    let snapshot = talk.give(OrderKind::Snapshot);
    talk.pass_ms(50);
    talk.go_to_another_host(None);
    // The first pieces come, and a finger while the last one is on its way.
    let pieces = Rc::new(Cell::new(0));
    let count = pieces.clone();
    talk.loses_from_board = Box::new(move |message| match message {
        ToHost::Reply(reply) => match &reply.result {
            Ok(Done::Chunk { bytes, .. }) => {
                let is_last = bytes.len() < CHUNK_BYTES;
                count.set(count.get() + u32::from(!is_last));
                is_last
            }
            _ => false,
        },
        _ => false,
    });
    talk.pass_ms(400);
    assert!(pieces.get() > 0, "no piece has come");
    assert!(answer(&snapshot).is_none(), "the last piece is lost");
    talk.touch(3);
    talk.pass_ms(100);
    talk.loses_from_board = Box::new(|_| false);
    talk.pass_ms(3_000);
    assert!(answer(&snapshot).expect("it is answered").is_ok());
    let told = talk.told();
    let of = |word: &str| told.iter().position(|told| told.contains(word));
    let touched = of("Touch(Point(3))").expect("it is told");
    assert!(of("snapshot").expect("it is told") < touched, "{told:?}");
}

#[test]
fn events_lost_after_a_load_are_a_loss_after_it() {
    let mut talk = Talk::begin();
    let mut buffer = vec![0; SNAPSHOT_BYTES];
    let state = talk.device.board().save(&mut buffer).expect("it fits");
    let state = state.to_vec();
    talk.pass_ms(1_000);
    talk.told();
    // A touch comes before the load, and many after it. All events are lost, and so are
    // requests for them until the last touch.
    let stage = Rc::new(Cell::new(0));
    let at = stage.clone();
    talk.loses_from_board = Box::new(|message| matches!(message, ToHost::Event(_)));
    talk.loses_to_board = Box::new(move |message| match message {
        ToDevice::Request(Request {
            command: Command::Load { .. },
            ..
        }) => {
            at.set(at.get().max(1));
            at.get() == 1
        }
        ToDevice::Request(Request {
            command: Command::Resend,
            ..
        }) => at.get() > 0 && at.get() < 3,
        _ => false,
    });
    let load = talk.give(OrderKind::Load { state, run: 0 });
    talk.pass_ms(50);
    assert_eq!(stage.get(), 1, "the load is on its way");
    talk.touch(1);
    stage.set(2);
    talk.pass_ms(500);
    assert!(talk.device.board().tick() < 900, "the state is loaded");
    (0..60).for_each(|point| talk.touch(point));
    talk.pass_ms(50);
    stage.set(3);
    talk.pass_ms(3_000);
    assert!(answer(&load).expect("it is answered").is_ok());
    let told = talk.told();
    let of = |word: &str| told.iter().rposition(|told| told == word);
    assert!(
        of("snapshot").expect("it is told") < of("missed").expect("it is told"),
        "{told:?}"
    );
}

#[test]
fn a_state_may_take_longer_than_a_request() {
    let mut talk = Talk::begin();
    talk.begin_a_game_of_several_pieces();
    talk.told();
    // Each answer is lost until its request was repeated for more than two seconds.
    let mut asked = (0, 0);
    talk.loses_to_board = Box::new(move |message| {
        let ToDevice::Request(request) = message else {
            return false;
        };
        asked = match request.number == asked.0 {
            true => (request.number, asked.1 + 1),
            false => (request.number, 0),
        };
        matches!(request.command, Command::Read { .. }) && asked.1 < 5
    });
    let snapshot = talk.give(OrderKind::Snapshot);
    talk.pass_ms(ClientOptions::default().timeout_ms);
    assert!(answer(&snapshot).is_none(), "a request would have failed");
    talk.pass_ms(60_000);
    assert!(answer(&snapshot).expect("it is answered").is_ok());
    assert!(talk.told().contains(&"snapshot".to_owned()));
}

#[test]
fn events_that_the_board_dropped_are_a_loss_after_one_request_for_them() {
    let mut talk = Talk::begin();
    talk.told();
    talk.loses_from_board = Box::new(|_| true);
    for point in 0..60 {
        talk.touch(point);
    }
    talk.pass_ms(300);
    let resends = Rc::new(Cell::new(0));
    let count = resends.clone();
    talk.loses_from_board = Box::new(|_| false);
    talk.loses_to_board = Box::new(move |message| {
        if let ToDevice::Request(request) = message {
            count.set(count.get() + u32::from(request.command == Command::Resend));
        }
        false
    });
    talk.pass_ms(3_000);
    assert!(talk.told().contains(&"missed".to_owned()));
    assert_eq!(resends.get(), 1);
}

#[test]
fn a_held_board_loses_nothing_on_a_line_that_loses_every_third_message() {
    let mut talk = Talk::begin();
    let mut count = 0;
    let mut third = move || {
        count += 1;
        count % 3 == 0
    };
    let lockstep = talk.command(Command::Pace(Pace::Lockstep));
    talk.pass_ms(200);
    assert!(answer(&lockstep).expect("it is answered").is_ok());
    talk.told();
    talk.loses_from_board = Box::new(move |_| third());
    for point in 0..20 {
        let touch = talk.command(Command::Step {
            inputs: [Input::Touch(Point(point))].into_iter().collect(),
            ticks: 10,
            digest: true,
        });
        talk.pass_ms(2_500);
        assert!(answer(&touch).expect("it is answered").is_ok(), "{point}");
    }
    let told = talk.told();
    let touches: Vec<&String> = told
        .iter()
        .filter(|told| told.starts_with("Touch"))
        .collect();
    let expected: Vec<String> = (0..20)
        .map(|point| format!("Touch(Point({point}))"))
        .collect();
    assert_eq!(touches, expected.iter().collect::<Vec<_>>());
    assert!(!told.contains(&"missed".to_owned()), "{told:?}");
}
