//! The command `emulator`: its options, and what happens before the first picture and
//! after the last.
//!
//! 1. [`options`]: the command line.
//! 2. [`remembered`]: the settings kept between runs.
//! 3. [`prepare`]: the initial board, and the session or scenario that runs on it first;
//!    [`loading`]: reports of its progress; [`start_error`]: why there is no board.
//!    `unfinished`: the game that was on the board when the window was last closed.
//! 4. [`capture`], [`film`]: screenshots and films.
//! 5. `own_panel`: a grid controller as the board's keys and lamps.
//! 6. [`app`]: all of it, assembled with or without a window.

pub mod app;
pub mod capture;
pub mod film;
pub mod loading;
pub mod options;
mod own_panel;
pub mod prepare;
pub mod remembered;
pub mod start_error;
mod unfinished;

#[cfg(test)]
mod tour;
