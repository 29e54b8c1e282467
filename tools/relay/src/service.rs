//! The port, all connections, and the lobby between them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mio::net::TcpListener;
use mio::{Events, Interest, Poll, Token, Waker};
use touchboard_pair::lobby::{Lobby, LobbyClient, LobbyLimits, LobbyWord, place_to_clear};
use touchboard_pair::secret::TOKEN_BYTES;

use crate::connection::{Over, SocketLine};
use crate::network::{Proxies, network_of};

/// The tokens of the port and of [`RelayStop`]; connections have their number.
const PORT: Token = Token(0);
const STOP: Token = Token(1);
const FIRST_CLIENT: u64 = 2;

/// How often time is told at a table.
const TURN: Duration = Duration::from_millis(20);

/// How long the last words may take when the relay shuts down.
const LONGEST_END: Duration = Duration::from_secs(1);

/// The connections that are accepted before those that are there are served again.
const ACCEPTED_AT_ONCE: usize = 16;

/// The limits of a relay.
#[derive(Clone, Copy, Debug)]
pub struct RelayLimits {
    /// Those of the tables.
    pub tables: LobbyLimits,
    /// The most connections.
    pub connections: usize,
    /// Whose word counts for addresses.
    pub proxies: Proxies,
}

impl Default for RelayLimits {
    fn default() -> RelayLimits {
        RelayLimits {
            tables: LobbyLimits::default(),
            connections: 512,
            proxies: Proxies::None,
        }
    }
}

/// Why a relay cannot run. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// The address cannot be listened at.
    #[error("{address} cannot be listened at: {error}; choose another one with --listen")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The reason.
        error: io::Error,
    },
    /// The system cannot wait for sockets.
    #[error(
        "the system cannot wait for connections: {0}; let it open more files (ulimit -n) or start fewer programs"
    )]
    System(#[from] io::Error),
}

/// What is known of those who wait to be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrivals {
    /// There are none; the poll reports the next one.
    Accepted,
    /// Some wait, perhaps, of which the poll reports nothing more.
    Wait,
    /// Some wait, and the system has no room for them: they are tried again after a turn.
    NoRoom,
}

impl Arrivals {
    /// After this error of accepting one.
    fn after(error: &io::Error) -> Arrivals {
        match error.kind() {
            io::ErrorKind::WouldBlock => Arrivals::Accepted,
            io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted => Arrivals::Wait,
            _ => Arrivals::NoRoom,
        }
    }
}

/// A connection, and where it comes from.
struct Peer {
    line: SocketLine,
    host: IpAddr,
    /// True once the lobby knows it.
    is_known: bool,
}

/// Ends a relay from another thread.
#[derive(Clone)]
pub struct RelayStop {
    waker: Arc<Waker>,
    is_wanted: Arc<AtomicBool>,
}

impl RelayStop {
    /// Ends the relay: everybody is told, and [`RelayService::run`] returns.
    pub fn stop(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
        // If it cannot be woken, it looks with its next turn.
        let _ = self.waker.wake();
    }
}

/// A relay that listens.
pub struct RelayService {
    limits: RelayLimits,
    poll: Poll,
    port: TcpListener,
    address: SocketAddr,
    stop: RelayStop,
    lobby: Lobby,
    peers: BTreeMap<LobbyClient, Peer>,
    next_client: u64,
    began: Instant,
}

impl RelayService {
    /// Listens at this address; port 0 stands for a free one.
    ///
    /// # Errors
    /// If the address is not free, or the system refuses.
    pub fn listen(address: SocketAddr, limits: RelayLimits) -> Result<RelayService, RelayError> {
        let mut port =
            TcpListener::bind(address).map_err(|error| RelayError::Address { address, error })?;
        let poll = Poll::new()?;
        poll.registry()
            .register(&mut port, PORT, Interest::READABLE)?;
        let waker = Arc::new(Waker::new(poll.registry(), STOP)?);
        let is_wanted = Arc::default();
        Ok(RelayService {
            limits,
            address: port.local_addr()?,
            poll,
            port,
            stop: RelayStop { waker, is_wanted },
            lobby: Lobby::new(limits.tables),
            peers: BTreeMap::new(),
            next_client: FIRST_CLIENT,
            began: Instant::now(),
        })
    }

