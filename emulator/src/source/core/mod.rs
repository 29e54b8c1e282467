//! A board that the window steps itself. Everything done to it is recorded, so that it
//! can go back in time. The board in this process is `firmware-core`, reached through
//! function calls.

use std::time::Duration;

use bevy::platform::time::Instant;
use firmware_core::{Faults, Matrix};
use protocol::{Deed, Event, Input, StampedEvent, Tick};
use touchboard_host::driver::InjectionError;
use touchboard_host::piece_cache;
use touchboard_host::recorder::Rerun;
use touchboard_host::session::{Session, faults_note};
use touchboard_host::standing;
use touchboard_host::{CoreDriver, Driver, DriverError, RecordingDriver};

use stop::ConditionWatch;

use super::{Agreement, BoardLink, BoardPace, LongWork, NOTE, StopCondition, StoppedAt};

mod driver;
mod source;
mod stop;

/// The longest time that the board may work for one picture. Only a board that thinks at
/// many times its normal speed comes near this limit; its time then passes more slowly
/// than requested, so that the window stays responsive.
const LONGEST_WORK: Duration = Duration::from_millis(5);

/// Ticks between two readings of the real clock.
const STRIDE: Tick = 64;

/// The largest distance, in ticks, to a later moment that is covered within one picture.
/// A longer trip is spread over several pictures.
const AT_ONCE: Tick = 10_000;

/// How long a picture may take while the user waits for a moment that is further ahead
/// than [`AT_ONCE`].
const LONGEST_PART: Duration = Duration::from_millis(30);

/// A source with a board in this process.
pub type InProcess = Stepped<CoreDriver>;

/// A trip to a later moment.
#[derive(Clone, Copy, Debug)]
struct LongTrip {
    /// The tick at which it began.
    from: Tick,
    /// Its destination.
    until: Tick,
}

/// News about a board's firmware.
pub struct FirmwareNews {
    /// The sentence to show to the user.
    pub sentence: String,
    /// The result of repeating the session, if the board was rebuilt.
    pub rerun: Option<Rerun>,
}

/// Polls a board's firmware and reports the news; the poll may replace the board.
pub type FirmwareLook<D> =
    Box<dyn FnMut(&mut RecordingDriver<D>) -> Vec<FirmwareNews> + Send + Sync>;

/// True while a board's firmware is being built.
pub type IsBuilding = Box<dyn Fn() -> bool + Send + Sync>;

/// A board that the window steps, with the record of its session.
pub struct Stepped<D> {
    board: RecordingDriver<D>,
    pieces: piece_cache::PieceCache,
    name: String,
    link: BoardLink,
    look: Option<FirmwareLook<D>>,
    is_building: Option<IsBuilding>,
    /// The events since the last picture.
    heard: Vec<StampedEvent>,
    /// The news about the board's firmware, until it is taken.
    said: Vec<String>,
    /// The result of the last rerun, until it is taken.
    rerun: Option<Rerun>,
    pace: BoardPace,
    longest_work: Duration,
    /// Board time, in ticks, that is due because real time has passed, but has not yet
    /// passed on the board.
    owed: f64,
    /// All stop conditions, including those that are switched off.
    stops: Vec<StopCondition>,
    /// Evaluates the conditions that are switched on.
    watch: ConditionWatch,
    /// The stop condition that was met, and its moment.
    stopped_at: Option<StoppedAt>,
    /// The trip to a later moment that takes more than a picture.
    trip: Option<LongTrip>,
    /// True while the board is lent to the console: only the console lets its time pass.
    is_lent: bool,
    /// The number of jumps to another time that skipped the moments in between.
    jumps: u32,
    /// The simulated contacts. Every click goes through them, and becomes an input once
    /// it is debounced.
    matrix: Matrix,
}

impl InProcess {
    /// Creates a source with this board in its current state; its time starts to run.
    ///
    /// # Errors
    /// If its state cannot be read.
    pub fn new(driver: CoreDriver) -> Result<InProcess, DriverError> {
        let seed = driver.board().seed();
        let board = RecordingDriver::from_now(driver, seed, NOTE)?;
        Ok(Stepped::with(board, "built in", BoardLink::Direct))
    }

