//! A turn: the legal moves, and the consequences of a move. The module `actions` changes
//! the board, and `ends` decides how a game ends.

use crate::points::Points;
use crate::word::Word;

use super::action::{Action, Draft};
use super::bytes::{NEXT_PHASES, flag};
use super::known::Asking;
use super::machine::{Flow, Machine, MoveVisitor, Registers};
use super::op::{NOTHING, Op, slot};
use super::outlet::Outlet;
use super::state::{QUESTIONS, QuestionProgress, State, Unended};

mod actions;
mod ends;

impl<'g, W: Word> Machine<'g, W> {
    /// Starts a game by setting up the board.
    pub fn start(&mut self) {
        self.begin();
        let set_up = self.game.set_up();
        if set_up != NOTHING {
            self.set_up(set_up);
        }
        self.ready();
    }

    /// Starts a game with the set-up of another machine, including its random
    /// choices.
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

    /// Carries out the set-up step by step, so that each step sees the pieces of the
    /// earlier ones.
    fn set_up(&mut self, node: u16) {
        match self.node(node) {
            (Op::Any, many) => {
                for slot in slot::Any::each(many) {
                    let part = self.operand(node, slot);
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

    /// Visits each legal move, or the forced pass if there is none.
    pub fn legal(&mut self, sink: &mut MoveVisitor<'_, 'g, W>) -> Flow {
        if self.state.over {
            return Flow::Continue(());
        }
        self.context = Registers::NOTHING;
        let phase = self.phase_of(self.state.mover);
        let play = self.game.phase(phase, 0);
        let mut found = false;
        let no_repeat = self.no_repeat();
        let simulation = self.game.is(flag::SIMULATION);
        if simulation {
            self.collect(play);
            let start = 0;
            if self.here() > start {
                found = true;
                let first = self.actions.first().copied();
                let sites = first.map_or([-1; 2], Action::sites);
                let flow = self.emit(start, sites, &mut Outlet::plain(sink));
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
            self.moves(play, &mut Outlet::plain(&mut look))?;
        }
        if self.may_swap() {
            found = true;
            let start = self.here();
            self.push(Action::Swap);
            self.push(Action::SetNext {
                player: self.state.mover,
            });
            let flow = self.emit(start, [-1; 2], &mut Outlet::plain(sink));
            self.actions.truncate(start);
            flow?;
        }
        let bit = 1 << (self.state.mover & 7);
        self.state.stuck = (self.state.stuck & !bit) | if found { 0 } else { bit };
        if found {
            return Flow::Continue(());
        }
        if simulation {
            // A simulation ends here, because nothing would change any more.
            self.finish();
            return Flow::Continue(());
        }
        self.only(Action::Pass { forced: true }, sink)
    }

    /// Visits a move of one action without a site.
    fn only(&mut self, action: Action, sink: &mut MoveVisitor<'_, 'g, W>) -> Flow {
        let start = self.here();
        self.push(action);
        let flow = self.emit(start, [-1; 2], &mut Outlet::plain(sink));
        self.actions.truncate(start);
        flow
    }

    /// True if a move repeats a position.
    pub(crate) fn repeats(&mut self, draft: Draft) -> bool {
        if matches!(self.actions(draft).first(), Some(Action::Pass { .. })) {
            return false;
        }
        // A condition after the move has already computed this position.
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

    /// True if no position may occur twice.
    pub(crate) fn no_repeat(&self) -> bool {
        self.game.is(flag::NO_REPEAT | flag::NO_REPEAT_SITUATION)
    }

    /// The hash that identifies a position.
    pub(super) fn position(&self) -> u64 {
        if self.game.is(flag::NO_REPEAT_SITUATION) {
            self.state.hash() ^ u64::from(self.state.mover)
        } else {
            self.state.hash()
        }
    }

    /// Stores the position, so that it is recognised when it is repeated, if the game
    /// needs that.
    pub(crate) fn remember(&mut self) {
        if self.no_repeat() {
            let position = self.position();
            if self.history.len() >= self.remembers {
                // The history is full: drop the oldest position.
                self.history.rotate_left(1);
                self.history.pop();
            }
            let _ = self.history.push(position);
        }
    }

    /// Plays a move that [`Machine::legal`] visited, given by its sites and actions.
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

    /// Plays a move whose actions are in the buffer.
    pub(super) fn play_draft(&mut self, draft: Draft) {
        self.make_move(draft);
        if !self.asks_later() {
            self.end_made();
        }
    }

    /// Makes a move without evaluating its end.
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
        // Consequences of a pass can test for it. With one player there are no turns of
        // others in between.
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

    /// Ends the move that was made, if it has not been ended yet: applies the rules of
    /// the end and starts the next turn. Returns false if that takes more than `steps`;
    /// the next call continues.
    pub fn end_move(&mut self, steps: u32) -> bool {
        self.fuel_again();
        // The next call repeats and counts all questions, whatever this one has found
        // out.
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
            // The notes may contain invalid results.
            self.new_epoch();
        }
        left.is_none()
    }

    /// What is known of the end of the move that was made, for [`Machine::set_asked`].
    #[must_use]
    pub fn asked(&self) -> QuestionProgress {
        QuestionProgress(self.state.asked)
    }

    /// Continues to end the move that was made, which was made and ended to this extent
    /// before.
    pub fn set_asked(&mut self, asked: QuestionProgress) {
        self.state.asked = asked.0;
    }

    /// The open question at which this call continues, if there is one; `None` after the
    /// machine gave up.
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

    /// Empties the sites that were marked for the end of the turn.
    fn take_away(&mut self) {
        if self.state.to_remove.is_empty() || self.state.next == self.state.mover {
            return;
        }
        for site in self.state.to_remove {
            self.do_one(Action::Remove { site: site.0 });
        }
        self.state.to_remove = Points::NONE;
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
