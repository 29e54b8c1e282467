//! A board at the end of a line, whose time goes by itself.
//!
//! The bridge's client keeps the line in threads of its own; here its view is copied
//! once a picture, and a Twin follows what the board says it took. The twin also knows
//! how the board was when it was lost or restarted, and its states are where one can go
//! back to.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use firmware_core::board::origin_of_snapshot;
use firmware_core::games;
use protocol::{
    Command, Done, Event, Frame, Hello, Input, KnownLayout, Pace as DevicePace, Point, Reply,
    Status, Tick,
};
use touchboard_host::happening::{Happening, Run};
use touchboard_host::session::Session;
use touchboard_host::traffic::{LineFigures, LineRecord};
use touchboard_host::{DriverError, Recorder};
use touchboard_links::client::{BoardView, LinkState};
use touchboard_links::link::SharedRecord;
use touchboard_links::remote::legal_points;
use touchboard_links::{Client, LinkError, Where};

use crate::source::{
    Agreement, BoardLink, BoardPace, LastState, NOTE, Restarted, Shown, Source, WindowCommand,
};

mod comparison;
mod fingers;
mod past;
mod trip;

use comparison::{Comparison, Next};
use fingers::Fingers;
use trip::{Sight, Trip};

/// Said of a board that has only just been found.
const NOTHING_KNOWN: &str = "the board has not yet said how it is: wait until it is connected";

/// Between two questions for how the game stands.
const STATUS_EVERY: Duration = Duration::from_millis(200);

type Answer = Receiver<Result<Reply, DriverError>>;

/// How far the line is.
enum Line {
    /// It is opened with the next picture, once this board's was closed.
    Closed(Box<Where>, Option<Box<dyn Source>>),
    /// A thread is opening it.
    Opening(Receiver<Result<Client, DriverError>>),
    /// It was opened already; the board goes on with the next picture.
    Ready(Box<Client>),
    /// It is open; the client opens it again by itself when it ends.
    Open(Arc<Client>),
    /// It could not be opened, for this reason.
    Failed(String),
}

/// A game that is being brought back, until the board has it.
struct Return {
    answer: Answer,
    kept: LastState,
    restarted: Restarted,
}

/// The board at the end of a line.
pub struct Remote {
    name: String,
    line: Line,
    pace: BoardPace,
    layout: Option<KnownLayout>,
    /// The newest tick that was seen of it.
    tick: Tick,
    status: Status,
    status_asked: Option<Answer>,
    status_age: Duration,
    legal: Vec<Point>,
    legal_asked: Option<Answer>,
    answers: Vec<Answer>,
    fingers: Fingers,
    comparison: Comparison,
    /// The run of the board that is known here.
    run: u32,
    /// What happened to it, once it said how it is.
    recorder: Option<Recorder>,
    /// The way to another moment that is being gone.
    trip: Option<Trip>,
    /// The commands that came meanwhile.
    waiting: VecDeque<WindowCommand>,
    /// Board time that real time has brought and that has not passed yet, in
    /// ticks, while what lies ahead happens again.
    owed_ticks: f64,
    /// How its time is to go, as it was last told.
    told_pace: Option<DevicePace>,
    /// What was lifted while the board did not hear it.
    owed: Vec<Input>,
    /// How it was before it was lost, or restarted.
    kept: Option<LastState>,
    restarted: Option<Restarted>,
    returning: Option<Return>,
    /// What the board said for the log.
    said: Vec<String>,
    /// What crosses the line.
    record: Option<SharedRecord>,
}

/// Has what crosses the line to this place recorded from now on.
pub fn record_line(place: &mut Where) -> SharedRecord {
    let record = SharedRecord::begin(LineRecord::new(place.line_medium()));
    place.line.record = Some(record.clone());
    record
}

impl Remote {
    /// The board that this client speaks to. If its time is held, it goes on
    /// when [`Source::update`] lets time pass for the first time.
    #[must_use]
    pub fn over(client: Client) -> Remote {
        let name = client.name().to_owned();
        Remote::with(name, Line::Ready(Box::new(client)))
    }

    /// The board that this client speaks to, whose time is held, and what is
    /// known of it.
    #[must_use]
    pub fn going_on(client: Client, recorder: Recorder) -> Remote {
        Remote {
            recorder: Some(recorder),
            ..Remote::over(client)
        }
    }

    /// The board at this place; the line is opened in the background.
    #[must_use]
    pub fn open(mut place: Where) -> Remote {
        let record = record_line(&mut place);
        let name = place.at.to_string();
        Remote::with(name, Line::Closed(Box::new(place), None)).recorded(record)
    }

    /// The same board, with the record of its line.
    #[must_use]
    pub fn recorded(self, record: SharedRecord) -> Remote {
        Remote {
            record: Some(record),
            ..self
        }
    }

