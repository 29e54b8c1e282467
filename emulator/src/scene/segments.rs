//! The shapes of the fourteen segments of a character. [`firmware_core::segments`]
//! decides which are lit.

use bevy::prelude::*;
use firmware_core::segments::NAMES;
pub use firmware_core::segments::{SEGMENTS, lit};

/// The thickness of a segment.
const BAR: f32 = 0.094;
/// Half of the thickness.
const HALF: f32 = BAR / 2.0;
/// The gap between two segments.
const GAP: f32 = 0.018;
/// Thickness of a slanting segment, measured along x.
const SLASH: f32 = 0.115;

/// The corners of a bar at this height, between two places along x.
fn horizontal(from: f32, to: f32, y: f32) -> Vec<Vec2> {
    let (from, to) = (from + GAP, to - GAP);
    vec![
        Vec2::new(from, y),
        Vec2::new(from + HALF, y - HALF),
        Vec2::new(to - HALF, y - HALF),
        Vec2::new(to, y),
        Vec2::new(to - HALF, y + HALF),
        Vec2::new(from + HALF, y + HALF),
    ]
}

/// The corners of a bar at this place along x, between two heights.
fn vertical(from: f32, to: f32, x: f32) -> Vec<Vec2> {
    let bar = horizontal(from, to, 0.0).into_iter();
    bar.map(|corner| Vec2::new(x - corner.y, corner.x))
        .collect()
}

/// The corners of a segment from the middle out to a corner of the character,
/// whose coordinates are `outer`. Only the one at the lower right is drawn; the others are
/// its mirror images, by `signs`.
fn slanting(outer: Vec2, signs: Vec2) -> Vec<Vec2> {
    let (near_x, far_x) = (HALF + GAP, outer.x - HALF - GAP);
    let (near_y, far_y) = (HALF + GAP, outer.y - HALF - GAP);
    [
        Vec2::new(near_x, near_y),
        Vec2::new(near_x + SLASH * 0.55, near_y),
        Vec2::new(far_x, far_y - SLASH),
        Vec2::new(far_x, far_y),
        Vec2::new(far_x - SLASH * 0.55, far_y),
        Vec2::new(near_x, near_y + SLASH),
    ]
    .map(|corner| corner * signs)
    .to_vec()
}

/// The corners of a segment as a convex polygon, for a character of height 1 and
/// this `width` around the origin; x goes right, y down.
#[must_use]
pub fn outline(segment: usize, width: f32) -> Vec<Vec2> {
    let outer = Vec2::new(width / 2.0 - HALF, 0.5 - HALF);
    let (right, bottom) = (outer.x, outer.y);
    let slanting = |x: f32, y: f32| slanting(outer, Vec2::new(x, y));
    match NAMES.get(segment) {
        Some(b'a') => horizontal(-right, right, -bottom),
        Some(b'b') => vertical(-bottom, 0.0, right),
        Some(b'c') => vertical(0.0, bottom, right),
        Some(b'd') => horizontal(-right, right, bottom),
        Some(b'e') => vertical(0.0, bottom, -right),
        Some(b'f') => vertical(-bottom, 0.0, -right),
        Some(b'g') => horizontal(-right, 0.0, 0.0),
        Some(b'h') => horizontal(0.0, right, 0.0),
        Some(b'i') => slanting(-1.0, -1.0),
        Some(b'j') => vertical(-bottom + HALF, -HALF * 0.2, 0.0),
        Some(b'k') => slanting(1.0, -1.0),
        Some(b'l') => slanting(1.0, 1.0),
        Some(b'm') => vertical(HALF * 0.2, bottom - HALF, 0.0),
        Some(b'n') => slanting(-1.0, 1.0),
        _ => {
            let middle = Vec2::new(width / 2.0 + BAR * 0.9, 0.5 - HALF);
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| middle + Vec2::new(x, y) * HALF * 1.1)
                .to_vec()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_segment_is_a_polygon_inside_its_character() {
        for segment in 0..SEGMENTS {
            let corners = outline(segment, 0.55);
            assert!(corners.len() >= 4);
            for corner in corners {
                assert!(
                    corner.x.abs() <= 0.5 && corner.y.abs() <= 0.51,
                    "{segment} {corner}"
                );
            }
        }
    }
}
