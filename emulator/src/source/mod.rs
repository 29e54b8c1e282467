//! The source of the board: the boundary between the picture and any board.
//!
//! Scene and workbench only know two things: they write [`WindowCommand`] messages,
//! and they read [`Shown`]. Behind that is one [`Source`]: the core in this process,
//! a virtual board, an emulated microcontroller, or a real one. Nothing here needs a
//! thread, a file or a port; code that does is in `system`, most of which is only
//! built with the feature `desktop`.

pub mod core;
mod exchange;
mod log;
mod random;
pub mod rate;
mod rebuilt;
pub mod seat;
mod stops;
mod system;
mod trouble;
mod work;
pub mod written;

use std::path::PathBuf;
use std::time::Duration;

use bevy::prelude::*;
use firmware_core::{AnyBoard, Faults, games};
use protocol::{Deed, Event, Frame, Input, Layout, Point, Roster, StampedEvent, Status, Tick};
use touchboard_host::Driver;
use touchboard_host::pieces::Pieces;
use touchboard_host::recorder::{Branch, Rerun};
use touchboard_host::session::Session;
use touchboard_host::touches;
use touchboard_host::traffic::{LineFigures, LineRecord};

use exchange::{Reports, deliver, let_time_pass};
pub use log::{LOG_LINES, Log, LogEntry, LogLine};
pub use rate::RealRate;
pub use rebuilt::Rebuilt;
pub use seat::{Bring, Connect, OpenSession, PlayOn, Seat};
pub use stops::{StopCondition, StoppedAt, Triggers};
#[cfg(feature = "desktop")]
pub use system::desktop::{
    ConsoleLine, Overheard, Save, SaveOnRequest, SaveSignals, Saved, SessionFolder, ShellConsole,
    Speaker, Watched, free_name, is_possible, remote,
};
pub use system::{At, Where, open};
pub use trouble::{RequestKind, Trouble};
pub use work::{CancelWork, ConsoleWork, FileWork, LongWork};

/// The note in the first line of a recorded session.
pub(crate) const NOTE: &str = "from the emulator";

/// The message if the board was replaced before the console could use it.
const NOT_LENT: &str = "there is another board now: type the line again";

/// The message for a command to a board that is lent to the console.
const AT_WORK: &str = "the console is using the board: wait until it is done, or cancel it";

/// The beginning of a session's note that lists the injected faults.
pub(crate) const FAULTS: &str = "faults: ";

/// The note in a session for a change of the board's faults.
fn faults_words(faults: &Faults) -> String {
    format!("{FAULTS}{faults}")
}

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
        /// The index in [`Shown::branches`].
        branch: usize,
        /// The tick to go to.
        tick: Tick,
    },
    /// Add a mark with this text at the present moment.
    Mark(String),
    /// Freeze time when one of these conditions that is switched on comes true. They
    /// replace all earlier conditions.
    StopWhen(Vec<StopCondition>),
    /// Replace all injected faults by these.
    Break(Box<Faults>),
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
            | WindowCommand::Break(_)
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

/// The highest speed that can be requested. No board reaches it, so the board runs as
/// fast as it can.
pub const FASTEST: f32 = 1_000.0;

/// Whether board time runs, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardPace {
    /// True if board time is frozen; [`WindowCommand::Step`] still advances it.
    pub frozen: bool,
    /// The ratio of board time to real time, 0.01 to [`FASTEST`].
    pub speed: f32,
}

impl Default for BoardPace {
    fn default() -> Self {
        BoardPace {
            frozen: false,
            speed: 1.0,
        }
    }
}

impl BoardPace {
    /// The same speed, frozen if time runs and running if it is frozen.
    #[must_use]
    pub fn toggled(self) -> BoardPace {
        BoardPace {
            frozen: !self.frozen,
            ..self
        }
    }
}

/// How the board is connected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BoardLink {
    /// The board is reached by function calls, so it is always connected.
    #[default]
    Direct,
    /// The line is being opened.
    Searching,
    /// The board is connected and answers.
    Up {
        /// The kind of the board, in its own words.
        board: String,
    },
    /// The board does not answer any more; the sentence says what happened.
    Down(String),
}

