//! What the user is told of the board: the log, the troubles, the rate of its time.

use std::fmt::Display;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use protocol::Tick;

use super::{
    BoardLink, BoardTime, LinkSince, Log, RealRate, Rebuilt, RequestKind, Restarted, Shown, Trouble,
};

/// Resources that report to the user, apart from [`Shown`].
#[derive(SystemParam)]
pub struct Reports<'w> {
    pub time: Res<'w, Time<Real>>,
    pub clock: ResMut<'w, BoardTime>,
    pub rate: ResMut<'w, RealRate>,
    pub since: ResMut<'w, LinkSince>,
    pub trouble: ResMut<'w, Trouble>,
    pub log: ResMut<'w, Log>,
    pub rebuilt: ResMut<'w, Rebuilt>,
}

impl Reports<'_> {
    /// Records the result of a request.
    pub fn trouble(&mut self, of: RequestKind, result: Result<(), impl Display>) {
        let result = result.map_err(|error| error.to_string());
        self.trouble.record(of, result, self.time.elapsed());
    }

    /// Records the board's new tick in clock, log and measured rate.
    pub(super) fn tick(&mut self, tick: Tick, before: &Shown, shown: &Shown) {
        let jumped = before.past.jumps != shown.past.jumps;
        // A board that restarted did not go back: its later ticks belong to the run
        // before.
        if jumped || tick < self.clock.0 && shown.lost.restarted.is_none() {
            self.log.go_back(tick, shown.past.latest);
        } else if self.log.has_lines_ahead() {
            self.log.come_to(tick, shown.past.latest);
        }
        self.clock.set_if_neq(BoardTime(tick));
        if shown.link.answers() {
            self.rate.note(self.time.elapsed(), tick, shown.pace);
        } else {
            self.rate.restart();
        }
    }

    /// Adds news of the board and its line to the log.
    pub(super) fn log_link_changes(&mut self, before: &Shown, now: &Shown) {
        if before.link.answers() != now.link.answers()
            || before.link.is_down() != now.link.is_down()
        {
            self.since.0 = self.time.elapsed();
        }
        let tick = self.clock.0;
        match (&before.link, &now.link) {
            (BoardLink::Down(_), BoardLink::Down(_)) => {}
            (_, BoardLink::Down(sentence)) => self.log.add_sentence(tick, sentence.clone()),
            (BoardLink::Down(_), BoardLink::Up { .. }) if now.lost.restarted.is_none() => {
                self.log
                    .add_sentence(tick, "the board answers again".to_owned());
            }
            _ => {}
        }
        if let Some(Restarted { was_at, .. }) = now.lost.restarted
            && before.lost.restarted != now.lost.restarted
        {
            self.log
                .add_sentence(was_at, "the board restarted".to_owned());
        }
    }
}
