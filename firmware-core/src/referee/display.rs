//! What the display says of a game: green's number at the left and red's at
//! the right, each beside its light, and between them what there is to come.
//!
//! ```text
//! 12        34   two scores
//! 3    29    4   and turns to come
//! 11/12  29  3   found of how many, seconds left, wrong ones
//! 12  Stop  34   the same while the game is held
//! ```

use core::fmt::Write;

use protocol::{DISPLAY_CHARACTERS, Text, Tick};

use super::{Referee, seconds};
use crate::grid::Grid;
use crate::word::Word;

/// Characters in the middle.
const MIDDLE: usize = 4;

impl<W: Word> Referee<W> {
    /// What the display says; `None` once the result was put away.
    #[must_use]
    pub fn display(&self, tick: Tick, grid: &Grid<W>) -> Option<Text<DISPLAY_CHARACTERS>> {
        if self.outcome.is_some() && !self.ending.is_shown() {
            return None;
        }
        let round = self.playing.round();
        let [green, mut red] = round.score(grid);
        let (mut left, mut middle) = (Text::<6>::new(), Text::<MIDDLE>::new());
        let mut width = (DISPLAY_CHARACTERS - MIDDLE) / 2;
        let _ = write!(left, "{green}");
        if let Some(all) = round.to_find() {
            let _ = write!(left, "/{all}");
            width = 6;
            red = red.min(99);
        }
        if self.is_held() {
            middle = Text::clipped("Stop");
        } else if self.outcome.is_none() {
            let seconds = round.clock(self.play_time(tick)).map(seconds::left);
            if let Some(number) = seconds.or(round.turns_left().map(u32::from)) {
                let _ = write!(middle, "{number}");
            }
        }
        let rest = DISPLAY_CHARACTERS - MIDDLE - width;
        let mut text = Text::new();
        let _ = write!(text, "{:<width$}{:^MIDDLE$}{red:>rest$}", &*left, &*middle);
        Some(text)
    }
}
