//! Grid controllers that people own, as the front panel of a board.
//!
//! A board in a process has neither keys nor lamps. A Novation Launchpad or a monome grid
//! has both: what it sends becomes [`Input`](protocol::Input)s, and what is
//! [`Seen`](firmware_core::Seen) of the board becomes bytes that light the lamps.
//!
//! From the bottom up:
//!
//! 1. [`form`]: the keys of a panel in columns and rows, and a picture of its lamps.
//! 2. [`plan`]: a layout in columns and rows.
//! 3. [`desk`]: which key is which point or button, and what each lamp shows.
//! 4. [`midi`], [`launchpad`], [`monome`]: the bytes of each device, as its maker
//!    documents them.
//! 5. [`talk`]: the conversation with a panel, from plugging it in to its end.
//! 6. [`choice`]: how users name a panel.
//!
//! Invariants: no threads, files, ports or clocks (bytes and milliseconds are passed in);
//! whatever a device sends, memory is limited and nothing panics; held keys are released
//! when the panel is unplugged.

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
pub use form::{KeySpot, PanelExtent, PanelForm, PanelLamp, PanelPicture};
pub use talk::{PanelNews, PanelSentence, PanelTalk};
