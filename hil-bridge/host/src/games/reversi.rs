//! The texts of Reversi: stones that are turned over.

use protocol::Colour;

use crate::howto::{HowTo, LEGAL_POINTS_FLASH, LOOKS_AHEAD, NO_SPEED, mode};

use super::*;

/// The texts for players of Reversi.
pub(super) struct Reversi;

impl Guide for Reversi {
    fn number(&self) -> u8 {
        number::REVERSI
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn other_names(&self) -> &'static [&'static str] {
        &["Othello"]
    }

    fn square_boards(&self) -> &'static [u8] {
        // The size of the manual's board, and the usual size.
        &[9, 8]
    }

    fn tracks(&self, settings: &Settings) -> Tracks {
        match settings.mode {
            ..4 => Tracks::Legal,
            _ => Tracks::None("Every dark point may be played."),
        }
    }

    fn lights_are_stones(&self) -> bool {
        true
    }

    fn is_played_on_dark_points(&self, _: &Settings) -> bool {
        true
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let settings = board.settings();
        let is_dark = board.frame().points.get(point) == Colour::OFF;
        if settings.game != self.number() || !is_dark {
            return None;
        }
        let name = board.layout().name(point);
        match settings.mode {
            ..2 => Some(format!("a light on {name} would turn nothing")),
            2 | 3 => Some(format!("no light is next to {name}")),
            _ => None,
        }
    }

    fn change(&self) -> &'static str {
        "turned"
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Own more of the board than the other side when nobody can move any more.",
    play: &[
        "In turns, green first, touch a dark point. Every unbroken row of the other colour between it and the next light of yours, along any of the eight directions, turns to your colour.",
        LEGAL_POINTS_FLASH,
        "A player who cannot move is skipped.",
    ],
    end: "It ends when neither side can move; whoever has more lights wins, and equal numbers are a draw.",
    level: LOOKS_AHEAD,
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. When it runs out, the board plays one of your moves at random.",
    speed: NO_SPEED,
    modes: &[
        mode("Classic", "A move must turn at least one light."),
        mode(
            "Edges catch",
            "A row of the other colour that runs on to the edge of the board turns as well. A move must turn at least one light.",
        ),
        mode(
            "Neighbours",
            "Any dark point next to a light may be played, whether it turns anything or not.",
        ),
        mode(
            "Neighbours, edges catch",
            "Any dark point next to a light may be played, and rows that run on to the edge turn as well.",
        ),
        mode("Anywhere", "Any dark point may be played."),
        mode(
            "Anywhere, edges catch",
            "Any dark point may be played, and rows that run on to the edge turn as well.",
        ),
    ],
};
