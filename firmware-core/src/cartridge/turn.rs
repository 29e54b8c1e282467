//! A turn: what may be played, what a move does, what comes after it.

use crate::points::Points;

use super::action::{Action, Draft};
use super::bytes::{NEXT_PHASES, flag};
use super::known::Asking;
use super::machine::{Adapter, Flow, Machine, Registers, Sink};
use super::op::{NOTHING, Op, place};
use super::span::Span;
use super::state::{EndedBy, Here, QUESTIONS, State, Unended};

impl<'g, W: Span> Machine<'g, W> {
    /// Begins a game: the set-up of the board.
    pub fn start(&mut self) {
        self.begin();
        let set_up = self.game.set_up();
        if set_up != NOTHING {
            self.set_up(set_up);
        }
        self.ready();
    }

    /// Begins a game whose set-up was another's: what chance had chosen there.
    pub fn start_from(&mut self, actions: impl IntoIterator<Item = Action>) {
        self.begin();
        for action in actions {
            self.do_one(action);
        }
        self.ready();
    }

    fn begin(&mut self) {
        self.state = State::new(self.game);
        self.begun();
    }

    #[inline]
    pub(super) fn begun(&mut self) {
        self.state.chance = super::state::Chance::new(self.seed);
        self.new_epoch();
        self.ended_at = NOTHING;
        self.context = Registers::NOTHING;
        self.actions.clear();
        self.kept.clear();
        self.history.clear();
    }

    /// One part of the set-up after the other, so that the next one sees what
    /// stands on the board.
    fn set_up(&mut self, node: u16) {
        match self.node(node) {
            (Op::Any, many) => {
                for place in place::Any::each(many) {
                    let part = self.operand(node, place);
                    self.set_up(part);
                }
            }
            _ => self.consequence(node),
        }
    }

    fn ready(&mut self) {
        self.state.pending = Points::NONE;
        self.state.something_pending = false;
        self.remember();
    }

    /// True if the second player may exchange the colours now.
    #[cfg_attr(feature = "host", inline)]
    pub(super) fn may_swap(&self) -> bool {
        let players = u32::from(self.game.players());
        self.game.is(flag::SWAP)
            && self.state.moves + 1 == players
            && self.state.last_mover != 0
            && self.state.last_mover != self.state.mover
    }

    /// Tells of each legal move; of a forced pass if there is none.
    pub fn legal(&mut self, sink: &mut Sink<'_, 'g, W>) -> Flow {
        if self.state.over {
            return Flow::Continue(());
        }
        self.context = Registers::NOTHING;
        let phase = self.phase_of(self.state.mover);
        let play = self.game.phase(phase, 0);
        let mut found = false;
        let no_repeat = self.game.is(flag::NO_REPEAT) || self.game.is(flag::NO_REPEAT_SITUATION);
        let simulation = self.game.is(flag::SIMULATION);
        if simulation {
            self.collect(play);
            let start = 0;
            if self.here() > start {
                found = true;
                let first = self.actions.first().copied();
                let sites = first.map_or([-1; 2], Action::sites);
                let flow = self.emit(start, sites, &Adapter::End, sink);
                self.actions.clear();
                flow?;
            }
        } else {
            let mut look = |machine: &mut Self, draft: Draft| {
                if no_repeat && machine.repeats(draft) {
                    return Flow::Continue(());
                }
                found = true;
                sink(machine, draft)
            };
            self.moves(play, &Adapter::End, &mut look)?;
        }
        if self.may_swap() {
            found = true;
            let start = self.here();
            self.push(Action::Swap);
            self.push(Action::SetNext {
                player: self.state.mover,
            });
            let flow = self.emit(start, [-1; 2], &Adapter::End, sink);
            self.actions.truncate(start);
            flow?;
        }
        let bit = 1 << (self.state.mover & 7);
        self.state.stuck = (self.state.stuck & !bit) | if found { 0 } else { bit };
        if found {
            return Flow::Continue(());
        }
        if simulation {
            // Nothing changes any more.
            self.finish();
            return Flow::Continue(());
        }
        self.only(Action::Pass { forced: true }, sink)
    }

