//! What goes on in a game, in words for people.
//!
//! - [`standing`], [`display`], [`light_meaning`]: how the game stands, what the display and a
//!   light mean.
//! - [`touches`], [`preview`], [`expected`]: what a touch would do, and what a player
//!   expects.
//! - [`event_words`], [`story`]: what happened.

pub mod display;
pub mod event_words;
pub mod expected;
pub mod light_meaning;
pub mod preview;
pub mod standing;
pub mod story;
pub mod touches;
