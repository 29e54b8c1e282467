//! The faults of a board at the end of a line, and of the line.
//!
//! Faults of the line and dead lamps are simulated here. A board whose contacts are
//! simulated has all others itself: it is asked for them at each hello, and given the
//! user's.
//!
//! Invariant: the session notes faults at the tick from which the board has them.

use crate::source::system::LineClient;
use crossbeam_channel::TryRecvError;
use firmware_core::Faults;
use firmware_core::faults::FaultyLine;
use protocol::{Refusal, Tick};
use touchboard_host::DriverError;
use touchboard_host::driver::InjectionError;
use touchboard_host::session::faults_note;

use super::{Answer, Line, Remote};
use crate::source::{Injectable, SourceError};

/// The active faults, and where they are simulated.
#[derive(Default)]
pub(super) struct RemoteFaults {
    /// The faults that the user has set last, or that the board has told since.
    now: Faults,
    /// The faults that the session knows.
    noted: Faults,
    /// The handle for the faults of the line, if it was opened here.
    line: Option<FaultyLine>,
    /// True if the board has said that it can have faults.
    is_simulated: bool,
    /// The request for the faults that the board has.
    asked: Option<Answer>,
    /// The requests that give it others.
    given: Vec<Answer>,
}

impl RemoteFaults {
    /// The faults with which a line is opened, and the handle for them.
    pub(super) fn of_line(faults: Faults, line: Option<FaultyLine>) -> RemoteFaults {
        RemoteFaults {
            now: faults.clone(),
            noted: faults,
            line,
            ..RemoteFaults::default()
        }
    }

    pub(super) fn now(&self) -> &Faults {
        &self.now
    }

    pub(super) fn line(&self) -> Option<&FaultyLine> {
        self.line.as_ref()
    }

    /// Handles a restart of the board: a power failure happens only once.
    pub(super) fn restart(&mut self) {
        self.now.board.brown_out_after_ms = None;
        self.noted.board.brown_out_after_ms = None;
    }
}

impl Remote {
    /// The active faults, and those that can be injected.
    pub(super) fn injectable(&self) -> Injectable {
        Injectable {
            faults: self.faults.now.clone(),
            board: self.faults.is_simulated,
            line: self.faults.line.is_some(),
        }
    }

    /// Asks the board for its faults, and so whether it can have any.
    pub(super) fn ask_for_faults(&mut self, client: &LineClient) {
        // A line that was closed needs no answer.
        self.faults.asked = client.post_faults().ok();
    }

    /// Injects these faults from now on.
    pub(super) fn inject_faults(&mut self, faults: &Faults) -> Result<(), SourceError> {
        let RemoteFaults {
            now,
            line,
            is_simulated,
            ..
        } = &self.faults;
        if faults.line != now.line && line.is_none() {
            return Err(SourceError::LineFromElsewhere);
        }
        if faults.board != now.board {
            if !is_simulated {
                return Err(SourceError::NotSimulated);
            }
            let fit = faults.board.fit(self.known_layout());
            fit.map_err(|lacking| DriverError::from(InjectionError::from(lacking)))?;
        }
        let is_given = *is_simulated && faults.own() != now.own();
        if is_given {
            let Line::Open(client) = &self.line else {
                return Err(SourceError::NothingKnown);
            };
            self.faults
                .given
                .push(client.post_injection(faults.clone())?);
        }
        if let Some(line) = &self.faults.line {
            line.set(faults);
        }
        self.faults.now = faults.clone();
        if !is_given {
            self.note_faults(self.tick);
        }
        Ok(())
    }

    /// Takes over the faults that the board has from this tick on.
    pub(super) fn take_over_faults(&mut self, tick: Tick, told: &Faults) {
        let mut now = told.clone();
        let before = &self.faults.now;
        now.line = before.line.clone();
        now.board.dead_leds = before.board.dead_leds.clone();
        if told.are_none() {
            // A board without faults does not tell its seed.
            now.seed = before.seed;
        }
        self.faults.is_simulated = true;
        self.faults.now = now;
        if self.faults.now != self.faults.noted {
            self.note_faults(tick);
        }
    }

    fn note_faults(&mut self, tick: Tick) {
        if let Some(recorder) = &mut self.recorder {
            recorder.mark(tick, faults_note(&self.faults.now));
            self.faults.noted = self.faults.now.clone();
        }
    }

    /// Handles the answers to requests about faults. If the board did not take its faults,
    /// it is asked which ones it has.
    pub(super) fn receive_faults(&mut self, client: &LineClient) -> Result<(), SourceError> {
        let mut trouble = Ok(());
        let mut is_unsure = false;
        self.faults.given.retain(|given| match given.try_recv() {
            Err(TryRecvError::Empty) => true,
            Ok(Err(error)) => {
                trouble = Err(error.into());
                is_unsure = true;
                false
            }
            Ok(Ok(_)) | Err(TryRecvError::Disconnected) => false,
        });
        if let Some(asked) = self.faults.asked.take() {
            match asked.try_recv() {
                Err(TryRecvError::Empty) => self.faults.asked = Some(asked),
                Ok(Err(DriverError::Refused(Refusal::NotSimulated))) => {
                    self.faults.is_simulated = false;
                }
                // A board that was lost is asked at its next hello.
                Ok(_) | Err(TryRecvError::Disconnected) => {}
            }
        }
        if is_unsure {
            self.ask_for_faults(client);
        }
        trouble
    }
}