impl BoardLink {
    /// True while the board answers: the display is current, and commands reach the
    /// board.
    #[must_use]
    pub fn answers(&self) -> bool {
        matches!(self, BoardLink::Direct | BoardLink::Up { .. })
    }

    /// True once the board does not answer any more.
    #[must_use]
    pub fn is_down(&self) -> bool {
        matches!(self, BoardLink::Down(_))
    }
}

/// How a click in the window reaches the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clicks {
    /// Through its contacts, which are simulated and debounced like real ones.
    #[default]
    OverSensors,
    /// As messages of the protocol, which report a touch without debouncing.
    AsMessages,
}

/// Whether a board reports what its contacts do, before they are debounced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactReports {
    /// The contacts are simulated, and reported from the first touch on.
    Told,
    /// The board has real contacts or none, and reports nothing of them.
    #[default]
    Untold,
}

/// The memory that a board's image needs and that its chip has, both in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChipMemory {
    /// Flash: the bytes that the image takes, and those of the chip.
    pub flash_bytes: [u64; 2],
    /// RAM: the bytes of variables, and those of the chip. The rest is for the stack.
    pub ram_bytes: [u64; 2],
}

/// A board that restarted unexpectedly: another user reset it, or it lost its power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarted {
    /// The tick that it had reached before the restart.
    pub was_at: Tick,
    /// The tick to which [`WindowCommand::BringBack`] takes it; `None` if no state of it
    /// is known.
    pub can_return_to: Option<Tick>,
}

/// The last known state of a board that was lost or restarted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastState {
    /// The tick of the state.
    pub tick: Tick,
    /// The state as bytes of a snapshot.
    pub state: Vec<u8>,
}

/// Whether the board shows the same as its twin, which gets the same inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Agreement {
    /// There is only one board: nothing to compare.
    #[default]
    Alone,
    /// The board's digest is not known, or not yet.
    Unknown,
    /// All digests compared so far were equal.
    Agrees {
        /// The number of digests compared so far.
        compared: u64,
    },
    /// They differ; the sentence names the first tick, the field and both values.
    Differs(String),
}

/// The active faults of board and line, and those that can be injected at present.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakable {
    /// The faults that are active.
    pub faults: Faults,
    /// True if faults of contacts, lights, clock and power can be injected.
    pub board: bool,
    /// True if faults of the line can be injected.
    pub line: bool,
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

/// The content of the board's display, and what is known about the board. The resource is
/// only marked as changed if its content differs.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Shown {
    /// The board's layout.
    pub layout: Layout,
    /// The games that the board has.
    pub roster: Roster,
    /// The frame: all lights, the display and the beeper.
    pub frame: Frame,
    /// The settings, and the status of the game.
    pub status: Status,
    /// The points at which a touch is a move now, in order.
    pub legal: Vec<Point>,
    /// The pieces to draw on the points, if the game has any.
    pub pieces: Option<Pieces>,
    /// The pace of board time.
    pub pace: BoardPace,
    /// The state of the connection.
    pub link: BoardLink,
    /// How a click reaches the board at present.
    pub clicks: Clicks,
    /// Whether the board reports its contacts.
    pub contacts: ContactReports,
    /// The memory of the chip, if the build of its image measured it.
    pub memory: Option<ChipMemory>,
    /// The result of comparing board and twin.
    pub twin: Agreement,
    /// The earliest tick to which the board can go back; `None` if it cannot go back.
    pub earliest: Option<Tick>,
    /// The last tick of the recording. It is later than the present after going back, and
    /// during a replay; otherwise it may be in the past.
    pub latest: Tick,
    /// Session time minus the board's tick, in ms. It grows when the board restarts,
    /// because its ticks begin again. Lights blink by the tick.
    pub later_ms: Tick,
    /// The number of jumps to another time. Events that a jump skips are not
    /// reported again.
    pub jumps: u32,
    /// The branches that were left, oldest first.
    pub branches: Vec<Branch>,
    /// The number of the branch that is shown.
    pub branch: u32,
    /// The conditions at which time freezes, including those that are switched off.
    pub stops: Vec<StopCondition>,
    /// The condition that froze time, until time continues.
    pub stopped_at: Option<StoppedAt>,
    /// The active faults, and those that can be injected.
    pub breakable: Breakable,
    /// The restart of the board, until the user has decided about the game.
    pub restarted: Option<Restarted>,
    /// The tick of the last known state of a board that is lost.
    pub kept: Option<Tick>,
    /// The work in progress that takes longer than a moment, if any.
    pub work: Option<LongWork>,
}

