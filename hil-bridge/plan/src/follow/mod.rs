//! Random games played with a plan, which draws each move as the machine would.
//!
//! - [`going`]: where pieces may move. [`turn`]: the effects of a move. [`asks`]: conditions.
//! - [`dash`]: games in which all moves are alike.

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::inside::{Fan, Inside};
use firmware_core::cartridge::machine::Machine;
use firmware_core::cartridge::span::Span;
use firmware_core::points::Points;
use firmware_core::rng::Rng;

use super::{Each, Go, LOTS, Levels, MOVERS, NONE, Plan, Play, THENS, Words};

mod asks;
mod dash;
mod going;
mod turn;

use asks::{lower, phase_of};
use going::nth_shot;

/// A random game played with a plan. It keeps tables beside the machine's state, such as the pieces
/// on each row. The machine must be one of the plan's game.
pub struct Playout<'p, 'g, W: Span> {
    plan: &'p Plan<'g, W>,
    words: Words,
    levels: Levels,
    /// In a game of stacks, the sites whose stack has room.
    low: Points<W>,
    /// The number of the position to which these tables belong.
    epoch: u64,
    by_plan: u64,
}

/// A move that was chosen.
struct Drawn {
    what: Done,
    /// The sites where it starts and ends.
    ends: [u8; 2],
    /// The first piece that it captures.
    taken: Option<u8>,
    thens: [u8; THENS],
}

/// The effect of a move.
#[derive(Clone, Copy)]
enum Done {
    /// Places a piece on this site.
    Add(u8),
    /// Places a piece on a stack of fewer than this many.
    Top(u8, u8),
    /// Moves a piece.
    Move,
    /// Removes a piece.
    Remove,
}

impl<'p, 'g, W: Span> Playout<'p, 'g, W> {
    /// A playout with this plan.
    #[must_use]
    pub fn of(plan: &'p Plan<'g, W>) -> Self {
        Playout {
            plan,
            words: Words::NOTHING,
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
            let many = self.dash(machine, rng);
            self.by_plan += many;
            moves += many;
            if !self.play(machine, rng) {
                return moves;
            }
            moves += 1;
        }
    }

    /// [`Playout::play`] with the plan alone. If the plan cannot generate the moves, returns `None`
    /// before it changes anything or draws a number.
    #[inline]
    fn play_by_plan(&mut self, machine: &mut Machine<'g, W>, rng: &mut Rng) -> Option<()> {
        let plan = self.plan;
        let fits = plan.fits && !machine.keeps && machine.is_untiring();
        if !fits || (plan.game.is(flag::SWAP) && machine.may_swap()) {
            return None;
        }
        let is_laid = plan.keeps_rows || plan.below.is_some();
        if is_laid && self.epoch != machine.epoch() {
            self.lay(machine);
        }
        match *self.now(machine)? {
            Play::Add {
                ref what,
                sites,
                below,
                thens,
            } => self.play_add(machine, rng, (what, below), sites, thens),
            Play::Carry { froms, tos, thens } => self.play_carry(machine, rng, [froms, tos], thens),
            Play::Go(go, thens) => self.play_go(machine, rng, go, thens),
            Play::Shoot { what, ways } => self.play_shot(machine, rng, what, ways),
            Play::Take { sites, only, thens } => self.play_take(machine, rng, [sites, only], thens),
            Play::Lots(lots) => self.play_lots(machine, rng, lots),
            Play::Unknown | Play::If(..) | Play::Pass => None,
        }
    }

    #[inline]
    fn play_add(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        (what, below): (&Each<u8>, Option<u8>),
        sites: u8,
        thens: [u8; THENS],
    ) -> Option<()> {
        let mut sites = self.set(machine, sites);
        if below.is_some() {
            sites &= self.low;
        }
        let many = sites.len() as u32;
        (many > 0).then_some(())?;
        let site = sites.nth(rng.below(many) as usize)?.0;
        let what = what[usize::from(machine.state.mover) % MOVERS];
        let done = match below {
            Some(below) => Done::Top(what, below),
            None => Done::Add(what),
        };
        self.play_one(machine, done, [site; 2], thens);
        Some(())
    }

    #[inline]
    fn play_carry(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        [froms, tos]: [u8; 2],
        thens: [u8; THENS],
    ) -> Option<()> {
        let froms = self.set(machine, froms) & machine.state.occupied();
        let tos = self.set(machine, tos);
        let (many, each) = (froms.len() as u32, tos.len() as u32);
        (many * each > 0).then_some(())?;
        let drawn = rng.below(many * each);
        let from = froms.nth((drawn / each) as usize)?.0;
        let to = tos.nth((drawn % each) as usize)?.0;
        machine.state.mover_can_move();
        self.play_one(machine, Done::Move, [from, to], thens);
        Some(())
    }

