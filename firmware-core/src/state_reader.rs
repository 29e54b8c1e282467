//! Reads a saved state part by part, directly into its place.
//!
//! `serde` returns values by copy. Reading a whole layer of a state that way takes
//! several times its size of stack, and a microcontroller has no more stack than state.
//! Layers that contain others are therefore read field by field, in the order in which
//! they were written, and only the leaves go through `serde`. Readers destructure their
//! fields by name, so that a new field cannot be forgotten.

use postcard::Deserializer;
use postcard::de_flavors::Slice;
use serde::Deserialize;

/// The bytes of a state that have not been read yet.
pub struct StateReader<'a>(Deserializer<'a, Slice<'a>>);

impl<'a> StateReader<'a> {
    /// A reader at the start of these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> StateReader<'a> {
        StateReader(Deserializer::from_bytes(bytes))
    }

    /// Reads the next value; `None` if the bytes are not a valid value.
    #[must_use]
    pub fn value<T: Deserialize<'a>>(&mut self) -> Option<T> {
        T::deserialize(&mut self.0).ok()
    }

    /// Reads the next value into its place.
    ///
    /// # Errors
    /// `None` if the bytes are not a valid value; then the place is unchanged.
    // A separate function, so that its stack is free again when it returns and does not
    // add to that of the others.
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
