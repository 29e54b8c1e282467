//! What a board looks like: its colours, where its points lie, its pieces, its case and
//! its keys.
//!
//! - [`palette`]: the colours of lights, and the words for them.
//! - [`places`]: where points lie on a screen, and which one an arrow key leads to.
//! - [`pieces`]: what lies on points. [`case`]: a board around them. [`keys`]: keyboards
//!   for it.

pub mod case;
pub mod keys;
pub mod palette;
pub mod pieces;
pub mod places;
