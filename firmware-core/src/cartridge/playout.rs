//! Draws one legal move uniformly at random, without listing them all.
//!
//! Most moves put a piece on one site of a set, and are chosen by counting the set. Other
//! moves are visited once, with reservoir sampling: the n-th visited move replaces the
//! stored one with a probability of 1 in n.

use heapless::Vec;
use protocol::Point;

use super::action::{Action, Draft};
use super::bytes::flag;
use super::kernels::{Batch, Visitor, Walk};
use super::known::Single;
use super::machine::{Adapter, Flow, Machine, Registers, TIES, Tie};
use super::op::{NOTHING, Op, bit, place};
use super::outlet::Outlet;
use super::span::Span;
use crate::rng::Rng;

/// The number of draws that are tried before all moves are examined.
const DRAWS: usize = 12;

/// The maximum number of consequences of a move that is chosen by counting.
const AFTERS: usize = 4;

/// The node to be played, and the ties of its moves.
pub(super) struct Play {
    /// A node that is neither a choice between nodes nor one that adds consequences.
    pub(super) node: u16,
    /// The ties of each move; the last `many` are in use.
    ties: [Tie; AFTERS],
    /// The number of ties in use.
    many: usize,
}

impl Play {
    fn of(node: u16) -> Play {
        Play {
            node,
            ties: [Tie::Then(NOTHING); AFTERS],
            many: 0,
        }
    }

    /// The ties of each move, in order.
    #[inline]
    pub(super) fn ties(&self) -> &[Tie] {
        self.ties.get(AFTERS - self.many..).unwrap_or(&[])
    }
}

/// The move that was picked.
enum Pick {
    /// No move has been picked yet.
    None,
    /// A single move of a batch, and the registers.
    Single(Single, Registers),
    /// The move that the machine has kept: its sites, and the number of its own actions.
    Kept([i16; 2], u16),
}

/// The result of drawing lots.
enum PickResult {
    /// A legal move was drawn and played.
    Played,
    /// None of the drawn moves is legal. Nothing has changed.
    Refused,
    /// There is no move to draw, or a move has more ties than there is room for. Nothing
    /// has changed.
    Unfit,
}

/// Draws one of the visited moves, all with the same probability, including moves that
/// will turn out to be illegal.
struct MovePicker<'r> {
    rng: &'r mut Rng,
    /// The number of moves visited so far.
    many: u32,
    pick: Pick,
    /// The ties of a single move.
    ties: Vec<Tie, TIES>,
    /// True if a move has more ties than there is room for.
    lost: bool,
}

impl MovePicker<'_> {
    fn of(rng: &mut Rng) -> MovePicker<'_> {
        MovePicker {
            rng,
            many: 0,
            pick: Pick::None,
            ties: Vec::new(),
            lost: false,
        }
    }

    fn tie(&mut self, adapter: &Adapter<'_>) {
        match adapter.ties() {
            Some(ties) => self.ties = ties,
            None => self.lost = true,
        }
    }
}

impl<'g, W: Span> Visitor<'g, W> for MovePicker<'_> {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let more = batch.len() as u32;
        self.many = self.many.saturating_add(more);
        let drawn = self.rng.below(self.many);
        if drawn < more
            && let Some(single) = batch.nth(machine, drawn as usize)
        {
            self.pick = Pick::Single(single, machine.context);
            self.tie(adapter);
        }
        Flow::Continue(())
    }

    fn visit_draft(&mut self, machine: &mut Machine<'g, W>, draft: Draft) -> Flow {
        self.visit_move(machine, draft, &Adapter::End)
    }

    fn visit_move(
        &mut self,
        machine: &mut Machine<'g, W>,
        draft: Draft,
        adapter: &Adapter<'_>,
    ) -> Flow {
        self.many = self.many.saturating_add(1);
        if self.rng.below(self.many) == 0 {
            machine.keep(draft);
            self.pick = Pick::Kept([draft.from, draft.to], draft.own - draft.start);
            self.tie(adapter);
        }
        Flow::Continue(())
    }
}

