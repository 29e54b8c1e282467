//! A virtual board over a real pseudo-terminal and a real socket.

use std::io::{Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::path::PathBuf;
use std::time::{Duration, Instant};

use firmware_core::AnyBoard;
use protocol::{
    Button, Command, Deed, Done, Event, Input, Layout, PROTOCOL_VERSION, Pace, Refusal,
    SCHEMA_HASH, Side,
};
#[cfg(unix)]
use serialport::TTYPort;
use small_host::{Host, agrees_with_a_twin};
use virtual_board::{FaultOptions, Options, Running, spawn};

/// The number of attempts in which a board can show that it keeps time.
const TRIES: u32 = 6;

#[cfg(unix)]
fn at_pty(board: &Running) -> Host<TTYPort> {
    let path = board.path.as_ref().expect("there is a pseudo-terminal");
    let port = serialport::new(path.to_string_lossy(), 115_200)
        .timeout(Duration::from_millis(20))
        .open_native()
        .expect("the pseudo-terminal opens");
    Host::new(port)
}

fn at_tcp(board: &Running) -> Host<TcpStream> {
    let stream = TcpStream::connect(board.tcp.expect("it listens")).expect("it accepts");
    stream.set_nodelay(true).expect("a socket can");
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .expect("a socket can");
    Host::new(stream)
}

/// Parses faults as they are written on the command line.
fn faults(text: &str) -> FaultOptions {
    FaultOptions(text.parse().expect("they are faults"))
}

fn with_tcp() -> Options {
    Options {
        no_pty: true,
        tcp: Some("127.0.0.1:0".parse().expect("an address")),
        ..Options::default()
    }
}

#[cfg(unix)]
#[test]
fn a_board_at_a_pseudo_terminal_agrees_with_its_twin() {
    let board = spawn(Options::default()).expect("a board");
    let layout = Layout::grid(8, 8).expect("a layout");
    agrees_with_a_twin(&mut at_pty(&board), layout);
}

#[test]
fn a_board_at_a_socket_becomes_any_layout() {
    let board = spawn(with_tcp()).expect("a board");
    for (columns, rows) in [(16, 16), (1, 1), (9, 9)] {
        let layout = Layout::grid(columns, rows).expect("a layout");
        agrees_with_a_twin(&mut at_tcp(&board), layout);
    }
}

#[test]
fn a_host_of_another_version_gets_a_hello_only() {
    let board = spawn(with_tcp()).expect("a board");
    let mut host = at_tcp(&board);
    for (version, schema) in [
        (PROTOCOL_VERSION + 1, SCHEMA_HASH),
        (PROTOCOL_VERSION, !SCHEMA_HASH),
    ] {
        let hello = host.hello_of(version, schema);
        assert_eq!(
            (hello.version, hello.schema),
            (PROTOCOL_VERSION, SCHEMA_HASH)
        );
        assert_eq!(host.request(Command::Ping), Err(Refusal::NotGreeted));
    }
    host.hello();
    assert_eq!(host.request(Command::Ping), Ok(Done::Done));
}

#[cfg(unix)]
#[test]
fn the_board_runs_on_while_hosts_change() {
    let board = spawn(Options {
        tcp: Some("127.0.0.1:0".parse().expect("an address")),
        ..Options::default()
    })
    .expect("a board");
    for _ in 0..3 {
        let mut by_cable = at_pty(&board);
        by_cable.hello();
        assert_eq!(by_cable.request(Command::Ping), Ok(Done::Done));
        drop(by_cable);
        let mut by_net = at_tcp(&board);
        by_net.hello();
        assert_eq!(by_net.request(Command::Ping), Ok(Done::Done));
    }
}

#[test]
fn a_second_host_is_refused_and_the_first_undisturbed() {
    let board = spawn(with_tcp()).expect("a board");
    let mut first = at_tcp(&board);
    let greeted = first.hello();
    for _ in 0..20 {
        let mut second = at_tcp(&board);
        let own = first.line.local_addr().expect("it is connected");
        assert_eq!(second.is_busy_with(), Some(own.to_string()));
        assert_eq!(first.request(Command::Ping), Ok(Done::Done));
    }
    assert_eq!(first.repeated, 0);
    drop(first);
    let mut next = at_tcp(&board);
    assert_eq!(next.hello().boot, greeted.boot, "it went on all the time");
    assert_eq!(next.request(Command::Ping), Ok(Done::Done));
}

#[cfg(unix)]
#[test]
fn a_host_at_one_plug_locks_out_the_other() {
    let board = spawn(Options {
        tcp: Some("127.0.0.1:0".parse().expect("an address")),
        ..Options::default()
    })
    .expect("a board");
    let mut by_cable = at_pty(&board);
    by_cable.hello();
    let plug = board.path.as_ref().expect("there is a pseudo-terminal");
    let who = at_tcp(&board).is_busy_with();
    assert_eq!(who, Some(plug.display().to_string()));
    assert_eq!(by_cable.request(Command::Ping), Ok(Done::Done));
    drop(by_cable);
    let mut by_net = at_tcp(&board);
    by_net.hello();
    let mut by_cable = at_pty(&board);
    by_cable.ask_only(Command::Ping);
    let own = by_net.line.local_addr().expect("it is connected");
    assert_eq!(by_cable.is_busy_with(), Some(own.to_string()));
    assert_eq!(by_net.request(Command::Ping), Ok(Done::Done));
}

/// A dead connection may never be reported.
#[test]
fn a_silent_host_is_replaced_by_the_next() {
    let board = spawn(Options {
        host_silence_ms: 1,
        ..with_tcp()
    })
    .expect("a board");
    let mut silent = at_tcp(&board);
    silent.hello();
    std::thread::sleep(Duration::from_millis(5));
    let mut next = at_tcp(&board);
    next.hello();
    assert_eq!(next.request(Command::Ping), Ok(Done::Done));
    assert!(silent.is_busy_with().is_some());
}

#[test]
fn a_free_board_sends_digests_and_keeps_time() {
    let board = spawn(with_tcp()).expect("a board");
    let mut host = at_tcp(&board);
    host.hello();
    host.request(Command::Pace(Pace::Free { permille: 10_000 }))
        .expect("it can run free");
    // A busy machine may delay the board or this test: it is enough if one of several
    // attempts keeps time.
    let mut tries = (0..TRIES).map(|_| {
        let (before, began) = (host.tick(), Instant::now());
        host.listen(Duration::from_millis(1_500));
        let expected = began.elapsed().as_millis() as f64 * 10.0;
        ((host.tick() - before) as f64, expected)
    });
    let keeps_time = tries.any(|(passed, expected)| (passed - expected).abs() < 1_000.0);
    assert!(keeps_time, "it never runs ten times as fast as the clock");
    host.events.clear();
    let began = Instant::now();
    let give_up = began + Duration::from_secs(60);
    let digests = loop {
        host.listen(Duration::from_millis(1_500));
        let digests = host.events.iter();
        let digests = digests
            .filter(|event| matches!(event.event, Event::Digest(_)))
            .count();
        if digests > 0 {
            break digests;
        }
        assert!(Instant::now() < give_up, "it tells none");
    };
    let most = began.elapsed().as_secs() as usize + 2;
    assert!((1..=most).contains(&digests), "{digests} digests");
}

#[test]
fn a_panic_reaches_the_host_and_restarts_the_board() {
    let board = spawn(with_tcp()).expect("a board");
    let mut host = at_tcp(&board);
    let first = host.hello();
    host.ask_only(Command::Crash);
    host.hello_after(&first);
    assert_eq!(
        host.panic.as_deref(),
        Some("the host asked for it"),
        "its last words were heard"
    );
}

/// With the whole protocol, a bad line makes no difference.
#[test]
fn a_board_at_a_bad_line_agrees_with_its_twin() {
    for seed in 0..2 {
        let board = spawn(Options {
            faults: faults(&format!("seed {seed}, drop-ppm 2000, flip-ppm 2000, duplicate-ppm 2000, stall-ppm 50, stall-ms 20, delay-ms 1")),
            ..with_tcp()
        })
        .expect("a board");
        let mut host = at_tcp(&board);
        agrees_with_a_twin(&mut host, Layout::MALDOO);
        println!("seed {seed}: {} questions repeated", host.repeated);
        assert!(host.repeated > 0, "the line was not bad at all");
    }
}

#[test]
fn a_line_that_is_cut_is_closed_and_can_be_opened_again() {
    let board = spawn(Options {
        faults: faults("cut-after 200"),
        ..with_tcp()
    })
    .expect("a board");
    let mut stream = TcpStream::connect(board.tcp.expect("it listens")).expect("it accepts");
    stream.write_all(&[1; 300]).expect("it is open");
    let mut heard = Vec::new();
    // Whether the socket was closed with unread bytes or not, the connection has ended.
    let _ = stream.read_to_end(&mut heard);
    let mut again = at_tcp(&board);
    again.hello();
    assert_eq!(again.request(Command::Ping), Ok(Done::Done));
}

#[cfg(unix)]
#[test]
fn a_cut_pseudo_terminal_is_replaced_behind_its_link() {
    let link = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cut-board");
    let board = spawn(Options {
        link: Some(link.clone()),
        faults: faults("cut-after 400"),
        ..Options::default()
    })
    .expect("a board");
    let before = std::fs::read_link(&link).expect("there is a link");
    let mut file = std::fs::File::options()
        .write(true)
        .open(&link)
        .expect("it opens");
    file.write_all(&[1; 500]).expect("it is open");
    let give_up = Instant::now() + Duration::from_secs(60);
    // For a moment there is no link at all.
    while !std::fs::read_link(&link).is_ok_and(|now| now != before) {
        assert!(Instant::now() < give_up, "nothing changed");
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut again = at_pty(&board);
    again.hello();
    assert_eq!(again.request(Command::Ping), Ok(Done::Done));
    drop(board);
    assert!(!link.exists(), "the link goes with the board");
}

/// The deliberate defect, which is for testing comparisons, shows at red's first touch in
/// the middle column.
#[test]
fn a_broken_rule_makes_the_digests_differ_at_a_definite_tick() {
    for break_rule in [false, true] {
        let board = spawn(Options {
            break_rule,
            ..with_tcp()
        })
        .expect("a board");
        let mut host = at_tcp(&board);
        host.hello();
        host.request(Command::Pace(Pace::Lockstep))
            .expect("lockstep");
        let reset = Command::Do(Deed::Reset {
            seed: 7,
            layout: Layout::MALDOO,
        });
        host.request(reset).expect("it fits");
        let mut twin = AnyBoard::new(Layout::MALDOO, 7).expect("a layout");
        let mut agrees = |host: &mut Host<TcpStream>, input: Option<Input>| {
            // If no input is given, green makes its first legal move.
            let mut legal = None;
            twin.legal(|point| {
                legal.get_or_insert(Input::Touch(point));
            });
            let input = input.or(legal).expect("green can move");
            host.step(&[input], 1);
            twin.input(input, &mut |_, _| {});
            twin.advance(1, &mut |_, _| {});
            host.request(Command::Digest) == Ok(Done::Digest(twin.digest()))
        };
        let middle = Layout::MALDOO.point("e2").expect("a point");
        assert!(agrees(&mut host, Some(Input::Press(Button::Start))));
        assert!(agrees(&mut host, Some(Input::Touch(middle))), "green's");
        assert!(agrees(&mut host, Some(Input::Release(middle))));
        assert!(agrees(&mut host, None));
        let turn = host.request(Command::Status).map(|done| match done {
            Done::Status(status) => status.turn,
            _ => None,
        });
        assert_eq!(turn, Ok(Some(Side::Red)));
        assert_eq!(agrees(&mut host, Some(Input::Touch(middle))), !break_rule);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_board_removes_its_link() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command as Program, Stdio};

    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().expect("a folder for a while");
        let link = folder.path().join("board");
        let mut board = Program::new(env!("CARGO_BIN_EXE_virtual-board"))
            .arg("--link")
            .arg(&link)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut said = String::new();
        let mut output = BufReader::new(board.stdout.take().expect("it is piped"));
        output.read_line(&mut said).expect("it says where it is");
        assert!(said.starts_with("pty "), "{said}");
        assert!(link.is_symlink());
        let kill = Program::new("kill")
            .args(["-s", signal, &board.id().to_string()])
            .status();
        assert!(kill.expect("kill is there").success());
        assert!(board.wait().expect("it ends").success());
        assert!(!link.is_symlink(), "{signal}");
    }
}
