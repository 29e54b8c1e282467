//! The past of a board at the end of a line: goes back and forward in it, and repeats it
//! at its own pace.
//!
//! The recording ahead can only be repeated at its ticks while the board's time is held.
//! The board is then stepped from here, by as many ticks as real time has advanced. At
//! the end of the recording, its own timer takes over.

use std::time::Duration;

use firmware_core::games;
use protocol::{Command, Deed, Input, Pace as DevicePace, Tick};
use touchboard_host::conversation::{BoardView, LineState};
use touchboard_host::happening::Happening;
use touchboard_host::recorder::{To, TripPath};
use touchboard_host::session::{Header, Session};
use touchboard_host::twin::Followed;
use touchboard_host::{DriverError, Recorder};

use super::trip::{Trip, TripEvents};
use super::{Line, NOTE, Remote, device_pace};
use crate::source::system::LineClient;
use crate::source::{BoardPace, Source, SourceError, WindowCommand};

/// True for commands that need the board's recorded past.
pub(super) fn needs_past(command: &WindowCommand) -> bool {
    matches!(
        command,
        WindowCommand::Step(_)
            | WindowCommand::StepBack(_)
            | WindowCommand::GoTo(_)
            | WindowCommand::GoToBranch { .. }
    )
}

impl Remote {
    /// Records a happening in the session.
    pub(super) fn record(
        &mut self,
        happening: &Happening,
        followed: Followed,
        client: &LineClient,
    ) -> Result<(), DriverError> {
        let twin = self.comparison.twin();
        self.is_anew &= twin.board().is_none();
        match (&mut self.recorder, happening) {
            (None, Happening::Snapshot { state, .. }) if twin.board().is_some() => {
                let hello = client.view().hello;
                self.recorder = Some(Recorder::of_board(&hello, state, twin, NOTE));
                return Ok(());
            }
            (None, Happening::Carried { deed, .. }) if deed.restarts() => {
                let hello = client.view().hello;
                let header = Header {
                    firmware: hello.firmware.to_string(),
                    roster: games::on_layout(hello.layout, hello.capabilities.roster),
                    ..Header::new(hello.layout, hello.seed, NOTE)
                };
                self.recorder = Some(Recorder::new(Session::new(header)));
            }
            _ => {}
        }
        let Some(recorder) = &mut self.recorder else {
            return Ok(());
        };
        Ok(recorder.record_happening(happening, followed, twin)?)
    }

    /// True while the board goes back through moments whose events were already reported.
    pub(super) fn is_unseen(&self) -> bool {
        let trip = self.trips.now.as_ref();
        trip.is_some_and(|trip| trip.events == TripEvents::Unseen)
    }

    /// True if the command has to wait for earlier ones, or until the board has sent its
    /// state.
    pub(super) fn has_to_wait(&self, command: &WindowCommand) -> bool {
        self.trips.now.is_some()
            || !self.trips.waiting.is_empty()
            || (needs_past(command) && self.is_there())
    }

    /// True if the known state of the board is current: no request is pending.
    fn is_up_to_date(&self) -> bool {
        self.recorder.is_some() && !self.is_anew && self.answers.is_empty()
    }

    /// The current session time.
    pub(super) fn time(&self) -> Tick {
        self.time_of(self.tick)
    }

    /// Takes over the board's tick, unless it belongs to a run that is not known here
    /// yet.
    pub(super) fn take_tick(&mut self, run: u32, tick: Tick) {
        if run == self.run {
            self.tick = tick;
        }
    }

    /// Queues a command; of several requests to go to a tick in a row, only the last is
    /// kept.
    pub(super) fn wait_with(&mut self, command: &WindowCommand) {
        if let (WindowCommand::GoTo(_), Some(WindowCommand::GoTo(_))) =
            (command, self.trips.waiting.back())
        {
            self.trips.waiting.pop_back();
        }
        self.trips.waiting.push_back(command.clone());
    }

    /// True if the board is connected and answers.
    fn is_there(&self) -> bool {
        matches!(&self.line, Line::Open(client) if client.view().link == LineState::Connected)
    }

