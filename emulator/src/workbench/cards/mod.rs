//! The cards of the side panel, from the top down. The card of the connection is in
//! [`system`](super::system), because it differs between systems with lines and without.
//!
//! - [`game`]: the settings, START, and how the game stands;
//! - [`text`]: the text of a game that is a text, and its errors;
//! - [`log`]: what has happened;
//! - [`view`]: the camera, the colours, the sound;
//! - [`time`]: the pace of board time.

pub mod game;
pub mod log;
pub mod text;
pub mod time;
pub mod view;
