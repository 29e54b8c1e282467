//! States in chunks, resets, and answers about the board.

use protocol::{CHUNK_BYTES, Deed, List, Roster};

use super::*;

#[test]
fn a_state_is_copied_to_another_device_in_chunks() {
    let mut first = in_lockstep();
    send_message(&mut first, &request(1, 0, step(&START, 500)));
    let mut state = Vec::new();
    let mut number = 2;
    let digest = loop {
        let offset = state.len() as u16;
        let heard = send_message(&mut first, &request(number, 99, Command::Read { offset }));
        number += 1;
        // Time that passes between two chunks does not change the snapshot.
        send_message(&mut first, &request(number, 99, step(&[], 3)));
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
        let heard = send_message(&mut second, &request(1 + index as u32, 0, write));
        assert_eq!(reply(&heard).result, Ok(Done::Done));
    }
    let length = state.len() as u16;
    let heard = send_message(&mut second, &request(900, 0, Command::Load { length }));
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
        send_message(&mut device, &request(1 + index as u32, 0, write));
    }
    let length = state.len() as u16;
    let heard = send_message(&mut device, &request(900, 0, Command::Load { length }));
    assert_eq!(reply(&heard).result, Err(Refusal::Roster(roster)));
    assert_eq!(device.board().digest(), before);
}

#[test]
fn missing_or_unfitting_chunks_are_refused() {
    let mut device = in_lockstep();
    let refused = |offset| Err(Refusal::Chunk { offset });
    let heard = send_message(&mut device, &request(1, 0, Command::Read { offset: 5 }));
    assert_eq!(reply(&heard).result, refused(5), "no state was taken");
    send_message(&mut device, &request(2, 0, Command::Read { offset: 0 }));
    let offset = 60_000;
    let heard = send_message(&mut device, &request(3, 0, Command::Read { offset }));
    assert_eq!(reply(&heard).result, refused(offset));
    for offset in [SNAPSHOT_BYTES as u16, u16::MAX] {
        let bytes = List::from_iter([1, 2, 3]);
        let write = Command::Write { offset, bytes };
        let heard = send_message(&mut device, &request(4, 0, write));
        assert_eq!(reply(&heard).result, refused(offset));
        device.answered = None;
    }
    for length in [0, 7, 500, u16::MAX] {
        let heard = send_message(&mut device, &request(5, 0, Command::Load { length }));
        assert_eq!(reply(&heard).result, Err(Refusal::Snapshot));
        device.answered = None;
    }
}

#[test]
fn a_reset_begins_at_tick_0_and_event_0_with_any_layout() {
    let mut device = in_lockstep();
    send_message(&mut device, &request(1, 0, step(&START, 50)));
    let layout = Layout::grid(16, 16).expect("a layout");
    let reset = Command::Do(Deed::Reset { seed: 9, layout });
    let heard = send_message(&mut device, &request(2, 0, reset));
    let reply = reply(&heard);
    assert_eq!((reply.tick, reply.events), (0, 0));
    assert_eq!(reply.result, Ok(Done::Done));
    assert_eq!(device.board().layout(), layout);
    assert_eq!(device.timing.pace, Pace::Lockstep, "the pace is the host's");
}

#[test]
fn questions_are_answered_with_the_boards_own_values() {
    let mut device = in_lockstep();
    send_message(&mut device, &request(1, 0, step(&START, 0)));
    let status = device.board().status();
    let heard = send_message(&mut device, &request(2, 99, Command::Status));
    assert_eq!(reply(&heard).result, Ok(Done::Status(status)));
    let digest = device.board().digest();
    let heard = send_message(&mut device, &request(3, 99, Command::Digest));
    assert_eq!(reply(&heard).result, Ok(Done::Digest(digest)));
    let heard = send_message(&mut device, &request(4, 99, Command::Legal));
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
