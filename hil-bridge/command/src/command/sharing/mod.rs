//! A board that other programs use over a listening port, one at a time.
//!
//! A [`Door`] lets them in: it accepts connections, and checks certificates and passwords,
//! each in a thread of its own. Who is in is a [`Guest`]. The [`BoardDesk`] has the board and
//! its lock: it passes bytes between the board and one guest, as a [`Talk`] says, and turns
//! the others away with a sentence.
//!
//! Invariants: nothing that a newcomer does or leaves undone disturbs the guest with the
//! board, nor another newcomer; a guest keeps the board as long as it sends something often
//! enough, and loses it only to somebody else; each coming, going and refusal is a line on
//! the standard error.

mod desk;
mod door;
mod guest;
mod talk;

pub use desk::{BoardDesk, MAY_BE_SILENT_FOR};
pub use door::{Door, DoorRules};
pub use guest::{Guest, Manner};
pub use talk::Rate;
