//! Symmetry: one player completes a symmetric picture.

use protocol::Colour;

use crate::howto::{HowTo, timeless};

use super::*;

/// The texts for players of Symmetry.
pub(super) struct Symmetry;

impl Guide for Symmetry {
    fn number(&self) -> u8 {
        number::SYMMETRY
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn is_for_two(&self, _: &Settings) -> bool {
        false
    }

    fn players(&self, _: &Settings, _: Layout) -> u8 {
        1
    }

    fn is_in_real_time(&self) -> bool {
        true
    }

    fn turn(&self, _: Side, _: &TurnView<'_>) -> String {
        "complete the picture".to_owned()
    }

    fn pause(&self, _: &TurnView<'_>) -> String {
        "time is up: amber was missing".to_owned()
    }

    fn end(&self, _: &Settings, outcome: Outcome, [green, red]: [u32; 2]) -> String {
        match outcome {
            Outcome::Won(Side::Green) => format!("complete, with {red} wrong"),
            _ => format!("out of time, {green} right, {red} wrong"),
        }
    }

    fn score_names(&self, _: &Settings) -> [&'static str; 2] {
        ["right", "wrong"]
    }

    fn is_score_of_points(&self, _: &Settings) -> bool {
        false
    }

    fn score(&self, _: &Settings, [green, red]: [u32; 2]) -> String {
        format!("{green} right, {red} wrong")
    }

    fn at_time_out(&self, _: &Settings) -> Option<&'static str> {
        Some("what is missing is shown, and the game is lost")
    }

    fn result(&self, _: Side, changed: u16, [_, other]: [i64; 2]) -> Option<String> {
        // The second number of the score counts wrong touches.
        match other > 0 {
            true => Some("not in the picture".to_owned()),
            false => self.changes(changed),
        }
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let colour = board.frame().points.get(point);
        Some(match side_of(colour) {
            Some(Side::Green) => "a part of the picture".to_owned(),
            Some(Side::Red) => "touched, and not in the picture".to_owned(),
            None if colour == Colour::OFF => "dark, perhaps missing in the picture".to_owned(),
            None => "was missing in the picture".to_owned(),
        })
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let is_played = board.settings().game == self.number() && board.turn().is_some();
        let name = board.layout().name(point);
        let colour = board.frame().points.get(point);
        is_played.then(|| match colour == Colour::RED {
            true => format!("{name} was touched, and is not in the picture"),
            false => format!("{name} is a part of the picture already"),
        })
    }

    fn touch_shows_what_is_hidden(&self) -> bool {
        true
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "A game for one: complete the picture before the time is up.",
    play: &[
        "A pattern lights up in the top four lines, and stays. Touch the image of each of its points in the bottom four.",
        "A right touch turns green, a wrong one red; wrong ones cost nothing.",
    ],
    end: "Green wins by finding every point in time. If the time runs out, red wins, and the missing points flash in amber.",
    level: "It is a game for one: the board does not play.",
    time: "Time changes nothing here: Speed does.",
    speed: "Speed sets how long you have: from 91.5 seconds down to 12.5 for 12 points, from 122 down to 16.7 for 16 (modes 4-7).",
    modes: &[
        timeless(
            "Mirror",
            "The middle line is the mirror: what is at the very top goes to the very bottom.",
        ),
        timeless(
            "Shift",
            "Each point moves straight down, by five lines on a board of nine.",
        ),
        timeless(
            "Half turn",
            "The board turns by half around its centre: top left goes to bottom right.",
        ),
        timeless(
            "Shift and mirror",
            "Each point moves five lines down and swaps left and right.",
        ),
        timeless(
            "Mirror, 16",
            "The middle line is the mirror: what is at the very top goes to the very bottom. 16 points instead of 12.",
        ),
        timeless(
            "Shift, 16",
            "Each point moves straight down, by five lines on a board of nine. 16 points instead of 12.",
        ),
        timeless(
            "Half turn, 16",
            "The board turns by half around its centre: top left goes to bottom right. 16 points instead of 12.",
        ),
        timeless(
            "Shift and mirror, 16",
            "Each point moves five lines down and swaps left and right. 16 points instead of 12.",
        ),
    ],
};
