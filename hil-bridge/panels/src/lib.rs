//! Grid controllers that people own, as the front panel of a board.
//!
//! A board in a process has no keys and no lamps. A Novation Launchpad or a monome grid
//! has both: what it sends becomes [`Input`](protocol::Input)s, and what is
//! [`Seen`](firmware_core::Seen) of the board becomes the bytes that light it.
//!
//! From the bottom up:
//!
//! 1. [`form`]: the keys of a panel, in columns and rows, and a picture of its lamps.
//! 2. [`plan`]: a layout in columns and rows.
//! 3. [`desk`]: which key is which point or button, and what each lamp shows.
//! 4. [`midi`], [`launchpad`], [`monome`]: the bytes of each device, as its maker
//!    publishes them.
//! 5. [`talk`]: the conversation with a panel, from its plug to its end.
//! 6. [`choice`]: how a person names a panel.
//!
//! Invariants: no thread, file, port or clock (bytes and milliseconds are handed
//! in); whatever a device sends, memory is bounded and nothing panics; what is held down
//! comes up again when the panel is unplugged.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod choice;
pub mod desk;
pub mod form;
pub mod launchpad;
pub mod midi;
pub mod monome;
pub mod plan;
pub mod talk;

pub use choice::{PanelChoice, PanelKind};
pub use desk::PanelDesk;
pub use form::{KeySpot, PanelForm, PanelLamp, PanelPicture};
pub use talk::{PanelNews, PanelSentence, PanelTalk};
