//! Recognises the moves that a plan can contain.

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::inside::{Bearing, Gait, GaitOperands, Inside, each_way};
use firmware_core::cartridge::op::{NOTHING, NotedSite, Op, bit, slot};
use firmware_core::cartridge::state::KINDS;
use firmware_core::word::Word;

use super::{PlanBuilder, is_of_owner};
use crate::{
    Condition, Consequence, ConsequenceId, Consequences, ForEachMover, MAX_CHOICES,
    MAX_CONSEQUENCES, MOVERS, NO_CONSEQUENCES, PieceMoves, Pieces, Play, PlayId, Set, SetId,
    StepTable, StepTableId, Ways,
};

impl<W: Word> PlanBuilder<'_, '_, W> {
    /// A node's play, added to the table.
    pub(super) fn play(&mut self, at: u16) -> Option<PlayId> {
        let play = self.known_play(at).unwrap_or(Play::Unknown);
        self.plan.plays.push(play)
    }

    pub(super) fn known_play(&mut self, at: u16) -> Option<Play> {
        let (op, extra) = self.op(at)?;
        if op == Op::IfMoves {
            let [truth, one, other] = [
                slot::IfMoves::CONDITION,
                slot::IfMoves::YES,
                slot::IfMoves::NO,
            ]
            .map(|slot| self.operand(at, slot));
            return Some(Play::If {
                condition: self.condition(truth)?,
                then: self.play(one)?,
                otherwise: self.play(other)?,
            });
        }
        if op == Op::Any {
            if !(1..=MAX_CHOICES as u8).contains(&extra) {
                return None;
            }
            let mut choices = [None; MAX_CHOICES];
            for (choice, place) in choices.iter_mut().zip(slot::Any::each(extra)) {
                let play = self.play(self.operand(at, place))?;
                let known = self.plan.plays.get(play);
                if !matches!(known, Some(Play::Along { .. } | Play::Pass)) {
                    return None;
                }
                *choice = Some(play);
            }
            return Some(Play::AnyOf(choices));
        }
        let (leaf, consequences) = self.consequences(at)?;
        let (op, extra) = self.op(leaf)?;
        let stacks = self.game.is(flag::STACKS);
        match op {
            Op::Add => self.add(leaf, extra, consequences),
            Op::FromTo if !stacks => self.carry(leaf, extra, consequences),
            Op::Remove if !stacks => self.remove(leaf, extra, consequences),
            Op::ForEachPiece if !stacks && consequences == NO_CONSEQUENCES => self.each_piece(leaf),
            Op::Hop if !stacks => {
                let moves = self.piece_moves(leaf, Pieces::Last)?;
                self.along(moves, consequences)
            }
            Op::Shoot if !stacks && consequences == NO_CONSEQUENCES => self.shoot(leaf),
            Op::Pass if consequences == NO_CONSEQUENCES => Some(Play::Pass),
            _ => None,
        }
    }

    /// The consequences of a node's moves, in order, and the node that they apply to.
    pub(super) fn consequences(&mut self, at: u16) -> Option<(u16, Consequences)> {
        let (mut leaf, mut all) = (at, NO_CONSEQUENCES);
        while self.is_op(leaf, Op::Then) {
            if all[MAX_CONSEQUENCES - 1].is_some() {
                return None;
            }
            all.rotate_right(1);
            all[0] = Some(self.consequence(self.operand(leaf, slot::Then::THEN))?);
            leaf = self.operand(leaf, slot::Then::MOVES);
        }
        Some((leaf, all))
    }

    pub(super) fn consequence(&mut self, at: u16) -> Option<ConsequenceId> {
        let consequence = match self.op(at)?.0 {
            Op::Again => Consequence::MoveAgain(self.push_condition(Condition::Always(true))?),
            Op::IfMoves
                if self.operand(at, slot::IfMoves::NO) == NOTHING
                    && self.is_op(self.operand(at, slot::IfMoves::YES), Op::Again) =>
            {
                Consequence::MoveAgain(self.condition(self.operand(at, slot::IfMoves::CONDITION))?)
            }
            Op::Custodial => {
                self.custodial(at)?;
                Consequence::Custodial
            }
            _ => return None,
        };
        self.plan.consequences.push(consequence)
    }

