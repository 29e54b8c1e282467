//! Faults that a host sets on a board at the end of a line while it runs.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use firmware_core::Faults;
use protocol::{Command, Deed, Event, Input, Layout, Point, Reply};
use tempfile::TempDir;
use touchboard_host::happening::Happening;
use touchboard_host::session::{Session, SessionEntry, SessionItem};
use touchboard_host::{CoreDriver, Driver, DriverError, Recorder, Twin};
use touchboard_links::at::Where;
use touchboard_links::{Client, SessionInFile};
use virtual_board::{Options, Running, spawn};

use crate::common::{at, printed, refusal, switch_on};

/// Only ends a test that would otherwise wait for ever.
const PATIENCE: Duration = Duration::from_secs(60);

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).unwrap()
}

/// A board that listens at a socket.
fn at_socket() -> (Running, String) {
    let board = spawn(Options {
        no_pty: true,
        tcp: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
        ..Options::default()
    });
    let board = board.unwrap();
    let at = format!("tcp:{}", board.tcp.unwrap());
    (board, at)
}

/// A program that follows a board and records it.
struct Follower {
    client: Client,
    twin: Twin,
    recorder: Option<Recorder>,
}

impl Follower {
    fn begin(place: &Where) -> Follower {
        let client = place.client().unwrap();
        client.resync().unwrap();
        Follower {
            client,
            twin: Twin::new(),
            recorder: None,
        }
    }

    /// Follows the board until this happens, and returns what happened.
    fn until(&mut self, is_it: impl Fn(&Happening) -> bool) -> Vec<Happening> {
        let (mut all, began) = (Vec::new(), Instant::now());
        while !all.last().is_some_and(&is_it) {
            assert!(began.elapsed() < PATIENCE, "{all:?}");
            let Ok(happening) = self.client.happenings().recv_timeout(PATIENCE) else {
                continue;
            };
            let followed = self.twin.follow(&happening);
            match (&mut self.recorder, &happening) {
                (Some(recorder), _) => {
                    let recorded = recorder.record_happening(&happening, followed, &self.twin);
                    recorded.unwrap();
                }
                (None, Happening::Snapshot { state, .. }) => {
                    let hello = self.client.view().hello;
                    let recorder = Recorder::of_board(&hello, state, &self.twin, "");
                    self.recorder = Some(recorder);
                }
                (None, _) => {}
            }
            all.push(happening);
        }
        all
    }

    fn inject(&self, faults: &str) -> Result<Reply, DriverError> {
        self.client.inject_faults(faults.parse().unwrap())
    }

    /// Clicks on a point, and follows the board until that was felt. Returns what the
    /// contacts did.
    fn click(&mut self, name: &str, felt: &str) -> Vec<Input> {
        let click = [Input::Touch(point(name)), Input::Release(point(name))];
        self.client.request(Command::fingers(click)).unwrap();
        let last = Event::Taken(Input::Release(point(felt)));
        let is_last =
            |told: &Happening| matches!(told, Happening::Event(told) if told.event == last);
        let contacts = |told| match told {
            Happening::Event(told) => match told.event {
                Event::Contact(contact) => Some(contact),
                _ => None,
            },
            _ => None,
        };
        let all = self.until(is_last);
        all.into_iter().filter_map(contacts).collect()
    }
}

