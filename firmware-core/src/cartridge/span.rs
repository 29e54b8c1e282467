//! A byte for each site, as many as a word has bits.

use core::fmt::Debug;

use crate::word::{Wide, Word};

/// A word that has room for a byte a site beside it.
pub trait Span: Word {
    /// A byte for each bit.
    type Plane: Copy + AsRef<[u8]> + AsMut<[u8]> + PartialEq + Debug;
    /// All of them 0.
    const BLANK: Self::Plane;
    /// The word whose bits are those of these bytes, the lowest first.
    fn of_bytes(bytes: &[u8]) -> Self;
}

macro_rules! span {
    ($word:ty, $of:expr) => {
        impl Span for $word {
            type Plane = [u8; <$word as Word>::BITS];
            const BLANK: Self::Plane = [0; <$word as Word>::BITS];
            #[inline]
            fn of_bytes(bytes: &[u8]) -> Self {
                $of(bytes)
            }
        }
    };
}

/// Up to 16 bytes from a place on, the lowest first.
#[inline]
fn long(bytes: &[u8], at: usize) -> u128 {
    let mut word = [0; 16];
    let bytes = bytes.get(at..).unwrap_or(&[]);
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    u128::from_le_bytes(word)
}

span!(u64, |bytes| long(bytes, 0) as u64);
span!(u128, |bytes| long(bytes, 0));
span!(Wide, |bytes| Wide(long(bytes, 0), long(bytes, 16)));
