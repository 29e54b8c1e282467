//! A simulated tile, written from the manufacturer's documentation of the seesaw: the
//! pages "Reading and Writing Data" and "NeoPixel", and the register map in its sources
//! for the keypad.
//!
//! Invariants: it panics on an access to anything that the seesaw does not have, and when
//! its buffers are exceeded.

use std::collections::VecDeque;

/// The maximum number of values in a message, after the two bytes that name a register.
const MOST_VALUES: usize = 32;
/// The room for lights in a tile's memory, in bytes.
const LIGHT_BYTES: usize = 64;
/// The interval between scans of the keys, in microseconds.
const SCAN_US: u32 = 10_000;
/// The time until an answer is ready, in microseconds; earlier requests are refused.
const ANSWERS_US: u32 = 250;

const KEYPAD_COLUMNS: usize = 8;

#[derive(Clone, Copy, Default)]
struct Key {
    is_closed: bool,
    was_closed: bool,
    /// The edges that are reported, one bit each.
    edges: u8,
}

/// A simulated tile with its keys and lights.
pub struct Tile {
    keys: [Key; 32],
    events: VecDeque<u8>,
    pin: Option<u8>,
    is_fast: bool,
    length: usize,
    bytes: [u8; LIGHT_BYTES],
    /// Red, green and blue of each light.
    pub shown: [[u8; 3]; 16],
    /// How often the tile was told to show its lights.
    pub shows: u32,
    answer: VecDeque<u8>,
    answers_events: bool,
    busy_until_us: u32,
    scanned_us: u32,
    /// True if the tile is unplugged.
    pub is_out: bool,
}

impl Tile {
    pub fn new() -> Tile {
        Tile {
            keys: [Key::default(); 32],
            events: VecDeque::new(),
            pin: None,
            is_fast: true,
            length: 0,
            bytes: [0; LIGHT_BYTES],
            shown: [[0; 3]; 16],
            shows: 0,
            answer: VecDeque::new(),
            answers_events: false,
            busy_until_us: 0,
            scanned_us: 0,
            is_out: false,
        }
    }

    /// Closes or opens a key, numbered row by row.
    pub fn set(&mut self, key: usize, is_closed: bool) {
        self.keys[key / 4 * KEYPAD_COLUMNS + key % 4].is_closed = is_closed;
    }

    /// Advances the tile's time to `now_us` microseconds.
    pub fn pass(&mut self, now_us: u32) {
        if now_us - self.scanned_us < SCAN_US {
            return;
        }
        self.scanned_us = now_us;
        for (number, key) in (0..).zip(&mut self.keys) {
            let edge = match (key.was_closed, key.is_closed) {
                (true, false) => 2,
                (false, true) => 3,
                _ => continue,
            };
            key.was_closed = key.is_closed;
            if key.edges & 1 << edge != 0 {
                self.events.push_back(number << 2 | edge);
            }
        }
    }

    fn is_deaf(&self, now_us: u32) -> bool {
        self.is_out || now_us < self.busy_until_us
    }

    /// Takes a message; false if the tile refuses it.
    pub fn write(&mut self, message: &[u8], now_us: u32) -> bool {
        if self.is_deaf(now_us) {
            return false;
        }
        let (register, values) = message.split_at(2);
        assert!(values.len() <= MOST_VALUES, "{values:?}");
        self.answers_events = false;
        match (register, values) {
            ([0x00, 0x01], []) => self.answer(&[0x55], now_us),
            ([0x0E, 0x01], [pin]) => self.pin = Some(*pin),
            ([0x0E, 0x02], [speed]) => self.is_fast = *speed == 1,
            ([0x0E, 0x03], [high, low]) => {
                self.length = u16::from_be_bytes([*high, *low]).into();
                assert!(self.length <= LIGHT_BYTES);
            }
            ([0x0E, 0x04], [high, low, bytes @ ..]) => {
                let first = usize::from(u16::from_be_bytes([*high, *low]));
                self.bytes[first..first + bytes.len()].copy_from_slice(bytes);
            }
            ([0x0E, 0x05], []) => self.show(),
            ([0x10, 0x01], [key, edges]) => {
                let key = &mut self.keys[usize::from(*key)];
                assert_eq!(edges & 1, 1, "only switched on here");
                key.edges |= edges >> 1;
            }
            ([0x10, 0x04], []) => self.answer(&[self.events.len() as u8], now_us),
            ([0x10, 0x10], []) => {
                self.answer(&[], now_us);
                self.answers_events = true;
            }
            _ => panic!("a seesaw has no {message:x?}"),
        }
        true
    }

    fn answer(&mut self, bytes: &[u8], now_us: u32) {
        self.answer = bytes.iter().copied().collect();
        self.busy_until_us = now_us + ANSWERS_US;
    }

    fn show(&mut self) {
        // The lights are at pin 3.
        if self.pin == Some(3) && self.is_fast {
            let lights = self.bytes[..self.length].chunks_exact(3);
            for (shown, light) in self.shown.iter_mut().zip(lights) {
                *shown = [light[1], light[0], light[2]];
            }
            self.shows += 1;
        }
    }

    /// Reads `count` bytes of the answer, if there is one.
    pub fn read(&mut self, count: u8, now_us: u32) -> Option<Vec<u8>> {
        if self.is_deaf(now_us) {
            return None;
        }
        let from = match self.answers_events {
            true => &mut self.events,
            false => &mut self.answer,
        };
        let bytes = (0..count).map(|_| from.pop_front().unwrap_or(0xFF));
        Some(bytes.collect())
    }
}
