//! Events and frames: what is sent, when, and how often.

use protocol::{Deed, Point, Settings};

use super::*;
use crate::device::repeats::SHORTEST_MS;

#[test]
fn events_before_an_answer_are_sent_before_it() {
    let mut device = in_lockstep();
    let heard = send_message(&mut device, &request(1, 0, step(&START, 100)));
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
        let heard = send_message(&mut device, &request(number, 0, step(&press, 5)));
        kept = events(&send_message(
            &mut device,
            &request(number, 0, Command::Ping),
        ));
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
        let heard = send_message(&mut device, &request(number, 0, command));
        assert_eq!(reply(&heard).result, Err(Refusal::Unseen));
    }
    for (number, command) in (300..).zip(commands) {
        let heard = send_message(&mut device, &request(number, seen, command));
        assert_eq!(reply(&heard).result, Ok(Done::Done));
    }
}

#[test]
fn a_free_board_drops_unread_events_with_a_gap_in_numbers() {
    let mut device = greeted();
    for _ in 0..100 {
        device.input(Input::Press(Button::Time));
        device.input(Input::Lift(Button::Time));
        device.elapse(1);
    }
    let heard = received(&mut device);
    let numbers: Vec<u32> = events(&heard).iter().map(|event| event.number).collect();
    assert_eq!(device.board().tick(), 100);
    assert!(numbers.len() >= EVENTS);
    assert!(numbers.is_sorted());
    let last = *numbers.last().expect("there are events");
    assert!(last as usize >= numbers.len(), "some are missing");
    assert_eq!(last + 1, device.diary.next_number());
}

#[test]
fn unacknowledged_events_are_repeated_less_and_less_often() {
    let mut device = greeted();
    device.input(Input::Release(Point(3)));
    assert_eq!(events(&received(&mut device)).len(), 1);
    let mut repeats = Vec::new();
    for ms in 1..=900_u32 {
        device.elapse(1);
        if !events(&received(&mut device)).is_empty() {
            repeats.push(ms);
        }
    }
    assert_eq!(repeats, [SHORTEST_MS, 3 * SHORTEST_MS]);
    let still = Command::Pace(Pace::Free { permille: 0 });
    send_message(&mut device, &request(1, 1, still));
    device.elapse(5_000);
    assert_eq!(events(&received(&mut device)), []);
}

/// How long a host waits until it acknowledges events.
const HOST_WAITS_MS: u32 = 100;

/// Events of a board whose host is at the end of a line with this round trip: how many
/// there were, and how many were sent, while nothing is lost.
fn told_over(round_trip_ms: u32) -> (usize, usize) {
    let mut device = greeted();
    let mut sent = 0;
    // Requests on their way, with the moment of their arrival. The first one answers the
    // hello.
    let mut requests = vec![(round_trip_ms, 0)];
    let mut number = 0;
    for ms in 1..20_000_u32 {
        device.elapse(1);
        if ms % 1_500 == 700 {
            device.input(Input::Release(Point(3)));
        }
        let told = events(&received(&mut device));
        sent += told.len();
        if let Some(last) = told.last() {
            requests.push((ms + round_trip_ms + HOST_WAITS_MS, last.number + 1));
        }
        while requests.first().is_some_and(|(at, _)| *at <= ms) {
            let (_, seen) = requests.remove(0);
            number += 1;
            let heard = send_message(&mut device, &request(number, seen, Command::Ping));
            sent += events(&heard).len();
        }
    }
    (device.diary.next_number() as usize, sent)
}

#[test]
fn a_slow_line_brings_no_event_twice_if_none_is_lost() {
    for round_trip_ms in [0, 20, 100, 130, 160, 240, 400, 900] {
        let (noted, sent) = told_over(round_trip_ms);
        assert!(noted > 20, "{noted} events");
        assert_eq!(noted, sent, "round trip of {round_trip_ms} ms");
    }
}

