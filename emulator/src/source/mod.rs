//! The source of the board: the boundary between the picture and any board.
//!
//! Scene and workbench only know two things: they write [`WindowCommand`] messages,
//! and they read [`Shown`]. Behind that is one [`Source`]: the core in this process,
//! a virtual board, an emulated microcontroller, or a real one. Nothing here needs a
//! thread, a file or a port; code that does is in `system`, most of which is only
//! built with the feature `desktop`.

pub mod at_table;
mod connecting;
pub mod core;
mod delivery;
mod error;
mod exchange;
mod log;
mod open_board;
pub mod places;
mod random;
pub mod rate;
mod rebuilt;
pub mod remote;
mod reports;
mod shown;
mod stops;
mod system;
mod trouble;
mod unfinished;
mod usual_level;
mod work;
pub mod written;

use std::path::PathBuf;
use std::time::Duration;

use bevy::prelude::*;
use firmware_core::{AnyBoard, EventSink, Faults};
use protocol::{Deed, Input, Point, StampedEvent, Tick};
use touchboard_host::Driver;
use touchboard_host::recorder::{KeptPast, Rerun};
use touchboard_host::session::Session;
use touchboard_host::signals::LineWaves;
use touchboard_host::touches;
use touchboard_host::traffic::{LineFigures, LineRecord};

use connecting::connect;
use delivery::deliver;
pub use error::SourceError;
use exchange::let_time_pass;
pub use log::{LOG_LINES, Log, LogEntry, LogLine, minutes};
pub use open_board::open;
pub use places::{BoardPlaces, Bring, Connect, NextBoard, OpenSession, PlayOn};
pub use rate::RealRate;
pub use rebuilt::Rebuilt;
#[cfg(feature = "desktop")]
use reports::Reports;
pub use shown::{
    Agreement, BoardHardware, BoardLink, BoardPace, ChipMemory, Clicks, ContactReports, FASTEST,
    Injectable, LostGame, Restarted, SessionPast, Shown, TimeStops,
};
pub use stops::{Reached, StopAction, StopCondition, StoppedAt, Triggers};
#[cfg(not(feature = "desktop"))]
pub use system::bare::carrier;
#[cfg(feature = "desktop")]
pub use system::desktop::{
    ConsoleLine, EventCopies, Save, SaveFilm, SaveOnRequest, SaveSignals, Saved, SessionFolder,
    ShellConsole, Speaker, Watched, check_place, free_name, is_film_file, is_picture_file,
    last_seconds, with_record,
};
pub use system::{At, Where};
pub use trouble::{RequestKind, Trouble};
pub use unfinished::{ComesBack, UnfinishedAnswer, UnfinishedGame};
pub use usual_level::UsualLevel;
pub use work::{CancelWork, ConsoleWork, FileWork, LongWork};

/// The note in the first line of a recorded session.
pub(crate) const NOTE: &str = "from the window";

/// A request from the window to the board.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum WindowCommand {
    /// Carry out this deed now.
    Do(Deed),
    /// Run board time at this pace, or freeze it.
    Pace(BoardPace),
    /// Let this many ticks pass while time is frozen.
    Step(u32),
    /// Go back by this many ticks, or to the earliest known tick, and freeze time there.
    StepBack(u32),
    /// Go to this tick, earlier or later, and freeze time there.
    GoTo(Tick),
    /// Go to this tick of a branch that was left, and freeze time there.
    GoToBranch {
        /// The index in [`SessionPast::branches`].
        branch: usize,
        /// The tick to go to.
        tick: Tick,
    },
    /// Add a mark with this text at the present moment.
    Mark(String),
    /// Freeze time, or set a mark, when one of these conditions that is switched on comes
    /// true. They replace all earlier conditions.
    StopWhen(Vec<StopCondition>),
    /// Replace all injected faults by these.
    InjectFaults(Box<Faults>),
    /// Shrink the inputs that led to the first difference between board and twin, and
    /// save them in this folder.
    Shrink(PathBuf),
    /// Cancel the work in [`Shown::work`].
    Cancel,
    /// Bring back the game that was on a board before it restarted.
    BringBack,
    /// Keep the board in its state after the restart.
    LeaveIt,
}