    /// A move of one action and no site.
    fn only(&mut self, action: Action, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let start = self.here();
        self.push(action);
        let flow = self.emit(start, [-1; 2], &Adapter::End, sink);
        self.actions.truncate(start);
        flow
    }

    /// True if a position comes again after a move.
    pub(super) fn repeats(&mut self, draft: Draft) -> bool {
        if matches!(self.actions(draft).first(), Some(Action::Pass { .. })) {
            return false;
        }
        // What was asked after the move has come to the same position.
        if let Some((end, position)) = self.tried.take()
            && end == self.here()
        {
            return self.history.contains(&position);
        }
        let before = self.state;
        let keeps = core::mem::replace(&mut self.keeps, false);
        self.run(draft);
        let hash = self.position();
        self.keeps = keeps;
        self.state = before;
        self.history.contains(&hash)
    }

    /// True if no position may come again.
    pub(super) fn no_repeat(&self) -> bool {
        self.game.is(flag::NO_REPEAT | flag::NO_REPEAT_SITUATION)
    }

    /// What a position is known by.
    pub(super) fn position(&self) -> u64 {
        if self.game.is(flag::NO_REPEAT_SITUATION) {
            self.state.hash() ^ u64::from(self.state.mover)
        } else {
            self.state.hash()
        }
    }

    /// Knows the position again from now on, where the game asks for that.
    pub(crate) fn remember(&mut self) {
        let asked = self.game.is(flag::NO_REPEAT) || self.game.is(flag::NO_REPEAT_SITUATION);
        if asked {
            let position = self.position();
            if self.history.len() >= self.remembers {
                // The oldest is forgotten.
                self.history.rotate_left(1);
                self.history.pop();
            }
            let _ = self.history.push(position);
        }
    }

    /// Plays a move that [`Machine::legal`] told of, given by its sites and its
    /// actions.
    pub fn play(&mut self, sites: [i16; 2], actions: &[Action]) {
        self.fuel_again();
        self.actions.clear();
        self.kept.clear();
        for action in actions {
            self.push(*action);
        }
        let afters = actions.iter().rev();
        let afters = afters.take_while(|action| matches!(action, Action::Then { .. }));
        let own = actions.len() - afters.count();
        let draft = Draft {
            from: sites[0],
            to: sites[1],
            start: 0,
            own: own as u16,
        };
        self.play_draft(draft);
        self.actions.clear();
    }

    /// Plays a move whose actions lie in the buffer, or the first half of it.
    pub(super) fn play_draft(&mut self, draft: Draft) {
        self.make_move(draft);
        if !self.asks_later() {
            self.end_made();
        }
    }

    /// Does all that a move does, but for what it ends.
    fn make_move(&mut self, draft: Draft) {
        let mover = self.state.mover;
        let first = self.actions(draft).first().copied();
        self.new_epoch();
        self.state.pending = Points::NONE;
        self.state.something_pending = false;
        let had_moved = self.state.last_mover == mover && self.state.moves_this_turn > 0;
        self.context = Registers::NOTHING;
        if matches!(first, Some(Action::Pass { .. })) {
            let bit = 1 << (mover & 7);
            if matches!(first, Some(Action::Pass { forced: true })) {
                self.state.stuck |= bit;
            }
        }
        // What comes after a pass knows of it. One who plays alone has no turns of others
        // between his own.
        let is_pass = matches!(first, Some(Action::Pass { .. }));
        let begins_turn = !had_moved || self.game.players() == 1;
        self.state.passed = is_pass;
        self.state.passes = if is_pass && begins_turn {
            self.state.passes.saturating_add(1)
        } else {
            0
        };
        self.run(draft);
        self.take_away();
        self.state.last_after = self.state.last_place;
        self.state.unended = match first {
            Some(Action::Swap) => Unended::Swap,
            _ => Unended::Move,
        };
    }

