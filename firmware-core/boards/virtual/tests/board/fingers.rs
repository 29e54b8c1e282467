//! Fingers on the virtual board's own key matrix.

use std::io::Write;
use std::net::TcpStream;
use std::process::{Command as Program, Stdio};
use std::time::{Duration, Instant};

use protocol::{Button, Command, Done, Event, Input, Layout, Pace, Point, Refusal};
use small_host::Host;
use virtual_board::{FaultOptions, Options, Running, spawn};

fn with(faults: &str) -> Running {
    spawn(Options {
        no_pty: true,
        tcp: Some("127.0.0.1:0".parse().expect("an address")),
        faults: FaultOptions(faults.parse().expect("they are faults")),
        ..Options::default()
    })
    .expect("a board")
}

fn at(address: impl std::net::ToSocketAddrs) -> Host<TcpStream> {
    let stream = TcpStream::connect(address).expect("it accepts");
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .expect("a socket can");
    let mut host = Host::new(stream);
    host.hello();
    host
}

/// The first `count` inputs that the board takes.
fn taken(host: &mut Host<TcpStream>, count: usize) -> Vec<Input> {
    let give_up = Instant::now() + Duration::from_secs(60);
    loop {
        let inputs = host
            .events
            .iter()
            .filter_map(|stamped| match stamped.event {
                Event::Taken(input) => Some(input),
                _ => None,
            });
        let inputs: Vec<Input> = inputs.take(count).collect();
        if inputs.len() == count {
            return inputs;
        }
        assert!(Instant::now() < give_up, "it took {inputs:?}");
        host.listen(Duration::from_millis(5));
    }
}

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).expect("a point")
}

#[test]
fn bouncing_fingers_are_single_touches_in_their_order() {
    let board = with("seed 4, bounce-ms 4, dead c3");
    let mut host = at(board.tcp.expect("it listens"));
    for line in ["press d4", "press c3", "press start 30", "down e5"] {
        board.fingers.line(line).expect("it is understood");
    }
    let expected = [
        Input::Touch(point("d4")),
        Input::Release(point("d4")),
        Input::Press(Button::Start),
        Input::Lift(Button::Start),
        Input::Touch(point("e5")),
    ];
    assert_eq!(taken(&mut host, expected.len()), expected);
}

#[test]
fn a_fault_comes_and_goes_while_the_board_runs() {
    let board = with("none");
    let mut host = at(board.tcp.expect("it listens"));
    board.fingers.line("fault stuck d4").expect("it has d4");
    assert_eq!(taken(&mut host, 1), [Input::Touch(point("d4"))]);
    board
        .fingers
        .line("fault none")
        .expect("its faults are cleared");
    assert_eq!(taken(&mut host, 2)[1], Input::Release(point("d4")));
}

/// Sends the text of faults, and returns the answer.
fn break_by_request(host: &mut Host<TcpStream>, text: &str) -> Result<Done, Refusal> {
    let write = Command::Write {
        offset: 0,
        bytes: text.bytes().collect(),
    };
    assert_eq!(host.request(write), Ok(Done::Done));
    let length = text.len() as u16;
    host.request(Command::Break { length })
}

/// The text of the faults that the board tells.
fn told_faults(host: &mut Host<TcpStream>) -> String {
    match host.request(Command::Faults) {
        Ok(Done::Chunk { bytes, .. }) => String::from_utf8(bytes.to_vec()).expect("a text"),
        other => panic!("no text: {other:?}"),
    }
}

#[test]
fn a_host_breaks_and_mends_contacts_while_the_board_runs() {
    let board = with("dead c3");
    let mut host = at(board.tcp.expect("it listens"));
    assert_eq!(told_faults(&mut host), "seed 0, dead c3");
    let refused = break_by_request(&mut host, "stuck z9");
    assert_eq!(refused, Err(Refusal::Faults));
    let set = break_by_request(&mut host, "seed 4, stuck d4");
    assert_eq!(set, Ok(Done::Done));
    assert_eq!(taken(&mut host, 1), [Input::Touch(point("d4"))]);
    board.fingers.line("fault dead e5").expect("it adds one");
    assert_eq!(break_by_request(&mut host, "none"), Ok(Done::Done));
    assert_eq!(taken(&mut host, 2)[1], Input::Release(point("d4")));
    assert_eq!(told_faults(&mut host), "none");
}

