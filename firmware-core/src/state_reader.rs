//! Reading a saved state back part by part, into its place.
//!
//! `serde` hands values up by copy: each layer of a state that goes through it
//! whole takes several times its size of stack, and a microcontroller has no
//! more stack than it has state. So the layers that hold all others are read
//! field by field, in the order in which they were written, and only their
//! leaves go through `serde`. Whoever reads so takes its fields apart by name,
//! so that a field that is added cannot be left out.

use postcard::Deserializer;
use postcard::de_flavors::Slice;
use serde::Deserialize;

/// The bytes of a state that were not read yet.
pub struct StateReader<'a>(Deserializer<'a, Slice<'a>>);

impl<'a> StateReader<'a> {
    /// Reads from the beginning of these.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> StateReader<'a> {
        StateReader(Deserializer::from_bytes(bytes))
    }

    /// The next value, or `None` if the bytes are none.
    #[must_use]
    pub fn value<T: Deserialize<'a>>(&mut self) -> Option<T> {
        T::deserialize(&mut self.0).ok()
    }

    /// Reads the next value into its place.
    ///
    /// # Errors
    /// `None` if the bytes are none; the place is as before then.
    // A function of its own: what it needs of the stack is free again when it
    // returns, and is not added to what the others need.
    #[inline(never)]
    pub fn read<T: Deserialize<'a>>(&mut self, place: &mut T) -> Option<()> {
        *place = self.value()?;
        Some(())
    }

    /// True if all bytes were read.
    #[must_use]
    pub fn is_at_end(self) -> bool {
        self.0.finalize().is_ok_and(<[u8]>::is_empty)
    }
}
