//! Lines, patterns, connections and loops.

use protocol::Point;

use crate::points::Points;

use super::machine::Machine;
use super::sites::each_way;
use super::span::Span;

/// Bits of a line's own number.
mod line {
    /// Exactly so many.
    pub const EXACT: u8 = 1;
    /// Not the opposite way.
    pub const ONE_WAY: u8 = 2;
    /// Gaps do not break it.
    pub const GAPS: u8 = 4;
    /// At any level of stacks.
    pub const LEVELS: u8 = 8;
    /// Only where this very way goes on from the site.
    pub const THIS_WAY: u8 = 16;
}

/// Which pieces count in a line.
enum Counts<W: Span> {
    /// Those like this one.
    Like(u8),
    /// Those on these sites.
    On(Points<W>),
}

impl<W: Span> Machine<'_, W> {
    /// [`Op::IsLine`](super::op::Op::IsLine) through a site. Half of the ways are
    /// those of the node; the table that comes first in the pool has the opposite
    /// of each.
    pub(super) fn is_line(&mut self, at: u16, x: u8, through: i32) -> bool {
        let Some(pivot) = self.site(through) else {
            return false;
        };
        if usize::from(pivot) >= self.game.board() {
            return false;
        }
        if x & line::LEVELS != 0 {
            return self.is_line_of_levels(at, x, pivot);
        }
        let condition = self.optional(at, 5);
        let saved = self.context.to;
        self.context.to = pivot.into();
        let holds = self.holds(condition);
        let counts = match self.optional(at, 4) {
            Some(node) => Counts::On(self.sites(node)),
            None => Counts::Like(self.state.what(pivot)),
        };
        if let (Counts::Like(what), None, 0) = (&counts, condition, x & !line::EXACT) {
            self.context.to = saved;
            let length = self.number_of(at, 3);
            let ways = self.ways_of(at, 1, pivot);
            return self.is_plain_line(pivot, *what, ways, length, x & line::EXACT != 0);
        }
        let found = holds && self.counts_in(pivot, &counts) && {
            let length = self.number_of(at, 3);
            let mut ways = each_way(self.ways_of(at, 1, pivot));
            ways.any(|way| self.is_line_on(pivot, way, length, x, &counts, condition))
        };
        self.context.to = saved;
        found
    }

    /// A line of pieces that are like one, without gaps or conditions.
    fn is_plain_line(&self, pivot: u8, what: u8, ways: u32, length: i32, exact: bool) -> bool {
        each_way(ways).any(|way| {
            let mut many = 1 + self.run_like(pivot, way, what);
            if (exact || many < length)
                && let Some(back) = self.opposite_at(way, pivot)
            {
                many += self.run_like(pivot, back, what);
            }
            if exact {
                many == length
            } else {
                many >= length
            }
        })
    }

    /// How many pieces like one follow a site on a way.
    #[inline]
    fn run_like(&self, pivot: u8, way: u32, what: u8) -> i32 {
        let (mut many, mut here) = (0, pivot);
        while let Some(next) = self.game.step(here, way) {
            if next == pivot || self.state.what(next) != what {
                break;
            }
            here = next;
            many += 1;
        }
        many
    }

    fn counts_in(&self, site: u8, counts: &Counts<W>) -> bool {
        match counts {
            Counts::Like(what) => self.state.what(site) == *what,
            Counts::On(sites) => sites.has(Point(site)),
        }
    }

    fn is_line_on(
        &mut self,
        pivot: u8,
        way: u32,
        length: i32,
        x: u8,
        counts: &Counts<W>,
        condition: Option<u16>,
    ) -> bool {
        if x & line::THIS_WAY != 0 && self.game.step(pivot, way).is_none() {
            return false;
        }
        let mut many = 1 + self.follow(pivot, way, length, x, counts, condition);
        if x & line::EXACT == 0 && many >= length {
            return true;
        }
        if x & line::ONE_WAY == 0
            && let Some(back) = self.opposite_at(way, pivot)
        {
            many += self.follow(pivot, back, length, x, counts, condition);
            if x & line::EXACT == 0 && many >= length {
                return true;
            }
        }
        many == length
    }

    /// The opposite of a way, if it is the same from all sites.
    pub(super) fn opposite(&self, way: u32) -> Option<u32> {
        let is_one = self.game.table(0).len() == self.game.ways();
        self.back(if is_one { way as i32 } else { -1 })
    }

    /// The opposite of a way from a site. The table that comes first in the pool
    /// has it for each way, or for each way and site.
    pub(super) fn opposite_at(&self, way: u32, site: u8) -> Option<u32> {
        if self.game.table(0).len() == self.game.ways() {
            return self.back(way as i32);
        }
        self.back(way as i32 * self.game.board() as i32 + i32::from(site))
    }

    fn back(&self, entry: i32) -> Option<u32> {
        let back = self.game.entry(0, entry)?;
        let back = u32::try_from(back).ok()?;
        ((back as usize) < self.game.ways()).then_some(back)
    }

    /// How many that count follow a site on a way.
    fn follow(
        &mut self,
        pivot: u8,
        way: u32,
        length: i32,
        x: u8,
        counts: &Counts<W>,
        condition: Option<u16>,
    ) -> i32 {
        let (mut many, mut here) = (0, pivot);
        for _ in 0..self.game.board() {
            let next = self.game.step(here, way).filter(|next| *next != pivot);
            let Some(next) = next else { break };
            here = next;
            let mut counted = self.counts_in(here, counts);
            if counted && condition.is_some() {
                self.context.to = here.into();
                counted = self.holds(condition);
            }
            if counted {
                many += 1;
                if x & line::EXACT == 0 && many >= length {
                    break;
                }
            } else if x & line::GAPS == 0 {
                break;
            }
        }
        many
    }

    pub(super) fn is_line_any(&mut self, at: u16, x: u8) -> bool {
        let mut pivots = self.sites_of(at, 2);
        if let Some(node) = self.optional(at, 4) {
            pivots &= self.sites(node);
        }
        let condition = self.optional(at, 5);
        let saved = self.context.to;
        let mut found = false;
        for pivot in pivots {
            self.context.to = pivot.0.into();
            if !self.holds(condition) {
                break;
            }
            if self.is_line(at, x, pivot.0.into()) {
                found = true;
                break;
            }
        }
        self.context.to = saved;
        found
    }

    /// A line on stacks: on each way, of pieces of any level like the one on top
    /// of the pivot, going up, down or flat by one level a step.
    fn is_line_of_levels(&mut self, at: u16, x: u8, pivot: u8) -> bool {
        let height = self.state.height(pivot);
        let what = self.state.what(pivot);
        if what == 0 {
            return false;
        }
        let length = self.number_of(at, 3);
        let level = i32::from(height) - 1;
        if self.run_down(pivot, level, what) + 1 >= length {
            return true;
        }
        let ways = self.ways_of(at, 1, pivot);
        each_way(ways).any(|way| {
            let back = self.opposite_at(way, pivot);
            (-1..=1).any(|climb| {
                let mut many = 1 + self.run_of_levels(pivot, way, level, climb, what);
                if let Some(back) = back.filter(|_| x & line::ONE_WAY == 0) {
                    many += self.run_of_levels(pivot, back, level, -climb, what);
                }
                many == length || (x & line::EXACT == 0 && many > length)
            })
        })
    }

    fn run_down(&self, site: u8, level: i32, what: u8) -> i32 {
        let below = (0..level).rev();
        let like = below.take_while(|level| self.level_is(site, *level, what));
        like.count() as i32
    }

    fn level_is(&self, site: u8, level: i32, what: u8) -> bool {
        let level = u8::try_from(level);
        level.is_ok_and(|level| self.state.level(self.game, site, level) == what)
    }

    fn run_of_levels(&self, pivot: u8, way: u32, level: i32, climb: i32, what: u8) -> i32 {
        let mut level = level;
        let like = self.ray(pivot, way).take_while(|site| {
            level += climb;
            self.level_is(*site, level, what)
        });
        like.count() as i32
    }

    /// [`Op::IsPattern`](super::op::Op::IsPattern): the first table holds the
    /// walk (0 forward, 1 right, 2 left), the second, for each direction around
    /// the board, the way that it goes; with `x`, the next site of each site.
    pub(super) fn is_pattern(&mut self, at: u16, x: u8) -> bool {
        let Some(from) = self.site_of(at, 1) else {
            return false;
        };
        let what = self.state.what(from);
        if what == 0 || usize::from(from) >= self.game.board() {
            return false;
        }
        let (walk, around) = (self.operand(at, 2), self.operand(at, 3));
        let entries = self.game.table(around).len();
        let sites = if x == 0 { 0 } else { self.game.board() };
        let directions = (entries / sites.max(1)) as i32;
        let turns = [directions, sites as i32];
        (0..directions).any(|start| self.walks(from, what, walk, around, start, turns))
    }

    fn walks(
        &self,
        from: u8,
        what: u8,
        walk: u16,
        around: u16,
        start: i32,
        [directions, sites]: [i32; 2],
    ) -> bool {
        let (mut here, mut direction) = (from, start);
        self.game.table(walk).all(|step| {
            match step {
                0 => {
                    let next = if sites == 0 {
                        let way = self.game.entry(around, direction).unwrap_or(-1);
                        let way = u32::try_from(way).ok();
                        way.and_then(|way| self.game.step(here, way))
                    } else {
                        let place = direction * sites + i32::from(here);
                        let next = self.game.entry(around, place);
                        next.and_then(|next| self.site(next.into()))
                    };
                    let next = next.filter(|next| self.state.what(*next) == what);
                    here = next.unwrap_or(here);
                    return next.is_some();
                }
                1 => direction = (direction + 1) % directions,
                _ => direction = (direction + directions - 1) % directions,
            }
            true
        })
    }

    /// [`Op::IsConnected`](super::op::Op::IsConnected): 0 sets mean all of them.
    pub(super) fn is_connected(&mut self, at: u16, x: u8) -> bool {
        let from = self.site_of(at, 2);
        let many = self.number_of(at, 3);
        let Some(from) = from else { return false };
        let what = self.state.what(from);
        let owner = self.game.owner(what);
        if what == 0 || owner == 0 {
            return false;
        }
        let needed = if many == 0 { i32::from(x) } else { many };
        let ways = self.operand(at, 1);
        let within = self.state.owned(owner.into());
        let group = self.spread(Points::one(Point(from)), ways, within);
        let mut reached = 0;
        for place in 4..4 + u16::from(x) {
            reached += i32::from(self.sites_of(at, place).meets(group));
        }
        reached >= needed
    }

    /// [`Op::IsLoop`](super::op::Op::IsLoop): the pieces of the owner of a site
    /// cut some sites off from the edge, and the site has part in it. The ways:
    /// those to what may be enclosed, those on which one gets out.
    pub(super) fn is_loop(&mut self, at: u16) -> bool {
        let Some(from) = self.site_of(at, 3) else {
            return false;
        };
        let what = self.state.what(from);
        let owner = self.game.owner(what);
        if what == 0 || owner == 0 {
            return false;
        }
        let outer: Points<W> = self.game.set(self.operand(at, 4));
        let (near, ways) = (self.operand(at, 1), self.operand(at, 2));
        let walls = self.state.owned(owner.into());
        let start = Points::one(Point(from));
        let friends = self.beside(start, near) & walls;
        if friends.len() < 2 {
            return false;
        }
        let inside = self.beside(start, near).without(outer);
        for origin in inside {
            let within = self.board.without(walls) | Points::one(origin);
            let area = self.spread(Points::one(origin), ways, within);
            if !area.meets(outer) {
                return true;
            }
        }
        false
    }
}
