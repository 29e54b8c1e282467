//! A driver that records everything done to the board, so that it is possible to go back,
//! on a local or remote board.

use firmware_core::Faults;
use protocol::{Deed, Input, Point, StampedEvent, Status, Tick};

use super::trace::Trace;
use super::{Recorder, SessionLog};
use crate::driver::{CoreDriver, Driver, DriverError, StampedSensation};
use crate::session::{Header, Mismatch, Replay, Session, SessionEntry, SessionItem, faults_note};

/// The refusal to go back through sensors that are faulty.
const BAD_CONTACTS: &str = "recorded inputs cannot be repeated through bad contacts: remove the faults first (`fault none`)";

/// Wraps a driver and behaves like it.
pub struct RecordingDriver<D> {
    pub(super) inner: D,
    /// A local board that repeats all actions, where reading the board's states is
    /// expensive.
    twin: Option<CoreDriver>,
    pub(super) recorder: Recorder,
    pub(super) trace: Trace,
    /// Events that have not been fetched yet.
    pub(super) events: Vec<StampedEvent>,
    remarks: Vec<String>,
    compared: u64,
    mismatch: Option<Mismatch>,
    /// True if the board reports when contacts close and inputs are felt: an input is
    /// then recorded when it is felt, not when it is given.
    tells: bool,
    /// The reports that have not been fetched yet.
    sensed: Vec<StampedSensation>,
    /// The error to return with the next command, because the board's power failed.
    restarted: Option<DriverError>,
}

