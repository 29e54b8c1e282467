//! Boards that can be driven step by step, local or remote.
//!
//! Shell, recorder, checks and window only know a board as a [`Driver`]. A [`CoreDriver`] is a
//! board in this process; a board at the end of a line behaves the same. Board time only passes in
//! [`Driver::step`].

use std::error::Error;

use firmware_core::keeping::Store;
use firmware_core::{AnyBoard, AnyWidth, Faults, Keeping, SNAPSHOT_BYTES, games};
use protocol::{
    Deed, Event, Frame, Input, Layout, Point, Refusal, Roster, StampedEvent, Status, Tick,
};

use crate::divergence::Rerun;
use crate::pins::PinReading;

/// Why a board could not be driven. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The board refused the request.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The board restarted during a request, so its state is lost.
    #[error("the board at {0} was restarted meanwhile: what was on it is gone, begin again")]
    Restarted(String),
    /// The firmware panicked with this message.
    #[error("the firmware panicked: {0}")]
    Panicked(String),
    /// The session log cannot be written any more.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// The request cannot be met here, for this reason.
    #[error("{0}")]
    Impossible(String),
    /// The board cannot be reached, or the connection was lost. The error comes from
    /// the owner of the line.
    #[error(transparent)]
    OutOfReach(Box<dyn Error + Send + Sync>),
}

/// The reason why a session log cannot be written, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unwritten(pub String);

/// A report of a board whose contacts are simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensation {
    /// A contact closed ([`Input::Touch`], [`Input::Press`]) or opened.
    Contact(Input),
    /// The board recognized this input, after debouncing.
    Felt(Input),
    /// The board's power failed, and it restarted.
    Restart {
        /// The seed of the restarted board.
        seed: u64,
        /// The layout of the restarted board.
        layout: Layout,
    },
}

/// A [`Sensation`] and its tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StampedSensation {
    /// The board's tick at the report.
    pub tick: Tick,
    /// What the board reported.
    pub sensation: Sensation,
}

/// A board that can be driven step by step.
pub trait Driver {
    /// The place of the board, as a person writes it: `core`, `virtual`,
    /// `/dev/ttyACM0`, ...
    fn at(&self) -> &str;

    /// The layout of the board.
    fn layout(&self) -> Layout;

    /// The games that the board has.
    fn roster(&self) -> Roster;

    /// The current tick of the board.
    fn tick(&self) -> Tick;

    /// The frame that the board shows at [`Driver::tick`].
    fn frame(&self) -> &Frame;

    /// Takes these inputs now, then lets `ticks` pass.
    ///
    /// # Errors
    /// A [`DriverError`] if the board cannot be reached.
    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError>;

