//! Why the session, or a file that is made from it, is not saved.

use std::io;

use touchboard_files::WritingError;
use touchboard_host::DriverError;
use touchboard_host::signals::SignalError;
use touchboard_links::SessionFileError;
use touchboard_picture::PictureError;

use crate::source::SourceError;

/// Why the session, or a file that is made from it, is not saved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SavingError {
    /// The board has no session to save.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The session cannot be written.
    #[error(transparent)]
    Session(#[from] SessionFileError),
    /// The session cannot be replayed.
    #[error(transparent)]
    Replay(#[from] DriverError),
    /// The board has no such signal.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// A picture or a film cannot be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The end of the file's name names no format; these do.
    #[error("the name of the file has to end in {0}")]
    Ending(&'static str),
    /// No thread can be started, or the waveforms cannot be written out.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The file cannot be written.
    #[error(transparent)]
    Writing(#[from] WritingError),
}
