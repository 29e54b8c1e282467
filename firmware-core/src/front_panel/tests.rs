//! A front panel on a host: contacts that close and bounce, and what it was given to
//! show.

use std::vec;
use std::vec::Vec;

use law::{Judged, Weight, law};
use proptest::collection;
use proptest::prelude::*;
use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{Button, Command, Event, PROTOCOL_VERSION, Pace, Point, Request};
use protocol::{SCHEMA_HASH, StampedEvent, ToDevice, ToHost};

use super::*;
use crate::debounce::STABLE_MS;
use crate::device::Identity;
use crate::faults::{Contacts, Faults};
use crate::stuck_keys::HELD_S;
use crate::{AnyBoard, SNAPSHOT_BYTES};

const LAYOUT: Layout = Layout::MALDOO;
const D4: Point = Point(48);

/// A panel that is busy for `takes_ms` whenever it is given something to show.
struct Bench {
    contacts: Contacts,
    takes_ms: u32,
    busy_ms: u32,
    shown: Vec<Seen>,
    /// True if a contact was closed while the panel was busy.
    felt_meanwhile: bool,
    /// The number of rounds of the loop since the panel was given something.
    turns: u32,
}

impl FrontPanel for Bench {
    fn sample(&mut self, line: ScanLine) -> u16 {
        if line == ScanLine::Buttons {
            self.contacts.bounce();
        }
        let closed = self.contacts.line(line);
        self.felt_meanwhile |= self.busy_ms > 0 && closed != 0;
        closed
    }

    fn is_free(&mut self) -> bool {
        self.busy_ms == 0
    }

    fn show(&mut self, layout: Layout, seen: &Seen) {
        assert_eq!((layout, self.busy_ms), (LAYOUT, 0));
        self.shown.push(seen.clone());
        self.busy_ms = self.takes_ms;
        self.turns = 0;
    }

    fn go_on(&mut self) {
        self.turns += 1;
    }
}

type Own = Device<AnyBoard, Vec<u8>>;

fn device() -> Own {
    let board = AnyBoard::new(LAYOUT, 7).expect("a layout");
    let identity = Identity {
        board: "test",
        boot: 1,
        sensors: true,
    };
    Device::new(board, identity, vec![0; SNAPSHOT_BYTES])
}

/// A panel and its driver.
struct Desk {
    front: Front,
    panel: Bench,
}

fn desk(faults: &str, takes_ms: u32) -> Desk {
    let faults: Faults = faults.parse().expect("faults");
    let panel = Bench {
        contacts: Contacts::new(LAYOUT, &faults),
        takes_ms,
        busy_ms: 0,
        shown: Vec::new(),
        felt_meanwhile: false,
        turns: 0,
    };
    let front = Front::new();
    Desk { front, panel }
}

/// Lets one millisecond of time pass.
fn pass(desk: &mut Desk, device: &mut Own) {
    let Desk { front, panel } = desk;
    panel.busy_ms = panel.busy_ms.saturating_sub(1);
    device.elapse(1);
    front.elapse(panel, device, 1);
}

/// The messages that the device has sent to its host.
fn received(device: &mut Own) -> Vec<ToHost> {
    let mut receiver = wire::Receiver::<MAX_FRAME_BYTES>::new();
    let mut told = Vec::new();
    while !device.output().is_empty() {
        let bytes = device.output().to_vec();
        device.sent(bytes.len());
        for byte in bytes {
            if let Some(Ok(plain)) = receiver.feed(byte) {
                told.push(wire::parse(plain).expect("a message"));
            }
        }
    }
    told
}

fn send(device: &mut Own, message: &ToDevice) {
    let bytes = wire::encoded(message);
    assert_eq!(device.feed(&bytes), bytes.len());
}

fn greet(device: &mut Own) {
    let hello = ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 1,
    };
    send(device, &hello);
    received(device);
}

