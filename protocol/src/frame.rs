//! Frames: everything that a board shows at one moment.
//!
//! A [`Frame`] is level-triggered: it contains the current state, not a change. The
//! newest one is therefore enough, and any other may be lost.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{Colour, Layout, Light, List, Point, Rhythm, Text, Tick};

/// The most points that a board can have.
pub const MAX_POINTS: usize = 256;

/// The number of characters on the display.
pub const DISPLAY_CHARACTERS: usize = 12;

/// Four bits for each of up to 256 points, eight points to a word; the first point has
/// the lowest four bits. On the wire the words are sent as bytes, low byte first, without
/// trailing zeros.
///
/// The elements are words because after each tick a board compares its frame with the
/// previous one, and on a microcontroller the compiler compares bytes one at a time.
#[derive(Clone, Eq)]
struct Plane([u32; PLANE_WORDS]);

/// The number of points that share a word.
const EIGHT: usize = 8;
const PLANE_WORDS: usize = MAX_POINTS / EIGHT;
const PLANE_BYTES: usize = MAX_POINTS / 2;

type PlaneBytes = List<u8, PLANE_BYTES>;

impl Default for Plane {
    fn default() -> Plane {
        Plane([0; PLANE_WORDS])
    }
}

impl PartialEq for Plane {
    fn eq(&self, other: &Plane) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one == other)
    }
}

impl Plane {
    /// The distance of a point's bits from the lowest bit of its word.
    #[inline]
    const fn shift(point: Point) -> u32 {
        (point.0 as u32 % EIGHT as u32) * 4
    }

    #[inline]
    fn get(&self, point: Point) -> u8 {
        (self.0[point.index() / EIGHT] >> Self::shift(point)) as u8 & 0x0F
    }

    #[inline]
    fn set(&mut self, point: Point, value: u8) {
        let shift = Self::shift(point);
        let word = &mut self.0[point.index() / EIGHT];
        *word = (*word & !(0x0F << shift)) | (u32::from(value & 0x0F) << shift);
    }

    /// Sets the value of some of the eight points from `8 * eight` on: those whose bits
    /// in `which` are set.
    #[inline]
    fn set_eight(&mut self, eight: usize, which: u8, value: u8) {
        let Some(word) = self.0.get_mut(eight) else {
            return;
        };
        let mask = Self::spread(which) * 0x0F;
        let values = mask & (0x1111_1111 * u32::from(value & 0x0F));
        *word = (*word & !mask) | values;
    }

    /// Spreads a byte: each of its bits becomes the lowest of four.
    #[inline]
    const fn spread(byte: u8) -> u32 {
        let far = byte as u32;
        let far = (far | far << 12) & 0x000F_000F;
        let far = (far | far << 6) & 0x0303_0303;
        (far | far << 3) & 0x1111_1111
    }

    /// Sets the first `points` points to zero.
    fn clear(&mut self, points: usize) {
        let words = points.div_ceil(EIGHT).min(self.0.len());
        self.0[..words].fill(0);
    }

    fn is_zero(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The bytes, and their number without trailing zeros.
    fn bytes(&self) -> ([u8; PLANE_BYTES], usize) {
        let mut bytes = [0; PLANE_BYTES];
        let mut used = 0;
        for (index, (place, word)) in bytes.as_chunks_mut().0.iter_mut().zip(&self.0).enumerate() {
            *place = word.to_le_bytes();
            if *word != 0 {
                used = 4 * (index + 1) - word.leading_zeros() as usize / 8;
            }
        }
        (bytes, used)
    }

    /// The number of points up to the last one that is not zero, rounded up to whole
    /// bytes.
    fn used_points(&self) -> usize {
        2 * self.bytes().1
    }
}

impl Serialize for Plane {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (bytes, used) = self.bytes();
        bytes[..used].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Plane {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = PlaneBytes::deserialize(deserializer)?;
        let mut bytes = [0; PLANE_BYTES];
        bytes[..read.len()].copy_from_slice(&read);
        let mut plane = Plane::default();
        for (word, bytes) in plane.0.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Ok(plane)
    }
}

impl MaxSize for Plane {
    const POSTCARD_MAX_SIZE: usize = PlaneBytes::POSTCARD_MAX_SIZE;
}

impl Schema for Plane {
    const SCHEMA: &'static postcard_schema::schema::NamedType = PlaneBytes::SCHEMA;
}

/// One colour for each of up to 256 points.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
#[serde(transparent)]
pub struct Packed(Plane);

impl Packed {
    /// The colour of a point.
    #[inline]
    #[must_use]
    pub fn get(&self, point: Point) -> Colour {
        Colour::new(self.0.get(point))
    }

