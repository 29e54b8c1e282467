//! A board and the protocol: the loop body that every port runs.
//!
//! A port owns the bytes, the timer and the sensors; a [`Device`] does the rest. In each
//! round of its loop the port reports how much real time passed ([`Device::elapse`]),
//! passes on received bytes ([`Device::feed`]) and inputs from its debounced sensors
//! ([`Device::input`]), and sends the waiting output ([`Device::output`],
//! [`Device::sent`]).
//!
//! Invariants:
//! - a request is carried out once, however often it arrives, and is answered each time:
//!   the last one from memory, an earlier one by a refusal that names the next number.
//!   The next request is read only when there is room for its answer;
//! - before an answer, the host is sent all earlier events and the current frame;
//! - in lockstep no event is dropped: time stops first. In free-running mode the board
//!   continues; the oldest events are dropped when there is no room, and the gap in their
//!   numbers tells the host to take a snapshot;
//! - only the newest frame counts: a frame that has not been sent yet is replaced;
//! - the work of one call is bounded, and no bytes cause a panic.

mod diary;
mod fingers;
mod outbox;
mod own_faults;
mod repeats;
mod replies;
mod requests;

use core::fmt::Write as _;

use protocol::wire::Receiver;
use protocol::{
    Deed, Done, Drawing, Event, Frame, Input, Layout, Pace, Refusal, Roster, Settings, Severity,
    Text, Tick, ToHost,
};

use crate::any_width::AnyWidth;
use crate::best::BestScores;
#[cfg(feature = "host")]
use crate::faults::BoardFaults;

use diary::Diary;
pub use diary::{EVENTS, EVENTS_AT_ONCE};
#[cfg(feature = "host")]
pub use fingers::ContactNews;
use fingers::HostFingers;
use outbox::Outbox;
use own_faults::OwnFaults;
use repeats::Repeats;

/// The maximum number of wakes in one call. A wake costs at most one tick's budget of
/// thinking, so this limits how long the port does not serve its line: some milliseconds
/// on a host, half a second on a slow microcontroller.
const WAKES_AT_ONCE: u32 = 100;

/// The minimum interval between two [`Event::Digest`], in board time. It is also the
/// minimum in real milliseconds when board time runs faster.
const DIGEST_TICKS: Tick = 1_000;

/// The minimum interval between two log lines about damaged frames, in real time.
const DAMAGE_LOG_MS: u32 = 1_000;

/// The information that a port provides about itself and its board.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// The kind of the board; only the first 16 bytes are used.
    pub board: &'static str,
    /// A number that differs at each power-up, if the port can provide one.
    pub boot: u32,
    /// True if the board has touch sensors of its own.
    pub sensors: bool,
}

/// The snapshot that is being read in chunks.
#[derive(Clone, Copy)]
struct Taken {
    bytes: u16,
    digest: u64,
}

/// The last request of this host, and its result.
struct Answered {
    number: u32,
    tick: Tick,
    events: u32,
    result: Result<Done, Refusal>,
}

/// What the device has to do as soon as there is room for it.
struct DueActions {
    hello: bool,
    /// The answer to the last request.
    reply: bool,
    /// The next frame is sent whole, and not as a delta.
    whole_frame: bool,
    /// The panic that a host asked for.
    crash: bool,
}

/// How real time becomes board time.
struct BoardTiming {
    pace: Pace,
    /// The time that has passed of the next tick, in thousandths of a tick.
    thousandths: u64,
    /// The ticks that have passed and have not been run.
    ticks_due: Tick,
    /// When the next digest is sent.
    digest_at: Tick,
}

impl BoardTiming {
    /// Lets real time pass, at this rate.
    fn pass(&mut self, ms: u32, permille: u32) {
        self.thousandths += u64::from(ms) * u64::from(permille);
        self.ticks_due = self.ticks_due.saturating_add(self.thousandths / 1_000);
        self.thousandths %= 1_000;
    }
}

/// A board `B`, with a buffer `S` for a snapshot in transfer. A buffer of
/// [`SNAPSHOT_BYTES`](crate::SNAPSHOT_BYTES) is always enough.
pub struct Device<B, S> {
    board: B,
    /// The games that the board has, whatever state is loaded.
    roster: Roster,
    /// What the board is, for its hello.
    identity: Identity,
    buffer: S,
    /// What the buffer holds.
    taken: Option<Taken>,

