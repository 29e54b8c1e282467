//! Measures the deepest use of the stack: memory that was never used is still
//! painted.

#![allow(unsafe_code)]

const PAINT: u32 = 0xACE0_FBA5;

/// Room for the frames of this function and those that it calls.
const OWN_BYTES: usize = 256;

unsafe extern "C" {
    /// The end of the variables, from the linker script.
    static __sheap: u32;
    /// The start of the stack, at its highest address.
    static _stack_start: u32;
}

fn bottom() -> *mut u32 {
    (&raw const __sheap).cast_mut()
}

/// Paints what the stack has not reached yet.
// A function of its own, so that its frame is the lowest on the stack.
#[inline(never)]
pub fn paint() {
    let here = 0_u32;
    let end = (&raw const here as usize).saturating_sub(OWN_BYTES);
    let mut at = bottom();
    while (at as usize) < end {
        // SAFETY: between the variables and the stack nothing is in use, and the place is
        // aligned, since the linker's script aligns its beginning.
        unsafe { at.write_volatile(PAINT) };
        at = at.wrapping_add(1);
    }
}

/// The bytes that it took at its deepest.
pub fn deepest_bytes() -> usize {
    let top = &raw const _stack_start as usize;
    let mut at = bottom().cast_const();
    // SAFETY: it is memory, and aligned, up to the top.
    while (at as usize) < top && unsafe { at.read_volatile() } == PAINT {
        at = at.wrapping_add(1);
    }
    top - at as usize
}

/// The bytes that there are for it.
pub fn room_bytes() -> usize {
    let [bottom, top] = [bottom() as usize, &raw const _stack_start as usize];
    top - bottom
}
