//! A relay: offers a board to another program at a TCP port of this computer, and passes
//! on bytes in both directions.
//!
//! Bytes are neither changed nor interpreted. The faults, record and wire log of the line
//! apply to the other program's conversation.
//!
//! Invariants: one program has the board at a time; it keeps the board as long as it
//! sends something at least every [`MAY_BE_SILENT_FOR`], and loses it to a newcomer
//! otherwise; a newcomer that does not get the board is disconnected.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use parking_lot::Mutex;
use touchboard_links::Where;
use touchboard_links::client::Dial;
use touchboard_links::link::{Link, Tcp};

use super::{Done, ExitKind};

/// How long to wait for bytes or a program before checking whether to continue.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How long a program may be silent before a newcomer gets the board, as with
/// `virtual-board --host-silence-ms`.
const MAY_BE_SILENT_FOR: Duration = Duration::from_secs(5);

/// A TCP port at which other programs reach the board.
pub struct Relay {
    listener: TcpListener,
    may_be_silent_for: Duration,
}

impl Relay {
    /// Opens this port, or any free one if it is 0.
    ///
    /// # Errors
    /// When the port is in use.
    pub fn begin(port: u16) -> anyhow::Result<Relay> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener =
            listener.with_context(|| format!("port {port} cannot be used: choose another one"))?;
        listener.set_nonblocking(true)?;
        Ok(Relay {
            listener,
            may_be_silent_for: MAY_BE_SILENT_FOR,
        })
    }

    /// The place of the board for other programs, as for `--at`.
    ///
    /// # Errors
    /// When the system does not report it.
    pub fn place(&self) -> io::Result<String> {
        Ok(format!("tcp:{}", self.listener.local_addr()?))
    }

    /// Offers the board to one program after another, as long as `goes_on` returns true.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn run(&self, place: &Where, goes_on: &dyn Fn() -> bool) -> Done {
        let mut dial = place.dial()?;
        let mut next = None;
        while goes_on() {
            if next.is_none() {
                next = self.newcomer()?;
            }
            next = match next {
                Some(stream) => self.pass_on(&mut *dial, stream, goes_on)?,
                None => {
                    thread::sleep(LOOK_EVERY);
                    None
                }
            };
        }
        Ok(ExitKind::Done)
    }

    /// A program that has just connected, if there is one.
    fn newcomer(&self) -> io::Result<Option<TcpStream>> {
        match self.listener.accept() {
            Ok((stream, _)) => Ok(Some(stream)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Passes on bytes in both directions until one side closes its connection, or the
    /// program loses the board to a newcomer, who is returned.
    fn pass_on(
        &self,
        dial: &mut dyn Dial,
        stream: TcpStream,
        goes_on: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<TcpStream>> {
        let mut from_host = Tcp::over(stream)?;
        let mut to_host = from_host.try_clone()?;
        let mut from_board = dial.dial()?;
        let mut to_board = from_board.try_clone()?;
        let is_over = AtomicBool::new(false);
        let heard = Mutex::new(Instant::now());
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    match passes(&mut from_host, &mut *to_board) {
                        Passed::Nothing => {}
                        Passed::Bytes => *heard.lock() = Instant::now(),
                        Passed::End => is_over.store(true, Ordering::Relaxed),
                    }
                }
            });
            let mut passing = || {
                while !is_over.load(Ordering::Relaxed) && goes_on() {
                    if let Some(newcomer) = self.newcomer()? {
                        if heard.lock().elapsed() >= self.may_be_silent_for {
                            return Ok(Some(newcomer));
                        }
                        eprintln!("another program was refused: the board is in use");
                    }
                    if passes(&mut *from_board, &mut *to_host) == Passed::End {
                        break;
                    }
                }
                Ok(None)
            };
            let passed = passing();
            is_over.store(true, Ordering::Relaxed);
            passed
        })
    }
}

/// What one side of a line sent within a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    Nothing,
    Bytes,
    /// It, or the side that the bytes are for, has closed its connection.
    End,
}

/// Passes on the bytes that arrive within a moment.
fn passes(from: &mut dyn Link, to: &mut dyn Link) -> Passed {
    let mut buffer = [0; 4_096];
    match from.receive(&mut buffer, LOOK_EVERY) {
        Ok(0) => Passed::Nothing,
        Ok(length) => match to.send(&buffer[..length]) {
            Ok(()) => Passed::Bytes,
            Err(_) => Passed::End,
        },
        Err(_) => Passed::End,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use protocol::{PROTOCOL_VERSION, SCHEMA_HASH, ToDevice, wire};
    use touchboard_links::At;

    use super::*;

    /// A relay to a virtual board, at which the first program is silent and a second one
    /// arrives. Returns what the second one reads first: nothing at all if it is
    /// disconnected.
    fn second_of_two(may_be_silent_for: Duration) -> usize {
        let relay = Relay {
            may_be_silent_for,
            ..Relay::begin(0).unwrap()
        };
        let port = relay.listener.local_addr().unwrap();
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
            let read = match second.read(&mut [0; 64]) {
                // It was disconnected before its hello was read.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => 0,
                read => read.unwrap(),
            };
            is_over.store(true, Ordering::Relaxed);
            running.join().unwrap().unwrap();
            drop(silent);
            read
        })
    }

    #[test]
    fn a_silent_program_loses_the_board_to_the_next() {
        assert_ne!(second_of_two(Duration::ZERO), 0);
    }

    #[test]
    fn a_program_keeps_the_board_while_it_may_be_silent() {
        assert_eq!(second_of_two(Duration::MAX), 0);
    }
}