    /// Carries out a command of the window.
    pub(super) fn obey_now(&mut self, command: &WindowCommand) -> Result<(), SourceError> {
        match command {
            WindowCommand::Do(deed) => self.do_deed(deed),
            WindowCommand::Pace(pace) => {
                self.stops.reached.take_if(|_| !pace.frozen);
                self.time.pace = *pace;
                self.time.owed_ticks = 0.0;
                self.send_pace()
            }
            WindowCommand::Step(ticks) => {
                if !self.is_there() {
                    return Ok(());
                }
                self.time.pace.frozen = true;
                let recorder = self.recorder.as_ref().ok_or(SourceError::NothingKnown)?;
                let path = recorder.path_on(self.tick, To::On((*ticks).into()));
                self.go(path, TripEvents::Seen)
            }
            WindowCommand::StepBack(ticks) => {
                let recorder = self.recorder.as_ref().ok_or(SourceError::NothingKnown)?;
                let earliest = recorder.earliest().unwrap_or(self.tick);
                let back = self.tick.saturating_sub((*ticks).into());
                self.go_to(back.max(earliest).min(self.tick))
            }
            WindowCommand::GoTo(tick) => self.go_to(*tick),
            WindowCommand::GoToBranch { branch, tick } => self.go_to_branch(*branch, *tick),
            WindowCommand::Mark(words) => {
                let tick = self.tick;
                let recorder = self.recorder.as_mut().ok_or(SourceError::NothingKnown)?;
                recorder.mark(tick, words.clone());
                Ok(())
            }
            WindowCommand::StopWhen(stops) => {
                self.stop_when(stops);
                Ok(())
            }
            WindowCommand::InjectFaults(faults) => self.inject_faults(faults),
            WindowCommand::Shrink(folder) => self.shrink(folder),
            // The caller carries these out; they need no connection.
            WindowCommand::Cancel | WindowCommand::BringBack | WindowCommand::LeaveIt => Ok(()),
        }
    }

    fn do_deed(&mut self, deed: &Deed) -> Result<(), SourceError> {
        let Line::Open(client) = &self.line else {
            // Presses are dropped while there is no board.
            return Ok(());
        };
        let client = client.clone();
        if matches!(client.view().link, LineState::Lost(_)) {
            // But a finger that was lifted in the meantime must not stay on the board.
            if let Deed::Input(lift @ (Input::Release(_) | Input::Lift(_))) = deed {
                self.owed.push(*lift);
            }
            return Ok(());
        }
        let done = match deed {
            Deed::Input(input) => self.touch(*input, &client),
            deed => client
                .post(Command::Do(deed.clone()))
                .map(|answer| self.answers.push(answer)),
        };
        done?;
        // Makes the effect on the game visible soon.
        self.standing.request_soon();
        Ok(())
    }

    /// Goes to an earlier or later moment, and freezes time there.
    fn go_to(&mut self, tick: Tick) -> Result<(), SourceError> {
        if !self.is_there() {
            return Err(SourceError::NoAnswer);
        }
        let recorder = self.recorder.as_mut().ok_or(SourceError::NothingKnown)?;
        self.time.pace.frozen = true;
        if recorder.jumps_to(self.tick, tick) {
            let path = recorder
                .path_over_keyframe(tick)
                .ok_or(SourceError::NothingKnown)?;
            self.trips.jumps = self.trips.jumps.wrapping_add(1);
            return self.go(path, TripEvents::Unseen);
        }
        let path = recorder.path_on(self.tick, To::At(tick));
        self.go(path, TripEvents::Seen)
    }

    /// Goes to a moment of a branch that was left, and freezes time there.
    fn go_to_branch(&mut self, branch: usize, tick: Tick) -> Result<(), SourceError> {
        if !self.is_there() {
            return Err(SourceError::NoAnswer);
        }
        let recorder = self.recorder.as_mut().ok_or(SourceError::NothingKnown)?;
        if recorder.switch_to(branch).is_none() {
            // The branch was dropped to make room for others.
            return Ok(());
        }
        let path = recorder
            .path_over_keyframe(tick)
            .ok_or(SourceError::NothingKnown)?;
        self.time.pace.frozen = true;
        self.go(path, TripEvents::Unseen)
    }

