//! How bright red, green and blue of a light are, and how far all lights of a board are
//! dimmed so that they take no more current than they may.
//!
//! A WS2812 shines in proportion to its input, and the palette is in linear light, not
//! in a screen's encoding: so there is no curve between the two.
//!
//! Invariants: lights take no more than their limit, as far as they can be dimmed, by
//! what their makers say of them; all are dimmed in the same proportion, so a frame keeps
//! its colours, and none is dimmed that need not be.

use protocol::Colour;

/// What a channel of a light takes at its brightest, and a light that is dark.
const CHANNEL_MA: u32 = 20;
const DARK_MA: u32 = 1;
/// What all else takes: the chip and its flash at their busiest, shift registers.
const BOARD_MA: u32 = 100;

const BRIGHTEST: u32 = 255;
/// A proportion is so many of these.
const PARTS: u32 = 256;

/// How bright red, green and blue are in each colour: the palette of the window and of
/// the terminal, in 255ths.
const LIGHT: [[u8; 3]; Colour::COUNT] = [
    [0, 0, 0],
    [10, 255, 41],
    [255, 11, 8],
    [255, 107, 5],
    [15, 51, 255],
    [5, 191, 255],
    [217, 26, 255],
    [255, 26, 102],
    [255, 204, 13],
    [115, 255, 13],
    [13, 255, 153],
    [89, 38, 255],
    [255, 51, 5],
    [255, 115, 77],
    [153, 191, 255],
    [255, 230, 191],
];

/// How bright red, green and blue are in this colour where nothing limits them, in
/// 255ths.
#[must_use]
pub fn light(colour: Colour) -> [u8; 3] {
    LIGHT[usize::from(colour.index())]
}

/// The proportion in which lights are dimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimmed(u32);

impl Dimmed {
    /// That of a board which has so many lights, of which these shine, and is to take no
    /// more than so many milliamperes.
    #[must_use]
    pub fn of(lights: usize, shining: impl Iterator<Item = Colour>, limit_ma: u32) -> Dimmed {
        let brightness = |colour| light(colour).into_iter().map(u32::from).sum::<u32>();
        let brightness: u32 = shining.map(brightness).sum();
        let left_ma = limit_ma.saturating_sub(BOARD_MA + lights as u32 * DARK_MA);
        let most = left_ma * BRIGHTEST / CHANNEL_MA;
        Dimmed(match brightness <= most {
            true => PARTS,
            false => most * PARTS / brightness,
        })
    }

    /// How bright red, green and blue of this colour are then, in 255ths.
    #[must_use]
    pub fn light(self, colour: Colour) -> [u8; 3] {
        light(colour).map(|bright| (u32::from(bright) * self.0 / PARTS) as u8)
    }
}
