//! Limits the number of connections to a port, and their duration.
//!
//! A port has a limited number of places, and so does each peer. If they are all taken, a
//! new connection replaces the connection of that peer that has been useless for the
//! longest time: first those that have not finished a command, then those that have, but
//! never one with a right password or whose command is being carried out. So a peer that
//! occupies places by sending a byte now and then loses them to connections that send
//! commands.
//!
//! Invariants: before a connection is closed, it gets a message in the form of the
//! protocol.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use crate::server::network;

/// The most simultaneous connections.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// The number of places in total.
    pub places: usize,
    /// The number of places for one peer.
    pub of_peer: usize,
}

/// The messages for connections that are being closed.
#[derive(Clone, Copy, Debug)]
pub struct Farewells {
    /// For a connection that loses its place to another one.
    pub displaced: &'static str,
    /// For a connection for which there is no place.
    pub full: &'static str,
    /// For a connection that took too long.
    pub late: &'static str,
}

/// How far a connection has come; a higher one keeps its place longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PeerRank {
    /// It has sent no command.
    New,
    /// A command of it was served.
    Served,
    /// A command with a right password was served.
    Signed,
}

#[derive(Debug)]
struct Taken {
    number: u64,
    network: IpAddr,
    stream: TcpStream,
    rank: PeerRank,
    since: Instant,
    is_busy: bool,
}

/// The places of a port.
#[derive(Debug)]
pub struct Slots {
    most: Most,
    farewells: Farewells,
    taken: Mutex<(u64, Vec<Taken>)>,
}

/// A connection's place, until it is dropped.
#[derive(Debug)]
pub struct Slot {
    places: Arc<Slots>,
    number: u64,
}

impl Slots {
    /// Slots of which all are free.
    #[must_use]
    pub fn new(most: Most, farewells: Farewells) -> Arc<Slots> {
        let taken = Mutex::default();
        Arc::new(Slots {
            most,
            farewells,
            taken,
        })
    }

    fn taken(&self) -> MutexGuard<'_, (u64, Vec<Taken>)> {
        self.taken.lock()
    }

    /// Takes a place for a connection. If there is none, sends it a message and returns
    /// `None`.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub fn take(self: &Arc<Slots>, stream: &TcpStream) -> io::Result<Option<Slot>> {
        let network = network(stream.peer_addr()?.ip());
        let stream = stream.try_clone()?;
        let mut guard = self.taken();
        let (next, taken) = &mut *guard;
        if let Some(crowded) = self.crowded(taken, network) {
            let Some(last) = displaced(taken, crowded) else {
                part_from(&stream, self.farewells.full);
                return Ok(None);
            };
            part_from(&taken.remove(last).stream, self.farewells.displaced);
        }
        let number = *next;
        *next += 1;
        taken.push(Taken {
            number,
            network,
            stream,
            rank: PeerRank::New,
            since: Instant::now(),
            is_busy: false,
        });
        let places = self.clone();
        Ok(Some(Slot { places, number }))
    }

    /// The peer that has to give up a place, so that a connection from `network` can get
    /// one.
    fn crowded(&self, taken: &[Taken], network: IpAddr) -> Option<IpAddr> {
        let count = |network| taken.iter().filter(|one| one.network == network).count();
        if count(network) >= self.most.of_peer {
            return Some(network);
        }
        if taken.len() < self.most.places {
            return None;
        }
        let all = taken.iter().map(|one| one.network);
        all.max_by_key(|network| count(*network))
    }

    /// The message for a connection that took too long.
    #[must_use]
    pub fn late(&self) -> &'static str {
        self.farewells.late
    }
}

/// The place of this peer that is given up next.
fn displaced(taken: &[Taken], network: IpAddr) -> Option<usize> {
    let own = taken.iter().enumerate();
    let own = own.filter(|(_, one)| one.network == network && !one.is_busy);
    let (place, last) = own.min_by_key(|(_, one)| (one.rank, one.since))?;
    (last.rank < PeerRank::Signed).then_some(place)
}

/// Sends a message to a peer that may not be reading, and closes the connection.
fn part_from(mut stream: &TcpStream, words: &str) {
    let told = stream
        .set_nonblocking(true)
        .and_then(|()| stream.write_all(words.as_bytes()));
    if let Err(error) = told.and_then(|()| stream.shutdown(Shutdown::Both)) {
        tracing::debug!("a connection ended: {error}");
    }
}

impl Slot {
    fn change(&self, change: impl FnOnce(&mut Taken)) {
        let mut guard = self.places.taken();
        let own = guard.1.iter_mut().find(|one| one.number == self.number);
        if let Some(own) = own {
            change(own);
        }
    }

    /// Notes that a command is being carried out, so the place cannot be lost.
    pub fn is_busy(&self) {
        self.change(|own| own.is_busy = true);
    }

    /// Records that a command was served, and how far the connection has come with it.
    pub fn is_served(&self, rank: PeerRank) {
        self.change(|own| {
            own.is_busy = false;
            own.rank = own.rank.max(rank);
            own.since = Instant::now();
        });
    }

