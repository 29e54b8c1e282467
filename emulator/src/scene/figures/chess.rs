//! Chessmen in the style of club sets: turned feet and collars, and a head that is
//! recognised from the seat by its outline and from above by its top. Only the king has
//! metal on it, and only the queen an open crown.

use std::f32::consts::TAU;

use bevy::prelude::*;

use super::lathe::Lathe;
use super::{FOOT, FigureShapes};
use crate::scene::shape::{Carving, Shape, Slab};

/// The foot of all chessmen, up to where the body begins: a plinth, and a step that rises
/// from it.
fn foot(radius: f32) -> Lathe {
    Lathe::at(radius, FOOT)
        .to(radius, FOOT + 0.035)
        .bead(0.012, FOOT + 0.075)
        .curve([0.93 * radius, 0.155], [0.78 * radius, 0.165])
        .bead(0.010, 0.195)
}

/// A band in the colour of its side around a foot, below the bead.
fn band(radius: f32) -> Shape {
    let over = radius + 0.005;
    let ring = Lathe::at(over, FOOT)
        .to(over, FOOT + 0.035)
        .bead(0.012, FOOT + 0.079)
        .to(0.95 * radius, FOOT + 0.088);
    ring.turned()
}

/// Adds the collars of a tall piece, `wide` at their widest, from the height `low` up.
fn collars(lathe: Lathe, wide: f32, low: f32) -> Lathe {
    lathe
        .edge(wide, low)
        .bead(0.012, low + 0.028)
        .edge(0.72 * wide, low + 0.036)
        .bead(0.010, low + 0.062)
}

pub fn pawn() -> FigureShapes {
    const RADIUS: f32 = 0.235;
    let body = foot(RADIUS)
        .curve([0.105, 0.23], [0.078, 0.375])
        .edge(0.140, 0.385)
        .bead(0.010, 0.408)
        .edge(0.075, 0.42)
        .ball(0.122, 0.515);
    FigureShapes::of(body.turned()).with_band(band(RADIUS))
}

/// A rook: a tower with battlements.
pub fn rook() -> FigureShapes {
    const RADIUS: f32 = 0.265;
    const TOWERS: u8 = 5;
    let wall = [0.130, 0.205];
    let floor = 0.585;
    let body = foot(RADIUS)
        .curve([0.150, 0.24], [0.142, 0.46])
        .edge(0.185, 0.475)
        .bead(0.010, 0.50)
        .curve([0.160, 0.52], [wall[1], 0.545])
        .edge(wall[1], floor)
        .edge(wall[0], floor)
        .edge(wall[0], floor - 0.04)
        .to(0.0, floor - 0.04);
    let mut body = body.turned();
    for tower in 0..TOWERS {
        let middle = TAU * (f32::from(tower) + 0.25) / f32::from(TOWERS);
        let half = 0.36 * TAU / f32::from(TOWERS);
        let part = Shape::sector(wall, 0.085, [middle - half, middle + half]);
        body.add(&part, Transform::from_xyz(0.0, floor, 0.0));
    }
    let floor = floor - 0.038;
    let dark = Shape::turned(&[Vec2::new(wall[0] - 0.005, 0.0), Vec2::ZERO], 24);
    let mut ink = Shape::default();
    ink.add(&dark, Transform::from_xyz(0.0, floor, 0.0));
    FigureShapes::of(body).with_ink(ink).with_band(band(RADIUS))
}

/// A bishop: a tall mitre that ends in a point, so that its outline is not that of a large
/// pawn where the cut is too small to be seen.
pub fn bishop() -> FigureShapes {
    const RADIUS: f32 = 0.25;
    let stem = foot(RADIUS).curve([0.092, 0.25], [0.078, 0.485]);
    let body = collars(stem, 0.150, 0.495)
        .edge(0.085, 0.565)
        .curve([0.215, 0.64], [0.176, 0.735])
        .curve([0.120, 0.835], [0.028, 0.910])
        .ball(0.040, 0.932);
    FigureShapes::of(body.turned())
        .with_ink(cut_of_mitre())
        .with_band(band(RADIUS))
}

