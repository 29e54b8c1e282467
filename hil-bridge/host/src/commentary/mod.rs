//! What goes on in a game, in words for people.
//!
//! - [`standing`], [`display`], [`lamp`]: how the game stands, what the display and a
//!   lamp mean.
//! - [`touches`], [`preview`], [`expected`]: what a touch would do, and what a player
//!   expects.
//! - [`event_words`], [`story`]: what happened.

pub mod display;
pub mod event_words;
pub mod expected;
pub mod lamp;
pub mod preview;
pub mod standing;
pub mod story;
pub mod touches;