    pub(super) fn add(&mut self, at: u16, extra: u8, consequences: Consequences) -> Option<Play> {
        let simple = [
            slot::Add::MAY_COME,
            slot::Add::STATE,
            slot::Add::COUNT,
            slot::Add::EFFECT,
        ]
        .iter()
        .all(|slot| self.operand(at, *slot) == NOTHING);
        let stacks = self.game.is(flag::STACKS);
        let is_top = extra & bit::TOP != 0;
        if !simple || stacks != is_top {
            return None;
        }
        let what = self.number_for_each(self.operand(at, slot::Add::WHAT))?;
        let players = usize::from(self.game.players());
        let is_piece = |what: &i32| (1..self.game.pieces() as i32).contains(what);
        if !what.iter().skip(1).take(players).all(is_piece) {
            return None;
        }
        let what = what.map(|what| what as u8);
        let sites = self.operand(at, slot::Add::SITES);
        if !stacks {
            if !self.is_op(sites, Op::Empty) {
                return None;
            }
            let sites = self.set_id(sites)?;
            return Some(Play::Add {
                what,
                sites,
                below: None,
                consequences,
            });
        }
        let (among, truth) = (
            self.operand(sites, slot::Filter::SITES),
            self.operand(sites, slot::Filter::CONDITION),
        );
        let height = self.operand(truth, slot::Less::LEFT);
        let known = self.is_op(sites, Op::Filter)
            && self.is_op(truth, Op::Less)
            && self.is_op(height, Op::Height)
            && self.is_op(self.operand(height, slot::Height::SITE), Op::Site);
        let below = known.then(|| self.constant(self.operand(truth, slot::Less::RIGHT)))??;
        let below = u8::try_from(below).ok()?;
        let same = self.plan.below.is_none_or(|known| known == below);
        if !same || consequences != NO_CONSEQUENCES {
            return None;
        }
        self.plan.below = Some(below);
        Some(Play::Add {
            what,
            sites: self.set_id(among)?,
            below: self.plan.below,
            consequences,
        })
    }

    pub(super) fn carry(&mut self, at: u16, extra: u8, consequences: Consequences) -> Option<Play> {
        let places = [
            slot::FromTo::MAY_GO,
            slot::FromTo::MAY_COME,
            slot::FromTo::EFFECT,
            slot::FromTo::COUNT,
            slot::FromTo::COPIES,
        ];
        let simple = places.iter().all(|slot| self.operand(at, *slot) == NOTHING);
        let tos = self.operand(at, slot::FromTo::TOS);
        if !simple || extra & bit::COPY != 0 || !self.is_op(tos, Op::Empty) {
            return None;
        }
        let (froms, tos) = (
            self.set_id(self.operand(at, slot::FromTo::FROMS))?,
            self.set_id(tos)?,
        );
        Some(Play::FromTo {
            froms,
            tos,
            consequences,
        })
    }

    pub(super) fn remove(
        &mut self,
        at: u16,
        extra: u8,
        consequences: Consequences,
    ) -> Option<Play> {
        if extra & bit::LATER != 0 || self.operand(at, slot::Remove::COUNT) != NOTHING {
            return None;
        }
        let mut sites = self.operand(at, slot::Remove::SITES);
        let mut only_if = None;
        if self.is_op(sites, Op::Filter) {
            only_if = Some(self.condition(self.operand(sites, slot::Filter::CONDITION))?);
            sites = self.operand(sites, slot::Filter::SITES);
        }
        let sites = self.set_id(sites)?;
        Some(Play::Remove {
            sites,
            only_if,
            consequences,
        })
    }