    /// [`Driver::step`] and [`Driver::digest`] in one call: over a line, in half the time.
    ///
    /// # Errors
    /// The errors of both.
    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        self.step(inputs, ticks)?;
        self.digest()
    }

    /// Carries out a deed at the current tick.
    ///
    /// # Errors
    /// [`DriverError::Refused`] if the board refuses it.
    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError>;

    /// The status of the game.
    ///
    /// # Errors
    /// A [`DriverError`] if the board cannot be reached.
    fn status(&mut self) -> Result<Status, DriverError>;

    /// The points whose touch has an effect now, in order: moves, parts of moves, and
    /// services, which [`touches`](crate::touches) distinguishes.
    ///
    /// # Errors
    /// A [`DriverError`] if the board cannot be reached.
    fn legal(&mut self) -> Result<Vec<Point>, DriverError>;

    /// The digest of the board's whole state.
    ///
    /// # Errors
    /// A [`DriverError`] if the board cannot be reached.
    fn digest(&mut self) -> Result<u64, DriverError>;

    /// The bytes of the board's whole state.
    ///
    /// # Errors
    /// A [`DriverError`] if the board cannot be reached.
    fn save(&mut self) -> Result<Vec<u8>, DriverError>;

    /// Replaces the board's state by this one.
    ///
    /// # Errors
    /// [`DriverError::Refused`] if the bytes are not a valid state.
    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError>;

    /// Takes the events since the last call, in order.
    fn take_events(&mut self) -> Vec<StampedEvent>;

    /// The board's reports about its simulated contacts since the last call, in order: contacts
    /// that closed or opened, inputs once they were felt, and a restart after a power failure.
    /// `None` for a board without simulated contacts: it takes every input at once.
    fn take_sensed(&mut self) -> Option<Vec<StampedSensation>> {
        None
    }

    /// Takes the sentences for the user about the connection since the last call: the
    /// board was lost, came back, or restarted. A board without a connection has
    /// none.
    fn take_remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The sentences of [`Driver::take_remarks`] that have already arrived, for code that waits for
    /// a person. Nothing else is processed, so this call does not affect later commands.
    fn overhear(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The result of replaying the session on rebuilt firmware since the last call, if the board's
    /// program is being watched.
    fn take_rerun(&mut self) -> Option<Rerun> {
        None
    }

    /// Deletes the best scores of all games.
    ///
    /// # Errors
    /// [`DriverError::Refused`] if the board keeps none.
    fn clear_best(&mut self) -> Result<(), DriverError> {
        Err(Refusal::KeepsNoBest.into())
    }

    /// Sets whether later deeds are play, so that games count for the best scores and
    /// an inserted game is kept. Tests of a board set it to false.
    ///
    /// # Errors
    /// A [`DriverError`] if the board cannot be reached.
    fn count_best(&mut self, counts: bool) -> Result<(), DriverError> {
        let _ = counts;
        Ok(())
    }

    /// True if the board takes inputs as fingers on contacts, and reports what it felt a little
    /// later.
    fn feels_contacts(&self) -> bool {
        false
    }

    /// The latest signals decoded at its pins, if it has any.
    ///
    /// # Errors
    /// A [`DriverError`] if the board cannot be reached.
    fn read_pins(&mut self) -> Result<Option<PinReading>, DriverError> {
        Ok(None)
    }

    /// The faults that are injected into the board and its line.
    fn faults(&self) -> Faults {
        Faults::default()
    }

    /// Injects exactly these faults from now on.
    ///
    /// # Errors
    /// A sentence that says why this board cannot have them.
    fn set_faults(&mut self, faults: Faults) -> Result<(), String> {
        let _ = faults;
        Err(format!(
            "the board at {} is as it is: only one that is simulated can be broken",
            self.at()
        ))
    }
}

