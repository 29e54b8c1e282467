//! Games in which every move places a piece, such as Hex: two players take turns.
//!
//! Until such a game ends, only its pieces matter. So whose turn it is, the number of the
//! move and its target are only written after the last move.

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::inside::Inside;
use firmware_core::cartridge::machine::Machine;
use firmware_core::points::Points;
use firmware_core::rng::Rng;
use firmware_core::word::Word;

use super::Playout;
use crate::{Condition, MOVERS, NO_CONSEQUENCES, Play};

impl<'g, W: Word> Playout<'_, 'g, W> {
    /// Plays moves until the game ends or the general code is needed. Returns the number
    /// of moves.
    pub(super) fn play_placements(&mut self, machine: &mut Machine<'g, W>, rng: &mut Rng) -> u64 {
        let plan = self.plan;
        let Some(Play::Add {
            what, sites, below, ..
        }) = plan.placements.and_then(|play| plan.plays.get(play))
        else {
            return 0;
        };
        if !self.only_placements_matter(machine) {
            return 0;
        }
        let left = self.moves_left(machine);
        if (plan.keeps_rows || plan.below.is_some()) && self.epoch != machine.epoch() {
            self.rebuild(machine);
        }
        machine.clear_context();
        let when = plan
            .ends
            .first()
            .and_then(|end| plan.conditions.get(end.when));
        let mut sites = self.set(machine, *sites);
        let mut mover = machine.state.mover;
        let (mut many, mut last) = (0, 0);
        let is_over = loop {
            let open = if below.is_some() {
                sites & self.low
            } else {
                sites
            };
            let choices = open.len() as u32;
            if choices == 0 {
                break false;
            }
            let Some(site) = open.nth(rng.below(choices) as usize) else {
                break false;
            };
            let what = what[usize::from(mover) % MOVERS];
            match below {
                Some(below) => self.put_on_top(machine, site.0, what, *below),
                None => {
                    machine.put(site.0, what);
                    self.toggle(machine, site.0, what);
                    sites.remove(site);
                }
            }
            let is_ended = when.is_some_and(|when| self.is_ended_by(machine, when, site.0, what));
            if is_ended || many >= left {
                self.skip(machine, many, last);
                self.end_with(machine, site.0);
                many += 1;
                break true;
            }
            (many, last, mover) = (many + 1, site.0, 3 - mover);
        };
        if !is_over {
            self.skip(machine, many, last);
        }
        many.into()
    }

    /// True if two players take turns, and nothing but their pieces matters.
    #[inline]
    fn only_placements_matter(&self, machine: &Machine<'g, W>) -> bool {
        let state = &machine.state;
        let in_turn = matches!((state.mover, state.next), (1, 2) | (2, 1))
            && [1, 2].map(|player| state.is_active(player)) == [true; 2]
            && (state.passes, state.to_remove.is_empty()) == (0, true);
        let fits = !machine.keeps && machine.has_plenty() && !machine.gave_up() && !state.over;
        in_turn && fits && !(self.plan.game.is(flag::SWAP) && state.moves < 2)
    }

    /// How many moves can be made before the last. The machine ends a game that has too
    /// many turns or moves.
    #[inline]
    fn moves_left(&self, machine: &Machine<'g, W>) -> u32 {
        let (turns, moves) = (self.plan.game.most_turns(), self.plan.game.most_moves());
        let left = turns.saturating_sub(machine.state.turns);
        left.min(moves.saturating_sub(machine.state.moves.saturating_add(1)))
    }

    /// Completes the last move as any other.
    #[inline]
    fn end_with(&mut self, machine: &mut Machine<'g, W>, site: u8) {
        machine.state.pending = Points::NONE;
        machine.state.something_pending = false;
        self.finish(machine, [site; 2], NO_CONSEQUENCES);
    }

    /// True if a piece that was placed here ends the game.
    #[inline]
    fn is_ended_by(&self, machine: &Machine<'g, W>, when: &Condition, site: u8, what: u8) -> bool {
        match when {
            Condition::Shape { shape, .. } => {
                let like = machine.state.kind(what).unwrap_or(Points::NONE);
                self.plan.shapes.is_within(*shape, site, like)
            }
            Condition::Line {
                axes,
                length,
                is_exact,
                ..
            } => self.is_line(site, what, *axes, (*length).into(), *is_exact),
            Condition::LineOnStacks { ways, length, axes } => {
                self.is_line_on_levels(machine, site, *ways, *length, *axes)
            }
            _ => false,
        }
    }

    /// Sets the state to that after `many` moves, the last of which was on site `last`.
    pub(super) fn skip(&mut self, machine: &mut Machine<'g, W>, many: u32, last: u8) {
        if many == 0 {
            return;
        }
        machine.goes_on();
        machine.new_epoch();
        let state = &mut machine.state;
        if many % 2 == 1 {
            core::mem::swap(&mut state.mover, &mut state.next);
        }
        state.previous = state.next;
        state.last_mover = state.next;
        let last = i16::from(last);
        (state.last_from, state.last_to) = (last, last);
        state.last_after = last;
        state.pending = Points::NONE;
        state.something_pending = false;
        state.visited = Points::NONE;
        state.passed = false;
        state.moves += many;
        state.turns += many;
        state.moves_this_turn = 0;
        let counted = i16::try_from(many).unwrap_or(i16::MAX);
        state.counter = state.counter.saturating_add(counted);
        machine.set_last_place(last);
        self.epoch = machine.epoch();
    }
}
