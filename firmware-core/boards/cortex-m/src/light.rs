//! The brightness of red, green and blue in a light, and the factor by which all
//! lights of a board are dimmed to stay within its current limit.
//!
//! A WS2812 shines in proportion to its input, and the palette is in linear light,
//! not in a screen's encoding. So there is no curve between the two.
//!
//! Invariants: according to their makers' data, the lights take no more than the
//! limit, as far as dimming can achieve that; all lights are dimmed by the same
//! factor, so a frame keeps its colours, and only if necessary.

use protocol::Colour;

/// The current of a channel at its brightest, and of a dark light, in milliamperes.
const CHANNEL_MA: u32 = 20;
const DARK_MA: u32 = 1;
/// The current of everything else, in milliamperes: the chip and its flash at their
/// busiest, and shift registers.
const BOARD_MA: u32 = 100;

const BRIGHTEST: u32 = 255;
/// The denominator of dimming factors.
const PARTS: u32 = 256;

/// The brightness of red, green and blue in each colour, in 255ths: the palette of
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

/// The brightness of red, green and blue in a colour without a limit, in 255ths.
#[must_use]
pub fn light(colour: Colour) -> [u8; 3] {
    LIGHT[usize::from(colour.index())]
}

/// The proportion in which lights are dimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimmed(u32);

impl Dimmed {
    /// The dimming of a board with this many lights, of which some shine, and a limit
    /// in milliamperes.
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
