//! TicDabToe: Ultimate Tic-Tac-Toe of four by four. Its blocks are named by
//! [`blocks`].

pub(crate) mod blocks;
mod position;

use firmware_core::games::ticdabtoe::{self, Block, block_of};

use crate::howto::{HowTo, LEGAL_POINTS_FLASH, NO_SPEED, mode};
use crate::pieces::{GapLine, LineKind};
use crate::places::PitchSpot;

use super::*;

/// The texts for players of TicDabToe.
pub(super) struct TicDabToe;

impl Guide for TicDabToe {
    fn number(&self) -> u8 {
        number::TICDABTOE
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn other_names(&self) -> &'static [&'static str] {
        &["Tic-Tac-Toe"]
    }

    // The points of a win say nothing: 16 to none, whatever happened.
    fn end(&self, _: &Settings, outcome: Outcome, [green, red]: [u32; 2]) -> String {
        match outcome {
            Outcome::Won(side) => format!("{} has won, four blocks in a row", side.name()),
            Outcome::Draw => {
                format!("a draw, no block is left to play in: green has {green}, red {red}")
            }
        }
    }

    // A line of blocks that won the game blinks.
    fn shows_loss_by_time(&self, frame: &Frame) -> bool {
        let mut lights = (0..=u8::MAX).map(|index| frame.light(Point(index)));
        !lights.any(|light| light.rhythm() == Rhythm::Slow)
    }

    fn at_time_out(&self, settings: &Settings) -> Option<&'static str> {
        let mode = HOW_TO.modes.get(usize::from(settings.mode))?;
        mode.has_turn_time.then_some(LOST_BY_TIME)
    }

    fn has_pass(&self, _: &Settings) -> bool {
        // A side whose time runs out has lost.
        false
    }

    fn tracks(&self, _: &Settings) -> Tracks {
        Tracks::None("The cells that are lit may be marked.")
    }

    fn result(&self, _: Side, _: u16, [own, _]: [i64; 2]) -> Option<String> {
        (own > 0).then(|| "a block".to_owned())
    }

    fn has_pieces(&self) -> bool {
        true
    }

    fn pieces(&self, board: &AnyBoard) -> Option<Pieces> {
        Some(pieces_of(&board.ticdabtoe()?, board))
    }

    fn position(&self) -> Option<&'static PositionText> {
        Some(&position::TEXT)
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let position = board.ticdabtoe()?;
        let block = block_of(point);
        let name = blocks::block_name(block);
        Some(match (position.block(block), position.mark_at(point)) {
            (Block::Won(side), _) => format!("in block {name}, which {} has won", side.name()),
            (Block::Drawn, _) => format!("in block {name}, which is full and nobody's"),
            (Block::InPlay, Some(side)) => format!("{}'s mark, in block {name}", side.name()),
            (Block::InPlay, None) => match position.allows(point) {
                Ok(()) => format!("free, in block {name}, which is open"),
                Err(_) => format!("free, in block {name}, which is not open"),
            },
        })
    }

    fn leads_to(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let position = board.ticdabtoe()?;
        position.allows(point).ok()?;
        Some(blocks::answer_to(&position, point, board.layout()))
    }

    fn explains_refusals(&self) -> bool {
        true
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let position = board.ticdabtoe()?;
        position.allows(point).err()?;
        let name = board.layout().name(point);
        let block = block_of(point);
        Some(match (position.block(block), position.open_block()) {
            (Block::Won(_), _) => format!("block {} is won", blocks::block_name(block)),
            (Block::Drawn, _) => format!("block {} is full", blocks::block_name(block)),
            (Block::InPlay, _) if position.mark_at(point).is_some() => format!("{name} has a mark"),
            (Block::InPlay, open) => {
                format!("play in {}", blocks::with_corners(open?, board.layout()))
            }
        })
    }
}

/// The legend of a diagram of TicDabToe.
const LEGEND: &str = "g r: marks; +: open; .: not open; G R: won blocks; #: drawn block";

/// The character of a cell; [`LEGEND`] explains it.
fn sign(position: &ticdabtoe::Position, is_over: bool, point: Point) -> char {
    let block = block_of(point);
    let letter = |side| match side {
        Side::Green => 'g',
        Side::Red => 'r',
    };
    match (position.block(block), position.mark_at(point)) {
        (Block::Won(side), _) => letter(side).to_ascii_uppercase(),
        (Block::Drawn, _) => '#',
        (Block::InPlay, Some(side)) => letter(side),
        (Block::InPlay, None) if !is_over && position.allows(point).is_ok() => '+',
        (Block::InPlay, None) => '.',
    }
}

/// The borders of the blocks, and signs for the cells unless the game is paused.
fn pieces_of(position: &ticdabtoe::Position, board: &AnyBoard) -> Pieces {
    let is_over = board.outcome().is_some();
    let cells = board.layout().iter().filter(|_| !board.is_paused());
    let far = f32::from(ticdabtoe::position::BOARD_SIDE) - 0.5;
    let blocks = (1..ticdabtoe::squares::SIDE).map(|block| {
        let gap = (block * ticdabtoe::squares::SIDE) as f32 - 0.5;
        let ends = [-0.5, far];
        [
            ends.map(|end| PitchSpot { x: gap, y: end }),
            ends.map(|end| PitchSpot { x: end, y: gap }),
        ]
    });
    let line = |[from, to]: [PitchSpot; 2]| GapLine {
        kind: LineKind::Border,
        from,
        to,
    };
    Pieces {
        lines: blocks.flatten().map(line).collect(),
        signs: cells
            .map(|point| (point, sign(position, is_over, point)))
            .collect(),
        legend: if board.is_paused() { "" } else { LEGEND },
        open: blocks::open_block(board).unwrap_or_default(),
        ..Pieces::default()
    }
}

const HOW_TO: HowTo = HowTo {
    aim: "Win four blocks in a row, a column or a diagonal of the board. A block is won by four marks in a row, a column or a diagonal of it.",
    play: &[
        "The board is 16 blocks of 16 cells, dark and indigo like a chessboard. In turns, green first unless the coin decides, mark a cell that shines white: only there you may play.",
        "The place of your mark in its block is that of the block on the board where the other side has to answer: a mark in a top left cell sends it to the top left block.",
        "A block that was won is all in that colour, and one that is full without a line is amber: nobody plays there. A player sent to such a block may play in any other, and all of them shine white.",
        "The last mark winks.",
        LEGAL_POINTS_FLASH,
    ],
    end: "The side that wins such a line of blocks gets 16 points to none. If no block is left before that, it is a draw, and each side has a point for each of its blocks.",
    level: "Red looks ahead, with fewer mistakes from level to level: one move at level 1, two at 2 and 3, and at 4, without mistakes, as far as it gets in about three seconds.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Whoever takes longer loses.",
    speed: NO_SPEED,
    modes: &[
        mode("Green begins", "Green makes the first move."),
        mode("Coin", "Chance says who makes the first move."),
    ],
};
