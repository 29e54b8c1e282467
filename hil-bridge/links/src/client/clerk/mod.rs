//! The thread that talks to the board: it carries out one command at a time, and repeats
//! it until it is answered, over as many lines as necessary.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select};
use firmware_core::board::origin_of_snapshot;
use protocol::{Command, Deed, KnownLayout, Layout, Refusal, Reply};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::Happening;

use super::{BoardView, ClientOptions, Counters, Dial, FrameCopy};
use crate::LinkError;

mod feed;
mod halt;
mod hear;
mod meet;
mod parts;
mod patience;
mod request;
mod state;

use feed::Feed;
use parts::{Asking, Events, KnownBoard, Line, Ping, Redial};
use patience::Patience;

/// After this time without a request the board is pinged.
const LIVENESS: Duration = Duration::from_secs(1);
/// Events are acknowledged after this many, because the board keeps only a few, or after
/// [`ACKNOWLEDGE_AFTER`].
const ACKNOWLEDGE_EVENTS: u32 = 12;
/// The maximum time until events are acknowledged; see [`ACKNOWLEDGE_EVENTS`].
const ACKNOWLEDGE_AFTER: Duration = Duration::from_millis(100);
/// How often missing events or a missing frame are requested before they count as lost.
const REPAIRS: u32 = 8;

/// A task for the clerk.
pub enum Task {
    /// Sends this command to the board.
    Command {
        /// The command to send.
        command: Command,
        /// The run of the board that the command is meant for.
        run: u32,
    },
    /// Takes a snapshot and puts it among the happenings.
    Snapshot,
    /// Makes the board load this state, and puts that among the happenings.
    Load {
        /// The bytes of the state.
        state: Vec<u8>,
        /// The run of the board that the state is meant for.
        run: u32,
    },
}