    #[inline]
    fn play_go(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        go: u8,
        thens: [u8; THENS],
    ) -> Option<()> {
        let plan = self.plan;
        let go = plan.goes.get(usize::from(go))?;
        if let Some(leads) = plan.leads.get(usize::from(go.leads)) {
            let (pieces, _) = self.pieces(machine, go)?;
            let open = machine.board().without(machine.state.occupied());
            let steps = leads.steps(pieces, open);
            let many = steps.many();
            (many > 0).then_some(())?;
            let ends = leads.nth(pieces, open, steps, rng.below(many))?;
            machine.state.mover_can_move();
            self.play_one(machine, Done::Move, ends, thens);
            return Some(());
        }
        let fan = self.fan(machine, go)?;
        (fan.many > 0).then_some(())?;
        let drawn = rng.below(fan.many);
        self.play_of_fan(machine, go, &fan, drawn, thens)
    }

    #[inline]
    fn play_shot(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        what: u8,
        ways: u16,
    ) -> Option<()> {
        let (from, on, ways, many) = self.shots(machine, ways)?;
        (many > 0).then_some(())?;
        let to = nth_shot(machine, from, (&on, ways), rng.below(many))?;
        machine.state.mover_can_move();
        self.play_one(machine, Done::Add(what), [to; 2], [NONE; THENS]);
        Some(())
    }

    #[inline]
    fn play_take(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        [sites, only]: [u8; 2],
        thens: [u8; THENS],
    ) -> Option<()> {
        let sites = self.taken(machine, sites, only);
        let many = sites.len() as u32;
        (many > 0).then_some(())?;
        let site = sites.nth(rng.below(many) as usize)?.0;
        machine.state.mover_can_move();
        self.play_one(machine, Done::Remove, [site; 2], thens);
        Some(())
    }

    /// The play of the mover's phase; `None` if only the machine can generate the moves.
    #[inline]
    fn now(&mut self, machine: &mut Machine<'g, W>) -> Option<&'p Play> {
        let plan = self.plan;
        let phase = usize::from(phase_of(machine, machine.state.mover));
        let mut at = *plan.phases.get(phase)?;
        loop {
            match plan.plays.get(usize::from(at))? {
                Play::If(ask, one, other) => {
                    at = if self.ask(machine, *ask, -1) {
                        *one
                    } else {
                        *other
                    };
                }
                Play::Unknown => return None,
                play => return Some(play),
            }
        }
    }

    /// Recomputes the tables beside the machine's state.
    fn lay(&mut self, machine: &Machine<'g, W>) {
        let (plan, state) = (self.plan, &machine.state);
        self.epoch = machine.epoch();
        let pieces = state.occupied() & machine.board();
        if plan.keeps_rows {
            self.words.clear(&plan.rows);
            for site in pieces {
                self.words.turn(&plan.rows, site.0, state.what(site.0));
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
    fn set(&self, machine: &Machine<'g, W>, set: u8) -> Points<W> {
        let set = self.plan.sets.get(usize::from(set));
        set.map_or(Points::NONE, |set| set.sites(machine))
    }

    /// The sites whose piece may be removed.
    fn taken(&mut self, machine: &mut Machine<'g, W>, sites: u8, only: u8) -> Points<W> {
        let sites = self.set(machine, sites);
        if only == NONE {
            return sites & machine.state.occupied();
        }
        let mut some = Points::NONE;
        for site in sites {
            if self.ask(machine, only, site.0.into()) {
                some.insert(site);
            }
        }
        some & machine.state.occupied()
    }

    fn play_of_fan(
        &mut self,
        machine: &mut Machine<'g, W>,
        go: &Go,
        fan: &Fan<W>,
        drawn: u32,
        thens: [u8; THENS],
    ) -> Option<()> {
        let single = machine.nth_of_fan(go.leaf, fan, drawn as usize)?;
        machine.state.mover_can_move();
        let taken = match go.takes {
            true => Some(machine.game.step(single.from, single.way.into())?),
            false => None,
        };
        let drawn = Drawn {
            what: Done::Move,
            ends: [single.from, single.to],
            taken,
            thens,
        };
        self.play_drawn(machine, &drawn);
        Some(())
    }

    /// Plays a move of several kinds, each move with the same probability.
    fn play_lots(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        lots: [u8; LOTS],
    ) -> Option<()> {
        let plan = self.plan;
        let before = rng.words();
        let mut all = 0;
        let mut kept = None;
        for lot in lots {
            let (many, of) = match plan.plays.get(usize::from(lot)) {
                None => break,
                Some(Play::Go(go, thens)) => {
                    let go = plan.goes.get(usize::from(*go))?;
                    let fan = self.fan(machine, go);
                    let Some(fan) = fan.filter(|fan| fan.many > 0) else {
                        continue;
                    };
                    (fan.many, Some((go, fan, *thens)))
                }
                Some(_) => (1, None),
            };
            all += many;
            let drawn = rng.below(all);
            if drawn < many {
                kept = Some((drawn, of));
            }
        }
        let played = match kept {
            None => None,
            Some((drawn, Some((go, fan, thens)))) => {
                self.play_of_fan(machine, go, &fan, drawn, thens)
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
        what: Done,
        ends: [u8; 2],
        thens: [u8; THENS],
    ) {
        let drawn = Drawn {
            what,
            ends,
            taken: None,
            thens,
        };
        self.play_drawn(machine, &drawn);
    }
}
