//! Measures the deepest use of the stack: memory that was never used still contains the
//! paint.

#![allow(unsafe_code)]

const PAINT: u32 = 0xACE0_FBA5;

/// Room for the stack frames of this function and of those that it calls.
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

/// Paints the part of the stack that is not in use.
// A separate function, so that its frame is the lowest one on the stack.
#[inline(never)]
pub fn paint() {
    let here = 0_u32;
    let end = (&raw const here as usize).saturating_sub(OWN_BYTES);
    let mut at = bottom();
    while (at as usize) < end {
        // SAFETY: nothing between the variables and the stack is in use, and the address
        // is aligned, since the linker script aligns the start.
        unsafe { at.write_volatile(PAINT) };
        at = at.wrapping_add(1);
    }
}

/// The number of bytes in use when the stack was deepest.
pub fn deepest_bytes() -> usize {
    let top = &raw const _stack_start as usize;
    let mut at = bottom().cast_const();
    // SAFETY: everything up to the top is aligned memory.
    while (at as usize) < top && unsafe { at.read_volatile() } == PAINT {
        at = at.wrapping_add(1);
    }
    top - at as usize
}

/// The number of bytes available for the stack.
pub fn room_bytes() -> usize {
    let [bottom, top] = [bottom() as usize, &raw const _stack_start as usize];
    top - bottom
}
