//! The digest: one number for the whole state, so that two boards can be
//! compared in eight bytes.
//!
//! FNV-1a over the postcard bytes, written straight into the hash: no buffer.

use core::hash::Hasher;

use fnv::FnvHasher;
use postcard::ser_flavors::Flavor;
use serde::Serialize;

struct Hash(FnvHasher);

impl Flavor for Hash {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.write_u8(byte);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.0.finish())
    }
}

/// The digest of a value.
#[must_use]
pub fn digest<T: Serialize + ?Sized>(value: &T) -> u64 {
    let hash = Hash(FnvHasher::default());
    // Neither the hash nor the state's own types can refuse to be written.
    postcard::serialize_with_flavor(value, hash).unwrap_or(0)
}
