//! The moves that a program finds.
//!
//! Who asks is told of each move while its actions lie in the buffer, and may
//! say that it has heard enough; so counting moves, choosing one and listing all
//! of them are the same walk, and none needs a list.

use core::ops::ControlFlow;

use protocol::Point;

use crate::points::Points;

use super::action::{Action, Draft};
use super::machine::{Flow, Link, Machine, Sink};
use super::op::{NOTHING, Op};
use super::sites::each_way;
use super::span::Span;

/// Bits of a move's own number.
mod bit {
    /// Add: on top of what stands there.
    pub const TOP: u8 = 2;
    /// Move from to: a copy of it.
    pub const COPY: u8 = 2;
    /// Remove: when the turn is over.
    pub const LATER: u8 = 2;
    /// Set score: so much more.
    pub const MORE: u8 = 2;
}

impl<'g, W: Span> Machine<'g, W> {
    /// Tells of each move of a node.
    pub(super) fn moves(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let (op, x) = self.node(at);
        match op {
            Op::Add => self.adds(at, x, link, sink),
            Op::FromTo => self.carries(at, x, link, sink),
            Op::Step => self.steps(at, link, sink),
            Op::Slide => self.slides(at, link, sink),
            Op::Hop => self.hops(at, link, sink),
            Op::Leap => self.leaps(at, link, sink),
            Op::Shoot => self.shoots(at, link, sink),
            Op::Remove => self.removes(at, x, link, sink),
            Op::Select => self.selects(at, link, sink),
            Op::ForEachPiece => self.for_each_piece(at, x, link, sink),
            Op::ForEachSite => self.for_each_site(at, link, sink),
            Op::ForEachPlayer => {
                let saved = self.context.player;
                for player in 1..=self.game.players() {
                    self.context.player = player.into();
                    self.moves_of(at, 1, link, sink)?;
                }
                self.context.player = saved;
                Flow::Continue(())
            }
            Op::ForEachValue => {
                let (first, last) = (self.number_of(at, 1), self.number_of(at, 2));
                let last = last.min(first.saturating_add(super::turn::MOST_VALUES));
                let saved = self.context.value;
                for value in first..=last {
                    self.context.value = value as i16;
                    self.moves_of(at, 3, link, sink)?;
                }
                self.context.value = saved;
                Flow::Continue(())
            }
            Op::ForEachWay => self.for_each_way(at, link, sink),
            Op::Any => {
                for place in 1..=u16::from(x) {
                    self.moves_of(at, place, link, sink)?;
                }
                Flow::Continue(())
            }
            Op::IfMoves => {
                let place = if self.truth_of(at, 1) { 2 } else { 3 };
                match self.optional(at, place) {
                    Some(node) => self.moves(node, link, sink),
                    None => Flow::Continue(()),
                }
            }
            Op::Apply => {
                let condition = self.optional(at, 1);
                match self.optional(at, 2) {
                    Some(node) if self.holds(condition) => self.moves(node, link, sink),
                    _ => Flow::Continue(()),
                }
            }
            Op::Then => {
                let (moves, then) = (self.operand(at, 1), self.operand(at, 2));
                self.moves(moves, &Link::Then(then, link), sink)
            }
            Op::Foremost => {
                for place in 1..=u16::from(x) {
                    let mut found = false;
                    let node = self.operand(at, place);
                    let mut look = |machine: &mut Self, draft: Draft| {
                        found = true;
                        machine.pass_on(draft, link, sink)
                    };
                    self.moves(node, &Link::End, &mut look)?;
                    if found {
                        break;
                    }
                }
                Flow::Continue(())
            }
            Op::Afterwards => {
                let (moves, truth) = (self.operand(at, 1), self.operand(at, 2));
                self.moves(moves, &Link::After(truth, link), sink)
            }
            Op::Do => self.one_after_the_other(at, link, sink),
            Op::MostTaken => self.most_taken(at, link, sink),
            Op::Longest => self.longest(at, link, sink),
            Op::Together => {
                let start = self.here();
                let node = self.operand(at, 1);
                self.collect(node);
                if self.here() == start {
                    return Flow::Continue(());
                }
                let first = self.actions.get(start).copied();
                let sites = first.map_or([-1; 2], Action::sites);
                let flow = self.emit(start, sites, link, sink);
                self.actions.truncate(start);
                flow
            }
            Op::Both => {
                let (one, other) = (self.operand(at, 1), self.operand(at, 2));
                let mut look = |machine: &mut Self, first: Draft| {
                    let mut both = |machine: &mut Self, second: Draft| {
                        let draft = Draft {
                            from: first.from,
                            to: first.to,
                            start: first.start,
                            own: second.own,
                        };
                        machine.pass_on(draft, link, sink)
                    };
                    machine.moves(other, &Link::End, &mut both)
                };
                self.moves(one, &Link::End, &mut look)
            }
            Op::Custodial => self.custodial(at, link, sink),
            Op::Surround => self.surround(at, link, sink),
            Op::Enclose => self.enclose(at, link, sink),
            Op::Intervene => self.intervene(at, link, sink),
            Op::Directional => self.directional(at, link, sink),
            Op::Scatter => self.scatter(at, link, sink),
            Op::Sow => self.sows(at, x, link, sink),
            Op::Forget => self.forgets(at, link, sink),
            _ => self.simple(op, at, x, link, sink),
        }
    }

