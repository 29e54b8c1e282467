//! Boards with injected faults: sensors that miss fingers, dead lamps, a failing power
//! supply, a disturbed line.
//!
//! While the sensors are sound, inputs are passed on at their ticks. While they are
//! faulty, an input is a finger, and the board gets the debounced inputs that the sensors
//! report.
//!
//! Invariants: the board takes the same kind of inputs as any other, so a session
//! recorded with faulty sensors replays without them; from the first fault on, every
//! input that the board takes is reported ([`Driver::take_sensed`]) together with the
//! contacts that caused it.

use firmware_core::faults::{FaultKind, FaultTarget, FaultyLine};
use firmware_core::{Faults, Matrix};
use protocol::{Deed, Frame, Input, Point, Status, Tick};

use crate::driver::{Driver, DriverError, InjectionError, Sensation, StampedSensation};

/// The refusal of an option or fault that needs a line, on a board without one.
#[must_use]
pub fn has_no_line(what: &str) -> String {
    InjectionError::NoLine(what.to_owned()).to_string()
}

/// What of a board at some place can have faults.
#[derive(Clone, Debug)]
pub enum FaultScope {
    /// The board, which has no line.
    Board,
    /// Both the board and its line.
    BoardAndLine(FaultyLine),
    /// The line only, because the contacts of the board are not simulated.
    Line(FaultyLine),
}

/// A board that may have faults.
pub struct FaultyBoard<D> {
    inner: D,
    seed: u64,
    scope: FaultScope,
    matrix: Matrix,
    /// True from a restart of the board until it is reported.
    restarted: bool,
    /// The frame as it is seen, if lamps are dead.
    shown: Option<Box<Frame>>,
    remarks: Vec<String>,
    /// True from the first fault on: contacts and felt inputs are reported.
    tells: bool,
    /// The reports that have not been taken yet.
    sensed: Vec<StampedSensation>,
}

impl<D: Driver> FaultyBoard<D> {
    /// A board without faults yet. `seed` is the board's seed, used again after a power
    /// failure.
    pub fn new(inner: D, seed: u64, scope: FaultScope) -> FaultyBoard<D> {
        let mut sensed = FaultyBoard {
            matrix: Matrix::new(inner.layout(), Faults::default()),
            inner,
            seed,
            scope,
            restarted: false,
            shown: None,
            remarks: Vec::new(),
            tells: false,
            sensed: Vec::new(),
        };
        sensed.settle_if_good();
        sensed
    }

    /// Injects these faults into a board that was just switched on.
    ///
    /// # Errors
    /// The [`InjectionError`] about the first fault that this board cannot have.
    pub fn with(mut self, faults: Faults) -> Result<FaultyBoard<D>, InjectionError> {
        self.check_faults(&faults)?;
        self.switch_on(faults.clone());
        self.apply(faults);
        Ok(self)
    }

    /// Checks that the board can have these faults.
    fn check_faults(&self, faults: &Faults) -> Result<(), InjectionError> {
        let mut refusal = None;
        faults.each(|fault| refusal = refusal.take().or_else(|| self.refusal(fault.kind())));
        refusal.map_or(Ok(()), Err)?;
        Ok(self.matrix.fits(faults)?)
    }

    /// Why a board at this place cannot have faults of a kind.
    fn refusal(&self, kind: FaultKind) -> Option<InjectionError> {
        let (board, line) = match self.scope {
            FaultScope::Board => (true, false),
            FaultScope::BoardAndLine(_) => (true, true),
            FaultScope::Line(_) => (false, true),
        };
        if kind == FaultKind::Seed {
            return None;
        }
        match kind.of() {
            FaultTarget::Line if line => None,
            FaultTarget::Line => Some(InjectionError::NoLine(format!("`{}`", kind.name()))),
            _ if !board => Some(InjectionError::RealContacts {
                kind,
                at: self.inner.at().to_owned(),
            }),
            _ if kind == FaultKind::ClockPermille => Some(InjectionError::NoClock),
            _ => None,
        }
    }

    /// Puts these faults into the sensors and the line.
    fn apply(&mut self, faults: Faults) {
        if let FaultScope::BoardAndLine(line) | FaultScope::Line(line) = &self.scope {
            line.set(&faults);
        }
        let board = &faults.board;
        self.tells |= !board.spare_sensors() || board.brown_out_after_ms.is_some();
        self.matrix.set_faults(faults);
        self.refresh();
    }

    /// Updates what is seen of the board, after it or its faults changed.
    fn refresh(&mut self) {
        self.remarks.append(&mut self.matrix.take_said());
        let board = &self.matrix.faults().board;
        self.shown = (!board.dead_leds.is_empty()).then(|| {
            let mut frame = Box::new(self.inner.frame().clone());
            board.darken(self.inner.layout(), &mut frame);
            frame
        });
    }

    /// Reports a restart of the board as an error, once.
    fn check_not_restarted(&mut self) -> Result<(), DriverError> {
        if std::mem::take(&mut self.restarted) {
            return Err(DriverError::Restarted(self.inner.at().to_owned()));
        }
        Ok(())
    }

    fn done<T>(&mut self, done: Result<T, DriverError>) -> Result<T, DriverError> {
        self.refresh();
        done
    }

