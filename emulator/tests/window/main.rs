//! The tests of the window as a library: its plugins in an app without a window and a
//! renderer. They are one program, because Bevy is linked into each.

mod both_paths;
#[cfg(feature = "desktop")]
mod faults;
mod games;
mod letters;
#[cfg(feature = "desktop")]
mod lost_board;
mod marks;
mod pieces;
mod plugins;
mod take_back;
#[cfg(feature = "desktop")]
mod time_travel;
#[cfg(feature = "desktop")]
mod told;
mod windowless;
#[cfg(feature = "desktop")]
mod written;
