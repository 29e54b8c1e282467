//! The desk: has the board and its lock.
//!
//! The line to the board is opened for each guest and closed after it, so the board knows
//! that its host has left, and waits for nobody.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use touchboard_links::client::Dial;
use touchboard_links::link::Link;

use super::door::Door;
use super::guest::{Guest, Manner, TurnedAway};
use super::talk::{Rate, Talk};
use crate::command::print_error;

/// How long to wait for bytes or a newcomer before checking whether to continue.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How long a guest may be silent before a newcomer gets the board, as with
/// `virtual-board --host-silence-ms`.
pub const MAY_BE_SILENT_FOR: Duration = Duration::from_secs(5);

/// The longest wait before the line to a board that is gone is tried again.
const MOST_BACK_OFF: Duration = Duration::from_secs(2);

/// How long a guest who has no room is waited for at a time.
const SUSPENDED: Duration = Duration::from_millis(5);

/// The lock of a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardDesk {
    /// How long a guest may be silent before a newcomer gets the board.
    pub may_be_silent_for: Duration,
    /// Which speeds the line to the board has.
    pub rate: Rate,
    /// The speed of the line to the board at first, in bits a second.
    pub baud: u32,
}

/// Why a guest no longer has the board.
enum Ended {
    /// The guest has left, or does not read.
    Left,
    /// The line to the board has ended, for this reason.
    Board(String),
    /// Somebody else has come.
    Taken(Guest),
    /// The program is to end.
    Stopped,
}

/// A board that is gone, until its line opens again.
struct Missing {
    retry_at: Instant,
    back_off: Duration,
}

impl Missing {
    fn begin(why: &dyn fmt::Display) -> Missing {
        print_error(format_args!("the board is gone: {why}; waiting for it"));
        let back_off = Duration::from_millis(100);
        Missing {
            retry_at: Instant::now() + back_off,
            back_off,
        }
    }

    fn wait_longer(&mut self) {
        self.back_off = MOST_BACK_OFF.min(self.back_off * 2);
        self.retry_at = Instant::now() + self.back_off;
    }
}

impl BoardDesk {
    /// Gives the board to one guest after another, as long as `goes_on` returns true.
    ///
    /// # Errors
    /// When the board has ended for good.
    pub fn run(
        &self,
        door: &Door,
        dial: &mut dyn Dial,
        goes_on: &dyn Fn() -> bool,
    ) -> anyhow::Result<()> {
        let mut next = None;
        let mut missing: Option<Missing> = None;
        while goes_on() {
            let guest = next.take().or_else(|| door.guest(LOOK_EVERY));
            let is_due = missing
                .as_ref()
                .is_some_and(|missing| missing.retry_at <= Instant::now());
            if guest.is_none() && !is_due {
                continue;
            }
            let board = match dial.dial() {
                Ok(board) => board,
                Err(error) => {
                    if let Some(guest) = guest {
                        print_error(format_args!("{} was refused: {error}", guest.who));
                        guest.turn_away(&TurnedAway::NoBoard(error.to_string()));
                    }
                    if let Some(why) = dial.why_ended() {
                        anyhow::bail!(why);
                    }
                    match &mut missing {
                        Some(missing) => missing.wait_longer(),
                        None => missing = Some(Missing::begin(&error)),
                    }
                    continue;
                }
            };
            if missing.take().is_some() {
                print_error("the board is back");
            }
            let Some(guest) = guest else {
                continue;
            };
            match self.seat(guest, board, Some(door), goes_on) {
                Ended::Left | Ended::Stopped => {}
                Ended::Taken(guest) => next = Some(guest),
                Ended::Board(why) => {
                    let why = dial.why_ended().unwrap_or(why);
                    missing = Some(Missing::begin(&why));
                }
            }
        }
        Ok(())
    }

    /// Gives the board to one guest alone, until one of them ends.
    pub fn serve(&self, guest: Guest, board: Box<dyn Link>, goes_on: &dyn Fn() -> bool) {
        self.seat(guest, board, None, goes_on);
    }

    /// Gives the board to a guest, and tells it when it is over.
    fn seat(
        &self,
        mut guest: Guest,
        board: Box<dyn Link>,
        door: Option<&Door>,
        goes_on: &dyn Fn() -> bool,
    ) -> Ended {
        if guest.welcome().is_err() {
            print_error(format_args!(
                "{} has left before it got the board",
                guest.who
            ));
            return Ended::Left;
        }
        print_error(format_args!("{} has the board", guest.who));
        let sitting = match Sitting::begin(self, &guest, &*board) {
            Ok(sitting) => sitting,
            Err(error) => return Ended::Board(error.to_string()),
        };
        let ended = sitting.pass(&mut guest, board, door, goes_on);
        sitting.report(&guest.who, &ended);
        match &ended {
            Ended::Left | Ended::Stopped => {}
            Ended::Board(why) => {
                sitting.lose_board();
                guest.take_board(&TurnedAway::NoBoard(format!("the board is gone: {why}")));
            }
            Ended::Taken(newcomer) => {
                let who = format!("{}, who came later,", newcomer.who);
                guest.take_board(&TurnedAway::Busy(who));
            }
        }
        ended
    }
}

/// The time in which one guest has the board.
struct Sitting {
    may_be_silent_for: Duration,
    since: Instant,
    talk: Mutex<Talk>,
    /// What both threads send to the guest over.
    to_guest: Mutex<Box<dyn Link>>,
    heard: Mutex<Instant>,
    is_over: AtomicBool,
    to_board_bytes: AtomicU64,
    from_board_bytes: AtomicU64,
}

