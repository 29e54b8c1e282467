//! Boards at the end of a line, driven in lockstep.
//!
//! Invariants: after each call, tick and frame are those of the board, and all events so
//! far can be taken; the board gets each input once, whatever gets lost on the line.

use std::collections::VecDeque;

use firmware_core::games;
use protocol::{
    Audience, Command, Deed, Done, Frame, Input, KnownLayout, Layout, Pace, Refusal, Reply, Roster,
    StampedEvent, Tick,
};
use touchboard_host::client::{AsksBoard, at_once, nonsense, step_all};
use touchboard_host::driver::{Driver, DriverError};
use touchboard_host::happening::{Happening, MetRun};

use crate::LinkError;
use crate::client::{Client, ClientOptions, Dial};

/// A board at the end of a line.
pub struct RemoteDriver {
    client: Client,
    layout: KnownLayout,
    tick: Tick,
    frame: Frame,
    events: Vec<StampedEvent>,
    remarks: Vec<String>,
    /// Happenings whose remarks were already taken, but which have not been processed yet.
    overheard: VecDeque<Happening>,
    /// The number of the board's run, as this driver knows it.
    run: u32,
}

impl RemoteDriver {
    /// Opens a line to the board, and puts it into lockstep.
    ///
    /// # Errors
    /// When it cannot be reached, does not answer, or has a different protocol version.
    pub fn open(dial: Box<dyn Dial>, options: ClientOptions) -> Result<Self, DriverError> {
        RemoteDriver::over(Client::open(dial, options)?)
    }