    fn with(name: String, line: Line) -> Remote {
        Remote {
            name,
            line,
            pace: BoardPace::default(),
            layout: None,
            tick: 0,
            status: Status::default(),
            status_asked: None,
            status_age: STATUS_EVERY,
            legal: Vec::new(),
            legal_asked: None,
            answers: Vec::new(),
            fingers: Fingers::default(),
            comparison: Comparison::default(),
            run: 0,
            recorder: None,
            trip: None,
            waiting: VecDeque::new(),
            owed_ticks: 0.0,
            told_pace: None,
            owed: Vec::new(),
            kept: None,
            restarted: None,
            returning: None,
            said: Vec::new(),
            record: None,
        }
    }

    fn begin(&mut self, client: Client) -> Result<(), DriverError> {
        let hello = client.view().hello;
        self.run = client.run();
        self.layout = Some(hello.layout.into());
        let pace = device_pace(self.pace);
        // Before its time goes on: what is known of it is of this moment.
        self.answers.push(client.post_resync()?);
        self.answers.push(client.post(Command::Pace(pace))?);
        self.told_pace = Some(pace);
        self.ask_for_sensors(&hello, &client)?;
        self.line = Line::Open(Arc::new(client));
        Ok(())
    }

    /// Opens the line, a step further with every picture; the client once it is
    /// open.
    fn client(&mut self) -> Option<Arc<Client>> {
        if let Line::Closed(place, before) = &mut self.line {
            self.line = dial((**place).clone(), before.take());
        }
        let opened = match std::mem::replace(&mut self.line, Line::Failed(String::new())) {
            Line::Ready(client) => self.begin(*client),
            Line::Opening(take) => match take.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.line = Line::Opening(take);
                    Ok(())
                }
                Ok(Ok(client)) => self.begin(client),
                Ok(Err(error)) => Err(error),
                Err(TryRecvError::Disconnected) => {
                    Err(LinkError::lost("the line was never opened".to_owned()))
                }
            },
            line => {
                self.line = line;
                Ok(())
            }
        };
        if let Err(error) = opened {
            self.line = Line::Failed(error.to_string());
        }
        match &self.line {
            Line::Open(client) => Some(client.clone()),
            _ => None,
        }
    }

    /// Looks at the answers that have come.
    fn hear(&mut self) -> Result<(), String> {
        let mut trouble = Ok(());
        self.answers.retain(|answer| match answer.try_recv() {
            Err(TryRecvError::Empty) => true,
            Err(TryRecvError::Disconnected) => false,
            Ok(reply) => {
                let result = reply.and_then(|reply| Ok(reply.result?));
                if let Err(error) = result {
                    // What got lost on the way may have been the pace.
                    if !matches!(error, DriverError::Refused(_)) {
                        self.told_pace = None;
                    }
                    trouble = Err(error.to_string());
                }
                false
            }
        });
        self.returned().and(trouble)
    }

    /// Takes in what happened.
    fn follow(&mut self, happening: &Happening, client: &Client) -> Result<(), String> {
        match happening {
            Happening::Event(stamped) => self.tick = self.tick.max(stamped.tick),
            Happening::Lost(_) | Happening::Panicked(_) => self.keep(),
            Happening::Connected { hello, run, layout } => {
                self.layout = Some(layout.clone());
                self.meet(hello, *run, client);
            }
            Happening::Carried {
                layout: Some(layout),
                ..
            } => {
                self.layout = Some(layout.clone());
                self.comparison.forget();
            }
            Happening::Snapshot { state, .. } => self.becomes(state),
            Happening::Log(line) => self.said.push(line.clone()),
            _ => {}
        }
        let (followed, next) = self.comparison.follow(happening);
        if next == Next::Snapshot {
            self.answers.extend(client.post_resync());
        }
        self.record(happening, followed, client)
    }

    /// The board has this state, and its layout.
    fn becomes(&mut self, state: &[u8]) {
        if let Some((layout, _)) = origin_of_snapshot(state) {
            self.layout = Some(layout.into());
        }
    }

    /// Keeps how the board was, while that is still known.
    fn keep(&mut self) {
        if self.kept.is_none() {
            let lifts = self.recorder.as_ref().map(Recorder::lifts);
            self.kept = self
                .comparison
                .state_at(self.tick, &lifts.unwrap_or_default());
        }
    }

    /// The board answers: the run of it that was lost, or another one.
    fn meet(&mut self, hello: &Hello, run: Run, client: &Client) {
        if !matches!(run, Run::First) {
            // A board that is lost again is asked when it is met again.
            let _ = self.ask_for_sensors(hello, client);
        }
        // A board that restarted knows of no finger, but there may be one on its
        // sensors.
        for lift in std::mem::take(&mut self.owed) {
            if !run.is_new() || self.fingers.came_over_sensors(lift) {
                // A board that is lost again is owed nothing by messages.
                let _ = self.touch(lift, client);
            }
        }
        match run {
            Run::First => {}
            Run::Known => self.kept = None,
            Run::Anew { before } => {
                self.keep();
                self.restarted = Some(Restarted {
                    was_at: before,
                    can_return_to: self.kept.as_ref().map(|kept| kept.tick),
                });
                self.comparison = Comparison::default();
                self.run = client.run();
                self.recorder = None;
                self.waiting.clear();
                self.status = Status::default();
                self.legal.clear();
                self.status_age = STATUS_EVERY;
                self.tick = hello.tick;
            }
        }
    }

    /// Gives the board that restarted the game that was on it.
    fn bring_back(&mut self) -> Result<(), String> {
        let Line::Open(client) = &self.line else {
            return Ok(());
        };
        let (Some(kept), Some(restarted)) = (self.kept.take(), self.restarted.take()) else {
            return Ok(());
        };
        let answer = client.post_load_in(self.run, kept.state.clone());
        self.returning = Some(Return {
            answer: answer.map_err(|error| error.to_string())?,
            kept,
            restarted,
        });
        Ok(())
    }

    /// Looks whether the game is back.
    fn returned(&mut self) -> Result<(), String> {
        let Some(returning) = &self.returning else {
            return Ok(());
        };
        let result = match returning.answer.try_recv() {
            Err(TryRecvError::Empty) => return Ok(()),
            Ok(result) => result.map(drop).map_err(|error| error.to_string()),
            Err(TryRecvError::Disconnected) => Err("nobody was there to do it".to_owned()),
        };
        let Some(Return {
            kept, restarted, ..
        }) = self.returning.take()
        else {
            return Ok(());
        };
        result
            .map(|()| {
                self.becomes(&kept.state);
                self.status_age = STATUS_EVERY;
            })
            .map_err(|sentence| {
                self.kept = Some(kept);
                self.restarted = Some(restarted);
                format!("the game was not brought back: {sentence}")
            })
    }

    /// Asks where one may play, once it may be somewhere else.
    fn hear_status(&mut self, status: Status, client: &Client) {
        let besides_clock = |status: Status| Status {
            clock: None,
            ..status
        };
        if besides_clock(status) != besides_clock(self.status) {
            self.legal_asked = client.post(Command::Legal).ok();
        }
        self.status = status;
    }

    /// Looks at the answer about where one may play.
    fn hear_legal(&mut self, client: &Client) {
        let Some(asked) = &self.legal_asked else {
            return;
        };
        match asked.try_recv() {
            Err(TryRecvError::Empty) => return,
            Ok(Ok(Reply {
                result: Ok(Done::Legal(bits)),
                ..
            })) => self.legal = legal_points(&bits, client.view().hello.layout),
            _ => {}
        }
        self.legal_asked = None;
    }

    /// Asks how the game stands, now and then.
    fn ask_status(&mut self, client: &Client, elapsed: Duration) {
        if let Some(answer) = &self.status_asked {
            match answer.try_recv() {
                Err(TryRecvError::Empty) => return,
                Ok(Ok(Reply {
                    result: Ok(Done::Status(status)),
                    ..
                })) => self.hear_status(status, client),
                _ => {}
            }
            self.status_asked = None;
        }
        self.status_age += elapsed;
        if self.status_age >= STATUS_EVERY {
            self.status_age = Duration::ZERO;
            self.status_asked = client.post(Command::Status).ok();
        }
    }

    /// Takes in what happened to the board since the last picture, tells its events, and
    /// ends a way to another moment that has been gone.
    fn take_happenings(
        &mut self,
        client: &Client,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<(), String> {
        let ended = self.trip.as_ref().and_then(Trip::ended);
        let mut trouble = Ok(());
        while let Ok(happening) = client.happenings().try_recv() {
            if let Happening::Event(stamped) = &happening
                && !self.is_unseen()
            {
                tell(stamped.tick, stamped.event);
            }
            trouble = self.follow(&happening, client).and(trouble);
        }
        if let Some(result) = ended {
            trouble = self.arrive(result).and(trouble);
        }
        trouble
    }

    /// What is shown while there is no line: the dark board that was there before.
    fn searching(&self, before: &Shown) -> Shown {
        Shown {
            layout: before.layout,
            roster: before.roster,
            pace: self.pace,
            link: match &self.line {
                Line::Failed(sentence) => BoardLink::Down(sentence.clone()),
                _ => BoardLink::Searching,
            },
            twin: Agreement::Unknown,
            ..Shown::default()
        }
    }

    /// What is shown of the board as it was last seen. Of one that does not answer nobody
    /// knows what it shows, and nothing can be played on it.
    fn shown(&self, view: BoardView, link: BoardLink) -> Shown {
        let answers = link.answers();
        let recorder = self.recorder.as_ref();
        let twin = self.comparison.twin().board();
        Shown {
            layout: self.layout.as_deref().copied().unwrap_or(view.hello.layout),
            roster: games::on_layout(view.hello.layout, view.hello.capabilities.roster),
            frame: if answers {
                view.frame
            } else {
                Frame::default()
            },
            status: self.status,
            legal: if answers {
                self.legal.clone()
            } else {
                Vec::new()
            },
            pieces: twin
                .filter(|_| answers)
                .and_then(touchboard_host::games::pieces),
            pace: self.pace,
            clicks: self.clicks(),
            twin: match self.comparison.agreement() {
                Agreement::Agrees { .. } if !answers => Agreement::Unknown,
                agreement => agreement.clone(),
            },
            kept: self.kept.as_ref().map(|kept| kept.tick),
            restarted: self.restarted,
            earliest: recorder.filter(|_| answers).and_then(Recorder::earliest),
            latest: recorder.map_or(0, Recorder::latest),
            branches: recorder.map_or_else(Vec::new, |recorder| recorder.branches().collect()),
            stop_when: None,
            stopped_at: None,
            link,
        }
    }
}

