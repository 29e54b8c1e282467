//! Free-running boards, and lines that break: at whatever byte the line ends, the
//! host finds the board again, and the twin agrees.

use std::time::{Duration, Instant};

use firmware_core::Rng;
use protocol::{Button, Command, Deed, Done, Event, Input, Pace, Point, Settings};
use touchboard_host::happening::{Happening, MetRun};
use touchboard_host::twin::Followed;
use touchboard_host::{CoreDriver, Driver, DriverError, Twin};
use touchboard_links::client::LineState;
use touchboard_links::{At, Client, Where};
use virtual_board::FaultOptions;

/// Parses faults.
fn faults(text: &str) -> FaultOptions {
    FaultOptions(text.parse().unwrap())
}

fn cut_after(bytes: u64) -> Where {
    let mut place = Where::new(At::Virtual);
    place.line.timeout_ms = 20_000;
    place.line.faults = faults(&format!("cut-after {bytes}"));
    place
}

/// The observations while a twin followed.
#[derive(Debug, Default)]
struct Seen {
    lost: u32,
    snapshots: u32,
    agreed: u32,
}

/// Passes all happenings to the twin. Requests a snapshot when the twin is lost, and each
/// time that the line was.
fn follow(client: &Client, twin: &mut Twin, seen: &mut Seen) {
    while let Ok(happening) = client.happenings().try_recv() {
        match &happening {
            Happening::Lost(_) => seen.lost += 1,
            Happening::Snapshot { .. } => seen.snapshots += 1,
            _ => {}
        }
        let followed = twin.follow(&happening);
        let again = matches!(happening, Happening::Connected { .. });
        match followed {
            Followed::Agreed(_) => seen.agreed += 1,
            Followed::Differs { .. } => panic!("{followed:?}"),
            Followed::Lost => client.resync().unwrap(),
            Followed::Along if again => client.resync().unwrap(),
            Followed::Along => {}
        }
    }
}

/// Puts the board into lockstep, and compares.
fn agree_now(client: &Client, twin: &mut Twin, seen: &mut Seen) {
    client
        .request(Command::Pace(Pace::Free { permille: 0 }))
        .unwrap();
    let reply = client.request(Command::Digest).unwrap();
    follow(client, twin, seen);
    let Ok(Done::Digest(digest)) = reply.result else {
        panic!("{reply:?}");
    };
    assert_eq!(
        twin.compare(reply.tick, digest),
        Followed::Agreed(reply.tick)
    );
    let board = twin.board().unwrap();
    assert_eq!(&client.view().frame, board.frame());
    client
        .request(Command::Pace(Pace::Free { permille: 1_000 }))
        .unwrap();
}

/// Touches random points of a free-running board, and follows it.
fn play(client: &Client, twin: &mut Twin, seen: &mut Seen, touches: u32) {
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    let settings = Settings {
        level: 1,
        ..Settings::default()
    };
    client
        .request(Command::Do(Deed::Settings(settings)))
        .unwrap();
    for input in start {
        client.request(Command::Do(Deed::Input(input))).unwrap();
    }
    let mut rng = Rng::new(3);
    for _ in 0..touches {
        let point = Point(rng.below(81) as u8);
        for input in [Input::Touch(point), Input::Release(point)] {
            client.request(Command::Do(Deed::Input(input))).unwrap();
        }
        std::thread::sleep(Duration::from_millis(rng.below(6).into()));
        follow(client, twin, seen);
    }
}

#[test]
fn the_twin_of_a_free_running_board_agrees() {
    let client = Where::new(At::Virtual).client().unwrap();
    let (mut twin, mut seen) = (Twin::new(), Seen::default());
    client.resync().unwrap();
    follow(&client, &mut twin, &mut seen);
    // Ten times real time.
    client
        .request(Command::Pace(Pace::Free { permille: 10_000 }))
        .unwrap();
    play(&client, &mut twin, &mut seen, 100);
    agree_now(&client, &mut twin, &mut seen);
    let patience = Instant::now() + Duration::from_secs(60);
    while seen.agreed == 0 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
        follow(&client, &mut twin, &mut seen);
    }
    assert!(seen.agreed > 0, "the board tells its digest by itself");
    assert_eq!(seen.lost, 0);
}

/// Plays on a board whose line is cut once, after these bytes, and compares.
fn agrees_after_cut(place: &Where, bytes: u64) {
    let client = place.client().unwrap();
    let (mut twin, mut seen) = (Twin::new(), Seen::default());
    follow(&client, &mut twin, &mut seen);
    play(&client, &mut twin, &mut seen, 40);
    agree_now(&client, &mut twin, &mut seen);
    assert!(seen.snapshots > 0, "cut after {bytes} bytes");
    assert_eq!(client.view().link, LineState::Connected);
}

