//! A real or emulated board at the end of a serial port, and everything that a
//! host does with it.
//!
//! From the bottom up:
//!
//! 1. [`link`]: bytes to a board and back, over whatever line.
//! 2. [`client`]: the conversation over it, that survives a bad line.
//! 3. [`driver`], [`remote`]: a board that can be driven step by step, in this
//!    process or at the end of a line.
//! 4. [`at`], [`qemu`]: where a board is, and the way there.
//! 5. [`words`]: what happens on a board, in words; [`standing`]: how a game on it
//!    stands; [`display`]: what its display says, without the manual; [`howto`]: how
//!    its games are played; [`story`]: what happened, a line a move; [`palette`]: what
//!    its colours look like and are called; [`pieces`]: what lies on it besides;
//!    [`face`]: what is painted under it; [`blocks`]: those of TicDabToe by name;
//!    [`touches`]: what a touch of each point would be, and why it is none;
//!    [`whole_file`]: files that are there whole or not at all.
//! 6. [`session`]: what happened on a board, in a file; [`recorder`]: what writes
//!    it down while it happens, and goes back in it; [`transcript`]: that file as
//!    a person reads it.
//! 7. [`compare`], [`twin`]: whether a board is what it should be, and where it
//!    is not.
//! 8. [`check`]: trying to make them disagree; [`watch`]: firmware that is changed
//!    in the midst of a game.
//! 9. [`written`]: games that somebody wrote, from the text to the board. [`shell`]: one small language for people, pipes and scenario files.
//! 10. [`mirror`]: a board in the terminal, live; [`keys`]: the keys of a board,
//!     there and in a window; [`places`]: where its points lie, for both.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod at;
pub mod blocks;
pub mod check;
pub mod client;
pub mod compare;
pub mod display;
pub mod divergence;
pub mod driver;
pub mod face;
pub mod games;
pub mod hex;
pub mod howto;
pub mod keys;
mod leaves;
pub mod link;
pub mod look;
pub mod malaka;
pub mod mirror;
pub mod page;
pub mod palette;
pub mod pieces;
pub mod places;
pub mod position;
mod process;
pub mod qemu;
pub mod recorder;
pub mod remote;
pub mod sensed;
pub mod session;
pub mod shell;
pub mod standing;
pub mod story;
pub mod told;
pub mod touches;
pub mod transcript;
pub mod twin;
pub mod watch;
pub mod words;
mod wrap;
pub mod written;

pub use virtual_board::{keep, whole_file};

pub use at::{At, LineOptions, Where};
pub use client::{Client, ClientOptions, Dial};
pub use driver::{BridgeError, CoreDriver, Driver};
pub use recorder::{Recorder, RecordingDriver};
pub use remote::RemoteDriver;
pub use sensed::Sensed;
pub use session::{Session, SessionError};
pub use twin::Twin;
pub use watch::{News, Watch, Watched, Watching};
