//! Carries out commands: the shell at its board, and which command does what.

use std::path::Path;

use firmware_core::AnyBoard;
use protocol::{Audience, Event, Input, Point, StampedEvent, Status};
use touchboard_host::malaka::tale::Tale;
use touchboard_host::piece_cache::PieceCache;
use touchboard_host::pieces::{Pieces, board_of_state};
use touchboard_host::session::SessionEntry;
use touchboard_host::signals::SignalReader;
use touchboard_host::touches::Touches;
use touchboard_host::{Driver, DriverError, position};

use super::answer::{self, Extra, NO_GAME, Scene};
use super::command::ShellCommand;
use super::complete::BoardNames;
use super::error::ShellError;
use super::{AnswerColours, Answers, LayoutReader, ShellOptions};

mod deeds;
mod expect;
mod line;
mod signals;

pub use line::Answer;

/// A board with the shell's memory of it.
pub struct Shell<'a> {
    driver: &'a mut dyn Driver,
    memory: ShellMemory,
}

/// What the shell remembers from line to line.
pub struct ShellMemory {
    answers: Answers,
    /// The board's seed.
    seed: u64,
    read_layout: LayoutReader,
    /// The latest status of the board.
    status: Status,
    /// Why the board did not answer at the beginning; the first command reports it.
    unmet: Option<DriverError>,
    /// Follows a game of Malaka touch by touch.
    tale: Tale,
    /// The events of the current line that have been taken so far.
    events: Vec<StampedEvent>,
    /// Counts events, for signals that are counters.
    counted: SignalReader,
    /// A remark about the current line, for a person.
    remark: Option<String>,
    /// The points that differ from the current line's expectation.
    differing: Vec<Point>,
    /// True once the user was told that no game is running; reset by a game.
    told_no_game: bool,
    /// The width of the user's terminal; `None` for a pipe, whose lines are not wrapped.
    columns: Option<usize>,
}

impl<'a> Shell<'a> {
    /// A shell at a board.
    pub fn new(driver: &'a mut dyn Driver, options: &ShellOptions) -> Shell<'a> {
        // Drops events from before the first command.
        let _ = driver.take_events();
        let (status, unmet) = match driver.status() {
            Ok(status) => (status, None),
            Err(error) => (Status::default(), Some(error)),
        };
        let memory = ShellMemory {
            answers: options.answers,
            seed: options.seed,
            read_layout: options.layout,
            tale: Tale::new(driver.layout(), &status.settings),
            status,
            unmet,
            events: Vec::new(),
            counted: SignalReader::new(Vec::new()),
            remark: None,
            differing: Vec::new(),
            told_no_game: false,
            columns: None,
        };
        let mut shell = Shell { driver, memory };
        if shell.memory.status.score.is_some()
            && let Err(error) = shell.follow()
        {
            shell.memory.unmet = Some(error);
        }
        shell
    }

    /// Continues from the memory of another shell at the same board.
    pub fn resume(driver: &'a mut dyn Driver, memory: ShellMemory) -> Shell<'a> {
        Shell { driver, memory }
    }

    /// Releases the board. [`Shell::resume`] continues later.
    #[must_use]
    pub fn into_memory(self) -> ShellMemory {
        self.memory
    }

    /// The board as `show` draws it, with these points in brackets.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn diagram(&mut self, marked: &[Point]) -> Result<String, ShellError> {
        let pieces = self.pieces()?;
        self.memory.status = self.driver.status()?;
        let paint = match self.memory.answers {
            Answers::Plain(paint) => paint,
            Answers::Json => AnswerColours::Letters,
        };
        let scene = self.scene().marking(marked);
        Ok(answer::board(&scene, pieces.as_ref(), paint))
    }

    /// The greeting for a person.
    #[must_use]
    pub fn greeting(&self) -> String {
        format!(
            "a {} board at {}; `help` lists the commands",
            self.driver.layout(),
            self.driver.at()
        )
    }

    /// Wraps answers for a terminal of this width from now on.
    pub fn set_columns(&mut self, columns: usize) {
        self.memory.columns = Some(columns);
    }

    /// The names that the board has now.
    #[must_use]
    pub fn board(&self) -> BoardNames {
        BoardNames {
            layout: self.driver.layout(),
            roster: self.driver.roster(),
            game: self.memory.status.settings.game,
        }
    }

    /// The board, to look at it.
    #[must_use]
    pub fn driver(&self) -> &dyn Driver {
        self.driver
    }

    /// Sentences about the line to the board that have already arrived.
    pub fn overhear(&mut self) -> Vec<String> {
        self.driver.overhear()
    }

    /// Starts to follow a game of Malaka that is already running, and finds the picked-up
    /// piece.
    fn follow(&mut self) -> Result<(), DriverError> {
        let settings = &self.memory.status.settings;
        self.memory.tale = match self.memory.answers {
            // Programs get the names of points only.
            Answers::Json => Tale::new(self.driver.layout(), settings),
            Answers::Plain(_) => Tale::on(&mut *self.driver, settings)?,
        };
        Ok(())
    }

    fn scene(&self) -> Scene<'_> {
        Scene::new(self.driver, &self.memory.status).on(self.memory.columns)
    }