    #[inline]
    pub(super) fn moves_of(
        &mut self,
        at: u16,
        place: u16,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let node = self.operand(at, place);
        self.moves(node, link, sink)
    }

    /// A move of one action, told of.
    pub(super) fn one(
        &mut self,
        action: Action,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let start = self.here();
        self.push(action);
        let flow = self.emit(start, action.sites(), link, sink);
        self.actions.truncate(start);
        flow
    }

    /// The effects of a node, put into the buffer one after the other.
    pub(super) fn collect(&mut self, at: u16) {
        let base = self.kept.len();
        let mut keep = |machine: &mut Self, draft: Draft| {
            let from = usize::from(draft.start);
            for index in from..machine.here() {
                if let Some(action) = machine.actions.get(index).copied()
                    && machine.kept.push(action).is_err()
                {
                    machine.give_up();
                }
            }
            Flow::Continue(())
        };
        let _ = self.moves(at, &Link::End, &mut keep);
        for index in base..self.kept.len() {
            if let Some(action) = self.kept.get(index).copied() {
                self.push(action);
            }
        }
        self.kept.truncate(base);
    }

    /// The effects of a node, put before what lies in the buffer from `start` on.
    pub(super) fn put_before(&mut self, start: usize, at: Option<u16>) {
        let Some(at) = at else { return };
        let mark = self.here();
        self.collect(at);
        let more = self.here() - mark;
        if let Some(actions) = self.actions.get_mut(start..) {
            actions.rotate_right(more);
        }
    }

