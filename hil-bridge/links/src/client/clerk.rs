//! The thread that speaks to the board: one command at a time, repeated until
//! it is answered, over as many lines as it takes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select};
use firmware_core::board::origin_of_snapshot;
use protocol::{
    CHUNK_BYTES, Command, Deed, Done, Hello, KnownLayout, Layout, Pace, Refusal, Reply, Request,
    ToDevice,
};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::Happening;

use super::reader::{Incoming, Reader};
use super::{BoardView, ClientOptions, Counters, Dial, EventCursor, FrameCopy, chance};
use crate::LinkError;
use crate::link::Link;

mod feed;
mod hear;
mod meet;
mod patience;

use feed::Feed;
use meet::BACK_OFF_FIRST;
use patience::Patience;

/// After this time without a request the board is asked whether it is there.
const LIVENESS: Duration = Duration::from_secs(1);
/// Events are acknowledged after this many, or after [`ACKNOWLEDGE_AFTER`]: the board
/// keeps few.
const ACKNOWLEDGE_EVENTS: u32 = 12;
/// See [`ACKNOWLEDGE_EVENTS`].
const ACKNOWLEDGE_AFTER: Duration = Duration::from_millis(100);
/// How often events or a frame that are missing are asked for before they count
/// as lost.
const REPAIRS: u32 = 8;

/// Something to be done.
pub enum Task {
    /// Have the board carry this out.
    Command {
        /// What to do.
        command: Command,
        /// The run of the board for which it is meant.
        run: u32,
    },
    /// Take a snapshot and put it among the happenings.
    Snapshot,
    /// Make the board the one of this state, and put that among the happenings.
    Load {
        /// The state.
        state: Vec<u8>,
        /// The run of the board for which it is meant.
        run: u32,
    },
}

impl Task {
    /// The layout that the board is to have.
    pub fn layout(&self) -> Option<Layout> {
        match self {
            Task::Command {
                command: Command::Do(Deed::Reset { layout, .. }),
                ..
            } => Some(*layout),
            Task::Load { state, .. } => origin_of_snapshot(state).map(|(layout, _)| layout),
            _ => None,
        }
    }
}

/// Where a happening belongs that is not an event.
enum Mark {
    /// Here it is.
    Told(Happening),
    /// It is still on its way: what comes after it has to wait.
    Awaited,
}

/// A task, and where its answer goes.
pub struct Job {
    /// What to do.
    pub task: Task,
    /// The layout that the board is to have: its drawing may have to be written first.
    pub _layout: Option<KnownLayout>,
    /// Where to answer.
    pub answer: Sender<Result<Reply, DriverError>>,
    /// When it was given.
    pub since: Instant,
}

type Ready = Sender<Result<Arc<Mutex<BoardView>>, DriverError>>;

/// Keeps the conversation going until there are no more clients. Sends `ready` the
/// result of the first attempt, and ends if that failed.
pub fn run(
    dial: Box<dyn Dial>,
    options: ClientOptions,
    jobs: &Receiver<Job>,
    feed: Sender<Happening>,
    drain: Receiver<Happening>,
    ready: &Ready,
) {
    let mut clerk = Clerk {
        dial,
        options,
        host: chance(),
        number: chance(),
        line: None,
        board: None,
        layout: None,
        run: 0,
        is_unknown: true,
        cursor: EventCursor::default(),
        frame_copy: FrameCopy::default(),
        lockstep: false,
        pace: None,
        gap: false,
        acknowledged: 0,
        asked: Instant::now(),
        ping: None,
        marks: VecDeque::new(),
        held: None,
        feed: Feed::new(feed, drain),
        view: None,
        counters: Counters::default(),
        back_off: BACK_OFF_FIRST,
        next_dial: Instant::now(),
    };
    let deadline = Instant::now() + clerk.timeout();
    let first = clerk.make_ready(deadline);
    let failed = first.is_err();
    let view = clerk.view.clone();
    let _ = ready.send(
        first.and_then(|_| view.ok_or_else(|| LinkError::lost("the board was not greeted".into()))),
    );
    if !failed {
        clerk.serve(jobs);
    }
}

/// True for what is done to the game that is on the board: it is not to be done
/// to another one.
fn is_for_this_game(command: &Command) -> bool {
    match command {
        Command::Do(deed) => !deed.begins_anew(),
        Command::Step { .. } => true,
        _ => false,
    }
}

