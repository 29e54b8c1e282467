//! A TCP port of this computer at which a debugger can connect to the emulated chip.
//!
//! Node carries out one command at a time and listens to nothing else. So the port is in
//! this process, which passes the debugger's bytes to rp2040js's stub as commands.
//!
//! Invariants: there is one debugger at a time; the chip continues when the debugger
//! disconnects; a program that connects and says nothing loses its place to the next one,
//! and one that does not read its answers loses it after [`READS_WITHIN`].

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use touchboard_host::driver::DriverError;

use super::{Debugger, PicoBench};
use crate::LinkError;

/// How long an answer may wait to be read.
const READS_WITHIN: Duration = Duration::from_secs(5);

/// The port, and the debugger that is connected to it.
pub struct DebuggerPort {
    listener: TcpListener,
    connection: Option<TcpStream>,
    /// True once the debugger has sent something.
    has_spoken: bool,
    is_halted: bool,
}

impl DebuggerPort {
    /// Listens at this port.
    ///
    /// # Errors
    /// When the port is in use.
    pub fn open(port: u16) -> Result<DebuggerPort, DriverError> {
        let open = || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
            listener.set_nonblocking(true)?;
            Ok(listener)
        };
        let listener = open().map_err(|error: io::Error| {
            LinkError::open(format!("no debugger can come to port {port}: {error}"))
        })?;
        Ok(DebuggerPort {
            listener,
            connection: None,
            has_spoken: false,
            is_halted: false,
        })
    }

    /// Passes the debugger's bytes to the chip, and the stub's answers back. True while
    /// the chip is halted.
    ///
    /// # Errors
    /// When the chip cannot continue.
    pub fn attend(&mut self, bench: &mut PicoBench) -> io::Result<bool> {
        self.admit(bench)?;
        let mut buffer = [0; 4096];
        let heard = self
            .connection
            .as_mut()
            .map(|stream| stream.read(&mut buffer));
        match heard {
            Some(Ok(0)) => self.hang_up(bench)?,
            Some(Ok(length)) => {
                self.has_spoken = true;
                self.pass_on(bench, Debugger::Says(&buffer[..length]))?;
            }
            Some(Err(error)) if error.kind() == ErrorKind::WouldBlock && self.is_halted => {}
            // A running chip may reach a breakpoint.
            Some(Err(error)) if error.kind() == ErrorKind::WouldBlock => {
                self.pass_on(bench, Debugger::Says(&[]))?;
            }
            Some(Err(_)) => self.hang_up(bench)?,
            None => {}
        }
        Ok(self.is_halted)
    }

    /// Connects a debugger that arrives. It is disconnected at once while another one is
    /// there that has sent something.
    fn admit(&mut self, bench: &mut PicoBench) -> io::Result<()> {
        let Ok((stream, _)) = self.listener.accept() else {
            return Ok(());
        };
        if self.connection.is_some() {
            if self.has_spoken {
                return Ok(());
            }
            self.hang_up(bench)?;
        }
        let limited = stream.set_write_timeout(Some(READS_WITHIN));
        if limited.and(stream.set_nonblocking(true)).is_err() {
            return Ok(());
        }
        let _ = stream.set_nodelay(true);
        self.connection = Some(stream);
        self.has_spoken = false;
        self.pass_on(bench, Debugger::Comes)
    }

    fn pass_on(&mut self, bench: &mut PicoBench, said: Debugger<'_>) -> io::Result<()> {
        let (answer, is_halted) = bench.debug(said)?;
        self.is_halted = is_halted;
        let Some(stream) = &mut self.connection else {
            return Ok(());
        };
        if write_all(stream, &answer).is_err() {
            self.hang_up(bench)?;
        }
        Ok(())
    }

    fn hang_up(&mut self, bench: &mut PicoBench) -> io::Result<()> {
        self.connection = None;
        self.pass_on(bench, Debugger::Goes)
    }
}

/// Writes all bytes to a non-blocking stream. Answers are short, and the debugger waits
/// for them.
fn write_all(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    let written = stream.write_all(bytes);
    stream.set_nonblocking(true)?;
    written
}
