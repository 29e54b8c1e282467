//! The pieces of a board, read from its state when its lights have changed: a board at the
//! end of a line is asked no more often than that.

use protocol::{Frame, Settings, Status};

use crate::games::{self, Guide};
use crate::pieces::{Pieces, board_of_state};
use crate::{Driver, DriverError};

/// The pieces of a board that is looked at again and again.
#[derive(Clone, Debug, Default)]
pub struct PieceCache {
    seen: Option<(Settings, Frame)>,
    pieces: Option<Pieces>,
}

impl PieceCache {
    /// What lay on the board when it was last looked at.
    #[must_use]
    pub fn pieces(&self) -> Option<&Pieces> {
        self.pieces.as_ref()
    }

    /// What is to be said of what the player holds, or of where to move.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        let Pieces { note, open, .. } = self.pieces.as_ref()?;
        [note, open]
            .into_iter()
            .map(String::as_str)
            .find(|words| !words.is_empty())
    }

    /// What lies on this board now.
    ///
    /// # Errors
    /// When the board cannot be reached; what was seen last is forgotten then.
    pub fn at(
        &mut self,
        driver: &mut (impl Driver + ?Sized),
        status: &Status,
    ) -> Result<Option<&Pieces>, DriverError> {
        if status.score.is_none()
            || !games::find(status.settings.game).is_some_and(Guide::has_pieces)
        {
            *self = PieceCache::default();
            return Ok(None);
        }
        let seen = (status.settings, driver.frame().clone());
        if self.seen.as_ref() != Some(&seen) {
            *self = PieceCache::default();
            self.pieces = board_of_state(&driver.save()?).and_then(|board| games::pieces(&board));
            self.seen = Some(seen);
        }
        Ok(self.pieces.as_ref())
    }
}
