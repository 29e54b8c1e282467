//! A board whose session is written while it is driven.

use std::path::PathBuf;

use protocol::{Deed, Input, Tick};

use super::{Act, Header, Recorder};
use crate::driver::{BridgeError, Driver};

/// Wraps a driver; whoever drives it need not know.
pub struct RecordingDriver<D> {
    inner: D,
    recorder: Recorder,
    remarks: Vec<String>,
}

impl<D: Driver> RecordingDriver<D> {
    /// Records what is done to `inner` from now on, which was just reset as the
    /// header says, or is in the header's state.
    pub fn new(inner: D, recorder: Recorder) -> Self {
        RecordingDriver {
            inner,
            recorder,
            remarks: Vec::new(),
        }
    }

    /// What the first line of a session of this board has to say: its state, if
    /// it was not just switched on.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn header(inner: &mut D, seed: u64, note: &str) -> Result<Header, BridgeError> {
        let mut header = Header::new(inner.layout(), seed, note);
        if inner.tick() > 0 {
            header.state = Some(inner.save()?);
        }
        Ok(header)
    }

    /// Ends the session.
    ///
    /// # Errors
    /// When the file takes no more.
    pub fn finish(self) -> Result<(), BridgeError> {
        let tick = self.inner.tick();
        self.recorder.finish(tick).map_err(file)
    }

    /// Ends it without an end, as [`Recorder::abandon`] does.
    #[must_use]
    pub fn abandon(self) -> Option<PathBuf> {
        self.recorder.abandon()
    }

    fn note(&mut self, tick: Tick, act: Act) -> Result<(), BridgeError> {
        self.recorder.note(tick, act).map_err(file)
    }
}

fn file(error: super::SessionError) -> BridgeError {
    BridgeError::Open(error.to_string())
}

impl<D: Driver> Driver for RecordingDriver<D> {
    crate::forward!(inner: at, layout, tick, frame, status, legal, digest, save, take_events);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), BridgeError> {
        self.step_and_digest(inputs, ticks).map(drop)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, BridgeError> {
        for input in inputs {
            self.note(self.inner.tick(), Act::Do(Deed::Input(*input)))?;
        }
        let before = self.inner.tick();
        let digest = self.inner.step_and_digest(inputs, ticks);
        for remark in self.inner.take_remarks() {
            self.note(before, Act::Note(remark.clone()))?;
            self.remarks.push(remark);
        }
        let digest = digest?;
        self.note(self.inner.tick(), Act::Digest(digest))?;
        Ok(digest)
    }

    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), BridgeError> {
        if let Deed::Input(input) = deed {
            return self.step(&[*input], 0);
        }
        // A reset is of the moment before it: its ticks count on from 0.
        let before = self.inner.tick();
        self.inner.carry_out(deed)?;
        self.note(before, Act::Do(deed.clone()))
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), BridgeError> {
        let tick = self.inner.tick();
        self.inner.load(bytes)?;
        self.note(tick, Act::Load(bytes.to_vec()))
    }
}
