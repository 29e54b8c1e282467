//! TouchIt: two chains of lights; the first to touch the newest light wins.

use crate::howto::{HowTo, NO_TIME, timeless};

use super::*;

/// The texts for players of TouchIt.
pub(super) struct TouchIt;

impl Guide for TouchIt {
    fn number(&self) -> u8 {
        number::TOUCHIT
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn is_in_real_time(&self) -> bool {
        true
    }

    fn running(&self) -> &'static str {
        "touch the newest light of yours"
    }

    fn pause(&self, _: &TurnView<'_>) -> String {
        "wait for the next lights".to_owned()
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let side = side_of(board.frame().points.get(point))?;
        Some(format!("a light of {}'s chain", side.name()))
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let is_played = board.settings().game == self.number() && board.outcome().is_none();
        let name = board.layout().name(point);
        is_played.then(|| format!("{name} is not the newest light of a chain"))
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Two chains of three lights grow on the board, one of each colour. Be the first to touch the newest light of your own.",
    play: &[
        "Both sides play at once. The chains lie at opposite places, so both see the same.",
        "Only the newest light of a chain counts, and only until the next one comes or all go out. A touch anywhere else does nothing.",
        "The first good touch wins the turn: rings in the winner's colour spread from it.",
    ],
    end: "It ends after 40 turns, each of them a chain of either colour, touched or not; more points win, equal numbers are a draw.",
    level: "Red touches like a hand, with delays that get shorter from level to level.",
    time: NO_TIME,
    speed: "Speed sets how long each light is the newest: from 1.8 seconds to a quarter of one.",
    modes: &[
        timeless("Straight", "The third light goes straight on."),
        timeless(
            "Right",
            "The third light turns right, seen along the chain.",
        ),
        timeless("Left", "The third light turns left, seen along the chain."),
        timeless(
            "Any way",
            "The third light goes straight on, right or left, at random.",
        ),
    ],
};
