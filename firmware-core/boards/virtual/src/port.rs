//! The port: the virtual board's equivalent of a UART, a timer and a reset line.
//!
//! It is a single thread, which sleeps until bytes arrive, bytes can be sent, or the
//! board has something to do.
//!
//! Invariants: the board has one host at a time. Any other host is told that the board is
//! busy and who has it, and the first host is not disturbed. A host loses its place only
//! if it is silent for [`Options::host_silence_ms`], because a dead connection may never
//! be reported.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use firmware_core::faults::{FaultyLine, Late};
use firmware_core::{
    AnyWidth, BestScores, Device, Faults, Identity, Keeping, SNAPSHOT_BYTES, panic_text,
};
use mio::Events;
use protocol::wire;
use protocol::{Severity, Text, ToHost};
use touchboard_files::KeepFile;

use crate::Options;
use crate::fingers::Fingers;
use crate::hand::Hand;
use crate::own_panel::OwnPanel;
use crate::plugs::{Moved, Plug, Plugs, READ_BYTES};
use crate::power::Power;

/// The maximum number of bytes in transit in each direction of a slow line.
const ON_THE_WAY_BYTES: usize = 64 * 1024;

/// A device in a process.
pub struct Port<B> {
    device: Device<Keeping<B>, Box<[u8]>>,
    /// The file with the best scores and a layout with a game.
    kept: Option<KeepFile>,
    options: Options,
    boot: u32,
    power: Power,
    /// The seed of the faults.
    fault_seed: u64,
    plugs: Plugs,
    /// The plug of the host that has the board.
    active: Option<Plug>,
    /// The time at which that host last sent anything.
    heard: Instant,
    line: FaultyLine,
    hand: Hand,
    /// The user's own grid controller, if there is one.
    panel: Option<OwnPanel>,
    /// Bytes from the host that were read from the plug and are being delayed.
    to_board: Late,
    /// Bytes from the host that the device has not taken yet.
    incoming: Vec<u8>,
    /// Bytes to the host that the device has sent and that are being delayed.
    from_board: Late,
    /// Bytes to the host that have not been written to the plug yet.
    outgoing: Vec<u8>,
    clock: Clock,
}

/// Real time in whole milliseconds, without losing fractions.
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

    /// The time until `ms` milliseconds have passed since the last call of `elapsed_ms`.
    fn until(&self, ms: u32) -> Duration {
        let at = Duration::from_millis(self.told_ms + u64::from(ms));
        at.saturating_sub(self.start.elapsed())
    }
}