fn request(device: &mut Own, number: u32, command: Command) {
    let request = Request {
        number,
        seen: 0,
        command,
    };
    send(device, &ToDevice::Request(request));
}

/// The inputs that the board's own sensors reported. An event that is repeated because it
/// was not acknowledged counts once.
fn inputs(told: &[ToHost], next: &mut u32) -> Vec<Input> {
    let mut inputs = Vec::new();
    for message in told {
        if let ToHost::Event(StampedEvent { number, event, .. }) = message
            && *number >= *next
        {
            *next = number + 1;
            if let Event::Taken(input) = event {
                inputs.push(*input);
            }
        }
    }
    inputs
}

/// A device whose host has greeted it.
fn greeted() -> Own {
    let mut device = device();
    greet(&mut device);
    device
}

#[test]
fn a_finger_is_one_input_after_5_ms() {
    let (mut device, mut desk, mut next) = (greeted(), desk("none", 0), 0);
    desk.panel.contacts.finger(Input::Touch(D4));
    for _ in 1..STABLE_MS {
        pass(&mut desk, &mut device);
    }
    assert_eq!(inputs(&received(&mut device), &mut next), []);
    for _ in 0..200 {
        pass(&mut desk, &mut device);
    }
    assert_eq!(
        inputs(&received(&mut device), &mut next),
        [Input::Touch(D4)]
    );
}

#[test]
fn a_stuck_key_is_reported_to_the_host() {
    let (mut device, mut desk) = (greeted(), desk("stuck d4, stuck start", 0));
    let mut logged = Vec::new();
    for _ in 0..u32::from(HELD_S) * 1_000 + 1_500 {
        pass(&mut desk, &mut device);
        logged.extend(
            received(&mut device)
                .into_iter()
                .filter_map(|told| match told {
                    ToHost::Log { text, .. } => Some(text),
                    _ => None,
                }),
        );
    }
    let begins: Vec<&str> = logged
        .iter()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(begins, ["d4", "start"], "{logged:?}");
}

#[test]
fn lockstep_ignores_fingers_and_shows_everything() {
    let (mut device, mut desk) = (greeted(), desk("none", 0));
    request(&mut device, 0, Command::Pace(Pace::Lockstep));
    desk.panel.contacts.finger(Input::Touch(D4));
    pass(&mut desk, &mut device);
    let press = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    let step = |inputs: &[Input], ticks| Command::Step {
        inputs: inputs.iter().copied().collect(),
        ticks,
        digest: false,
    };
    request(&mut device, 1, step(&press, 100));
    for _ in 0..100 {
        pass(&mut desk, &mut device);
    }
    assert_eq!(inputs(&received(&mut device), &mut 0), press);
    let board = device.board();
    let seen = Seen::of(board.frame(), board.tick());
    assert_eq!(desk.panel.shown.last(), Some(&seen));
    // The empty board, and the game that started.
    assert_eq!(desk.panel.shown.len(), 2);
}

/// Actions of fingers, each with the pause after it.
type Deeds = Vec<(Input, u32)>;

/// Fingers on any points and buttons.
fn deeds() -> impl Strategy<Value = Deeds> {
    let point = 0..81_u8;
    let button = 0..7_usize;
    let finger = prop_oneof![
        3 => point.prop_map(|point| Input::Touch(Point(point))),
        1 => button.prop_map(|button| Input::Press(Button::ALL[button])),
    ];
    // Long enough down, and long enough up.
    let touch = (finger, 20..60_u32, 20..200_u32);
    collection::vec(touch, 1..20).prop_map(|touches| {
        let start = (Input::Press(Button::Start), 40, 40);
        let touches = [start].into_iter().chain(touches);
        let both = |(down, held_ms, away_ms): (Input, u32, u32)| {
            [(down, held_ms), (down.reverse(), away_ms)]
        };
        touches.flat_map(both).collect()
    })
}