    /// Gives a point a colour.
    #[inline]
    pub fn set(&mut self, point: Point, colour: Colour) {
        self.0.set(point, colour.index());
    }

    /// Sets the colour of some of the eight points from `8 * eight` on: those whose bits
    /// in `which` are set.
    #[inline]
    pub fn set_eight(&mut self, eight: usize, which: u8, colour: Colour) {
        self.0.set_eight(eight, which, colour.index());
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..self.0.used_points() {
            write!(f, "{}", self.get(Point(index as u8)).letter())?;
        }
        Ok(())
    }
}

/// One rhythm for each of up to 256 points. While nothing blinks, it takes one byte on
/// the wire.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Schema, MaxSize)]
#[serde(transparent)]
pub struct Rhythms(Plane);

/// Refuses invalid rhythms, so that each value has one encoding.
impl<'de> Deserialize<'de> for Rhythms {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plane = Plane::deserialize(deserializer)?;
        let is_one = |bits: u8| usize::from(bits) < Rhythm::ALL.len();
        let are_there = |byte: u8| is_one(byte & 0x0F) && is_one(byte >> 4);
        let mut bytes = plane.0.iter().flat_map(|word| word.to_le_bytes());
        match bytes.all(are_there) {
            true => Ok(Rhythms(plane)),
            false => Err(serde::de::Error::custom("there are 8 rhythms")),
        }
    }
}

impl Rhythms {
    /// The rhythm of a point.
    #[inline]
    #[must_use]
    pub fn get(&self, point: Point) -> Rhythm {
        Rhythm::from_index(self.0.get(point))
    }

    /// Gives a point a rhythm.
    #[inline]
    pub fn set(&mut self, point: Point, rhythm: Rhythm) {
        self.0.set(point, rhythm.index());
    }

    /// Sets the rhythm of some of the eight points from `8 * eight` on: those whose bits
    /// in `which` are set.
    #[inline]
    pub fn set_eight(&mut self, eight: usize, which: u8, rhythm: Rhythm) {
        self.0.set_eight(eight, which, rhythm.index());
    }

    /// True if no point blinks.
    #[must_use]
    pub fn are_steady(&self) -> bool {
        self.0.is_zero()
    }
}

impl fmt::Debug for Rhythms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..self.0.used_points() {
            write!(f, "{}", self.0.get(Point(index as u8)))?;
        }
        Ok(())
    }
}

/// Everything visible and audible on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Frame {
    /// The colours of the points.
    pub points: Packed,
    /// The rhythms of the points.
    pub rhythms: Rhythms,
    /// The tick at which all blinking started, modulo [`Rhythm::ROUND_MS`].
    pub beat: u16,
    /// The turn lights, `[green, red]`.
    pub turn: [bool; 2],
    /// The rhythm of both turn lights.
    pub turn_rhythm: Rhythm,
    /// The text on the alphanumeric display.
    pub display: Text<DISPLAY_CHARACTERS>,
    /// The beeper's pitch in hertz, 0 when it is silent.
    pub beep_hz: u16,
}

impl Frame {
    /// Makes the frame of a board with this layout dark and silent; points outside the
    /// layout stay unchanged.
    pub fn clear(&mut self, layout: Layout) {
        let points = layout.points();
        self.points.0.clear(points);
        self.rhythms.0.clear(points);
        self.beat = 0;
        self.turn = [false; 2];
        self.turn_rhythm = Rhythm::Steady;
        self.display = Text::default();
        self.beep_hz = 0;
    }

    /// The light of a point.
    #[must_use]
    pub fn light(&self, point: Point) -> Light {
        Light::new(self.points.get(point), self.rhythms.get(point))
    }

    /// The colour that a point shows at this tick.
    #[must_use]
    pub fn seen(&self, point: Point, tick: Tick) -> Colour {
        let colour = self.points.get(point);
        self.rhythms.get(point).shown(colour, self.since_beat(tick))
    }

