//! A monome grid, written from `serialosc/serial.txt` in monome's documentation. The text
//! gives two lengths for a message of levels. The one in its OSC part is used here, which
//! the manufacturer's library libmonome sends: four bits for each level, the first one in
//! the high half.

/// The identity of the grid: 32 characters, padded with spaces.
const ID: &str = "virtual monome";
const ID_BYTES: usize = 32;
const VERSION: &[u8; 8] = b"virtual ";

/// The level of a lamp at full brightness.
const FULL: u8 = 15;
/// The number of columns and rows of a block.
const BLOCK: usize = 8;

/// A monome grid without a line.
#[derive(Clone, Debug)]
pub struct MonomeDevice {
    columns: u8,
    rows: u8,
    /// The levels of the lamps, row by row, 0 to 15.
    levels: Vec<u8>,
    id: Vec<u8>,
    /// The bytes of an incomplete message.
    bytes: Vec<u8>,
    unknown: u64,
}

/// The length in bytes of a message with this first byte; 1 if it starts no message.
const fn length(first: u8) -> usize {
    match first {
        // system / write ID, set grid offset, set grid size, set ADDR
        0x02 => 1 + ID_BYTES,
        0x04 => 4,
        0x06 | 0x08 => 3,
        // led-grid / off, on, map, row, col, intensity
        0x10 | 0x11 => 3,
        0x14 => 11,
        0x15 | 0x16 => 4,
        0x17 => 2,
        // led-grid / level of one, of all, map, row, col
        0x18 => 4,
        0x19 => 2,
        0x1A => 35,
        0x1B | 0x1C => 7,
        // The messages for digital outputs.
        0x30 | 0x31 => 2,
        0x34 => 3,
        0x35 => 33,
        // The messages for analog inputs and outputs, and tilt.
        0x61 | 0x62 | 0x81 | 0x82 => 2,
        0x70 => 4,
        // The messages for LED rings.
        0x90 => 4,
        0x91 => 3,
        0x92 => 34,
        0x93 => 5,
        _ => 1,
    }
}

/// True for a message that consists only of its first byte.
const fn is_short(first: u8) -> bool {
    matches!(
        first,
        0x00 | 0x01 | 0x03 | 0x05 | 0x07 | 0x0F | 0x12 | 0x13 | 0x32 | 0x33 | 0x60 | 0x80
    )
}

impl MonomeDevice {
    /// A dark grid with this many columns and rows.
    #[must_use]
    pub fn new(columns: u8, rows: u8) -> MonomeDevice {
        MonomeDevice {
            columns,
            rows,
            levels: vec![0; usize::from(columns) * usize::from(rows)],
            id: ID.bytes().collect(),
            bytes: Vec::new(),
            unknown: 0,
        }
    }

    /// The number of columns and rows.
    #[must_use]
    pub fn sides(&self) -> (u8, u8) {
        (self.columns, self.rows)
    }

    /// The number of received bytes that do not start a message.
    #[must_use]
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// The level of a lamp; 0 outside of the grid.
    #[must_use]
    pub fn level(&self, x: u8, y: u8) -> u8 {
        let index = self.index(x.into(), y.into());
        index.map_or(0, |index| self.levels[index])
    }

    fn index(&self, x: usize, y: usize) -> Option<usize> {
        let (columns, rows) = (self.columns.into(), usize::from(self.rows));
        (x < columns && y < rows).then_some(y * columns + x)
    }

    fn set(&mut self, x: usize, y: usize, level: u8) {
        if let Some(index) = self.index(x, y) {
            self.levels[index] = level.min(FULL);
        }
    }

    /// Handles a byte and returns the answer.
    pub fn take(&mut self, byte: u8) -> Vec<u8> {
        self.bytes.push(byte);
        let first = self.bytes[0];
        if self.bytes.len() < length(first) {
            return Vec::new();
        }
        if length(first) == 1 && !is_short(first) {
            self.unknown += 1;
        }
        let message = std::mem::take(&mut self.bytes);
        self.obey(&message)
    }

