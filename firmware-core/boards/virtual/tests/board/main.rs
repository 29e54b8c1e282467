//! The tests of the virtual board and its panels. They are one program, because all
//! libraries are linked into each.

mod fingers;
mod keep;
mod layout;
mod lines;
#[cfg(unix)]
mod osc;
#[cfg(unix)]
mod panels;
