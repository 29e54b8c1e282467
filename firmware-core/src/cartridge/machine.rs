//! The machine that a cartridge is played on: a position, and room to think.

use core::ops::ControlFlow;

use heapless::Vec;

use crate::points::Points;

use super::action::{Action, Draft};
use super::bytes::Cartridge;
use super::notes::{NOTES, Note, Shift};
use super::op::{NOTHING, Op};
use super::span::Span;
use super::state::State;

/// The most actions of the moves that are looked at within each other.
pub const ACTIONS: usize = 512;
/// The most positions that are known again.
pub const HISTORY: usize = 1024;
/// How many moves of one turn are looked ahead at most. Each of them is a whole
/// turn looked at within the one before.
pub const MOST_AHEAD: u8 = 12;
/// The steps from one move to the next, after which a machine gives up that was
/// told nothing else.
pub const FUEL: u32 = u32::MAX;

/// What a program speaks of while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The site from which something is looked at; -1 none.
    pub from: i16,
    /// The site to which something is looked at.
    pub to: i16,
    /// The site between.
    pub between: i16,
    /// The site of a loop.
    pub site: i16,
    /// The player of a loop.
    pub player: i16,
    /// The number of a loop.
    pub value: i16,
}

impl Context {
    /// Nothing yet.
    pub const NOTHING: Context = Context {
        from: -1,
        to: -1,
        between: -1,
        site: -1,
        player: -1,
        value: -1,
    };
}

/// On, or enough.
pub type Flow = ControlFlow<()>;

/// Who is told of moves.
pub type Sink<'s, 'g, W> = dyn FnMut(&mut Machine<'g, W>, Draft) -> Flow + 's;

/// What is done with moves on their way to who is told of them.
pub enum Link<'l> {
    /// Nothing.
    End,
    /// This comes after each of them.
    Then(u16, &'l Link<'l>),
    /// Only those after which this is true.
    After(u16, &'l Link<'l>),
}

/// A position, and room to think.
pub struct Machine<'g, W: Span> {
    /// The game.
    pub game: &'g Cartridge<'g>,
    /// The position.
    pub state: State<W>,
    pub(super) context: Context,
    pub(super) actions: Vec<Action, ACTIONS>,
    pub(super) kept: Vec<Action, ACTIONS>,
    pub(super) chosen: Vec<Action, ACTIONS>,
    pub(super) history: Vec<u64, HISTORY>,
    /// What was done since it was last cleared, if that is kept.
    pub done: Vec<Action, ACTIONS>,
    /// True if what is done is kept.
    pub keeps: bool,
    pub(super) board: Points<W>,
    fuel: u32,
    fuel_of_a_move: u32,
    pub(super) notes: [Note<W>; NOTES],
    epochs: u64,
    pub(super) shifts: [Shift<W>; super::bytes::WAYS],
    pub(super) all_moves_asked: bool,
    pub(super) ahead: u8,
    pub(super) seed: u64,
    /// How many pieces were taken away since this was set to 0.
    pub(super) taken: u16,
}

impl<'g, W: Span> Machine<'g, W> {
    /// A machine for a game, before its set-up; `None` if the word is too narrow
    /// for its sites.
    #[must_use]
    pub fn new(game: &'g Cartridge<'g>) -> Option<Self> {
        (game.sites() <= W::BITS).then(|| Machine {
            game,
            state: State::new(game),
            context: Context::NOTHING,
            actions: Vec::new(),
            kept: Vec::new(),
            chosen: Vec::new(),
            history: Vec::new(),
            done: Vec::new(),
            keeps: false,
            board: Points(first_bits(game.board())),
            fuel: FUEL,
            fuel_of_a_move: FUEL,
            notes: [Note::NOTHING; NOTES],
            epochs: 0,
            shifts: core::array::from_fn(|way| Shift::of(game, way as u32)),
            all_moves_asked: false,
            ahead: 0,
            seed: 0,
            taken: 0,
        })
    }

