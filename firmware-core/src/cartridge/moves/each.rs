//! Loops: the moves for each piece, site, way, player or number.

use super::super::action::Draft;
use super::super::machine::{Flow, Machine};
use super::super::op::{NOTHING, bit, slot};
use super::super::outlet::Outlet;
use super::super::ways::each_way;
use crate::word::Word;

/// The largest number of iterations of a loop over numbers.
const MOST_VALUES: i32 = 256;

/// The number of a position, and who is on turn in it.
#[derive(Clone, Copy)]
struct TurnOrder {
    epoch: u64,
    mover: u8,
    next: u8,
    previous: u8,
}

impl<'g, W: Word> Machine<'g, W> {
    /// Visits the moves once for each player, who is in the register `player` during that
    /// time.
    pub(super) fn for_each_player(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let saved = self.context.player;
        for player in 1..=self.game.players() {
            self.context.player = player.into();
            self.moves_of(at, slot::ForEachPlayer::MOVES, out)?;
        }
        self.context.player = saved;
        Flow::Continue(())
    }

    /// Visits the moves once for each number of a range.
    pub(super) fn for_each_value(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (first, last) = (
            self.number_of(at, slot::ForEachValue::FIRST),
            self.number_of(at, slot::ForEachValue::LAST),
        );
        let last = last.min(first.saturating_add(MOST_VALUES));
        let saved = self.context.value;
        for value in first..=last {
            self.context.value = value as i16;
            self.moves_of(at, slot::ForEachValue::MOVES, out)?;
        }
        self.context.value = saved;
        Flow::Continue(())
    }

    pub(super) fn for_each_piece(
        &mut self,
        at: u16,
        extra: u8,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let owner = self.number_of(at, slot::ForEachPiece::OWNER);
        let mut sites = self.state.owned(owner) & self.board;
        if let Some(node) = self.optional(at, slot::ForEachPiece::SITES) {
            sites &= self.sites(node);
        }
        let own = self.optional(at, slot::ForEachPiece::MOVES);
        let saved = self.context;
        let turn = self.turn_order();
        let players = i32::from(self.game.players());
        let is_other = owner != i32::from(turn.mover) && (1..=players).contains(&owner);
        for site in sites {
            let what = self.state.what(site.0);
            let moves = own.unwrap_or_else(|| {
                let column = usize::from(extra & bit::THREATS);
                *self.game.piece(what).moves.get(column).unwrap_or(&NOTHING)
            });
            if moves == NOTHING {
                continue;
            }
            self.context.from = site.0.into();
            if !is_other {
                self.moves(moves, out)?;
                continue;
            }
            // The moves of the other player are generated as if in that player's turn,
            // and carried out in the current one.
            let own_turn = TurnOrder {
                epoch: self.state.epoch,
                ..turn
            };
            self.new_epoch();
            let others_turn = TurnOrder {
                epoch: self.state.epoch,
                mover: owner as u8,
                next: own_turn.mover,
                previous: own_turn.mover,
            };
            let mut look = |machine: &mut Self, draft: Draft| {
                machine.be_in_turn(own_turn);
                let flow = machine.pass_on(draft, out);
                machine.be_in_turn(others_turn);
                flow
            };
            self.be_in_turn(others_turn);
            let flow = self.moves(moves, &mut Outlet::plain(&mut look));
            self.be_in_turn(own_turn);
            flow?;
        }
        self.context = saved;
        Flow::Continue(())
    }

    fn turn_order(&self) -> TurnOrder {
        TurnOrder {
            epoch: self.state.epoch,
            mover: self.state.mover,
            next: self.state.next,
            previous: self.state.previous,
        }
    }

    fn be_in_turn(&mut self, turn: TurnOrder) {
        self.state.epoch = turn.epoch;
        self.state.mover = turn.mover;
        self.state.next = turn.next;
        self.state.previous = turn.previous;
    }

    pub(super) fn for_each_site(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let sites = self.sites_of(at, slot::ForEachSite::SITES);
        let otherwise = self.optional(at, slot::ForEachSite::OTHERWISE);
        let saved = self.context;
        let mut found = false;
        for site in sites {
            self.context.to = site.0.into();
            self.context.site = site.0.into();
            if otherwise.is_none() {
                self.moves_of(at, slot::ForEachSite::MOVES, out)?;
                continue;
            }
            let node = self.operand(at, slot::ForEachSite::MOVES);
            let mut look = |machine: &mut Self, draft: Draft| {
                found = true;
                machine.pass_on(draft, out)
            };
            self.moves(node, &mut Outlet::plain(&mut look))?;
        }
        self.context = saved;
        match otherwise {
            Some(node) if !found => self.moves(node, out),
            _ => Flow::Continue(()),
        }
    }

    pub(super) fn for_each_way(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, slot::ForEachWay::SITE) else {
            return Flow::Continue(());
        };
        let saved = self.context;
        for way in each_way(self.ways_of(at, slot::ForEachWay::WAYS, from)) {
            if let Some(to) = self.game.step(from, way) {
                self.context.to = to.into();
                self.moves_of(at, slot::ForEachWay::MOVES, out)?;
            }
        }
        self.context = saved;
        Flow::Continue(())
    }
}