    /// The moves of each of the mover's pieces.
    pub(super) fn each_piece(&mut self, at: u16) -> Option<Play> {
        if !self.is_op(self.operand(at, slot::ForEachPiece::OWNER), Op::Mover) {
            return None;
        }
        let sites = match self.operand(at, slot::ForEachPiece::SITES) {
            NOTHING => None,
            sites => Some(self.set(sites)?),
        };
        let fixed = Set::owned_of(sites, self.machine.board());
        let sites = self.plan.sets.push(fixed)?;
        let (column, own) = (
            self.number(at) & 1,
            self.operand(at, slot::ForEachPiece::MOVES),
        );
        if own != NOTHING {
            let (leaf, consequences) = self.consequences(own)?;
            let moves = self.piece_moves(leaf, Pieces::Owned(sites))?;
            return self.along(moves, consequences);
        }
        // Each player has one kind of piece that moves, and they all move alike.
        let mut kinds = [0; MOVERS];
        let mut moves = None;
        for player in 1..=self.game.players() {
            let of = |what: u8| {
                self.game
                    .piece(what)
                    .moves
                    .get(usize::from(column))
                    .copied()
            };
            let all = (1..self.game.pieces()).map(|what| what as u8);
            let mut own = all
                .filter(|what| self.game.owner(*what) == player)
                .filter(|what| of(*what).is_some_and(|moves| moves != NOTHING));
            let (Some(what), None) = (own.next(), own.next()) else {
                return None;
            };
            if moves.is_some_and(|moves| Some(moves) != of(what)) {
                return None;
            }
            moves = of(what);
            *kinds.get_mut(usize::from(player))? = what;
        }
        if self.game.pieces() > KINDS {
            return None;
        }
        let (leaf, consequences) = self.consequences(moves?)?;
        let moves = self.piece_moves(leaf, Pieces::Kind(kinds, sites))?;
        self.along(moves, consequences)
    }

    fn along(&mut self, moves: PieceMoves, consequences: Consequences) -> Option<Play> {
        Some(Play::Along {
            moves: self.plan.piece_moves.push(moves)?,
            consequences,
        })
    }

    /// A step, slide or hop to empty sites, without further conditions.
    fn piece_moves(&mut self, leaf: u16, pieces: Pieces) -> Option<PieceMoves> {
        let operand = |slot| self.operand(leaf, slot);
        let from = match pieces {
            Pieces::Last => Op::LastTo,
            _ => Op::From,
        };
        let of = GaitOperands::of(self.op(leaf)?.0)?;
        let (gait, open) = (of.gait, operand(of.target));
        let is_open = (gait == Gait::Slide && open == NOTHING) || self.asks_for_empty(open);
        let plain = self.is_op(operand(slot::Step::FROM), from)
            && is_open
            && of.all_special().all(|slot| operand(slot) == NOTHING);
        if !plain {
            return None;
        }
        let (mut hurdles, mut captures) = (None, false);
        if gait == Gait::Hop {
            let (set, takes) = self.hurdles(
                operand(slot::Hop::HURDLE),
                operand(slot::Hop::HURDLE_EFFECT),
            )?;
            (hurdles, captures) = (Some(set), takes);
        }
        let ways = self.ways_of(self.operand(leaf, of.ways))?;
        let all = match ways {
            Ways::Of(choice) | Ways::Last(choice, _) => (0..=self.game.players() + 1)
                .fold(0, |all, owner| all | self.game.choice(choice, owner)),
        };
        if gait == Gait::Step && all & self.machine.shifts().twins != 0 {
            return None;
        }
        let asks_rows = gait == Gait::Slide || matches!(ways, Ways::Last(..));
        let by_rows = asks_rows && self.rows(all).is_some();
        self.plan.keeps_rows |= by_rows && gait == Gait::Slide;
        let same = (0..=self.game.players() + 1).all(|owner| match ways {
            Ways::Of(choice) => self.game.choice(choice, owner) == all,
            Ways::Last(..) => false,
        });
        let step_table = match gait {
            Gait::Step if same => self.step_table(all),
            _ => None,
        };
        let has_neighbours = same && gait != Gait::Hop && self.neighbours(all);
        Some(PieceMoves {
            gait,
            pieces,
            ways,
            leaf,
            hurdles,
            captures,
            by_rows,
            step_table,
            has_neighbours,
        })
    }

