//! Captures by position: pieces in a line, between others, or surrounded.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::machine::{CONTINUE, Flow, Machine};
use super::op::{OperandSlot, slot};
use super::outlet::Outlet;
use super::ways::{MOST_STEPS, each_way};

impl<'g, W: Word> Machine<'g, W> {
    /// The values of two optional operands: the minimum and the maximum of steps.
    fn limits(&mut self, at: u16, least: OperandSlot, most: OperandSlot) -> (i32, i32) {
        let least = self.optional(at, least).map_or(0, |node| self.number(node));
        let most = self
            .optional(at, most)
            .map_or(MOST_STEPS, |node| self.number(node));
        (least, most.min(MOST_STEPS))
    }

    pub(super) fn custodial(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.site_of(at, slot::Custodial::FROM) else {
            return CONTINUE;
        };
        let (least, most) = self.limits(at, slot::Custodial::LEAST, slot::Custodial::MOST);
        let saved = self.context;
        let node = self.operand(at, slot::Custodial::TARGET);
        let targets = self.whole_set(node);
        let mut friends = None;
        for way in each_way(self.ways_of(at, slot::Custodial::WAYS, from)) {
            if let Some(targets) = targets
                && !self
                    .game
                    .step(from, way)
                    .is_some_and(|next| targets.has(Point(next)))
            {
                continue;
            }
            let (between, friend) = self.caught_between(at, from, way, targets, most);
            let Some(friend) = friend.filter(|_| between > 0 && between >= least) else {
                continue;
            };
            self.context.to = friend.into();
            if targets.is_some() && friends.is_none() {
                let node = self.operand(at, slot::Custodial::FRIEND);
                friends = Some(self.whole_set(node));
            }
            let is_friend = match friends.flatten() {
                Some(friends) => friends.has(Point(friend)),
                None => self.truth_of(at, slot::Custodial::FRIEND),
            };
            if !is_friend {
                continue;
            }
            let mut site = from;
            for _ in 0..between {
                site = self.game.step(site, way).unwrap_or(site);
                self.context.between = site.into();
                self.moves_of(at, slot::Custodial::EFFECT, out)?;
            }
        }
        self.context = saved;
        CONTINUE
    }

    /// The number of targets in a row from a site, and the site behind them.
    #[inline]
    fn caught_between(
        &mut self,
        at: u16,
        from: u8,
        way: u32,
        targets: Option<Points<W>>,
        most: i32,
    ) -> (i32, Option<u8>) {
        let (mut between, mut end) = (0, from);
        loop {
            let next = self.game.step(end, way).filter(|next| *next != from);
            let Some(next) = next else {
                return (between, None);
            };
            self.context.between = next.into();
            let is_target = match targets {
                _ if between >= most => false,
                Some(targets) => targets.has(Point(next)),
                None => self.truth_of(at, slot::Custodial::TARGET),
            };
            if !is_target {
                return (between, Some(next));
            }
            end = next;
            between += 1;
        }
    }

    /// The sites of a set from which something is enclosed in a line, if sets can express
    /// that: [`Op::Custodial`](super::op::Op::Custodial) with runs of any length.
    pub(super) fn custodial_sites(&mut self, at: u16, sites: Points<W>) -> Option<Points<W>> {
        if self.optional(at, slot::Custodial::LEAST).is_some()
            || self.optional(at, slot::Custodial::MOST).is_some()
        {
            return None;
        }
        let (target, friend) = (
            self.operand(at, slot::Custodial::TARGET),
            self.operand(at, slot::Custodial::FRIEND),
        );
        let (targets, friends) = (self.whole_set(target)?, self.whole_set(friend)?);
        let site = sites.first()?;
        let ways = self.ways_of(at, slot::Custodial::WAYS, site.0);
        let mut found = Points::NONE;
        for way in each_way(ways) {
            let back = 1 << self.opposite(way)?;
            let mut run = self.shifted(friends, back) & targets;
            let mut all = run;
            while !run.is_empty() {
                run = self.shifted(run, back).without(all) & targets;
                all |= run;
            }
            found |= self.shifted(all, back) & sites;
        }
        Some(found)
    }

    pub(super) fn surround(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.site_of(at, slot::Surround::FROM) else {
            return CONTINUE;
        };
        let except = self
            .optional(at, slot::Surround::EXCEPT)
            .map_or(0, |node| self.number(node));
        let saved = self.context;
        for way in each_way(self.ways_of(at, slot::Surround::WAYS, from)) {
            let Some(target) = self.game.step(from, way) else {
                continue;
            };
            self.context.between = target.into();
            if !self.truth_of(at, slot::Surround::TARGET) {
                continue;
            }
            let mut missing = 0;
            for around in each_way(self.ways_of(at, slot::Surround::WAYS, target)) {
                let Some(friend) = self.game.step(target, around) else {
                    continue;
                };
                self.context.to = friend.into();
                missing += i32::from(friend != from && !self.truth_of(at, slot::Surround::FRIEND));
            }
            if missing <= except {
                self.context.between = target.into();
                self.moves_of(at, slot::Surround::EFFECT, out)?;
            }
        }
        self.context = saved;
        CONTINUE
    }