    /// Lets time pass while the sensors debounce these inputs.
    fn debounce(&mut self, inputs: &[Input], mut ticks: Tick) -> Result<(), DriverError> {
        for input in inputs {
            match input {
                Input::Pass => {
                    self.inner.step(&[Input::Pass], 0)?;
                    self.sense(&[Input::Pass]);
                }
                finger => self.matrix.touch(*finger),
            }
        }
        let mut felt: Vec<Input> = Vec::new();
        while ticks > 0 {
            let passed = self.matrix.quiet_within(ticks);
            self.inner.step(&felt, passed)?;
            felt.clear();
            self.matrix.pass(passed, |input| felt.push(input));
            self.sense(&felt);
            ticks -= passed;
        }
        self.inner.step(&felt, 0)
    }

    /// Reports what the contacts did at the current tick, and the inputs that were felt.
    fn sense(&mut self, felt: &[Input]) {
        if !self.tells {
            return;
        }
        let (tick, sensed) = (self.inner.tick(), &mut self.sensed);
        self.matrix.take_contacts(|contact| {
            let sensation = Sensation::Contact(contact);
            sensed.push(StampedSensation { tick, sensation });
        });
        let felt = felt.iter().map(|input| Sensation::Felt(*input));
        sensed.extend(felt.map(|sensation| StampedSensation { tick, sensation }));
    }

    /// Passes inputs through sound sensors, which need not debounce.
    fn believe(&mut self, inputs: &[Input]) {
        for input in inputs {
            self.matrix.touch(*input);
        }
        self.matrix.settle(|_| ());
        self.sense(inputs);
    }

    fn pass(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        if self.matrix.feels() {
            return self.debounce(inputs, ticks);
        }
        self.believe(inputs);
        self.matrix.spend(ticks);
        self.inner.step(inputs, ticks)
    }

    /// [`Driver::step`], during which the power may fail.
    fn live(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let lasts = self.matrix.lasts(ticks);
        self.pass(inputs, lasts)?;
        if !self.matrix.power_failed() {
            return Ok(());
        }
        let (seed, layout) = (self.seed, self.inner.layout());
        let tick = self.inner.tick();
        self.inner.carry_out(&Deed::Reset { seed, layout })?;
        let sensation = Sensation::Restart { seed, layout };
        self.sensed.push(StampedSensation { tick, sensation });
        self.matrix.forget();
        self.settle_if_good();
        self.restarted = true;
        self.pass(&[], ticks - lasts)
    }
}

impl<D: Driver> Driver for FaultyBoard<D> {
    crate::forward!(inner; own: frame, step, step_and_digest, carry_out, status, legal, digest, save, load, take_sensed, take_remarks, faults, set_faults);

    fn frame(&self) -> &Frame {
        match &self.shown {
            Some(shown) => shown,
            None => self.inner.frame(),
        }
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.check_not_restarted()?;
        let done = self.live(inputs, ticks);
        self.done(done)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        if self.matrix.feels() || self.matrix.faults().board.brown_out_after_ms.is_some() {
            self.step(inputs, ticks)?;
            return self.inner.digest();
        }
        self.believe(inputs);
        let done = self.inner.step_and_digest(inputs, ticks);
        self.done(done)
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        let Deed::Reset { seed, .. } = deed else {
            if let Deed::Input(input) = deed {
                return self.step(&[*input], 0);
            }
            self.check_not_restarted()?;
            let done = self.inner.carry_out(deed);
            return self.done(done);
        };
        self.restarted = false;
        let done = self.inner.carry_out(deed);
        if done.is_ok() {
            self.seed = *seed;
            self.switch_on(self.matrix.faults().clone());
        }
        self.done(done)
    }

    fn status(&mut self) -> Result<Status, DriverError> {
        self.check_not_restarted()?;
        let status = self.inner.status();
        self.done(status)
    }

    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        self.check_not_restarted()?;
        self.inner.legal()
    }

    fn digest(&mut self) -> Result<u64, DriverError> {
        self.check_not_restarted()?;
        self.inner.digest()
    }

    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        self.check_not_restarted()?;
        self.inner.save()
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.check_not_restarted()?;
        let layout = self.inner.layout();
        let done = self.inner.load(bytes);
        if self.inner.layout() != layout {
            self.matrix.restart(self.inner.layout());
            self.fit();
        }
        self.done(done)
    }

    fn take_sensed(&mut self) -> Option<Vec<StampedSensation>> {
        self.tells.then(|| std::mem::take(&mut self.sensed))
    }

    fn take_remarks(&mut self) -> Vec<String> {
        let mut remarks = self.inner.take_remarks();
        remarks.append(&mut self.remarks);
        remarks
    }

    fn faults(&self) -> Faults {
        self.matrix.faults().clone()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
        self.check_faults(&faults)?;
        self.apply(faults);
        Ok(())
    }
}

impl<D: Driver> FaultyBoard<D> {
    /// Skips debouncing if the sensors are sound.
    fn settle_if_good(&mut self) {
        if self.matrix.is_sound() {
            self.matrix.settle(|_| ());
        }
    }

    /// New sensors with these faults and no fingers, as after switching on.
    fn switch_on(&mut self, faults: Faults) {
        self.matrix = Matrix::new(self.inner.layout(), faults);
        self.fit();
    }

    /// Adds a remark if faults name points that the layout lacks.
    fn fit(&mut self) {
        self.settle_if_good();
        let lacking = self.matrix.fits(self.matrix.faults());
        self.remarks
            .extend(lacking.err().map(|lacking| lacking.to_string()));
    }
}

#[cfg(test)]
mod tests;
