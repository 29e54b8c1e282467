//! Ghost: four lights that drift over the board, and walls of misses.

use protocol::Colour;

use crate::howto::{HowTo, TURN_IS_LOST, mode};

use super::*;

/// The texts for players of Ghost.
pub(super) struct Ghost;

impl Guide for Ghost {
    fn number(&self) -> u8 {
        number::GHOST
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn is_in_real_time(&self) -> bool {
        true
    }

    fn turn(&self, side: Side, now: &TurnView<'_>) -> String {
        let name = side.name();
        match is_beside(&now.status.settings) {
            _ if now.is_boards_turn => format!("{name} is after the ghost"),
            true => format!("{name}: touch beside the ghost"),
            false => format!("{name}: catch the ghost"),
        }
    }

    fn pause(&self, now: &TurnView<'_>) -> String {
        match is_beside(&now.status.settings) {
            true => "a point: the ghost comes back soon",
            false => "the ghost was caught",
        }
        .to_owned()
    }

    fn result(&self, side: Side, _: u16, [own, other]: [i64; 2]) -> Option<String> {
        Some(match (own > 0, other > 0) {
            (true, _) => "a hit".to_owned(),
            (false, true) => format!("a point for {}", side.other().name()),
            (false, false) => "a miss".to_owned(),
        })
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let colour = board.frame().points.get(point);
        let is_lit = colour != Colour::OFF;
        is_lit.then(|| "a light of the ghost, which moves, or of a wall, which does not".to_owned())
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let is_played = board.settings().game == self.number() && board.turn().is_some();
        let is_lit = board.frame().points.get(point) != Colour::OFF;
        let name = board.layout().name(point);
        (is_played && is_lit).then(|| format!("{name} is a wall"))
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Four lights drift over the board together: the ghost. Score on it more often than the other side does.",
    play: &[
        "Green begins. The ghost has the colour of the player whose turn it is. When you score, rings spread from your finger, and it comes back elsewhere.",
        "A miss slows the ghost down for the rest of the game: each step takes a tenth longer, at most three times as long as at first.",
        "Each touch that counts hands the turn to the other side. A touch on a wall does nothing, unless it scores.",
    ],
    end: "It ends after 32 turns of both sides together, or when walls leave the ghost nowhere to go; the higher score wins, equal scores are a draw.",
    level: "Red plays like a hand: it notices, aims and presses, faster and with fewer slips at higher levels.",
    time: TURN_IS_LOST,
    speed: "Speed sets how fast the ghost walks: from two steps in three seconds to five a second.",
    modes: &[
        mode(
            "Catch",
            "Touch the ghost itself to score. What you touch beside it stays lit: a wall that it cannot cross.",
        ),
        mode(
            "Beside it",
            "Touch a point right next to the ghost to score; touch the ghost itself, and the other side scores. What you touch farther off becomes a wall.",
        ),
        mode(
            "Catch, no walls",
            "Touch the ghost itself to score. A miss lights nothing.",
        ),
        mode(
            "Beside it, no walls",
            "Touch a point right next to the ghost to score; touch the ghost itself, and the other side scores. A miss lights nothing.",
        ),
    ],
};

/// True if touches next to the ghost also score in this mode.
fn is_beside(settings: &Settings) -> bool {
    settings.mode % 2 == 1
}
