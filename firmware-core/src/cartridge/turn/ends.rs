//! Decides how a game ends, by its rules or its limits, and who wins.

use super::super::bytes::flag;
use super::super::machine::Machine;
#[cfg(feature = "host")]
use super::super::machine::Registers;
use super::super::op::{NOTHING, Op, ending, moves, numbers, sets, slot, truths, ways};
use super::super::state::EndedBy;
use crate::word::Word;

impl<W: Word> Machine<'_, W> {
    /// Applies the rules of the end and the limits.
    pub(super) fn ends(&mut self) {
        self.ended_at = NOTHING;
        let phase = self.phase_of(self.state.mover);
        for rules in [self.game.phase(phase, 2), self.game.end()] {
            if rules == NOTHING || self.state.over {
                continue;
            }
            self.end(rules);
            if self.state.over {
                continue;
            }
            self.ended_at = NOTHING;
            if self.game.is(flag::PASS_ENDS) && self.all_passed() {
                self.draw();
            }
        }
        self.runs_out();
    }

    /// Ends a game once more that the rules have ended, so that [`Machine::ended_at`] tells
    /// which of them did. False if the position after the end does not show it.
    #[cfg(feature = "host")]
    pub fn end_again(&mut self) -> bool {
        self.state.over = false;
        self.state.active = ((1_u16 << (self.game.players() + 1)) - 2) as u8;
        self.state.rank = [0; _];
        // The move counts only once its end is known.
        self.state.counter = self.state.counter.saturating_sub(1);
        self.context = Registers::NOTHING;
        self.forget();
        self.ends();
        self.state.over
    }

    /// Ends a game that has reached its limit of turns or moves.
    #[inline]
    pub(in crate::cartridge) fn runs_out(&mut self) {
        if self.state.over {
            return;
        }
        let turns = self.state.turns >= self.game.most_turns();
        if turns || self.state.moves >= self.game.most_moves() {
            self.draw();
            self.state.ended_by = if turns {
                EndedBy::Turns
            } else {
                EndedBy::Moves
            };
        }
    }

    pub(in crate::cartridge) fn end(&mut self, at: u16) {
        let (op, extra) = self.node(at);
        match op {
            Op::When if self.truth_of(at, slot::When::CONDITION) => {
                self.ends_by(at);
                for slot in slot::When::each(extra) {
                    let rule = self.operand(at, slot);
                    self.end(rule);
                    if self.state.over {
                        break;
                    }
                }
            }
            Op::Rules => {
                for slot in slot::Rules::each(extra) {
                    let rule = self.operand(at, slot);
                    self.end(rule);
                }
            }
            Op::EachPlayer => {
                for player in 1..=self.game.players() {
                    self.context.player = player.into();
                    if self.truth_of(at, slot::EachPlayer::CONDITION) {
                        self.ends_by(at);
                        let rule = self.operand(at, slot::EachPlayer::RULE);
                        self.end(rule);
                    }
                }
                self.context.player = -1;
            }
            Op::Result => {
                let who = self.number_of(at, slot::Result::PLAYER);
                let Ok(who) = u8::try_from(who) else { return };
                self.result(self.operand(at, slot::Result::KIND), who);
            }
            Op::ByScore => {
                if let Some(node) = self.optional(at, slot::ByScore::SCORES) {
                    let keeps = core::mem::replace(&mut self.keeps, false);
                    self.consequence(node);
                    self.keeps = keeps;
                }
                self.by_score();
            }
            Op::When | numbers!() | truths!() | sets!() | ways!() | moves!() => {}
        }
    }

    /// Ends the game by this rule if it applies and the game is not over yet.
    #[cfg_attr(feature = "host", inline)]
    pub(in crate::cartridge) fn ends_by(&mut self, at: u16) {
        if !self.state.over {
            self.ended_at = at;
        }
    }

    /// Ends the game without a winner among the players who are still in it.
    fn draw(&mut self) {
        let players = usize::from(self.game.players());
        let ranked = |rank: &&u8| **rank != 0;
        let taken = self.state.rank.iter().skip(1).take(players);
        let taken = taken.filter(ranked).count();
        let left = players - taken.min(players);
        // The mean of the remaining ranks, in halves.
        let wins = self.wins();
        let mean = 2 * (wins + 1) + left.saturating_sub(1);
        for rank in self.state.rank.iter_mut().skip(1).take(players) {
            if *rank == 0 && players > 1 {
                *rank = mean as u8;
            }
        }
        self.finish();
    }

    /// The number of ranks that are taken, counted from the first.
    fn wins(&self) -> usize {
        let ranks = self.state.rank.iter().skip(1);
        let mut wins = 0;
        while ranks
            .clone()
            .any(|rank| usize::from(*rank) == 2 * (wins + 1))
        {
            wins += 1;
        }
        wins
    }

    pub(super) fn finish(&mut self) {
        self.state.over = true;
        self.state.active = 0;
        let first = self.state.rank.iter().skip(1).position(|rank| *rank == 2);
        self.state.winner = first.map_or(0, |place| place as u8 + 1);
    }

    /// Applies an [`ending`] to a player who is still in the game.
    fn result(&mut self, kind: u16, who: u8) {
        let players = self.game.players();
        if kind == ending::DRAW || who > players {
            if kind == ending::DRAW {
                self.draw();
            } else {
                self.all_of_them(kind);
            }
            return;
        }
        if !self.state.is_active(who) {
            return;
        }
        self.state.active &= !(1 << who);
        if players == 1 {
            self.state.winner = u8::from(kind == ending::WIN);
            self.state.over = true;
            if kind == ending::WIN {
                self.state.rank[1] = 2;
            }
            return;
        }
        if kind == ending::WIN {
            let rank = 2 * (self.wins() + 1);
            self.set_rank(who, rank as u8);
        } else {
            let rank = self.last_rank();
            self.set_rank(who, rank);
            if self.state.next == who {
                self.state.next = self.player_after(who);
            }
        }
        self.settle(kind);
    }

    fn set_rank(&mut self, who: u8, rank: u8) {
        if let Some(place) = self.state.rank.get_mut(usize::from(who)) {
            *place = rank;
        }
    }

    /// The last free rank, in halves.
    fn last_rank(&self) -> u8 {
        let mut last = 2 * self.game.players();
        while last > 2 && self.state.rank.contains(&last) {
            last -= 2;
        }
        last
    }

    /// Gives the remaining rank to the last player, if only one is left.
    fn settle(&mut self, kind: u16) {
        let mut left = (1..=self.game.players()).filter(|player| self.state.is_active(*player));
        let (one, more) = (left.next(), left.next());
        match (one, more) {
            (None, _) => self.finish(),
            (Some(one), None) => {
                let rank = if kind == ending::WIN {
                    self.last_rank()
                } else {
                    2 * (self.wins() as u8 + 1)
                };
                self.set_rank(one, rank);
                self.finish();
            }
            _ => {}
        }
    }

    /// Applies a win or a loss to all players.
    fn all_of_them(&mut self, kind: u16) {
        let rank = if kind == ending::WIN {
            2
        } else {
            2 * self.game.players()
        };
        for player in 1..=self.game.players() {
            if self.state.is_active(player) {
                self.set_rank(player, rank);
            }
        }
        self.state.over = true;
        self.state.active = 0;
        self.state.winner = 0;
    }

    /// Ranks the players by score; equal scores share their ranks.
    fn by_score(&mut self) {
        let players = self.game.players();
        for player in 1..=players {
            let of = |player: u8| {
                let score = self.state.score.get(usize::from(player));
                score.copied().unwrap_or(0)
            };
            let mine = of(player);
            let better = (1..=players).filter(|other| of(*other) > mine).count();
            let same = (1..=players).filter(|other| of(*other) == mine).count();
            self.set_rank(player, (2 * (better + 1) + same - 1) as u8);
        }
        self.finish();
    }
}
