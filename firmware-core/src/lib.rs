//! The touch board itself: a deterministic machine. Inputs and elapsed ticks go
//! in, light comes out.
//!
//! From the bottom up:
//!
//! 1. [`word`], [`points`], [`grid`], [`rng`]: sets of points, their geometry,
//!    and chance.
//! 2. [`game`]: what a game is; [`games`]: the games, a file each.
//!
//! What always holds: no clock, no entropy, no global, no allocation, no
//! `unsafe`, no float; the same settings, seed and inputs give the same state
//! at every tick on every machine.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(test)]
extern crate std;

pub mod game;
pub mod games;
pub mod grid;
pub mod points;
pub mod rng;
pub mod word;

pub use game::{About, Act, Canvas, Context, Game, Illegal, Player, TimeOut, Touch};
pub use grid::{Direction, Grid};
pub use points::Points;
pub use rng::Rng;
pub use word::{Wide, Word};
