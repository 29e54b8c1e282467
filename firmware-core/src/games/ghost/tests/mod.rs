//! The sentences of the manual and the choices of `RULES.md`, one by one.

mod ending;
mod hand;
mod positions;
mod rings;
mod sound;
mod touches;
mod walking;

use protocol::{Point, Side, Tick};

use super::*;
use crate::games::testing;

type TestedGame = testing::TestedGame<u128, Ghost<u128>>;

impl TestedGame {
    /// A game with green to move and the ghost in the middle: e4, f4, e5 and f5 (rows 4
    /// and 5 from the top, columns 4 and 5 from the left, counted from 0).
    fn middle(mode: u8) -> TestedGame {
        TestedGame::position(mode, Side::Green, &["", "", "", "", "....aa", "....aa"]).unwrap()
    }

    /// Waits until the ghost is out and touches count.
    fn wait_until_out(&mut self) {
        while self.game.turn().is_some() && self.legal().is_empty() {
            let at = self.game.wakes_at().unwrap();
            self.wait(at - self.now);
        }
    }

    fn walk(&self) -> GhostWalk {
        let GhostPhase::Walk(walk) = self.game.phase else {
            panic!("the ghost is away")
        };
        walk
    }

    fn ghost(&self) -> Points<u128> {
        block(self.walk().corner, self.ground.grid())
    }

    /// The time between the ghost's next step and the one after it.
    fn pace_ms(&mut self) -> Tick {
        let first = self.walk().steps_at;
        self.wait(first - self.now);
        self.walk().steps_at - first
    }

    /// A dark point far away from the ghost.
    fn far(&self) -> Point {
        let around_ghost = self.ghost() | self.ground.neighbours(self.ghost());
        self.legal().without(around_ghost).first().unwrap()
    }
}
