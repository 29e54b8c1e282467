//! One tile: the messages to it, and its reports about keys.
//!
//! A message names a module and a register of the seesaw, the program in the chip of the
//! tile, followed by values (Adafruit, *seesaw*: "Reading and Writing Data", "NeoPixel",
//! and the register map in its sources for the keypad). The values are big-endian, as in
//! the manufacturer's libraries and in the program of the tile, although one edition of
//! the page says otherwise for one of them.
//!
//! Invariants: a message is no longer than a controller's buffer; a refused message is
//! sent again; a tile that refuses too often is set up again, and none of its keys counts
//! as down.

use super::{Bytes, MOST_BYTES, SIDE, Transfer};

/// The number of keys, and of lights, of a tile.
pub const KEYS: u8 = SIDE * SIDE;
/// The number of bytes for the lights of a row: green, red and blue of each light.
const ROW_BYTES: usize = SIDE as usize * 3;

/// The numbers of the chip's modules.
const STATUS: u8 = 0x00;
const NEOPIXEL: u8 = 0x0E;
const KEYPAD: u8 = 0x10;

/// The register of the status module that names the chip, and the answer of an
/// ATSAMD09.
pub const WHO_IS_THERE: [u8; 2] = [STATUS, 0x01];
/// The answer of an ATSAMD09; see [`WHO_IS_THERE`].
pub const A_TILE: u8 = 0x55;

/// The messages that set up the lights: their pin at the tile's chip, their rate of
/// 800,000 bits a second, and their number of bytes.
const LIGHTS_AT: [u8; 3] = [NEOPIXEL, 0x01, 3];
const LIGHTS_ARE_FAST: [u8; 3] = [NEOPIXEL, 0x02, 1];
const LIGHTS_COUNT: [u8; 4] = [NEOPIXEL, 0x03, 0, KEYS * 3];
/// Followed by the offset of the first byte (two bytes), and the bytes.
const LIGHTS: [u8; 2] = [NEOPIXEL, 0x04];
const SHOW: [u8; 2] = [NEOPIXEL, 0x05];

/// Followed by the number of a key, and the events to report.
const WATCH: [u8; 2] = [KEYPAD, 0x01];
const COUNT: [u8; 2] = [KEYPAD, 0x04];
const EVENTS: [u8; 2] = [KEYPAD, 0x10];

/// The events of a key: released and pressed.
const CAME_UP: u8 = 2;
const WENT_DOWN: u8 = 3;
/// Makes the keypad report both events.
const BOTH: u8 = (1 << CAME_UP | 1 << WENT_DOWN) << 1 | 1;
/// The keypad numbers its keys as if a row had eight of them.
const KEYPAD_COLUMNS: u8 = 8;

/// The number of messages that set up a tile: three for its lights, and one for each key.
const SET_UP: u8 = 3 + KEYS;
/// A tile that refuses this many messages in a row has been unplugged or restarted.
const MOST_REFUSALS: u8 = 8;

/// A message to a tile, which determines what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The next message of the set-up.
    SetUp,
    /// Requests the number of events, which is read next.
    Count,
    /// Reads the answer to [`Asked::Count`].
    Counted,
    /// Requests this many events, which are read next.
    Events(u8),
    /// Reads the answer to [`Asked::Events`], which contains this many events.
    Told(u8),
    /// Sends the lights of this row.
    Row(u8),
    /// Makes the lights show the rows that were sent.
    Show,
}

impl Asked {
    /// True for messages to the lights.
    pub const fn is_for_lights(self) -> bool {
        matches!(self, Asked::Row(_) | Asked::Show)
    }
}

/// A tile of the field, and what still has to be sent to it.
#[derive(Debug)]
pub struct Tile {
    /// The number of messages of the set-up that were accepted.
    set_up: u8,
    /// The number of messages refused in a row.
    refusals: u8,
    /// The keys that are down, one bit each.
    down: u16,
    /// The colours of its lights, row by row, as bytes for the tile.
    rows: [[u8; ROW_BYTES]; SIDE as usize],
    /// The rows that have not been sent yet, one bit each.
    stale: u8,
    /// The row that is sent next, if it has changed.
    next_row: u8,
    /// True if rows were sent that the lights do not show yet.
    is_told: bool,
}

const ALL_ROWS: u8 = (1 << SIDE) - 1;

impl Tile {
    /// A tile that is present, dark, and not set up.
    pub const fn new() -> Tile {
        Tile {
            set_up: 0,
            refusals: 0,
            down: 0,
            rows: [[0; ROW_BYTES]; SIDE as usize],
            stale: ALL_ROWS,
            next_row: 0,
            is_told: false,
        }
    }

    /// The keys that are down, one bit each, row by row.
    pub const fn down(&self) -> u16 {
        self.down
    }

