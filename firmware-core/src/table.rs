//! A game without a referee, for programs that ask the board's players for moves and let
//! play time pass as fast as it can be computed.
//!
//! Whoever has a [`Table`] keeps the game and the random numbers, and decides about turns
//! and clocks. Invariants: a player is asked when it is due, at most once a tick, as on a
//! board, so it makes the same moves.

use protocol::{Layout, Tick};

use crate::game::{BoardTurn, Context};
use crate::games::{Opponent, Playing};
use crate::ground::Ground;
use crate::panel::TURN_TIME_MS;
use crate::rng::Rng;
use crate::word::Word;

/// The time for a turn in matches between players: that of Time 5 on the panel.
pub const TURN_MS: Tick = TURN_TIME_MS[5] as Tick;

/// More ticks than any player takes for a touch.
pub const MOST_TICKS: Tick = 60_000;

/// The ground on which a game is played without a referee, and its time.
#[derive(Clone, Debug)]
pub struct Table<W: Word> {
    /// The geometry of the board.
    pub ground: Ground<W>,
    /// Play time so far.
    pub now: Tick,
    /// The Speed setting, 0 to 9.
    pub speed: u8,
}

impl<W: Word> Table<W> {
    /// A table at the beginning of play time; `None` if the word is too narrow for the
    /// layout, or its drawing is not known here.
    #[must_use]
    pub fn new(layout: Layout, speed: u8) -> Option<Table<W>> {
        let ground = Ground::new(layout)?;
        Some(Table {
            ground,
            now: 0,
            speed,
        })
    }

    /// The start of a game; `None` if there is no such game, or the table is too small for
    /// it.
    #[must_use]
    pub fn start(&self, game: u8, mode: u8, rng: &mut Rng) -> Option<Playing<W>> {
        self.with(rng, |context| Playing::start(game, mode, context))
    }

    /// Calls a function with the context of this moment. The events of the game are
    /// dropped.
    pub fn with<T>(&self, rng: &mut Rng, what: impl FnOnce(&mut Context<'_, W>) -> T) -> T {
        what(&mut Context {
            ground: &self.ground,
            rng,
            now: self.now,
            speed: self.speed,
            events: &mut heapless::Vec::new(),
        })
    }

    /// Lets the player think until it touches a point or passes; `None` if it still thinks
    /// after [`MOST_TICKS`].
    pub fn decide(
        &mut self,
        player: &mut dyn Opponent<W>,
        level: u8,
        rng: &mut Rng,
    ) -> Option<BoardTurn> {
        let until = self.now + MOST_TICKS;
        while self.now < until {
            self.now = player.wakes_at().max(self.now + 1);
            let act = self.with(rng, |context| player.wake(level, context));
            if act != BoardTurn::Wait {
                return Some(act);
            }
        }
        None
    }
}
