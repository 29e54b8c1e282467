//! Games that are written in a language of ludemes.
//!
//! A game is a text. It is read into a [`tree`], its layout becomes a drawing of
//! points and ways, and its rules become a cartridge: a few thousand bytes that
//! the core plays, in the window as on a microcontroller.
#![deny(missing_docs)]

pub mod check;
pub mod compile;
pub mod constructs;
pub mod explain;
pub mod format;
pub mod layout;
pub mod names;
pub mod replay;
pub mod report;
pub mod shown;
pub mod text;
pub mod tree;
