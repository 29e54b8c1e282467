//! What a board shows: all of it, at one moment.
//!
//! A [`Frame`] is level-triggered: it says how things are, never what changed,
//! so the newest one is always enough and any of them may be lost.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{Colour, Layout, List, Point, Text};

/// The most points that a board can have.
pub const MAX_POINTS: usize = 256;

/// The places of the display.
pub const DISPLAY_CHARACTERS: usize = 12;

/// One colour for each of up to 256 points, two to a byte.
#[derive(Clone, PartialEq, Eq)]
pub struct Packed([u8; MAX_POINTS / 2]);

impl Default for Packed {
    fn default() -> Packed {
        Packed([0; MAX_POINTS / 2])
    }
}

impl Packed {
    /// The colour of a point.
    #[must_use]
    pub fn get(&self, point: Point) -> Colour {
        let byte = self.0[point.index() / 2];
        Colour::new(if point.0 & 1 == 0 { byte } else { byte >> 4 })
    }

    /// Gives a point a colour.
    pub fn set(&mut self, point: Point, colour: Colour) {
        let byte = &mut self.0[point.index() / 2];
        *byte = if point.0 & 1 == 0 {
            (*byte & 0xF0) | colour.index()
        } else {
            (*byte & 0x0F) | (colour.index() << 4)
        };
    }

    /// The bytes up to the last one that is not dark.
    fn used(&self) -> &[u8] {
        let end = self
            .0
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        &self.0[..end]
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..self.used().len() * 2 {
            write!(f, "{}", self.get(Point(index as u8)).letter())?;
        }
        Ok(())
    }
}

type PackedBytes = List<u8, { MAX_POINTS / 2 }>;

impl Serialize for Packed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.used().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = PackedBytes::deserialize(deserializer)?;
        let mut packed = Packed::default();
        packed.0[..bytes.len()].copy_from_slice(&bytes);
        Ok(packed)
    }
}

impl MaxSize for Packed {
    const POSTCARD_MAX_SIZE: usize = PackedBytes::POSTCARD_MAX_SIZE;
}

impl Schema for Packed {
    const SCHEMA: &'static postcard_schema::schema::NamedType = PackedBytes::SCHEMA;
}

/// Everything that can be seen and heard of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Frame {
    /// The points.
    pub points: Packed,
    /// The turn lights, `[green, red]`.
    pub turn: [bool; 2],
    /// The alphanumeric display.
    pub display: Text<DISPLAY_CHARACTERS>,
    /// The beeper's pitch in hertz, 0 when it is silent.
    pub beep_hz: u16,
}

impl Frame {
    /// The rows of a layout as text, from the top, with a line break between.
    pub fn write_rows(&self, layout: Layout, out: &mut impl fmt::Write) -> fmt::Result {
        for point in layout.iter() {
            if point.0 > 0 && layout.column(point) == 0 {
                out.write_char('\n')?;
            }
            out.write_char(self.points.get(point).letter())?;
        }
        Ok(())
    }

    /// What turns `self` into `next`, or `None` if that is more than a delta
    /// holds and the whole frame is the shorter way to say it.
    #[must_use]
    pub fn delta(&self, next: &Frame) -> Option<FrameDelta> {
        let mut lit = List::new();
        for (index, (old, new)) in self.points.0.iter().zip(&next.points.0).enumerate() {
            if old == new {
                continue;
            }
            for point in [Point(2 * index as u8), Point(2 * index as u8 + 1)] {
                let colour = next.points.get(point);
                if self.points.get(point) != colour {
                    lit.push(Lit { point, colour }).ok()?;
                }
            }
        }
        Some(FrameDelta {
            lit,
            turn: next.turn,
            display: (self.display != next.display).then(|| next.display.clone()),
            beep_hz: next.beep_hz,
        })
    }

    /// Makes `self` what the delta was made for.
    pub fn apply(&mut self, delta: &FrameDelta) {
        for Lit { point, colour } in delta.lit.iter() {
            self.points.set(*point, *colour);
        }
        self.turn = delta.turn;
        if let Some(display) = &delta.display {
            self.display = display.clone();
        }
        self.beep_hz = delta.beep_hz;
    }
}

/// One point that changed its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Lit {
    /// Which.
    pub point: Point,
    /// What it is now.
    pub colour: Colour,
}

/// The change from one frame to the next: a frame in few bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct FrameDelta {
    /// Points with another colour.
    pub lit: List<Lit, 24>,
    /// The turn lights, `[green, red]`.
    pub turn: [bool; 2],
    /// The display, if it changed.
    pub display: Option<Text<DISPLAY_CHARACTERS>>,
    /// The beeper's pitch in hertz, 0 when it is silent.
    pub beep_hz: u16,
}