    /// Puts this client's board into lockstep.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn over(client: Client) -> Result<Self, DriverError> {
        let mut driver = RemoteDriver {
            layout: client.view().hello.layout.into(),
            tick: 0,
            frame: Frame::default(),
            events: Vec::new(),
            remarks: Vec::new(),
            overheard: VecDeque::new(),
            run: client.run(),
            client,
        };
        driver.request(Command::Pace(Pace::Lockstep))?;
        // Receives the frame at the tick at which lockstep began.
        driver.request(Command::Ping)?;
        driver.events.clear();
        Ok(driver)
    }

    /// The client that talks to the board.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The client alone. The board stays in lockstep.
    #[must_use]
    pub fn into_client(self) -> Client {
        self.client
    }

    /// Makes the board free-running again.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn release(mut self) -> Result<(), DriverError> {
        self.request(Command::Pace(Pace::Free { permille: 1_000 }))?;
        Ok(())
    }

    /// True if the board's contacts are simulated, so that it can have faults.
    ///
    /// # Errors
    /// When it does not answer.
    pub(crate) fn is_simulated(&mut self) -> Result<bool, DriverError> {
        match self.request(Command::Faults) {
            Ok(_) => Ok(true),
            Err(DriverError::Refused(Refusal::NotSimulated)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Changes the board's pace.
    pub(crate) fn pace(&mut self, pace: Pace) -> Result<(), DriverError> {
        self.request(Command::Pace(pace)).map(drop)
    }

    /// The error for a refused request. If the board is not in lockstep, another host has
    /// changed that.
    fn refused(&self, refusal: Refusal) -> DriverError {
        match refusal {
            Refusal::NotInLockstep => LinkError::lost(format!(
                "the board at {} runs on its own timer again: end the other program that drives it",
                self.client.name()
            )),
            refusal => refusal.into(),
        }
    }

    /// An answer, after processing what came before it. If the board did not answer, the
    /// reason is reported here and not again with the next command.
    fn with_news<T>(&mut self, answer: Result<T, DriverError>) -> Result<T, DriverError> {
        match (self.take_in(), answer) {
            (Ok(()), answer) => answer,
            // Why there is no answer says more than that something was lost with it.
            (Err(news), Err(why)) if LinkError::may_pass(&news) => Err(why),
            (Err(news), _) => Err(news),
        }
    }

    /// Processes the happenings since the last answer.
    ///
    /// # Errors
    /// If the board restarted. From then on the driver uses the new run.
    fn take_in(&mut self) -> Result<(), DriverError> {
        let mut restarted = false;
        let remarks = self.overhear();
        self.remarks.extend(remarks);
        while let Some(happening) = self.overheard.pop_front() {
            match happening {
                Happening::Event(event) => {
                    // Digests and contacts arrive while time runs freely: they are not
                    // something that happened to the board.
                    if event.event.audience() != Audience::Observers {
                        self.events.push(event);
                    }
                }
                Happening::Missed => {
                    let why = format!("events of the board at {} were lost", self.client.name());
                    return Err(LinkError::lost(why));
                }
                Happening::Panicked(text) => return Err(DriverError::Panicked(text)),
                Happening::Connected {
                    hello,
                    layout,
                    run: MetRun::Anew { .. },
                } => {
                    restarted = true;
                    self.run = self.client.run();
                    self.layout = layout;
                    self.tick = hello.tick;
                    self.events.clear();
                }
                Happening::Connected { .. }
                | Happening::Lost(_)
                | Happening::Halted(_)
                | Happening::Log { .. }
                | Happening::Snapshot { .. }
                | Happening::Stepped { .. }
                | Happening::Faults { .. }
                | Happening::Carried { .. } => {}
            }
        }
        let view = self.client.view();
        self.frame = view.frame;
        if restarted {
            self.tick = view.tick;
            return Err(DriverError::Restarted(self.client.name().into()));
        }
        Ok(())
    }

    fn step_all(
        &mut self,
        inputs: &[Input],
        ticks: Tick,
        digest: bool,
    ) -> Result<Option<u64>, DriverError> {
        let name = self.client.name().to_owned();
        let mut ask = async |command| self.request(command);
        at_once(step_all(&name, inputs, ticks, digest, &mut ask))
    }

    /// Resets the board in any run. If it restarts meanwhile, sends the reset again.
    fn reset(&mut self, deed: &Deed, layout: Layout) -> Result<(), DriverError> {
        let _ = self.take_in();
        let reset = Command::Do(deed.clone());
        match self.request(reset.clone()) {
            Err(DriverError::Restarted(_)) => self.request(reset)?,
            done => done?,
        };
        self.layout = layout.into();
        self.events.clear();
        Ok(())
    }
}

/// Reads the bytes of the whole state, piece by piece.
///
/// # Errors
/// When the board does not answer.
pub fn read_snapshot(client: &Client) -> Result<Vec<u8>, DriverError> {
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        let offset = bytes.len() as u16;
        let reply = client.request(Command::Read { offset })?;
        let Done::Chunk {
            total,
            bytes: piece,
            ..
        } = reply.result?
        else {
            return Err(Refusal::Snapshot.into());
        };
        bytes.extend_from_slice(&piece);
        if bytes.len() >= total.into() {
            return Ok(bytes);
        }
        if piece.is_empty() {
            return Err(Refusal::Snapshot.into());
        }
    }
}

impl AsksBoard for RemoteDriver {
    fn request(&mut self, command: Command) -> Result<Done, DriverError> {
        self.take_in()?;
        let answer = self.client.request_in(self.run, command);
        if let Err(DriverError::Restarted(_)) = &answer {
            self.run = self.client.run();
        }
        let Reply { tick, result, .. } = self.with_news(answer)?;
        self.tick = tick;
        result.map_err(|refusal| self.refused(refusal))
    }
}

impl Driver for RemoteDriver {
    touchboard_host::ask_board!();

    fn at(&self) -> &str {
        self.client.name()
    }

    fn layout(&self) -> Layout {
        self.layout.layout()
    }

    fn roster(&self) -> Roster {
        // The roster changes with the layout, because a layout's own game is in it.
        let told = self.client.view().hello.capabilities.roster;
        games::on_layout(self.layout(), told)
    }

    fn tick(&self) -> Tick {
        self.tick
    }

    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        if inputs.is_empty() && ticks == 0 {
            return Ok(());
        }
        self.step_all(inputs, ticks, false).map(drop)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        let digest = self.step_all(inputs, ticks, true)?;
        digest.ok_or_else(|| nonsense(self.client.name(), "a step with a digest"))
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        match deed {
            Deed::Input(input) => self.step(&[*input], 0),
            Deed::Reset { layout, .. } => self.reset(deed, *layout),
            other => self.request(Command::Do(other.clone())).map(drop),
        }
    }

    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        self.take_in()?;
        let read = read_snapshot(&self.client);
        self.with_news(read)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.take_in()?;
        let written = self.client.load(bytes);
        self.tick = self.with_news(written)?.tick;
        if let Some((layout, _)) = firmware_core::board::origin_of_snapshot(bytes) {
            self.layout = layout.into();
        }
        Ok(())
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        std::mem::take(&mut self.events)
    }

    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    fn overhear(&mut self) -> Vec<String> {
        let new: Vec<Happening> = self.client.happenings().try_iter().collect();
        // A caller that is waiting for an answer learns about a debugger at once, through
        // the log.
        let is_news = |happening: &&Happening| !matches!(happening, Happening::Halted(_));
        let news = new.iter().filter(is_news);
        let remarks = news.filter_map(Happening::remark).collect();
        self.overheard.extend(new);
        remarks
    }
}
