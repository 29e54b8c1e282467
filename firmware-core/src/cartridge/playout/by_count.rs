//! Draws a move by counting: of moves that are all of the same kind, such as a piece that
//! is put on one site of a set.

use protocol::Point;

use super::super::action::{Action, Draft};
use super::super::bytes::flag;
use super::super::kernels::FanCount;
use super::super::machine::{Flow, Machine, Registers, Tie};
use super::super::op::{NOTHING, Op, bit, slot};
use super::super::outlet::Outlet;
use super::play::Play;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

impl<W: Word> Machine<'_, W> {
    /// Chooses a move by counting, if all moves are of the same kind. If they are not,
    /// nothing changes and the result is false.
    pub(super) fn play_by_count(&mut self, play: &Play, rng: &mut Rng) -> bool {
        const SPECIAL: u16 =
            flag::NO_REPEAT | flag::NO_REPEAT_SITUATION | flag::SIMULATION | flag::VISITS;
        if self.game.is(SPECIAL) {
            return false;
        }
        let [number, extra] = self.word(play.node);
        match Op::of(number) {
            Some(Op::ForEachPiece) => match self.plain(play.node) {
                Some(moves) => self.play_plainly(&moves, play.ties(), rng),
                None => false,
            },
            Some(Op::Add) => self.add_by_count(play.node, extra, play.ties(), rng),
            Some(Op::FromTo) => self.carry_by_count(play.node, extra, play.ties(), rng),
            Some(Op::Shoot) => self.shoot_by_count(play.node, play.ties(), rng),
            Some(Op::ForEachSite) => self.enclose_by_count(play.node, play.ties(), rng),
            _ => false,
        }
    }

    fn add_by_count(&mut self, at: u16, extra: u8, ties: &[Tie], rng: &mut Rng) -> bool {
        let simple = [slot::Add::STATE, slot::Add::COUNT, slot::Add::EFFECT]
            .iter()
            .all(|slot| self.operand(at, *slot) == NOTHING);
        let Some(what) = self.piece_of(at, slot::Add::WHAT).filter(|_| simple) else {
            return false;
        };
        let sites = self.sites_of(at, slot::Add::SITES);
        let condition = self.optional(at, slot::Add::MAY_COME);
        let mut legal = sites;
        if let Some(truth) = condition {
            for site in sites {
                self.context.to = site.0.into();
                if !self.truth(truth) {
                    legal.remove(site);
                }
            }
            self.context = Registers::NOTHING;
        }
        let top = extra & bit::TOP != 0;
        let add = move |site: Point| Action::Add {
            site: site.0,
            what,
            state: -1,
            top,
        };
        self.play_one_of(legal, add, |site| [site, site], ties, rng)
    }

    /// Plays a shot at a random site in reach.
    fn shoot_by_count(&mut self, at: u16, ties: &[Tie], rng: &mut Rng) -> bool {
        if self.may_swap() {
            return false;
        }
        let Some((what, fan)) = self.plain_shots(at, FanCount::All) else {
            return false;
        };
        let drawn = rng.below(fan.many) as usize;
        let Some(single) = self.nth_of_fan(at, &fan, drawn) else {
            return false;
        };
        self.push(Action::Add {
            site: single.to,
            what,
            state: -1,
            top: false,
        });
        self.push_ties(ties);
        self.state.mover_can_move();
        self.play_buffer([single.to.into(); 2], 1);
        true
    }

    /// Plays a random move from one set of sites to another, if the targets are the same
    /// for all pieces.
    fn carry_by_count(&mut self, at: u16, extra: u8, ties: &[Tie], rng: &mut Rng) -> bool {
        let simple = [
            slot::FromTo::MAY_GO,
            slot::FromTo::MAY_COME,
            slot::FromTo::EFFECT,
            slot::FromTo::COUNT,
            slot::FromTo::COPIES,
        ]
        .iter()
        .all(|slot| self.operand(at, *slot) == NOTHING);
        let tos = self.operand(at, slot::FromTo::TOS);
        if !simple
            || extra & bit::COPY != 0
            || self.word(tos)[0] != Op::Empty as u8
            || self.may_swap()
        {
            return false;
        }
        let froms = self.sites_of(at, slot::FromTo::FROMS) & self.state.occupied();
        let tos = self.sites(tos);
        let (many, each) = (froms.len() as u32, tos.len() as u32);
        if many * each == 0 {
            return false;
        }
        let drawn = rng.below(many * each);
        let from = froms.nth((drawn / each) as usize);
        let to = tos.nth((drawn % each) as usize);
        let (Some(from), Some(to)) = (from, to) else {
            return false;
        };
        self.push(Action::Move {
            from: from.0,
            to: to.0,
        });
        self.push_ties(ties);
        self.state.mover_can_move();
        self.play_buffer([from.0.into(), to.0.into()], 1);
        true
    }

    /// Plays on a random site of the set, or swaps, or passes.
    fn play_one_of(
        &mut self,
        sites: Points<W>,
        action: impl Fn(Point) -> Action,
        ends: impl Fn(i16) -> [i16; 2],
        ties: &[Tie],
        rng: &mut Rng,
    ) -> bool {
        let many = sites.len();
        let all = many + usize::from(self.may_swap());
        if all == 0 {
            return false;
        }
        let chosen = rng.below(all as u32) as usize;
        let Some(site) = sites.nth(chosen) else {
            self.play_swap();
            return true;
        };
        self.push(action(site));
        self.push_ties(ties);
        self.play_buffer(ends(site.0.into()), 1);
        true
    }

    /// Plays a random move that encloses in a line; each site has one such move.
    fn enclose_by_count(&mut self, at: u16, ties: &[Tie], rng: &mut Rng) -> bool {
        if self.operand(at, slot::ForEachSite::OTHERWISE) != NOTHING || self.may_swap() {
            return false;
        }
        let body = self.operand(at, slot::ForEachSite::MOVES);
        let sites = self.sites_of(at, slot::ForEachSite::SITES);
        let Some(legal) = self.enclosing(body, sites) else {
            return false;
        };
        let Some(site) = rng.pick(legal) else {
            return false;
        };
        self.context.to = site.0.into();
        self.context.site = site.0.into();
        let mut kept = [-1; 2];
        let mut own = 0;
        self.chosen.clear();
        let mut keep = |machine: &mut Self, draft: Draft| {
            kept = [draft.from, draft.to];
            own = draft.own - draft.start;
            machine.keep(draft);
            Flow::Continue(())
        };
        let _ = self.moves(body, &mut Outlet::plain(&mut keep));
        if self.chosen.is_empty() {
            return false;
        }
        self.play_kept(kept, own, ties);
        true
    }
}
