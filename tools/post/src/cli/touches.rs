//! Converts a person's touches, on a board or in the window, to the steps of a turn.

use firmware_core::games::malaka::{MalakaPoint, Step};

/// The clock setting with the longest turns.
pub const LONGEST_TIME: u8 = 9;

/// Touches as steps: a pile, which may be put down again, and where a piece of it
/// goes.
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
