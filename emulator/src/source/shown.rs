//! What the window knows of its board: the resource [`Shown`] and its parts.
//!
//! Systems of the scene and the workbench read it, and a source fills it. What belongs
//! together is one part with a name, so that a function takes the part that it needs.

use bevy::prelude::*;
use firmware_core::{Faults, games};
use protocol::{Frame, Layout, Point, Roster, Status, Tick};
use touchboard_host::Recorder;
use touchboard_host::pieces::Pieces;
use touchboard_host::recorder::Branch;

use super::stops::{StopCondition, StoppedAt};
use super::work::LongWork;

/// The highest speed that can be requested. No board reaches it, so the board runs as
/// fast as it can.
pub const FASTEST: f32 = 1_000.0;

/// Whether board time runs, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardPace {
    /// True if board time is frozen;
    /// [`WindowCommand::Step`](super::WindowCommand::Step) still advances it.
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

/// How a finger reaches the board, and what is known of its chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardHardware {
    /// How a click reaches the board at present.
    pub clicks: Clicks,
    /// Whether the board reports its contacts.
    pub contacts: ContactReports,
    /// The memory of the chip, if the build of its image measured it.
    pub memory: Option<ChipMemory>,
}

/// A board that restarted unexpectedly: another user reset it, or it lost its power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarted {
    /// The tick that it had reached before the restart.
    pub was_at: Tick,
    /// The tick to which
    /// [`WindowCommand::BringBack`](super::WindowCommand::BringBack) takes it; `None` if no
    /// state of it is known.
    pub can_return_to: Option<Tick>,
}

/// The game of a board that restarted or was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LostGame {
    /// The restart of the board, until the user has decided about the game.
    pub restarted: Option<Restarted>,
    /// The tick of the last known state of a board that is lost.
    pub kept: Option<Tick>,
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
pub struct Injectable {
    /// The faults that are active.
    pub faults: Faults,
    /// True if faults of contacts, lights, clock and power can be injected.
    pub board: bool,
    /// True if faults of the line can be injected.
    pub line: bool,
}

/// The recorded past of the board, and the place of its ticks there.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionPast {
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
}

impl Default for SessionPast {
    fn default() -> Self {
        SessionPast {
            earliest: None,
            latest: 0,
            later_ms: 0,
            jumps: 0,
            branches: Vec::new(),
            branch: 1,
        }
    }
}

impl SessionPast {
    /// The past that this recorder knows, after this number of jumps.
    #[must_use]
    pub fn of(recorder: &Recorder, jumps: u32) -> SessionPast {
        SessionPast {
            earliest: recorder.earliest(),
            latest: recorder.latest(),
            later_ms: recorder.time(0),
            jumps,
            branches: recorder.branches().to_vec(),
            branch: recorder.branch_number(),
        }
    }
}

/// The conditions at which time freezes or a mark is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeStops {
    /// All conditions, including those that are switched off.
    pub all: Vec<StopCondition>,
    /// The condition that froze time, until time continues.
    pub reached: Option<StoppedAt>,
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
    /// How a finger reaches the board, and its chip.
    pub hardware: BoardHardware,
    /// The result of comparing board and twin.
    pub twin: Agreement,
    /// The recorded past.
    pub past: SessionPast,
    /// The conditions at which time freezes or a mark is set.
    pub stops: TimeStops,
    /// The active faults, and those that can be injected.
    pub injectable: Injectable,
    /// The game of a board that restarted or was lost.
    pub lost: LostGame,
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
            hardware: BoardHardware::default(),
            twin: Agreement::default(),
            past: SessionPast::default(),
            stops: TimeStops::default(),
            injectable: Injectable::default(),
            lost: LostGame::default(),
            work: None,
        }
    }
}
