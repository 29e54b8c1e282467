//! Makes a chosen move, with its consequences.
//!
//! Invariants: the position afterwards is that of [`Machine::play`].

use firmware_core::cartridge::bytes::WAYS;
use firmware_core::cartridge::inside::{Inside, each_way};
use firmware_core::cartridge::machine::Machine;
use firmware_core::cartridge::op::slot;
use firmware_core::points::Points;
use firmware_core::word::Word;
use protocol::Point;

use super::conditions::{number, phase_of};
use super::{ChosenMove, Effect, Playout};
use crate::{Consequence, ConsequenceId, Consequences, rows};

impl<'g, W: Word> Playout<'_, 'g, W> {
    /// Makes a move, as [`Machine::play`] does.
    #[inline]
    pub(super) fn play_chosen(&mut self, machine: &mut Machine<'g, W>, chosen: &ChosenMove) {
        let [from, to] = chosen.ends;
        machine.clear_context();
        machine.state.pending = Points::NONE;
        machine.state.something_pending = false;
        if let Some(site) = chosen.captured {
            self.remove(machine, site);
        }
        match chosen.effect {
            Effect::Add(what) => {
                machine.put(to, what);
                self.toggle(machine, to, what);
            }
            Effect::Top(what, below) => self.put_on_top(machine, to, what, below),
            Effect::Move => self.carry(machine, from, to),
            Effect::Remove => self.remove(machine, to),
        }
        self.finish(machine, chosen.ends, chosen.consequences);
    }

    /// Makes the changes at the end of every move.
    #[inline]
    pub(super) fn finish(
        &mut self,
        machine: &mut Machine<'g, W>,
        [from, to]: [u8; 2],
        consequences: Consequences,
    ) {
        let mover = machine.state.mover;
        machine.new_epoch();
        let state = &mut machine.state;
        state.last_after = to.into();
        state.moves += 1;
        state.last_from = from.into();
        state.last_to = to.into();
        state.last_mover = mover;
        machine.set_last_place(to.into());
        for consequence in consequences.into_iter().flatten() {
            self.follow_up(machine, consequence);
        }
        let last_place = machine.last_place();
        let state = &mut machine.state;
        state.last_after = last_place;
        state.passed = false;
        state.passes = 0;
        self.ends(machine);
        if machine.state.over {
            machine.state.previous = mover;
        } else {
            self.next_phases(machine);
        }
        machine.state.counter = machine.state.counter.saturating_add(1);
        if !machine.state.over {
            machine.next_turn(mover);
        }
        self.epoch = machine.epoch();
    }

    /// Places a piece on the rows, or removes it.
    #[inline]
    pub(super) fn toggle(&mut self, machine: &Machine<'g, W>, site: u8, what: u8) {
        if self.plan.keeps_rows && usize::from(site) < machine.game.board() {
            self.rows.toggle(&self.plan.rows, site, what);
        }
    }

    #[inline]
    pub(super) fn put_on_top(
        &mut self,
        machine: &mut Machine<'g, W>,
        site: u8,
        what: u8,
        below: u8,
    ) {
        let plan = self.plan;
        let level = machine.state.height(site);
        machine.put_on_top(site, what);
        if plan.keeps_levels {
            self.levels.put(&plan.rows, site, level, what);
        }
        if machine.state.height(site) >= below {
            self.low.remove(Point(site));
        }
    }

    /// Moves one piece to an empty site.
    #[inline]
    pub(super) fn carry(&mut self, machine: &mut Machine<'g, W>, from: u8, to: u8) {
        let what = machine.state.what(from);
        machine.carry(from, to);
        if usize::from(from) < machine.game.board() && machine.state.what(from) != what {
            self.toggle(machine, from, what);
        }
        self.toggle(machine, to, what);
    }

    #[inline]
    pub(super) fn remove(&mut self, machine: &mut Machine<'g, W>, site: u8) {
        let what = machine.state.what(site);
        machine.lift(site);
        if what != 0 {
            self.toggle(machine, site, what);
        }
    }

    /// A consequence of a move.
    fn follow_up(&mut self, machine: &mut Machine<'g, W>, consequence: ConsequenceId) {
        match self.plan.consequences.get(consequence) {
            Some(Consequence::MoveAgain(condition)) if self.holds(machine, *condition, -1) => {
                machine.state.next = machine.state.mover;
            }
            Some(Consequence::Custodial) => self.capture_enclosed(machine),
            _ => {}
        }
    }

    /// Removes the pieces enclosed between the piece that moved and other pieces of its
    /// owner.
    fn capture_enclosed(&mut self, machine: &mut Machine<'g, W>) {
        let plan = self.plan;
        let Some(custodial) = &plan.custodial else {
            return;
        };
        let Some(from) = machine.site(machine.state.last_to.into()) else {
            return;
        };
        if usize::from(from) >= machine.game.board() {
            return;
        }
        let (mut own, mut foes) = ([0; rows::KEPT], [0; rows::KEPT]);
        let (mover, next) = (machine.state.mover, machine.state.next);
        for what in 1..rows::KEPT.min(machine.game.pieces()) {
            let owner = machine.game.owner(what as u8);
            own[what] = if owner == mover { !0 } else { 0 };
            let is_foe = match custodial.of_next {
                true => owner == next,
                false => owner != mover && (1..=machine.game.players()).contains(&owner),
            };
            foes[what] = if is_foe { !0 } else { 0 };
        }
        // Finds all captured pieces before it removes any.
        let mut captured = [(0, 0); WAYS];
        let mut many = 0;
        for way in each_way(custodial.ways) {
            let axis = plan.rows.of_way(way);
            let place = plan.rows.place(axis, from);
            let is_up = u32::from(plan.rows.ways_of(axis).up) == way;
            let along = |of: &[u64; rows::KEPT]| {
                let mut row = 0;
                for (what, is_one) in of.iter().enumerate().skip(1) {
                    row |= self.rows.row(what as u8, place) & is_one;
                }
                match is_up {
                    true => row >> (place.bit & 63),
                    false => (row << (63 - (place.bit & 63))).reverse_bits(),
                }
            };
            let run = (along(&foes) >> 1).trailing_ones();
            if run == 0 {
                continue;
            }
            let steps = run + 1;
            let far = custodial.far[way as usize % WAYS][usize::from(from)];
            let is_friend = along(&own) >> (steps & 63) & 1 != 0;
            if is_friend && steps < 32 && far >> (steps & 31) & 1 != 0 {
                captured[many % WAYS] = (way, run);
                many += 1;
            }
        }
        for (way, run) in captured.into_iter().take(many) {
            let mut site = from;
            for _ in 0..run {
                site = machine.game.step(site, way).unwrap_or(site);
                self.remove(machine, site);
            }
        }
        machine.new_epoch();
    }

    /// Evaluates the rules of the end, in the machine's order.
    #[inline]
    pub(super) fn ends(&mut self, machine: &mut Machine<'g, W>) {
        let plan = self.plan;
        machine.goes_on();
        for end in &plan.ends {
            if self.holds(machine, end.when, -1) {
                machine.ends_by(end.node);
                for slot in slot::When::each(end.rules) {
                    let rule = machine.game.operand(end.node, slot);
                    machine.end(rule);
                    if machine.state.over {
                        break;
                    }
                }
            }
        }
        if !machine.state.over {
            machine.goes_on();
            machine.runs_out();
        }
    }

    #[inline]
    pub(super) fn next_phases(&mut self, machine: &mut Machine<'g, W>) {
        let plan = self.plan;
        if machine.game.phases() < 2 {
            return;
        }
        if !plan.knows_phase_changes {
            machine.next_phases();
            return;
        }
        for player in 1..=machine.game.players() {
            let phase = phase_of(machine, player);
            if plan.phases_that_end >> (phase & 15) & 1 == 0 {
                continue;
            }
            for change in &plan.phase_changes {
                let is_meant = |machine: &Machine<'g, W>| {
                    change.from == phase
                        && change.who.is_none_or(|who| number(machine, who) == player)
                };
                if is_meant(machine) && self.holds(machine, change.when, -1) {
                    if let Some(place) = machine.state.phase.get_mut(usize::from(player)) {
                        *place = change.to;
                    }
                    break;
                }
            }
        }
    }
}
