//! A board that notes what it really does: the truth with which both ends are compared.

use std::cell::RefCell;
use std::rc::Rc;

use firmware_core::any_width::EventSink;
use firmware_core::{AnyBoard, AnyWidth};
use protocol::{
    Deed, Drawing, Event, Frame, Input, Layout, Point, Refusal, Roster, Settings, Status, Tick,
};

/// Who makes the board do something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// Its own sensors.
    #[default]
    Sensors,
    /// The host with this number.
    Host(usize),
}

/// A deed that the board carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoneDeed {
    /// The board's tick before the deed.
    pub tick: Tick,
    /// The deed.
    pub deed: Deed,
    /// Whose deed it was.
    pub by: By,
}

/// What the board did.
#[derive(Debug, Default)]
pub struct SpyLog {
    /// Who makes the board do what it does now.
    pub by: By,
    /// The deeds that it carried out, in order, since it was switched on.
    pub deeds: Vec<DoneDeed>,
    /// The events of the game, in order, over all restarts.
    pub events: Vec<(Tick, Event)>,
}

impl SpyLog {
    /// Notes that the power failed, which begins anew like this deed.
    pub fn power_failed(&mut self, tick: Tick, anew: Deed) {
        self.by = By::Sensors;
        self.did(tick, anew);
    }

    fn did(&mut self, tick: Tick, deed: Deed) {
        let by = self.by;
        self.deeds.push(DoneDeed { tick, deed, by });
    }
}

/// A board with a log.
pub struct Spied {
    board: AnyBoard,
    log: Rc<RefCell<SpyLog>>,
}

impl Spied {
    /// This board, which notes what it does in this log.
    #[must_use]
    pub fn new(board: AnyBoard, log: Rc<RefCell<SpyLog>>) -> Spied {
        Spied { board, log }
    }

    /// The board itself.
    #[must_use]
    pub fn board(&self) -> &AnyBoard {
        &self.board
    }
}

impl AnyWidth for Spied {
    const MAX_POINTS: usize = <AnyBoard as AnyWidth>::MAX_POINTS;

    fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, Refusal> {
        let board = AnyBoard::with_games(layout, roster, seed)?;
        Ok(Spied::new(board, Rc::default()))
    }
    fn blank() -> Self {
        Spied::new(AnyBoard::blank(), Rc::default())
    }
    fn restart(&mut self, layout: Layout, roster: Roster, seed: u64) -> Result<(), Refusal> {
        self.board.restart(layout, roster, seed)
    }
    fn layout(&self) -> Layout {
        self.board.layout()
    }
    fn roster(&self) -> Roster {
        self.board.roster()
    }
    fn drawing(&self) -> Option<Drawing<'_>> {
        self.board.drawing()
    }
    fn restart_on_drawing(
        &mut self,
        drawing: Drawing<'_>,
        roster: Roster,
        seed: u64,
    ) -> Result<(), Refusal> {
        let tick = self.board.tick();
        self.board.restart_on_drawing(drawing, roster, seed)?;
        let layout = self.board.layout();
        self.log
            .borrow_mut()
            .did(tick, Deed::Reset { seed, layout });
        Ok(())
    }
    fn seed(&self) -> u64 {
        self.board.seed()
    }
    fn tick(&self) -> Tick {
        self.board.tick()
    }
    fn frame(&self) -> &Frame {
        self.board.frame()
    }
    fn status(&self) -> Status {
        self.board.status()
    }
    fn settings(&self) -> Settings {
        self.board.settings()
    }
    fn legal(&self, each_point: &mut dyn FnMut(Point)) {
        self.board.legal(each_point);
    }
    fn digest(&self) -> u64 {
        self.board.digest()
    }
    fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
        let mut log = self.log.borrow_mut();
        let tick = self.board.tick();
        if let Deed::Input(input) = deed {
            log.events.push((tick, Event::Taken(*input)));
        }
        let tells = !deed.begins_anew();
        let done = self.board.carry_out(deed, &mut |tick, event| {
            // A device drops the events of a deed that begins anew.
            if tells {
                log.events.push((tick, event));
            }
            tell(tick, event);
        });
        if done.is_ok() {
            log.did(tick, deed.clone());
        }
        done
    }
    fn step(&mut self, most: Tick, tell: EventSink<'_>) -> Tick {
        let mut log = self.log.borrow_mut();
        self.board.step(most, &mut |tick, event| {
            log.events.push((tick, event));
            tell(tick, event);
        })
    }
    fn wakes_at(&self) -> Option<Tick> {
        self.board.wakes_at()
    }
    fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        self.board.save(buffer)
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.board.load(bytes)
    }
    fn worth(&self) -> Option<u32> {
        self.board.worth()
    }
}

/// The inputs among these deeds.
pub fn inputs(deeds: &[DoneDeed]) -> impl Iterator<Item = Input> {
    deeds.iter().filter_map(|done| match done.deed {
        Deed::Input(input) => Some(input),
        _ => None,
    })
}
