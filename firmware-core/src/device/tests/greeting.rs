//! Hellos, and requests that are repeated, passed or refused.

use protocol::Deed;

use super::*;

#[test]
fn a_device_says_hello_once_at_power_on() {
    let mut device = device();
    let heard = received(&mut device);
    assert!(matches!(&heard[..], [ToHost::Hello(hello)] if hello.boot == 1));
    device.elapse(5_000);
    assert_eq!(received(&mut device), []);
}

#[test]
fn a_request_before_a_hello_is_refused_and_not_carried_out() {
    let mut device = device();
    let heard = send_message(
        &mut device,
        &request(5, 0, Command::Do(Deed::Input(START[0]))),
    );
    assert_eq!(reply(&heard).result, Err(Refusal::NotGreeted));
    assert_eq!(device.board().status().turn, None);
    assert!(device.diary.is_empty());
}

#[test]
fn a_hello_of_another_version_is_answered_and_ends_a_session() {
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
        let heard = send_message(&mut device, &other);
        assert!(matches!(&heard[..], [ToHost::Hello(_)]), "{heard:?}");
        let heard = send_message(&mut device, &request(0, 0, Command::Ping));
        assert_eq!(reply(&heard).result, Err(Refusal::NotGreeted));
    }
}

/// A hello of a later version: the same first fields, followed by different ones.
#[test]
fn a_hello_of_a_future_version_is_answered() {
    let mut device = greeted();
    let longer = (0_u32, 9_u16, 10_u64, "something else");
    let heard = send(&mut device, &wire::encoded(&longer));
    assert!(matches!(&heard[..], [ToHost::Hello(_)]), "{heard:?}");
    assert!(!device.greeted);
}

#[test]
fn a_hello_is_followed_by_the_whole_frame() {
    let mut device = device();
    received(&mut device);
    for _ in 0..2 {
        let heard = send_message(&mut device, &hello(1));
        assert!(
            matches!(&heard[..], [ToHost::Hello(_), ToHost::Frame { .. }]),
            "{heard:?}"
        );
    }
}

#[test]
fn a_repeated_request_is_answered_but_carried_out_once() {
    let mut device = in_lockstep();
    let start = request(1, 0, step(&START, 10));
    let first = send_message(&mut device, &start);
    let again = send_message(&mut device, &start);
    assert_eq!(reply(&first), reply(&again));
    assert_eq!(events(&first), events(&again), "unseen events are repeated");
    assert_eq!(device.board().tick(), 10);
    let seen = reply(&again).events;
    let later = send_message(&mut device, &request(2, seen, Command::Ping));
    assert_eq!(events(&later), []);
    let late_copy = send_message(&mut device, &start);
    assert_eq!(reply(&late_copy).number, 1);
    assert_eq!(reply(&late_copy).result, Err(Refusal::Stale { next: 3 }));
    assert_eq!(device.board().tick(), 10);
}

/// A host that restarts its numbers without a hello would otherwise wait for ever.
#[test]
fn an_old_request_number_is_refused_with_the_next_one() {
    let mut device = in_lockstep();
    send_message(&mut device, &request(u32::MAX, 0, Command::Ping));
    let last = request(1, 0, step(&START, 10));
    let answer = send_message(&mut device, &last);
    for number in [0, u32::MAX, 0x8000_0002] {
        let heard = send_message(&mut device, &request(number, 0, step(&START, 10)));
        assert_eq!(reply(&heard).number, number);
        assert_eq!(reply(&heard).result, Err(Refusal::Stale { next: 2 }));
        assert_eq!(events(&heard), [], "it is told that alone");
    }
    assert_eq!(reply(&send_message(&mut device, &last)), reply(&answer));
    assert_eq!(device.board().tick(), 10);
    let heard = send_message(&mut device, &request(2, 0, Command::Ping));
    assert_eq!(reply(&heard).result, Ok(Done::Done));
}

#[test]
fn unsent_events_cannot_be_acknowledged() {
    let mut device = greeted();
    // More events than the outbox holds while nobody reads: the last ones wait.
    while device.diary.unsent().is_none() {
        device.input(Input::Press(Button::Time));
        device.input(Input::Lift(Button::Time));
    }
    let next = device.diary.next_number();
    assert!((next as usize) < EVENTS, "none is dropped for want of room");
    let ping = request(1, next, Command::Ping);
    assert_eq!(
        device.feed(&wire::encoded(&ping)),
        wire::encoded(&ping).len()
    );
    let heard = received(&mut device);
    let numbers = events(&heard).into_iter().map(|event| event.number);
    assert!(numbers.eq(0..next), "{heard:?}");
    assert_eq!(reply(&heard).events, next);
    for seen in [next + 1, next + 1_000, u32::MAX] {
        send_message(&mut device, &request(seen, seen, Command::Ping));
        assert!(!device.diary.is_empty(), "{seen} was not given yet");
        device.answered = None;
    }
    send_message(&mut device, &request(2, next, Command::Ping));
    assert!(device.diary.is_empty());
}

#[test]
fn only_the_same_host_gets_its_old_answer_again() {
    let mut device = in_lockstep();
    let start = request(1, 0, step(&START, 10));
    let first = send_message(&mut device, &start);
    device.hung_up();
    send_message(&mut device, &hello(1));
    let again = send_message(&mut device, &start);
    assert_eq!(reply(&first).result, reply(&again).result);
    assert_eq!(events(&first), events(&again));
    device.hung_up();
    let heard = send_message(&mut device, &hello(2));
    assert_eq!(events(&heard), []);
    send_message(&mut device, &request(1, 0, step(&[], 5)));
    assert_eq!(device.board().tick(), 15);
}

#[test]
fn a_request_to_crash_is_the_ports_to_carry_out() {
    let mut device = greeted();
    assert!(!device.is_to_crash());
    let heard = send_message(&mut device, &request(1, 0, Command::Crash));
    assert_eq!(heard, []);
    assert!(device.is_to_crash());
}

#[test]
fn a_request_waits_until_the_last_answer_has_room() {
    let mut device = in_lockstep();
    let ask: Vec<u8> = (1..40)
        .flat_map(|number| wire::encoded(&request(number, 0, Command::Frame)))
        .collect();
    let taken = device.feed(&ask);
    assert!(taken < ask.len(), "there is not room for all answers");
    assert_eq!(device.feed(&ask[taken..]), 0);
    let mut answers = Vec::new();
    let mut left = &ask[taken..];
    loop {
        answers.extend(received(&mut device));
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
