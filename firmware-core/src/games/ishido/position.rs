//! A position in the game's own encoding.
//!
//! | bytes | contents |
//! | --- | --- |
//! | 1 | the side to move: 0 green, 1 red |
//! | 96 | the squares along the rows from the bottom left: 0, or the kind plus one |
//! | 1 | the stone in hand: 0 for one drawn at random, or the kind plus one |
//! | 9 | the pouch: for each kind two bits with the number of stones left, lowest bits first |
//! | 8 | the points of green and red, 32 bits each, low byte first |
//! | 2 | the four-ways of green and red |
//!
//! The order of the stones in the pouch is random. Stones may lie in any arrangement, and
//! some may be missing altogether: a few of them make a puzzle.

use protocol::{GridSize, Point, Side};

use super::field::{Field, PLACES, place_of};
use super::pouch::RemainingStones;
use super::stone::{KINDS, Stone};

/// The length of a position in bytes.
pub const POSITION_LENGTH: usize = 1 + PLACES as usize + 1 + POUCH + 8 + 2;

const POUCH: usize = (KINDS as usize).div_ceil(4);

/// The stones on the board, and the state of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The side that places the next stone; green in a game for one player.
    pub turn: Side,
    /// The stones on the board, at least one.
    pub field: Field,
    /// The stone in hand; `None` if it is to be drawn.
    pub hand: Option<Stone>,
    /// The stones in the pouch.
    pub pouch: RemainingStones,
    /// The points, `[green, red]`; red has none in a game for one player.
    pub points: [u32; 2],
    /// The number of four-ways, `[green, red]`; red has none in a game for one player.
    pub four_ways: [u8; 2],
}

impl Default for Laid {
    fn default() -> Self {
        Laid {
            turn: Side::Green,
            field: Field::default(),
            hand: None,
            pouch: RemainingStones::NONE,
            points: [0; 2],
            four_ways: [0; 2],
        }
    }
}

/// The visible part of a game, for code that draws it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleStones {
    /// The stones on the board, and the state of the game.
    pub laid: Laid,
    /// The size of the board.
    pub sides: GridSize,
}

impl VisibleStones {
    /// The stone on this point.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Stone> {
        self.laid.field.at(place_of(point, self.sides)?)
    }

    /// True for a square of the field, where stones may lie.
    #[must_use]
    pub fn is_square(&self, point: Point) -> bool {
        place_of(point, self.sides).is_some()
    }

    /// The stone to be placed next.
    #[must_use]
    pub fn hand(&self) -> Option<Stone> {
        self.laid.hand
    }

    /// The number of stones still to be placed, including the one in hand.
    #[must_use]
    pub fn left(&self) -> u8 {
        self.laid.pouch.len() + u8::from(self.laid.hand.is_some())
    }
}

/// A stone as a byte; 0 for none.
fn byte_of(stone: Option<Stone>) -> u8 {
    stone.map_or(0, |stone| stone.kind() + 1)
}

/// The stone of such a byte; `None` if the byte is invalid.
fn of_byte(byte: u8) -> Option<Option<Stone>> {
    match byte.checked_sub(1) {
        None => Some(None),
        Some(kind) => Stone::of_kind(kind).map(Some),
    }
}

impl Laid {
    /// The position as bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; POSITION_LENGTH] {
        let mut bytes = [0; POSITION_LENGTH];
        bytes[0] = self.turn.index() as u8;
        for (place, stone) in self.field.stones() {
            bytes[1 + usize::from(place)] = byte_of(Some(stone));
        }
        let rest = &mut bytes[1 + usize::from(PLACES)..];
        rest[0] = byte_of(self.hand);
        for stone in Stone::all() {
            let kind = usize::from(stone.kind());
            rest[1 + kind / 4] |= self.pouch.of(stone) << (kind % 4 * 2);
        }
        let [green, red] = self.points.map(u32::to_le_bytes);
        rest[1 + POUCH..][..4].copy_from_slice(&green);
        rest[5 + POUCH..][..4].copy_from_slice(&red);
        rest[9 + POUCH..].copy_from_slice(&self.four_ways);
        bytes
    }

    /// The position encoded in these bytes; `None` if they do not encode one. The
    /// position may still be impossible.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Laid> {
        let bytes: &[u8; POSITION_LENGTH] = bytes.try_into().ok()?;
        let mut laid = Laid {
            turn: *Side::BOTH.get(usize::from(bytes[0]))?,
            ..Laid::default()
        };
        let (squares, rest) = bytes[1..].split_at(usize::from(PLACES));
        for (place, byte) in (0..).zip(squares) {
            laid.field.put(place, of_byte(*byte)?);
        }
        laid.hand = of_byte(rest[0])?;
        for stone in Stone::all() {
            let kind = usize::from(stone.kind());
            for _ in 0..rest[1 + kind / 4] >> (kind % 4 * 2) & 3 {
                laid.pouch.add(stone)?;
            }
        }
        let number = |at: usize| {
            let bytes = rest.get(at..at + 4)?.try_into().ok()?;
            Some(u32::from_le_bytes(bytes))
        };
        laid.points = [number(1 + POUCH)?, number(5 + POUCH)?];
        laid.four_ways = [rest[9 + POUCH], rest[10 + POUCH]];
        Some(laid)
    }

    /// False if there are more than two stones of a kind, no stone is on the board, or a
    /// number is out of range.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut all = self.pouch;
        let mut on_board = self.field.stones().map(|(_, stone)| stone).chain(self.hand);
        self.field.is_sound()
            && all.is_sound()
            && self.field.stones().next().is_some()
            && on_board.all(|stone| all.add(stone).is_some())
    }
}
