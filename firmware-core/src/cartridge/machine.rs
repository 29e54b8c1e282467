//! The machine that plays a cartridge: a position and its working memory.

use core::ops::ControlFlow;

use heapless::Vec;

use crate::points::Points;
use crate::word::Word;

use super::action::{Action, Draft};
use super::bytes::Cartridge;
use super::known::{Asking, Caught, NOTES, Note, PLAINS, Plain};
use super::op::{NOTHING, Op, OperandSlot};
use super::shifts::Shifts;
use super::state::State;

pub use super::adapter::{Adapter, Registers, TIES, Tie};

/// The maximum number of actions of nested moves in a game on a board. It fits a
/// microcontroller, and is the same on every board, so that all boards behave alike.
pub const BOARD_ACTIONS: usize = 256;
/// The maximum number of past positions that a game on a board recognises.
pub const BOARD_HISTORY: usize = 256;

/// The maximum number of actions of nested moves.
pub const ACTIONS: usize = if cfg!(not(feature = "host")) {
    BOARD_ACTIONS
} else {
    512
};
/// The maximum number of past positions that are recognised.
pub const HISTORY: usize = if cfg!(not(feature = "host")) {
    BOARD_HISTORY
} else {
    1024
};
/// The maximum number of recorded actions; microcontrollers record none.
pub const DONE: usize = if cfg!(not(feature = "host")) {
    1
} else {
    ACTIONS
};
/// The maximum number of moves of one turn that are looked ahead. Each of them is a whole
/// turn inside the previous one.
pub const MOST_AHEAD: u8 = 12;
/// The same limit for a game on a board, set by a microcontroller's stack.
pub const BOARD_AHEAD: u8 = 6;
/// The default number of steps between two moves after which a machine gives up.
pub const FUEL: u32 = u32::MAX;
/// A number of steps that no move needs whose effects are simple enough for tables: at most
/// 256 sites in twelve ways, and a few conditions on each.
#[cfg(feature = "host")]
const PLENTY: u32 = 1 << 26;

/// The limits of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of actions of nested moves.
    pub actions: usize,
    /// The maximum number of past positions that are recognised.
    pub history: usize,
    /// The maximum number of moves of one turn that are looked ahead.
    pub ahead: u8,
    /// The maximum number of steps between two moves.
    pub fuel: u32,
    /// True if the end of a move is evaluated in a separate call,
    /// [`Machine::end_move`]. Each of the two calls is then about half as long.
    pub ends_later: bool,
}

impl Limits {
    /// The limits of the machine's memory.
    pub const ROOM: Limits = Limits {
        actions: ACTIONS,
        history: HISTORY,
        ahead: MOST_AHEAD,
        fuel: FUEL,
        ends_later: false,
    };

    /// The limits on a host, for a game that is too large for a microcontroller. Turns
    /// are looked ahead as far as memory allows.
    #[must_use]
    pub const fn of_a_host(fuel: u32) -> Self {
        Limits {
            actions: ACTIONS,
            ahead: MOST_AHEAD,
            ..Limits::of_a_board(fuel)
        }
    }

    /// The limits that all boards share, with this fuel.
    #[must_use]
    pub const fn of_a_board(fuel: u32) -> Self {
        Limits {
            actions: BOARD_ACTIONS,
            history: BOARD_HISTORY,
            ahead: BOARD_AHEAD,
            fuel,
            ends_later: true,
        }
    }
}

/// Whether a walk continues (`Continue`) or stops (`Break`). A stopped walk leaves the
/// registers as they were where it stopped: whoever stops it and goes on in the same
/// program restores them, as `finds_move` does, so that everything in between may pass a
/// `Break` on with `?`.
pub type Flow = ControlFlow<()>;

/// The value that a visitor returns to continue a walk.
pub(super) const CONTINUE: Flow = ControlFlow::Continue(());

