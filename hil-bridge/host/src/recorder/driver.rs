//! A board that is driven step by step, and whatever is done to it written down
//! on the way: so one can go back in it, wherever the board is.

use protocol::{Deed, Input, StampedEvent, Tick};

use super::trace::Trace;
use super::{Recorder, SessionLog};
use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Header, Mismatch, Replay, Session, SessionItem};

/// Wraps a driver; whoever drives it need not know.
pub struct RecordingDriver<D> {
    pub(super) inner: D,
    /// Follows a board whose states are expensive to read.
    twin: Option<CoreDriver>,
    pub(super) recorder: Recorder,
    pub(super) trace: Trace,
    /// Events that were not fetched yet.
    pub(super) events: Vec<StampedEvent>,
    remarks: Vec<String>,
    compared: u64,
    mismatch: Option<Mismatch>,
}

impl<D: Driver> RecordingDriver<D> {
    /// Records what is done to `inner` from now on, which was just reset as the
    /// header says, or is in the header's state.
    pub fn new(inner: D, recorder: Recorder) -> Self {
        RecordingDriver {
            inner,
            twin: None,
            recorder,
            trace: Trace::default(),
            events: Vec::new(),
            remarks: Vec::new(),
            compared: 0,
            mismatch: None,
        }
    }

    /// Remembers what is done to `inner` from now on, whatever state it is in,
    /// and can go back.
    ///
    /// # Errors
    /// When its state cannot be read.
    pub fn from_now(mut inner: D, seed: u64, note: &str) -> Result<Self, DriverError> {
        let mut header = Header::new(inner.layout(), seed, note).with_games(inner.roster());
        header.state = Some(inner.save()?);
        let mut driver = RecordingDriver::new(inner, Recorder::new(Session::new(header)));
        driver.keep()?;
        Ok(driver)
    }

    /// A board on which this session happens as time passes; whatever is done to
    /// it besides ends that.
    ///
    /// # Errors
    /// When the board cannot begin as the session did.
    pub fn replaying(mut inner: D, session: Session) -> Result<Self, DriverError> {
        Replay::begin(&mut inner, &session.header)?;
        let mut driver = RecordingDriver::new(inner, Recorder::new(session));
        driver.keep()?;
        Ok(driver)
    }

    /// This board, with a twin in this process that does the same: its states are
    /// the keyframes, as long as the board has the same digests, so that they need
    /// not be read over a line.
    ///
    /// # Errors
    /// When the board's state cannot be read, this one time.
    pub fn with_twin(mut self) -> Result<Self, DriverError> {
        let mut twin = CoreDriver::new(self.inner.layout(), 0)?;
        twin.load(&self.inner.save()?)?;
        self.twin = Some(twin);
        Ok(self)
    }

