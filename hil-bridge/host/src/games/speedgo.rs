//! The texts of SpeedGo: Go that begins with stones on the board.

use crate::howto::{HowTo, NO_SPEED, mode};

use super::*;

/// The texts for players of SpeedGo.
pub(super) struct SpeedGo;

impl Guide for SpeedGo {
    fn number(&self) -> u8 {
        number::SPEEDGO
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn tracks(&self, _: &Settings) -> Tracks {
        Tracks::Forbidden(Among::Dark)
    }

    fn lights_are_stones(&self) -> bool {
        true
    }

    fn is_played_on_dark_points(&self, _: &Settings) -> bool {
        true
    }

    fn change(&self) -> &'static str {
        "taken"
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let stones = Stones::of(self, board)?;
        let turn = board.turn()?;
        if stones.at(point).is_some() {
            return None;
        }
        let name = board.layout().name(point);
        let [_, free] = stones.group(point, turn);
        let takes = stones.beside(point).into_iter().any(|near| {
            let [_, free] = stones.group(near, turn.other());
            stones.at(near) == Some(turn.other()) && free == [point]
        });
        Some(match free.is_empty() && !takes {
            true => format!("a stone on {name} would have no dark point beside its group"),
            false => format!("a stone on {name} would bring an earlier position back (ko)"),
        })
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Go: surround more of the board than the other side.",
    play: &[
        "In turns, green first, touch a dark point to set a stone. Stones that touch along lines, not diagonals, are a group; a group with no dark point left beside it is taken off.",
        "You may not set a stone that leaves its own group without a dark point beside it, unless it takes something.",
        "You may not bring back the position from before the other side's move (ko), nor any of the last 12.",
    ],
    end: "It ends when it is clear whose every point is, when both sides let their turns pass with no dark point left between them, or after 8 turns a point. Stones and the dark points that only they surround count: more win, equal numbers draw.",
    level: "Red tries its moves out by playing random games to their end, more and better ones at higher levels. It moves within five seconds.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. When it runs out you pass, since the board has no button for that; while the borders are open, that only loses the turn.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "18 stones",
            "Each side starts with 18 stones, placed at random, but fair to both sides.",
        ),
        mode("Dark board", "Starts with an empty board."),
        mode(
            "9 stones",
            "Each side starts with 9 stones, placed at random, but fair to both sides.",
        ),
    ],
};