    receiver: Receiver,
    /// The frames that arrived damaged since the last log line about them.
    damaged: u32,
    /// The real time since that line, in milliseconds.
    damage_logged_ms: u32,
    outbox: Outbox,
    /// The events that the host has not acknowledged.
    diary: Diary,
    /// The frame that the host has, once all that was sent has arrived.
    shown: Frame,
    /// The number of frames and changes of a frame sent, modulo 2^32.
    frames: u32,
    due: DueActions,

    /// True from the host's greeting until it closes its end of the line.
    greeted: bool,
    /// The number by which the current host introduced itself.
    host: Option<u32>,
    /// The last answer, for a request that is repeated.
    answered: Option<Answered>,
    /// A request that is answered but not carried out.
    refused: Option<(u32, Refusal)>,
    fingers: HostFingers,
    faults: OwnFaults,

    timing: BoardTiming,
    repeats: Repeats,
}

impl<B: AnyWidth, S: AsMut<[u8]>> Device<B, S> {
    /// A freshly switched-on device: its board runs at the rate of real time, and it
    /// sends its hello.
    pub fn new(board: B, identity: Identity, buffer: S) -> Self {
        let mut device = Device::not_begun(board, identity, buffer);
        device.begin();
        device
    }

    /// A device that has not sent anything. A device is large, so an image first moves it
    /// to its place in memory and then [begins](Device::begin).
    pub fn not_begun(board: B, identity: Identity, buffer: S) -> Self {
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
            due: DueActions {
                hello: true,
                reply: false,
                whole_frame: true,
                crash: false,
            },
            greeted: false,
            host: None,
            answered: None,
            refused: None,
            fingers: HostFingers::default(),
            faults: OwnFaults::default(),
            timing: BoardTiming {
                pace: Pace::Free { permille: 1_000 },
                thousandths: 0,
                ticks_due: 0,
                digest_at: 0,
            },
            repeats: Repeats::new(),
        }
    }

    /// Switches on a board that was created blank, before the device
    /// [begins](Device::begin).
    ///
    /// # Errors
    /// As [`AnyWidth::restart`].
    #[inline(never)]
    pub fn switch_on(&mut self, layout: Layout, roster: Roster, seed: u64) -> Result<(), Refusal> {
        self.board.restart(layout, roster, seed)?;
        self.roster = self.board.roster();
        Ok(())
    }

    /// Restores the layout with a game that the board had before its power-off. `read`
    /// writes the drawing into the device's buffer and returns its length. To be called
    /// before the device [begins](Device::begin).
    ///
    /// # Errors
    /// [`Refusal::Snapshot`] if the bytes are not a drawing, or as
    /// [`AnyWidth::restart_on_drawing`]; then the board is unchanged.
    // A separate function, like `switch_on`.
    #[inline(never)]
    pub fn restore_layout(
        &mut self,
        read: impl FnOnce(&mut [u8]) -> Option<usize>,
    ) -> Result<(), Refusal> {
        let buffer = self.buffer.as_mut();
        let Some(length) = read(buffer) else {
            return Ok(());
        };
        let bytes = buffer.get(..length).ok_or(Refusal::Snapshot)?;
        let drawing = Drawing::new(bytes).map_err(|_| Refusal::Snapshot)?;
        let (roster, seed) = (self.board.roster(), self.board.seed());
        self.board.restart_on_drawing(drawing, roster, seed)
    }

    /// Restores the settings that the board had before its power-off. To be called before
    /// the device [begins](Device::begin).
    ///
    /// # Errors
    /// As [`AnyWidth::carry_out`]; then the board is unchanged.
    #[inline(never)]
    pub fn restore_settings(&mut self, settings: Settings) -> Result<(), Refusal> {
        self.board
            .carry_out(&Deed::Settings(settings), &mut |_, _| {})
    }

    /// Sends the hello. To be called once, before anything else.
    pub fn begin(&mut self) {
        self.set_digest_time();
        self.pump();
    }

    /// The board that the device drives.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// Makes the board keep its best scores, starting with these, and its layout. A port
    /// with a memory stores [`AnyWidth::best`] and [`AnyWidth::inserted`] when they
    /// change.
    pub fn keep(&mut self, best: BestScores) {
        self.board.keep(best);
    }

    /// Takes bytes from the line, and returns how many were taken. The others must be
    /// passed in again once some output was [sent](Device::sent), because an answer waits
    /// for room.
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

    /// Takes an input from the board's own debounced sensors. It is ignored in lockstep.
    pub fn input(&mut self, input: Input) {
        if self.listens() {
            self.take(input);
            self.pump();
        }
    }

    /// True while the device accepts inputs from its own sensors. When it does not, a
    /// port keeps the debounced state, because fingers may come and go.
    pub fn listens(&self) -> bool {
        self.timing.pace != Pace::Lockstep
    }

    /// Declares that the sensors are simulated. Hosts can then put fingers on them with
    /// [`Command::Fingers`](protocol::Command::Fingers) in free-running mode, and the
    /// port must [apply](Device::finger) these to its sensors.
    #[cfg(feature = "host")]
    pub fn accept_fingers(&mut self) {
        self.fingers.simulate();
    }

    /// The next action of a host's finger, for the simulated sensors.
    #[cfg(feature = "host")]
    pub fn finger(&mut self) -> Option<Input> {
        self.fingers.take()
    }

    /// Declares that the board has these faults at present, and that hosts can replace
    /// them ([`Command::Break`](protocol::Command::Break)). To be called again whenever
    /// they change otherwise. The port must [apply](Device::take_faults) those of a host.
    #[cfg(feature = "host")]
    pub fn set_faults(&mut self, faults: BoardFaults, seed: u64) {
        self.faults.are(faults, seed);
    }

    /// The faults that a host has set since the last call, with their seed.
    #[cfg(feature = "host")]
    pub fn take_faults(&mut self) -> Option<(BoardFaults, u64)> {
        self.faults.take()
    }

    /// What the host has to hear of simulated contacts now; it has to be told at once
    /// ([`Device::contact`]).
    #[cfg(feature = "host")]
    pub fn contact_news(&mut self) -> ContactNews {
        match self.greeted && self.diary.has_room() {
            true => self.fingers.contact_news(),
            false => ContactNews::Nothing,
        }
    }

    /// Tells the host that a simulated contact closed or opened.
    #[cfg(feature = "host")]
    pub fn contact(&mut self, contact: Input) {
        self.diary.note(self.board.tick(), Event::Contact(contact));
        self.pump();
    }

    /// Reports that `ms` milliseconds of real time have passed since the last call. To be
    /// called first in each round, so that inputs get the right tick.
    pub fn elapse(&mut self, ms: u32) {
        if let Pace::Free { permille } = self.timing.pace {
            self.timing.pass(ms, permille);
            self.run();
            // A board that thinks for longer than a tick falls behind, by at most a
            // second.
            self.timing.ticks_due = self.timing.ticks_due.min(permille.into());
            self.repeat_unseen_events(ms);
        }
        self.log_damage(ms);
        self.pump();
    }

    /// The real time in milliseconds for which the port may sleep: if nothing arrives,
    /// [`Device::elapse`] has nothing to do until then. `None` means without limit.
    pub fn sleeps_ms(&self) -> Option<u32> {
        let Pace::Free { permille } = self.timing.pace else {
            return None;
        };
        let repeat =
            (self.greeted && !self.diary.is_empty()).then_some(self.repeats.left_ms().max(1));
        if self.timing.ticks_due > 0 {
            return Some(0);
        }
        let digest = self.greeted.then_some(self.timing.digest_at);
        let wake = self.board.wakes_at().into_iter().chain(digest).min();
        let wake = wake.filter(|_| permille > 0).map(|at| {
            let ticks = at.saturating_sub(self.board.tick()).max(1);
            let left = ticks
                .saturating_mul(1_000)
                .saturating_sub(self.timing.thousandths);
            left.div_ceil(permille.max(1).into()).min(u32::MAX.into()) as u32
        });
        repeat.into_iter().chain(wake).min()
    }

    /// The bytes to send first; more may follow.
    pub fn output(&self) -> &[u8] {
        self.outbox.waiting()
    }

    /// Removes the first `count` bytes of the output, which were sent.
    pub fn sent(&mut self, count: usize) {
        if count > 0 {
            self.outbox.sent(count);
            self.pump();
        }
    }

    /// Handles a host that closed its end of the line: messages in transit are lost. A
    /// host that returns says hello, and then gets its answer and its events.
    pub fn hung_up(&mut self) {
        self.receiver = Receiver::new();
        self.outbox.clear();
        self.greeted = false;
        self.due.hello = false;
        self.due.reply = false;
        self.refused = None;
    }

    /// True once the host has asked the firmware to panic, which is up to the port.
    pub fn is_to_crash(&self) -> bool {
        self.due.crash
    }

    /// Puts a line into the host's log. True if there was a host and room for the line.
    pub fn log(&mut self, severity: Severity, line: &str) -> bool {
        let is_heard = self.greeted && self.outbox.is_empty();
        if is_heard {
            let text = Text::clipped(line);
            self.outbox.put(&ToHost::Log { severity, text });
        }
        is_heard
    }

    /// True while something must be sent before the next request is read.
    fn is_busy(&self) -> bool {
        self.due.hello || self.due.reply || self.refused.is_some()
    }

    fn take(&mut self, input: Input) {
        // No board refuses an input.
        let _ = self.do_to_board(&Deed::Input(input));
    }

    /// Reports the deed before the events that follow from it.
    #[inline(never)]
    fn do_to_board(&mut self, deed: &Deed) -> Result<(), Refusal> {
        let diary = &mut self.diary;
        if let Deed::Input(input) = deed {
            diary.note(self.board.tick(), Event::Taken(*input));
        }
        self.board
            .carry_out(deed, &mut |tick, event| diary.note(tick, event))
    }

    /// Advances by at most `most` ticks and at most to the next wake; returns the number
    /// of ticks.
    fn wake(&mut self, most: Tick) -> Tick {
        let diary = &mut self.diary;
        let passed = self
            .board
            .step(most, &mut |tick, event| diary.note(tick, event));
        passed.min(most)
    }

    /// Discards ticks not yet run, after the pace has changed.
    fn begin_time(&mut self) {
        self.timing.thousandths = 0;
        self.timing.ticks_due = 0;
        self.set_digest_time();
    }

    fn set_digest_time(&mut self) {
        let second = match self.timing.pace {
            Pace::Free { permille } => permille.into(),
            Pace::Lockstep => 0,
        };
        self.timing.digest_at = self.board.tick().saturating_add(DIGEST_TICKS.max(second));
    }

    /// Lets the ticks that are due pass, within the limits of one call.
    fn run(&mut self) {
        for _ in 0..WAKES_AT_ONCE {
            if self.timing.ticks_due == 0 {
                break;
            }
            // Without a host there is nobody to send a digest to, so an idle board
            // may sleep without limit.
            let most = if self.greeted {
                let left = self.timing.digest_at.saturating_sub(self.board.tick());
                self.timing.ticks_due.min(left.max(1))
            } else {
                self.timing.ticks_due
            };
            self.timing.ticks_due -= self.wake(most);
            if self.greeted && self.board.tick() >= self.timing.digest_at {
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

    /// Sends again the events that the host has not acknowledged in time, at intervals
    /// that grow while it stays silent.
    fn repeat_unseen_events(&mut self, ms: u32) {
        let on_its_way = self.diary.unsent().is_some() || !self.outbox.is_empty();
        let waits = !self.diary.is_empty() && !on_its_way;
        let waits_for = waits.then_some(self.diary.next_number());
        if self.repeats.pass(ms, waits_for) {
            self.diary.send_again();
        }
    }

    fn log_damage(&mut self, ms: u32) {
        self.damage_logged_ms = self.damage_logged_ms.saturating_add(ms);
        let due = self.damaged > 0 && self.damage_logged_ms >= DAMAGE_LOG_MS;
        if due && self.greeted && self.outbox.is_empty() {
            let mut text = Text::new();
            let frames = if self.damaged == 1 { "frame" } else { "frames" };
            let _ = write!(text, "{} damaged {frames} came from the host", self.damaged);
            let severity = Severity::Information;
            self.outbox.put(&ToHost::Log { severity, text });
            self.damaged = 0;
            self.damage_logged_ms = 0;
        }
    }
}

#[cfg(test)]
mod tests;