#[test]
fn contacts_bounce_and_die_live_and_the_recording_replays() {
    let board = switch_on(Options::default());
    let mut follower = Follower::begin(&Where::new(at(&board).parse().unwrap()));
    assert_eq!(follower.click("d4", "d4").len(), 2, "a sound contact");
    follower.inject("seed 4, bounce-ms 9, dead e5").unwrap();
    follower.client.post_faults().unwrap();
    let told = follower.until(|told| matches!(told, Happening::Faults { .. }));
    let Some(Happening::Faults { faults, .. }) = told.last() else {
        unreachable!();
    };
    assert_eq!(faults.to_string(), "seed 4, dead e5, bounce-ms 9");
    let bounces = follower.click("d4", "d4");
    assert!(bounces.len() > 2, "{bounces:?}");
    let click = [Input::Touch(point("e5")), Input::Release(point("e5"))];
    follower.client.request(Command::fingers(click)).unwrap();
    let contacts = follower.click("f6", "f6");
    assert!(
        contacts.iter().all(|contact| !click.contains(contact)),
        "{contacts:?}"
    );
    follower.inject("none").unwrap();
    follower.click("e5", "e5");
    // A digest, with which the twin agrees.
    follower.until(
        |told| matches!(told, Happening::Event(told) if matches!(told.event, Event::Digest(_))),
    );
    let recorder = follower.recorder.as_ref().unwrap();
    let session = recorder.session(recorder.last_tick());
    let mut sound = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    let mismatch = session.replay(&mut sound, &mut |_| ()).unwrap();
    assert!(mismatch.is_none(), "{mismatch:?}");
    let touches =
        |entry: &&SessionEntry| matches!(entry.item, SessionItem::Do(Deed::Input(Input::Touch(_))));
    assert_eq!(session.entries.iter().filter(touches).count(), 4);
}

#[test]
fn the_shell_breaks_a_board_at_a_socket() {
    let (_board, at) = at_socket();
    let place = Where::new(at.parse().unwrap());
    let mut driver = place.open().unwrap();
    let faults = "stuck d4, drop-ppm 5".parse().unwrap();
    driver.set_faults(faults).unwrap();
    driver.step(&[], 20).unwrap();
    let taken = Event::Taken(Input::Touch(point("d4")));
    assert!(driver.take_events().iter().any(|told| told.event == taken));
    let wrong = driver.set_faults("stuck z9".parse().unwrap());
    assert!(wrong.unwrap_err().to_string().contains("has no z9"));
}

#[test]
fn a_recording_notes_the_faults_of_its_options() {
    let (_board, at) = at_socket();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("bad.session");
    let name = file.to_string_lossy().into_owned();
    let record = ["record", &name, "--at", &at, "--for-ms", "300"];
    printed(&[&record[..], &["--fault-bounce-ms", "3"]].concat());
    let session = Session::load(&file).unwrap();
    let faults = session.recorded_faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].faults.to_string(), "seed 0, bounce-ms 3");
    let impossible = [&record[..], &["--fault-stuck", "z9"]].concat();
    assert!(refusal(&impossible).contains("cannot have these faults"));
}

#[test]
fn a_recording_notes_faults_that_board_and_line_already_have() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("bad.session");
    let name = file.to_string_lossy().into_owned();
    let noted = |more: &[&str]| {
        let record = ["record", &name, "--for-ms", "300"];
        printed(&[&record[..], more].concat());
        let faults = Session::load(&file).unwrap().recorded_faults();
        let words = faults.into_iter().map(|known| known.faults.to_string());
        words.collect::<Vec<_>>()
    };
    let own = ["--at", "virtual", "--fault-seed", "4"];
    let bad = ["--fault-bounce-ms", "3", "--fault-delay-ms", "2"];
    let own = noted(&[&own[..], &bad].concat());
    assert_eq!(own, ["seed 4, delay-ms 2, bounce-ms 3"]);
    assert_eq!(noted(&["--at", "virtual"]), [""; 0]);

    let faults: Faults = "seed 9, dead e5".parse().unwrap();
    let started_so = switch_on(Options {
        faults: faults.into(),
        ..Options::default()
    });
    let there = noted(&["--at", &at(&started_so), "--fault-delay-ms", "2"]);
    assert_eq!(there, ["seed 9, delay-ms 2, dead e5"]);
}

#[test]
fn a_relay_refuses_faults_that_only_a_client_can_set() {
    let relay = ["watch-line", "--relay", "0", "--at", "tcp:127.0.0.1:9"];
    let said = refusal(&[&relay[..], &["--fault-stuck", "d4"]].concat());
    assert!(said.contains("its faults cannot be set"), "{said}");
}
