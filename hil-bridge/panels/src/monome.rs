//! monome grids that speak *mext*, those since 2011.
//!
//! The source is `serialosc/serial.txt` of monome's documentation, quoted as \[serial\]
//! with the heading. The first byte of a message is its section, four bits, and its
//! command; how many bytes follow is fixed.
//!
//! A grid has levels and no colours: green is bright and steady, red is half as bright
//! and sinks once a second, and other colours are steady, the lighter the brighter.
//!
//! Invariants: a message is one of those of the document, or its first byte is
//! passed over; all lamps are sent together, a block of 8x8 to a message.

use protocol::Colour;

use crate::form::{KeySpot, PanelExtent, PanelForm, PanelLamp, PanelPicture};

/// A line to a grid: 115,200 baud.
pub const BAUD: u32 = 115_200;

/// \[serial\] *0x05 system / request grid size*.
const ASK_SIZE: u8 = 0x05;
/// \[serial\] *0x12 led-grid / all off*.
const ALL_OFF: u8 = 0x12;
/// \[serial\] */prefix/grid/led/level/map*: a block of 8x8 levels.
const LEVEL_MAP: u8 = 0x1A;

/// The columns and rows of a block.
const BLOCK: u8 = 8;

/// The period of a sinking lamp, and how long in it the lamp is bright, in
/// milliseconds.
const ROUND_MS: u64 = 1_000;
const BRIGHT_MS: u64 = 600;

/// Asks a grid for its size.
#[must_use]
pub fn inquiry() -> Vec<u8> {
    vec![ASK_SIZE]
}

/// The message that turns all lamps off.
#[must_use]
pub fn dark() -> Vec<u8> {
    vec![ALL_OFF]
}

/// The messages that light all lamps as they are at this time.
#[must_use]
pub fn lights(picture: &PanelPicture, now_ms: u64) -> Vec<u8> {
    let PanelExtent { columns, rows } = picture.form().size();
    let mut bytes = Vec::new();
    for top in (0..rows).step_by(BLOCK.into()) {
        for left in (0..columns).step_by(BLOCK.into()) {
            bytes.extend([LEVEL_MAP, left, top]);
            bytes.extend(block(picture, left, top, now_ms));
        }
    }
    bytes
}

/// "64 states, 4 bit values, in 32 consecutive bytes; d\[0\] (0:3) value 0, (4:7) value 1":
/// bits are counted from the highest, as libmonome, the library of the maker, packs them.
fn block(picture: &PanelPicture, left: u8, top: u8, now_ms: u64) -> impl Iterator<Item = u8> {
    (0..BLOCK).flat_map(move |row| {
        (0..BLOCK / 2).map(move |pair| {
            let level = |column| {
                let spot = KeySpot {
                    column: left + column,
                    row: top + row,
                };
                level(picture.lamp(spot), now_ms)
            };
            level(2 * pair) << 4 | level(2 * pair + 1)
        })
    })
}

/// The level of a lamp at this time, 0 to 15.
fn level(lamp: PanelLamp, now_ms: u64) -> u8 {
    /// In the order of the palette's names.
    const LEVELS: [u8; Colour::COUNT] = [0, 15, 8, 11, 5, 10, 6, 9, 13, 14, 12, 4, 10, 9, 12, 15];
    /// Enough to find a key by.
    const DIM: u8 = 3;
    /// The lowest level of a red lamp.
    const SUNK: u8 = 3;
    match lamp.colour {
        Colour::OFF => 0,
        _ if lamp.is_dim => DIM,
        Colour::RED if now_ms % ROUND_MS >= BRIGHT_MS => SUNK,
        colour => LEVELS[usize::from(colour.index())],
    }
}

/// A message from a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonomeHeard {
    /// The number of columns and rows.
    Size(u8, u8),
    /// A key went down or came up.
    Key(KeySpot, bool),
    /// A message that it should not send.
    Strange,
}

/// The number of bytes after the first one of a grid's message; `None` if there is no
/// such message.
const fn bytes_after(first: u8) -> Option<usize> {
    Some(match first {
        // system / query response, ID, grid offset, grid size, ADDR, firmware version
        0x00 | 0x03 | 0x04 => 2,
        0x01 => 32,
        0x02 => 3,
        0x0F => 8,
        // key-grid / key up, key down
        0x20 | 0x21 => 2,
        // digital-line-in / change to low, to high
        0x40 | 0x41 => 1,
        // encoder / delta, switch up, switch down
        0x50 => 2,
        0x51 | 0x52 => 1,
        // analog in / active response, in
        0x60 => 32,
        0x61 => 3,
        // tilt / active response, tilt
        0x80 => 1,
        0x81 => 7,
        _ => return None,
    })
}

/// Reads the messages of a grid.
#[derive(Clone, Debug, Default)]
pub struct MonomeReader {
    /// The bytes of a message that is not whole.
    bytes: Vec<u8>,
}

impl MonomeReader {
    /// True between the bytes of a message.
    #[must_use]
    pub fn waits(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Drops an incomplete message.
    pub fn restart(&mut self) {
        self.bytes.clear();
    }

    /// Handles a byte; returns the message that it completes.
    pub fn take(&mut self, byte: u8) -> Option<MonomeHeard> {
        let first = self.bytes.first().copied().unwrap_or(byte);
        let Some(after) = bytes_after(first) else {
            return Some(MonomeHeard::Strange);
        };
        self.bytes.push(byte);
        if self.bytes.len() <= after {
            return None;
        }
        let message = std::mem::take(&mut self.bytes);
        match *message {
            [0x03, columns, rows] => Some(size(columns, rows)),
            [key @ (0x20 | 0x21), column, row] => {
                Some(MonomeHeard::Key(KeySpot { column, row }, key == 0x21))
            }
            _ => None,
        }
    }
}

/// The largest grid that there is has 16 columns and rows.
fn size(columns: u8, rows: u8) -> MonomeHeard {
    const SIDES: std::ops::RangeInclusive<u8> = 1..=16;
    match SIDES.contains(&columns) && SIDES.contains(&rows) {
        true => MonomeHeard::Size(columns, rows),
        false => MonomeHeard::Strange,
    }
}

/// The form of a grid of this size.
#[must_use]
pub const fn form(columns: u8, rows: u8) -> PanelForm {
    PanelForm::Grid { columns, rows }
}

#[cfg(test)]
mod tests;
