//! Encodes values as bytes, and computes the digest: one number for the whole state, so
//! that two boards can be compared by eight bytes.
//!
//! The digest is FNV-1a over the postcard bytes, which go directly into the hash, without
//! a buffer. A state that is saved goes through the same code into a buffer, so that an
//! image contains the encoder of the state only once.

use core::hash::Hasher;

use fnv::FnvHasher;
use postcard::ser_flavors::Flavor;
use serde::{Serialize, Serializer};

/// Where the bytes of a value go.
enum Sink<'a> {
    Hash(FnvHasher),
    /// Into the unused rest of a buffer.
    Buffer(&'a mut [u8]),
}

impl Flavor for Sink<'_> {
    type Output = Self;

    // Not inlined: there are hundreds of calls.
    #[inline(never)]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        match self {
            Sink::Hash(hash) => hash.write_u8(byte),
            Sink::Buffer(left) => {
                let place = left.split_off_first_mut();
                *place.ok_or(postcard::Error::SerializeBufferFull)? = byte;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        match self {
            Sink::Hash(hash) => hash.write(bytes),
            Sink::Buffer(left) => {
                let place = left.split_off_mut(..bytes.len());
                place
                    .ok_or(postcard::Error::SerializeBufferFull)?
                    .copy_from_slice(bytes);
            }
        }
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Self> {
        Ok(self)
    }
}

/// Bytes that are written in one piece, with the same result as one at a time.
struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// The digest of some bytes, equal to the digest of a list of them.
#[must_use]
pub fn digest_of_bytes(bytes: &[u8]) -> u64 {
    digest(&Bytes(bytes))
}

/// The digest of a value.
#[must_use]
pub fn digest<T: Serialize + ?Sized>(value: &T) -> u64 {
    let hash = Sink::Hash(FnvHasher::default());
    match postcard::serialize_with_flavor(value, hash) {
        Ok(Sink::Hash(hash)) => hash.finish(),
        // Neither the hash nor the types of a state ever fail to be written.
        Ok(Sink::Buffer(_)) | Err(_) => 0,
    }
}

/// Writes a value into a buffer, and returns the number of bytes used.
///
/// # Errors
/// `None` if the buffer is too short.
pub fn write<T: Serialize + ?Sized>(value: &T, buffer: &mut [u8]) -> Option<usize> {
    let length = buffer.len();
    match postcard::serialize_with_flavor(value, Sink::Buffer(buffer)) {
        Ok(Sink::Buffer(left)) => Some(length - left.len()),
        Ok(Sink::Hash(_)) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_have_the_digest_of_a_list_of_them(bytes: std::vec::Vec<u8>) {
            prop_assert_eq!(digest_of_bytes(&bytes), digest(&bytes[..]));
        }

        #[test]
        fn written_bytes_equal_postcards_or_do_not_fit(
            value: (u8, u64, Option<std::vec::Vec<u8>>, bool),
            room in 0..120_usize,
        ) {
            let (mut ours, mut theirs) = ([0; 120], [0; 120]);
            let written = write(&value, &mut ours[..room]).map(|length| &ours[..length]);
            let expected = postcard::to_slice(&value, &mut theirs[..room]).ok();
            prop_assert_eq!(written, expected.as_deref());
        }
    }
}
