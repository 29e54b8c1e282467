//! For an environment without an operating system: the board is in this process or at a
//! port that a page opens, texts are compiled in, and long work is done in slices, one per
//! picture.

pub mod carrier;
mod line;

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use bevy::ecs::system::NonSendMarker;
use bevy::prelude::*;
use firmware_core::games;
use protocol::{KnownLayout, Layout, Roster};
use touchboard_host::CoreDriver;
use touchboard_host::traffic::SharedRecord;
use touchboard_host::written::{self, Choice, TextGame, TextGameError, library};

use super::GoesOn;
use crate::source::core::InProcess;
use crate::source::{Source, SourceError, SourceSet};

pub use line::{
    LineClient, Shrinking, TripThread, check_place, chip_memory, dial, line_faults_of, set_out,
    with_record,
};

/// The place of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// In this process, as function calls.
    Core,
    /// At a port of this name, whose bytes the [`carrier`] moves.
    Port(String),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Core => f.write_str("core"),
            At::Port(name) => f.write_str(name),
        }
    }
}

/// The place of the board and its requested properties.
#[derive(Clone, Debug)]
pub struct Where {
    /// The place of the board.
    pub at: At,
    /// The layout; `None` for the one that its first game is made for.
    pub layout: Option<KnownLayout>,
    /// The games; `None` for those of the manual.
    pub games: Option<Roster>,
    /// The seed of the board's random numbers.
    pub seed: Option<u64>,
    /// The record of its line.
    pub record: Option<SharedRecord>,
}

impl Where {
    /// A board at this place, with the default layout, games and seed.
    #[must_use]
    pub fn new(at: At) -> Where {
        Where {
            at,
            layout: None,
            games: None,
            seed: None,
            record: None,
        }
    }

    /// True if this program creates the board, with the requested properties.
    #[must_use]
    pub fn begins_here(&self) -> bool {
        matches!(self.at, At::Core)
    }

    /// The requested layout, if any.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        self.layout.as_ref().map(KnownLayout::layout)
    }

    /// The games of the board.
    #[must_use]
    pub fn roster(&self) -> Roster {
        self.games.unwrap_or(games::ROSTER)
    }
}

/// Opens the board of this place, in this process.
///
/// # Errors
/// If the core has no such board.
pub fn open_core(place: Where) -> Result<Box<dyn Source>, SourceError> {
    let roster = place.roster();
    let layout = place.layout().unwrap_or_else(|| games::layout_for(roster));
    let driver = CoreDriver::with_games(layout, roster, place.seed.unwrap_or(0));
    let source = driver.and_then(InProcess::new);
    Ok(Box::new(source?))
}

/// Drops a board.
pub fn let_go(board: Box<dyn Source>) {
    drop(board);
}

/// Work in progress, until its result is taken. Dropping it stops the work.
pub struct SlicedWork<T>(Box<dyn FnMut(GoesOn<'_>) -> Option<T> + Send + Sync>);

impl<T> SlicedWork<T> {
    /// Begins the work: `slice` is called once per picture until it returns a result.
    ///
    /// # Errors
    /// None here; the version with threads has some.
    pub fn begin(
        slice: impl FnMut(GoesOn<'_>) -> Option<T> + Send + Sync + 'static,
    ) -> Result<SlicedWork<T>, Infallible> {
        Ok(SlicedWork(Box::new(slice)))
    }

    /// Runs one slice and returns the result if there is one. Must be called with every
    /// picture.
    pub fn outcome(&mut self) -> Option<T> {
        (self.0)(&|| true)
    }
}

/// The time at which a file was saved. The type has no values, because there are no
/// files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {}

impl Stamp {
    /// `None`, because no file exists.
    #[must_use]
    pub fn of(_: &Path) -> Option<Stamp> {
        None
    }

    /// The time since the file was saved.
    #[must_use]
    pub fn age(self) -> Option<Duration> {
        match self {}
    }
}

/// Why there is no game of a name.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// No text of this name is compiled in.
    #[error("there is no built-in game called {0}")]
    NotBuiltIn(String),
    /// The text is wrong, or its game does not fit a board.
    #[error(transparent)]
    Text(#[from] TextGameError),
}

/// Reads the game of this name from the texts that are compiled in.
///
/// # Errors
/// If there is none, or its text is wrong.
pub fn read(choice: &Choice) -> Result<TextGame, GameFileError> {
    let name = choice.file.display().to_string();
    match choice.file.to_str().and_then(library::text) {
        Some(text) => Ok(written::of_text(&name, text, &choice.options)?),
        None => Err(GameFileError::NotBuiltIn(name)),
    }
}

/// Lets the conversation with a board go on before each picture and after it.
pub struct SystemPlugin;

impl Plugin for SystemPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (
                converse.before(SourceSet::Exchange),
                converse.after(SourceSet::Exchange),
            ),
        );
    }
}

/// Lets the conversation with the board go on, on the one thread that has it.
fn converse(_: NonSendMarker) {
    carrier::go_on();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_in_slices_until_there_is_an_outcome() {
        let mut slices = 0;
        let mut work = SlicedWork::begin(move |_| {
            slices += 1;
            (slices == 5).then_some(slices)
        })
        .unwrap();
        let outcomes: Vec<Option<u32>> = (0..5).map(|_| work.outcome()).collect();
        assert_eq!(outcomes, [None, None, None, None, Some(5)]);
    }

    #[test]
    fn only_built_in_texts_are_read_and_errors_name_the_file() {
        let choice = |text: &str| Choice::written(text).unwrap();
        assert_eq!(read(&choice("hex.lud#5x5")).unwrap().layout.points(), 25);
        let sentence = read(&choice("no-such-game.lud")).unwrap_err();
        let sentence = sentence.to_string();
        assert!(sentence.contains("no-such-game.lud"), "{sentence}");
    }
}