    /// Sets red, green and blue of a light from now on.
    pub fn light(&mut self, key: u8, [red, green, blue]: [u8; 3]) {
        let (row, at) = (key / SIDE, usize::from(key % SIDE) * 3);
        let place = self.rows.get_mut(usize::from(row));
        let Some(place) = place.and_then(|row| row.get_mut(at..at + 3)) else {
            return;
        };
        // Green comes first, as in every WS2812.
        let bytes = [green, red, blue];
        if place != bytes {
            place.copy_from_slice(&bytes);
            self.stale |= 1 << row;
        }
    }

    /// The next request about its keys.
    pub const fn asks(&self) -> Asked {
        match self.set_up < SET_UP {
            true => Asked::SetUp,
            false => Asked::Count,
        }
    }

    /// The next message to its lights, if they must change.
    ///
    /// Rows are sent in order and shown after that, so a row that changes all the time
    /// does not keep the others from being shown.
    pub fn tells(&self) -> Option<Asked> {
        if self.set_up < SET_UP {
            return None;
        }
        let row = (self.next_row..SIDE).find(|row| self.stale & (1 << row) != 0);
        match row {
            Some(row) => Some(Asked::Row(row)),
            None if self.is_told => Some(Asked::Show),
            None => (0..SIDE)
                .find(|row| self.stale & (1 << row) != 0)
                .map(Asked::Row),
        }
    }

    /// The transfer for a message. The message counts as done unless it is refused.
    pub fn transfer(&mut self, address: u8, asked: Asked) -> Transfer {
        let write = |parts: &[&[u8]]| {
            let mut bytes = Bytes::new();
            for part in parts {
                // The parts of a message fit by construction.
                let _ = bytes.extend_from_slice(part);
            }
            Transfer::Write { address, bytes }
        };
        match asked {
            Asked::SetUp => match self.set_up {
                0 => write(&[&LIGHTS_AT]),
                1 => write(&[&LIGHTS_ARE_FAST]),
                2 => write(&[&LIGHTS_COUNT]),
                number => {
                    let key = number - 3;
                    let key = key / SIDE * KEYPAD_COLUMNS + key % SIDE;
                    write(&[&WATCH, &[key, BOTH]])
                }
            },
            Asked::Count => write(&[&COUNT]),
            Asked::Counted => Transfer::Read { address, count: 1 },
            Asked::Events(_) => write(&[&EVENTS]),
            Asked::Told(count) => Transfer::Read { address, count },
            Asked::Row(row) => {
                self.stale &= !(1 << row);
                self.next_row = row + 1;
                self.is_told = true;
                let first = row * ROW_BYTES as u8;
                write(&[&LIGHTS, &[0, first], &self.rows[usize::from(row)]])
            }
            Asked::Show => {
                (self.is_told, self.next_row) = (false, 0);
                write(&[&SHOW])
            }
        }
    }

    /// Handles the end of a message, with the bytes of its answer. Returns the message
    /// that must follow immediately.
    pub fn done(&mut self, asked: Asked, bytes: &[u8]) -> Option<Asked> {
        self.refusals = 0;
        match (asked, bytes) {
            (Asked::SetUp, _) => {
                self.set_up += 1;
                None
            }
            (Asked::Count, _) => Some(Asked::Counted),
            (Asked::Counted, [count, ..]) if *count > 0 => {
                Some(Asked::Events((*count).min(MOST_BYTES as u8)))
            }
            (Asked::Events(count), _) => Some(Asked::Told(count)),
            (Asked::Told(_), bytes) => {
                bytes.iter().for_each(|event| self.apply(*event));
                None
            }
            _ => None,
        }
    }

    /// Handles the refusal of a message, so that it is sent once more.
    pub fn refused(&mut self, asked: Asked) {
        self.refusals += 1;
        match asked {
            Asked::Row(row) => self.stale |= 1 << row,
            Asked::Show => self.is_told = true,
            _ => {}
        }
        if self.refusals >= MOST_REFUSALS {
            (self.set_up, self.refusals, self.down) = (0, 0, 0);
            (self.stale, self.next_row, self.is_told) = (ALL_ROWS, 0, false);
        }
    }

    /// Handles an event of a key. When there are no more events, the tile sends 0xFF,
    /// which is not a key.
    fn apply(&mut self, event: u8) {
        let (edge, number) = (event & 3, event >> 2);
        let (row, column) = (number / KEYPAD_COLUMNS, number % KEYPAD_COLUMNS);
        if row >= SIDE || column >= SIDE {
            return;
        }
        let bit = 1 << (row * SIDE + column);
        match edge {
            WENT_DOWN => self.down |= bit,
            CAME_UP => self.down &= !bit,
            _ => {}
        }
    }
}
