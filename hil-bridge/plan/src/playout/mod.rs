//! Random games played with a plan, which draws each move as the machine would.
//!
//! - [`going`]: where pieces may move. [`turn`]: the effects of a move. [`conditions`]:
//!   what holds.
//! - [`placements`]: games in which every move places a piece.

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::inside::{Fan, Inside};
use firmware_core::cartridge::machine::Machine;
use firmware_core::points::Points;
use firmware_core::rng::Rng;
use firmware_core::word::Word;

use super::{
    ConditionId, Consequences, ForEachMover, Levels, MAX_CHOICES, MOVERS, NO_CONSEQUENCES,
    PieceMoves, PieceMovesId, Plan, Play, PlayId, RowOccupancies, SetId,
};

mod conditions;
mod going;
mod placements;
mod turn;

use conditions::{lower, phase_of};
use going::nth_shot;

/// A random game played with a plan. It keeps tables beside the machine's state, such as
/// the pieces on each row. The machine must be one of the plan's game.
pub struct Playout<'p, 'g, W: Word> {
    plan: &'p Plan<'g, W>,
    rows: RowOccupancies,
    levels: Levels,
    /// In a game of stacks, the sites whose stack has room.
    low: Points<W>,
    /// The number of the position to which these tables belong.
    epoch: u64,
    by_plan: u64,
}

/// A move that was chosen.
struct ChosenMove {
    effect: Effect,
    /// The sites where it starts and ends.
    ends: [u8; 2],
    /// The site of the piece that it hops over and captures.
    captured: Option<u8>,
    consequences: Consequences,
}

/// The piece that a move places.
#[derive(Clone, Copy)]
struct NewPiece<'p> {
    /// The piece of each mover.
    what: &'p ForEachMover<u8>,
    /// If it is placed on a stack, of fewer than this many.
    below: Option<u8>,
}

/// The effect of a move.
#[derive(Clone, Copy)]
enum Effect {
    /// Places a piece on this site.
    Add(u8),
    /// Places a piece on a stack of fewer than this many.
    Top(u8, u8),
    /// Moves a piece.
    Move,
    /// Removes a piece.
    Remove,
}

impl<'p, 'g, W: Word> Playout<'p, 'g, W> {
    /// A playout with this plan.
    #[must_use]
    pub fn of(plan: &'p Plan<'g, W>) -> Self {
        Playout {
            plan,
            rows: RowOccupancies::NOTHING,
            levels: Levels::NOTHING,
            low: Points::NONE,
            epoch: u64::MAX,
            by_plan: 0,
        }
    }

    /// The number of moves that the plan played; the machine played the others.
    #[must_use]
    pub fn by_plan(&self) -> u64 {
        self.by_plan
    }

    /// Starts a game, as [`Machine::start`] does.
    pub fn start(&mut self, machine: &mut Machine<'g, W>) {
        match &self.plan.begun {
            Some(begun) if !machine.keeps => machine.start_at(begun),
            _ => machine.start(),
        }
    }

    /// Plays a random legal move, as [`Machine::play_random`] does.
    pub fn play(&mut self, machine: &mut Machine<'g, W>, rng: &mut Rng) -> bool {
        machine.fuel_again();
        if machine.state.over || machine.gave_up() {
            return false;
        }
        if self.play_by_plan(machine, rng).is_some() {
            self.by_plan += 1;
            return true;
        }
        machine.play_random(rng)
    }

    /// Plays to the end of the game. Returns the number of moves.
    pub fn play_on(&mut self, machine: &mut Machine<'g, W>, rng: &mut Rng) -> u64 {
        let mut moves = 0;
        loop {
            let many = self.play_placements(machine, rng);
            self.by_plan += many;
            moves += many;
            if !self.play(machine, rng) {
                return moves;
            }
            moves += 1;
        }
    }

