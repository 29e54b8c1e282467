//! Col and Snort: the player who lights the last point wins.

use crate::howto::{HowTo, LEGAL_POINTS_FLASH, NO_SPEED, mode};

use super::*;

/// The texts for players of Col.
pub(super) struct Col;

impl Guide for Col {
    fn number(&self) -> u8 {
        number::COL
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn end(&self, _: &Settings, outcome: Outcome, score: [u32; 2]) -> String {
        match outcome {
            // The numbers of the score are the points that each side has lit.
            Outcome::Won(side) => {
                let loser = side.other().name();
                format!("{} has won, {loser} had no move left", side.name())
            }
            Outcome::Draw => end_of_two(outcome, score),
        }
    }

    fn is_played_on_dark_points(&self, _: &Settings) -> bool {
        true
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let stones = Stones::of(self, board)?;
        let turn = board.turn()?;
        let shunned = match board.settings().mode {
            0 => turn,
            _ => turn.other(),
        };
        let beside = stones.beside(point);
        let near = beside
            .into_iter()
            .find(|near| stones.at(*near) == Some(shunned));
        let near = near.filter(|_| stones.at(point).is_none())?;
        let [point, near] = [point, near].map(|point| board.layout().name(point));
        Some(format!(
            "{point} is beside {near}, which is {}",
            shunned.name()
        ))
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Col: be the last to light a point.",
    play: &[
        "In turns, green first, touch a dark point to light it in your colour. What is lit stays lit.",
        LEGAL_POINTS_FLASH,
    ],
    end: "Whoever cannot light a point in turn has lost.",
    level: "The board does not play it: it is a game for two.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. When it runs out, the board lights a point for you, chosen at random.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "Col",
            "A point must not touch another of its own colour, side by side.",
        ),
        mode(
            "Snort",
            "A point must not touch one of the other colour, side by side.",
        ),
    ],
};
