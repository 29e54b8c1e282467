//! The wire never yields a wrong message, however bytes are split, lost, changed
//! or joined, and the next good frame after garbage is always read.

mod any;

use law::{Judged, Weight, law};
use postcard::experimental::max_size::MaxSize;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use protocol::wire::{
    self, MAX_FRAME_BYTES, Receiver, TO_DEVICE_BYTES, TO_HOST_BYTES, WireError, crc32c_of_pieces,
};
use protocol::{
    Command, Done, Message, PROTOCOL_VERSION, Point, Reply, Request, Rhythm, Roster, SCHEMA_HASH,
    ToDevice, ToHost,
};

fn plain<M: Message>(message: &M) -> Vec<u8> {
    let mut buffer = [0; MAX_FRAME_BYTES];
    let plain = postcard::to_slice(message, &mut buffer).expect("every message fits");
    plain.to_vec()
}

/// The results of feeding these bytes to a receiver, in order.
fn read<M: Message>(receiver: &mut Receiver, bytes: &[u8]) -> Vec<Result<M, WireError>> {
    let mut read = Vec::new();
    for byte in bytes {
        if let Some(frame) = receiver.feed(*byte) {
            read.push(frame.and_then(wire::parse));
        }
    }
    read
}

fn read_anew<M: Message>(bytes: &[u8]) -> Vec<Result<M, WireError>> {
    read(&mut Receiver::new(), bytes)
}

fn messages<M: Message>(bytes: &[u8]) -> Vec<M> {
    read_anew(bytes)
        .into_iter()
        .filter_map(Result::ok)
        .collect()
}

#[test]
fn the_longest_frames_are_compile_time_constants() {
    assert_eq!(MAX_FRAME_BYTES, TO_DEVICE_BYTES.max(TO_HOST_BYTES));
    const { assert!(TO_DEVICE_BYTES > ToDevice::POSTCARD_MAX_SIZE) };
    const { assert!(TO_DEVICE_BYTES <= TO_HOST_BYTES, "positions are short") };
    const { assert!(MAX_FRAME_BYTES <= 311, "a frame fits 27 ms at 115,200 baud") };
}

