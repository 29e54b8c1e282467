//! The socket to which QEMU connects the UART of a board.
//!
//! QEMU sends each byte separately. On Linux this uses a socket with a name but without a
//! file, where a byte takes half as long as over TCP and nothing is left behind; on other
//! systems, TCP on this machine.

use std::io;

use crate::link::{Connection, Link};

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use other as system;

/// A socket that listens for QEMU.
pub(super) struct Socket {
    listener: system::Listener,
    /// The options that tell QEMU about the socket.
    pub options: String,
}

impl Socket {
    /// A socket that no other program uses.
    pub fn open() -> io::Result<Socket> {
        let (listener, options) = system::open()?;
        listener.set_nonblocking(true)?;
        Ok(Socket { listener, options })
    }

    /// The connection, once QEMU has asked for one.
    pub fn accept(&self) -> io::Result<Option<Box<dyn Link>>> {
        match self.listener.accept() {
            Ok((stream, _)) => Ok(Some(Box::new(Connection::over(stream)?))),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::SocketAddr;
    pub(super) use std::os::unix::net::UnixListener as Listener;
    use std::process;
    use std::sync::atomic::{AtomicU32, Ordering};

    static OPENED: AtomicU32 = AtomicU32::new(0);

    /// How many names to try. Process numbers are unique, but not across containers.
    const MOST_TAKEN: u32 = 64;

    pub(super) fn open() -> io::Result<(Listener, String)> {
        let mut taken = 0;
        loop {
            let name = name(OPENED.fetch_add(1, Ordering::Relaxed));
            let address = SocketAddr::from_abstract_name(&name)?;
            match Listener::bind_addr(&address) {
                Ok(listener) => {
                    return Ok((listener, format!("path={name},abstract=on,tight=on")));
                }
                Err(error) if error.kind() != io::ErrorKind::AddrInUse => return Err(error),
                Err(error) if taken == MOST_TAKEN => return Err(error),
                Err(_) => taken += 1,
            }
        }
    }

    fn name(count: u32) -> String {
        format!("touchboard-qemu-{}-{count}", process::id())
    }

    #[test]
    fn a_taken_socket_name_is_skipped() {
        let next = OPENED.load(Ordering::Relaxed);
        let taken: Vec<Listener> = (next..next + MOST_TAKEN / 2)
            .filter_map(|count| SocketAddr::from_abstract_name(name(count)).ok())
            .filter_map(|address| Listener::bind_addr(&address).ok())
            .collect();
        assert!(!taken.is_empty());
        let (_, options) = open().unwrap();
        assert!(options.starts_with("path=touchboard-qemu-"), "{options}");
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::io;
    use std::net::Ipv4Addr;
    pub(super) use std::net::TcpListener as Listener;

    pub(super) fn open() -> io::Result<(Listener, String)> {
        let listener = Listener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        Ok((listener, format!("host=127.0.0.1,port={port},nodelay=on")))
    }
}
