//! A board that records which of its methods were called, and code that calls all of
//! them. They test that a wrapper around a board forwards every method, because a default
//! method of [`Driver`] would give a wrong answer in its place.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use firmware_core::Faults;
use protocol::{Deed, Frame, Input, Layout, Point, Roster, StampedEvent, Status, Tick};
use touchboard_host::driver::StampedSensation;
use touchboard_host::pins::PinReading;
use touchboard_host::recorder::Rerun;
use touchboard_host::{CoreDriver, Driver, DriverError};

/// The names of the methods that were called.
#[derive(Clone, Debug, Default)]
pub struct Called(Arc<Mutex<BTreeSet<&'static str>>>);

impl Called {
    fn note(&self, method: &'static str) {
        self.0.lock().expect("nobody panicked").insert(method);
    }

    /// The names, and clears them.
    ///
    /// # Panics
    /// If another thread panicked while it recorded a name.
    #[must_use]
    pub fn take(&self) -> BTreeSet<&'static str> {
        std::mem::take(&mut self.0.lock().expect("nobody panicked"))
    }
}

/// A board in this process that records the calls of its methods.
pub struct CountedDriver {
    inner: CoreDriver,
    called: Called,
}

impl CountedDriver {
    /// A board with this layout, and the names of the methods that will have been called.
    ///
    /// # Panics
    /// If a board cannot have this layout.
    #[must_use]
    pub fn new(layout: Layout) -> (CountedDriver, Called) {
        let called = Called::default();
        let counted = CountedDriver {
            inner: CoreDriver::new(layout, 1).expect("a board"),
            called: called.clone(),
        };
        (counted, called)
    }
}

impl Driver for CountedDriver {
    fn at(&self) -> &str {
        self.called.note("at");
        self.inner.at()
    }

    fn layout(&self) -> Layout {
        self.called.note("layout");
        self.inner.layout()
    }

    fn roster(&self) -> Roster {
        self.called.note("roster");
        self.inner.roster()
    }

    fn tick(&self) -> Tick {
        self.called.note("tick");
        self.inner.tick()
    }

    fn frame(&self) -> &Frame {
        self.called.note("frame");
        self.inner.frame()
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.called.note("step");
        self.inner.step(inputs, ticks)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        self.called.note("step_and_digest");
        self.inner.step_and_digest(inputs, ticks)
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.called.note("carry_out");
        self.inner.carry_out(deed)
    }

    fn status(&mut self) -> Result<Status, DriverError> {
        self.called.note("status");
        self.inner.status()
    }

    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        self.called.note("legal");
        self.inner.legal()
    }

    fn digest(&mut self) -> Result<u64, DriverError> {
        self.called.note("digest");
        self.inner.digest()
    }

    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        self.called.note("save");
        self.inner.save()
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.called.note("load");
        self.inner.load(bytes)
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        self.called.note("take_events");
        self.inner.take_events()
    }

    fn take_remarks(&mut self) -> Vec<String> {
        self.called.note("take_remarks");
        self.inner.take_remarks()
    }

    fn overhear(&mut self) -> Vec<String> {
        self.called.note("overhear");
        self.inner.overhear()
    }

    fn take_rerun(&mut self) -> Option<Rerun> {
        self.called.note("take_rerun");
        self.inner.take_rerun()
    }

    fn clear_best(&mut self) -> Result<(), DriverError> {
        self.called.note("clear_best");
        self.inner.clear_best()
    }

    fn count_best(&mut self, counts: bool) -> Result<(), DriverError> {
        self.called.note("count_best");
        self.inner.count_best(counts)
    }

    fn feels_contacts(&self) -> bool {
        self.called.note("feels_contacts");
        self.inner.feels_contacts()
    }

    fn take_sensed(&mut self) -> Option<Vec<StampedSensation>> {
        self.called.note("take_sensed");
        self.inner.take_sensed()
    }

    fn read_pins(&mut self) -> Result<Option<PinReading>, DriverError> {
        self.called.note("read_pins");
        self.inner.read_pins()
    }

    fn faults(&self) -> Faults {
        self.called.note("faults");
        self.inner.faults()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
        self.called.note("set_faults");
        self.inner.set_faults(faults)
    }
}

/// Calls every method of this board.
///
/// # Panics
/// If a method that every board supports returns an error.
pub fn call_all(board: &mut dyn Driver) {
    let _ = (board.at(), board.layout(), board.roster(), board.tick());
    let _ = (board.frame(), board.faults());
    board.step(&[], 1).expect("a step");
    board.step_and_digest(&[], 1).expect("a step");
    let choose = Deed::Choose(protocol::Settings::default().game);
    board.carry_out(&choose).expect("a game");
    let _ = board.status().expect("a status");
    let _ = board.legal().expect("points");
    let _ = board.digest().expect("a digest");
    let state = board.save().expect("a state");
    board.load(&state).expect("its own");
    let _ = (board.take_events(), board.take_remarks(), board.overhear());
    let _ = (board.take_rerun(), board.feels_contacts());
    let _ = board.take_sensed();
    let _ = board.read_pins().expect("pins or none");
    // Not every board keeps scores or can have defects.
    let _ = (board.clear_best(), board.count_best(true));
    let _ = board.set_faults(Faults::default());
}

/// The methods that this wrapper does not forward, out of those that the inner board
/// records.
pub fn not_handed_on(board: &mut dyn Driver, called: &Called) -> Vec<&'static str> {
    let (mut alone, all) = CountedDriver::new(board.layout());
    call_all(&mut alone);
    let _ = called.take();
    call_all(board);
    all.take().difference(&called.take()).copied().collect()
}
