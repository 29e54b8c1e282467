//! Converts the touches of a player, on a board or in the window, to the steps of a turn.

use firmware_core::games::malaka::{MalakaPoint, Step};

/// The clock setting with the longest turns.
pub const LONGEST_TIME: u8 = 9;

/// Interprets touches: the first one picks up a pile, which may be put down again, and
/// the second one moves one of its pieces.
#[derive(Default)]
pub struct Touches {
    picked: Option<MalakaPoint>,
    pub steps: Vec<Step>,
}

impl Touches {
    pub fn touch(&mut self, to: MalakaPoint) {
        match self.picked.take() {
            None => self.picked = Some(to),
            Some(from) if from == to => {}
            Some(from) => self.steps.push(Step { from, to }),
        }
    }
}
