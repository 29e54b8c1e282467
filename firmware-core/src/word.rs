//! Words: the machine integers that hold one bit for each point.
//!
//! A board uses the narrowest word that holds its layout: `u64` up to 8x8, `u128` up to
//! 11x11 (and any other layout of at most 128 points), [`Wide`] up to 16x16. All code
//! above is generic over the word, so an 8x8 board is as fast as if there were no other
//! sizes, and a microcontroller image contains one width only.

use core::fmt::Debug;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use postcard::experimental::max_size::MaxSize;
use protocol::{GAME_BYTES, GridSize, MAX_POINTS, drawing_bytes};
use serde::{Deserialize, Serialize};

/// A bound above the distance from any point to its neighbour, in bits. On a 32-bit
/// machine, a shift takes a third of the instructions if the compiler knows this bound.
pub const SHORT: usize = 32;

const _: () = assert!(GridSize::MAX as usize + 1 < SHORT);

/// The size in bytes of the largest [drawing](protocol::Drawing) of this many points that
/// a board of this build keeps: with a game, if the build plays cartridges.
const fn slot_bytes(points: usize) -> usize {
    let game = if cfg!(feature = "cartridge") {
        size_of::<u16>() + GAME_BYTES
    } else {
        0
    };
    drawing_bytes(points) + game
}

/// The number in these bytes from an offset on, low byte first; bytes past the end count
/// as 0.
#[inline]
fn long(bytes: &[u8], at: usize) -> u128 {
    let mut word = [0; size_of::<u128>()];
    let bytes = bytes.get(at..).unwrap_or(&[]);
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    u128::from_le_bytes(word)
}

/// A fixed number of bits.
pub trait Word:
    Copy
    + Eq
    + Debug
    + Default
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Serialize
    + for<'de> Deserialize<'de>
    + MaxSize
    + 'static
{
    /// The number of bits of the word.
    const BITS: usize;
    /// The word with no bit set.
    const ZERO: Self;
    /// Room for the [drawing](protocol::Drawing) of as many points as the word has bits.
    type Slot: AsRef<[u8]> + AsMut<[u8]> + Clone + Debug + PartialEq;
    /// A slot that contains no drawing.
    const EMPTY_SLOT: Self::Slot;
    /// One byte for each bit.
    type Plane: AsRef<[u8]> + AsMut<[u8]> + Copy + Debug + PartialEq;
    /// A plane whose bytes are all 0.
    const BLANK: Self::Plane;
    /// The word with the bits of these bytes, the lowest first.
    fn of_bytes(bytes: &[u8]) -> Self;
    /// A word with only bit `index` set; `index < BITS`.
    fn bit(index: usize) -> Self;
    /// Shifts all bits up; bits that leave the word are dropped. `by < BITS`.
    fn up(self, by: usize) -> Self;
    /// Shifts all bits down; bits that leave the word are dropped. `by < BITS`.
    fn down(self, by: usize) -> Self;
    /// The lowest 64 bits of the word.
    fn low(self) -> u64;
    /// Shifts all bits up by less than [`SHORT`].
    #[inline]
    fn up_short(self, by: usize) -> Self {
        self.up(by % SHORT)
    }
    /// Shifts all bits down by less than [`SHORT`].
    #[inline]
    fn down_short(self, by: usize) -> Self {
        self.down(by % SHORT)
    }
    /// The number of bits that are set.
    fn count(self) -> usize;
    /// The index of the lowest set bit, or `BITS`.
    fn lowest(self) -> usize;
    /// The word without its lowest set bit.
    fn without_lowest(self) -> Self;
    /// The index of the set bit with `n` set bits below it, or `BITS`.
    #[inline]
    fn nth(mut self, n: usize) -> usize {
        for _ in 0..n {
            self = self.without_lowest();
        }
        self.lowest()
    }
    /// Visits each group of eight bits that has one set, with its number and its bits.
    fn eights(self, tell: impl FnMut(usize, u8));
    /// Calls `tell` with the index of each set bit, the lowest first.
    #[inline]
    fn each(mut self, mut tell: impl FnMut(usize)) {
        while self != Self::ZERO {
            tell(self.lowest());
            self = self.without_lowest();
        }
    }
}