    /// Ends the move that was made, if it is not ended yet: what the rules of the end
    /// say, and whose turn is next. False if that takes more than so many steps: then it
    /// is gone on with in another call.
    pub fn end_move(&mut self, steps: u32) -> bool {
        self.fuel_again();
        // What one call knows already the next one asks, and counts as a question.
        self.forget();
        let is_cut = !self.game.is(flag::SIMULATION | flag::CHANCE);
        self.asking = is_cut.then_some(Asking {
            steps,
            many: 0,
            from: self.state.asked,
            is_left: false,
        });
        let before = self.state;
        self.end_made();
        let left = self.left_asking();
        self.asking = None;
        if let Some(asking) = left {
            self.state = before;
            self.state.asked = asking.from;
            // Notes may be of what is not to be believed.
            self.new_epoch();
        }
        left.is_none()
    }

    /// What is asked in this call, if it was left to be gone on with: who gave up goes on
    /// with nothing.
    fn left_asking(&self) -> Option<Asking> {
        let gave_up = self.gave_up();
        self.asking.filter(|asking| asking.is_left && !gave_up)
    }

    fn end_made(&mut self) {
        let mover = self.state.mover;
        let is_swap = match self.state.unended {
            Unended::Nothing => return,
            unended => unended == Unended::Swap,
        };
        self.context = Registers::NOTHING;
        self.ends();
        if self.state.over {
            self.state.previous = mover;
        } else {
            self.next_phases();
        }
        if self.left_asking().is_some() {
            return;
        }
        self.state.unended = Unended::Nothing;
        self.state.asked = [0; QUESTIONS];
        self.state.counter = self.state.counter.saturating_add(1);
        if self.state.mover != self.state.previous {
            self.remember();
        }
        if !self.state.over {
            self.next_turn(mover, is_swap);
        }
    }

    #[cfg_attr(feature = "host", inline)]
    pub(super) fn next_turn(&mut self, mover: u8, is_swap: bool) {
        if self.state.mover != self.state.next {
            self.state.visited = Points::NONE;
        }
        self.new_epoch();
        self.state.previous = mover;
        self.state.mover = self.state.next;
        if self.state.previous == self.state.mover && !is_swap {
            self.state.moves_this_turn = self.state.moves_this_turn.saturating_add(1);
        } else {
            self.state.moves_this_turn = 0;
            self.state.turns += 1;
        }
        self.state.next = self.player_after(self.state.mover);
    }

    /// What was to be removed when the turn is over.
    fn take_away(&mut self) {
        if self.state.to_remove.is_empty() || self.state.next == self.state.mover {
            return;
        }
        for site in self.state.to_remove {
            self.do_one(Action::Remove { site: site.0 });
        }
        self.state.to_remove = Points::NONE;
    }

    /// Does what a move does, and then what comes after it.
    pub(super) fn run(&mut self, draft: Draft) {
        self.state.last_place = draft.to;
        self.carry_out(draft.start.into(), draft.own.into());
        self.new_epoch();
        self.state.last_after = self.state.last_place;
        // What comes after a move counts it already.
        self.state.moves += 1;
        self.state.last_from = draft.from;
        self.state.last_to = draft.to;
        self.state.last_mover = self.state.mover;
        if self.game.is(flag::VISITS) {
            for site in [draft.from, draft.to] {
                if let Some(site) = self.site(site.into()) {
                    self.state.visited.insert(protocol::Point(site));
                }
            }
        }
        self.carry_out(draft.own.into(), self.here());
    }

    /// Does what lies in the buffer from a place to another.
    pub(super) fn carry_out(&mut self, start: usize, end: usize) {
        for index in start..end {
            match self.actions.get(index).copied() {
                Some(Action::Then { node }) => self.consequence(node),
                Some(action) => self.do_one(action),
                None => {}
            }
        }
    }

    /// Does what a node says: first all of it is found, then done.
    fn consequence(&mut self, node: u16) {
        let start = self.here();
        self.collect(node);
        let end = self.here();
        self.carry_out(start, end);
        self.actions.truncate(start);
    }

