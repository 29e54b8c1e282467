//! Moves a piece over others.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::action::Action;
use super::super::machine::{Flow, Machine};
use super::super::op::slot;
use super::super::outlet::Outlet;
use super::super::ways::{MOST_STEPS, each_way};
use super::{CONTINUE, Ends};

/// The sites that a hop jumps over.
#[derive(Clone, Copy)]
pub(in crate::cartridge) struct Hurdle {
    /// The site before it.
    pub before: u8,
    /// The way to it, and along it.
    pub way: u32,
    /// The number of its sites.
    pub length: i32,
}

impl Hurdle {
    /// Nothing is jumped over along this way.
    fn none(before: u8, way: u32) -> Hurdle {
        Hurdle {
            before,
            way,
            length: 0,
        }
    }
}

/// How far a hop may go, in sites.
#[derive(Clone, Copy)]
struct HopLimits {
    /// The greatest distance to the hurdle.
    before: i32,
    /// The least length of the hurdle.
    least: i32,
    /// The greatest length of the hurdle.
    most: i32,
    /// The greatest distance behind it.
    after: i32,
}

/// The nodes of a hop's effects.
#[derive(Clone, Copy)]
pub(in crate::cartridge) struct HopEffects {
    /// The effect on each site of the hurdle.
    pub on_hurdle: Option<u16>,
    /// The effect on the landing site.
    pub on_landing: Option<u16>,
}

impl<'g, W: Word> Machine<'g, W> {
    /// Visits hops along ways. Operands: start, its condition, ways, greatest distance to
    /// the hurdle, least and greatest length of the hurdle, greatest distance behind it,
    /// condition of the hurdle, conditions of the landing site and of a stop, effect on
    /// the hurdle, effect on the landing site.
    pub(super) fn hops(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let from = self.site_of(at, slot::Hop::FROM);
        let Some(from) = from.filter(|from| usize::from(*from) < self.game.board()) else {
            return CONTINUE;
        };
        let saved = self.context;
        self.context.from = from.into();
        let may_go = self.optional(at, slot::Hop::MAY_GO);
        if self.holds(may_go) {
            let before = self
                .optional(at, slot::Hop::BEFORE)
                .map_or(0, |node| self.number(node));
            let least = self
                .optional(at, slot::Hop::LEAST)
                .map_or(1, |node| self.number(node));
            let most = match self.optional(at, slot::Hop::MOST) {
                Some(node) => self.number(node),
                None => least,
            };
            let after = self
                .optional(at, slot::Hop::AFTER)
                .map_or(0, |node| self.number(node));
            let limits = HopLimits {
                before: before.min(MOST_STEPS),
                least,
                most: most.min(MOST_STEPS),
                after: after.min(MOST_STEPS),
            };
            if least == 0 {
                self.hops_of_one_step(at, from, out)?;
            }
            for way in each_way(self.ways_of(at, slot::Hop::WAYS, from)) {
                if most > 0 {
                    self.hops_on(at, from, way, limits, out)?;
                }
            }
        }
        self.context = saved;
        CONTINUE
    }

    /// Visits the steps to which a hop without a hurdle is reduced.
    fn hops_of_one_step(&mut self, at: u16, from: u8, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let effects = HopEffects {
            on_hurdle: self.optional(at, slot::Hop::HURDLE_EFFECT),
            on_landing: None,
        };
        let mut seen = Points::<W>::NONE;
        for way in each_way(self.ways_of(at, slot::Hop::WAYS, from)) {
            let Some(to) = self.game.step(from, way) else {
                continue;
            };
            self.context.to = to.into();
            if self.may_land(at) && !seen.has(Point(to)) {
                seen.insert(Point(to));
                self.lands(Ends { from, to }, Hurdle::none(from, way), effects, out)?;
            }
        }
        CONTINUE
    }

    fn may_land(&mut self, at: u16) -> bool {
        let lands = self.optional(at, slot::Hop::MAY_COME);
        match lands {
            Some(node) => self.truth(node),
            None => true,
        }
    }

