//! Work that somebody waits for: what is done, how far it is, whether it can be cancelled.

use bevy::prelude::*;

/// Work that may take longer than a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct LongWork {
    /// What is done, as the beginning of a sentence.
    pub words: String,
    /// How much of it is done, from 0 to 1, if that is known.
    pub share: Option<f32>,
    /// It can be cancelled, and leaves nothing half done.
    pub can_cancel: bool,
}

/// A file that is being written, if any is.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct FileWork(pub Option<LongWork>);

/// Do not write the file of [`FileWork`]. (What a board does is cancelled by
/// [`WindowCommand::Cancel`](super::WindowCommand::Cancel).)
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelWork;
