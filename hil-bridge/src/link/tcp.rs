//! A TCP connection: a board on the network, or one that QEMU runs.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::{Link, SEND_TIMEOUT, received};

/// How long to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// A TCP connection that sends every frame at once.
pub struct Tcp {
    stream: TcpStream,
    timeout: Option<Duration>,
}

impl Tcp {
    /// Connects to `host:port`.
    ///
    /// # Errors
    /// When nothing answers there.
    pub fn connect(address: &str) -> io::Result<Tcp> {
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
                Ok(stream) => return Tcp::over(stream),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// Uses a connection that was accepted.
    ///
    /// # Errors
    /// When the system cannot set it up.
    pub fn over(stream: TcpStream) -> io::Result<Tcp> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(SEND_TIMEOUT))?;
        Ok(Tcp {
            stream,
            timeout: None,
        })
    }
}

impl Link for Tcp {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        // The system takes a timeout of zero for "none".
        let timeout = timeout.max(Duration::from_millis(1));
        if self.timeout != Some(timeout) {
            self.stream.set_read_timeout(Some(timeout))?;
            self.timeout = Some(timeout);
        }
        received(self.stream.read(buffer))
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(Tcp {
            stream: self.stream.try_clone()?,
            timeout: None,
        }))
    }
}
