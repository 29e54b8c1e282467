//! Evaluates the numbers and conditions of a program.

use crate::points::Points;
use crate::word::Word;

use super::bytes::PLAYERS;
use super::kernels::{BatchVisitor, FanCount, MoveFinder, Walk};
use super::machine::Machine;
use super::op::{
    Op, OperandSlot, frequent_numbers, frequent_truths, moves, numbers, rules, sets, slot, truths,
    ways,
};
use super::state::Here;

impl<'g, W: Word> Machine<'g, W> {
    /// The value of a node as a number. The most frequent operations cost no step and, on
    /// a host, no call.
    #[cfg_attr(not(feature = "host"), inline(never))]
    #[cfg_attr(feature = "host", inline(always))]
    pub(super) fn number(&mut self, at: u16) -> i32 {
        let [number, _] = self.word(at);
        if number == Op::Constant as u8 {
            i32::from(self.operand(at, slot::Constant::VALUE).cast_signed())
        } else if number == Op::Mover as u8 {
            self.state.mover.into()
        } else if number == Op::LastTo as u8 {
            self.state.last_to.into()
        } else {
            self.number_of_node(at)
        }
    }

    /// Frequent and cheap operations. Rare ones are in a separate function, so that this
    /// one needs little stack.
    // `number` has already answered for a constant and for the last site, and these arms
    // repeat its answers, so that every number has its value in this table, too. The mover
    // comes here: it replaces any number once no steps are left (`Op::idle`).
    #[inline(never)]
    fn number_of_node(&mut self, at: u16) -> i32 {
        let (op, _) = self.node(at);
        match op {
            Op::Constant => i32::from(self.operand(at, slot::Constant::VALUE).cast_signed()),
            Op::LastTo => self.state.last_to.into(),
            Op::LastFrom => self.state.last_from.into(),
            Op::From => self.context.from.into(),
            Op::To => self.context.to.into(),
            Op::Between => self.context.between.into(),
            Op::Site => self.context.site.into(),
            Op::Player => self.context.player.into(),
            Op::Value => self.context.value.into(),
            Op::Mover => self.state.mover.into(),
            Op::Next => self.state.next.into(),
            Op::Previous => self.state.previous.into(),
            Op::Moves => self.state.moves as i32,
            Op::Who => {
                let site = self.site_of(at, slot::Who::SITE);
                let what = site.map_or(0, |site| self.state.what(site));
                if what == 0 {
                    0
                } else {
                    self.game.owner(what).into()
                }
            }
            Op::What => self
                .site_of(at, slot::What::SITE)
                .map_or(0, |site| self.state.what(site).into()),
            Op::CountAt => self
                .site_of(at, slot::CountAt::SITE)
                .map_or(0, |site| self.state.here(site).count.into()),
            Op::Entry => {
                let index = self.number_of(at, slot::Entry::INDEX);
                let entry = self.game.entry(self.operand(at, slot::Entry::TABLE), index);
                entry.map_or(-1, i32::from)
            }
            Op::Modulo => {
                let (above, below) = (
                    self.number_of(at, slot::Modulo::LEFT),
                    self.number_of(at, slot::Modulo::RIGHT),
                );
                above.checked_rem(below).unwrap_or(0)
            }
            Op::Distance => self.distance(at),
            _ => self.number_at_length(op, at),
        }
    }

    #[inline(never)]
    fn number_at_length(&mut self, op: Op, at: u16) -> i32 {
        match op {
            Op::StateAt => self.here_of(at, slot::StateAt::SITE).state.into(),
            Op::ValueAt => self.here_of(at, slot::ValueAt::SITE).value.into(),
            Op::Height => self.height_of(at),
            Op::Size => self.sites_of(at, slot::Size::SITES).len() as i32,
            Op::PiecesOn => self.pieces_on(at),
            Op::Plus | Op::Minus | Op::Times | Op::Divide | Op::Minimum | Op::Maximum => {
                self.calculated(op, at)
            }
            Op::Absolute => self.number_of(at, slot::Absolute::NUMBER).saturating_abs(),
            Op::IfNumber => self.one_of_two(at),
            Op::Score => self.score_of(at),
            Op::Amount => self.amount_of(at),
            Op::Counter => self.state.counter.into(),
            Op::PendingValue => self.pending_value(),
            Op::Variable => self.variable(at),
            Op::Turns => self.state.turns as i32,
            Op::MovesThisTurn => self.state.moves_this_turn.into(),
            Op::Groups => self.groups(at),
            Op::GroupSize => self.group_size(at),
            Op::Ahead => self.ahead(at),
            Op::First => first(self.sites_of(at, slot::First::SITES)),
            Op::Nth => self.nth(at),
            Op::Territory => self.territory(at),
            Op::PhaseOf => self.phase_of_player(at),
            Op::Liberties => self.liberties(at),
            Op::PlayerValue => self.value_of_player(at),
            Op::LastAfter => self.state.last_after.into(),
            Op::TrackAhead => self.track_ahead(at),
            Op::TrackFirst => self.track_first(at),
            Op::Chance => self.by_chance(at),
            frequent_numbers!() | truths!() | sets!() | ways!() | moves!() | rules!() => 0,
        }
    }

