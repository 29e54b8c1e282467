//! The internals of a machine, for hosts that play a game with tables of their own: data
//! besides the position, and the parts of a turn, which can be called separately.
//!
//! A table that knows which moves exist, or what ends a game, replaces one part of the
//! machine's turn; the other parts are left to the machine. Each method here is a part of
//! [`Machine::play`]:
//!
//! | part of a turn | methods |
//! | --- | --- |
//! | which moves exist | [`Inside::fan`], [`Inside::ends_on`], [`Inside::nth_of_fan`], [`Inside::last_way`] |
//! | pieces come and go | [`Inside::put`], [`Inside::put_on_top`], [`Inside::carry`], [`Inside::lift`] |
//! | what is true | [`Inside::truth_at`], [`Inside::is_line_on_levels`], [`Inside::run_down`], [`Inside::next_has_no_moves`] |
//! | what ends | [`Inside::goes_on`], [`Inside::ends_by`], [`Inside::end`], [`Inside::runs_out`] |
//! | whose turn is next | [`Inside::next_phases`], [`Inside::next_turn`], [`Inside::player_after`] |
//!
//! Invariants: a board needs nothing from here, and images are built without it.
//! [`Inside::new_epoch`] discards everything that a machine has derived from a position;
//! it must be called after any change on which the program may depend.

use crate::points::Points;
use crate::word::Word;

use super::action::{Action, Draft};
use super::machine::{Machine, Registers};
use super::op::NOTHING;
use super::state::State;

pub use super::kernels::{Fan, FanCount, GaitOperands, Going};
pub use super::known::{Gait, Single};
pub use super::shapes::WalkTurns;
pub use super::shifts::{Shift, Shifts};
pub use super::ways::{Bearing, each_way};

/// The internal parts of a machine.
pub trait Inside<'g, W: Word> {
    /// The ways of the board as shifts of sets.
    fn shifts(&self) -> &Shifts<W>;
    /// The site with this number, if there is one.
    fn site(&self, number: i32) -> Option<u8>;
    /// The opposite of a way at a site.
    fn opposite_at(&self, way: u32, site: u8) -> Option<u32>;
    /// The ways of a choice in which the last move went, or their opposites.
    fn last_way(&self, choice: u16, bearing: Bearing) -> u32;

    /// True if a move that is made by tables never needs more steps than it may take.
    fn has_plenty(&self) -> bool;
    /// Gives the next move the same number of steps as the last one had.
    fn fuel_again(&mut self);
    /// Starts a game like [`Machine::start`], from a first position that is given.
    fn start_at(&mut self, begun: &State<W>);

    /// The number of the position, which changes with each [`Inside::new_epoch`].
    fn epoch(&self) -> u64;
    /// Marks the position as changed, so that stored results are dropped.
    fn new_epoch(&mut self);
    /// The site at which a piece was last placed or removed.
    fn last_place(&self) -> i16;
    /// Sets the site returned by [`Inside::last_place`].
    fn set_last_place(&mut self, site: i16);
    /// Clears the registers, as is done before each move.
    fn clear_context(&mut self);

    /// The moves of pieces along some ways.
    fn fan(&self, going: Going<W>, ways: u32, count: FanCount) -> Fan<W>;
    /// The `n`-th move of a fan, from 0.
    fn nth_of_fan(&self, node: u16, fan: &Fan<W>, n: usize) -> Option<Single>;
    /// The targets along a way whose steps are all equally long.
    fn ends_on(&self, going: &Going<W>, way: u32) -> Points<W>;

    /// Puts one piece on an empty site.
    fn put(&mut self, site: u8, what: u8);
    /// Puts a piece on top of a site.
    fn put_on_top(&mut self, site: u8, what: u8);
    /// Moves one piece to an empty site.
    fn carry(&mut self, from: u8, to: u8);
    /// Removes what stands on a site.
    fn lift(&mut self, site: u8);
    /// Passes by choice and ends the turn.
    fn pass(&mut self);

    /// Evaluates a condition of the program with these registers.
    fn truth_at(&mut self, node: u16, of: Registers) -> bool;
    /// True if a line of this length goes through the top of a site, along ways and
    /// their opposites.
    fn is_line_on_levels(&self, pivot: u8, ways: u32, length: i32) -> bool;
    /// The number of pieces of a kind directly below a level of a site.
    fn run_down(&self, site: u8, level: i32, what: u8) -> i32;
    /// True if the second player may exchange the colours now.
    fn may_swap(&self) -> bool;
    /// True if the next player has no move.
    fn next_has_no_moves(&mut self) -> bool;

    /// Records that no rule ended the game.
    fn goes_on(&mut self);
    /// Ends the game by this rule if it applies and the game is not over yet.
    fn ends_by(&mut self, rule: u16);
    /// Applies the result of a rule of the end.
    fn end(&mut self, rule: u16);
    /// Ends the game if nobody can move any more, or its limits are reached.
    fn runs_out(&mut self);
    /// Changes the phase of each player for whom a rule requires it.
    fn next_phases(&mut self);
    /// Starts the next player's turn, after a move that was not an exchange of
    /// colours.
    fn next_turn(&mut self, mover: u8);
    /// The player who moves after this one.
    fn player_after(&self, player: u8) -> u8;
}