proptest! {
    #[test]
    fn messages_of_a_host_read_back_as_written(message in any::to_device()) {
        let bytes = wire::encoded(&message);
        prop_assert!(plain(&message).len() <= ToDevice::POSTCARD_MAX_SIZE);
        prop_assert!(bytes.len() <= TO_DEVICE_BYTES);
        prop_assert_eq!(read_anew(&bytes), [Ok(message)]);
    }

    #[test]
    fn messages_of_a_device_read_back_as_written(message in any::to_host()) {
        let bytes = wire::encoded(&message);
        prop_assert!(plain(&message).len() <= ToHost::POSTCARD_MAX_SIZE);
        prop_assert!(bytes.len() <= TO_HOST_BYTES);
        prop_assert_eq!(read_anew(&bytes), [Ok(message)]);
    }

    #[test]
    fn a_frame_has_zeros_only_at_its_ends(message in any::to_host()) {
        let bytes = wire::encoded(&message);
        let zeros: Vec<usize> = (0..bytes.len()).filter(|place| bytes[*place] == 0).collect();
        prop_assert_eq!(zeros, [0, bytes.len() - 1]);
    }

    /// A buffer of the exact size is enough; one byte less is not.
    #[test]
    fn a_buffer_that_is_too_short_is_refused(message in any::to_host()) {
        let length = wire::encoded(&message).len();
        let mut short = vec![0; length - 1];
        prop_assert!(wire::encode(&message, &mut short).is_none());
        prop_assert!(wire::encode(&message, &mut []).is_none());
    }

    #[test]
    fn every_split_yields_the_same_messages(
        sent in vec(any::to_host(), 1..4),
        cut in any::<Index>(),
    ) {
        let bytes: Vec<u8> = sent.iter().flat_map(wire::encoded).collect();
        let (early, late) = bytes.split_at(cut.index(bytes.len() + 1));
        let mut receiver = Receiver::new();
        let mut got = read(&mut receiver, early);
        got.extend(read(&mut receiver, late));
        prop_assert_eq!(got, sent.into_iter().map(Ok).collect::<Vec<_>>());
    }

    /// Tests all truncations, not a sample.
    #[test]
    fn every_truncation_yields_nothing_and_the_next_frame_is_read(
        cut_short in any::to_host(),
        next in any::to_host(),
    ) {
        let bytes = wire::encoded(&cut_short);
        for length in 0..bytes.len() - 1 {
            let mut stream = bytes[..length].to_vec();
            prop_assert_eq!(messages::<ToHost>(&stream), []);
            stream.extend(wire::encoded(&next));
            prop_assert_eq!(messages::<ToHost>(&stream), std::slice::from_ref(&next));
        }
    }

    /// Tests all bits, not a sample. A flipped bit may make a zero, which ends the frame
    /// early, or remove one of its edges.
    #[test]
    fn every_flipped_bit_yields_nothing_and_the_next_frame_is_read(
        hurt in any::to_device(),
        next in any::to_device(),
    ) {
        let bytes = wire::encoded(&hurt);
        for bit in 0..bytes.len() * 8 {
            let mut stream = bytes.clone();
            stream[bit / 8] ^= 1 << (bit % 8);
            stream.extend(wire::encoded(&next));
            let got = messages::<ToDevice>(&stream);
            // The edges are not part of the message. If one is lost, the zero at the
            // start of the next frame takes its place.
            let edge = bit / 8 == 0 || bit / 8 == bytes.len() - 1;
            let whole = edge && got == [hurt.clone(), next.clone()];
            prop_assert!(got == std::slice::from_ref(&next) || whole, "bit {}: {:?}", bit, got);
        }
    }

    #[test]
    fn two_flipped_bits_yield_no_wrong_message(
        hurt in any::to_host(),
        first in any::<Index>(),
        second in any::<Index>(),
        next in any::to_host(),
    ) {
        let bytes = wire::encoded(&hurt);
        let mut stream = bytes.clone();
        for bit in [first, second] {
            let bit = 8 + bit.index((bytes.len() - 2) * 8);
            stream[bit / 8] ^= 1 << (bit % 8);
        }
        let unhurt = stream == bytes;
        stream.extend(wire::encoded(&next));
        let got = messages::<ToHost>(&stream);
        if unhurt {
            prop_assert_eq!(got, [hurt, next]);
        } else {
            prop_assert_eq!(got, [next]);
        }
    }

    #[test]
    fn repeated_bytes_yield_no_message_that_was_not_sent(
        sent in vec(any::to_host(), 2..5),
        from in any::<Index>(),
        length in 1..120_usize,
    ) {
        let bytes: Vec<u8> = sent.iter().flat_map(wire::encoded).collect();
        let from = from.index(bytes.len());
        let until = bytes.len().min(from + length);
        let stream = [&bytes[..until], &bytes[from..]].concat();
        for message in messages::<ToHost>(&stream) {
            prop_assert!(sent.contains(&message));
        }
    }

    #[test]
    fn garbage_yields_nothing_and_the_next_frame_is_read(
        garbage in vec(any::<u8>(), 0..2_000),
        next in any::to_device(),
    ) {
        let mut stream = garbage;
        prop_assert_eq!(messages::<ToDevice>(&stream), []);
        stream.extend(wire::encoded(&next));
        prop_assert_eq!(messages::<ToDevice>(&stream), [next]);
    }

    /// `postcard`'s own accumulator accepts the tail of an over-long frame as a frame.
    /// Here the tail is a valid frame, byte for byte, and must still be dropped.
    #[test]
    fn the_tail_of_an_overlong_frame_is_not_read_as_a_frame(
        head in vec(1..=u8::MAX, MAX_FRAME_BYTES..3 * MAX_FRAME_BYTES),
        tail in any::to_device(),
        next in any::to_device(),
    ) {
        let mut stream = head;
        let tail = wire::encoded(&tail);
        stream.extend(&tail[1..]);
        prop_assert_eq!(read_anew::<ToDevice>(&stream), [Err(WireError::Overlong)]);
        stream.extend(wire::encoded(&next));
        prop_assert_eq!(messages::<ToDevice>(&stream), [next]);
    }

    /// Holds whatever a later version adds after these fields.
    #[test]
    fn version_and_schema_of_a_hello_are_read_in_any_version(
        version: u16,
        schema: u64,
        host: u32,
        rest in vec(any::<u8>(), 0..40),
    ) {
        let hello = ToDevice::Hello { version, schema, host };
        let mut bytes = plain(&hello);
        prop_assert_eq!(wire::hello_of_any_version(&bytes), Some((version, schema)));
        bytes.extend(rest);
        prop_assert_eq!(wire::hello_of_any_version(&bytes), Some((version, schema)));
    }

    #[test]
    fn only_a_hello_is_read_as_a_hello(message in any::to_device()) {
        let is_hello = matches!(message, ToDevice::Hello { .. });
        let read = wire::hello_of_any_version(&plain(&message));
        prop_assert_eq!(read.is_some(), is_hello);
    }
}