impl WindowCommand {
    /// True for commands that act on the board, or take it to another moment.
    #[must_use]
    pub fn moves_board(&self) -> bool {
        match self {
            WindowCommand::Do(_)
            | WindowCommand::Step(_)
            | WindowCommand::StepBack(_)
            | WindowCommand::GoTo(_)
            | WindowCommand::GoToBranch { .. }
            | WindowCommand::InjectFaults(_)
            | WindowCommand::Shrink(_)
            | WindowCommand::BringBack => true,
            WindowCommand::Pace(_)
            | WindowCommand::Mark(_)
            | WindowCommand::StopWhen(_)
            | WindowCommand::Cancel
            | WindowCommand::LeaveIt => false,
        }
    }
}

impl From<Input> for WindowCommand {
    fn from(input: Input) -> WindowCommand {
        WindowCommand::Do(Deed::Input(input))
    }
}

/// Session time, which continues when the board restarts. It is not part of [`Shown`],
/// because it changes with every picture.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardTime(pub Tick);

/// Whether the first frame has been drawn. Board time waits for it, so that nothing
/// is missed.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curtain {
    /// Nothing has been drawn yet: board time waits.
    Closed,
    /// The first frame has been drawn: board time passes.
    #[default]
    Open,
}

/// When the link last changed state, in real time since the start.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkSince(pub Duration);

/// An event of the board, at session time.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Happened(pub StampedEvent);

/// The last known state of a board that was lost or restarted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastState {
    /// The tick of the state.
    pub tick: Tick,
    /// The state as bytes of a snapshot.
    pub state: Vec<u8>,
}

/// Board and twin at the first moment at which their states are known to differ.
#[derive(Clone, Debug)]
pub struct Parted {
    /// The first tick at which their digests differed.
    pub tick: Tick,
    /// The twin, once the board has sent its state.
    pub twin: AnyBoard,
    /// The board's own state, at the same tick as the twin.
    pub board: AnyBoard,
}

/// A board, wherever it runs, as the window needs it.
pub trait Source: Send + Sync {
    /// The name for the status line: `simulated`, `virtual`, a port.
    fn name(&self) -> String;

    /// Carries out a command.
    ///
    /// # Errors
    /// If it cannot be carried out now, or never on this board.
    fn obey(&mut self, command: &WindowCommand) -> Result<(), SourceError>;

    /// The session so far.
    ///
    /// # Errors
    /// [`SourceError::NothingKnown`] before a board at the end of a line has sent its state.
    fn session(&self) -> Result<Session, SourceError>;

    /// The session so far, with the recorded deeds ahead of the present.
    ///
    /// # Errors
    /// As [`Source::session`].
    fn whole_session(&self) -> Result<Session, SourceError> {
        self.session()
    }

    /// The past from the last known moment that is not after session time `from`; `None` if
    /// the board is not in this process.
    ///
    /// # Errors
    /// If the board's past cannot be kept.
    fn kept_past(&mut self, from: Tick) -> Result<Option<KeptPast>, SourceError> {
        let _ = from;
        Ok(None)
    }

    /// Continues this past on the board.
    ///
    /// # Errors
    /// [`SourceError::Elsewhere`], or if this board cannot have that past.
    fn resume(&mut self, past: KeptPast) -> Result<(), SourceError> {
        let _ = past;
        Err(SourceError::Elsewhere)
    }

