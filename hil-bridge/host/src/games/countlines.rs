//! The texts of CountLines: rows of four.

use firmware_core::games::countlines::{End, LINE, MODES};
use protocol::Colour;

use super::*;
use crate::howto::{HowTo, LEGAL_POINTS_FLASH, LOOKS_AHEAD, NO_SPEED, TURN_IS_LOST, mode};

/// The texts for players of CountLines.
pub(super) struct CountLines;

impl Guide for CountLines {
    fn number(&self) -> u8 {
        number::COUNTLINES
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn tracks(&self, _: &Settings) -> Tracks {
        Tracks::Forbidden(Among::Dark)
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let settings = board.settings();
        let may_be_close = matches!(settings.mode, 2 | 4);
        let is_dark = board.frame().points.get(point) == Colour::OFF;
        let is_played = settings.game == self.number() && board.turn().is_some();
        let name = board.layout().name(point);
        (is_played && is_dark && !may_be_close && !board.is_thinking()).then(|| {
            format!("{name} is less than three points away from the light that you set last")
        })
    }

    fn lights_are_stones(&self) -> bool {
        true
    }

    fn winning_row(&self, settings: &Settings) -> Option<usize> {
        let rule = MODES.get(usize::from(settings.mode))?;
        (rule.end == End::FirstLine).then_some(LINE)
    }

    fn is_played_on_dark_points(&self, _: &Settings) -> bool {
        true
    }

    fn result(&self, _: Side, changed: u16, [own, _]: [i64; 2]) -> Option<String> {
        match own {
            1 => Some("a line".to_owned()),
            2.. => Some(format!("{own} lines")),
            _ => self.changes(changed),
        }
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Make rows of four lights, in most modes each three points or more from your last.",
    play: &[
        "In turns, green first, touch a dark point to light it. Every four in a row count one: a row of five is two lines, a row of six three, and rows may cross.",
        LEGAL_POINTS_FLASH,
    ],
    end: "It ends when the board is full, or in modes 1 and 3 with the first line; more lines win, equal numbers are a draw.",
    level: LOOKS_AHEAD,
    time: TURN_IS_LOST,
    speed: NO_SPEED,
    modes: &[
        mode(
            "Most lines",
            "Your next light must be three points or more away from the one you set last, unless you have no other move left. The most lines win.",
        ),
        mode(
            "First line",
            "Your next light must be three points or more away from the one you set last, unless you have no other move left. The first line wins at once.",
        ),
        mode(
            "Most lines, anywhere",
            "Any dark point may be touched. The most lines win.",
        ),
        mode(
            "First line (as mode 1)",
            "Your next light must be three points or more away from the one you set last, unless you have no other move left. The first line wins at once.",
        ),
        mode(
            "Most lines, anywhere (as mode 2)",
            "Any dark point may be touched. The most lines win.",
        ),
    ],
};