/// A visitor: it is called with each move of a walk and decides whether the walk
/// continues.
pub type MoveVisitor<'s, 'g, W> = dyn FnMut(&mut Machine<'g, W>, Draft) -> Flow + 's;

/// A position and the working memory for computing its moves.
pub struct Machine<'g, W: Word> {
    /// The cartridge that is played.
    pub game: &'g Cartridge<'g>,
    /// The current position.
    pub state: State<W>,
    /// A copy of the reference to the program's words; it is the hottest read.
    program: &'g [[u8; 2]],
    /// The sites and values that the node being evaluated refers to.
    pub(super) context: Registers,
    /// The actions of the moves being built, those of an inner move after those of the outer.
    pub(super) actions: Vec<Action, ACTIONS>,
    /// The actions of effects that are being collected, before they join `actions`.
    pub(super) kept: Vec<Action, ACTIONS>,
    /// The actions of the move that a playout has drawn.
    pub(super) chosen: Vec<Action, ACTIONS>,
    /// The hashes of past positions, the newest last.
    pub(super) history: Vec<u64, HISTORY>,
    /// The actions done since this list was last cleared, if `keeps` is true.
    pub done: Vec<Action, DONE>,
    /// True if actions are recorded when they are done.
    pub keeps: bool,
    /// The sites of the board.
    pub(super) board: Points<W>,
    /// All sites, including those of hands.
    pub(super) all: Points<W>,
    /// The maximum number of actions.
    room: usize,
    /// The maximum number of past positions.
    pub(super) remembers: usize,
    /// The steps that are left until the next move; 0 once the machine has given up.
    fuel: u32,
    /// The maximum number of steps from one move to the next.
    fuel_of_a_move: u32,
    /// Stored values of conditions.
    pub(super) notes: [Note<W>; NOTES],
    /// Nodes that are known to have plain moves only, or not.
    pub(super) plains: [Plain; PLAINS],
    /// The number of positions so far, from which each gets its own.
    epochs: u64,
    /// Sets of sites moved by a step in each direction.
    pub(super) shifts: Shifts<W>,
    /// True while all moves of the next player are being generated, within which the same
    /// question is not asked again.
    pub(super) all_moves_asked: bool,
    /// The number of moves of this turn that are looked ahead now.
    pub(super) ahead: u8,
    /// The maximum number of moves of one turn that are looked ahead.
    pub(super) most_ahead: u8,
    /// True if the end of a move is evaluated in a separate call.
    ends_later: bool,
    /// The node of the rule that ended the game, or [`NOTHING`].
    pub(super) ended_at: u16,
    /// The seed of all random numbers from the next start on.
    pub(super) seed: u64,
    /// The end of the actions of the move that was tried last, and the hash of the
    /// position after it.
    pub(super) tried: Option<(usize, u64)>,
    /// The number of pieces captured since this was last set to 0.
    pub(super) taken: u16,
    /// The state of interruptible questions, in a call that may be interrupted.
    pub(super) asking: Option<Asking>,
    /// A candidate that a search found and that may be played, with the number of its
    /// position.
    pub(super) caught: Option<(u64, Caught)>,
}

impl<'g, W: Word> Machine<'g, W> {
    /// A machine for a game, before the set-up; `None` if the word is too narrow for
    /// the game's sites.
    #[must_use]
    pub fn new(game: &'g Cartridge<'g>) -> Option<Self> {
        let fits = game.sites() <= W::BITS;
        fits.then(|| Machine::fitting(game, &Shifts::of(game), Limits::ROOM))
    }

    /// As `new`, for a game whose sites fit the word, with shifts that were computed
    /// before: computing them takes longer than a move.
    // A machine is large. It is created in its final place, so nothing may be changed in
    // it before it is returned.
    #[inline(never)]
    pub fn fitting(game: &'g Cartridge<'g>, shifts: &Shifts<W>, limits: Limits) -> Self {
        Machine {
            game,
            program: game.program.as_chunks().0,
            state: State::new(game),
            context: Registers::NOTHING,
            actions: Vec::new(),
            kept: Vec::new(),
            chosen: Vec::new(),
            history: Vec::new(),
            done: Vec::new(),
            keeps: false,
            board: Points(first_bits(game.board())),
            all: Points(first_bits(game.sites())),
            room: limits.actions,
            remembers: limits.history,
            fuel: limits.fuel,
            fuel_of_a_move: limits.fuel,
            notes: [Note::NOTHING; NOTES],
            plains: [Plain::UNKNOWN; PLAINS],
            epochs: 0,
            shifts: *shifts,
            all_moves_asked: false,
            ahead: 0,
            most_ahead: limits.ahead,
            ends_later: limits.ends_later,
            ended_at: NOTHING,
            seed: 0,
            tried: None,
            taken: 0,
            asking: None,
            caught: None,
        }
    }

    /// Sets the seed of all random numbers, which is used from the next start on.
    pub fn seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Marks the position as changed and returns its previous number.
    #[cfg_attr(feature = "host", inline)]
    pub(super) fn new_epoch(&mut self) -> u64 {
        self.epochs += 1;
        core::mem::replace(&mut self.state.epoch, self.epochs)
    }

    /// The sites of the board.
    #[cfg_attr(feature = "host", inline)]
    #[must_use]
    pub fn board(&self) -> Points<W> {
        self.board
    }

