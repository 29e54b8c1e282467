//! A position of Malaka: the piles, the dice, the side to move, and the winner. It needs
//! no board, no clock and no random numbers, because the caller rolls the dice.
//!
//! ```
//! use firmware_core::games::malaka::{Dice, Position, Variant};
//!
//! let mut position = Position::start(Variant::USUAL);
//! assert_eq!(position.distance(position.turn()), 228);
//! // O begins with one die.
//! position.roll(Dice::one(3)).unwrap();
//! let step = position.steps()[0];
//! position.apply(step).unwrap();
//! assert_eq!(position.dice_to_roll(), 2);
//! ```
//!
//! Invariants: a place has pieces of one side and at most one piece of the other, which
//! is pinned beneath them; neither side has more pieces than at the start; there is a
//! winner as soon as a side is connected or pins a piece on its home edge, and never two.

use postcard::experimental::max_size::MaxSize;
use protocol::Side;
use serde::{Deserialize, Serialize};

use super::dice::Dice;
use super::pile::{Pile, Piles};
use super::step::Step;
use super::variant::{MOST_SIDE, MalakaPoint, Variant};

/// A position of Malaka: pieces, dice and turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Position {
    variant: Variant,
    piles: Piles,
    /// The dice still to be played in this turn.
    dice: Dice,
    turn: Side,
    /// True in O's first turn, with one die.
    is_first: bool,
    winner: Option<Side>,
}

/// Why dice were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollError {
    /// The game is over.
    Over,
    /// The last roll has not been played.
    NotPlayed,
    /// The roll must have this number of dice, 1 or 2.
    Count(u8),
    /// The sides of the dice are numbered from 1 to this number.
    Sides(u8),
}

/// Why a step was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The game is over.
    Over,
    /// The dice have not been rolled yet.
    NotRolled,
    /// The step does not begin a turn that plays as many pips as possible; see
    /// [`Position::steps`].
    NotLegal,
}

/// The consequence of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The turn continues with another die.
    Part,
    /// The other side is to move.
    Turn,
    /// This side has won the game.
    Won(Side),
}

/// What is at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// Nothing: the point is empty or has the player's own pieces.
    Nobody,
    /// A single piece of the other side, which gets pinned.
    Pins,
    /// A single piece of the other side, which is killed, because the step jumps over a
    /// wall.
    Kills,
}

/// Why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// The board has no such place.
    Place(MalakaPoint),
    /// This place was given twice.
    Twice(MalakaPoint),
    /// The pile is empty, or has more pieces than a side has.
    Count {
        /// The point on which the pile stands.
        place: MalakaPoint,
        /// The number of pieces in the pile.
        count: u8,
        /// The number of pieces of a side at the start.
        most: u8,
    },
    /// A side has more pieces than at the start.
    Pieces {
        /// The side that has too many pieces.
        side: Side,
        /// The number of pieces, including pinned ones.
        count: u16,
        /// The number of pieces of a side at the start.
        most: u8,
    },
    /// The dice of this variant cannot show this number.
    Die {
        /// The number of pips.
        pips: u8,
        /// The number of sides of a die.
        sides: u8,
    },
    /// It is X's turn, but the first turn of a game is O's.
    FirstOfRed,
    /// The first turn of a game has one die, not this many.
    FirstDice(u8),
}

impl Position {
    /// The start: O is to roll one die.
    #[must_use]
    pub fn start(variant: Variant) -> Position {
        let mut position = Position::empty(variant, Side::Green);
        position.is_first = true;
        for side in Side::BOTH {
            for place in variant.start_places(side) {
                let pile = Pile {
                    side,
                    count: 2,
                    pins: false,
                };
                position.piles.set(place, Some(pile));
            }
        }
        position
    }

    fn empty(variant: Variant, turn: Side) -> Position {
        Position {
            variant,
            piles: Piles::NONE,
            dice: Dice::NONE,
            turn,
            is_first: false,
            winner: None,
        }
    }

