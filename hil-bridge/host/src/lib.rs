#![doc = include_str!("../README.md")]
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