/// A board with the actions of these fingers.
struct Played {
    device: Own,
    desk: Desk,
    inputs: Vec<Input>,
    /// The number of times at which the board looked different from a millisecond before.
    changes: usize,
}

fn play(faults: &str, takes_ms: u32, deeds: &Deeds) -> Played {
    let mut played = Played {
        device: greeted(),
        desk: desk(faults, takes_ms),
        inputs: Vec::new(),
        changes: 0,
    };
    let (mut before, mut next) = (None, 0);
    for (finger, rest_ms) in deeds {
        played.desk.panel.contacts.finger(*finger);
        for _ in 0..*rest_ms {
            pass(&mut played.desk, &mut played.device);
            let told = received(&mut played.device);
            played.inputs.extend(inputs(&told, &mut next));
            let seen = Some(played.seen());
            played.changes += usize::from(seen != before);
            before = seen;
        }
    }
    played
}

impl Played {
    /// The current lights and display.
    fn seen(&self) -> Seen {
        let board = self.device.board();
        Seen::of(board.frame(), board.tick())
    }
}

#[test]
fn a_contact_that_bounces_is_one_touch() {
    let bouncing = (any::<u64>(), 1..2 * u32::from(STABLE_MS), deeds());
    law(Weight::of(60, 90), bouncing, |(seed, bounce_ms, deeds)| {
        let faults = std::format!("seed {seed}, bounce-ms {bounce_ms}");
        let bounced = play(&faults, 0, &deeds);
        let fingers: Vec<Input> = deeds.iter().map(|(finger, _)| *finger).collect();
        prop_assert_eq!(bounced.inputs, fingers);
        Ok(Judged::if_any(deeds.len() > 4))
    });
}

#[test]
fn each_change_is_shown_once_and_the_newest_at_the_end() {
    law(
        Weight::of(60, 90),
        (0..50_u32, deeds()),
        |(takes_ms, deeds)| {
            let mut played = play("none", takes_ms, &deeds);
            let shown = played.desk.panel.shown.len();
            prop_assert!(shown <= played.changes, "{} of {}", shown, played.changes);
            if takes_ms == 0 {
                prop_assert_eq!(shown, played.changes);
            }
            let pairs = played.desk.panel.shown.windows(2);
            prop_assert!(pairs.into_iter().all(|pair| pair[0] != pair[1]) || takes_ms > 1);
            // The board is idle, and the panel finishes.
            let mut left = 100;
            while played.desk.front.is_due || left == 100 {
                left -= 1;
                prop_assert!(left > 0, "nothing is shown any more");
                pass(&mut played.desk, &mut played.device);
            }
            let newest = played.desk.panel.shown.last().cloned();
            prop_assert_eq!(newest, Some(played.seen()));
            Ok(Judged::if_any(shown > 3))
        },
    );
}

#[test]
fn touches_during_a_slow_display_are_not_lost() {
    law(
        Weight::of(60, 90),
        (50..500_u32, deeds()),
        |(takes_ms, deeds)| {
            let (quick, slow) = (play("none", 0, &deeds), play("none", takes_ms, &deeds));
            prop_assert_eq!(&quick.inputs, &slow.inputs);
            prop_assert_eq!(quick.device.board().digest(), slow.device.board().digest());
            Ok(Judged::if_any(slow.desk.panel.felt_meanwhile))
        },
    );
}

/// Lets a number of milliseconds pass.
fn pass_all(desk: &mut Desk, device: &mut Own, ms: u32) {
    for _ in 0..ms {
        pass(desk, device);
    }
}

/// A board that is switched on while STOP is held, which is then released.
fn under_test(faults: &str) -> (Desk, Own) {
    let (mut desk, mut device) = (desk(faults, 3), device());
    desk.panel.contacts.finger(Input::Press(Button::Stop));
    pass_all(&mut desk, &mut device, 50);
    desk.panel.contacts.finger(Input::Lift(Button::Stop));
    (desk, device)
}

