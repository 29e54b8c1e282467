//! Profiles for the lathe: the radius of a turned piece, from its foot up.

use bevy::prelude::*;

use crate::scene::shape::Shape;

/// Steps around a turned piece.
const AROUND: u32 = 24;
/// Steps of a curve of a profile.
const CURVE_STEPS: u16 = 4;

/// A profile under construction: (radius, height) from the foot up.
#[derive(Clone, Debug)]
pub struct Lathe(Vec<Vec2>);

impl Lathe {
    /// Begins at the edge of the foot.
    pub fn at(radius: f32, height: f32) -> Lathe {
        Lathe(vec![Vec2::new(radius, height)])
    }

    fn last(&self) -> Vec2 {
        self.0.last().copied().unwrap_or_default()
    }

    /// Goes straight to this place, and smoothly on from there.
    pub fn to(mut self, radius: f32, height: f32) -> Lathe {
        self.0.push(Vec2::new(radius, height));
        self
    }

    /// Goes straight to this place, with a sharp edge there.
    pub fn edge(self, radius: f32, height: f32) -> Lathe {
        self.to(radius, height).to(radius, height)
    }

    /// Goes to `to` in a curve that bends towards `towards`.
    pub fn curve(mut self, towards: [f32; 2], to: [f32; 2]) -> Lathe {
        let (from, towards, to) = (self.last(), Vec2::from(towards), Vec2::from(to));
        self.0.extend((1..=CURVE_STEPS).map(|step| {
            let t = f32::from(step) / f32::from(CURVE_STEPS);
            let [near, far] = [from.lerp(towards, t), towards.lerp(to, t)];
            near.lerp(far, t)
        }));
        self
    }

    /// Adds a ring that bulges out, from here up to this height.
    pub fn bead(self, out: f32, height: f32) -> Lathe {
        let from = self.last();
        let middle = (from.y + height) / 2.0;
        let half = (height - from.y) / 2.0;
        let arc = |angle: f32| [from.x + out * angle.cos(), middle + half * angle.sin()];
        let steps = [-50.0_f32, 0.0, 50.0];
        let bead = steps.iter().fold(self.edge(from.x, from.y), |all, angle| {
            let [radius, height] = arc(angle.to_radians());
            all.to(radius, height)
        });
        bead.edge(from.x, height)
    }

    /// Adds a ball, from here up to the axis.
    pub fn ball(self, radius: f32, middle: f32) -> Lathe {
        let from = self.last();
        let begin = ((from.x / radius).clamp(-1.0, 1.0)).acos();
        let begin = if from.y < middle { -begin } else { begin };
        let end = std::f32::consts::FRAC_PI_2;
        let steps = 2 * CURVE_STEPS;
        (1..=steps).fold(self.edge(from.x, from.y), |all, step| {
            let angle = begin + (end - begin) * f32::from(step) / f32::from(steps);
            all.to(radius * angle.cos().max(0.0), middle + radius * angle.sin())
        })
    }

    /// Turns the profile into a shape.
    pub fn turned(self) -> Shape {
        Shape::turned(&self.0, AROUND)
    }
}