    /// The board and what is known of it, for a host that goes on by listening to
    /// it: the next state that it tells is the one of this moment.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn into_parts(mut self) -> Result<(D, Recorder), DriverError> {
        let tick = self.inner.tick();
        if self
            .recorder
            .keyframe_before(tick)
            .is_none_or(|last| !self.recorder.is_now(last, tick))
        {
            self.keep()?;
        }
        self.recorder.expect_now(tick);
        Ok((self.inner, self.recorder))
    }

    /// Does it on the board, and on its twin.
    pub(super) fn do_both(
        &mut self,
        what: &dyn Fn(&mut dyn Driver) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let done = what(&mut self.inner);
        if let Some(twin) = &mut self.twin {
            // A failure makes the twin differ, and its states are not used.
            let _ = what(twin);
            twin.take_events();
        }
        done
    }

    /// What the first line of a session of this board has to say: its state, if
    /// it was not just switched on.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn header(inner: &mut D, seed: u64, note: &str) -> Result<Header, DriverError> {
        let mut header = Header::new(inner.layout(), seed, note).with_games(inner.roster());
        if inner.tick() > 0 {
            header.state = Some(inner.save()?);
        }
        Ok(header)
    }

    /// The board itself: to look at it.
    pub fn inner(&self) -> &D {
        &self.inner
    }

    /// The recorder with the session so far.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The actions so far, as a session.
    pub fn session(&self) -> Session {
        self.recorder.session(self.inner.tick())
    }

    /// How many digests of a session were compared while it happened again, and
    /// the first that was another.
    pub fn compared(&self) -> (u64, Option<Mismatch>) {
        (self.compared, self.mismatch)
    }

    /// The file that it is written into, if it is.
    #[must_use]
    pub fn into_log(self) -> Option<Box<dyn SessionLog>> {
        self.recorder.log()
    }

    /// Lets ticks pass, does what lies ahead at each, and returns how many there
    /// were: at least one, at most `most`.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn pass(&mut self, most: Tick) -> Result<Tick, DriverError> {
        let now = self.inner.tick();
        let due = [self.recorder.due(), self.recorder.keyframe_due(now)];
        let due = due.into_iter().flatten().min();
        let ticks = due.map_or(most, |due| most.min(due.saturating_sub(now).max(1)));
        self.do_both(&|board| board.step(&[], ticks))?;
        self.look();
        self.do_due()?;
        let now = self.inner.tick();
        if self
            .recorder
            .keyframe_due(now)
            .is_some_and(|due| due <= now)
        {
            self.keep()?;
        }
        Ok(ticks)
    }

    fn pass_all(&mut self, mut ticks: Tick) -> Result<(), DriverError> {
        while ticks > 0 {
            ticks -= self.pass(ticks)?;
        }
        Ok(())
    }

    /// Does what lies ahead at this tick.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn do_due(&mut self) -> Result<(), DriverError> {
        while let Some(entry) = self.recorder.take_due(self.inner.tick()) {
            if let SessionItem::Digest(recorded) = entry.item {
                self.compare(entry.tick, recorded)?;
                continue;
            }
            match self.do_both(&|board| entry.item.carry_out(board)) {
                // Commands that the board refuses were also refused when the session
                // was recorded.
                Ok(()) | Err(DriverError::Refused(_)) => {}
                Err(error) => return Err(error),
            }
            if entry.item.jumps() {
                self.recorder.forget_keyframes();
                self.trace.begin();
            }
            self.look();
        }
        Ok(())
    }

    fn compare(&mut self, tick: Tick, recorded: u64) -> Result<(), DriverError> {
        let found = self.inner.digest()?;
        self.compared += 1;
        // The first difference is the one that counts.
        if found != recorded && self.mismatch.is_none() {
            self.mismatch = Some(Mismatch {
                entry: self.recorder.done() - 1,
                tick,
                recorded,
                found,
            });
        }
        Ok(())
    }

    /// Goes to a moment, back or on. What happens again on the way back is not
    /// told again.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn go_to(&mut self, tick: Tick) -> Result<(), DriverError> {
        let is_back = tick < self.inner.tick();
        if is_back && let Some(keyframe) = self.recorder.keyframe_before(tick).cloned() {
            self.do_both(&|board| board.load(&keyframe.state))?;
            self.recorder.wind_to(&keyframe);
            self.trace.wind_to(keyframe.tick, self.recorder.done());
            self.look();
            self.do_due()?;
        }
        self.pass_all(tick.saturating_sub(self.inner.tick()))?;
        if is_back {
            self.events.clear();
        }
        Ok(())
    }

    /// Leaves a note at this moment; see [`Recorder::mark`].
    pub fn mark(&mut self, words: String) {
        self.recorder.mark(self.inner.tick(), words);
    }

    /// Goes to a moment of a branch that was left (see [`Recorder::branches`]); what the
    /// session was is a branch then. False if there is no such branch, or nothing leads
    /// back to where it parts.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn go_to_branch(&mut self, branch: usize, tick: Tick) -> Result<bool, DriverError> {
        let Some(keyframe) = self.recorder.switch_to(branch) else {
            return Ok(false);
        };
        self.do_both(&|board| board.load(&keyframe.state))?;
        self.trace.wind_to(keyframe.tick, self.recorder.done());
        self.look();
        self.do_due()?;
        self.pass_all(tick.saturating_sub(self.inner.tick()))?;
        self.events.clear();
        Ok(true)
    }

    /// Does something new, and notes it.
    ///
    /// # Errors
    /// When the board refuses it, or cannot be reached.
    pub fn act(&mut self, item: SessionItem) -> Result<(), DriverError> {
        let tick = self.inner.tick();
        self.do_both(&|board| item.carry_out(board))?;
        let jumps = item.jumps();
        if jumps {
            self.trace.begin();
        }
        if matches!(&item, SessionItem::Do(deed) if deed.begins_anew()) {
            self.events.clear();
        }
        // A reset and a load are of the moment before them.
        self.note(tick, item)?;
        if jumps && !self.recorder.is_in_log() {
            (self.compared, self.mismatch) = (0, None);
            self.keep()?;
        }
        self.look();
        Ok(())
    }

    /// Takes in what happened, and what is seen now.
    pub(super) fn look(&mut self) {
        for event in self.inner.take_events() {
            self.trace.hear(event.event);
            self.events.push(event);
        }
        let done = self.recorder.done();
        self.trace.see(self.inner.tick(), done, self.inner.frame());
    }

    /// Keeps the state of this moment.
    pub(super) fn keep(&mut self) -> Result<(), DriverError> {
        let (tick, digest) = (self.inner.tick(), self.inner.digest()?);
        let state = match &mut self.twin {
            Some(twin) if twin.tick() == tick && twin.board().digest() == digest => twin.save()?,
            Some(twin) => {
                let state = self.inner.save()?;
                // If it cannot be so either, it is asked again next time.
                let _ = twin.load(&state);
                state
            }
            None => self.inner.save()?,
        };
        self.recorder.keep(tick, state, digest);
        Ok(())
    }

    fn note(&mut self, tick: Tick, item: SessionItem) -> Result<(), DriverError> {
        Ok(self.recorder.note(tick, item)?)
    }

    /// A step whose digest goes into the file: whoever reads it knows it then as
    /// far as it goes.
    fn step_into_log(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        for input in inputs {
            self.note(self.inner.tick(), SessionItem::from(*input))?;
        }
        let before = self.inner.tick();
        let digest = self.inner.step_and_digest(inputs, ticks);
        for remark in self.inner.take_remarks() {
            self.note(before, SessionItem::Note(remark.clone()))?;
            self.remarks.push(remark);
        }
        let digest = digest?;
        self.note(self.inner.tick(), SessionItem::Digest(digest))?;
        Ok(digest)
    }
}

impl<D: Driver> Driver for RecordingDriver<D> {
    // Faults that its session does not know of would not happen again.
    crate::forward!(
        inner; own: step, step_and_digest, carry_out, load, take_events, take_remarks, faults, set_faults
    );

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        if self.recorder.is_in_log() {
            return self.step_into_log(inputs, ticks).map(drop);
        }
        for input in inputs {
            self.act(SessionItem::from(*input))?;
        }
        self.pass_all(ticks)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        if self.recorder.is_in_log() {
            return self.step_into_log(inputs, ticks);
        }
        self.step(inputs, ticks)?;
        self.inner.digest()
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        match deed {
            Deed::Input(input) => self.step(&[*input], 0),
            other => self.act(SessionItem::Do(other.clone())),
        }
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.act(SessionItem::Load(bytes.to_vec()))
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        let mut events = std::mem::take(&mut self.events);
        events.extend(self.inner.take_events());
        events
    }

    fn take_remarks(&mut self) -> Vec<String> {
        let mut remarks = std::mem::take(&mut self.remarks);
        remarks.extend(self.inner.take_remarks());
        remarks
    }
}
