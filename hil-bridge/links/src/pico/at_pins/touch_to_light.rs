//! Measures a touch, in the chip's own time: from the moment its contact closes until the
//! lights show its effect.
//!
//! Invariants: every moment is read at a pin; the line to the host is not involved.

use std::io;

use firmware_core::debounce::STABLE_MS;
use protocol::{Input, Pace, Point};
use touchboard_host::driver::{Driver, DriverError};

use super::super::{ChipLoad, Moments, PicoBench};
use super::{AtPins, FELT_US};

/// How long to wait for lights, in microseconds. A touch that has changed no light by
/// then has no effect.
const GIVE_UP_US: u64 = 100_000;
/// The interval between readings, in microseconds: less than that between two chains, so
/// that none is missed.
const LOOK_US: u64 = 250;

/// The parts of the time from touch to light, in order, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TouchToLight {
    /// From the contact closing to the first sample of its line, in nanoseconds.
    pub scan_ns: u64,
    /// From that sample to the one that makes it a touch, in nanoseconds.
    pub debounce_ns: u64,
    /// From the touch to the start of the chain that shows it, in nanoseconds.
    pub board_ns: u64,
    /// The time to send the chain, in nanoseconds.
    pub chain_ns: u64,
    /// The pause until the lights show the chain, in nanoseconds.
    pub latch_ns: u64,
}

impl TouchToLight {
    /// The names and durations of the parts, in order.
    #[must_use]
    pub const fn parts(&self) -> [(&'static str, u64); 5] {
        [
            ("scan", self.scan_ns),
            ("debounce", self.debounce_ns),
            ("board", self.board_ns),
            ("chain", self.chain_ns),
            ("latch", self.latch_ns),
        ]
    }

    /// The time from contact to light, in nanoseconds.
    #[must_use]
    pub fn total_ns(&self) -> u64 {
        self.parts().into_iter().map(|(_, ns)| ns).sum()
    }

    /// The parts according to these moments; `None` if the displayed chain began before
    /// the touch was recognised.
    fn of(moments: &Moments) -> Option<TouchToLight> {
        let lows = &moments.lows_ns;
        let (first, last) = (lows.first()?, lows.get(usize::from(STABLE_MS) - 1)?);
        Some(TouchToLight {
            scan_ns: first.checked_sub(moments.moved_ns)?,
            debounce_ns: last - first,
            board_ns: moments.chain_began_ns.checked_sub(*last)?,
            chain_ns: moments.chain_ended_ns - moments.chain_began_ns,
            latch_ns: moments.shown_ns - moments.chain_ended_ns,
        })
    }
}

impl AtPins {
    /// Lets some time pass, closes the contact of a point, and opens it again when the
    /// lights have changed; `None` if they do not change.
    ///
    /// # Errors
    /// When the image cannot continue, or does not answer.
    pub fn touch_to_light(
        &mut self,
        point: Point,
        wait_us: u64,
    ) -> Result<Option<TouchToLight>, DriverError> {
        self.remote.pace(Pace::Free { permille: 1_000 })?;
        let touch = Input::Touch(point);
        let timed = self.time(touch, wait_us);
        let timed = self.at_board(timed)?;
        self.closed.push(touch);
        self.fingers.push(touch);
        self.note_felt();
        self.move_finger(touch.reverse())?;
        self.remote.pace(Pace::Lockstep)?;
        Ok(timed)
    }

    /// Lets the board run freely for `us` microseconds, and returns the chip's load in
    /// that time.
    ///
    /// # Errors
    /// When the image cannot continue, or does not answer.
    pub fn load(&mut self, us: u64) -> Result<ChipLoad, DriverError> {
        self.remote.pace(Pace::Free { permille: 1_000 })?;
        let watched = || {
            self.board.with(PicoBench::load)?;
            self.board.pass(us)?;
            self.board.with(PicoBench::load)
        };
        let load = self.at_board(watched())?;
        self.remote.pace(Pace::Lockstep)?;
        Ok(load)
    }

    fn time(&self, touch: Input, wait_us: u64) -> io::Result<Option<TouchToLight>> {
        let layout = self.remote.layout();
        self.board.pass(wait_us)?;
        let mut before = self.board.with(|bench| {
            bench.finger(layout, touch)?;
            io::Result::Ok(bench.lights()?.colours)
        })?;
        let mut timed = None;
        let mut passed_us = 0;
        while timed.is_none() && passed_us < GIVE_UP_US {
            self.board.pass(LOOK_US)?;
            passed_us += LOOK_US;
            timed = self.board.with(|bench| {
                let now = bench.lights()?.colours;
                if now == before {
                    return io::Result::Ok(None);
                }
                before = now;
                // Lights may also change by themselves before the touch is recognised.
                Ok(TouchToLight::of(&bench.moments()?))
            })?;
        }
        // If the light came early, the touch still has to be reported.
        self.board
            .pass_until_taken(1, FELT_US.saturating_sub(passed_us))?;
        Ok(timed)
    }
}
