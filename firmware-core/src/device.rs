//! A board and the protocol: the loop body that every port runs.
//!
//! A port owns the bytes, the timer and the sensors, and a [`Device`] does the
//! rest. In each round of its loop the port says how much real time passed
//! ([`Device::elapse`]), hands in the bytes that came ([`Device::feed`]) and
//! what its debounced sensors saw ([`Device::input`]), and sends what waits
//! ([`Device::output`], [`Device::sent`]).
//!
//! Invariants:
//! - a request is carried out once, however often it comes, and is answered
//!   each time: the last one from memory, one before it by a refusal that names
//!   the next number; the next one is only read when the answer found room;
//! - before an answer the host is sent every event that happened before it, and
//!   the frame as it is then;
//! - in lockstep no event is dropped: time stops first. When time goes by
//!   itself the board goes on, the oldest events go when there is no room, and
//!   the gap in their numbers tells the host to take a snapshot;
//! - only the newest frame counts: one that could not be sent yet is replaced;
//! - the work of one call is bounded, and no bytes make it panic.

mod diary;
mod fingers;
mod outbox;
mod replies;
mod requests;

use core::fmt::Write as _;

use protocol::wire::Receiver;
use protocol::{
    Deed, Done, Drawing, Event, Frame, Input, Layout, Pace, Refusal, Roster, Settings, Text, Tick,
    ToHost,
};

use crate::any_width::AnyWidth;
use crate::best::BestScores;

use diary::Diary;
pub use diary::{EVENTS, EVENTS_AT_ONCE};
use fingers::Fingers;
use outbox::Outbox;

/// How often the board may be woken in one call. A wake costs at most one
/// tick's budget of thought, so this bounds how long the port is away from its
/// line: some milliseconds on a host, half a second on a slow microcontroller.
const WAKES_AT_ONCE: u32 = 100;

/// How long the device waits for the host to see events before it sends them
/// again, at first, and at most when the host stays silent.
const REPEAT_MS: u32 = 250;
/// The longest interval; see [`REPEAT_MS`].
const REPEAT_MOST_MS: u32 = 4_000;

/// Board time between two [`Event::Digest`], at least; and real time too when
/// the board runs faster than that.
const DIGEST_TICKS: Tick = 1_000;

/// Real time between two lines about damaged frames, at least.
const DAMAGE_LOG_MS: u32 = 1_000;

/// What a port knows about itself.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// What kind of board it is; at most 16 bytes count.
    pub board: &'static str,
    /// Another number at each power-up, where the port can tell.
    pub boot: u32,
    /// True if it has touch sensors of its own.
    pub sensors: bool,
}

/// A state that was taken to be read in chunks.
#[derive(Clone, Copy)]
struct Taken {
    bytes: u16,
    digest: u64,
}

/// The last request of this host, and the result.
struct Answered {
    number: u32,
    tick: Tick,
    events: u32,
    result: Result<Done, Refusal>,
}

/// A board `B`, and a buffer `S` that holds a snapshot while it comes or goes;
/// one of [`SNAPSHOT_BYTES`](crate::SNAPSHOT_BYTES) is always large enough.
pub struct Device<B, S> {
    board: B,
    /// The games that its board has, whatever is loaded into it.
    roster: Roster,
    identity: Identity,
    buffer: S,
    taken: Option<Taken>,

    receiver: Receiver,
    damaged: u32,
    damage_logged_ms: u32,
    outbox: Outbox,
    diary: Diary,
    shown: Frame,
    frames: u32,
    whole_frame_due: bool,

    greeted: bool,
    host: Option<u32>,
    hello_due: bool,
    answered: Option<Answered>,
    reply_due: bool,
    /// A request that is answered and not carried out.
    refused: Option<(u32, Refusal)>,
    crash_due: bool,
    fingers: Fingers,

    pace: Pace,
    thousandths: u64,
    owed: Tick,
    digest_at: Tick,
    repeat_ms: u32,
    repeat_left_ms: u32,
}

impl<B: AnyWidth, S: AsMut<[u8]>> Device<B, S> {
    /// A device that was just switched on: its board runs at true speed, and it
    /// says hello.
    pub fn new(board: B, identity: Identity, buffer: S) -> Self {
        let mut device = Device::unbegun(board, identity, buffer);
        device.begin();
        device
    }

    /// A device before it says anything: where it is to stand in memory of its
    /// own, it is large enough to be put there first and [begun](Device::begin)
    /// then.
    pub fn unbegun(board: B, identity: Identity, buffer: S) -> Self {
        Device {
            roster: board.roster(),
            board,
            identity,
            buffer,
            taken: None,
            receiver: Receiver::new(),
            damaged: 0,
            damage_logged_ms: 0,
            outbox: Outbox::new(),
            diary: Diary::new(),
            shown: Frame::default(),
            frames: 0,
            whole_frame_due: true,
            greeted: false,
            host: None,
            hello_due: true,
            answered: None,
            reply_due: false,
            refused: None,
            crash_due: false,
            fingers: Fingers::default(),
            pace: Pace::Free { permille: 1_000 },
            thousandths: 0,
            owed: 0,
            digest_at: 0,
            repeat_ms: REPEAT_MS,
            repeat_left_ms: REPEAT_MS,
        }
    }