#[test]
fn holding_stop_at_power_on_tests_every_light() {
    let (mut desk, mut device) = under_test("none");
    pass_all(&mut desk, &mut device, 4_200);
    let all = |seen: &Seen| {
        let first = seen.points.get(Point(0));
        let same = LAYOUT.iter().all(|point| seen.points.get(point) == first);
        (same && seen.turn == [true; 2]).then(|| (first, seen.display.clone()))
    };
    // A panel that is updated in steps continues meanwhile, and calls without elapsed
    // time show nothing new.
    let count = desk.panel.shown.len();
    desk.panel.turns = 0;
    for _ in 0..20 {
        let Desk { front, panel } = &mut desk;
        front.elapse(panel, &mut device, 0);
    }
    pass_all(&mut desk, &mut device, 20);
    assert_eq!((desk.panel.shown.len(), desk.panel.turns), (count, 40));
    let mut shown: Vec<_> = desk.panel.shown.iter().filter_map(all).collect();
    shown.dedup();
    use protocol::Colour as C;
    let expected = [
        (C::RED, "Red"),
        (C::GREEN, "Green"),
        (C::BLUE, "Blue"),
        (C::WHITE, "White"),
    ];
    let expected = expected.map(|(colour, name)| (colour, Text::clipped(name)));
    assert_eq!(shown, expected);
    let tones: Vec<u16> = desk.panel.shown.iter().map(|seen| seen.beep_hz).collect();
    assert!(
        [440, 554, 659, 880].iter().all(|hz| tones.contains(hz)),
        "{tones:?}"
    );
}

#[test]
fn the_self_test_shows_which_keys_have_not_answered() {
    let (mut desk, mut device) = under_test("dead d4");
    pass_all(&mut desk, &mut device, 4_200);
    let digest = device.board().digest();
    let points = LAYOUT
        .iter()
        .map(|point| (Input::Touch(point), Input::Release(point)));
    let buttons = Button::ALL.map(|button| (Input::Press(button), Input::Lift(button)));
    let buttons = buttons
        .into_iter()
        .filter(|(press, _)| *press != Input::Press(Button::Stop));
    for (down, up) in points.chain(buttons) {
        desk.panel.contacts.finger(down);
        pass_all(&mut desk, &mut device, 20);
        if let Input::Touch(point) = down {
            let seen = desk.panel.shown.last().expect("something");
            let is_white = seen.points.get(point) == protocol::Colour::WHITE;
            assert_eq!(is_white, point != D4);
        }
        desk.panel.contacts.finger(up);
        pass_all(&mut desk, &mut device, 20);
    }
    let seen = desk.panel.shown.last().expect("something").clone();
    assert_eq!(&*seen.display, "start 1");
    let dark = LAYOUT
        .iter()
        .filter(|point| seen.points.get(*point) == protocol::Colour::OFF);
    assert_eq!(dark.collect::<Vec<_>>(), [D4]);
    // No key was an input of the board, whose time continued.
    assert_ne!(device.board().digest(), digest);
    assert_eq!(
        device.board().settings(),
        AnyBoard::new(LAYOUT, 7).unwrap().settings()
    );
    assert!(device.board().score().is_none());
    // STOP ends the test: the board is shown again and its contacts are sampled.
    desk.panel.contacts.finger(Input::Press(Button::Stop));
    pass_all(&mut desk, &mut device, 50);
    desk.panel.contacts.finger(Input::Lift(Button::Stop));
    pass_all(&mut desk, &mut device, 50);
    let shown = desk.panel.shown.last().expect("something");
    assert_eq!(
        *shown,
        Seen::of(device.board().frame(), device.board().tick())
    );
    desk.panel.contacts.finger(Input::Press(Button::Start));
    pass_all(&mut desk, &mut device, 50);
    assert!(device.board().score().is_some());
}
