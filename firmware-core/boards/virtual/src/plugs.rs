//! The connections for hosts: a pseudo-terminal and a TCP socket in place of a UART.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use mio::net::{TcpListener, TcpStream};
use mio::{Interest, Poll, Token, Waker};

use crate::Options;

const WAKER: Token = Token(0);
const LISTENER: Token = Token(1);
#[cfg(unix)]
const PTY: Token = Token(2);
const STREAM: Token = Token(3);
const TURNED_AWAY: Token = Token(4);

/// The number of bytes read at once.
pub const READ_BYTES: usize = 4096;

/// The maximum number of hosts that were turned away and have not hung up yet.
const MOST_TURNED_AWAY: usize = 8;

/// The plugs to which hosts can connect.
pub struct Plugs {
    pub poll: Poll,
    waker: Arc<Waker>,
    #[cfg(unix)]
    pty: Option<Pty>,
    listener: Option<TcpListener>,
    /// The connection of the host that has the board over TCP.
    pub stream: Option<TcpStream>,
    /// The connections of hosts that were refused because the board is busy. They would
    /// lose the reason if they were closed before the host has read it.
    turned_away: Vec<TcpStream>,
}

#[cfg(unix)]
struct Pty {
    line: std::fs::File,
    path: PathBuf,
    link: Option<PathBuf>,
}

/// The plug that a host uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plug {
    #[cfg(unix)]
    Pty,
    Tcp,
}

impl Plug {
    pub const ALL: &[Plug] = &[
        #[cfg(unix)]
        Plug::Pty,
        Plug::Tcp,
    ];
}

/// The result of an attempt to move bytes.
pub enum Moved {
    Bytes(usize),
    /// No bytes could be moved now.
    Later,
    /// The other side is disconnected.
    HungUp,
}

impl From<io::Result<usize>> for Moved {
    fn from(result: io::Result<usize>) -> Moved {
        match result {
            Ok(0) => Moved::HungUp,
            Ok(count) => Moved::Bytes(count),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Moved::Later,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Moved::Later,
            Err(_) => Moved::HungUp,
        }
    }
}