/// The board's words for a pace.
fn device_pace(pace: BoardPace) -> DevicePace {
    if pace.paused {
        DevicePace::Lockstep
    } else {
        DevicePace::Free {
            permille: (pace.speed * 1000.0).round() as u32,
        }
    }
}

impl Source for Remote {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn look_at_line(&self, look: &mut dyn FnMut(&LineRecord, &LineFigures)) {
        if let Some(record) = &self.record {
            let figures = record.figures();
            look(&record.lock(), &figures);
        }
    }

    fn obey(&mut self, command: &WindowCommand) -> Result<(), String> {
        match command {
            WindowCommand::BringBack => self.bring_back(),
            WindowCommand::LeaveIt => {
                (self.kept, self.restarted) = (None, None);
                Ok(())
            }
            WindowCommand::Pace(pace) if !matches!(self.line, Line::Open(_)) => {
                // It begins so.
                self.pace = *pace;
                Ok(())
            }
            command if self.has_to_wait(command) => {
                self.wait_with(command);
                Ok(())
            }
            command => self.obey_now(command),
        }
    }

    fn session(&self) -> Result<Session, String> {
        let recorder = self.recorder.as_ref().ok_or(NOTHING_KNOWN)?;
        Ok(recorder.session(self.tick.max(recorder.last_tick())))
    }

