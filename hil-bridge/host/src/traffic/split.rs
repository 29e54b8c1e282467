//! Splits the bytes of one direction into wire frames.

use std::fmt;

use firmware_core::faults::LineDirection;
use protocol::wire::{self, WireError};
use protocol::{PROTOCOL_VERSION, SCHEMA_HASH, ToDevice, ToHost};

/// Both directions: to the board, and from it.
pub const BOTH_WAYS: [LineDirection; 2] = [LineDirection::ToBoard, LineDirection::FromBoard];

/// The name of a direction in options and JSON.
#[must_use]
pub const fn way_word(way: LineDirection) -> &'static str {
    match way {
        LineDirection::ToBoard => "to-board",
        LineDirection::FromBoard => "from-board",
    }
}

/// The sign of a direction in wire logs.
#[must_use]
pub const fn way_sign(way: LineDirection) -> char {
    match way {
        LineDirection::ToBoard => '>',
        LineDirection::FromBoard => '<',
    }
}

/// The message of a wire frame.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it is looked at, and not kept")]
pub enum LineMessage {
    /// A message from the host.
    ToDevice(ToDevice),
    /// A message from the board.
    ToHost(ToHost),
}

/// Why a wire frame has no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMessage {
    /// The bytes are not a valid message.
    Wire(WireError),
    /// The hello of a board or a host with a different version.
    Stranger {
        /// The protocol version of the sender.
        version: u16,
        /// The schema hash of the sender.
        schema: u64,
    },
    /// The line ended in the middle of the frame.
    Unfinished,
}

impl fmt::Display for NoMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMessage::Wire(error) => error.fmt(f),
            NoMessage::Stranger { version, schema } => write!(
                f,
                "a hello of another protocol, version {version}, schema {schema:016x}"
            ),
            NoMessage::Unfinished => f.write_str("the line ended inside a frame"),
        }
    }
}

impl std::error::Error for NoMessage {}

impl NoMessage {
    /// A word for the reason, like the kind of a message.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            NoMessage::Wire(WireError::Overlong) => "overlong",
            NoMessage::Wire(WireError::Malformed) => "malformed",
            NoMessage::Wire(WireError::Damaged) => "damaged",
            NoMessage::Wire(WireError::Unknown) => "unknown",
            NoMessage::Stranger { .. } => "stranger",
            NoMessage::Unfinished => "unfinished",
        }
    }
}

/// The bytes of a wire frame, and its message.
pub type SplitFrame = (Box<[u8]>, Result<LineMessage, NoMessage>);

/// Splits the bytes of one direction of a line into wire frames.
///
/// A frame consists of all bytes after the one before, up to and including its closing
/// zero, so joining all frames of a line gives its bytes.
pub struct Splitter {
    direction: LineDirection,
    receiver: wire::Receiver,
    bytes: Vec<u8>,
}

impl Splitter {
    /// A splitter for a line that was just opened.
    #[must_use]
    pub fn new(direction: LineDirection) -> Splitter {
        Splitter {
            direction,
            receiver: wire::Receiver::new(),
            bytes: Vec::new(),
        }
    }

    /// Takes one byte. If it ends a frame, returns the frame's bytes and its message.
    pub fn feed(&mut self, byte: u8) -> Option<SplitFrame> {
        self.bytes.push(byte);
        let plain = self.receiver.feed(byte)?;
        let said = match plain {
            Ok(plain) => understand(self.direction, plain),
            Err(error) => Err(NoMessage::Wire(error)),
        };
        Some((std::mem::take(&mut self.bytes).into(), said))
    }

    /// Ends the line, and returns the rest of an incomplete frame, if there is one.
    #[must_use]
    pub fn end(self) -> Option<Box<[u8]>> {
        let is_something = self.bytes.iter().any(|byte| *byte != 0);
        is_something.then(|| self.bytes.into())
    }
}

fn understand(direction: LineDirection, plain: &[u8]) -> Result<LineMessage, NoMessage> {
    // The first two fields of a hello are the same in all versions. The rest may be valid
    // with a different meaning.
    if let Some((version, schema)) = wire::hello_of_any_version(plain)
        && (version, schema) != (PROTOCOL_VERSION, SCHEMA_HASH)
    {
        return Err(NoMessage::Stranger { version, schema });
    }
    match direction {
        LineDirection::ToBoard => wire::parse(plain).map(LineMessage::ToDevice),
        LineDirection::FromBoard => wire::parse(plain).map(LineMessage::ToHost),
    }
    .map_err(NoMessage::Wire)
}

/// The message in the bytes of a whole frame.
pub(super) fn understood(direction: LineDirection, bytes: &[u8]) -> Option<LineMessage> {
    let mut splitter = Splitter::new(direction);
    bytes.iter().find_map(|byte| splitter.feed(*byte))?.1.ok()
}
