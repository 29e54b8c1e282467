//! Follows what happens on the line: twin, session and log keep up with the board.

use firmware_core::EventSink;
use firmware_core::board::origin_of_snapshot;
use protocol::{Event, Hello};
use touchboard_host::DriverError;
use touchboard_host::happening::{Happening, MetRun};
use touchboard_host::session::NoteKind;
use touchboard_host::twin::Followed;

use super::Remote;
use super::comparison::{Comparison, Next};
use super::trip::Trip;
use crate::source::system::LineClient;
use crate::source::{Agreement, Restarted, Source, SourceError};

impl Remote {
    /// Handles something that happened on the line: updates layout, twin, session and
    /// log.
    pub(super) fn follow(
        &mut self,
        happening: &Happening,
        client: &LineClient,
    ) -> Result<(), DriverError> {
        self.take_over(happening, client);
        let (followed, next) = self.compare(happening);
        self.note(happening);
        if next == Next::Snapshot {
            self.answers.extend(client.post_resync());
        }
        if let Happening::Connected { run, .. } = happening
            && *run != MetRun::First
        {
            // After the snapshot of a new run, whose session may note them.
            self.ask_for_faults(client);
        }
        self.record(happening, followed, client)
    }

    /// Takes over what is new of the board and its line.
    fn take_over(&mut self, happening: &Happening, client: &LineClient) {
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
            Happening::Faults { tick, faults } => self.take_over_faults(*tick, faults),
            Happening::Log { .. } | Happening::Halted(_) => self.said.extend(happening.remark()),
            _ => {}
        }
    }

    /// Compares the board with its twin, and marks the first difference in the session.
    fn compare(&mut self, happening: &Happening) -> (Followed, Next) {
        let agreed = !matches!(self.comparison.agreement(), Agreement::Differs(_));
        let (followed, next) = self.comparison.follow(happening);
        if let (Agreement::Differs(sentence), Followed::Differs { tick, .. }) =
            (self.comparison.agreement(), followed)
            && agreed
            && let Some(recorder) = &mut self.recorder
        {
            recorder.mark(tick, NoteKind::Differs.note(sentence));
        }
        (followed, next)
    }

    /// Notes in the session that the board was lost or answers again.
    fn note(&mut self, happening: &Happening) {
        let tick = match happening {
            // A restart is noted at the end of the run that was lost.
            Happening::Connected {
                run: MetRun::Anew { before },
                ..
            } => *before,
            Happening::Connected { .. } | Happening::Lost(_) => self.tick,
            _ => return,
        };
        if let (Some(recorder), Some(note)) = (&mut self.recorder, happening.note()) {
            recorder.mark(tick, note);
        }
    }

    /// Takes over this state of the board, and the layout in it.
    pub(super) fn becomes(&mut self, state: &[u8]) {
        if let Some((layout, _)) = origin_of_snapshot(state) {
            self.layout = Some(layout.into());
        }
    }

    /// Handles a hello: the board answers again, in the run that was lost or after a
    /// restart.
    fn meet(&mut self, hello: &Hello, run: MetRun, client: &LineClient) {
        if !matches!(run, MetRun::First) {
            // If this fails, the board was lost again, and will be asked at its next
            // hello.
            let _ = self.request_sensors(hello, client);
        }
        // A restarted board has forgotten fingers that were sent as messages, but its
        // sensors may still have one.
        for lift in std::mem::take(&mut self.owed) {
            if !run.is_new() || self.fingers.came_over_sensors(lift) {
                // If this fails, the board was lost again; the message is then not
                // repeated.
                let _ = self.touch(lift, client);
            }
        }
        match run {
            MetRun::First => {}
            MetRun::Known => self.last.kept = None,
            MetRun::Anew { before } => {
                self.keep();
                self.last.restarted = Some(Restarted {
                    was_at: before,
                    can_return_to: self.last.kept.as_ref().map(|kept| kept.tick),
                });
                self.comparison = Comparison::default();
                self.faults.restart();
                self.run = client.run();
                if let Some(recorder) = &mut self.recorder {
                    // Its next snapshot shows the new state.
                    recorder.arrived();
                }
                self.is_anew = true;
                self.trips.waiting.clear();
                self.standing.restart();
                self.tick = hello.tick;
            }
        }
    }

    /// Handles the happenings since the last picture, reports their events, and finishes
    /// a trip that has ended.
    pub(super) fn take_happenings(
        &mut self,
        client: &LineClient,
        tell: EventSink<'_>,
    ) -> Result<(), SourceError> {
        let ended = self.trips.now.as_ref().and_then(Trip::ended);
        let mut trouble = Ok(());
        while let Ok(happening) = client.happenings().try_recv() {
            // Reports of contacts are recorded for the waveforms; they are not events of
            // the game.
            if let Happening::Event(stamped) = &happening
                && !(self.is_unseen() || matches!(stamped.event, Event::Contact(_)))
            {
                tell(self.time_of(stamped.tick), stamped.event);
            }
            let followed = self.follow(&happening, client);
            trouble = followed.map_err(SourceError::from).and(trouble);
        }
        if let Some(result) = ended {
            trouble = self.arrive(result).and(trouble);
        }
        trouble
    }
}
