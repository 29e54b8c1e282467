//! Boards that can be driven step by step, local or remote.
//!
//! Shell, recorder, checks and window only know a board as a [`Driver`]. A [`CoreDriver`]
//! is a board in this process; a board at the end of a line behaves the same. Board time
//! only passes in [`Driver::step`].

mod forward;
mod injection;
#[cfg(test)]
pub(crate) mod wrong;

use std::error::Error;

use firmware_core::keeping::Store;
use firmware_core::{AnyBoard, AnyWidth, EventSink, Faults, Keeping, SNAPSHOT_BYTES, games};
use protocol::{
    Deed, Event, Frame, Input, Layout, Point, Refusal, Roster, StampedEvent, Status, Tick,
};

use crate::divergence::Rerun;
use crate::pins::PinReading;

pub use injection::InjectionError;

/// Why a board could not be driven. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The board refused the request.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The board restarted during a request, so its state is lost.
    #[error("the board at {0} was restarted meanwhile: its state is lost, begin again")]
    Restarted(String),
    /// The firmware panicked with this message.
    #[error("the firmware panicked: {0}; it has to be restarted")]
    Panicked(String),
    /// The session log cannot be written any more.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// The board cannot have these faults.
    #[error(transparent)]
    Faults(#[from] InjectionError),
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

    /// The board's reports about its simulated contacts since the last call, in order:
    /// contacts that closed or opened, inputs once they were felt, and a restart after a
    /// power failure. `None` for a board without simulated contacts: it takes every input
    /// at once.
    fn take_sensed(&mut self) -> Option<Vec<StampedSensation>> {
        None
    }

    /// Takes the sentences for the user about the connection since the last call: the
    /// board was lost, came back, or restarted. A board without a connection has
    /// none.
    fn take_remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The sentences of [`Driver::take_remarks`] that have already arrived, for code that
    /// waits for a person. Nothing else is processed, so this call does not affect later
    /// commands.
    fn overhear(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The result of replaying the session on rebuilt firmware since the last call, if
    /// the board's program is being watched.
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

    /// True if the board is at the end of a line, over which reading its state takes long.
    fn is_at_line(&self) -> bool {
        true
    }

    /// True if the board takes inputs as fingers on contacts, and reports what it felt a
    /// little later.
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
    /// [`DriverError::Faults`] if this board cannot have them.
    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
        let _ = faults;
        Err(InjectionError::NotSimulated(self.at().to_owned()).into())
    }
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

    /// Makes the board keep its best scores and an inserted game in this store. Does not
    /// load the stored game or change the layout; see [`CoreDriver::come_up`].
    #[must_use]
    pub fn keeping(mut self, store: impl Store + 'static) -> Self {
        self.board.keep(store.best().clone());
        self.kept = Some(Box::new(store));
        self
    }

    /// Restores the stored layout with its game, if there is one. If that fails, the next
    /// remarks say so.
    ///
    /// # Errors
    /// [`DriverError::Refused`] if the board cannot have its own layout.
    pub fn come_up(mut self) -> Result<Self, DriverError> {
        let (own, roster) = (self.layout(), self.roster());
        let Some(file) = &self.kept else {
            return Ok(self);
        };
        let (layout, refused) = file.layout_at_power_on(own, roster);
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

    /// The number of the next event, which is the number of events since the board was
    /// switched on.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    fn with<T>(&mut self, what: impl FnOnce(&mut Keeping<AnyBoard>, EventSink<'_>) -> T) -> T {
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
            && let Err(error) = file.store_changes(&self.board)
        {
            self.remarks.push(error.to_string());
        }
    }
}

impl Driver for CoreDriver {
    fn at(&self) -> &str {
        "core"
    }

    fn is_at_line(&self) -> bool {
        false
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
        if deed.restarts() {
            self.events.clear();
            self.number = 0;
        }
        Ok(())
    }

    fn status(&mut self) -> Result<Status, DriverError> {
        Ok(self.board.status())
    }

    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        Ok(self.board.board().legal_points())
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
        self.board.clear_best()?;
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