/// The cut of a mitre: a dark slice through its right front, as in a club's set that was put
/// up with care. Its edge follows the mitre's surface and stands out a little.
fn cut_of_mitre() -> Shape {
    const THICK: f32 = 0.052;
    const PARTS: u8 = 4;
    /// The slice's half axes: towards the upper right, and towards the player.
    const HALF: [f32; 2] = [0.150, 0.190];
    let turn = Quat::from_rotation_z(0.70);
    let place = Transform::from_xyz(0.0, 0.735, 0.0).with_rotation(turn);
    let mut cut = Shape::default();
    for part in 0..PARTS {
        // The angles go from the right towards the player.
        let edge = |part: u8| (15.0 - 32.0 * f32::from(part)).to_radians();
        let slice = Shape::sector([0.3, 1.0], THICK, [edge(part + 1), edge(part)]);
        let slice = slice.bent(|at| at * Vec3::new(HALF[0], 1.0, HALF[1]));
        cut.add(&slice, place);
    }
    cut
}

/// A queen: a wide coronet of points around a dark cup, with a small ball in it.
pub fn queen() -> FigureShapes {
    const RADIUS: f32 = 0.275;
    const POINTS: u8 = 7;
    let [inner, rim] = [0.160, 0.222];
    let floor = 0.83;
    let stem = foot(RADIUS).curve([0.105, 0.27], [0.086, 0.595]);
    let body = collars(stem, 0.165, 0.605)
        .edge(0.098, 0.675)
        .curve([0.110, 0.80], [rim, 0.885])
        .edge(rim, 0.885)
        .edge(inner, 0.875)
        .edge(inner - 0.03, floor)
        .to(0.0, floor);
    let mut body = body.turned();
    let point = Shape::turned(
        &[
            Vec2::new(0.060, -0.02),
            Vec2::new(0.052, 0.03),
            Vec2::new(0.026, 0.080),
            Vec2::new(0.0, 0.100),
        ],
        8,
    );
    for index in 0..POINTS {
        let angle = TAU * (f32::from(index) + 0.5) / f32::from(POINTS);
        let at = Vec2::from_angle(angle) * (inner + rim) / 2.0;
        body.add(&point, Transform::from_xyz(at.x, 0.885, at.y));
    }
    let ball = Lathe::at(0.05, floor).to(0.05, 0.86).ball(0.078, 0.915);
    body.add(&ball.turned(), Transform::IDENTITY);
    let cup = Shape::turned(&[Vec2::new(inner - 0.02, 0.0), Vec2::ZERO], 24);
    let mut ink = Shape::default();
    ink.add(&cup, Transform::from_xyz(0.0, floor + 0.015, 0.0));
    FigureShapes::of(body).with_ink(ink).with_band(band(RADIUS))
}

/// A king: a tall cross of brass on a slim crown, whose dark cap sets it off from the seat.
pub fn king() -> FigureShapes {
    const RADIUS: f32 = 0.285;
    const THICK: f32 = 0.09;
    const CROWN: f32 = 0.745;
    /// The height of the cross's top and of its arms' upper edge, and how long it is.
    const TOP: f32 = 1.158;
    const ARMS: f32 = 1.065;
    const LONG: f32 = TOP - CROWN;
    let stem = foot(RADIUS).curve([0.112, 0.27], [0.090, 0.515]);
    let body = collars(stem, 0.170, 0.525)
        .edge(0.098, 0.595)
        .curve([0.105, 0.685], [0.168, 0.735])
        .edge(0.168, CROWN)
        .edge(0.132, CROWN)
        .to(0.0, CROWN);
    let cap = Lathe::at(0.140, CROWN - 0.01)
        .curve([0.130, 0.790], [0.055, 0.805])
        .to(0.0, 0.808);
    let bar = |width: f32, height: f32| {
        Shape::slab(Slab {
            size: Vec3::new(width, height, THICK),
            corner: 0.02,
            fillet: 0.012,
        })
    };
    let mut cross = Shape::default();
    cross.add(&bar(0.095, LONG), Transform::from_xyz(0.0, TOP, 0.0));
    cross.add(&bar(0.310, 0.095), Transform::from_xyz(0.0, ARMS, 0.0));
    FigureShapes::of(body.turned())
        .with_ink(cap.turned())
        .with_trim(cross)
        .with_band(band(RADIUS))
}

