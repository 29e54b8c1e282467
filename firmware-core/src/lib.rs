//! The touch board itself: a deterministic state machine. Inputs and elapsed ticks go in;
//! light and sound come out.
//!
//! From the bottom up:
//!
//! 1. [`word`], [`points`], [`grid`], [`ground`]: sets of points and their geometry;
//!    [`rng`]: random numbers; [`digest`]: a state as one number;
//!    [`event_sink`]: who is told of events.
//! 2. [`game`]: what a game is; [`games`]: the games, a module each; [`minds`]: how the
//!    board thinks; `thought`: its results so far, for hosts; [`scatter`],
//!    [`two_colours`]: code that several games share.
//! 3. [`cartridge`]: games that are written as texts and compiled to a program, and the
//!    machine that plays them; [`state_reader`]: reading a saved state back.
//! 4. [`panel`], [`referee`]: what is the same for all games; [`beeper`]: the sounds.
//! 5. [`board`]: all of this, and the only thing that boards and hosts hold;
//!    [`any_board`]: a board of any width; [`best`]: the best scores; [`keeping`]: a board
//!    that keeps them.
//! 6. [`device`]: a board at the end of a line; [`any_width`]: its requirements on a
//!    board; [`debounce`]: the debouncing of sensors; [`stuck_keys`]: keys that may be
//!    stuck; [`scan`]: the lines of a matrix of contacts; [`front_panel`]: the contacts
//!    and lights at the pins of a chip; [`self_test`]: a test of these; [`segments`]: the
//!    segments of a character on the display.
//! 7. For hosts without a real board: [`faults`]: simulated faults of a line and a board;
//!    [`sensors`]: the complete path from a finger to an input;
//!    [`matrix`](crate::Matrix): fingers on the sensors, in time; [`broken`]: boards with
//!    a defect; `table`: a game without a board and a referee.
//!
//! Invariants: no clock, no entropy, no globals, no allocation, no `unsafe`, no floats;
//! the same settings, seed and inputs give the same state at every tick on every machine.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod any_board;
pub mod any_width;
pub mod beeper;
pub mod best;
pub mod board;
pub mod broken;
#[cfg(feature = "cartridge")]
pub mod cartridge;
pub mod debounce;
pub mod device;
pub mod digest;
pub mod event_sink;
pub mod faults;
pub mod front_panel;
pub mod game;
pub mod games;
pub mod grid;
pub mod ground;
pub mod keeping;
#[cfg(any(test, feature = "std"))]
pub mod matrix;
pub mod minds;
pub mod panel;
#[cfg(any(test, feature = "std"))]
mod panic_text;
pub mod points;
pub mod referee;
pub mod rng;
pub mod scan;
pub mod scatter;
mod seen;
pub mod segments;
pub mod self_test;
pub mod sensors;
pub mod state_reader;
pub mod stuck_keys;
#[cfg(any(test, feature = "host"))]
pub mod table;
#[cfg(feature = "host")]
pub mod thought;
pub mod two_colours;
pub mod word;

pub use any_board::AnyBoard;
pub use any_width::AnyWidth;
pub use best::{BEST_BYTES, BestScores};
pub use board::{Board, SNAPSHOT_BYTES};
pub use broken::Broken;
pub use debounce::Debounce;
pub use device::{Device, Identity};
pub use event_sink::{EventSink, silent};
pub use faults::{Fault, Faults};
pub use front_panel::{Front, FrontPanel, NoPanel, Seen};
pub use game::{
    About, BETWEEN_CHARACTERS, BoardTurn, Canvas, Caption, Context, Game, Illegal, Player, Rules,
    TimeOut, Touch,
};
pub use grid::{Direction, Grid};
pub use ground::Ground;
pub use keeping::Keeping;
#[cfg(any(test, feature = "std"))]
pub use matrix::Matrix;
#[cfg(any(test, feature = "std"))]
pub use panic_text::panic_text;
pub use points::Points;
pub use rng::Rng;
pub use sensors::{Felt, Sensors};
pub use stuck_keys::StuckKeys;
pub use word::{Wide, Word};
