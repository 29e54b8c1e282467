//! The device from a host's point of view: its messages, the data that it stores, and
//! its refusals.

use std::vec;
use std::vec::Vec;

use proptest::prelude::*;
use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{
    Button, CHUNK_BYTES, Command, Deed, Layout, List, PROTOCOL_VERSION, Point, Reply, Request,
    Roster, SCHEMA_HASH, Settings, StampedEvent, ToDevice,
};

use super::*;
use crate::{AnyBoard, SNAPSHOT_BYTES};

type Own = Device<AnyBoard, Vec<u8>>;

fn device() -> Own {
    let board = AnyBoard::new(Layout::MALDOO, 7).expect("a layout");
    let identity = Identity {
        board: "test",
        boot: 1,
        sensors: true,
    };
    Device::new(board, identity, vec![0; SNAPSHOT_BYTES])
}

fn frame(message: &ToDevice) -> Vec<u8> {
    let mut buffer = [0; MAX_FRAME_BYTES];
    wire::encode(message, &mut buffer)
        .expect("every message fits")
        .to_vec()
}

fn hello(host: u32) -> ToDevice {
    ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host,
    }
}

fn request(number: u32, seen: u32, command: Command) -> ToDevice {
    ToDevice::Request(Request {
        number,
        seen,
        command,
    })
}

fn step(inputs: &[Input], ticks: u32) -> Command {
    Command::Step {
        inputs: inputs.iter().copied().collect(),
        ticks,
        digest: true,
    }
}

/// Takes all waiting output, and parses it as a host would.
fn hear(device: &mut Own) -> Vec<ToHost> {
    let mut receiver: Receiver = Receiver::new();
    let mut heard = Vec::new();
    while !device.output().is_empty() {
        let bytes = device.output().to_vec();
        device.sent(bytes.len());
        for byte in bytes {
            if let Some(frame) = receiver.feed(byte) {
                let plain = frame.expect("the device sends no damaged frame");
                heard.push(wire::parse(plain).expect("the device sends messages"));
            }
        }
    }
    heard
}

/// Feeds all bytes to the device, and returns all its messages.
fn say(device: &mut Own, bytes: &[u8]) -> Vec<ToHost> {
    let mut heard = hear(device);
    let mut left = bytes;
    while !left.is_empty() {
        let taken = device.feed(left);
        left = &left[taken..];
        let answers = hear(device);
        assert!(taken > 0 || !answers.is_empty(), "the device is stuck");
        heard.extend(answers);
    }
    heard
}

fn tell(device: &mut Own, message: &ToDevice) -> Vec<ToHost> {
    say(device, &frame(message))
}

fn reply(heard: &[ToHost]) -> &Reply {
    let mut replies = heard.iter().filter_map(|told| match told {
        ToHost::Reply(reply) => Some(reply),
        _ => None,
    });
    let reply = replies.next().expect("there is an answer");
    assert_eq!(replies.next(), None, "there is one answer");
    reply
}

fn events(heard: &[ToHost]) -> Vec<StampedEvent> {
    let events = heard.iter().filter_map(|told| match told {
        ToHost::Event(event) => Some(*event),
        _ => None,
    });
    events.collect()
}

fn frames(heard: &[ToHost]) -> usize {
    let frames = heard
        .iter()
        .filter(|told| matches!(told, ToHost::Frame { .. } | ToHost::Delta { .. }));
    frames.count()
}

fn greeted() -> Own {
    let mut device = device();
    tell(&mut device, &hello(1));
    device
}

fn in_lockstep() -> Own {
    let mut device = greeted();
    tell(&mut device, &request(0, 0, Command::Pace(Pace::Lockstep)));
    device
}

const START: [Input; 2] = [Input::Press(Button::Start), Input::Lift(Button::Start)];

#[test]
fn a_device_that_is_switched_on_says_hello_once_and_then_nothing() {
    let mut device = device();
    let heard = hear(&mut device);
    assert!(matches!(&heard[..], [ToHost::Hello(hello)] if hello.boot == 1));
    device.elapse(5_000);
    assert_eq!(hear(&mut device), []);
}

