//! What a program comes to, as far as it is of kinds that a plan knows.

use super::super::bytes::{Cartridge, NEXT_PHASES, flag};
use super::super::kernels::Gait;
use super::super::machine::Machine;
use super::super::op::{NOTHING, Op};
use super::super::span::Span;
use super::{
    Ask, Each, End, Go, LOTS, MOVERS, NONE, Next, Pieces, Plan, Play, THENS, Then, Ways, Who, rows,
};

/// Bits of the number of [`Op::IsLine`].
const EXACT: u8 = 1;
const LEVELS: u8 = 8;

/// Who makes a plan.
pub(super) struct Maker<'m, 'g, W: Span> {
    pub game: &'g Cartridge<'g>,
    pub machine: &'m mut Machine<'g, W>,
    pub plan: &'m mut Plan<'g, W>,
}

/// True if a node asks of the owner of a site, which is one that is looked at.
pub(super) fn is_of_owner<W: Span>(maker: &Maker<'_, '_, W>, at: u16, op: Op, site: Op) -> bool {
    let who = maker.operand(at, 1);
    maker.is_op(at, op) && maker.is_op(who, Op::Who) && maker.is_op(maker.operand(who, 1), site)
}

impl<W: Span> Maker<'_, '_, W> {
    /// Makes it.
    pub(super) fn make(&mut self) {
        const ODD: u16 =
            flag::NO_REPEAT | flag::NO_REPEAT_SITUATION | flag::SIMULATION | flag::VISITS;
        let known = !self.game.is(ODD)
            && self.game.players() > 0
            && !self.removes_later()
            && (0..self.game.phases()).all(|phase| self.game.phase(phase as u8, 2) == NOTHING)
            && self.ends().is_some();
        if !known {
            return;
        }
        self.plan.fits = true;
        self.plan.knows_nexts = self.nexts().is_some();
        for phase in 0..self.game.phases() {
            let node = self.game.phase(phase as u8, 0);
            let play = self.play(node).unwrap_or(NONE);
            if let Some(place) = self.plan.phases.get_mut(phase) {
                *place = play;
            }
        }
        self.plan.dashes = self.dashes().unwrap_or(NONE);
    }

    /// The play of a game in which two players put pieces in turn, until one is in a
    /// line or there is no room.
    fn dashes(&self) -> Option<u8> {
        let play = *self.plan.phases.first()?;
        let adds = match self.plan.plays.get(usize::from(play))? {
            Play::Add { thens, .. } => *thens == [NONE; THENS],
            _ => false,
        };
        let is_plain = |end: &End| {
            matches!(
                self.plan.asks.get(usize::from(end.when)),
                Some(
                    Ask::Line { is_last: true, .. }
                        | Ask::Shape { is_last: true, .. }
                        | Ask::Levels { .. }
                )
            )
        };
        let ends = self.plan.ends.iter().all(is_plain) && self.plan.ends.len() <= 1;
        let few = self.game.pieces() <= super::super::state::KINDS;
        let plain = few && self.game.players() == 2 && self.game.phases() == 1;
        (adds && ends && plain).then_some(play)
    }

    /// A node that is one.
    pub(super) fn op(&self, at: u16) -> Option<(Op, u8)> {
        let [number, x] = self.machine.word(at);
        (at != NOTHING).then(|| Op::of(number))?.map(|op| (op, x))
    }

    pub(super) fn is_op(&self, at: u16, is: Op) -> bool {
        self.op(at).is_some_and(|(op, _)| op == is)
    }

    pub(super) fn operand(&self, at: u16, place: u16) -> u16 {
        self.machine.operand(at, place)
    }

    pub(super) fn constant(&self, at: u16) -> Option<i32> {
        let is_one = self.is_op(at, Op::Constant);
        is_one.then(|| self.operand(at, 1).cast_signed().into())
    }

    /// A number that depends on nothing but who moves.
    pub(super) fn number_for_each(&self, at: u16) -> Option<Each<i32>> {
        if let Some(number) = self.constant(at) {
            return Some([number; MOVERS]);
        }
        let mover = core::array::from_fn(|mover| mover as i32);
        match self.op(at)?.0 {
            Op::Mover => Some(mover),
            Op::Entry if self.is_op(self.operand(at, 2), Op::Mover) => {
                let table = self.operand(at, 1);
                Some(mover.map(|mover| self.game.entry(table, mover).map_or(-1, i32::from)))
            }
            _ => None,
        }
    }