    pub(super) fn do_one(&mut self, action: Action) {
        self.new_epoch();
        let game = self.game;
        let [_, to] = action.sites();
        if to >= 0 {
            self.state.last_place = to;
        }
        match action {
            Action::Add {
                site,
                what,
                state,
                top,
            } => {
                if top || game.is(flag::STACKS) {
                    self.state.push(game, site, what);
                } else {
                    self.add(site, what, state);
                }
            }
            Action::Move { from, to } => self.go(from, to, 1),
            Action::Drop { from, to } => {
                let Here { state, value, .. } = self.state.here(to);
                self.go(from, to, 1);
                let here = self.state.here(to);
                self.state.set(
                    game,
                    to,
                    Here {
                        state,
                        value,
                        ..here
                    },
                );
            }
            Action::MoveSome { from, to, count } => {
                // So many that are counted leave the state and the value to the site.
                let Here { state, value, .. } = self.state.here(to);
                self.go(from, to, count);
                let here = self.state.here(to);
                if here.what != 0 && !game.is(flag::STACKS) {
                    let kept = Here {
                        state,
                        value,
                        ..here
                    };
                    self.state.set(game, to, kept);
                }
            }
            Action::Copy { from, to } => {
                let here = self.state.here(from);
                self.state.set(game, to, Here { count: 1, ..here });
            }
            Action::Remove { site } => {
                self.taken = self.taken.saturating_add(1);
                if game.is(flag::STACKS) {
                    self.state.pop(game, site);
                } else {
                    self.state.set(game, site, Here::default());
                }
            }
            Action::RemoveLater { site } => {
                self.taken = self.taken.saturating_add(1);
                self.state.to_remove.insert(protocol::Point(site));
            }
            Action::Promote { site, what } => {
                let here = Here {
                    what,
                    count: 1,
                    ..Here::default()
                };
                self.state.set(game, site, here);
            }
            Action::SetState { site, state } => {
                let here = self.state.here(site);
                self.state.set(game, site, Here { state, ..here });
            }
            Action::SetCount { site, count } => {
                let here = self.state.here(site);
                self.state.set(game, site, Here { count, ..here });
            }
            Action::SetValue { site, value } => {
                let here = self.state.here(site);
                self.state.set(game, site, Here { value, ..here });
            }
            _ => self.do_other(action),
        }
        if self.keeps && self.done.push(action).is_err() {
            self.give_up();
        }
    }

    fn do_other(&mut self, action: Action) {
        match action {
            Action::Swap => self.state.swapped = !self.state.swapped,
            Action::SetNext { player } if (1..=self.game.players()).contains(&player) => {
                self.state.next = player;
            }
            Action::SetScore {
                player,
                score,
                more,
            } => {
                if let Some(place) = self.state.score.get_mut(usize::from(player)) {
                    *place = if more {
                        place.saturating_add(score)
                    } else {
                        score
                    };
                }
            }
            Action::SetPlayerValue { player, value } => {
                if let Some(place) = self.state.value_of.get_mut(usize::from(player)) {
                    *place = value;
                }
            }
            Action::Remember { name, site } => {
                if let Some(known) = self.state.remembered.get_mut(usize::from(name)) {
                    known.insert(protocol::Point(site));
                }
            }
            Action::Forget { name, site } => {
                if let Some(known) = self.state.remembered.get_mut(usize::from(name)) {
                    known.remove(protocol::Point(site));
                }
            }
            Action::SetAmount { player, amount } => {
                if let Some(place) = self.state.amount.get_mut(usize::from(player)) {
                    *place = amount;
                }
            }
            Action::SetCounter { counter } => self.state.counter = counter,
            Action::SetPending { value } => match self.site(value.into()) {
                Some(site) => self.state.pending.insert(protocol::Point(site)),
                None => self.state.something_pending = true,
            },
            Action::Trigger { event, player } => {
                if let Some(place) = self.state.triggered.get_mut(usize::from(player)) {
                    *place |= 1 << (event & 7);
                }
            }
            Action::SetVariable { variable, value } => {
                if let Some(place) = self.state.variables.get_mut(usize::from(variable)) {
                    *place = value;
                }
            }
            _ => {}
        }
    }

    pub(super) fn add(&mut self, site: u8, what: u8, state: i8) {
        let before = self.state.here(site);
        let state = u8::try_from(state).ok();
        let here = if before.what == 0 {
            Here {
                what,
                count: 1,
                state: state.unwrap_or(before.state),
                value: 0,
            }
        } else {
            let counts = self.game.is(flag::COUNTS);
            let count = if counts {
                before.count.saturating_add(1)
            } else {
                1
            };
            Here {
                count,
                state: state.unwrap_or(before.state),
                ..before
            }
        };
        self.state.set(self.game, site, here);
    }

