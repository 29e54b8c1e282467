//! Somebody who wants the board, and was let in.

use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ::protocol::{Severity, Text, ToHost, wire};
use touchboard_links::link::Link;
use touchboard_sharing::greeting::{Admission, Proof, printable};

/// How many guests who were turned away may still have to read why.
const MOST_LEAVING: usize = 16;

/// How long such a guest may take to read it.
const LEAVES_WITHIN: Duration = Duration::from_secs(1);

/// The number of guests who are reading why they were turned away.
static LEAVING: AtomicUsize = AtomicUsize::new(0);

/// How a guest is talked to, before and beside the bytes of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Not at all: it reads the board's bytes from the first one on.
    Bytes,
    /// In commands of telnet.
    Telnet,
    /// In lines of the greeting, the last of which has this proof.
    Greeting(Option<Proof>),
}

/// Why a guest does not get the board, or loses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnedAway {
    /// Somebody else has it: who, and since when.
    Busy(String),
    /// It is not there, for this reason.
    NoBoard(String),
}

/// Somebody who was let in.
pub struct Guest {
    /// The line to the guest.
    pub link: Box<dyn Link>,
    /// The connection below the line; `None` for the streams of this process.
    pub stream: Option<TcpStream>,
    /// Its address, as others are told.
    pub who: String,
    /// How it is talked to.
    pub manner: Manner,
}

impl Guest {
    /// Tells the guest that it has the board.
    ///
    /// # Errors
    /// When it has left.
    pub fn welcome(&mut self) -> io::Result<()> {
        match self.manner {
            Manner::Bytes | Manner::Telnet => Ok(()),
            Manner::Greeting(proof) => {
                let line = Admission::Welcome(proof);
                self.link.send(format!("{line}\n").as_bytes())
            }
        }
    }

    /// Turns the guest away before it had the board.
    pub fn turn_away(self, why: &TurnedAway) {
        let words = match (self.manner, why) {
            (Manner::Bytes, why) => in_a_frame(why),
            (Manner::Telnet, TurnedAway::Busy(who)) => {
                let who = printable(who);
                format!("The port is in use: {who} has it.\r\n").into_bytes()
            }
            (Manner::Telnet, TurnedAway::NoBoard(why)) => {
                format!("The port cannot be had: {}\r\n", printable(why)).into_bytes()
            }
            (Manner::Greeting(_), TurnedAway::Busy(who)) => {
                format!("{}\n", Admission::Busy(who.clone())).into_bytes()
            }
            (Manner::Greeting(_), TurnedAway::NoBoard(why)) => {
                format!("{}\n", Admission::Refused(why.clone())).into_bytes()
            }
        };
        self.see_off(words);
    }

    /// Takes the board from the guest.
    pub fn take_board(self, why: &TurnedAway) {
        let words = match self.manner {
            Manner::Bytes | Manner::Greeting(_) => in_a_frame(why),
            // A word among bytes would be taken for some; the wires have told.
            Manner::Telnet => Vec::new(),
        };
        self.see_off(words);
    }

    /// Says the last words to the guest, and waits until it has closed the connection,
    /// because they might be lost otherwise. If too many are waited for, it is closed.
    fn see_off(self, words: Vec<u8>) {
        let Guest {
            mut link, stream, ..
        } = self;
        let Some(stream) = stream else {
            let _ = link.send(&words);
            return;
        };
        if LEAVING.fetch_add(1, Ordering::Relaxed) >= MOST_LEAVING {
            LEAVING.fetch_sub(1, Ordering::Relaxed);
            let _ = stream.shutdown(Shutdown::Both);
            return;
        }
        let leave = move || {
            let _ = link.send(&words);
            drop(link);
            let _ = stream.shutdown(Shutdown::Write);
            let until = Instant::now() + LEAVES_WITHIN;
            let _ = read_to_end(&stream, until);
            LEAVING.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new()
            .name("leaving".into())
            .spawn(leave)
            .is_err()
        {
            LEAVING.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Reads what a guest has sent in vain.
fn read_to_end(mut stream: &TcpStream, until: Instant) -> io::Result<()> {
    let mut unread = [0; 1_024];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        if stream.read(&mut unread)? == 0 {
            return Ok(());
        }
    }
}

/// The reason as a message of the protocol, for a guest who reads the board's bytes.
fn in_a_frame(why: &TurnedAway) -> Vec<u8> {
    match why {
        TurnedAway::Busy(who) => wire::encoded(&ToHost::Busy(Text::clipped(who))),
        TurnedAway::NoBoard(why) => wire::encoded(&ToHost::Log {
            severity: Severity::Error,
            text: Text::clipped(why),
        }),
    }
}
