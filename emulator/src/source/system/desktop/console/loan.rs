//! Lends a board to a thread, which drives it like any other board while the window
//! continues to draw.
//!
//! The board itself stays where it is. Each call of the borrower is an errand, which is
//! run on the board between two pictures; time passes in slices short enough for a
//! picture.
//!
//! Invariants: an errand is run completely or not at all; once the loan is over, every
//! call fails with a sentence; a sequence of slices has the same effect as one long step.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use firmware_core::Faults;
use parking_lot::Mutex;
use protocol::{Deed, Frame, Input, Layout, Point, Roster, StampedEvent, Status, Tick};
use touchboard_host::driver::StampedSensation;
use touchboard_host::pins::PinReading;
use touchboard_host::recorder::Rerun;
use touchboard_host::{Driver, DriverError};

/// After a slice that took less time than this, the next one is longer.
const SHORT: Duration = Duration::from_millis(2);
/// After a slice that took more time than this, the next one is shorter.
const LONG: Duration = Duration::from_millis(8);
/// The length of the first slice, in ticks.
const FIRST_SLICE: Tick = 64;
/// The shortest and the longest slice, in ticks.
const SLICES: [Tick; 2] = [1, 1 << 20];

/// The error of every call after the loan has ended.
const IS_OVER: &str = "it was cancelled: the board stays as it is now";

/// A call of the borrower, to be run on the board.
type Errand = Box<dyn FnOnce(&mut dyn Driver) + Send>;

/// While a step runs: how many of its ticks have passed, and how many it has.
type Passed = Arc<Mutex<Option<[Tick; 2]>>>;

/// The borrower's end of a loan, which drives the board.
pub struct Borrowed {
    errands: Sender<Errand>,
    known: BoardValues,
    events: Vec<StampedEvent>,
    passed: Passed,
    slice: Tick,
}

/// The board as the borrower knows it: its values after the last errand.
struct BoardValues {
    at: String,
    layout: Layout,
    roster: Roster,
    tick: Tick,
    frame: Frame,
    faults: Faults,
    feels_contacts: bool,
}

impl BoardValues {
    fn of(board: &dyn Driver) -> BoardValues {
        BoardValues {
            at: board.at().to_owned(),
            layout: board.layout(),
            roster: board.roster(),
            tick: board.tick(),
            frame: board.frame().clone(),
            faults: board.faults(),
            feels_contacts: board.feels_contacts(),
        }
    }
}

/// The lender's end of a loan, which has the board.
pub struct Loan {
    errands: Receiver<Errand>,
    passed: Passed,
}

/// The result of waiting for an errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// An errand was run.
    One,
    /// No errand came in time.
    None,
    /// The borrower has finished, and no errand will come.
    All,
}

/// Lends this board. Returns both ends of the loan.
pub fn lend(board: &dyn Driver) -> (Loan, Borrowed) {
    // The channel has no buffer, so an errand that has not begun when the loan ends never
    // runs.
    let (sender, errands) = bounded(0);
    let passed = Passed::default();
    let loan = Loan {
        errands,
        passed: passed.clone(),
    };
    let borrowed = Borrowed {
        errands: sender,
        known: BoardValues::of(board),
        events: Vec::new(),
        passed,
        slice: FIRST_SLICE,
    };
    (loan, borrowed)
}

impl Loan {
    /// Runs the next errand, if one comes within this time.
    pub fn serve(&self, board: &mut dyn Driver, within: Duration) -> Served {
        match self.errands.recv_timeout(within) {
            Ok(errand) => {
                errand(board);
                Served::One
            }
            Err(RecvTimeoutError::Timeout) => Served::None,
            Err(RecvTimeoutError::Disconnected) => Served::All,
        }
    }

    /// The share of the current step that has passed, from 0 to 1; `None` between
    /// steps.
    pub fn share(&self) -> Option<f32> {
        let passed = self.passed.lock();
        passed.map(|[passed, all]| passed as f32 / all.max(1) as f32)
    }
}

/// The result of an errand, with the events and the state of the board after it.
struct Brought<T> {
    result: T,
    events: Vec<StampedEvent>,
    known: BoardValues,
    took: Duration,
}

impl Borrowed {
    fn run<T: Send + 'static>(
        &mut self,
        what: impl FnOnce(&mut dyn Driver) -> T + Send + 'static,
    ) -> Result<T, DriverError> {
        let (sender, brought) = bounded(1);
        let errand: Errand = Box::new(move |board| {
            let began = Instant::now();
            let result = what(board);
            // The receiver is the borrower, which waits for this.
            let _ = sender.send(Brought {
                result,
                events: board.take_events(),
                known: BoardValues::of(board),
                took: began.elapsed(),
            });
        });
        let over = || DriverError::OutOfReach(IS_OVER.into());
        self.errands.send(errand).map_err(|_| over())?;
        let brought = brought.recv().map_err(|_| over())?;
        self.known = brought.known;
        self.events.extend(brought.events);
        self.slice = match brought.took {
            took if took < SHORT => self.slice * 2,
            took if took > LONG => self.slice / 2,
            _ => self.slice,
        };
        self.slice = self.slice.clamp(SLICES[0], SLICES[1]);
        Ok(brought.result)
    }

    fn report_passed(&self, passed: Option<[Tick; 2]>) {
        *self.passed.lock() = passed;
    }

    /// Passes the inputs and all ticks except for those of the last slice. Returns what
    /// is left: the inputs, if no slice took them, and the ticks.
    fn pass(&mut self, inputs: &[Input], ticks: Tick) -> Result<(Vec<Input>, Tick), DriverError> {
        let (mut inputs, mut left) = (inputs.to_vec(), ticks);
        while left > self.slice {
            self.report_passed(Some([ticks - left, ticks]));
            let (now, given) = (self.slice, std::mem::take(&mut inputs));
            self.run(move |board| board.step(&given, now))??;
            left -= now;
        }
        self.report_passed(None);
        Ok((inputs, left))
    }
}