#[test]
fn a_request_before_a_hello_is_refused_and_not_carried_out() {
    let mut device = device();
    let heard = tell(
        &mut device,
        &request(5, 0, Command::Do(Deed::Input(START[0]))),
    );
    assert_eq!(reply(&heard).result, Err(Refusal::NotGreeted));
    assert_eq!(device.board().status().turn, None);
    assert!(device.diary.is_empty());
}

#[test]
fn a_hello_of_another_version_or_schema_is_answered_and_ends_the_acquaintance() {
    for other in [
        ToDevice::Hello {
            version: PROTOCOL_VERSION + 1,
            schema: SCHEMA_HASH,
            host: 1,
        },
        ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH ^ 1,
            host: 1,
        },
    ] {
        let mut device = greeted();
        let heard = tell(&mut device, &other);
        assert!(matches!(&heard[..], [ToHost::Hello(_)]), "{heard:?}");
        let heard = tell(&mut device, &request(0, 0, Command::Ping));
        assert_eq!(reply(&heard).result, Err(Refusal::NotGreeted));
    }
}

/// A hello of a later version: the same first fields, followed by different ones.
#[test]
fn a_hello_of_a_version_to_come_is_answered() {
    let mut device = greeted();
    let mut buffer = [0; MAX_FRAME_BYTES];
    let longer = (0_u32, 9_u16, 10_u64, "something else");
    let bytes = wire::encode(&longer, &mut buffer)
        .expect("it fits")
        .to_vec();
    let heard = say(&mut device, &bytes);
    assert!(matches!(&heard[..], [ToHost::Hello(_)]), "{heard:?}");
    assert!(!device.greeted);
}

#[test]
fn a_hello_is_followed_by_the_whole_frame() {
    let mut device = device();
    hear(&mut device);
    for _ in 0..2 {
        let heard = tell(&mut device, &hello(1));
        assert!(
            matches!(&heard[..], [ToHost::Hello(_), ToHost::Frame { .. }]),
            "{heard:?}"
        );
    }
}

#[test]
fn a_repeated_request_is_answered_again_and_not_carried_out_again() {
    let mut device = in_lockstep();
    let start = request(1, 0, step(&START, 10));
    let first = tell(&mut device, &start);
    let again = tell(&mut device, &start);
    assert_eq!(reply(&first), reply(&again));
    assert_eq!(events(&first), events(&again), "unseen events are repeated");
    assert_eq!(device.board().tick(), 10);
    let seen = reply(&again).events;
    let later = tell(&mut device, &request(2, seen, Command::Ping));
    assert_eq!(events(&later), []);
    let late_copy = tell(&mut device, &start);
    assert_eq!(reply(&late_copy).number, 1);
    assert_eq!(reply(&late_copy).result, Err(Refusal::Stale { next: 3 }));
    assert_eq!(device.board().tick(), 10);
}

/// A host that restarts its numbers without a hello would otherwise wait for ever.
#[test]
fn a_number_that_was_passed_is_refused_with_the_next_one_and_the_last_is_remembered() {
    let mut device = in_lockstep();
    tell(&mut device, &request(u32::MAX, 0, Command::Ping));
    let last = request(1, 0, step(&START, 10));
    let answer = tell(&mut device, &last);
    for number in [0, u32::MAX, 0x8000_0002] {
        let heard = tell(&mut device, &request(number, 0, step(&START, 10)));
        assert_eq!(reply(&heard).number, number);
        assert_eq!(reply(&heard).result, Err(Refusal::Stale { next: 2 }));
        assert_eq!(events(&heard), [], "it is told that alone");
    }
    assert_eq!(reply(&tell(&mut device, &last)), reply(&answer));
    assert_eq!(device.board().tick(), 10);
    let heard = tell(&mut device, &request(2, 0, Command::Ping));
    assert_eq!(reply(&heard).result, Ok(Done::Done));
}