/// For a driver that wraps another one: forwards the methods of [`Driver`] to the driver in this
/// field, or to the one behind `*`. The methods named after `own` are not forwarded: the wrapper
/// writes them, or leaves them to the trait's default. A wrapper with its own `step` must also name
/// `step_and_digest`, because the forwarded one would bypass its `step`.
///
/// ```
/// use touchboard_host::{CoreDriver, Driver, DriverError};
///
/// /// A board on which time runs twice as fast.
/// struct Hasty { inner: CoreDriver }
///
/// impl Driver for Hasty {
///     touchboard_host::forward!(inner; own: step, step_and_digest);
///
///     fn step(&mut self, inputs: &[protocol::Input], ticks: u64) -> Result<(), DriverError> {
///         self.inner.step(inputs, 2 * ticks)
///     }
/// }
///
/// let mut board = Hasty { inner: CoreDriver::new(protocol::Layout::MALDOO, 1)? };
/// board.step(&[], 5)?;
/// assert_eq!(board.tick(), 10);
/// # Ok::<(), DriverError>(())
/// ```
#[macro_export]
macro_rules! forward {
    ($inner:tt) => { $crate::forward!($inner; own:); };
    ($inner:tt; own: $($own:ident),* $(,)?) => {
        $crate::forward!(@unless [$($own)*] at $inner);
        $crate::forward!(@unless [$($own)*] layout $inner);
        $crate::forward!(@unless [$($own)*] roster $inner);
        $crate::forward!(@unless [$($own)*] tick $inner);
        $crate::forward!(@unless [$($own)*] frame $inner);
        $crate::forward!(@unless [$($own)*] step $inner);
        $crate::forward!(@unless [$($own)*] step_and_digest $inner);
        $crate::forward!(@unless [$($own)*] carry_out $inner);
        $crate::forward!(@unless [$($own)*] status $inner);
        $crate::forward!(@unless [$($own)*] legal $inner);
        $crate::forward!(@unless [$($own)*] digest $inner);
        $crate::forward!(@unless [$($own)*] save $inner);
        $crate::forward!(@unless [$($own)*] load $inner);
        $crate::forward!(@unless [$($own)*] take_events $inner);
        $crate::forward!(@unless [$($own)*] take_sensed $inner);
        $crate::forward!(@unless [$($own)*] take_remarks $inner);
        $crate::forward!(@unless [$($own)*] overhear $inner);
        $crate::forward!(@unless [$($own)*] take_rerun $inner);
        $crate::forward!(@unless [$($own)*] clear_best $inner);
        $crate::forward!(@unless [$($own)*] count_best $inner);
        $crate::forward!(@unless [$($own)*] feels_contacts $inner);
        $crate::forward!(@unless [$($own)*] read_pins $inner);
        $crate::forward!(@unless [$($own)*] faults $inner);
        $crate::forward!(@unless [$($own)*] set_faults $inner);
    };
    (@unless [at $($own:ident)*] at $inner:tt) => {};
    (@unless [layout $($own:ident)*] layout $inner:tt) => {};
    (@unless [roster $($own:ident)*] roster $inner:tt) => {};
    (@unless [tick $($own:ident)*] tick $inner:tt) => {};
    (@unless [frame $($own:ident)*] frame $inner:tt) => {};
    (@unless [step $($own:ident)*] step $inner:tt) => {};
    (@unless [step_and_digest $($own:ident)*] step_and_digest $inner:tt) => {};
    (@unless [carry_out $($own:ident)*] carry_out $inner:tt) => {};
    (@unless [status $($own:ident)*] status $inner:tt) => {};
    (@unless [legal $($own:ident)*] legal $inner:tt) => {};
    (@unless [digest $($own:ident)*] digest $inner:tt) => {};
    (@unless [save $($own:ident)*] save $inner:tt) => {};
    (@unless [load $($own:ident)*] load $inner:tt) => {};
    (@unless [take_events $($own:ident)*] take_events $inner:tt) => {};
    (@unless [take_sensed $($own:ident)*] take_sensed $inner:tt) => {};
    (@unless [take_remarks $($own:ident)*] take_remarks $inner:tt) => {};
    (@unless [overhear $($own:ident)*] overhear $inner:tt) => {};
    (@unless [take_rerun $($own:ident)*] take_rerun $inner:tt) => {};
    (@unless [clear_best $($own:ident)*] clear_best $inner:tt) => {};
    (@unless [count_best $($own:ident)*] count_best $inner:tt) => {};
    (@unless [feels_contacts $($own:ident)*] feels_contacts $inner:tt) => {};
    (@unless [read_pins $($own:ident)*] read_pins $inner:tt) => {};
    (@unless [faults $($own:ident)*] faults $inner:tt) => {};
    (@unless [set_faults $($own:ident)*] set_faults $inner:tt) => {};
    (@unless [$other:ident $($own:ident)*] $method:ident $inner:tt) => {
        $crate::forward!(@unless [$($own)*] $method $inner);
    };
    (@unless [] $method:ident $inner:tt) => { $crate::forward!(@ $method $inner); };
    (@ of $driver:tt *) => { (**$driver) };
    (@ of $driver:tt $inner:tt) => { $driver.$inner };
    (@ at $inner:tt) => { fn at(&self) -> &str { $crate::forward!(@ of self $inner).at() } };
    (@ layout $inner:tt) => { fn layout(&self) -> ::protocol::Layout { $crate::forward!(@ of self $inner).layout() } };
    (@ roster $inner:tt) => { fn roster(&self) -> ::protocol::Roster { $crate::forward!(@ of self $inner).roster() } };
    (@ tick $inner:tt) => { fn tick(&self) -> ::protocol::Tick { $crate::forward!(@ of self $inner).tick() } };
    (@ frame $inner:tt) => { fn frame(&self) -> &::protocol::Frame { $crate::forward!(@ of self $inner).frame() } };
    (@ step $inner:tt) => {
        fn step(&mut self, inputs: &[::protocol::Input], ticks: ::protocol::Tick)
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).step(inputs, ticks) }
    };
    (@ step_and_digest $inner:tt) => {
        fn step_and_digest(&mut self, inputs: &[::protocol::Input], ticks: ::protocol::Tick)
        -> Result<u64, $crate::DriverError> { $crate::forward!(@ of self $inner).step_and_digest(inputs, ticks) }
    };
    (@ carry_out $inner:tt) => {
        fn carry_out(&mut self, deed: &::protocol::Deed)
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).carry_out(deed) }
    };
    (@ status $inner:tt) => {
        fn status(&mut self)
        -> Result<::protocol::Status, $crate::DriverError> { $crate::forward!(@ of self $inner).status() }
    };
    (@ legal $inner:tt) => {
        fn legal(&mut self)
        -> Result<Vec<::protocol::Point>, $crate::DriverError> { $crate::forward!(@ of self $inner).legal() }
    };
    (@ digest $inner:tt) => {
        fn digest(&mut self) -> Result<u64, $crate::DriverError> { $crate::forward!(@ of self $inner).digest() }
    };
    (@ save $inner:tt) => {
        fn save(&mut self) -> Result<Vec<u8>, $crate::DriverError> { $crate::forward!(@ of self $inner).save() }
    };
    (@ load $inner:tt) => {
        fn load(&mut self, bytes: &[u8])
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).load(bytes) }
    };
    (@ clear_best $inner:tt) => {
        fn clear_best(&mut self) -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).clear_best() }
    };
    (@ count_best $inner:tt) => {
        fn count_best(&mut self, counts: bool)
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).count_best(counts) }
    };
    (@ take_events $inner:tt) => {
        fn take_events(&mut self) -> Vec<::protocol::StampedEvent> { $crate::forward!(@ of self $inner).take_events() }
    };
    (@ take_sensed $inner:tt) => {
        fn take_sensed(&mut self) -> Option<Vec<$crate::driver::StampedSensation>> {
            $crate::forward!(@ of self $inner).take_sensed()
        }
    };
    (@ take_remarks $inner:tt) => {
        fn take_remarks(&mut self) -> Vec<String> { $crate::forward!(@ of self $inner).take_remarks() }
    };
    (@ overhear $inner:tt) => {
        fn overhear(&mut self) -> Vec<String> { $crate::forward!(@ of self $inner).overhear() }
    };
    (@ take_rerun $inner:tt) => {
        fn take_rerun(&mut self) -> Option<$crate::recorder::Rerun> { $crate::forward!(@ of self $inner).take_rerun() }
    };
    (@ feels_contacts $inner:tt) => {
        fn feels_contacts(&self) -> bool { $crate::forward!(@ of self $inner).feels_contacts() }
    };
    (@ read_pins $inner:tt) => {
        fn read_pins(&mut self) -> Result<Option<$crate::pins::PinReading>, $crate::DriverError> {
            $crate::forward!(@ of self $inner).read_pins()
        }
    };
    (@ faults $inner:tt) => {
        fn faults(&self) -> ::firmware_core::Faults { $crate::forward!(@ of self $inner).faults() }
    };
    (@ set_faults $inner:tt) => {
        fn set_faults(&mut self, faults: ::firmware_core::Faults)
        -> Result<(), String> { $crate::forward!(@ of self $inner).set_faults(faults) }
    };
}

