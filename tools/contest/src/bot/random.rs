//! A bot that marks a random legal cell. `contest check` plays against it.

use firmware_core::Rng;
use protocol::Point;

use super::{Seat, Turn};
use crate::fault::{Fault, Kind};

/// Chooses cells at random.
pub struct Player {
    rng: Rng,
}

impl Player {
    pub fn new(seed: u64) -> Player {
        Player {
            rng: Rng::new(seed),
        }
    }
}

impl Seat for Player {
    fn play(&mut self, turn: &Turn<'_>) -> Result<Point, Fault> {
        let legal: Vec<Point> = turn.position.legal().collect();
        let count = u32::try_from(legal.len()).unwrap_or(u32::MAX);
        let choice = legal.get(self.rng.below(count) as usize);
        choice
            .copied()
            .ok_or_else(|| Fault::new(Kind::Move, "it has no cell to mark"))
    }
}
