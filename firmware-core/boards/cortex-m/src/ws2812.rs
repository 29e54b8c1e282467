//! The words for a chain of WS2812: one for each point in the order of their numbers,
//! then one for the green and one for the red turn light.
//!
//! Invariants: the chain is [dimmed](crate::light) to its limit.

use firmware_core::Seen;
use protocol::{Colour, Layout, MAX_POINTS};

use crate::light::Dimmed;

/// The lights of the largest board: its points, and the turn lights.
pub const MOST_LIGHTS: usize = MAX_POINTS + 2;

/// The duration of a word in microseconds: 24 bits of 1.25 us each (WS2812B data sheet,
/// Worldsemi).
pub const WORD_US: u32 = 30;
/// The pause in microseconds after which the chain shows its data: 280 µs in the newer
/// data sheets, rounded up, and five words that may wait in the sending chip.
pub const PAUSE_US: u32 = 300 + 5 * WORD_US;

/// The colours of a chain: those of the points, then of the turn lights.
pub(crate) fn chain(layout: Layout, seen: &Seen) -> impl Iterator<Item = Colour> {
    let points = layout.iter().map(|point| seen.points.get(point));
    let turn = [Colour::GREEN, Colour::RED].into_iter().zip(seen.turn);
    points.chain(turn.map(|(colour, is_lit)| if is_lit { colour } else { Colour::OFF }))
}

/// Writes the words for the visible state of a board with this layout, and returns their
/// number. Chain and board stay within a limit in milliamperes.
pub fn words(layout: Layout, seen: &Seen, limit_ma: u32, words: &mut [u32; MOST_LIGHTS]) -> usize {
    let count = layout.points() + seen.turn.len();
    let dimmed = Dimmed::of(count, chain(layout, seen), limit_ma);
    for (word, colour) in words.iter_mut().zip(chain(layout, seen)) {
        *word = word_of(dimmed.light(colour));
    }
    count
}

/// Green is sent first, then red and blue, each with its highest bit first.
const fn word_of([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_be_bytes([green, red, blue, 0])
}

#[cfg(test)]
mod tests {
    use law::{Judged, Weight, law};
    use proptest::prelude::*;
    use protocol::Point;

    use super::*;

    /// Red, green and blue of each light, as decoded from the words.
    fn lit(layout: Layout, seen: &Seen, limit_ma: u32) -> Vec<[u8; 3]> {
        let mut all = [0; MOST_LIGHTS];
        let count = words(layout, seen, limit_ma, &mut all);
        let colours = all[..count].iter().map(|word| {
            let [green, red, blue, rest] = word.to_be_bytes();
            assert_eq!(rest, 0);
            [red, green, blue]
        });
        colours.collect()
    }

    /// The current that a chain takes, in milliamperes.
    fn takes_ma(chain: &[[u8; 3]]) -> f64 {
        let channels = chain.iter().flatten().map(|bright| f64::from(*bright));
        channels.sum::<f64>() / 255.0 * 20.0 + chain.len() as f64 + 100.0
    }

    fn seen(points: &[Colour], turn: [bool; 2]) -> Seen {
        let mut seen = Seen {
            turn,
            ..Seen::default()
        };
        for (index, colour) in points.iter().enumerate() {
            seen.points.set(Point(index as u8), *colour);
        }
        seen
    }

    /// A layout, and the visible state of a board with it.
    fn boards() -> impl Strategy<Value = (Layout, Seen)> {
        let sides = (1..=16_u8, 1..=16_u8);
        sides.prop_flat_map(|(columns, rows)| {
            let layout = Layout::grid(columns, rows).unwrap();
            let colour = (0..16_u8).prop_map(Colour::new);
            let points = proptest::collection::vec(colour, layout.points());
            let turn = any::<[bool; 2]>();
            (points, turn).prop_map(move |(points, turn)| (layout, seen(&points, turn)))
        })
    }

    #[test]
    fn a_single_light_has_its_full_colour() {
        let layout = Layout::MALDOO;
        let green = seen(&[Colour::OFF, Colour::GREEN], [true, false]);
        let chain = lit(layout, &green, 500);
        assert_eq!(chain.len(), 83);
        assert_eq!(chain[..3], [[0, 0, 0], [10, 255, 41], [0, 0, 0]]);
        assert_eq!(chain[81..], [[10, 255, 41], [0, 0, 0]]);
    }

    #[test]
    fn an_amber_board_is_dimmed_to_the_current_of_a_port() {
        let amber = seen(&[Colour::AMBER; 81], [false; 2]);
        // 81 lights of brightness 367 each; 317 mA of 500 are left for them, which are
        // 4,041 units.
        let by = 4_041 * 256 / (81 * 367);
        let expected = [255, 107, 5].map(|bright: u32| (bright * by / 256) as u8);
        assert_eq!(lit(Layout::MALDOO, &amber, 500)[..81], [expected; 81]);
    }

    proptest! {
        #[test]
        fn no_board_takes_more_than_its_limit(
            (layout, seen) in boards(),
            limit_ma in 400..3_000_u32,
        ) {
            let taken_ma = takes_ma(&lit(layout, &seen, limit_ma));
            prop_assert!(taken_ma <= limit_ma.into(), "{} of {}", taken_ma, limit_ma);
        }

    }

    /// Rounded down to 255ths, with the same factor for all lights.
    #[test]
    fn all_lights_are_dimmed_alike_and_no_more_than_needed() {
        let cases = (boards(), 400..3_000_u32);
        law(Weight::of(256, 20), cases, |((layout, seen), limit_ma)| {
            let (full, dimmed) = (lit(layout, &seen, 20_000), lit(layout, &seen, limit_ma));
            if takes_ma(&full) <= limit_ma.into() {
                prop_assert_eq!(&dimmed, &full);
                return Ok(Judged::Nothing);
            }
            let pairs = full.iter().flatten().zip(dimmed.iter().flatten());
            let spare_ma = f64::from(limit_ma) - takes_ma(&[]) - full.len() as f64;
            let by = spare_ma / (takes_ma(&full) - takes_ma(&[]) - full.len() as f64);
            for (full, dimmed) in pairs {
                let exact = f64::from(*full) * by;
                prop_assert!((exact - 2.1..=exact).contains(&f64::from(*dimmed)));
            }
            Ok(Judged::Something)
        });
    }
}
