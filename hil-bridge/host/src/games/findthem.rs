//! The texts of FindThem: points to be found again in the dark.

use protocol::Colour;

use crate::howto::{HowTo, TURN_IS_LOST, mode};

use super::*;

/// The texts for players of FindThem.
pub(super) struct FindThem;

impl Guide for FindThem {
    fn number(&self) -> u8 {
        number::FINDTHEM
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn other_names(&self) -> &'static [&'static str] {
        &["Memory", "Concentration"]
    }

    fn turn(&self, side: Side, now: &TurnView<'_>) -> String {
        match now.is_boards_turn {
            true => format!("{} tries to remember", side.name()),
            false => format!("{}: find one of your points", side.name()),
        }
    }

    fn pause(&self, _: &TurnView<'_>) -> String {
        "look at the pattern".to_owned()
    }

    fn result(&self, _: Side, _: u16, [own, _]: [i64; 2]) -> Option<String> {
        Some(match own > 0 {
            true => "found".to_owned(),
            false => "nothing there".to_owned(),
        })
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let is_shown = board.status().idle && board.outcome().is_none();
        let colour = board.frame().points.get(point);
        Some(match side_of(colour) {
            Some(side) if is_shown => format!("one of {}'s points, to be remembered", side.name()),
            Some(side) => format!("found by {}", side.name()),
            None if colour == Colour::OFF => "dark, perhaps a point to find".to_owned(),
            None => "touched by the board".to_owned(),
        })
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let is_played = board.settings().game == self.number() && board.turn().is_some();
        let name = board.layout().name(point);
        is_played.then(|| match board.frame().points.get(point) {
            Colour::OFF => format!("{name} was touched in vain in the turn before"),
            _ => format!("{name} is found already"),
        })
    }

    fn touch_shows_what_is_hidden(&self) -> bool {
        true
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Remember where the lights of your colour were, and find them in the dark.",
    play: &[
        "The board shows points of both colours for a while, then goes dark. Then you take turns, green first, touching one point each.",
        "A point of your colour lights up and counts. A dark point that is not yours stays dark, and ignores touches in the other side's next turn.",
    ],
    end: "It ends after a red turn when a side has found all that it needs; if both have, it is a draw.",
    level: "Red remembers some of its points, more at higher levels, and forgets with time; the point it touches flashes in amber.",
    time: TURN_IS_LOST,
    speed: "Speed sets how long the points are shown: from half a minute to four seconds.",
    modes: &[
        mode(
            "Find 9 of 24",
            "24 points of each colour are shown; find 9.",
        ),
        mode(
            "Find 15 of 30",
            "30 points of each colour are shown; find 15.",
        ),
        mode(
            "Find 9 of 15",
            "15 points of each colour are shown; find 9.",
        ),
        mode(
            "Find 15 of 21",
            "21 points of each colour are shown; find 15.",
        ),
    ],
};