    /// The truth of a node that is the same however it is asked of a site.
    pub(super) fn everywhere(&self, at: u16, x: u8) -> Option<u16> {
        match self.op(at)? {
            (Op::Everywhere, looked_at) if looked_at == x => Some(self.operand(at, 2)),
            (Op::Everywhere, _) => None,
            _ => Some(at),
        }
    }

    /// The ways of a choice that is the same for all pieces.
    pub(super) fn ways_for_all(&self, at: u16) -> Option<u32> {
        let choice = self.is_op(at, Op::Choice).then(|| self.operand(at, 1))?;
        let ways = self.game.choice(choice, 0);
        self.machine.is_same_for_all(choice, ways).then_some(ways)
    }

    /// The rows of some ways, where pieces are of few kinds.
    pub(super) fn rows(&mut self, ways: u32) -> Option<u8> {
        if self.game.pieces() > rows::KEPT {
            return None;
        }
        self.plan.rows.take(self.game, &self.machine.shifts, ways)
    }

    /// True if a node takes away the piece between, at once.
    pub(super) fn is_taken_away(&self, at: u16) -> bool {
        let remove = match self.op(at) {
            Some((Op::Apply, _)) if self.operand(at, 1) == NOTHING => self.operand(at, 2),
            _ => at,
        };
        let one = self.operand(remove, 1);
        self.op(remove).is_some_and(|(op, x)| op == Op::Remove && x & 2 == 0)
            && self.operand(remove, 2) == NOTHING
            && self.is_op(one, Op::One)
            && self.is_op(self.operand(one, 1), Op::Between)
    }

    /// True if something is removed when a turn is over.
    fn removes_later(&self) -> bool {
        let mut at = 0;
        while let Some((op, x)) = self.op(at) {
            if op == Op::Remove && x & 2 != 0 {
                return true;
            }
            let words = 1 + op.takes().len() + op.each().map_or(0, |_| usize::from(x));
            at += words as u16;
            if usize::from(at) * 2 >= self.game.program.len() {
                return false;
            }
        }
        true
    }

    fn ends(&mut self) -> Option<()> {
        let end = self.game.end();
        let Some((op, x)) = self.op(end) else {
            return (end == NOTHING).then_some(());
        };
        let (rules, many) = match op {
            Op::Rules => (end + 1, u16::from(x)),
            _ => return None,
        };
        for place in 0..many {
            let node = self.machine.operand(rules, place);
            let (Op::When, x) = self.op(node)? else {
                return None;
            };
            let when = self.ask(self.operand(node, 1))?;
            let end = End {
                when,
                node,
                rules: x,
            };
            self.plan.ends.push(end).ok()?;
        }
        Some(())
    }

    fn nexts(&mut self) -> Option<()> {
        for phase in 0..self.game.phases() as u8 {
            for next in 0..NEXT_PHASES {
                let place = 3 + 3 * next;
                let who = self.game.phase(phase, place);
                if who == NOTHING {
                    break;
                }
                let all = i32::from(self.game.players()) + 1;
                let who = match self.who(who)? {
                    Who::Number(number) if i32::from(number) == all => None,
                    who => Some(who),
                };
                let when = match self.game.phase(phase, place + 1) {
                    NOTHING => self.asks(Ask::Is(true))?,
                    when => self.ask(when)?,
                };
                let to = self.game.phase(phase, place + 2) as u8;
                let next = Next {
                    phase,
                    who,
                    when,
                    to,
                };
                self.plan.nexts.push(next).ok()?;
                self.plan.followed |= 1 << (phase & 15);
            }
        }
        Some(())
    }

    fn who(&self, at: u16) -> Option<Who> {
        if let Some(number) = self.constant(at) {
            return u8::try_from(number).ok().map(Who::Number);
        }
        match self.op(at)?.0 {
            Op::Mover => Some(Who::Mover),
            Op::Next => Some(Who::Next),
            Op::Previous => Some(Who::Previous),
            _ => None,
        }
    }