/// The neck of a horse that faces right, from its chest up. Each section is its middle in
/// x and y, half of its depth in that plane, and half of its width.
const NECK: [[f32; 4]; 10] = [
    [0.000, 0.160, 0.205, 0.180],
    [0.000, 0.205, 0.210, 0.175],
    [-0.008, 0.275, 0.190, 0.150],
    [-0.035, 0.365, 0.160, 0.122],
    [-0.058, 0.460, 0.142, 0.104],
    [-0.060, 0.555, 0.132, 0.094],
    [-0.040, 0.640, 0.116, 0.084],
    [-0.012, 0.705, 0.086, 0.066],
    [0.008, 0.745, 0.045, 0.038],
    [0.014, 0.758, 0.000, 0.000],
];

/// The sections of its head, from behind the cheek to the muzzle.
const HEAD: [[f32; 4]; 11] = [
    [-0.052, 0.682, 0.000, 0.000],
    [-0.035, 0.670, 0.060, 0.055],
    [0.015, 0.636, 0.112, 0.088],
    [0.075, 0.596, 0.122, 0.094],
    [0.135, 0.556, 0.104, 0.082],
    [0.195, 0.512, 0.080, 0.066],
    [0.245, 0.472, 0.068, 0.058],
    [0.290, 0.438, 0.070, 0.060],
    [0.320, 0.414, 0.062, 0.054],
    [0.340, 0.398, 0.036, 0.034],
    [0.346, 0.393, 0.000, 0.000],
];

/// The outline of the mane's crest along the neck, with its tufts, counterclockwise from
/// between the ears.
const MANE: [[f32; 2]; 19] = [
    [0.060, 0.760],
    [0.020, 0.815],
    [-0.030, 0.800],
    [-0.060, 0.765],
    [-0.100, 0.765],
    [-0.130, 0.705],
    [-0.175, 0.695],
    [-0.190, 0.625],
    [-0.230, 0.605],
    [-0.226, 0.530],
    [-0.262, 0.500],
    [-0.244, 0.425],
    [-0.272, 0.385],
    [-0.240, 0.320],
    [-0.255, 0.270],
    [-0.205, 0.250],
    [-0.150, 0.380],
    [-0.140, 0.540],
    [-0.060, 0.690],
];

/// How far a knight is turned towards the player, in radians.
const LOOKS_AT_PLAYER: f32 = 0.45;
/// How far the head is moved back from where it is drawn.
const HEAD_BACK: f32 = 0.03;

/// A knight: the neck and head of a horse, with ears and a mane of the same wood, and dark
/// eyes and nostrils.
pub fn knight() -> FigureShapes {
    const RADIUS: f32 = 0.265;
    let turn = Quat::from_rotation_y(-LOOKS_AT_PLAYER);
    let stands = Transform::from_rotation(turn).with_translation(turn * Vec3::NEG_X * HEAD_BACK);
    let mut body = foot(RADIUS).to(0.0, 0.195).turned();
    for part in [&NECK[..], &HEAD[..]] {
        body.add(&Shape::lofted(part, 18), stands);
    }
    let mane = Shape::carved(Carving {
        outline: &MANE.map(Vec2::from),
        half: 0.034,
        edge: 0.02,
    });
    body.add(&mane, stands);
    let ear = Shape::turned(
        &[
            Vec2::new(0.036, -0.05),
            Vec2::new(0.040, 0.0),
            Vec2::new(0.026, 0.055),
            Vec2::new(0.0, 0.10),
        ],
        8,
    );
    let mut ink = Shape::default();
    for side in [-1.0, 1.0] {
        let lean = Quat::from_rotation_x(side * 0.22) * Quat::from_rotation_z(0.10);
        let place = Transform::from_xyz(0.030, 0.735, side * 0.050).with_rotation(lean);
        body.add(&ear, stands * place);
        for (radius, [x, y, z]) in [
            (0.026, [0.105, 0.625, 0.080]),
            (0.017, [0.300, 0.448, 0.047]),
        ] {
            let dot = Shape::turned(
                &[
                    Vec2::new(radius, -0.02),
                    Vec2::new(0.85 * radius, 0.010),
                    Vec2::new(0.0, 0.016),
                ],
                10,
            );
            let looks = Quat::from_rotation_x(side * 1.25);
            let place = Transform::from_xyz(x, y, side * z).with_rotation(looks);
            ink.add(&dot, stands * place);
        }
    }
    FigureShapes::of(body).with_ink(ink).with_band(band(RADIUS))
}