impl Task {
    /// The layout that the board will have after the task, if the task changes it.
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

/// A task, and where its answer goes.
pub struct Job {
    /// The task to carry out.
    pub task: Task,
    /// Owns the drawing of the new layout, which may have to be written first.
    pub _layout: Option<KnownLayout>,
    /// The channel that receives the answer.
    pub answer: Sender<Result<Reply, DriverError>>,
    /// When the job was given.
    pub since: Instant,
}

type Ready = Sender<Result<Arc<Mutex<BoardView>>, DriverError>>;

/// Runs the conversation until all clients are gone. Sends the result of the first
/// connection to `ready`, and ends if that failed.
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
        line: None,
        redial: Redial::default(),
        options,
        asking: Asking::default(),
        known: KnownBoard::default(),
        events: Events::new(Feed::new(feed, drain)),
        frame_copy: FrameCopy::default(),
        view: None,
        counters: Counters::default(),
        halted_since: None,
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

/// True for commands about the current game, which must not be carried out on a
/// different one.
fn is_for_this_game(command: &Command) -> bool {
    match command {
        Command::Do(deed) => !deed.begins_anew(),
        Command::Step { .. } | Command::Fingers(_) => true,
        _ => false,
    }
}

struct Clerk {
    dial: Box<dyn Dial>,
    line: Option<Line>,
    redial: Redial,
    options: ClientOptions,
    asking: Asking,
    known: KnownBoard,
    events: Events,
    frame_copy: FrameCopy,
    view: Option<Arc<Mutex<BoardView>>>,
    counters: Counters,
    /// When a debugger halted the chip; `None` while it runs.
    halted_since: Option<Instant>,
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
                        // The answer replaces that of the pending ping.
                        self.asking.ping = None;
                        self.job(job);
                    }
                    Err(_) => return,
                },
                recv(incoming) -> incoming => {
                    let heard = incoming.map_err(|_| self.gone("its reader ended"));
                    let heard = heard.and_then(|incoming| self.handle(incoming));
                    if let Err(error) = heard.and_then(|reply| self.take_pong(reply)) {
                        self.lose(&error);
                    }
                },
                recv(after(self.idle())) -> _ => {}
            }
            // Commands come before everything else.
            if jobs.is_empty() {
                self.poll();
            }
        }
    }

    /// How long the clerk can wait for a job before it has something else to do.
    fn idle(&self) -> Duration {
        if self.line.is_none() {
            return self.redial.at.saturating_duration_since(Instant::now());
        }
        if self.halted_since.is_some() {
            return halt::LOOK;
        }
        if self.known.is_unknown {
            return Duration::ZERO;
        }
        if let Some(ping) = &self.asking.ping {
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
        wait.saturating_sub(self.asking.at.elapsed())
    }

    fn unacknowledged(&self) -> u32 {
        self.events
            .cursor
            .next()
            .wrapping_sub(self.asking.acknowledged)
    }

    /// Does the work between jobs: opens a line that has ended, acknowledges events,
    /// pings a silent board, and requests missing events and frames.
    fn poll(&mut self) {
        if !self.is_ready() {
            if self.line.is_some() || Instant::now() >= self.redial.at {
                // A single attempt; the next one follows after the back-off.
                let _ = self.make_ready(Instant::now());
            }
            return;
        }
        if self.stands_still() {
            return;
        }
        let missing = self.events.gap || !self.frame_copy.is_current();
        let due = match &self.asking.ping {
            Some(_) => self.idle().is_zero(),
            None => missing || self.unacknowledged() >= ACKNOWLEDGE_EVENTS || self.idle().is_zero(),
        };
        if due && let Err(error) = self.ping() {
            self.lose(&error);
        }
    }

    /// Sends a ping, which acknowledges events, or repeats it, without waiting for the
    /// answer.
    fn ping(&mut self) -> Result<(), DriverError> {
        let mut ping = match self.asking.ping.take() {
            Some(ping) if ping.patience.lasts(Instant::now()) => {
                self.counters.retries += 1;
                ping
            }
            Some(_) => return Err(self.silent()),
            None => {
                let now = Instant::now();
                Ping {
                    number: self.asking.next_number(),
                    begin: now,
                    patience: Patience::new(now + self.timeout(), self.retry()),
                }
            }
        };
        self.send_request(ping.number, &Command::Ping)?;
        ping.patience.begin(Instant::now());
        self.asking.ping = Some(ping);
        Ok(())
    }

    /// If this is the answer to a ping, requests the events and frame that are missing
    /// according to it.
    fn take_pong(&mut self, reply: Option<Reply>) -> Result<(), DriverError> {
        let Some(reply) = reply else {
            return Ok(());
        };
        let Some(ping) = self.asking.ping.take_if(|ping| ping.number == reply.number) else {
            return Ok(());
        };
        self.answered(&reply, ping.begin)?;
        match self.settle(&reply, Instant::now() + self.timeout()) {
            // The line to the new run is open.
            Err(DriverError::Restarted(_)) => Ok(()),
            settled => settled,
        }
    }

    fn job(&mut self, job: Job) {
        // While the board answers, a command's time starts when its turn comes, so others
        // do not make it late. If the board is lost, the time starts when the command was
        // given.
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

    /// Sends a command, and makes sure that everything that happened before its answer
    /// has arrived.
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
            // The board may have restarted while the command waited.
            if self.known.run != run && is_for_this_game(command) {
                return Err(self.begun_anew());
            }
            self.draw_for(command)?;
            let reply = self.carry_out(command, deadline)?;
            self.settle(&reply, deadline)?;
            if reply.result != Err(Refusal::Unseen) {
                return Ok(reply);
            }
            // All events have arrived. The next request acknowledges them, so the board
            // will not refuse it again.
        }
        Err(Refusal::Unseen.into())
    }
}

/// True if the line is useless after this error: the board is silent, or its firmware
/// panicked.
fn is_over_with(error: &DriverError) -> bool {
    matches!(error, DriverError::Panicked(_))
        || matches!(LinkError::of(error), Some(LinkError::Silent { .. }))
}
