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

/// A queen: a coronet of points around the dark of its cup, and a ball of brass in it.
pub fn queen() -> FigureShapes {
    const RADIUS: f32 = 0.27;
    const POINTS: u8 = 9;
    let [inner, rim] = [0.145, 0.205];
    let floor = 0.79;
    let body = foot(RADIUS)
        .curve([0.10, 0.27], [0.088, 0.57])
        .edge(0.155, 0.585)
        .bead(0.014, 0.615)
        .edge(0.095, 0.635)
        .curve([0.105, 0.74], [rim, 0.835])
        .edge(rim, 0.835)
        .edge(inner, 0.83)
        .edge(inner - 0.03, floor)
        .to(0.0, floor);
    let mut body = body.turned();
    let point = Shape::turned(
        &[
            Vec2::new(0.042, 0.0),
            Vec2::new(0.046, 0.03),
            Vec2::new(0.026, 0.075),
            Vec2::new(0.0, 0.085),
        ],
        8,
    );
    for index in 0..POINTS {
        let angle = TAU * (f32::from(index) + 0.5) / f32::from(POINTS);
        let at = Vec2::from_angle(angle) * (inner + rim) / 2.0;
        body.add(&point, Transform::from_xyz(at.x, 0.825, at.y));
    }
    let mut ink = collar(RADIUS);
    let cup = Shape::turned(&[Vec2::new(inner - 0.02, 0.0), Vec2::ZERO], 24);
    ink.add(&cup, Transform::from_xyz(0.0, floor + 0.015, 0.0));
    let ball = Lathe::at(0.05, floor).to(0.05, 0.82).ball(0.085, 0.88);
    FigureShapes::of(body)
        .with_ink(ink)
        .with_trim(ball.turned())
}

/// A king: a cross of brass on a crown.
pub fn king() -> FigureShapes {
    const RADIUS: f32 = 0.275;
    const THICK: f32 = 0.10;
    let body = foot(RADIUS)
        .curve([0.105, 0.28], [0.095, 0.56])
        .edge(0.165, 0.575)
        .bead(0.014, 0.605)
        .edge(0.105, 0.625)
        .curve([0.115, 0.72], [0.185, 0.775])
        .edge(0.185, 0.79)
        .curve([0.15, 0.835], [0.06, 0.85])
        .to(0.0, 0.855);
    let bar = |width: f32, height: f32| {
        Shape::slab(Slab {
            size: Vec3::new(width, height, THICK),
            corner: 0.02,
            fillet: 0.015,
        })
    };
    let mut cross = Shape::default();
    cross.add(&bar(0.10, 0.31), Transform::from_xyz(0.0, 1.145, 0.0));
    cross.add(&bar(0.29, 0.10), Transform::from_xyz(0.0, 1.065, 0.0));
    FigureShapes::of(body.turned())
        .with_ink(collar(RADIUS))
        .with_trim(cross)
}

/// Half of how thick a knight is.
const THICK: f32 = 0.115;

/// The head of a horse that looks to the right, from its chest against the clock: the
/// chest, the throat, the lower jaw, the muzzle, the bridge of the nose, an ear, and the
/// neck down to the back.
const HORSE: [[f32; 2]; 29] = [
    [0.185, 0.165],
    [0.205, 0.24],
    [0.185, 0.31],
    [0.125, 0.375],
    [0.065, 0.425],
    [0.050, 0.465],
    [0.085, 0.480],
    [0.140, 0.455],
    [0.190, 0.415],
    [0.235, 0.370],
    [0.285, 0.355],
    [0.330, 0.385],
    [0.338, 0.435],
    [0.300, 0.495],
    [0.255, 0.570],
    [0.205, 0.640],
    [0.150, 0.690],
    [0.135, 0.740],
    [0.125, 0.805],
    [0.095, 0.835],
    [0.060, 0.800],
    [0.030, 0.735],
    [-0.03, 0.715],
    [-0.105, 0.670],
    [-0.175, 0.580],
    [-0.215, 0.460],
    [-0.225, 0.330],
    [-0.205, 0.230],
    [-0.180, 0.165],
];

/// The mane: a band along the neck, from the ear down.
const MANE: [[f32; 2]; 13] = [
    [0.000, 0.735],
    [0.010, 0.760],
    [-0.040, 0.745],
    [-0.123, 0.695],
    [-0.197, 0.597],
    [-0.238, 0.468],
    [-0.248, 0.330],
    [-0.226, 0.220],
    [-0.185, 0.235],
    [-0.195, 0.340],
    [-0.185, 0.455],
    [-0.145, 0.570],
    [-0.080, 0.655],
];

/// A knight: the head of a horse, with its mane, eyes and nostrils in ebony.
pub fn knight() -> FigureShapes {
    const RADIUS: f32 = 0.262;
    // Its foot is a sawn board's, between the rings of the base.
    let round = |place: Vec3| LOOKS_UP * ((place.y - 0.20) / 0.10).clamp(0.0, 1.0);
    let mut body = foot(RADIUS).to(0.0, 0.205).turned();
    let carved = |outline: &[Vec2], half: f32| {
        let carving = Carving {
            outline,
            half,
            edge: 0.07,
        };
        // The muzzle and the ears are narrower than the chest; as evenly as this, so that
        // both faces stay flat.
        Shape::carved(carving).bent(|place| {
            let narrow = 1.08 - 0.75 * place.x - 0.42 * (place.y - 0.2);
            let lean = LEAN * (place.y - 0.2);
            Vec3::new(place.x - HEAD_BACK, place.y, place.z * narrow - lean)
        })
    };
    let head = carved(&smooth(&HORSE.map(Vec2::from)), THICK).looking_up(round);
    body.add(&head, Transform::IDENTITY);
    let mut ink = collar(RADIUS);
    ink.add(
        &carved(&smooth(&MANE.map(Vec2::from)), 0.045),
        Transform::IDENTITY,
    );
    let mut dot = |radius: f32, [x, y, z]: [f32; 3]| {
        let profile = [
            Vec2::new(radius, 0.0),
            Vec2::new(0.8 * radius, 0.012),
            Vec2::new(0.0, 0.017),
        ];
        let dot = Shape::turned(&profile, 10);
        for side in [1.0, -1.0] {
            let turn = Quat::from_rotation_x(side * std::f32::consts::FRAC_PI_2);
            let lean = LEAN * (y - 0.2);
            let place = Transform::from_xyz(x - HEAD_BACK, y, side * z - lean).with_rotation(turn);
            ink.add(&dot, place);
        }
    };
    dot(0.032, [0.125, 0.615, 0.094]);
    dot(0.020, [0.285, 0.425, 0.088]);
    FigureShapes::of(body).with_ink(ink)
}

/// How far the head stands behind where it is drawn.
const HEAD_BACK: f32 = 0.045;
/// How far it leans back for each length that it rises.
const LEAN: f32 = 0.2;
/// How much more it looks up than a sawn board does: cheek and neck are round.
const LOOKS_UP: f32 = 1.2;

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