    /// From the next start on, what is left to chance comes from this seed.
    pub fn seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The position is another one now; what it was before.
    pub(super) fn new_epoch(&mut self) -> u64 {
        self.epochs += 1;
        core::mem::replace(&mut self.state.epoch, self.epochs)
    }

    /// The sites of the board.
    #[must_use]
    pub fn board(&self) -> Points<W> {
        self.board
    }

    /// True if it gave up: a move took too many steps, or has more actions than
    /// there is room for. What it told since is not to be believed; once it is
    /// refuelled, another game can be started.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.fuel == 0
    }

    /// Lets it take so many steps from now to the next move, and from one move to
    /// the next.
    pub fn refuel(&mut self, fuel: u32) {
        if self.gave_up() {
            self.notes = [Note::NOTHING; NOTES];
        }
        self.fuel = fuel;
        self.fuel_of_a_move = fuel;
    }

    /// There is no room for what a move does.
    pub(super) fn give_up(&mut self) {
        self.fuel = 0;
    }

    /// A move is made: the next one has as many steps again.
    pub(super) fn fuel_again(&mut self) {
        if !self.gave_up() {
            self.fuel = self.fuel_of_a_move;
        }
    }

    /// The actions of a move, as long as it is told of.
    #[must_use]
    pub fn actions(&self, draft: Draft) -> &[Action] {
        self.actions.get(draft.start.into()..).unwrap_or(&[])
    }

    /// A node: what it does, its own number.
    #[inline]
    pub(super) fn node(&mut self, at: u16) -> (Op, u8) {
        self.fuel = self.fuel.saturating_sub(1);
        let [number, x] = self.game.program(at).to_le_bytes();
        match Op::of(number) {
            Some(op) if self.fuel > 0 => (op, x),
            Some(op) => (super::eval::idle(op), x),
            None => (Op::None, x),
        }
    }

    /// What a node takes in a place, counted from 1.
    #[inline]
    pub(super) fn operand(&self, at: u16, place: u16) -> u16 {
        self.game.program(at.saturating_add(place))
    }

    /// The same, where it may be nothing.
    #[inline]
    pub(super) fn optional(&self, at: u16, place: u16) -> Option<u16> {
        let node = self.operand(at, place);
        (node != NOTHING).then_some(node)
    }

    /// A site of the layout, if the number is one's.
    #[inline]
    pub(super) fn site(&self, number: i32) -> Option<u8> {
        let is_one = number >= 0 && (number as usize) < self.game.sites();
        is_one.then_some(number as u8)
    }

    pub(super) fn push(&mut self, action: Action) {
        if self.actions.push(action).is_err() {
            self.give_up();
        }
    }

    pub(super) fn here(&self) -> usize {
        self.actions.len()
    }

    /// Tells of a move whose own actions lie in the buffer from `start` on.
    pub(super) fn emit(
        &mut self,
        start: usize,
        sites: [i16; 2],
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let own = self.here() as u16;
        let draft = Draft {
            from: sites[0],
            to: sites[1],
            start: start as u16,
            own,
        };
        self.pass_on(draft, link, sink)
    }

    /// Tells of a move, after what is done with it on the way.
    pub(super) fn pass_on(
        &mut self,
        draft: Draft,
        link: &Link<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let mark = self.here();
        let mut link = link;
        let flow = loop {
            match link {
                Link::End => break sink(self, draft),
                Link::Then(node, up) => {
                    self.push(Action::Then { node: *node });
                    link = up;
                }
                Link::After(truth, up) => {
                    if !self.is_true_after(draft, *truth) {
                        break Flow::Continue(());
                    }
                    link = up;
                }
            }
        };
        self.actions.truncate(mark);
        flow
    }
}

/// The first bits of a word.
pub(super) fn first_bits<W: Span>(many: usize) -> W {
    if many >= W::BITS {
        return !W::ZERO;
    }
    !((!W::ZERO).up(many))
}
