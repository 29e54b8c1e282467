//! The traffic on the line between a host and a board: decoded wire frames and what
//! follows from them.
//!
//! The owner of a line passes on its bytes ([`LineItem`]). A [`LineRecord`] splits them
//! into wire frames, decodes the message of each, and marks what people look for: a
//! repeated request, a missing event, the time until an answer. Its [`LineFigures`] are
//! rates, errors, round trips, and the time from a touch to its light, with the shortest
//! possible time on that line ([`LineMedium`]).
//!
//! A record can be saved to a file and read from one: lines of text ([`WireLog`]), or
//! pcapng ([`PcapngWriter`]), which Wireshark opens.
//!
//! The record is made at the host's end of the line. Damage on the way to the board only
//! shows by its consequence, a repeated request.
//!
//! Invariants: each byte belongs to exactly one wire frame; figures count all frames,
//! including those that a record has dropped; the same bytes at the same times give the
//! same record, however they are divided.

mod figures;
mod file;
mod filter;
mod follow;
mod frame;
mod item;
mod light;
mod medium;
#[cfg(feature = "formats")]
mod pcapng;
mod record;
mod shared;
mod split;
mod view;
mod words;

pub use figures::{Latencies, LatencyBar, LineFigures, LineFlow};
pub use filter::LineFilter;
pub use firmware_core::faults::LineDirection;
pub use frame::{LineFrame, in_json};
pub use item::{LineItem, LineItemError, WireLog, log_line};
pub use light::TouchPath;
pub use medium::{BITS_PER_BYTE, LineMedium};
#[cfg(feature = "formats")]
pub use pcapng::PcapngWriter;
pub use record::LineRecord;
pub use shared::{LineClock, SharedRecord};
pub use split::{BOTH_WAYS, LineMessage, NoMessage, SplitFrame, Splitter, way_sign, way_word};
pub use view::{KINDS, LineView, LineViewAction};
pub use words::{MessageName, NoSuchMessage, message_word, ms};

#[cfg(all(test, feature = "formats"))]
mod tests;
