//! The port: what a UART, a timer and a reset line are to a microcontroller.
//!
//! One thread, which sleeps until bytes come, bytes can go, or the board has
//! something to do.
//!
//! What always holds: the board has one host at a time. Another one is told that
//! it is busy, and by whom, and the first is not disturbed; only a host that says
//! nothing for [`Options::host_silence_ms`] loses its place, since a connection
//! that died may never be heard of again.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use firmware_core::{Device, Identity, Machine, SNAPSHOT_BYTES};
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{Text, ToHost};

use crate::Options;
use crate::faults::{Faults, Passed};
use crate::late::Late;

const WAKER: Token = Token(0);
const LISTENER: Token = Token(1);
#[cfg(unix)]
const PTY: Token = Token(2);
const STREAM: Token = Token(3);
const TURNED_AWAY: Token = Token(4);

/// Bytes read at once.
const READ_BYTES: usize = 4096;
/// Bytes that may be on their way in one direction of a slow line.
const ON_THE_WAY_BYTES: usize = 64 * 1024;

/// Hosts that were turned away and still have to hang up, at most.
const MOST_TURNED_AWAY: usize = 8;

/// Where hosts can plug in.
pub struct Plugs {
    poll: Poll,
    waker: Arc<Waker>,
    #[cfg(unix)]
    pty: Option<Pty>,
    listener: Option<TcpListener>,
    /// The connection of the host that the board has.
    stream: Option<TcpStream>,
    /// Those that were told that it is busy. A connection that is closed before
    /// the other side has read why would take the reason with it.
    turned_away: Vec<TcpStream>,
}

#[cfg(unix)]
struct Pty {
    line: std::fs::File,
    path: PathBuf,
    link: Option<PathBuf>,
}

/// Which plug a host uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plug {
    #[cfg(unix)]
    Pty,
    Tcp,
}

impl Plug {
    const ALL: &[Plug] = &[
        #[cfg(unix)]
        Plug::Pty,
        Plug::Tcp,
    ];
}

/// What came of an attempt to move bytes.
enum Moved {
    Bytes(usize),
    /// None, for now.
    Later,
    /// The other side is gone.
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

    /// A host that knocks.
    fn accept(&mut self) -> Option<TcpStream> {
        let (stream, _) = self.listener.as_ref()?.accept().ok()?;
        // A small answer must not wait for the one before it.
        let _ = stream.set_nodelay(true);
        Some(stream)
    }

    /// Gives this host the board.
    fn take(&mut self, mut stream: TcpStream) {
        let interest = Interest::READABLE | Interest::WRITABLE;
        let registry = self.poll.registry();
        if registry.register(&mut stream, STREAM, interest).is_ok() {
            self.stream = Some(stream);
        }
    }