/// From the first byte of the hello to the middle of a game. Every byte of every exchange
/// is tried in virtual time, in the tests of the conversation.
fn some_bytes() -> impl Iterator<Item = u64> {
    (0..160).step_by(23).chain((160..4_000).step_by(557))
}

#[test]
fn a_line_cut_at_any_byte_reconnects_and_the_twin_agrees() {
    for bytes in some_bytes() {
        agrees_after_cut(&cut_after(bytes), bytes);
    }
}

#[test]
fn a_socket_cut_at_any_byte_reconnects_and_the_twin_agrees() {
    let board = virtual_board::spawn(virtual_board::Options {
        no_pty: true,
        tcp: Some("127.0.0.1:0".parse().unwrap()),
        ..virtual_board::Options::default()
    });
    let address = board.as_ref().unwrap().tcp.unwrap();
    for bytes in some_bytes() {
        let mut place = cut_after(bytes);
        place.at = At::Tcp(address.to_string());
        agrees_after_cut(&place, bytes);
    }
}

#[test]
fn a_cut_line_makes_no_difference_in_lockstep() {
    for bytes in (0..200).step_by(29).chain((200..3_000).step_by(479)) {
        let mut board = cut_after(bytes).open().unwrap();
        let mut twin = CoreDriver::new(board.layout(), 0).unwrap();
        for number in 0..30_u8 {
            let inputs = match number % 10 {
                0 => vec![Input::Press(Button::Start), Input::Lift(Button::Start)],
                _ => vec![Input::Touch(Point(number)), Input::Release(Point(number))],
            };
            twin.step(&inputs, 100).unwrap();
            let digest = board.step_and_digest(&inputs, 100).unwrap();
            assert_eq!(digest, twin.digest().unwrap(), "cut after {bytes} bytes");
            assert_eq!(board.take_events(), twin.take_events());
            assert_eq!(board.frame(), twin.frame());
        }
    }
}

#[test]
fn a_firmware_panic_is_reported_and_the_board_found_again() {
    let client = Where::new(At::Virtual).client().unwrap();
    let (mut twin, mut seen) = (Twin::new(), Seen::default());
    follow(&client, &mut twin, &mut seen);
    let error = client.request(Command::Crash).unwrap_err();
    assert!(
        matches!(&error, DriverError::Panicked(words) if words.contains("host")),
        "{error}"
    );
    client.request(Command::Ping).unwrap();
    follow(&client, &mut twin, &mut seen);
    assert_eq!(seen.lost, 1);
    play(&client, &mut twin, &mut seen, 5);
    agree_now(&client, &mut twin, &mut seen);
}

#[test]
fn a_restarted_board_differs_from_a_first_meeting() {
    let client = Where::new(At::Virtual).client().unwrap();
    let board = client.view().hello;
    let before = loop {
        let tick = client.request(Command::Ping).unwrap().tick;
        if tick > 0 {
            break tick;
        }
    };
    client.request(Command::Crash).unwrap_err();
    client.request(Command::Ping).unwrap();
    let mut runs = Vec::new();
    let mut remarks = Vec::new();
    for happening in client.happenings().try_iter() {
        remarks.extend(happening.remark());
        if let Happening::Connected { hello, run, .. } = happening {
            runs.push((hello.boot == board.boot, run));
        }
    }
    let &[
        (true, MetRun::First),
        (false, MetRun::Anew { before: told }),
    ] = &runs[..]
    else {
        panic!("{runs:?}");
    };
    assert!(told >= before, "{told} is not after {before}");
    let [lost, anew] = &remarks[..] else {
        panic!("{remarks:?}");
    };
    assert!(lost.contains("panicked"), "{lost}");
    let words = format!("the board restarted: its state at tick {told} is lost");
    assert!(anew.starts_with(&words), "{anew}");
}

#[test]
fn a_driver_reports_a_restart_once_and_continues() {
    let mut board = Where::new(At::Virtual).remote().unwrap();
    board.step(&[Input::Press(Button::Start)], 500).unwrap();
    board.take_events();
    board.client().request(Command::Crash).unwrap_err();
    board.client().request(Command::Ping).unwrap();
    // An input for the game before the restart.
    let error = board.step(&[Input::Touch(Point(0))], 100).unwrap_err();
    assert!(matches!(error, DriverError::Panicked(_)), "{error}");
    let error = board.step(&[Input::Touch(Point(0))], 100).unwrap_err();
    assert!(matches!(error, DriverError::Restarted(_)), "{error}");
    assert_eq!(board.take_events(), [], "nothing happened on the new one");
    let held = board.tick();
    board.step(&[], 100).unwrap();
    assert_eq!(board.tick(), held + 100, "its time is held");
    assert_eq!(board.take_remarks().len(), 2);
}