impl<B: AnyWidth> Port<B> {
    pub fn new(
        board: Keeping<B>,
        kept: Option<KeepFile>,
        options: Options,
        plugs: Plugs,
        fingers: Fingers,
    ) -> Self {
        // A random number instead of the process id alone, which is always the same in a
        // container.
        let boot = RandomState::new().hash_one(std::process::id()) as u32;
        let faults = &options.faults.0;
        let mut hand = Hand::new(board.layout(), faults.clone(), fingers);
        if let (_, Some(refused)) = options.layout_at_power_on(kept.as_ref()) {
            hand.log(refused.to_owned());
        }
        Port {
            device: device(board, kept.as_ref().map(KeepFile::best), boot, faults),
            kept,
            line: FaultyLine::new(faults),
            hand,
            panel: None,
            power: Power::new(faults.board.clone()),
            fault_seed: faults.seed,
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

    /// Runs the board until `stop` is set.
    pub fn run(mut self, stop: &AtomicBool) -> io::Result<()> {
        let mut events = Events::with_capacity(16);
        if let Some(choice) = self.options.panel.clone() {
            self.panel = Some(OwnPanel::plug_in(choice, self.plugs.waker())?);
        }
        while !stop.load(Ordering::Relaxed) {
            let timeout = self.sleeps();
            match self.plugs.poll.poll(&mut events, timeout) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            let round = catch_unwind(AssertUnwindSafe(|| self.round()));
            self.write_kept();
            match round {
                Ok(()) if self.device.is_to_crash() => self.panic("the host asked for it")?,
                Ok(()) if self.power.failed() => {
                    self.hand.fingers.power_failed();
                    self.restart()?;
                }
                Ok(()) => {}
                Err(panic) => {
                    self.panic(panic_text(&*panic).unwrap_or("for no reason that it could name"))?
                }
            }
            if let Some(panel) = &mut self.panel {
                panel.show(&mut self.device);
            }
        }
        Ok(())
    }

    /// Stores the data that the board keeps, if it has changed.
    fn write_kept(&mut self) {
        let Some(file) = &mut self.kept else {
            return;
        };
        if let Err(error) = file.store_changes(self.device.board()) {
            let sentence = error.to_string();
            // If both fail, there is nowhere to report it.
            let _ = writeln!(io::stderr(), "{sentence}");
            self.device.log(Severity::Information, &sentence);
        }
    }

    /// How long there is nothing to do; `None` means until something arrives.
    fn sleeps(&self) -> Option<Duration> {
        let now = Instant::now();
        let power_ms = self.power.lasts_ms();
        let board_ms = self.board_sleeps_ms();
        let board_ms = board_ms.map(|ms| self.power.takes_ms(ms));
        let own = board_ms.into_iter().chain(power_ms).min();
        let own = own.map(|ms| self.clock.until(ms));
        // Bytes that have already arrived wait for room, not for time.
        let on_the_way = [&self.to_board, &self.from_board].map(Late::next);
        let arrivals = on_the_way.into_iter().flatten().filter(|at| *at > now);
        let arrivals = arrivals.map(|at| at - now);
        own.into_iter().chain(arrivals).min()
    }

    /// One round of the loop that every port has.
    fn round(&mut self) {
        if let Some(panel) = &self.panel {
            panel.apply(&self.hand.fingers);
        }
        let passed_ms = self.clock.elapsed_ms();
        let counted_ms = self.power.count(passed_ms);
        self.elapse(counted_ms);
        self.plugs.see_off();
        while let Some(stream) = self.plugs.accept() {
            // The host that has the board may have hung up just before.
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

    /// How long the board has nothing to do, in milliseconds of its own clock.
    fn board_sleeps_ms(&self) -> Option<u32> {
        let device = self.device.sleeps_ms();
        let hand = self.device.listens().then(|| self.hand.sleeps_ms());
        let lamps = self
            .panel
            .as_ref()
            .map(|_| OwnPanel::sleeps_ms(&self.device));
        let own = hand.into_iter().chain(lamps).flatten();
        device.into_iter().chain(own).min()
    }

    /// Lets `ms` pass on the board's own clock.
    fn elapse(&mut self, ms: u32) {
        if let Some(faults) = self.hand.elapse(&mut self.device, ms) {
            self.take_over_faults(faults);
        }
    }

    /// Takes over faults that the sensors have already, and tells them to the device, for
    /// hosts that ask.
    fn take_over_faults(&mut self, faults: Faults) {
        self.line.set(&faults);
        self.fault_seed = faults.seed;
        self.device.set_faults(faults.board.clone(), faults.seed);
        self.power.set(faults.board);
    }

    /// Applies the faults that a host has set.
    fn apply_faults_of_host(&mut self) {
        let Some((board, seed)) = self.device.take_faults() else {
            return;
        };
        // The user's own come first, if they were typed before.
        self.elapse(0);
        let line = self.line.faults();
        let faults = Faults { seed, line, board };
        self.hand.take_over_faults(faults.clone());
        self.take_over_faults(faults);
    }

    /// Moves bytes in both directions until no more can be moved.
    fn converse(&mut self) {
        while self.read() | self.feed() | self.write() {}
    }

    /// True if a host has the board and is not silent.
    fn is_taken(&self) -> bool {
        let silence = Duration::from_millis(self.options.host_silence_ms);
        self.active.is_some() && self.heard.elapsed() < silence
    }

    /// The message to a host that connects while another one has the board.
    fn busy(&self) -> Vec<u8> {
        let who = self.active.map(|plug| self.plugs.host(plug));
        wire::encoded(&ToHost::Busy(Text::clipped(&who.unwrap_or_default())))
    }

    /// Takes the board from a silent host, and tells the host in case it is still alive.
    fn make_room(&mut self) {
        let Some(plug) = self.active else {
            return;
        };
        let busy = wire::encoded(&ToHost::Busy(Text::clipped("a host that came later")));
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

    /// Switches to another host, or to none. Bytes in transit for the previous one are
    /// lost.
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

    /// Handles a cut of the line: closes the host's end if possible.
    fn cut(&mut self) {
        if let Some(plug) = self.active {
            self.plugs.pull_out(plug);
        }
        self.switch_to(None);
    }

    /// True if bytes were read.
    fn read(&mut self) -> bool {
        let came = self.to_board.on_the_way() < ON_THE_WAY_BYTES && self.read_plugs();
        if self.incoming.is_empty() && self.to_board.arrive(Instant::now(), &mut self.incoming) {
            // Bytes that arrived before the cut still count.
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
                    let passed = self.line.pass_to_board(bytes);
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
        while let Some(input) = self.device.finger() {
            self.hand.click(input);
        }
        self.apply_faults_of_host();
        taken > 0
    }

    /// True if bytes were written.
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

    /// Moves the output of the device to the line.
    fn send(&mut self) {
        let bytes = self.device.output();
        if bytes.is_empty() || self.from_board.on_the_way() >= ON_THE_WAY_BYTES {
            return;
        }
        let passed = self.line.pass_from_board(bytes);
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

    /// Handles a panic of the firmware: reports it and restarts.
    fn panic(&mut self, words: &str) -> io::Result<()> {
        let last_words = ToHost::Panic(Text::clipped(words));
        self.outgoing.extend(wire::encoded(&last_words));
        self.restart()
    }

    /// Restarts the board as if just switched on. The fingers stay where they are.
    fn restart(&mut self) -> io::Result<()> {
        self.hand.forget();
        self.to_board.clear();
        self.incoming.clear();
        self.boot = self.boot.wrapping_add(1);
        let (layout, refused) = self.options.layout_at_power_on(self.kept.as_ref());
        if let Some(sentence) = refused {
            self.hand.log(sentence.to_owned());
        }
        let board = Keeping::with_games(layout, self.options.games, self.options.seed)
            .map_err(|refusal| io::Error::new(io::ErrorKind::InvalidInput, refusal))?;
        let best = self.kept.as_ref().map(KeepFile::best);
        let faults = Faults {
            seed: self.fault_seed,
            board: self.power.faults().clone(),
            ..Faults::default()
        };
        self.device = device(board, best, self.boot, &faults);
        while self.active.is_some_and(|plug| self.write_plug(plug)) {}
        Ok(())
    }
}

fn device<B: AnyWidth>(
    mut board: Keeping<B>,
    best: Option<&BestScores>,
    boot: u32,
    faults: &Faults,
) -> Device<Keeping<B>, Box<[u8]>> {
    if let Some(best) = best {
        board.keep(best.clone());
    }
    let identity = Identity {
        board: "virtual",
        boot,
        sensors: true,
    };
    let mut device = Device::new(board, identity, vec![0; SNAPSHOT_BYTES].into());
    device.accept_fingers();
    device.set_faults(faults.board.clone(), faults.seed);
    device
}

#[cfg(test)]
mod tests;
