//! Damaged bytes and lossy lines.

use proptest::prelude::*;
use protocol::{Deed, Point};

use super::*;

#[test]
fn damaged_frames_are_counted_and_reported_now_and_then() {
    let mut device = greeted();
    let mut bytes = wire::encoded(&request(1, 0, Command::Ping));
    bytes[3] ^= 4;
    for _ in 0..5 {
        assert_eq!(send(&mut device, &bytes), []);
    }
    device.elapse(DAMAGE_LOG_MS);
    let logs = received(&mut device)
        .iter()
        .filter(|told| matches!(told, ToHost::Log { text, .. } if text.starts_with('5')))
        .count();
    assert_eq!(logs, 1);
}

#[test]
fn one_damaged_frame_is_reported_in_the_singular() {
    let mut device = greeted();
    let mut bytes = wire::encoded(&request(1, 0, Command::Ping));
    bytes[3] ^= 4;
    assert_eq!(send(&mut device, &bytes), []);
    device.elapse(DAMAGE_LOG_MS);
    let told = received(&mut device);
    let mut logs = told.iter().filter_map(|told| match told {
        ToHost::Log { text, .. } => Some(text),
        _ => None,
    });
    assert!(logs.any(|text| text.starts_with("1 damaged frame came from the host")));
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

impl Fate {
    /// What the host hears after it has sent `ask`, unless nothing reaches it. `older` is a
    /// frame that was late.
    fn deliver(self, device: &mut Own, ask: &[u8], older: Option<&[u8]>) -> Option<Vec<ToHost>> {
        match self {
            Fate::Lost => None,
            Fate::Arrives => Some(send(device, ask)),
            Fate::Unanswered => {
                send(device, ask);
                None
            }
            Fate::Twice => {
                let frames = [Some(ask), older, Some(ask)].into_iter().flatten();
                Some(frames.flat_map(|frame| send(device, frame)).collect())
            }
        }
    }
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
    /// Whatever bytes arrive, the device neither panics nor gets stuck, and
    /// the next good host is served.
    #[test]
    fn a_good_host_is_answered_after_any_bytes(
        garbage in proptest::collection::vec(any::<u8>(), 0..600),
        good in 0..3_usize,
        elapsed in 0..3_000_u32,
    ) {
        let mut device = device();
        let starts = [hello(3), request(4, 0, Command::Ping), request(4, 9, step(&START, 9))];
        let mut bytes = wire::encoded(&starts[good]);
        bytes.extend(&garbage);
        send(&mut device, &bytes);
        device.elapse(elapsed);
        let heard = send_message(&mut device, &hello(77));
        let hellos = heard.iter().filter(|told| matches!(told, ToHost::Hello(_))).count();
        prop_assert!(hellos >= 1);
        let heard = send_message(&mut device, &request(1, 0, Command::Status));
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
        send_message(&mut device, &request(1, 0, reset));
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
                let ask = wire::encoded(&request(number, heard_events.len() as u32, step(&inputs, left)));
                let done = loop {
                    let fate = fates.next().expect("there is always one more");
                    let Some(heard) = fate.deliver(&mut device, &ask, older.as_deref()) else {
                        continue;
                    };
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