impl Plugs {
    pub fn open(options: &Options) -> io::Result<Plugs> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let mut plugs = Plugs {
            poll,
            waker,
            #[cfg(unix)]
            pty: None,
            listener: None,
            stream: None,
            turned_away: Vec::new(),
        };
        #[cfg(unix)]
        if !options.no_pty {
            plugs.open_pty(options.link.clone())?;
        }
        if let Some(address) = options.tcp {
            let mut listener = TcpListener::bind(address)
                .map_err(|error| with_words(error, &format!("it cannot listen at {address}")))?;
            let registry = plugs.poll.registry();
            registry.register(&mut listener, LISTENER, Interest::READABLE)?;
            plugs.listener = Some(listener);
        }
        Ok(plugs)
    }

    #[cfg(unix)]
    fn open_pty(&mut self, link: Option<PathBuf>) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        let (line, path) = crate::pty::open()?;
        if let Some(link) = &link {
            crate::pty::link(&path, link).map_err(|error| {
                with_words(
                    error,
                    &format!("the link {} cannot be made", link.display()),
                )
            })?;
        }
        self.poll.registry().register(
            &mut mio::unix::SourceFd(&line.as_raw_fd()),
            PTY,
            Interest::READABLE | Interest::WRITABLE,
        )?;
        self.pty = Some(Pty { line, path, link });
        Ok(())
    }

    #[cfg(unix)]
    pub fn path(&self) -> Option<PathBuf> {
        let pty = self.pty.as_ref()?;
        Some(pty.link.clone().unwrap_or_else(|| pty.path.clone()))
    }

    #[cfg(not(unix))]
    pub fn path(&self) -> Option<PathBuf> {
        None
    }

    pub fn tcp(&self) -> Option<SocketAddr> {
        self.listener.as_ref()?.local_addr().ok()
    }

    pub fn waker(&self) -> Arc<Waker> {
        Arc::clone(&self.waker)
    }

    /// Accepts a host that wants to connect.
    pub fn accept(&mut self) -> Option<TcpStream> {
        let (stream, _) = self.listener.as_ref()?.accept().ok()?;
        // A small answer must not wait for the acknowledgement of the one before it.
        let _ = stream.set_nodelay(true);
        Some(stream)
    }

    /// Gives the board to this host.
    pub fn take(&mut self, mut stream: TcpStream) {
        let interest = Interest::READABLE | Interest::WRITABLE;
        let registry = self.poll.registry();
        if registry.register(&mut stream, STREAM, interest).is_ok() {
            self.stream = Some(stream);
        }
    }

    /// Tells a host that another one has the board.
    pub fn turn_away(&mut self, mut stream: TcpStream, busy: &[u8]) {
        // If the host accepts nothing, only the reason is lost.
        let _ = stream.write(busy);
        let _ = stream.shutdown(Shutdown::Write);
        let registry = self.poll.registry();
        let known = registry
            .reregister(&mut stream, TURNED_AWAY, Interest::READABLE)
            .or_else(|_| registry.register(&mut stream, TURNED_AWAY, Interest::READABLE));
        if known.is_ok() {
            if self.turned_away.len() == MOST_TURNED_AWAY {
                self.turned_away.remove(0);
            }
            self.turned_away.push(stream);
        }
    }

    /// Closes the connections of hosts that have hung up.
    pub fn see_off(&mut self) {
        let mut unread = [0; READ_BYTES];
        self.turned_away.retain_mut(|stream| {
            loop {
                match Moved::from(stream.read(&mut unread)) {
                    Moved::Bytes(_) => {}
                    Moved::Later => return true,
                    Moved::HungUp => return false,
                }
            }
        });
    }

    /// The address of the host at this plug.
    pub fn host(&self, plug: Plug) -> String {
        match plug {
            #[cfg(unix)]
            Plug::Pty => self.path().unwrap_or_default().display().to_string(),
            Plug::Tcp => {
                let peer = self.stream.as_ref().map(TcpStream::peer_addr);
                match peer {
                    Some(Ok(peer)) => peer.to_string(),
                    _ => "an address that it has left".to_owned(),
                }
            }
        }
    }

    pub fn read(&mut self, plug: Plug, buffer: &mut [u8]) -> Moved {
        match plug {
            #[cfg(unix)]
            Plug::Pty => match &self.pty {
                Some(pty) => (&pty.line).read(buffer).into(),
                None => Moved::Later,
            },
            Plug::Tcp => match &mut self.stream {
                Some(stream) => stream.read(buffer).into(),
                None => Moved::Later,
            },
        }
    }

    pub fn write(&mut self, plug: Plug, bytes: &[u8]) -> Moved {
        match plug {
            #[cfg(unix)]
            Plug::Pty => match &self.pty {
                Some(pty) => (&pty.line).write(bytes).into(),
                None => Moved::HungUp,
            },
            Plug::Tcp => match &mut self.stream {
                Some(stream) => stream.write(bytes).into(),
                None => Moved::HungUp,
            },
        }
    }

    /// Closes the board's end of a plug. A pseudo-terminal cannot be closed and keep its
    /// name: with a link, a new one is created behind the link; without one, the host
    /// only loses the bytes in transit.
    pub fn pull_out(&mut self, plug: Plug) {
        match plug {
            #[cfg(unix)]
            Plug::Pty => {
                let link = self.pty.as_ref().and_then(|pty| pty.link.clone());
                if link.is_some() {
                    self.pty = None;
                    // Without a pseudo-terminal, the board can be reached over its other
                    // plug, or not at all, like a broken board.
                    if let Err(sentence) = self.open_pty(link) {
                        eprintln!("virtual-board: {sentence}");
                    }
                }
            }
            Plug::Tcp => self.stream = None,
        }
    }

    pub fn hung_up(&mut self, plug: Plug) {
        if plug == Plug::Tcp {
            self.stream = None;
        }
    }
}

#[cfg(unix)]
impl Drop for Pty {
    fn drop(&mut self) {
        if let Some(link) = &self.link
            && std::fs::read_link(link).is_ok_and(|target| target == self.path)
        {
            let _ = std::fs::remove_file(link);
        }
    }
}

fn with_words(error: io::Error, words: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{words}: {error}"))
}