#[test]
fn events_that_were_not_sent_yet_cannot_be_said_to_be_seen() {
    let mut device = greeted();
    // More events than the outbox holds while nobody reads: the last ones wait.
    while device.diary.unsent().is_none() {
        device.input(Input::Press(Button::Time));
        device.input(Input::Lift(Button::Time));
    }
    let next = device.diary.next_number();
    assert!((next as usize) < EVENTS, "none is dropped for want of room");
    let ping = request(1, next, Command::Ping);
    assert_eq!(device.feed(&frame(&ping)), frame(&ping).len());
    let heard = hear(&mut device);
    let numbers = events(&heard).into_iter().map(|event| event.number);
    assert!(numbers.eq(0..next), "{heard:?}");
    assert_eq!(reply(&heard).events, next);
    for seen in [next + 1, next + 1_000, u32::MAX] {
        tell(&mut device, &request(seen, seen, Command::Ping));
        assert!(!device.diary.is_empty(), "{seen} was not given yet");
        device.answered = None;
    }
    tell(&mut device, &request(2, next, Command::Ping));
    assert!(device.diary.is_empty());
}

#[test]
fn a_host_that_comes_back_finds_its_answer_and_a_new_one_does_not() {
    let mut device = in_lockstep();
    let start = request(1, 0, step(&START, 10));
    let first = tell(&mut device, &start);
    device.hung_up();
    tell(&mut device, &hello(1));
    let again = tell(&mut device, &start);
    assert_eq!(reply(&first).result, reply(&again).result);
    assert_eq!(events(&first), events(&again));
    device.hung_up();
    let heard = tell(&mut device, &hello(2));
    assert_eq!(events(&heard), []);
    tell(&mut device, &request(1, 0, step(&[], 5)));
    assert_eq!(device.board().tick(), 15);
}

#[test]
fn everything_that_happened_before_an_answer_is_told_before_it() {
    let mut device = in_lockstep();
    let heard = tell(&mut device, &request(1, 0, step(&START, 100)));
    let Some(ToHost::Reply(last)) = heard.last() else {
        panic!("the answer comes last: {heard:?}");
    };
    let events = events(&heard);
    assert_eq!(last.events as usize, events.len());
    assert!(events.iter().map(|event| event.number).eq(0..last.events));
    assert_eq!(events[0].event, Event::Taken(START[0]));
    assert_eq!(frames(&heard), 1);
    assert_eq!(last.frames, device.frames);
}

#[test]
fn in_lockstep_no_event_is_dropped_and_a_step_stops_for_them() {
    let mut device = in_lockstep();
    let press: Vec<Input> = [Button::Time, Button::Time]
        .iter()
        .flat_map(|button| [Input::Press(*button), Input::Lift(*button)])
        .collect();
    let mut kept = Vec::new();
    for number in 1..100 {
        // This host never acknowledges events.
        let heard = tell(&mut device, &request(number, 0, step(&press, 5)));
        kept = events(&tell(&mut device, &request(number, 0, Command::Ping)));
        if matches!(
            reply(&heard).result,
            Ok(Done::Stepped {
                inputs: 0,
                ticks: 0,
                ..
            })
        ) {
            break;
        }
        assert!(number < 50, "it never stopped");
    }
    assert!(kept.len() <= EVENTS);
    assert!(
        kept.iter()
            .map(|event| event.number)
            .eq(0..kept.len() as u32)
    );
    let seen = kept.len() as u32;
    let commands = [
        Command::Do(Deed::Input(press[0])),
        Command::Do(Deed::Settings(Settings::default())),
    ];
    for (number, command) in (200..).zip(commands.clone()) {
        let heard = tell(&mut device, &request(number, 0, command));
        assert_eq!(reply(&heard).result, Err(Refusal::Unseen));
    }
    for (number, command) in (300..).zip(commands) {
        let heard = tell(&mut device, &request(number, seen, command));
        assert_eq!(reply(&heard).result, Ok(Done::Done));
    }
}

#[test]
fn a_free_board_goes_on_when_nobody_looks_and_the_gap_in_the_numbers_tells() {
    let mut device = greeted();
    for _ in 0..100 {
        device.input(Input::Press(Button::Time));
        device.input(Input::Lift(Button::Time));
        device.elapse(1);
    }
    let heard = hear(&mut device);
    let numbers: Vec<u32> = events(&heard).iter().map(|event| event.number).collect();
    assert_eq!(device.board().tick(), 100);
    assert!(numbers.len() >= EVENTS);
    assert!(numbers.is_sorted());
    let last = *numbers.last().expect("there are events");
    assert!(last as usize >= numbers.len(), "some are missing");
    assert_eq!(last + 1, device.diary.next_number());
}