    /// Creates a source that replays this session on the board. Any action of the user
    /// ends the replay, and the game continues from there.
    ///
    /// # Errors
    /// If the board cannot be brought to the beginning of the session.
    pub fn play(driver: CoreDriver, session: Session) -> Result<InProcess, DriverError> {
        let board = RecordingDriver::replaying(driver, session)?;
        Ok(Stepped::with(board, "built in", BoardLink::Direct))
    }

    /// The driver of the board, which includes its state.
    #[must_use]
    pub fn driver(&self) -> &CoreDriver {
        self.board.inner()
    }
}

impl<D: Driver> Stepped<D> {
    fn with(board: RecordingDriver<D>, name: &str, link: BoardLink) -> Stepped<D> {
        Stepped {
            matrix: Matrix::new(board.layout(), Faults::default()),
            board,
            name: name.to_owned(),
            link,
            look: None,
            is_building: None,
            pieces: piece_cache::PieceCache::setting_up(),
            heard: Vec::new(),
            said: Vec::new(),
            rerun: None,
            pace: BoardPace::default(),
            longest_work: LONGEST_WORK,
            owed: 0.0,
            stops: Vec::new(),
            watch: ConditionWatch::default(),
            stopped_at: None,
            is_lent: false,
            jumps: 0,
            trip: None,
        }
    }

    /// Creates a source with a board in another process or on a chip. `look` is called
    /// once per picture for news of its firmware; a picture waits for the board no longer
    /// than `longest_wait`.
    pub fn elsewhere(
        board: RecordingDriver<D>,
        look: FirmwareLook<D>,
        longest_wait: Duration,
    ) -> Stepped<D> {
        let at = board.at().to_owned();
        let name = format!("{at}, watched");
        Stepped {
            look: Some(look),
            longest_work: longest_wait,
            ..Stepped::with(board, &name, BoardLink::Up { board: at })
        }
    }

    /// Adds `is_building`, which returns true while the board's firmware is being built.
    #[must_use]
    pub fn built_while(self, is_building: impl Fn() -> bool + Send + Sync + 'static) -> Stepped<D> {
        Stepped {
            is_building: Some(Box::new(is_building)),
            ..self
        }
    }

    /// Lifts the limit on the work for one picture, so that board time never lags. A film
    /// needs this.
    #[must_use]
    pub fn unhurried(self) -> Stepped<D> {
        Stepped {
            longest_work: Duration::MAX,
            ..self
        }
    }

    /// Injects these faults, which the session notes.
    ///
    /// # Errors
    /// [`DriverError::Faults`] if the faults name a point that the board does not have.
    pub fn with_faults(mut self, faults: Faults) -> Result<Stepped<D>, DriverError> {
        let fits = self.matrix.fits(&faults);
        fits.map_err(InjectionError::from)?;
        if !faults.are_none() {
            self.board.mark(faults_note(&faults));
        }
        Ok(Stepped {
            matrix: Matrix::new(self.board.layout(), faults),
            ..self
        })
    }

    /// Runs the rest of the recorded session, then continues to tick `end` if that is
    /// later.
    ///
    /// # Errors
    /// If the board cannot be driven.
    pub fn at_the_end(mut self, end: Tick) -> Result<Stepped<D>, DriverError> {
        self.board.do_due()?;
        loop {
            let tick = self.board.tick();
            let due = self.board.recorder().due();
            let end = Some(end).filter(|end| *end > tick);
            let Some(next) = due.into_iter().chain(end).min() else {
                return Ok(self);
            };
            self.board.pass(next.saturating_sub(tick).max(1))?;
        }
    }

