//! A relay: offers a board to another program at a TCP port of this computer, and passes
//! on bytes in both directions.
//!
//! Bytes are neither changed nor interpreted. The faults, record and wire log of the line
//! apply to the other program's conversation. Who gets the board is decided as by
//! [`serve`](super::serve).

use std::net::Ipv4Addr;

use touchboard_links::Where;

use super::sharing::{BoardDesk, Door, DoorRules, MAY_BE_SILENT_FOR, Rate};
use super::{CommandEnd, ExitKind};

/// A TCP port at which other programs reach the board.
pub struct Relay {
    door: Door,
    desk: BoardDesk,
}

impl Relay {
    /// Opens this port, or any free one if it is 0.
    ///
    /// # Errors
    /// When the port is in use.
    pub fn begin(port: u16) -> anyhow::Result<Relay> {
        let address = (Ipv4Addr::LOCALHOST, port).into();
        Ok(Relay {
            door: Door::open(address, DoorRules::default())?,
            desk: BoardDesk {
                may_be_silent_for: MAY_BE_SILENT_FOR,
                rate: Rate::Any,
                baud: touchboard_links::at::BAUD,
            },
        })
    }

    /// The place of the board for other programs, as for `--at`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("tcp:{}", self.door.address())
    }

    /// Offers the board to one program after another, as long as `goes_on` returns true.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn run(&self, place: &Where, goes_on: &dyn Fn() -> bool) -> CommandEnd {
        let mut dial = place.dial()?;
        self.desk.run(&self.door, &mut *dial, goes_on)?;
        Ok(ExitKind::Done)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use protocol::wire::Receiver;
    use protocol::{PROTOCOL_VERSION, SCHEMA_HASH, ToDevice, ToHost, wire};
    use touchboard_links::At;

    use super::*;

    /// A relay to a virtual board, at which the first program is silent and a second one
    /// arrives. Returns the first message to the second one.
    fn second_of_two(may_be_silent_for: Duration) -> ToHost {
        let mut relay = Relay::begin(0).unwrap();
        relay.desk.may_be_silent_for = may_be_silent_for;
        let port = relay.door.address();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let goes_on = || !is_over.load(Ordering::Relaxed);
            let place = Where::new(At::Virtual);
            let running = scope.spawn(move || relay.run(&place, &goes_on).map(drop));
            let silent = TcpStream::connect(port).unwrap();
            let mut second = TcpStream::connect(port).unwrap();
            let hello = ToDevice::Hello {
                version: PROTOCOL_VERSION,
                schema: SCHEMA_HASH,
                host: 1,
            };
            second.write_all(&wire::encoded(&hello)).unwrap();
            second
                .set_read_timeout(Some(Duration::from_secs(60)))
                .unwrap();
            let mut receiver = Receiver::<{ wire::MAX_FRAME_BYTES }>::new();
            let first = loop {
                let mut byte = [0];
                second.read_exact(&mut byte).unwrap();
                if let Some(frame) = receiver.feed(byte[0]) {
                    break wire::parse(frame.unwrap()).unwrap();
                }
            };
            is_over.store(true, Ordering::Relaxed);
            running.join().unwrap().unwrap();
            drop(silent);
            first
        })
    }

    #[test]
    fn a_silent_program_loses_the_board_to_the_next() {
        let heard = second_of_two(Duration::ZERO);
        assert!(matches!(heard, ToHost::Hello(_)), "{heard:?}");
    }

    #[test]
    fn a_program_keeps_the_board_while_it_may_be_silent() {
        let heard = second_of_two(Duration::MAX);
        assert!(matches!(heard, ToHost::Busy(_)), "{heard:?}");
    }
}
