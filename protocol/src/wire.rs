//! Messages as bytes: postcard, then CRC-32C, then COBS, between zero bytes.
//!
//! ```text
//! 00  COBS( postcard(message)  crc32c, 4 bytes, low byte first )  00
//! ```
//!
//! COBS removes zeros, so a zero byte can only be the edge of a frame. There is one on
//! each side. The one in front ends any garbage before it, so the first good frame after
//! garbage is always read. The CRC detects damaged frames; without it, postcard would
//! decode most single-bit flips as a different message.
//!
//! One zero between two frames is enough, and more do no harm: no message is lost on a
//! line that loses or doubles a zero. Inside a frame every message has one encoding.
//! postcard alone would also accept numbers that are longer than necessary (`80 00` for
//! 0); such numbers come from a different encoder, so they are refused before they can be
//! misunderstood.
//!
//! Invariants: what [`Receiver`] yields and [`parse`] accepts is byte for byte the output
//! of [`encode`], except for the 2^-32 of damaged frames that the CRC misses. After an
//! over-long frame everything up to the next zero is dropped, so the tail of a frame is
//! never taken for a message.

use core::fmt;

use crc::{CRC_32_ISCSI, Crc};
use postcard::experimental::{max_size::MaxSize, serialized_size};
use serde::Serialize;

use crate::{Message, ToDevice, ToHost};

/// CRC-32C (Castagnoli), which detects every burst of up to 32 bits and every change of
/// up to 5 bits in a frame of this size.
pub(crate) const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);
pub(crate) const CRC_BYTES: usize = 4;

/// The length in bytes of a frame with `payload` bytes of message: CRC, COBS overhead and
/// both zeros included.
const fn framed_bytes(payload: usize) -> usize {
    let stuffed = payload + CRC_BYTES;
    stuffed + stuffed / 254 + 1 + 2
}

/// The length in bytes of the longest frame from host to device.
pub const TO_DEVICE_BYTES: usize = framed_bytes(ToDevice::POSTCARD_MAX_SIZE);
/// The length in bytes of the longest frame from device to host.
pub const TO_HOST_BYTES: usize = framed_bytes(ToHost::POSTCARD_MAX_SIZE);
/// The length in bytes of the longest frame in either direction: a buffer of this size is
/// always enough.
pub const MAX_FRAME_BYTES: usize = if TO_DEVICE_BYTES > TO_HOST_BYTES {
    TO_DEVICE_BYTES
} else {
    TO_HOST_BYTES
};

/// Why bytes are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// A frame longer than any message.
    Overlong,
    /// Not valid COBS, or shorter than a CRC.
    Malformed,
    /// The checksum (CRC) does not match the bytes.
    Damaged,
    /// Intact, but not a message of this type, or not encoded as by [`encode`]: the other
    /// side speaks a different version.
    Unknown,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WireError::Overlong => "a frame was longer than any message",
            WireError::Malformed => "a frame was not well formed",
            WireError::Damaged => "a frame was damaged on the way",
            WireError::Unknown => "a frame held a message of another protocol version",
        })
    }
}

impl core::error::Error for WireError {}

/// The CRC-32C of bytes that arrive in pieces, for data that is not sent over the wire.
pub fn crc32c_of_pieces<const N: usize>(pieces: impl Iterator<Item = [u8; N]>) -> u32 {
    let mut digest = CRC.digest();
    pieces.for_each(|piece| digest.update(&piece));
    digest.finalize()
}

/// Writes a message as one frame into `buffer` and returns the part used. A buffer of
/// [`MAX_FRAME_BYTES`] is always enough.
///
/// # Errors
/// `None` if the buffer is too short.
pub fn encode<'a, M: Serialize>(message: &M, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut plain = [0; MAX_FRAME_BYTES];
    let length = postcard::to_slice(message, &mut plain).ok()?.len();
    let crc = CRC.checksum(&plain[..length]).to_le_bytes();
    plain
        .get_mut(length..length + CRC_BYTES)?
        .copy_from_slice(&crc);
    let room = buffer.len().checked_sub(2)?;
    let stuffed = cobs::try_encode(&plain[..length + CRC_BYTES], &mut buffer[1..=room]).ok()?;
    // `cobs` may return a length one byte greater than the buffer has room for.
    *buffer.get_mut(stuffed + 1)? = 0;
    buffer[0] = 0;
    Some(&buffer[..stuffed + 2])
}

