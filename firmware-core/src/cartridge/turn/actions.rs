//! Carries out the actions of a move on the board.

use super::super::action::{Action, Draft};
use super::super::bytes::flag;
use super::super::machine::Machine;
use super::super::state::Here;
use crate::word::Word;

impl<W: Word> Machine<'_, W> {
    /// Carries out a move and then its consequences.
    pub(in crate::cartridge) fn run(&mut self, draft: Draft) {
        self.state.last_place = draft.to;
        self.carry_out(draft.start.into(), draft.own.into());
        self.new_epoch();
        self.state.last_after = self.state.last_place;
        // When the consequences of a move are evaluated, the move is already counted.
        self.state.moves += 1;
        self.state.last_from = draft.from;
        self.state.last_to = draft.to;
        self.state.last_mover = self.state.mover;
        if self.game.is(flag::VISITS) {
            for site in [draft.from, draft.to] {
                if let Some(site) = self.site(site.into()) {
                    self.state.visited.insert(protocol::Point(site));
                }
            }
        }
        self.carry_out(draft.own.into(), self.here());
    }

    /// Carries out the actions in a range of the buffer.
    pub(in crate::cartridge) fn carry_out(&mut self, start: usize, end: usize) {
        for index in start..end {
            match self.actions.get(index).copied() {
                Some(Action::Then { node }) => self.consequence(node),
                Some(action) => self.do_one(action),
                None => {}
            }
        }
    }

    /// Carries out the moves of a node: finds all of them first, and then makes them.
    pub(super) fn consequence(&mut self, node: u16) {
        let start = self.here();
        self.collect(node);
        let end = self.here();
        self.carry_out(start, end);
        self.actions.truncate(start);
    }

    pub(in crate::cartridge) fn do_one(&mut self, action: Action) {
        self.new_epoch();
        let game = self.game;
        let [_, to] = action.sites();
        if to >= 0 {
            self.state.last_place = to;
        }
        match action {
            Action::Add {
                site,
                what,
                state,
                top,
            } => {
                if top || game.is(flag::STACKS) {
                    self.state.push(game, site, what);
                } else {
                    self.add(site, what, state);
                }
            }
            Action::Move { from, to } => self.go(from, to, 1),
            Action::Drop { from, to } => self.drop_on(from, to),
            Action::MoveSome { from, to, count } => self.move_some(from, to, count),
            Action::Copy { from, to } => {
                let here = self.state.here(from);
                self.state.set(game, to, Here { count: 1, ..here });
            }
            Action::Remove { site } => self.take(site),
            Action::RemoveLater { site } => {
                self.taken = self.taken.saturating_add(1);
                self.state.to_remove.insert(protocol::Point(site));
            }
            Action::Promote { site, what } => self.promote(site, what),
            Action::SetState { site, state } => {
                let here = self.state.here(site);
                self.state.set(game, site, Here { state, ..here });
            }
            Action::SetCount { site, count } => {
                let here = self.state.here(site);
                self.state.set(game, site, Here { count, ..here });
            }
            Action::SetValue { site, value } => {
                let here = self.state.here(site);
                self.state.set(game, site, Here { value, ..here });
            }
            _ => self.do_other(action),
        }
        if self.keeps && self.done.push(action).is_err() {
            self.give_up();
        }
    }

    /// Moves a piece to a site that keeps its state and value.
    fn drop_on(&mut self, from: u8, to: u8) {
        let Here { state, value, .. } = self.state.here(to);
        self.go(from, to, 1);
        let here = self.state.here(to);
        self.state.set(
            self.game,
            to,
            Here {
                state,
                value,
                ..here
            },
        );
    }

    /// Moves some pieces of a site to one that keeps its state and value.
    fn move_some(&mut self, from: u8, to: u8, count: u8) {
        let Here { state, value, .. } = self.state.here(to);
        self.go(from, to, count);
        let here = self.state.here(to);
        if here.what != 0 && !self.game.is(flag::STACKS) {
            let kept = Here {
                state,
                value,
                ..here
            };
            self.state.set(self.game, to, kept);
        }
    }

    fn take(&mut self, site: u8) {
        self.taken = self.taken.saturating_add(1);
        if self.game.is(flag::STACKS) {
            self.state.pop(self.game, site);
        } else {
            self.state.set(self.game, site, Here::default());
        }
    }

    fn promote(&mut self, site: u8, what: u8) {
        let here = Here {
            what,
            count: 1,
            ..Here::default()
        };
        self.state.set(self.game, site, here);
    }

    fn do_other(&mut self, action: Action) {
        match action {
            Action::Swap => self.state.swapped = !self.state.swapped,
            Action::SetNext { player } if (1..=self.game.players()).contains(&player) => {
                self.state.next = player;
            }
            Action::SetScore {
                player,
                score,
                more,
            } => {
                if let Some(place) = self.state.score.get_mut(usize::from(player)) {
                    *place = if more {
                        place.saturating_add(score)
                    } else {
                        score
                    };
                }
            }
            Action::SetPlayerValue { player, value } => {
                if let Some(place) = self.state.value_of.get_mut(usize::from(player)) {
                    *place = value;
                }
            }
            Action::Remember { name, site } => {
                if let Some(known) = self.state.remembered.get_mut(usize::from(name)) {
                    known.insert(protocol::Point(site));
                }
            }
            Action::Forget { name, site } => {
                if let Some(known) = self.state.remembered.get_mut(usize::from(name)) {
                    known.remove(protocol::Point(site));
                }
            }
            Action::SetAmount { player, amount } => {
                if let Some(place) = self.state.amount.get_mut(usize::from(player)) {
                    *place = amount;
                }
            }
            Action::SetCounter { counter } => self.state.counter = counter,
            Action::SetPending { value } => match self.site(value.into()) {
                Some(site) => self.state.pending.insert(protocol::Point(site)),
                None => self.state.something_pending = true,
            },
            Action::Trigger { event, player } => {
                if let Some(place) = self.state.triggered.get_mut(usize::from(player)) {
                    *place |= 1 << (event & 7);
                }
            }
            Action::SetVariable { variable, value } => {
                if let Some(place) = self.state.variables.get_mut(usize::from(variable)) {
                    *place = value;
                }
            }
            _ => {}
        }
    }

    pub(in crate::cartridge) fn add(&mut self, site: u8, what: u8, state: i8) {
        let before = self.state.here(site);
        let state = u8::try_from(state).ok();
        let here = if before.what == 0 {
            Here {
                what,
                count: 1,
                state: state.unwrap_or(before.state),
                value: 0,
            }
        } else {
            let counts = self.game.is(flag::COUNTS);
            let count = if counts {
                before.count.saturating_add(1)
            } else {
                1
            };
            Here {
                count,
                state: state.unwrap_or(before.state),
                ..before
            }
        };
        self.state.set(self.game, site, here);
    }

    /// Moves `count` of the pieces on a site to another one.
    pub(in crate::cartridge) fn go(&mut self, from: u8, to: u8, count: u8) {
        let here = self.state.here(from);
        if here.what == 0 {
            return;
        }
        if self.game.is(flag::STACKS) {
            self.state.pop(self.game, from);
            self.state.push(self.game, to, here.what);
            return;
        }
        let left = match here.count.saturating_sub(count) {
            0 => Here::default(),
            count => Here { count, ..here },
        };
        self.state.set(self.game, from, left);
        let there = self.state.here(to);
        let joins = there.what == here.what && self.game.is(flag::COUNTS);
        let more = if joins { there.count } else { 0 };
        let moved = Here {
            count: more.saturating_add(count),
            ..here
        };
        self.state.set(self.game, to, moved);
    }
}