    fn asks(&mut self, ask: Ask) -> Option<u8> {
        self.plan.asks.push(ask).ok()?;
        Some(self.plan.asks.len() as u8 - 1)
    }

    /// The number of a set.
    pub(super) fn sets(&mut self, at: u16) -> Option<u8> {
        let set = self.set(at)?;
        if let Some(known) = self.plan.sets.iter().position(|known| *known == set) {
            return Some(known as u8);
        }
        self.plan.sets.push(set).ok()?;
        Some(self.plan.sets.len() as u8 - 1)
    }

    /// A truth; one that is not known is asked of the program.
    pub(super) fn ask(&mut self, at: u16) -> Option<u8> {
        let ask = self.known_ask(at).unwrap_or(Ask::Node(at));
        self.asks(ask)
    }

    fn known_ask(&mut self, at: u16) -> Option<Ask> {
        let (op, x) = self.op(at)?;
        let operand = |place| self.operand(at, place);
        match op {
            Op::True => Some(Ask::Is(true)),
            Op::False => Some(Ask::Is(false)),
            Op::NoMoves => Some(Ask::NoMoves),
            Op::Not => {
                let not = operand(1);
                Some(Ask::Not(self.ask(not)?))
            }
            Op::And | Op::Or => self.both(at, op, x),
            Op::Equal => self.equal(operand(1), operand(2)),
            Op::Less | Op::AtMost => self.few(op, operand(1), operand(2)),
            Op::AllSites => {
                let (sites, truth) = (operand(1), operand(2));
                let is_empty = self.is_op(truth, Op::IsEmpty)
                    && self.is_op(self.operand(truth, 1), Op::Site);
                let [one, other] = [1, 2].map(|place| self.operand(truth, place));
                let is_none = |number, count| {
                    self.constant(number) == Some(0)
                        && self.is_op(count, Op::CountAt)
                        && self.is_op(self.operand(count, 1), Op::Site)
                };
                let is_vacant = is_empty
                    || (self.is_op(truth, Op::Equal)
                        && (is_none(one, other) || is_none(other, one)));
                is_vacant.then_some(())?;
                Some(Ask::Vacant(self.sets(sites)?))
            }
            Op::IsLine => self.line(at, x),
            Op::IsPattern => {
                let shape = self.shape(&[at])?;
                Some(Ask::Shape {
                    shape,
                    is_last: true,
                    node: at,
                })
            }
            Op::CanMove => {
                let play = self.play(operand(1))?;
                let known = self.plan.plays.get(usize::from(play));
                let is_known = !matches!(known, Some(Play::Unknown | Play::If(..)));
                is_known.then_some(Ask::Can(play))
            }
            _ => None,
        }
    }

    /// All of some truths, or one of them: two and two. Patterns are one.
    fn both(&mut self, at: u16, op: Op, x: u8) -> Option<Ask> {
        let both = |one, other| match op {
            Op::And => Ask::And(one, other),
            _ => Ask::Or(one, other),
        };
        let mut patterns = heapless::Vec::<u16, 8>::new();
        let mut all = None;
        for place in 1..=u16::from(x) {
            let node = self.operand(at, place);
            if op == Op::Or && self.is_shape(node) && patterns.push(node).is_ok() {
                continue;
            }
            let one = self.ask(node)?;
            all = Some(match all {
                Some(before) => self.asks(both(before, one))?,
                None => one,
            });
        }
        let all = match all {
            Some(all) => *self.plan.asks.get(usize::from(all))?,
            None => Ask::Is(op == Op::And),
        };
        if patterns.is_empty() {
            return Some(all);
        }
        let shape = Ask::Shape {
            shape: self.shape(&patterns)?,
            is_last: true,
            node: at,
        };
        if matches!(all, Ask::Is(_)) {
            return Some(shape);
        }
        Some(both(self.asks(all)?, self.asks(shape)?))
    }

    /// True if a node is a shape at the last site.
    fn is_shape(&self, at: u16) -> bool {
        let pivot = |place| self.is_op(self.operand(at, place), Op::LastTo);
        match self.op(at) {
            Some((Op::IsPattern, _)) => pivot(1),
            Some((Op::IsLine, _)) => pivot(2) && self.is_short_line(at),
            _ => false,
        }
    }

