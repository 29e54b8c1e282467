//! Shrinks the inputs that led to a difference, and opens the line again afterwards.

use std::path::Path;

use super::{Line, Remote};
use crate::source::SourceError;
use crate::source::system::Shrinking;

impl Remote {
    /// Closes the line, and begins to shrink the inputs that led to the difference.
    pub(super) fn shrink(&mut self, folder: &Path) -> Result<(), SourceError> {
        let parted = self.comparison.parted();
        let parted = parted.ok_or(SourceError::NoDifference)?;
        let place = self.place.clone().ok_or(SourceError::LineFromElsewhere)?;
        let recorder = self.recorder.as_ref().ok_or(SourceError::NothingKnown)?;
        let last = recorder.last_tick().max(parted.board.tick());
        let session = recorder.session(last);
        let line = &mut self.line;
        // The board becomes free when the client is dropped.
        let closed = || {
            let why = "the line was closed, and nothing was shrunk: connect again";
            std::mem::replace(line, Line::Failed(why.to_owned()))
        };
        let shrinking = Shrinking::begin(*place, session, folder, closed)?;
        self.line = Line::Shrinking(shrinking);
        Ok(())
    }

    /// When shrinking has finished, reports where the session was saved, and reopens the
    /// line.
    pub(super) fn await_shrunk(&mut self, shrinking: Shrinking) {
        let Some(told) = shrinking.outcome() else {
            self.line = Line::Shrinking(shrinking);
            return;
        };
        self.said.push(told);
        self.recorder = None;
        self.comparison.keep_difference();
        self.line = match self.place.clone() {
            Some(place) => Line::Closed(place, None),
            None => Line::Failed(SourceError::LineFromElsewhere.to_string()),
        };
    }
}
