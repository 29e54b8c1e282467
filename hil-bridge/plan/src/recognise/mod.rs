//! Recognises the kinds of moves, conditions and rules of a program that a plan has
//! tables for.

use firmware_core::cartridge::bytes::{NEXT_PHASES, flag};
use firmware_core::cartridge::inside::Inside;
use firmware_core::cartridge::op::{NOTHING, NotedSite, Op, OperandSlot, bit, slot};
use firmware_core::word::Word;

use super::builder::PlanBuilder;
use super::{
    Condition, ConditionId, EndRule, ForEachMover, MOVERS, NO_CONSEQUENCES, PhaseChange, Play,
    PlayId, SetId, Who, rows,
};

mod conditions;
mod plays;

/// True if a node is the owner of the current site.
pub(super) fn is_of_owner<W: Word>(
    builder: &PlanBuilder<'_, '_, W>,
    at: u16,
    op: Op,
    site: Op,
) -> bool {
    let who = builder.operand(at, slot::IsEnemy::OWNER);
    builder.is_op(at, op)
        && builder.is_op(who, Op::Who)
        && builder.is_op(builder.operand(who, slot::Who::SITE), site)
}

impl<W: Word> PlanBuilder<'_, '_, W> {
    /// Fills the tables of the plan.
    pub(super) fn build(&mut self) {
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
        self.plan.knows_phase_changes = self.phase_changes().is_some();
        for phase in 0..self.game.phases() {
            let node = self.game.phase(phase as u8, 0);
            let play = self.play(node);
            if let Some(place) = self.plan.phases.get_mut(phase) {
                *place = play;
            }
        }
        self.plan.placements = self.placements();
    }

    /// The play of a game in which two players place pieces in turn until there is a line
    /// or the board is full.
    fn placements(&self) -> Option<PlayId> {
        let play = (*self.plan.phases.first()?)?;
        let adds = match self.plan.plays.get(play)? {
            Play::Add { consequences, .. } => *consequences == NO_CONSEQUENCES,
            _ => false,
        };
        let is_plain = |end: &EndRule| {
            matches!(
                self.plan.conditions.get(end.when),
                Some(
                    Condition::Line { is_last: true, .. }
                        | Condition::Shape { is_last: true, .. }
                        | Condition::LineOnStacks { .. }
                )
            )
        };
        let ends = self.plan.ends.iter().all(is_plain) && self.plan.ends.len() <= 1;
        let few = self.game.pieces() <= firmware_core::cartridge::state::KINDS;
        let plain = few && self.game.players() == 2 && self.game.phases() == 1;
        (adds && ends && plain).then_some(play)
    }

    /// The operation of a node and its operand; `None` if there is no such node.
    pub(super) fn op(&self, at: u16) -> Option<(Op, u8)> {
        self.left.set(self.left.get().checked_sub(1)?);
        let [number, extra] = self.game.program(at).to_le_bytes();
        (at != NOTHING)
            .then(|| Op::of(number))?
            .map(|op| (op, extra))
    }

    /// The number in a node's first word.
    pub(super) fn number(&self, at: u16) -> u8 {
        let [_, extra] = self.game.program(at).to_le_bytes();
        extra
    }

    pub(super) fn is_op(&self, at: u16, is: Op) -> bool {
        self.op(at).is_some_and(|(op, _)| op == is)
    }

    pub(super) fn operand(&self, at: u16, slot: OperandSlot) -> u16 {
        self.game.operand(at, slot)
    }

    pub(super) fn constant(&self, at: u16) -> Option<i32> {
        let is_one = self.is_op(at, Op::Constant);
        is_one.then(|| self.operand(at, slot::Constant::VALUE).cast_signed().into())
    }

    /// A number that only depends on the mover, for each of them.
    pub(super) fn number_for_each(&self, at: u16) -> Option<ForEachMover<i32>> {
        if let Some(number) = self.constant(at) {
            return Some([number; MOVERS]);
        }
        let mover = core::array::from_fn(|mover| mover as i32);
        match self.op(at)?.0 {
            Op::Mover => Some(mover),
            Op::Entry if self.is_op(self.operand(at, slot::Entry::INDEX), Op::Mover) => {
                let table = self.operand(at, slot::Entry::TABLE);
                Some(mover.map(|mover| self.game.entry(table, mover).map_or(-1, i32::from)))
            }
            _ => None,
        }
    }

