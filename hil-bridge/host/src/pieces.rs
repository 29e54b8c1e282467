//! What lies on a board besides its lights: stones with their symbols, piles, walls, dice.
//!
//! A board of lamps shows all of it by colours, rhythms and its display, and needs none of
//! this; a window and a terminal have room for the things themselves. They are read from
//! the game's state. A board at the end of a line is asked for its state only if its game
//! has such things, and only when its lights changed.
//!
//! Invariants: a point has at most one piece and at most one figure; everything here may
//! be seen by the player whose turn it is.

use firmware_core::AnyBoard;
use firmware_core::board::origin_of_snapshot;
use firmware_core::games::{LAYOUTS_OWN, ishido, malaka, ticdabtoe, written};
use ludemes::shown;
use protocol::{Colour, Frame, Layout, Point, Roster, Settings, Side, Sides, Status};

use crate::palette::Palette;
use crate::places::Spot;
use crate::{Driver, DriverError, blocks};

pub mod figures;

use figures::{Figure, Form, Look as FigureLook, Tint};

/// What lies on one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A stone with a symbol.
    Stone(Stone),
    /// Pieces of one side on each other.
    Pile {
        /// Whose.
        side: Side,
        /// How many, at least 1.
        count: u8,
        /// True if a piece of the other side lies beneath them.
        pins: bool,
    },
}

impl Piece {
    /// One or two characters for it, which tell all of it without colours: the letter
    /// of a stone's colour and its symbol; `O` for green, `X` for red and how many
    /// there are, or the small letter of the piece that is pinned beneath.
    #[must_use]
    pub fn letters(self) -> String {
        // As boards on paper have them.
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

    /// [`Piece::letters`] with a side called as in this palette.
    #[must_use]
    pub fn letters_in(self, palette: Palette) -> String {
        match self {
            Piece::Stone(stone) => [palette.sign(stone.letter), stone.symbol].iter().collect(),
            Piece::Pile { .. } => self.letters(),
        }
    }

    /// What a light shows of it.
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
pub struct Stone {
    /// What a light shows of it.
    pub colour: Colour,
    /// The letter of the colour.
    pub letter: char,
    /// The character of the symbol, of ASCII.
    pub symbol: char,
}

/// What a player holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// A stone that is to be put down.
    Stone(Stone),
    /// A die that is to be played, with so many pips up.
    Die(u8),
}

/// What stands or is drawn between points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// It cannot be crossed.
    Wall,
    /// It is where parts of the board meet.
    Border,
}

/// A straight line between points, along a row or a column of gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// What it is.
    pub kind: LineKind,
    /// One end.
    pub from: Spot,
    /// The other.
    pub to: Spot,
}

/// All that lies on a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pieces {
    /// What lies on points.
    pub on: Vec<(Point, Piece)>,
    /// The same as figures, for whoever has room for shapes: also where a light tells
    /// all that there is to know of its piece.
    pub figures: Vec<(Point, Figure)>,
    /// What the player whose turn it is holds.
    pub held: Vec<Held>,
    /// What is to be said of that, in a few words.
    pub note: String,
    /// What is between points.
    pub lines: Vec<Line>,
    /// Characters for points whose lights are told apart by colour alone, for whoever
    /// writes letters: a window shows the lights.
    pub signs: Vec<(Point, char)>,
    /// What the signs mean.
    pub legend: &'static str,
    /// Where the next move has to be made, in a few words.
    pub open: String,
}

impl Pieces {
    /// The sign of this point.
    #[must_use]
    pub fn sign(&self, point: Point) -> Option<char> {
        let found = self.signs.iter().find(|(at, _)| *at == point);
        found.map(|(_, sign)| *sign)
    }

    /// What the signs mean, with the sides called as in this palette.
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

    /// What lies on this point.
    #[must_use]
    pub fn at(&self, point: Point) -> Option<Piece> {
        let found = self.on.iter().find(|(at, _)| *at == point);
        found.map(|(_, piece)| *piece)
    }
}