impl<D: Driver + ?Sized> Driver for Box<D> {
    crate::forward!(*);
}

/// A board in this process.
pub struct CoreDriver {
    board: Keeping<AnyBoard>,
    /// The store for the data that the board keeps while its power is off.
    kept: Option<Box<dyn Store>>,
    remarks: Vec<String>,
    events: Vec<StampedEvent>,
    /// The number of the next event.
    number: u32,
}

impl CoreDriver {
    /// A freshly switched-on board with the usual games ([`games::ROSTER`]).
    ///
    /// # Errors
    /// [`DriverError::Refused`] if the layout is invalid.
    pub fn new(layout: Layout, seed: u64) -> Result<Self, DriverError> {
        CoreDriver::with_games(layout, games::ROSTER, seed)
    }

    /// A freshly switched-on board with these games.
    ///
    /// # Errors
    /// [`DriverError::Refused`] if the layout is invalid, or this program lacks one
    /// of the games.
    pub fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, DriverError> {
        Ok(CoreDriver {
            board: Keeping::new(AnyBoard::with_games(layout, roster, seed)?),
            kept: None,
            remarks: Vec::new(),
            events: Vec::new(),
            number: 0,
        })
    }

    /// Makes the board keep its best scores and an inserted game in this store. Does not load the
    /// stored game or change the layout; see [`CoreDriver::come_up`].
    #[must_use]
    pub fn keeping(mut self, store: impl Store + 'static) -> Self {
        self.board.keep(store.best().clone());
        self.kept = Some(Box::new(store));
        self
    }

