//! A board at a table: it follows the inputs of two people, one of whom is elsewhere.
//!
//! What this window asks for goes to the relay, and comes back with a tick for all boards
//! of the table. Invariants: nothing is done to the board in any other way, and its time
//! passes as the table's does; so there is no going back, no freezing and no fault.

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bevy::platform::time::Instant;
use firmware_core::{AnyBoard, EventSink, Faults};
use protocol::{Deed, Tick};
use touchboard_host::session::Session;
use touchboard_host::{CoreDriver, Driver};
use touchboard_pair::message::TableDeed;
use touchboard_pair::opening;
use touchboard_pair::play::TablePlay;
use touchboard_pair::side::TableSide;

use super::core::InProcess;
use super::{
    Agreement, BoardLink, BoardPace, Clicks, Injectable, SessionPast, Shown, Source, SourceError,
    WindowCommand,
};

/// The end of a line to a table, which the program that has the line shares with the board.
pub type SharedTable = Arc<Mutex<TableSide>>;

/// The longest time that a picture waits for a board that catches up.
const LONGEST_WORK: Duration = Duration::from_millis(30);

/// The ticks between two looks at the clock.
const STRIDE: Tick = 256;

/// A board at a table.
pub struct AtTable {
    table: SharedTable,
    board: InProcess,
    play: TablePlay,
}

impl AtTable {
    /// The board with which a table begins, once its opening is known: `None` before.
    ///
    /// # Errors
    /// [`SourceError::Opening`], if no board begins in that way.
    pub fn sit_down(table: &SharedTable) -> Result<Option<AtTable>, SourceError> {
        let driver = {
            let side = lock(table);
            let begun = side.begun_with();
            begun.map(|(bytes, seed)| opening::board(bytes, seed))
        };
        let driver = driver.transpose()?;
        driver
            .map(|driver| AtTable::with(table.clone(), driver))
            .transpose()
    }

    fn with(table: SharedTable, driver: CoreDriver) -> Result<AtTable, SourceError> {
        let mut board = InProcess::new(driver)?;
        // Its own clock never runs: the table's does.
        board.obey(&WindowCommand::Pace(BoardPace {
            frozen: true,
            ..BoardPace::default()
        }))?;
        let play = TablePlay::on(&board);
        Ok(AtTable { table, board, play })
    }

    fn ask(&self, deed: TableDeed) -> Result<(), SourceError> {
        Ok(lock(&self.table).wish(deed)?)
    }

    /// Follows the table, as far as one picture allows.
    fn follow(&mut self) -> Result<(), SourceError> {
        let began = Instant::now();
        let mut side = lock(&self.table);
        loop {
            let passed = self.play.follow(&mut side, &mut self.board, STRIDE)?;
            if passed < STRIDE || began.elapsed() > LONGEST_WORK {
                return Ok(());
            }
        }
    }

    /// Shows what is different at a table.
    fn mark(&self, shown: &mut Shown) {
        let side = lock(&self.table);
        shown.pace = BoardPace::default();
        shown.link = BoardLink::Up {
            board: "a table for two".to_owned(),
        };
        shown.hardware.clicks = Clicks::AsMessages;
        shown.injectable = Injectable {
            faults: Faults::default(),
            board: false,
            line: false,
        };
        shown.past = SessionPast {
            earliest: None,
            ..shown.past.clone()
        };
        shown.twin = match side.parted() {
            None => Agreement::Alone,
            Some(parted) => Agreement::Differs(parted.to_string()),
        };
    }
}

impl Source for AtTable {
    fn name(&self) -> String {
        "at a table".to_owned()
    }

    fn obey(&mut self, command: &WindowCommand) -> Result<(), SourceError> {
        match command {
            WindowCommand::Do(Deed::Input(input)) => self.ask(TableDeed::Input(*input)),
            WindowCommand::Do(Deed::Settings(settings)) => self.ask(TableDeed::Settings(*settings)),
            WindowCommand::Do(Deed::Choose(game)) => {
                let status = self.board.status()?;
                self.ask(TableDeed::Settings(status.settings.for_game(*game, 0)))
            }
            WindowCommand::Do(Deed::Position(_) | Deed::Reset { .. }) => {
                Err(SourceError::CommonBoard)
            }
            WindowCommand::Pace(pace) if *pace == BoardPace::default() => Ok(()),
            WindowCommand::StopWhen(stops) if stops.is_empty() => Ok(()),
            WindowCommand::Pace(_)
            | WindowCommand::Step(_)
            | WindowCommand::StepBack(_)
            | WindowCommand::GoTo(_)
            | WindowCommand::GoToBranch { .. }
            | WindowCommand::StopWhen(_)
            | WindowCommand::InjectFaults(_)
            | WindowCommand::Shrink(_) => Err(SourceError::CommonTime),
            WindowCommand::Mark(_)
            | WindowCommand::Cancel
            | WindowCommand::BringBack
            | WindowCommand::LeaveIt => self.board.obey(command),
        }
    }

    fn session(&self) -> Result<Session, SourceError> {
        self.board.session()
    }

    fn update(
        &mut self,
        _elapsed: Duration,
        shown: &mut Shown,
        tell: EventSink<'_>,
    ) -> Result<Tick, SourceError> {
        self.follow()?;
        let tick = self.board.update(Duration::ZERO, shown, tell);
        self.mark(shown);
        tick
    }

    fn preview(&mut self, shown: &mut Shown) {
        self.board.preview(shown);
        self.mark(shown);
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut said = self.play.take_said();
        said.extend(self.board.take_said());
        said
    }

    fn copy(&mut self) -> Option<AnyBoard> {
        self.board.copy()
    }

    fn time_of(&self, tick: Tick) -> Tick {
        self.board.time_of(tick)
    }
}

impl Drop for AtTable {
    /// Another board takes its place.
    fn drop(&mut self) {
        lock(&self.table).leave();
    }
}

/// The table, whatever became of who held it before.
fn lock(table: &SharedTable) -> MutexGuard<'_, TableSide> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}
