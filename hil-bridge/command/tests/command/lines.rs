//! Boards at the end of real lines, with and without faults.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use touchboard_links::LinkError;

use firmware_core::{AnyBoard, Device, Identity, Rng, SNAPSHOT_BYTES};
use protocol::{Button, Command, Deed, Input, Layout, Pace, Point, ToDevice, wire};
use touchboard_host::happening::Happening;
use touchboard_host::{CoreDriver, Driver, DriverError};
use touchboard_links::at::{At, Where};
use touchboard_links::link::{Link, Loopback};
use touchboard_links::{Client, ClientOptions, Dial, RemoteDriver};
use virtual_board::FaultOptions;

/// Plays this many steps on a board and a twin, and compares everything after each step.
fn plays_like_a_twin(board: &mut dyn Driver, steps: u32) {
    let layout = board.layout();
    board.carry_out(&Deed::Reset { seed: 7, layout }).unwrap();
    let mut twin = CoreDriver::new(layout, 7).unwrap();
    let mut rng = Rng::new(7);
    for step in 0..steps {
        let point = Point(rng.below(layout.points() as u32) as u8);
        let inputs = match step % 16 {
            0 => vec![Input::Press(Button::Start), Input::Lift(Button::Start)],
            1 => (0..20).map(|n| Input::Touch(Point(n))).collect(),
            2 => (0..20).map(|n| Input::Release(Point(n))).collect(),
            _ => vec![Input::Touch(point), Input::Release(point)],
        };
        let ticks = rng.below(400).into();
        twin.step(&inputs, ticks).unwrap();
        let digest = board.step_and_digest(&inputs, ticks).unwrap();
        assert_eq!(digest, twin.digest().unwrap(), "step {step}");
        assert_eq!(board.frame(), twin.frame(), "step {step}");
        assert_eq!(board.tick(), twin.tick(), "step {step}");
        assert_eq!(board.take_events(), twin.take_events(), "step {step}");
    }
    assert_eq!(board.legal().unwrap(), twin.legal().unwrap());
    assert_eq!(board.status().unwrap(), twin.status().unwrap());
    assert_eq!(board.save().unwrap(), twin.save().unwrap());
}

/// Parses faults.
fn faults(text: &str) -> FaultOptions {
    FaultOptions(text.parse().unwrap())
}

fn with_faults(text: &str) -> Where {
    let mut place = Where::new(At::Virtual);
    place.line.faults = faults(text);
    place.line.timeout_ms = 20_000;
    place
}

#[test]
fn a_board_at_a_pseudo_terminal_equals_the_in_process_one() {
    let mut board = Where::new(At::Virtual).open().unwrap();
    plays_like_a_twin(&mut *board, 300);
}

#[test]
fn a_bad_line_neither_loses_nor_repeats_a_command() {
    let mut board = with_faults("seed 3, drop-ppm 2000, flip-ppm 2000, duplicate-ppm 2000")
        .open()
        .unwrap();
    plays_like_a_twin(&mut *board, 150);
}

#[test]
fn a_repeatedly_cut_line_loses_no_command() {
    let mut board = with_faults("seed 5, cut-ppm 1000").open().unwrap();
    plays_like_a_twin(&mut *board, 150);
}

/// If a line stands still forever, only the time limit ends the wait.
#[test]
fn a_stalled_line_times_out() {
    let mut place = with_faults("stall-ppm 1000000, stall-ms 86400000");
    place.line.timeout_ms = 300;
    let error = place.client().map(drop).unwrap_err();
    assert!(
        matches!(
            LinkError::of(&error),
            Some(LinkError::Silent {
                timeout_ms: 300,
                ..
            })
        ),
        "{error}"
    );
    let sentence = error.to_string();
    let faults = "its line has simulated faults (seed 0, stall-ppm 1000000, stall-ms 86400000)";
    assert!(sentence.contains(faults), "{sentence}");
}

/// The requests that were sent over the line, in order.
fn requests(bytes: &str) -> Vec<Command> {
    let mut receiver: wire::Receiver = wire::Receiver::new();
    let sent = bytes.lines().filter_map(|line| line.split_once(" > "));
    let bytes = sent.flat_map(|(_, bytes)| bytes.split(' '));
    let mut requests: Vec<protocol::Request> = Vec::new();
    for byte in bytes {
        let byte = u8::from_str_radix(byte, 16).unwrap();
        if let Some(Ok(plain)) = receiver.feed(byte)
            && let Ok(ToDevice::Request(request)) = wire::parse(plain)
        {
            requests.push(request);
        }
    }
    requests.dedup_by_key(|request| request.number);
    requests
        .into_iter()
        .map(|request| request.command)
        .collect()
}

