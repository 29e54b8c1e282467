//! A random game by a plan.

use protocol::Point;

use super::super::bytes::{WAYS, flag};
use super::super::kernels::{Fan, Gait, Going};
use super::super::machine::{Context, Machine};
use super::super::op::NOTHING;
use super::super::sites::each_way;
use super::super::span::Span;
use super::super::state::Here;
use super::{
    Ask, Each, Go, LOTS, MOVERS, NONE, Pieces, Plan, Play, THENS, Then, Ways, Who, Words,
};
use crate::points::Points;
use crate::rng::Rng;

/// A random game by a plan: what stands on the rows of its board.
pub struct Playout<'p, 'g, W: Span> {
    plan: &'p Plan<'g, W>,
    words: Words,
    /// The position that is on the rows.
    epoch: u64,
    by_plan: u64,
}

/// A move that was drawn.
struct Drawn<W> {
    what: Done,
    /// Where it begins and leads.
    ends: [u8; 2],
    /// What goes before.
    taken: Points<W>,
    thens: [u8; THENS],
}

/// What a move does.
#[derive(Clone, Copy)]
enum Done {
    /// A piece comes.
    Add(u8),
    /// A piece comes on top.
    Top(u8),
    /// A piece goes.
    Move,
    /// A piece is taken away.
    Remove,
}

impl<'p, 'g, W: Span> Playout<'p, 'g, W> {
    /// One that plays by a plan.
    #[must_use]
    pub fn of(plan: &'p Plan<'g, W>) -> Self {
        Playout {
            plan,
            words: Words::NOTHING,
            epoch: u64::MAX,
            by_plan: 0,
        }
    }

    /// How many moves were played by the plan.
    #[must_use]
    pub fn by_plan(&self) -> u64 {
        self.by_plan
    }

    /// Begins a game, as [`Machine::start`].
    pub fn start(&mut self, machine: &mut Machine<'g, W>) {
        match &self.plan.begun {
            Some(begun) if !machine.keeps => machine.start_at(begun),
            _ => machine.start(),
        }
    }

    /// Plays a random legal move, as [`Machine::play_random`].
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

    /// The same, if the plan knows the moves; `None`, and nothing is done or drawn,
    /// if it does not.
    #[inline]
    fn play_by_plan(&mut self, machine: &mut Machine<'g, W>, rng: &mut Rng) -> Option<()> {
        let plan = self.plan;
        let fits = plan.fits && !machine.keeps && machine.is_untiring();
        if !fits || (plan.game.is(flag::SWAP) && machine.may_swap()) {
            return None;
        }
        if plan.rows.many > 0 && self.epoch != machine.state.epoch {
            self.lay(machine);
        }
        let play = self.now(machine)?;
        match play {
            Play::Add {
                what,
                sites,
                below,
                thens,
            } => self.add(machine, rng, (what, sites, below), thens),
            Play::Carry { froms, tos, thens } => {
                let froms = self.set(machine, froms) & machine.state.occupied();
                let tos = self.set(machine, tos);
                let (many, each) = (froms.len() as u32, tos.len() as u32);
                (many * each > 0).then_some(())?;
                let drawn = rng.below(many * each);
                let from = froms.nth((drawn / each) as usize)?.0;
                let to = tos.nth((drawn % each) as usize)?.0;
                machine.state.stuck &= !(1 << (machine.state.mover & 7));
                self.play_one(machine, Done::Move, [from, to], thens);
                Some(())
            }
            Play::Go(go, thens) => {
                let go = plan.goes.get(usize::from(go))?;
                let fan = self.fan(machine, go, false)?;
                (fan.many > 0).then_some(())?;
                let drawn = rng.below(fan.many);
                self.play_of_fan(machine, go, &fan, drawn, thens)
            }
            Play::Shoot { what, ways } => {
                let fan = self.shots(machine, ways)?;
                (fan.many > 0).then_some(())?;
                let drawn = rng.below(fan.many) as usize;
                let single = machine.nth_of_fan(NOTHING, &fan, drawn)?;
                machine.state.stuck &= !(1 << (machine.state.mover & 7));
                let ends = [single.to; 2];
                self.play_one(machine, Done::Add(what), ends, [NONE; THENS]);
                Some(())
            }
            Play::Take { sites, only, thens } => {
                let sites = self.taken(machine, sites, only);
                let many = sites.len() as u32;
                (many > 0).then_some(())?;
                let site = sites.nth(rng.below(many) as usize)?.0;
                machine.state.stuck &= !(1 << (machine.state.mover & 7));
                self.play_one(machine, Done::Remove, [site; 2], thens);
                Some(())
            }
            Play::Lots(lots) => self.play_lots(machine, rng, lots),
            Play::Unknown | Play::If(..) | Play::Pass => None,
        }
    }

