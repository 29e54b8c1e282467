//! A relay: offers a board to another program at a TCP port of this computer, and passes
//! on bytes in both directions.
//!
//! Bytes are neither changed nor interpreted. The faults, record and wire log of the line
//! apply to the other program's conversation.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use touchboard_links::Where;
use touchboard_links::client::Dial;
use touchboard_links::link::{Link, Tcp};

use super::{Done, ExitKind};

/// How long to wait for bytes or a program before checking whether to continue.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A TCP port at which other programs reach the board.
pub struct Relay {
    listener: TcpListener,
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
        Ok(Relay { listener })
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
        while goes_on() {
            match self.listener.accept() {
                Ok((stream, _)) => pass_on(&mut *dial, stream, goes_on)?,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    thread::sleep(LOOK_EVERY);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(ExitKind::Done)
    }
}

/// Passes on bytes in both directions until one side closes its connection.
fn pass_on(
    dial: &mut dyn Dial,
    stream: TcpStream,
    goes_on: &dyn Fn() -> bool,
) -> anyhow::Result<()> {
    let mut from_host = Tcp::over(stream)?;
    let mut to_host = from_host.try_clone()?;
    let mut from_board = dial.dial()?;
    let mut to_board = from_board.try_clone()?;
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut passes_on = true;
            while passes_on {
                passes_on =
                    !is_over.load(Ordering::Relaxed) && passes(&mut from_host, &mut *to_board);
            }
            is_over.store(true, Ordering::Relaxed);
        });
        let mut passes_on = true;
        while passes_on {
            let stops = is_over.load(Ordering::Relaxed) || !goes_on();
            passes_on = !stops && passes(&mut *from_board, &mut *to_host);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    Ok(())
}

/// Passes on the bytes that arrive within a moment; false if one side has closed its
/// connection.
fn passes(from: &mut dyn Link, to: &mut dyn Link) -> bool {
    let mut buffer = [0; 4_096];
    match from.receive(&mut buffer, LOOK_EVERY) {
        Ok(0) => true,
        Ok(length) => to.send(&buffer[..length]).is_ok(),
        Err(_) => false,
    }
}
