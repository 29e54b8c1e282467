//! The image of the Pico, judged at its pins: contacts are closed, and what its lights, its
//! display and its beeper show is decoded and compared with a twin.

mod bench;
#[path = "../excused/mod.rs"]
mod excused;
mod faults;
mod judges;
mod mistakes;
mod panel;
mod shrinking;
mod tiles;
mod touches;