    /// [`Playout::play`] with the plan alone. If the plan cannot generate the moves,
    /// returns `None` before it changes anything or draws a number.
    #[inline]
    fn play_by_plan(&mut self, machine: &mut Machine<'g, W>, rng: &mut Rng) -> Option<()> {
        let plan = self.plan;
        let fits = plan.fits && !machine.keeps && machine.has_plenty();
        if !fits || (plan.game.is(flag::SWAP) && machine.may_swap()) {
            return None;
        }
        let has_tables = plan.keeps_rows || plan.below.is_some();
        if has_tables && self.epoch != machine.epoch() {
            self.rebuild(machine);
        }
        match *self.now(machine)? {
            Play::Add {
                ref what,
                sites,
                below,
                consequences,
            } => self.play_add(machine, rng, NewPiece { what, below }, sites, consequences),
            Play::FromTo {
                froms,
                tos,
                consequences,
            } => self.play_from_to(machine, rng, [froms, tos], consequences),
            Play::Along {
                moves,
                consequences,
            } => self.play_along(machine, rng, moves, consequences),
            Play::Shoot { what, ways } => self.play_shot(machine, rng, what, ways),
            Play::Remove {
                sites,
                only_if,
                consequences,
            } => self.play_removal(machine, rng, sites, only_if, consequences),
            Play::AnyOf(plays) => self.play_any_of(machine, rng, plays),
            Play::Unknown | Play::If { .. } | Play::Pass => None,
        }
    }

    #[inline]
    fn play_add(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        NewPiece { what, below }: NewPiece<'_>,
        sites: SetId,
        consequences: Consequences,
    ) -> Option<()> {
        let mut sites = self.set(machine, sites);
        if below.is_some() {
            sites &= self.low;
        }
        let many = sites.len() as u32;
        if many == 0 {
            return None;
        }
        let site = sites.nth(rng.below(many) as usize)?.0;
        let what = what[usize::from(machine.state.mover) % MOVERS];
        let effect = match below {
            Some(below) => Effect::Top(what, below),
            None => Effect::Add(what),
        };
        self.play_one(machine, effect, [site; 2], consequences);
        Some(())
    }

    #[inline]
    fn play_from_to(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        [froms, tos]: [SetId; 2],
        consequences: Consequences,
    ) -> Option<()> {
        let froms = self.set(machine, froms) & machine.state.occupied();
        let tos = self.set(machine, tos);
        let (many, each) = (froms.len() as u32, tos.len() as u32);
        if many * each == 0 {
            return None;
        }
        let n = rng.below(many * each);
        let from = froms.nth((n / each) as usize)?.0;
        let to = tos.nth((n % each) as usize)?.0;
        machine.state.mover_can_move();
        self.play_one(machine, Effect::Move, [from, to], consequences);
        Some(())
    }

    #[inline]
    fn play_along(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        moves: PieceMovesId,
        consequences: Consequences,
    ) -> Option<()> {
        let plan = self.plan;
        let moves = plan.piece_moves.get(moves)?;
        if let Some(table) = moves
            .step_table
            .and_then(|table| plan.step_tables.get(table))
        {
            let (pieces, _) = self.pieces(machine, moves)?;
            let open = machine.board().without(machine.state.occupied());
            let steps = table.steps(pieces, open);
            let many = steps.many();
            if many == 0 {
                return None;
            }
            let ends = table.nth(pieces, open, steps, rng.below(many))?;
            machine.state.mover_can_move();
            self.play_one(machine, Effect::Move, ends, consequences);
            return Some(());
        }
        let fan = self.fan(machine, moves)?;
        if fan.many == 0 {
            return None;
        }
        let n = rng.below(fan.many);
        self.play_of_fan(machine, moves, &fan, n, consequences)
    }

    #[inline]
    fn play_shot(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        what: u8,
        ways: u16,
    ) -> Option<()> {
        let shots = self.shots(machine, ways)?;
        if shots.many == 0 {
            return None;
        }
        let to = nth_shot(machine, &shots, rng.below(shots.many))?;
        machine.state.mover_can_move();
        self.play_one(machine, Effect::Add(what), [to; 2], NO_CONSEQUENCES);
        Some(())
    }

    #[inline]
    fn play_removal(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        sites: SetId,
        only_if: Option<ConditionId>,
        consequences: Consequences,
    ) -> Option<()> {
        let sites = self.removable(machine, sites, only_if);
        let many = sites.len() as u32;
        if many == 0 {
            return None;
        }
        let site = sites.nth(rng.below(many) as usize)?.0;
        machine.state.mover_can_move();
        self.play_one(machine, Effect::Remove, [site; 2], consequences);
        Some(())
    }

