//! The tests of the window as a library: its plugins in an app without a window and a
//! renderer. They are one program, because Bevy is linked into each.

mod both_paths;
mod games;
mod letters;
mod lost_board;
mod marks;
mod pieces;
mod plugins;
mod take_back;
mod time_travel;
mod told;
mod windowless;
mod written;