struct Line {
    link: Box<dyn Link>,
    reader: Reader,
}

/// A question that nobody waits for: a command takes its place.
struct Ping {
    number: u32,
    begin: Instant,
    patience: Patience,
}

struct Clerk {
    dial: Box<dyn Dial>,
    options: ClientOptions,
    /// Who we are, to the board.
    host: u32,
    /// The number of the last request.
    number: u32,
    line: Option<Line>,
    board: Option<Hello>,
    /// The layout of the board.
    layout: Option<KnownLayout>,
    /// See [`BoardView::run`].
    run: u32,
    /// The board was greeted, and it is not known yet where its events are.
    is_unknown: bool,
    cursor: EventCursor,
    frame_copy: FrameCopy,
    lockstep: bool,
    /// The pace that was asked for, for a board that was restarted.
    pace: Option<Pace>,
    /// An event came whose predecessor did not.
    gap: bool,
    /// The `seen` of the last request.
    acknowledged: u32,
    /// When the board was last asked anything, or answered.
    asked: Instant,
    /// What was asked unasked, and is not answered yet.
    ping: Option<Ping>,
    /// What happened before the event of this number, which has not come yet.
    marks: VecDeque<(u32, Mark)>,
    /// What happened after a snapshot that is still on its way.
    held: Option<Vec<Happening>>,
    feed: Feed,
    view: Option<Arc<Mutex<BoardView>>>,
    counters: Counters,
    back_off: Duration,
    next_dial: Instant,
}

impl Clerk {
    fn timeout(&self) -> Duration {
        Duration::from_millis(self.options.timeout_ms)
    }

    fn retry(&self) -> Duration {
        Duration::from_millis(self.options.retry_ms)
    }

    fn serve(&mut self, jobs: &Receiver<Job>) {
        let nothing = never();
        loop {
            let incoming = self
                .line
                .as_ref()
                .map_or(&nothing, |line| &line.reader.incoming);
            select! {
                recv(jobs) -> job => match job {
                    Ok(job) => {
                        // Its answer says what the one to a ping would.
                        self.ping = None;
                        self.job(job);
                    }
                    Err(_) => return,
                },
                recv(incoming) -> incoming => {
                    let heard = incoming.map_err(|_| self.gone("its reader ended"));
                    let heard = heard.and_then(|incoming| self.hear(incoming));
                    if let Err(error) = heard.and_then(|reply| self.take_pong(reply)) {
                        self.lose(&error);
                    }
                },
                recv(after(self.idle())) -> _ => {}
            }
            // Commands go first.
            if jobs.is_empty() {
                self.look_after();
            }
        }
    }

    /// How long until there is something to do unasked.
    fn idle(&self) -> Duration {
        if self.line.is_none() {
            return self.next_dial.saturating_duration_since(Instant::now());
        }
        if self.is_unknown {
            return Duration::ZERO;
        }
        if let Some(ping) = &self.ping {
            return ping
                .patience
                .until()
                .saturating_duration_since(Instant::now());
        }
        let wait = if self.unacknowledged() > 0 {
            ACKNOWLEDGE_AFTER
        } else {
            LIVENESS
        };
        wait.saturating_sub(self.asked.elapsed())
    }

    fn unacknowledged(&self) -> u32 {
        self.cursor.next().wrapping_sub(self.acknowledged)
    }

    /// Opens a line that has ended, acknowledges events, asks a silent board
    /// whether it is there, and gets what is missing of the frame.
    fn look_after(&mut self) {
        if !self.is_ready() {
            if self.line.is_some() || Instant::now() >= self.next_dial {
                // One attempt; the next one when the back-off is over.
                let _ = self.make_ready(Instant::now());
            }
            return;
        }
        let missing = self.gap || !self.frame_copy.is_current();
        let due = match &self.ping {
            Some(_) => self.idle().is_zero(),
            None => missing || self.unacknowledged() >= ACKNOWLEDGE_EVENTS || self.idle().is_zero(),
        };
        if due && let Err(error) = self.ping() {
            self.lose(&error);
        }
    }