impl<'g, W: Span> Machine<'g, W> {
    /// Plays a random legal move; false once the game is over, or the machine has
    /// given up.
    pub fn play_random(&mut self, rng: &mut Rng) -> bool {
        match self.try_random(rng, DRAWS) {
            None => {
                self.play_by_walk(rng);
                self.actions.clear();
                true
            }
            Some(is_played) => is_played,
        }
    }

    /// As `play_random`, if one of `draws` random moves is legal. If none is, nothing
    /// changes and the result is `None`.
    pub fn try_random(&mut self, rng: &mut Rng, draws: usize) -> Option<bool> {
        let Some(play) = self.next_play() else {
            return Some(false);
        };
        if !self.play_by_count(&play, rng) {
            match self.play_by_lot(&play, rng, draws) {
                PickResult::Played => {}
                PickResult::Refused => {
                    self.actions.clear();
                    return None;
                }
                PickResult::Unfit => self.play_by_walk(rng),
            }
        }
        self.actions.clear();
        Some(true)
    }

    /// Plays a random legal move if it can be chosen by counting, from sets alone, or in
    /// a game that runs by itself. If it cannot, nothing changes and the result is
    /// `None`.
    pub fn play_counted(&mut self, rng: &mut Rng) -> Option<bool> {
        let Some(play) = self.next_play() else {
            return Some(false);
        };
        let is_played = if self.game.is(flag::SIMULATION | flag::CHANCE) {
            self.play_by_walk(rng);
            true
        } else {
            self.play_by_count(&play, rng)
        };
        self.actions.clear();
        is_played.then_some(true)
    }

    /// The next node to be played; `None` once the game is over, or the machine has
    /// given up.
    fn next_play(&mut self) -> Option<Play> {
        self.fuel_again();
        if self.state.over || self.gave_up() {
            return None;
        }
        self.actions.clear();
        self.context = Registers::NOTHING;
        Some(self.play_now())
    }

    /// The node to be played, after evaluating everything that is the same for all
    /// moves.
    pub(super) fn play_now(&mut self) -> Play {
        let all = self.game.phase(self.phase_of(self.state.mover), 0);
        let mut play = Play::of(all);
        loop {
            let (op, _) = self.node(play.node);
            let next = if op == Op::IfMoves {
                let place = if self.truth_of(play.node, place::IfMoves::CONDITION) {
                    place::IfMoves::YES
                } else {
                    place::IfMoves::NO
                };
                self.optional(play.node, place)
            } else if op == Op::Then {
                let then = self.operand(play.node, place::Then::THEN);
                let place = AFTERS.checked_sub(play.many + 1);
                place.and_then(|place| play.ties.get_mut(place)).map(|tie| {
                    *tie = Tie::Then(then);
                    play.many += 1;
                    self.operand(play.node, place::Then::MOVES)
                })
            } else {
                return play;
            };
            match next {
                Some(next) => play.node = next,
                None => return Play::of(all),
            }
        }
    }

    /// Chooses a move by counting, if all moves are of the same kind. If they are not,
    /// nothing changes and the result is false.
    fn play_by_count(&mut self, play: &Play, rng: &mut Rng) -> bool {
        const SPECIAL: u16 =
            flag::NO_REPEAT | flag::NO_REPEAT_SITUATION | flag::SIMULATION | flag::VISITS;
        if self.game.is(SPECIAL) {
            return false;
        }
        let [number, x] = self.word(play.node);
        match Op::of(number) {
            Some(Op::ForEachPiece) => match self.plain(play.node) {
                Some(moves) => self.play_plainly(&moves, play.ties(), rng),
                None => false,
            },
            Some(Op::Add) => self.add_by_count(play.node, x, play.ties(), rng),
            Some(Op::FromTo) => self.carry_by_count(play.node, x, play.ties(), rng),
            Some(Op::Shoot) => self.shoot_by_count(play.node, play.ties(), rng),
            Some(Op::ForEachSite) => self.enclose_by_count(play.node, play.ties(), rng),
            _ => false,
        }
    }

