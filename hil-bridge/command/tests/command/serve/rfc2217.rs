//! Sharing as a serial port, by RFC 2217.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use touchboard_sharing::rfc2217::{PortClient, PortSettings};

use super::{Served, keeper, succeeded};
use crate::common::{file, hil_bridge, refused, switch_on_at};

#[test]
fn every_command_reaches_a_board_that_is_shared_as_a_port() {
    let served = Served::with(&["--at=virtual", "--rfc2217"]);
    let script = file("script", "start\ntap d7\nexpect turn red\n");
    for what in [
        &["check", "--steps", "60"][..],
        &["shell", "--seed=1", &script],
        &["info", "--baud", "9600"],
    ] {
        succeeded(&hil_bridge(&[what, &["--at", &served.at]].concat()));
    }
}

#[test]
fn a_port_in_use_says_so_in_a_line_of_text() {
    let served = Served::with(&["--at=virtual", "--rfc2217", "--silence-ms=60000"]);
    let mut first = keeper(&["--at", &served.at]);
    served.is_taken();
    refused(
        &["info", "--at", &served.at],
        "The port is in use: 127.0.0.1:",
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn what_is_no_port_is_not_taken_for_one() {
    let board = switch_on_at("127.0.0.1:0".parse().unwrap());
    let at = format!("rfc2217:{}", board.tcp.unwrap());
    refused(&["info", "--at", &at], "is no serial port of RFC 2217");
}

/// A client learns over the wires of its port that the board was unplugged.
#[test]
fn the_carrier_drops_when_the_board_is_gone() {
    let board = switch_on_at("127.0.0.1:0".parse().unwrap());
    let at = format!("tcp:{}", board.tcp.unwrap());
    let served = Served::with(&["--at", &at, "--rfc2217"]);
    let mut stream = TcpStream::connect(served.address()).unwrap();
    let mut said = Vec::new();
    let mut client = PortClient::new(PortSettings::plain(115_200), &mut said);
    stream.write_all(&said).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let there = [255, 250, 44, 107, 0b1011_0000, 255, 240];
    let gone = [255, 250, 44, 107, 0b0000_1011, 255, 240];
    let (mut heard, mut board) = (Vec::new(), Some(board));
    let has = |heard: &[u8], wires: &[u8]| heard.windows(wires.len()).any(|part| part == wires);
    let mut buffer = [0; 512];
    while let Ok(length @ 1..) = stream.read(&mut buffer) {
        heard.extend(&buffer[..length]);
        let mut answer = Vec::new();
        client.hear(&buffer[..length], &mut Vec::new(), &mut answer);
        let _ = stream.write_all(&answer);
        if has(&heard, &there) {
            drop(board.take());
        }
    }
    assert!(has(&heard, &there) && has(&heard, &gone), "{heard:?}");
}