    /// The turn lights that are on at this tick, `[green, red]`.
    #[must_use]
    pub fn turn_seen(&self, tick: Tick) -> [bool; 2] {
        let is_on = self.turn_rhythm.is_on(self.since_beat(tick));
        self.turn.map(|lit| lit && is_on)
    }

    /// The colours of all points as they are seen at this tick.
    #[must_use]
    pub fn points_seen(&self, tick: Tick) -> Packed {
        let mut seen = self.points.clone();
        if !self.rhythms.are_steady() {
            for point in (0..=u8::MAX).map(Point) {
                seen.set(point, self.seen(point, tick));
            }
        }
        seen
    }

    /// Milliseconds from this tick until blinking next changes what is seen; `None` while
    /// nothing blinks.
    #[must_use]
    pub fn changes_in_ms(&self, tick: Tick) -> Option<u16> {
        let since = self.since_beat(tick);
        let turn = self.turn.contains(&true).then_some(self.turn_rhythm);
        let points = (0..=u8::MAX).map(|index| self.rhythms.get(Point(index)));
        let points = points.take(if self.rhythms.are_steady() {
            0
        } else {
            MAX_POINTS
        });
        let all = points.chain(turn);
        all.filter_map(|rhythm| rhythm.changes_in_ms(since)).min()
    }

    /// Makes all blinking start at this tick.
    pub fn set_beat(&mut self, tick: Tick) {
        self.beat = (tick % Tick::from(Rhythm::ROUND_MS)) as u16;
    }

    /// Milliseconds since the last round of blinking began, below [`Rhythm::ROUND_MS`].
    fn since_beat(&self, tick: Tick) -> Tick {
        let round = Tick::from(Rhythm::ROUND_MS);
        // A frame from the wire may have any beat.
        (tick % round + round - Tick::from(self.beat) % round) % round
    }

    /// The change from `self` to `next`; `None` if the change does not fit into a delta.
    /// The whole frame is shorter then.
    #[must_use]
    pub fn delta(&self, next: &Frame) -> Option<FrameDelta> {
        let mut lit = List::new();
        let colours = self.points.0.0.iter().zip(&next.points.0.0);
        let rhythms = self.rhythms.0.0.iter().zip(&next.rhythms.0.0);
        for (index, (colour, rhythm)) in colours.zip(rhythms).enumerate() {
            if colour.0 == colour.1 && rhythm.0 == rhythm.1 {
                continue;
            }
            for point in (0..EIGHT).map(|place| Point((EIGHT * index + place) as u8)) {
                let light = next.light(point);
                if self.light(point) != light {
                    lit.push(Lit { point, light }).ok()?;
                }
            }
        }
        Some(FrameDelta {
            lit,
            beat: next.beat,
            turn: next.turn,
            turn_rhythm: next.turn_rhythm,
            display: (self.display != next.display).then(|| next.display.clone()),
            beep_hz: next.beep_hz,
        })
    }

    /// Updates `self` to the frame for which the delta was made.
    pub fn apply(&mut self, delta: &FrameDelta) {
        for Lit { point, light } in delta.lit.iter() {
            self.points.set(*point, light.colour());
            self.rhythms.set(*point, light.rhythm());
        }
        self.beat = delta.beat;
        self.turn = delta.turn;
        self.turn_rhythm = delta.turn_rhythm;
        if let Some(display) = &delta.display {
            self.display = display.clone();
        }
        self.beep_hz = delta.beep_hz;
    }
}

/// A point whose light changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Lit {
    /// The point whose light changed.
    pub point: Point,
    /// The light that the point has now.
    pub light: Light,
}

/// The change from one frame to the next, in fewer bytes than a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct FrameDelta {
    /// The points whose light changed.
    pub lit: List<Lit, 24>,
    /// The tick at which all blinking started; see [`Frame::beat`].
    pub beat: u16,
    /// The turn lights, `[green, red]`.
    pub turn: [bool; 2],
    /// The rhythm of both turn lights.
    pub turn_rhythm: Rhythm,
    /// The display, if it changed.
    pub display: Option<Text<DISPLAY_CHARACTERS>>,
    /// The beeper's pitch in hertz, 0 when it is silent.
    pub beep_hz: u16,
}
