//! A value as bytes, and the digest: one number for the whole state, so that two
//! boards can be compared in eight bytes.
//!
//! FNV-1a over the postcard bytes, written straight into the hash: no buffer.
//! What is kept takes the same way into a buffer, so that an image holds the
//! code that takes a state apart once.

use core::hash::Hasher;

use fnv::FnvHasher;
use postcard::ser_flavors::Flavor;
use serde::Serialize;

/// Where the bytes of a value go.
struct Sink<'a> {
    hash: FnvHasher,
    /// Where they are kept instead of being hashed.
    buffer: Option<&'a mut [u8]>,
    /// How many came.
    length: usize,
}

impl Flavor for Sink<'_> {
    type Output = (u64, usize);

    // Not inlined: there are hundreds of places in which a byte is written.
    #[inline(never)]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        match &mut self.buffer {
            Some(buffer) => {
                let place = buffer.get_mut(self.length);
                *place.ok_or(postcard::Error::SerializeBufferFull)? = byte;
            }
            None => self.hash.write_u8(byte),
        }
        self.length += 1;
        Ok(())
    }

    #[inline(never)]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        bytes.iter().try_for_each(|byte| self.try_push(*byte))
    }

    fn finalize(self) -> postcard::Result<Self::Output> {
        Ok((self.hash.finish(), self.length))
    }
}

fn send<T: Serialize + ?Sized>(value: &T, buffer: Option<&mut [u8]>) -> Option<(u64, usize)> {
    let sink = Sink {
        hash: FnvHasher::default(),
        buffer,
        length: 0,
    };
    postcard::serialize_with_flavor(value, sink).ok()
}

/// The digest of a value.
#[must_use]
pub fn digest<T: Serialize + ?Sized>(value: &T) -> u64 {
    // Neither the hash nor the state's own types can refuse to be written.
    send(value, None).map_or(0, |(digest, _)| digest)
}

/// Writes a value into a buffer, and returns how many bytes it takes.
///
/// # Errors
/// `None` if the buffer is too short.
pub fn write<T: Serialize + ?Sized>(value: &T, buffer: &mut [u8]) -> Option<usize> {
    send(value, Some(buffer)).map(|(_, length)| length)
}