#[test]
fn unseen_events_are_repeated_after_a_while_and_more_and_more_seldom() {
    let mut device = greeted();
    device.input(Input::Release(Point(3)));
    assert_eq!(events(&hear(&mut device)).len(), 1);
    let mut repeats = Vec::new();
    for ms in 1..=900_u32 {
        device.elapse(1);
        if !events(&hear(&mut device)).is_empty() {
            repeats.push(ms);
        }
    }
    assert_eq!(repeats, [REPEAT_MS, 3 * REPEAT_MS]);
    let still = Command::Pace(Pace::Free { permille: 0 });
    tell(&mut device, &request(1, 1, still));
    device.elapse(5_000);
    assert_eq!(events(&hear(&mut device)), []);
}

#[test]
fn frames_are_told_once_when_they_change_and_the_newest_one_counts() {
    let mut device = greeted();
    device.elapse(1);
    assert_eq!(frames(&hear(&mut device)), 0, "nothing changed");
    // The display changes three times while nobody reads.
    for _ in 0..3 {
        device.input(Input::Press(Button::Time));
        device.input(Input::Lift(Button::Time));
    }
    let heard = hear(&mut device);
    assert!(frames(&heard) <= 2, "{heard:?}");
    assert_eq!(&device.shown, device.board().frame());
    assert_eq!(frames(&hear(&mut device)), 0);
}

#[test]
fn board_time_follows_real_time_exactly_at_any_pace() {
    for permille in [1, 333, 999, 1_000, 1_001, 7_777, 100_000] {
        let mut device = greeted();
        tell(
            &mut device,
            &request(1, 0, Command::Pace(Pace::Free { permille })),
        );
        let mut real_ms = 0_u64;
        for ms in [1, 2, 3, 5, 7, 11, 13, 400, 1, 1, 16, 17] {
            device.elapse(ms);
            while device.sleeps_ms() == Some(0) {
                device.elapse(0);
            }
            real_ms += u64::from(ms);
            assert_eq!(device.board().tick(), real_ms * u64::from(permille) / 1_000);
        }
    }
}

#[test]
fn a_pace_of_0_and_lockstep_stand_still_and_the_port_may_sleep_for_ever() {
    for pace in [Pace::Lockstep, Pace::Free { permille: 0 }] {
        let mut device = greeted();
        tell(&mut device, &request(1, 0, Command::Pace(pace)));
        device.elapse(10_000);
        assert_eq!(device.board().tick(), 0);
        assert_eq!(device.sleeps_ms(), None);
    }
}

#[test]
fn the_port_may_sleep_until_the_board_has_something_to_do() {
    let mut device = device();
    let mut wakes = 0;
    while device.board().tick() < 3_600_000 {
        let Some(ms) = device.sleeps_ms() else {
            break;
        };
        device.elapse(ms);
        wakes += 1;
    }
    assert!(wakes < 10, "{wakes} wakes in an hour of nothing");
}

#[test]
fn digests_are_told_while_time_goes_by_itself_and_agree_with_a_twin() {
    let mut device = greeted();
    let mut heard = Vec::new();
    for _ in 0..35 {
        device.elapse(100);
        heard.extend(hear(&mut device));
    }
    let mut twin = AnyBoard::new(Layout::MALDOO, 7).expect("a layout");
    let mut digests = 0;
    for event in events(&heard) {
        if let Event::Digest(digest) = event.event {
            twin.advance(event.tick - twin.tick(), &mut |_, _| {});
            assert_eq!(twin.digest(), digest);
            digests += 1;
        }
    }
    assert!((3..=6).contains(&digests), "{digests}");
}

#[test]
fn a_step_is_refused_while_time_goes_by_itself() {
    let mut device = greeted();
    let heard = tell(&mut device, &request(1, 0, step(&[], 5)));
    assert_eq!(reply(&heard).result, Err(Refusal::NotInLockstep));
}

