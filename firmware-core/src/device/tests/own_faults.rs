//! Faults that a host sets on a board whose contacts are simulated.

use std::format;
use std::string::{String, ToString};

use protocol::CHUNK_BYTES;

use super::*;
use crate::faults::Faults;

/// Sends this text of faults in pieces, and returns the answer to the last request.
fn inject(device: &mut Own, first: u32, text: &str) -> Result<Done, Refusal> {
    let pieces = text.as_bytes().chunks(CHUNK_BYTES);
    for (number, piece) in (first..).zip(pieces.clone()) {
        let write = Command::Write {
            offset: ((number - first) as usize * CHUNK_BYTES) as u16,
            bytes: piece.iter().copied().collect(),
        };
        let heard = send_message(device, &request(number, 0, write));
        assert_eq!(reply(&heard).result, Ok(Done::Done));
    }
    let last = first + pieces.len() as u32;
    let length = text.len() as u16;
    let heard = send_message(device, &request(last, 0, Command::Break { length }));
    reply(&heard).result.clone()
}

/// The text of the faults that the device tells.
fn told(device: &mut Own, first: u32) -> String {
    let mut text = Vec::new();
    loop {
        let command = match text.len() {
            0 => Command::Faults,
            read => Command::Read {
                offset: read as u16,
            },
        };
        let number = first + text.len() as u32;
        let heard = send_message(device, &request(number, 0, command));
        let Ok(Done::Chunk { total, bytes, .. }) = &reply(&heard).result else {
            panic!("{heard:?}");
        };
        text.extend_from_slice(bytes);
        if text.len() == usize::from(*total) {
            return String::from_utf8(text).expect("a text");
        }
    }
}

fn simulated() -> Own {
    let mut device = in_lockstep();
    device.set_faults(BoardFaults::default(), 0);
    device
}

#[test]
fn a_host_reads_back_the_faults_that_it_set() {
    let mut device = simulated();
    assert_eq!(told(&mut device, 10), "none");
    assert_eq!(device.take_faults(), None);
    let keys: Vec<String> = (1..=8)
        .map(|row| format!("stuck a{row}, dead b{row}"))
        .collect();
    let text = format!(
        "seed 7, {}, bounce-ms 3, clock-permille 1020",
        keys.join(", ")
    );
    let faults: Faults = text.parse().expect("faults");
    assert!(text.len() > CHUNK_BYTES, "it takes several pieces");
    assert_eq!(inject(&mut device, 100, &text), Ok(Done::Done));
    assert_eq!(device.take_faults(), Some((faults.board.clone(), 7)));
    assert_eq!(device.take_faults(), None, "they are applied once");
    assert_eq!(told(&mut device, 1_000), faults.to_string());
}

#[test]
fn impossible_faults_are_refused_and_change_nothing() {
    let mut device = simulated();
    assert_eq!(inject(&mut device, 10, "bounce-ms 3"), Ok(Done::Done));
    device.take_faults();
    for (number, text) in [
        "",
        "stuck z9",
        "dead-led d4",
        "drop-ppm 1000000",
        "bounce-ms 1001",
        "clock-permille 499",
        "bounce-ms 3, and so on",
    ]
    .into_iter()
    .enumerate()
    {
        let first = 100 * (number as u32 + 1);
        assert_eq!(
            inject(&mut device, first, text),
            Err(Refusal::Faults),
            "{text}"
        );
    }
    let longer_than_the_buffer = Command::Break { length: u16::MAX };
    let heard = send_message(&mut device, &request(5_000, 0, longer_than_the_buffer));
    assert_eq!(reply(&heard).result, Err(Refusal::Faults));
    assert_eq!(device.take_faults(), None);
    assert_eq!(
        told(&mut device, 6_000),
        "bounce-ms 3".parse::<Faults>().unwrap().to_string()
    );
}

#[test]
fn a_board_with_real_contacts_refuses_faults() {
    let mut device = in_lockstep();
    let heard = send_message(&mut device, &request(10, 0, Command::Faults));
    assert_eq!(reply(&heard).result, Err(Refusal::NotSimulated));
    let refused = inject(&mut device, 11, "bounce-ms 3");
    assert_eq!(refused, Err(Refusal::NotSimulated));
}