    /// Asks the board whether it is there and says what was seen, or asks once
    /// more, and does not wait for the answer.
    fn ping(&mut self) -> Result<(), DriverError> {
        let mut ping = match self.ping.take() {
            Some(ping) if ping.patience.lasts(Instant::now()) => {
                self.counters.retries += 1;
                ping
            }
            Some(_) => return Err(self.silent()),
            None => {
                self.number = self.number.wrapping_add(1);
                let now = Instant::now();
                Ping {
                    number: self.number,
                    begin: now,
                    patience: Patience::new(now + self.timeout(), self.retry()),
                }
            }
        };
        self.send_request(ping.number, &Command::Ping)?;
        ping.patience.begin(Instant::now());
        self.ping = Some(ping);
        Ok(())
    }

    /// If this is the answer to a ping: gets what it says is missing.
    fn take_pong(&mut self, reply: Option<Reply>) -> Result<(), DriverError> {
        let Some(reply) = reply else {
            return Ok(());
        };
        let Some(ping) = self.ping.take_if(|ping| ping.number == reply.number) else {
            return Ok(());
        };
        self.answered(&reply, ping.begin)?;
        match self.settle(&reply, Instant::now() + self.timeout()) {
            // The line to the new one is open.
            Err(DriverError::Restarted(_)) => Ok(()),
            settled => settled,
        }
    }

    fn job(&mut self, job: Job) {
        // While the board answers no command is late because others took their time;
        // of a board that is lost each waits no longer than from when it was given.
        let begin = if self.is_ready() {
            Instant::now()
        } else {
            job.since
        };
        let deadline = begin + self.timeout();
        let result = match &job.task {
            Task::Command { command, run } => self.exchange(command, *run, deadline),
            Task::Snapshot => self.snapshot(deadline),
            Task::Load { state, run } => self.load(state, *run),
        };
        if let Err(error) = &result
            && is_over_with(error)
        {
            self.lose(&LinkError::lost(error.to_string()));
        }
        let _ = job.answer.send(result);
    }

    /// Has the board carry out a command, and gets everything that happened
    /// before its answer.
    fn exchange(
        &mut self,
        command: &Command,
        run: u32,
        deadline: Instant,
    ) -> Result<Reply, DriverError> {
        for _ in 0..REPAIRS {
            if !self.is_ready() {
                self.make_ready(deadline)?;
            }
            // Another run may have been met while the command waited.
            if self.run != run && is_for_this_game(command) {
                return Err(self.begun_anew());
            }
            self.draw_for(command)?;
            let reply = self.carry_out(command, deadline)?;
            self.settle(&reply, deadline)?;
            if reply.result != Err(Refusal::Unseen) {
                return Ok(reply);
            }
            // Now everything is seen, and the next request says so.
        }
        Err(Refusal::Unseen.into())
    }

    /// Reads the whole state piece by piece. Events in the meantime are reported after
    /// it: the state is the one of the first piece.
    fn snapshot(&mut self, deadline: Instant) -> Result<Reply, DriverError> {
        let result = self.read_state(deadline);
        self.marks.retain(|(_, mark)| matches!(mark, Mark::Told(_)));
        let held = self.held.take().unwrap_or_default();
        let result = result.map(|(reply, state)| {
            let tick = reply.tick;
            self.tell(Happening::Snapshot { tick, state });
            reply
        });
        for happening in held {
            self.tell(happening);
        }
        self.flush_marks();
        result
    }

    fn read_state(&mut self, deadline: Instant) -> Result<(Reply, Vec<u8>), DriverError> {
        if !self.is_ready() {
            self.make_ready(deadline)?;
        }
        let mut state: Vec<u8> = Vec::new();
        let mut first = None;
        loop {
            let offset = state.len() as u16;
            let reply = self.carry_out(&Command::Read { offset }, deadline)?;
            if first.is_none() {
                self.mark(&reply, Mark::Awaited);
                first = Some(reply.clone());
            }
            self.settle(&reply, deadline)?;
            let Done::Chunk { total, bytes, .. } = reply.result.clone()? else {
                return Err(Refusal::Snapshot.into());
            };
            state.extend_from_slice(&bytes);
            let whole = state.len() >= total.into();
            match (whole, bytes.is_empty(), &first) {
                (true, _, Some(first)) => return Ok((first.clone(), state)),
                (false, false, _) => {}
                _ => return Err(Refusal::Snapshot.into()),
            }
        }
    }

