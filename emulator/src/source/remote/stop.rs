//! Freezes a board at the end of a line, or sets a mark, when a condition on signals comes
//! true.
//!
//! The board runs freely, so its signals cannot be sampled tick by tick. But its inputs
//! are known: they are repeated on a board in this process, which is sampled tick by
//! tick. When a condition comes true there, the board on the line has already run on, so
//! it is sent back to that tick.
//!
//! Invariants: time freezes at the tick at which a board in this process would have
//! stopped, and marks are set at the ticks at which it would have set them.

use firmware_core::faults::BoardFaults;
use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::Tick;
use touchboard_host::session::{SessionEntry, SessionItem};
use touchboard_host::{CoreDriver, Driver, DriverError, Recorder};

use super::Remote;
use crate::source::{
    Reached, Source, SourceError, StopCondition, StoppedAt, Triggers, WindowCommand,
};

/// The most evaluations of the conditions per picture.
const LOOKS: usize = 2_000;

/// The conditions at which the time of a board on a line freezes.
#[derive(Default)]
pub(super) struct LineStops {
    pub(super) conditions: Vec<StopCondition>,
    /// Evaluates them while time runs.
    pub(super) watch: Option<StopOnLine>,
    /// The condition that was met, and its moment.
    pub(super) reached: Option<StoppedAt>,
}

/// A board in this process that repeats the inputs of the one on the line, and on which
/// the conditions are evaluated.
pub(super) struct StopOnLine {
    triggers: Triggers,
    board: CoreDriver,
    /// The number of deeds that it has repeated.
    done: usize,
    /// The marks that are to be set, with their ticks.
    marks: Vec<(Tick, String)>,
}

impl StopOnLine {
    /// Starts with the state of this twin, which must include all deeds of the recorder.
    pub(super) fn from(
        twin: &AnyBoard,
        recorder: &Recorder,
        stops: &[StopCondition],
        faults: &BoardFaults,
    ) -> Result<StopOnLine, DriverError> {
        let mut board = CoreDriver::with_games(twin.layout(), twin.roster(), 0)?;
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        if let Some(state) = twin.save(&mut buffer) {
            board.load(state)?;
        }
        let mut triggers = Triggers::default();
        triggers.know_faults(faults);
        triggers.set_conditions(stops);
        let mut stop = StopOnLine {
            triggers,
            board,
            done: deeds(recorder).count(),
            marks: Vec::new(),
        };
        stop.poll();
        Ok(stop)
    }

    /// False if the board has jumped to another time or has another layout.
    pub(super) fn can_follow(&self, recorder: &Recorder, twin: &AnyBoard) -> bool {
        let same_layout = self.board.board().layout() == twin.layout();
        same_layout && self.board.tick() <= twin.tick() && self.done <= deeds(recorder).count()
    }

    /// Watches for these conditions from now on.
    pub(super) fn set_conditions(&mut self, stops: &[StopCondition]) {
        self.triggers.set_conditions(stops);
        self.poll();
    }

    /// Follows the board up to this tick. Returns the first moment at which a condition
    /// came true.
    pub(super) fn follow(
        &mut self,
        recorder: &Recorder,
        until: Tick,
    ) -> Result<Option<StoppedAt>, DriverError> {
        let ahead: Vec<&SessionEntry> = deeds(recorder).skip(self.done).collect();
        let mut ahead = ahead.into_iter().peekable();
        for _ in 0..LOOKS {
            let now = self.board.tick();
            if let Some(entry) = ahead.next_if(|entry| entry.tick <= now) {
                self.triggers.sense(&entry.item);
                if entry.item.is_done() {
                    entry.item.carry_out(&mut self.board)?;
                }
                self.done += 1;
            } else {
                let most = ahead.peek().map_or(until, |entry| entry.tick.min(until));
                if now >= most {
                    return Ok(None);
                }
                let due = self.triggers.next_look(self.board.board(), most);
                let due = due.clamp(now + 1, most);
                self.board.step(&[], due - now)?;
            }
            if let Some(stopped) = self.poll() {
                return Ok(Some(stopped));
            }
        }
        Ok(None)
    }

    /// Evaluates the conditions, and keeps their marks. Returns the reason to freeze time,
    /// if there is one.
    fn poll(&mut self) -> Option<StoppedAt> {
        for event in self.board.take_events() {
            self.triggers.count_event(&event.event);
        }
        let Reached { stopped, marks } = self.triggers.poll(self.board.board());
        let tick = self.board.tick();
        let marks = marks.into_iter().map(|words| (tick, words));
        self.marks.extend(marks);
        stopped
    }
}

/// The deeds and the changes of contacts, without entries that are only compared
/// or read: a mark may be set at any time.
fn deeds(recorder: &Recorder) -> impl Iterator<Item = &SessionEntry> {
    let entries = recorder.entries().iter();
    entries.filter(|entry| entry.item.is_done() || matches!(entry.item, SessionItem::Contact(_)))
}

impl Remote {
    /// Watches for these conditions from now on.
    pub(super) fn stop_when(&mut self, stops: &[StopCondition]) {
        if let Some(watch) = &mut self.stops.watch {
            watch.set_conditions(stops);
        }
        self.stops.conditions = stops.to_vec();
    }

    /// If a condition has come true, sets its mark or sends the board back to that moment.
    pub(super) fn check_stops(&mut self) -> Result<(), SourceError> {
        if self.is_unseen() {
            return Ok(());
        }
        let watch = &mut self.stops.watch;
        if !self.stops.conditions.iter().any(|stop| stop.is_on) {
            *watch = None;
            return Ok(());
        }
        let twin = self.comparison.twin().board();
        let (Some(twin), Some(recorder)) = (twin, self.recorder.as_ref()) else {
            *watch = None;
            return Ok(());
        };
        // Conditions are only watched while time runs.
        if self.time.pace.frozen {
            *watch = None;
            return Ok(());
        }
        let faults = &self.faults.now().board;
        let known = watch
            .take()
            .filter(|watch| watch.can_follow(recorder, twin));
        let found = match known {
            Some(known) => Ok(known),
            None => StopOnLine::from(twin, recorder, &self.stops.conditions, faults),
        };
        let mut marks = Vec::new();
        let found = found.and_then(|known| {
            let known = watch.insert(known);
            known.triggers.know_faults(faults);
            let stopped = known.follow(recorder, twin.tick());
            marks.append(&mut known.marks);
            stopped
        });
        if let Some(recorder) = &mut self.recorder {
            let each = marks.into_iter();
            each.for_each(|(tick, words)| recorder.mark_once(tick, words));
        }
        let Some(stopped) = found? else {
            return Ok(());
        };
        self.time.pace.frozen = true;
        let tick = self.time_of(stopped.tick);
        let there = WindowCommand::GoTo(tick);
        self.stops.reached = Some(StoppedAt { tick, ..stopped });
        if self.has_to_wait(&there) {
            self.wait_with(&there);
            return Ok(());
        }
        self.obey_now(&there)
    }
}
