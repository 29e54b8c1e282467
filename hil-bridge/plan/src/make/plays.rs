//! Recognises the moves that a plan can contain.

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::inside::{Gait, Inside, each_way};
use firmware_core::cartridge::op::{NOTHING, Op, OperandSlot, bit, place};
use firmware_core::cartridge::span::Span;
use firmware_core::cartridge::state::KINDS;

use super::{Maker, is_of_owner};
use crate::{Ask, Each, Go, LOTS, Leads, MOVERS, NONE, Pieces, Play, Set, THENS, Then, Ways};

impl<W: Span> Maker<'_, '_, W> {
    /// The index of a node's play, added if it is new.
    pub(super) fn play(&mut self, at: u16) -> Option<u8> {
        let play = self.known_play(at).unwrap_or(Play::Unknown);
        self.plan.plays.push(play).ok()?;
        Some(self.plan.plays.len() as u8 - 1)
    }

    pub(super) fn known_play(&mut self, at: u16) -> Option<Play> {
        let (op, x) = self.op(at)?;
        if op == Op::IfMoves {
            let [truth, one, other] = [
                place::IfMoves::CONDITION,
                place::IfMoves::YES,
                place::IfMoves::NO,
            ]
            .map(|place| self.operand(at, place));
            let ask = self.ask(truth)?;
            let one = self.play(one)?;
            let other = self.play(other)?;
            return Some(Play::If(ask, one, other));
        }
        if op == Op::Any {
            (1..=LOTS as u8).contains(&x).then_some(())?;
            let mut lots = [NONE; LOTS];
            for (lot, place) in lots.iter_mut().zip(place::Any::each(x)) {
                let play = self.play(self.operand(at, place))?;
                let known = self.plan.plays.get(usize::from(play));
                matches!(known, Some(Play::Go(..) | Play::Pass)).then_some(())?;
                *lot = play;
            }
            return Some(Play::Lots(lots));
        }
        let (leaf, thens) = self.thens(at)?;
        let (op, x) = self.op(leaf)?;
        let stacks = self.game.is(flag::STACKS);
        match op {
            Op::Add => self.add(leaf, x, thens),
            Op::FromTo if !stacks => self.carry(leaf, x, thens),
            Op::Remove if !stacks => self.take(leaf, x, thens),
            Op::ForEachPiece if !stacks && thens == [NONE; THENS] => self.each_piece(leaf),
            Op::Hop if !stacks => {
                let go = self.go(leaf, Pieces::Last)?;
                self.goes(go, thens)
            }
            Op::Shoot if !stacks && thens == [NONE; THENS] => self.shoot(leaf),
            Op::Pass if thens == [NONE; THENS] => Some(Play::Pass),
            _ => None,
        }
    }

    /// The consequences of a node's moves, in order, and the node that they apply to.
    pub(super) fn thens(&mut self, at: u16) -> Option<(u16, [u8; THENS])> {
        let (mut leaf, mut thens) = (at, [NONE; THENS]);
        while self.is_op(leaf, Op::Then) {
            (thens[THENS - 1] == NONE).then_some(())?;
            thens.rotate_right(1);
            thens[0] = self.then(self.operand(leaf, place::Then::THEN))?;
            leaf = self.operand(leaf, place::Then::MOVES);
        }
        Some((leaf, thens))
    }

    pub(super) fn then(&mut self, at: u16) -> Option<u8> {
        let then = match self.op(at)?.0 {
            Op::Again => Then::Again(self.asks(Ask::Is(true))?),
            Op::IfMoves
                if self.operand(at, place::IfMoves::NO) == NOTHING
                    && self.is_op(self.operand(at, place::IfMoves::YES), Op::Again) =>
            {
                Then::Again(self.ask(self.operand(at, place::IfMoves::CONDITION))?)
            }
            Op::Custodial => {
                self.catch(at)?;
                Then::Catch
            }
            _ => return None,
        };
        self.plan.thens.push(then).ok()?;
        Some(self.plan.thens.len() as u8 - 1)
    }

    pub(super) fn add(&mut self, at: u16, x: u8, thens: [u8; THENS]) -> Option<Play> {
        let simple = [
            place::Add::MAY_COME,
            place::Add::STATE,
            place::Add::COUNT,
            place::Add::EFFECT,
        ]
        .iter()
        .all(|place| self.operand(at, *place) == NOTHING);
        let stacks = self.game.is(flag::STACKS);
        let is_top = x & bit::TOP != 0;
        (simple && stacks == is_top).then_some(())?;
        let what = self.number_for_each(self.operand(at, place::Add::WHAT))?;
        let players = usize::from(self.game.players());
        let is_piece = |what: &i32| (1..self.game.pieces() as i32).contains(what);
        what.iter()
            .skip(1)
            .take(players)
            .all(is_piece)
            .then_some(())?;
        let what = what.map(|what| what as u8);
        let sites = self.operand(at, place::Add::SITES);
        if !stacks {
            self.is_op(sites, Op::Empty).then_some(())?;
            let sites = self.sets(sites)?;
            return Some(Play::Add {
                what,
                sites,
                below: None,
                thens,
            });
        }
        let (among, truth) = (
            self.operand(sites, place::Filter::SITES),
            self.operand(sites, place::Filter::CONDITION),
        );
        let height = self.operand(truth, place::Less::LEFT);
        let known = self.is_op(sites, Op::Filter)
            && self.is_op(truth, Op::Less)
            && self.is_op(height, Op::Height)
            && self.is_op(self.operand(height, place::Height::SITE), Op::Site);
        let below = known.then(|| self.constant(self.operand(truth, place::Less::RIGHT)))??;
        let below = u8::try_from(below).ok()?;
        let same = self.plan.below.is_none_or(|known| known == below);
        (same && thens == [NONE; THENS]).then_some(())?;
        self.plan.below = Some(below);
        Some(Play::Add {
            what,
            sites: self.sets(among)?,
            below: self.plan.below,
            thens,
        })
    }