#[test]
fn commands_on_a_slow_line_do_not_wait_for_a_ping() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pings");
    let mut place = with_faults("delay-ms 505");
    place.line.bytes = Some(path.clone());
    let client = place.client().unwrap();
    let still = Command::Pace(Pace::Free { permille: 0 });
    client.request(still.clone()).unwrap();
    let asked = [Command::Digest, Command::Status, Command::Legal];
    for command in &asked {
        // The time that a program may take before its next request.
        std::thread::sleep(Duration::from_millis(30));
        client.request(command.clone()).unwrap();
    }
    let requests = requests(&std::fs::read_to_string(&path).unwrap());
    // The first request is a ping.
    assert_eq!(requests[0], Command::Ping);
    let first = requests.iter().position(|command| *command == still);
    assert_eq!(requests[first.unwrap() + 1..], asked);
}

/// A line of a program that stops running for a while after it has sent something, on
/// both its sending and its receiving side.
struct Dozing {
    inner: Box<dyn Link>,
    /// True if it stops at the next send.
    is_tired: Arc<AtomicBool>,
    is_asleep: Arc<AtomicBool>,
}

/// A dial whose lines fall silent.
struct DozingDial {
    inner: Box<dyn Dial>,
    is_tired: Arc<AtomicBool>,
}

const PATIENCE_MS: u64 = 1_000;

impl Dial for DozingDial {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        Ok(Box::new(Dozing {
            inner: self.inner.dial()?,
            is_tired: Arc::clone(&self.is_tired),
            is_asleep: Arc::default(),
        }))
    }
}

impl Link for Dozing {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let dozes = self.is_tired.swap(false, Ordering::AcqRel);
        self.is_asleep.store(dozes, Ordering::Release);
        self.inner.send(bytes)?;
        if dozes {
            std::thread::sleep(Duration::from_millis(PATIENCE_MS * 3 / 2));
            self.is_asleep.store(false, Ordering::Release);
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let received = self.inner.receive(buffer, timeout);
        let slept = self.is_asleep.load(Ordering::Acquire);
        while self.is_asleep.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if slept {
            // The receiving side wakes slightly later than the sender.
            std::thread::sleep(Duration::from_millis(5));
        }
        received
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(Dozing {
            inner: self.inner.try_clone()?,
            is_tired: Arc::clone(&self.is_tired),
            is_asleep: Arc::clone(&self.is_asleep),
        }))
    }
}

/// A client whose program stops after each send from now on.
fn tired_client() -> Client {
    let is_tired = Arc::new(AtomicBool::new(false));
    let dial = DozingDial {
        inner: Where::new(At::Virtual).dial().unwrap(),
        is_tired: Arc::clone(&is_tired),
    };
    let options = ClientOptions {
        timeout_ms: PATIENCE_MS,
        ..ClientOptions::default()
    };
    let client = Client::open(Box::new(dial), options).unwrap();
    is_tired.store(true, Ordering::Release);
    client
}

#[test]
fn an_answer_that_arrived_while_suspended_is_found() {
    let client = tired_client();
    client.request(Command::Status).unwrap();
    assert_eq!(client.view().counters.reconnects, 0);
}

/// More commands than a person could ever give meanwhile.
const MANY: usize = 500;

#[test]
fn queued_commands_are_done_in_order() {
    let client = tired_client();
    let posted = (0..MANY).map(|_| client.post(Command::Status));
    let posted: Vec<_> = posted.collect::<Result<_, _>>().unwrap();
    let numbers: Vec<u32> = posted
        .iter()
        .map(|answer| answer.recv().unwrap().unwrap().number)
        .collect();
    let are_in_order = numbers
        .windows(2)
        .all(|pair| (pair[1].wrapping_sub(pair[0]) as i32) > 0);
    assert!(are_in_order, "{numbers:?}");
}