#[test]
fn a_step_of_many_ticks_ends_early_rather_than_keep_the_line_waiting() {
    let mut device = in_lockstep();
    let settings = Settings {
        level: 4,
        ..Settings::default()
    };
    tell(
        &mut device,
        &request(1, 0, Command::Do(Deed::Settings(settings))),
    );
    let heard = tell(&mut device, &request(2, 99, step(&START, 1_000_000)));
    let Ok(Done::Stepped { inputs, ticks, .. }) = reply(&heard).result else {
        panic!("{heard:?}");
    };
    assert_eq!(inputs, 2);
    assert_eq!(u64::from(ticks), device.board().tick());
}

#[test]
fn the_boards_own_fingers_count_when_time_goes_by_itself_and_not_in_lockstep() {
    let mut device = greeted();
    device.input(Input::Release(Point(3)));
    assert_eq!(device.diary.next_number(), 1);
    let mut device = in_lockstep();
    device.input(Input::Release(Point(3)));
    assert_eq!(device.diary.next_number(), 0);
}

#[test]
fn a_state_goes_out_in_chunks_and_comes_back_into_another_device() {
    let mut first = in_lockstep();
    tell(&mut first, &request(1, 0, step(&START, 500)));
    let mut state = Vec::new();
    let mut number = 2;
    let digest = loop {
        let offset = state.len() as u16;
        let heard = tell(&mut first, &request(number, 99, Command::Read { offset }));
        number += 1;
        // Time that passes between two chunks does not change the snapshot.
        tell(&mut first, &request(number, 99, step(&[], 3)));
        number += 1;
        let Ok(Done::Chunk {
            total,
            digest,
            bytes,
        }) = &reply(&heard).result
        else {
            panic!("{heard:?}");
        };
        state.extend_from_slice(bytes);
        if state.len() == usize::from(*total) {
            break *digest;
        }
        assert_eq!(bytes.len(), CHUNK_BYTES);
    };
    let mut second = in_lockstep();
    for (index, bytes) in state.chunks(100).enumerate() {
        let write = Command::Write {
            offset: (index * 100) as u16,
            bytes: bytes.iter().copied().collect(),
        };
        let heard = tell(&mut second, &request(1 + index as u32, 0, write));
        assert_eq!(reply(&heard).result, Ok(Done::Done));
    }
    let length = state.len() as u16;
    let heard = tell(&mut second, &request(900, 0, Command::Load { length }));
    assert_eq!(reply(&heard).result, Ok(Done::Done));
    assert_eq!(second.board().digest(), digest);
    let whole = heard
        .iter()
        .any(|told| matches!(told, ToHost::Frame { .. }));
    assert!(whole, "a loaded state is shown whole");
}

#[test]
fn a_state_of_a_board_with_other_games_is_refused() {
    let roster = Roster::of(&[0, 5, 9]);
    let three = AnyBoard::with_games(Layout::MALDOO, roster, 7).expect("they are in the build");
    let mut buffer = [0; SNAPSHOT_BYTES];
    let state = three.save(&mut buffer).expect("room");
    let mut device = in_lockstep();
    let before = device.board().digest();
    for (index, bytes) in state.chunks(CHUNK_BYTES).enumerate() {
        let offset = (index * CHUNK_BYTES) as u16;
        let bytes = bytes.iter().copied().collect();
        let write = Command::Write { offset, bytes };
        tell(&mut device, &request(1 + index as u32, 0, write));
    }
    let length = state.len() as u16;
    let heard = tell(&mut device, &request(900, 0, Command::Load { length }));
    assert_eq!(reply(&heard).result, Err(Refusal::Roster(roster)));
    assert_eq!(device.board().digest(), before);
}

#[test]
fn chunks_that_are_not_there_or_do_not_fit_are_refused() {
    let mut device = in_lockstep();
    let refused = |offset| Err(Refusal::Chunk { offset });
    let heard = tell(&mut device, &request(1, 0, Command::Read { offset: 5 }));
    assert_eq!(reply(&heard).result, refused(5), "no state was taken");
    tell(&mut device, &request(2, 0, Command::Read { offset: 0 }));
    let offset = 60_000;
    let heard = tell(&mut device, &request(3, 0, Command::Read { offset }));
    assert_eq!(reply(&heard).result, refused(offset));
    for offset in [SNAPSHOT_BYTES as u16, u16::MAX] {
        let bytes = List::from_iter([1, 2, 3]);
        let write = Command::Write { offset, bytes };
        let heard = tell(&mut device, &request(4, 0, write));
        assert_eq!(reply(&heard).result, refused(offset));
        device.answered = None;
    }
    for length in [0, 7, 500, u16::MAX] {
        let heard = tell(&mut device, &request(5, 0, Command::Load { length }));
        assert_eq!(reply(&heard).result, Err(Refusal::Snapshot));
        device.answered = None;
    }
}

