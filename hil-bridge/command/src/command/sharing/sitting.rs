//! The time in which one guest has the board.
//!
//! One thread listens to the guest, the other one to the board, and to the door.
//!
//! Invariants: a newcomer is turned away only when it is known that the guest is still
//! there, so a command that follows another one finds the board free.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use touchboard_links::link::Link;

use super::door::Door;
use super::guest::{Guest, Manner, TurnedAway};
use super::talk::{Rate, Talk};
use crate::command::print_error;

/// How long to wait for bytes or a newcomer before checking whether to continue.
pub const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How long a newcomer waits at most until it is known whether the guest is still there.
/// One who sends without a pause may have left behind what it sent.
const IN_DOUBT: Duration = Duration::from_secs(1);

/// How long a guest who has no room is waited for at a time.
const SUSPENDED: Duration = Duration::from_millis(5);

/// Why a guest no longer has the board.
pub enum Ended {
    /// The guest has left, or does not read.
    Left,
    /// The line to the board has ended, for this reason.
    Board(String),
    /// Somebody else has come.
    Taken(Guest),
    /// The program is to end.
    Stopped,
}

/// A newcomer, until it is known whether the guest is still there: it may have left just
/// before, which nobody has noticed yet.
struct InDoubt {
    newcomer: Guest,
    since: Instant,
    /// How often the guest had been found silent before.
    silences: u64,
}

impl InDoubt {
    /// True if the guest was there when the newcomer came. A wait that ended without bytes
    /// and without the end of the line says so, if it began after that.
    fn is_over(&self, silences: u64) -> bool {
        silences >= self.silences + 2 || self.since.elapsed() >= IN_DOUBT
    }
}

/// What was decided about a newcomer.
enum Settled {
    /// The newcomer gets the board.
    Taken(Guest),
    /// Nobody is in doubt, or this one still is.
    InDoubt(Option<InDoubt>),
}

/// The time in which one guest has the board.
pub struct Sitting {
    may_be_silent_for: Duration,
    since: Instant,
    talk: Mutex<Talk>,
    /// What both threads send to the guest over.
    to_guest: Mutex<Box<dyn Link>>,
    heard: Mutex<Instant>,
    /// How often the guest was listened to in vain.
    silences: AtomicU64,
    is_over: AtomicBool,
    to_board_bytes: AtomicU64,
    from_board_bytes: AtomicU64,
}

impl Sitting {
    /// Gives the board to a guest, who keeps it while it is not silent for longer than
    /// this.
    ///
    /// # Errors
    /// When the system has no more handles.
    pub fn begin(
        may_be_silent_for: Duration,
        (rate, baud): (Rate, u32),
        guest: &Guest,
        board: &dyn Link,
    ) -> io::Result<Sitting> {
        let mut first = Vec::new();
        let talk = Talk::new(guest.manner, board, rate, baud, &mut first)?;
        let mut to_guest = guest.link.try_clone()?;
        if guest.manner == Manner::Telnet {
            // A guest who has left is noticed by whoever reads from it.
            let _ = to_guest.send(&first);
        }
        let now = Instant::now();
        Ok(Sitting {
            may_be_silent_for,
            since: now,
            talk: Mutex::new(talk),
            to_guest: Mutex::new(to_guest),
            heard: Mutex::new(now),
            silences: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            to_board_bytes: AtomicU64::new(0),
            from_board_bytes: AtomicU64::new(0),
        })
    }

    /// Passes bytes in both directions until it is over. Returns why, and who was still in
    /// doubt.
    pub fn pass(
        &self,
        guest: &mut Guest,
        mut board: Box<dyn Link>,
        door: Option<&Door>,
        goes_on: &dyn Fn() -> bool,
    ) -> (Ended, Option<Guest>) {
        let mut to_board = match board.try_clone() {
            Ok(to_board) => to_board,
            Err(error) => return (Ended::Board(error.to_string()), None),
        };
        let who = guest.who.clone();
        let link = &mut guest.link;
        thread::scope(|scope| {
            let listening = scope.spawn(|| {
                let ended = self.listen(&mut **link, &mut *to_board);
                self.is_over.store(true, Ordering::Relaxed);
                ended
            });
            let (ended, in_doubt) = self.attend(&who, &mut *board, door, goes_on);
            self.is_over.store(true, Ordering::Relaxed);
            let listened = listening.join().ok().flatten();
            let ended = ended.or(listened).unwrap_or(Ended::Stopped);
            (ended, in_doubt.map(|in_doubt| in_doubt.newcomer))
        })
    }

    /// Passes what the board sends to the guest, and looks who comes, until it is over.
    /// Returns why, if that was noticed here.
    fn attend(
        &self,
        who: &str,
        board: &mut dyn Link,
        door: Option<&Door>,
        goes_on: &dyn Fn() -> bool,
    ) -> (Option<Ended>, Option<InDoubt>) {
        let mut in_doubt: Option<InDoubt> = None;
        while !self.is_over.load(Ordering::Relaxed) {
            if !goes_on() {
                return (Some(Ended::Stopped), in_doubt);
            }
            if in_doubt.is_none() {
                let newcomer = door.and_then(|door| door.guest(Duration::ZERO));
                in_doubt = newcomer.map(|newcomer| self.doubt(newcomer));
            }
            in_doubt = match self.settle(in_doubt, who) {
                Settled::Taken(newcomer) => return (Some(Ended::Taken(newcomer)), None),
                Settled::InDoubt(in_doubt) => in_doubt,
            };
            let spoken = self.speak(board);
            if spoken.is_some() {
                return (spoken, in_doubt);
            }
        }
        (None, in_doubt)
    }

    fn doubt(&self, newcomer: Guest) -> InDoubt {
        InDoubt {
            newcomer,
            since: Instant::now(),
            silences: self.silences.load(Ordering::Relaxed),
        }
    }

    /// Decides about a newcomer, if that is possible by now.
    fn settle(&self, in_doubt: Option<InDoubt>, who: &str) -> Settled {
        let Some(in_doubt) = in_doubt else {
            return Settled::InDoubt(None);
        };
        if self.heard.lock().elapsed() >= self.may_be_silent_for {
            return Settled::Taken(in_doubt.newcomer);
        }
        if !in_doubt.is_over(self.silences.load(Ordering::Relaxed)) {
            return Settled::InDoubt(Some(in_doubt));
        }
        self.refuse(in_doubt.newcomer, who);
        Settled::InDoubt(None)
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
                self.silences.fetch_add(1, Ordering::Relaxed);
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

    /// Passes what the board sends within a moment to the guest. Returns why it is over, if
    /// it is.
    fn speak(&self, board: &mut dyn Link) -> Option<Ended> {
        let mut buffer = [0; 4_096];
        let mut words = Vec::new();
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
        let has_left = !words.is_empty() && self.to_guest.lock().send(&words).is_err();
        has_left.then_some(Ended::Left)
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
    pub fn lose_board(&self) {
        let mut words = Vec::new();
        self.talk.lock().lose_board(&mut words);
        let _ = self.to_guest.lock().send(&words);
    }

    /// Writes a line about the time that is over.
    pub fn report(&self, who: &str, ended: &Ended) {
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