/// What lies on this board; `None` if its game has nothing but lights.
#[must_use]
pub fn of(board: &AnyBoard) -> Option<Pieces> {
    if let Some(position) = board.malaka() {
        return Some(of_malaka(position, board.layout().sides()?));
    }
    let ishido = board.ishido().map(|seen| of_ishido(&seen));
    let ticdabtoe = || Some(of_ticdabtoe(&board.ticdabtoe()?, board));
    let written = || of_written(&board.written()?, board.layout());
    ishido.or_else(ticdabtoe).or_else(written)
}

/// The pieces of a game that a layout brings with it, where lights alone do not
/// tell which is which; hands in words.
fn of_written(seen: &written::Seen, layout: Layout) -> Option<Pieces> {
    let cartridge = crate::written::game_of(layout)?.cartridge;
    let kinds = |side: Option<Side>| {
        let owner = match side {
            None => 0,
            Some(Side::Green) => 1,
            Some(Side::Red) => 2,
        };
        (1..cartridge.pieces()).filter(move |what| cartridge.owner(*what as u8) == owner)
    };
    let sides = [None, Some(Side::Green), Some(Side::Red)];
    let are_alike = sides.into_iter().all(|side| kinds(side).count() < 2);
    let letters = shown::letters(&cartridge);
    let stone = |piece: written::Piece| {
        let letter = match piece.side {
            None => 'n',
            Some(side) => side.name().chars().next().unwrap_or('n'),
        };
        Piece::Stone(Stone {
            colour: piece.side.map_or(Colour::WHITE, Colour::from),
            letter,
            symbol: letters.get(usize::from(piece.what)).copied().unwrap_or('?'),
        })
    };
    let standing = layout
        .iter()
        .map(|point| (point, seen.at(point)))
        .filter(|(_, piece)| piece.what != 0 && !are_alike);
    let looks = figures::looks(&cartridge);
    let figure = |(point, piece): (Point, written::Piece)| {
        let look = looks.get(usize::from(piece.what)).copied().flatten()?;
        let count = piece.count.max(1);
        let one = Figure::one(look, Tint::of(piece.side));
        Some((point, Figure { count, ..one }))
    };
    let all = layout.iter().map(|point| (point, seen.at(point)));
    let figures = all.filter(|(_, piece)| piece.what != 0).filter_map(figure);
    let hands = Side::BOTH.map(|side| seen.hands()[side.index()].count);
    Some(Pieces {
        figures: figures.collect(),
        on: standing
            .map(|(point, piece)| (point, stone(piece)))
            .collect(),
        note: match hands {
            [0, 0] => String::new(),
            [green, red] => format!("green holds {green}, red {red}"),
        },
        ..Pieces::default()
    })
}

fn of_malaka(position: &malaka::Position, sides: Sides) -> Pieces {
    let row = |place: malaka::Place| sides.rows().checked_sub(place.row() + 1);
    let on = position.piles().filter_map(|(place, pile)| {
        let point = sides.at(place.column(), row(place)?)?;
        let piece = Piece::Pile {
            side: pile.side,
            count: pile.count,
            pins: pile.pins,
        };
        Some((point, piece))
    });
    let on: Vec<(Point, Piece)> = on.collect();
    let ring = |(point, piece): &(Point, Piece)| match *piece {
        Piece::Pile { side, count, pins } => {
            let one = Figure::one(FigureLook::of(Form::Ring), Tint::Side(side));
            let beneath = pins.then_some(Tint::Side(side.other()));
            Some((
                *point,
                Figure {
                    count,
                    beneath,
                    ..one
                },
            ))
        }
        Piece::Stone(_) => None,
    };
    let pips: Vec<u8> = position.dice().iter().collect();
    let variant = position.variant();
    let walls = variant.walls().filter_map(|(one, other)| {
        let x = (f32::from(one.column()) + f32::from(other.column())) / 2.0;
        let y = f32::from(row(one)?);
        Some((x, y))
    });
    let mut lines = standing(walls.collect());
    lines.extend(around([variant.side(); 2], sides));
    Pieces {
        figures: on.iter().filter_map(ring).collect(),
        on,
        note: match &pips[..] {
            [] => String::new(),
            [one] => format!("{one} to play"),
            [one, other] => format!("{one} and {other} to play"),
            [one, ..] => format!("{one}, {} times", pips.len()),
        },
        held: pips.into_iter().map(Held::Die).collect(),
        lines,
        ..Pieces::default()
    }
}

