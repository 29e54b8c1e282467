//! The texts of Life: a race to put out all lights, or two colours that grow and die.

use protocol::Colour;

use crate::howto::{HowTo, mode, timeless};

use super::*;

/// The texts for players of Life.
pub(super) struct Life;

impl Guide for Life {
    fn number(&self) -> u8 {
        number::LIFE
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn other_names(&self) -> &'static [&'static str] {
        &["Conway's Life", "Game of Life"]
    }

    fn is_in_real_time(&self) -> bool {
        true
    }

    fn turn(&self, side: Side, now: &TurnView<'_>) -> String {
        let name = side.name();
        match is_race(&now.status.settings) {
            _ if now.is_boards_turn => format!("{name} is choosing a point"),
            true => format!("{name}: put the lights out"),
            false => format!("{name} may turn a point over"),
        }
    }

    fn pause(&self, now: &TurnView<'_>) -> String {
        let is_dark = (0..=u8::MAX).all(|point| {
            let colour = now.frame.points.get(Point(point));
            colour == Colour::OFF
        });
        match (is_race(&now.status.settings), now.status.turn) {
            (true, Some(side)) if is_dark => format!("all out: {} is next", side.name()),
            (true, _) => "wait for the next generation".to_owned(),
            (false, _) => "all touches are used: wait and see".to_owned(),
        }
    }

    fn end(&self, settings: &Settings, outcome: Outcome, score: [u32; 2]) -> String {
        match outcome {
            // Fewer generations win the race.
            Outcome::Won(side) if is_race(settings) => {
                let [own, other] = [side, side.other()].map(|side| score[side.index()]);
                format!("{} has won, {own} generations to {other}", side.name())
            }
            outcome => end_of_two(outcome, score),
        }
    }

    fn score_unit(&self, settings: &Settings) -> &'static str {
        match is_race(settings) {
            true => " generations",
            false => "",
        }
    }

    fn is_score_of_points(&self, settings: &Settings) -> bool {
        !is_race(settings)
    }

    fn has_pass(&self, settings: &Settings) -> bool {
        // A race has no time limit.
        !is_race(settings)
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "The lights live and die by rules much like Conway's Life. Race to put them all out, or help your colour outlive the other.",
    play: &[
        "In each generation some lights go out and others come on, depending on how many of the eight points around them are lit.",
        "A touch turns a point over: a light of any colour goes out, a dark point lights up in yours.",
        "In the race, green first, both sides get the same pattern. Your turn lasts until nothing lives, until you have touched nothing for 100 generations, or until you have 999. The generations of your turns are added up.",
    ],
    end: "The race ends after a red turn that leaves somebody above 100 generations: fewer win, equal totals draw. Life2 ends when a colour has died out, or in a draw if the same picture returns with no touch left or after 999 quiet generations.",
    level: "In the race red presses like a hand, faster and better aimed at higher levels. In Life2 it works out how the board will develop, further ahead at higher levels.",
    time: "In Life2 Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. When it runs out your turn passes, and you keep your touches. The race has no clock.",
    speed: "Speed sets the generations: from about two seconds each to more than three a second.",
    modes: &[
        timeless(
            "Life1, the race",
            "A light with two or three lit neighbours lives on until it is six generations old; a dark point with three comes to life. In its turn, each side has three touches a generation to put everything out.",
        ),
        mode(
            "Life2",
            "Lights live while their own neighbours less twice the others are two or three; a dark point goes to the colour with exactly two more around it. Each side has two touches in the whole game.",
        ),
    ],
};

/// Each side in turn puts all lights out in this mode.
fn is_race(settings: &Settings) -> bool {
    settings.mode == 0
}
