//! Lists and texts of bounded length, for messages.
//!
//! They wrap `heapless` 0.9 and add a maximum encoded size that is known at compile time.
//! (postcard's own support ends at heapless 0.7.)

use core::fmt;
use core::ops::{Deref, DerefMut};

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use postcard_schema::schema::NamedType;
use serde::{Deserialize, Serialize};

/// The number of bytes of a length up to `n` as a postcard varint.
const fn length_bytes(n: usize) -> usize {
    match n {
        0..=0x7F => 1,
        0x80..=0x3FFF => 2,
        _ => 3,
    }
}

/// At most `N` values of `T`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct List<T, const N: usize>(heapless::Vec<T, N>);

impl<T, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        List(heapless::Vec::new())
    }
}

impl<T, const N: usize> List<T, N> {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        List(heapless::Vec::new())
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = heapless::Vec<T, N>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Takes the first `N` items and drops the rest.
impl<T, const N: usize> FromIterator<T> for List<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut list = heapless::Vec::new();
        for value in values {
            if list.push(value).is_err() {
                break;
            }
        }
        List(list)
    }
}

impl<T: MaxSize, const N: usize> MaxSize for List<T, N> {
    const POSTCARD_MAX_SIZE: usize = length_bytes(N) + N * T::POSTCARD_MAX_SIZE;
}

impl<T: Schema, const N: usize> Schema for List<T, N> {
    const SCHEMA: &'static NamedType = <heapless::Vec<T, N> as Schema>::SCHEMA;
}

/// At most `N` bytes of UTF-8.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text<const N: usize>(heapless::String<N>);

impl<const N: usize> Text<N> {
    /// An empty text.
    #[must_use]
    pub const fn new() -> Self {
        Text(heapless::String::new())
    }

    /// The longest prefix of `text` that fits, cut between characters.
    #[must_use]
    pub fn clipped(text: &str) -> Self {
        let mut own = heapless::String::new();
        for letter in text.chars() {
            if own.push(letter).is_err() {
                break;
            }
        }
        Text(own)
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

/// Drops text beyond the end; writing never fails.
impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.push_str(text).is_err() {
            for letter in text.chars() {
                if self.0.push(letter).is_err() {
                    break;
                }
            }
        }
        Ok(())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl<const N: usize> MaxSize for Text<N> {
    const POSTCARD_MAX_SIZE: usize = length_bytes(N) + N;
}

impl<const N: usize> Schema for Text<N> {
    const SCHEMA: &'static NamedType = <heapless::String<N> as Schema>::SCHEMA;
}
