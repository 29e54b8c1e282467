//! The messages between a touch board and its host, and their encoding as bytes. This
//! is the lowest package of the project: it depends on no other.
//!
//! From the bottom up:
//!
//! 1. [`Point`], [`Layout`], [`Drawing`], [`Colour`], [`Rhythm`], [`Frame`]: the look
//!    of a board.
//! 2. [`Input`], [`Button`], [`Roster`], [`Settings`], [`Deed`]: actions on it.
//! 3. [`Event`]: events on it.
//! 4. [`ToDevice`], [`ToHost`]: the messages.
//! 5. [`wire`]: the encoding of messages.
//!
//! Invariants: no allocation; no `unsafe`; the maximum size of every message is known
//! at compile time; every message has exactly one encoding. Bytes that differ from the
//! output of [`wire::encode`] are refused, except for additional zeros between frames.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(feature = "std")]
extern crate std;

mod colour;
mod deed;
mod drawing;
mod event;
mod frame;
mod input;
mod known;
mod layout;
mod list;
mod message;
#[cfg(feature = "std")]
mod naming;
mod position;
mod rhythm;
mod roster;
mod settings;
mod severity;
mod side;
#[cfg(feature = "std")]
mod sketch;
pub mod wire;

pub use colour::Colour;
pub use deed::Deed;
pub use drawing::{DRAWING_BYTES, Drawing, DrawingError, GAME_BYTES, MAX_WAYS, drawing_bytes};
pub use event::{Audience, Event, StampedEvent, Stop};
pub use frame::{DISPLAY_CHARACTERS, Frame, FrameDelta, Lit, MAX_POINTS, Packed, Rhythms};
pub use input::{Button, Input};
pub use known::KnownDrawing;
#[cfg(feature = "std")]
pub use known::{KnownDrawings, KnownLayout};
pub use layout::{GridSize, Layout, LayoutError, Name, Place, Point, PointError};
pub use list::{List, Text};
pub use message::{
    BEST_PLACES, CHUNK_BYTES, Capabilities, Clock, Command, Done, FAULT_BYTES, Hello, LastMove,
    Message, Mover, PROTOCOL_VERSION, Pace, Refusal, Reply, Request, SCHEMA_HASH, Status, ToDevice,
    ToHost,
};
pub use position::{Diagram, POSITION_BYTES, Position};
pub use rhythm::{Light, Rhythm};
pub use roster::{Roster, RosterError};
pub use settings::Settings;
pub use severity::Severity;
pub use side::{Outcome, Side};
#[cfg(feature = "std")]
pub use sketch::{LayoutTextError, Sketch, SketchError, SketchProblem, Way};

/// A millisecond of board time, counted from the last reset.
pub type Tick = u64;
