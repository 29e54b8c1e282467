//! The outline of something that is cut from a plate: a convex polygon with rounded
//! corners, seen from above.
//!
//! What always holds: the corners go round in the order in which the angle of the
//! sides grows from x to z, so that the way out is on one and the same side.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;

/// Steps of a quarter circle in a corner.
const CORNER_STEPS: f32 = 12.0;
/// An outline that is shrunk keeps a radius that catches light.
const LEAST_RADIUS: f32 = 0.02;

/// A convex polygon whose corners are circles.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    middles: Vec<Vec2>,
    radius: f32,
}

impl Outline {
    /// The smallest outline around circles of this radius at these places.
    #[must_use]
    pub fn around(middles: impl IntoIterator<Item = Vec2>, radius: f32) -> Outline {
        let mut sorted: Vec<Vec2> = middles.into_iter().collect();
        sorted.sort_by(|one, other| one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y)));
        sorted.dedup();
        let middles = match sorted.len() {
            0..=2 => sorted,
            _ => {
                let mut all = half(sorted.iter());
                all.extend(half(sorted.iter().rev()));
                all
            }
        };
        Outline { middles, radius }
    }

    /// A rectangle whose middle is the origin.
    #[must_use]
    pub fn rectangle(size: Vec2, radius: f32) -> Outline {
        let half = size / 2.0 - radius;
        let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let middles = signs.map(|(x, y)| half * Vec2::new(x, y)).to_vec();
        Outline { middles, radius }
    }

    /// The same, farther out everywhere by this much; farther in if it is negative.
    #[must_use]
    pub fn grown(&self, by: f32) -> Outline {
        Outline {
            middles: self.middles.clone(),
            radius: (self.radius + by).max(LEAST_RADIUS),
        }
    }

    /// The middles of the corners' circles.
    #[must_use]
    pub fn middles(&self) -> &[Vec2] {
        &self.middles
    }

    /// Its radius at the corners.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The rectangle around it.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        let all = self.middles.iter();
        let all = all.fold(Rect::EMPTY, |all, one| all.union_point(*one));
        all.inflate(self.radius)
    }

    /// Places along it, once round: where the corner's circle has its middle, and the
    /// way out from there.
    #[must_use]
    pub fn edge(&self) -> Vec<(Vec2, Vec2)> {
        let count = self.middles.len();
        let mut edge = Vec::new();
        for (index, corner) in self.middles.iter().enumerate() {
            let before = self.middles[(index + count - 1) % count];
            let next = self.middles[(index + 1) % count];
            let (from, turn) = match count {
                1 => (0.0, TAU),
                _ => {
                    let [one, other] = [*corner - before, next - *corner];
                    let [one, other] = [one, other].map(|side| (-side.perp()).to_angle());
                    (one, (other - one).rem_euclid(TAU))
                }
            };
            let steps = (turn / FRAC_PI_2 * CORNER_STEPS).ceil().max(1.0) as u16;
            edge.extend((0..=steps).map(|step| {
                let angle = from + turn * f32::from(step) / f32::from(steps);
                (*corner, Vec2::from_angle(angle))
            }));
        }
        edge
    }

    /// The point of it that lies farthest in a direction.
    #[must_use]
    pub fn farthest(&self, direction: Vec2) -> Vec2 {
        let along = |one: &Vec2| one.dot(direction);
        let all = self.middles.iter().copied();
        let corner = all.max_by(|one, other| along(one).total_cmp(&along(other)));
        corner.unwrap_or_default() + direction.normalize_or_zero() * self.radius
    }

    /// From where to where it reaches along x at this place along z.
    #[must_use]
    pub fn across(&self, z: f32) -> Option<(f32, f32)> {
        let edge = self.edge().into_iter();
        let edge: Vec<Vec2> = edge
            .map(|(middle, out)| middle + out * self.radius)
            .collect();
        let next = edge.iter().cycle().skip(1);
        let crossings = edge.iter().zip(next).filter_map(|(one, other)| {
            let part = (z - one.y) / (other.y - one.y);
            let x = one.x + part * (other.x - one.x);
            (0.0..=1.0).contains(&part).then_some(x)
        });
        crossings.fold(None, |all: Option<(f32, f32)>, x| {
            let (left, right) = all.unwrap_or((x, x));
            Some((left.min(x), right.max(x)))
        })
    }

    /// How far a place is outside; negative within.
    #[must_use]
    pub fn distance(&self, place: Vec2) -> f32 {
        let next = self.middles.iter().cycle().skip(1);
        let mut nearest = f32::MAX;
        let mut is_within = self.middles.len() > 2;
        for (from, to) in self.middles.iter().zip(next) {
            let along = *to - *from;
            let part = (place - *from).dot(along) / along.length_squared().max(f32::EPSILON);
            let foot = *from + along * part.clamp(0.0, 1.0);
            nearest = nearest.min(place.distance(foot));
            is_within &= along.perp_dot(place - *from) >= 0.0;
        }
        let signed = if is_within { -nearest } else { nearest };
        signed - self.radius
    }
}

/// The corners of one half of the hull of places that are sorted, but the last.
fn half<'a>(sorted: impl Iterator<Item = &'a Vec2>) -> Vec<Vec2> {
    let mut hull: Vec<Vec2> = Vec::new();
    for place in sorted {
        while let [.., one, two] = hull[..] {
            if (two - one).perp_dot(*place - one) > 1e-6 {
                break;
            }
            hull.pop();
        }
        hull.push(*place);
    }
    hull.pop();
    hull
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places() -> impl Strategy<Value = Vec<Vec2>> {
        let place = (-9_i8..=9, -9_i8..=9).prop_map(|(x, y)| Vec2::new(x.into(), y.into()));
        prop::collection::vec(place, 1..12)
    }

    proptest! {
        #[test]
        fn an_outline_holds_its_places_goes_round_once_and_is_convex(places in places()) {
            let outline = Outline::around(places.iter().copied(), 0.5);
            for place in &places {
                prop_assert!(outline.distance(*place) < -0.499, "{outline:?} {place}");
                prop_assert!(outline.bounds().contains(*place));
            }
            let edge = outline.edge();
            let mut turned = 0.0;
            for (index, (corner, out)) in edge.iter().enumerate() {
                let (_, next) = edge[(index + 1) % edge.len()];
                turned += out.angle_to(next);
                prop_assert!(outline.distance(*corner + *out * 0.5).abs() < 1e-4);
                prop_assert!(out.perp_dot(next) > -1e-4);
            }
            // A circle's last step closes it.
            prop_assert!((turned - TAU).abs() < 1e-2, "{turned}");
        }

        #[test]
        fn a_grown_outline_is_as_much_farther_out_everywhere(places in places(), by in 0.0_f32..3.0) {
            let outline = Outline::around(places.iter().copied(), 0.5);
            let grown = outline.grown(by);
            for (corner, out) in grown.edge() {
                let place = corner + out * grown.radius();
                prop_assert!((outline.distance(place) - by).abs() < 1e-3);
            }
        }
    }
}
