//! A board at the end of a line with its own timer.
//!
//! A client serves the line, on threads of its own or between two pictures; here its view
//! is copied once per picture. A twin repeats the inputs that the board reports. It
//! provides the state of a board that was lost or restarted, and the moments to which the
//! board can go back.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError};
use firmware_core::faults::FaultyLine;
use firmware_core::{AnyBoard, EventSink};
use protocol::{Input, KnownLayout, Layout, Pace as DevicePace, StampedEvent, Tick};
use touchboard_host::client::ClientAnswer;
use touchboard_host::conversation::LineState;
use touchboard_host::session::{NoteKind, Session};
use touchboard_host::signals::LineWaves;
use touchboard_host::traffic::{LineFigures, LineRecord, SharedRecord};
use touchboard_host::{DriverError, Recorder};

use crate::source::system::{
    LineClient, Shrinking, Where, chip_memory, line_faults_of, with_record,
};
use crate::source::{
    AtLine, BoardLink, BoardPace, ChipMemory, LastState, NOTE, Parted, Shown, Source, SourceError,
    WindowCommand,
};

mod comparison;
#[cfg(feature = "desktop")]
mod driven;
mod faults;
mod fingers;
mod following;
mod last_game;
mod line;
mod passed;
mod past;
mod shown;
mod shrinking;
mod standing;
mod stop;
mod trip;

use comparison::Comparison;
#[cfg(feature = "desktop")]
use driven::Driven;
use faults::RemoteFaults;
use fingers::RemoteFingers;
use last_game::LastGame;
use line::device_pace;
use passed::RecordedTraffic;
use standing::PolledStatus;
use stop::LineStops;
use trip::Trips;

type Answer = ClientAnswer;

/// The state of the line.
enum Line {
    /// The line is to be opened with the next picture, after the previous source has
    /// closed its own.
    Closed(Box<Where>, Option<Box<dyn Source>>),
    /// It is being opened.
    Opening(Receiver<Result<LineClient, DriverError>>),
    /// The line is open; the board's time is set with the next picture.
    Ready(Box<LineClient>),
    /// The line is open. If it breaks, the client reopens it.
    Open(Arc<LineClient>),
    /// The line is closed while the inputs that led to a difference are shrunk on a board
    /// of their own.
    Shrinking(Shrinking),
    /// The line could not be opened, for this reason.
    Failed(String),
}

/// The pace of the board.
#[derive(Default)]
struct Pacing {
    /// The pace that the user wants.
    pace: BoardPace,
    /// The pace last sent to the board.
    told: Option<DevicePace>,
    /// Board time, in ticks, that is due and not yet passed. Only used while the
    /// recording ahead is repeated.
    owed_ticks: f64,
}

/// The board at the end of a line.
pub struct Remote {
    name: String,
    line: Line,
    /// The place, if the line was opened here and can therefore be reopened.
    place: Option<Box<Where>>,
    /// The memory of the board's chip, if that is known.
    memory: Option<ChipMemory>,
    /// The injected faults of the board and the line.
    faults: RemoteFaults,
    time: Pacing,
    layout: Option<KnownLayout>,
    /// The board's newest known tick.
    tick: Tick,
    /// True after a restart, until the board has sent its state.
    is_anew: bool,
    standing: PolledStatus,
    answers: Vec<Answer>,
    fingers: RemoteFingers,
    comparison: Comparison,
    /// The number of the board's current run, as known here.
    run: u32,
    /// The recorder of the session, once the board has sent its state.
    recorder: Option<Recorder>,
    trips: Trips,
    loan: LentBoard,
    /// Releases not yet delivered to the board.
    owed: Vec<Input>,
    last: LastGame,
    stops: LineStops,
    /// The lines of the board for the log.
    said: Vec<String>,
    traffic: RecordedTraffic,
}

/// What concerns the board's loan to the console.
#[derive(Default)]
struct LentBoard {
    /// True while the board is lent.
    is_lent: bool,
    /// What happened during the loan.
    #[cfg(feature = "desktop")]
    driven: Driven,
    /// Events from before and during the loan, to be reported with the next picture.
    untold: Vec<StampedEvent>,
}