    /// Lets `elapsed` of real time pass on the board, within the limit for one picture.
    fn pass_time(&mut self, elapsed: Duration) -> Result<(), DriverError> {
        let clock = self.matrix.faults().board.clock_permille as f64 / 1_000.0;
        self.owed += elapsed.as_secs_f64() * 1000.0 * clock * f64::from(self.pace.speed);
        let began = Instant::now();
        self.board.do_due()?;
        while self.owed >= 1.0 {
            let most = (self.owed as Tick).min(STRIDE);
            let most = self.watch.stride(&mut self.board, most)?;
            self.owed -= self.live(most)? as f64;
            if self.check_stops()? {
                self.pace.frozen = true;
                self.owed = 0.0;
                return Ok(());
            }
            if self.pace.speed <= 1.0 && self.take_move_made()? {
                return Ok(());
            }
            if began.elapsed() > self.longest_work {
                self.owed = self.owed.fract();
            }
        }
        Ok(())
    }

    /// True if a move was made in a game of turns since the last call. The reply
    /// to it should appear in the next picture, however slow pictures are, so the rest of
    /// the time stays owed until then.
    fn take_move_made(&mut self) -> Result<bool, DriverError> {
        let events = self.board.take_events();
        let is_move = |stamped: &StampedEvent| matches!(stamped.event, Event::Move { .. });
        let moved = events.iter().any(is_move);
        self.keep_events(events);
        if !moved {
            return Ok(false);
        }
        let status = self.board.status()?;
        Ok(standing::is_for_two(&status.settings) && status.clock.is_some())
    }

    /// Evaluates the stop conditions, and sets their marks. True if time has to freeze.
    fn check_stops(&mut self) -> Result<bool, DriverError> {
        if self.watch.is_idle() {
            return Ok(false);
        }
        let events = self.board.take_events();
        self.watch.know_faults(&self.matrix.faults().board);
        let reached = self.watch.poll(&mut self.board, &events)?;
        self.keep_events(events);
        for words in reached.marks {
            self.board.mark_once(words);
        }
        let is_met = reached.stopped.is_some();
        if is_met {
            let tick = self.board.time();
            let stopped = reached.stopped;
            self.stopped_at = stopped.map(|stopped| StoppedAt { tick, ..stopped });
        }
        Ok(is_met)
    }

    /// Keeps these events for the next picture, with their ticks converted to session
    /// time.
    fn keep_events(&mut self, events: Vec<StampedEvent>) {
        let recorder = self.board.recorder();
        let timed = |event: StampedEvent| StampedEvent {
            tick: recorder.time(event.tick),
            ..event
        };
        self.heard.extend(events.into_iter().map(timed));
    }

    /// Freezes time, because the user is going to a different moment.
    fn hold(&mut self) {
        self.pace.frozen = true;
        self.owed = 0.0;
        self.stopped_at = None;
        self.trip = None;
    }

    /// Goes to a moment of a branch that was left, and freezes time there.
    fn go_to_branch(&mut self, branch: usize, tick: Tick) -> Result<(), DriverError> {
        self.hold();
        self.settle();
        // If the branch no longer exists, it was dropped to make room for others.
        self.board.go_to_branch(branch, tick).map(|_| ())
    }

    /// Goes to an earlier or later moment and freezes time there.
    fn go_to(&mut self, tick: Tick) -> Result<(), DriverError> {
        self.hold();
        if self.board.jumps_to(tick) {
            self.settle();
            self.jumps = self.jumps.wrapping_add(1);
            return self.board.go_to(tick);
        }
        let now = self.board.time();
        self.trip = Some(LongTrip {
            from: now,
            until: tick,
        });
        let at_once = tick.min(now + AT_ONCE);
        while self.board.time() < at_once {
            self.live(at_once - self.board.time())?;
        }
        self.arrive();
        Ok(())
    }

    /// Continues towards a moment that is far ahead, as far as one picture allows.
    fn go_on(&mut self) -> Result<(), DriverError> {
        let Some(LongTrip { until: tick, .. }) = self.trip else {
            return Ok(());
        };
        let began = Instant::now();
        let longest = LONGEST_PART.max(self.longest_work);
        while self.board.time() < tick && began.elapsed() < longest {
            self.live((tick - self.board.time()).min(STRIDE))?;
        }
        self.arrive();
        Ok(())
    }

