//! Layouts for tests: two that are drawn by hand, and arbitrary ones.
//!
//! A separate package, because the tests of several packages use the same layouts.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

use proptest::prelude::*;
use protocol::{GridSize, KnownLayout, Layout, MAX_POINTS, Place, Sketch};

/// The layout of this drawing.
/// # Panics
/// If the text is not a drawing.
pub fn drawn(text: &str) -> KnownLayout {
    let sketch: Sketch = text.parse().expect("it is a drawing");
    sketch.keep().expect("it is a drawing")
}

/// The layout of 61 points in a hexagon, five on each side.
pub fn hexagon() -> KnownLayout {
    drawn(include_str!("../hexagon.txt"))
}

/// The layout of twelve points around one.
pub fn ring() -> KnownLayout {
    drawn(include_str!("../ring.txt"))
}

/// Any layout: a rectangle, or points scattered on a raster, wide or narrow.
pub fn layouts() -> impl Strategy<Value = KnownLayout> {
    let grids = (1..=GridSize::MAX, 1..=GridSize::MAX)
        .prop_map(|(columns, rows)| Layout::grid(columns, rows).expect("the sides are in range"))
        .prop_map(KnownLayout::from);
    let raster = prop_oneof![
        Just((4_u8, 4_u8)),
        Just((12, 9)),
        Just((90, 90)),
        Just((3, 250))
    ];
    let thrown = (raster, 1..=64_usize).prop_flat_map(|((wide, high), most)| {
        prop::collection::btree_set((0..high, 0..wide), 1..=most.min(MAX_POINTS))
    });
    let thrown = thrown.prop_map(|places| {
        let left = places.iter().map(|(_, x)| *x).min().unwrap_or_default();
        let top = places.iter().map(|(y, _)| *y).min().unwrap_or_default();
        let place = |(y, x)| Place {
            y: y - top,
            x: x - left,
        };
        let sketch = Sketch {
            places: places.into_iter().map(place).collect(),
            ..Sketch::default()
        };
        sketch.keep().expect("it is a drawing")
    });
    prop_oneof![
        1 => grids,
        1 => Just(hexagon()),
        1 => Just(ring()),
        6 => thrown,
    ]
}
