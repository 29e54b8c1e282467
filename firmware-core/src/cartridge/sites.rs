//! Evaluates the sets of sites of a program.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::machine::Machine;
use super::op::{Op, OperandSlot, bit, moves, numbers, rules, sight, slot, truths, ways};
use super::outlet::Outlet;
use super::ways::{MOST_STEPS, each_way};

impl<W: Word> Machine<'_, W> {
    #[inline]
    pub(super) fn sites_of(&mut self, at: u16, slot: OperandSlot) -> Points<W> {
        let node = self.operand(at, slot);
        self.sites(node)
    }

    /// The value of a node as a set of sites. Rare operations are in a separate function,
    /// as for numbers.
    pub(super) fn sites(&mut self, at: u16) -> Points<W> {
        let (op, extra) = self.node(at);
        match op {
            Op::Empty => self.board.without(self.state.occupied()),
            Op::Fixed => self.game.set(self.operand(at, slot::Fixed::SET)),
            Op::OccupiedBy => match self.number_of(at, slot::OccupiedBy::OWNER) {
                -1 => self.state.occupied(),
                owner => self.state.owned(owner),
            },
            Op::Union => {
                let mut sites = Points::NONE;
                for slot in slot::Union::each(extra) {
                    sites |= self.sites_of(at, slot);
                }
                sites
            }
            Op::Intersection => {
                let mut sites = !Points::NONE;
                for slot in slot::Intersection::each(extra) {
                    sites &= self.sites_of(at, slot);
                }
                if extra == 0 { Points::NONE } else { sites }
            }
            Op::Difference => {
                let sites = self.sites_of(at, slot::Difference::SITES);
                sites.without(self.sites_of(at, slot::Difference::WITHOUT))
            }
            Op::One => match self.site_of(at, slot::One::SITE) {
                Some(site) => Points::one(Point(site)),
                None => Points::NONE,
            },
            Op::Filter => self.filtered(at),
            _ => self.sites_at_length(op, at, extra),
        }
    }

    #[inline(never)]
    fn sites_at_length(&mut self, op: Op, at: u16, extra: u8) -> Points<W> {
        match op {
            Op::Choose => self.chosen(at),
            Op::WithPiece => self.with_piece(self.operand(at, slot::WithPiece::TABLE)),
            Op::WithNumber => self.standing_as(at),
            Op::WithState => {
                let state = self.number_of(at, slot::WithState::STATE);
                self.state.with_state(state)
            }
            Op::Around => self.around(at, extra),
            Op::Along => self.along(at, extra),
            Op::Amid => self.amid(at),
            Op::Expand => self.expanded(at),
            Op::Group => {
                let from = self.number_of(at, slot::Group::SITE);
                self.group(at, slot::Group::WAYS, from, slot::Group::CONDITION)
            }
            Op::ToRemove => self.state.to_remove,
            Op::Reached => self.reached(at, extra),
            Op::IfSites => self.sites_of_two(at),
            Op::PendingSites => self.state.pending,
            Op::Sight => self.sight(at, extra),
            Op::TrackPart => self.track_part(at),
            Op::Remembered => self.remembered(at),
            Op::Fixed
            | Op::Empty
            | Op::OccupiedBy
            | Op::Union
            | Op::Intersection
            | Op::Difference
            | Op::One
            | Op::Filter
            | numbers!()
            | truths!()
            | ways!()
            | moves!()
            | rules!() => Points::NONE,
        }
    }

    fn chosen(&mut self, at: u16) -> Points<W> {
        let (set, many) = (
            self.operand(at, slot::Choose::SET),
            self.operand(at, slot::Choose::MANY),
        );
        let index = self.number_of(at, slot::Choose::INDEX);
        if (0..i32::from(many)).contains(&index) {
            self.game.set(set + index as u16)
        } else {
            Points::NONE
        }
    }

    fn standing_as(&mut self, at: u16) -> Points<W> {
        let piece = self.number_of(at, slot::WithNumber::PIECE);
        let kind = u8::try_from(piece).ok().filter(|piece| *piece > 0);
        if let Some(kind) = kind.and_then(|piece| self.state.kind(piece)) {
            return kind;
        }
        let mut sites = Points::NONE;
        for site in self.state.occupied() {
            if i32::from(self.state.what(site.0)) == piece {
                sites.insert(site);
            }
        }
        sites
    }

    fn expanded(&mut self, at: u16) -> Points<W> {
        let sites = self.sites_of(at, slot::Expand::SITES);
        let steps = self
            .optional(at, slot::Expand::STEPS)
            .map_or(1, |node| self.number(node));
        let ways = self.operand(at, slot::Expand::WAYS);
        let mut all = sites;
        let mut edge = sites;
        for _ in 0..steps.clamp(0, MOST_STEPS) {
            edge = self.beside(edge, ways).without(all);
            all |= edge;
            if edge.is_empty() {
                break;
            }
        }
        all
    }

    fn reached(&mut self, at: u16, extra: u8) -> Points<W> {
        let node = self.operand(at, slot::Reached::MOVES);
        let mut sites = Points::NONE;
        let mut look = |machine: &mut Self, draft: super::action::Draft| {
            let site = if extra & bit::STARTS != 0 {
                draft.from
            } else {
                draft.to
            };
            if let Some(site) = machine.site(site.into()) {
                sites.insert(Point(site));
            }
            core::ops::ControlFlow::Continue(())
        };
        let _ = self.moves(node, &mut Outlet::plain(&mut look));
        sites
    }

    fn sites_of_two(&mut self, at: u16) -> Points<W> {
        let place = if self.truth_of(at, slot::IfSites::CONDITION) {
            slot::IfSites::YES
        } else {
            slot::IfSites::NO
        };
        self.sites_of(at, place)
    }

    fn remembered(&mut self, at: u16) -> Points<W> {
        let name = usize::from(self.operand(at, slot::Remembered::NAME));
        let known = self.state.remembered.get(name);
        known.copied().unwrap_or(Points::NONE)
    }

    /// Evaluates [`Op::Filter`]: the sites of a set for which a condition holds.
    #[inline(never)]
    fn filtered(&mut self, at: u16) -> Points<W> {
        let sites = self.sites_of(at, slot::Filter::SITES);
        if let Some(most) = self.height_asked(at) {
            return self.lower_than(sites, most);
        }
        let saved = (self.context.site, self.context.to);
        let mut kept = Points::NONE;
        for site in sites {
            self.context.site = site.0.into();
            if self.truth_of(at, slot::Filter::CONDITION) {
                kept.insert(site);
            }
        }
        (self.context.site, self.context.to) = saved;
        kept
    }

    /// The height below which a filter selects sites, if that is the only thing it tests.
    fn height_asked(&mut self, at: u16) -> Option<i32> {
        let truth = self.operand(at, slot::Filter::CONDITION);
        let (height, most) = (
            self.operand(truth, slot::Less::LEFT),
            self.operand(truth, slot::Less::RIGHT),
        );
        let is_one = self.node(truth).0 == Op::Less
            && self.node(height).0 == Op::Height
            && self.node(most).0 == Op::Constant
            && {
                let site = self.operand(height, slot::Height::SITE);
                self.node(site).0 == Op::Site
            };
        is_one.then(|| self.number(most))
    }

    fn lower_than(&self, sites: Points<W>, most: i32) -> Points<W> {
        let mut lower = Points::NONE;
        for site in sites {
            if i32::from(self.state.height(site.0)) < most {
                lower.insert(site);
            }
        }
        lower
    }

    /// The sites with pieces of the kinds in a table.
    fn with_piece(&self, table: u16) -> Points<W> {
        let mut sites = Points::NONE;
        if self.game.pieces() <= super::state::KINDS {
            for one in self.game.table(table) {
                let piece = u8::try_from(one).ok().filter(|piece| *piece > 0);
                sites |= piece
                    .and_then(|piece| self.state.kind(piece))
                    .unwrap_or(Points::NONE);
            }
            return sites;
        }
        for site in self.state.occupied() {
            let what = i16::from(self.state.what(site.0));
            if self.game.table(table).any(|one| one == what) {
                sites.insert(site);
            }
        }
        sites
    }

    fn around(&mut self, at: u16, extra: u8) -> Points<W> {
        let sites = self.sites_of(at, slot::Around::SITES);
        let ways = self.operand(at, slot::Around::WAYS);
        let condition = self.optional(at, slot::Around::CONDITION);
        let saved = self.context;
        let mut around = Points::NONE;
        if condition.is_none() {
            around = self.beside(sites, ways);
        } else {
            for site in sites {
                self.context.from = site.0.into();
                for way in each_way(self.ways(ways, site.0)) {
                    let Some(next) = self.game.step(site.0, way) else {
                        continue;
                    };
                    self.context.to = next.into();
                    if self.holds(condition) {
                        around.insert(Point(next));
                    }
                }
            }
        }
        self.context = saved;
        if extra & bit::WITH_FIRST != 0 {
            around | sites
        } else {
            around.without(sites)
        }
    }

    fn along(&mut self, at: u16, extra: u8) -> Points<W> {
        let sites = self.sites_of(at, slot::Along::SITES);
        let most = self
            .optional(at, slot::Along::MOST)
            .map_or(i32::MAX, |node| self.number(node));
        let stop = self.optional(at, slot::Along::STOP);
        let saved = self.context.to;
        let mut along = if extra & bit::WITH_FIRST != 0 {
            sites
        } else {
            Points::NONE
        };
        for site in sites {
            for way in each_way(self.ways_of(at, slot::Along::WAYS, site.0)) {
                let mut here = site.0;
                for _ in 0..most.clamp(0, MOST_STEPS) {
                    let next = self.game.step(here, way).filter(|next| *next != site.0);
                    let Some(next) = next else { break };
                    here = next;
                    self.context.to = here.into();
                    let stops = stop.is_some_and(|stop| self.truth(stop));
                    if !stops || extra & bit::WITH_STOP != 0 {
                        along.insert(Point(here));
                    }
                    if stops {
                        break;
                    }
                }
            }
        }
        self.context.to = saved;
        along
    }

    fn amid(&mut self, at: u16) -> Points<W> {
        let (from, to) = (
            self.site_of(at, slot::Amid::FROM),
            self.site_of(at, slot::Amid::TO),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return Points::NONE;
        };
        let mut amid = Points::NONE;
        for way in each_way(self.ways_of(at, slot::Amid::WAYS, from)) {
            if self.ray(from, way).any(|site| site == to) {
                let between = self.ray(from, way).take_while(|site| *site != to);
                amid |= between.map(Point).collect();
            }
        }
        amid
    }

    fn sight(&mut self, at: u16, extra: u8) -> Points<W> {
        let Some(from) = self.site_of(at, slot::Sight::SITE) else {
            return Points::NONE;
        };
        let mut seen = Points::NONE;
        for way in each_way(self.ways_of(at, slot::Sight::WAYS, from)) {
            let mut last = None;
            for site in self.ray(from, way) {
                let stands = self.state.what(site) != 0;
                match extra {
                    sight::PIECES if stands => seen.insert(Point(site)),
                    sight::EMPTY if !stands => seen.insert(Point(site)),
                    sight::FARTHEST if !stands => last = Some(site),
                    _ => {}
                }
                if stands {
                    break;
                }
            }
            if let Some(site) = last {
                seen.insert(Point(site));
            }
        }
        seen
    }

    /// True if one step leads from a site to a site of a set.
    pub(super) fn is_related(&mut self, at: u16) -> bool {
        let ways = self.operand(at, slot::IsRelated::WAYS);
        let from = self.site_of(at, slot::IsRelated::SITE);
        let to = self.sites_of(at, slot::IsRelated::SITES);
        from.is_some_and(|from| self.beside(Points::one(Point(from)), ways).meets(to))
    }
}
