//! How a board is set up for a turn, here or in the window, and the steps of a turn that
//! its touches make.

use firmware_core::games::malaka::{MalakaPoint, Own, Position, Step};
use firmware_core::games::number;
use protocol::Settings;

/// The clock setting with the longest turns.
const LONGEST_TIME: u8 = 9;

/// The settings of a board on which a person makes a turn from this position.
pub fn settings_of(position: &Position) -> Settings {
    Settings {
        game: number::MALAKA,
        time: LONGEST_TIME,
        speed: 5,
        level: 0,
        mode: position.variant().mode(),
    }
}

/// True if a board with these settings is set up for this position. A person may choose
/// the time and the speed.
pub fn fits(settings: Settings, position: &Position) -> bool {
    let own = settings_of(position);
    (settings.game, settings.level, settings.mode) == (own.game, own.level, own.mode)
}

/// This position, with its dice, as a board takes it.
pub fn own(position: &Position) -> protocol::Position {
    protocol::Position::Own {
        game: number::MALAKA,
        bytes: Own::of(position).bytes(),
    }
}

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