/// A message as one frame, for programs that have a heap.
///
/// # Panics
/// If the frame is longer than [`MAX_FRAME_BYTES`], which no [`Message`] needs.
#[cfg(feature = "std")]
#[must_use]
pub fn encoded(message: &impl Serialize) -> std::vec::Vec<u8> {
    let mut buffer = [0; MAX_FRAME_BYTES];
    let frame = encode(message, &mut buffer).expect("no message is longer");
    frame.to_vec()
}

/// Decodes COBS and checks and removes the CRC of the bytes between two zeros. Works in
/// place, and returns the postcard bytes.
///
/// # Errors
/// [`WireError::Malformed`] or [`WireError::Damaged`].
pub fn unwrap(frame: &mut [u8]) -> Result<&[u8], WireError> {
    let length = cobs::decode_in_place(frame).map_err(|_| WireError::Malformed)?;
    let payload = length.checked_sub(CRC_BYTES).ok_or(WireError::Malformed)?;
    let (plain, crc) = frame[..length].split_at(payload);
    if CRC.checksum(plain).to_le_bytes() != crc {
        return Err(WireError::Damaged);
    }
    Ok(plain)
}

/// Reads a message from the bytes that [`unwrap`] returned. The message must take all of
/// them and be in its only valid encoding.
///
/// # Errors
/// [`WireError::Unknown`].
pub fn parse<M: Message>(plain: &[u8]) -> Result<M, WireError> {
    match postcard::take_from_bytes(plain) {
        Ok((message, [])) if is_shortest(&message, plain.len()) => Ok(message),
        _ => Err(WireError::Unknown),
    }
}

/// True if [`encode`] writes this message in `length` bytes. Only numbers have more than
/// one encoding that postcard accepts, and all but one of them are longer.
fn is_shortest(message: &impl Serialize, length: usize) -> bool {
    serialized_size(message) == Ok(length)
}

/// The version and schema in an intact hello of *any* protocol version, which keep their
/// encoding in all of them. `None` if the bytes are not a hello.
#[must_use]
pub fn hello_of_any_version(plain: &[u8]) -> Option<(u16, u64)> {
    let (head, rest) = postcard::take_from_bytes::<(u32, u16, u64)>(plain).ok()?;
    let (kind, version, schema) = head;
    (kind == 0 && is_shortest(&head, plain.len() - rest.len())).then_some((version, schema))
}

/// Finds frames in a stream of bytes, with a fixed buffer of `N` bytes.
pub struct Receiver<const N: usize = MAX_FRAME_BYTES> {
    buffer: [u8; N],
    length: usize,
    /// True while an over-long frame, which fills the buffer, is dropped up to the next
    /// zero.
    skipping: bool,
}

impl<const N: usize> Default for Receiver<N> {
    fn default() -> Self {
        Receiver::new()
    }
}

impl<const N: usize> Receiver<N> {
    /// A receiver that has not received anything.
    #[must_use]
    pub const fn new() -> Self {
        Receiver {
            buffer: [0; N],
            length: 0,
            skipping: false,
        }
    }

    /// Takes one byte. If it ends a frame, returns the postcard bytes of the message or
    /// the error. Empty frames are ignored.
    pub fn feed(&mut self, byte: u8) -> Option<Result<&[u8], WireError>> {
        if byte != 0 {
            match self.buffer.get_mut(self.length) {
                Some(place) => {
                    *place = byte;
                    self.length += 1;
                }
                None => self.skipping = true,
            }
            return None;
        }
        let length = core::mem::take(&mut self.length);
        if core::mem::take(&mut self.skipping) {
            return Some(Err(WireError::Overlong));
        }
        (length > 0).then(|| unwrap(&mut self.buffer[..length]))
    }
}
