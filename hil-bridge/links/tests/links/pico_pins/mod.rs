//! The image of the Pico, read at its pins: contacts are closed; lights, display and
//! beeper are decoded and compared with a twin.

mod bench;
mod faults;
mod judges;
mod mistakes;
mod panel;
mod shrinking;
mod tiles;
mod touches;
