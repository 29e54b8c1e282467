//! The number of frames per second that an image can show.
//!
//! An image without lights sends its frames to a host over a line, whose speed is the
//! limit; this is computed from the sizes of the messages. On the Pico, the limit is the
//! chain of lights, or one iteration of its main loop if that takes longer; the iteration
//! is measured on the emulated chip.

use cortex_m_board::uart::BAUD;
use cortex_m_board::ws2812::{PAUSE_US, WORD_US};
use protocol::wire::{MAX_FRAME_BYTES, encode};
use protocol::{Frame, KnownLayout, Layout, Tick, ToHost};
use touchboard_links::pico::ChipLoad;

use crate::touch_to_light::frames_at_virtual;

/// A board has at most one new frame per tick.
const MOST: u64 = 1_000;
/// A start bit, eight data bits, and a stop bit.
const BITS_PER_BYTE: u64 = 10;
/// The turn lights, which come after the points in the chain.
const TURN_LIGHTS: u64 = 2;
const S_NS: u64 = 1_000_000_000;

/// The frames per second over a line of the usual speed, for messages of the median size
/// and of the largest size in this many frames of the game. `None` if the layout is not
/// suitable for the game.
pub fn over_a_line(
    layout: &KnownLayout,
    game: u8,
    count: usize,
    seed: u64,
) -> anyhow::Result<Option<[u64; 2]>> {
    let frames = frames_at_virtual(layout, game, count, seed)?;
    let pairs = frames.windows(2).zip(0..);
    let mut bytes: Vec<u64> = pairs
        .map(|(pair, number)| message_bytes(&pair[0].1, pair[1].0, &pair[1].1, number))
        .collect();
    bytes.sort_unstable();
    let quantiles = [bytes.get(bytes.len() / 2), bytes.last()];
    let [Some(usual), Some(longest)] = quantiles else {
        return Ok(None);
    };
    Ok(Some([usual, longest].map(|bytes| at_baud(*bytes))))
}

/// How often per second a line of the usual speed can carry this many bytes.
fn at_baud(bytes: u64) -> u64 {
    (u64::from(BAUD) / (bytes * BITS_PER_BYTE)).min(MOST)
}

/// The size of the message by which a device sends a frame after the previous one, in
/// bytes.
fn message_bytes(before: &Frame, tick: Tick, frame: &Frame, number: u32) -> u64 {
    let message = match before.delta(frame) {
        Some(delta) => ToHost::Delta {
            number,
            tick,
            delta,
        },
        None => ToHost::Frame {
            number,
            tick,
            frame: frame.clone(),
        },
    };
    let mut buffer = [0; MAX_FRAME_BYTES];
    encode(&message, &mut buffer).map_or(0, |bytes| bytes.len() as u64)
}

/// The frames per second on the chain of lights of a board with this layout, with the
/// longest iteration of the main loop under this load.
pub fn on_the_chain(layout: Layout, load: &ChipLoad) -> u64 {
    let lights = layout.points() as u64 + TURN_LIGHTS;
    let chain_us = lights * u64::from(WORD_US) + u64::from(PAUSE_US);
    S_NS / (chain_us * 1_000).max(load.longest_ns)
}

#[cfg(test)]
mod tests {
    use protocol::{Colour, Point};

    use super::*;

    #[test]
    fn the_baud_rate_bounds_frames_to_one_per_tick() {
        assert_eq!(at_baud(115), 100);
        assert_eq!(at_baud(1), MOST);
    }

    #[test]
    fn fewer_changed_lights_need_fewer_bytes() {
        let before = Frame::default();
        let mut few = before.clone();
        few.points.set(Point(3), Colour::RED);
        let mut many = before.clone();
        (0..200).for_each(|point| many.points.set(Point(point), Colour::RED));
        let bytes = |frame: &Frame| message_bytes(&before, 1_000, frame, 7);
        assert!(bytes(&few) < 24, "{}", bytes(&few));
        assert!(bytes(&many) > 64, "{}", bytes(&many));
    }

    #[test]
    fn the_slower_of_chain_and_loop_bounds_the_frames() {
        let layout = Layout::MALDOO;
        let quick = ChipLoad::default();
        assert_eq!(on_the_chain(layout, &quick), 340);
        let slow = ChipLoad {
            longest_ns: 10_000_000,
            ..quick
        };
        assert_eq!(on_the_chain(layout, &slow), 100);
    }
}