impl<D: Driver> RecordingDriver<D> {
    /// Records what is done to `inner`, which must be in the state that the header
    /// describes: just reset, or in the header's state.
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
            tells: false,
            sensed: Vec::new(),
            restarted: None,
        }
    }

    /// Records what is done to `inner` from its current state on.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn from_now(mut inner: D, seed: u64, note: &str) -> Result<Self, DriverError> {
        let mut header = Header::new(inner.layout(), seed, note).with_games(inner.roster());
        header.state = Some(inner.save()?);
        let mut driver = RecordingDriver::new(inner, Recorder::new(Session::new(header)));
        driver.keep()?;
        Ok(driver)
    }

    /// A board on which this session is repeated as time passes. Any other action starts
    /// a branch.
    ///
    /// # Errors
    /// When the board cannot be brought to the session's initial state.
    pub fn replaying(mut inner: D, session: Session) -> Result<Self, DriverError> {
        Replay::begin(&mut inner, &session.header)?;
        let mut driver = RecordingDriver::new(inner, Recorder::new(session));
        driver.keep()?;
        Ok(driver)
    }

    /// Adds a twin in this process that repeats everything. While the digests agree, the
    /// twin's states are the keyframes, so that the board's states need not be read over
    /// a line.
    ///
    /// # Errors
    /// When the board's state, which initializes the twin, cannot be read.
    pub fn with_twin(mut self) -> Result<Self, DriverError> {
        let mut twin = CoreDriver::new(self.inner.layout(), 0)?;
        twin.load(&self.inner.save()?)?;
        self.twin = Some(twin);
        Ok(self)
    }

    /// Adds a [twin](RecordingDriver::with_twin) if reading states from the board takes
    /// long.
    ///
    /// # Errors
    /// As [`RecordingDriver::with_twin`].
    pub fn with_twin_of_a_line(self) -> Result<Self, DriverError> {
        match self.inner.is_at_line() {
            true => self.with_twin(),
            false => Ok(self),
        }
    }

    /// The board and its recorder, for a host that continues by listening to the board.
    /// The next state that the board reports is expected to be the current one.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn into_parts(mut self) -> Result<(D, Recorder), DriverError> {
        let tick = self.inner.tick();
        if self
            .recorder
            .keyframe_before(self.recorder.time(tick))
            .is_none_or(|last| !self.recorder.is_now(last, tick))
        {
            self.keep()?;
        }
        self.recorder.expect_now(tick);
        Ok((self.inner, self.recorder))
    }

    /// Does the same on the board and on its twin.
    pub(super) fn do_both(
        &mut self,
        what: &dyn Fn(&mut dyn Driver) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let done = what(&mut self.inner);
        if let Some(twin) = &mut self.twin {
            // If the twin fails, its digests differ from now on and its states are not
            // used.
            let _ = what(twin);
            twin.take_events();
        }
        done
    }

    /// The header of a session that begins with this board as it is: with its state,
    /// unless it was just switched on.
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

    /// The wrapped board.
    pub fn inner(&self) -> &D {
        &self.inner
    }

    /// The recorder with the session so far.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The entries that have been carried out, as a session.
    pub fn session(&self) -> Session {
        self.recorder.session(self.inner.tick())
    }

    /// The number of recorded digests compared during the replay, and the first mismatch.
    pub fn compared(&self) -> (u64, Option<Mismatch>) {
        (self.compared, self.mismatch)
    }

    /// The log, if the recorder writes into one.
    #[must_use]
    pub fn into_log(self) -> Option<Box<dyn SessionLog>> {
        self.recorder.log()
    }

    /// Lets time pass up to the next entry or keyframe, and carries out the entries that
    /// are due. Returns the number of ticks passed: at least 1, at most `most`.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn pass(&mut self, most: Tick) -> Result<Tick, DriverError> {
        let now = self.inner.tick();
        let due = [self.recorder.due(), self.recorder.keyframe_due(now)];
        let due = due.into_iter().flatten().min();
        let ticks = due.map_or(most, |due| most.min(due.saturating_sub(now).max(1)));
        self.do_both(&|board| board.step(&[], ticks))?;
        if self.take_in_sensed()? {
            // The board reports the restart once; the report is kept for the next command.
            self.restarted = self.inner.step(&[], 0).err();
        }
        self.collect();
        self.do_due()?;
        self.keep_if_due()?;
        Ok(ticks)
    }

    /// Keeps the current state if a keyframe is due.
    fn keep_if_due(&mut self) -> Result<(), DriverError> {
        let now = self.inner.tick();
        let due = self.recorder.keyframe_due(now);
        if due.is_some_and(|due| due <= now) {
            self.keep()?;
        }
        Ok(())
    }

    fn check_not_restarted(&mut self) -> Result<(), DriverError> {
        self.restarted.take().map_or(Ok(()), Err)
    }

    /// Records what the board's contacts did and felt. True if its power failed in between.
    fn take_in_sensed(&mut self) -> Result<bool, DriverError> {
        self.take_in_sensed_with(&mut Vec::new())
    }

    /// [`RecordingDriver::take_in_sensed`] with the board's remarks since then. If its
    /// power failed, they are recorded at that moment, before the restart: after it, ticks
    /// start again.
    fn take_in_sensed_with(&mut self, remarks: &mut Vec<String>) -> Result<bool, DriverError> {
        let Some(sensed) = self.inner.take_sensed() else {
            self.tells = false;
            return Ok(false);
        };
        self.tells = true;
        let mut restarted = false;
        for stamped in sensed {
            let SessionEntry { tick, item } = stamped.into();
            if item.jumps() {
                self.trace.begin();
                restarted = true;
                for remark in remarks.drain(..) {
                    self.record(tick, SessionItem::Note(remark))?;
                }
            }
            self.record(tick, item)?;
            self.sensed.push(stamped);
        }
        Ok(restarted)
    }

    /// Records contacts that closed or opened at the current tick, for callers that
    /// simulate contacts outside the board.
    ///
    /// # Errors
    /// When the log cannot be written any more.
    pub fn record_contacts(&mut self, contacts: &[Input]) -> Result<(), DriverError> {
        let tick = self.inner.tick();
        let mut items = contacts
            .iter()
            .map(|contact| SessionItem::Contact(*contact));
        items.try_for_each(|item| self.record(tick, item))
    }

    /// Discards the reports about a repeated action: they are recorded already.
    fn forget_sensed(&mut self) {
        let _ = self.inner.take_sensed();
    }

    /// The session time, in ms; see [`SessionClock`](crate::session::SessionClock).
    pub fn time(&self) -> Tick {
        self.recorder.time(self.inner.tick())
    }

    fn pass_all(&mut self, mut ticks: Tick) -> Result<(), DriverError> {
        while ticks > 0 {
            ticks -= self.pass(ticks)?;
        }
        Ok(())
    }

    fn pass_until(&mut self, time: Tick) -> Result<(), DriverError> {
        while self.time() < time {
            self.pass(time - self.time())?;
        }
        Ok(())
    }

    /// Carries out the entries that are due at the current tick.
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
            self.forget_sensed();
            if entry.item.jumps() {
                self.trace.begin();
            }
            self.collect();
        }
        Ok(())
    }

    fn compare(&mut self, tick: Tick, recorded: u64) -> Result<(), DriverError> {
        let found = self.inner.digest()?;
        self.compared += 1;
        // Only the first mismatch counts.
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

    /// True if the way to this time leads over a keyframe; see [`Recorder::jumps_to`].
    pub fn jumps_to(&self, time: Tick) -> bool {
        self.recorder.jumps_to(self.inner.tick(), time)
    }

    /// Goes to a session time, back or forward. If the way [loads a
    /// keyframe](RecordingDriver::jumps_to), events on it are not reported again.
    ///
    /// # Errors
    /// When the board cannot be reached, or its sensors are faulty and would change the
    /// repeated inputs.
    pub fn go_to(&mut self, time: Tick) -> Result<(), DriverError> {
        if !self.inner.faults().board.spare_sensors() {
            return Err(DriverError::Impossible(BAD_CONTACTS.into()));
        }
        let jumps = self.jumps_to(time);
        if jumps && let Some(keyframe) = self.recorder.keyframe_before(time).cloned() {
            self.do_both(&|board| board.load(&keyframe.state))?;
            self.recorder.return_to(&keyframe);
            self.trace.return_to(keyframe.tick, self.recorder.done());
            self.collect();
            self.do_due()?;
        }
        self.pass_until(time)?;
        if jumps {
            self.events.clear();
        }
        Ok(())
    }

    /// Adds a note at the current tick; see [`Recorder::mark`].
    pub fn mark(&mut self, words: String) {
        self.recorder.mark(self.inner.tick(), words);
    }

    /// Adds a note at the current tick once; see [`Recorder::mark_once`].
    pub fn mark_once(&mut self, words: String) {
        self.recorder.mark_once(self.inner.tick(), words);
    }

    /// Goes to a session time in a branch that was left (see [`Recorder::branches`]); the
    /// current session becomes a branch. False if there is no such branch, or no shared
    /// keyframe before the parting.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn go_to_branch(&mut self, branch: usize, time: Tick) -> Result<bool, DriverError> {
        let Some(keyframe) = self.recorder.switch_to(branch) else {
            return Ok(false);
        };
        self.do_both(&|board| board.load(&keyframe.state))?;
        self.trace.return_to(keyframe.tick, self.recorder.done());
        self.collect();
        self.do_due()?;
        self.pass_until(time)?;
        self.events.clear();
        Ok(true)
    }

    /// Does something new, and records it.
    ///
    /// # Errors
    /// When the board refuses it, or cannot be reached.
    pub fn act(&mut self, item: SessionItem) -> Result<(), DriverError> {
        let tick = self.inner.tick();
        self.do_both(&|board| item.carry_out(board))?;
        self.take_in_sensed()?;
        if self.tells && matches!(item, SessionItem::Do(Deed::Input(_))) {
            // The input is recorded when it is felt.
            self.collect();
            return Ok(());
        }
        let jumps = item.jumps();
        if jumps {
            self.trace.begin();
        }
        if matches!(&item, SessionItem::Do(deed) if deed.restarts()) {
            self.events.clear();
        }
        // A reset and a load are recorded at the tick before them.
        self.record(tick, item)?;
        if jumps && !self.recorder.is_in_log() {
            (self.compared, self.mismatch) = (0, None);
            self.keep()?;
        }
        self.collect();
        Ok(())
    }

    /// Forgets what was compared and seen on the board before.
    pub(super) fn begin_comparing_anew(&mut self) {
        (self.compared, self.mismatch) = (0, None);
        self.restarted = None;
        self.trace.begin();
    }

    /// Collects new events, and the frame shown now.
    pub(super) fn collect(&mut self) {
        for event in self.inner.take_events() {
            self.trace.count(event.event);
            self.events.push(event);
        }
        let done = self.recorder.done();
        self.trace.see(self.inner.tick(), done, self.inner.frame());
    }

    /// Keeps the current state as a keyframe.
    pub(super) fn keep(&mut self) -> Result<(), DriverError> {
        let (tick, digest) = (self.inner.tick(), self.inner.digest()?);
        let state = match &mut self.twin {
            Some(twin) if twin.tick() == tick && twin.board().digest() == digest => twin.save()?,
            Some(twin) => {
                let state = self.inner.save()?;
                // If the twin cannot load it, the next keyframe tries again.
                let _ = twin.load(&state);
                state
            }
            None => self.inner.save()?,
        };
        self.recorder.keep(tick, state, digest);
        Ok(())
    }

    fn record(&mut self, tick: Tick, item: SessionItem) -> Result<(), DriverError> {
        Ok(self.recorder.record(tick, item)?)
    }

    /// A step whose digest is written into the log, so that a file that breaks off can be
    /// checked up to here.
    fn step_into_log(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        self.take_in_sensed()?;
        let felt_at_once = if self.tells { &[] } else { inputs };
        for input in felt_at_once {
            self.record(self.inner.tick(), SessionItem::from(*input))?;
        }
        let before = self.inner.tick();
        let digest = self.inner.step_and_digest(inputs, ticks);
        let mut remarks = self.inner.take_remarks();
        self.remarks.extend_from_slice(&remarks);
        self.take_in_sensed_with(&mut remarks)?;
        for remark in remarks {
            self.record(before, SessionItem::Note(remark))?;
        }
        let digest = digest?;
        self.record(self.inner.tick(), SessionItem::Digest(digest))?;
        Ok(digest)
    }
}

