//! A port without a plug: the time is what the test says.

use firmware_core::AnyBoard;
use protocol::wire::Receiver;
use protocol::{Layout, PROTOCOL_VERSION, SCHEMA_HASH, ToDevice};

use super::*;

fn port(faults: &str) -> Port<AnyBoard> {
    let options = Options {
        no_pty: true,
        faults: crate::FaultOptions(faults.parse().unwrap()),
        ..Options::default()
    };
    let plugs = Plugs::open(&options).unwrap();
    let faults = options.faults.0.clone();
    let fingers = Fingers::new(options.first_layout(), faults, plugs.waker());
    let board = AnyBoard::new(options.first_layout(), 0).unwrap();
    Port::new(Keeping::new(board), None, options, plugs, fingers)
}

/// The lines for the log among what the board says.
fn logged(port: &mut Port<AnyBoard>) -> Vec<String> {
    let (mut receiver, mut lines): (Receiver, _) = (Receiver::new(), Vec::new());
    while !port.device.output().is_empty() {
        let bytes = port.device.output().to_vec();
        for byte in &bytes {
            if let Some(Ok(plain)) = receiver.feed(*byte)
                && let Ok(ToHost::Log(line)) = wire::parse(plain)
            {
                lines.push(line.to_string());
            }
        }
        port.device.sent(bytes.len());
        port.elapse(0);
    }
    lines
}

#[test]
fn a_stuck_key_is_told_to_the_host_once_and_to_one_who_comes_later() {
    let mut port = port("stuck d4");
    port.elapse(20_000);
    assert_eq!(logged(&mut port), [""; 0], "nobody is there");
    let mut buffer = [0; MAX_FRAME_BYTES];
    let hello = ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 1,
    };
    port.device.feed(wire::encode(&hello, &mut buffer).unwrap());
    let stuck = "d4 has been held down for 10 s: it may be stuck, look what lies on it";
    assert_eq!(logged(&mut port), [stuck]);
    port.elapse(60_000);
    assert_eq!(logged(&mut port), [""; 0]);
}

#[test]
fn a_board_without_fingers_and_faults_sleeps_as_long_as_it_likes() {
    let mut port = port("none");
    port.elapse(1_000);
    assert_eq!(port.board_sleeps_ms(), port.device.sleeps_ms());
    port.hand.fingers.line("down d4").unwrap();
    port.elapse(0);
    assert_eq!(port.board_sleeps_ms(), Some(1));
}

#[test]
fn a_board_that_becomes_smaller_has_no_stuck_key_that_it_lacks() {
    let mut port = port("stuck i9");
    let small = Layout::grid(4, 4).unwrap();
    port.device = device(Keeping::new(AnyBoard::new(small, 0).unwrap()), None, 1);
    port.elapse(20_000);
    assert_eq!(port.hand.layout(), small);
    assert!(!port.hand.has_more_to_say());
    assert!(port.hand.fingers.line("down i9").is_err());
}