impl Remote {
    /// Creates a source for the board of this client. If its time is held, it continues
    /// with the first call of [`Source::update`].
    #[must_use]
    pub fn over(client: LineClient) -> Remote {
        let name = client.name().to_owned();
        Remote::with(name, Line::Ready(Box::new(client)))
    }

    /// Creates a source for the board of this client, whose time is held, with its
    /// recording.
    #[must_use]
    pub fn going_on(client: LineClient, recorder: Recorder) -> Remote {
        Remote {
            recorder: Some(recorder),
            ..Remote::over(client)
        }
    }

    /// Adds the place at which the line was opened, and the handle for its faults.
    #[must_use]
    pub fn opened_at(self, place: Where, line: FaultyLine) -> Remote {
        Remote {
            faults: RemoteFaults::of_line(line_faults_of(&place).0, Some(line)),
            memory: chip_memory(&place),
            place: Some(Box::new(place)),
            ..self
        }
    }

    /// Marks the board as one that is known to differ from a session, as this sentence
    /// describes. Its time is frozen, so that the difference can be examined.
    #[must_use]
    pub fn differs(mut self, sentence: String, parted: Option<Parted>) -> Remote {
        self.time.pace.frozen = true;
        if let (Some(recorder), Some(parted)) = (&mut self.recorder, &parted) {
            recorder.mark(parted.tick, NoteKind::Differs.note(&sentence));
        }
        self.comparison.begin_different(sentence, parted);
        self
    }

    /// Creates a source for the board at this place; the line is opened in the
    /// background.
    #[must_use]
    pub fn open(place: Where) -> Remote {
        let name = place.at.to_string();
        let (faults, line) = line_faults_of(&place);
        let (recorded, record) = with_record(place.clone());
        Remote {
            faults: RemoteFaults::of_line(faults, line),
            memory: chip_memory(&place),
            place: Some(Box::new(place)),
            traffic: RecordedTraffic::of(record),
            ..Remote::with(name, Line::Closed(Box::new(recorded), None))
        }
    }

    /// Adds the record of the line.
    #[must_use]
    pub fn recorded(self, record: SharedRecord) -> Remote {
        Remote {
            traffic: RecordedTraffic::of(record),
            ..self
        }
    }

    fn with(name: String, line: Line) -> Remote {
        Remote {
            name,
            line,
            place: None,
            memory: None,
            faults: RemoteFaults::default(),
            time: Pacing::default(),
            layout: None,
            tick: 0,
            is_anew: false,
            standing: PolledStatus::default(),
            answers: Vec::new(),
            fingers: RemoteFingers::default(),
            comparison: Comparison::default(),
            run: 0,
            recorder: None,
            trips: Trips::default(),
            loan: LentBoard::default(),
            owed: Vec::new(),
            last: LastGame::default(),
            stops: LineStops::default(),
            said: Vec::new(),
            traffic: RecordedTraffic::default(),
        }
    }

    /// The layout of the board, as far as it is known.
    fn known_layout(&self) -> Layout {
        let known = self.layout.as_ref();
        known.map_or(Layout::MALDOO, |known| known.layout())
    }

    /// Handles the replies that have arrived.
    fn receive_replies(&mut self) -> Result<(), SourceError> {
        let mut trouble = Ok(());
        self.answers.retain(|answer| match answer.try_recv() {
            Err(TryRecvError::Empty) => true,
            Err(TryRecvError::Disconnected) => false,
            Ok(reply) => {
                let result = reply.and_then(|reply| Ok(reply.result?));
                if let Err(error) = result {
                    // The lost request may have set the pace, so it is sent again.
                    if !matches!(error, DriverError::Refused(_)) {
                        self.time.told = None;
                    }
                    trouble = Err(error.into());
                }
                false
            }
        });
        self.returned().and(trouble)
    }
}