    pub(super) fn carry(&mut self, at: u16, x: u8, thens: [u8; THENS]) -> Option<Play> {
        let places = [
            place::FromTo::MAY_GO,
            place::FromTo::MAY_COME,
            place::FromTo::EFFECT,
            place::FromTo::COUNT,
            place::FromTo::COPIES,
        ];
        let simple = places
            .iter()
            .all(|place| self.operand(at, *place) == NOTHING);
        let tos = self.operand(at, place::FromTo::TOS);
        (simple && x & bit::COPY == 0 && self.is_op(tos, Op::Empty)).then_some(())?;
        let (froms, tos) = (
            self.sets(self.operand(at, place::FromTo::FROMS))?,
            self.sets(tos)?,
        );
        Some(Play::Carry { froms, tos, thens })
    }

    pub(super) fn take(&mut self, at: u16, x: u8, thens: [u8; THENS]) -> Option<Play> {
        (x & bit::LATER == 0 && self.operand(at, place::Remove::COUNT) == NOTHING).then_some(())?;
        let mut sites = self.operand(at, place::Remove::SITES);
        let mut only = NONE;
        if self.is_op(sites, Op::Filter) {
            only = self.ask(self.operand(sites, place::Filter::CONDITION))?;
            sites = self.operand(sites, place::Filter::SITES);
        }
        let sites = self.sets(sites)?;
        Some(Play::Take { sites, only, thens })
    }