    /// Lets `elapsed` of real time pass, updates `shown`, and reports the events since
    /// the last call. Returns the tick.
    ///
    /// # Errors
    /// What went wrong since the last call; the board may still recover.
    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: EventSink<'_>,
    ) -> Result<Tick, SourceError>;

    /// Brings `shown` up to date, as far as possible, before time first passes.
    fn preview(&mut self, shown: &mut Shown) {
        let _ = shown;
    }

    /// Takes the sentences for the user since the last call that `shown` does not
    /// contain, such as that a key may be stuck, or the board's own log lines.
    fn take_said(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Why a touch of this point is not a legal move, if that is known here.
    fn why(&mut self, point: Point) -> Option<String> {
        touches::why(&self.copy()?, point)
    }

    /// A copy of the board in its current state, for inspection; `None` if the
    /// state is not known.
    fn copy(&mut self) -> Option<AnyBoard> {
        None
    }

    /// The board as one that can be lent to the console; `None` if it cannot.
    fn lendable(&mut self) -> Option<&mut dyn Lendable> {
        None
    }

    /// The session time of a tick of the board, counted since its last restart.
    fn time_of(&self, tick: Tick) -> Tick;

    /// The board as one at the end of a line; `None` if it is in this process.
    fn at_line(&self) -> Option<&dyn AtLine> {
        None
    }

    /// Takes the result of replaying the session after the firmware was rebuilt, if that
    /// happened since the last call.
    fn take_rerun(&mut self) -> Option<Rerun> {
        None
    }

    /// Replaces this source, which may need a moment to close its line; the picture must
    /// not wait for that.
    fn come_after(&mut self, before: Box<dyn Source>) {
        system::let_go(before);
    }
}

/// A board and its place.
type Opened = (Box<dyn Source>, Where);

/// A board that can be lent to the console, which drives it step by step over several
/// pictures.
pub trait Lendable {
    /// Begins the loan. Until the board is [taken back](Lendable::take_back), its time
    /// passes in no other way, and no other command acts on it.
    ///
    /// # Errors
    /// If it cannot be lent now.
    fn lend(&mut self) -> Result<(), SourceError>;

    /// Ends the loan, if there is one: the board's time passes again as before it.
    fn take_back(&mut self);

    /// The board, to be driven while it is lent.
    ///
    /// # Errors
    /// [`SourceError::NotLent`], or [`SourceError::Down`].
    fn drive(&mut self) -> Result<&mut dyn Driver, SourceError>;
}

/// A board at the end of a line, which can be lost and can differ from its twin.
pub trait AtLine {
    /// The states of board and twin at their first known difference.
    fn parted(&self) -> Option<&Parted>;

    /// The last known state of the board, if the board is lost or restarted.
    fn kept(&self) -> Option<&LastState>;

    /// The bytes on the line at each ms of the session, if the line is recorded.
    fn line_waves(&self) -> Option<&LineWaves>;

    /// Calls `look` with the record of the line, if the line is recorded.
    fn look_at_line(&self, look: &mut dyn FnMut(&LineRecord, &LineFigures));
}

/// The board that is shown.
#[derive(Resource)]
pub struct ShownBoard(pub Box<dyn Source>);

/// The order of work within one picture.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SourceSet {
    /// Commands reach the board, time passes, and [`Shown`] is brought up to date.
    Exchange,
}

/// Passes commands to the board, and the board's display to the window.
pub struct SourcePlugin;

impl Plugin for SourcePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Shown>()
            .init_resource::<BoardTime>()
            .init_resource::<Curtain>()
            .init_resource::<LinkSince>()
            .init_resource::<RealRate>()
            .init_resource::<Trouble>()
            .init_resource::<Log>()
            .init_resource::<Rebuilt>()
            .init_resource::<BoardPlaces>()
            .init_resource::<NextBoard>()
            .init_resource::<UsualLevel>()
            .init_resource::<FileWork>()
            .init_resource::<ConsoleWork>()
            .add_message::<CancelWork>()
            .add_plugins((written::WrittenPlugin, system::SystemPlugin))
            .add_message::<Connect>()
            .add_message::<Bring>()
            .add_message::<PlayOn>()
            .add_message::<UnfinishedAnswer>()
            .add_message::<OpenSession>()
            .add_message::<WindowCommand>()
            .add_message::<Happened>()
            .add_systems(
                Update,
                (
                    connect,
                    deliver,
                    let_time_pass,
                    (unfinished::withdraw, usual_level::note_level),
                )
                    .chain()
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<ShownBoard>),
            );
    }
}
