//! The men of Chess, in the manner of the clubs: turned feet and collars, and a head
//! that is known from the seat by its outline and from above by its top.

use std::f32::consts::TAU;

use bevy::prelude::*;

use super::lathe::Lathe;
use super::{FOOT, FigureShapes};
use crate::scene::shape::{Carving, Shape, Slab};

/// The foot that all of them have, up to where the body begins.
fn foot(radius: f32) -> Lathe {
    Lathe::at(radius, FOOT)
        .to(radius, FOOT + 0.035)
        .bead(0.012, FOOT + 0.075)
        .curve([0.94 * radius, 0.16], [0.76 * radius, 0.165])
        .bead(0.012, 0.20)
}

/// Ebony around a foot, up to its bead and over it.
fn collar(radius: f32) -> Shape {
    let over = radius + 0.004;
    let ring = Lathe::at(over, FOOT)
        .to(over, FOOT + 0.035)
        .bead(0.012, FOOT + 0.079)
        .to(0.95 * radius, FOOT + 0.093);
    ring.turned()
}

/// The shapes of a pawn.
pub fn pawn() -> FigureShapes {
    const RADIUS: f32 = 0.235;
    let body = foot(RADIUS)
        .curve([0.10, 0.24], [0.082, 0.36])
        .edge(0.135, 0.375)
        .bead(0.012, 0.40)
        .edge(0.075, 0.42)
        .ball(0.125, 0.51);
    FigureShapes::of(body.turned()).with_ink(collar(RADIUS))
}

/// The shapes of a rook with battlements.
pub fn rook() -> FigureShapes {
    const RADIUS: f32 = 0.265;
    const TOWERS: u8 = 5;
    let wall = [0.135, 0.205];
    let floor = 0.575;
    let body = foot(RADIUS)
        .curve([0.135, 0.23], [0.145, 0.47])
        .edge(wall[1], 0.515)
        .edge(wall[1], floor)
        .edge(wall[0], floor)
        .edge(wall[0], floor - 0.03)
        .to(0.0, floor - 0.03);
    let mut body = body.turned();
    for tower in 0..TOWERS {
        let middle = TAU * (f32::from(tower) + 0.25) / f32::from(TOWERS);
        let half = 0.33 * TAU / f32::from(TOWERS);
        let part = Shape::sector(wall, 0.095, [middle - half, middle + half]);
        body.add(&part, Transform::from_xyz(0.0, floor, 0.0));
    }
    FigureShapes::of(body).with_ink(collar(RADIUS))
}

/// A bishop: a mitre with its cut.
pub fn bishop() -> FigureShapes {
    const RADIUS: f32 = 0.25;
    let body = foot(RADIUS)
        .curve([0.09, 0.25], [0.08, 0.48])
        .edge(0.14, 0.495)
        .bead(0.014, 0.525)
        .edge(0.08, 0.545)
        .curve([0.195, 0.61], [0.150, 0.69])
        .curve([0.11, 0.765], [0.038, 0.80])
        .ball(0.046, 0.83);
    let cut = Shape::slab(Slab {
        size: Vec3::new(0.135, 0.028, 0.255),
        corner: 0.01,
        fillet: 0.005,
    });
    let mut ink = collar(RADIUS);
    let place = Transform::from_xyz(0.095, 0.715, 0.0).with_rotation(Quat::from_rotation_z(0.85));
    ink.add(&cut, place);
    FigureShapes::of(body.turned()).with_ink(ink)
}

/// A queen: a coronet of points.
pub fn queen() -> FigureShapes {
    const RADIUS: f32 = 0.27;
    const POINTS: u8 = 8;
    let rim = 0.185;
    let body = foot(RADIUS)
        .curve([0.10, 0.27], [0.088, 0.60])
        .edge(0.155, 0.615)
        .bead(0.014, 0.645)
        .edge(0.10, 0.665)
        .curve([0.115, 0.77], [rim, 0.83])
        .edge(rim, 0.83)
        .edge(0.145, 0.815)
        .curve([0.10, 0.86], [0.045, 0.875])
        .ball(0.055, 0.91);
    let mut body = body.turned();
    let point = Shape::turned(
        &[
            Vec2::new(0.04, 0.0),
            Vec2::new(0.044, 0.03),
            Vec2::new(0.028, 0.062),
            Vec2::new(0.0, 0.072),
        ],
        8,
    );
    for index in 0..POINTS {
        let angle = TAU * (f32::from(index) + 0.5) / f32::from(POINTS);
        let at = Vec2::from_angle(angle) * (rim - 0.035);
        body.add(&point, Transform::from_xyz(at.x, 0.81, at.y));
    }
    FigureShapes::of(body).with_ink(collar(RADIUS))
}