    /// The message for a connection that took too long.
    #[must_use]
    pub fn late(&self) -> &'static str {
        self.places.late()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.places
            .taken()
            .1
            .retain(|one| one.number != self.number);
    }
}

/// A connection with a time limit for each whole command, however the peer sends it.
#[derive(Debug)]
pub struct Timed {
    stream: TcpStream,
    silence: Duration,
    whole: Duration,
    until: Option<Instant>,
}

impl Timed {
    /// A connection that may be silent for `silence` between commands.
    #[must_use]
    pub fn new(stream: TcpStream, silence: Duration) -> Timed {
        let (whole, until) = (silence, None);
        Timed {
            stream,
            silence,
            whole,
            until,
        }
    }

    /// Begins a command, which may take this long from its first byte on. `is_begun` says
    /// that this byte has already been read.
    pub fn begin(&mut self, whole: Duration, is_begun: bool) {
        self.whole = whole;
        self.until = is_begun.then(|| Instant::now() + whole);
    }
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.until.map_or(self.silence, |until| {
            until.saturating_duration_since(Instant::now())
        });
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let read = self
            .stream
            .read(bytes)
            .map_err(|error| match error.kind() {
                // A socket's timeout has different error kinds on different systems.
                io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
                _ => error,
            })?;
        if self.until.is_none() {
            self.until = Some(Instant::now() + self.whole);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    const FAREWELLS: Farewells = Farewells {
        displaced: "displaced",
        full: "full",
        late: "late",
    };

    struct Port {
        listener: TcpListener,
        places: Arc<Slots>,
    }

    impl Port {
        fn new(places: usize, of_peer: usize) -> Port {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let places = Slots::new(Most { places, of_peer }, FAREWELLS);
            Port { listener, places }
        }

        fn connect(&self) -> (TcpStream, Option<Slot>) {
            let near = TcpStream::connect(self.listener.local_addr().unwrap()).unwrap();
            let (far, _) = self.listener.accept().unwrap();
            (near, self.places.take(&far).unwrap())
        }
    }

    fn received(mut near: TcpStream) -> String {
        let mut said = String::new();
        near.read_to_string(&mut said).unwrap();
        said
    }

    #[test]
    fn the_longest_idle_connection_is_dropped_first() {
        let port = Port::new(9, 3);
        let all: Vec<_> = (0..3).map(|_| port.connect()).collect();
        let [(near0, place0), (near1, place1), (near2, place2)] = all.try_into().unwrap();
        let (place0, place1) = (place0.unwrap(), place1.unwrap());
        place0.is_served(PeerRank::Signed);
        place1.is_served(PeerRank::Served);
        // The third connection has done nothing. After it, the second one is replaced.
        let (_near3, place3) = port.connect();
        assert_eq!(received(near2), "displaced");
        drop(place2);
        place3.as_ref().unwrap().is_busy();
        let (_near4, place4) = port.connect();
        assert_eq!(received(near1), "displaced");
        place4.unwrap().is_served(PeerRank::Signed);
        drop(place3);
        let places: Vec<_> = (0..2).map(|_| port.connect()).collect();
        for (_, place) in &places {
            place.as_ref().unwrap().is_busy();
        }
        // Connections with a signed command, and those that are being served, stay.
        let (near, place) = port.connect();
        assert!(place.is_none());
        assert_eq!(received(near), "full");
        drop(near0);
    }

    #[test]
    fn a_place_is_free_when_its_connection_ends() {
        let port = Port::new(1, 9);
        for _ in 0..3 {
            let (_near, place) = port.connect();
            place.unwrap().is_served(PeerRank::Signed);
        }
        let (_near, place) = port.connect();
        place.as_ref().unwrap().is_served(PeerRank::Signed);
        let (near, none) = port.connect();
        assert!(none.is_none());
        assert_eq!(received(near), "full");
    }

    #[test]
    fn a_command_sent_byte_by_byte_times_out() {
        let port = Port::new(1, 1);
        let mut near = TcpStream::connect(port.listener.local_addr().unwrap()).unwrap();
        let (far, _) = port.listener.accept().unwrap();
        let sending = std::thread::spawn(move || {
            while near.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let mut far = Timed::new(far, Duration::from_secs(600));
        far.begin(Duration::from_millis(100), false);
        let mut byte = [0];
        let error = loop {
            match far.read(&mut byte) {
                Ok(read) => assert_eq!(read, 1),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(far);
        sending.join().unwrap();
    }

    #[test]
    fn a_silent_connection_times_out() {
        let port = Port::new(1, 1);
        let _near = TcpStream::connect(port.listener.local_addr().unwrap()).unwrap();
        let (far, _) = port.listener.accept().unwrap();
        let mut far = Timed::new(far, Duration::from_millis(20));
        far.begin(Duration::from_secs(600), false);
        let error = far.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
