//! A bot that marks a random legal cell. `contest check` plays against it.

use firmware_core::Rng;
use protocol::Point;

use super::{Seat, TurnRequest};
use crate::fault::{BotFault, BotFaultKind};

/// Chooses cells at random.
pub struct RandomPlayer {
    rng: Rng,
}

impl RandomPlayer {
    pub fn new(seed: u64) -> RandomPlayer {
        RandomPlayer {
            rng: Rng::new(seed),
        }
    }
}

impl Seat for RandomPlayer {
    fn play(&mut self, turn: &TurnRequest<'_>) -> Result<Point, BotFault> {
        let legal: Vec<Point> = turn.position.legal().collect();
        let count = u32::try_from(legal.len()).unwrap_or(u32::MAX);
        let choice = legal.get(self.rng.below(count) as usize);
        choice
            .copied()
            .ok_or_else(|| BotFault::new(BotFaultKind::Move, "it has no cell to mark"))
    }
}
