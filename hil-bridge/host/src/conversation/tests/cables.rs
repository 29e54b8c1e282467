//! Cables that are pulled out after every single byte of every exchange.
//!
//! Whatever byte was the last one to pass, in whichever direction: the command is carried
//! out once if it is answered, and at most once if it is not, and afterwards the host's
//! twin and the board agree.

use super::*;
use crate::twin::{Followed, Twin};

/// How long a cable is out.
const OUT_MS: u64 = 80;
/// More than any exchange and its recovery takes.
const MOST_MS: u64 = 20_000;

/// Whether a board notices that its cable is out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Board {
    /// As on USB or a socket.
    Notices,
    /// As at the pins of a serial port.
    SendsOn,
}

/// The direction of a byte.
#[derive(Clone, Copy, Debug)]
enum Way {
    ToBoard,
    FromBoard,
}

/// A conversation over a cable that is pulled out after a number of bytes.
pub(super) struct Cable {
    pub(super) talk: Talk,
    board: Board,
    receiver: Receiver,
    /// The bytes that have passed, in each direction.
    passed: [usize; 2],
    /// The last byte that passes.
    cut: Option<(Way, usize)>,
    out_until: Option<Duration>,
    twin: Twin,
    agreed: bool,
    /// How often events were lost, or the line was.
    pub(super) losses: u32,
}

impl Cable {
    pub(super) fn begin(board: Board) -> Cable {
        let mut cable = Cable {
            talk: Talk::begin(),
            board,
            receiver: Receiver::new(),
            passed: [0; 2],
            cut: None,
            out_until: None,
            twin: Twin::new(),
            agreed: false,
            losses: 0,
        };
        let snapshot = cable.talk.give(OrderKind::Snapshot);
        cable.until_answered(&snapshot).expect("nothing is cut yet");
        cable
    }

    /// Lets a millisecond pass, with all bytes that are on their way.
    pub(super) fn pass(&mut self) {
        self.talk.conversation.poll();
        self.move_bytes();
        let now = self.talk.now.get() + Duration::from_millis(1);
        self.talk.now.set(now);
        self.talk.device.elapse(1);
        if self.out_until.is_some_and(|until| until <= now) {
            self.out_until = None;
            self.talk.conversation.end().borrow_mut().is_out = false;
            self.receiver = Receiver::new();
        }
        self.follow();
    }

    fn move_bytes(&mut self) {
        let bytes = std::mem::take(&mut self.talk.conversation.end().borrow_mut().to_board);
        let mut left = &bytes[..];
        while let Some((byte, rest)) = left.split_first()
            && self.passes(Way::ToBoard)
        {
            while self.talk.device.feed(&[*byte]) == 0 {
                self.hear();
            }
            left = rest;
        }
        self.hear();
    }

    fn hear(&mut self) {
        while let Some(byte) = self.talk.device.output().first().copied() {
            let has_passed = self.passes(Way::FromBoard);
            // A pulled cable may have been a message for the board, too.
            let still_there = !self.talk.device.output().is_empty();
            self.talk.device.sent(usize::from(still_there));
            if let Some(frame) = self.receiver.feed(byte).filter(|_| has_passed) {
                let incoming = FromBoard::understand(frame);
                let mut end = self.talk.conversation.end().borrow_mut();
                end.incoming.push_back(incoming);
            }
        }
    }

    /// Lets one byte pass, unless the cable is out or is pulled out now.
    fn passes(&mut self, way: Way) -> bool {
        let place = way as usize;
        if let Some((cut, at)) = self.cut
            && cut as usize == place
            && at == self.passed[place]
        {
            self.cut = None;
            self.pull_out();
        }
        let is_open = self.talk.conversation.end().borrow().is_open;
        let passes = is_open && self.out_until.is_none();
        self.passed[place] += usize::from(passes);
        passes
    }