/// Walls, a row high each, as few as they are where one stands on another.
fn standing(mut walls: Vec<(f32, f32)>) -> Vec<Line> {
    walls.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    let mut lines: Vec<Line> = Vec::new();
    for (x, y) in walls {
        match lines.last_mut() {
            Some(last) if last.to.x == x && last.to.y == y - 0.5 => last.to.y = y + 0.5,
            _ => lines.push(Line {
                kind: LineKind::Wall,
                from: Spot { x, y: y - 0.5 },
                to: Spot { x, y: y + 0.5 },
            }),
        }
    }
    lines
}

fn stone(stone: ishido::stone::Stone) -> Stone {
    let [letter, symbol] = stone.letters();
    Stone {
        colour: stone.shown(),
        letter,
        symbol,
    }
}

fn of_ishido(seen: &ishido::Seen) -> Pieces {
    let sides = seen.sides;
    let stones = sides
        .iter()
        .filter_map(|point| Some((point, stone(seen.stone(point)?))));
    let stones: Vec<(Point, Stone)> = stones.collect();
    let tile = |(point, stone): &(Point, Stone)| {
        let look = FigureLook::of(Form::Tile(stone.symbol));
        (*point, Figure::one(look, Tint::light(stone.colour)))
    };
    let hand = seen.hand().map(stone);
    let note = match (hand, seen.left()) {
        (None, _) => String::new(),
        (Some(_), 1) => "the last stone".to_owned(),
        (Some(Stone { letter, symbol, .. }), left) => {
            format!("{letter}{symbol}, {left} left")
        }
    };
    let field = [ishido::field::COLUMNS, ishido::field::ROWS];
    Pieces {
        figures: stones.iter().map(tile).collect(),
        on: stones
            .into_iter()
            .map(|(point, stone)| (point, Piece::Stone(stone)))
            .collect(),
        held: hand.map(Held::Stone).into_iter().collect(),
        note,
        lines: around(field, sides),
        ..Pieces::default()
    }
}

/// The borders of a field of so many columns and rows that is a part of the
/// board, at the bottom left.
fn around([columns, rows]: [u8; 2], sides: Sides) -> Vec<Line> {
    let gap = |places: u8| f32::from(places) - 0.5;
    let top = gap(sides.rows().saturating_sub(rows));
    let (right, bottom) = (gap(columns), gap(sides.rows()));
    let border = |from: (f32, f32), to: (f32, f32)| Line {
        kind: LineKind::Border,
        from: Spot {
            x: from.0,
            y: from.1,
        },
        to: Spot { x: to.0, y: to.1 },
    };
    let above = (rows < sides.rows()).then(|| border((-0.5, top), (right, top)));
    let beside = (columns < sides.columns()).then(|| border((right, top), (right, bottom)));
    above.into_iter().chain(beside).collect()
}

/// The signs of TicDabToe.
const LEGEND: &str = "g r: marks; +: open; .: not open; G R: won blocks; #: drawn block";

