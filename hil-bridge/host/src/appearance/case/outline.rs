//! The outline of a part that is cut from a plate: a convex polygon with rounded corners,
//! seen from above.
//!
//! Invariants: the corners are in the order in which the angle of the sides grows, from x
//! to z, so the outward direction is always on the same side of the path.

use std::f32::consts::{FRAC_PI_2, TAU};

use euclid::Angle;

use super::{Flat, flat};

/// The number of straight steps that approximate a quarter circle.
const CORNER_STEPS: f32 = 12.0;
/// The least radius of a shrunk outline, so that its edge still catches light.
const LEAST_RADIUS: f32 = 0.02;

/// A convex polygon with round corners.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    middles: Vec<Flat>,
    radius: f32,
}

impl Outline {
    /// The smallest outline around circles of this radius at these places.
    #[must_use]
    pub fn around(middles: impl IntoIterator<Item = Flat>, radius: f32) -> Outline {
        let mut sorted: Vec<Flat> = middles.into_iter().collect();
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

    /// A rectangle centred on the origin.
    #[must_use]
    pub fn rectangle(size: Flat, radius: f32) -> Outline {
        let half = size / 2.0 - Flat::splat(radius);
        let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let middles = signs.map(|(x, y)| half.component_mul(flat(x, y))).to_vec();
        Outline { middles, radius }
    }

    /// The outline moved outwards everywhere by this distance; inwards if it is
    /// negative.
    #[must_use]
    pub fn grown(&self, by: f32) -> Outline {
        Outline {
            middles: self.middles.clone(),
            radius: (self.radius + by).max(LEAST_RADIUS),
        }
    }

    /// The centres of the corner circles.
    #[must_use]
    pub fn middles(&self) -> &[Flat] {
        &self.middles
    }

    /// The radius of the corner circles.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Two opposite corners of the bounding rectangle: least x and y first.
    #[must_use]
    pub fn extent(&self) -> [Flat; 2] {
        let all = self.middles.iter().copied();
        let least = all
            .clone()
            .reduce(|one, other| one.min(other))
            .unwrap_or_default();
        let most = all.reduce(|one, other| one.max(other)).unwrap_or_default();
        [
            least - Flat::splat(self.radius),
            most + Flat::splat(self.radius),
        ]
    }

    /// Points along the outline, once around: for each the centre of its corner circle,
    /// and the outward unit vector from there.
    #[must_use]
    pub fn edge(&self) -> Vec<(Flat, Flat)> {
        let count = self.middles.len();
        let mut edge = Vec::new();
        for (index, corner) in self.middles.iter().enumerate() {
            let before = self.middles[(index + count - 1) % count];
            let next = self.middles[(index + 1) % count];
            let (from, turn) = match count {
                1 => (0.0, TAU),
                _ => {
                    let [one, other] = [*corner - before, next - *corner];
                    let [one, other] =
                        [one, other].map(|side| flat(side.y, -side.x).angle_from_x_axis().radians);
                    (one, (other - one).rem_euclid(TAU))
                }
            };
            let steps = (turn / FRAC_PI_2 * CORNER_STEPS).ceil().max(1.0) as u16;
            edge.extend((0..=steps).map(|step| {
                let angle = from + turn * f32::from(step) / f32::from(steps);
                (
                    *corner,
                    Flat::from_angle_and_length(Angle::radians(angle), 1.0),
                )
            }));
        }
        edge
    }

    /// The point that is farthest in a direction.
    #[must_use]
    pub fn farthest(&self, direction: Flat) -> Flat {
        let along = |one: &Flat| one.dot(direction);
        let all = self.middles.iter().copied();
        let corner = all.max_by(|one, other| along(one).total_cmp(&along(other)));
        corner.unwrap_or_default() + direction.try_normalize().unwrap_or_default() * self.radius
    }

    /// The range of x that it covers at this z.
    #[must_use]
    pub fn across(&self, z: f32) -> Option<(f32, f32)> {
        let edge = self.edge().into_iter();
        let edge: Vec<Flat> = edge
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

    /// The distance of a place from the outline; negative inside.
    #[must_use]
    pub fn distance(&self, place: Flat) -> f32 {
        let next = self.middles.iter().cycle().skip(1);
        let mut nearest = f32::MAX;
        let mut is_within = self.middles.len() > 2;
        for (from, to) in self.middles.iter().zip(next) {
            let along = *to - *from;
            let part = (place - *from).dot(along) / along.square_length().max(f32::EPSILON);
            let foot = *from + along * part.clamp(0.0, 1.0);
            nearest = nearest.min((place - foot).length());
            is_within &= along.cross(place - *from) >= 0.0;
        }
        let signed = if is_within { -nearest } else { nearest };
        signed - self.radius
    }
}

/// The corners of one half of the convex hull of sorted places, without the last.
fn half<'a>(sorted: impl Iterator<Item = &'a Flat>) -> Vec<Flat> {
    let mut hull: Vec<Flat> = Vec::new();
    for place in sorted {
        while let [.., one, two] = hull[..] {
            if (two - one).cross(*place - one) > 1e-6 {
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

    fn places() -> impl Strategy<Value = Vec<Flat>> {
        let place = (-9_i8..=9, -9_i8..=9).prop_map(|(x, y)| flat(x.into(), y.into()));
        prop::collection::vec(place, 1..12)
    }

    proptest! {
        #[test]
        fn an_outline_is_convex_and_contains_its_places(places in places()) {
            let outline = Outline::around(places.iter().copied(), 0.5);
            for place in &places {
                prop_assert!(outline.distance(*place) < -0.499, "{outline:?} {place:?}");
                let [least, most] = outline.extent();
                prop_assert!(place.greater_than(least).all() && place.lower_than(most).all());
            }
            let edge = outline.edge();
            let mut turned = 0.0;
            for (index, (corner, out)) in edge.iter().enumerate() {
                let (_, next) = edge[(index + 1) % edge.len()];
                turned += out.angle_to(next).radians;
                prop_assert!(outline.distance(*corner + *out * 0.5).abs() < 1e-4);
                prop_assert!(out.cross(next) > -1e-4);
            }
            // A circle's last step closes it.
            prop_assert!((turned - TAU).abs() < 1e-2, "{turned}");
        }

        #[test]
        fn growing_an_outline_moves_it_out_evenly(places in places(), by in 0.0_f32..3.0) {
            let outline = Outline::around(places.iter().copied(), 0.5);
            let grown = outline.grown(by);
            for (corner, out) in grown.edge() {
                let place = corner + out * grown.radius();
                prop_assert!((outline.distance(place) - by).abs() < 1e-3);
            }
        }
    }
}
