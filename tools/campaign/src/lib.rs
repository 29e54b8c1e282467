//! The campaign: a host, a line with faults and a board, in one process and in virtual
//! time.
//!
//! A seed is everything: [`RunPlan::of`] derives from it the game, the layout, the settings,
//! the players, the line and what goes wrong with it, and [`run`] plays it. The host is a
//! [`Conversation`](touchboard_host::conversation::Conversation) with a
//! [`Twin`](touchboard_host::Twin), the board a [`Device`](firmware_core::Device), as in
//! every other program of this project; only the bytes between them are simulated.
//!
//! From the bottom up:
//!
//! 1. [`plan`]: what follows from a seed. [`less`]: what of it is left out, to shrink it.
//! 2. [`line`]: bytes on their way. [`spy`]: what the board really does.
//! 3. [`board`], [`host`]: the two ends. [`judge`]: what must never happen.
//! 4. [`world`]: both ends and the line in virtual time.
//! 5. [`campaign`]: many seeds. [`shrink`]: the shortest run that fails.
//!    [`sweep`]: how fast touches become lights; [`plot`]: the same as a picture.
//!
//! Invariants: nothing here reads a clock, a file or a source of randomness; the same
//! plan gives the same run, byte for byte.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod board;
pub mod campaign;
pub mod host;
pub mod judge;
pub mod less;
pub mod line;
mod log;
pub mod plan;
pub mod plot;
pub mod shrink;
pub mod spy;
pub mod sweep;
pub mod world;

pub use less::Less;
pub use plan::RunPlan;
pub use world::{RunLog, RunReport, run};
