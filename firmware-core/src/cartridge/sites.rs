//! Evaluates the sets of sites and the ways of a program.

use protocol::Point;

use crate::points::Points;

use super::machine::{Adapter, Machine};
use super::op::{Op, OperandSlot, bit, moves, numbers, place, rules, sets, truths, ways};
use super::span::Span;

/// The ways whose bits are set, the lowest first.
pub fn each_way(ways: u32) -> impl Iterator<Item = u32> {
    let mut rest = ways;
    core::iter::from_fn(move || {
        let way = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        way
    })
}

impl<W: Span> Machine<'_, W> {
    #[inline]
    pub(super) fn sites_of(&mut self, at: u16, place: OperandSlot) -> Points<W> {
        let node = self.operand(at, place);
        self.sites(node)
    }

    /// The value of a node as a set of sites. Rare operations are in a separate function,
    /// as for numbers.
    pub(super) fn sites(&mut self, at: u16) -> Points<W> {
        let (op, x) = self.node(at);
        match op {
            Op::Empty => self.board.without(self.state.occupied()),
            Op::Fixed => self.game.set(self.operand(at, place::Fixed::SET)),
            Op::OccupiedBy => match self.number_of(at, place::OccupiedBy::OWNER) {
                -1 => self.state.occupied(),
                owner => self.state.owned(owner),
            },
            Op::Union => {
                let mut sites = Points::NONE;
                for place in place::Union::each(x) {
                    sites |= self.sites_of(at, place);
                }
                sites
            }
            Op::Intersection => {
                let mut sites = !Points::NONE;
                for place in place::Intersection::each(x) {
                    sites &= self.sites_of(at, place);
                }
                if x == 0 { Points::NONE } else { sites }
            }
            Op::Difference => {
                let sites = self.sites_of(at, place::Difference::SITES);
                sites.without(self.sites_of(at, place::Difference::WITHOUT))
            }
            Op::One => match self.site_of(at, place::One::SITE) {
                Some(site) => Points::one(Point(site)),
                None => Points::NONE,
            },
            Op::Filter => self.filtered(at),
            _ => self.sites_at_length(op, at, x),
        }
    }

    #[inline(never)]
    fn sites_at_length(&mut self, op: Op, at: u16, x: u8) -> Points<W> {
        match op {
            Op::Choose => self.chosen(at),
            Op::WithPiece => self.with_piece(self.operand(at, place::WithPiece::TABLE)),
            Op::WithNumber => self.standing_as(at),
            Op::WithState => {
                let state = self.number_of(at, place::WithState::STATE);
                self.state.with_state(state)
            }
            Op::Around => self.around(at, x),
            Op::Along => self.along(at, x),
            Op::Amid => self.amid(at),
            Op::Expand => self.expanded(at),
            Op::Group => {
                let from = self.number_of(at, place::Group::SITE);
                self.group(at, place::Group::WAYS, from, place::Group::CONDITION)
            }
            Op::ToRemove => self.state.to_remove,
            Op::Reached => self.reached(at, x),
            Op::IfSites => self.sites_of_two(at),
            Op::PendingSites => self.state.pending,
            Op::Sight => self.sight(at, x),
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
            self.operand(at, place::Choose::SET),
            self.operand(at, place::Choose::MANY),
        );
        let index = self.number_of(at, place::Choose::INDEX);
        if (0..i32::from(many)).contains(&index) {
            self.game.set(set + index as u16)
        } else {
            Points::NONE
        }
    }

    fn standing_as(&mut self, at: u16) -> Points<W> {
        let piece = self.number_of(at, place::WithNumber::PIECE);
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
        let sites = self.sites_of(at, place::Expand::SITES);
        let steps = self
            .optional(at, place::Expand::STEPS)
            .map_or(1, |node| self.number(node));
        let ways = self.operand(at, place::Expand::WAYS);
        let mut all = sites;
        let mut edge = sites;
        for _ in 0..steps.clamp(0, 256) {
            edge = self.beside(edge, ways).without(all);
            all |= edge;
            if edge.is_empty() {
                break;
            }
        }
        all
    }

    fn reached(&mut self, at: u16, x: u8) -> Points<W> {
        let node = self.operand(at, place::Reached::MOVES);
        let mut sites = Points::NONE;
        let mut look = |machine: &mut Self, draft: super::action::Draft| {
            let site = if x == 1 { draft.from } else { draft.to };
            if let Some(site) = machine.site(site.into()) {
                sites.insert(Point(site));
            }
            core::ops::ControlFlow::Continue(())
        };
        let _ = self.moves(node, &Adapter::End, &mut look);
        sites
    }

    fn sites_of_two(&mut self, at: u16) -> Points<W> {
        let place = if self.truth_of(at, place::IfSites::CONDITION) {
            place::IfSites::YES
        } else {
            place::IfSites::NO
        };
        self.sites_of(at, place)
    }

    fn remembered(&mut self, at: u16) -> Points<W> {
        let name = usize::from(self.operand(at, place::Remembered::NAME));
        let known = self.state.remembered.get(name);
        known.copied().unwrap_or(Points::NONE)
    }

    /// Evaluates [`Op::Filter`]: the sites of a set for which a condition holds.
    #[inline(never)]
    fn filtered(&mut self, at: u16) -> Points<W> {
        let sites = self.sites_of(at, place::Filter::SITES);
        if let Some(most) = self.height_asked(at) {
            return self.lower_than(sites, most);
        }
        let saved = (self.context.site, self.context.to);
        let mut kept = Points::NONE;
        for site in sites {
            self.context.site = site.0.into();
            if self.truth_of(at, place::Filter::CONDITION) {
                kept.insert(site);
            }
        }
        (self.context.site, self.context.to) = saved;
        kept
    }

    /// The height below which a filter selects sites, if that is the only thing it tests.
    fn height_asked(&mut self, at: u16) -> Option<i32> {
        let truth = self.operand(at, place::Filter::CONDITION);
        let (height, most) = (
            self.operand(truth, place::Less::LEFT),
            self.operand(truth, place::Less::RIGHT),
        );
        let is_one = self.node(truth).0 == Op::Less
            && self.node(height).0 == Op::Height
            && self.node(most).0 == Op::Constant
            && {
                let site = self.operand(height, place::Height::SITE);
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

    /// The value of a node as ways from a site.
    #[inline]
    pub(super) fn ways(&mut self, at: u16, site: u8) -> u32 {
        if self.word(at)[0] == Op::Choice as u8 {
            let owner = self.game.owner(self.state.what(site));
            return self
                .game
                .choice(self.operand(at, place::Choice::CHOICE), owner);
        }
        self.ways_at_length(at, site)
    }

    #[inline(never)]
    fn ways_at_length(&mut self, at: u16, site: u8) -> u32 {
        let (op, x) = self.node(at);
        match op {
            Op::LastWay => self.last_way(self.operand(at, place::LastWay::CHOICE), x == 1),
            Op::AnyWay => {
                let mut ways = 0;
                for place in place::AnyWay::each(x) {
                    let node = self.operand(at, place);
                    ways |= self.ways(node, site);
                }
                ways
            }
            Op::IfWays => {
                let place = if self.truth_of(at, place::IfWays::CONDITION) {
                    place::IfWays::YES
                } else {
                    place::IfWays::NO
                };
                let node = self.operand(at, place);
                self.ways(node, site)
            }
            Op::Choice | numbers!() | truths!() | sets!() | moves!() | rules!() => 0,
        }
    }

    #[inline]
    pub(super) fn ways_of(&mut self, at: u16, place: OperandSlot, site: u8) -> u32 {
        let node = self.operand(at, place);
        self.ways(node, site)
    }

    /// The way of the last move among those of a choice: the first one whose line
    /// contains the end of the move.
    pub(super) fn last_way(&self, choice: u16, back: bool) -> u32 {
        let (from, to) = (self.state.last_from, self.state.last_to);
        let (from, to) = if back { (to, from) } else { (from, to) };
        let (Some(from), Some(to)) = (self.site(from.into()), self.site(to.into())) else {
            return 0;
        };
        let ways = each_way(self.game.choice(choice, 0));
        let mut found = 0;
        for way in ways {
            // If steps are equally long, most ways can be ruled out at once.
            let by = self.shifts.get(way as usize).map_or(0, |shift| shift.by);
            let far = i16::from(to) - i16::from(from);
            let leads = by == 0 || (far % by == 0 && far / by > 0);
            if leads && self.ray(from, way).any(|site| site == to) {
                found |= 1 << way;
            }
        }
        found
    }

    /// The sites along a way, without the start.
    pub(super) fn ray(&self, from: u8, way: u32) -> impl Iterator<Item = u8> + use<'_, W> {
        let game = self.game;
        let next = move |site: &u8| game.step(*site, way).filter(|next| *next != from);
        core::iter::successors(next(&from), next).take(game.board())
    }

    /// The sites that one step reaches from a set, along the ways of a node.
    pub(super) fn beside(&mut self, sites: Points<W>, ways: u16) -> Points<W> {
        if let Some(all) = self.ways_for_all(ways) {
            // The cost grows with the number of words that are shifted.
            self.tire(all.count_ones() * (W::BITS as u32 / 64) / 4);
            return self.shifted(sites, all);
        }
        let mut beside = Points::NONE;
        for site in sites {
            for way in each_way(self.ways(ways, site.0)) {
                if let Some(next) = self.game.step(site.0, way) {
                    beside.insert(Point(next));
                }
            }
        }
        beside
    }

    /// The ways of a node, if they do not depend on the piece on a site.
    pub(super) fn ways_for_all(&self, ways: u16) -> Option<u32> {
        if self.word(ways)[0] != Op::Choice as u8 {
            return None;
        }
        let choice = self.operand(ways, place::Choice::CHOICE);
        let all = self.game.choice(choice, 0);
        self.is_same_for_all(choice, all).then_some(all)
    }

    /// True if a choice of ways is the same for the pieces of all owners.
    pub(super) fn is_same_for_all(&self, choice: u16, ways: u32) -> bool {
        (1..=self.game.players() + 1).all(|owner| self.game.choice(choice, owner) == ways)
    }

    fn around(&mut self, at: u16, x: u8) -> Points<W> {
        let sites = self.sites_of(at, place::Around::SITES);
        let ways = self.operand(at, place::Around::WAYS);
        let condition = self.optional(at, place::Around::CONDITION);
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
        if x & bit::WITH_FIRST != 0 {
            around | sites
        } else {
            around.without(sites)
        }
    }

    fn along(&mut self, at: u16, x: u8) -> Points<W> {
        let sites = self.sites_of(at, place::Along::SITES);
        let most = self
            .optional(at, place::Along::MOST)
            .map_or(i32::MAX, |node| self.number(node));
        let stop = self.optional(at, place::Along::STOP);
        let saved = self.context.to;
        let mut along = if x & bit::WITH_FIRST != 0 {
            sites
        } else {
            Points::NONE
        };
        for site in sites {
            for way in each_way(self.ways_of(at, place::Along::WAYS, site.0)) {
                let mut here = site.0;
                for _ in 0..most.clamp(0, 256) {
                    let next = self.game.step(here, way).filter(|next| *next != site.0);
                    let Some(next) = next else { break };
                    here = next;
                    self.context.to = here.into();
                    let stops = stop.is_some_and(|stop| self.truth(stop));
                    if !stops || x & bit::WITH_STOP != 0 {
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
            self.site_of(at, place::Amid::FROM),
            self.site_of(at, place::Amid::TO),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return Points::NONE;
        };
        let mut amid = Points::NONE;
        for way in each_way(self.ways_of(at, place::Amid::WAYS, from)) {
            if self.ray(from, way).any(|site| site == to) {
                let between = self.ray(from, way).take_while(|site| *site != to);
                amid |= between.map(Point).collect();
            }
        }
        amid
    }

    fn sight(&mut self, at: u16, x: u8) -> Points<W> {
        let Some(from) = self.site_of(at, place::Sight::SITE) else {
            return Points::NONE;
        };
        let mut sight = Points::NONE;
        for way in each_way(self.ways_of(at, place::Sight::WAYS, from)) {
            let mut last = None;
            for site in self.ray(from, way) {
                let stands = self.state.what(site) != 0;
                match x {
                    0 if stands => sight.insert(Point(site)),
                    1 if !stands => sight.insert(Point(site)),
                    2 if !stands => last = Some(site),
                    _ => {}
                }
                if stands {
                    break;
                }
            }
            if let Some(site) = last {
                sight.insert(Point(site));
            }
        }
        sight
    }

    /// The group of a site: the sites connected to it, along the ways of one operand, on
    /// which the condition of another operand holds. Without a condition, they are the
    /// sites with pieces of the same owner.
    pub(super) fn group(
        &mut self,
        at: u16,
        ways: OperandSlot,
        from: i32,
        truth: OperandSlot,
    ) -> Points<W> {
        let Some(from) = self.site(from) else {
            return Points::NONE;
        };
        let ways = self.operand(at, ways);
        match self.optional(at, truth) {
            Some(truth) => self.spread_where(Points::one(Point(from)), ways, truth),
            None => {
                let what = self.state.what(from);
                if what == 0 {
                    return Points::NONE;
                }
                let owner = self.game.owner(what);
                let within = self.state.owned(owner.into());
                self.spread(Points::one(Point(from)), ways, within)
            }
        }
    }

    /// The part of `within` that is connected to `from`, along the ways of a node.
    pub(super) fn spread(&mut self, from: Points<W>, ways: u16, within: Points<W>) -> Points<W> {
        if let Some(ways) = self.ways_for_all(ways) {
            return self.flood(ways, from, within);
        }
        let mut all = from;
        let mut edge = from;
        while !edge.is_empty() {
            edge = self.beside(edge, ways).without(all) & within;
            all |= edge;
        }
        all
    }

    /// The sites connected to `from` on which a condition on `to` holds; empty if it does
    /// not hold at the start.
    fn spread_where(&mut self, from: Points<W>, ways: u16, truth: u16) -> Points<W> {
        let saved = self.context.to;
        let mut asked = Points::NONE;
        let (mut all, mut edge) = (Points::NONE, from);
        while !edge.is_empty() {
            let mut found = Points::NONE;
            for site in edge {
                self.context.to = site.0.into();
                if self.truth(truth) {
                    found.insert(site);
                }
            }
            asked |= edge;
            all |= found;
            edge = self.beside(found, ways).without(asked);
        }
        self.context.to = saved;
        all
    }

    /// The number of groups of sites on which a condition holds, of at least a given
    /// size.
    pub(super) fn groups(&mut self, at: u16) -> i32 {
        let (ways, truth) = (
            self.operand(at, place::Groups::WAYS),
            self.operand(at, place::Groups::CONDITION),
        );
        let least = self
            .optional(at, place::Groups::LEAST)
            .map_or(0, |node| self.number(node));
        let saved = self.context.to;
        let whole = match self.whole_set(truth) {
            None => self.set_of(truth, Op::To, self.board),
            whole => whole,
        };
        let mut left = whole.unwrap_or(Points::NONE) & self.board;
        for site in whole.map_or(self.board, |_| Points::NONE) {
            self.context.to = site.0.into();
            if self.truth(truth) {
                left.insert(site);
            }
        }
        self.context.to = saved;
        let mut groups = 0;
        while let Some(site) = left.first() {
            let group = self.spread(Points::one(site), ways, left);
            left = left.without(group);
            groups += i32::from(group.len() as i32 >= least);
        }
        groups
    }

    /// The number of steps between two sites.
    pub(super) fn distance(&mut self, at: u16) -> i32 {
        let ways = self.operand(at, place::Distance::WAYS);
        let (from, to) = (
            self.site_of(at, place::Distance::FROM),
            self.site_of(at, place::Distance::TO),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return 0;
        };
        let (from, to) = (Points::one(Point(from)), Points::one(Point(to)));
        if let Some(all) = self.ways_for_all(ways)
            && self.lead_back(all)
        {
            return self.flood_distance(all, [from, to]).map_or(-1, i32::from);
        }
        let (mut all, mut edge, mut steps) = (from, from, 0);
        while !edge.meets(to) {
            edge = self.beside(edge, ways).without(all);
            if edge.is_empty() {
                return -1;
            }
            all |= edge;
            steps += 1;
        }
        steps
    }

    /// True if each of the ways is the reverse of another one.
    fn lead_back(&self, ways: u32) -> bool {
        each_way(ways).all(|way| {
            let shift = self.shifts.get(way as usize);
            shift.is_some_and(|shift| shift.leads_back && ways & (1 << (shift.back & 31)) != 0)
        })
    }

    /// The site a number of steps ahead; the start site itself if the way is too short.
    pub(super) fn ahead(&mut self, at: u16) -> i32 {
        let Some(from) = self.site_of(at, place::Ahead::SITE) else {
            return -1;
        };
        let steps = self.number_of(at, place::Ahead::STEPS);
        let Some(beyond) = usize::try_from(steps).ok().and_then(|n| n.checked_sub(1)) else {
            return from.into();
        };
        // A line in one direction uses several ways if they continue differently.
        let mut ways = each_way(self.ways_of(at, place::Ahead::WAYS, from));
        let ahead = ways.find_map(|way| self.ray(from, way).nth(beyond));
        ahead.unwrap_or(from).into()
    }

    /// The number of empty sites in areas that border only on pieces of a player.
    pub(super) fn territory(&mut self, at: u16) -> i32 {
        let ways = self.operand(at, place::Territory::WAYS);
        let player = self.number_of(at, place::Territory::PLAYER);
        let mine = self.state.owned(player);
        let mut left = self.board.without(self.state.occupied());
        let mut size = 0;
        while let Some(site) = left.first() {
            let empty = self.board.without(self.state.occupied());
            let area = self.spread(Points::one(site), ways, empty);
            left = left.without(area);
            let border = self.beside(area, ways).without(area);
            if !border.is_empty() && border.without(mine).is_empty() {
                size += area.len() as i32;
            }
        }
        size
    }

    /// The number of empty sites next to the group of a site.
    pub(super) fn liberties(&mut self, at: u16) -> i32 {
        let ways = self.operand(at, place::Liberties::WAYS);
        let Some(from) = self.site_of(at, place::Liberties::SITE) else {
            return 0;
        };
        let owner = self.game.owner(self.state.what(from)).into();
        let within = self.state.owned(owner);
        let group = self.spread(Points::one(Point(from)), ways, within);
        let beside = self.beside(group, ways) & self.board;
        beside.without(self.state.occupied()).len() as i32
    }

    /// True if one step leads from a site to a site of a set.
    pub(super) fn is_related(&mut self, at: u16) -> bool {
        let ways = self.operand(at, place::IsRelated::WAYS);
        let from = self.site_of(at, place::IsRelated::SITE);
        let to = self.sites_of(at, place::IsRelated::SITES);
        from.is_some_and(|from| self.beside(Points::one(Point(from)), ways).meets(to))
    }
}