    fn add_by_count(&mut self, at: u16, x: u8, ties: &[Tie], rng: &mut Rng) -> bool {
        let simple = [place::Add::STATE, place::Add::COUNT, place::Add::EFFECT]
            .iter()
            .all(|place| self.operand(at, *place) == NOTHING);
        let what = self.number_of(at, place::Add::WHAT);
        if !simple || what < 1 {
            return false;
        }
        let sites = self.sites_of(at, place::Add::SITES);
        let condition = self.optional(at, place::Add::MAY_COME);
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
        let top = x & bit::TOP != 0;
        let add = move |site: Point| Action::Add {
            site: site.0,
            what: what as u8,
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
        let Some((what, fan)) = self.plain_shots(at, false) else {
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
    fn carry_by_count(&mut self, at: u16, x: u8, ties: &[Tie], rng: &mut Rng) -> bool {
        let simple = [
            place::FromTo::MAY_GO,
            place::FromTo::MAY_COME,
            place::FromTo::EFFECT,
            place::FromTo::COUNT,
            place::FromTo::COPIES,
        ]
        .iter()
        .all(|place| self.operand(at, *place) == NOTHING);
        let tos = self.operand(at, place::FromTo::TOS);
        if !simple || x & bit::COPY != 0 || self.word(tos)[0] != Op::Empty as u8 || self.may_swap()
        {
            return false;
        }
        let froms = self.sites_of(at, place::FromTo::FROMS) & self.state.occupied();
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
        sites: crate::points::Points<W>,
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
        if self.operand(at, place::ForEachSite::OTHERWISE) != NOTHING || self.may_swap() {
            return false;
        }
        let body = self.operand(at, place::ForEachSite::MOVES);
        let sites = self.sites_of(at, place::ForEachSite::SITES);
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

    /// Stores the actions of a move for later.
    pub(super) fn keep(&mut self, draft: Draft) {
        self.chosen.clear();
        let actions = self.actions.get(usize::from(draft.start)..);
        let _ = self.chosen.extend_from_slice(actions.unwrap_or(&[]));
    }

    /// Plays the stored move.
    pub(super) fn play_kept(&mut self, sites: [i16; 2], own: u16, ties: &[Tie]) {
        self.actions.clear();
        let _ = self.actions.extend_from_slice(&self.chosen);
        self.push_ties(ties);
        self.play_buffer(sites, own);
    }

    /// Appends the ties of the chosen move to the buffer.
    #[inline]
    pub(super) fn push_ties(&mut self, ties: &[Tie]) {
        for tie in ties {
            if let Tie::Then(node) = *tie {
                self.push(Action::Then { node });
            }
        }
    }

    fn play_buffer(&mut self, [from, to]: [i16; 2], own: u16) {
        self.play_draft(Draft {
            from,
            to,
            start: 0,
            own,
        });
    }

    /// Draws among batches of moves, at most `draws` times.
    fn play_by_lot(&mut self, play: &Play, rng: &mut Rng, draws: usize) -> PickResult {
        if self.game.is(flag::SIMULATION) {
            return PickResult::Unfit;
        }
        let no_repeat = self.game.is(flag::NO_REPEAT | flag::NO_REPEAT_SITUATION);
        for _ in 0..draws {
            self.context = Registers::NOTHING;
            self.actions.clear();
            let mut lot = MovePicker::of(rng);
            let ties = Adapter::Ties(play.ties());
            let _ = self.batches(play.node, None, &mut Walk::plain(&mut lot).through(&ties));
            let MovePicker {
                many,
                lost,
                pick,
                ties,
                ..
            } = lot;
            let swaps = self.may_swap() && rng.below(many + 1) == 0;
            if lost || self.gave_up() {
                return PickResult::Unfit;
            }
            if swaps {
                self.play_swap();
                return PickResult::Played;
            }
            let mut play = |machine: &mut Self, draft: Draft| machine.play_if_new(draft, no_repeat);
            let out = &mut Outlet {
                adapter: &Adapter::Ties(&ties),
                sink: &mut play,
            };
            let flow = match pick {
                Pick::None => return PickResult::Unfit,
                Pick::Kept(sites, own) => {
                    let draft = Draft {
                        from: sites[0],
                        to: sites[1],
                        start: 0,
                        own,
                    };
                    self.again(draft, out)
                }
                Pick::Single(single, context) => {
                    self.context = context;
                    self.make(single, out)
                }
            };
            if flow.is_break() {
                return PickResult::Played;
            }
        }
        PickResult::Refused
    }

    /// Visits the stored move.
    pub(super) fn again(&mut self, draft: Draft, out: &mut Outlet<'_, 'g, W>) -> Flow {
        self.actions.clear();
        let _ = self.actions.extend_from_slice(&self.chosen);
        self.pass_on(draft, out)
    }

    /// Plays a move, unless it would repeat a position and repetition is not allowed.
    pub(super) fn play_if_new(&mut self, draft: Draft, no_repeat: bool) -> Flow {
        if no_repeat && self.repeats(draft) {
            return Flow::Continue(());
        }
        self.state.mover_can_move();
        self.play_draft(draft);
        Flow::Break(())
    }

    fn play_swap(&mut self) {
        self.push(Action::Swap);
        self.push(Action::SetNext {
            player: self.state.mover,
        });
        self.play_buffer([-1; 2], 2);
    }

    /// Walks through all moves and keeps a random one.
    fn play_by_walk(&mut self, rng: &mut Rng) {
        let mut told = 0;
        let mut kept = [-1; 2];
        let mut own = 0;
        self.chosen.clear();
        let mut keep = |machine: &mut Self, draft: Draft| {
            told += 1;
            if rng.below(told) == 0 {
                kept = [draft.from, draft.to];
                own = draft.own - draft.start;
                machine.keep(draft);
            }
            Flow::Continue(())
        };
        let _ = self.legal(&mut keep);
        if told > 0 {
            self.play_kept(kept, own, &[]);
        }
    }

    /// The number of legal moves: as many as [`Machine::legal`] visits.
    pub fn count(&mut self) -> usize {
        const SPECIAL: u16 = flag::NO_REPEAT | flag::NO_REPEAT_SITUATION | flag::SIMULATION;
        if self.state.over {
            return 0;
        }
        let mut count = Count(0);
        if self.game.is(SPECIAL) {
            let mut look = |_: &mut Self, _: Draft| {
                count.0 += 1;
                Flow::Continue(())
            };
            let _ = self.legal(&mut look);
            return count.0;
        }
        self.context = Registers::NOTHING;
        let play = self.game.phase(self.phase_of(self.state.mover), 0);
        let _ = self.batches(play, None, &mut Walk::plain(&mut count));
        // A player without any other move passes.
        (count.0 + usize::from(self.may_swap())).max(1)
    }
}

/// Counts the moves that it visits.
struct Count(usize);

impl<'g, W: Span> Visitor<'g, W> for Count {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        if !adapter.asks() {
            self.0 += batch.len();
            return Flow::Continue(());
        }
        for n in 0..batch.len() {
            let Some(single) = batch.nth(machine, n) else {
                break;
            };
            let sink = &mut |_: &mut Machine<'g, W>, _: Draft| {
                self.0 += 1;
                Flow::Continue(())
            };
            machine.make(single, &mut Outlet { adapter, sink })?;
        }
        Flow::Continue(())
    }

    fn visit_draft(&mut self, _: &mut Machine<'g, W>, _: Draft) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}
