//! A relay: offers a board to another program at a TCP port of this computer, and
//! passes on the bytes between the two.
//!
//! The bytes are passed on unchanged and uninterpreted. So the faults of the line,
//! its record and its wire log apply to that conversation.

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

/// How long bytes or a program are waited for before checking whether to continue.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A port at which a board is passed on.
pub struct Relay {
    listener: TcpListener,
}

impl Relay {
    /// Takes this port; any that is free if it is 0.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn begin(port: u16) -> anyhow::Result<Relay> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener =
            listener.with_context(|| format!("port {port} cannot be had: choose another one"))?;
        listener.set_nonblocking(true)?;
        Ok(Relay { listener })
    }

    /// The place at which another program finds the board, as in `--at`.
    ///
    /// # Errors
    /// When the system does not report it.
    pub fn place(&self) -> io::Result<String> {
        Ok(format!("tcp:{}", self.listener.local_addr()?))
    }

    /// Offers the board to one program after the other, for as long as `goes_on`
    /// returns true.
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

/// Passes on bytes in both directions until one side hangs up.
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

/// Passes on the bytes that arrive within a moment; false if one side has hung up.
fn passes(from: &mut dyn Link, to: &mut dyn Link) -> bool {
    let mut buffer = [0; 4_096];
    match from.receive(&mut buffer, LOOK_EVERY) {
        Ok(0) => true,
        Ok(length) => to.send(&buffer[..length]).is_ok(),
        Err(_) => false,
    }
}
