//! The tests of lines to boards, most of them to the Pico's image. They are one program,
//! because all libraries are linked into each.

mod excused;
mod gdb;
mod palette;
mod pico;
mod pico_lines;
mod pico_pins;
