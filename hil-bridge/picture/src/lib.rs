//! Pictures of a board without a window: drawn, compared, and put together to a film.
//!
//! [`BoardPicture::of`] draws a board from above ([`drawing`]); [`PictureDifference`] tells how
//! far two pictures are from each other, and shows where; [`BoardFilm`] makes a GIF.
//!
//! It knows no files: bytes go in and come out.
//!
//! Invariants: the same frame at the same tick of the same layout is the same picture,
//! byte for byte, on every machine.

#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod compare;
mod drawing;
mod film;

pub use compare::{ALIKE, PictureDifference};
pub use drawing::BoardPicture;
pub use film::{BoardFilm, HUNDREDTHS_A_PICTURE};