    /// Sets up any position: these piles, the side to move, and its dice, or
    /// [`Dice::NONE`] if they are still to be rolled. If both sides have won, the side
    /// that moved last counts as the winner.
    ///
    /// # Errors
    /// The reason why the position is impossible.
    pub fn set_up(
        variant: Variant,
        piles: impl IntoIterator<Item = (MalakaPoint, Pile)>,
        turn: Side,
        dice: Dice,
    ) -> Result<Position, PositionError> {
        let mut position = Position::empty(variant, turn);
        for (place, pile) in piles {
            if !variant.has(place) {
                return Err(PositionError::Place(place));
            }
            if position.piles.get(place).is_some() {
                return Err(PositionError::Twice(place));
            }
            let (count, most) = (pile.count, variant.pieces());
            if !(1..=most).contains(&count) {
                return Err(PositionError::Count { place, count, most });
            }
            position.piles.set(place, Some(pile));
        }
        for side in Side::BOTH {
            let (count, most) = (position.pieces(side), variant.pieces());
            if count > most.into() {
                return Err(PositionError::Pieces { side, count, most });
            }
        }
        let sides = variant.die_sides();
        if let Some(pips) = dice.iter().find(|pips| !(1..=sides).contains(pips)) {
            return Err(PositionError::Die { pips, sides });
        }
        position.settle(turn.other());
        if position.winner.is_none() {
            position.dice = dice;
        }
        Ok(position)
    }

    /// The same position as O's first turn, which has one die.
    ///
    /// # Errors
    /// [`PositionError::FirstOfRed`] if it is not O's turn,
    /// [`PositionError::FirstDice`] if there is more than one die to play.
    pub fn as_first_turn(mut self) -> Result<Position, PositionError> {
        if self.turn != Side::Green {
            return Err(PositionError::FirstOfRed);
        }
        if self.dice.len() > 1 {
            return Err(PositionError::FirstDice(self.dice.len()));
        }
        self.is_first = self.winner.is_none();
        Ok(self)
    }

    /// The variant of Malaka that is played.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The side to move; once the game is over, the side that moved last.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// True in O's first turn, with one die.
    #[must_use]
    pub fn is_first_turn(&self) -> bool {
        self.is_first
    }

    /// The dice still to be played in this turn; none if they are still to be rolled.
    #[must_use]
    pub fn dice(&self) -> Dice {
        self.dice
    }

    /// The number of dice to be rolled now: 0, 1 or 2.
    #[must_use]
    pub fn dice_to_roll(&self) -> u8 {
        if self.winner.is_some() || !self.dice.is_empty() {
            0
        } else if self.is_first {
            1
        } else {
            2
        }
    }

    /// The side that has won, if the game is over.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The pieces on a point.
    #[inline]
    #[must_use]
    pub fn pile(&self, place: MalakaPoint) -> Option<Pile> {
        self.piles.get(place)
    }

