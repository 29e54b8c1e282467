//! Opens a board that is driven step by step: in this process, or at the end of a
//! line.

use firmware_core::faults::{BoardFaults, FaultyLine};
use protocol::Deed;
use touchboard_files::KeepFile;
use touchboard_host::driver::{CoreDriver, Driver, DriverError};
use touchboard_host::faulty::{FaultScope, FaultyBoard};

use super::options::Where;
use super::place::At;
use crate::LinkError;
use crate::client::Client;
use crate::image_file::{self, ImageMemory};
use crate::pico::PicoLine;
use crate::pico::at_pins::AtPins;
use crate::remote::RemoteDriver;

impl Where {
    /// A board that is driven step by step, in lockstep from now on.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer.
    pub fn open(&self) -> Result<Box<dyn Driver>, DriverError> {
        Ok(self.open_seeded()?.0)
    }

    /// [`Where::open`], together with the board's seed.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer.
    pub fn open_seeded(&self) -> Result<(Box<dyn Driver>, u64), DriverError> {
        let faults = self.line.faults.0.clone();
        if self.at == At::Core {
            let (core, seed) = (self.core()?, self.seed.unwrap_or(0));
            let board = FaultyBoard::new(core, seed, FaultScope::Board);
            let board = board.with(faults);
            let board = board.map_err(|error| LinkError::open(error.to_string()))?;
            return Ok((Box::new(board), seed));
        }
        let line = FaultyLine::new(&faults);
        if let At::Pico(way) = self.at
            && self.is_judged_at_pins
        {
            let board = self.at_pins(way, line)?;
            let seed = self.seed.unwrap_or(0);
            return Ok((Box::new(board), seed));
        }
        let mut driver = self.remote_over(line.clone())?;
        let seed = self.seed.unwrap_or(driver.client().view().hello.seed);
        let is_simulated = match self.at {
            At::Virtual => true,
            _ => self.may_simulate() && driver.is_simulated()?,
        };
        let parts = match is_simulated {
            true => FaultScope::BoardAndLine(line),
            false => FaultScope::Line(line),
        };
        let board = FaultyBoard::new(driver, seed, parts).with(faults);
        let board = board.map_err(|error| LinkError::open(error.to_string()))?;
        Ok((Box::new(board), seed))
    }

    /// The memory of the image at this place, as its build reported it; `None` for a
    /// board that is not an image, and for an image about which nothing is known.
    #[must_use]
    pub fn image_memory(&self) -> Option<ImageMemory> {
        let image = match (&self.program, &self.at) {
            (Some(program), At::Qemu(_) | At::Pico(_)) => program.clone(),
            (None, At::Qemu(image)) => crate::qemu::find_image(*image).ok()?,
            (None, At::Pico(_)) => crate::pico::find_image().ok()?,
            _ => return None,
        };
        image_file::memory_of(&image)
    }

    /// A board in this process with the requested layout, or with what it finds in its
    /// store.
    ///
    /// # Errors
    /// When it cannot have the layout, or its stored data cannot be read.
    pub fn core(&self) -> Result<CoreDriver, DriverError> {
        let seed = self.seed.unwrap_or(0);
        let core = CoreDriver::with_games(self.first_layout(), self.roster(), seed)?;
        let store = self.keep.as_deref().map(KeepFile::open).transpose();
        let mut core = match store.map_err(|error| LinkError::open(error.to_string()))? {
            Some(store) => core.keeping(store),
            None => core,
        };
        core.count_best(!self.is_test)?;
        match self.layout() {
            None => core.come_up(),
            Some(_) if self.keep.is_none() => Ok(core),
            Some(layout) => {
                core.carry_out(&Deed::Reset { seed, layout })?;
                Ok(core)
            }
        }
    }

    /// The emulated Pico, read at its pins, over this line.
    fn at_pins(&self, way: PicoLine, line: FaultyLine) -> Result<AtPins, DriverError> {
        let board = self.pico(way)?;
        let wrapped = |dial| self.wrapped(dial, line);
        let mut options = self.client_options();
        if self.line.faults.0.line.are_none() {
            // The board's time stands still until it has answered, so nothing gets lost
            // on this line and no request needs to be repeated.
            options.retry_ms = options.timeout_ms;
        }
        let mut board = AtPins::start(&board, wrapped, options)?;
        board.record_edges(self.line.edges.as_deref())?;
        board.count_best(false)?;
        let layout = self.layout().unwrap_or(board.layout());
        let seed = self.seed.unwrap_or(0);
        board.carry_out(&Deed::Reset { seed, layout })?;
        let faults = self.line.faults.0.clone();
        let injected = board.set_faults(faults);
        injected.map_err(|error| LinkError::open(error.to_string()))?;
        Ok(board)
    }

    /// [`Where::open`] for any sound board at the end of a line.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer, or faults of the board itself
    /// are requested.
    pub fn remote(&self) -> Result<RemoteDriver, DriverError> {
        self.needs_sound_board("this drives a board past its contacts and lamps")?;
        self.remote_over(self.faulty_line())
    }

    /// [`Where::remote`] over this line. Sensor faults are simulated in front of the
    /// board, and those of its own sensors do nothing: in lockstep they are ignored.
    fn remote_over(&self, line: FaultyLine) -> Result<RemoteDriver, DriverError> {
        let mut good = self.clone();
        good.line.faults.0.board = BoardFaults::default();
        let client = Client::open(good.dial_over(line)?, good.client_options())?;
        let mut driver = RemoteDriver::over(client)?;
        // The board keeps its stored data if it is only reset to tick 0.
        let becomes = self.keep.is_none() || self.layout.is_some();
        if self.is_test || !becomes {
            driver.count_best(false)?;
        }
        // A board that was started for this command has run freely for a moment.
        // Resetting it to tick 0 makes it equal to a board in this process.
        let own = self.at.is_started_here();
        let another = self
            .layout()
            .is_some_and(|layout| layout != driver.layout());
        if own || another || self.seed.is_some() {
            let layout = self.layout().unwrap_or(driver.layout());
            let seed = self.seed.unwrap_or(driver.client().view().hello.seed);
            driver.carry_out(&Deed::Reset { seed, layout })?;
        }
        if !self.is_test && !becomes {
            driver.count_best(true)?;
        }
        Ok(driver)
    }
}
