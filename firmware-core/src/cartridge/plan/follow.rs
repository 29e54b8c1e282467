//! A random game by a plan.

use protocol::Point;

use super::super::bytes::{SITES, WAYS, flag};
use super::super::kernels::{Fan, Gait, Going};
use super::super::machine::{Context, Machine};
use super::super::op::NOTHING;
use super::super::sites::each_way;
use super::super::span::Span;
use super::{
    Ask, Go, LOTS, Levels, MOVERS, NONE, Pieces, Plan, Play, THENS, Then, Ways, Who, Words,
};
use crate::points::Points;
use crate::rng::Rng;

/// A random game by a plan: what stands on the rows of its board.
pub struct Playout<'p, 'g, W: Span> {
    plan: &'p Plan<'g, W>,
    words: Words,
    levels: Levels,
    /// Where pieces can still be put on top, in a game of stacks.
    low: Points<W>,
    /// The position of which that is known.
    epoch: u64,
    by_plan: u64,
}

/// A move that was drawn.
struct Drawn {
    what: Done,
    /// Where it begins and leads.
    ends: [u8; 2],
    /// What is taken before.
    taken: Option<u8>,
    thens: [u8; THENS],
}

/// What a move does.
#[derive(Clone, Copy)]
enum Done {
    /// A piece comes.
    Add(u8),
    /// A piece comes on top of less than so many.
    Top(u8, u8),
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
            levels: Levels::NOTHING,
            low: Points::NONE,
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

    /// Plays to the end of the game: how many moves.
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

    /// Plays moves one after the other that are all alike, without what is seen of
    /// none of them before the last: how many.
    fn dash(&mut self, machine: &mut Machine<'g, W>, rng: &mut Rng) -> u64 {
        let plan = self.plan;
        let Some(Play::Add {
            what, sites, below, ..
        }) = plan.plays.get(usize::from(plan.dashes))
        else {
            return 0;
        };
        let state = &machine.state;
        let in_turn = state.mover + state.next == 3
            && [1, 2].map(|player| state.is_active(player)) == [true; 2]
            && (state.passes, state.to_remove.is_empty()) == (0, true);
        let fits = !machine.keeps && machine.is_untiring() && !machine.gave_up() && !state.over;
        if !in_turn || !fits || (plan.game.is(flag::SWAP) && state.moves < 2) {
            return 0;
        }
        let (turns, moves) = (plan.game.most_turns(), plan.game.most_moves());
        let left = turns.saturating_sub(state.turns);
        // After so many moves the game goes on, if it has not ended by its rules.
        let left = left.min(moves.saturating_sub(state.moves.saturating_add(1)));
        if (plan.keeps_rows || plan.below.is_some()) && self.epoch != state.epoch {
            self.lay(machine);
        }
        machine.context = Context::NOTHING;
        let when = plan.ends.first().and_then(|end| plan.asks.get(usize::from(end.when)));
        let mut sites = self.set(machine, *sites);
        let mut mover = machine.state.mover;
        let (mut many, mut last) = (0, 0);
        let is_over = loop {
            let open = if below.is_some() { sites & self.low } else { sites };
            let choices = open.len() as u32;
            if choices == 0 {
                break false;
            }
            let Some(site) = open.nth(rng.below(choices) as usize) else {
                break false;
            };
            let what = what[usize::from(mover) % MOVERS];
            match below {
                Some(below) => self.put_on_top(machine, site.0, what, *below),
                None => {
                    machine.state.put(plan.game, site.0, what);
                    self.turn(machine, site.0, what);
                    sites.remove(site);
                }
            }
            let is_ended = match when {
                Some(Ask::Shape { shape, .. }) => {
                    let like = machine.state.kind(what).unwrap_or(Points::NONE);
                    plan.shapes.is_within(*shape, site.0, like)
                }
                Some(Ask::Line {
                    axes,
                    length,
                    is_exact,
                    ..
                }) => self.is_line(site.0, what, *axes, (*length).into(), *is_exact),
                Some(Ask::Levels { ways, length, axes }) => {
                    self.is_line_on_levels(machine, site.0, *ways, *length, *axes)
                }
                _ => false,
            };
            if is_ended || many >= left {
                self.skip(machine, many, last);
                machine.state.pending = Points::NONE;
                machine.state.something_pending = false;
                self.finish(machine, [site.0; 2], [NONE; THENS]);
                many += 1;
                break true;
            }
            (many, last, mover) = (many + 1, site.0, 3 - mover);
        };
        if !is_over {
            self.skip(machine, many, last);
        }
        many.into()
    }

