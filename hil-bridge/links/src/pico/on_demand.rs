//! A line to an emulated board whose time only passes on demand: while a request waits
//! for its answer, and when the comparison lets it pass.
//!
//! Invariants: the same requests and demands reach the board at the same moments of its
//! own time. (A client also sends pings on its own, so two comparisons may feel a finger
//! some ticks apart. The result does not depend on it.)

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};
use protocol::wire::{self, Receiver};
use protocol::{Event, Input, ToDevice, ToHost};
use touchboard_host::driver::DriverError;

use super::{PicoBench, PicoBoard, PicoLine};
use crate::LinkError;
use crate::client::Dial;
use crate::link::Link;

/// How much time passes at once, in microseconds of the chip.
const SLICE_US: u32 = 1_000;
/// The time from power-on until the image listens and a computer recognises its USB port,
/// in microseconds.
const COMES_UP_US: u64 = 30_000;
/// The additional time for each tile, in microseconds, until it is set up and shows its
/// colours.
const TILE_COMES_UP_US: u64 = 60_000;
/// If a request has no answer after this time, in microseconds of the chip, it was lost,
/// and the host repeats it.
const LOST_US: u64 = 2_000_000;

/// A board, and the bytes on their way to and from it.
struct Held {
    bench: PicoBench,
    line: PicoLine,
    to_chip: Vec<u8>,
    from_chip: VecDeque<u8>,
    /// The decoders of the messages in each direction.
    asked: Receiver,
    answered: Receiver,
    /// The number of answers that are expected; below, how much longer to wait for them, in
    /// microseconds.
    open: u32,
    waits_us: u64,
    now_us: u64,
    /// The inputs that the board has reported and nobody has taken yet.
    taken: Vec<Input>,
    ended: Option<String>,
}

impl Held {
    /// Lets a slice of time pass.
    fn pass(&mut self, us: u32) -> io::Result<()> {
        if let Some(why) = &self.ended {
            return Err(io::Error::other(why.clone()));
        }
        let bytes = std::mem::take(&mut self.to_chip);
        let told = self.bench.run_line(us, self.line, &bytes);
        let (now_us, said) = told.inspect_err(|error| self.ended = Some(error.to_string()))?;
        self.waits_us = self.waits_us.saturating_sub(now_us - self.now_us);
        self.now_us = now_us;
        for byte in &said {
            let Some(Ok(plain)) = self.answered.feed(*byte) else {
                continue;
            };
            match wire::parse(plain) {
                Ok(ToHost::Reply(_) | ToHost::Hello(_) | ToHost::Busy(_)) => {
                    self.open = self.open.saturating_sub(1);
                }
                Ok(ToHost::Event(told)) => {
                    if let Event::Taken(input) = told.event {
                        self.taken.push(input);
                    }
                }
                _ => {}
            }
        }
        if self.waits_us == 0 {
            self.open = 0;
        }
        self.from_chip.extend(said);
        Ok(())
    }
}

/// An emulated board whose time only passes on demand.
#[derive(Clone)]
pub struct OnDemand {
    shared: Arc<Shared>,
    line: PicoLine,
}

/// A board that several links use.
struct Shared {
    held: Mutex<Held>,
    /// Notified when the board may have something for a link that waits.
    changed: Condvar,
}

impl OnDemand {
    /// Switches on this board, with a host at the end of its line.
    ///
    /// # Errors
    /// Those of [`PicoBench::start`].
    pub fn start(of: &PicoBoard) -> Result<OnDemand, DriverError> {
        let line = of.line;
        let held = Held {
            bench: PicoBench::start_board(of)?,
            line,
            to_chip: Vec::new(),
            from_chip: VecDeque::new(),
            asked: Receiver::new(),
            answered: Receiver::new(),
            open: 0,
            waits_us: 0,
            now_us: 0,
            taken: Vec::new(),
            ended: None,
        };
        let shared = Arc::new(Shared {
            held: Mutex::new(held),
            changed: Condvar::new(),
        });
        let board = OnDemand { shared, line };
        // Waits, because bytes sent before the image listens would be lost.
        let tiles = of.tiles.map_or(0, |tiles| tiles.count().into());
        let up = board.pass(COMES_UP_US + tiles * TILE_COMES_UP_US);
        up.map_err(|error| LinkError::open(error.to_string()))?;
        Ok(board)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.shared.held.lock()
    }

    /// Calls a function on the board while its time stands still.
    pub fn with<T>(&self, what: impl FnOnce(&mut PicoBench) -> T) -> T {
        what(&mut self.held().bench)
    }

    /// Lets `us` microseconds pass.
    ///
    /// # Errors
    /// When the image cannot continue.
    pub fn pass(&self, us: u64) -> io::Result<()> {
        let mut held = self.held();
        let end_us = held.now_us + us;
        while held.now_us < end_us {
            let left_us = (end_us - held.now_us).min(SLICE_US.into());
            held.pass(left_us as u32)?;
        }
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Lets time pass until the board has reported `count` inputs, or `us`
    /// microseconds have passed.
    ///
    /// # Errors
    /// When the image cannot continue.
    pub fn pass_until_taken(&self, count: usize, us: u64) -> io::Result<()> {
        let mut held = self.held();
        let end_us = held.now_us + us;
        while held.taken.len() < count && held.now_us < end_us {
            held.pass(SLICE_US)?;
        }
        self.shared.changed.notify_all();
        Ok(())
    }

    /// The chip's time in microseconds.
    #[must_use]
    pub fn now_us(&self) -> u64 {
        self.held().now_us
    }

    /// The inputs that the board has reported since the last call.
    #[must_use]
    pub fn taken(&self) -> Vec<Input> {
        std::mem::take(&mut self.held().taken)
    }
}

impl Dial for OnDemand {
    fn name(&self) -> &str {
        self.line.place()
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        if let Some(why) = self.why_ended() {
            return Err(LinkError::open(why));
        }
        // Bytes that arrive without a listener are lost.
        self.held().from_chip.clear();
        Ok(Box::new(OnDemandLink(self.clone())))
    }

    fn why_ended(&mut self) -> Option<String> {
        self.held().ended.clone()
    }
}

/// One end of the line to the board.
struct OnDemandLink(OnDemand);

impl Link for OnDemandLink {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut held = self.0.held();
        for byte in bytes {
            if let Some(Ok(plain)) = held.asked.feed(*byte)
                && wire::parse::<ToDevice>(plain).is_ok()
            {
                // Every request is answered, even if it repeats another.
                held.open += 1;
                held.waits_us = LOST_US;
            }
        }
        held.to_chip.extend(bytes);
        self.0.shared.changed.notify_all();
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let mut held = self.0.held();
        if held.from_chip.is_empty() && held.open == 0 {
            self.0.shared.changed.wait_for(&mut held, timeout);
        }
        if held.from_chip.is_empty() && held.open > 0 {
            held.pass(SLICE_US)?;
        }
        held.from_chip.read(buffer)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(OnDemandLink(self.0.clone())))
    }
}
