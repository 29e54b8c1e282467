//! Connections that the system provides: over TCP, to a board on the network or in QEMU,
//! or between two programs on this machine, where a byte costs less.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::{Link, SEND_TIMEOUT, received};

/// How long to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// A TCP connection that sends every frame at once.
pub type Tcp = Connection<TcpStream>;

/// A connection to another program on this machine.
#[cfg(target_os = "linux")]
pub type Local = Connection<std::os::unix::net::UnixStream>;

/// A connection of any kind that the system provides.
pub struct Connection<S> {
    stream: S,
    timeout: Option<Duration>,
}

/// What TCP and local connections have in common.
pub trait Stream: Read + Write + Send + Sized + 'static {
    /// Makes the connection send every frame at once, and limits the time that a send may
    /// take to [`SEND_TIMEOUT`].
    ///
    /// # Errors
    /// When the system does not support it.
    fn set_up(&self) -> io::Result<()>;

    /// Sets how long to wait for bytes.
    ///
    /// # Errors
    /// When the system does not support it.
    fn wait_for(&self, timeout: Duration) -> io::Result<()>;

    /// A second handle of the same connection.
    ///
    /// # Errors
    /// When the system has no more handles.
    fn again(&self) -> io::Result<Self>;
}

impl Stream for TcpStream {
    fn set_up(&self) -> io::Result<()> {
        self.set_nodelay(true)?;
        self.set_nonblocking(false)?;
        self.set_write_timeout(Some(SEND_TIMEOUT))
    }

    fn wait_for(&self, timeout: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(timeout))
    }

    fn again(&self) -> io::Result<Self> {
        self.try_clone()
    }
}

#[cfg(target_os = "linux")]
impl Stream for std::os::unix::net::UnixStream {
    fn set_up(&self) -> io::Result<()> {
        self.set_nonblocking(false)?;
        self.set_write_timeout(Some(SEND_TIMEOUT))
    }

    fn wait_for(&self, timeout: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(timeout))
    }

    fn again(&self) -> io::Result<Self> {
        self.try_clone()
    }
}

impl Tcp {
    /// Connects to `host:port`.
    ///
    /// # Errors
    /// When nothing answers there.
    pub fn connect(address: &str) -> io::Result<Tcp> {
        Tcp::over(Tcp::stream_to(address)?)
    }

    /// A second handle of the system's connection.
    ///
    /// # Errors
    /// When the system has no more handles.
    pub fn stream(&self) -> io::Result<TcpStream> {
        self.stream.try_clone()
    }

    /// A connection to `host:port` that is not set up.
    pub(super) fn stream_to(address: &str) -> io::Result<TcpStream> {
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
                Ok(stream) => return Ok(stream),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

impl<S: Stream> Connection<S> {
    /// Uses an accepted connection.
    ///
    /// # Errors
    /// When the system cannot set it up.
    pub fn over(stream: S) -> io::Result<Self> {
        stream.set_up()?;
        Ok(Connection {
            stream,
            timeout: None,
        })
    }
}

impl<S: Stream> Link for Connection<S> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        // To the system, a timeout of zero means none.
        let timeout = timeout.max(Duration::from_millis(1));
        if self.timeout != Some(timeout) {
            self.stream.wait_for(timeout)?;
            self.timeout = Some(timeout);
        }
        received(self.stream.read(buffer))
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(Connection {
            stream: self.stream.again()?,
            timeout: None,
        }))
    }
}