    /// True if this condition of a step is that its end is empty.
    fn asks_for_empty(&self, open: u16) -> bool {
        let truth = self
            .everywhere(open, NotedSite::To)
            .filter(|_| self.is_op(open, Op::Everywhere));
        truth.is_some_and(|truth| {
            self.is_op(truth, Op::IsEmpty)
                && self.is_op(self.operand(truth, slot::IsEmpty::SITE), Op::To)
        })
    }

    fn ways_of(&self, node: u16) -> Option<Ways> {
        match self.op(node)? {
            (Op::Choice, _) => Some(Ways::Of(self.operand(node, slot::Choice::CHOICE))),
            (Op::LastWay, extra) => Some(Ways::Last(
                self.operand(node, slot::LastWay::CHOICE),
                Bearing::of_bits(extra),
            )),
            _ => None,
        }
    }

    /// The table of steps along these ways, if there is room for it.
    fn step_table(&mut self, ways: u32) -> Option<StepTableId> {
        let table = StepTable::of::<W>(self.game, ways)?;
        self.plan.step_tables.push(table)
    }

    /// True if there is a table of neighbours along some ways.
    fn neighbours(&mut self, ways: u32) -> bool {
        let neighbours = &mut self.plan.neighbours;
        if neighbours.ways == 0 {
            neighbours.ways = ways;
            for (site, near) in neighbours.of.iter_mut().enumerate().take(self.game.board()) {
                for way in each_way(ways) {
                    if let Some(next) = self.game.step(site as u8, way) {
                        near.insert(protocol::Point(next));
                    }
                }
            }
        }
        neighbours.ways == ways
    }

    /// The pieces that may be hopped over, and whether they are captured.
    fn hurdles(&mut self, hurdle: u16, effect: u16) -> Option<(SetId, bool)> {
        if !self.is_op(hurdle, Op::Everywhere) {
            return None;
        }
        let truth = self.everywhere(hurdle, NotedSite::Between)?;
        let players = self.game.players();
        let of = |is: &dyn Fn(u8, u8) -> bool| -> ForEachMover<u8> {
            core::array::from_fn(|mover| {
                let owners = (1..=players).filter(|owner| is(*owner, mover as u8));
                owners.fold(0, |all, owner| all | 1 << owner)
            })
        };
        let classes = if is_of_owner(self, truth, Op::IsEnemy, Op::Between) {
            of(&|owner, mover| owner != mover)
        } else if is_of_owner(self, truth, Op::IsFriend, Op::Between) {
            of(&|owner, mover| owner == mover)
        } else {
            return None;
        };
        let takes = effect != NOTHING;
        if takes && !self.is_taken_away(effect) {
            return None;
        }
        let hurdles = self.plan.sets.push(Set::of(classes))?;
        Some((hurdles, takes))
    }

    pub(super) fn shoot(&mut self, at: u16) -> Option<Play> {
        let choice = self.operand(at, slot::Shoot::WAYS);
        let plain = self.is_op(self.operand(at, slot::Shoot::FROM), Op::LastTo)
            && self.is_op(choice, Op::Choice)
            && self.operand(at, slot::Shoot::MAY_COME) == NOTHING;
        let what = plain.then(|| self.constant(self.operand(at, slot::Shoot::WHAT)))??;
        if !(1..self.game.pieces() as i32).contains(&what) {
            return None;
        }
        let ways = self.ways_for_all(choice)?;
        self.rows(ways)?;
        self.plan.keeps_rows = true;
        Some(Play::Shoot {
            what: what as u8,
            ways: self.operand(choice, slot::Choice::CHOICE),
        })
    }
}
