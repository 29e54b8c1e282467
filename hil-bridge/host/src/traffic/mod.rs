//! What crosses the line between a host and a board: wire frames, decoded, with what
//! became of them.
//!
//! Whoever has a line hands in its bytes as they pass ([`LineItem`]). A [`LineRecord`] cuts
//! them into wire frames, reads the message of each, and marks what a person looks for: a
//! request that was repeated, an event that is missing, how long an answer took. Its
//! [`LineFigures`] are rates, errors, round trips, and the time from a touch to the light
//! that it makes, beside what the line itself takes for that ([`LineMedium`]).
//!
//! The same bytes are read from a file and written to one: lines of text ([`WireLog`]) or
//! pcapng ([`PcapngWriter`]), which Wireshark opens.
//!
//! A record hears the host's end of the line. What was damaged on the way to the board is
//! seen by its consequence, a request that is repeated.
//!
//! Invariants: each byte that was handed in belongs to exactly one wire frame; figures count
//! all frames, also those that a record has forgotten; the same bytes at the same times give
//! the same record, however they are cut into pieces.

mod figures;
mod file;
mod filter;
mod follow;
mod frame;
mod item;
mod light;
mod medium;
mod pcapng;
mod record;
mod split;
mod view;
mod words;

pub use figures::{Latencies, LineFigures, LineFlow};
pub use filter::LineFilter;
pub use firmware_core::faults::LineDirection;
pub use frame::{LineFrame, in_json};
pub use item::{LineItem, LineItemError, WireLog, log_line};
pub use light::TouchPath;
pub use medium::{BITS_PER_BYTE, LineMedium};
pub use pcapng::PcapngWriter;
pub use record::LineRecord;
pub use split::{BOTH_WAYS, LineMessage, NoMessage, SplitFrame, Splitter, way_sign, way_word};
pub use view::{KINDS, LineView, LineViewAction};
pub use words::{MessageName, message_word, ms};

#[cfg(test)]
mod tests;
