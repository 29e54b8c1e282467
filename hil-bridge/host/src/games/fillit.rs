//! FillIt: fill the board with one colour, or remove the other.

use crate::howto::{HowTo, NO_SPEED, mode};

use super::*;

/// The texts for players of FillIt.
pub(super) struct FillIt;

impl Guide for FillIt {
    fn number(&self) -> u8 {
        number::FILLIT
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn tracks(&self, settings: &Settings) -> Tracks {
        match settings.mode {
            0 | 1 => Tracks::None("Every dark point may be played."),
            2 => Tracks::None("Every point may be touched."),
            _ => Tracks::Forbidden(Among::All),
        }
    }

    fn lights_are_stones(&self) -> bool {
        true
    }

    fn is_played_on_dark_points(&self, settings: &Settings) -> bool {
        settings.mode < 2
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let settings = board.settings();
        let turn = board.turn().filter(|_| settings.game == self.number())?;
        let name = board.layout().name(point);
        match settings.mode {
            3 => {
                let other = turn.other().name();
                Some(format!(
                    "a touch of {name} would put out no light of {other}"
                ))
            }
            4 => {
                let own = turn.name();
                Some(format!("a touch of {name} would put out no light of {own}"))
            }
            _ => None,
        }
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Two games in one: fill the board with your colour, or clear the other colour off it.",
    play: &[
        "Filling (modes 0 and 1): touch a dark point. It lights up in your colour, the points two steps away in the eight directions become yours, and your own lights right beside it become the other side's.",
        "Clearing (modes 2-4): touch a point, lit or dark. Lights of the other side a knight's jump away (two and one) go out, and so do your own a long jump away (three and two).",
        "Green begins. In modes 3 and 4, touch a point where you may not play, and the board flashes all those where you may; a player who has none is skipped.",
    ],
    end: "Filling ends with a full board: more lights win. Clearing ends after a red turn when a colour is gone: the other one wins; in modes 3 and 4 also when nobody can move: more lights win. Equal numbers, or none at all, are a draw.",
    level: "Red looks ahead, with fewer mistakes from level to level: one, two and three moves at levels 1, 2 and 3 of filling, one, one and two of clearing, and at 4, without mistakes, as far as it gets in about three seconds.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. A turn that takes longer is missed; in modes 0 and 1 the other side's next touch then costs it none of its own lights.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "Fill",
            "Starts with 9 lights of each colour (on 9x9), placed at random, but fair to both sides.",
        ),
        mode("Fill from dark", "Starts with a dark board."),
        mode(
            "Clear",
            "A touch may be made anywhere, even where it changes nothing. Starts with 18 lights of each colour (on 9x9).",
        ),
        mode(
            "Clear, long jumps give",
            "Your own lights a long jump away change to the other colour instead of going out. A touch must put out a light of the other side. Starts with 18 lights of each colour (on 9x9).",
        ),
        mode(
            "Clear, knights take",
            "The other side's lights a knight's jump away become yours instead of going out. A touch must put out a light of your own. Starts with 18 lights of each colour (on 9x9).",
        ),
    ],
};