macro_rules! native {
    ($word:ty, $bit:expr, $count:expr, $nth:expr $(, $each:expr)?) => {
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;
            const ZERO: Self = 0;
            type Slot = [u8; slot_bytes(<$word>::BITS as usize)];
            const EMPTY_SLOT: Self::Slot = [0; slot_bytes(<$word>::BITS as usize)];
            type Plane = [u8; <$word>::BITS as usize];
            const BLANK: Self::Plane = [0; <$word>::BITS as usize];
            #[inline]
            fn of_bytes(bytes: &[u8]) -> Self {
                long(bytes, 0) as $word
            }
            #[inline]
            fn bit(index: usize) -> Self {
                $bit(index % Self::BITS as usize)
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline]
            fn up(self, by: usize) -> Self {
                self << (by % Self::BITS as usize)
            }
            #[inline]
            fn down(self, by: usize) -> Self {
                self >> (by % Self::BITS as usize)
            }
            #[inline]
            fn count(self) -> usize {
                $count(self)
            }
            #[inline]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn eights(self, mut tell: impl FnMut(usize, u8)) {
                for (eight, bits) in self.to_le_bytes().into_iter().enumerate() {
                    if bits != 0 {
                        tell(eight, bits);
                    }
                }
            }
            #[inline]
            fn nth(self, n: usize) -> usize {
                $nth(self, n)
            }
            $(
                #[inline]
                fn each(self, tell: impl FnMut(usize)) {
                    $each(self, tell);
                }
            )?
        }
    };
}

native!(
    u64,
    |index| 1_u64 << index,
    |word: u64| word.count_ones() as usize,
    nth_of_double
);
native!(u128, long_bit, count_of_long, nth_of_long, each_of_long);

/// A word of 256 bits: the low half, then the high half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, MaxSize)]
pub struct Wide(pub u128, pub u128);

macro_rules! bitwise {
    ($($trait:ident $method:ident, $assign:ident $assign_method:ident, $op:tt;)*) => { $(
        impl $trait for Wide {
            type Output = Wide;
            #[inline]
            fn $method(self, other: Wide) -> Wide {
                Wide(self.0 $op other.0, self.1 $op other.1)
            }
        }
        impl $assign for Wide {
            #[inline]
            fn $assign_method(&mut self, other: Wide) {
                *self = *self $op other;
            }
        }
    )* };
}

bitwise! {
    BitAnd bitand, BitAndAssign bitand_assign, &;
    BitOr bitor, BitOrAssign bitor_assign, |;
    BitXor bitxor, BitXorAssign bitxor_assign, ^;
}

impl Not for Wide {
    type Output = Wide;
    #[inline]
    fn not(self) -> Wide {
        Wide(!self.0, !self.1)
    }
}

/// [`Word::bit`] of a long word. A 32-bit machine has no short code for it, and an image
/// has no room for that code in forty places.
#[cfg_attr(target_pointer_width = "32", inline(never))]
#[cfg_attr(not(target_pointer_width = "32"), inline)]
fn long_bit(index: usize) -> u128 {
    if cfg!(target_pointer_width = "32") {
        bit_by_parts(index)
    } else {
        1 << (index % 128)
    }
}

/// The shift within a part is one instruction; the part is selected from four.
#[inline]
fn bit_by_parts(index: usize) -> u128 {
    let part = u128::from(1_u32 << (index % 32));
    match index / 32 % 4 {
        0 => part,
        1 => part << 32,
        2 => part << 64,
        _ => part << 96,
    }
}

