//! Pictures of a board without a window: drawn, compared, and combined into a film.
//!
//! [`BoardPicture::of`] draws a board from above ([`drawing`]); [`PictureDifference`]
//! says how much two pictures differ, and shows where; [`BoardFilm`] makes a GIF;
//! [`SessionPictures`] and [`SpanFilm`] draw moments and spans of a recorded session.
//!
//! This crate does not access files; it takes and returns bytes.
//!
//! Invariants: the same frame of the same layout at the same tick gives the same picture,
//! byte for byte, on every machine.

#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod compare;
mod drawing;
mod error;
mod film;
mod session;

pub use compare::{ALIKE, PictureDifference};
pub use drawing::BoardPicture;
pub use error::PictureError;
pub use film::{BoardFilm, HUNDREDTHS_A_PICTURE};
pub use session::{FilmSpan, MOST_PICTURES, SessionPictures, SpanFilm};