    /// Restores the stored layout with its game, if there is one. If that fails, the next remarks
    /// say so.
    ///
    /// # Errors
    /// [`DriverError::Refused`] if the board cannot have its own layout.
    pub fn come_up(mut self) -> Result<Self, DriverError> {
        let (own, roster) = (self.layout(), self.roster());
        let Some(file) = &self.kept else {
            return Ok(self);
        };
        let (layout, refused) = file.comes_up(own, roster);
        if layout != own {
            let board = AnyBoard::with_games(layout, roster, self.board.seed())?;
            self.board = Keeping::new(board);
            self.board.keep(file.best().clone());
        }
        self.remarks.extend(refused.map(str::to_owned));
        Ok(self)
    }

    /// The board that this driver owns.
    #[must_use]
    pub fn board(&self) -> &AnyBoard {
        self.board.board()
    }

    /// Takes the inputs that another board reported, at their ticks, and advances to
    /// this tick.
    pub fn follow(&mut self, told: &[StampedEvent], tick: Tick) {
        let mut go_on = |inputs: &[Input], until: Tick| {
            let ticks = until.saturating_sub(self.tick());
            self.take(inputs, ticks);
        };
        for event in told {
            if let Event::Taken(input) = event.event {
                go_on(&[], event.tick);
                go_on(&[input], event.tick);
            }
        }
        go_on(&[], tick);
    }

    /// Takes these inputs now, then lets `ticks` pass.
    fn take(&mut self, inputs: &[Input], ticks: Tick) {
        self.with(|board, tell| {
            for input in inputs {
                tell(board.tick(), Event::Taken(*input));
                // A board never refuses an input.
                let _ = board.carry_out(&Deed::Input(*input), tell);
            }
            board.advance(ticks, tell);
        });
    }

    /// The number of the next event, which is the number of events since the board was switched on.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    fn with<T>(
        &mut self,
        what: impl FnOnce(&mut Keeping<AnyBoard>, &mut dyn FnMut(Tick, Event)) -> T,
    ) -> T {
        let (events, number) = (&mut self.events, &mut self.number);
        let done = what(&mut self.board, &mut |tick, event| {
            events.push(StampedEvent {
                number: *number,
                tick,
                event,
            });
            *number = number.wrapping_add(1);
        });
        self.write_kept();
        done
    }

    fn write_kept(&mut self) {
        if let Some(file) = &mut self.kept
            && let Err(sentence) = file.look_after(&self.board)
        {
            self.remarks.push(sentence);
        }
    }
}

impl Driver for CoreDriver {
    fn at(&self) -> &str {
        "core"
    }

    fn layout(&self) -> Layout {
        self.board.layout()
    }

    fn roster(&self) -> Roster {
        self.board.roster()
    }

    fn tick(&self) -> Tick {
        self.board.tick()
    }

    fn frame(&self) -> &Frame {
        self.board.frame()
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.take(inputs, ticks);
        Ok(())
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        if let Deed::Input(input) = deed {
            return self.step(&[*input], 0);
        }
        self.with(|board, tell| board.carry_out(deed, tell))?;
        if deed.begins_anew() {
            self.events.clear();
            self.number = 0;
        }
        Ok(())
    }

