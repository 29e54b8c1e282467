//! The stepped board as a [`Driver`]: before the window opens, and while it is lent to the
//! console. Its inputs go through the simulated contacts like those of the window.

use firmware_core::Faults;
use protocol::{Deed, Input, Tick};
use touchboard_host::driver::InjectionError;
use touchboard_host::session::faults_note;
use touchboard_host::{Driver, DriverError};

use super::Stepped;

impl<D: Driver> Driver for Stepped<D> {
    touchboard_host::forward!(board; own: carry_out, step, step_and_digest, take_remarks, faults, set_faults);

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.do_to_board(deed)
    }

    fn step(&mut self, inputs: &[Input], mut ticks: Tick) -> Result<(), DriverError> {
        if !self.matrix.feels() {
            return self.board.step(inputs, ticks);
        }
        // On sound contacts only clicks in the window are still being debounced.
        let skips_contacts = self.matrix.is_sound();
        for input in inputs {
            match input {
                finger if !skips_contacts && *finger != Input::Pass => self.matrix.click(*finger),
                input => self.carry_out_inputs(&[*input])?,
            }
        }
        while ticks > 0 {
            ticks -= self.live(ticks)?;
        }
        Ok(())
    }

    fn take_remarks(&mut self) -> Vec<String> {
        let mut remarks = self.matrix.take_said();
        remarks.extend(self.board.take_remarks());
        remarks
    }

    fn faults(&self) -> Faults {
        self.matrix.faults().clone()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
        if !faults.line.are_none() {
            return Err(InjectionError::NoLine("that".to_owned()).into());
        }
        self.matrix.fits(&faults).map_err(InjectionError::from)?;
        // Their effects, which are inputs and restarts, are recorded anyway.
        self.board.mark(faults_note(&faults));
        self.matrix.set_faults(faults);
        Ok(())
    }
}