    /// What is to be seen after so many moves that were carried out, the last one on a
    /// site.
    fn skip(&mut self, machine: &mut Machine<'g, W>, many: u32, last: u8) {
        if many == 0 {
            return;
        }
        machine.ended_at = NOTHING;
        machine.new_epoch();
        let state = &mut machine.state;
        if many % 2 == 1 {
            core::mem::swap(&mut state.mover, &mut state.next);
        }
        state.previous = state.next;
        state.last_mover = state.next;
        let last = i16::from(last);
        (state.last_from, state.last_to) = (last, last);
        (state.last_place, state.last_after) = (last, last);
        state.pending = Points::NONE;
        state.something_pending = false;
        state.visited = Points::NONE;
        state.passed = false;
        state.moves += many;
        state.turns += many;
        state.moves_this_turn = 0;
        let counted = i16::try_from(many).unwrap_or(i16::MAX);
        state.counter = state.counter.saturating_add(counted);
        self.epoch = state.epoch;
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
        let is_laid = plan.keeps_rows || plan.below.is_some();
        if is_laid && self.epoch != machine.state.epoch {
            self.lay(machine);
        }
        match *self.now(machine)? {
            Play::Add {
                ref what,
                sites,
                below,
                thens,
            } => {
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
                if let Some(leads) = plan.leads.get(usize::from(go.leads)) {
                    let (pieces, _) = self.pieces(machine, go)?;
                    let open = machine.board.without(machine.state.occupied());
                    let steps = leads.steps(pieces, open);
                    let many = steps.many();
                    (many > 0).then_some(())?;
                    let ends = leads.nth(pieces, open, steps, rng.below(many))?;
                    machine.state.stuck &= !(1 << (machine.state.mover & 7));
                    self.play_one(machine, Done::Move, ends, thens);
                    return Some(());
                }
                let fan = self.fan(machine, go)?;
                (fan.many > 0).then_some(())?;
                let drawn = rng.below(fan.many);
                self.play_of_fan(machine, go, &fan, drawn, thens)
            }
            Play::Shoot { what, ways } => {
                let (from, on, ways, many) = self.shots(machine, ways)?;
                (many > 0).then_some(())?;
                let to = nth_shot(machine, from, (&on, ways), rng.below(many))?;
                machine.state.stuck &= !(1 << (machine.state.mover & 7));
                self.play_one(machine, Done::Add(what), [to; 2], [NONE; THENS]);
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
    fn now(&mut self, machine: &mut Machine<'g, W>) -> Option<&'p Play> {
        let plan = self.plan;
        let phase = usize::from(machine.phase_of(machine.state.mover));
        let mut at = *plan.phases.get(phase)?;
        loop {
            match plan.plays.get(usize::from(at))? {
                Play::If(ask, one, other) => {
                    at = if self.ask(machine, *ask, -1) { *one } else { *other };
                }
                Play::Unknown => return None,
                play => return Some(play),
            }
        }
    }

    /// Finds out what is known besides of what stands on the board.
    fn lay(&mut self, machine: &Machine<'g, W>) {
        let (plan, state) = (self.plan, &machine.state);
        self.epoch = state.epoch;
        let pieces = state.occupied() & machine.board;
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
            self.low = lower(machine, machine.all, below);
        }
    }

    #[inline]
    fn set(&self, machine: &Machine<'g, W>, set: u8) -> Points<W> {
        let set = self.plan.sets.get(usize::from(set));
        set.map_or(Points::NONE, |set| set.sites(machine))
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

    /// The pieces that are to go, and who owns them.
    #[inline]
    fn pieces(&self, machine: &Machine<'g, W>, go: &Go) -> Option<(Points<W>, u8)> {
        let state = &machine.state;
        let mover = usize::from(state.mover) % MOVERS;
        match go.pieces {
            Pieces::Owned(set) => {
                let sites = state.owned(mover as i32) & self.set(machine, set);
                Some((sites, mover as u8))
            }
            Pieces::Kind(kinds, set) => {
                let sites = state.kind(kinds[mover])? & self.set(machine, set);
                Some((sites, mover as u8))
            }
            Pieces::Last => {
                let site = machine.site(state.last_to.into())?;
                (usize::from(site) < machine.game.board()).then_some(())?;
                let owner = machine.game.owner(state.what(site));
                Some((Points::one(Point(site)), owner))
            }
        }
    }

    /// The ways of the last move, or their opposites, found on the rows.
    #[inline]
    fn last_way(&self, machine: &Machine<'g, W>, choice: u16, back: bool) -> u32 {
        let state = &machine.state;
        let (from, to) = match back {
            true => (state.last_to, state.last_from),
            false => (state.last_from, state.last_to),
        };
        let on_board = |site: i16| {
            let site = machine.site(site.into());
            site.filter(|site| usize::from(*site) < machine.game.board())
        };
        match (on_board(from), on_board(to)) {
            (Some(from), Some(to)) => {
                self.plan.rows.ways_to(from, to) & machine.game.choice(choice, 0)
            }
            _ => 0,
        }
    }

    /// Who goes how, and on which ways.
    #[inline]
    fn going(&self, machine: &Machine<'g, W>, go: &Go) -> Option<(Going<W>, u32)> {
        let state = &machine.state;
        let (pieces, owner) = self.pieces(machine, go)?;
        let ways = match go.ways {
            Ways::Of(choice) => machine.game.choice(choice, owner),
            Ways::Last(choice, back) if go.by_rows => self.last_way(machine, choice, back),
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
        Some((going, ways))
    }

    /// Where the pieces go that are to go.
    #[inline]
    fn fan(&self, machine: &Machine<'g, W>, go: &Go) -> Option<Fan<W>> {
        let (going, ways) = self.going(machine, go)?;
        if go.by_rows && go.gait == Gait::Slide {
            return Some(self.slides(going, ways));
        }
        Some(machine.fan(going, ways, false))
    }

    /// From where the last move led, how far one sees on each way, on which ways, and
    /// how many sites that are.
    #[inline]
    fn shots(&self, machine: &Machine<'g, W>, ways: u16) -> Option<(u8, [u16; WAYS], u32, u32)> {
        let state = &machine.state;
        let site = machine.site(state.last_to.into())?;
        let on_board = usize::from(site) < machine.game.board();
        (on_board && state.occupied().has(Point(site))).then_some(())?;
        let mut on = [0; WAYS];
        let mut many = self.see(site, &mut on);
        let owner = machine.game.owner(state.what(site));
        let ways = machine.game.choice(ways, owner);
        if ways != self.plan.rows.ways {
            many = total(&on, ways);
        }
        Some((site, on, ways, many))
    }

    /// How far one sees from a site on each way: so many more.
    #[inline]
    fn see(&self, site: u8, on: &mut [u16; WAYS]) -> u32 {
        let rows = &self.plan.rows;
        let mut all = 0;
        for (place, both) in rows.places(site).iter().zip(rows.axes()) {
            let [up, down] = self.words.free(*place);
            on[usize::from(both.up) % WAYS] += up as u16;
            on[usize::from(both.down) % WAYS] += down as u16;
            all += up + down;
        }
        all
    }

    /// How far pieces slide, found on the rows.
    #[inline]
    fn slides(&self, going: Going<W>, ways: u32) -> Fan<W> {
        let mut on = [0; WAYS];
        let mut many = 0;
        for piece in going.pieces {
            many += self.see(piece.0, &mut on);
        }
        if ways != self.plan.rows.ways {
            many = total(&on, ways);
        }
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
            taken: None,
            thens,
        };
        self.play_drawn(machine, &drawn);
    }

    /// Plays a move, as [`Machine::play_draft`].
    #[inline]
    fn play_drawn(&mut self, machine: &mut Machine<'g, W>, drawn: &Drawn) {
        let plan = self.plan;
        let [from, to] = drawn.ends;
        machine.context = Context::NOTHING;
        machine.state.pending = Points::NONE;
        machine.state.something_pending = false;
        if let Some(site) = drawn.taken {
            self.remove(machine, site);
        }
        match drawn.what {
            Done::Add(what) => {
                machine.state.put(plan.game, to, what);
                self.turn(machine, to, what);
            }
            Done::Top(what, below) => self.put_on_top(machine, to, what, below),
            Done::Move => self.carry(machine, from, to),
            Done::Remove => self.remove(machine, to),
        }
        self.finish(machine, drawn.ends, drawn.thens);
    }

    /// What is the same after each move that was carried out.
    #[inline]
    fn finish(&mut self, machine: &mut Machine<'g, W>, [from, to]: [u8; 2], thens: [u8; THENS]) {
        let mover = machine.state.mover;
        machine.new_epoch();
        let state = &mut machine.state;
        state.last_place = to.into();
        state.last_after = to.into();
        state.moves += 1;
        state.last_from = from.into();
        state.last_to = to.into();
        state.last_mover = mover;
        for then in thens {
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
        if self.plan.keeps_rows && usize::from(site) < machine.game.board() {
            self.words.turn(&self.plan.rows, site, what);
        }
    }

    #[inline]
    fn put_on_top(&mut self, machine: &mut Machine<'g, W>, site: u8, what: u8, below: u8) {
        let plan = self.plan;
        let level = machine.state.height(site);
        machine.state.put_on_top(plan.game, site, what);
        if plan.keeps_levels {
            self.levels.put(&plan.rows, site, level, what);
        }
        if machine.state.height(site) >= below {
            self.low.remove(Point(site));
        }
    }

    /// One piece goes to an empty site.
    #[inline]
    fn carry(&mut self, machine: &mut Machine<'g, W>, from: u8, to: u8) {
        let game = self.plan.game;
        let what = machine.state.what(from);
        if !machine.state.is_bare(to) {
            machine.go(from, to, 1);
        } else if machine.state.is_one(from) {
            machine.state.lift(game, from);
            machine.state.put(game, to, what);
        } else if machine.state.draw_one(from) {
            machine.state.put(game, to, what);
        } else {
            machine.go(from, to, 1);
        }
        if usize::from(from) < machine.game.board() && machine.state.what(from) != what {
            self.turn(machine, from, what);
        }
        self.turn(machine, to, what);
    }

    #[inline]
    fn remove(&mut self, machine: &mut Machine<'g, W>, site: u8) {
        let what = machine.state.what(site);
        machine.taken = machine.taken.saturating_add(1);
        machine.state.last_place = site.into();
        machine.state.lift(self.plan.game, site);
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
            let is_up = u32::from(plan.rows.ways_of(axis).up) == way;
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
            if plan.followed >> (phase & 15) & 1 == 0 {
                continue;
            }
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
    #[inline]
    fn ask(&mut self, machine: &mut Machine<'g, W>, ask: u8, site: i16) -> bool {
        let plan = self.plan;
        let Some(ask) = plan.asks.get(usize::from(ask)) else {
            return false;
        };
        match *ask {
            Ask::Is(is) => is,
            Ask::SameTurn => machine.state.mover == machine.state.previous,
            Ask::Few { who, most } => is_few(machine, who, most),
            _ => self.ask_more(machine, ask, site),
        }
    }

    fn ask_more(&mut self, machine: &mut Machine<'g, W>, ask: &Ask, site: i16) -> bool {
        let plan = self.plan;
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
            Ask::Levels { ways, length, axes } => {
                let pivot = machine.site(machine.state.last_to.into());
                pivot.is_some_and(|pivot| self.is_line_on_levels(machine, pivot, ways, length, axes))
            }
            Ask::Shape {
                shape,
                is_last,
                node,
            } => {
                let pivot = if is_last { machine.state.last_to } else { site };
                let Some(pivot) = machine.site(pivot.into()) else {
                    return false;
                };
                let what = machine.state.what(pivot);
                match machine.state.kind(what).filter(|_| what != 0) {
                    Some(like) => plan.shapes.is_within(shape, pivot, like),
                    None => self.ask_node(machine, node, site),
                }
            }
            Ask::Few { who, most } => is_few(machine, who, most),
            Ask::Vacant(set) => !self.set(machine, set).meets(machine.state.occupied()),
            Ask::Can(play) => match plan.plays.get(usize::from(play)) {
                Some(play) => self.can(machine, play).unwrap_or(false),
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

    #[inline]
    fn is_line_on_levels(
        &self,
        machine: &Machine<'g, W>,
        pivot: u8,
        ways: u32,
        length: i32,
        axes: u8,
    ) -> bool {
        let (height, what) = (machine.state.height(pivot), machine.state.what(pivot));
        let is_kept = self.plan.keeps_levels && axes != 0 && height > 0;
        if !is_kept || usize::from(pivot) >= machine.game.board() {
            return machine.is_line_on_levels(pivot, ways, length);
        }
        let level = height - 1;
        let run = self.levels.run(&self.plan.rows, axes, pivot, level, what);
        run as i32 >= length || machine.run_down(pivot, level.into(), what) + 1 >= length
    }

    /// Whether there is such a move; `None` if the plan does not know.
    fn can(&mut self, machine: &mut Machine<'g, W>, play: &Play) -> Option<bool> {
        let plan = self.plan;
        match *play {
            Play::Add { sites, below, .. } => {
                let sites = self.set(machine, sites);
                Some(match below {
                    Some(_) => sites.meets(self.low),
                    None => !sites.is_empty(),
                })
            }
            Play::Carry { froms, tos, .. } => {
                let froms = self.set(machine, froms) & machine.state.occupied();
                Some(!froms.is_empty() && !self.set(machine, tos).is_empty())
            }
            Play::Go(go, _) => {
                let go = plan.goes.get(usize::from(go))?;
                if go.is_near && let Some((mut pieces, _)) = self.pieces(machine, go) {
                    let open = machine.board.without(machine.state.occupied());
                    return Some(pieces.any(|piece| open.meets(plan.nears.of[piece.index() % SITES])));
                }
                Some(self.can_go(machine, go))
            }
            Play::Shoot { ways, .. } => {
                let (.., many) = self.shots(machine, ways)?;
                Some(many > 0)
            }
            Play::Take { sites, only, .. } => Some(!self.taken(machine, sites, only).is_empty()),
            Play::Lots(lots) => {
                for lot in lots {
                    if let Some(play) = plan.plays.get(usize::from(lot))
                        && self.can(machine, play)?
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

    fn can_go(&self, machine: &Machine<'g, W>, go: &Go) -> bool {
        let Some((going, ways)) = self.going(machine, go) else {
            return false;
        };
        if go.gait == Gait::Hop && ways & machine.shifts.uneven == 0 {
            return each_way(ways).any(|way| !machine.ends_on(&going, way).is_empty());
        }
        machine.fan(going, ways, true).many > 0
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

/// True if a player has at most so many pieces.
#[inline]
fn is_few<W: Span>(machine: &Machine<'_, W>, who: Who, most: i32) -> bool {
    let sites = machine.state.owned(number(machine, who).into());
    if sites.len() as i32 > most {
        return false;
    }
    let count = sites.map(|site| i32::from(machine.state.here(site.0).count));
    count.sum::<i32>() <= most
}

/// How many there are on some ways.
#[inline]
fn total(on: &[u16; WAYS], ways: u32) -> u32 {
    let mut many = 0;
    for way in each_way(ways) {
        many += u32::from(on[way as usize % WAYS]);
    }
    many
}

/// The site in sight of one that has so many before it: way by way, and on a way whose
/// steps are all as long by number.
#[inline]
fn nth_shot<W: Span>(
    machine: &Machine<'_, W>,
    from: u8,
    (on, ways): (&[u16; WAYS], u32),
    n: u32,
) -> Option<u8> {
    let mut left = n;
    for way in each_way(ways) {
        let many = u32::from(on[way as usize % WAYS]);
        if left >= many {
            left -= many;
            continue;
        }
        let is_back = machine.shifts.get(way as usize)?.by < 0;
        let steps = if is_back { many - left } else { left + 1 };
        let row = machine.game.row(way);
        let mut here = from;
        for _ in 0..steps {
            here = *row.get(usize::from(here))?;
        }
        return Some(here);
    }
    None
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