    /// What is to be played by who moves; `None` if it is not known.
    #[inline]
    fn now(&mut self, machine: &mut Machine<'g, W>) -> Option<Play> {
        let plan = self.plan;
        let phase = usize::from(machine.phase_of(machine.state.mover));
        let mut at = *plan.phases.get(phase)?;
        loop {
            match plan.plays.get(usize::from(at))? {
                Play::If(ask, one, other) => {
                    at = if self.ask(machine, *ask, -1) { *one } else { *other };
                }
                Play::Unknown => return None,
                play => return Some(*play),
            }
        }
    }

    /// Puts what stands on the board on the rows.
    fn lay(&mut self, machine: &Machine<'g, W>) {
        let rows = &self.plan.rows;
        self.words.clear(rows);
        for site in machine.state.occupied() & machine.board {
            self.words.turn(rows, site.0, machine.state.what(site.0));
        }
        self.epoch = machine.state.epoch;
    }

    #[inline]
    fn set(&self, machine: &Machine<'g, W>, set: u8) -> Points<W> {
        let set = self.plan.sets.get(usize::from(set));
        set.map_or(Points::NONE, |set| set.sites(machine))
    }

    #[inline]
    fn add(
        &mut self,
        machine: &mut Machine<'g, W>,
        rng: &mut Rng,
        (what, sites, below): (Each<u8>, u8, Option<u8>),
        thens: [u8; THENS],
    ) -> Option<()> {
        let mut sites = self.set(machine, sites);
        if let Some(below) = below {
            sites = lower(machine, sites, below);
        }
        let many = sites.len() as u32;
        (many > 0).then_some(())?;
        let site = sites.nth(rng.below(many) as usize)?.0;
        let what = what[usize::from(machine.state.mover) % MOVERS];
        let done = match below {
            Some(_) => Done::Top(what),
            None => Done::Add(what),
        };
        self.play_one(machine, done, [site; 2], thens);
        Some(())
    }

    /// The sites of which something may be taken away.
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

    /// Where the pieces go that are to go, all or with `one` at least one.
    #[inline]
    fn fan(&self, machine: &Machine<'g, W>, go: &Go, one: bool) -> Option<Fan<W>> {
        let state = &machine.state;
        let mover = usize::from(state.mover) % MOVERS;
        let (pieces, owner) = match go.pieces {
            Pieces::Owned(set) => {
                let sites = state.owned(mover as i32) & self.set(machine, set);
                (sites & machine.board, mover as u8)
            }
            Pieces::Kind(kinds, set) => {
                let sites = state.kind(kinds[mover])? & self.set(machine, set);
                (sites & machine.board, mover as u8)
            }
            Pieces::Last => {
                let site = machine.site(state.last_to.into())?;
                (usize::from(site) < machine.game.board()).then_some(())?;
                let owner = machine.game.owner(state.what(site));
                (Points::one(Point(site)), owner)
            }
        };
        let ways = match go.ways {
            Ways::Of(choice) => machine.game.choice(choice, owner),
            Ways::Last(choice, back) => machine.last_way(choice, back),
        };
        let going = Going {
            gait: go.gait,
            pieces,
            open: machine.board.without(state.occupied()),
            stop: match go.stop {
                NONE => Points::NONE,
                stop => self.set(machine, stop),
            },
        };
        if go.by_rows {
            return Some(self.slides(going, ways));
        }
        Some(machine.fan(going, ways, one))
    }

    /// The sites in sight of the one where the last move led.
    #[inline]
    fn shots(&self, machine: &Machine<'g, W>, ways: u16) -> Option<Fan<W>> {
        let state = &machine.state;
        let site = machine.site(state.last_to.into())?;
        let on_board = usize::from(site) < machine.game.board();
        let pieces = Points::one(Point(site));
        (on_board && state.occupied().meets(pieces)).then_some(())?;
        let going = Going {
            gait: Gait::Slide,
            pieces,
            open: machine.board.without(state.occupied()),
            stop: Points::NONE,
        };
        let owner = machine.game.owner(state.what(site));
        Some(self.slides(going, machine.game.choice(ways, owner)))
    }