/// A king: a cross on a crown.
pub fn king() -> FigureShapes {
    const RADIUS: f32 = 0.275;
    let body = foot(RADIUS)
        .curve([0.105, 0.28], [0.095, 0.63])
        .edge(0.165, 0.645)
        .bead(0.014, 0.675)
        .edge(0.105, 0.70)
        .curve([0.115, 0.80], [0.17, 0.86])
        .edge(0.17, 0.86)
        .curve([0.13, 0.92], [0.05, 0.93])
        .to(0.0, 0.935);
    let mut body = body.turned();
    let bar = |width: f32, height: f32| {
        Shape::slab(Slab {
            size: Vec3::new(width, height, 0.09),
            corner: 0.02,
            fillet: 0.015,
        })
    };
    body.add(&bar(0.09, 0.23), Transform::from_xyz(0.0, 1.14, 0.0));
    body.add(&bar(0.24, 0.09), Transform::from_xyz(0.0, 1.08, 0.0));
    FigureShapes::of(body).with_ink(collar(RADIUS))
}

/// Half of how thick a knight is.
const THICK: f32 = 0.105;

/// The head of a horse that looks to the right, from its chest against the clock.
const HORSE: [[f32; 2]; 24] = [
    [0.165, 0.17],
    [0.180, 0.25],
    [0.150, 0.32],
    [0.085, 0.40],
    [0.070, 0.445],
    [0.125, 0.425],
    [0.185, 0.395],
    [0.235, 0.385],
    [0.285, 0.42],
    [0.300, 0.475],
    [0.255, 0.52],
    [0.195, 0.60],
    [0.150, 0.655],
    [0.150, 0.70],
    [0.142, 0.755],
    [0.110, 0.792],
    [0.066, 0.778],
    [0.030, 0.725],
    [-0.02, 0.695],
    [-0.115, 0.635],
    [-0.175, 0.53],
    [-0.205, 0.41],
    [-0.205, 0.28],
    [-0.175, 0.17],
];

/// A knight: the head of a horse.
pub fn knight() -> FigureShapes {
    const RADIUS: f32 = 0.262;
    let mut body = foot(RADIUS).to(0.0, 0.205).turned();
    let outline = smooth(&HORSE.map(Vec2::from));
    let head = Shape::carved(Carving {
        outline: &outline,
        half: THICK,
        edge: 0.022,
    });
    // The muzzle and the ears are narrower than the chest.
    let head = head.bent(|place| {
        let muzzle = ((place.x - 0.06) / 0.24).clamp(0.0, 1.0);
        let high = ((place.y - 0.60) / 0.19).clamp(0.0, 1.0);
        let narrow = 1.0 - 0.38 * muzzle - 0.30 * high;
        Vec3::new(place.x - 0.03, place.y, place.z * narrow)
    });
    body.add(&head, Transform::IDENTITY);
    let mut ink = collar(RADIUS);
    let eye = Shape::turned(
        &[
            Vec2::new(0.030, 0.0),
            Vec2::new(0.024, 0.010),
            Vec2::new(0.0, 0.014),
        ],
        10,
    );
    for side in [1.0, -1.0] {
        let turn = Quat::from_rotation_x(side * std::f32::consts::FRAC_PI_2);
        let place = Transform::from_xyz(0.095, 0.595, side * 0.078).with_rotation(turn);
        ink.add(&eye, place);
    }
    FigureShapes::of(body).with_ink(ink)
}

/// The same outline through more points, without corners.
fn smooth(points: &[Vec2]) -> Vec<Vec2> {
    const STEPS: u16 = 3;
    let count = points.len();
    let at = |index: usize| points[index % count];
    (0..count)
        .flat_map(|index| {
            let around = [count - 1, 0, 1, 2].map(|step| at(index + step));
            (0..STEPS).map(move |step| {
                let t = f32::from(step) / f32::from(STEPS);
                let [a, b, c, d] = around;
                // Through b and c, as fast as their neighbours say.
                let (square, cube) = (t * t, t * t * t);
                0.5 * (2.0 * b
                    + (c - a) * t
                    + (2.0 * a - 5.0 * b + 4.0 * c - d) * square
                    + (3.0 * b - a - 3.0 * c + d) * cube)
            })
        })
        .collect()
}
