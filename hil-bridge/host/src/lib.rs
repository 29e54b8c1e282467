#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod blocks;
pub mod case;
pub mod check;
pub mod compare;
pub mod display;
pub mod divergence;
pub mod driver;
pub mod expected;
pub mod face;
pub mod games;
pub mod happening;
pub mod hex;
pub mod howto;
pub mod keys;
pub mod lamp;
pub mod leaves;
pub mod look;
pub mod malaka;
pub mod palette;
pub mod pieces;
pub mod pins;
pub mod places;
pub mod position;
pub mod preview;
pub mod recorder;
pub mod scenario;
pub mod sensed;
pub mod session;
pub mod signals;
pub mod standing;
pub mod story;
pub mod told;
pub mod touches;
pub mod traffic;
pub mod transcript;
pub mod twin;
pub mod words;
pub mod wrap;
pub mod written;

pub use driver::{CoreDriver, Driver, DriverError};
pub use happening::{Happening, Run};
pub use recorder::{Recorder, RecordingDriver};
pub use sensed::Sensed;
pub use session::{Session, SessionError};
pub use twin::Twin;
