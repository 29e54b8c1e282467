//! The bands that join the pieces of a row or chain that won.
//!
//! Invariants: a band lies on the face of the board, and hides no dome.

use bevy::prelude::*;

use super::super::shape::Shape;
use super::LIFT;

/// Marks the band between two neighbours in a row or chain that won.
#[derive(Component, Clone, Copy, Debug)]
pub struct DecidingLink;

/// The height of a band above the face: over the outlines of the rings that it joins.
pub(super) const LINK_LIFT: f32 = LIFT + 0.0015;
/// Half the width of a band, relative to the pitch.
const HALF_WIDTH: f32 = 0.15;

/// A band of length 1 along x, from the origin.
pub(super) fn band(pitch: f32) -> Shape {
    let half = HALF_WIDTH * pitch;
    let ends = [0.0, 1.0].map(|x| [Vec3::new(x, 0.0, -half), Vec3::new(x, 0.0, half)]);
    Shape::strip(&ends)
}

/// The place of a [`band`] between two points of the board, at this height.
pub(super) fn between([from, to]: [Vec3; 2], height: f32) -> Transform {
    let along = to - from;
    Transform {
        translation: from.with_y(from.y + height),
        rotation: Quat::from_rotation_y((-along.z).atan2(along.x)),
        scale: Vec3::new(along.length(), 1.0, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_reaches_from_one_end_to_the_other() {
        let ends = [Vec3::new(1.0, 0.0, 2.0), Vec3::new(-2.0, 0.0, 6.0)];
        let place = between(ends, 0.5);
        for (x, end) in [(0.0, ends[0]), (1.0, ends[1])] {
            let at = place.transform_point(Vec3::X * x);
            assert!(at.distance(end + Vec3::Y * 0.5) < 1e-4, "{at}");
        }
    }
}