/// If the bytes between the middle of one frame and the middle of another are lost, the
/// head of the first and the tail of the second are joined.
#[test]
fn merged_frames_yield_no_message_that_was_not_sent() {
    let like = (vec(any::to_host(), 2..5), any::<Index>(), 1..80_usize);
    law(Weight::of(256, 60), like, |(sent, from, length)| {
        let bytes: Vec<u8> = sent.iter().flat_map(wire::encoded).collect();
        let from = from.index(bytes.len());
        let mut stream = bytes[..from].to_vec();
        stream.extend(&bytes[bytes.len().min(from + length)..]);
        let got = messages::<ToHost>(&stream);
        let mut left = sent.iter();
        for message in &got {
            prop_assert!(
                left.any(|one| one == message),
                "{:?} was not sent then",
                message
            );
        }
        Ok(Judged::if_any(!got.is_empty()))
    });
}

/// Replies short enough to be mistaken for a request.
fn short_replies() -> impl Strategy<Value = ToHost> {
    let done = prop_oneof![
        2 => Just(Done::Done),
        1 => any::<u8>().prop_map(|digest| Done::Digest(digest.into())),
    ];
    let numbers = (0..3_u32, 0..3_u64, 0..12_u32, 0..4_u32);
    (numbers, done).prop_map(|((number, tick, events, frames), done)| {
        ToHost::Reply(Reply {
            number,
            tick,
            events,
            frames,
            result: Ok(done),
        })
    })
}

#[test]
fn frames_of_the_other_direction_are_read_only_if_equal() {
    law(Weight::of(512, 1), short_replies(), |message| {
        let got = messages::<ToDevice>(&wire::encoded(&message));
        for got in &got {
            prop_assert_eq!(plain(got), plain(&message));
        }
        Ok(Judged::if_any(!got.is_empty()))
    });
}

/// Bytes that are not a message, some of them nearly valid.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let damage = vec((any::<Index>(), any::<u8>()), 0..3);
    let plain = prop_oneof![
        any::to_device().prop_map(|message| plain(&message)),
        any::to_host().prop_map(|message| plain(&message)),
    ];
    let nearly = (plain, damage).prop_map(|(mut bytes, damage)| {
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        bytes
    });
    prop_oneof![3 => nearly, 1 => vec(any::<u8>(), 0..MAX_FRAME_BYTES)]
}

#[test]
fn reading_any_bytes_does_not_panic() {
    law(Weight::of(1_024, 35), bytes(), |bytes| {
        let _ = wire::unwrap(&mut bytes.clone());
        let _ = wire::hello_of_any_version(&bytes);
        let (to_device, to_host) = (
            wire::parse::<ToDevice>(&bytes),
            wire::parse::<ToHost>(&bytes),
        );
        // A message has only one encoding.
        if let Ok(message) = &to_device {
            prop_assert_eq!(plain(message), bytes.clone());
        }
        if let Ok(message) = &to_host {
            prop_assert_eq!(plain(message), bytes);
        }
        Ok(Judged::if_any(to_device.is_ok() || to_host.is_ok()))
    });
}

/// The same numbers in more bytes than necessary, which postcard accepts and our encoders
/// never write.
#[test]
fn a_message_in_an_overlong_encoding_is_refused() {
    let hello = ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 1,
    };
    let plain = plain(&hello);
    assert_eq!(wire::parse(&plain), Ok(hello));
    let (kind, rest) = plain.split_first().expect("it is not empty");
    let longer = [&[kind | 0x80, 0], rest].concat();
    assert_eq!(wire::parse::<ToDevice>(&longer), Err(WireError::Unknown));
    assert_eq!(wire::hello_of_any_version(&longer), None);
    let (host, rest) = plain.split_last().expect("it is not empty");
    let longer = [rest, &[host | 0x80, 0]].concat();
    assert_eq!(wire::parse::<ToDevice>(&longer), Err(WireError::Unknown));
}

#[test]
fn one_or_more_zeros_separate_frames() {
    let ask = |number| {
        ToDevice::Request(Request {
            number,
            seen: 0,
            command: Command::Ping,
        })
    };
    let [first, second] = [ask(1), ask(2)].map(|message| wire::encoded(&message));
    let once = [&first[1..], &second[1..]].concat();
    assert_eq!(messages::<ToDevice>(&once), [ask(1), ask(2)]);
    let more = [&[0; 9], &first[..], &[0; 9], &second[..]].concat();
    assert_eq!(messages::<ToDevice>(&more), [ask(1), ask(2)]);
}

