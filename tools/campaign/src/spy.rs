//! A board that notes what it really does: the truth with which both ends are compared.

use std::cell::RefCell;
use std::rc::Rc;

use firmware_core::{AnyBoard, AnyWidth, EventSink};
use protocol::{Deed, Drawing, Event, Input, Layout, Refusal, Roster, Tick};
use touchboard_host::session::SessionItem;

/// Who makes the board do something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// Its own sensors.
    #[default]
    Sensors,
    /// The host with this number.
    Host(usize),
}

/// A deed that the board carried out, or a state that it loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoneItem {
    /// The board's tick before it.
    pub tick: Tick,
    /// What was done.
    pub item: SessionItem,
    /// Who asked for it.
    pub by: By,
}

/// What the board did.
#[derive(Debug, Default)]
pub struct SpyLog {
    /// Who makes the board do what it does now.
    pub by: By,
    /// What it carried out, in order, since it was switched on.
    pub done: Vec<DoneItem>,
    /// The events of the game, in order, over all restarts.
    pub events: Vec<(Tick, Event)>,
}

impl SpyLog {
    /// Notes that the power failed, which restarts it like this deed.
    pub fn power_failed(&mut self, tick: Tick, anew: Deed) {
        self.by = By::Sensors;
        self.did(tick, anew.into());
    }

    fn did(&mut self, tick: Tick, item: SessionItem) {
        let by = self.by;
        self.done.push(DoneItem { tick, item, by });
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
            .did(tick, Deed::Reset { seed, layout }.into());
        Ok(())
    }
    fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
        let mut log = self.log.borrow_mut();
        let tick = self.board.tick();
        if let Deed::Input(input) = deed {
            log.events.push((tick, Event::Taken(*input)));
        }
        let tells = !deed.restarts();
        let done = self.board.carry_out(deed, &mut |tick, event| {
            // A device drops the events of a deed that restarts it.
            if tells {
                log.events.push((tick, event));
            }
            tell(tick, event);
        });
        if done.is_ok() {
            log.did(tick, deed.clone().into());
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
    fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let tick = self.board.tick();
        self.board.load(bytes)?;
        let item = SessionItem::Load(bytes.to_vec());
        self.log.borrow_mut().did(tick, item);
        Ok(())
    }

    firmware_core::forward_to_board!(board:
        restart, layout, roster, drawing, seed, tick, frame, status, settings, legal, digest,
        wakes_at, save, worth);
}

/// The inputs among these.
pub fn inputs(done: &[DoneItem]) -> impl Iterator<Item = Input> {
    done.iter().filter_map(|done| match done.item {
        SessionItem::Do(Deed::Input(input)) => Some(input),
        _ => None,
    })
}