    /// Lets time pass in which the host does not run. The line takes so many bytes from
    /// the board, and then no more.
    pub(super) fn sleep_ms(
        &mut self,
        ms: u64,
        line_bytes: usize,
        mut each_ms: impl FnMut(&mut Talk),
    ) {
        let mut on_line = Vec::new();
        for _ in 0..ms {
            self.talk.device.elapse(1);
            each_ms(&mut self.talk);
            let output = self.talk.device.output();
            let fits = output.len().min(line_bytes - on_line.len());
            on_line.extend_from_slice(&output[..fits]);
            self.talk.device.sent(fits);
        }
        self.talk
            .now
            .set(self.talk.now.get() + Duration::from_millis(ms));
        let mut end = self.talk.conversation.end().borrow_mut();
        for byte in on_line {
            if let Some(frame) = self.receiver.feed(byte) {
                end.incoming.push_back(FromBoard::understand(frame));
            }
        }
    }

    fn pull_out(&mut self) {
        self.out_until = Some(self.talk.now.get() + Duration::from_millis(OUT_MS));
        self.talk.conversation.end().borrow_mut().is_out = true;
        self.talk.pull_out();
        if self.board == Board::Notices {
            self.talk.device.hung_up();
        }
    }

    /// Follows the board with the twin, and asks for a state if that is lost.
    pub(super) fn follow(&mut self) {
        let told = std::mem::take(&mut *self.talk.told.borrow_mut());
        for happening in told {
            self.losses += u32::from(matches!(happening, Happening::Missed | Happening::Lost(_)));
            match self.twin.follow(&happening) {
                Followed::Agreed(_) => self.agreed = true,
                Followed::Along => {}
                Followed::Lost => drop(self.talk.give(OrderKind::Snapshot)),
                differs @ Followed::Differs { .. } => panic!("{differs:?}"),
            }
        }
    }

    pub(super) fn until_answered(&mut self, answered: &Answered) -> OrderAnswer {
        for _ in 0..MOST_MS {
            if let Some(answer) = answer(answered) {
                return answer;
            }
            self.pass();
        }
        panic!("there is no answer after {MOST_MS} ms");
    }

    /// Waits until the board tells its digest, with which the twin has to agree.
    pub(super) fn until_agreed(&mut self) {
        self.agreed = false;
        let lockstep = self.talk.command(Command::Pace(Pace::Lockstep));
        let lockstep = self.until_answered(&lockstep);
        assert_eq!(lockstep.expect("it is answered").result, Ok(Done::Done));
        let step = self.talk.command(Command::Step {
            inputs: protocol::List::default(),
            ticks: 1,
            digest: true,
        });
        let step = self.until_answered(&step).expect("it is answered");
        assert!(step.result.is_ok(), "{step:?}");
        for _ in 0..MOST_MS {
            if self.agreed {
                return;
            }
            self.pass();
        }
        panic!("host and board do not agree after {MOST_MS} ms");
    }

    /// The setting that each press of the button Time changes by one.
    pub(super) fn time(&self) -> u8 {
        self.talk.device.board().status().settings.time
    }
}

/// An exchange, and how often the board has carried it out, if that shows.
struct Exchange {
    name: &'static str,
    kind: fn(&Cable) -> OrderKind,
    pace: Pace,
    count: Option<fn(&Cable) -> u64>,
}

fn command(command: Command) -> OrderKind {
    OrderKind::Command { command, run: 0 }
}

const FREE: Pace = Pace::Free { permille: 1_000 };

const EXCHANGES: [Exchange; 8] = [
    Exchange {
        name: "an input",
        kind: |_| command(Command::Do(Input::Touch(Point(3)).into())),
        pace: FREE,
        count: None,
    },
    Exchange {
        name: "a step",
        kind: |_| {
            let time = protocol::Button::Time;
            let inputs = [Input::Press(time), Input::Lift(time)];
            command(Command::Step {
                inputs: inputs.into_iter().collect(),
                ticks: 30,
                digest: true,
            })
        },
        pace: Pace::Lockstep,
        count: Some(|cable| cable.time().into()),
    },
    Exchange {
        name: "settings",
        kind: |_| {
            command(Command::Do(Deed::Settings(Settings {
                level: 2,
                ..Settings::default()
            })))
        },
        pace: FREE,
        count: Some(|cable| u64::from(cable.talk.device.board().status().settings.level / 2)),
    },
    Exchange {
        name: "a reset",
        kind: |_| {
            let layout = Layout::MALDOO;
            command(Command::Do(Deed::Reset { seed: 1, layout }))
        },
        pace: FREE,
        count: None,
    },
    Exchange {
        name: "a status",
        kind: |_| command(Command::Status),
        pace: FREE,
        count: None,
    },
    Exchange {
        name: "a frame",
        kind: |_| command(Command::Frame),
        pace: FREE,
        count: None,
    },
    Exchange {
        name: "a snapshot",
        kind: |_| OrderKind::Snapshot,
        pace: FREE,
        count: None,
    },
    Exchange {
        name: "a state that is loaded",
        kind: |cable| {
            let mut buffer = vec![0; SNAPSHOT_BYTES];
            let state = cable.talk.device.board().save(&mut buffer);
            OrderKind::Load {
                state: state.expect("it fits").to_vec(),
                run: 0,
            }
        },
        pace: FREE,
        count: None,
    },
];

