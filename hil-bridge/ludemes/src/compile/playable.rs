//! Converts a compiled game to a layout that contains it, which a board can adopt.

use firmware_core::cartridge::layout_game::{HOST_STACK_BYTES, Room, stack_bytes};
use protocol::{DrawingError, GAME_BYTES, KnownLayout, MAX_POINTS, Place, Point, Sketch, Way};

use super::Compiled;
use crate::layout::{RasterBoard, TooManySites};

/// The maximum number of players on a board of lights, which has two sides.
const MOST_PLAYERS: u8 = 2;

/// Why a game that compiles cannot be played on a board of lights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The board has too many sites.
    #[error(transparent)]
    Sites(#[from] TooManySites),
    /// Board and hands together have this many sites, which is too many.
    #[error(
        "the board and the hands have {0} sites: a board of lights has room for {MAX_POINTS} of both"
    )]
    Hands(usize),
    /// The game has this many players, which is too many.
    #[error("this game is for {0} players: a board of lights has two sides")]
    Players(u8),
    /// The cartridge has this many bytes, which is too many.
    #[error("the game takes {0} bytes: a board of lights keeps {GAME_BYTES} of one")]
    Bytes(usize),
    /// Its rules are nested too deeply, even for a host.
    #[error(
        "its rules try too many moves within each other: they may need {0} bytes of a stack, and {HOST_STACK_BYTES} is the maximum"
    )]
    Stack(usize),
    /// The board cannot be drawn.
    #[error("the board cannot be drawn: {0}")]
    Drawing(DrawingError),
}

/// The eight ways of a board that is seen from its side, as columns and levels.
const WAYS: [[i16; 2]; 8] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
];

/// True if a raster has room for this many columns and levels.
fn is_room(columns: usize, levels: u8, pitch: u8) -> bool {
    let high = usize::from(levels - 1) * usize::from(pitch);
    columns * usize::from(levels) <= MAX_POINTS && high < usize::from(u8::MAX)
}

impl Compiled {
    /// If the rules may need more stack than a microcontroller's board has: the sentence
    /// that the game can only be played on hosts, with figures.
    #[must_use]
    pub fn only_on_hosts(&self) -> Option<String> {
        let there = stack_bytes(self.sites);
        (self.room == Some(Room::Host)).then(|| {
            format!(
                "it is played on hosts, and not on a board with a microcontroller: its rules try moves within each other, for which they may need {} bytes of the stack, and such a board has {there}",
                self.stack_bytes
            )
        })
    }

    /// The drawing of the board, with the game.
    ///
    /// # Errors
    /// Why the game cannot be played on a board of lights.
    pub fn sketch(&self) -> Result<Sketch, Unplayable> {
        if self.players > MOST_PLAYERS {
            return Err(Unplayable::Players(self.players));
        }
        if self.room.is_none() {
            return Err(Unplayable::Stack(self.stack_bytes));
        }
        let raster = self.upright(self.board.raster()?);
        if self.sites > MAX_POINTS {
            return Err(Unplayable::Hands(self.sites));
        }
        let mut sketch = raster.sketch;
        sketch.game = raster.sites.iter().map(|site| *site as u8).collect();
        sketch
            .game
            .extend(raster.points.iter().map(|point| point.0));
        sketch.game.extend(&self.bytes);
        if sketch.game.len() > GAME_BYTES {
            return Err(Unplayable::Bytes(sketch.game.len()));
        }
        Ok(sketch)
    }

    /// If pieces are stacked on a single row of sites, the board seen from the side, as
    /// in Connect Four: each level becomes a point. Other boards are not changed.
    fn upright(&self, raster: RasterBoard) -> RasterBoard {
        let places = &raster.sketch.places;
        let gaps = places.windows(2).map(|pair| pair[1].x.abs_diff(pair[0].x));
        let pitch = gaps.min().unwrap_or(1);
        let is_row = places.iter().all(|place| place.y == 0);
        let levels = self.levels.filter(|levels| *levels > 1 && is_row);
        let Some(levels) = levels.filter(|levels| is_room(places.len(), *levels, pitch)) else {
            return raster;
        };
        let rows = 0..levels;
        let row = |row: u8| {
            let along = places.iter();
            along.map(move |place| Place {
                x: place.x,
                y: row * pitch,
            })
        };
        let columns = places.len();
        let point = |level: usize, place: usize| {
            Point(((usize::from(levels) - 1 - level) * columns + place) as u8)
        };
        let across = i16::from(pitch);
        let ways = WAYS.map(|[dx, dy]| Way {
            dx: dx * across,
            dy: dy * across,
            straight: dx == 0 || dy == 0,
        });
        RasterBoard {
            sketch: Sketch {
                places: rows.clone().flat_map(row).collect(),
                ways: ways.to_vec(),
                ..Sketch::default()
            },
            sites: rows.flat_map(|_| raster.sites.iter().copied()).collect(),
            points: raster
                .points
                .iter()
                .flat_map(|place| {
                    (0..usize::from(levels)).map(move |level| point(level, place.index()))
                })
                .collect(),
        }
    }

    /// The layout with the game. Its drawing is known as long as the result exists.
    ///
    /// # Errors
    /// Those of [`Compiled::sketch`].
    pub fn layout(&self) -> Result<KnownLayout, Unplayable> {
        self.sketch()?.keep().map_err(Unplayable::Drawing)
    }
}