    /// Switches its board on, where it was made of a blank one; before it
    /// [begins](Device::begin).
    ///
    /// # Errors
    /// As [`AnyWidth::switch_on`].
    #[inline(never)]
    pub fn switch_on(&mut self, layout: Layout, roster: Roster, seed: u64) -> Result<(), Refusal> {
        self.board.switch_on(layout, roster, seed)?;
        self.roster = self.board.roster();
        Ok(())
    }

    /// Becomes the layout with a game that it had before its power-off: `read` puts
    /// the drawing into the device's buffer and says how long it is. Before it
    /// [begins](Device::begin).
    ///
    /// # Errors
    /// [`Refusal::Snapshot`] if these bytes are no drawing, or as
    /// [`AnyWidth::draw`]; the board is what it was then.
    // A function of its own, as `switch_on`.
    #[inline(never)]
    pub fn become_kept(
        &mut self,
        read: impl FnOnce(&mut [u8]) -> Option<usize>,
    ) -> Result<(), Refusal> {
        let buffer = self.buffer.as_mut();
        let Some(length) = read(buffer) else {
            return Ok(());
        };
        let bytes = buffer.get(..length).ok_or(Refusal::Snapshot)?;
        let drawing = Drawing::new(bytes).map_err(|_| Refusal::Snapshot)?;
        self.board.draw(drawing, self.board.seed())
    }

    /// Is set to what it was set to before its power-off. Before it
    /// [begins](Device::begin).
    ///
    /// # Errors
    /// As [`AnyWidth::carry_out`]; the board is what it was then.
    #[inline(never)]
    pub fn become_set(&mut self, settings: Settings) -> Result<(), Refusal> {
        self.board
            .carry_out(&Deed::Settings(settings), &mut |_, _| {})
    }

    /// Says hello; once, before anything else.
    pub fn begin(&mut self) {
        self.set_digest_time();
        self.pump();
    }

    /// The board that the device drives.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// Has the board keep its best scores, these first, and its layout from now on: a
    /// port that can remember writes down what [`AnyWidth::best`] and
    /// [`AnyWidth::inserted`] tell whenever it has changed.
    pub fn keep(&mut self, best: BestScores) {
        self.board.keep(best);
    }