    /// So many of what stands on a site go to another.
    pub(super) fn go(&mut self, from: u8, to: u8, count: u8) {
        let here = self.state.here(from);
        if here.what == 0 {
            return;
        }
        if self.game.is(flag::STACKS) {
            self.state.pop(self.game, from);
            self.state.push(self.game, to, here.what);
            return;
        }
        let left = match here.count.saturating_sub(count) {
            0 => Here::default(),
            count => Here { count, ..here },
        };
        self.state.set(self.game, from, left);
        let there = self.state.here(to);
        let joins = there.what == here.what && self.game.is(flag::COUNTS);
        let more = if joins { there.count } else { 0 };
        let moved = Here {
            count: more.saturating_add(count),
            ..here
        };
        self.state.set(self.game, to, moved);
    }

    /// The rules of the end, and the limits.
    fn ends(&mut self) {
        self.ended_at = NOTHING;
        let phase = self.phase_of(self.state.mover);
        for rules in [self.game.phase(phase, 2), self.game.end()] {
            if rules == NOTHING || self.state.over {
                continue;
            }
            self.end(rules);
            if self.state.over {
                continue;
            }
            self.ended_at = NOTHING;
            if self.game.is(flag::PASS_ENDS) && self.all_passed() {
                self.draw();
            }
        }
        self.runs_out();
    }

    /// The game ends after so many turns or moves, if it goes on.
    #[inline]
    pub(super) fn runs_out(&mut self) {
        if self.state.over {
            return;
        }
        let turns = self.state.turns >= self.game.most_turns();
        if turns || self.state.moves >= self.game.most_moves() {
            self.draw();
            self.state.ended_by = if turns {
                EndedBy::Turns
            } else {
                EndedBy::Moves
            };
        }
    }

    pub(super) fn end(&mut self, at: u16) {
        let (op, x) = self.node(at);
        match op {
            Op::When if self.truth_of(at, place::When::CONDITION) => {
                self.ends_by(at);
                for place in place::When::each(x) {
                    let rule = self.operand(at, place);
                    self.end(rule);
                    if self.state.over {
                        break;
                    }
                }
            }
            Op::Rules => {
                for place in place::Rules::each(x) {
                    let rule = self.operand(at, place);
                    self.end(rule);
                }
            }
            Op::EachPlayer => {
                for player in 1..=self.game.players() {
                    self.context.player = player.into();
                    if self.truth_of(at, place::EachPlayer::CONDITION) {
                        self.ends_by(at);
                        let rule = self.operand(at, place::EachPlayer::RULE);
                        self.end(rule);
                    }
                }
                self.context.player = -1;
            }
            Op::Result => {
                let who = self.number_of(at, place::Result::PLAYER);
                let Ok(who) = u8::try_from(who) else { return };
                self.result(self.operand(at, place::Result::KIND), who);
            }
            Op::ByScore => {
                if let Some(node) = self.optional(at, place::ByScore::SCORES) {
                    let keeps = core::mem::replace(&mut self.keeps, false);
                    self.consequence(node);
                    self.keeps = keeps;
                }
                self.by_score();
            }
            _ => {}
        }
    }

    /// The game ends by this rule, if it ends and did not before.
    #[cfg_attr(feature = "host", inline)]
    pub(super) fn ends_by(&mut self, at: u16) {
        if !self.state.over {
            self.ended_at = at;
        }
    }

    /// Nobody won of those who still play.
    fn draw(&mut self) {
        let players = usize::from(self.game.players());
        let ranked = |rank: &&u8| **rank != 0;
        let taken = self.state.rank.iter().skip(1).take(players);
        let taken = taken.filter(ranked).count();
        let left = players - taken.min(players);
        // The mean of the ranks that are left, in halves.
        let wins = self.wins();
        let mean = 2 * (wins + 1) + left.saturating_sub(1);
        for rank in self.state.rank.iter_mut().skip(1).take(players) {
            if *rank == 0 && players > 1 {
                *rank = mean as u8;
            }
        }
        self.finish();
    }

