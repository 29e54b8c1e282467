//! Links: bytes to a board and back.
//!
//! A [`Link`] is one end of a line: a [`Serial`] port, a [`Tcp`] connection, or a
//! [`Loopback`] in this process. [`TappedLink`] and [`FaultyLink`] wrap any link and are
//! links themselves, so that tests, commands and the window can put them in front of any
//! board.
//!
//! Invariants: [`Link::receive`] returns within its timeout; a line that has ended is an
//! error, at once and from then on; bytes are never reordered.

use std::io;
use std::time::Duration;

mod connection;
mod faulty;
mod loopback;
mod serial;
mod tapped;

#[cfg(target_os = "linux")]
pub use connection::Local;
pub use connection::{Connection, Tcp};
pub use faulty::FaultyLink;
pub use loopback::Loopback;
pub use serial::{Serial, UsbIdentity, found_again, port_names, usb_identity};
pub use tapped::{LineTap, LineTaps, SharedRecord, TappedLink, Trace, Unrecorded, WireLogFile};

/// How long a send may take before the line counts as ended, because the other side
/// accepts nothing. A frame takes 50 ms at 115,200 baud.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(2);

/// One end of a line to a board.
pub trait Link: Send {
    /// Sends all of these bytes.
    ///
    /// # Errors
    /// When the line has ended, or takes nothing for [`SEND_TIMEOUT`].
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits for bytes until the timeout, and returns how many came; 0 if none did.
    ///
    /// # Errors
    /// When the line has ended.
    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize>;

    /// A second handle of the same end, so that one thread sends while another one
    /// receives.
    ///
    /// # Errors
    /// When the system has no more handles.
    fn try_clone(&self) -> io::Result<Box<dyn Link>>;
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