    /// Moves of one action that asks for no loop.
    fn simple(
        &mut self,
        op: Op,
        at: u16,
        x: u8,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let none = Flow::Continue(());
        let small = |number: i32| u8::try_from(number).ok();
        let short = |number: i32| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let action = match op {
            Op::Pass => Some(Action::Pass { forced: false }),
            Op::Again => Some(Action::SetNext {
                player: self.state.mover,
            }),
            Op::SetNext => small(self.number_of(at, 1)).map(|player| Action::SetNext { player }),
            Op::Promote => {
                let (site, what) = (self.site_of(at, 1), small(self.number_of(at, 2)));
                let both = site.zip(what).filter(|(_, what)| *what > 0);
                both.map(|(site, what)| Action::Promote { site, what })
            }
            Op::SetScore => {
                let (player, score) = (small(self.number_of(at, 1)), self.number_of(at, 2));
                player.map(|player| Action::SetScore {
                    player,
                    score,
                    more: x & bit::MORE != 0,
                })
            }
            Op::SetPlayerValue => {
                let (player, value) = (small(self.number_of(at, 1)), self.number_of(at, 2));
                player.map(|player| Action::SetPlayerValue {
                    player,
                    value: short(value),
                })
            }
            Op::SetAmount => {
                let (player, amount) = (small(self.number_of(at, 1)), self.number_of(at, 2));
                player.map(|player| Action::SetAmount {
                    player,
                    amount: short(amount),
                })
            }
            Op::SetState => {
                let state = small(self.number_of(at, 2));
                let site = self.site_of(at, 1);
                site.zip(state)
                    .map(|(site, state)| Action::SetState { site, state })
            }
            Op::SetCount => {
                let count = small(self.number_of(at, 2));
                let site = self.site_of(at, 1);
                site.zip(count)
                    .map(|(site, count)| Action::SetCount { site, count })
            }
            Op::SetValue => {
                let value = small(self.number_of(at, 2));
                let site = self.site_of(at, 1);
                site.zip(value)
                    .map(|(site, value)| Action::SetValue { site, value })
            }
            Op::SetCounter => Some(Action::SetCounter {
                counter: short(self.number_of(at, 1)),
            }),
            Op::SetPending => Some(Action::SetPending {
                value: short(self.number_of(at, 1)),
            }),
            Op::Trigger => {
                let event = self.operand(at, 1) as u8;
                small(self.number_of(at, 2)).map(|player| Action::Trigger { event, player })
            }
            Op::SetVariable => Some(Action::SetVariable {
                variable: self.operand(at, 1) as u8,
                value: short(self.number_of(at, 2)),
            }),
            Op::Flip => self.site_of(at, 1).and_then(|site| {
                let here = self.state.here(site);
                let [one, other] = self.game.piece(here.what).flips;
                let state = if here.state == one {
                    other
                } else if here.state == other {
                    one
                } else {
                    here.state
                };
                let flips = here.what != 0 && one != other;
                flips.then_some(Action::SetState { site, state })
            }),
            Op::SwapSites => return self.swaps(at, link, sink),
            Op::Remember => {
                let name = self.operand(at, 1) as u8;
                let known = self.state.remembered.get(usize::from(name)).copied();
                let known = known.unwrap_or(Points::NONE);
                let site = self.site_of(at, 2);
                let site = site.filter(|site| x & 1 == 0 || !known.has(Point(*site)));
                site.map(|site| Action::Remember { name, site })
            }
            Op::SetPendingSites => {
                let start = self.here();
                for site in self.sites_of(at, 1) {
                    self.push(Action::SetPending {
                        value: site.0.into(),
                    });
                }
                let flow = if self.here() > start {
                    self.emit(start, [-1; 2], link, sink)
                } else {
                    none
                };
                self.actions.truncate(start);
                return flow;
            }
            _ => None,
        };
        match action {
            Some(action) => self.one(action, link, sink),
            None => none,
        }
    }

    /// One site of a name, or all of them.
    fn forgets(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let name = self.operand(at, 1) as u8;
        let sites = match self.optional(at, 2) {
            Some(node) => {
                let site = self.number(node);
                self.site(site)
                    .map_or(Points::NONE, |site| Points::one(Point(site)))
            }
            None => {
                let known = self.state.remembered.get(usize::from(name));
                known.copied().unwrap_or(Points::NONE)
            }
        };
        let start = self.here();
        for site in sites {
            self.push(Action::Forget { name, site: site.0 });
        }
        let flow = if self.here() > start {
            self.emit(start, [-1; 2], link, sink)
        } else {
            ON
        };
        self.actions.truncate(start);
        flow
    }