    /// Writes a state piece by piece and makes the board the one of it. Each
    /// piece has its own time: they may take long on a slow line.
    fn load(&mut self, state: &[u8], run: u32) -> Result<Reply, DriverError> {
        let length = u16::try_from(state.len()).map_err(|_| Refusal::Snapshot)?;
        if self.run != run {
            return Err(self.begun_anew());
        }
        if let Some((layout, _)) = origin_of_snapshot(state)
            && self.lacks_drawing(layout)
        {
            let seed = 0;
            let reset = Command::Do(Deed::Reset { seed, layout });
            self.exchange(&reset, run, self.piece_deadline())?.result?;
        }
        self.write(state)?;
        let load = Command::Load { length };
        let reply = self.exchange(&load, run, self.piece_deadline())?;
        reply.result.clone()?;
        let (tick, state) = (reply.tick, state.to_vec());
        self.mark(&reply, Mark::Told(Happening::Snapshot { tick, state }));
        Ok(reply)
    }

    /// Writes these bytes into the board's buffer, piece by piece.
    fn write(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        let mut offset = 0;
        for piece in bytes.chunks(CHUNK_BYTES) {
            let bytes = piece.iter().copied().collect();
            let write = Command::Write { offset, bytes };
            self.exchange(&write, self.run, self.piece_deadline())?
                .result?;
            offset += piece.len() as u16;
        }
        Ok(())
    }

    /// Writes the drawing that a reset needs.
    fn draw_for(&mut self, command: &Command) -> Result<(), DriverError> {
        if let Command::Do(Deed::Reset { layout, .. }) = command
            && self.lacks_drawing(*layout)
            && let Some(known) = layout.drawing()
        {
            self.write(known.as_drawing().bytes())?;
        }
        Ok(())
    }

    /// True of a drawn layout that the board has not: its drawing is to be
    /// written first.
    fn lacks_drawing(&self, layout: Layout) -> bool {
        let has = self.layout.as_ref().map(KnownLayout::layout);
        layout.sides().is_none() && has != Some(layout)
    }

    fn piece_deadline(&self) -> Instant {
        Instant::now() + self.timeout()
    }

