//! The text on the display during a game of Ishido.

use core::fmt::Write;

use protocol::{DISPLAY_CHARACTERS, Text};

use super::Ishido;
use super::modes::Players;
use super::scoring::Scoring;
use super::stone::Stone;
use crate::game::Caption;
use crate::word::Word;

/// A number in four characters, in thousands, millions or thousands of millions if
/// necessary.
fn short(number: u32) -> Text<4> {
    let mut text = Text::new();
    let _ = match number {
        ..10_000 => write!(text, "{number}"),
        10_000..1_000_000 => write!(text, "{}k", number / 1_000),
        1_000_000..1_000_000_000 => write!(text, "{}M", number / 1_000_000),
        _ => write!(text, "{}G", number / 1_000_000_000),
    };
    text
}

/// A number in six characters, in thousands or millions if necessary.
fn long(number: u32) -> Text<6> {
    let mut text = Text::new();
    let _ = match number {
        ..1_000_000 => write!(text, "{number}"),
        1_000_000..100_000_000 => write!(text, "{}k", number / 1_000),
        _ => write!(text, "{}M", number / 1_000_000),
    };
    text
}

impl<W: Word> Ishido<W> {
    /// The stone in hand and the number of stones left. With official scoring, the points
    /// need more room than there is beside them.
    pub(super) fn text(&self) -> Caption {
        let between = self.between();
        let rule = self.rule();
        let have_room = self.points.iter().all(|points| *points < 10_000);
        if rule.scoring == Scoring::Seed && have_room {
            return Caption::Between(between);
        }
        let mut text: Text<DISPLAY_CHARACTERS> = Text::new();
        let [green, red] = self.points;
        let _ = match rule.players {
            Players::One => {
                let (points, four_ways) = (long(green), self.four_ways[0].min(99));
                write!(text, "{:<6}{}{four_ways:>2}", &*points, &*between)
            }
            Players::Two => {
                let [green, red] = [green, red].map(short);
                write!(text, "{:<4}{}{:>4}", &*green, &*between, &*red)
            }
        };
        Caption::Instead(text)
    }

    /// The text on the display between the two numbers: the stone in hand, and the number
    /// of stones left.
    fn between(&self) -> Text<4> {
        let [colour, symbol] = self.hand.map_or(['-'; 2], Stone::letters);
        let mut text = Text::new();
        let _ = write!(text, "{colour}{symbol}{:>2}", self.left());
        text
    }
}