    /// What stands on the site that an operand names; nothing beside the board.
    fn here_of(&mut self, at: u16, slot: OperandSlot) -> Here {
        let site = self.site_of(at, slot);
        site.map_or(Here::default(), |site| self.state.here(site))
    }

    /// An operation with two numbers, which have the same slots in each.
    fn calculated(&mut self, op: Op, at: u16) -> i32 {
        let (left, right) = (
            self.number_of(at, slot::Plus::LEFT),
            self.number_of(at, slot::Plus::RIGHT),
        );
        match op {
            Op::Plus => left.saturating_add(right),
            Op::Minus => left.saturating_sub(right),
            Op::Times => left.saturating_mul(right),
            Op::Divide => left.checked_div(right).unwrap_or(0),
            Op::Minimum => left.min(right),
            _ => left.max(right),
        }
    }

    fn height_of(&mut self, at: u16) -> i32 {
        self.site_of(at, slot::Height::SITE)
            .map_or(0, |site| self.state.height(site).into())
    }

    fn pieces_on(&mut self, at: u16) -> i32 {
        let sites = self.sites_of(at, slot::PiecesOn::SITES) & self.state.occupied();
        sites
            .map(|site| i32::from(self.state.here(site.0).count))
            .sum()
    }

    fn one_of_two(&mut self, at: u16) -> i32 {
        let place = if self.truth_of(at, slot::IfNumber::CONDITION) {
            slot::IfNumber::YES
        } else {
            slot::IfNumber::NO
        };
        self.number_of(at, place)
    }

    fn score_of(&mut self, at: u16) -> i32 {
        let score = self
            .player_of(at, slot::Score::PLAYER)
            .and_then(|player| self.state.score.get(player));
        score.copied().unwrap_or(0)
    }

    fn amount_of(&mut self, at: u16) -> i32 {
        let amount = self
            .player_of(at, slot::Amount::PLAYER)
            .and_then(|player| self.state.amount.get(player));
        amount.map_or(0, |amount| i32::from(*amount))
    }

    fn variable(&mut self, at: u16) -> i32 {
        let place = usize::from(self.operand(at, slot::Variable::VARIABLE));
        let value = self.state.variables.get(place);
        value.map_or(-1, |value| i32::from(*value))
    }

    fn group_size(&mut self, at: u16) -> i32 {
        let from = self.number_of(at, slot::GroupSize::SITE);
        self.group(at, slot::GroupSize::WAYS, from, slot::GroupSize::CONDITION)
            .len() as i32
    }

    fn nth(&mut self, at: u16) -> i32 {
        let (sites, index) = (
            self.sites_of(at, slot::Nth::SITES),
            self.number_of(at, slot::Nth::INDEX),
        );
        let site = usize::try_from(index).ok().and_then(|n| sites.nth(n));
        site.map_or(-1, |site| i32::from(site.0))
    }

    fn phase_of_player(&mut self, at: u16) -> i32 {
        let phase = self
            .player_of(at, slot::PhaseOf::PLAYER)
            .and_then(|player| self.state.phase.get(player));
        phase.map_or(0, |phase| i32::from(*phase))
    }

    fn value_of_player(&mut self, at: u16) -> i32 {
        let value = self
            .player_of(at, slot::PlayerValue::PLAYER)
            .and_then(|player| self.state.value_of.get(player));
        value.map_or(-1, |value| i32::from(*value))
    }

