//! A field of NeoTrellis tiles on an I2C bus, as the contacts and lights of a board
//! without a wired matrix. Each tile has four rows of four keys, with a light in each
//! (Adafruit, product 3954).
//!
//! The address of a tile gives its place: the bridges A0 and A1 are its column from the
//! left, A2 and A3 its row from the top. A board is in the top left corner of the field,
//! as in a [matrix](firmware_core::scan). One more tile, with A4 bridged, has the buttons
//! and the turn lights:
//!
//! ```text
//!   Game   Time   Speed  Level
//!   Mode     .    Start  Stop
//!     .      .      .      .
//!   green    .      .     red
//! ```
//!
//! [`Trellis`] does not own the bus: it returns the next transfer ([`Trellis::next`]) and
//! receives its result ([`Trellis::done`]). The keys of the tiles are polled in turn, and
//! between two polls one message is sent to lights that have changed.
//!
//! Invariants: keys are polled however often the lights change; the lights eventually
//! show the newest frame, and are [dimmed](crate::light) to the limit of the board; a
//! tile that does not answer does not delay others.

use firmware_core::Seen;
use firmware_core::scan::{ScanLine, contact};
use heapless::Vec;
use protocol::{Button, Colour, Layout, Point};

use crate::light::Dimmed;
use tile::{A_TILE, Asked, KEYS, Tile, WHO_IS_THERE};

mod tile;

/// The number of keys and lights on each side of a tile.
pub const SIDE: u8 = 4;
/// The number of tiles on each side of the largest field.
const FIELD_SIDE: u8 = 4;
/// The address of the tile in the top left corner.
pub const FIRST_ADDRESS: u8 = 0x2E;
/// The index of the tile with the buttons.
const BUTTONS: usize = FIELD_SIDE as usize * FIELD_SIDE as usize;
/// The maximum number of tiles.
const TILES: usize = BUTTONS + 1;

/// The keys of the button tile, in the order of [`Button::ALL`].
const BUTTON_KEYS: [u8; Button::ALL.len()] = [0, 1, 2, 3, 4, 6, 7];
/// The turn lights of that tile: green's and red's.
const TURN_LIGHTS: [(u8, Colour); 2] = [(12, Colour::GREEN), (15, Colour::RED)];

/// The maximum number of bytes in a message. They fit the buffer of a controller, so that
/// no transfer has to be waited for.
pub const MOST_BYTES: usize = 16;

/// The bytes of a message.
pub type Bytes = Vec<u8, MOST_BYTES>;

/// A transfer on the bus, from a start to a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Writes bytes to a device.
    Write {
        /// The address of the device, 7 bits.
        address: u8,
        /// The bytes to write, at least one.
        bytes: Bytes,
    },
    /// Reads bytes from a device.
    Read {
        /// The address of the device, 7 bits.
        address: u8,
        /// The number of bytes to read, from 1 to [`MOST_BYTES`].
        count: u8,
    },
}

/// The result of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusOutcome {
    /// No device answered, or the device accepts nothing now.
    Refused,
    /// The bytes that were read.
    Done(Bytes),
}

/// The duration of a request of two bytes on a bus of 100 kHz, including the address.
const QUESTION_US: u32 = 300;
/// The delay until the answer to a request can be read, as in the manufacturer's library:
/// for the number of events, and for the events.
const COUNT_US: u32 = 500;
const EVENTS_US: u32 = 1_000;

/// The delay from the start of a request to its answer, in microseconds.
const fn answers_after_us(asked: Asked) -> u32 {
    QUESTION_US
        + match asked {
            Asked::Events(_) => EVENTS_US,
            _ => COUNT_US,
        }
}

/// The index of a tile, and the message for it.
type BusTask = (usize, Asked);

/// The field of tiles: which of them are present, their keys and their lights.
#[derive(Debug)]
pub struct Trellis {
    /// The tiles that were present at power-on.
    tiles: [Option<Tile>; TILES],
    /// The transfer on the bus, and the time at which it started.
    on_bus: Option<(BusTask, u32)>,
    /// The answer that has to be read before anything else, and the time at which it is
    /// ready.
    answer: Option<(BusTask, u32)>,
    /// The index of the tile whose keys were polled last. `told` is that of the tile
    /// whose lights are updated next.
    asked: usize,
    told: usize,
    /// True if the next message is for lights.
    is_for_lights: bool,
}

impl Trellis {
    /// Finds the tiles that are present by asking each address and waiting for its
    /// answer.
    pub fn find(mut ask: impl FnMut(&Transfer) -> BusOutcome) -> Trellis {
        let tiles = core::array::from_fn(|tile| {
            let address = address(tile);
            let bytes = Bytes::from_slice(&WHO_IS_THERE).unwrap_or_default();
            if ask(&Transfer::Write { address, bytes }) == BusOutcome::Refused {
                return None;
            }
            let answer = ask(&Transfer::Read { address, count: 1 });
            let is_one = matches!(answer, BusOutcome::Done(bytes) if *bytes == [A_TILE]);
            is_one.then(Tile::new)
        });
        Trellis {
            tiles,
            on_bus: None,
            answer: None,
            asked: 0,
            told: 0,
            is_for_lights: false,
        }
    }