#[test]
fn bytes_behind_a_message_make_it_invalid() {
    let mut bytes = plain(&ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 1,
    });
    bytes.push(0);
    assert_eq!(wire::parse::<ToDevice>(&bytes), Err(WireError::Unknown));
}

/// The standard check value of CRC-32C, that of "123456789".
#[test]
fn a_checksum_of_pieces_equals_that_of_the_whole() {
    let pieces = [*b"123", *b"456", *b"789"];
    assert_eq!(crc32c_of_pieces(pieces.into_iter()), 0xE306_9283);
}

#[test]
fn empty_frames_are_ignored() {
    assert_eq!(read_anew::<ToDevice>(&[0; 50]), []);
}

proptest! {
    #[test]
    fn games_read_back_as_written(numbers in vec(0..Roster::MOST as u8, 1..40)) {
        let roster = Roster::of(&numbers);
        let text = roster.to_string();
        prop_assert_eq!(text.parse::<Roster>(), Ok(roster));
        prop_assert_eq!(text.to_lowercase().parse::<Roster>(), Ok(roster));
        prop_assert_eq!(text.len(), roster.len());
    }

    /// As the Game button does.
    #[test]
    fn stepping_through_a_roster_visits_exactly_its_games(numbers in vec(0..Roster::MOST as u8, 1..40), from: u8) {
        let roster = Roster::of(&numbers);
        let mut number = roster.after(from);
        let mut round = Vec::new();
        for _ in 0..roster.len() {
            round.push(number);
            number = roster.after(number);
        }
        prop_assert_eq!(number, round[0]);
        round.sort_unstable();
        prop_assert_eq!(round, roster.iter().collect::<Vec<u8>>());
    }
}

proptest! {
    /// A renderer may look at any moment, or only when a change is announced.
    #[test]
    fn a_frame_changes_by_itself_only_when_predicted(frame in any::frame(), tick in 0..1_u64 << 40) {
        let seen = |tick| (frame.points_seen(tick), frame.turn_seen(tick));
        match frame.changes_in_ms(tick) {
            None => prop_assert_eq!(seen(tick), seen(tick + 333)),
            Some(ms) => {
                for within in 0..u64::from(ms) {
                    prop_assert_eq!(seen(tick), seen(tick + within));
                }
            }
        }
        let round = u64::from(Rhythm::ROUND_MS);
        prop_assert_eq!(seen(tick), seen(tick + round), "and comes round");
    }

    #[test]
    fn a_delta_contains_rhythms(
        old in any::frame(),
        changes in vec((any::<u8>(), 0..Rhythm::ALL.len()), 1..=24),
    ) {
        let mut new = old.clone();
        for (point, rhythm) in changes {
            new.rhythms.set(Point(point), Rhythm::ALL[rhythm]);
        }
        let delta = old.delta(&new).expect("it has room for 24 lights");
        let mut frame = old;
        frame.apply(&delta);
        prop_assert_eq!(frame, new);
    }
}

#[test]
fn every_rhythm_begins_as_it_is_described() {
    let drawn = |rhythm: Rhythm| -> String {
        let on = |step: u64| if rhythm.is_on(step * 50) { '#' } else { '.' };
        (0..20).map(on).collect()
    };
    let all: Vec<(&str, String)> = Rhythm::ALL
        .map(|rhythm| (rhythm.name(), drawn(rhythm)))
        .into();
    let expected = [
        ("steady", "####################"),
        ("slow", "##########.........."),
        ("medium", "#####.....#####....."),
        ("fast", "###..###..###..###.."),
        ("double", "##..##.............."),
        ("pulse", "##.................."),
        ("wink", ".....###############"),
        ("marked", "###..###..###..###.."),
    ];
    assert_eq!(all, expected.map(|(name, drawn)| (name, drawn.to_owned())));
    for rhythm in Rhythm::ALL {
        assert_eq!(Rhythm::from_name(rhythm.name()), Some(rhythm));
        assert_eq!(Rhythm::from_index(rhythm.index()), rhythm);
    }
}

/// The recorded fingerprint, updated by `cargo xtask protocol` when the types change on
/// purpose.
#[test]
fn the_schema_hash_equals_the_published_one() {
    let told = include_str!("../schema.json");
    let own = format!("\"schema_hash\": \"{SCHEMA_HASH:016x}\"");
    assert!(told.contains(&own), "the schema does not say {own}");
}