    /// The play of the mover's phase; `None` if only the machine can generate the moves.
    #[inline]
    fn now(&mut self, machine: &mut Machine<'g, W>) -> Option<&'p Play> {
        let plan = self.plan;
        let phase = usize::from(phase_of(machine, machine.state.mover));
        let mut at = (*plan.phases.get(phase)?)?;
        loop {
            match plan.plays.get(at)? {
                Play::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    at = if self.holds(machine, *condition, -1) {
                        *then
                    } else {
                        *otherwise
                    };
                }
                Play::Unknown => return None,
                play => return Some(play),
            }
        }
    }

    /// Recomputes the tables beside the machine's state.
    fn rebuild(&mut self, machine: &Machine<'g, W>) {
        let (plan, state) = (self.plan, &machine.state);
        self.epoch = machine.epoch();
        let pieces = state.occupied() & machine.board();
        if plan.keeps_rows {
            self.rows.clear(&plan.rows);
            for site in pieces {
                self.rows.toggle(&plan.rows, site.0, state.what(site.0));
            }
        }
        if plan.keeps_levels {
            self.levels.clear(&plan.rows, plan.game.pieces());
            for site in pieces {
                for level in 0..state.height(site.0) {
                    let what = state.level(plan.game, site.0, level);
                    self.levels.put(&plan.rows, site.0, level, what);
                }
            }
        }
        if let Some(below) = plan.below {
            self.low = lower(machine, below);
        }
    }

    #[inline]
    fn set(&self, machine: &Machine<'g, W>, set: SetId) -> Points<W> {
        let set = self.plan.sets.get(set);
        set.map_or(Points::NONE, |set| set.sites(machine))
    }

    /// The sites whose piece may be removed.
    fn removable(
        &mut self,
        machine: &mut Machine<'g, W>,
        sites: SetId,
        only_if: Option<ConditionId>,
    ) -> Points<W> {
        let sites = self.set(machine, sites);
        let Some(condition) = only_if else {
            return sites & machine.state.occupied();
        };
        let mut some = Points::NONE;
        for site in sites {
            if self.holds(machine, condition, site.0.into()) {
                some.insert(site);
            }
        }
        some & machine.state.occupied()
    }

    fn play_of_fan(
        &mut self,
        machine: &mut Machine<'g, W>,
        moves: &PieceMoves,
        fan: &Fan<W>,
        n: u32,
        consequences: Consequences,
    ) -> Option<()> {
        let single = machine.nth_of_fan(moves.leaf, fan, n as usize)?;
        machine.state.mover_can_move();
        let captured = match moves.captures {
            true => Some(machine.game.step(single.from, single.way.into())?),
            false => None,
        };
        let chosen = ChosenMove {
            effect: Effect::Move,
            ends: [single.from, single.to],
            captured,
            consequences,
        };
        self.play_chosen(machine, &chosen);
        Some(())
    }

    /// Plays a move of several kinds, each move with the same probability.
    fn play_any_of(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        plays: [Option<PlayId>; MAX_CHOICES],
    ) -> Option<()> {
        let plan = self.plan;
        let before = rng.words();
        let mut all = 0;
        let mut kept = None;
        for play in plays {
            let (many, of) = match play.and_then(|play| plan.plays.get(play)) {
                None => break,
                Some(Play::Along {
                    moves,
                    consequences,
                }) => {
                    let moves = plan.piece_moves.get(*moves)?;
                    let fan = self.fan(machine, moves);
                    let Some(fan) = fan.filter(|fan| fan.many > 0) else {
                        continue;
                    };
                    (fan.many, Some((moves, fan, *consequences)))
                }
                Some(_) => (1, None),
            };
            all += many;
            let n = rng.below(all);
            if n < many {
                kept = Some((n, of));
            }
        }
        let played = match kept {
            None => None,
            Some((n, Some((moves, fan, consequences)))) => {
                self.play_of_fan(machine, moves, &fan, n, consequences)
            }
            // If there is no move, the machine passes.
            Some((_, None)) => {
                machine.pass();
                Some(())
            }
        };
        if played.is_none() {
            *rng = Rng::of_words(before);
        }
        played
    }

    #[inline]
    fn play_one(
        &mut self,
        machine: &mut Machine<'g, W>,
        effect: Effect,
        ends: [u8; 2],
        consequences: Consequences,
    ) {
        let chosen = ChosenMove {
            effect,
            ends,
            captured: None,
            consequences,
        };
        self.play_chosen(machine, &chosen);
    }
}