/// Makes an exchange, with the cable pulled out after this byte of it. Returns how many
/// bytes passed until it was answered, in each direction.
fn exchange(exchange: &Exchange, board: Board, cut: Option<(Way, usize)>) -> [usize; 2] {
    let mut cable = Cable::begin(board);
    let pace = cable.talk.command(Command::Pace(exchange.pace));
    let pace = cable.until_answered(&pace);
    pace.expect("nothing is cut yet");
    let before = exchange.count.map(|count| count(&cable));
    let begin = cable.passed;
    cable.cut = cut.map(|(way, bytes)| (way, begin[way as usize] + bytes));
    let kind = (exchange.kind)(&cable);
    let kind = cable.talk.give(kind);
    let answered = cable.until_answered(&kind);
    let passed = std::array::from_fn(|way| cable.passed[way] - begin[way]);
    if let (Some(count), Some(before)) = (exchange.count, before) {
        // The setting goes from its last value to its first.
        let times = (count(&cable) + 10 - before) % 10;
        match &answered {
            Ok(_) => assert_eq!(times, 1, "{} is answered", exchange.name),
            Err(_) => assert!(times <= 1, "{}", exchange.name),
        }
    }
    if cut.is_none() {
        assert!(answered.is_ok(), "{}: {answered:?}", exchange.name);
    }
    cable.until_agreed();
    passed
}

/// The bytes after which the cable of a long exchange is pulled out: all at its ends, and
/// every so many in between.
fn bytes_of(length: usize) -> impl Iterator<Item = usize> {
    const ENDS: usize = 120;
    const STEP: usize = 13;
    (0..=length)
        .filter(move |byte| *byte < ENDS || length - byte < ENDS || byte.is_multiple_of(STEP))
}

fn pulled_out_of_each_exchange(board: Board) {
    let mut cuts = 0;
    for each in &EXCHANGES {
        let lengths = exchange(each, board, None);
        for way in [Way::ToBoard, Way::FromBoard] {
            for byte in bytes_of(lengths[way as usize]) {
                exchange(each, board, Some((way, byte)));
                cuts += 1;
            }
        }
    }
    assert!(cuts > 500, "only {cuts} cuts");
}

#[test]
fn a_cable_out_at_any_byte_harms_no_board_that_notices() {
    pulled_out_of_each_exchange(Board::Notices);
}

#[test]
fn a_cable_out_at_any_byte_harms_no_board_that_sends_on() {
    pulled_out_of_each_exchange(Board::SendsOn);
}

#[test]
fn a_cable_out_at_any_byte_of_a_greeting_is_greeted_again() {
    for board in [Board::Notices, Board::SendsOn] {
        for way in [Way::ToBoard, Way::FromBoard] {
            for byte in 0..200 {
                let mut cable = Cable::begin(board);
                cable.pull_out();
                cable.cut = Some((way, cable.passed[way as usize] + byte));
                let touch = cable
                    .talk
                    .command(Command::Do(Input::Touch(Point(3)).into()));
                let answered = cable.until_answered(&touch);
                assert_eq!(answered.expect("it is answered").result, Ok(Done::Done));
                assert!(cable.talk.device.board().board().is_touched(Point(3)));
                cable.until_agreed();
            }
        }
    }
}