    fn by_chance(&mut self, at: u16) -> i32 {
        let (least, most) = (
            self.number_of(at, slot::Chance::LEAST),
            self.number_of(at, slot::Chance::MOST),
        );
        let many = most.saturating_sub(least).saturating_add(1);
        let bound = u32::try_from(many).unwrap_or(0);
        least.saturating_add(self.state.chance.draw(|rng| rng.below(bound)) as i32)
    }

    fn pending_value(&self) -> i32 {
        match (self.state.pending.len(), self.state.something_pending) {
            (1, false) => first(self.state.pending),
            (0, true) => 1,
            _ => 0,
        }
    }

    #[inline]
    pub(super) fn number_of(&mut self, at: u16, slot: OperandSlot) -> i32 {
        let node = self.operand(at, slot);
        self.number(node)
    }

    /// The piece that an operand names by its number; `None` if the game has no such piece.
    /// A compiled game names only its own pieces, a cartridge from elsewhere any number.
    #[inline]
    pub(super) fn piece_of(&mut self, at: u16, slot: OperandSlot) -> Option<u8> {
        let number = self.number_of(at, slot);
        let is_piece = 0 < number && (number as usize) < self.game.pieces();
        is_piece.then_some(number as u8)
    }

    /// The site that an operand names.
    #[inline]
    pub(super) fn site_of(&mut self, at: u16, slot: OperandSlot) -> Option<u8> {
        let number = self.number_of(at, slot);
        self.site(number)
    }

    #[inline]
    pub(super) fn truth_of(&mut self, at: u16, slot: OperandSlot) -> bool {
        let node = self.operand(at, slot);
        self.truth(node)
    }

    /// The value of an optional condition; true if there is none.
    #[inline]
    pub(super) fn holds(&mut self, node: Option<u16>) -> bool {
        node.is_none_or(|node| self.truth(node))
    }

    fn player_of(&mut self, at: u16, slot: OperandSlot) -> Option<usize> {
        usize::try_from(self.number_of(at, slot)).ok()
    }

    /// The value of a node as a condition. Rare operations are in a separate function, as
    /// for numbers.
    pub(super) fn truth(&mut self, at: u16) -> bool {
        let (op, extra) = self.node(at);
        match op {
            Op::True => true,
            Op::False => false,
            Op::Everywhere => self.noted(at, extra),
            Op::Not => !self.truth_of(at, slot::Not::CONDITION),
            Op::And => slot::And::each(extra).all(|slot| self.truth_of(at, slot)),
            Op::Or => slot::Or::each(extra).any(|slot| self.truth_of(at, slot)),
            Op::Equal => {
                self.number_of(at, slot::Equal::LEFT) == self.number_of(at, slot::Equal::RIGHT)
            }
            Op::Unequal => {
                self.number_of(at, slot::Unequal::LEFT) != self.number_of(at, slot::Unequal::RIGHT)
            }
            Op::Less => {
                self.number_of(at, slot::Less::LEFT) < self.number_of(at, slot::Less::RIGHT)
            }
            Op::AtMost => {
                self.number_of(at, slot::AtMost::LEFT) <= self.number_of(at, slot::AtMost::RIGHT)
            }
            Op::IsEmpty => self
                .site_of(at, slot::IsEmpty::SITE)
                .is_some_and(|site| self.state.what(site) == 0),
            Op::IsFriend => {
                self.number_of(at, slot::IsFriend::OWNER) == i32::from(self.state.mover)
            }
            Op::IsLine => {
                let through = self.number_of(at, slot::IsLine::THROUGH);
                self.is_line(at, extra, through)
            }
            Op::IsPattern => self.is_pattern(at, extra),
            Op::IsConnected => self.is_connected(at, extra),
            Op::NoMoves => self.next_has_no_moves(),
            Op::CanMove => {
                let node = self.operand(at, slot::CanMove::MOVES);
                self.can_move(node)
            }
            Op::AllPassed => self.all_passed(),
            _ => self.truth_at_length(op, at, extra),
        }
    }

