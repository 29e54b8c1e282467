//! What a referee does as time passes: the clock expires, the game wakes, the board's
//! player moves.
//!
//! Invariants: [`Referee::wakes_at`] names the next tick at which [`Referee::wake`] has
//! something to do; everything that makes a move uses up its tick.

use protocol::{Clock, Event, Mover, Point, Side, Tick};

use super::turn_clock::TurnClock;
use super::{BoardAccess, CLOCK_TOUCHES, Referee, seconds};
use crate::beeper::Sound;
use crate::game::{BoardTurn, TimeOut};
use crate::panel::Notice;
use crate::word::Word;

impl<W: Word> Referee<W> {
    /// The next tick after `tick` at which [`Referee::wake`] has something to
    /// do.
    #[must_use]
    pub fn wakes_at(&self, tick: Tick, level: u8) -> Option<Tick> {
        let clock = self.warning_clock(tick, level).map(|clock| {
            // If no turn clock runs, the clock is that of the whole game, which the
            // display shows.
            let shown = self.turn_clock.deadline().is_none();
            let change = Tick::from(seconds::change_in_ms(clock, shown));
            tick + self.wink_in_ms(clock).map_or(change, |ms| ms.min(change))
        });
        let flash = self.flash.map(|flash| flash.until);
        let mut next = [flash, self.ending.turns_at(tick), clock]
            .into_iter()
            .flatten()
            .min();
        if self.is_running() {
            let game = self.playing.game();
            let player = self
                .is_boards_turn(level)
                .then(|| self.playing.opponent().wakes_at());
            let play = [self.turn_clock.deadline(), game.wakes_at(), player]
                .into_iter()
                .flatten()
                .min();
            let play = play.map(|at| at.saturating_add(self.behind));
            next = next.into_iter().chain(play).min();
        }
        next.map(|at| at.max(tick + 1))
    }

    /// Does what is due at this tick. Returns true if lights or sounds may have
    /// changed.
    pub fn wake(&mut self, access: &mut BoardAccess<'_, W>) -> bool {
        let flashed = self.flash.take_if(|flash| flash.until <= access.tick);
        let mut seen = flashed.is_some() || self.ending.is_shown();
        if let Some(clock) = self.warning_clock(access.tick, access.level()) {
            seen = true;
            if seconds::tick(clock) {
                access.beeper.sound(Sound::Second, access.tick);
            }
        }
        let was_settling = self.is_settling();
        seen |= self.wake_game(access);
        // Settling uses up the tick. The clock must not expire, since the player is
        // waiting for the board.
        if was_settling {
            let now = self.play_time(access.tick);
            self.turn_clock.run_until_at_least(now + 1);
            return seen;
        }
        // A move by the clock uses up the tick, too: the next player starts thinking
        // in the next tick.
        if self.wake_clock(access) {
            return true;
        }
        seen | self.wake_player(access)
    }

    fn wake_game(&mut self, access: &mut BoardAccess<'_, W>) -> bool {
        let now = self.play_time(access.tick);
        let due = self.playing.game().wakes_at().is_some_and(|at| at <= now);
        if !self.is_running() || !due {
            return false;
        }
        let turn = self.turn();
        let clock = self.playing.game().clock(now);
        if let (Some(Clock { left_ms: 0, .. }), Some(side)) = (clock, turn) {
            self.time_is_up(side, access);
        }
        let ((), events) = self.call(access, |playing, context| playing.game_mut().wake(context));
        access.report_all(&events);
        self.settle(turn, access);
        true
    }

    /// True while the game is settling; see [`crate::game::Game::is_settling`].
    #[must_use]
    pub fn is_settling(&self) -> bool {
        self.outcome.is_none() && self.playing.game().is_settling()
    }

    /// Completes settling now, so that a touch is not lost.
    pub(super) fn let_settle(&mut self, access: &mut BoardAccess<'_, W>) {
        while self.playing.game().is_settling() {
            if !self.wake_game(access) {
                break;
            }
        }
    }

    /// Reports the time-out, before its consequences.
    fn time_is_up(&mut self, side: Side, access: &mut BoardAccess<'_, W>) {
        (access.tell)(access.tick, Event::TimedOut { side });
        access.beeper.sound(Sound::TimeOut, access.tick);
        access.panel.show(Notice::TimeIsUp, access.tick);
    }

    fn wake_clock(&mut self, access: &mut BoardAccess<'_, W>) -> bool {
        let now = self.play_time(access.tick);
        let deadline = self.turn_clock.deadline().filter(|_| self.is_running());
        let Some(late) = deadline.and_then(|at| now.checked_sub(at)) else {
            return false;
        };
        let Some(side) = self.turn() else {
            self.turn_clock = TurnClock::Off;
            return false;
        };
        // The deadline stays until a move is complete: after a part of one, the next
        // touch follows in the next tick.
        let may_touch = late < CLOCK_TOUCHES;
        debug_assert!(may_touch, "so many touches of a turn came to no move");
        let is_told = self.turn_time_ms == 0;
        let level = access.level();
        if may_touch && !is_told && self.blocks_touches(level) {
            let act = self.call_and_report(access, |playing, context| {
                playing.opponent_mut().hurry(level, context)
            });
            if self.act(act, access) {
                return true;
            }
        }
        if !is_told {
            self.turn_time_ms = 0;
            self.time_is_up(side, access);
        }
        if !may_touch || !self.touch_at_random(access) {
            self.lose_turn(access);
        }
        true
    }

    /// Touches a random point that is a move or a part, never a service, for the side
    /// whose time is over. False if the game does not allow that, or there is no such
    /// point.
    fn touch_at_random(&mut self, access: &mut BoardAccess<'_, W>) -> bool {
        let game = self.playing.game();
        // Without random moves, the legal points need not be computed.
        if game.about().time_out != TimeOut::RandomMove {
            return false;
        }
        let Some(point) = access.rng.pick(game.moves(access.ground)) else {
            return false;
        };
        self.announce(point, access);
        self.play(point, Mover::Clock, access);
        true
    }

    fn lose_turn(&mut self, access: &mut BoardAccess<'_, W>) {
        let turn = self.turn();
        let ((), events) = self.call(access, |playing, context| {
            playing.game_mut().time_out(context)
        });
        self.end_turn();
        access.report_all(&events);
        self.settle(turn, access);
    }

    fn wake_player(&mut self, access: &mut BoardAccess<'_, W>) -> bool {
        let level = access.level();
        let now = self.play_time(access.tick);
        if !self.is_boards_turn(level) || self.playing.opponent().wakes_at() > now {
            return false;
        }
        let act = self.call_and_report(access, |playing, context| {
            playing.opponent_mut().wake(level, context)
        });
        self.act(act, access)
    }

    /// Carries out the player's decision; false if there is nothing to do.
    #[inline(never)] // Not in the stack frame in which the player thinks.
    fn act(&mut self, act: BoardTurn, access: &mut BoardAccess<'_, W>) -> bool {
        match act {
            BoardTurn::Wait => return false,
            BoardTurn::Touch(point) => {
                self.announce(point, access);
                self.play(point, Mover::Board, access);
            }
            BoardTurn::Pass => return self.give_away(access),
        }
        true
    }

    /// Tells the game that the board is about to touch this point.
    fn announce(&mut self, point: Point, access: &mut BoardAccess<'_, W>) {
        self.call_and_report(access, |playing, context| {
            playing.game_mut().announce(point, context);
        });
    }
}
