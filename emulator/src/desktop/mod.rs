//! The command `emulator`: what stands in its options, before the first picture and
//! after the last.
//!
//! 1. [`options`]: the command line.
//! 2. [`remembered`]: what is as it was last time.
//! 3. [`prepare`]: the board to begin with, and what is done to it first.
//! 4. [`capture`], [`film`]: pictures that are kept.
//!    `own_panel`: a grid controller as the board's keys and lamps.
//! 5. [`app`]: all of it, put together for a window or for none.

pub mod app;
pub mod capture;
pub mod film;
pub mod options;
mod own_panel;
pub mod prepare;
pub mod remembered;

#[cfg(test)]
mod tour;
