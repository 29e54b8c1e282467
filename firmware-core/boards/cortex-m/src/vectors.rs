//! The interrupts that an image uses: those of its lines.
//!
//! The table of interrupts ends with them and is short enough to be built here. A
//! peripheral access crate for it would be thousands of lines.

#![allow(unsafe_code)]

use crate::chip::Chip;
use crate::line;

/// An entry of the vector table.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Vector(unsafe extern "C" fn());

unsafe extern "C" {
    fn DefaultHandler();
}

/// The vectors that `cortex-m-rt` places after those of the core. An image gives them
/// `PLACES`, one more than the number of its line's interrupt, and the names by which the
/// linker finds them:
///
/// ```text
/// #[unsafe(link_section = ".vector_table.interrupts")]
/// #[unsafe(no_mangle)]
/// pub static __INTERRUPTS: [Vector; 6] = vectors::table::<Lm3s6965, 6>();
/// ```
#[must_use]
pub const fn table<C: Chip, const PLACES: usize>() -> [Vector; PLACES] {
    let last = C::LINE_INTERRUPT as usize;
    assert!(last + 1 == PLACES, "the line's interrupt is the last");
    let mut places = [Vector(DefaultHandler); PLACES];
    places[last] = Vector(on_line::<C>);
    if let Some(second) = C::SECOND_LINE_INTERRUPT {
        places[second as usize] = Vector(on_second_line::<C>);
    }
    places
}

extern "C" fn on_line<C: Chip>() {
    line::on_interrupt::<C>();
}

extern "C" fn on_second_line<C: Chip>() {
    line::on_second_interrupt::<C>();
}