/// Together the commands take longer than the time limit, but the last one is not late.
#[test]
fn the_timeout_of_a_command_starts_with_its_turn() {
    let mut place = with_faults("delay-ms 150");
    place.line.timeout_ms = 1_500;
    let client = place.client().unwrap();
    let posted = (0..9).map(|_| client.post(Command::Status));
    let posted: Vec<_> = posted.collect::<Result<_, _>>().unwrap();
    for (n, answer) in posted.iter().enumerate() {
        let answer = answer.recv().unwrap();
        assert!(answer.is_ok(), "{n}: {answer:?}");
    }
    assert_eq!(client.view().counters.reconnects, 0);
}

/// A link to a board that is switched on just after the host's hello: the board misses
/// it, and sends its own hello.
struct JustOn;

impl Dial for JustOn {
    fn name(&self) -> &str {
        "a board that was just switched on"
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        let (ours, mut theirs) = Loopback::pair();
        std::thread::spawn(move || {
            let mut bytes = [0; 512];
            while matches!(theirs.receive(&mut bytes, ROUND), Ok(0)) {}
            // These messages are lost on the line.
            let identity = Identity {
                board: "late",
                boot: 0,
                sensors: false,
            };
            let board = AnyBoard::new(Layout::MALDOO, 0).unwrap();
            let mut device = Device::new(board, identity, vec![0; SNAPSHOT_BYTES]);
            let mut fresh = 0..0;
            loop {
                let output = device.output().to_vec();
                if !output.is_empty() && theirs.send(&output).is_err() {
                    return;
                }
                device.sent(output.len());
                if fresh.is_empty() {
                    let Ok(count) = theirs.receive(&mut bytes, ROUND) else {
                        return;
                    };
                    fresh = 0..count;
                }
                fresh.start += device.feed(&bytes[fresh.clone()]);
            }
        });
        Ok(Box::new(ours))
    }
}

/// How long a board listens before it checks whether it has something to send.
const ROUND: Duration = Duration::from_millis(1);

#[test]
fn a_board_that_missed_the_hello_is_greeted_again() {
    let client = Client::open(Box::new(JustOn), ClientOptions::default()).unwrap();
    client.request(Command::Status).unwrap();
    assert_eq!(&*client.view().hello.board, "late");
    assert_eq!(client.view().counters.reconnects, 0);
    let lost = |happening: Happening| matches!(happening, Happening::Lost(_));
    assert!(!client.happenings().try_iter().any(lost));
}

#[test]
fn a_board_with_real_contacts_refuses_faults() {
    let client = Client::open(Box::new(JustOn), ClientOptions::default()).unwrap();
    let refused = client.inject_faults(faults("stuck d4").0).unwrap_err();
    let sentence = refused.to_string();
    assert!(sentence.contains("are not simulated"), "{sentence}");
    client.request(Command::Status).unwrap();
}

#[test]
fn a_state_is_saved_and_loaded_over_a_line() {
    let mut board = Where::new(At::Virtual).open().unwrap();
    let layout = Layout::grid(16, 16).unwrap();
    board.carry_out(&Deed::Reset { seed: 9, layout }).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 500).unwrap();
    let (state, digest) = (board.save().unwrap(), board.digest().unwrap());
    let layout = Layout::MALDOO;
    board.carry_out(&Deed::Reset { seed: 1, layout }).unwrap();
    board.load(&state).unwrap();
    assert_eq!(board.layout(), Layout::grid(16, 16).unwrap());
    assert_eq!(board.tick(), 500);
    assert_eq!(board.digest().unwrap(), digest);
    assert!(matches!(
        board.load(&[1, 2, 3]),
        Err(DriverError::Refused(_))
    ));
}

/// A dial that knows why its lines end.
struct Knowing(Box<dyn Dial>);

impl Dial for Knowing {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        self.0.dial()
    }

    fn why_ended(&mut self) -> Option<String> {
        Some("the program of the board ended".to_owned())
    }
}

#[test]
fn the_reason_for_a_lost_line_comes_from_its_dial() {
    let mut place = Where::new(At::Virtual);
    place.line.faults = faults("seed 5, cut-ppm 2000");
    let dial = Knowing(place.dial().unwrap());
    let client = Client::open(Box::new(dial), ClientOptions::default()).unwrap();
    let mut board = RemoteDriver::over(client).unwrap();
    let mut remarks = Vec::new();
    while remarks.is_empty() {
        board.step(&[], 1).unwrap();
        remarks.extend(board.take_remarks());
    }
    assert_eq!(
        remarks.first().map(String::as_str),
        Some("the program of the board ended"),
        "{remarks:?}"
    );
}
