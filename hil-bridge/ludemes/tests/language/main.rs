//! The tests of the language of games. They are one program, because all libraries are
//! linked into each.

mod boards;
mod candidates;
mod cartridges;
mod chess;
mod meaning;
mod sowing;
mod tilings;
mod whereabouts;
