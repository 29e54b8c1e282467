//! A relay in a thread, and people with a socket and a board each.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use protocol::{Layout, Settings, Tick};
use relay::{RelayLimits, RelayService, RelayStop};
use touchboard_host::{CoreDriver, Driver};
use touchboard_pair::message::TableDeed;
use touchboard_pair::opening;
use touchboard_pair::play::TablePlay;
use touchboard_pair::secret::TableKey;
use touchboard_pair::side::TableSide;
use tungstenite::{Error, Message, WebSocket};

/// How long a read waits, so that one thread can serve several people.
const A_MOMENT: Duration = Duration::from_millis(1);

/// A relay that serves until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: RelayStop,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn new(limits: RelayLimits) -> Running {
        let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let mut service = RelayService::listen(here, limits).expect("a free port");
        let (address, stop) = (service.address(), service.stopper());
        let serve = move || service.run().expect("sockets can be waited for");
        let thread = Some(std::thread::spawn(serve));
        Running {
            address,
            stop,
            thread,
        }
    }

    /// Ends the relay, and waits until it has.
    pub fn end(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the relay does not panic");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// A WebSocket to the relay.
pub fn dial(relay: SocketAddr) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(relay).expect("the relay listens");
    let (socket, _) = tungstenite::client(format!("ws://{relay}/"), stream).expect("it answers");
    let set = socket.get_ref().set_read_timeout(Some(A_MOMENT));
    set.expect("a socket has a time-out");
    socket
}

/// The board that all tables here begin with.
pub fn first_board() -> Vec<u8> {
    let roster = firmware_core::games::ROSTER;
    let opening = opening::of_board(Layout::MALDOO.into(), roster, Settings::default());
    opening.expect("a game of the board is short")
}

/// Somebody at a table.
pub struct Somebody {
    pub side: TableSide,
    relay: SocketAddr,
    socket: Option<WebSocket<TcpStream>>,
    began: Instant,
    /// The line is cut after this many messages in both directions together.
    pub cut_after: Option<usize>,
    passed: usize,
}

impl Somebody {
    pub fn opening(relay: SocketAddr) -> Somebody {
        Somebody::new(relay, TableSide::opening_with(first_board()))
    }

    pub fn joining(relay: SocketAddr, key: TableKey) -> Somebody {
        Somebody::new(relay, TableSide::joining(key))
    }

    fn new(relay: SocketAddr, side: TableSide) -> Somebody {
        Somebody {
            side,
            relay,
            socket: None,
            began: Instant::now(),
            cut_after: None,
            passed: 0,
        }
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Cuts the line without a word.
    pub fn cut(&mut self) {
        self.socket = None;
        self.side.disconnected();
    }

    /// Counts a message; cuts the line if it is the last one.
    fn count(&mut self) -> bool {
        self.passed += 1;
        if self.cut_after.is_none_or(|last| self.passed <= last) {
            return false;
        }
        self.cut_after = None;
        self.cut();
        true
    }

    /// Sends and hears what there is, over a new line if the old one is lost.
    pub fn go_on(&mut self) {
        if self.socket.is_none() {
            self.socket = Some(dial(self.relay));
            let now = self.now_ms();
            self.side.connected(now);
        }
        self.side.poll(self.now_ms());
        for bytes in self.side.take_to_send() {
            if self.count() {
                return;
            }
            let socket = self.socket.as_mut().expect("there is a line");
            if socket.send(Message::Binary(bytes.into())).is_err() {
                self.cut();
                return;
            }
        }
        self.hear();
    }

    /// Hears what there is.
    pub fn hear(&mut self) {
        for _ in 0..64 {
            let Some(socket) = &mut self.socket else {
                return;
            };
            match socket.read() {
                Ok(Message::Binary(bytes)) => {
                    if self.count() {
                        return;
                    }
                    self.side.hear(bytes.as_slice());
                }
                Ok(_) => {}
                Err(Error::Io(error)) if is_nothing(&error) => return,
                Err(_) => {
                    self.cut();
                    return;
                }
            }
        }
    }

    pub fn ask(&mut self, deed: impl Into<TableDeed>) {
        self.side.wish(deed.into()).expect("it can be asked for");
    }
}

fn is_nothing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Lets all of them go on until this is so.
pub fn until(what: &str, all: &mut [&mut Somebody], is_so: impl Fn(&[&mut Somebody]) -> bool) {
    law::wait_until(what, || {
        all.iter_mut().for_each(|one| one.go_on());
        is_so(all)
    });
}

/// The key for a seat (0, 1) or for watching (2).
pub fn key_of(opener: &Somebody, which: usize) -> TableKey {
    let secrets = opener.side.secrets().expect("the table is open");
    let table = opener.side.key().expect("it has a name").table;
    let secret = [secrets.seats[0], secrets.seats[1], secrets.watch][which];
    TableKey { table, secret }
}

/// The digest of somebody's board at this tick of the table.
pub fn digest_at(one: &mut Somebody, tick: Tick) -> u64 {
    let (bytes, seed) = one.side.begun_with().expect("the opening is known");
    let mut board: CoreDriver = opening::board(bytes, seed).expect("an honest opening");
    let mut play = TablePlay::on(&board);
    while board.tick() < tick {
        let most = tick - board.tick();
        let passed = play.follow(&mut one.side, &mut board, most);
        assert!(
            passed.expect("a board in this process") > 0,
            "time is known up to there"
        );
    }
    board.digest().expect("a board in this process")
}
