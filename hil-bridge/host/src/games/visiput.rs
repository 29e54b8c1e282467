//! Visiput: points that a side's own lights see.

use firmware_core::games::visiput::MODES;

use crate::howto::{HowTo, LEGAL_POINTS_FLASH, LOOKS_AHEAD, NO_SPEED, TURN_IS_LOST, mode};

use super::*;

/// The texts for players of Visiput.
pub(super) struct Visiput;

impl Guide for Visiput {
    fn number(&self) -> u8 {
        number::VISIPUT
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn tracks(&self, _: &Settings) -> Tracks {
        Tracks::LegalOfMany
    }

    fn lights_are_stones(&self) -> bool {
        true
    }

    fn is_played_on_dark_points(&self, _: &Settings) -> bool {
        true
    }

    fn change(&self) -> &'static str {
        "given"
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let stones = Stones::of(self, board)?;
        let turn = board.turn()?;
        if stones.at(point).is_some() {
            return None;
        }
        let seen: Vec<Side> = views(point, board.layout(), &stones).collect();
        let count = |side| seen.iter().filter(|seen| **seen == side).count();
        let (own, other) = (count(turn), count(turn.other()));
        let rule = MODES.get(usize::from(board.settings().mode))?;
        let needed = match rule.margin {
            0 => "as many".to_owned(),
            1 => "one more".to_owned(),
            2 => "two more".to_owned(),
            -1 => "one fewer at most".to_owned(),
            margin @ ..0 => format!("{} fewer at most", -margin),
            margin => format!("{margin} more"),
        };
        let name = board.layout().name(point);
        Some(format!(
            "{name} sees {own} of {} and {other} of {}; it has to be {needed}",
            turn.name(),
            turn.other().name()
        ))
    }
}

/// The first light in each of the eight directions from a point.
fn views<'a>(
    point: Point,
    layout: Layout,
    stones: &'a Stones<'_>,
) -> impl Iterator<Item = Side> + use<'a> {
    let ways = [-1_i16, 0, 1].into_iter();
    let ways = ways.flat_map(|across| [-1, 0, 1].map(|up| [across, up]));
    let from = [layout.column(point), layout.row(point)].map(i16::from);
    ways.filter(|way| *way != [0, 0])
        .filter_map(move |[across, up]| {
            let mut points = (1..).map_while(move |far| {
                let [column, row] = [from[0] + far * across, from[1] + far * up];
                layout.at(column.try_into().ok()?, row.try_into().ok()?)
            });
            points.find_map(|point| stones.at(point))
        })
}

const HOW_TO: HowTo = HowTo {
    aim: "Light points that your own lights see, until every dark point belongs to somebody.",
    play: &[
        "In turns, green first, light a dark point. From it, look along the eight directions to the first light in each: how many are yours, and how many are not? The mode says which numbers are needed.",
        LEGAL_POINTS_FLASH,
        "A player who cannot move is skipped.",
    ],
    end: "It ends when nobody can move, or when each dark point is open to one side only: those points then go to that side. More points win, equal numbers are a draw.",
    level: LOOKS_AHEAD,
    time: TURN_IS_LOST,
    speed: NO_SPEED,
    modes: &[
        mode(
            "As many",
            "At least as many of your lights as of the others.",
        ),
        mode(
            "As many, random start",
            "At least as many of your lights as of the others, from a random start.",
        ),
        mode("More", "More of your lights than of the others."),
        mode(
            "More, random start",
            "More of your lights than of the others, from a random start.",
        ),
        mode(
            "Two more",
            "At least two more of your lights than of the others.",
        ),
        mode(
            "Two more, random start",
            "At least two more of your lights than of the others, from a random start.",
        ),
        mode(
            "One fewer",
            "At least as many of your lights as of the others, or one fewer.",
        ),
        mode(
            "One fewer, random start",
            "At least as many of your lights as of the others, or one fewer, from a random start.",
        ),
    ],
};
