//! A saved referee: how it is read, and which states are possible.

use protocol::Tick;

use super::turn_clock::TurnClock;
use super::{CLOCK_TOUCHES, Referee};
use crate::game::Service;
use crate::games::Playing;
use crate::ground::Ground;
use crate::state_reader::StateReader;
use crate::word::Word;

impl<W: Word> Referee<W> {
    /// Reads a saved referee into `place`, field by field in the order of declaration.
    ///
    /// # Errors
    /// `None` if the bytes are not a valid value.
    pub fn read(place: &mut Option<Self>, source: &mut StateReader<'_>) -> Option<()> {
        Self::read_game(place, source)?;
        let Referee {
            playing,
            behind,
            held_at,
            turn_clock,
            turn_time_ms,
            is_touched,
            last_move,
            score,
            flash,
            outcome,
            ending,
        } = place.as_mut()?;
        playing.opponent_mut().read(source)?;
        source.read(behind)?;
        source.read(held_at)?;
        source.read(turn_clock)?;
        source.read(turn_time_ms)?;
        source.read(is_touched)?;
        source.read(last_move)?;
        source.read(score)?;
        source.read(flash)?;
        source.read(outcome)?;
        source.read(ending)
    }

    #[inline(never)]
    fn read_game(place: &mut Option<Self>, source: &mut StateReader<'_>) -> Option<()> {
        *place = Some(Referee::of(Playing::read_game(source)?, 0));
        Some(())
    }

    /// False if the referee cannot be in this state at this tick.
    #[must_use]
    pub fn is_sound(&self, ground: &Ground<W>, tick: Tick) -> bool {
        let game = self.playing.game();
        self.behind <= self.held_at.unwrap_or(tick)
            && self
                .held_at
                .is_none_or(|at| at <= tick && self.outcome.is_none())
            && self.flash.is_none_or(|flash| flash.is_sound(tick))
            && self.ending.is_sound(tick)
            && match self.turn_clock {
                TurnClock::Off => true,
                TurnClock::Waits => !self.is_touched && self.turn_time_ms > 0,
                TurnClock::RunsUntil(at) => {
                    // For an overdue turn, the number of touches already made stays the
                    // same.
                    let late = self.play_time(tick).saturating_sub(at);
                    self.is_touched
                        && at <= tick.saturating_add(1 << 32)
                        && late < CLOCK_TOUCHES / 2
                }
                TurnClock::Stands(left_ms) => {
                    self.is_touched
                        && left_ms <= self.turn_time_ms.into()
                        && !game.service(Service::TakeBack, ground).is_empty()
                }
            }
            && self
                .last_move
                .is_none_or(|last| ground.layout().has(last.point))
            && self.outcome == game.outcome()
            && self.score == game.score(ground)
            && (self.outcome.is_some() || !self.ending.is_shown())
            && game.is_sound(ground)
            && self.playing.opponent().is_sound(ground)
    }

    /// Forges a state in which nothing was touched.
    #[cfg(test)]
    pub fn forget_touch(&mut self) {
        self.is_touched = false;
    }
}