/// [`Word::count`] of a long word. On a machine without an instruction for it, the code
/// is in one place and adds up all parts together.
#[cfg_attr(target_pointer_width = "32", inline(never))]
#[cfg_attr(not(target_pointer_width = "32"), inline)]
fn count_of_long(word: u128) -> usize {
    if cfg!(target_pointer_width = "32") {
        count_by_parts(word)
    } else {
        word.count_ones() as usize
    }
}

/// Counts the bits in each byte of each part, and then adds the bytes of all parts: a
/// byte has room for 128.
#[inline]
fn count_by_parts(word: u128) -> usize {
    let low = in_bytes(word as u32) + in_bytes((word >> 32) as u32);
    let high = in_bytes((word >> 64) as u32) + in_bytes((word >> 96) as u32);
    ((low + high).wrapping_mul(0x0101_0101) >> 24) as usize
}

/// The number of set bits in each byte of a part.
#[inline(always)]
fn in_bytes(part: u32) -> u32 {
    let pairs = part - ((part >> 1) & 0x5555_5555);
    let fours = (pairs & 0x3333_3333) + ((pairs >> 2) & 0x3333_3333);
    (fours + (fours >> 4)) & 0x0F0F_0F0F
}

/// Finds set bit number `n` of a 64-bit word, like [`Word::nth`].
#[inline]
fn nth_of_double(word: u64, n: usize) -> usize {
    if cfg!(target_pointer_width = "32") {
        let mut rest = word;
        for _ in 0..n {
            rest = rest.without_lowest();
        }
        return rest.lowest();
    }
    nth_by_bytes(word, n)
}

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The number of bytes in `bytes` that are at most `number`; all bytes must be below 128.
#[inline]
fn bytes_up_to(number: u64, bytes: u64) -> usize {
    let are = (number.wrapping_mul(ONES) | (ONES << 7)).wrapping_sub(bytes) & (ONES << 7);
    ((are >> 7).wrapping_mul(ONES) >> 56) as usize
}

/// Finds the byte and then the bit in it, each by comparing all sums at once. The
/// position of a bit is unpredictable, so a loop would end with a mispredicted branch.
#[inline]
fn nth_by_bytes(word: u64, n: usize) -> usize {
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(ONES);
    let byte = bytes_up_to(n as u64 & 63, sums);
    if n > 63 || byte > 7 {
        return 64;
    }
    let before = ((sums << 8) >> (8 * byte)) & 0xFF;
    let bits = ((word >> (8 * byte)) & 0xFF).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    let each = ((bits + 0x7F * ONES) >> 7) & ONES;
    let sums = each.wrapping_mul(ONES);
    8 * byte + bytes_up_to(n as u64 - before, sums)
}

/// [`Word::nth`] of a long word: finds the part by counting, and then the bit within the
/// part.
fn nth_of_long(word: u128, n: usize) -> usize {
    if cfg!(target_pointer_width = "64") {
        let low = word as u64;
        let count = low.count();
        if n < count {
            return nth_by_bytes(low, n);
        }
        return 64 + nth_by_bytes((word >> 64) as u64, n - count);
    }
    let (mut rest, mut left) = (word, n);
    for start in (0..u128::BITS as usize).step_by(u32::BITS as usize) {
        let mut part = rest as u32;
        let count = part.count_ones() as usize;
        if left < count {
            for _ in 0..left {
                part &= part.wrapping_sub(1);
            }
            return start + part.trailing_zeros() as usize;
        }
        left -= count;
        rest >>= u32::BITS;
    }
    u128::BITS as usize
}

/// [`Word::each`] of a long word, part by part.
#[inline]
fn each_of_long(word: u128, mut tell: impl FnMut(usize)) {
    let mut rest = word;
    for start in (0..u128::BITS as usize).step_by(u32::BITS as usize) {
        let mut part = rest as u32;
        while part != 0 {
            tell(start + part.trailing_zeros() as usize);
            part &= part.wrapping_sub(1);
        }
        rest >>= u32::BITS;
    }
}