    fn status(&mut self) -> Result<Status, DriverError> {
        Ok(self.board.status())
    }

    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        let mut points = Vec::new();
        self.board.board().legal(|point| points.push(point));
        Ok(points)
    }

    fn digest(&mut self) -> Result<u64, DriverError> {
        Ok(self.board.digest())
    }

    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        let length = self.board.save(&mut buffer).map(<[u8]>::len);
        buffer.truncate(length.expect("SNAPSHOT_BYTES hold every state"));
        Ok(buffer)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        Ok(self.board.load(bytes)?)
    }

    fn clear_best(&mut self) -> Result<(), DriverError> {
        if !self.board.clear_best() {
            return Err(Refusal::KeepsNoBest.into());
        }
        self.write_kept();
        Ok(())
    }

    fn count_best(&mut self, counts: bool) -> Result<(), DriverError> {
        self.board.count_best(counts);
        Ok(())
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        core::mem::take(&mut self.events)
    }

    fn take_remarks(&mut self) -> Vec<String> {
        core::mem::take(&mut self.remarks)
    }
}

#[cfg(test)]
pub(crate) mod wrong {
    //! A board with a deliberate mistake, for tests of programs that find mistakes.

    use super::{CoreDriver, Driver, DriverError, Event, Input, Point, StampedEvent, Tick};

    /// What the board does instead of a touch on a point of the last row.
    pub type Mistake = fn(Point) -> Result<Input, DriverError>;

    /// Makes a mistake at every touch on a point of the last row.
    pub struct WrongDriver(CoreDriver, Mistake);

    impl WrongDriver {
        /// Mistakes the point for the previous one.
        pub fn new(right: CoreDriver) -> Self {
            WrongDriver(right, |point| Ok(Input::Touch(Point(point.0 - 1))))
        }

        /// Panics at the touch.
        pub fn that_panics(right: CoreDriver) -> Self {
            WrongDriver(right, |point| {
                Err(DriverError::Panicked(format!("point {}", point.0)))
            })
        }
    }

    impl Driver for WrongDriver {
        fn at(&self) -> &str {
            "wrong"
        }
        fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
            let layout = self.0.layout();
            let wrong = |input: &Input| match input {
                Input::Touch(point) if layout.row(*point) + 1 == layout.rows() => self.1(*point),
                other => Ok(*other),
            };
            let inputs: Result<Vec<Input>, DriverError> = inputs.iter().map(wrong).collect();
            self.0.step(&inputs?, ticks)
        }
        crate::forward!(0; own: at, step, step_and_digest, take_events);
        fn take_events(&mut self) -> Vec<StampedEvent> {
            let mut events = self.0.take_events();
            events.retain(|event| !matches!(event.event, Event::Digest(_)));
            events
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CoreDriver, Driver, DriverError, Input, Layout, Rerun, Tick};

    /// A board whose firmware was rebuilt.
    struct BuiltAnew {
        inner: CoreDriver,
        rerun: Option<Rerun>,
    }

    impl Driver for BuiltAnew {
        crate::forward!(inner; own: step, step_and_digest, take_rerun);
        fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
            self.inner.step(inputs, ticks)
        }
        fn take_rerun(&mut self) -> Option<Rerun> {
            self.rerun.take()
        }
    }

    /// A boxed driver, as programs choose one at run time.
    struct Boxed {
        inner: Box<dyn Driver>,
    }

    impl Driver for Boxed {
        crate::forward!(inner);
    }

    /// Without this test, `forward!` would silently leave out methods that it does not list.
    #[test]
    fn forward_knows_every_method_of_a_driver() {
        let source = include_str!("driver.rs");
        let (_, trait_on) = source.split_once("pub trait Driver {").unwrap();
        let (methods, _) = trait_on.split_once("\n}\n").unwrap();
        let methods = methods.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix("    fn ")?.split_once('(')?;
            Some(name)
        });
        let methods: Vec<&str> = methods.collect();
        assert!(methods.len() > 20, "{methods:?}");
        for method in methods {
            let forwarded = format!("forward!(@unless [$($own)*] {method} $inner);");
            assert!(source.contains(&forwarded), "{method}");
        }
    }

    #[test]
    fn the_rerun_of_a_boxed_board_is_handed_on_once() {
        let built_anew = BuiltAnew {
            inner: CoreDriver::new(Layout::MALDOO, 1).unwrap(),
            rerun: Some(Rerun {
                first: None,
                moves: 3,
                tick: 900,
            }),
        };
        let mut boxed = Boxed {
            inner: Box::new(built_anew),
        };
        assert!(boxed.take_rerun().is_some());
        assert!(boxed.take_rerun().is_none());
    }
}