    /// How far pieces slide, found on the rows.
    #[inline]
    fn slides(&self, going: Going<W>, ways: u32) -> Fan<W> {
        let rows = &self.plan.rows;
        let mut on = [0; WAYS];
        for piece in going.pieces {
            for axis in 0..rows.many {
                let [up, down] = self.words.free(rows.place(axis, piece.0));
                let both = rows.ways(axis);
                on[usize::from(both.up) % WAYS] += up as u16;
                on[usize::from(both.down) % WAYS] += down as u16;
            }
        }
        let many = each_way(ways).map(|way| u32::from(on[way as usize % WAYS]));
        let many = many.sum();
        Fan {
            going,
            ways,
            many,
            on,
        }
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
        machine.state.stuck &= !(1 << (machine.state.mover & 7));
        let mut taken = Points::NONE;
        if go.takes {
            let over = machine.game.step(single.from, single.way.into())?;
            taken.insert(Point(over));
        }
        let drawn = Drawn {
            what: Done::Move,
            ends: [single.from, single.to],
            taken,
            thens,
        };
        self.play_drawn(machine, &drawn);
        Some(())
    }

    /// One of several kinds of moves, each move as likely.
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
                    let fan = self.fan(machine, go, false);
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
            // A pass is the machine's own.
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
            taken: Points::NONE,
            thens,
        };
        self.play_drawn(machine, &drawn);
    }

    /// Plays a move, as [`Machine::play_draft`].
    #[inline]
    fn play_drawn(&mut self, machine: &mut Machine<'g, W>, drawn: &Drawn<W>) {
        let plan = self.plan;
        let mover = machine.state.mover;
        let [from, to] = drawn.ends;
        machine.context = Context::NOTHING;
        machine.state.pending = Points::NONE;
        machine.state.something_pending = false;
        for site in drawn.taken {
            self.remove(machine, site.0);
        }
        match drawn.what {
            Done::Add(what) => {
                machine.add(to, what, -1);
                self.turn(machine, to, what);
            }
            Done::Top(what) => machine.state.push(plan.game, to, what),
            Done::Move => {
                let what = machine.state.what(from);
                machine.go(from, to, 1);
                self.turn(machine, from, what);
                self.turn(machine, to, what);
            }
            Done::Remove => self.remove(machine, to),
        }
        machine.new_epoch();
        let state = &mut machine.state;
        state.last_place = to.into();
        state.last_after = to.into();
        state.moves += 1;
        state.last_from = from.into();
        state.last_to = to.into();
        state.last_mover = mover;
        for then in drawn.thens {
            if then != NONE {
                self.then(machine, then);
            }
        }
        let state = &mut machine.state;
        state.last_after = state.last_place;
        state.passed = false;
        state.passes = 0;
        self.ends(machine);
        if machine.state.over {
            machine.state.previous = mover;
        } else {
            self.next_phases(machine);
        }
        machine.state.counter = machine.state.counter.saturating_add(1);
        if !machine.state.over {
            machine.next_turn(mover, false);
        }
        self.epoch = machine.state.epoch;
    }

    /// A piece comes or goes on the rows.
    #[inline]
    fn turn(&mut self, machine: &Machine<'g, W>, site: u8, what: u8) {
        let rows = &self.plan.rows;
        if rows.many > 0 && usize::from(site) < machine.game.board() {
            self.words.turn(rows, site, what);
        }
    }

    #[inline]
    fn remove(&mut self, machine: &mut Machine<'g, W>, site: u8) {
        let what = machine.state.what(site);
        machine.taken = machine.taken.saturating_add(1);
        machine.state.last_place = site.into();
        machine.state.set(self.plan.game, site, Here::default());
        if what != 0 {
            self.turn(machine, site, what);
        }
    }

    /// What comes after a move.
    fn then(&mut self, machine: &mut Machine<'g, W>, then: u8) {
        match self.plan.thens.get(usize::from(then)) {
            Some(Then::Again(ask)) if self.ask(machine, *ask, -1) => {
                machine.state.next = machine.state.mover;
            }
            Some(Then::Catch) => self.catch(machine),
            _ => {}
        }
    }

    /// What is caught between the piece that came and others of the mover goes.
    fn catch(&mut self, machine: &mut Machine<'g, W>) {
        let plan = self.plan;
        let Some(catch) = plan.catches.first() else {
            return;
        };
        let Some(from) = machine.site(machine.state.last_to.into()) else {
            return;
        };
        if usize::from(from) >= machine.game.board() {
            return;
        }
        let (mut own, mut foes) = ([0; super::rows::KEPT], [0; super::rows::KEPT]);
        let (mover, next) = (machine.state.mover, machine.state.next);
        for what in 1..super::rows::KEPT.min(machine.game.pieces()) {
            let owner = machine.game.owner(what as u8);
            own[what] = if owner == mover { !0 } else { 0 };
            let is_foe = match catch.of_next {
                true => owner == next,
                false => owner != mover && (1..=machine.game.players()).contains(&owner),
            };
            foes[what] = if is_foe { !0 } else { 0 };
        }
        // All is found before some of it goes.
        let mut caught = [(0, 0); WAYS];
        let mut many = 0;
        for way in each_way(catch.ways) {
            let axis = plan.rows.of_way(way);
            let place = plan.rows.place(axis, from);
            let is_up = u32::from(plan.rows.ways(axis).up) == way;
            let along = |of: &[u64; super::rows::KEPT]| {
                let mut row = 0;
                for (what, is_one) in of.iter().enumerate().skip(1) {
                    row |= self.words.row(what as u8, place) & is_one;
                }
                match is_up {
                    true => row >> (place.bit & 63),
                    false => (row << (63 - (place.bit & 63))).reverse_bits(),
                }
            };
            let run = (along(&foes) >> 1).trailing_ones();
            if run == 0 {
                continue;
            }
            let steps = run + 1;
            let far = catch.far[way as usize % WAYS][usize::from(from)];
            let is_friend = along(&own) >> (steps & 63) & 1 != 0;
            if is_friend && steps < 32 && far >> (steps & 31) & 1 != 0 {
                caught[many % WAYS] = (way, run);
                many += 1;
            }
        }
        for (way, run) in caught.into_iter().take(many) {
            let mut site = from;
            for _ in 0..run {
                site = machine.game.step(site, way).unwrap_or(site);
                self.remove(machine, site);
            }
        }
        machine.new_epoch();
    }

    /// The rules of the end, as the machine's.
    #[inline]
    fn ends(&mut self, machine: &mut Machine<'g, W>) {
        let plan = self.plan;
        machine.ended_at = NOTHING;
        for end in &plan.ends {
            if self.ask(machine, end.when, -1) {
                machine.ends_by(end.node);
                for place in 2..2 + u16::from(end.rules) {
                    let rule = machine.operand(end.node, place);
                    machine.end(rule);
                    if machine.state.over {
                        break;
                    }
                }
            }
        }
        if !machine.state.over {
            machine.ended_at = NOTHING;
            machine.runs_out();
        }
    }

    #[inline]
    fn next_phases(&mut self, machine: &mut Machine<'g, W>) {
        let plan = self.plan;
        if machine.game.phases() < 2 {
            return;
        }
        if !plan.knows_nexts {
            machine.next_phases();
            return;
        }
        for player in 1..=machine.game.players() {
            let phase = machine.phase_of(player);
            for next in &plan.nexts {
                let is_meant = |machine: &Machine<'g, W>| {
                    next.phase == phase
                        && next.who.is_none_or(|who| number(machine, who) == player)
                };
                if is_meant(machine) && self.ask(machine, next.when, -1) {
                    if let Some(place) = machine.state.phase.get_mut(usize::from(player)) {
                        *place = next.to;
                    }
                    break;
                }
            }
        }
    }

    /// Whether something is so, of a site if it is asked of one.
    fn ask(&mut self, machine: &mut Machine<'g, W>, ask: u8, site: i16) -> bool {
        let plan = self.plan;
        let Some(ask) = plan.asks.get(usize::from(ask)) else {
            return false;
        };
        match *ask {
            Ask::Is(is) => is,
            Ask::SameTurn => machine.state.mover == machine.state.previous,
            Ask::Rest(by, rest) => (machine.state.moves as i32).checked_rem(by) == Some(rest),
            Ask::Line {
                axes,
                length,
                is_exact,
                is_last,
                node,
            } => {
                let pivot = if is_last { machine.state.last_to } else { site };
                let pivot = machine.site(pivot.into()).unwrap_or(u8::MAX);
                if usize::from(pivot) >= machine.game.board() {
                    return false;
                }
                let what = machine.state.what(pivot);
                if what == 0 {
                    return self.ask_node(machine, node, site);
                }
                self.is_line(pivot, what, axes, length.into(), is_exact)
            }
            Ask::Levels { ways, length } => {
                let pivot = machine.site(machine.state.last_to.into());
                pivot.is_some_and(|pivot| machine.is_line_on_levels(pivot, ways, length))
            }
            Ask::Shape(shape) => {
                let Some(pivot) = machine.site(machine.state.last_to.into()) else {
                    return false;
                };
                let what = machine.state.what(pivot);
                let like = machine.state.kind(what).filter(|_| what != 0);
                like.is_some_and(|like| plan.shapes.is_within(shape, pivot, like))
            }
            Ask::Few { who, most } => {
                let sites = machine.state.owned(number(machine, who).into());
                if sites.len() as i32 > most {
                    return false;
                }
                let count = sites.map(|site| i32::from(machine.state.here(site.0).count));
                count.sum::<i32>() <= most
            }
            Ask::Vacant(set) => !self.set(machine, set).meets(machine.state.occupied()),
            Ask::Can(play) => match plan.plays.get(usize::from(play)) {
                Some(play) => self.can(machine, *play).unwrap_or(false),
                None => false,
            },
            Ask::NoMoves => self.next_has_no_moves(machine),
            Ask::Not(one) => !self.ask(machine, one, site),
            Ask::And(one, other) => {
                self.ask(machine, one, site) && self.ask(machine, other, site)
            }
            Ask::Or(one, other) => {
                self.ask(machine, one, site) || self.ask(machine, other, site)
            }
            Ask::Node(node) => self.ask_node(machine, node, site),
        }
    }

    #[inline(never)]
    fn ask_node(&mut self, machine: &mut Machine<'g, W>, node: u16, site: i16) -> bool {
        let saved = machine.context;
        machine.context = Context {
            site,
            ..Context::NOTHING
        };
        let is = machine.truth(node);
        machine.context = saved;
        is
    }

    #[inline]
    fn is_line(&self, pivot: u8, what: u8, axes: u8, length: u32, is_exact: bool) -> bool {
        let rows = &self.plan.rows;
        (0..rows.many).any(|axis| {
            if axes >> axis & 1 == 0 {
                return false;
            }
            let run = self.words.run(what, rows.place(axis, pivot));
            if is_exact {
                run == length
            } else {
                run >= length
            }
        })
    }

    /// Whether there is such a move; `None` if the plan does not know.
    fn can(&mut self, machine: &mut Machine<'g, W>, play: Play) -> Option<bool> {
        let plan = self.plan;
        match play {
            Play::Add { sites, below, .. } => {
                let sites = self.set(machine, sites);
                Some(match below {
                    Some(below) => !lower(machine, sites, below).is_empty(),
                    None => !sites.is_empty(),
                })
            }
            Play::Carry { froms, tos, .. } => {
                let froms = self.set(machine, froms) & machine.state.occupied();
                Some(!froms.is_empty() && !self.set(machine, tos).is_empty())
            }
            Play::Go(go, _) => {
                let go = plan.goes.get(usize::from(go))?;
                let fan = self.fan(machine, go, true);
                Some(fan.is_some_and(|fan| fan.many > 0))
            }
            Play::Shoot { ways, .. } => Some(self.shots(machine, ways)?.many > 0),
            Play::Take { sites, only, .. } => Some(!self.taken(machine, sites, only).is_empty()),
            Play::Lots(lots) => {
                for lot in lots {
                    if let Some(play) = plan.plays.get(usize::from(lot))
                        && self.can(machine, *play)?
                    {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Play::Pass => Some(true),
            Play::Unknown | Play::If(..) => None,
        }
    }

    /// As [`Machine::next_has_no_moves`].
    fn next_has_no_moves(&mut self, machine: &mut Machine<'g, W>) -> bool {
        let state = &mut machine.state;
        let turn = (state.mover, state.next, state.previous);
        let then = state.next;
        state.mover = then;
        state.previous = turn.0;
        machine.state.next = machine.player_after(then);
        let can = if machine.may_swap() {
            Some(true)
        } else {
            self.now(machine).and_then(|play| self.can(machine, play))
        };
        let state = &mut machine.state;
        (state.mover, state.next, state.previous) = turn;
        let Some(can) = can else {
            return machine.next_has_no_moves();
        };
        let bit = 1 << (then & 7);
        machine.state.stuck = (machine.state.stuck & !bit) | if can { 0 } else { bit };
        !can
    }
}

/// The sites where less than so many pieces are on top of each other.
#[inline]
fn lower<W: Span>(machine: &Machine<'_, W>, sites: Points<W>, below: u8) -> Points<W> {
    let mut lower = Points::NONE;
    for site in sites {
        if machine.state.height(site.0) < below {
            lower.insert(site);
        }
    }
    lower
}

/// The number of a player.
#[inline]
fn number<W: Span>(machine: &Machine<'_, W>, who: Who) -> u8 {
    match who {
        Who::Mover => machine.state.mover,
        Who::Next => machine.state.next,
        Who::Previous => machine.state.previous,
        Who::Number(number) => number,
    }
}