    pub(super) fn enclose(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.site_of(at, slot::Enclose::FROM) else {
            return CONTINUE;
        };
        if self.state.what(from) == 0 {
            return CONTINUE;
        }
        let exceptions = self
            .optional(at, slot::Enclose::EXCEPT)
            .map_or(0, |node| self.number(node));
        let ways = self.operand(at, slot::Enclose::WAYS);
        let saved = self.context;
        let mut left = self.beside(Points::one(Point(from)), ways);
        while let Some(start) = left.first() {
            left.remove(start);
            if !self.is_target(at, start.0, exceptions) {
                continue;
            }
            let Some(group) = self.enclosed(at, start, ways, exceptions) else {
                continue;
            };
            left = left.without(group);
            for site in group {
                self.context.between = site.0.into();
                self.moves_of(at, slot::Enclose::EFFECT, out)?;
            }
        }
        self.context = saved;
        CONTINUE
    }

    fn is_target(&mut self, at: u16, site: u8, exceptions: i32) -> bool {
        self.context.between = site.into();
        self.truth_of(at, slot::Enclose::TARGET) || (exceptions > 0 && self.state.what(site) == 0)
    }

    /// The group of a target, if at most `exceptions` empty sites are next to it.
    fn enclosed(&mut self, at: u16, start: Point, ways: u16, exceptions: i32) -> Option<Points<W>> {
        let mut spare = exceptions - i32::from(self.state.what(start.0) == 0);
        let mut group = Points::one(start);
        let mut edge = group;
        while !edge.is_empty() {
            let beside = self.beside(edge, ways).without(group);
            edge = Points::NONE;
            for site in beside {
                self.context.between = site.0.into();
                if self.truth_of(at, slot::Enclose::TARGET) {
                    edge.insert(site);
                } else if self.state.what(site.0) == 0 {
                    if spare <= 0 {
                        return None;
                    }
                    spare -= 1;
                    edge.insert(site);
                }
            }
            group |= edge;
        }
        Some(group)
    }

    /// Captures what stands on both sides of a site, along a way and its opposite.
    pub(super) fn intervene(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.site_of(at, slot::Intervene::FROM) else {
            return CONTINUE;
        };
        let least = self
            .optional(at, slot::Intervene::LEAST)
            .map_or(1, |node| self.number(node));
        let most = self
            .optional(at, slot::Intervene::MOST)
            .map_or(1, |node| self.number(node));
        let saved = self.context;
        for way in each_way(self.ways_of(at, slot::Intervene::WAYS, from)) {
            let Some(back) = self.opposite_at(way, from) else {
                continue;
            };
            let runs = [back, way].map(|way| {
                (
                    way,
                    self.run_of(at, slot::Intervene::TARGET, from, way, most),
                )
            });
            if runs.iter().any(|(_, run)| *run == 0 || *run < least) {
                continue;
            }
            for (way, run) in runs {
                self.effects_on(at, slot::Intervene::EFFECT, from, way, run, out)?;
            }
        }
        self.context = saved;
        CONTINUE
    }

    pub(super) fn directional(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.site_of(at, slot::Directional::FROM) else {
            return CONTINUE;
        };
        let (_, most) = self.limits(at, slot::Directional::LEAST, slot::Directional::MOST);
        let saved = self.context;
        for way in each_way(self.ways_of(at, slot::Directional::WAYS, from)) {
            let run = self.run_of(at, slot::Directional::TARGET, from, way, most);
            self.effects_on(at, slot::Directional::EFFECT, from, way, run, out)?;
        }
        self.context = saved;
        CONTINUE
    }

    /// The number of consecutive sites along a way that satisfy a condition.
    fn run_of(&mut self, at: u16, truth: OperandSlot, from: u8, way: u32, most: i32) -> i32 {
        let (mut run, mut here) = (0, from);
        while run < most {
            let next = self.game.step(here, way).filter(|next| *next != from);
            let Some(next) = next else { break };
            self.context.to = next.into();
            if !self.truth_of(at, truth) {
                break;
            }
            here = next;
            run += 1;
        }
        run
    }

    /// Applies the effects on the first sites along a way.
    fn effects_on(
        &mut self,
        at: u16,
        effect: OperandSlot,
        from: u8,
        way: u32,
        run: i32,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let mut here = from;
        for _ in 0..run {
            here = self.game.step(here, way).unwrap_or(here);
            self.context.to = here.into();
            self.moves_of(at, effect, out)?;
        }
        CONTINUE
    }
}