impl<'g, W: Word> Inside<'g, W> for Machine<'g, W> {
    #[inline]
    fn shifts(&self) -> &Shifts<W> {
        &self.shifts
    }

    #[inline]
    fn site(&self, number: i32) -> Option<u8> {
        Machine::site(self, number)
    }

    #[inline]
    fn opposite_at(&self, way: u32, site: u8) -> Option<u32> {
        Machine::opposite_at(self, way, site)
    }

    #[inline]
    fn last_way(&self, choice: u16, bearing: Bearing) -> u32 {
        Machine::last_way(self, choice, bearing)
    }

    #[inline]
    fn has_plenty(&self) -> bool {
        Machine::has_plenty(self)
    }

    #[inline]
    fn fuel_again(&mut self) {
        Machine::fuel_again(self);
    }

    #[inline]
    fn start_at(&mut self, begun: &State<W>) {
        self.state = *begun;
        self.begun();
    }

    #[inline]
    fn epoch(&self) -> u64 {
        self.state.epoch
    }

    #[inline]
    fn new_epoch(&mut self) {
        Machine::new_epoch(self);
    }

    #[inline]
    fn last_place(&self) -> i16 {
        self.state.last_place
    }

    #[inline]
    fn set_last_place(&mut self, site: i16) {
        self.state.last_place = site;
    }

    #[inline]
    fn clear_context(&mut self) {
        self.context = Registers::NOTHING;
    }

    #[inline]
    fn fan(&self, going: Going<W>, ways: u32, count: FanCount) -> Fan<W> {
        Machine::fan(self, going, ways, count)
    }

    #[inline]
    fn nth_of_fan(&self, node: u16, fan: &Fan<W>, n: usize) -> Option<Single> {
        Machine::nth_of_fan(self, node, fan, n)
    }

    #[inline]
    fn ends_on(&self, going: &Going<W>, way: u32) -> Points<W> {
        Machine::ends_on(self, going, way)
    }

    #[inline]
    fn put(&mut self, site: u8, what: u8) {
        self.state.put(self.game, site, what);
    }

    #[inline]
    fn put_on_top(&mut self, site: u8, what: u8) {
        self.state.put_on_top(self.game, site, what);
    }

    #[inline]
    fn carry(&mut self, from: u8, to: u8) {
        let what = self.state.what(from);
        if !self.state.is_bare(to) {
            self.go(from, to, 1);
        } else if self.state.is_one(from) {
            self.state.lift(self.game, from);
            self.state.put(self.game, to, what);
        } else if self.state.draw_one(from) {
            self.state.put(self.game, to, what);
        } else {
            self.go(from, to, 1);
        }
    }

    #[inline]
    fn lift(&mut self, site: u8) {
        self.taken = self.taken.saturating_add(1);
        self.state.last_place = site.into();
        self.state.lift(self.game, site);
    }

    fn pass(&mut self) {
        self.state.mover_can_move();
        self.actions.clear();
        self.push(Action::Pass { forced: false });
        self.play_draft(Draft {
            from: -1,
            to: -1,
            start: 0,
            own: 1,
        });
        self.actions.clear();
    }

    #[inline]
    fn truth_at(&mut self, node: u16, of: Registers) -> bool {
        let saved = core::mem::replace(&mut self.context, of);
        let is_true = self.truth(node);
        self.context = saved;
        is_true
    }

    #[inline]
    fn is_line_on_levels(&self, pivot: u8, ways: u32, length: i32) -> bool {
        Machine::is_line_on_levels(self, pivot, ways, length)
    }

    #[inline]
    fn run_down(&self, site: u8, level: i32, what: u8) -> i32 {
        Machine::run_down(self, site, level, what)
    }

    #[inline]
    fn may_swap(&self) -> bool {
        Machine::may_swap(self)
    }

    #[inline]
    fn next_has_no_moves(&mut self) -> bool {
        Machine::next_has_no_moves(self)
    }

    #[inline]
    fn goes_on(&mut self) {
        self.ended_at = NOTHING;
    }

    #[inline]
    fn ends_by(&mut self, rule: u16) {
        Machine::ends_by(self, rule);
    }

    #[inline]
    fn end(&mut self, rule: u16) {
        Machine::end(self, rule);
    }

    #[inline]
    fn runs_out(&mut self) {
        Machine::runs_out(self);
    }

    #[inline]
    fn next_phases(&mut self) {
        Machine::next_phases(self);
    }

    #[inline]
    fn next_turn(&mut self, mover: u8) {
        Machine::next_turn(self, mover, false);
    }

    #[inline]
    fn player_after(&self, player: u8) -> u8 {
        Machine::player_after(self, player)
    }
}