    /// The part of a node that holds for this site in every context.
    pub(super) fn everywhere(&self, at: u16, site: NotedSite) -> Option<u16> {
        match self.op(at)? {
            (Op::Everywhere, extra) if NotedSite::of(extra) == site => {
                Some(self.operand(at, slot::Everywhere::CONDITION))
            }
            (Op::Everywhere, _) => None,
            _ => Some(at),
        }
    }

    /// The ways of a choice, if they are the same for all pieces.
    pub(super) fn ways_for_all(&self, at: u16) -> Option<u32> {
        let choice = self
            .is_op(at, Op::Choice)
            .then(|| self.operand(at, slot::Choice::CHOICE))?;
        let ways = self.game.choice(choice, 0);
        let mut owners = 1..=self.game.players() + 1;
        owners
            .all(|owner| self.game.choice(choice, owner) == ways)
            .then_some(ways)
    }

    /// The rows of these ways, if there are few enough kinds of pieces.
    pub(super) fn rows(&mut self, ways: u32) -> Option<u8> {
        if self.game.pieces() > rows::KEPT {
            return None;
        }
        self.plan.rows.take(self.game, self.machine.shifts(), ways)
    }

    /// True if a node removes the piece between start and target at once.
    pub(super) fn is_taken_away(&self, at: u16) -> bool {
        let remove = match self.op(at) {
            Some((Op::Apply, _)) if self.operand(at, slot::Apply::CONDITION) == NOTHING => {
                self.operand(at, slot::Apply::MOVES)
            }
            _ => at,
        };
        let one = self.operand(remove, slot::Remove::SITES);
        self.op(remove)
            .is_some_and(|(op, extra)| op == Op::Remove && extra & bit::LATER == 0)
            && self.operand(remove, slot::Remove::COUNT) == NOTHING
            && self.is_op(one, Op::One)
            && self.is_op(self.operand(one, slot::One::SITE), Op::Between)
    }

    /// True if pieces are removed at the end of a turn.
    fn removes_later(&self) -> bool {
        let mut at = 0;
        while let Some((op, extra)) = self.op(at) {
            if op == Op::Remove && extra & bit::LATER != 0 {
                return true;
            }
            let words = 1 + op.takes().len() + op.each().map_or(0, |_| usize::from(extra));
            at += words as u16;
            if usize::from(at) >= self.game.words() {
                return false;
            }
        }
        true
    }

    fn ends(&mut self) -> Option<()> {
        let end = self.game.end();
        let Some((op, extra)) = self.op(end) else {
            return (end == NOTHING).then_some(());
        };
        if op != Op::Rules {
            return None;
        }
        for slot in slot::Rules::each(extra) {
            let node = self.operand(end, slot);
            let (Op::When, extra) = self.op(node)? else {
                return None;
            };
            let when = self.condition(self.operand(node, slot::When::CONDITION))?;
            let rule = EndRule {
                when,
                node,
                rules: extra,
            };
            self.plan.ends.push(rule).ok()?;
        }
        Some(())
    }

    fn phase_changes(&mut self) -> Option<()> {
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
                    NOTHING => self.push_condition(Condition::Always(true))?,
                    when => self.condition(when)?,
                };
                let to = self.game.phase(phase, place + 2) as u8;
                let change = PhaseChange {
                    from: phase,
                    who,
                    when,
                    to,
                };
                self.plan.phase_changes.push(change).ok()?;
                self.plan.phases_that_end |= 1 << (phase & 15);
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

    fn push_condition(&mut self, condition: Condition) -> Option<ConditionId> {
        self.plan.conditions.push(condition)
    }

    /// A node's set, added to the table if it is new.
    pub(super) fn set_id(&mut self, at: u16) -> Option<SetId> {
        let set = self.set(at)?;
        self.plan.sets.find_or_push(set)
    }

    /// A node's condition, added to the table. One of an unknown kind is left to the
    /// machine.
    pub(super) fn condition(&mut self, at: u16) -> Option<ConditionId> {
        let condition = self.known_condition(at).unwrap_or(Condition::Node(at));
        self.push_condition(condition)
    }
}
