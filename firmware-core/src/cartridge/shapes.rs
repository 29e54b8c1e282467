//! Conditions on shapes: lines, patterns and connections.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::bytes::Cartridge;
use super::machine::Machine;
use super::op::{NOTHING, bit, line, slot};
use super::ways::each_way;

/// The longest line that is found by shifting sets.
const SHIFTED_LINE: i32 = 16;

/// The pieces that count as part of a line.
enum Counts<W: Word> {
    /// Pieces of the same kind as this one.
    Like(u8),
    /// Pieces on any of these sites.
    On(Points<W>),
}

/// The ways around the board, as the turns of a walk choose them.
#[derive(Clone, Copy)]
pub struct WalkTurns {
    /// The table with the way for each direction, or the next site of each site.
    pub table: u16,
    /// The number of directions.
    pub directions: i32,
    /// The number of sites in the table for each direction; 0 if it has ways.
    pub sites: i32,
}

impl WalkTurns {
    /// The turns by this table of an [`Op::IsPattern`](super::op::Op::IsPattern).
    #[inline]
    #[must_use]
    pub fn of(game: &Cartridge<'_>, table: u16, extra: u8) -> WalkTurns {
        let sites = if extra & bit::NEXT_SITES == 0 {
            0
        } else {
            game.board()
        };
        WalkTurns {
            table,
            directions: (game.table(table).len() / sites.max(1)) as i32,
            sites: sites as i32,
        }
    }
}