#[test]
fn a_reset_begins_at_tick_0_and_event_0_with_any_layout() {
    let mut device = in_lockstep();
    tell(&mut device, &request(1, 0, step(&START, 50)));
    let layout = Layout::grid(16, 16).expect("a layout");
    let reset = Command::Do(Deed::Reset { seed: 9, layout });
    let heard = tell(&mut device, &request(2, 0, reset));
    let reply = reply(&heard);
    assert_eq!((reply.tick, reply.events), (0, 0));
    assert_eq!(reply.result, Ok(Done::Done));
    assert_eq!(device.board().layout(), layout);
    assert_eq!(device.pace, Pace::Lockstep, "the pace is the host's");
}

#[test]
fn the_boards_own_words_come_out_of_the_questions() {
    let mut device = in_lockstep();
    tell(&mut device, &request(1, 0, step(&START, 0)));
    let status = device.board().status();
    let heard = tell(&mut device, &request(2, 99, Command::Status));
    assert_eq!(reply(&heard).result, Ok(Done::Status(status)));
    let digest = device.board().digest();
    let heard = tell(&mut device, &request(3, 99, Command::Digest));
    assert_eq!(reply(&heard).result, Ok(Done::Digest(digest)));
    let heard = tell(&mut device, &request(4, 99, Command::Legal));
    let Ok(Done::Legal(bytes)) = &reply(&heard).result else {
        panic!("{heard:?}");
    };
    let mut expected = Vec::new();
    device.board().legal(&mut |point| expected.push(point));
    let told = Layout::MALDOO.iter().filter(|point| {
        let byte = bytes.get(point.index() / 8).copied().unwrap_or(0);
        byte & (1 << (point.0 % 8)) != 0
    });
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn a_request_to_crash_is_the_ports_to_carry_out() {
    let mut device = greeted();
    assert!(!device.is_to_crash());
    let heard = tell(&mut device, &request(1, 0, Command::Crash));
    assert_eq!(heard, []);
    assert!(device.is_to_crash());
}

#[test]
fn damaged_frames_are_counted_and_told_once_in_a_while() {
    let mut device = greeted();
    let mut bytes = frame(&request(1, 0, Command::Ping));
    bytes[3] ^= 4;
    for _ in 0..5 {
        assert_eq!(say(&mut device, &bytes), []);
    }
    device.elapse(DAMAGE_LOG_MS);
    let logs = hear(&mut device)
        .iter()
        .filter(|told| matches!(told, ToHost::Log(line) if line.starts_with('5')))
        .count();
    assert_eq!(logs, 1);
}

#[test]
fn an_answer_that_finds_no_room_waits_and_the_next_request_with_it() {
    let mut device = in_lockstep();
    let ask: Vec<u8> = (1..40)
        .flat_map(|number| frame(&request(number, 0, Command::Frame)))
        .collect();
    let taken = device.feed(&ask);
    assert!(taken < ask.len(), "there is not room for all answers");
    assert_eq!(device.feed(&ask[taken..]), 0);
    let mut answers = Vec::new();
    let mut left = &ask[taken..];
    loop {
        answers.extend(hear(&mut device));
        if left.is_empty() {
            break;
        }
        let taken = device.feed(left);
        left = &left[taken..];
    }
    let numbers = answers.iter().filter_map(|told| match told {
        ToHost::Reply(reply) => Some(reply.number),
        _ => None,
    });
    assert!(numbers.eq(1..40));
}

fn any_input() -> impl Strategy<Value = Input> {
    prop_oneof![
        any::<u8>().prop_map(|point| Input::Touch(Point(point))),
        any::<u8>().prop_map(|point| Input::Release(Point(point))),
        (0..7_usize).prop_map(|button| Input::Press(Button::ALL[button])),
        (0..7_usize).prop_map(|button| Input::Lift(Button::ALL[button])),
        Just(Input::Pass),
    ]
}

/// The possible fates of a frame on the line.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Arrives,
    Lost,
    Twice,
    /// The frame arrives, and its answer is lost.
    Unanswered,
}

