//! The door: accepts connections, and lets in who may come.
//!
//! Invariants: a newcomer has [`ADMISSION`] for its certificate and its password, however
//! slowly it sends; at most [`MOST_AT_ONCE`] newcomers are checked, and [`MOST_OF_ONE`] of
//! one address. If there are more, the oldest one of the address with most of them leaves,
//! so nobody locks out others.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ::protocol::{Text, ToHost, wire};
use anyhow::{Context, anyhow};
use parking_lot::Mutex;
use touchboard_links::link::{Link, Tcp, TlsServer, nonce, read_line};
use touchboard_sharing::greeting::{
    Admission, BoardPassword, ClientProof, Proof, Prover, ServerOpening,
};

use super::guest::{Guest, Manner, TurnedAway};
use crate::command::print_error;

/// How long a newcomer may take until it is let in.
const ADMISSION: Duration = Duration::from_secs(5);

/// How long a newcomer with a wrong password waits for the answer.
const WRONG_PASSWORD: Duration = Duration::from_secs(1);

/// How many newcomers are checked at a time.
const MOST_AT_ONCE: usize = 32;

/// How many newcomers of one address are checked at a time.
const MOST_OF_ONE: usize = 8;

/// How many who were let in wait for the desk.
const MOST_WAITING: usize = 8;

/// How long to wait before checking again whether somebody has come.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Who may come in, and how they are talked to.
#[derive(Clone, Default)]
pub struct DoorRules {
    /// The certificates that are asked for.
    pub tls: Option<TlsServer>,
    /// The password that is asked for.
    pub password: Option<BoardPassword>,
    /// They use a serial port by RFC 2217.
    pub telnet: bool,
}

impl DoorRules {
    /// True if newcomers are let in at once.
    fn is_open(&self) -> bool {
        self.tls.is_none() && self.password.is_none()
    }

    /// The word with which a client names the place of the board.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            _ if self.telnet => "rfc2217",
            DoorRules { tls: Some(_), .. } => "tls",
            DoorRules {
                password: Some(_), ..
            } => "served",
            _ => "tcp",
        }
    }
}