    /// All piles, row by row from a1.
    #[inline]
    pub fn piles(&self) -> impl Iterator<Item = (MalakaPoint, Pile)> + '_ {
        self.piles.iter()
    }

    /// The number of a side's pieces on the board, including pinned ones.
    #[must_use]
    pub fn pieces(&self, side: Side) -> u16 {
        self.piles()
            .map(|(_, pile)| u16::from(pile.count_of(side)))
            .sum()
    }

    /// Takes the dice of a turn.
    ///
    /// # Errors
    /// The reason why they are refused; then nothing is changed.
    pub fn roll(&mut self, dice: Dice) -> Result<(), RollError> {
        if self.winner.is_some() {
            return Err(RollError::Over);
        }
        if !self.dice.is_empty() {
            return Err(RollError::NotPlayed);
        }
        let count = self.dice_to_roll();
        let is_all = match count {
            1 => dice.len() == 1,
            _ => dice.len() == 2 || dice.len() == super::dice::DOUBLE,
        };
        let is_pair = dice.len() != 2 || dice.different().count() == 2;
        if !is_all || !is_pair {
            return Err(RollError::Count(count));
        }
        let sides = self.variant.die_sides();
        if !dice.fits(sides) {
            return Err(RollError::Sides(sides));
        }
        self.dice = dice;
        Ok(())
    }

    /// Makes a step. The turn ends when no more dice can be played.
    ///
    /// # Errors
    /// The reason why the step is not legal; then nothing is changed.
    pub fn apply(&mut self, step: Step) -> Result<After, StepError> {
        if self.winner.is_some() {
            return Err(StepError::Over);
        }
        if self.dice.is_empty() {
            return Err(StepError::NotRolled);
        }
        if !self.steps().contains(&step) {
            return Err(StepError::NotLegal);
        }
        self.take(step);
        if let Some(winner) = self.winner {
            return Ok(After::Won(winner));
        }
        if !self.steps().is_empty() {
            return Ok(After::Part);
        }
        self.end_turn();
        Ok(After::Turn)
    }

    /// Gives the turn to the other side if no step can be made with the dice that were
    /// rolled. If a step is possible, returns false and changes nothing.
    pub fn pass(&mut self) -> bool {
        let may = self.winner.is_none() && !self.dice.is_empty() && self.steps().is_empty();
        if may {
            self.end_turn();
        }
        may
    }

    /// What is at the end of a step.
    #[must_use]
    pub fn meets(&self, step: Step) -> Meets {
        let mover = self.pile(step.from).map(|pile| pile.side);
        match self.pile(step.to) {
            Some(pile) if Some(pile.side) != mover => {
                match self.variant.walls_between(step.from, step.to) {
                    0 => Meets::Pins,
                    _ => Meets::Kills,
                }
            }
            _ => Meets::Nobody,
        }
    }

    /// Puts a pile on a place, which may have one already.
    pub(super) fn put(&mut self, place: MalakaPoint, pile: Option<Pile>) {
        self.piles.set(place, pile);
    }

    /// The number of points on which the piles of two positions differ.
    pub(super) fn differences(&self, other: &Position) -> usize {
        let both = self.piles.0.iter().zip(&other.piles.0);
        both.filter(|(one, other)| one != other).count()
    }

    /// Moves the piece of a legal step, and changes nothing else.
    pub(super) fn move_piece(&mut self, step: Step) {
        let Some(from) = self.piles.get(step.from) else {
            return;
        };
        let meets = self.meets(step);
        let to = self.piles.get(step.to).filter(|_| meets == Meets::Nobody);
        self.piles.set(step.from, left_behind(from));
        self.piles.set(
            step.to,
            Some(Pile {
                side: from.side,
                count: to.map_or(0, |pile| pile.count).saturating_add(1),
                pins: to.is_some_and(|pile| pile.pins) || meets == Meets::Pins,
            }),
        );
    }

    /// Makes a legal step; the turn continues.
    pub(super) fn take(&mut self, step: Step) {
        self.move_piece(step);
        self.dice = self.dice.without(step.pips()).unwrap_or(Dice::NONE);
        self.settle(self.turn);
        if self.winner.is_some() {
            self.dice = Dice::NONE;
        }
    }

    /// Makes a legal step without looking for a winner; for searches.
    pub(super) fn look_ahead(&mut self, step: Step) {
        self.move_piece(step);
        self.dice = self.dice.without(step.pips()).unwrap_or(Dice::NONE);
    }

    /// Gives the turn with these dice to the other side, even if somebody has won.
    pub(super) fn look_at_reply(&mut self, dice: Dice) {
        self.end_turn();
        self.dice = dice;
    }

    pub(super) fn end_turn(&mut self) {
        self.dice = Dice::NONE;
        self.is_first = false;
        self.turn = self.turn.other();
    }

    /// Determines the winner after a move of this side, which takes precedence.
    fn settle(&mut self, mover: Side) {
        let both = [mover, mover.other()];
        self.winner = both.into_iter().find(|side| self.has_won(*side));
        self.is_first &= self.winner.is_none();
    }

    /// True if a side is connected, or pins a piece on that piece's home edge.
    fn has_won(&self, side: Side) -> bool {
        let edge = self.variant.home_edge(side.other());
        let pins = |place: MalakaPoint| {
            let pile = self.piles.get(place);
            pile.is_some_and(|pile| pile.side == side && pile.pins)
        };
        // If all pieces are connected, the distance is 0: only a piece on the edge has
        // distance 0.
        edge.into_iter().any(pins) || self.connected(side) == self.rows_of(side)
    }

    /// The pieces of a side in each row, including pinned ones, as bits of the columns.
    fn rows_of(&self, side: Side) -> [u16; MOST_SIDE as usize] {
        let mut rows = [0; MOST_SIDE as usize];
        let own_red = if side == Side::Red { Pile::RED } else { 0 };
        for (row, piles) in rows.iter_mut().zip(self.piles.0.chunks(MOST_SIDE.into())) {
            for (column, byte) in piles.iter().enumerate() {
                let is_there =
                    *byte != 0 && (byte & Pile::RED == own_red || byte & Pile::PINS != 0);
                *row |= u16::from(is_there) << column;
            }
        }
        rows
    }

    /// The places of a side that are connected with the other side's home edge, as
    /// bits of the columns in each row.
    fn connected(&self, side: Side) -> [u16; MOST_SIDE as usize] {
        let is_own = |place: MalakaPoint| {
            let pile = self.piles.get(place);
            pile.is_some_and(|pile| pile.count_of(side) > 0)
        };
        if !self.variant.home_edge(side.other()).any(is_own) {
            return [0; MOST_SIDE as usize];
        }
        let own = self.rows_of(side);
        let mut connected = [0; MOST_SIDE as usize];
        for place in self.variant.home_edge(side.other()) {
            if let Some(row) = connected.get_mut(usize::from(place.row())) {
                *row |= 1 << place.column();
            }
        }
        for (row, own) in connected.iter_mut().zip(own) {
            *row &= own;
        }
        // Up and down until nothing is added: each round except the last adds a place.
        loop {
            let before = connected;
            let rows = 0..usize::from(MOST_SIDE);
            for row in rows.clone().chain(rows.rev()) {
                let beneath = row.checked_sub(1).and_then(|row| connected.get(row));
                let beside =
                    beneath.copied().unwrap_or(0) | connected.get(row + 1).copied().unwrap_or(0);
                let (Some(here), Some(own)) = (connected.get_mut(row), own.get(row)) else {
                    continue;
                };
                *here = self.fill_row(row as u8, *here | beside & own, *own);
            }
            if before == connected {
                return connected;
            }
        }
    }

    /// The columns that are connected with these in the same row.
    fn fill_row(&self, row: u8, mut here: u16, own: u16) -> u16 {
        if here == 0 {
            return 0;
        }
        let open = self.variant.open_to_right(row);
        loop {
            let right = (here & open) << 1;
            let left = (here >> 1) & open;
            let more = here | (right | left) & own;
            if more == here {
                return here;
            }
            here = more;
        }
    }

    /// The distance of a side to connection: the sum of the [distances] of all its
    /// pieces, including pinned ones, that are not connected with the other side's home
    /// edge, along the sides of points and around walls. 0 means that the side has won.
    ///
    /// [distances]: Variant::distance
    #[must_use]
    pub fn distance(&self, side: Side) -> u16 {
        let connected = self.connected(side);
        let is_apart = |place: MalakaPoint| {
            let row = connected.get(usize::from(place.row())).copied();
            row.unwrap_or(0) >> place.column() & 1 == 0
        };
        let apart = self.piles().filter(|(place, _)| is_apart(*place));
        let each = apart.map(|(place, pile)| {
            u16::from(pile.count_of(side)) * self.variant.distance(side, place)
        });
        each.sum()
    }

    /// False for a position that can neither come from play nor be set up; for positions
    /// that were read from outside.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let most = self.variant.pieces();
        let has_its_places = self
            .piles()
            .all(|(place, pile)| self.variant.has(place) && pile.count <= most);
        let won = Side::BOTH.map(|side| self.has_won(side));
        let has_its_winner = match self.winner {
            Some(winner) => won[winner.index()] && self.dice.is_empty() && !self.is_first,
            None => won == [false; 2],
        };
        let is_first_of_green = self.turn == Side::Green && self.dice.len() <= 1;
        has_its_places
            && Side::BOTH
                .into_iter()
                .all(|side| self.pieces(side) <= most.into())
            && self.dice.fits(self.variant.die_sides())
            && has_its_winner
            && (!self.is_first || is_first_of_green)
    }
}

/// The pile that remains when a piece leaves; a pinned piece may be freed.
fn left_behind(pile: Pile) -> Option<Pile> {
    if pile.count > 1 {
        return Some(Pile {
            count: pile.count - 1,
            ..pile
        });
    }
    pile.pins.then_some(Pile {
        side: pile.side.other(),
        count: 1,
        pins: false,
    })
}
