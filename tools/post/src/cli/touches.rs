//! What a person touches, on a board or in the window, as steps of a turn.

use firmware_core::games::malaka::{Place, Step};

/// The clock setting with the longest turns.
pub const LONGEST_TIME: u8 = 9;

/// Touches as steps: a pile, which may be put down again, and where a piece of it
/// goes.
#[derive(Default)]
pub struct Touches {
    picked: Option<Place>,
    pub steps: Vec<Step>,
}

impl Touches {
    pub fn touch(&mut self, to: Place) {
        match self.picked.take() {
            None => self.picked = Some(to),
            Some(from) if from == to => {}
            Some(from) => self.steps.push(Step { from, to }),
        }
    }
}