impl Driver for Borrowed {
    fn at(&self) -> &str {
        &self.known.at
    }

    fn layout(&self) -> Layout {
        self.known.layout
    }

    fn roster(&self) -> Roster {
        self.known.roster
    }

    fn tick(&self) -> Tick {
        self.known.tick
    }

    fn frame(&self) -> &Frame {
        &self.known.frame
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let (inputs, ticks) = self.pass(inputs, ticks)?;
        self.run(move |board| board.step(&inputs, ticks))?
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        let (inputs, ticks) = self.pass(inputs, ticks)?;
        self.run(move |board| board.step_and_digest(&inputs, ticks))?
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        let deed = deed.clone();
        if deed.restarts() {
            self.events.clear();
        }
        self.run(move |board| board.carry_out(&deed))?
    }

    fn status(&mut self) -> Result<Status, DriverError> {
        self.run(|board| board.status())?
    }

    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        self.run(|board| board.legal())?
    }

    fn digest(&mut self) -> Result<u64, DriverError> {
        self.run(|board| board.digest())?
    }

    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        self.run(|board| board.save())?
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        let bytes = bytes.to_vec();
        self.run(move |board| board.load(&bytes))?
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        // Events may have come since the last errand.
        let _ = self.run(|_| ());
        std::mem::take(&mut self.events)
    }

    fn take_sensed(&mut self) -> Option<Vec<StampedSensation>> {
        self.run(|board| board.take_sensed()).ok().flatten()
    }

    fn take_remarks(&mut self) -> Vec<String> {
        self.run(|board| board.take_remarks()).unwrap_or_default()
    }

    fn overhear(&mut self) -> Vec<String> {
        self.run(|board| board.overhear()).unwrap_or_default()
    }

    fn take_rerun(&mut self) -> Option<Rerun> {
        self.run(|board| board.take_rerun()).ok().flatten()
    }

    fn clear_best(&mut self) -> Result<(), DriverError> {
        self.run(|board| board.clear_best())?
    }

    fn count_best(&mut self, counts: bool) -> Result<(), DriverError> {
        self.run(move |board| board.count_best(counts))?
    }

    fn feels_contacts(&self) -> bool {
        self.known.feels_contacts
    }

    fn read_pins(&mut self) -> Result<Option<PinReading>, DriverError> {
        self.run(|board| board.read_pins())?
    }

    fn faults(&self) -> Faults {
        self.known.faults.clone()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
        self.run(move |board| board.set_faults(faults))?
    }
}

#[cfg(test)]
mod tests {
    use touchboard_host::CoreDriver;
    use touchboard_tests::counted::{CountedDriver, not_handed_on};

    use super::*;

    /// The time that one picture waits for an errand.
    const PICTURE: Duration = Duration::from_millis(10);

    /// Runs errands until the borrower has finished.
    fn serve(loan: &Loan, board: &mut dyn Driver) {
        while loan.serve(board, PICTURE) != Served::All {}
    }

    #[test]
    fn a_borrowed_board_forwards_every_call() {
        let (mut board, called) = CountedDriver::new(Layout::MALDOO);
        let (loan, mut borrowed) = lend(&board);
        let lacking = std::thread::spawn(move || not_handed_on(&mut borrowed, &called));
        serve(&loan, &mut board);
        assert_eq!(lacking.join().unwrap(), [] as [&str; 0]);
    }

    #[test]
    fn time_in_slices_equals_one_step() {
        const HOUR: Tick = 3_600_000;
        let mut board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let (loan, mut borrowed) = lend(&board);
        let worker = std::thread::spawn(move || borrowed.step_and_digest(&[], HOUR).unwrap());
        let mut shares = Vec::new();
        while loan.serve(&mut board, PICTURE) != Served::All {
            shares.extend(loan.share());
        }
        let mut other = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let at_once = other.step_and_digest(&[], HOUR).unwrap();
        assert_eq!((worker.join().unwrap(), board.tick()), (at_once, HOUR));
        assert!(shares.len() > 5 && shares.is_sorted(), "{shares:?}");
    }

    #[test]
    fn an_ended_loan_stops_the_board_with_a_sentence() {
        let mut board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let (loan, mut borrowed) = lend(&board);
        let worker = std::thread::spawn(move || borrowed.step(&[], Tick::MAX / 2));
        while board.tick() < 1_000 {
            loan.serve(&mut board, PICTURE);
        }
        drop(loan);
        let sentence = worker.join().unwrap().unwrap_err().to_string();
        assert_eq!(sentence, IS_OVER);
    }
}