    fn obey(&mut self, command: ShellCommand) -> Result<Extra, ShellError> {
        match command {
            ShellCommand::Set(change) => return self.set(&change),
            ShellCommand::Press(button, ms) => self.press(button, ms)?,
            ShellCommand::Down(button) => self.driver.step(&[Input::Press(button)], 0)?,
            ShellCommand::Up(button) => self.driver.step(&[Input::Lift(button)], 0)?,
            ShellCommand::Tap(point) => self.tap(point)?,
            ShellCommand::Touch(point) => self.touch(point)?,
            ShellCommand::Release(point) => self.driver.step(&[Input::Release(point)], 0)?,
            ShellCommand::Wait(ticks) => self.driver.step(&[], ticks)?,
            ShellCommand::RunUntil(condition, within_ms) => {
                return self.run_until(&condition, within_ms);
            }
            ShellCommand::Signal(name) => return self.signals(name.as_deref()),
            ShellCommand::Pass => self.pass()?,
            ShellCommand::Position(position) => self.set_up(*position)?,
            ShellCommand::TellPosition => return Ok(Extra::Position(self.position()?)),
            ShellCommand::Save(file) => self.save(Path::new(&file))?,
            ShellCommand::Load(file) => self.load(Path::new(&file))?,
            ShellCommand::Seed(seed) => self.reset(seed, self.driver.layout())?,
            ShellCommand::Reset(layout) => self.reset_to(layout)?,
            ShellCommand::Expect(expectation) => self.expect(&expectation)?,
            // The caller handles these.
            ShellCommand::Picture(_) | ShellCommand::Quit => {}
            ShellCommand::Show => return Ok(Extra::Board(self.pieces()?)),
            ShellCommand::Legal => return Ok(Extra::Legal(self.touches()?)),
            ShellCommand::Score => return Ok(Extra::Score),
            ShellCommand::Best => return Ok(Extra::Best),
            ShellCommand::ClearBest => {
                self.driver.clear_best()?;
                return Ok(Extra::Best);
            }
            ShellCommand::Rules => return Ok(Extra::Rules),
            ShellCommand::Hash => return Ok(Extra::Digest(self.driver.digest()?)),
            ShellCommand::Fault(request) => return request.obey(self.driver),
            ShellCommand::Help(entry) => return Ok(Extra::Help(entry)),
        }
        Ok(Extra::None)
    }

    /// Takes the new events. True if any of them has an effect that a person sees.
    fn take_events(&mut self) -> bool {
        if let Some(sensed) = self.driver.take_sensed() {
            let counted = &mut self.memory.counted;
            counted.know_contacts();
            let items = sensed
                .into_iter()
                .map(|stamped| SessionEntry::from(stamped).item);
            items.for_each(|item| counted.sense(&item));
        }
        let new = self.driver.take_events();
        self.take_in(new)
    }

    /// Adds events to the answer. True if any of them has an effect that a person sees.
    fn take_in(&mut self, new: Vec<StampedEvent>) -> bool {
        let something = new.iter().any(|event| !is_silent(event));
        for event in &new {
            self.memory.counted.count(&event.event);
            if let Event::Settings(settings) | Event::Started(settings) = event.event {
                self.memory.status.settings = settings;
            }
        }
        self.memory.events.extend(new);
        something
    }

    /// The meaning of a touch of each point.
    fn touches(&mut self) -> Result<Touches, DriverError> {
        let status = self.driver.status()?;
        Touches::at(&mut *self.driver, &status)
    }

    /// The pieces on the board, if the lights do not show everything.
    fn pieces(&mut self) -> Result<Option<Pieces>, ShellError> {
        let status = self.driver.status()?;
        let mut look = PieceCache::default();
        Ok(look.at(&mut *self.driver, &status)?.cloned())
    }

    /// The position as it is written in the language.
    fn position(&mut self) -> Result<String, ShellError> {
        let state = self.driver.save()?;
        let board = board_of_state(&state);
        let position = board.as_ref().and_then(position::on);
        position
            .map(|position| position::written_out(&position, self.driver.layout()))
            .ok_or_else(|| ShellError::Bad(no_position(board.as_ref())))
    }
}

/// Why a board has no position.
fn no_position(board: Option<&AnyBoard>) -> String {
    let is_there_a_game = board.is_some_and(|board| board.score().is_some());
    let is_over = board.is_some_and(|board| board.outcome().is_some());
    match (is_there_a_game, is_over) {
        (false, _) => format!("there is no position: {NO_GAME}"),
        (true, true) => "there is no position: the game is over".to_owned(),
        (true, false) => {
            "this position is more than a message carries: use save and load".to_owned()
        }
    }
}

/// True for events that only report an accepted input, and for the beep after an illegal
/// touch.
fn is_silent(event: &StampedEvent) -> bool {
    event.event.audience() != Audience::Everybody
}