#[test]
fn a_wait_for_a_host_that_was_slow_once_shrinks_again() {
    let mut device = greeted();
    let mut waits = Vec::new();
    let mut number = 0;
    for answered_after_ms in [1_000, 10, 10] {
        device.input(Input::Release(Point(3)));
        let told = events(&received(&mut device));
        let seen = told.last().expect("it is told").number + 1;
        device.elapse(answered_after_ms);
        received(&mut device);
        number += 1;
        send_message(&mut device, &request(number, seen, Command::Ping));
        device.input(Input::Release(Point(3)));
        received(&mut device);
        waits.push(device.repeats.left_ms());
        let seen = device.diary.next_number();
        number += 1;
        send_message(&mut device, &request(number, seen, Command::Ping));
    }
    assert_eq!(waits, [2_000, SHORTEST_MS, SHORTEST_MS]);
}

#[test]
fn a_changed_frame_is_sent_once_and_the_newest_wins() {
    let mut device = greeted();
    device.elapse(1);
    assert_eq!(frames(&received(&mut device)), 0, "nothing changed");
    // The display changes three times while nobody reads.
    for _ in 0..3 {
        device.input(Input::Press(Button::Time));
        device.input(Input::Lift(Button::Time));
    }
    let heard = received(&mut device);
    assert!(frames(&heard) <= 2, "{heard:?}");
    assert_eq!(&device.shown, device.board().frame());
    assert_eq!(frames(&received(&mut device)), 0);
}

#[test]
fn a_free_board_sends_digests_that_equal_its_twins() {
    let mut device = greeted();
    let mut heard = Vec::new();
    for _ in 0..35 {
        device.elapse(100);
        heard.extend(received(&mut device));
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
fn events_that_are_being_sent_are_not_begun_again() {
    let mut diary = Diary::new();
    for tick in 0..3 {
        diary.note(tick, Event::Paused(true));
    }
    diary.mark_sent();
    diary.send_again_unless_sending();
    assert_eq!(diary.unsent().map(|event| event.number), Some(1));
    diary.mark_sent();
    diary.mark_sent();
    diary.send_again_unless_sending();
    assert_eq!(diary.unsent().map(|event| event.number), Some(0));
}

/// Feeds these bytes to the device as far as it takes them, over a slow line, on which few
/// bytes of its output pass at once. Returns all its messages.
fn send_slowly(device: &mut Own, bytes: &[u8]) -> Vec<ToHost> {
    let mut receiver: Receiver = Receiver::new();
    let mut heard = Vec::new();
    let mut left = &bytes[device.feed(bytes)..];
    while !device.output().is_empty() {
        let output = device.output();
        let piece = output[..output.len().min(16)].to_vec();
        device.sent(piece.len());
        left = &left[device.feed(left)..];
        for byte in piece {
            if let Some(frame) = receiver.feed(byte) {
                let plain = frame.expect("the device sends no damaged frame");
                heard.push(wire::parse(plain).expect("the device sends messages"));
            }
        }
    }
    heard
}

#[test]
fn repetitions_behind_their_answer_bring_no_events_again() {
    let mut device = greeted();
    while device.diary.next_number() < 50 {
        device.input(Input::Press(Button::Time));
        device.input(Input::Lift(Button::Time));
    }
    received(&mut device);
    let resend = wire::encoded(&request(1, 0, Command::Resend));
    let heard = send_slowly(&mut device, &resend.repeat(4));
    let numbers = events(&heard).into_iter().map(|event| event.number);
    assert!(numbers.eq(0..device.diary.next_number()), "{heard:?}");
    let is_reply = |told: &&ToHost| matches!(told, ToHost::Reply(_));
    assert_eq!(heard.iter().filter(is_reply).count(), 4);
    // If all of that was lost, the next repetition brings it.
    assert_eq!(events(&send(&mut device, &resend)), events(&heard));
    let greetings = send_slowly(&mut device, &wire::encoded(&hello(1)).repeat(3));
    assert_eq!(events(&greetings), events(&heard));
}

#[test]
fn a_repeated_request_acknowledges_what_has_arrived_since() {
    let mut device = in_lockstep();
    let first = send_message(&mut device, &request(1, 0, step(&START, 100)));
    let all = events(&first).len();
    assert!(all > 2);
    let again = send_message(&mut device, &request(1, 2, step(&START, 100)));
    let numbers: Vec<u32> = events(&again).iter().map(|event| event.number).collect();
    assert_eq!(numbers, (2..all as u32).collect::<Vec<_>>());
}