    /// How many ranks from the first on are taken.
    fn wins(&self) -> usize {
        let ranks = self.state.rank.iter().skip(1);
        let mut wins = 0;
        while ranks
            .clone()
            .any(|rank| usize::from(*rank) == 2 * (wins + 1))
        {
            wins += 1;
        }
        wins
    }

    fn finish(&mut self) {
        self.state.over = true;
        self.state.active = 0;
        let first = self.state.rank.iter().skip(1).position(|rank| *rank == 2);
        self.state.winner = first.map_or(0, |place| place as u8 + 1);
    }

    /// 0 lost, 1 won, 2 all draw; of a player who still plays.
    fn result(&mut self, kind: u16, who: u8) {
        let players = self.game.players();
        if kind == 2 || who > players {
            if kind == 2 {
                self.draw();
            } else {
                self.all_of_them(kind);
            }
            return;
        }
        if !self.state.is_active(who) {
            return;
        }
        self.state.active &= !(1 << who);
        if players == 1 {
            self.state.winner = u8::from(kind == 1);
            self.state.over = true;
            if kind == 1 {
                self.state.rank[1] = 2;
            }
            return;
        }
        if kind == 1 {
            let rank = 2 * (self.wins() + 1);
            self.set_rank(who, rank as u8);
        } else {
            let rank = self.last_rank();
            self.set_rank(who, rank);
            if self.state.next == who {
                self.state.next = self.player_after(who);
            }
        }
        self.settle(kind);
    }

    fn set_rank(&mut self, who: u8, rank: u8) {
        if let Some(place) = self.state.rank.get_mut(usize::from(who)) {
            *place = rank;
        }
    }

    /// The last rank that is free, in halves.
    fn last_rank(&self) -> u8 {
        let mut last = 2 * self.game.players();
        while last > 2 && self.state.rank.contains(&last) {
            last -= 2;
        }
        last
    }

    /// One who is left over gets the rank that is left.
    fn settle(&mut self, kind: u16) {
        let mut left = (1..=self.game.players()).filter(|player| self.state.is_active(*player));
        let (one, more) = (left.next(), left.next());
        match (one, more) {
            (None, _) => self.finish(),
            (Some(one), None) => {
                let rank = if kind == 1 {
                    self.last_rank()
                } else {
                    2 * (self.wins() as u8 + 1)
                };
                self.set_rank(one, rank);
                self.finish();
            }
            _ => {}
        }
    }

    /// All won, or all lost.
    fn all_of_them(&mut self, kind: u16) {
        let rank = if kind == 1 {
            2
        } else {
            2 * self.game.players()
        };
        for player in 1..=self.game.players() {
            if self.state.is_active(player) {
                self.set_rank(player, rank);
            }
        }
        self.state.over = true;
        self.state.active = 0;
        self.state.winner = 0;
    }

    /// Who has more comes first; who has as much shares the ranks.
    fn by_score(&mut self) {
        let players = self.game.players();
        for player in 1..=players {
            let of = |player: u8| {
                let score = self.state.score.get(usize::from(player));
                score.copied().unwrap_or(0)
            };
            let mine = of(player);
            let better = (1..=players).filter(|other| of(*other) > mine).count();
            let same = (1..=players).filter(|other| of(*other) == mine).count();
            self.set_rank(player, (2 * (better + 1) + same - 1) as u8);
        }
        self.finish();
    }

    pub(super) fn next_phases(&mut self) {
        if self.game.phases() < 2 {
            return;
        }
        for player in 1..=self.game.players() {
            let phase = self.phase_of(player);
            for next in 0..NEXT_PHASES {
                let place = 3 + 3 * next;
                let who = self.game.phase(phase, place);
                if who == NOTHING {
                    break;
                }
                let who = self.number(who);
                let all = i32::from(self.game.players()) + 1;
                if who != all && who != i32::from(player) {
                    continue;
                }
                let when = self.game.phase(phase, place + 1);
                if when == NOTHING || self.truth(when) {
                    let to = self.game.phase(phase, place + 2);
                    if let Some(place) = self.state.phase.get_mut(usize::from(player)) {
                        *place = to as u8;
                    }
                    break;
                }
            }
        }
    }
}