fn any_fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        4 => Just(Fate::Arrives),
        1 => Just(Fate::Lost),
        1 => Just(Fate::Twice),
        1 => Just(Fate::Unanswered),
    ]
}

proptest! {
    /// Laws 3 and 7: whatever bytes arrive, the device neither panics nor gets stuck, and
    /// the next good host is served.
    #[test]
    fn any_bytes_are_survived_and_a_good_host_is_answered_afterwards(
        garbage in proptest::collection::vec(any::<u8>(), 0..600),
        good in 0..3_usize,
        elapsed in 0..3_000_u32,
    ) {
        let mut device = device();
        let starts = [hello(3), request(4, 0, Command::Ping), request(4, 9, step(&START, 9))];
        let mut bytes = frame(&starts[good]);
        bytes.extend(&garbage);
        say(&mut device, &bytes);
        device.elapse(elapsed);
        let heard = tell(&mut device, &hello(77));
        let hellos = heard.iter().filter(|told| matches!(told, ToHost::Hello(_))).count();
        prop_assert!(hellos >= 1);
        let heard = tell(&mut device, &request(1, 0, Command::Status));
        let status = device.board().status();
        prop_assert_eq!(&reply(&heard).result, &Ok(Done::Status(status)));
    }

    /// Requests are lost, repeated or delayed, and answers are lost. Still each request
    /// is carried out once, every event is received in order, and the board equals one
    /// without a line in between.
    #[test]
    fn a_lossy_line_makes_no_difference(
        steps in proptest::collection::vec((any_input(), 0..400_u32), 1..25),
        fates in proptest::collection::vec(any_fate(), 200),
        seed: u64,
    ) {
        let mut device = in_lockstep();
        let reset = Command::Do(Deed::Reset { seed, layout: Layout::MALDOO });
        tell(&mut device, &request(1, 0, reset));
        let mut twin = AnyBoard::new(Layout::MALDOO, seed).expect("a layout");
        let mut expected = Vec::new();
        let mut heard_events: Vec<StampedEvent> = Vec::new();
        let mut fates = fates.iter().chain(std::iter::repeat(&Fate::Arrives));
        let mut number = 1;
        let mut older: Option<Vec<u8>> = None;
        for (input, ticks) in steps {
            let (mut inputs, mut left) = (vec![input], ticks);
            while !inputs.is_empty() || left > 0 {
                number += 1;
                let ask = frame(&request(number, heard_events.len() as u32, step(&inputs, left)));
                let done = loop {
                    let fate = fates.next().expect("there is always one more");
                    let mut heard = Vec::new();
                    match fate {
                        Fate::Lost => continue,
                        Fate::Arrives | Fate::Unanswered => heard.extend(say(&mut device, &ask)),
                        Fate::Twice => {
                            heard.extend(say(&mut device, &ask));
                            heard.extend(older.iter().flat_map(|old| say(&mut device, old)));
                            heard.extend(say(&mut device, &ask));
                        }
                    }
                    if matches!(fate, Fate::Unanswered) {
                        continue;
                    }
                    for event in events(&heard) {
                        if event.number as usize == heard_events.len() {
                            heard_events.push(event);
                        }
                    }
                    let answer = heard.into_iter().find_map(|told| match told {
                        ToHost::Reply(reply) if reply.number == number => Some(reply.result),
                        _ => None,
                    });
                    break answer.expect("it was answered");
                };
                let Ok(Done::Stepped { inputs: taken, ticks: passed, .. }) = done else {
                    panic!("no step: {done:?}");
                };
                inputs.drain(..usize::from(taken));
                left -= passed;
                older = Some(ask);
            }
            expected.push(Event::Taken(input));
            twin.input(input, &mut |_, event| expected.push(event));
            twin.advance(ticks.into(), &mut |_, event| expected.push(event));
        }
        prop_assert_eq!(device.board().digest(), twin.digest());
        prop_assert_eq!(device.board().tick(), twin.tick());
        let told: Vec<Event> = heard_events.iter().map(|event| event.event).collect();
        prop_assert_eq!(told, expected);
    }
}