impl<D: Driver> Driver for RecordingDriver<D> {
    crate::forward!(
        inner; own: status, legal, digest, save, step, step_and_digest, carry_out, load, take_events, take_sensed, take_remarks, set_faults
    );

    fn status(&mut self) -> Result<Status, DriverError> {
        self.check_not_restarted()?;
        self.inner.status()
    }

    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        self.check_not_restarted()?;
        self.inner.legal()
    }

    fn digest(&mut self) -> Result<u64, DriverError> {
        self.check_not_restarted()?;
        self.inner.digest()
    }

    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        self.check_not_restarted()?;
        self.inner.save()
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.check_not_restarted()?;
        if self.recorder.is_in_log() {
            return self.step_into_log(inputs, ticks).map(drop);
        }
        for input in inputs {
            self.act(SessionItem::from(*input))?;
        }
        self.pass_all(ticks)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        self.check_not_restarted()?;
        if self.recorder.is_in_log() {
            return self.step_into_log(inputs, ticks);
        }
        self.step(inputs, ticks)?;
        self.inner.digest()
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        match deed {
            Deed::Input(input) => return self.step(&[*input], 0),
            Deed::Reset { .. } => self.restarted = None,
            _ => self.check_not_restarted()?,
        }
        self.act(SessionItem::Do(deed.clone()))
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.check_not_restarted()?;
        self.act(SessionItem::Load(bytes.to_vec()))
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        let mut events = std::mem::take(&mut self.events);
        events.extend(self.inner.take_events());
        events
    }

    fn take_sensed(&mut self) -> Option<Vec<StampedSensation>> {
        let own = std::mem::take(&mut self.sensed);
        self.tells.then_some(own)
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
        self.inner.set_faults(faults.clone())?;
        // The session records what the faulty contacts did, and when.
        self.take_in_sensed()?;
        let words = SessionItem::Note(faults_note(&faults));
        self.record(self.inner.tick(), words)
    }

    fn take_remarks(&mut self) -> Vec<String> {
        let mut remarks = std::mem::take(&mut self.remarks);
        remarks.extend(self.inner.take_remarks());
        remarks
    }
}
