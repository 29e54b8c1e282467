//! Work that the user waits for: a description, its progress, and whether it can be
//! cancelled.

use bevy::prelude::*;

/// Work that may take more than a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct LongWork {
    /// The work in progress, as the beginning of a sentence.
    pub words: String,
    /// The share that is done, from 0 to 1, if that is known.
    pub share: Option<f32>,
    /// True if it can be cancelled without leaving anything half done.
    pub can_cancel: bool,
}

/// The file that is being written, if there is one.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct FileWork(pub Option<LongWork>);

/// The line that the console carries out, if that takes longer than a picture.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct ConsoleWork(pub Option<LongWork>);

/// Requests to cancel work. (The work of a board is cancelled by
/// [`WindowCommand::Cancel`](super::WindowCommand::Cancel).)
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelWork {
    /// Stop writing the file of [`FileWork`].
    File,
    /// Cancel the line of [`ConsoleWork`], and those that wait behind it.
    Console,
}