impl Sitting {
    fn begin(desk: &BoardDesk, guest: &Guest, board: &dyn Link) -> io::Result<Sitting> {
        let mut first = Vec::new();
        let talk = Talk::new(guest.manner, board, desk.rate, desk.baud, &mut first)?;
        let mut to_guest = guest.link.try_clone()?;
        if guest.manner == Manner::Telnet {
            // A guest who has left is noticed by whoever reads from it.
            let _ = to_guest.send(&first);
        }
        let now = Instant::now();
        Ok(Sitting {
            may_be_silent_for: desk.may_be_silent_for,
            since: now,
            talk: Mutex::new(talk),
            to_guest: Mutex::new(to_guest),
            heard: Mutex::new(now),
            is_over: AtomicBool::new(false),
            to_board_bytes: AtomicU64::new(0),
            from_board_bytes: AtomicU64::new(0),
        })
    }

    /// Passes bytes in both directions until it is over.
    fn pass(
        &self,
        guest: &mut Guest,
        mut board: Box<dyn Link>,
        door: Option<&Door>,
        goes_on: &dyn Fn() -> bool,
    ) -> Ended {
        let mut to_board = match board.try_clone() {
            Ok(to_board) => to_board,
            Err(error) => return Ended::Board(error.to_string()),
        };
        let who = guest.who.clone();
        let link = &mut guest.link;
        thread::scope(|scope| {
            let listening = scope.spawn(|| {
                let ended = self.listen(&mut **link, &mut *to_board);
                self.is_over.store(true, Ordering::Relaxed);
                ended
            });
            let ended = self.speak(&who, &mut *board, door, goes_on);
            self.is_over.store(true, Ordering::Relaxed);
            let listened = listening.join().ok().flatten();
            ended.or(listened).unwrap_or(Ended::Stopped)
        })
    }

    /// Passes what the guest sends to the board, until it is over. Returns why, if that
    /// was noticed here.
    fn listen(&self, from_guest: &mut dyn Link, board: &mut dyn Link) -> Option<Ended> {
        let mut buffer = [0; 4_096];
        let (mut to_board, mut answer) = (Vec::new(), Vec::new());
        while !self.is_over.load(Ordering::Relaxed) {
            let Ok(length) = from_guest.receive(&mut buffer, LOOK_EVERY) else {
                return Some(Ended::Left);
            };
            if length == 0 {
                continue;
            }
            *self.heard.lock() = Instant::now();
            let bytes = buffer.get(..length).unwrap_or_default();
            self.talk.lock().hear(bytes, &mut to_board, &mut answer);
            if !answer.is_empty() && self.to_guest.lock().send(&answer).is_err() {
                return Some(Ended::Left);
            }
            if let Err(error) = board.send(&to_board) {
                return Some(Ended::Board(error.to_string()));
            }
            let count = to_board.len() as u64;
            self.to_board_bytes.fetch_add(count, Ordering::Relaxed);
            to_board.clear();
            answer.clear();
        }
        None
    }

    /// Passes what the board sends to the guest, until it is over, and looks who comes.
    fn speak(
        &self,
        who: &str,
        board: &mut dyn Link,
        door: Option<&Door>,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Ended> {
        let mut buffer = [0; 4_096];
        let mut words = Vec::new();
        while !self.is_over.load(Ordering::Relaxed) {
            if !goes_on() {
                return Some(Ended::Stopped);
            }
            if let Some(newcomer) = door.and_then(|door| door.guest(Duration::ZERO)) {
                if self.heard.lock().elapsed() >= self.may_be_silent_for {
                    return Some(Ended::Taken(newcomer));
                }
                self.refuse(newcomer, who);
            }
            let mut talk = self.talk.lock();
            talk.look(&mut words);
            let is_suspended = talk.is_suspended();
            drop(talk);
            if is_suspended {
                thread::sleep(SUSPENDED);
            } else {
                match board.receive(&mut buffer, LOOK_EVERY) {
                    Ok(length) => {
                        let bytes = buffer.get(..length).unwrap_or_default();
                        self.talk.lock().say(bytes, &mut words);
                        self.from_board_bytes
                            .fetch_add(length as u64, Ordering::Relaxed);
                    }
                    Err(error) => return Some(Ended::Board(error.to_string())),
                }
            }
            if !words.is_empty() && self.to_guest.lock().send(&words).is_err() {
                return Some(Ended::Left);
            }
            words.clear();
        }
        None
    }

    fn refuse(&self, newcomer: Guest, who: &str) {
        print_error(format_args!(
            "{} was refused: {who} has the board",
            newcomer.who
        ));
        let since = self.since.elapsed().as_secs();
        newcomer.turn_away(&TurnedAway::Busy(format!("{who}, for {since} s,")));
    }

    /// Tells the guest over its wires, if it has some, that the board is gone.
    fn lose_board(&self) {
        let mut words = Vec::new();
        self.talk.lock().lose_board(&mut words);
        let _ = self.to_guest.lock().send(&words);
    }

    fn report(&self, who: &str, ended: &Ended) {
        let [to, from] = [&self.to_board_bytes, &self.from_board_bytes];
        let [to, from] = [to, from].map(|count| count.load(Ordering::Relaxed));
        let seconds = self.since.elapsed().as_secs_f64();
        let how = match ended {
            Ended::Left => "has left",
            Ended::Board(_) => "has lost the board, which is gone,",
            Ended::Taken(_) => "was silent and has lost the board",
            Ended::Stopped => "was sent away, because this program ends,",
        };
        print_error(format_args!(
            "{who} {how} after {seconds:.1} s: {to} bytes to the board, {from} from it"
        ));
    }
}