    /// True if any tile is present.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.tiles.iter().any(Option::is_some)
    }

    /// The largest rectangle of points that the tiles cover from the top left corner on.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        let is_there =
            |column: u8, row: u8| self.tiles[usize::from(row * FIELD_SIDE + column)].is_some();
        let columns = (0..FIELD_SIDE).take_while(|column| is_there(*column, 0));
        let columns = columns.count() as u8;
        let is_row = |row: &u8| (0..columns).all(|column| is_there(column, *row));
        let rows = (0..FIELD_SIDE).take_while(is_row).count() as u8;
        Layout::grid(SIDE * columns, SIDE * rows).ok()
    }

    /// The closed contacts of a line.
    #[must_use]
    pub fn sample(&self, line: ScanLine) -> u16 {
        let down = |tile: usize| self.tiles[tile].as_ref().map_or(0, Tile::down);
        match line {
            ScanLine::Buttons => {
                let keys = down(BUTTONS);
                let bits = BUTTON_KEYS.into_iter().zip(0..);
                bits.fold(0, |all, (key, bit)| all | (keys >> key & 1) << bit)
            }
            ScanLine::Column(column) => {
                let (tile, column) = (column / SIDE, column % SIDE);
                let mut rows = 0;
                for row in 0..FIELD_SIDE * SIDE {
                    let keys = down(usize::from(row / SIDE * FIELD_SIDE + tile));
                    let key = row % SIDE * SIDE + column;
                    rows |= (keys >> key & 1) << row;
                }
                rows
            }
        }
    }

    /// Shows `seen`, the visible state of a board with this layout. The board and the
    /// tiles together stay within the limit in milliamperes.
    pub fn show(&mut self, layout: Layout, seen: &Seen, limit_ma: u32) {
        let tiles = self.tiles.iter().flatten().count();
        let is_there = |place: &Place| self.tiles[place.tile].is_some();
        let shining = colours(layout, seen).filter(|(place, _)| is_there(place));
        let lights = tiles * usize::from(KEYS);
        let dimmed = Dimmed::of(lights, shining.map(|(_, colour)| colour), limit_ma);
        // Lights outside of the board stay dark.
        let mut all = [[[0; 3]; KEYS as usize]; TILES];
        for (place, colour) in colours(layout, seen) {
            all[place.tile][usize::from(place.key)] = dimmed.light(colour);
        }
        for (tile, lights) in self.tiles.iter_mut().zip(all) {
            let Some(tile) = tile else { continue };
            for (key, light) in (0..).zip(lights) {
                tile.light(key, light);
            }
        }
    }

    /// The next transfer for the bus, which must be free, if there is one at this time.
    /// [`Trellis::done`] must be called when the transfer has ended.
    pub fn next(&mut self, now_us: u32) -> Option<Transfer> {
        if let Some((_, due_us)) = self.answer
            && now_us.wrapping_sub(due_us).cast_signed() < 0
        {
            return None;
        }
        let answer = self.answer.take().map(|(job, _)| job);
        let job = answer.or_else(|| self.next_light());
        let (number, asked) = job.or_else(|| self.next_keys())?;
        self.on_bus = Some(((number, asked), now_us));
        let tile = self.tiles[number].as_mut()?;
        Some(tile.transfer(address(number), asked))
    }

    /// The request for the keys of the next tile.
    fn next_keys(&mut self) -> Option<BusTask> {
        let mut numbers = (self.asked + 1..TILES).chain(0..=self.asked);
        let job = numbers.find_map(|number| Some((number, self.tiles[number].as_ref()?.asks())))?;
        self.asked = job.0;
        Some(job)
    }

    /// The next message to lights, if it is their turn and some have changed. Messages to
    /// the same tile follow each other.
    fn next_light(&mut self) -> Option<BusTask> {
        if !core::mem::take(&mut self.is_for_lights) {
            return None;
        }
        let numbers = (self.told..TILES).chain(0..self.told);
        let mut jobs =
            numbers.filter_map(|number| Some((number, self.tiles[number].as_ref()?.tells()?)));
        let job = jobs.next()?;
        self.told = job.0;
        Some(job)
    }

    /// True while a transfer of the field is on the bus.
    #[must_use]
    pub const fn is_on_bus(&self) -> bool {
        self.on_bus.is_some()
    }

    /// Handles the end of the transfer on the bus.
    pub fn done(&mut self, outcome: &BusOutcome) {
        let Some(((number, asked), begun_us)) = self.on_bus.take() else {
            return;
        };
        let Some(tile) = &mut self.tiles[number] else {
            return;
        };
        match outcome {
            BusOutcome::Done(bytes) => {
                let next = tile.done(asked, bytes);
                self.answer = next.map(|next| {
                    let due_us = begun_us.wrapping_add(answers_after_us(asked));
                    ((number, next), due_us)
                });
                if asked == Asked::Show {
                    // The next tile gets its turn, even if this one has more changes.
                    self.told = number + 1;
                }
            }
            BusOutcome::Refused => tile.refused(asked),
        }
        self.is_for_lights = self.answer.is_none() && !asked.is_for_lights();
    }
}

/// The address of the tile with this index.
const fn address(tile: usize) -> u8 {
    FIRST_ADDRESS + tile as u8
}

/// A tile, and the index of a key or light on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    tile: usize,
    key: u8,
}

/// The place of a point on a board with this layout.
fn place(layout: Layout, point: Point) -> Place {
    let (column, row) = contact(layout, point);
    Place {
        tile: usize::from(row / SIDE * FIELD_SIDE + column / SIDE),
        key: row % SIDE * SIDE + column % SIDE,
    }
}

/// The places of all lights of a board, and their colours.
fn colours(layout: Layout, seen: &Seen) -> impl Iterator<Item = (Place, Colour)> {
    let points = layout
        .iter()
        .map(move |point| (place(layout, point), seen.points.get(point)));
    let turn = TURN_LIGHTS.into_iter().zip(seen.turn);
    points.chain(turn.map(|((key, colour), is_lit)| {
        let colour = if is_lit { colour } else { Colour::OFF };
        (Place { tile: BUTTONS, key }, colour)
    }))
}

#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;