    /// Takes bytes from the line, and returns how many. The others are to be
    /// handed in again once some output was [sent](Device::sent): an answer
    /// waits for room.
    #[inline(never)]
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        let mut taken = 0;
        for byte in bytes {
            if self.is_busy() {
                break;
            }
            taken += 1;
            if self.receive(*byte) {
                self.pump();
            }
        }
        taken
    }

    /// Takes what the board's own debounced sensors saw. In lockstep they are
    /// not listened to.
    pub fn input(&mut self, input: Input) {
        if self.listens() {
            self.take(input);
            self.pump();
        }
    }

    /// True while the board's own sensors are listened to. What they believed
    /// before is to be kept for when they are again: a finger may have come or
    /// gone meanwhile.
    pub fn listens(&self) -> bool {
        self.pace != Pace::Lockstep
    }

    /// Its sensors are simulated: a host can put fingers on them
    /// ([`Command::Step`](protocol::Command::Step) while time goes by itself), which
    /// the port is to [take](Device::finger) there.
    #[cfg(feature = "host")]
    pub fn feel_fingers_of_hosts(&mut self) {
        self.fingers.feel();
    }

    /// What a host's finger did on the sensors, one after the other.
    #[cfg(feature = "host")]
    pub fn finger(&mut self) -> Option<Input> {
        self.fingers.take()
    }

    /// So much real time passed since the last call. Call it before anything
    /// else in a round, so that what comes in is stamped with its moment.
    pub fn elapse(&mut self, ms: u32) {
        if let Pace::Free { permille } = self.pace {
            self.thousandths += u64::from(ms) * u64::from(permille);
            self.owed = self.owed.saturating_add(self.thousandths / 1_000);
            self.thousandths %= 1_000;
            self.run();
            // A board that thinks longer than it has time for falls behind,
            // by at most a second.
            self.owed = self.owed.min(permille.into());
            self.wait_for_eyes(ms);
        }
        self.log_damage(ms);
        self.pump();
    }

    /// How long the port may sleep, in real milliseconds: until then [`Device::elapse`]
    /// has nothing to do unless something comes in. `None`: for ever.
    pub fn sleeps_ms(&self) -> Option<u32> {
        let Pace::Free { permille } = self.pace else {
            return None;
        };
        let repeat = (self.greeted && !self.diary.is_empty()).then_some(self.repeat_left_ms.max(1));
        if self.owed > 0 {
            return Some(0);
        }
        let digest = self.greeted.then_some(self.digest_at);
        let wake = self.board.wakes_at().into_iter().chain(digest).min();
        let wake = wake.filter(|_| permille > 0).map(|at| {
            let ticks = at.saturating_sub(self.board.tick()).max(1);
            let left = ticks.saturating_mul(1_000).saturating_sub(self.thousandths);
            left.div_ceil(permille.max(1).into()).min(u32::MAX.into()) as u32
        });
        repeat.into_iter().chain(wake).min()
    }

    /// Bytes to send; the first part of what waits.
    pub fn output(&self) -> &[u8] {
        self.outbox.waiting()
    }

    /// The first `count` bytes of the output were sent.
    pub fn sent(&mut self, count: usize) {
        if count > 0 {
            self.outbox.sent(count);
            self.pump();
        }
    }

    /// The host's end of the line was closed: what was on its way is gone. A
    /// host that comes back says hello, and finds its answer and its events.
    pub fn hung_up(&mut self) {
        self.receiver = Receiver::new();
        self.outbox.clear();
        self.greeted = false;
        self.hello_due = false;
        self.reply_due = false;
        self.refused = None;
    }

    /// True once the host asked the firmware to panic, which is the port's to
    /// do.
    pub fn is_to_crash(&self) -> bool {
        self.crash_due
    }

    /// Puts a line into the host's log, if there is a host and room for it;
    /// true if it did.
    pub fn log(&mut self, line: &str) -> bool {
        let is_heard = self.greeted && self.outbox.is_empty();
        if is_heard {
            self.outbox.put(&ToHost::Log(Text::clipped(line)));
        }
        is_heard
    }

    /// True while something has to be said before the next request is read.
    fn is_busy(&self) -> bool {
        self.hello_due || self.reply_due || self.refused.is_some()
    }

    fn take(&mut self, input: Input) {
        // No board refuses an input.
        let _ = self.do_to_board(&Deed::Input(input));
    }

    /// A deed is reported before the events that follow from it.
    #[inline(never)]
    fn do_to_board(&mut self, deed: &Deed) -> Result<(), Refusal> {
        let diary = &mut self.diary;
        if let Deed::Input(input) = deed {
            diary.note(self.board.tick(), Event::Taken(*input));
        }
        self.board
            .carry_out(deed, &mut |tick, event| diary.note(tick, event))
    }

    /// Lets at most `most` ticks pass, at most one wake, and returns the ticks.
    fn wake(&mut self, most: Tick) -> Tick {
        let diary = &mut self.diary;
        let passed = self
            .board
            .step(most, &mut |tick, event| diary.note(tick, event));
        passed.min(most)
    }

    /// Time goes another way from now on: what was owed is void.
    fn begin_time(&mut self) {
        self.thousandths = 0;
        self.owed = 0;
        self.set_digest_time();
    }

    fn set_digest_time(&mut self) {
        let second = match self.pace {
            Pace::Free { permille } => permille.into(),
            Pace::Lockstep => 0,
        };
        self.digest_at = self.board.tick().saturating_add(DIGEST_TICKS.max(second));
    }

    /// Lets the owed ticks pass, as far as one call may.
    fn run(&mut self) {
        for _ in 0..WAKES_AT_ONCE {
            if self.owed == 0 {
                break;
            }
            // Nobody hears a digest that no host is there for; without it an
            // idle board sleeps as long as it likes.
            let most = if self.greeted {
                let left = self.digest_at.saturating_sub(self.board.tick());
                self.owed.min(left.max(1))
            } else {
                self.owed
            };
            self.owed -= self.wake(most);
            if self.greeted && self.board.tick() >= self.digest_at {
                self.tell_digest();
            }
        }
    }

    fn tell_digest(&mut self) {
        if self.diary.has_room() {
            let digest = Event::Digest(self.board.digest());
            self.diary.note(self.board.tick(), digest);
        }
        self.set_digest_time();
    }

    /// Sends events again that the host did not see in time; the longer it is
    /// silent, the more seldom.
    fn wait_for_eyes(&mut self, ms: u32) {
        let on_its_way = self.diary.unsent().is_some() || !self.outbox.is_empty();
        if self.diary.is_empty() || on_its_way {
            self.repeat_left_ms = self.repeat_ms;
            return;
        }
        self.repeat_left_ms = self.repeat_left_ms.saturating_sub(ms);
        if self.repeat_left_ms == 0 {
            self.diary.send_again();
            self.repeat_ms = REPEAT_MOST_MS.min(self.repeat_ms.saturating_mul(2));
            self.repeat_left_ms = self.repeat_ms;
        }
    }

    fn log_damage(&mut self, ms: u32) {
        self.damage_logged_ms = self.damage_logged_ms.saturating_add(ms);
        let due = self.damaged > 0 && self.damage_logged_ms >= DAMAGE_LOG_MS;
        if due && self.greeted && self.outbox.is_empty() {
            let mut line = Text::new();
            let _ = write!(line, "{} damaged frames came from the host", self.damaged);
            self.outbox.put(&ToHost::Log(line));
            self.damaged = 0;
            self.damage_logged_ms = 0;
        }
    }
}

#[cfg(test)]
mod tests;