    fn whole_session(&self) -> Result<Session, String> {
        let recorder = self.recorder.as_ref().ok_or(NOTHING_KNOWN)?;
        Ok(recorder.whole_session(self.tick))
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String> {
        let Some(client) = self.client() else {
            *shown = self.searching(shown);
            return Ok(self.tick);
        };
        let mut trouble = self.take_happenings(&client, tell);
        trouble = self.go_on(elapsed, &client).and(trouble);
        let view = client.view();
        let link = match &view.link {
            LinkState::Connected => BoardLink::Up {
                board: view.hello.board.to_string(),
            },
            LinkState::Lost(sentence) => BoardLink::Down(sentence.clone()),
        };
        let felt = self.hear_sensors(&client);
        let felt = felt.map_err(|error| error.to_string());
        let heard = self.hear().and(felt).and(trouble);
        if self.is_unseen() && link.answers() {
            shown.pace = self.pace;
            return heard.map(|()| self.tick);
        }
        if link.answers() {
            self.ask_status(&client, elapsed);
            self.hear_legal(&client);
            self.see_tick(view.run, view.tick);
        }
        *shown = self.shown(view, link);
        heard.map(|()| self.tick)
    }

    fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn kept(&self) -> Option<&LastState> {
        self.kept.as_ref()
    }

    fn come_after(&mut self, before: Box<dyn Source>) {
        match &mut self.line {
            // A port can be opened once it was closed.
            Line::Closed(_, closes_first) => *closes_first = Some(before),
            _ => drop(before),
        }
    }
}

/// Opens the line in the background, once the one of the board before was
/// closed.
fn dial(place: Where, before: Option<Box<dyn Source>>) -> Line {
    let (give, take) = bounded(1);
    let thread = std::thread::Builder::new().name("open-board".into());
    let opening = thread.spawn(move || {
        drop(before);
        // Nobody waits any more if another board was chosen meanwhile.
        let _ = give.send(place.client());
    });
    match opening {
        Ok(_) => Line::Opening(take),
        Err(error) => Line::Failed(format!("no thread: {error}")),
    }
}

#[cfg(test)]
mod tests;
