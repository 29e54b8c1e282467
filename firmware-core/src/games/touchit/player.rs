//! The simulated hand with which the board plays red: it notices when a point lights
//! up, and touches it after the time that a person would need.
//!
//! Levels differ in that time. If the direction of the chain is known in advance, the
//! hand moves to the third point before that point lights up.
//!
//! Invariants: it only touches red's newest point, and no earlier than a quick person
//! could.

use postcard::experimental::max_size::MaxSize;
use protocol::{Side, Tick};
use serde::{Deserialize, Serialize};

use super::{MODES, TouchIt, TouchItPhase};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::ground::Ground;
use crate::minds::at_level;
use crate::word::Word;

/// The time from the lighting of a point to the touch at levels 1-4, uniformly
/// distributed between these bounds, in milliseconds. Levels 1, 2 and 3 are about as good
/// as a child, an adult and a quick person (`RULES.md`, Against people).
pub(super) const REACTION_MS: [[u32; 2]; 4] = [[520, 1700], [290, 1040], [215, 500], [180, 340]];

/// The percentage of that time that is needed for a point whose place was known, because
/// the finger is already on its way.
const FORESEEN_PERCENT: u32 = 60;

/// The hand in one display.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct TouchItHand {
    wakes_at: Tick,
    /// The display, and the number of its lit points, when the hand last looked.
    seen: Option<(u8, u8)>,
    /// True if the hand touches the newest point at its next wake.
    touches: bool,
}

impl TouchItHand {
    /// Determines when the finger will reach a point that has just lit up.
    fn plan<W: Word>(
        &mut self,
        game: &TouchIt<W>,
        level: u8,
        shown: u8,
        at: Tick,
        context: &mut Context<'_, W>,
    ) {
        let [least, most] = *at_level(&REACTION_MS, level);
        let drawn_ms = least.saturating_add(context.rng.below(most.saturating_sub(least)));
        let only_one_way = MODES
            .get(usize::from(game.mode))
            .is_some_and(|turns| turns.len() == 1);
        let reaction_ms = if shown == 3 && only_one_way {
            drawn_ms * FORESEEN_PERCENT / 100
        } else {
            drawn_ms
        };
        let arrives_at = context.now.saturating_add(u64::from(reaction_ms));
        self.touches = arrives_at < at;
        self.wakes_at = arrives_at.min(at);
    }
}

impl<W: Word> Player<W, TouchIt<W>> for TouchItHand {
    fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    fn wake(&mut self, game: &TouchIt<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let TouchItPhase::Show { shown, next_at } = game.phase else {
            let next_tick = context.now.saturating_add(1);
            self.wakes_at = game.wakes_at().unwrap_or(Tick::MAX).max(next_tick);
            return BoardTurn::Wait;
        };
        if self.seen != Some((game.displays, shown)) {
            self.seen = Some((game.displays, shown));
            self.plan(game, level, shown, next_at, context);
            return BoardTurn::Wait;
        }
        if self.wakes_at > context.now {
            return BoardTurn::Wait;
        }
        self.wakes_at = next_at.max(context.now.saturating_add(1));
        let newest = game.newest().filter(|_| self.touches);
        newest.map_or(BoardTurn::Wait, |points| {
            BoardTurn::Touch(points[Side::Red.index()])
        })
    }

    fn is_sound(&self, _ground: &Ground<W>) -> bool {
        true
    }
}