    fn go(&mut self, path: TripPath, events: TripEvents) -> Result<(), SourceError> {
        let Line::Open(client) = &self.line else {
            return Err(SourceError::NoAnswer);
        };
        let trip = Trip::begin(client.clone(), self.run, path, events);
        self.trips.now = Some(trip?);
        self.time.told = Some(DevicePace::Lockstep);
        Ok(())
    }

    /// Finishes a trip.
    pub(super) fn arrive(&mut self, result: Result<(), DriverError>) -> Result<(), SourceError> {
        self.trips.now = None;
        if let Some(recorder) = &mut self.recorder {
            recorder.arrived();
        }
        self.standing.request_soon();
        result.map_err(|error| {
            // The board may have stopped anywhere on the path.
            self.time.pace.frozen = true;
            self.trips.waiting.clear();
            SourceError::NotReached(error)
        })
    }

    /// Carries out waiting commands, and repeats the recording ahead.
    pub(super) fn go_on(
        &mut self,
        elapsed: Duration,
        client: &LineClient,
    ) -> Result<(), SourceError> {
        let is_there = client.view().link == LineState::Connected;
        if !is_there {
            // A lost board drops the commands that wait for it.
            self.trips.waiting.clear();
            return Ok(());
        }
        if self.trips.now.is_none() {
            let BoardView { run, tick, .. } = client.view();
            self.take_tick(run, tick);
        }
        let mut trouble = Ok(());
        while self.trips.now.is_none()
            && let Some(command) = self.trips.waiting.pop_front()
        {
            if needs_past(&command) && !self.is_up_to_date() {
                self.trips.waiting.push_front(command);
                break;
            }
            trouble = self.obey_now(&command).and(trouble);
        }
        let replays = self.recorder.as_ref().is_some_and(Recorder::has_more);
        if replays && !self.time.pace.frozen {
            self.time.owed_ticks +=
                elapsed.as_secs_f64() * 1000.0 * f64::from(self.time.pace.speed);
        }
        if self.trips.now.is_some() {
            return trouble;
        }
        trouble = self.send_pace().and(trouble);
        let left = self.leave_sensors(client);
        trouble = left.map_err(SourceError::from).and(trouble);
        let is_due = replays && !self.time.pace.frozen && self.time.owed_ticks >= 1.0;
        if is_due && self.is_up_to_date() {
            trouble = self.step_on().and(trouble);
        }
        trouble
    }

    /// Repeats the recording ahead as far as real time has advanced.
    fn step_on(&mut self) -> Result<(), SourceError> {
        let Some(recorder) = &self.recorder else {
            return Ok(());
        };
        let ticks = self.time.owed_ticks as Tick;
        self.time.owed_ticks = self.time.owed_ticks.fract();
        // Beyond the recording, the board's own timer makes the ticks.
        let now = recorder.time(self.tick);
        let to = (now + ticks).min(recorder.latest().max(now));
        let path = recorder.path_on(self.tick, To::At(to));
        self.go(path, TripEvents::Seen)
    }

    /// Sets the requested pace; while a recording is ahead, holds time.
    fn send_pace(&mut self) -> Result<(), SourceError> {
        if self.loan.is_lent {
            // The pace is sent once the board is taken back.
            return Ok(());
        }
        let replays = self.recorder.as_ref().is_some_and(Recorder::has_more);
        let held = BoardPace {
            frozen: true,
            ..self.time.pace
        };
        let pace = device_pace(if replays { held } else { self.time.pace });
        let Line::Open(client) = &self.line else {
            return Ok(());
        };
        // A lost board gets the pace when it answers again.
        if self.time.told != Some(pace) && self.is_there() {
            self.answers.push(client.post(Command::Pace(pace))?);
            self.time.told = Some(pace);
        }
        Ok(())
    }
}
