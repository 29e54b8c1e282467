//! The moves of a random game: each is drawn from all legal ones, with the same
//! probability, and a draw may take several ticks.
//!
//! Invariants: no move is made before its draw is complete.

use postcard::experimental::max_size::MaxSize;
use serde::{Deserialize, Serialize};

use crate::cartridge::candidates::{Draw, FORCED, Number, RandomChoice, Seek, Stretch};
use crate::cartridge::{Action, Machine};
use crate::rng::Rng;
use crate::word::Word;

/// The number of consecutive illegal draws after which all moves are examined.
pub(super) const MOST_REFUSED: u8 = 24;

/// The progress of the draws of a random game that take more than a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub(super) struct DrawProgress {
    /// The number of consecutive illegal draws; after [`MOST_REFUSED`], the legal moves
    /// are examined instead.
    pub(super) refused: u8,
    pub(super) draw: Draw,
}

/// Draws one of the moves that a search visits.
struct Sweeper<'s> {
    draw: Draw,
    rng: &'s mut Rng,
}

impl<W: Word> Seek<W> for Sweeper<'_> {
    fn wants(&self, _: [i16; 2]) -> bool {
        true
    }

    fn found(&mut self, number: Number, _: [i16; 2], _: Option<Action>) {
        self.draw.many = self.draw.many.saturating_add(1);
        if self.rng.below(self.draw.many) == 0 {
            self.draw.number = number;
        }
    }
}

/// Makes a random move, or continues to draw one while there are steps left. False if no
/// move has been made yet.
pub(super) fn wander<W: Word>(
    machine: &mut Machine<'_, W>,
    lots: &mut DrawProgress,
    steps: u32,
    rng: &mut Rng,
) -> bool {
    if *lots == DrawProgress::default()
        && let Some(is_played) = machine.play_counted(rng)
    {
        return is_played;
    }
    if lots.refused < MOST_REFUSED {
        match machine.play_unknown(&mut lots.draw, steps, &[], None, rng) {
            RandomChoice::Played { .. } => lots.refused = 0,
            RandomChoice::Refused { .. } => {
                lots.refused += 1;
                return false;
            }
            RandomChoice::GoesOn => return false,
            RandomChoice::None => {
                machine.play_number(FORCED);
                lots.refused = 0;
            }
        }
        return true;
    }
    let mut sweeper = Sweeper {
        draw: lots.draw,
        rng,
    };
    let stretch = Stretch {
        from: lots.draw.at,
        steps,
        asks: true,
    };
    let next = machine.seek(stretch, &mut sweeper);
    let draw = sweeper.draw;
    if let Some(at) = next {
        lots.draw = Draw { at, ..draw };
        return false;
    }
    machine.play_number(if draw.many == 0 { FORCED } else { draw.number });
    *lots = DrawProgress::default();
    true
}
