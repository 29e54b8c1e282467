//! Links: bytes to a board and back.
//!
//! A [`Link`] is one end of a line: a [`Serial`] port, a [`Tcp`] connection, one with
//! certificates ([`TlsLink`]), the streams of a program ([`FarProgram`]), or a [`Loopback`]
//! in this process. [`TappedLink`], [`FaultyLink`] and [`Rfc2217Link`] wrap any link and
//! are links themselves, so tests, commands and the window can put them in front of any
//! board.
//!
//! Invariants: [`Link::receive`] returns within its timeout; a line that has ended
//! returns an error at once, and on every later call; bytes are never reordered.

use std::io;
use std::time::Duration;

use touchboard_sharing::rfc2217::Port;

mod connection;
mod faulty;
mod greeting;
mod loopback;
mod program;
mod rfc2217;
mod serial;
mod tapped;
mod tls;

#[cfg(target_os = "linux")]
pub use connection::Local;
pub use connection::{Connection, Tcp};
pub use faulty::FaultyLink;
pub(crate) use greeting::GREETING;
pub use greeting::{Greeted, greet, nonce, read_line};
pub use loopback::Loopback;
pub use program::{FarProgram, piped};
pub use rfc2217::Rfc2217Link;
pub use serial::{Serial, UsbIdentity, port_names, usb_identity};
pub(crate) use serial::{UsbBoard, found_again, identity_at, usb_ports};
pub use tapped::{
    LineTap, LineTaps, TappedLink, Trace, Unrecorded, WireLogFile, begin_record, clock_from_now,
};
pub use tls::{TlsFiles, TlsLink, TlsServer};

/// How long a send may take, because the other side accepts nothing, before the line
/// counts as ended. At 115,200 baud a frame takes 50 ms.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(2);

/// One end of a line to a board.
pub trait Link: Send {
    /// Sends all of these bytes.
    ///
    /// # Errors
    /// When the line has ended, or accepts nothing for [`SEND_TIMEOUT`].
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits for bytes until the timeout. Returns how many were received, or 0 if none
    /// arrived.
    ///
    /// # Errors
    /// When the line has ended.
    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize>;

    /// A second handle of the same end, so that one thread can send while another receives.
    ///
    /// # Errors
    /// When the system has no more handles.
    fn try_clone(&self) -> io::Result<Box<dyn Link>>;

    /// The serial port at this end, if it is one: its settings and its wires.
    fn port(&mut self) -> Option<&mut dyn Port> {
        None
    }
}

impl Link for Box<dyn Link> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        (**self).send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        (**self).receive(buffer, timeout)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        (**self).try_clone()
    }

    fn port(&mut self) -> Option<&mut dyn Port> {
        (**self).port()
    }
}

/// The error of a line that has ended.
fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the line has ended")
}

/// Converts the result of a `read` with a timeout to that of [`Link::receive`].
fn received(read: io::Result<usize>) -> io::Result<usize> {
    match read {
        Ok(0) => Err(ended()),
        Ok(length) => Ok(length),
        Err(error) => match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => {
                Ok(0)
            }
            _ => Err(error),
        },
    }
}
