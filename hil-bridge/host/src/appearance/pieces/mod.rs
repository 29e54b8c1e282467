//! What lies on a board besides its lights: stones with symbols, piles, walls, dice.
//!
//! A board of lamps shows all of this by colours, rhythms and its display. A window and a
//! terminal have room for the pieces themselves, which are read from the game's state. A
//! board at the end of a line is asked for its state only if its game has pieces, and
//! only when its lights have changed.
//!
//! Invariants: a point has at most one piece and at most one figure; nothing here is
//! hidden from the side to move.

use firmware_core::AnyBoard;
use firmware_core::board::origin_of_snapshot;
use firmware_core::games::written::WrittenEnd;
use protocol::{Colour, GridSize, Point, Side};

use crate::palette::Palette;
use crate::places::PitchSpot;

pub mod captured;
pub mod figures;

use figures::Figure;

/// A piece or pile on one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A stone with a symbol.
    Stone(StoneView),
    /// Stacked pieces of one side.
    Pile {
        /// The side that owns the pile.
        side: Side,
        /// The number of pieces, at least 1.
        count: u8,
        /// True if a piece of the other side is beneath them.
        pins: bool,
    },
}

impl Piece {
    /// One or two characters that describe the piece without colours: the letters of a
    /// stone's colour and symbol; for a pile `O` (green) or `X` (red), and then the
    /// number of pieces, or the small letter of a pinned piece.
    #[must_use]
    pub fn letters(self) -> String {
        // As in printed diagrams.
        let letter = |side| match side {
            Side::Green => 'O',
            Side::Red => 'X',
        };
        match self {
            Piece::Stone(stone) => [stone.letter, stone.symbol].iter().collect(),
            Piece::Pile { side, count, pins } => {
                let pinned = letter(side.other()).to_ascii_lowercase();
                match (count, pins) {
                    (1, false) => letter(side).to_string(),
                    (1, true) => format!("{}{pinned}", letter(side)),
                    (count, true) => format!("{count}{pinned}"),
                    (count, false) => format!("{}{count}", letter(side)),
                }
            }
        }
    }

    /// [`Piece::letters`] with the letters that this palette uses for the sides.
    #[must_use]
    pub fn letters_in(self, palette: Palette) -> String {
        match self {
            Piece::Stone(stone) => [palette.sign(stone.letter), stone.symbol].iter().collect(),
            Piece::Pile { .. } => self.letters(),
        }
    }

    /// The colour of its light.
    #[must_use]
    pub fn colour(self) -> Colour {
        match self {
            Piece::Stone(stone) => stone.colour,
            Piece::Pile { side, .. } => side.into(),
        }
    }
}

/// A stone: a colour of the palette, and a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoneView {
    /// The colour of its light.
    pub colour: Colour,
    /// The letter of the colour.
    pub letter: char,
    /// The symbol, an ASCII character.
    pub symbol: char,
}

/// A piece in a player's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeldPiece {
    /// A stone to be placed.
    Stone(StoneView),
    /// A die to be played, with this number of pips.
    Die(u8),
}

/// The kind of a line between points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// A wall, which cannot be crossed.
    Wall,
    /// The border between parts of the board.
    Border,
}

/// A straight line between points, along a row or a column of gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapLine {
    /// The kind of the line.
    pub kind: LineKind,
    /// One end of the line.
    pub from: PitchSpot,
    /// The other end of the line.
    pub to: PitchSpot,
}

/// Everything on a board besides its lights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pieces {
    /// The pieces on points.
    pub on: Vec<(Point, Piece)>,
    /// The same pieces as figures, for programs that draw shapes. Includes pieces that
    /// the light alone already identifies.
    pub figures: Vec<(Point, Figure)>,
    /// The pieces in the hand of the side to move.
    pub held: Vec<HeldPiece>,
    /// A note about the pieces, in a few words.
    pub note: String,
    /// The lines between points.
    pub lines: Vec<GapLine>,
    /// Characters for points whose lights differ only in colour, for programs that write
    /// text; a window shows the lights.
    pub signs: Vec<(Point, char)>,
    /// The meanings of the signs, for a legend.
    pub legend: &'static str,
    /// Where the next move has to be made, in a few words; empty if anywhere.
    pub open: String,
    /// What ended a layout's own game.
    pub end: Option<WrittenEnd>,
}

impl Pieces {
    /// The sign of this point.
    #[must_use]
    pub fn sign(&self, point: Point) -> Option<char> {
        let found = self.signs.iter().find(|(at, _)| *at == point);
        found.map(|(_, sign)| *sign)
    }

    /// The legend of the signs, with the side names of this palette.
    #[must_use]
    pub fn legend_in(&self, palette: Palette) -> String {
        let word = |word: &str| {
            let end = word.trim_end_matches(':');
            match end.len() {
                1 => word.chars().map(|sign| palette.sign(sign)).collect(),
                _ => word.to_owned(),
            }
        };
        let words: Vec<String> = self.legend.split(' ').map(word).collect();
        words.join(" ")
    }

    /// The piece on this point.
    #[must_use]
    pub fn at(&self, point: Point) -> Option<Piece> {
        let found = self.on.iter().find(|(at, _)| *at == point);
        found.map(|(_, piece)| *piece)
    }
}

/// The board with this state; `None` if the bytes are not a state, or contain games that
/// this build lacks.
#[must_use]
pub fn board_of_state(state: &[u8]) -> Option<AnyBoard> {
    let (layout, roster) = origin_of_snapshot(state)?;
    let mut board = AnyBoard::with_games(layout, roster, 0).ok()?;
    board.load(state).ok()?;
    Some(board)
}

/// The borders of a field of this many columns and rows at the bottom left of the board.
pub(crate) fn around([columns, rows]: [u8; 2], sides: GridSize) -> Vec<GapLine> {
    let gap = |places: u8| f32::from(places) - 0.5;
    let top = gap(sides.rows().saturating_sub(rows));
    let (right, bottom) = (gap(columns), gap(sides.rows()));
    let border = |from: (f32, f32), to: (f32, f32)| GapLine {
        kind: LineKind::Border,
        from: PitchSpot {
            x: from.0,
            y: from.1,
        },
        to: PitchSpot { x: to.0, y: to.1 },
    };
    let above = (rows < sides.rows()).then(|| border((-0.5, top), (right, top)));
    let beside = (columns < sides.columns()).then(|| border((right, top), (right, bottom)));
    above.into_iter().chain(beside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pile_has_distinct_letters() {
        let mut all = Vec::new();
        for side in Side::BOTH {
            for count in 1..=9 {
                for pins in [false, true] {
                    all.push(Piece::Pile { side, count, pins }.letters());
                }
            }
        }
        assert!(all.iter().all(|text| text.len() <= 2));
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