    /// Visits the hops along one way: over the first hurdle, to the sites behind it.
    fn hops_on(
        &mut self,
        at: u16,
        from: u8,
        way: u32,
        limits: HopLimits,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let HopLimits {
            before,
            least,
            most,
            after,
        } = limits;
        let hurdle = self.optional(at, slot::Hop::HURDLE);
        if before == 0
            && let Some(hurdles) = hurdle.and_then(|node| self.whole_set(node))
            && !self
                .game
                .step(from, way)
                .is_some_and(|next| hurdles.has(Point(next)))
        {
            return CONTINUE;
        }
        let Some(start) = self.before_hurdle(at, from, way, before) else {
            return CONTINUE;
        };
        let (length, is_wrong) = self.length_of_hurdle(at, from, start, way, most);
        if length < least || (is_wrong && length == most) {
            return CONTINUE;
        }
        // Land behind the hurdle, or on its last sites if fewer of them have to be jumped
        // over.
        for spared in (0..=length - least).rev() {
            let hurdle = Hurdle {
                before: start,
                way,
                length: length - spared,
            };
            self.land_behind(at, from, hurdle, after, out)?;
        }
        CONTINUE
    }

    /// The last site before the hurdle, which may be that many steps away.
    #[inline]
    fn before_hurdle(&mut self, at: u16, from: u8, way: u32, before: i32) -> Option<u8> {
        let hurdle = self.optional(at, slot::Hop::HURDLE);
        let (mut far, mut here) = (0, from);
        loop {
            let next = self.game.step(here, way).filter(|next| *next != from)?;
            far += 1;
            self.context.between = next.into();
            if hurdle.is_some_and(|node| self.truth(node)) {
                return Some(here);
            }
            self.context.to = next.into();
            if far > before || !self.may_land(at) {
                return None;
            }
            here = next;
        }
    }

    /// The number of sites of the hurdle, and whether something else ends it.
    #[inline]
    fn length_of_hurdle(
        &mut self,
        at: u16,
        from: u8,
        start: u8,
        way: u32,
        most: i32,
    ) -> (i32, bool) {
        let hurdle = self.optional(at, slot::Hop::HURDLE);
        let mut length = 1;
        let mut end = self.game.step(start, way).unwrap_or(start);
        while length < most {
            let next = self.game.step(end, way).filter(|next| *next != from);
            let Some(next) = next else { break };
            self.context.between = next.into();
            if !hurdle.is_some_and(|node| self.truth(node)) {
                return (length, true);
            }
            end = next;
            length += 1;
        }
        (length, false)
    }

    /// Visits the hops that end behind the hurdle: next to it, or up to `after` sites
    /// further.
    #[inline]
    fn land_behind(
        &mut self,
        at: u16,
        from: u8,
        hurdle: Hurdle,
        after: i32,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let stop = self.optional(at, slot::Hop::STOPS);
        let effects = HopEffects {
            on_hurdle: self.optional(at, slot::Hop::HURDLE_EFFECT),
            on_landing: self.optional(at, slot::Hop::EFFECT),
        };
        let Hurdle {
            before,
            way,
            length,
        } = hurdle;
        let mut last = before;
        for _ in 0..length {
            last = self.game.step(last, way).unwrap_or(last);
        }
        let mut behind = 0;
        loop {
            let next = self.game.step(last, way).filter(|next| *next != from);
            let Some(to) = next else { break };
            last = to;
            behind += 1;
            self.context.to = to.into();
            if !self.may_land(at) {
                if stop.is_some_and(|node| self.truth(node)) {
                    let none = Hurdle::none(before, way);
                    let only = HopEffects {
                        on_hurdle: None,
                        ..effects
                    };
                    self.lands(Ends { from, to }, none, only, out)?;
                }
                break;
            }
            if stop.is_none() {
                self.lands(Ends { from, to }, hurdle, effects, out)?;
            }
            if behind > after {
                break;
            }
        }
        CONTINUE
    }

    /// Visits a hop that lands. The effects on the hurdle and on the landing site precede
    /// its action.
    pub(in crate::cartridge) fn lands(
        &mut self,
        Ends { from, to }: Ends,
        hurdle: Hurdle,
        effects: HopEffects,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let mark = self.here();
        self.push(Action::Move { from, to });
        self.put_before(mark, effects.on_landing);
        let saved = self.context.between;
        let mut site = hurdle.before;
        for _ in 0..hurdle.length {
            site = self.game.step(site, hurdle.way).unwrap_or(site);
            self.context.between = site.into();
            self.put_before(mark, effects.on_hurdle);
        }
        let flow = self.emit(mark, [from.into(), to.into()], out);
        self.context.between = saved;
        self.actions.truncate(mark);
        flow
    }
}