    #[inline(never)]
    fn truth_at_length(&mut self, op: Op, at: u16, extra: u8) -> bool {
        match op {
            Op::Xor => self.truth_of(at, slot::Xor::LEFT) != self.truth_of(at, slot::Xor::RIGHT),
            Op::SameSites => self.are_same_sites(at),
            Op::IfTruth => self.truth_of_two(at),
            Op::IsOccupied => self.is_occupied(at),
            Op::IsIn => self.is_in(at),
            Op::IsEnemy => self.is_enemy(at),
            Op::IsLineAny => self.is_line_any(at, extra),
            Op::IsLoop => self.is_loop(at),
            Op::IsFull => self.board.without(self.state.occupied()).is_empty(),
            Op::AllSites => self.on_all_sites(at),
            Op::IsStuck => self.is_stuck(at),
            Op::IsThreatened => self.is_threatened(at),
            Op::IsPending => !self.state.pending.is_empty() || self.state.something_pending,
            Op::IsPendingAt => self.is_pending_at(at),
            Op::IsTriggered => self.is_triggered(at),
            Op::IsActive => self.is_active(at),
            Op::IsRepeated => self.is_repeated(),
            Op::IsRelated => self.is_related(at),
            Op::IsVisited => self.is_visited(at),
            frequent_truths!() | numbers!() | sets!() | ways!() | moves!() | rules!() => false,
        }
    }

    fn are_same_sites(&mut self, at: u16) -> bool {
        self.sites_of(at, slot::SameSites::LEFT) == self.sites_of(at, slot::SameSites::RIGHT)
    }

    fn truth_of_two(&mut self, at: u16) -> bool {
        let place = if self.truth_of(at, slot::IfTruth::CONDITION) {
            slot::IfTruth::YES
        } else {
            slot::IfTruth::NO
        };
        self.truth_of(at, place)
    }

    fn is_occupied(&mut self, at: u16) -> bool {
        self.site_of(at, slot::IsOccupied::SITE)
            .is_some_and(|site| self.state.what(site) != 0)
    }

    fn is_in(&mut self, at: u16) -> bool {
        let site = self.site_of(at, slot::IsIn::SITE);
        site.is_some_and(|site| {
            self.sites_of(at, slot::IsIn::SITES)
                .has(protocol::Point(site))
        })
    }

    fn is_enemy(&mut self, at: u16) -> bool {
        let who = self.number_of(at, slot::IsEnemy::OWNER);
        let players = i32::from(self.game.players());
        who != 0 && who != i32::from(self.state.mover) && who <= players
    }

    fn on_all_sites(&mut self, at: u16) -> bool {
        let (sites, saved) = (self.sites_of(at, slot::AllSites::SITES), self.context.site);
        let mut sites = sites;
        let all = sites.all(|site| {
            self.context.site = site.0.into();
            self.truth_of(at, slot::AllSites::CONDITION)
        });
        self.context.site = saved;
        all
    }

    fn is_stuck(&mut self, at: u16) -> bool {
        let player = self.number_of(at, slot::IsStuck::PLAYER);
        (0..8).contains(&player) && self.state.stuck & (1 << player) != 0
    }

    fn is_pending_at(&mut self, at: u16) -> bool {
        let site = self.site_of(at, slot::IsPendingAt::SITE);
        site.is_some_and(|site| self.state.pending.has(protocol::Point(site)))
    }

    fn is_triggered(&mut self, at: u16) -> bool {
        let event = self.operand(at, slot::IsTriggered::EVENT);
        let player = self.player_of(at, slot::IsTriggered::PLAYER);
        let events = player.and_then(|player| self.state.triggered.get(player));
        events.is_some_and(|events| events & (1 << (event & 7)) != 0)
    }

    fn is_active(&mut self, at: u16) -> bool {
        let player = self.number_of(at, slot::IsActive::PLAYER);
        (0..8).contains(&player) && self.state.is_active(player as u8)
    }

    fn is_visited(&mut self, at: u16) -> bool {
        let site = self.site_of(at, slot::IsVisited::SITE);
        site.is_some_and(|site| self.state.visited.has(protocol::Point(site)))
    }

    fn is_repeated(&self) -> bool {
        let hash = self.state.hash();
        self.history.contains(&hash)
    }

    /// True if a node has a move to this site.
    fn can_move_to(&mut self, node: u16, site: u8) -> bool {
        self.finds_move(node, &mut MoveFinder { target: Some(site) })
    }

    /// True if the visitor stopped the walk. A stopped walk leaves registers changed;
    /// they are restored here.
    pub(super) fn finds_move(&mut self, node: u16, look: &mut dyn BatchVisitor<'g, W>) -> bool {
        let (context, epoch) = (self.context, self.state.epoch);
        let turn = (self.state.mover, self.state.next, self.state.previous);
        let (actions, kept) = (self.actions.len(), self.kept.len());
        let enough = self.batches(node, None, &mut Walk::plain(look)).is_break();
        self.actions.truncate(actions);
        self.kept.truncate(kept);
        (self.state.mover, self.state.next, self.state.previous) = turn;
        (self.context, self.state.epoch) = (context, epoch);
        enough
    }