    /// The address, with its port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What ends the relay.
    #[must_use]
    pub fn stopper(&self) -> RelayStop {
        self.stop.clone()
    }

    /// Serves until it is [stopped](RelayStop::stop).
    ///
    /// # Errors
    /// If the system cannot wait for connections.
    pub fn run(&mut self) -> Result<(), RelayError> {
        let mut events = Events::with_capacity(1_024);
        let mut to_read = BTreeSet::new();
        let mut arrivals = Arrivals::Accepted;
        while !self.stop.is_wanted.load(Ordering::Relaxed) {
            // What was not read to its end has no event.
            let is_busy = arrivals == Arrivals::Wait || !to_read.is_empty();
            self.wait(&mut events, if is_busy { Duration::ZERO } else { TURN })?;
            for event in &events {
                match event.token() {
                    PORT => arrivals = Arrivals::Wait,
                    STOP => {}
                    Token(number) => {
                        to_read.insert(LobbyClient(number as u64));
                    }
                }
            }
            if arrivals != Arrivals::Accepted {
                arrivals = self.accept(&mut to_read);
            }
            to_read = self.read(&to_read);
            self.lobby.pass(self.ms());
            self.check();
            self.carry_out_words();
        }
        self.end(&mut events)
    }

    /// Waits for events, or for this long.
    fn wait(&mut self, events: &mut Events, longest: Duration) -> Result<(), RelayError> {
        match self.poll.poll(events, Some(longest)) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Accepts some of those who wait.
    fn accept(&mut self, to_read: &mut BTreeSet<LobbyClient>) -> Arrivals {
        for _ in 0..ACCEPTED_AT_ONCE {
            let (mut stream, peer) = match self.port.accept() {
                Ok(accepted) => accepted,
                Err(error) => match Arrivals::after(&error) {
                    // Whoever has left again holds up nobody.
                    Arrivals::Wait => continue,
                    arrivals => return arrivals,
                },
            };
            let host = peer.ip();
            if !self.make_room(host) {
                continue;
            }
            let client = LobbyClient(self.next_client);
            self.next_client += 1;
            let token = Token(client.0 as usize);
            let both = Interest::READABLE | Interest::WRITABLE;
            let is_ready = stream.set_nodelay(true).and_then(|()| {
                let registry = self.poll.registry();
                registry.register(&mut stream, token, both)
            });
            if is_ready.is_ok() {
                let line = SocketLine::new(stream, Instant::now());
                let is_known = false;
                self.peers.insert(
                    client,
                    Peer {
                        line,
                        host,
                        is_known,
                    },
                );
                to_read.insert(client);
            }
        }
        Arrivals::Wait
    }

    /// Makes room for a connection of this address; false if there is none for it.
    fn make_room(&mut self, host: IpAddr) -> bool {
        if self.peers.len() < self.limits.connections {
            return true;
        }
        // Addresses of a proxy's peers are not known before their request is read.
        let networks = self.peers.iter().map(|(client, peer)| {
            let network = network_of(self.host_of(peer));
            (network, peer.is_known, *client)
        });
        let networks: Vec<(String, bool, LobbyClient)> = networks.collect();
        // The oldest connection has the smallest number.
        let places = networks.iter().map(|(network, is_known, client)| {
            (network.as_str(), (*is_known, client.0 as usize), *client)
        });
        match place_to_clear(places, &network_of(host)) {
            Some(client) => {
                self.drop_peer(client);
                true
            }
            None => false,
        }
    }

    /// The address that counts for a connection.
    fn host_of(&self, peer: &Peer) -> IpAddr {
        match self.limits.proxies {
            Proxies::None => peer.host,
            Proxies::One => peer.line.forwarded().address().unwrap_or(peer.host),
        }
    }

    /// Reads from these connections. Returns those that may have more.
    fn read(&mut self, clients: &BTreeSet<LobbyClient>) -> BTreeSet<LobbyClient> {
        let mut more = BTreeSet::new();
        for client in clients {
            let Some(peer) = self.peers.get_mut(client) else {
                continue;
            };
            let flushed = peer.line.flush();
            let heard = flushed.and_then(|()| peer.line.read(Instant::now()));
            let Ok(heard) = heard else {
                self.drop_peer(*client);
                continue;
            };
            if heard.is_open && !peer.is_known {
                peer.is_known = true;
                let network = network_of(self.host_of(&self.peers[client]));
                self.lobby.arrive(*client, &network);
            }
            for message in heard.messages {
                self.lobby.hear(*client, &message, &mut random);
            }
            if heard.has_more {
                more.insert(*client);
            }
        }
        more
    }

    /// Ends the connections that are late.
    fn check(&mut self) {
        let now = Instant::now();
        let late = self.peers.iter_mut().filter_map(|(client, peer)| {
            let checked = peer.line.check(now);
            checked.is_err().then_some(*client)
        });
        for client in late.collect::<Vec<_>>() {
            self.drop_peer(client);
        }
    }

    /// Says and closes what the lobby wants, until it wants nothing more: whoever cannot be
    /// told leaves, which others are told.
    fn carry_out_words(&mut self) {
        loop {
            let words = self.lobby.take_words();
            if words.is_empty() {
                break;
            }
            for (client, word) in words {
                let Some(peer) = self.peers.get_mut(&client) else {
                    continue;
                };
                let said = match word {
                    LobbyWord::Say(bytes) => peer.line.say(bytes),
                    LobbyWord::Close => {
                        peer.line.close(Instant::now());
                        Ok(())
                    }
                };
                if said == Err(Over) {
                    self.drop_peer(client);
                }
            }
        }
        let over = self.peers.iter_mut().filter_map(|(client, peer)| {
            let flushed = peer.line.flush();
            flushed.is_err().then_some(*client)
        });
        for client in over.collect::<Vec<_>>() {
            self.drop_peer(client);
        }
    }

    fn drop_peer(&mut self, client: LobbyClient) {
        if let Some(mut peer) = self.peers.remove(&client) {
            if let Some(socket) = peer.line.socket() {
                // A socket that is not registered any more is as good.
                let _ = self.poll.registry().deregister(socket);
            }
            self.lobby.leave(client);
        }
    }

    /// Tells everybody that the relay ends, and gives the words time to leave.
    fn end(&mut self, events: &mut Events) -> Result<(), RelayError> {
        self.lobby.close();
        self.carry_out_words();
        let until = Instant::now() + LONGEST_END;
        while !self.peers.is_empty() && Instant::now() < until {
            self.wait(events, TURN)?;
            let all = self.peers.keys().copied().collect();
            self.read(&all);
            self.carry_out_words();
        }
        Ok(())
    }
}

/// Random bytes of the system; `None` if it has none. Then no table can be opened, since it
/// could be guessed.
fn random() -> Option<[u8; TOKEN_BYTES]> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_one_who_left_or_found_no_room_the_others_are_still_accepted() {
        let after = |kind: io::ErrorKind| Arrivals::after(&kind.into());
        assert_eq!(after(io::ErrorKind::WouldBlock), Arrivals::Accepted);
        assert_eq!(after(io::ErrorKind::ConnectionAborted), Arrivals::Wait);
        assert_eq!(after(io::ErrorKind::Interrupted), Arrivals::Wait);
        // A process with too many open files.
        let full = io::Error::from_raw_os_error(24);
        assert_eq!(Arrivals::after(&full), Arrivals::NoRoom);
    }
}
