//! One byte for each bit of a word, saved without trailing zeros.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use protocol::Point;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::points::Points;
use crate::word::Word;

/// One byte for each site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<W: Word>(W::Plane);

impl<W: Word> Plane<W> {
    /// A plane whose bytes are all 0.
    pub const BLANK: Self = Plane(W::BLANK);
}

impl<W: Word> Plane<W> {
    /// Adds the places that differ from another plane to a set.
    #[inline]
    pub(super) fn put_unlike(&self, other: &Self, unlike: &mut Points<W>) {
        // Most places are equal, so eight are compared at once.
        let eights = self.as_ref().as_chunks::<8>().0.iter();
        let eights = eights.zip(other.as_ref().as_chunks::<8>().0);
        eights.enumerate().for_each(|(at, (one, other))| {
            if u64::from_ne_bytes(*one) != u64::from_ne_bytes(*other) {
                put_unlike_of_eight(8 * at, [one, other], unlike);
            }
        });
    }
}

#[inline(never)] // Rare; keeps it out of the loop around it.
fn put_unlike_of_eight<W: Word>(first: usize, eights: [&[u8; 8]; 2], unlike: &mut Points<W>) {
    let [one, other] = eights;
    for (place, (one, other)) in (first..).zip(one.iter().zip(other)) {
        if one != other {
            unlike.insert(Point(place as u8));
        }
    }
}

impl<W: Word> AsRef<[u8]> for Plane<W> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<W: Word> AsMut<[u8]> for Plane<W> {
    #[inline]
    fn as_mut(&mut self) -> &mut [u8] {
        self.0.as_mut()
    }
}

impl<W: Word> Serialize for Plane<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = self.as_ref();
        let length = bytes
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        serializer.serialize_bytes(bytes.get(..length).unwrap_or(&[]))
    }
}

impl<'de, W: Word> Deserialize<'de> for Plane<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes<W>(core::marker::PhantomData<W>);
        impl<W: Word> Visitor<'_> for Bytes<W> {
            type Value = Plane<W>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {} bytes", W::BITS)
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Plane<W>, E> {
                let mut plane = Plane::BLANK;
                let place = plane.as_mut().get_mut(..bytes.len());
                let place = place.ok_or_else(|| E::invalid_length(bytes.len(), &self))?;
                place.copy_from_slice(bytes);
                Ok(plane)
            }
        }
        deserializer.deserialize_bytes(Bytes(core::marker::PhantomData))
    }
}

impl<W: Word> MaxSize for Plane<W> {
    // A length of up to 256 takes two bytes.
    const POSTCARD_MAX_SIZE: usize = 2 + W::BITS;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::word::Wide;

    proptest! {
        #[test]
        fn differing_places_are_found(
            one in proptest::array::uniform32(0..3_u8),
            changed in proptest::collection::vec((any::<u8>(), any::<u8>()), 0..9),
        ) {
            let mut before = Plane::<Wide>::BLANK;
            before.as_mut()[100..132].copy_from_slice(&one);
            let mut after = before;
            for (place, value) in &changed {
                after.as_mut()[usize::from(*place)] = *value;
            }
            let mut unlike = Points::NONE;
            before.put_unlike(&after, &mut unlike);
            let differs = |place: &u8| {
                before.as_ref()[usize::from(*place)] != after.as_ref()[usize::from(*place)]
            };
            prop_assert_eq!(unlike, (0..=u8::MAX).filter(differs).map(Point).collect());
        }
    }
}
