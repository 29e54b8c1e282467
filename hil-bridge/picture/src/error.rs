//! Why there is no picture, or no film. The text of each error is a sentence that says what
//! to do.

use std::error::Error;

use protocol::Tick;
use touchboard_host::DriverError;

/// Why there is no picture, or no film.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// There is not enough memory for a picture.
    #[error("there is no memory for a picture")]
    NoMemory,
    /// A picture that is read has more pixels on a side than this.
    #[error("it is larger than {0} x {0}")]
    TooLarge(u32),
    /// The bytes are not those of a PNG.
    #[error("it is not a PNG: {0}")]
    NotPng(#[source] Box<dyn Error + Send + Sync>),
    /// A picture cannot be written as a PNG.
    #[error("no picture: {0}")]
    NotWritten(#[source] Box<dyn Error + Send + Sync>),
    /// The session has no board at this time.
    #[error("there is nothing at {ms} ms: the session lasts from {begins_ms} to {ends_ms} ms")]
    Nothing {
        /// The time that was asked for.
        ms: Tick,
        /// When the session begins.
        begins_ms: Tick,
        /// When it ends.
        ends_ms: Tick,
    },
    /// The board cannot be brought to that moment.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A film would have too many pictures.
    #[error(
        "these are {count} pictures, and a film has at most {most}: choose a shorter span, or a larger --every"
    )]
    TooMany {
        /// The number of pictures.
        count: u64,
        /// The largest number possible.
        most: u64,
    },
    /// A picture would be shown for less than this many ms.
    #[error(
        "a picture would stay for less than {0} ms, which browsers do not show: choose a larger --every, or a lower --speed"
    )]
    TooShort(u16),
    /// The pictures have more pixels on a side than a GIF can have.
    #[error("a GIF is at most 65535 pixels wide and high")]
    TooLargeForFilm,
    /// A film has no picture.
    #[error("the film has no picture")]
    Empty,
    /// The pictures of a film have different sizes.
    #[error("the layout of the board changes: choose a span without that")]
    LayoutChanges,
    /// A film cannot be written.
    #[error("no film: {0}")]
    Film(#[from] gif::EncodingError),
}