    fn equal(&self, one: u16, other: u16) -> Option<Ask> {
        let ops = [self.op(one)?.0, self.op(other)?.0];
        if matches!(ops, [Op::Mover, Op::Previous] | [Op::Previous, Op::Mover]) {
            return Some(Ask::SameTurn);
        }
        let (modulo, rest) = match ops {
            [Op::Modulo, Op::Constant] => (one, other),
            [Op::Constant, Op::Modulo] => (other, one),
            _ => return None,
        };
        let by = self.constant(self.operand(modulo, 2))?;
        let of_moves = self.is_op(self.operand(modulo, 1), Op::Moves);
        (of_moves && by != 0).then_some(Ask::Rest(by, self.constant(rest)?))
    }

    /// A comparison of a number with that of someone's pieces.
    fn few(&mut self, op: Op, one: u16, other: u16) -> Option<Ask> {
        let less = i32::from(op == Op::Less);
        if let Some(most) = self.constant(other) {
            let who = self.pieces_of(one)?;
            return Some(Ask::Few {
                who,
                most: most - less,
            });
        }
        // At least so many are not at most one less.
        let least = self.constant(one)?;
        let who = self.pieces_of(other)?;
        let few = self.asks(Ask::Few {
            who,
            most: least - 1 + less,
        })?;
        Some(Ask::Not(few))
    }

    fn pieces_of(&self, at: u16) -> Option<Who> {
        let sites = self.operand(at, 1);
        let is_one = self.is_op(at, Op::PiecesOn) && self.is_op(sites, Op::OccupiedBy);
        let who = is_one.then(|| self.who(self.operand(sites, 1)))??;
        Some(who)
    }

    fn line(&mut self, at: u16, x: u8) -> Option<Ask> {
        let length = self.constant(self.operand(at, 3))?;
        let pivot = self.op(self.operand(at, 2))?.0;
        let is_last = pivot == Op::LastTo;
        let plain = [4, 5].iter().all(|place| self.operand(at, *place) == NOTHING)
            && (is_last || pivot == Op::Site);
        plain.then_some(())?;
        let ways = self.ways_for_all(self.operand(at, 1))?;
        if x == LEVELS {
            is_last.then_some(())?;
            let axes = match length > 1 {
                true => self.rows(ways).unwrap_or(0),
                false => 0,
            };
            self.plan.keeps_levels |= axes != 0;
            return Some(Ask::Levels { ways, length, axes });
        }
        if self.is_short_line(at) {
            let shape = self.shape(&[at])?;
            return Some(Ask::Shape {
                shape,
                is_last,
                node: at,
            });
        }
        (x & !EXACT == 0 && length > 0).then_some(())?;
        let axes = self.rows(ways)?;
        self.plan.keeps_rows = true;
        Some(Ask::Line {
            axes,
            length: u8::try_from(length).ok()?,
            is_exact: x & EXACT != 0,
            is_last,
            node: at,
        })
    }

    /// The number of what is to be played by a node.
    fn play(&mut self, at: u16) -> Option<u8> {
        let play = self.known_play(at).unwrap_or(Play::Unknown);
        self.plan.plays.push(play).ok()?;
        Some(self.plan.plays.len() as u8 - 1)
    }