    fn swaps(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let (from, to) = (self.site_of(at, 1), self.site_of(at, 2));
        let (Some(from), Some(to)) = (from, to) else {
            return Flow::Continue(());
        };
        let start = self.here();
        let what = self.state.what(to);
        self.push(Action::Move { from, to });
        self.push(Action::Add {
            site: from,
            what,
            state: -1,
            top: false,
        });
        let flow = self.emit(start, [from.into(), to.into()], link, sink);
        self.actions.truncate(start);
        flow
    }

    fn adds(&mut self, at: u16, x: u8, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let what = self.number_of(at, 1);
        let Some(what) = u8::try_from(what)
            .ok()
            .filter(|what| *what > 0 && usize::from(*what) < self.game.pieces())
        else {
            return Flow::Continue(());
        };
        let sites = self.sites_of(at, 2);
        let condition = self.optional(at, 3);
        let saved = self.context;
        for site in sites {
            self.context.to = site.0.into();
            if self.holds(condition) {
                self.adds_to(at, x, what, site.0, link, sink)?;
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// A piece on a site, which is the one that is looked at.
    pub(super) fn adds_to(
        &mut self,
        at: u16,
        x: u8,
        what: u8,
        site: u8,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let count = self.optional(at, 5).map_or(1, |node| self.number(node));
        let state = self.optional(at, 4).map_or(-1, |node| self.number(node));
        let start = self.here();
        for _ in 0..count.min(64) {
            self.push(Action::Add {
                site,
                what,
                state: state as i8,
                top: x & bit::TOP != 0,
            });
        }
        if let Some(effect) = self.optional(at, 6) {
            let from = self.context.from;
            self.context.from = site.into();
            self.put_before(start, Some(effect));
            self.context.from = from;
        }
        let flow = if self.here() > start {
            self.emit(start, [site.into(); 2], link, sink)
        } else {
            Flow::Continue(())
        };
        self.actions.truncate(start);
        flow
    }

    /// A piece on some empty sites of a set.
    fn scatter(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let what = self.number_of(at, 1);
        let Ok(what) = u8::try_from(what) else {
            return Flow::Continue(());
        };
        let sites = self.sites_of(at, 2).without(self.state.occupied());
        let count = self.optional(at, 3).map_or(1, |node| self.number(node));
        let state = self.optional(at, 4).map_or(-1, |node| self.number(node));
        let chosen = self.state.chance.choose(sites, count.max(0) as usize);
        let start = self.here();
        for site in chosen {
            self.push(Action::Add {
                site: site.0,
                what,
                state: state as i8,
                top: false,
            });
        }
        let flow = if self.here() > start {
            self.emit(start, [-1; 2], link, sink)
        } else {
            Flow::Continue(())
        };
        self.actions.truncate(start);
        flow
    }

    fn carries(&mut self, at: u16, x: u8, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let froms = self.sites_of(at, 1) & self.state.occupied();
        let [may_go, may_come] = [2, 4].map(|place| self.optional(at, place));
        let saved = self.context;
        for from in froms {
            self.context.from = from.0.into();
            if !self.holds(may_go) {
                continue;
            }
            for to in self.sites_of(at, 3) {
                self.context.from = from.0.into();
                self.context.to = to.0.into();
                if self.holds(may_come) {
                    self.carries_to(at, x, saved.to, (from.0, to.0), link, sink)?;
                }
            }
            self.context = saved;
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// A piece from a site to another, which are those that are looked at; `before`
    /// was the one before.
    pub(super) fn carries_to(
        &mut self,
        at: u16,
        x: u8,
        before: i16,
        (from, to): (u8, u8),
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let [effect, count, copies] = [5, 6, 7].map(|place| self.optional(at, place));
        let there = core::mem::replace(&mut self.context.to, before);
        let copy = x & bit::COPY != 0 || copies.is_some_and(|node| self.truth(node));
        let count = count.map(|node| self.number(node));
        self.context.to = there;
        let start = self.here();
        self.push(match count {
            _ if copy => Action::Copy { from, to },
            Some(count) => Action::MoveSome {
                from,
                to,
                count: count.clamp(0, 255) as u8,
            },
            None => Action::Move { from, to },
        });
        self.put_before(start, effect);
        let flow = self.emit(start, [from.into(), to.into()], link, sink);
        self.actions.truncate(start);
        flow
    }

    /// A move from a site to another with an effect, told of.
    pub(super) fn goes(
        &mut self,
        from: u8,
        to: u8,
        effect: Option<u16>,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let start = self.here();
        self.push(Action::Move { from, to });
        self.put_before(start, effect);
        let flow = self.emit(start, [from.into(), to.into()], link, sink);
        self.actions.truncate(start);
        flow
    }

    /// The site of the board that the first operand names.
    pub(super) fn board_site(&mut self, at: u16, place: u16) -> Option<u8> {
        let site = self.site_of(at, place)?;
        (usize::from(site) < self.game.board()).then_some(site)
    }

    fn steps(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, 1) else {
            return Flow::Continue(());
        };
        let [may_go, _, may_come, effect] = [2, 3, 4, 5].map(|place| self.optional(at, place));
        let saved = self.context;
        self.context.from = from.into();
        let mut seen = Points::<W>::NONE;
        if self.holds(may_go) {
            let landing = may_come.and_then(|node| self.whole_set(node));
            for way in each_way(self.ways_of(at, 3, from)) {
                let Some(to) = self.game.step(from, way) else {
                    continue;
                };
                if landing.is_some_and(|landing| !landing.has(Point(to))) {
                    continue;
                }
                self.context.to = to.into();
                if !seen.has(Point(to)) && (landing.is_some() || self.holds(may_come)) {
                    seen.insert(Point(to));
                    self.goes(from, to, effect, link, sink)?;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    fn slides(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, 1) else {
            return Flow::Continue(());
        };
        let saved = self.context;
        self.context.from = from.into();
        let least = self.optional(at, 3).map_or(1, |node| self.number(node));
        let most = self
            .optional(at, 4)
            .map_or(i32::MAX, |node| self.number(node));
        let [goes_on, stops] = [5, 6].map(|place| self.optional(at, place));
        for way in each_way(self.ways_of(at, 2, from)) {
            let mut here = from;
            self.context.between = saved.between;
            let mut far = 0;
            while far < most.min(256) {
                far += 1;
                let next = self.game.step(here, way).filter(|next| *next != from);
                let Some(to) = next else { break };
                here = to;
                self.context.to = to.into();
                let is_end = stops.is_some_and(|node| self.truth(node));
                if !(is_end && least <= far) {
                    self.context.between = to.into();
                    let goes = match goes_on {
                        Some(node) => self.truth(node),
                        None => self.state.what(to) == 0,
                    };
                    if !goes {
                        break;
                    }
                }
                if least <= far {
                    self.slides_to(at, (from, to), (way, far), link, sink)?;
                }
                if is_end && least <= far {
                    break;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// A slide of so many steps that ends at a site, which is the one that is
    /// looked at.
    fn slides_to(
        &mut self,
        at: u16,
        (from, to): (u8, u8),
        (way, far): (u32, i32),
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let may_come = self.optional(at, 7);
        let [effect, between_effect, trail] = [8, 9, 10].map(|place| self.optional(at, place));
        let start = self.here();
        self.push(Action::Move { from, to });
        self.put_before(start, effect);
        if let Some(trail) = trail {
            self.leave_trail(from, way, far, trail);
        }
        if between_effect.is_some() {
            self.along_effects(start, from, way, far - 1, between_effect);
        }
        let flow = if self.holds(may_come) {
            self.emit(start, [from.into(), to.into()], link, sink)
        } else {
            Flow::Continue(())
        };
        self.actions.truncate(start);
        flow
    }

    /// A slide that was heard of in a batch.
    pub(super) fn slides_again(
        &mut self,
        at: u16,
        (from, to): (u8, u8),
        way: u32,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let (mut site, mut steps) = (from, 1);
        for _ in 0..self.game.board() {
            match self.game.step(site, way) {
                Some(next) if next != to => site = next,
                _ => break,
            }
            steps += 1;
        }
        // What was passed last is what lies between, unless it stops in passing.
        let stops = self.optional(at, 6);
        if !stops.is_some_and(|node| self.truth(node)) {
            self.context.between = to.into();
        } else if steps > 1 {
            self.context.between = site.into();
        }
        self.slides_to(at, (from, to), (way, steps), link, sink)
    }

    /// Pieces on the sites that a slide leaves behind it.
    fn leave_trail(&mut self, from: u8, way: u32, far: i32, trail: u16) {
        let Ok(what) = u8::try_from(self.number(trail)) else {
            return;
        };
        let mut site = from;
        for _ in 0..far {
            self.push(Action::Add {
                site,
                what,
                state: -1,
                top: false,
            });
            site = self.game.step(site, way).unwrap_or(site);
        }
    }

    /// The effects on each of the sites of a way, before what lies from `start`
    /// on.
    fn along_effects(&mut self, start: usize, from: u8, way: u32, many: i32, effect: Option<u16>) {
        let saved = self.context.between;
        let mut site = from;
        for _ in 0..many {
            site = self.game.step(site, way).unwrap_or(site);
            self.context.between = site.into();
            self.put_before(start, effect);
        }
        self.context.between = saved;
    }

    fn leaps(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, 1) else {
            return Flow::Continue(());
        };
        let [may_come, effect, may_go] = [3, 4, 5].map(|place| self.optional(at, place));
        let saved = self.context;
        self.context.from = from.into();
        if self.holds(may_go) {
            for to in self.sites_of(at, 2) {
                self.context.to = to.0.into();
                if self.holds(may_come) {
                    self.goes(from, to.0, effect, link, sink)?;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    fn shoots(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, 1) else {
            return Flow::Continue(());
        };
        let may_come = self.optional(at, 3);
        let Ok(what) = u8::try_from(self.number_of(at, 4)) else {
            return Flow::Continue(());
        };
        let saved = self.context;
        for way in each_way(self.ways_of(at, 2, from)) {
            let mut here = from;
            for _ in 0..self.game.board() {
                let next = self.game.step(here, way).filter(|next| *next != from);
                let Some(to) = next else { break };
                here = to;
                self.context.to = to.into();
                let comes = match may_come {
                    Some(node) => self.truth(node),
                    None => self.state.what(to) == 0,
                };
                if !comes {
                    break;
                }
                self.context.between = to.into();
                let add = Action::Add {
                    site: to,
                    what,
                    state: -1,
                    top: false,
                };
                self.one(add, link, sink)?;
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    fn removes(&mut self, at: u16, x: u8, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let sites = self.sites_of(at, 1) & self.state.occupied();
        let count = self.optional(at, 2).map_or(1, |node| self.number(node));
        for site in sites {
            self.removes_from(x, count, site.0, link, sink)?;
        }
        Flow::Continue(())
    }

    /// So many pieces away from a site.
    pub(super) fn removes_from(
        &mut self,
        x: u8,
        count: i32,
        site: u8,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let start = self.here();
        for _ in 0..count.clamp(1, 64) {
            self.push(if x & bit::LATER != 0 {
                Action::RemoveLater { site }
            } else {
                Action::Remove { site }
            });
        }
        let flow = self.emit(start, [site.into(); 2], link, sink);
        self.actions.truncate(start);
        flow
    }

    fn selects(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let froms = self.sites_of(at, 1);
        let [may_go, to, may_come] = [2, 3, 4].map(|place| self.optional(at, place));
        let saved = self.context;
        for from in froms {
            self.context.from = from.0.into();
            self.context.to = from.0.into();
            if !self.holds(may_go) {
                continue;
            }
            let Some(to) = to else {
                let select = Action::Select {
                    from: from.0,
                    to: -1,
                };
                self.one(select, link, sink)?;
                continue;
            };
            for to in self.sites(to) {
                self.context.to = to.0.into();
                if self.holds(may_come) {
                    let select = Action::Select {
                        from: from.0,
                        to: to.0.into(),
                    };
                    self.one(select, link, sink)?;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    fn for_each_piece(
        &mut self,
        at: u16,
        x: u8,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let owner = self.number_of(at, 1);
        let mut sites = self.state.owned(owner) & self.board;
        if let Some(node) = self.optional(at, 2) {
            sites &= self.sites(node);
        }
        let own = self.optional(at, 3);
        let saved = self.context;
        let turn = (self.state.mover, self.state.next, self.state.previous);
        let players = i32::from(self.game.players());
        let is_other = owner != i32::from(turn.0) && (1..=players).contains(&owner);
        for site in sites {
            let what = self.state.what(site.0);
            let moves = own.unwrap_or_else(|| {
                let column = usize::from(x & 1);
                *self.game.piece(what).moves.get(column).unwrap_or(&NOTHING)
            });
            if moves == NOTHING {
                continue;
            }
            self.context.from = site.0.into();
            if !is_other {
                self.moves(moves, link, sink)?;
                continue;
            }
            // The other player's moves are found in that player's turn, and what is
            // done with them in this one.
            let epoch = self.state.epoch;
            self.new_epoch();
            let other = (self.state.epoch, (owner as u8, turn.0, turn.0));
            let mut look = |machine: &mut Self, draft: Draft| {
                machine.be_in_turn((epoch, turn));
                let flow = machine.pass_on(draft, link, sink);
                machine.be_in_turn(other);
                flow
            };
            self.be_in_turn(other);
            let flow = self.moves(moves, &Link::End, &mut look);
            self.be_in_turn((epoch, turn));
            flow?;
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// Mover, next and previous player, in the position of this number.
    fn be_in_turn(&mut self, (epoch, turn): (u64, (u8, u8, u8))) {
        self.state.epoch = epoch;
        (self.state.mover, self.state.next, self.state.previous) = turn;
    }

    fn for_each_site(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let sites = self.sites_of(at, 1);
        let otherwise = self.optional(at, 3);
        let saved = self.context;
        let mut found = false;
        for site in sites {
            self.context.to = site.0.into();
            self.context.site = site.0.into();
            if otherwise.is_none() {
                self.moves_of(at, 2, link, sink)?;
                continue;
            }
            let node = self.operand(at, 2);
            let mut look = |machine: &mut Self, draft: Draft| {
                found = true;
                machine.pass_on(draft, link, sink)
            };
            self.moves(node, &Link::End, &mut look)?;
        }
        self.context = saved;
        match otherwise {
            Some(node) if !found => self.moves(node, link, sink),
            _ => Flow::Continue(()),
        }
    }

    fn for_each_way(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, 1) else {
            return Flow::Continue(());
        };
        let saved = self.context;
        for way in each_way(self.ways_of(at, 2, from)) {
            if let Some(to) = self.game.step(from, way) {
                self.context.to = to.into();
                self.moves_of(at, 3, link, sink)?;
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// What a move takes away, and what comes after it, counted.
    fn taken(&mut self, draft: Draft) -> i32 {
        let actions = self.actions(draft);
        if actions
            .iter()
            .any(|action| matches!(action, Action::Then { .. }))
        {
            return self.taken_after(draft);
        }
        let is_taken =
            |action: &&Action| matches!(action, Action::Remove { .. } | Action::RemoveLater { .. });
        actions.iter().filter(is_taken).count() as i32
    }

    /// The same, by playing it.
    fn taken_after(&mut self, draft: Draft) -> i32 {
        let (before, context) = (self.state.clone(), self.context);
        let keeps = core::mem::replace(&mut self.keeps, false);
        let known = core::mem::replace(&mut self.taken, 0);
        self.run(draft);
        let taken = core::mem::replace(&mut self.taken, known);
        self.keeps = keeps;
        self.context = context;
        self.state = before;
        taken.into()
    }

    fn most_taken(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let node = self.operand(at, 1);
        let mut most = 0;
        let mut look = |machine: &mut Self, draft: Draft| {
            most = most.max(machine.taken(draft));
            Flow::Continue(())
        };
        let _ = self.moves(node, &Link::End, &mut look);
        let mut choose = |machine: &mut Self, draft: Draft| {
            if machine.taken(draft) == most {
                machine.pass_on(draft, link, sink)
            } else {
                Flow::Continue(())
            }
        };
        self.moves(node, &Link::End, &mut choose)
    }

    /// The moves after which the turn can go on longest.
    fn longest(&mut self, at: u16, link: &Link<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let node = self.operand(at, 1);
        if self.ahead > 0 {
            // The longest of all is the longest of those that go on longest.
            return self.moves(node, link, sink);
        }
        let mut most = 0;
        let mut look = |machine: &mut Self, draft: Draft| {
            most = most.max(machine.length_of_turn(draft));
            Flow::Continue(())
        };
        let _ = self.moves(node, &Link::End, &mut look);
        let mut choose = |machine: &mut Self, draft: Draft| {
            if machine.length_of_turn(draft) == most {
                machine.pass_on(draft, link, sink)
            } else {
                Flow::Continue(())
            }
        };
        self.moves(node, &Link::End, &mut choose)
    }

    /// How many moves the turn has at most that begins with this one.
    fn length_of_turn(&mut self, draft: Draft) -> u16 {
        if self.ahead >= super::machine::MOST_AHEAD {
            return 0;
        }
        let before = self.state.clone();
        let (context, known) = (self.context, self.history.len());
        let keeps = core::mem::replace(&mut self.keeps, false);
        self.ahead += 1;
        self.play_draft(draft);
        let mut most = 0;
        if !self.state.over && self.state.previous == self.state.mover {
            let mut look = |machine: &mut Self, draft: Draft| {
                most = most.max(machine.length_of_turn(draft));
                Flow::Continue(())
            };
            let _ = self.legal(&mut look);
        }
        self.ahead -= 1;
        self.keeps = keeps;
        self.history.truncate(known);
        self.context = context;
        self.state = before;
        most + 1
    }

    /// What comes first is done, and then the moves of the second are looked at;
    /// what was done first comes before each of them.
    fn one_after_the_other(
        &mut self,
        at: u16,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let (first, second) = (self.operand(at, 1), self.operand(at, 2));
        let truth = self.optional(at, 3);
        let start = self.here();
        self.collect(first);
        let end = self.here();
        let before = self.state.clone();
        let keeps = core::mem::replace(&mut self.keeps, false);
        self.carry_out(start, end);
        self.keeps = keeps;
        let after = self.state.clone();
        let mut look = |machine: &mut Self, draft: Draft| {
            let whole = Draft {
                start: start as u16,
                ..draft
            };
            machine.state.clone_from(&before);
            let flow = match truth {
                Some(truth) => machine.pass_on(whole, &Link::After(truth, link), sink),
                None => machine.pass_on(whole, link, sink),
            };
            machine.state.clone_from(&after);
            flow
        };
        let flow = self.moves(second, &Link::End, &mut look);
        self.state = before;
        self.actions.truncate(start);
        flow
    }

    /// True if a truth holds after a move.
    pub(super) fn is_true_after(&mut self, draft: Draft, truth: u16) -> bool {
        let before = self.state.clone();
        let context = self.context;
        let keeps = core::mem::replace(&mut self.keeps, false);
        self.run(draft);
        self.state.last_after = self.state.last_place;
        if self.state.mover == self.state.next {
            self.state.next = self.state.previous;
        }
        let holds = self.truth(truth);
        self.keeps = keeps;
        self.context = context;
        self.state = before;
        holds
    }
}

/// On.
pub(super) const ON: Flow = ControlFlow::Continue(());