    /// Ends the trip if the board has reached its destination.
    fn arrive(&mut self) {
        let tick = self.board.time();
        self.trip.take_if(|trip| tick >= trip.until);
    }

    /// The work that the user waits for.
    fn work(&self) -> Option<LongWork> {
        let Some(LongTrip { from, until }) = self.trip else {
            let is_building = self.is_building.as_ref().is_some_and(|is_so| is_so());
            return is_building.then(|| LongWork {
                words: "Rebuilding the board; the current one keeps running".to_owned(),
                share: None,
                can_cancel: false,
            });
        };
        let gone = self.board.time().saturating_sub(from) as f32;
        Some(LongWork {
            words: format!("Going on to {} s", until / 1_000),
            share: Some(gone / (until - from).max(1) as f32),
            can_cancel: true,
        })
    }

    /// Drops pending touches, which belong to the moment that is left.
    fn settle(&mut self) {
        self.matrix.settle(|_| ());
        self.matrix.take_contacts(|_| ());
    }

    /// Lets at most `most` ticks pass with the fingers down; their inputs take effect
    /// once the sensors have debounced them. Returns the ticks that passed.
    fn live(&mut self, most: Tick) -> Result<Tick, DriverError> {
        if self.matrix.layout() != self.board.layout() {
            self.matrix.restart(self.board.layout());
        }
        let passed = self.board.pass(self.matrix.quiet_within(most))?;
        let mut felt = Vec::new();
        self.matrix.pass(passed, |input| felt.push(input));
        self.record_contacts()?;
        self.carry_out_inputs(&felt)?;
        if self.matrix.power_failed() {
            // A power failure happens only once.
            let mut faults = self.matrix.faults().clone();
            faults.board.brown_out_after_ms = None;
            self.matrix.set_faults(faults);
            let (seed, layout) = (self.board.recorder().seed(), self.board.layout());
            self.do_to_board(&Deed::Reset { seed, layout })?;
        }
        Ok(passed)
    }

    /// Carries out a deed without the simulated contacts. A restart takes all fingers off
    /// the board.
    fn do_to_board(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.board.carry_out(deed)?;
        if deed.restarts() {
            self.matrix.restart(self.board.layout());
        }
        Ok(())
    }

    /// Records the changes of the contacts in the session, for the waveforms.
    fn record_contacts(&mut self) -> Result<(), DriverError> {
        let mut contacts = Vec::new();
        self.matrix.take_contacts(|contact| contacts.push(contact));
        contacts
            .iter()
            .for_each(|contact| self.watch.sense(*contact));
        self.board.record_contacts(&contacts)
    }

    /// Carries out the inputs that the sensors reported.
    fn carry_out_inputs(&mut self, felt: &[Input]) -> Result<(), DriverError> {
        felt.iter()
            .try_for_each(|input| self.board.carry_out(&Deed::Input(*input)))
    }

    /// Puts down or lifts a finger, or passes the turn.
    fn touch(&mut self, input: Input) -> Result<(), DriverError> {
        if input == Input::Pass {
            return self.carry_out_inputs(&[input]);
        }
        self.matrix.click(input);
        if !self.pace.frozen {
            return Ok(());
        }
        // While time is frozen, nothing is debounced: the input counts immediately.
        let mut felt = Vec::new();
        self.matrix.settle(|input| felt.push(input));
        self.record_contacts()?;
        self.carry_out_inputs(&felt)
    }

    /// Whether the board still matches the session that is replayed on it.
    fn agreement(&self) -> Agreement {
        match self.board.compared() {
            (_, Some(mismatch)) => Agreement::Differs(mismatch.sentence("here")),
            (0, None) => Agreement::Alone,
            (compared, None) => Agreement::Agrees { compared },
        }
    }
}

#[cfg(test)]
mod tests;
