//! The laws of RFC 2217.

use law::{Judged, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::telnet::{IAC, TelnetItem, TelnetReader, write_data};

/// A port that can send at a few speeds only, as some can.
#[derive(Clone, Debug)]
struct PortOfFew {
    settings: PortSettings,
    on: [bool; 3],
    lines: ModemLines,
    forgotten: (u32, u32),
}

impl PortOfFew {
    fn new() -> PortOfFew {
        PortOfFew {
            settings: PortSettings::plain(115_200),
            on: [false; 3],
            lines: ModemLines::THERE,
            forgotten: (0, 0),
        }
    }
}

impl Port for PortOfFew {
    fn settings(&mut self) -> PortSettings {
        self.settings
    }

    fn set(&mut self, wanted: PortSettings) {
        let known = [9_600, 115_200].contains(&wanted.baud);
        let baud = if known {
            wanted.baud
        } else {
            self.settings.baud
        };
        self.settings = PortSettings { baud, ..wanted };
    }

    fn switch(&mut self, wire: PortWire, on: bool) {
        self.on[wire as usize] = on;
    }

    fn is_on(&mut self, wire: PortWire) -> bool {
        self.on[wire as usize]
    }

    fn modem_lines(&mut self) -> ModemLines {
        self.lines
    }

    fn forget_received(&mut self) {
        self.forgotten.0 += 1;
    }

    fn forget_unsent(&mut self) {
        self.forgotten.1 += 1;
    }
}

/// A server and its port.
struct Far {
    server: PortServer,
    port: PortOfFew,
    to_port: Vec<u8>,
}

impl Far {
    fn new(first: &mut Vec<u8>) -> Far {
        Far {
            server: PortServer::new("a test", first),
            port: PortOfFew::new(),
            to_port: Vec::new(),
        }
    }

    fn hears(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut answer = Vec::new();
        self.server
            .hear(bytes, &mut self.port, &mut self.to_port, &mut answer);
        answer
    }

    /// The acknowledgement of this command.
    fn obeys(&mut self, command: PortCommand) -> Vec<PortCommand> {
        let mut bytes = Vec::new();
        command.write(PortEnd::Client, &mut bytes);
        let answer = self.hears(&bytes);
        commands(&answer, PortEnd::Server)
    }
}

/// The commands of this end in a stream.
fn commands(bytes: &[u8], of: PortEnd) -> Vec<PortCommand> {
    let mut reader = TelnetReader::default();
    let mut found = Vec::new();
    for byte in bytes {
        if let Some(TelnetItem::Parameters(COM_PORT, parameters)) = reader.feed(*byte)
            && let Some((end, command)) = PortCommand::read(parameters)
        {
            assert_eq!(end, of);
            found.push(command);
        }
    }
    found
}

/// Lets a client and a server talk until both are silent.
fn settle(
    client: &mut PortClient,
    mut said: Vec<u8>,
    far: &mut Far,
    mut heard: Vec<u8>,
) -> Vec<u8> {
    let mut from_port = Vec::new();
    for _ in 0..10 {
        let mut answer = Vec::new();
        client.hear(&heard, &mut from_port, &mut answer);
        said.extend(answer);
        if said.is_empty() {
            return from_port;
        }
        heard = far.hears(&std::mem::take(&mut said));
    }
    panic!("they go on and on");
}

fn some_commands() -> impl Strategy<Value = PortCommand> {
    prop_oneof![
        vec(any::<u8>(), 0..40).prop_map(PortCommand::Signature),
        any::<u32>().prop_map(PortCommand::Baud),
        any::<u8>().prop_map(PortCommand::DataBits),
        any::<u8>().prop_map(PortCommand::Parity),
        any::<u8>().prop_map(PortCommand::StopBits),
        any::<u8>().prop_map(PortCommand::Control),
        any::<u8>().prop_map(PortCommand::LineState),
        any::<u8>().prop_map(PortCommand::ModemState),
        Just(PortCommand::Suspend),
        Just(PortCommand::Resume),
        any::<u8>().prop_map(PortCommand::LineMask),
        any::<u8>().prop_map(PortCommand::ModemMask),
        any::<u8>().prop_map(PortCommand::Purge),
    ]
}

#[test]
fn every_command_reads_back_as_written() {
    law(Weight::of(256, 90), some_commands(), |command| {
        for end in [PortEnd::Client, PortEnd::Server] {
            let mut bytes = Vec::new();
            command.write(end, &mut bytes);
            prop_assert_eq!(commands(&bytes, end), vec![command.clone()]);
        }
        Ok(Judged::Something)
    });
}

#[test]
fn any_bytes_cross_in_any_pieces_between_any_commands() {
    let piece = (
        vec(prop_oneof![any::<u8>(), Just(IAC)], 0..40),
        some_commands(),
    );
    let like = (vec(piece, 0..12), 1_usize..50);
    law(Weight::of(256, 80), like, |(pieces, length)| {
        let mut far = Far::new(&mut Vec::new());
        let (mut bytes, mut data) = (Vec::new(), Vec::new());
        for (piece, command) in &pieces {
            PortClient::say(piece, &mut bytes);
            data.extend(piece);
            command.write(PortEnd::Client, &mut bytes);
        }
        let mut answered = 0;
        for chunk in bytes.chunks(length) {
            answered += far.hears(chunk).len();
        }
        prop_assert_eq!(&far.to_port, &data);
        prop_assert!(
            answered <= 8 * bytes.len(),
            "{} for {}",
            answered,
            bytes.len()
        );
        Ok(Judged::if_any(!data.is_empty()))
    });
}

#[test]
fn any_noise_is_answered_briefly_and_acknowledged_with_a_possible_value() {
    let bytes = prop_oneof![
        any::<u8>(),
        Just(IAC),
        240_u8..=IAC,
        Just(COM_PORT),
        0_u8..14
    ];
    law(Weight::of(256, 90), vec(bytes, 0..600), |noise| {
        let mut far = Far::new(&mut Vec::new());
        let answer = far.hears(&noise);
        prop_assert!(answer.len() <= 8 * noise.len());
        prop_assert!((5..=8).contains(&far.port.settings.data_bits));
        let mut client = PortClient::new(PortSettings::plain(9_600), &mut Vec::new());
        let (mut from_port, mut answer) = (Vec::new(), Vec::new());
        client.hear(&noise, &mut from_port, &mut answer);
        prop_assert!(from_port.len() <= noise.len());
        prop_assert!(client.said().len() <= 240);
        Ok(Judged::if_any(!noise.is_empty()))
    });
}

#[test]
fn a_client_and_a_server_agree_and_every_byte_crosses() {
    let mut heard = Vec::new();
    let mut far = Far::new(&mut heard);
    let mut said = Vec::new();
    let mut client = PortClient::new(PortSettings::plain(9_600), &mut said);
    assert_eq!(client.negotiation(), Negotiation::Waiting);
    settle(&mut client, said, &mut far, heard);
    assert_eq!(client.negotiation(), Negotiation::Ready(9_600));
    assert_eq!(far.port.settings, PortSettings::plain(9_600));
    let all: Vec<u8> = (0..=255).collect();
    let mut bytes = Vec::new();
    PortServer::say(&all, &mut bytes);
    let from_port = settle(&mut client, Vec::new(), &mut far, bytes);
    assert_eq!(from_port, all);
    let mut bytes = Vec::new();
    PortClient::say(&all, &mut bytes);
    far.hears(&bytes);
    assert_eq!(far.to_port, all);
}

#[test]
fn a_speed_that_the_port_has_not_is_answered_with_the_one_it_has() {
    let mut far = Far::new(&mut Vec::new());
    let answered = |far: &mut Far, command| far.obeys(command);
    assert_eq!(
        answered(&mut far, PortCommand::Baud(0)),
        [PortCommand::Baud(115_200)]
    );
    assert_eq!(
        answered(&mut far, PortCommand::Baud(300)),
        [PortCommand::Baud(115_200)]
    );
    assert_eq!(
        answered(&mut far, PortCommand::Baud(9_600)),
        [PortCommand::Baud(9_600)]
    );
    assert_eq!(
        answered(&mut far, PortCommand::DataBits(9)),
        [PortCommand::DataBits(8)]
    );
    assert_eq!(
        answered(&mut far, PortCommand::Parity(3)),
        [PortCommand::Parity(3)]
    );
    assert_eq!(
        answered(&mut far, PortCommand::Parity(9)),
        [PortCommand::Parity(3)]
    );
    assert_eq!(
        answered(&mut far, PortCommand::StopBits(2)),
        [PortCommand::StopBits(2)]
    );
    assert_eq!(far.port.settings.parity, PortParity::Even);
}

#[test]
fn wires_flow_control_and_purges_are_acknowledged_with_what_is_so() {
    let mut far = Far::new(&mut Vec::new());
    // Asked, and answered: break, DTR and RTS, then flow control in both numberings.
    for (asked, answered) in [
        (4, 6),
        (5, 5),
        (4, 5),
        (6, 6),
        (8, 8),
        (7, 8),
        (9, 9),
        (11, 11),
        (12, 12),
        (10, 12),
        (0, 1),
        (3, 3),
        (0, 3),
        (13, 16),
        (14, 14),
        (0, 1),
        (17, 1),
        (200, 1),
    ] {
        let said = far.obeys(PortCommand::Control(asked));
        assert_eq!(said, [PortCommand::Control(answered)], "{asked}");
    }
    assert_eq!(far.obeys(PortCommand::Purge(1)), [PortCommand::Purge(1)]);
    assert_eq!(far.obeys(PortCommand::Purge(3)), [PortCommand::Purge(3)]);
    assert_eq!(far.port.forgotten, (2, 1));
}

#[test]
fn wires_are_told_once_and_only_those_of_the_mask() {
    let mut heard = Vec::new();
    let mut far = Far::new(&mut heard);
    let mut said = Vec::new();
    let mut client = PortClient::new(PortSettings::plain(9_600), &mut said);
    let told = |far: &mut Far| {
        let mut bytes = Vec::new();
        far.server.look(&mut far.port, &mut bytes);
        commands(&bytes, PortEnd::Server)
    };
    assert_eq!(told(&mut far), [], "the option is not agreed on yet");
    settle(&mut client, said, &mut far, heard);
    assert_eq!(told(&mut far), [PortCommand::ModemState(0b1011_0000)]);
    assert_eq!(told(&mut far), []);
    far.port.lines.carrier = false;
    assert_eq!(told(&mut far), [PortCommand::ModemState(0b0011_1000)]);
    far.obeys(PortCommand::ModemMask(0x10));
    far.port.lines.ready = false;
    assert_eq!(told(&mut far), []);
    far.port.lines.may_send = false;
    assert_eq!(told(&mut far), [PortCommand::ModemState(0b0000_0011)]);
    // A client may ask at any time.
    let asked = far.obeys(PortCommand::ModemState(0));
    assert_eq!(asked, [PortCommand::ModemState(0)]);
}

#[test]
fn both_ends_can_suspend_the_other() {
    let mut far = Far::new(&mut Vec::new());
    far.obeys(PortCommand::Suspend);
    assert!(far.server.is_suspended());
    far.obeys(PortCommand::Resume);
    assert!(!far.server.is_suspended());
    let mut client = PortClient::new(PortSettings::plain(9_600), &mut Vec::new());
    for (command, is_suspended) in [(PortCommand::Suspend, true), (PortCommand::Resume, false)] {
        let mut bytes = Vec::new();
        command.write(PortEnd::Server, &mut bytes);
        client.hear(&bytes, &mut Vec::new(), &mut Vec::new());
        assert_eq!(client.is_suspended(), is_suspended);
    }
}

#[test]
fn a_server_without_a_port_is_recognised_and_its_words_are_kept() {
    let mut client = PortClient::new(PortSettings::plain(9_600), &mut Vec::new());
    let mut bytes = Vec::new();
    write_data(b"Port already in use\r\n", &mut bytes);
    client.hear(&bytes, &mut Vec::new(), &mut Vec::new());
    assert_eq!(client.negotiation(), Negotiation::Waiting);
    assert_eq!(client.said(), "Port already in use");
    client.hear(&[IAC, 254, COM_PORT], &mut Vec::new(), &mut Vec::new());
    assert_eq!(client.negotiation(), Negotiation::Refused);
}
