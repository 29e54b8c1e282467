//! Counts the starts since power-on, in memory that a start does not clear.

#![allow(unsafe_code)]

use core::mem::MaybeUninit;

/// Marks a valid count; after power-on the memory contains arbitrary data.
const MARK: u32 = 0xB0A2_D001;

#[unsafe(link_section = ".uninit.boot")]
static mut COUNT: MaybeUninit<[u32; 2]> = MaybeUninit::uninit();

/// Counts this start. To be called once, before anything else runs.
pub fn count() -> u32 {
    let place = (&raw mut COUNT).cast::<[u32; 2]>();
    // SAFETY: `place` is valid and aligned, any bits are a valid pair of `u32`, and no
    // other code uses it.
    let [mark, count] = unsafe { place.read_volatile() };
    let count = if mark == MARK {
        count.wrapping_add(1)
    } else {
        0
    };
    // SAFETY: as for the read above.
    unsafe { place.write_volatile([MARK, count]) };
    count
}