impl<W: Word> Machine<'_, W> {
    /// Evaluates [`Op::IsLine`](super::op::Op::IsLine) for a site. The node lists half of
    /// the ways; the first stored table contains the opposite of each.
    #[inline(never)]
    pub(super) fn is_line(&mut self, at: u16, extra: u8, through: i32) -> bool {
        let Some(pivot) = self.site(through) else {
            return false;
        };
        if usize::from(pivot) >= self.game.board() {
            return false;
        }
        if extra & line::LEVELS != 0 {
            return self.is_line_on_levels_at(at, extra, pivot);
        }
        let asks = [slot::IsLine::SITES, slot::IsLine::CONDITION]
            .iter()
            .any(|slot| self.operand(at, *slot) != NOTHING);
        if asks || extra & !line::EXACT != 0 {
            return self.is_asked_line(at, extra, pivot);
        }
        let length = self.number_of(at, slot::IsLine::LENGTH);
        let ways = self.ways_of(at, slot::IsLine::WAYS, pivot);
        let what = self.state.what(pivot);
        self.is_plain_line(pivot, what, ways, length, extra & line::EXACT != 0)
    }

    /// True if there is a line whose sites satisfy a condition.
    #[inline(never)]
    fn is_asked_line(&mut self, at: u16, extra: u8, pivot: u8) -> bool {
        let condition = self.optional(at, slot::IsLine::CONDITION);
        let saved = self.context.to;
        self.context.to = pivot.into();
        let holds = self.holds(condition);
        let counts = match self.optional(at, slot::IsLine::SITES) {
            Some(node) => Counts::On(self.sites(node)),
            None => Counts::Like(self.state.what(pivot)),
        };
        let found = holds && self.counts_in(pivot, &counts) && {
            let length = self.number_of(at, slot::IsLine::LENGTH);
            let mut ways = each_way(self.ways_of(at, slot::IsLine::WAYS, pivot));
            ways.any(|way| self.is_line_on(pivot, way, length, extra, &counts, condition))
        };
        self.context.to = saved;
        found
    }

    /// True if there is a line of pieces of one kind, without gaps or conditions.
    #[inline]
    fn is_plain_line(&self, pivot: u8, what: u8, ways: u32, length: i32, exact: bool) -> bool {
        // If the board has no line of that length, none goes through the site. If the set
        // is one word, shifting is faster than walking.
        if W::BITS <= 64
            && (3..=SHIFTED_LINE).contains(&length)
            && what != 0
            && ways & self.shifts.uneven == 0
            && let Some(like) = self.state.kind(what)
            && !self.has_run(like, ways, length)
        {
            return false;
        }
        self.is_line_walked(pivot, what, ways, length, exact)
    }

    #[inline(never)]
    fn is_line_walked(&self, pivot: u8, what: u8, ways: u32, length: i32, exact: bool) -> bool {
        let like = self.state.kind(what).filter(|_| what != 0);
        let run = |way| match like {
            Some(like) => self.run_in(pivot, way, like),
            None => self.run_like(pivot, way, what),
        };
        each_way(ways).any(|way| {
            let mut many = 1 + run(way);
            if (exact || many < length)
                && let Some(back) = self.opposite_at(way, pivot)
            {
                many += run(back);
            }
            if exact {
                many == length
            } else {
                many >= length
            }
        })
    }

    /// True if `length` consecutive sites of a set lie along one of these ways, whose
    /// steps are all equally long. All ways are examined without branches, because the
    /// way with the line cannot be predicted.
    #[inline]
    fn has_run(&self, like: Points<W>, ways: u32, length: i32) -> bool {
        let (mut all, mut rest) = (Points::NONE, ways);
        while rest != 0 {
            let shift = self.shifts.get(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            let Some(shift) = shift else { continue };
            let (mut run, mut left) = (like, length);
            while left > 1 {
                run = shift.back_from(run) & like;
                left -= 1;
            }
            all |= run;
        }
        !all.is_empty()
    }

    /// The number of consecutive sites of a set that follow a site along a way.
    #[inline]
    fn run_in(&self, pivot: u8, way: u32, like: Points<W>) -> i32 {
        let row = self.game.row(way);
        let (mut many, mut here) = (0, pivot);
        while let Some(next) = row.get(usize::from(here)).copied() {
            if next == here || next == pivot || !like.has(Point(next)) || many == 256 {
                break;
            }
            here = next;
            many += 1;
        }
        many
    }

    /// The number of consecutive pieces of a kind that follow a site along a way.
    #[inline]
    fn run_like(&self, pivot: u8, way: u32, what: u8) -> i32 {
        let (mut many, mut here) = (0, pivot);
        while let Some(next) = self.game.step(here, way) {
            if next == pivot || self.state.what(next) != what || many == 256 {
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
        extra: u8,
        counts: &Counts<W>,
        condition: Option<u16>,
    ) -> bool {
        if extra & line::THIS_WAY != 0 && self.game.step(pivot, way).is_none() {
            return false;
        }
        let mut many = 1 + self.follow(pivot, way, length, extra, counts, condition);
        if extra & line::EXACT == 0 && many >= length {
            return true;
        }
        if extra & line::ONE_WAY == 0
            && let Some(back) = self.opposite_at(way, pivot)
        {
            many += self.follow(pivot, back, length, extra, counts, condition);
            if extra & line::EXACT == 0 && many >= length {
                return true;
            }
        }
        many == length
    }

    /// The opposite of a way, if it is the same for all sites.
    pub(super) fn opposite(&self, way: u32) -> Option<u32> {
        let back = self.shifts.get(way as usize)?.back;
        (usize::from(back) < self.game.ways()).then_some(back.into())
    }

    /// True if the opposite of each way is the same for all sites.
    fn has_opposites(&self) -> bool {
        self.game.table(0).len() == self.game.ways()
    }

    /// The opposite of a way at a site. The first stored table contains it for each
    /// way, or for each way and site.
    #[inline]
    pub(super) fn opposite_at(&self, way: u32, site: u8) -> Option<u32> {
        if self.has_opposites() {
            return self.opposite(way);
        }
        let entry = way as i32 * self.game.board() as i32 + i32::from(site);
        let back = u32::try_from(self.game.entry(0, entry)?).ok()?;
        ((back as usize) < self.game.ways()).then_some(back)
    }

    /// The number of counting pieces that follow a site along a way.
    fn follow(
        &mut self,
        pivot: u8,
        way: u32,
        length: i32,
        extra: u8,
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
                if extra & line::EXACT == 0 && many >= length {
                    break;
                }
            } else if extra & line::GAPS == 0 {
                break;
            }
        }
        many
    }

    pub(super) fn is_line_any(&mut self, at: u16, extra: u8) -> bool {
        let mut pivots = self.sites_of(at, slot::IsLineAny::THROUGH);
        if let Some(node) = self.optional(at, slot::IsLineAny::SITES) {
            pivots &= self.sites(node);
        }
        let condition = self.optional(at, slot::IsLineAny::CONDITION);
        let saved = self.context.to;
        let mut found = false;
        for pivot in pivots {
            self.context.to = pivot.0.into();
            if !self.holds(condition) {
                break;
            }
            if self.is_line(at, extra, pivot.0.into()) {
                found = true;
                break;
            }
        }
        self.context.to = saved;
        found
    }

    /// Evaluates a line on stacks through the top of a pivot, with the operands of a node.
    #[inline(never)]
    fn is_line_on_levels_at(&mut self, at: u16, extra: u8, pivot: u8) -> bool {
        if self.state.what(pivot) == 0 {
            return false;
        }
        let length = self.number_of(at, slot::IsLine::LENGTH);
        if self.is_column(pivot, length) {
            return true;
        }
        let ways = self.ways_of(at, slot::IsLine::WAYS, pivot);
        self.is_row_on_levels(pivot, ways, length, extra)
    }

    /// True if there is a line of at least this length on stacks through the top of a
    /// pivot; each way counts together with its opposite.
    #[cfg(feature = "host")]
    pub(super) fn is_line_on_levels(&self, pivot: u8, ways: u32, length: i32) -> bool {
        if self.state.what(pivot) == 0 || usize::from(pivot) >= self.game.board() {
            return false;
        }
        self.is_column(pivot, length) || self.is_row_on_levels(pivot, ways, length, 0)
    }

    /// True if the top of a stack and the pieces below it are a line.
    fn is_column(&self, pivot: u8, length: i32) -> bool {
        let level = i32::from(self.state.height(pivot)) - 1;
        self.run_down(pivot, level, self.state.what(pivot)) + 1 >= length
    }

    /// True if there is a line in one of these ways: pieces of the same kind as the one on
    /// top of the pivot, on levels that rise, fall or stay the same with each step. `extra`
    /// is made of the flags of [`line`](mod@line).
    #[inline(never)]
    fn is_row_on_levels(&self, pivot: u8, ways: u32, length: i32, extra: u8) -> bool {
        let level = i32::from(self.state.height(pivot)) - 1;
        let what = self.state.what(pivot);
        each_way(ways).any(|way| {
            let back = self.opposite_at(way, pivot);
            (-1..=1).any(|climb| {
                let mut many = 1 + self.run_of_levels(pivot, way, level, climb, what);
                if let Some(back) = back.filter(|_| extra & line::ONE_WAY == 0) {
                    many += self.run_of_levels(pivot, back, level, -climb, what);
                }
                many == length || (extra & line::EXACT == 0 && many > length)
            })
        })
    }

    pub(super) fn run_down(&self, site: u8, level: i32, what: u8) -> i32 {
        let below = (0..level).rev();
        let like = below.take_while(|level| self.level_is(site, *level, what));
        like.count() as i32
    }

    #[inline]
    fn level_is(&self, site: u8, level: i32, what: u8) -> bool {
        let (heights, pieces) = self.state.stacks();
        let height = heights.get(usize::from(site)).copied().unwrap_or(0);
        if !(0..i32::from(height)).contains(&level) {
            return false;
        }
        let at = usize::from(site) * self.game.stack() + level as usize;
        pieces.get(at) == Some(&what)
    }

    #[inline]
    fn run_of_levels(&self, pivot: u8, way: u32, level: i32, climb: i32, what: u8) -> i32 {
        let row = self.game.row(way);
        let (mut many, mut here, mut level) = (0, pivot, level);
        while many < 256 {
            let next = row.get(usize::from(here)).copied().unwrap_or(here);
            level += climb;
            if next == here || next == pivot || !self.level_is(next, level, what) {
                break;
            }
            here = next;
            many += 1;
        }
        many
    }

    /// Evaluates [`Op::IsPattern`](super::op::Op::IsPattern). The first table contains
    /// the walk (0 forward, 1 right, 2 left). The second contains the way for each
    /// direction around the board, or, with `extra`, the next site of each site.
    #[inline(never)]
    pub(super) fn is_pattern(&mut self, at: u16, extra: u8) -> bool {
        let Some(from) = self.site_of(at, slot::IsPattern::SITE) else {
            return false;
        };
        let what = self.state.what(from);
        if what == 0 || usize::from(from) >= self.game.board() {
            return false;
        }
        let (walk, around) = (
            self.operand(at, slot::IsPattern::WALK),
            self.operand(at, slot::IsPattern::AROUND),
        );
        let turns = WalkTurns::of(self.game, around, extra);
        // The first step is examined first, because most walks end there.
        let is_asked = turns.sites == 0 && self.game.entry(walk, 0) == Some(0);
        let around_it = self.game.table(around);
        let mut starts = around_it.take(turns.directions as usize).enumerate();
        starts.any(|(start, way)| {
            let begins = !is_asked
                || u32::try_from(way)
                    .ok()
                    .and_then(|way| self.game.step(from, way))
                    .is_some_and(|next| self.state.what(next) == what);
            begins && self.walks(from, what, walk, start as i32, turns)
        })
    }

    fn walks(&self, from: u8, what: u8, walk: u16, start: i32, turns: WalkTurns) -> bool {
        let WalkTurns {
            table: around,
            directions,
            sites,
        } = turns;
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

    /// Evaluates [`Op::IsConnected`](super::op::Op::IsConnected). A number of 0 means all
    /// of the sets.
    #[inline(never)]
    pub(super) fn is_connected(&mut self, at: u16, extra: u8) -> bool {
        let from = self.site_of(at, slot::IsConnected::SITE);
        let many = self.number_of(at, slot::IsConnected::MANY);
        let Some(from) = from else { return false };
        let what = self.state.what(from);
        let owner = self.game.owner(what);
        if what == 0 || owner == 0 {
            return false;
        }
        let needed = if many == 0 { i32::from(extra) } else { many };
        let ways = self.operand(at, slot::IsConnected::WAYS);
        let within = self.state.owned(owner.into());
        let group = self.spread(Points::one(Point(from)), ways, within);
        let mut reached = 0;
        for slot in slot::IsConnected::each(extra) {
            reached += i32::from(self.sites_of(at, slot).meets(group));
        }
        reached >= needed
    }
}