    /// One request, over as many lines as it takes.
    fn carry_out(&mut self, command: &Command, deadline: Instant) -> Result<Reply, DriverError> {
        self.number = self.number.wrapping_add(1);
        let number = self.number;
        let begins_anew = matches!(command, Command::Do(deed) if deed.begins_anew());
        if begins_anew {
            self.cursor.suspend();
        }
        loop {
            match self.ask(number, command, deadline) {
                Ok(reply) => {
                    self.carried_out(command, &reply);
                    return Ok(reply);
                }
                Err(error) if LinkError::may_pass(&error) => {
                    self.lose(&error);
                    let jumps = begins_anew || matches!(command, Command::Load { .. });
                    if self.reconnect(deadline, jumps)?.is_new() {
                        return Err(self.begun_anew());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// [`Clerk::ask`] with the next number.
    fn ask_next(&mut self, command: &Command, deadline: Instant) -> Result<Reply, DriverError> {
        self.number = self.number.wrapping_add(1);
        self.ask(self.number, command, deadline)
    }

    /// Sends a request until it is answered.
    fn ask(
        &mut self,
        number: u32,
        command: &Command,
        deadline: Instant,
    ) -> Result<Reply, DriverError> {
        let begin = Instant::now();
        let mut patience = Patience::new(deadline, self.retry());
        while patience.lasts(Instant::now()) {
            self.send_request(number, command)?;
            patience.begin(Instant::now());
            while let Some(incoming) = self.listen(patience.until())? {
                if matches!(incoming, Incoming::Damaged(_)) {
                    // It may have been the answer.
                    patience.shorten(Instant::now() + self.retry() / 4);
                }
                let Some(reply) = self.hear(incoming)? else {
                    continue;
                };
                if reply.number != number {
                    continue;
                }
                if reply.result == Err(Refusal::NotGreeted) && *command == Command::Ping {
                    // A board that was just switched on says hello by itself,
                    // and may not have heard ours. A ping does nothing to it,
                    // whichever run of it this is: its hello will tell.
                    self.ask_who_it_is();
                    patience.shorten(Instant::now() + self.retry() / 4);
                    continue;
                }
                self.answered(&reply, begin)?;
                return Ok(reply);
            }
            self.counters.retries += 1;
        }
        Err(self.silent())
    }

    fn send_request(&mut self, number: u32, command: &Command) -> Result<(), DriverError> {
        let seen = self.cursor.next();
        let request = ToDevice::Request(Request {
            number,
            seen,
            command: command.clone(),
        });
        self.send(&request)?;
        self.acknowledged = seen;
        self.asked = Instant::now();
        Ok(())
    }

    /// The board answered what was asked at this moment.
    fn answered(&mut self, reply: &Reply, begin: Instant) -> Result<(), DriverError> {
        if reply.result == Err(Refusal::NotGreeted) {
            return Err(self.forgotten());
        }
        self.asked = Instant::now();
        self.counters.round_trip = begin.elapsed();
        self.publish(Some(reply.tick));
        Ok(())
    }

    /// What a command that was carried out means for what we know.
    fn carried_out(&mut self, command: &Command, reply: &Reply) {
        let begins_anew = matches!(command, Command::Do(deed) if deed.begins_anew());
        if reply.result.is_err() {
            if begins_anew {
                self.cursor.go_on_at(reply.events);
            }
            return;
        }
        match command {
            Command::Pace(pace) => {
                self.pace = Some(*pace);
                self.lockstep = *pace == Pace::Lockstep;
            }
            Command::Do(deed) if begins_anew => {
                self.cursor.go_on_at(0);
                self.marks.clear();
                // What it answers comes later; whoever looks now is to see this.
                if let (Deed::Reset { seed, layout }, Some(known)) = (deed, &self.board) {
                    self.recognise(Hello {
                        seed: *seed,
                        layout: *layout,
                        ..known.clone()
                    });
                }
                self.ask_who_it_is();
            }
            Command::Load { .. } => self.ask_who_it_is(),
            _ => {}
        }
        if let Ok(Done::Stepped {
            digest: Some(digest),
            ..
        }) = reply.result
        {
            let tick = reply.tick;
            self.mark(reply, Mark::Told(Happening::Stepped { tick, digest }));
        }
        // The board itself reports an input.
        if let Command::Do(deed) = command
            && !matches!(deed, Deed::Input(_))
        {
            let layout = match deed {
                Deed::Reset { layout, .. } => Some((*layout).into()),
                _ => None,
            };
            let happening = Happening::Carried {
                tick: reply.tick,
                deed: Box::new(deed.clone()),
                layout,
            };
            self.mark(reply, Mark::Told(happening));
        }
    }

    /// Gets what is missing, over as many lines as it takes.
    fn settle(&mut self, reply: &Reply, deadline: Instant) -> Result<(), DriverError> {
        while let Err(error) = self.repair(reply, deadline) {
            if !LinkError::may_pass(&error) {
                return Err(error);
            }
            self.lose(&error);
            if self.reconnect(deadline, false)?.is_new() {
                return Err(self.begun_anew());
            }
        }
        Ok(())
    }

    /// Asks for the events and the frame that the answer speaks of, if they did
    /// not come: the board sends both before its answer.
    fn repair(&mut self, reply: &Reply, deadline: Instant) -> Result<(), DriverError> {
        let mut newest = reply.events;
        for _ in 0..REPAIRS {
            let command = if self.cursor.lacks(reply.events) {
                Command::Resend
            } else if self.lacks_frame(reply) {
                Command::Frame
            } else {
                self.gap = false;
                return Ok(());
            };
            newest = self.ask_next(&command, deadline)?.events;
        }
        if self.cursor.lacks(reply.events) {
            // The board had no room for them any more.
            self.cursor.go_on_at(newest);
            self.tell(Happening::Missed);
            self.flush_marks();
        }
        self.gap = false;
        Ok(())
    }

    /// While the board runs by itself a newer frame is always on the way; only
    /// a gap matters then.
    fn lacks_frame(&self, reply: &Reply) -> bool {
        !self.frame_copy.is_current() || (self.lockstep && self.frame_copy.lacks(reply.frames))
    }
}

/// True if the line is no use any more after this: a board that is silent, or that
/// panicked.
fn is_over_with(error: &DriverError) -> bool {
    matches!(error, DriverError::Panicked(_))
        || matches!(LinkError::of(error), Some(LinkError::Silent { .. }))
}