/// Links in the file system, which only Unix has.
#[cfg(unix)]
mod behind_a_link {
    use std::path::{Path, PathBuf};

    use touchboard_host::DriverError;
    use touchboard_links::Dial;
    use touchboard_links::client::ClientOptions;
    use touchboard_links::link::{Link, Serial};

    use super::*;

    /// The path of a link to a board, which stays when the board changes.
    struct Socket(PathBuf);

    impl Dial for Socket {
        fn name(&self) -> &str {
            "socket"
        }

        fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
            let serial = Serial::open(&self.0.to_string_lossy(), 115_200);
            serial
                .map(|serial| Box::new(serial) as _)
                .map_err(|error| touchboard_links::LinkError::open(error.to_string()))
        }
    }

    #[test]
    fn an_exchanged_board_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board");
        let plug = |path: &Path, seed| {
            let options = virtual_board::Options {
                link: Some(path.into()),
                seed,
                ..virtual_board::Options::default()
            };
            virtual_board::spawn(options).unwrap()
        };
        let first = plug(&path, 1);
        let client =
            Client::open(Box::new(Socket(path.clone())), ClientOptions::default()).unwrap();
        let (mut twin, mut seen) = (Twin::new(), Seen::default());
        follow(&client, &mut twin, &mut seen);
        play(&client, &mut twin, &mut seen, 10);
        drop(first);
        let patience = Instant::now() + Duration::from_secs(60);
        while client.view().link == LineState::Connected && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(matches!(client.view().link, LineState::Lost(_)));
        let _second = plug(&path, 2);
        client.request(Command::Ping).unwrap();
        follow(&client, &mut twin, &mut seen);
        assert_eq!(client.view().hello.seed, 2);
        agree_now(&client, &mut twin, &mut seen);
        assert_eq!(twin.board().unwrap().seed(), 2);
    }
}

#[test]
fn unread_events_are_bounded_and_counted() {
    // The board numbers its events. It forgets those that the host has acknowledged, so
    // it never runs out of room while the client lives.
    let client = Where::new(At::Virtual).client().unwrap();
    for number in 0..200_u8 {
        let point = Point(number % 81);
        for input in [Input::Touch(point), Input::Release(point)] {
            client.request(Command::Do(Deed::Input(input))).unwrap();
        }
    }
    let taken = client.happenings().try_iter();
    let taken = taken.filter(|happening| match happening {
        Happening::Event(event) => matches!(event.event, Event::Taken(_)),
        Happening::Missed => panic!("an event was lost"),
        _ => false,
    });
    assert_eq!(taken.count(), 400);
}

/// The whole way in real time: fingers, a key matrix with bouncing contacts, debouncing,
/// inputs, a line that loses bytes, and the twin.
#[test]
fn a_board_with_bouncing_keys_agrees_with_its_twin() {
    let board = virtual_board::spawn(virtual_board::Options {
        no_pty: true,
        tcp: Some("127.0.0.1:0".parse().unwrap()),
        faults: faults("seed 9, bounce-ms 4, ghosting, dead a1, drop-ppm 500"),
        ..virtual_board::Options::default()
    })
    .unwrap();
    let client = Where::new(At::Tcp(board.tcp.unwrap().to_string()))
        .client()
        .unwrap();
    let mut twin = Twin::default();
    let mut seen = Seen::default();
    client.resync().unwrap();
    follow(&client, &mut twin, &mut seen);
    let names = ["start", "d3", "c3", "c4", "e3", "f4", "a1", "d6"];
    for name in names {
        board.fingers.line(&format!("press {name} 12")).unwrap();
    }
    // Presses and releases all keys except the dead one, with the timing of fingers.
    let mut taken = Vec::new();
    let give_up = Instant::now() + Duration::from_secs(60);
    while taken.len() < 2 * (names.len() - 1) {
        assert!(Instant::now() < give_up, "{taken:?}");
        let Ok(happening) = client.happenings().recv_timeout(Duration::from_millis(50)) else {
            continue;
        };
        if let Happening::Event(event) = &happening
            && let Event::Taken(input) = event.event
        {
            taken.push(input);
        }
        assert!(!matches!(
            twin.follow(&happening),
            Followed::Differs { .. } | Followed::Lost
        ));
    }
    let layout = client.view().hello.layout;
    let expected = names.into_iter().filter(|name| *name != "a1");
    let expected: Vec<Input> = expected
        .flat_map(|name| match layout.point(name) {
            Ok(point) => [Input::Touch(point), Input::Release(point)],
            Err(_) => [Input::Press(Button::Start), Input::Lift(Button::Start)],
        })
        .collect();
    assert_eq!(taken, expected, "each key once, whatever its contacts did");
    agree_now(&client, &mut twin, &mut seen);
}