/// The character of a cell; [`LEGEND`] tells what it means.
fn sign(position: &ticdabtoe::Position, is_over: bool, point: Point) -> char {
    let block = ticdabtoe::block_of(point);
    let letter = |side| match side {
        Side::Green => 'g',
        Side::Red => 'r',
    };
    match (position.block(block), position.mark_at(point)) {
        (ticdabtoe::Block::Won(side), _) => letter(side).to_ascii_uppercase(),
        (ticdabtoe::Block::Drawn, _) => '#',
        (ticdabtoe::Block::InPlay, Some(side)) => letter(side),
        (ticdabtoe::Block::InPlay, None) if !is_over && position.allows(point).is_ok() => '+',
        (ticdabtoe::Block::InPlay, None) => '.',
    }
}

/// The borders of the blocks, and signs for the cells unless the game is held.
fn of_ticdabtoe(position: &ticdabtoe::Position, board: &AnyBoard) -> Pieces {
    let is_over = board.outcome().is_some();
    let cells = board.layout().iter().filter(|_| !board.is_held());
    let far = f32::from(ticdabtoe::position::BOARD_SIDE) - 0.5;
    let blocks = (1..ticdabtoe::squares::SIDE).map(|block| {
        let gap = (block * ticdabtoe::squares::SIDE) as f32 - 0.5;
        let ends = [-0.5, far];
        [
            ends.map(|end| Spot { x: gap, y: end }),
            ends.map(|end| Spot { x: end, y: gap }),
        ]
    });
    let line = |[from, to]: [Spot; 2]| Line {
        kind: LineKind::Border,
        from,
        to,
    };
    Pieces {
        lines: blocks.flatten().map(line).collect(),
        signs: cells
            .map(|point| (point, sign(position, is_over, point)))
            .collect(),
        legend: if board.is_held() { "" } else { LEGEND },
        open: blocks::open(board).unwrap_or_default(),
        ..Pieces::default()
    }
}

/// What lies on the board of this state; `None` if nothing does, or it is none.
#[must_use]
pub fn of_state(state: &[u8]) -> Option<Pieces> {
    of(&board_of_state(state)?)
}

/// The board of this state; `None` if it is none, or of games that this build has
/// not.
#[must_use]
pub fn board_of_state(state: &[u8]) -> Option<AnyBoard> {
    let (layout, roster) = origin_of_snapshot(state)?;
    let mut board = AnyBoard::with_games(layout, roster, 0).ok()?;
    board.load(state).ok()?;
    Some(board)
}

/// True for a game that has more than lights.
#[must_use]
pub fn has_pieces(game: u8) -> bool {
    Roster::of(&[10, 11, 12, LAYOUTS_OWN]).has(game)
}

/// The pieces of a board that is looked at again and again.
#[derive(Clone, Debug, Default)]
pub struct Look {
    seen: Option<(Settings, Frame)>,
    pieces: Option<Pieces>,
}

impl Look {
    /// What lay on the board when it was last looked at.
    #[must_use]
    pub fn pieces(&self) -> Option<&Pieces> {
        self.pieces.as_ref()
    }

    /// What is to be said of what the player holds, or of where to move.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        let Pieces { note, open, .. } = self.pieces.as_ref()?;
        [note, open]
            .into_iter()
            .map(String::as_str)
            .find(|words| !words.is_empty())
    }

    /// What lies on this board now.
    ///
    /// # Errors
    /// When the board cannot be reached; what was seen last is forgotten then.
    pub fn at(
        &mut self,
        driver: &mut (impl Driver + ?Sized),
        status: &Status,
    ) -> Result<Option<&Pieces>, DriverError> {
        if status.score.is_none() || !has_pieces(status.settings.game) {
            *self = Look::default();
            return Ok(None);
        }
        let seen = (status.settings, driver.frame().clone());
        if self.seen.as_ref() != Some(&seen) {
            *self = Look::default();
            self.pieces = of_state(&driver.save()?);
            self.seen = Some(seen);
        }
        Ok(self.pieces.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pile_is_told_from_any_other_without_its_colour() {
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
