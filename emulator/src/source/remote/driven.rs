//! Drives a board at the end of a line while it is lent: its own timer is held, and the
//! console lets its time pass.
//!
//! Invariants: twin and recorder get every deed, as at any other time; recorded
//! deeds that lie ahead are repeated at their ticks; once the board is taken back, its
//! time passes as the user wants it.

use std::sync::Arc;

use protocol::{
    Audience, Command, Deed, Done, Frame, Input, Layout, Pace as DevicePace, Reply, Roster,
    StampedEvent, Tick,
};
use touchboard_host::client::AsksBoard;
use touchboard_host::happening::Happening;
use touchboard_host::link_error::LinkError;
use touchboard_host::recorder::To;
use touchboard_host::{Driver, DriverError};
use touchboard_links::remote::read_snapshot;

use super::{Line, Remote};
use crate::source::system::LineClient;
use crate::source::{Lendable, SourceError};

/// What happened during a loan of the board to the console.
#[derive(Default)]
pub(super) struct Driven {
    frame: Frame,
    events: Vec<StampedEvent>,
}

impl Remote {
    /// Begins a loan: holds the board's time.
    pub(super) fn hold_for_driver(&mut self) -> Result<(), SourceError> {
        if self.trips.now.is_some() || !self.trips.waiting.is_empty() {
            return Err(SourceError::OnItsWay);
        }
        let knows_board = self.comparison.twin().board().is_some() && !self.is_anew;
        if self.recorder.is_none() || !knows_board {
            return Err(SourceError::NothingKnown);
        }
        self.loan.is_lent = true;
        self.stops.watch = None;
        self.request(Command::Pace(DevicePace::Lockstep))?;
        self.time.told = Some(DevicePace::Lockstep);
        // Events from before the loan are reported as usual.
        self.loan.untold.append(&mut self.loan.driven.events);
        Ok(())
    }

    /// Ends the loan. The board's time passes again as before it.
    pub(super) fn let_go(&mut self) {
        if std::mem::take(&mut self.loan.is_lent) {
            self.loan.untold.append(&mut self.loan.driven.events);
            self.time.owed_ticks = 0.0;
            self.standing.request_soon();
        }
    }

    fn driven_client(&self) -> Result<Arc<LineClient>, DriverError> {
        match &self.line {
            Line::Open(client) if self.loan.is_lent => Ok(client.clone()),
            _ => Err(LinkError::lost(SourceError::NotLent.to_string())),
        }
    }

    /// Follows everything that arrived before this answer, then returns the answer.
    fn with_news<T>(
        &mut self,
        client: &LineClient,
        answer: Result<T, DriverError>,
    ) -> Result<T, DriverError> {
        while let Ok(happening) = client.happenings().try_recv() {
            if let Happening::Event(event) = &happening
                && event.event.audience() != Audience::Observers
            {
                self.loan.driven.events.push(*event);
            }
            self.follow(&happening, client)?;
        }
        self.loan.driven.frame = client.view().frame;
        answer
    }

    /// Lets ticks pass, and repeats the recorded deeds that lie ahead.
    fn pass(&mut self, ticks: Tick) -> Result<(), DriverError> {
        let client = self.driven_client()?;
        let recorder = self.recorder.as_ref();
        let recorder =
            recorder.ok_or_else(|| LinkError::lost(SourceError::NothingKnown.to_string()))?;
        let path = recorder.path_on(self.tick, To::On(ticks));
        let gone = touchboard_links::go_to::go(&path, &client, self.run);
        self.with_news(&client, gone)?;
        self.tick = client.view().tick;
        Ok(())
    }
}

impl Lendable for Remote {
    fn lend(&mut self) -> Result<(), SourceError> {
        self.hold_for_driver()
    }

    fn take_back(&mut self) {
        self.let_go();
    }

    fn drive(&mut self) -> Result<&mut dyn Driver, SourceError> {
        if self.loan.is_lent {
            Ok(self)
        } else {
            Err(SourceError::NotLent)
        }
    }
}

impl AsksBoard for Remote {
    fn request(&mut self, command: Command) -> Result<Done, DriverError> {
        let client = self.driven_client()?;
        let answer = client.request_in(self.run, command);
        let Reply { tick, result, .. } = self.with_news(&client, answer)?;
        self.tick = tick;
        Ok(result?)
    }
}

impl Driver for Remote {
    touchboard_host::ask_board!();

    fn at(&self) -> &str {
        &self.name
    }

    fn layout(&self) -> Layout {
        self.known_layout()
    }

    fn roster(&self) -> Roster {
        let Ok(client) = self.driven_client() else {
            return Roster::default();
        };
        let told = client.view().hello.capabilities.roster;
        firmware_core::games::on_layout(Driver::layout(self), told)
    }

    fn tick(&self) -> Tick {
        self.tick
    }

    fn frame(&self) -> &Frame {
        &self.loan.driven.frame
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        for input in inputs {
            self.request(Command::Do(Deed::Input(*input)))?;
        }
        match ticks {
            0 => Ok(()),
            ticks => self.pass(ticks),
        }
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.request(Command::Do(deed.clone()))?;
        if deed.restarts() {
            self.loan.driven.events.clear();
        }
        Ok(())
    }

    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        let client = self.driven_client()?;
        let read = read_snapshot(&client);
        self.with_news(&client, read)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        let client = self.driven_client()?;
        let loaded = client.load_in(self.run, bytes);
        self.tick = self.with_news(&client, loaded)?.tick;
        Ok(())
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        std::mem::take(&mut self.loan.driven.events)
    }

    fn faults(&self) -> firmware_core::Faults {
        self.faults.now().clone()
    }

    fn set_faults(&mut self, faults: firmware_core::Faults) -> Result<(), DriverError> {
        self.inject_faults(&faults).map_err(|error| match error {
            SourceError::Driver(error) => error,
            other => DriverError::Impossible(other.to_string()),
        })
    }
}