    /// True if the machine gave up because a move took too many steps or had more actions
    /// than there is room for. All results since then are invalid. After refuelling,
    /// another game can be started.
    #[cfg_attr(feature = "host", inline)]
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.fuel == 0
    }

    /// Allows `fuel` steps until the next move, and from each move to the next.
    pub fn refuel(&mut self, fuel: u32) {
        if self.gave_up() {
            self.notes = [Note::NOTHING; NOTES];
        }
        self.fuel = fuel;
        self.fuel_of_a_move = fuel;
    }

    /// True if the end of the current move is evaluated later.
    pub(super) fn asks_later(&self) -> bool {
        self.ends_later && self.ahead == 0
    }

    /// True if a move that is made by tables never needs more steps than it may take.
    #[cfg(feature = "host")]
    #[inline]
    pub(super) fn has_plenty(&self) -> bool {
        self.fuel_of_a_move >= PLENTY
    }

    /// The number of steps taken since the last move.
    #[must_use]
    pub fn steps_taken(&self) -> u32 {
        self.fuel_of_a_move.saturating_sub(self.fuel)
    }

    /// Charges additional steps.
    pub(super) fn tire(&mut self, steps: u32) {
        self.fuel = self.fuel.saturating_sub(steps);
    }

    /// Continues from a saved position and its past positions.
    pub fn resume(&mut self, state: &State<W>, history: &[u64]) {
        self.state = *state;
        self.state.take_up();
        self.new_epoch();
        self.history.clear();
        let newest = history.len().saturating_sub(self.remembers);
        let _ = self
            .history
            .extend_from_slice(history.get(newest..).unwrap_or(&[]));
    }

    /// Drops all results about the position, like a new machine, so that the number of
    /// steps does not depend on the past.
    pub fn forget(&mut self) {
        self.new_epoch();
        self.plains = [Plain::UNKNOWN; PLAINS];
    }

    /// A copy of the position, to be continued later.
    #[must_use]
    pub fn left(&self) -> State<W> {
        let mut state = self.state;
        state.put_down();
        state
    }

    /// Copies the position to `place`, to be continued later.
    pub fn leave(&self, place: &mut State<W>) {
        *place = self.state;
        place.put_down();
    }

    /// The past positions that are recognised, the newest last; empty if the game allows
    /// repetitions.
    #[must_use]
    pub fn history(&self) -> &[u64] {
        &self.history
    }

    /// Gives up because there is no room for the actions of a move.
    pub(super) fn give_up(&mut self) {
        self.fuel = 0;
    }

    /// Gives the next move the full number of steps, because a move was made.
    #[cfg_attr(feature = "host", inline)]
    pub(super) fn fuel_again(&mut self) {
        if !self.gave_up() {
            self.fuel = self.fuel_of_a_move;
        }
    }

    /// The rule that ended the game, as a node of the program: the innermost one whose
    /// condition held. `None` while the game runs, or if it was not ended by a rule.
    #[must_use]
    pub fn ended_at(&self) -> Option<u16> {
        (self.state.over && self.ended_at != NOTHING).then_some(self.ended_at)
    }

    /// True if a condition of the program, given by its node, holds in the current
    /// position; false for a node that is not a condition.
    pub fn is_true_now(&mut self, node: u16) -> bool {
        let is_truth = |op: Op| op.gives() == super::op::NodeKind::Truth;
        if !self.game.node_at(node).is_some_and(is_truth) {
            return false;
        }
        self.context = Registers::NOTHING;
        self.new_epoch();
        self.truth(node)
    }

    /// The actions of a move, while it is being visited.
    #[must_use]
    pub fn actions(&self, draft: Draft) -> &[Action] {
        self.actions.get(draft.start.into()..).unwrap_or(&[])
    }

    /// The operation of a node, and the number `extra` in its word.
    #[inline(always)]
    pub(super) fn node(&mut self, at: u16) -> (Op, u8) {
        let [number, extra] = self.word(at);
        let op = Op::of(number).unwrap_or(Op::None);
        if self.fuel <= 1 {
            self.fuel = 0;
            return (op.idle(), extra);
        }
        self.fuel -= 1;
        (op, extra)
    }

    /// The operand of a node in this slot.
    #[inline]
    pub(super) fn operand(&self, at: u16, slot: OperandSlot) -> u16 {
        let slot = usize::from(at) + usize::from(slot.words());
        u16::from_le_bytes(self.program.get(slot).copied().unwrap_or([0; 2]))
    }

    /// A word of the program. The first word of a node starts with the number of its
    /// [`Op`].
    #[inline]
    pub(super) fn word(&self, at: u16) -> [u8; 2] {
        self.program.get(usize::from(at)).copied().unwrap_or([0; 2])
    }

    /// The operand of a node in this slot, or `None` for [`NOTHING`].
    #[inline]
    pub(super) fn optional(&self, at: u16, slot: OperandSlot) -> Option<u16> {
        let node = self.operand(at, slot);
        (node != NOTHING).then_some(node)
    }

    /// The site with this number, if there is one.
    #[inline]
    pub(super) fn site(&self, number: i32) -> Option<u8> {
        let is_one = number >= 0 && (number as usize) < self.game.sites();
        is_one.then_some(number as u8)
    }

    pub(super) fn push(&mut self, action: Action) {
        if self.actions.len() >= self.room || self.actions.push(action).is_err() {
            self.give_up();
        }
    }

    pub(super) fn here(&self) -> usize {
        self.actions.len()
    }
}

/// A word whose lowest `many` bits are set.
pub(crate) fn first_bits<W: Word>(many: usize) -> W {
    if many >= W::BITS {
        return !W::ZERO;
    }
    !((!W::ZERO).up(many))
}
