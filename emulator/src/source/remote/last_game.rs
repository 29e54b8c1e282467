//! The game of a board that was lost or restarted: kept, and brought back.

use crossbeam_channel::TryRecvError;
use touchboard_host::Recorder;

use super::{Answer, Line, Remote};
use crate::source::{LastState, Restarted, SourceError};

/// A game that is being brought back, until the board has it.
struct Return {
    answer: Answer,
    kept: LastState,
    restarted: Restarted,
}

/// The game of a board that was lost or restarted.
#[derive(Default)]
pub(super) struct LastGame {
    /// The last known state of that game.
    pub(super) kept: Option<LastState>,
    pub(super) restarted: Option<Restarted>,
    returning: Option<Return>,
}

impl Remote {
    /// Keeps the last known state of the board, unless one is kept already.
    pub(super) fn keep(&mut self) {
        if self.last.kept.is_none() {
            let lifts = self.recorder.as_ref().map(Recorder::lifts);
            self.last.kept = self
                .comparison
                .state_at(self.tick, &lifts.unwrap_or_default());
        }
    }

    /// Sends the board that restarted the state of its earlier game.
    pub(super) fn bring_back(&mut self) -> Result<(), SourceError> {
        let Line::Open(client) = &self.line else {
            return Ok(());
        };
        let (Some(kept), Some(restarted)) = (self.last.kept.take(), self.last.restarted.take())
        else {
            return Ok(());
        };
        let answer = client.post_load_in(self.run, kept.state.clone());
        self.last.returning = Some(Return {
            answer: answer?,
            kept,
            restarted,
        });
        Ok(())
    }

    /// Checks whether the game has been brought back.
    pub(super) fn returned(&mut self) -> Result<(), SourceError> {
        let Some(returning) = &self.last.returning else {
            return Ok(());
        };
        let result = match returning.answer.try_recv() {
            Err(TryRecvError::Empty) => return Ok(()),
            Ok(result) => result.map(drop).map_err(SourceError::from),
            Err(TryRecvError::Disconnected) => Err(SourceError::Unanswered),
        };
        let Some(Return {
            kept, restarted, ..
        }) = self.last.returning.take()
        else {
            return Ok(());
        };
        result
            .map(|()| {
                self.becomes(&kept.state);
                self.standing.request_soon();
            })
            .map_err(|error| {
                self.last.kept = Some(kept);
                self.last.restarted = Some(restarted);
                SourceError::NotBroughtBack(Box::new(error))
            })
    }
}