/// A listening port. It is closed when this is dropped.
pub struct Door {
    address: SocketAddr,
    guests: Receiver<Guest>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Door {
    /// Listens at this address.
    ///
    /// # Errors
    /// A sentence, if it cannot be used.
    pub fn open(address: SocketAddr, rules: DoorRules) -> anyhow::Result<Door> {
        let listener = TcpListener::bind(address)
            .with_context(|| format!("{address} cannot be used: choose another port"))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (let_in, guests) = sync_channel(MOST_WAITING);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let hall = Arc::new(Hall {
            rules,
            let_in,
            newcomers: Mutex::default(),
        });
        let thread = thread::Builder::new().name("door".into());
        let thread = thread.spawn(move || hall.attend(&listener, &stopped))?;
        Ok(Door {
            address,
            guests,
            stop,
            thread: Some(thread),
        })
    }

    /// The address at which it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next one who was let in, within this time.
    #[must_use]
    pub fn guest(&self, within: Duration) -> Option<Guest> {
        self.guests.recv_timeout(within).ok()
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A newcomer who is being checked.
struct Newcomer {
    number: u64,
    ip: IpAddr,
    stream: TcpStream,
}

/// Where newcomers are checked.
struct Hall {
    rules: DoorRules,
    let_in: SyncSender<Guest>,
    newcomers: Mutex<Vec<Newcomer>>,
}

impl Hall {
    /// Accepts connections until `stop` is set.
    fn attend(self: &Arc<Hall>, listener: &TcpListener, stop: &AtomicBool) {
        let mut came = 0;
        let mut is_failing = false;
        while !stop.load(Ordering::Relaxed) {
            match listener.accept() {
                Ok((stream, peer)) => {
                    is_failing = false;
                    came += 1;
                    self.receive(stream, peer, came);
                }
                Err(error) => {
                    let is_wait = error.kind() == io::ErrorKind::WouldBlock;
                    if !is_wait && !is_failing {
                        is_failing = true;
                        print_error(format_args!("nobody can connect now: {error}"));
                    }
                    thread::sleep(LOOK_EVERY);
                }
            }
        }
        for newcomer in self.newcomers.lock().drain(..) {
            let _ = newcomer.stream.shutdown(Shutdown::Both);
        }
    }

    /// Lets a newcomer in, at once or after a check in a thread of its own.
    fn receive(self: &Arc<Hall>, stream: TcpStream, peer: SocketAddr, number: u64) {
        if self.rules.is_open() {
            let manner = match self.rules.telnet {
                true => Manner::Telnet,
                false => Manner::Bytes,
            };
            let guest = Tcp::over(stream).and_then(|link| guest(link, peer, manner));
            return self.pass_on(peer, guest.map_err(anyhow::Error::from));
        }
        let Ok(known) = stream.try_clone() else {
            return print_error(format_args!("{peer} was refused: the system has no room"));
        };
        self.make_room(peer.ip());
        self.newcomers.lock().push(Newcomer {
            number,
            ip: peer.ip(),
            stream: known,
        });
        let hall = Arc::clone(self);
        let check = move || {
            let checked = hall.check(stream, peer);
            hall.newcomers
                .lock()
                .retain(|newcomer| newcomer.number != number);
            hall.pass_on(peer, checked);
        };
        let thread = thread::Builder::new().name("newcomer".into());
        if let Err(error) = thread.spawn(check) {
            print_error(format_args!("{peer} was refused: {error}"));
            self.newcomers
                .lock()
                .retain(|newcomer| newcomer.number != number);
        }
    }

    /// Sees off the newcomer who has to leave before one of this address can come.
    fn make_room(&self, ip: IpAddr) {
        let mut newcomers = self.newcomers.lock();
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for newcomer in newcomers.iter() {
            *counts.entry(newcomer.ip).or_default() += 1;
        }
        let crowd = match counts.get(&ip) {
            Some(count) if *count >= MOST_OF_ONE => Some(ip),
            _ if newcomers.len() < MOST_AT_ONCE => None,
            _ => counts
                .into_iter()
                .max_by_key(|(_, count)| *count)
                .map(|(ip, _)| ip),
        };
        // They are in the order in which they came.
        let oldest = newcomers
            .iter()
            .position(|newcomer| Some(newcomer.ip) == crowd);
        if let Some(at) = oldest {
            let newcomer = newcomers.remove(at);
            let _ = newcomer.stream.shutdown(Shutdown::Both);
        }
    }

    /// Hands somebody who was let in to the desk, or says why nobody was.
    fn pass_on(&self, peer: SocketAddr, checked: anyhow::Result<Guest>) {
        let guest = match checked {
            Ok(guest) => guest,
            Err(why) => return print_error(format_args!("{peer} was refused: {why:#}")),
        };
        if let Err(TrySendError::Full(guest) | TrySendError::Disconnected(guest)) =
            self.let_in.try_send(guest)
        {
            print_error(format_args!(
                "{peer} was refused: too many wait for the board"
            ));
            guest.turn_away(&TurnedAway::Busy("others who came before".to_owned()));
        }
    }

    /// Checks the certificate and the password of a newcomer.
    fn check(&self, stream: TcpStream, peer: SocketAddr) -> anyhow::Result<Guest> {
        let until = Instant::now() + ADMISSION;
        let below = stream.try_clone()?;
        let mut link: Box<dyn Link> = match &self.rules.tls {
            Some(tls) => Box::new(tls.accept(stream, until)?),
            None => Box::new(Tcp::over(stream)?),
        };
        let manner = match self.rules.telnet {
            true => Manner::Telnet,
            false => Manner::Greeting(self.ask(&mut *link, until)?),
        };
        Ok(Guest {
            link,
            stream: Some(below),
            who: peer.to_string(),
            manner,
        })
    }

    /// Asks a newcomer for the password, if there is one. Returns the proof of this end.
    fn ask(&self, link: &mut dyn Link, until: Instant) -> anyhow::Result<Option<Proof>> {
        let Some(password) = &self.rules.password else {
            link.send(format!("{}\n", ServerOpening::Open).as_bytes())?;
            return Ok(None);
        };
        let server = nonce()?;
        link.send(format!("{}\n", ServerOpening::Password(server)).as_bytes())?;
        let answer = match read_line(link, until) {
            Ok(line) => line.parse().ok(),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                return Err(anyhow!(
                    "it has sent no password in {} s",
                    ADMISSION.as_secs()
                ));
            }
            Err(error) => return Err(error.into()),
        };
        let Some(ClientProof { nonce, proof }) = answer else {
            // A host that does not know of passwords reads the messages of a board.
            let words =
                Text::clipped("hil-bridge serve, which wants a password (--at served:...),");
            let _ = link.send(&wire::encoded(&ToHost::Busy(words)));
            return Err(anyhow!("it has sent something else than a password"));
        };
        if password.accepts(proof, Prover::Client, server, nonce) {
            return Ok(Some(password.prove(Prover::Server, server, nonce)));
        }
        wait_for_the_end(link, Instant::now() + WRONG_PASSWORD);
        let refused = Admission::Refused("the password is wrong".to_owned());
        let _ = link.send(format!("{refused}\n").as_bytes());
        Err(anyhow!("its password is wrong"))
    }
}

/// Somebody who was let in over a connection without encryption.
fn guest(link: Tcp, peer: SocketAddr, manner: Manner) -> io::Result<Guest> {
    let stream = Some(link.stream()?);
    Ok(Guest {
        link: Box::new(link),
        stream,
        who: peer.to_string(),
        manner,
    })
}

/// Waits until a moment, or until the other end has left.
fn wait_for_the_end(link: &mut dyn Link, until: Instant) {
    let mut unread = [0; 64];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || link.receive(&mut unread, left).is_err() {
            return;
        }
    }
}