impl Word for Wide {
    const BITS: usize = 256;
    const ZERO: Self = Wide(0, 0);
    type Slot = [u8; slot_bytes(MAX_POINTS)];
    const EMPTY_SLOT: Self::Slot = [0; slot_bytes(MAX_POINTS)];
    type Plane = [u8; MAX_POINTS];
    const BLANK: Self::Plane = [0; MAX_POINTS];
    #[inline]
    fn of_bytes(bytes: &[u8]) -> Self {
        Wide(long(bytes, 0), long(bytes, size_of::<u128>()))
    }
    #[inline]
    fn bit(index: usize) -> Self {
        if index < 128 {
            Wide(1 << index, 0)
        } else {
            Wide(0, 1 << (index % 128))
        }
    }
    #[inline]
    fn low(self) -> u64 {
        self.0 as u64
    }
    #[inline]
    fn up(self, by: usize) -> Self {
        match by {
            0 => self,
            1..=127 => Wide(self.0 << by, (self.1 << by) | (self.0 >> (128 - by))),
            _ => Wide(0, self.0 << (by % 128)),
        }
    }
    #[inline]
    fn down(self, by: usize) -> Self {
        match by {
            0 => self,
            1..=127 => Wide((self.0 >> by) | (self.1 << (128 - by)), self.1 >> by),
            _ => Wide(self.1 >> (by % 128), 0),
        }
    }
    #[inline]
    fn count(self) -> usize {
        self.0.count() + self.1.count()
    }
    #[inline]
    fn lowest(self) -> usize {
        if self.0 != 0 {
            self.0.lowest()
        } else {
            128 + self.1.lowest()
        }
    }
    #[inline]
    fn eights(self, mut tell: impl FnMut(usize, u8)) {
        self.0.eights(&mut tell);
        self.1.eights(|eight, bits| tell(16 + eight, bits));
    }
    #[inline]
    fn each(self, mut tell: impl FnMut(usize)) {
        self.0.each(&mut tell);
        self.1.each(|place| tell(128 + place));
    }
    #[inline]
    fn nth(self, n: usize) -> usize {
        let low = self.0.count();
        if n < low {
            self.0.nth(n)
        } else {
            128 + self.1.nth(n - low)
        }
    }
    #[inline]
    fn without_lowest(self) -> Self {
        if self.0 != 0 {
            Wide(self.0.without_lowest(), self.1)
        } else {
            Wide(0, self.1.without_lowest())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Wide, Word, bit_by_parts, count_by_parts, long_bit, nth_by_bytes};

    #[test]
    fn a_long_bit_is_in_its_place() {
        for index in 0..128 {
            assert_eq!(long_bit(index), 1 << index);
            assert_eq!(bit_by_parts(index), 1 << index);
        }
    }

    proptest! {
        #[test]
        fn finding_a_bit_by_bytes_equals_counting_bits(word: u64, mask: u64, n in 0..70_usize) {
            for word in [word, word & mask, word | mask, 0, u64::MAX] {
                let mut rest = word;
                for _ in 0..n {
                    rest = rest.without_lowest();
                }
                prop_assert_eq!(nth_by_bytes(word, n), rest.lowest());
            }
        }

        #[test]
        fn visiting_bits_by_bytes_equals_visiting_them_singly(low: u128, high: u128, mask: u128) {
            for word in [Wide(low, high), Wide(low & mask, 0), Wide(0, high & mask)] {
                let mut bits = Wide::ZERO;
                word.eights(|eight, which| {
                    assert!(which != 0, "eight {eight} has none");
                    for bit in (0..8).filter(|bit| which & (1 << bit) != 0) {
                        bits |= Wide::bit(8 * eight + bit);
                    }
                });
                prop_assert_eq!(bits, word);
            }
        }

        #[test]
        fn counting_bits_by_parts_equals_count_ones(word: u128, mask: u128) {
            for word in [word, word & mask, word | mask, 0, u128::MAX] {
                prop_assert_eq!(count_by_parts(word), word.count_ones() as usize);
            }
        }
    }
}
