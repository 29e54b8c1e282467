//! Repeats a session on any board.

use protocol::{Deed, Input, Refusal, Tick};

use super::{Header, Session, SessionItem};
use crate::driver::{Driver, DriverError};

/// The place where a board differs from the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The index of the session's entry.
    pub entry: usize,
    /// The tick of the mismatch.
    pub tick: Tick,
    /// The digest in the session.
    pub recorded: u64,
    /// The digest of the board.
    pub found: u64,
}

impl Mismatch {
    /// The difference as a sentence; `place` says where the board is, as in `on the board`.
    #[must_use]
    pub fn sentence(&self, place: &str) -> String {
        let Mismatch {
            tick,
            found,
            recorded,
            ..
        } = self;
        format!(
            "tick {tick}: the digest is {found:016x} {place} and {recorded:016x} in the session"
        )
    }
}

/// A replay in progress. It sends the inputs of a tick together, to save round trips.
pub struct Replay<'a> {
    board: &'a mut dyn Driver,
    /// The inputs of the current tick that have not been sent.
    inputs: Vec<Input>,
}

impl<'a> Replay<'a> {
    /// Brings the board to the session's initial state.
    ///
    /// # Errors
    /// When the board cannot be reached, or refuses the header.
    pub fn begin(board: &'a mut dyn Driver, header: &Header) -> Result<Self, DriverError> {
        header.begin(board)?;
        let inputs = Vec::new();
        Ok(Replay { board, inputs })
    }

    /// Carries out the next item. For a digest in the session, returns the digest of the
    /// board.
    ///
    /// A refusal by the board is not an error: the command was also refused when it was
    /// recorded, and the digests prove it.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn act(&mut self, tick: Tick, item: &SessionItem) -> Result<Option<u64>, DriverError> {
        if tick > self.board.tick()
            && !matches!(
                item,
                SessionItem::Digest(_) | SessionItem::Note(_) | SessionItem::Contact(_)
            )
        {
            self.advance(tick)?;
        }
        let done = match item {
            SessionItem::Do(Deed::Input(input)) => {
                self.inputs.push(*input);
                return Ok(None);
            }
            SessionItem::Digest(_) => {
                let ticks = tick.saturating_sub(self.board.tick());
                let inputs = std::mem::take(&mut self.inputs);
                return self.board.step_and_digest(&inputs, ticks).map(Some);
            }
            SessionItem::Do(_) | SessionItem::Load(_) => {
                self.advance(tick)?;
                item.carry_out(self.board)
            }
            SessionItem::Note(_) | SessionItem::Contact(_) => Ok(()),
            SessionItem::End => self.advance(tick),
        };
        match done {
            // The board did not decide on the command: its events have no room, or it is
            // not in lockstep.
            Err(error @ DriverError::Refused(Refusal::Unseen | Refusal::NotInLockstep)) => {
                Err(error)
            }
            Err(DriverError::Refused(_)) | Ok(()) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The replaying board, at its current tick.
    pub fn board(&mut self) -> &mut (dyn Driver + 'a) {
        self.board
    }

    /// The current tick of the replaying board.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.board.tick()
    }

    /// Sends the collected inputs, and lets time pass up to this tick.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn advance(&mut self, tick: Tick) -> Result<(), DriverError> {
        let ticks = tick.saturating_sub(self.board.tick());
        let inputs = std::mem::take(&mut self.inputs);
        if inputs.is_empty() && ticks == 0 {
            return Ok(());
        }
        self.board.step(&inputs, ticks)
    }
}

impl Session {
    /// Replays the session on a board, calls `each` with the number of entries done, and
    /// returns the first digest that differs.
    ///
    /// # Errors
    /// When the board cannot be reached, or refuses the header.
    pub fn replay(
        &self,
        board: &mut dyn Driver,
        each: &mut dyn FnMut(usize),
    ) -> Result<Option<Mismatch>, DriverError> {
        let mut replay = Replay::begin(board, &self.header)?;
        for (entry, number) in self.entries.iter().zip(0..) {
            let found = replay.act(entry.tick, &entry.item)?;
            if let (Some(found), SessionItem::Digest(recorded)) = (found, &entry.item)
                && found != *recorded
            {
                return Ok(Some(Mismatch {
                    entry: number,
                    tick: entry.tick,
                    recorded: *recorded,
                    found,
                }));
            }
            each(number + 1);
        }
        replay.advance(0)?;
        Ok(None)
    }
}