    /// The moves of each of the mover's pieces.
    pub(super) fn each_piece(&mut self, at: u16) -> Option<Play> {
        self.is_op(self.operand(at, place::ForEachPiece::OWNER), Op::Mover)
            .then_some(())?;
        let sites = match self.operand(at, place::ForEachPiece::SITES) {
            NOTHING => None,
            sites => Some(self.set(sites)?),
        };
        let fixed = Set::owned_of(sites, self.machine.board());
        self.plan.sets.push(fixed).ok()?;
        let sites = self.plan.sets.len() as u8 - 1;
        let (column, own) = (
            self.number(at) & 1,
            self.operand(at, place::ForEachPiece::MOVES),
        );
        if own != NOTHING {
            let (leaf, thens) = self.thens(own)?;
            let go = self.go(leaf, Pieces::Owned(sites))?;
            return self.goes(go, thens);
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
        (self.game.pieces() <= KINDS).then_some(())?;
        let (leaf, thens) = self.thens(moves?)?;
        let go = self.go(leaf, Pieces::Kind(kinds, sites))?;
        self.goes(go, thens)
    }

    pub(super) fn goes(&mut self, go: Go, thens: [u8; THENS]) -> Option<Play> {
        self.plan.goes.push(go).ok()?;
        Some(Play::Go(self.plan.goes.len() as u8 - 1, thens))
    }

    /// A step, slide or hop to empty sites, without further conditions.
    pub(super) fn go(&mut self, leaf: u16, pieces: Pieces) -> Option<Go> {
        let operand = |place| self.operand(leaf, place);
        let from = match pieces {
            Pieces::Last => Op::LastTo,
            _ => Op::From,
        };
        let (gait, ways, open, nothing) = gait_of(self.op(leaf)?.0)?;
        let open = operand(open);
        let is_open = (gait == Gait::Slide && open == NOTHING) || self.asks_for_empty(open);
        let plain = self.is_op(operand(place::Step::FROM), from)
            && is_open
            && nothing.iter().all(|place| operand(*place) == NOTHING);
        plain.then_some(())?;
        let (mut stop, mut takes) = (NONE, false);
        if gait == Gait::Hop {
            (stop, takes) = self.hurdle(
                operand(place::Hop::HURDLE),
                operand(place::Hop::HURDLE_EFFECT),
            )?;
        }
        let ways = self.ways_of(self.operand(leaf, ways))?;
        let all = match ways {
            Ways::Of(choice) | Ways::Last(choice, _) => (0..=self.game.players() + 1)
                .fold(0, |all, owner| all | self.game.choice(choice, owner)),
        };
        (gait != Gait::Step || all & self.machine.shifts().twins == 0).then_some(())?;
        let asks_rows = gait == Gait::Slide || matches!(ways, Ways::Last(..));
        let by_rows = asks_rows && self.rows(all).is_some();
        self.plan.keeps_rows |= by_rows && gait == Gait::Slide;
        let same = (0..=self.game.players() + 1).all(|owner| match ways {
            Ways::Of(choice) => self.game.choice(choice, owner) == all,
            Ways::Last(..) => false,
        });
        let leads = match gait {
            Gait::Step if same => self.leads(all),
            _ => NONE,
        };
        let is_near = same && gait != Gait::Hop && self.near(all);
        Some(Go {
            gait,
            pieces,
            ways,
            leaf,
            stop,
            takes,
            by_rows,
            leads,
            is_near,
        })
    }

    /// True if this condition of a step is that its end is empty.
    fn asks_for_empty(&self, open: u16) -> bool {
        let truth = self
            .everywhere(open, 0)
            .filter(|_| self.is_op(open, Op::Everywhere));
        truth.is_some_and(|truth| {
            self.is_op(truth, Op::IsEmpty)
                && self.is_op(self.operand(truth, place::IsEmpty::SITE), Op::To)
        })
    }

    fn ways_of(&self, node: u16) -> Option<Ways> {
        match self.op(node)? {
            (Op::Choice, _) => Some(Ways::Of(self.operand(node, place::Choice::CHOICE))),
            (Op::LastWay, x) => Some(Ways::Last(
                self.operand(node, place::LastWay::CHOICE),
                x == 1,
            )),
            _ => None,
        }
    }

    /// The index of the table of steps along these ways, or [`NONE`].
    pub(super) fn leads(&mut self, ways: u32) -> u8 {
        let leads = Leads::of::<W>(self.game, ways);
        match leads.is_some_and(|leads| self.plan.leads.push(leads).is_ok()) {
            true => self.plan.leads.len() as u8 - 1,
            false => NONE,
        }
    }

    /// True if there is a table of neighbours along some ways.
    pub(super) fn near(&mut self, ways: u32) -> bool {
        let nears = &mut self.plan.nears;
        if nears.ways == 0 {
            nears.ways = ways;
            for (site, near) in nears.of.iter_mut().enumerate().take(self.game.board()) {
                for way in each_way(ways) {
                    if let Some(next) = self.game.step(site as u8, way) {
                        near.insert(protocol::Point(next));
                    }
                }
            }
        }
        nears.ways == ways
    }

    /// The pieces that may be hopped over, and whether they are captured.
    pub(super) fn hurdle(&mut self, hurdle: u16, effect: u16) -> Option<(u8, bool)> {
        self.is_op(hurdle, Op::Everywhere).then_some(())?;
        let truth = self.everywhere(hurdle, 1)?;
        let players = self.game.players();
        let of = |is: &dyn Fn(u8, u8) -> bool| -> Each<u8> {
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
        (!takes || self.is_taken_away(effect)).then_some(())?;
        self.plan.sets.push(Set::of(classes)).ok()?;
        Some((self.plan.sets.len() as u8 - 1, takes))
    }

    pub(super) fn shoot(&mut self, at: u16) -> Option<Play> {
        let choice = self.operand(at, place::Shoot::WAYS);
        let plain = self.is_op(self.operand(at, place::Shoot::FROM), Op::LastTo)
            && self.is_op(choice, Op::Choice)
            && self.operand(at, place::Shoot::MAY_COME) == NOTHING;
        let what = plain.then(|| self.constant(self.operand(at, place::Shoot::WHAT)))??;
        (1..self.game.pieces() as i32)
            .contains(&what)
            .then_some(())?;
        let ways = self.ways_for_all(choice)?;
        self.rows(ways)?;
        self.plan.keeps_rows = true;
        Some(Play::Shoot {
            what: what as u8,
            ways: self.operand(choice, place::Choice::CHOICE),
        })
    }
}

/// How a move goes, by the name of its node, with its ways, what its end must be, and
/// what a plan has no place for.
fn gait_of(op: Op) -> Option<(Gait, OperandSlot, OperandSlot, &'static [OperandSlot])> {
    Some(match op {
        Op::Step => (
            Gait::Step,
            place::Step::WAYS,
            place::Step::MAY_COME,
            &[place::Step::MAY_GO, place::Step::EFFECT],
        ),
        Op::Slide => (
            Gait::Slide,
            place::Slide::WAYS,
            place::Slide::PASSES,
            &[
                place::Slide::LEAST,
                place::Slide::MOST,
                place::Slide::STOPS,
                place::Slide::MAY_COME,
                place::Slide::EFFECT,
                place::Slide::PASSING_EFFECT,
                place::Slide::TRAIL,
            ],
        ),
        Op::Hop => (
            Gait::Hop,
            place::Hop::WAYS,
            place::Hop::MAY_COME,
            &[
                place::Hop::MAY_GO,
                place::Hop::BEFORE,
                place::Hop::LEAST,
                place::Hop::MOST,
                place::Hop::AFTER,
                place::Hop::STOPS,
                place::Hop::EFFECT,
            ],
        ),
        _ => return None,
    })
}
