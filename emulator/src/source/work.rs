//! Work that the user waits for: what it is, how far it is, and whether it can be
//! cancelled.

use bevy::prelude::*;

/// Work that may take more than a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct LongWork {
    /// What is being done, as the beginning of a sentence.
    pub words: String,
    /// How much of it is done, from 0 to 1, if that is known.
    pub share: Option<f32>,
    /// True if it can be cancelled without leaving anything half done.
    pub can_cancel: bool,
}

/// A file that is being written, if there is one.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct FileWork(pub Option<LongWork>);

/// The line that the console does, if that takes more than a picture.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct ConsoleWork(pub Option<LongWork>);

/// Leave work off. (What a board does is cancelled by
/// [`WindowCommand::Cancel`](super::WindowCommand::Cancel).)
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelWork {
    /// Do not write the file of [`FileWork`].
    File,
    /// Leave off the line of [`ConsoleWork`], and those that wait behind it.
    Console,
}
