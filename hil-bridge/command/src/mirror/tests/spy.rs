//! A board that records its inputs, can be unplugged, and shows what a test asks for.

use protocol::{StampedEvent, Status};
use touchboard_host::recorder::Rerun;
use touchboard_host::{CoreDriver, DriverError};
use touchboard_links::LinkError;

use super::*;

/// A board that records its inputs and can be unplugged.
pub(super) struct Spy {
    pub(super) core: CoreDriver,
    pub(super) inputs: Vec<(Tick, Input)>,
    pub(super) is_unplugged: bool,
    pub(super) restarts: bool,
    pub(super) remarks: Vec<String>,
    /// The frame that it shows instead of its core's.
    pub(super) shown: Option<protocol::Frame>,
    pub(super) rerun: Option<Rerun>,
}

impl Spy {
    pub(super) fn new(layout: Layout) -> Spy {
        Spy::with_games(layout, firmware_core::games::ROSTER)
    }

    pub(super) fn with_games(layout: Layout, roster: protocol::Roster) -> Spy {
        Spy {
            core: CoreDriver::with_games(layout, roster, 7).expect("the layout is one"),
            inputs: Vec::new(),
            is_unplugged: false,
            restarts: false,
            remarks: Vec::new(),
            shown: None,
            rerun: None,
        }
    }

    pub(super) fn reach(&mut self) -> Result<&mut CoreDriver, DriverError> {
        if std::mem::take(&mut self.restarts) {
            return Err(DriverError::Restarted("core".to_owned()));
        }
        if self.is_unplugged {
            return Err(LinkError::lost("the cable is out".to_owned()));
        }
        Ok(&mut self.core)
    }
}

impl Driver for Spy {
    fn at(&self) -> &str {
        "core"
    }
    fn layout(&self) -> Layout {
        self.core.layout()
    }
    fn roster(&self) -> protocol::Roster {
        self.core.roster()
    }
    fn tick(&self) -> Tick {
        self.core.tick()
    }
    fn frame(&self) -> &protocol::Frame {
        self.shown.as_ref().unwrap_or(self.core.frame())
    }
    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let tick = self.core.tick();
        self.reach()?.step(inputs, ticks)?;
        self.inputs
            .extend(inputs.iter().map(|input| (tick, *input)));
        Ok(())
    }
    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.reach()?.carry_out(deed)
    }
    fn status(&mut self) -> Result<Status, DriverError> {
        self.reach()?.status()
    }
    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        self.reach()?.legal()
    }
    fn digest(&mut self) -> Result<u64, DriverError> {
        self.reach()?.digest()
    }
    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        self.reach()?.save()
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.reach()?.load(bytes)
    }
    fn take_events(&mut self) -> Vec<StampedEvent> {
        self.core.take_events()
    }
    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
    fn take_rerun(&mut self) -> Option<Rerun> {
        self.rerun.take()
    }
}