    /// Says to this host that another one has the board.
    fn turn_away(&mut self, mut stream: TcpStream, busy: &[u8]) {
        // Nothing is lost but the reason if it takes nothing.
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

    /// Closes the connections of those that went.
    fn see_off(&mut self) {
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

    /// Where the host at this plug is.
    fn host(&self, plug: Plug) -> String {
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

    fn read(&mut self, plug: Plug, buffer: &mut [u8]) -> Moved {
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

    fn write(&mut self, plug: Plug, bytes: &[u8]) -> Moved {
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

    /// Closes the board's end. A pseudo-terminal cannot be closed and keep its
    /// name: with a link there is a new one behind the link, without one the
    /// host only loses what was on its way.
    fn pull_out(&mut self, plug: Plug) {
        match plug {
            #[cfg(unix)]
            Plug::Pty => {
                let link = self.pty.as_ref().and_then(|pty| pty.link.clone());
                if link.is_some() {
                    self.pty = None;
                    // Without a pseudo-terminal the board is reached by its
                    // other plug, or not at all, as a board that broke.
                    let _ = self.open_pty(link);
                }
            }
            Plug::Tcp => self.stream = None,
        }
    }

    fn hung_up(&mut self, plug: Plug) {
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

/// A device in a process.
pub struct Port<M> {
    device: Device<M, Box<[u8]>>,
    options: Options,
    boot: u32,
    plugs: Plugs,
    /// Where the host is that has the board.
    active: Option<Plug>,
    /// When it last said anything.
    heard: Instant,
    faults: Option<Faults>,
    /// From the host: read from the plug, and not arrived yet.
    to_board: Late,
    /// Arrived, and not taken by the device yet.
    incoming: Vec<u8>,
    /// To the host: sent by the device, and not arrived yet.
    from_board: Late,
    /// Arrived, and not written into the plug yet.
    outgoing: Vec<u8>,
    clock: Clock,
}

/// Real time in whole milliseconds, none lost.
struct Clock {
    start: Instant,
    told_ms: u64,
}

impl Clock {
    fn new() -> Clock {
        Clock {
            start: Instant::now(),
            told_ms: 0,
        }
    }

    /// Milliseconds since the last call.
    fn elapsed_ms(&mut self) -> u32 {
        let now_ms = self.start.elapsed().as_millis() as u64;
        let passed = now_ms - self.told_ms;
        self.told_ms = now_ms;
        passed.try_into().unwrap_or(u32::MAX)
    }

    /// How long until so many milliseconds passed since the last call.
    fn until(&self, ms: u32) -> Duration {
        let at = Duration::from_millis(self.told_ms + u64::from(ms));
        at.saturating_sub(self.start.elapsed())
    }
}

impl<M: Machine> Port<M> {
    pub fn new(machine: M, options: Options, plugs: Plugs) -> Self {
        // Chance, and no process number: in a container that is always the same.
        let boot = RandomState::new().hash_one(std::process::id()) as u32;
        let faults = &options.faults;
        Port {
            device: device(machine, boot),
            faults: (!faults.are_none()).then(|| Faults::new(faults.clone())),
            options,
            boot,
            plugs,
            active: None,
            heard: Instant::now(),
            to_board: Late::default(),
            incoming: Vec::new(),
            from_board: Late::default(),
            outgoing: Vec::new(),
            clock: Clock::new(),
        }
    }

    /// Runs until `stop`.
    pub fn run(mut self, stop: &AtomicBool) -> io::Result<()> {
        let mut events = Events::with_capacity(16);
        while !stop.load(Ordering::Relaxed) {
            let timeout = self.sleeps();
            match self.plugs.poll.poll(&mut events, timeout) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            let round = catch_unwind(AssertUnwindSafe(|| self.round()));
            match round {
                Ok(()) if self.device.is_to_crash() => self.restart("the host asked for it")?,
                Ok(()) => {}
                Err(panic) => self.restart(words_of(&*panic))?,
            }
        }
        Ok(())
    }

    /// How long there is nothing to do; `None`: until something comes.
    fn sleeps(&self) -> Option<Duration> {
        let now = Instant::now();
        let device = self.device.sleeps_ms().map(|ms| self.clock.until(ms));
        // Bytes that arrived already wait for room, not for time.
        let on_the_way = [&self.to_board, &self.from_board].map(Late::next);
        let arrivals = on_the_way.into_iter().flatten().filter(|at| *at > now);
        let arrivals = arrivals.map(|at| at - now);
        device.into_iter().chain(arrivals).min()
    }

    /// One round of the loop that every port has.
    fn round(&mut self) {
        self.device.elapse(self.clock.elapsed_ms());
        self.plugs.see_off();
        while let Some(stream) = self.plugs.accept() {
            // The host that has the board may have gone just before.
            self.converse();
            if self.is_taken() {
                let busy = self.busy();
                self.plugs.turn_away(stream, &busy);
            } else {
                self.make_room();
                self.plugs.take(stream);
                self.switch_to(Some(Plug::Tcp));
            }
        }
        self.converse();
    }

    /// Moves bytes until none can be moved.
    fn converse(&mut self) {
        while self.read() | self.feed() | self.write() {}
    }

    /// True if a host has the board, and lives.
    fn is_taken(&self) -> bool {
        let silence = Duration::from_millis(self.options.host_silence_ms);
        self.active.is_some() && self.heard.elapsed() < silence
    }

    /// What a host is told that comes while another one has the board.
    fn busy(&self) -> Vec<u8> {
        let who = self.active.map(|plug| self.plugs.host(plug));
        frame(&ToHost::Busy(Text::clipped(&who.unwrap_or_default())))
    }

    /// Takes the board from a host that is silent, and tells it, should it live.
    fn make_room(&mut self) {
        let Some(plug) = self.active else {
            return;
        };
        let busy = frame(&ToHost::Busy(Text::clipped("a host that came later")));
        match plug {
            #[cfg(unix)]
            Plug::Pty => {
                let _ = self.plugs.write(plug, &busy);
            }
            Plug::Tcp => {
                if let Some(stream) = self.plugs.stream.take() {
                    self.plugs.turn_away(stream, &busy);
                }
            }
        }
    }

    /// Another host, or none: what was on the way to or from the last one is
    /// gone.
    fn switch_to(&mut self, plug: Option<Plug>) {
        if self.active.is_some() {
            self.device.hung_up();
        }
        self.to_board.clear();
        self.incoming.clear();
        self.from_board.clear();
        self.outgoing.clear();
        self.active = plug;
        self.heard = Instant::now();
    }

    /// The line was cut: the host finds its end closed, where that is possible.
    fn cut(&mut self) {
        if let Some(plug) = self.active {
            self.plugs.pull_out(plug);
        }
        self.switch_to(None);
    }

    /// True if bytes came.
    fn read(&mut self) -> bool {
        let came = self.to_board.len() < ON_THE_WAY_BYTES && self.read_plugs();
        if self.incoming.is_empty() && self.to_board.arrive(Instant::now(), &mut self.incoming) {
            // What came before the cut still counts.
            self.feed();
            self.cut();
        }
        came
    }

    fn read_plugs(&mut self) -> bool {
        let mut buffer = [0; READ_BYTES];
        for plug in Plug::ALL {
            match self.plugs.read(*plug, &mut buffer) {
                Moved::Bytes(_) if self.active != Some(*plug) && self.is_taken() => {
                    let busy = self.busy();
                    let _ = self.plugs.write(*plug, &busy);
                    return true;
                }
                Moved::Bytes(count) => {
                    if self.active != Some(*plug) {
                        self.make_room();
                        self.switch_to(Some(*plug));
                    }
                    self.heard = Instant::now();
                    let bytes = buffer.get(..count).unwrap_or_default();
                    let passed = match &self.faults {
                        Some(faults) => faults.pass_to_board(bytes),
                        None => unhurt(bytes),
                    };
                    self.to_board.send(Instant::now(), passed);
                    return true;
                }
                Moved::Later => {}
                Moved::HungUp => {
                    self.plugs.hung_up(*plug);
                    if self.active == Some(*plug) {
                        self.switch_to(None);
                    }
                }
            }
        }
        false
    }

    /// True if the device took bytes.
    fn feed(&mut self) -> bool {
        let taken = self.device.feed(&self.incoming);
        self.incoming.drain(..taken);
        taken > 0
    }

    /// True if bytes went.
    fn write(&mut self) -> bool {
        let Some(plug) = self.active else {
            return false;
        };
        if self.outgoing.is_empty() {
            self.send();
            if self.from_board.arrive(Instant::now(), &mut self.outgoing) {
                self.write_plug(plug);
                self.cut();
                return false;
            }
        }
        self.write_plug(plug)
    }

    /// Sends what the device has to say on its way.
    fn send(&mut self) {
        let bytes = self.device.output();
        if bytes.is_empty() || self.from_board.len() >= ON_THE_WAY_BYTES {
            return;
        }
        let passed = match &self.faults {
            Some(faults) => faults.pass_from_board(bytes),
            None => unhurt(bytes),
        };
        self.from_board.send(Instant::now(), passed);
        let count = bytes.len();
        self.device.sent(count);
    }

    /// True if bytes went into the plug.
    fn write_plug(&mut self, plug: Plug) -> bool {
        if self.outgoing.is_empty() {
            return false;
        }
        match self.plugs.write(plug, &self.outgoing) {
            Moved::Bytes(count) => {
                self.outgoing.drain(..count);
                true
            }
            Moved::Later => false,
            Moved::HungUp => {
                self.plugs.hung_up(plug);
                self.switch_to(None);
                false
            }
        }
    }

    /// The firmware panicked: says so, and begins anew.
    fn restart(&mut self, words: &str) -> io::Result<()> {
        let last_words = ToHost::Panic(Text::clipped(words));
        self.outgoing.extend(frame(&last_words));
        self.to_board.clear();
        self.incoming.clear();
        self.boot = self.boot.wrapping_add(1);
        let machine = M::switched_on(self.options.layout, self.options.games, self.options.seed)
            .map_err(|refusal| io::Error::new(io::ErrorKind::InvalidInput, refusal))?;
        self.device = device(machine, self.boot);
        while self.active.is_some_and(|plug| self.write_plug(plug)) {}
        Ok(())
    }
}

/// The bytes of a message.
fn frame(message: &ToHost) -> Vec<u8> {
    let mut buffer = [0; MAX_FRAME_BYTES];
    let bytes = wire::encode(message, &mut buffer);
    bytes.unwrap_or_default().to_vec()
}

/// These bytes, at once.
fn unhurt(bytes: &[u8]) -> Passed {
    Passed {
        bytes: bytes.to_vec(),
        ..Passed::default()
    }
}

fn device<M: Machine>(machine: M, boot: u32) -> Device<M, Box<[u8]>> {
    let identity = Identity {
        board: "virtual",
        boot,
        sensors: false,
    };
    Device::new(machine, identity, vec![0; SNAPSHOT_BYTES].into())
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("for no reason that it could name")
}
