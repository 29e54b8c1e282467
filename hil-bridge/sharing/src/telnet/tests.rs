//! The laws of telnet.

use law::{Judged, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// An item that owns its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OwnItem {
    Data(u8),
    Command(u8),
    Option(OptionVerb, u8),
    Parameters(u8, Vec<u8>),
}

impl From<TelnetItem<'_>> for OwnItem {
    fn from(item: TelnetItem<'_>) -> OwnItem {
        match item {
            TelnetItem::Data(byte) => OwnItem::Data(byte),
            TelnetItem::Command(byte) => OwnItem::Command(byte),
            TelnetItem::Option(verb, option) => OwnItem::Option(verb, option),
            TelnetItem::Parameters(option, bytes) => OwnItem::Parameters(option, bytes.to_vec()),
        }
    }
}

impl OwnItem {
    fn write(&self, to: &mut Vec<u8>) {
        match self {
            OwnItem::Data(byte) => write_data(&[*byte], to),
            OwnItem::Command(byte) => to.extend([IAC, *byte]),
            OwnItem::Option(verb, option) => write_option(*verb, *option, to),
            OwnItem::Parameters(option, bytes) => write_parameters(*option, bytes, to),
        }
    }
}

fn verbs() -> impl Strategy<Value = OptionVerb> {
    (0_usize..4).prop_map(|at| OptionVerb::ALL[at].1)
}

fn items() -> impl Strategy<Value = OwnItem> {
    prop_oneof![
        any::<u8>().prop_map(OwnItem::Data),
        Just(OwnItem::Data(IAC)),
        (241_u8..250).prop_map(OwnItem::Command),
        (verbs(), any::<u8>()).prop_map(|(verb, option)| OwnItem::Option(verb, option)),
        (
            0_u8..IAC,
            vec(prop_oneof![any::<u8>(), Just(IAC)], 0..MOST_PARAMETERS)
        )
            .prop_map(|(option, bytes)| OwnItem::Parameters(option, bytes)),
    ]
}

fn read(reader: &mut TelnetReader, bytes: &[u8]) -> Vec<OwnItem> {
    let mut read = Vec::new();
    for byte in bytes {
        read.extend(reader.feed(*byte).map(OwnItem::from));
    }
    read
}

#[test]
fn every_stream_is_read_as_it_was_written() {
    law(Weight::of(256, 90), vec(items(), 0..24), |written| {
        let mut bytes = Vec::new();
        written.iter().for_each(|item| item.write(&mut bytes));
        prop_assert_eq!(read(&mut TelnetReader::default(), &bytes), written.clone());
        Ok(Judged::if_any(!written.is_empty()))
    });
}

/// Bytes among which there are many commands.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop_oneof![any::<u8>(), Just(IAC), SE..=IAC, Just(COM_PORT)];
    vec(bytes, 0..1_200)
}

#[test]
fn after_any_bytes_the_next_command_is_understood_and_memory_is_bounded() {
    law(Weight::of(256, 90), noise(), |bytes| {
        let mut reader = TelnetReader::default();
        let items = read(&mut reader, &bytes);
        for item in &items {
            if let OwnItem::Parameters(_, parameters) = item {
                prop_assert!(parameters.len() <= MOST_PARAMETERS);
            }
        }
        prop_assert!(reader.parameters.capacity() <= 2 * MOST_PARAMETERS);
        // At most two bytes belong to what was cut off.
        read(&mut reader, &[IAC, SE, IAC, SE]);
        let mut next = Vec::new();
        write_parameters(COM_PORT, &[1, 0, 0, 0, 0], &mut next);
        let found = read(&mut reader, &next);
        let wanted = OwnItem::Parameters(COM_PORT, vec![1, 0, 0, 0, 0]);
        prop_assert_eq!(found, vec![wanted]);
        Ok(Judged::if_any(!bytes.is_empty()))
    });
}

#[test]
fn parameters_that_are_too_long_are_left_out() {
    let mut bytes = Vec::new();
    write_parameters(COM_PORT, &[7; MOST_PARAMETERS + 1], &mut bytes);
    write_data(b"on", &mut bytes);
    let read = read(&mut TelnetReader::default(), &bytes);
    assert_eq!(read, [OwnItem::Data(b'o'), OwnItem::Data(b'n')]);
}

/// Passes what one end says to the other, until both are silent. Returns how much was
/// said.
fn talk(ends: &mut [OptionTable; 2], first: Vec<u8>) -> usize {
    let (mut said, mut count) = (first, 0);
    let mut turn = 0;
    while !said.is_empty() {
        count += said.len() / 3;
        assert!(count < 100, "they go on and on");
        turn = 1 - turn;
        let mut answers = Vec::new();
        for item in read(&mut TelnetReader::default(), &said) {
            if let OwnItem::Option(verb, option) = item {
                ends[turn].hear(verb, option, &mut answers);
            }
        }
        said = answers;
    }
    count
}

#[test]
fn a_negotiation_ends_whatever_was_agreed_before() {
    let like = (
        vec((verbs(), 0_u8..50), 0..30),
        vec((verbs(), 0_u8..50), 0..30),
    );
    law(Weight::of(256, 90), like, |(heard, heard_there)| {
        let mut ends = [OptionTable::default(), OptionTable::default()];
        for (end, heard) in ends.iter_mut().zip([&heard, &heard_there]) {
            for (verb, option) in heard {
                let mut answer = Vec::new();
                end.hear(*verb, *option, &mut answer);
                prop_assert!(answer.len() <= 3, "one answer at most");
            }
        }
        for option in OptionTable::KNOWN.into_iter().chain([1, 24]) {
            for side in [OptionSide::Ours, OptionSide::Theirs] {
                let mut asked = Vec::new();
                ends[0].ask(side, option, &mut asked);
                talk(&mut ends, asked);
            }
        }
        for verb in OptionVerb::ALL {
            let mut said = Vec::new();
            write_option(verb.1, BINARY, &mut said);
            talk(&mut ends, said);
        }
        Ok(Judged::if_any(!heard.is_empty()))
    });
}

#[test]
fn requests_that_cross_are_both_agreed_to() {
    let mut ends = [OptionTable::default(), OptionTable::default()];
    let mut said = [Vec::new(), Vec::new()];
    for (end, said) in ends.iter_mut().zip(&mut said) {
        end.ask(OptionSide::Ours, BINARY, said);
        end.ask(OptionSide::Theirs, BINARY, said);
    }
    for (end, heard) in ends.iter_mut().zip([&said[1], &said[0]]) {
        let mut answers = Vec::new();
        for item in read(&mut TelnetReader::default(), heard) {
            if let OwnItem::Option(verb, option) = item {
                end.hear(verb, option, &mut answers);
            }
        }
        assert_eq!(answers, []);
        assert!(end.is_on(OptionSide::Ours, BINARY) && end.is_on(OptionSide::Theirs, BINARY));
    }
}
