//! Lines to a touch board, real or emulated, and the conversation over them.
//!
//! From the bottom up:
//!
//! 1. [`link`]: bytes to and from a board, over any line.
//! 2. [`client`]: the conversation, which survives a bad line.
//! 3. [`remote`]: a board at the end of a line, driven step by step.
//! 4. [`at`], [`qemu`], [`pico`]: the place of a board, and the connection to it, with
//!    passwords and certificates if another machine shares it.
//! 5. [`go_to`]: going back to an earlier moment on such a board.
//! 6. [`watch`]: changing firmware in the middle of a game; [`bootsel`]: copying firmware
//!    to a board.
//! 7. [`session_file`], [`games`]: sessions, and games that users write, in files.
//!    [`GrowingFile`]: a log or a capture. [`time_limit`]: a limit for shrinking.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod at;
pub mod bootsel;
pub mod client;
pub mod games;
pub mod go_to;
mod growing_file;
mod image_file;
mod last_words;
pub mod link;
pub mod pico;
mod process;
pub mod qemu;
pub mod remote;
mod secret_file;
pub mod session_file;
pub mod time_limit;
pub mod watch;

pub use at::{Access, At, LineOptions, SharedBy, Where};
pub use client::{Client, ClientOptions, Dial};
pub use growing_file::GrowingFile;
pub use image_file::ImageMemory;
pub use remote::RemoteDriver;
pub use session_file::{SessionFile, SessionFileError, SessionInFile};
pub use touchboard_host::link_error::LinkError;
pub use watch::{News, Watch, WatchTarget, Watching};