#[test]
fn a_power_failure_by_request_happens_once() {
    let board = with("none");
    let mut host = at(board.tcp.expect("it listens"));
    let first = host.hello();
    let set = break_by_request(&mut host, "bounce-ms 3, brown-out-after-ms 1");
    assert_eq!(set, Ok(Done::Done));
    host.hello_after(&first);
    assert_eq!(told_faults(&mut host), "seed 0, bounce-ms 3");
    // A line that is typed later does not repeat it either.
    board.fingers.line("fault stuck d4").expect("it adds one");
    assert_eq!(taken(&mut host, 1), [Input::Touch(point("d4"))]);
    let both = "seed 0, stuck d4, bounce-ms 3";
    assert_eq!(told_faults(&mut host), both);
}

/// Only the host that controls the board's time touches it.
#[test]
fn lockstep_ignores_fingers_until_it_ends() {
    let board = with("none");
    let mut host = at(board.tcp.expect("it listens"));
    assert_eq!(host.request(Command::Pace(Pace::Lockstep)), Ok(Done::Done));
    board.fingers.put(Input::Touch(point("d4")));
    host.step(&[Input::Touch(point("e5"))], 1_000);
    host.step(&[Input::Release(point("e5"))], 1_000);
    let true_speed = Command::Pace(Pace::Free { permille: 1_000 });
    assert_eq!(host.request(true_speed), Ok(Done::Done));
    let [e5, d4] = ["e5", "d4"].map(|name| Input::Touch(point(name)));
    let lifted = Input::Release(point("e5"));
    assert_eq!(taken(&mut host, 3), [e5, lifted, d4]);
}

#[test]
fn a_power_failure_starts_another_run_of_the_board() {
    let board = with("brown-out-after-ms 300");
    let mut host = at(board.tcp.expect("it listens"));
    let first = host.hello();
    let second = host.hello_after(&first);
    assert_eq!(host.panic, None, "it had no time for last words");
    host.listen(Duration::from_millis(400));
    assert_eq!(host.hello().boot, second.boot, "it failed once");
}

#[test]
fn an_impossible_fault_is_refused_before_the_board_starts() {
    for (fault, words) in [
        (
            "stuck z9",
            "a 9x9 board has no z9: name a point that it has",
        ),
        ("dead-led d4", "a virtual board has no lamps of its own"),
    ] {
        let refused = spawn(Options {
            no_pty: true,
            faults: FaultOptions(fault.parse().expect("a fault")),
            ..Options::default()
        });
        let sentence = refused.expect_err("it is refused").to_string();
        assert!(sentence.starts_with(words), "{sentence}");
    }
}

#[test]
fn typed_lines_move_fingers_and_bad_lines_get_a_sentence() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = port.local_addr().expect("it has one");
    drop(port);
    let mut board = Program::new(env!("CARGO_BIN_EXE_virtual-board"))
        .args(["--fingers", "--no-pty", "--fault-bounce-ms", "3"])
        .arg(format!("--tcp={address}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut output = std::io::BufReader::new(board.stdout.take().expect("it is piped"));
    let mut said = String::new();
    std::io::BufRead::read_line(&mut output, &mut said).expect("it says where it is");
    let mut host = at(address);
    let mut fingers = board.stdin.take().expect("it is piped");
    fingers
        .write_all(b"press start\ndown z9\nwave\n\npress d3 25\nfault stuck e5\n")
        .expect("it reads");
    let expected = [
        Input::Press(Button::Start),
        Input::Lift(Button::Start),
        Input::Touch(point("d3")),
        Input::Release(point("d3")),
        Input::Touch(point("e5")),
    ];
    assert_eq!(taken(&mut host, expected.len()), expected);
    board.kill().expect("it runs");
    let output = board.wait_with_output().expect("it ended");
    let errors = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = errors.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("this board has a1 to i9"), "{errors:?}");
    assert!(errors[1].contains("write `down d4`"), "{errors:?}");
}