impl Source for Remote {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn obey(&mut self, command: &WindowCommand) -> Result<(), SourceError> {
        if past::needs_past(command) {
            // The user leaves the moment at which time froze.
            self.stops.reached = None;
        }
        if self.loan.is_lent && command.moves_board() {
            return Err(SourceError::Lent);
        }
        match command {
            WindowCommand::BringBack => self.bring_back(),
            WindowCommand::Cancel => {
                if let Line::Shrinking(shrinking) = &self.line {
                    shrinking.cancel();
                }
                Ok(())
            }
            WindowCommand::LeaveIt => {
                (self.last.kept, self.last.restarted) = (None, None);
                Ok(())
            }
            WindowCommand::Pace(pace) if !matches!(self.line, Line::Open(_)) => {
                // A board that connects later starts with this pace.
                self.time.pace = *pace;
                Ok(())
            }
            command if self.has_to_wait(command) => {
                self.wait_with(command);
                Ok(())
            }
            command => self.obey_now(command),
        }
    }

    fn session(&self) -> Result<Session, SourceError> {
        let recorder = self.recorder.as_ref().ok_or(SourceError::NothingKnown)?;
        Ok(recorder.session(self.tick.max(recorder.last_tick())))
    }

    fn whole_session(&self) -> Result<Session, SourceError> {
        let recorder = self.recorder.as_ref().ok_or(SourceError::NothingKnown)?;
        Ok(recorder.whole_session(self.tick))
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: EventSink<'_>,
    ) -> Result<Tick, SourceError> {
        let Some(client) = self.client() else {
            *shown = self.searching(shown);
            return Ok(self.time());
        };
        for stamped in std::mem::take(&mut self.loan.untold) {
            tell(self.time_of(stamped.tick), stamped.event);
        }
        let mut trouble = self.take_happenings(&client, tell);
        if !self.loan.is_lent {
            trouble = self.check_stops().and(trouble);
            trouble = self.go_on(elapsed, &client).and(trouble);
        }
        let view = client.view();
        let link = match &view.link {
            LineState::Connected => BoardLink::Up {
                board: view.hello.board.to_string(),
            },
            LineState::Lost(sentence) => BoardLink::Down(sentence.clone()),
        };
        let felt = self.receive_sensors(&client);
        let felt = felt.map_err(SourceError::from);
        let injected = self.receive_faults(&client);
        let heard = self.receive_replies().and(felt).and(injected).and(trouble);
        if self.is_unseen() && link.answers() {
            shown.pace = self.time.pace;
            shown.work = self.work();
            return heard.map(|()| self.time());
        }
        if link.answers() {
            self.standing.request(&client, elapsed);
            self.standing.receive_legal(&client);
            self.take_tick(view.run, view.tick);
        }
        self.count_bytes();
        *shown = self.shown(view, link);
        heard.map(|()| self.time())
    }

    fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn copy(&mut self) -> Option<AnyBoard> {
        let mut board = self.comparison.twin().board()?.clone();
        let ticks = self.tick.saturating_sub(board.tick());
        board.advance(ticks, &mut |_, _| ());
        Some(board)
    }

    fn time_of(&self, tick: Tick) -> Tick {
        let recorder = self.recorder.as_ref();
        recorder.map_or(tick, |recorder| recorder.time(tick))
    }

    #[cfg(feature = "desktop")]
    fn lendable(&mut self) -> Option<&mut dyn crate::source::Lendable> {
        Some(self)
    }

    fn at_line(&self) -> Option<&dyn AtLine> {
        Some(self)
    }

    fn come_after(&mut self, before: Box<dyn Source>) {
        match &mut self.line {
            // A port can only be reopened after it was closed.
            Line::Closed(_, closes_first) => *closes_first = Some(before),
            _ => drop(before),
        }
    }
}

impl AtLine for Remote {
    fn parted(&self) -> Option<&Parted> {
        self.comparison.parted()
    }

    fn kept(&self) -> Option<&LastState> {
        self.last.kept.as_ref()
    }

    fn line_waves(&self) -> Option<&LineWaves> {
        self.traffic.record.as_ref()?;
        Some(&self.traffic.passed.waves)
    }

    fn look_at_line(&self, look: &mut dyn FnMut(&LineRecord, &LineFigures)) {
        if let Some(record) = &self.traffic.record {
            let figures = record.figures();
            look(&record.lock(), &figures);
        }
    }
}

#[cfg(all(test, feature = "desktop"))]
mod tests;