impl Default for Shown {
    fn default() -> Self {
        Shown {
            layout: Layout::MALDOO,
            roster: games::ROSTER,
            frame: Frame::default(),
            status: Status::default(),
            legal: Vec::new(),
            pieces: None,
            pace: BoardPace::default(),
            link: BoardLink::default(),
            clicks: Clicks::default(),
            contacts: ContactReports::default(),
            memory: None,
            twin: Agreement::default(),
            earliest: None,
            latest: 0,
            later_ms: 0,
            jumps: 0,
            branches: Vec::new(),
            branch: 1,
            stops: Vec::new(),
            stopped_at: None,
            breakable: Breakable::default(),
            restarted: None,
            kept: None,
            work: None,
        }
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

/// A board, wherever it runs, as the window needs it.
pub trait Source: Send + Sync {
    /// The name for the status line: `simulated`, `virtual`, a port.
    fn name(&self) -> String;

    /// Carries out a command.
    ///
    /// # Errors
    /// A sentence that says why it cannot be carried out.
    fn obey(&mut self, command: &WindowCommand) -> Result<(), String>;

    /// The session so far.
    ///
    /// # Errors
    /// A sentence that says why it is not known here, and where it is.
    fn session(&self) -> Result<Session, String>;

    /// The session so far, with the recorded deeds ahead of the present.
    ///
    /// # Errors
    /// As [`Source::session`].
    fn whole_session(&self) -> Result<Session, String> {
        self.session()
    }

    /// Lets `elapsed` of real time pass, updates `shown`, and reports the events since
    /// the last call. Returns the tick.
    ///
    /// # Errors
    /// A sentence for the user; the board may still recover.
    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String>;

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

/// A board that can be lent to the console, which drives it step by step over several
/// pictures.
pub trait Lendable {
    /// Begins the loan. Until the board is [taken back](Lendable::take_back), its time
    /// passes in no other way, and no other command acts on it.
    ///
    /// # Errors
    /// A sentence that says why it cannot be lent now.
    fn lend(&mut self) -> Result<(), String>;

    /// Ends the loan, if there is one: the board's time passes again as before it.
    fn take_back(&mut self);

    /// The board, to be driven while it is lent.
    ///
    /// # Errors
    /// A sentence, if it is not lent.
    fn drive(&mut self) -> Result<&mut dyn Driver, String>;
}

/// A board at the end of a line, which can be lost and can differ from its twin.
pub trait AtLine {
    /// The states of board and twin at their first known difference.
    fn parted(&self) -> Option<&Parted>;

    /// The last known state of the board, if the board is lost or restarted.
    fn kept(&self) -> Option<&LastState>;

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
            .init_resource::<Seat>()
            .init_resource::<FileWork>()
            .init_resource::<ConsoleWork>()
            .add_message::<CancelWork>()
            .add_plugins((written::WrittenPlugin, system::SystemPlugin))
            .add_message::<Connect>()
            .add_message::<Bring>()
            .add_message::<PlayOn>()
            .add_message::<OpenSession>()
            .add_message::<WindowCommand>()
            .add_message::<Happened>()
            .add_systems(
                Update,
                (seat::connect, deliver, let_time_pass)
                    .chain()
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<ShownBoard>),
            );
    }
}