    /// True if the next player has no move.
    #[inline(never)]
    pub(super) fn next_has_no_moves(&mut self) -> bool {
        if self.all_moves_asked {
            return false;
        }
        let (mover, then, before) = (self.state.mover, self.state.next, self.state.previous);
        self.state.mover = then;
        self.state.next = self.player_after(then);
        self.state.previous = mover;
        let epoch = self.new_epoch();
        self.all_moves_asked = true;
        let context = core::mem::replace(&mut self.context, super::machine::Registers::NOTHING);
        let found = !self.stuck();
        self.context = context;
        self.all_moves_asked = false;
        self.state.epoch = epoch;
        (self.state.mover, self.state.next, self.state.previous) = (mover, then, before);
        let bit = 1 << (then & 7);
        self.state.stuck = (self.state.stuck & !bit) | if found { 0 } else { bit };
        !found
    }

    /// True if the player to move has no move; a swap counts as a move.
    pub(super) fn stuck(&mut self) -> bool {
        if self.may_swap() {
            return false;
        }
        let play = self.play_now();
        if let Some(moves) = self.plain(play.node)
            && let Some(can_move) = self.can_move_plainly(&moves)
        {
            return !can_move;
        }
        let is_shot = self.is_shot(play.node);
        if is_shot && let Some((_, shots)) = self.plain_shots(play.node, FanCount::UntilOne) {
            return shots.many == 0;
        }
        !self.can_move(play.node)
    }

    fn is_threatened(&mut self, at: u16) -> bool {
        let named = self.optional(at, slot::IsThreatened::PIECE);
        let own = self.optional(at, slot::IsThreatened::MOVES);
        let what = named.map(|node| self.number(node));
        if what.is_some_and(|what| what < 1) {
            return false;
        }
        let sites = self.sites_of(at, slot::IsThreatened::SITES);
        for site in sites {
            let what = match what {
                Some(what) => what as u8,
                None => self.state.what(site.0),
            };
            if what != 0 && self.threatens(self.game.owner(what), site.0, own) {
                return true;
            }
        }
        false
    }

    /// True if an enemy of the owner can move to a site.
    #[inline(never)]
    fn threatens(&mut self, owner: u8, site: u8, own: Option<u16>) -> bool {
        let turn = (self.state.mover, self.state.next, self.state.previous);
        let context = core::mem::replace(&mut self.context, super::machine::Registers::NOTHING);
        let before = self.state.epoch;
        let enemies = (1..=self.game.players()).filter(|player| *player != owner);
        let mut is_one = false;
        for enemy in enemies {
            self.state.previous = owner;
            self.state.mover = enemy;
            self.state.next = owner;
            self.new_epoch();
            let phase = self.phase_of(enemy);
            let moves = own.unwrap_or_else(|| self.game.phase(phase, 1));
            if self.can_move_to(moves, site) {
                is_one = true;
                break;
            }
        }
        self.context = context;
        self.state.epoch = before;
        (self.state.mover, self.state.next, self.state.previous) = turn;
        is_one
    }

    pub(super) fn phase_of(&self, player: u8) -> u8 {
        let phase = self.state.phase.get(usize::from(player));
        phase.copied().unwrap_or(0)
    }

    /// The next player after this one who is still in the game.
    #[cfg_attr(feature = "host", inline)]
    pub(super) fn player_after(&self, player: u8) -> u8 {
        let players = self.game.players().max(1);
        let after = |player: u8| if player >= players { 1 } else { player + 1 };
        let mut next = after(player);
        for _ in 0..PLAYERS {
            if self.state.is_active(next) {
                return next;
            }
            next = after(next);
        }
        player
    }

    /// True if the last turn of each player was a pass.
    pub(super) fn all_passed(&self) -> bool {
        self.state.passes >= self.game.players()
    }
}

/// The lowest site of a set; -1 if it is empty.
pub(super) fn first<W: Word>(sites: Points<W>) -> i32 {
    sites.first().map_or(-1, |site| i32::from(site.0))
}
