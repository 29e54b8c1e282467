#![doc = include_str!("../README.md")]
//!
//! From the bottom up:
//!
//! 1. [`words`], [`hex`], [`wrap`]: how names, bytes and sentences are written;
//!    [`case`], [`places`], [`keys`], [`pieces`], [`palette`]: what a board looks like.
//! 2. [`games`], [`game_names`]: what is known of each game, and its names; [`howto`],
//!    [`malaka`], [`written`]: their rules in words, one game's notation, games as texts;
//!    [`position`], [`position_error`]: positions as texts, and why a text is not one;
//!    [`piece_cache`], [`background`]: what lies on a board, and on what.
//! 3. [`driver`]: boards that are driven step by step; [`faulty`]: boards with faults;
//!    [`pins`]: boards seen at their pins. [`standing`], [`display`], [`light_meaning`],
//!    [`touches`], [`expected`], [`preview`], [`event_words`], [`story`]: what goes on in
//!    a game, in words.
//! 4. [`happening`], [`twin`]: boards that run by themselves, and copies that follow them;
//!    [`conversation`], [`client`], [`link_error`]: the host's end of a line to them;
//!    [`traffic`]: what crosses the line to them. [`session`], [`recorder`],
//!    [`kept_game`], [`transcript`], [`scenario`]: what happened to a board, as a file, as a
//!    recording that can be gone back in, as a game that continues later, and in words.
//!    [`go_to`]: the way to another moment of a board at a line.
//! 5. [`divergence`], [`compare`], [`check`]: where two boards differ; [`state_fields`],
//!    [`signals`]: what is in a board, and when it changes.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod appearance;
pub mod background;
pub mod check;
pub mod client;
mod commentary;
pub mod compare;
pub mod conversation;
pub mod divergence;
pub mod driver;
pub mod faulty;
pub mod game_names;
pub mod games;
pub mod go_to;
pub mod happening;
pub mod hex;
pub mod howto;
pub mod link_error;
pub mod malaka;
mod note_kind;
mod past;
pub mod piece_cache;
pub mod pins;
pub mod position;
pub mod position_error;
pub mod signals;
pub mod state_fields;
pub mod traffic;
pub mod twin;
pub mod words;
pub mod wrap;
pub mod written;

// These modules have one path; the folders only group their files.
pub use appearance::{case, keys, palette, pieces, places};
pub use commentary::{
    display, event_words, expected, light_meaning, preview, standing, story, touches,
};
pub use driver::{CoreDriver, Driver, DriverError};
pub use faulty::FaultyBoard;
pub use happening::{Happening, MetRun};
pub use past::{kept_game, recorder, scenario, session, transcript};
pub use recorder::{Recorder, RecordingDriver};
pub use session::{Session, SessionError};
pub use twin::Twin;
