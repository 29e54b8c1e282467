#![doc = include_str!("../README.md")]
//!
//! From the bottom up:
//!
//! 1. [`words`], [`hex`], [`wrap`]: how names, bytes and sentences are written; [`palette`],
//!    [`places`], [`case`], [`keys`]: colours, where points lie, a board's case, its keys.
//! 2. [`games`], [`game_names`]: what is known of each game, and its names;
//!    [`howto`], [`malaka`], [`written`]: their rules in words,
//!    one game's notation, games as texts; [`pieces`], [`piece_cache`], [`background`]: what lies on
//!    a board, and on what.
//! 3. [`standing`], [`display`], [`lamp`], [`position`], [`preview`], [`touches`], [`expected`]: how a
//!    game stands, and what a touch would do; [`event_words`], [`story`]: what happened, in words.
//! 4. [`driver`]: boards that are driven step by step; [`session`], [`recorder`]: what happened to
//!    them, and the way back; [`faulty`]: boards with faults; [`pins`]: boards seen at their pins.
//! 5. [`happening`], [`twin`]: boards that run by themselves, and copies that follow them;
//!    [`traffic`]: what crosses the line to them.
//! 6. [`divergence`], [`compare`], [`check`]: where two boards differ; [`state_fields`], [`signals`]:
//!    what is in a board, and when it changes; [`transcript`], [`scenario`]: sessions for people.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod background;
pub mod case;
pub mod check;
pub mod compare;
pub mod display;
pub mod divergence;
pub mod driver;
pub mod event_words;
pub mod expected;
pub mod faulty;
pub mod game_names;
pub mod games;
pub mod happening;
pub mod hex;
pub mod howto;
pub mod keys;
pub mod lamp;
pub mod malaka;
pub mod palette;
pub mod piece_cache;
pub mod pieces;
pub mod pins;
pub mod places;
pub mod position;
pub mod preview;
pub mod recorder;
pub mod scenario;
pub mod session;
pub mod signals;
pub mod standing;
pub mod state_fields;
pub mod story;
pub mod touches;
pub mod traffic;
pub mod transcript;
pub mod twin;
pub mod words;
pub mod wrap;
pub mod written;

pub use driver::{CoreDriver, Driver, DriverError};
pub use faulty::FaultyBoard;
pub use happening::{Happening, Run};
pub use recorder::{Recorder, RecordingDriver};
pub use session::{Session, SessionError};
pub use twin::Twin;