    fn obey(&mut self, message: &[u8]) -> Vec<u8> {
        let floored = |offset: u8| usize::from(offset) / BLOCK * BLOCK;
        match *message {
            // "Multiple responses will be sent, one for each section": led-grid is 1
            // and key-grid is 2, with one of each.
            [0x00] => vec![0x00, 1, 1, 0x00, 2, 1],
            [0x01] => self.told_id(),
            [0x02, ref id @ ..] => {
                self.id = id.to_vec();
                self.told_id()
            }
            [0x03] => vec![0x02, 0, 0, 0],
            [0x05] => vec![0x03, self.columns, self.rows],
            [0x0F] => [&[0x0F], &VERSION[..]].concat(),
            [0x10, x, y] => self.light(|grid| grid.set(x.into(), y.into(), 0)),
            [0x11, x, y] => self.light(|grid| grid.set(x.into(), y.into(), FULL)),
            [0x12] => self.light(|grid| grid.levels.fill(0)),
            [0x13] => self.light(|grid| grid.levels.fill(FULL)),
            [0x14, x, y, ref rows @ ..] => self.light(|grid| {
                for (row, bits) in rows.iter().enumerate() {
                    for column in 0..BLOCK {
                        let level = level_of(*bits, column);
                        grid.set(floored(x) + column, floored(y) + row, level);
                    }
                }
            }),
            [0x15, x, y, bits] => self.light(|grid| {
                for column in 0..BLOCK {
                    grid.set(floored(x) + column, y.into(), level_of(bits, column));
                }
            }),
            [0x16, x, y, bits] => self.light(|grid| {
                for row in 0..BLOCK {
                    grid.set(x.into(), floored(y) + row, level_of(bits, row));
                }
            }),
            [0x18, x, y, level] => self.light(|grid| grid.set(x.into(), y.into(), level)),
            [0x19, level] => self.light(|grid| grid.levels.fill(level.min(FULL))),
            [0x1A, x, y, ref levels @ ..] => self.light(|grid| {
                for (place, level) in halves(levels).enumerate() {
                    let (column, row) = (place % BLOCK, place / BLOCK);
                    grid.set(floored(x) + column, floored(y) + row, level);
                }
            }),
            [0x1B, x, y, ref levels @ ..] => self.light(|grid| {
                for (column, level) in halves(levels).enumerate() {
                    grid.set(floored(x) + column, y.into(), level);
                }
            }),
            [0x1C, x, y, ref levels @ ..] => self.light(|grid| {
                for (row, level) in halves(levels).enumerate() {
                    grid.set(x.into(), floored(y) + row, level);
                }
            }),
            // Other messages are for parts that this device lacks, or have no visible
            // effect.
            _ => Vec::new(),
        }
    }

    fn told_id(&self) -> Vec<u8> {
        let mut message = vec![0x01];
        message.extend(self.id.iter().take(ID_BYTES));
        message.resize(1 + ID_BYTES, b' ');
        message
    }

    fn light(&mut self, change: impl FnOnce(&mut Self)) -> Vec<u8> {
        change(self);
        Vec::new()
    }

    /// The bytes sent when the key at this column and row is pressed or released.
    #[must_use]
    pub fn key(&self, x: u8, y: u8, is_down: bool) -> Vec<u8> {
        vec![0x20 | u8::from(is_down), x, y]
    }

    /// As [`MonomeDevice::key`], with the column and row as text.
    ///
    /// # Errors
    /// A sentence that says how keys are named.
    pub fn key_named(&self, name: &[&str], is_down: bool) -> Result<Vec<u8>, String> {
        let number = |word: &&str, sides: u8| word.parse().ok().filter(|number| *number < sides);
        let place = match name {
            [x, y] => number(x, self.columns).zip(number(y, self.rows)),
            _ => None,
        };
        let told = |(x, y)| self.key(x, y, is_down);
        place.map(told).ok_or_else(|| {
            format!(
                "a key is its column from 0 to {} and its row from 0 to {}, like 3 2",
                self.columns - 1,
                self.rows - 1
            )
        })
    }

    /// One line for each row, with one hexadecimal digit for each level.
    #[must_use]
    pub fn picture(&self) -> Vec<String> {
        let row = |levels: &[u8]| levels.iter().map(|level| format!("{level:x}")).collect();
        self.levels.chunks(self.columns.into()).map(row).collect()
    }
}

/// How bright a light is of which a message only says by a bit whether it is on.
fn level_of(bits: u8, place: usize) -> u8 {
    if bits >> place & 1 == 1 { FULL } else { 0 }
}

/// The two levels in each byte.
fn halves(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0F])
}