    fn known_play(&mut self, at: u16) -> Option<Play> {
        let (op, x) = self.op(at)?;
        if op == Op::IfMoves {
            let [truth, one, other] = [1, 2, 3].map(|place| self.operand(at, place));
            let ask = self.ask(truth)?;
            let one = self.play(one)?;
            let other = self.play(other)?;
            return Some(Play::If(ask, one, other));
        }
        if op == Op::Any {
            (1..=LOTS as u8).contains(&x).then_some(())?;
            let mut lots = [NONE; LOTS];
            for (place, lot) in lots.iter_mut().enumerate().take(x.into()) {
                let play = self.play(self.operand(at, place as u16 + 1))?;
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

    /// What comes after the moves of a node, the first one first, and the node
    /// without it.
    fn thens(&mut self, at: u16) -> Option<(u16, [u8; THENS])> {
        let (mut leaf, mut thens) = (at, [NONE; THENS]);
        while self.is_op(leaf, Op::Then) {
            (thens[THENS - 1] == NONE).then_some(())?;
            thens.rotate_right(1);
            thens[0] = self.then(self.operand(leaf, 2))?;
            leaf = self.operand(leaf, 1);
        }
        Some((leaf, thens))
    }

    fn then(&mut self, at: u16) -> Option<u8> {
        let then = match self.op(at)?.0 {
            Op::Again => Then::Again(self.asks(Ask::Is(true))?),
            Op::IfMoves
                if self.operand(at, 3) == NOTHING && self.is_op(self.operand(at, 2), Op::Again) =>
            {
                Then::Again(self.ask(self.operand(at, 1))?)
            }
            Op::Custodial => {
                self.catch(at)?;
                Then::Catch
            },
            _ => return None,
        };
        self.plan.thens.push(then).ok()?;
        Some(self.plan.thens.len() as u8 - 1)
    }

    fn add(&mut self, at: u16, x: u8, thens: [u8; THENS]) -> Option<Play> {
        let simple = [3, 4, 5, 6].iter().all(|place| self.operand(at, *place) == NOTHING);
        let stacks = self.game.is(flag::STACKS);
        let is_top = x & 2 != 0;
        (simple && stacks == is_top).then_some(())?;
        let what = self.number_for_each(self.operand(at, 1))?;
        let players = usize::from(self.game.players());
        let is_piece = |what: &i32| (1..self.game.pieces() as i32).contains(what);
        what.iter().skip(1).take(players).all(is_piece).then_some(())?;
        let what = what.map(|what| what as u8);
        let sites = self.operand(at, 2);
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
        let (among, truth) = (self.operand(sites, 1), self.operand(sites, 2));
        let height = self.operand(truth, 1);
        let known = self.is_op(sites, Op::Filter)
            && self.is_op(truth, Op::Less)
            && self.is_op(height, Op::Height)
            && self.is_op(self.operand(height, 1), Op::Site);
        let below = known.then(|| self.constant(self.operand(truth, 2)))??;
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

    fn carry(&mut self, at: u16, x: u8, thens: [u8; THENS]) -> Option<Play> {
        let places = [2, 4, 5, 6, 7];
        let simple = places.iter().all(|place| self.operand(at, *place) == NOTHING);
        let tos = self.operand(at, 3);
        (simple && x & 2 == 0 && self.is_op(tos, Op::Empty)).then_some(())?;
        let (froms, tos) = (self.sets(self.operand(at, 1))?, self.sets(tos)?);
        Some(Play::Carry { froms, tos, thens })
    }

    fn take(&mut self, at: u16, x: u8, thens: [u8; THENS]) -> Option<Play> {
        (x & 2 == 0 && self.operand(at, 2) == NOTHING).then_some(())?;
        let mut sites = self.operand(at, 1);
        let mut only = NONE;
        if self.is_op(sites, Op::Filter) {
            only = self.ask(self.operand(sites, 2))?;
            sites = self.operand(sites, 1);
        }
        let sites = self.sets(sites)?;
        Some(Play::Take { sites, only, thens })
    }

    /// The moves of each piece of the mover.
    fn each_piece(&mut self, at: u16) -> Option<Play> {
        self.is_op(self.operand(at, 1), Op::Mover).then_some(())?;
        let sites = match self.operand(at, 2) {
            NOTHING => None,
            sites => Some(self.set(sites)?),
        };
        let board = super::super::machine::first_bits(self.game.board());
        let fixed = super::sets::Set::owned_of(sites, crate::points::Points(board));
        self.plan.sets.push(fixed).ok()?;
        let sites = self.plan.sets.len() as u8 - 1;
        let (column, own) = (self.machine.word(at)[1] & 1, self.operand(at, 3));
        if own != NOTHING {
            let (leaf, thens) = self.thens(own)?;
            let go = self.go(leaf, Pieces::Owned(sites))?;
            return self.goes(go, thens);
        }
        // Each player has one kind that moves, and all move alike.
        let mut kinds = [0; MOVERS];
        let mut moves = None;
        for player in 1..=self.game.players() {
            let of = |what: u8| self.game.piece(what).moves.get(usize::from(column)).copied();
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
        (self.game.pieces() <= super::super::state::KINDS).then_some(())?;
        let (leaf, thens) = self.thens(moves?)?;
        let go = self.go(leaf, Pieces::Kind(kinds, sites))?;
        self.goes(go, thens)
    }

    fn goes(&mut self, go: Go, thens: [u8; THENS]) -> Option<Play> {
        self.plan.goes.push(go).ok()?;
        Some(Play::Go(self.plan.goes.len() as u8 - 1, thens))
    }

    /// A step, a slide or a hop to empty sites, of which nothing else is asked.
    fn go(&mut self, leaf: u16, pieces: Pieces) -> Option<Go> {
        let operand = |place| self.operand(leaf, place);
        let from = match pieces {
            Pieces::Last => Op::LastTo,
            _ => Op::From,
        };
        let (gait, ways, open, nothing): (_, _, _, &[u16]) = match self.op(leaf)?.0 {
            Op::Step => (Gait::Step, 3, 4, &[2, 5]),
            Op::Slide => (Gait::Slide, 2, 5, &[3, 4, 6, 7, 8, 9, 10]),
            Op::Hop => (Gait::Hop, 3, 9, &[2, 4, 5, 6, 7, 10, 12]),
            _ => return None,
        };
        let open = operand(open);
        let is_open = (gait == Gait::Slide && open == NOTHING) || {
            let truth = self.everywhere(open, 0).filter(|_| self.is_op(open, Op::Everywhere));
            truth.is_some_and(|truth| {
                self.is_op(truth, Op::IsEmpty) && self.is_op(self.operand(truth, 1), Op::To)
            })
        };
        let plain = self.is_op(operand(1), from)
            && is_open
            && nothing.iter().all(|place| operand(*place) == NOTHING);
        plain.then_some(())?;
        let (mut stop, mut takes) = (NONE, false);
        if gait == Gait::Hop {
            (stop, takes) = self.hurdle(operand(8), operand(11))?;
        }
        let node = self.operand(leaf, ways);
        let ways = match self.op(node)? {
            (Op::Choice, _) => Ways::Of(self.operand(node, 1)),
            (Op::LastWay, x) => Ways::Last(self.operand(node, 1), x == 1),
            _ => return None,
        };
        let all = match ways {
            Ways::Of(choice) | Ways::Last(choice, _) => {
                (0..=self.game.players() + 1).fold(0, |all, owner| all | self.game.choice(choice, owner))
            }
        };
        (gait != Gait::Step || all & self.machine.shifts.twins == 0).then_some(())?;
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

    /// Where each site leads on some ways, if that is known.
    fn leads(&mut self, ways: u32) -> u8 {
        let leads = super::Leads::of::<W>(self.game, ways);
        match leads.is_some_and(|leads| self.plan.leads.push(leads).is_ok()) {
            true => self.plan.leads.len() as u8 - 1,
            false => NONE,
        }
    }

    /// True if it is known what is next to each site on some ways.
    fn near(&mut self, ways: u32) -> bool {
        let nears = &mut self.plan.nears;
        if nears.ways == 0 {
            nears.ways = ways;
            for (site, near) in nears.of.iter_mut().enumerate().take(self.game.board()) {
                for way in super::super::sites::each_way(ways) {
                    if let Some(next) = self.game.step(site as u8, way) {
                        near.insert(protocol::Point(next));
                    }
                }
            }
        }
        nears.ways == ways
    }

    /// Whose pieces are hopped over, and whether they are taken.
    fn hurdle(&mut self, hurdle: u16, effect: u16) -> Option<(u8, bool)> {
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
        self.plan.sets.push(super::sets::Set::of(classes)).ok()?;
        Some((self.plan.sets.len() as u8 - 1, takes))
    }

    fn shoot(&mut self, at: u16) -> Option<Play> {
        let choice = self.operand(at, 2);
        let plain = self.is_op(self.operand(at, 1), Op::LastTo)
            && self.is_op(choice, Op::Choice)
            && self.operand(at, 3) == NOTHING;
        let what = plain.then(|| self.constant(self.operand(at, 4)))??;
        (1..self.game.pieces() as i32).contains(&what).then_some(())?;
        let ways = self.ways_for_all(choice)?;
        self.rows(ways)?;
        self.plan.keeps_rows = true;
        Some(Play::Shoot {
            what: what as u8,
            ways: self.operand(choice, 1),
        })
    }
}
