//! The brightness of red, green and blue in a light, and the factor by which all lights
//! of a board are dimmed to stay within its current limit.
//!
//! The brightness of a WS2812 is proportional to its input, and the palette is in linear
//! light, not in a screen's encoding. No curve is therefore needed between the two.
//!
//! Invariants: according to the manufacturers' data, the current stays within the limit,
//! as far as dimming can achieve that; lights are only dimmed if necessary, and all by
//! the same factor, so that a frame keeps its colours.

use protocol::Colour;

/// The current of a channel at full brightness, and of a dark light, in milliamperes.
const CHANNEL_MA: u32 = 20;
const DARK_MA: u32 = 1;
/// The current of everything else, in milliamperes: the chip and its flash at full load,
/// and the shift registers.
const BOARD_MA: u32 = 100;

const BRIGHTEST: u32 = 255;
/// The denominator of dimming factors.
const PARTS: u32 = 256;

/// The brightness of red, green and blue in each colour, in 255ths, as in the palette of
/// the window and of the terminal.
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

/// The brightness of red, green and blue in a colour without dimming, in 255ths.
#[must_use]
pub fn light(colour: Colour) -> [u8; 3] {
    LIGHT[usize::from(colour.index())]
}

/// The factor by which lights are dimmed, in 256ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimmed(u32);

impl Dimmed {
    /// The dimming of a board with this many lights, some of which shine, and a limit in
    /// milliamperes.
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

    /// The dimmed brightness of red, green and blue in a colour, in 255ths.
    #[must_use]
    pub fn light(self, colour: Colour) -> [u8; 3] {
        light(colour).map(|bright| (u32::from(bright) * self.0 / PARTS) as u8)
    }
}
