//! The result of rebuilding the firmware in the middle of a game.

use std::time::Duration;

use bevy::prelude::*;
use touchboard_host::recorder::{Divergence, Rerun};

use super::Log;

/// The first divergence after the firmware was last rebuilt.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// The first divergence, until the user has looked at it.
    pub first: Option<Divergence>,
    /// When it was found, in real time since the start.
    pub since: Duration,
}

impl Rebuilt {
    /// Records a rebuild at this time. Events from the first difference on will be
    /// reported again, so the log forgets them.
    pub(super) fn record(&mut self, rerun: Rerun, since: Duration, log: &mut Log) {
        if let Some(first) = &rerun.first {
            log.forget_from(first.tick);
        }
        *self = Rebuilt {
            first: rerun.first,
            since,
        };
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Event, Frame, Layout, Side, StampedEvent};

    use super::*;

    fn log() -> Log {
        let mut log = Log::default();
        for (number, tick) in (0..).zip([100, 2_000, 3_000]) {
            let event = Event::Turn(Side::Green);
            log.note(StampedEvent {
                number,
                tick,
                event,
            });
        }
        log
    }

    #[test]
    fn a_rebuilt_board_removes_differing_lines_from_the_log() {
        let (mut rebuilt, mut log) = (Rebuilt::default(), log());
        let first = Divergence {
            tick: 2_000,
            moves: 1,
            what: "a1 was green, now red".to_owned(),
            layout: Layout::MALDOO.into(),
            before: Frame::default(),
            after: Frame::default(),
        };
        let rerun = |first| Rerun {
            first,
            moves: 1,
            tick: 3_000,
        };
        let now = Duration::from_secs(7);
        rebuilt.record(rerun(Some(first.clone())), now, &mut log);
        let ticks: Vec<_> = log.iter().map(|line| line.tick).collect();
        assert_eq!(ticks, [100]);
        assert_eq!((rebuilt.first.as_ref(), rebuilt.since), (Some(&first), now));

        // The next rebuild agrees with the session, so there is nothing to look at.
        rebuilt.record(rerun(None), now, &mut log);
        assert_eq!((rebuilt.first, log.iter().count()), (None, 1));
    }
}
