//! Records what a board at the end of a line reports.

use firmware_core::AnyBoard;
use protocol::{Event, Tick};

use super::{Recorder, Unwritten};
use crate::happening::Happening;
use crate::session::{Header, SessionEntry, SessionItem};
use crate::twin::{Followed, Twin};

impl Recorder {
    /// Records what a board at the end of a line reports. It needs all happenings, in
    /// order, each with the twin's result. The twin's states become the keyframes, so the
    /// board's state need not be read.
    ///
    /// # Errors
    /// When the log cannot be written any more.
    pub fn record_happening(
        &mut self,
        happening: &Happening,
        followed: Followed,
        twin: &Twin,
    ) -> Result<(), Unwritten> {
        // While the board's state is unknown, what happens cannot be repeated. A snapshot
        // is on its way.
        let differs = matches!(followed, Followed::Differs { .. });
        if twin.board().is_none() && !differs {
            return Ok(());
        }
        if let Happening::Snapshot { state, .. } = happening
            && let Some(keyframe) = self.jump.take_if(|keyframe| keyframe.state == *state)
        {
            self.return_to(&keyframe);
            return Ok(());
        }
        let Some(entry) = SessionEntry::of(happening) else {
            return Ok(());
        };
        if self.is_in_log() {
            return self.record(entry.tick, entry.item);
        }
        let SessionEntry { tick, item } = entry;
        match item {
            SessionItem::Digest(digest) => {
                self.record_digest(happening, tick, digest, followed, twin)
            }
            // Nothing was done to this board before, so the session begins with the
            // loaded state.
            SessionItem::Load(state)
                if self.is_untouched()
                    && twin.board().map(AnyBoard::layout) == Some(*self.header.layout) =>
            {
                let state = Some(state);
                self.begin_with(Header {
                    state,
                    ..self.header.clone()
                });
                self.keep_board(twin.board(), None);
                Ok(())
            }
            item if item.jumps() => {
                self.record(tick, item)?;
                self.keep_board(twin.board(), None);
                Ok(())
            }
            item => self.record(tick, item),
        }
    }

    /// Records a digest of the board. If the twin agrees and a keyframe is due, the
    /// twin's state becomes one.
    fn record_digest(
        &mut self,
        happening: &Happening,
        tick: Tick,
        digest: u64,
        followed: Followed,
        twin: &Twin,
    ) -> Result<(), Unwritten> {
        let agreed = followed == Followed::Agreed(tick);
        while self
            .entries
            .get(self.next)
            .is_some_and(|ahead| !ahead.item.is_done() && ahead.tick <= tick)
        {
            self.go_on_to(self.next + 1);
        }
        if agreed && self.keyframe_due(tick).is_some_and(|due| due <= tick) {
            self.keep_board(twin.board(), Some(digest));
            return Ok(());
        }
        // A digest that was requested along with a step is not recorded if it agrees.
        let is_told =
            matches!(happening, Happening::Event(event) if matches!(event.event, Event::Digest(_)));
        if !agreed {
            // The entries that are ahead were recorded on a board with other digests.
            self.branch();
        }
        if !agreed || is_told {
            return self.record(tick, SessionItem::Digest(digest));
        }
        Ok(())
    }
}
